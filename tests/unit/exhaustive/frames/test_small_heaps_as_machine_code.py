"""Heaps of a few small numbers as machine code, one word each: the same results as in Python, or none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import wasmtime
from test_claims_as_machine_code import by_machine, compare, write

from claims.language.files import domains as d
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound import search
from encoders.compute.native.runtime import select_functions
from encoders.compute.native.search import CompiledSearch, ScopeHeaps, _Run, make_engine
from encoders.compute.native.small_heaps import SmallHeapText

POWERS = "sum(4 ** (h.n + h.q) for h in s)"
TURN = 'pick = { a = "0..h.n - 1", b = "0..h.q - 1" }\nbecome = [{ q = "b" }, { n = "a" }, { n = "a", q = "b" }]'
LOWER = 'pick = { m = "1..3" }\nwhere = "m <= h.n"\nbecome = [{ n = "h.n - m", q = "(h.q + m) % 5" }]'
SPLIT = 'pick = { m = "0..h.n - 1" }\nbecome = [{ n = "m", q = "h.q" }, { n = "h.n - 1 - m", q = "(h.q + m) % 3" }]'
VANISHING, FEW = 'n = "0.."\nq = "0.."\ngone = "h.n == h.q"\n', 's = { heaps = "0..1", n = "0..9", q = "0..4" }'
BOX, CUBE = 's = { n = "0..7", q = "0..5" }', 's = { heaps = "0..2", n = "0..4", q = "0..3" }'
GRUNDY, WINS, ALONE = "grundy(s) % 3 != 1", "wins(s)", "len(s) != 1 or s[0].n + s[0].q < {} or "
GAMES = {
    "three heaps, by exponents": {"asks": GRUNDY, "move": TURN, "measure": POWERS},
    "sums of three heaps": {"asks": WINS, "move": TURN, "measure": POWERS, "scope": CUBE},
    "two heaps, by a sum": {"asks": GRUNDY, "move": SPLIT, "measure": "sum(2 * h.n + 1 for h in s)"},
    "heaps that vanish, by exponents": {
        "asks": GRUNDY,
        "parts": 'n = "0.."\nq = "0.."\ngone = "h.n == 0 or h.q == 0"\n',
        "move": TURN,
        "measure": POWERS,
    },
    "heaps that vanish, by a sum": {"asks": WINS, "parts": VANISHING, "move": LOWER, "scope": FEW},
    "heaps that vanish, misère": {"asks": WINS, "parts": VANISHING, "move": LOWER, "scope": FEW, "stuck": "wins"},
    "a heap with the exponent 0 that vanishes": {
        "asks": "not wins(s)",
        "parts": 'n = "0.."\nq = "0.."\ngone = "h.q == 0"\n',
        "move": 'pick = { b = "0..h.q - 1" }\nwhere = "b == 0"\nbecome = [{ n = "max(h.n - 1, 0)", q = "b" }]',
        "measure": "sum(4 ** h.n for h in s)",
    },
    "heaps that are none": {
        "asks": WINS,
        "parts": 'n = "0.."\nq = "0..4"\nwhere = "h.n != 4"\n',
        "move": LOWER.replace("m <= h.n", "m <= h.n and h.n - m != 4"),
    },
    "two players": {"asks": "wins(s, B)", "move": LOWER.replace("m <= h.n", "m <= h.n and (m < 3 or mover == A)")},
    "three players": {
        "asks": "value(s, B) != 1",
        "move": LOWER.replace("m <= h.n", "m <= h.n and (m < 3 or mover == A)"),
        "players": '["A", "B", "C"]',
    },
    "a heap that is found before a range": {
        "asks": GRUNDY,
        "move": 'pick = { b = "0..h.q - 1" }\nbecome = [{ n = "h.n if h.q > 0 else -1", q = "h.q - 1" }, { q = "b" }]',
        "measure": POWERS,
    },
    "a heap that a condition excludes": {
        "asks": GRUNDY,
        "move": 'pick = { b = "0..5" }\nwhere = "b < h.q"\nbecome = [{ q = "h.q - 1" }, { q = "b" }]',
        "measure": POWERS,
    },
}


def compile_search(claim, sums: bool = True) -> CompiledSearch:
    game = search.CaseEvaluator(claim, claim.scope("quick"), Deadline(None)).find_only_game()
    assert game is not None
    return CompiledSearch(claim, claim.scope("quick"), game.parameters, game.players, sums)


@pytest.mark.parametrize("name", GAMES)
def test_small_heaps_have_the_results_of_python(tmp_path: Path, name: str) -> None:
    """Claims that are false at different cases, so that the results of many heaps count."""
    given = {"scope": BOX} | GAMES[name]
    asks, decided = given.pop("asks"), set()
    for size in range(0, 14, 2):
        claim = write(tmp_path, ALONE.format(size) + asks, **given)
        made = compile_search(claim)
        found = compare(claim)
        decided.add(str(found.decided))
        made.search(Deadline(None))
        assert made.small is not None, "no heap was outside"
    assert len(decided) > 2


@pytest.mark.parametrize(
    ("move", "measure", "parts"),
    [
        # a heap that does not depend on the last pick, and whose exponent is as large
        ('pick = { b = "0..h.q - 1" }\nbecome = [{ n = "h.n", q = "h.q" }, { q = "b" }]', POWERS, ""),
        ('pick = { b = "0..h.q - 1" }\nbecome = [{ n = "h.n + 1", q = "b" }]', "sum(h.n + h.q for h in s)", ""),
        ('pick = { b = "0..h.q - 1" }\nbecome = [{ q = "b" }, { q = "b" }]', "sum(h.n + h.q for h in s)", ""),
        ('pick = { b = "0..h.q - 1" }\nbecome = [{ n = "h.n - 1", q = "h.q" }, { q = "b" }]', POWERS, ""),
        ('pick = { b = "0..h.q - 1" }\nbecome = [{ q = "b" }]', POWERS, 'where = "h.q != 3"\n'),
        ('pick = { b = "0..h.q - 1" }\nbecome = [{ q = "b" }]', "sum(h.q - 1 for h in s)", ""),
        # a heap that vanishes does not make room for another one
        (
            'where = "h.n > 0"\nbecome = [{ n = "h.n - 1", q = "h.q + 1" }, { q = "0" }]',
            "sum(h.n + h.q for h in s)",
            'gone = "h.q == 0"\n',
        ),
    ],
)
def test_what_is_no_proper_move_gives_no_result(tmp_path: Path, move: str, measure: str, parts: str) -> None:
    """The measure does not decrease or is below 0, or the move leaves what the ruleset does not allow as a heap."""
    scope = 's = { n = "0..5", q = "4..5" }' if "where" in parts else BOX
    claim = write(tmp_path, "grundy(s) >= 0", 'n = "0.."\nq = "0.."\n' + parts, move, scope, measure)
    assert by_machine(claim) is None


@pytest.mark.parametrize("asked", ["wins(s)", "grundy(s) >= 0"])
@pytest.mark.parametrize("scope", ['s = { n = "0..5", q = "0..5" }', 's = { n = "0..5", q = "4..5" }'])
def test_a_move_to_what_is_no_heap_gives_no_result(tmp_path: Path, asked: str, scope: str) -> None:
    """The ruleset does not allow q = 0 in a heap, so no move is possible there. The scope may contain q = 0 or not."""
    parts, move = 'n = "0.."\nq = "0.."\nwhere = "h.q > 0"\n', 'pick = { b = "0..h.q - 1" }\nbecome = [{ q = "b" }]'
    for measure in (POWERS, "sum(h.q for h in s)"):
        assert by_machine(write(tmp_path, asked, parts, move, scope, measure)) is None


@pytest.mark.parametrize("measure", ["sum(h.n for h in s)", "sum(3 ** h.n for h in s)"])
def test_values_are_right_if_those_of_the_options_are_unknown(tmp_path: Path, measure: str) -> None:
    """The evaluation of an option replaces the marks of the options before it."""
    move, scope = 'pick = { m = "0..h.n - 1" }\nbecome = [{ n = "m", q = "m" }]', 's = { n = "6..6", q = "0..0" }'
    for value in range(7):
        found = compare(write(tmp_path, f"grundy(s) != {value}", move=move, scope=scope, measure=measure))
        assert (found.decided is not None) is (value == 6)


@pytest.mark.parametrize(
    ("measure", "scope", "small"),
    [
        ("sum(h.n ** 2 * 512 + h.n for h in s)", BOX, True),
        ("sum(h.n ** 2 * 513 for h in s)", BOX, False),
        ("sum(h.n - 1048576 * h.q for h in s)", BOX, True),
        ("sum(h.n - 1048576 * h.q - 2097152 for h in s)", BOX, False),
        ("sum(h.n for h in s)", 's = { n = "0..7", q = "0..2047" }', True),
        ("sum(h.n for h in s)", 's = { n = "0..7", q = "2040..2048" }', False),
    ],
)
def test_numbers_or_measures_that_are_not_small_need_other_cells(
    tmp_path: Path, measure: str, scope: str, small: bool
) -> None:
    """A word has 31 bits for a measure. Two numbers have 11 bits each."""
    move = 'pick = { m = "1..3" }\nwhere = "m <= h.n"\nbecome = [{ n = "h.n - m" }]'
    claim = write(tmp_path, "wins(s) or s[0].n < 7", move=move, scope=scope, measure=measure)
    made = compile_search(claim)
    if "- 1048576" in measure:  # a measure below 0
        assert by_machine(claim) is None
    else:
        made.search(Deadline(None))
        compare(write(tmp_path, "wins(s) or s[0].n < 4", move=move, scope=scope, measure=measure))
    assert (made.small is not None) is small


def test_the_first_and_last_heaps_at_the_ends_of_ranges_are_found(tmp_path: Path) -> None:
    random = Random(1)
    for _ in range(60):
        count = random.randrange(1, 5)
        ranges = [d.Range(low := random.randrange(4), low + random.randrange(5)) for _ in range(count)]
        heaps = ScopeHeaps(
            d.PositionRange(d.Range(1, 1), d.Range(1, 1), None, tuple(zip("abcd", ranges, strict=False)))
        )
        small = object.__new__(SmallHeapText)
        small.bits, small.lists = 22 // count, [False] * count
        numbers = [heaps.read(i) for i in range(len(heaps))]
        run = object.__new__(_Run)
        run._addresses = machine_addresses(small, numbers)
        there = run._addresses.argsort(kind="stable") * 0 + range(len(heaps))
        expected = heaps.find_ends(there.reshape(-1, 1), there, heaps.columns)
        assert run._find_small_ends(heaps.forms[0], small) == expected, ranges
        assert [small.read_heap(int(x)) for x in run._addresses] == numbers
        columns = list(small.list_columns(run._addresses))
        assert [tuple(row) for row in zip(*(x.tolist() for x in columns), strict=True)] == numbers


def machine_addresses(small: SmallHeapText, numbers: list[tuple[int, ...]]):
    import numpy as np

    return np.array([small.find_address(x) for x in numbers], dtype=np.uint32)


def test_only_functions_that_are_called_remain() -> None:
    text = """(module
(global $g (mut i64) (i64.const 0))
(func $far (call $near))
(func $near
(global.set $g (i64.const 1)))
(start $begin)
(func $begin (call $near))
(func $alone (call $also))
(func $also (call $alone))
(func $shown (export "shown") (call $far))
)"""
    kept = select_functions(text)
    assert [x in kept for x in ("$g (mut", "$far (", "$near\n", "(func $begin", "$alone", "$also", "$shown")] == [
        True, True, True, True, False, False, True,
    ]  # fmt: skip
    wasmtime.Module(make_engine(), kept)


@pytest.mark.parametrize(("asked", "left"), [("wins(s)", "$value"), ("grundy(s) > 0", "$grundy")])
def test_functions_that_a_claim_does_not_need_are_not_compiled(tmp_path: Path, asked: str, left: str) -> None:
    text = compile_search(write(tmp_path, asked, move=LOWER), sums=False).text
    assert {name: f"(func {name} " in text for name in ("$value", "$grundy", "$isqrt")} == {
        "$value": left == "$value",
        "$grundy": left == "$grundy",
        "$isqrt": False,
    }


def test_the_sum_of_a_heap_and_its_mirror_image_is_lost(tmp_path: Path) -> None:
    then = "not wins(position([heap(x, y), heap(y, x)]))"
    claim = write(tmp_path, then, move=TURN, scope='x = "0..6"\ny = "0..6"', measure=POWERS)
    found = compare(claim)
    assert (found.decided, found.cases) == (None, 49)
