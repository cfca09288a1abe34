"""What a move may pick, looked up in a grid of cases and numbers or one number after the other: the same, or refused.

A number that one heap may not pick is looked at all the same where another may: what the condition says of it, or that
it says nothing, must not matter.
"""

from pathlib import Path

import numpy as np
import pytest
from picked import list_options, make_moves, write

from checks.referee.meaning import IllDefined, Steps
from checks.referee.play import Game
from encoders.exhaustive.arrays.limits import BadRuleset
from encoders.exhaustive.moves import moves as module
from encoders.exhaustive.moves.moves import Moves

ONE, TWO = "any heap h", "any two heaps g, h"
# chosen heaps, what is picked, the condition, what is left; is the grid taken for all of a box at once
MOVES = {
    "of the heap and the number": (ONE, "1..h", "m <= h % 4 or m % 4 == 0", "h - m", True),
    "of the number": (ONE, "1..h", "m % 3 != 1", "h - m", True),
    "of the heap": (ONE, "1..h", "h % 3 != 1", "h - m", True),
    "of neither": (ONE, "1..h", "2 > 1", "h - m", True),
    "of the position": (ONE, "1..h", "m != len(s)", "h - m", True),
    "more than there is would be legal": (ONE, "1..h // 2", "m % 2 == 0", "h - m", True),
    "less than the least would be legal": (ONE, "h // 2 + 1..h", "m % 2 == 1", "h - m", True),
    "the same for all": (ONE, "1..1", "h != 3", "h - m", True),
    "numbers from 0": (ONE, "0..h - 1", "m % 2 == 0", "m", True),
    "none for some": (ONE, "3..h", "m != 4", "h - m", True),
    "none at all": (ONE, "1..0", "m != 4", "h - m", True),
    "no value for more than there is": (ONE, "1..h", "12 // (h - m + 1) != 4", "h - m", False),
    "no value for less than the least": (ONE, "h // 2 + 1..h", "12 // (m - 1 + h % 2) != 4", "h - m", False),
    "the same of two": (TWO, "1..min(g, h)", "m != 2 and g != 3", "g - m; h - m", True),
}  # fmt: skip
ILL = {
    "no value at a number that is picked": (ONE, "1..h", "12 // (h - m) != 4", "h - m"),
    "nothing is taken": (ONE, "0..h", "m % 2 == 0", "h - m"),
    "more is taken than there is": (ONE, "1..h + 1", "m % 2 == 0", "h - m"),
}


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each attempt at a grid came to something."""
    met: list[bool] = []
    right = Moves._try_in_grid

    def attempt(*args):
        legal = right(*args)
        met.append(legal is not None)
        return legal

    monkeypatch.setattr(Moves, "_try_in_grid", attempt)
    return met


@pytest.mark.parametrize("name", MOVES)
def test_the_options_are_those_of_the_referee_with_a_grid_and_without(
    name: str, tmp_path: Path, tried: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    *rules, in_grid = MOVES[name]
    ruleset = write(tmp_path, *rules)
    game, found = Game(ruleset, {}, Steps(1_000_000)), list_options(ruleset)
    assert found == {s: set(game.options(s, 0)) for s in found}
    assert any(tried) == in_grid
    monkeypatch.setattr(module, "_WASTE", -1)
    assert found == list_options(ruleset)


@pytest.mark.parametrize("name", ILL)
def test_what_is_ill_defined_is_refused(name: str, tmp_path: Path) -> None:
    ruleset = write(tmp_path, *ILL[name])
    game = Game(ruleset, {}, Steps(1_000_000))
    with pytest.raises(IllDefined):
        [game.options((h,), 0) for h in range(1, 9)]
    moves, _ = make_moves(ruleset, 1, 8)
    with pytest.raises(BadRuleset):
        moves.tabulate_single_heap(ruleset.moves[0], [()], 0, 8)


def test_a_wide_grid_for_few_numbers_is_not_made(tmp_path: Path, tried: list[bool]) -> None:
    """One number for each heap, of heaps far apart."""
    ruleset = write(tmp_path, ONE, "h..h", "m != 5", "h - m")
    moves, pool = make_moves(ruleset, 1, 50)
    sources, _ = moves.list_options(pool.rows, np.arange(len(pool)), (), 0)
    assert len(sources) == 49
    assert tried and not any(tried)
