"""The numbers that a move may pick: found in a grid, tried one by one, or derived from the condition.

Each method gives the referee's options. If a number may not be picked, or is not tried at all, that must not hide that
the condition is undefined there.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from checks.referee.meaning import IllDefined, RefereeSteps, TermEvaluator, refuse_game
from checks.referee.play import RefereeGame
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Ruleset, load_ruleset
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import INT
from encoders.compute.arrays import limits
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooWide
from encoders.compute.arrays.moves import Candidates, Moves
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import Frame, Scalars


def write(folder: Path, choose: str, pick: str, where: str, become: str) -> Ruleset:
    """Return a ruleset. `pick`: as in `pick = { ... }`, or the domain of m. `become`: separated by semicolons."""
    left = ", ".join(f'"{x.strip()}"' for x in become.split(";"))
    picks = pick if "=" in pick else f'm = "{pick}"'
    text = f'[[moves]]\nchoose = "{choose}"\npick = {{ {picks} }}\nwhere = "{where}"\nbecome = [{left}]\n'
    path = folder / "rules.toml"
    path.write_text(f'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "loses"\n{text}')
    return load_ruleset(path)


def make_moves(ruleset: Ruleset, heaps: int, size: int) -> tuple[Moves, Pool]:
    """Return the moves of the ruleset, and all positions of at most `heaps` heaps of at most `size`."""
    pool = Pool(PositionSet.box(heaps, size))
    return Moves(ruleset, FrameEvaluator(pool, Deadline(None), {})), pool


def list_options(ruleset: Ruleset, heaps: int = 2, size: int = 9) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """Return the options of all these positions."""
    moves, pool = make_moves(ruleset, heaps, size)
    sources, options = moves.list_options(pool.rows, np.arange(len(pool)), (), 0)
    found: dict[tuple[int, ...], set[tuple[int, ...]]] = {pool.heaps(i): set() for i in range(len(pool))}
    for source, option in zip(sources.tolist(), options.tolist(), strict=True):
        found[pool.heaps(source)].add(tuple(h for h in option if h))
    return found


# -- in a grid --------------------------------------------------------------------------------------------------------
ONE, TWO = "any heap h", "any two heaps g, h"
# (chosen heaps, domain of the pick, condition, heaps left, whether one grid serves the whole box)
GRIDS = {
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
ILL_DEFINED = {
    "no value at a number that is picked": (ONE, "1..h", "12 // (h - m) != 4", "h - m"),
    "nothing is taken": (ONE, "0..h", "m % 2 == 0", "h - m"),
    "more is taken than there is": (ONE, "1..h + 1", "m % 2 == 0", "h - m"),
}


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record whether each attempt at a grid succeeds."""
    met: list[bool] = []
    right = Moves._try_in_grid

    def attempt(*args):
        legal = right(*args)
        met.append(legal is not None)
        return legal

    monkeypatch.setattr(Moves, "_try_in_grid", attempt)
    return met


