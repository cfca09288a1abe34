"""Tables of games in which a move leaves any heap of an interval: valid ones, computed by hand."""

from typing import Any

import pytest

from checks.referee.breaking import Unknown
from checks.referee.intervals import Leaving, find_wrong_value, find_wrong_winner, read_intervals
from checks.referee.meaning import IllDefined, LimitReached

ONE_MOVE = '[[moves]]\nchoose = "{choose}"\npick = {{ {pick} }}\n{where}become = {become}\n'


def moves(pick: str = 'm = "1..h"', become: str = '["h - m"]', choose: str = "any heap h", where: str = "") -> str:
    return ONE_MOVE.format(pick=pick, become=become, choose=choose, where=where)


# -- reading ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (moves(), [(0, 0), (0, 1), (0, 2), (0, 3)]),
        (moves('m = "1..h - 1"'), [(1, 0), (1, 1), (1, 2), (1, 3)]),
        (moves('m = "1..2"', where=""), "smaller"),  # 2 from a heap of 1
        (moves('m = "1..min(2, h)"'), [(0, 0), (0, 1), (1, 2), (2, 3)]),
        (moves('a = "h // 2..h - 1"', '["a"]'), [(0, 0), (1, 1), (1, 2), (2, 3)]),
        (moves('a = "h // 2..h - 1"', '["a", "0"]'), [(0, 0), (1, 1), (1, 2), (2, 3)]),
        (moves('a = "h // 2..h - 1"', '["0", "a"]'), [(0, 0), (1, 1), (1, 2), (2, 3)]),
        (moves('a = "0..h - 2"', '["a"]'), [(0, -1), (0, 0), (0, 1), (0, 2)]),
        (moves('a = "h..h"', '["a"]'), "smaller"),
        (moves('a = "0 - 1..h - 1"', '["a"]'), "smaller"),
        (moves('a = "0..h"', '["a"]'), "smaller"),
        (moves('m = "k..h"'), [(0, -1), (0, 0), (0, 1), (0, 2)]),
        (moves('m = "1 if mover == A else h..h"'), [(0, 0), (0, 1), (0, 2), (0, 3)]),
        # other forms
        (moves('m = "1..h"', '["h - m", "1"]'), "unknown"),
        (moves('m = "1..h"', '["h - m", "m"]'), "unknown"),
        (moves('m = "1..h"', '["m - h"]'), "unknown"),
        (moves('m = "1..h"', '["h - 1"]'), "unknown"),
        (moves('m = "1..h"', '["h - k"]'), "unknown"),
        (moves('m = "1..h"', '["k - m"]'), "unknown"),
        (moves('m = "1..h"', '["k"]'), "unknown"),
        (moves('m = "1..h"', '["h"]'), "unknown"),
        (moves('m = "1..h"', "[]"), "unknown"),
        (moves('m = "[1, 2]"'), "unknown"),
        (moves('m = "1..h", a = "0..1"'), "unknown"),
        (moves(where='where = "m != 2"\n'), "unknown"),
        (moves(choose="each of 1..2 heaps h"), "unknown"),
        (moves('m = "1..h"', '["h - m", "g"]', choose="any two heaps g, h"), "unknown"),
        (moves('m = "1..len(s)"'), "unknown"),
    ],
)
def test_what_a_move_leaves(game: Any, text: str, ends: Any) -> None:
    """The heaps are 1 to 4, the options an interval (None: empty); k is 2, and A moves."""
    played = game(text, 'parameters = { k = "1..9" }\n', k=2)
    if isinstance(ends, list):
        (kind,) = read_intervals(played, 0, 4)
        assert list(kind.ends) == [(1, 0), *ends]
    elif ends == "smaller":
        with pytest.raises(IllDefined, match="does not leave a smaller heap"):
            read_intervals(played, 0, 4)
    else:
        with pytest.raises(Unknown):
            read_intervals(played, 0, 4)


