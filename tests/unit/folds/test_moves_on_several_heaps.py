"""Columns as folds, and moves that choose several heaps: valid and invalid proofs."""

from itertools import product
from pathlib import Path

import pytest
from proofs import NIM, asked, rests, settle_changed, written
from random_terms import values_of

from checks.results.verdicts import Verdict
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import columns
from encoders.logic.answer import Decision, RouteResult
from encoders.logic.sequents import ZERO, Symbols, compare, integer
from encoders.rules.base.turns import MoveNames
from encoders.rules.folds.kinds import COLUMN
from encoders.rules.folds.positions import OptionalHeap, make_columns, make_position

HEAPS = [heaps for n in range(4) for heaps in product((0, 1, 2, 3), repeat=n)]
HEAPS += [(1, 1, 1, 1), (3, 2, 2, 2), (3, 3, 3, 3), (5, 6, 7, 4, 1), (7, 7, 7, 7, 7)]
ROW: list[dict[str, int]] = [{"unused": 0}]
POSITIONS = '[forall]\ns = "position"\n[scope]\ns = { heaps = "0..1", size = "1..1" }\n[proof]\nsizes = "< 2^8"\n'
COLUMNS = '[proof.folds]\nA = "columns(s, 3, 1)"\nB = "columns(s, 3, 2)"\n[proof.facts]\nF = "bit_and(A, B) == 0"\n'
NIL = "columns({0}, 3, 1) == 0 and columns({0}, 3, 2) == 0"
KEPT = f"implies({NIL.format('s')}, all(not ({NIL.format('t')}) for t in options(s)))"
NUMBERS = '[forall]\nx = "1.."\ny = "1.."\n[scope]\nx = "1..1"\ny = "1..1"\n[proof]\nsizes = "< 2^8"\n'
TWO = '[[moves]]\nchoose = "any two heaps g, h"\npick = { i = "1..g", j = "1..h" }\nbecome = ["g - i", "h - j"]\n'
EACH = '[[moves]]\nchoose = "each of 1..{} heaps h"\npick = {{ m = "1..h" }}\nbecome = ["h - m"]\n'
REMOVED = '[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["0", "0"]\n'
BOUTON = """[proof.folds]
nimmed = "nim_sum(s)"
X = "columns(s, 2, 1)"
[proof.facts]
"a nim-sum is columns modulo 2" = "X == nimmed"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
"""
ALL_OF_TWO = """[[proof.moves]]
when = "True"
heap = "any"
[[proof.moves.then]]
when = "True"
heap = "any"
take = {}
"""
ONE_OF_TWO = """[proof.folds]
N = "len(s)"
[[proof.moves]]
when = "True"
heap = "any"
take = { m = "h" }
"""
BY_PAIRS = """[proof.folds]
n = "len(s)"
[proof.loses]
mover = "n % 4 <= 1"
[[proof.moves]]
when = "n % 4 >= 2"
heap = "any"
[[proof.moves.then]]
when = "True"
heap = "any"
"""


@pytest.mark.parametrize("modulus", [2, 3, 4, 5])
@pytest.mark.slow
def test_columns_of_heaps_that_are_written_down(modulus: int) -> None:
    for heaps in HEAPS:
        listed = (integer(h) for h in heaps)
        s = make_position(Symbols(), 7, "s", tuple(OptionalHeap(h, compare("gt", h, ZERO)) for h in listed))
        for fold in make_columns(modulus):
            found = value(s.fold(fold))
            assert found == columns(heaps, modulus, fold.of), (heaps, fold.key)


def value(term: t.Term) -> int | None:
    ((found,),) = values_of(term, rows=ROW)
    return found


def prove(folder: Path, body: str, then: str, rules: str, given: str = "") -> RouteResult:
    return asked(written(folder, body, then, given=given, rules=rules))