@pytest.mark.parametrize("name", GRIDS)
def test_the_options_are_those_of_the_referee_with_a_grid_and_without(
    name: str, tmp_path: Path, tried: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    *rules, in_grid = GRIDS[name]
    ruleset = write(tmp_path, *rules)
    game, found = RefereeGame(ruleset, {}, RefereeSteps(1_000_000)), list_options(ruleset)
    assert found == {s: set(game.options(s, 0)) for s in found}
    assert any(tried) == in_grid
    monkeypatch.setattr("encoders.compute.arrays.moves._WASTE", -1)
    assert found == list_options(ruleset)


@pytest.mark.parametrize("name", ILL_DEFINED)
def test_what_is_ill_defined_in_a_grid_is_refused(name: str, tmp_path: Path) -> None:
    ruleset = write(tmp_path, *ILL_DEFINED[name])
    game = RefereeGame(ruleset, {}, RefereeSteps(1_000_000))
    with pytest.raises(IllDefined):
        [game.options((h,), 0) for h in range(1, 9)]
    moves, _ = make_moves(ruleset, 1, 8)
    with pytest.raises(BadRuleset):
        moves.tabulate_single_heap(ruleset.moves[0], [()], 0, 8)


def test_a_wide_grid_for_few_numbers_is_not_made(tmp_path: Path, tried: list[bool]) -> None:
    """Each heap allows one number, and the heaps are far apart."""
    ruleset = write(tmp_path, ONE, "h..h", "m != 5", "h - m")
    moves, pool = make_moves(ruleset, 1, 50)
    sources, _ = moves.list_options(pool.rows, np.arange(len(pool)), (), 0)
    assert len(sources) == 49
    assert tried and not any(tried)


# -- candidates from the condition ------------------------------------------------------------------------------------
SIZE = 23
READ: dict[str, Callable[[int, int], bool]] = {
    "m < h % 5": lambda h, m: m < h % 5,
    "m <= h % 5": lambda h, m: m <= h % 5,
    "m > h - 3": lambda h, m: m > h - 3,
    "m >= h - 3": lambda h, m: m >= h - 3,
    "m == h // 2": lambda h, m: m == h // 2,
    "3 > m": lambda h, m: m < 3,
    "3 >= m": lambda h, m: m <= 3,
    "h - 4 < m": lambda h, m: m > h - 4,
    "h - 4 <= m": lambda h, m: m >= h - 4,
    "h // 3 == m": lambda h, m: m == h // 3,
    "h - m < 3": lambda h, m: h - m < 3,
    "h - m >= h // 2 + 7": lambda h, m: h - m >= h // 2 + 7,
    "h - m == 2": lambda h, m: h - m == 2,
    "m + 3 <= h % 7 + 1": lambda h, m: m + 3 <= h % 7 + 1,
    "3 + m > h": lambda h, m: 3 + m > h,
    "m - 2 == h % 5": lambda h, m: m - 2 == h % 5,
    "2 - (h - (m + 1)) > 0": lambda h, m: 2 - (h - (m + 1)) > 0,
    "m % 5 == 0": lambda h, m: m % 5 == 0,
    "(m + 1) % 5 == h % 3": lambda h, m: (m + 1) % 5 == h % 3,
    "(h - m) % 5 == 1": lambda h, m: (h - m) % 5 == 1,
    "2 == m % (h // 4 + 4)": lambda h, m: m % (h // 4 + 4) == 2,
    "m % 5 == 0 and m > 7 and m <= 15": lambda h, m: m % 5 == 0 and 7 < m <= 15,
    "m > 7 and (m % 5 == 2 and m % 2 == 1)": lambda h, m: m > 7 and m % 5 == 2,
    "m <= h % 4 or m % 6 == 0": lambda h, m: m <= h % 4 or m % 6 == 0,
    "m < 3 or m == 7 or m % 7 == 0": lambda h, m: m < 3 or m % 7 == 0,
    "(m < 3 or m > h - 2) and m % 2 == 0": lambda h, m: (m < 3 or m > h - 2) and m % 2 == 0,
    "(m < 2 or h % 2 == 0) and m < 4": lambda h, m: m < 4,
    "m < 4 and m * m != h": lambda h, m: m < 4,
    "m < 4 and not (m == 2)": lambda h, m: m < 4,
    "m < 4 and m // 2 != 1": lambda h, m: m < 4,
    "m % 2 == 0 and m % 3 == 0": lambda h, m: m % 2 == 0,
    "m == 1 or m == 2 or m == 3 or m == 4 or m == 5 or m == 6 or m == 7 or m == 8 or m == 9": lambda h, m: True,
    "m * 2 < h": lambda h, m: True,
    "m % 5 != 0": lambda h, m: True,
    "h % 2 == 0": lambda h, m: True,
    "m == m": lambda h, m: True,
    "m < h - m": lambda h, m: True,
}
UNREAD = (  # it may be undefined at some number, or the number is not determined
    "m < 4 and 12 // (h - m + 1) != 4",
    "m < 4 or h % (h - m + 1) == 4",
    "m < 4 and h % (h - 3) == 1",
    "m < 4 and isqrt(m) < 3",
    "m < h % (m + 1)",
    "m < 4 and h ** m > 2",
)
MOVES = {
    "picked after another": ("any heap h", 'm = "1..h", n = "1..h"', "m + n <= h and n <= 2 and m == n", "h - m - n"),
    "picked before another": ("any heap h", 'm = "1..h", n = "1..h"', "m <= 2 and n == m + 1 and n + m <= h", "h - n"),
    "picked after a number that there is not": ("any heap h", 'm = "2..1", n = "1..h"', "n < 3", "h - n"),
    "of two heaps": ("any two heaps g, h", 'm = "1..min(g, h)"', "m == g or m <= h % 3", "g - m; h - m"),
    "of two heaps, one each": ("any two heaps g, h", 'm = "1..g", n = "1..h"', "m == n", "g - m; h - n"),
}
ILL = {
    "a condition without value at a number that is not tried": "m <= 1 and 12 // (h - m) != 4",
    "a condition without value at what is tried": "m >= h and 12 // (h - m) != 4",
}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use candidates even if they save little."""
    monkeypatch.setattr("encoders.compute.arrays.moves._GAIN", 0)


def find(folder: Path, where: str, size: int = SIZE):
    """Return the candidates for each heap from 1 on; None if the condition gives none."""
    ruleset = write(folder, "any heap h", 'm = "1..h"', where, "h - m")
    moves, _ = make_moves(ruleset, 1, size)
    heaps = np.arange(1, size + 1)
    frame = Frame(1, size, {"h": Scalars(heaps[None, :])})
    condition = ruleset.moves[0].where
    assert condition is not None
    found = Candidates("m", frozenset(), frame, moves.evaluator).find(condition, np.ones_like(heaps), heaps)
    if found is None:
        return None
    assert found.lengths.shape == (size,)
    cuts = np.cumsum(found.lengths)[:-1]
    return {h: part.tolist() for h, part in zip(heaps.tolist(), np.split(found.items, cuts), strict=True)}


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("where", READ)
def test_as_little_as_the_condition_tells(where: str, tmp_path: Path) -> None:
    expected = {h: [m for m in range(1, h + 1) if READ[where](h, m)] for h in range(1, SIZE + 1)}
    assert find(tmp_path, where) == expected


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("where", UNREAD)
def test_nothing_is_read_where_a_number_may_have_no_value(where: str, tmp_path: Path) -> None:
    assert find(tmp_path, where) is None


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("where", [*READ, *UNREAD[:2]])
def test_the_options_of_one_heap_are_those_of_the_referee(where: str, tmp_path: Path) -> None:
    agree(write(tmp_path, "any heap h", 'm = "1..h"', where, "h - m"), 1, SIZE)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", MOVES)
def test_the_options_are_those_of_the_referee(name: str, tmp_path: Path) -> None:
    agree(write(tmp_path, *MOVES[name]), 2, 9, some="2..1" not in MOVES[name][1])


def agree(ruleset, heaps: int, size: int, some: bool = True) -> None:
    found, game = list_options(ruleset, heaps, size), RefereeGame(ruleset, {}, RefereeSteps(10_000_000))
    assert found == {s: set(game.options(s, 0)) for s in found}
    assert any(found.values()) == some


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", ILL)
def test_what_is_ill_defined_is_refused(name: str, tmp_path: Path) -> None:
    ruleset = write(tmp_path, "any heap h", 'm = "1..h"', ILL[name], "h - m")
    with pytest.raises(IllDefined):
        [RefereeGame(ruleset, {}, RefereeSteps(1_000_000)).options((h,), 0) for h in range(1, 9)]
    moves, pool = make_moves(ruleset, 1, 8)
    with pytest.raises(BadRuleset):
        moves.list_options(pool.rows, np.arange(len(pool)), (), 0)


_NUMBERS = ("m", "m + 2", "m - h", "h - m", "3 - (m - 1)", "h + (2 - m)", "m * 2", "m // 2", "abs(m)")
_OTHERS = ("0", "3", "h", "h - 3", "h % 3", "7 // (h - 4)", "h * h - 9", "m")
_MODULI = ("1", "3", "h + 1", "h", "h - 5", "m")
_REMAINDERS = st.builds(lambda x, y: f"({x}) % ({y})", st.sampled_from(_NUMBERS), st.sampled_from(_MODULI))
_COMPARED = st.builds(
    lambda sides, op: f"{sides[0]} {op} {sides[1]}",
    st.tuples(st.sampled_from(_NUMBERS) | _REMAINDERS, st.sampled_from(_OTHERS)).flatmap(st.permutations),
    st.sampled_from(("<", "<=", ">", ">=", "==", "!=")),
)
CONDITIONS = st.recursive(
    _COMPARED,
    lambda x: (
        st.builds(
            lambda parts, op: f"({f' {op} '.join(parts)})", st.lists(x, min_size=2), st.sampled_from(("and", "or"))
        )
        | x.map(lambda part: f"not ({part})")
    ),
    max_leaves=6,
)


@pytest.mark.usefixtures("always")
@pytest.mark.slow
def test_nothing_that_may_be_picked_is_missed() -> None:
    given_ = given(CONDITIONS, st.integers(-4, 2), st.integers(-2, 12))
    settings(deadline=None, database=None, max_examples=400)(given_(miss_nothing))()


def miss_nothing(text: str, low: int, high: int) -> None:
    """Check that no legal number is missing, and that no candidates exist if the condition may be undefined."""
    condition = Elaborator({"h": INT, "m": INT}).term(text)
    heaps = np.arange(9)
    frame = Frame(1, len(heaps), {"h": Scalars(heaps[None, :])})
    evaluator = FrameEvaluator(Pool(PositionSet.box(1, 1)), Deadline(None), {})
    found = Candidates("m", frozenset(), frame, evaluator).find(
        condition, np.full_like(heaps, low), np.minimum(heaps, high)
    )
    meanings, parts = TermEvaluator(refuse_game, RefereeSteps(1_000_000)), []
    if found is not None:
        parts = [x.tolist() for x in np.split(found.items, np.cumsum(found.lengths)[:-1])]
    for h in heaps.tolist():
        for m in range(low, min(h, high) + 1):
            try:
                legal = meanings.evaluate(condition, {"h": h, "m": m})
            except IllDefined:
                assert found is None
                return
            assert found is None or not legal or m in parts[h]
    event("read" if found is not None else "not read")
    assert all(set(part) <= set(range(low, min(h, high) + 1)) for h, part in enumerate(parts))


def test_what_saves_little_is_not_read(tmp_path: Path) -> None:
    assert find(tmp_path, "m <= h // 5") is not None
    assert find(tmp_path, "m <= h // 2") is None


def test_too_many_at_once_are_halved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller then asks for fewer heaps, and the numbers are the same as for all at once."""
    monkeypatch.setattr(limits, "MAX_CELLS", 20)
    with pytest.raises(TooWide):
        find(tmp_path, "m % 5 == 0")
    agree(write(tmp_path, "any heap h", 'm = "1..h"', "m % 5 == 0", "h - m"), 1, 12)


def test_huge_numbers_are_left_to_others(tmp_path: Path) -> None:
    """If a sum might overflow, there are no candidates."""
    ruleset = write(tmp_path, "any heap h", 'm = "h - 9..h"', "m == h - 5", "h - m")
    moves, _ = make_moves(ruleset, 1, 3)
    (move,) = ruleset.moves
    assert isinstance(move.picks[0].domain, IntervalDomain) and move.where is not None
    for size, read in ((1 << 59, True), (1 << 61, False)):
        heaps = np.array([size])
        frame = Frame(1, 1, {"h": Scalars(heaps[None, :])})
        found = Candidates("m", frozenset(), frame, moves.evaluator).find(move.where, heaps - 9, heaps)
        assert (found is not None and found.items.tolist() == [size - 5]) == read