def test_players_and_kinds_of_moves_are_read_one_by_one(game: Any) -> None:
    played = game(moves('m = "1 if mover == A else h..h"') + moves('a = "0..h - 2"', '["a"]'))
    assert [list(kind.ends) for kind in read_intervals(played, 1, 2)] == [
        [(1, 0), (0, 0), (0, 0)],
        [(1, 0), (0, -1), (0, 0)],
    ]
    with pytest.raises(Unknown):
        read_intervals(game(moves(), 'measure = "2 * sum(s)"\n'), 0, 2)


# -- Grundy values ----------------------------------------------------------------------------------------------------
def leaving(*ends: tuple[int, int]) -> Leaving:
    """Return options for the heaps 1, 2, ...; the heap 0 has none."""
    return Leaving([(1, 0), *ends])


NIM = leaving(*((0, h - 1) for h in range(1, 8)))
TWO = leaving((0, 0), *((h - 2, h - 1) for h in range(2, 8)))  # one or two are taken
ONE = leaving(*((h - 1, h - 1) for h in range(1, 8)))
HALF = leaving(*((h // 2, h - 1) for h in range(1, 8)))  # at most half is taken: 0, 0 is left of 1
NOT_ALL = leaving((1, 0), *((1, h - 1) for h in range(2, 8)))  # a heap of 1 is the end
LAST = leaving((0, 0), (0, 0), (0, 0), (3, 3), (3, 4), (4, 5), (5, 6))


@pytest.mark.parametrize(
    ("kinds", "values", "wrong"),
    [
        ([NIM], [0, 1, 2, 3, 4, 5, 6, 7], None),
        ([TWO], [0, 1, 2, 0, 1, 2, 0, 1], None),
        ([NOT_ALL], [0, 0, 1, 2, 3, 4, 5, 6], None),
        ([HALF], [0, 1, 0, 2, 1, 3, 0, 4], None),
        ([LAST], [0, 1, 1, 1, 0, 2, 1, 0], None),
        ([TWO, leaving(*[(0, 0)] * 7)], [0, 1, 2, 3, 1, 2, 3, 1], None),
        ([], [0, 0, 0], None),
        ([leaving((1, 0), (0, 1), (0, 2))], [0, 0, 1, 2], None),
        ([leaving((0, 0), (0, 1), (1, 0), (3, 3))], [0, 1, 2, 0, 1], None),
        ([TWO], [0, 1, 2, 3, 1, 2, 0, 1], (3, 0)),
        ([TWO], [0, 1, 2, 0, 1, 2, 0, 2], (7, 1)),
        ([TWO], [0, 0, 2, 0, 1, 2, 0, 1], (1, 1)),
        ([TWO], [0, 1, 1, 0, 1, 2, 0, 1], (2, 2)),
        ([NIM], [0, 1, 2, 3, 4, 5, 6, 6], (7, 7)),
        ([HALF], [0, 1, 0, 2, 1, 3, 1, 4], (6, 0)),
        ([NOT_ALL], [0, 1, 1, 2, 3, 4, 5, 6], (1, 0)),
        ([LAST], [0, 1, 1, 1, 0, 2, 2, 0], (6, 1)),
        ([], [0, 0, 1], (2, 0)),
    ],
)
def test_which_values_are_the_least_that_no_option_has(
    game: Any, kinds: list[Leaving], values: list[int], wrong: tuple[int, int] | None
) -> None:
    assert find_wrong_value(kinds, values, game()) == wrong


@pytest.mark.parametrize(
    ("ends", "values"),
    [
        ([(0, 0), (1, 1), (0, 2)], [0, 1, 0, 2]),
        ([(0, 0), (0, 1), (0, 0)], [0, 1, 2, 1]),
        ([(0, 0), (1, 1), (0, 0)], [0, 1, 0, 1]),
        ([(0, 0), (0, 1), (1, 0), (0, 1)], [0, 1, 2, 0, 2]),
    ],
)
def test_intervals_that_go_back_are_not_known(game: Any, ends: list[tuple[int, int]], values: list[int]) -> None:
    with pytest.raises(Unknown):
        find_wrong_value([leaving(*ends)], values, game())


def test_values_cost_steps(game: Any) -> None:
    played = game()
    played.steps.left = 3
    assert find_wrong_value([NIM], [0, 1, 2, 3], played) is None
    with pytest.raises(LimitReached):
        find_wrong_value([NIM], [0, 1], played)
    played.steps.left = 2
    assert find_wrong_value([NIM], [0, 65_536], played) == (1, 1)
    assert played.steps.left == 0


# -- winners ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("movers", "rows", "players", "stuck", "wrong"),
    [
        # two players, normal play: 1 where the mover loses
        ([[NIM]], [[1, 0, 0, 0]], 2, 1, None),
        ([[TWO]], [[1, 0, 0, 1, 0, 0, 1]], 2, 1, None),
        ([[NOT_ALL]], [[1, 1, 0, 0]], 2, 1, None),
        ([[TWO]], [[1, 0, 0, 1, 0, 0, 0]], 2, 1, (0, 6, 1)),
        ([[TWO]], [[1, 0, 0, 0, 0, 0, 1]], 2, 1, (0, 3, 1)),
        ([[TWO]], [[1, 0, 1, 1]], 2, 1, (0, 2, 0)),
        ([[TWO]], [[0, 0, 0]], 2, 1, (0, 0, 1)),
        # misere play
        ([[TWO]], [[0, 1, 0, 0, 1]], 2, 0, None),
        ([[TWO]], [[1, 1, 0]], 2, 0, (0, 0, 0)),
        # three players, one or two are taken
        ([[TWO]], [[2, 0, 0, 1, 1, 2, 0]], 3, 2, None),
        ([[TWO]], [[2, 0, 0, 1, 1, 1, 0]], 3, 2, (0, 5, 2)),
        # two players, the second of whom may take only the last object
        ([[TWO], [leaving((0, 0), *[(1, 0)] * 6)]], [[1, 0, 0, 0], [1, 0, 1, 1]], 2, 1, None),
        ([[TWO], [leaving((0, 0), *[(1, 0)] * 6)]], [[1, 0, 0, 1], [1, 0, 1, 1]], 2, 1, (0, 3, 0)),
        ([[TWO], [leaving((0, 0), *[(1, 0)] * 6)]], [[1, 0, 0], [1, 0, 0]], 2, 1, (1, 2, 1)),
        # two kinds of moves: one or two, or all
        ([[TWO, leaving(*[(0, 0)] * 7)]], [[1, 0, 0, 0, 0]], 2, 1, None),
        ([[]], [[1, 1]], 2, 1, None),
        # up to h - 4 may be left
        ([[leaving((0, -3), (0, -2), (0, -1), (0, 0))]], [[1, 1, 1, 1, 0]], 2, 1, None),
        # three players: the first takes one or two, the others one
        ([[TWO], [ONE], [ONE]], [[2, 0, 0, 1, 0, 0, 0], [2, 0, 1, 2, 2, 0, 2], [2, 0, 1, 1, 2, 1, 1]], 3, 2, None),
    ],
)
def test_which_winners_are_the_least_that_options_give(
    game: Any, movers: Any, rows: Any, players: int, stuck: int, wrong: tuple[int, int, int] | None
) -> None:
    """The winner is the least (v + 1) mod n over the offsets v of the next player's options, or `stuck`."""
    assert find_wrong_winner(movers, rows, players, stuck, game()) == wrong


def test_winners_cost_steps(game: Any) -> None:
    """Each entry costs one step, and each group of eight entries and players one more."""
    played = game()
    played.steps.left = 1 + 2 * 1 * 4 // 8 + 4
    assert find_wrong_winner([[NIM]], [[1, 0, 0, 0]], 2, 1, played) is None
    assert played.steps.left == 0
    with pytest.raises(LimitReached):
        find_wrong_winner([[NIM]], [[1]], 2, 1, played)