@pytest.mark.parametrize(
    ("body", "then", "rules"),
    [
        (POSITIONS + BOUTON, "iff(not wins(s), nim_sum(s) == 0)", EACH.format(1)),
        (POSITIONS + BY_PAIRS, "iff(wins(s), len(s) % 4 >= 2)", REMOVED),
        (POSITIONS, "all(len(t) >= len(s) - 2 for t in options(s))", EACH.format(2)),
        (POSITIONS, "all(count(h > 5 for h in t) <= count(h > 5 for h in s) for t in options(s))", TWO),
        (POSITIONS + COLUMNS, KEPT, EACH.format(2)),
        (NUMBERS + ALL_OF_TWO.format("{ i = 'h', j = 'h2' }"), "legal(position([x, y]), position([]))", TWO),
        (NUMBERS + ALL_OF_TWO.format("[{ m = 'h' }, { m = 'h2' }]"), "legal(position([x, y]), position([]))",
         EACH.format(2)),
        (NUMBERS + ONE_OF_TWO, "legal(position([x, y]), position([x]))", EACH.format(2)),
        (NUMBERS, "not legal(position([x, x]), position([x])) and not legal(position([x]), position([]))", TWO),
        (NUMBERS, "not legal(position([x, y]), position([x, y, x])) and not legal(position([x]), position([x]))", TWO),
        (NUMBERS, "columns(position([x, y, x, y, x, y]), 3, 1) == 0", TWO),
        (NUMBERS.replace('"1.."', '"0.."'), "all(x >= 1 and y >= 1 for t in options(position([x, y])))", REMOVED),
    ],
)  # fmt: skip
def test_what_is_proved(tmp_path: Path, body: str, then: str, rules: str) -> None:
    found = prove(tmp_path, body, then, rules)
    assert found.decision is Decision.HOLDS, (found.detail, [o for o in found.obligations if not o.proved])


@pytest.mark.parametrize(
    ("body", "then", "rules"),
    [
        (POSITIONS + BOUTON, "iff(not wins(s), nim_sum(s) == 0)", EACH.format(2)),
        (POSITIONS, "all(len(t) >= len(s) - 1 for t in options(s))", EACH.format(2)),
        (POSITIONS, "all(len(t) >= len(s) - 2 for t in options(s))", EACH.format(3)),
        (NUMBERS + ONE_OF_TWO.replace("take = ", "# "), "legal(position([x, y]), position([x]))", TWO),
        (NUMBERS, "not legal(position([x, y]), position([x]))", TWO),
        (NUMBERS, "not legal(position([x, y]), position([x]))", EACH.format(2)),
        (NUMBERS, "not legal(position([x, y]), position([y]))", EACH.format(2)),
        (NUMBERS, "x == y or not legal(position([x, y]), position([]))", EACH.format(2)),
        (NUMBERS, "columns(position([x, y, x, y]), 3, 1) == 0", TWO),
    ],
)
def test_what_is_not(tmp_path: Path, body: str, then: str, rules: str) -> None:
    assert prove(tmp_path, body, then, rules).decision is not Decision.HOLDS


@pytest.mark.parametrize(
    ("rules", "then", "words"),
    [
        ('[[moves]]\nchoose = "each of 0..1 heaps h"\nbecome = ["0"]\n', "wins(s)", "a fixed number of heaps"),
        (EACH.format(5), "wins(s)", "a fixed number of heaps"),
        (EACH.format("len({x * x for x in range(1, 3)})"), "wins(s)", "a fixed number of heaps"),
    ],
)
def test_what_is_refused(tmp_path: Path, rules: str, then: str, words: str) -> None:
    body = POSITIONS + '[proof.loses]\nmover = "True"\n'
    found = prove(tmp_path, body, then, rules)
    assert (found.decision, words in found.detail) == (Decision.UNSUPPORTED, True), found.detail


def test_columns_need_no_bound(tmp_path: Path) -> None:
    body = POSITIONS.replace('sizes = "< 2^8"', 'rule = "folds"')
    assert prove(tmp_path, body, "columns(s, 3, 1) >= 0", TWO).decision is not Decision.UNSUPPORTED
    assert prove(tmp_path, body, "columns(s, 3, 1) <= 3", TWO).decision is Decision.UNKNOWN


@pytest.mark.slow
def test_what_has_to_be_shown(tmp_path: Path) -> None:
    found = settle_changed(tmp_path, "classics/moore-two-heaps")
    assert [o.name for o in found.finding.obligations] == [
        "parameters of moore",
        "measure of moore",
        "columns modulo 3: what one heap more does to a place",
        "pick top bit of A ^ B: a 1 there is one of a heap",
        "pick top bit of rest_A: a 1 there is one of a heap",
        "fact 'no column leaves both', no heap",
        "fact 'no column leaves both', one more heap",
        "closed",
        "closed, 2 heaps",
        "cases cover",
        "reply 1: heap",
        "reply 1: the cases cover",
        "reply 1.1: legal",
        "reply 1.1: leads to a loss",
        "reply 1.2: heap",
        "reply 1.2: legal",
        "reply 1.2: leads to a loss",
        "claim",
    ]


