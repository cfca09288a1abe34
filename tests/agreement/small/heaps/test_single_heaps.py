"""Single heaps, solved by every method: the answers are the referee's."""

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from itertools import count
from operator import xor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st
from one_heap import (
    ANY,
    ILL,
    OCTAL,
    by_engine,
    by_referee,
    heaps_of,
    loaded,
    rules,
    splitting,
    taking,
    written,
)  # fmt: skip

from checks.referee.meaning import LimitReached
from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import load_ruleset
from encoders.compute.arrays import heap_codes as reading
from encoders.compute.arrays import heap_tables
from encoders.compute.arrays.heap_codes import Code
from encoders.compute.arrays.heap_tables import BY_CODE, BY_MOVES
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime
from encoders.compute.exhaustive import decide_by_search
from encoders.kernel import machine
from encoders.proving.reading import load_claim

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
QUESTIONS = ("grundy", "wins", "value", "movable")


@pytest.mark.slow
def test_random_rules_agree_with_the_referee() -> None:
    """Every supported function, at every heap; solved up to 4 first, to test that the solver continues from there."""
    engines: list[str] = []
    refused: list[bool] = []

    @settings(FIXED, max_examples=150)
    @given(rules())
    def agree(found: tuple[str, tuple[tuple, ...]]) -> None:
        text, choices = found
        with tempfile.TemporaryDirectory() as folder:
            ruleset = loaded(text, Path(folder))
        heaps = heaps_of(ruleset)
        for question in QUESTIONS:
            if not heaps.serves(question) or (question in ("wins", "grundy") and len(ruleset.players) > 2):
                continue
            size = 8 if heaps.splits else 14
            try:
                by_engine(heaps, question, choices, 4)
                table = by_engine(heaps, question, choices, size)
            except BadRuleset:
                refused.append(True)
                movers = range(len(ruleset.players))
                said = [by_referee(ruleset, c, "movable", size, m) for c in choices for m in movers]
                assert any(ILL in row for row in said), f"refused, but the referee plays it:\n{text}"
                return
            if table is None:
                event("left to the graph")
                return
            for q, choice in enumerate(choices):
                for mover, row in enumerate(table[q]):
                    try:
                        expected = by_referee(ruleset, choice, question, size, mover)
                    except LimitReached:
                        return
                    assert row == expected, f"{question} for {mover} at {choice}:\n{text}"
        engines.extend(heaps.engines)

    agree()
    assert min(engines.count(BY_CODE), engines.count(BY_MOVES)) >= 3, "one of the ways is hardly tried"
    assert refused


@settings(FIXED, max_examples=40)
@given(st.lists(st.integers(0, 7), min_size=1, max_size=4))
@pytest.mark.slow
def test_octal_games_agree_with_the_referee(digits: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ruleset = loaded(OCTAL, Path(folder))
    heaps = heaps_of(ruleset)
    found = by_engine(heaps, "grundy", [(tuple(digits),)], 30)[0][0]
    assert heaps.engines == {BY_CODE}
    assert found == by_referee(ruleset, (tuple(digits),), "grundy", 30, 0, sums=True)
    assert heaps.summed is any(d >= 4 for d in digits)


def values_of_code(code: Sequence[int], size: int) -> list[int]:
    """Return the values by recursion over the digits: a move takes i objects and leaves up to three heaps."""
    values = [0]
    for h in range(1, size + 1):
        seen = set()
        for rest, digit in ((h - i, d) for i, d in enumerate(code, 1) if i <= h):
            parts = {0: [()] if rest == 0 else [], 1: [(rest,)] if rest else []}
            parts[2] = [(a, rest - a) for a in range(1, rest)]
            parts[3] = [(a, b, rest - a - b) for a in range(1, rest) for b in range(1, rest - a)]
            seen |= {reduce(xor, (values[x] for x in p), 0) for bit in parts if digit >> bit & 1 for p in parts[bit]}
        values.append(next(v for v in count() if v not in seen))
    return values


def test_moves_with_a_very_long_list_are_listed_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them creates an object for each number: a list of ten million took minutes and gigabytes."""
    tables = {}
    for most in (3, 2):
        monkeypatch.setattr(reading, "MOST_LISTED", most)
        heaps = heaps_of(loaded(OCTAL, tmp_path))
        tables[most] = by_engine(heaps, "grundy", [((0, 7, 3),)], 20)[0][0]
        assert heaps.engines == {BY_CODE if most == 3 else BY_MOVES}
    assert list(tables[3]) == list(tables[2])


@settings(FIXED, max_examples=16)
@given(st.lists(st.integers(0, 15), min_size=1, max_size=3))
@example([3, 15])
@example([8])
@pytest.mark.slow
def test_hexadecimal_games_are_those_of_their_digits(code: list[int]) -> None:
    """Up to three heaps may be left, in the engine and in the referee; with digits up to 7 it is an octal game."""
    ruleset = load_ruleset(LIBRARY / "rulesets" / "hexadecimal.toml")
    heaps = heaps_of(ruleset)
    expected = values_of_code(code, 24)
    assert by_engine(heaps, "grundy", [(tuple(code),)], 24)[0][0] == expected
    assert heaps.engines == {BY_MOVES}
    assert by_referee(ruleset, (tuple(code),), "grundy", 9, 0, sums=True) == expected[:10]
    if max(code) < 8:
        octal = heaps_of(load_ruleset(LIBRARY / "rulesets" / "octal.toml"))
        assert by_engine(octal, "grundy", [(tuple(code),)], 24)[0][0] == expected


# -- the solvers, on codes, far beyond the reach of the referee ------------------------------------------------------
def plainly(end: np.ndarray, one: np.ndarray, two: tuple[int, ...], equal: tuple[int, ...]) -> list[int]:
    values: list[int] = [0]
    for h in range(1, len(end)):
        reached = {values[h - m] for m in range(h) if one[m]} | ({0} if end[h] else set())
        for taken in {*two, *equal}:
            for x in range(1, (h - taken) // 2 + 1):
                if taken in (equal if 2 * x == h - taken else two):
                    reached.add(values[x] ^ values[h - taken - x])
        values.append(next(v for v in count() if v not in reached))
    return values


SIZE = 260
taken = st.sets(st.integers(0, 9), max_size=3).map(lambda x: tuple(sorted(x)))
rows = st.tuples(st.sampled_from(["few", "all but few", "any", "none"]), st.integers(0, 2**32 - 1))


def row(kind: str, seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed).random(SIZE + 1)
    found = {"few": chance < 0.02, "all but few": chance > 0.02, "any": chance < 0.5, "none": chance < 0}[kind]
    found[0] = False
    return found


@pytest.mark.parametrize("small", [0, 1000], ids=["kernel", "option by option"])
@settings(FIXED, max_examples=40)
@given(rows, rows, taken, taken)
@pytest.mark.slow
def test_values_of_random_codes(small: int, ends: tuple, ones: tuple, two: tuple, equal: tuple) -> None:
    """Any numbers may be taken and split, solved in one step or two, by the kernel and without it."""
    end, one = row(*ends), row(*ones)
    expected = plainly(end, one, two, equal)
    code = Code((), two, equal)
    solver = heap_tables.CodeValues(code, Deadline(None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heap_tables, "SMALL", small)
        patch.setattr(heap_tables, "LOADED", small)
        solver.extend(SIZE // 3, end[: SIZE // 3 + 1], one[: SIZE // 3 + 1])
        solver.extend(SIZE, end, one)
    assert solver.values.tolist() == expected


@pytest.mark.parametrize("small", [0, 1000], ids=["kernel", "option by option"])
@settings(FIXED, max_examples=60)
@given(rows, rows)
def test_values_of_random_codes_that_do_not_split(small: int, ends: tuple, ones: tuple) -> None:
    """If nearly every number may be taken, a value is missing only if all heaps that have it are left out."""
    end, one = row(*ends)[:90], row(*ones)[:90]
    solver = heap_tables.CodeValues(Code((), (), ()), Deadline(None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heap_tables, "SMALL", small)
        patch.setattr(heap_tables, "LOADED", small)
        solver.extend(30, end[:31], one[:31])
        solver.extend(89, end, one)
    assert solver.values.tolist() == plainly(end, one, (), ())


@settings(FIXED, max_examples=40)
@given(st.lists(st.tuples(rows, rows), min_size=1, max_size=3), st.booleans(), st.integers(2, 4))
@pytest.mark.slow
def test_winners_of_random_codes(found: list, misere: bool, players: int) -> None:
    """Each player has separate moves, or all have the same."""
    codes = [(row(*x), row(*y)) for x, y in found]
    if len(codes) > 1:
        players = len(codes)
    stuck = 0 if misere else players - 1
    values: list[list[int]] = [[stuck] for _ in codes]
    for h in range(1, SIZE + 1):
        offers = []
        for mover, (end, one) in enumerate(codes):
            following = values[(mover + 1) % len(codes)]
            options = [h - m for m in range(h) if one[m]] + ([0] if end[h] else [])
            offers.append(min(((following[p] + 1) % players for p in options), default=stuck))
        for mover, value in enumerate(offers):
            values[mover].append(value)
    solver = heap_tables.TakeWinners(len(codes), players, misere, Deadline(None))
    for size in (SIZE // 10, SIZE):
        solver.extend(size, [e[: size + 1] for e, _ in codes], [o[: size + 1] for _, o in codes])
    assert solver.values == values


@pytest.mark.parametrize(
    "moves",
    [
        taking("1..h"),
        taking("1..h // 2"),
        taking("1..min(h, 3)"),
        taking("1..h", "m % 2 == 1"),
        splitting('a = "1..h // 2"', become='["a", "h - 1 - a"]', where="a < h - 1"),
        splitting('m = "1..min(2, h)", a = "0..(h - m) // 2"', become='["a", "h - m - a"]'),
        splitting('m = "1..min(2, h)", a = "0..(h - m) // 2"', become='["a", "h - m - a"]', where="a != 2"),
    ],
)
def test_each_way_stops_when_time_is_up(moves: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "STEPS", 1000)
    heaps = heaps_of(loaded(written(moves), tmp_path))
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks > 40:
            raise OutOfTime

    heaps.moves.evaluator.clock.check = check
    question = "wins" if heaps.serves("wins") else "grundy"
    with pytest.raises(OutOfTime):
        by_engine(heaps, question, [()], 40_000)
    assert looks == 41


# -- rules that must not be solved ------------------------------------------------------------------------------------
NO_END = {
    "taking nothing": (taking("0..h"), ""),
    "taking nothing from large heaps only": (taking("0..h", "m > 0 or h > 9"), ""),
    "a heap below 0": (taking("S"), ""),
    "a heap below 0 from small heaps only": (taking("1..9"), ""),
    "splitting into the heap and nothing": (splitting('a = "0..h // 2"'), ""),
    "two heaps as large as one": (splitting('a = "1..h - 1"', become='["h - a", "h - a"]'), ""),
    "a heap that grows": (ANY + 'where = "h > 4"\nbecome = ["h + 1"]\n', ""),
    "a measure that stays": (splitting('a = "1..h // 2"'), "sum(s)"),
    "a measure that stays for ones": (splitting('a = "1..h // 2"'), "sum((h - 1) * (h - 2) for h in s)"),
    "a measure that grows when a heap splits": (splitting('a = "1..h // 2"'), "sum(2 * h + 1 for h in s)"),
    "a measure that stays when one is taken": (taking("1..h"), "sum(h // 2 for h in s)"),
    "a measure below 0": (taking("1..h"), "sum(s) - 4"),
    "a measure of heaps below 0": (taking("1..h"), "sum(h - 4 for h in s)"),
    "division by zero": (taking("1..h", "6 % (m - 3) != 1"), ""),
    "division by zero at what is not taken": (taking("0..h", "6 % m != 1 and m > 0"), ""),
    "a list that is too short": (taking("1..h", "[1, 2, 3][m] > 0"), ""),
}


@pytest.mark.parametrize("name", NO_END)
def test_what_cannot_be_played_is_not_solved(name: str, tmp_path: Path) -> None:
    """The rules are refused, or left to the graph, which refuses them; the referee agrees."""
    moves, measure = NO_END[name]
    ruleset = loaded(written(moves, '{ S = "set" }', measure), tmp_path)
    choice, heaps = ((2, 5),), heaps_of(ruleset)
    with suppress(BadRuleset):
        assert by_engine(heaps, "grundy", [choice], 12) is None
    assert ILL in by_referee(ruleset, choice, "movable", 12, 0)


@pytest.mark.parametrize(
    ("heap", "moves", "lost"),
    [
        (10**9, taking("{100000000}", "m <= h"), True),
        (10**9, taking("1..1", "h > 999999990"), True),
        (10**9 + 1, taking("1..1", "h > 999999990"), False),
        (3 * 10**5, taking("1..min(h, 3)"), True),
        (3 * 10**5, taking("h - 1..h - 1", "h > 1"), False),
    ],
)
def test_a_single_large_heap_is_played_from_there(heap: int, moves: str, lost: bool, tmp_path: Path) -> None:
    """Heaps that are not asked about are not solved if that would need memory for a billion heaps."""
    loaded(written(moves), tmp_path)
    path = tmp_path / "claim.toml"
    head = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
    path.write_text(f'{head}ruleset = "rules"\n[claim]\nthen = "wins(position([{heap}])) == {not lost}"\n', "utf-8")
    claim = load_claim(path, "claim")
    answer = decide_by_search(claim, {})
    assert answer.decision == "holds", answer.detail


def test_values_belong_to_their_parameters(tmp_path: Path) -> None:
    """This includes parameters in another order, as when more of them are added."""
    heaps = heaps_of(loaded(written(taking("1..min(h, k)"), '{ k = "1.." }'), tmp_path))
    for choices in ([(1,), (2,)], [(2,), (1,)], [(3,), (1,)]):
        assert by_engine(heaps, "grundy", choices, 9) == [[[h % (k + 1) for h in range(10)]] for (k,) in choices]