def test_a_pick_by_a_nim_sum_asks_what_a_nim_sum_is(tmp_path: Path) -> None:
    body = POSITIONS + BOUTON.replace("top bit of X", "top bit of nimmed")
    found = prove(tmp_path, body, "wins(s) or True", EACH.format(1))
    assert COLUMN.make_label().name in [o.name for o in found.obligations] and found.decision is Decision.HOLDS


@pytest.mark.slow
def test_digits_of_either_are_read_as_what_they_are(tmp_path: Path) -> None:
    """bit_or(A, B) is A ^ B ^ bit_and(A, B): the fact is equivalent, and certificates are found for it."""
    found = settle_changed(tmp_path, "classics/moore-two-heaps", ("bit_and(A, B) == 0", "bit_or(A, B) == A ^ B"))
    assert found.verdict is Verdict.PROVED, rests(found)
    wrong = settle_changed(tmp_path, "classics/moore-two-heaps", ("bit_and(A, B) == 0", "bit_or(A, B) == A"))
    assert wrong.verdict is not Verdict.PROVED


def test_names_of_the_file_stay_what_the_file_says(tmp_path: Path) -> None:
    """rest_X is a fold of the whole position here, so the reply that uses it for the remaining heaps is wrong."""
    of_rest = BOUTON.replace("(h ^ X)", "rest_X")
    assert prove(tmp_path, POSITIONS + of_rest, "wins(s) or True", EACH.format(1)).decision is Decision.HOLDS
    named = of_rest.replace('X = "columns', 'rest_X = "columns(s, 2, 1)"\nX = "columns', 1)
    named = named.replace('mover = "X == 0"', 'mover = "X == 0"', 1)
    found = prove(tmp_path, POSITIONS + named, "wins(s) or True", EACH.format(1))
    assert found.decision is not Decision.HOLDS


def test_each_case_has_a_name() -> None:
    first = MoveNames(True, "1", " (A to move)")
    assert first.then(2).then(1).legal.name == "reply 1.2.1 (A to move): legal"
    assert (first.heap.name, first.covered.name) == (
        "reply 1 (A to move): heap",
        "reply 1 (A to move): the cases cover",
    )
    assert MoveNames(False, "1", "").then(2).legal.name == "stuck 1.2: legal"


@pytest.mark.slow
def test_where_there_is_a_bound_moves_must_stay_below_it(tmp_path: Path) -> None:
    found = settle_changed(tmp_path, "classics/moore-two-heaps", ("[proof]\n", '[proof]\nsizes = "< 2^62"\n'))
    assert "sizes of moore" in [o.name for o in found.finding.obligations]


# -- heaps that are split ---------------------------------------------------------------------------------------------
CUT = '[[moves]]\nchoose = "any heap h"\npick = { a = "1..h // 2" }\nbecome = ["a", "h - a"]\n'
IN_THREE = CUT.replace('1..h // 2"', '1..h - 2", b = "1..h - a - 1"').replace('"h - a"', '"b", "h - a - b"')
WITH_ONE_TAKEN = CUT.replace("1..h // 2", "0..h - 1").replace("h - a", "h - 1 - a")
CUTS = """[proof.folds]
T = "sum(h - 1 for h in s)"
large = "count(h >= 2 for h in s)"
[proof.facts]
"what can be cut is large" = "T >= 0 and implies(large == 0, T == 0)"
[proof.loses]
mover = "T % 2 == 0"
[[proof.moves]]
when = "T % 2 == 1"
heap = "any with h >= 2"
take = { a = "1" }
"""
ODD_CUTS = "iff(wins(s), sum(h - 1 for h in s) % 2 == 1)"
TOTAL = """[proof.folds]
T = "sum(s)"
[proof.loses]
mover = "T % 2 == 0"
[[proof.moves]]
when = "T % 2 == 1"
heap = "any"
take = { a = "0" }
"""
ODD_TOTAL = "iff(wins(s), sum(s) % 2 == 1)"
UNBOUNDED = POSITIONS.replace('sizes = "< 2^8"', 'rule = "folds"')


@pytest.mark.parametrize(
    ("body", "then", "rules"),
    [
        (CUTS, ODD_CUTS, CUT),  # that many cuts remain, in any order
        (TOTAL, ODD_TOTAL, WITH_ONE_TAKEN),
        (CUTS, "all(sum(h - 1 for h in t) == sum(h - 1 for h in s) - 1 for t in options(s))", CUT),
        ("", "all(len(t) == len(s) + 1 for t in options(s))", CUT),
        ("", "all(len(t) == len(s) + 2 for t in options(s))", IN_THREE),
        ("", "all(sum(t) == sum(s) for t in options(s))", IN_THREE),
        (CUTS, "any(len(t) == len(s) + 1 for t in options(s)) or sum(h - 1 for h in s) % 2 == 0", CUT),
    ],
)
def test_heaps_are_split(tmp_path: Path, body: str, then: str, rules: str) -> None:
    found = prove(tmp_path, UNBOUNDED + body, then, rules)
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.parametrize(
    ("body", "then", "rules", "fails"),
    [
        (CUTS, ODD_CUTS, CUT.replace('"h - a"', '"h - a - 1"'), "closed"),
        (CUTS, ODD_CUTS, CUT.replace('["a", ', '["a - 1", '), "closed"),
        (CUTS, ODD_CUTS, CUT.replace('"h - a"', '"h - a", "1"'), "measure of mine"),  # more objects
        (CUTS, ODD_CUTS, CUT.replace("1..h", "0..h"), "measure of mine"),
        (CUTS, ODD_CUTS, CUT.replace("1..h // 2", "1..h + 1"), "measure of mine"),
        (CUTS, ODD_CUTS, CUT.replace('"h - a"', '"h - a + 1"'), "measure of mine"),
        (CUTS.replace("implies(large == 0, T == 0)", "large >= 0"), ODD_CUTS, CUT, "reply 1: heap"),
        (CUTS.replace("with h >= 2", "with h >= 1"), ODD_CUTS, CUT, "reply 1: legal"),
        (CUTS.replace('a = "1"', 'a = "h - 1"'), ODD_CUTS, CUT, "reply 1: legal"),
        (CUTS, ODD_TOTAL, CUT, "claim"),
        (
            CUTS.replace("% 2 == 0", "% 4 == 0").replace("% 2 == 1", "% 4 != 0"),
            ODD_CUTS,
            CUT,
            "reply 1: leads to a loss",
        ),
        (TOTAL, ODD_TOTAL, WITH_ONE_TAKEN.replace("0..h - 1", "0..h"), "measure of mine"),
        ("", "all(len(t) == len(s) + 1 for t in options(s))", WITH_ONE_TAKEN, "claim"),  # a part of 0 does not count
        ("", "all(len(t) > len(s) for t in options(s))", WITH_ONE_TAKEN, "claim"),
        ("", "any(len(t) > len(s) for t in options(s)) or all(h == 1 for h in s)", CUT, "claim"),  # no heap is named
    ],
)
def test_what_does_not_hold_of_parts_is_not_proved(
    tmp_path: Path, body: str, then: str, rules: str, fails: str
) -> None:
    found = prove(tmp_path, UNBOUNDED + body, then, rules)
    assert found.decision is Decision.UNKNOWN, found.detail
    assert fails in {o.name for o in found.obligations if not o.proved}, found.detail


@pytest.mark.parametrize(
    "rules",
    [
        CUT + NIM.replace("any heap", "a largest heap"),
        CUT.replace("any heap", "a smallest heap"),
        CUT.replace("become = [", 'become = ["0", "0", "0", '),
    ],
)
def test_any_heap_is_split_into_four_at_most(tmp_path: Path, rules: str) -> None:
    found = prove(tmp_path, UNBOUNDED + CUTS, ODD_CUTS, rules)
    assert found.decision is Decision.UNSUPPORTED
    assert "leave at least as many heaps as they choose, but at most 4 heaps" in found.detail


def test_where_heaps_are_split_others_may_be_taken_in_pairs(tmp_path: Path) -> None:
    """(3, 3) becomes (5), which should become (3, 3) again, with more objects; the measure forbids it."""
    pair = '[[moves]]\nchoose = "any two heaps g, h"\nwhere = "g == 3 and h == 3"\nbecome = ["5", "0"]\n'
    part = '[[moves]]\nchoose = "any heap h"\nwhere = "h == 5"\nbecome = ["3", "{}"]\n'
    body = UNBOUNDED + '[proof.loses]\nmover = "True"\n'
    for size, fails in (("1", False), ("3", True)):
        found = prove(tmp_path, body, "not wins(s)", pair + part.format(size))
        failed = [o.name for o in found.obligations if not o.proved]
        assert (failed[0] == "measure of mine") is fails
