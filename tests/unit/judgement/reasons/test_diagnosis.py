"""The formulas of a failed proof are tested on the scope one by one; the first wrong one is reported with its case.

Each formula of each rule is wrong once. The unchanged proof is valid, and all its formulas are reported as valid.
"""

import shutil
from pathlib import Path

import pytest
from library import ENTRIES, claim_of
from proofs import FEW_HEAPS, LIBRARY, MISERE, N_PLAYERS, NIM, RULES, written

from checks.judgement.diagnosis import diagnose
from claims.language.files import domains as d
from encoders.proving.reading import load_claim

OF_NIM = """
[forall]
k = "1..9"
s = "position"
[scope]
s = { heaps = "0..3", size = "1..5" }
k = "1..9"
[proof]
sizes = "< 2^8"
split = ["k < 5", "k >= 5"]
[proof.folds]
X = "nim_sum(s)"
N = "len(s)"
B = "count(h > 1 for h in s)"
[proof.facts]
"few large" = "B <= N"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
[[proof.picks]]
when = "B >= 1"
heap = "any with h > 1"
[proof.steps]
"not lost" = "nim_sum(s) != 0"
"""
OF_MISERE = """
[forall]
s = "position"
[scope]
s = { heaps = "0..3", size = "1..4" }
[proof]
[proof.folds]
odd = "count(h % 2 == 1 for h in s)"
[proof.loses]
mover = "odd % 2 == 1"
[[proof.moves]]
when = "True"
heap = "any"
take = { m = "1" }
[[proof.moves]]
when = "odd >= 1"
heap = "any with h % 2 == 1"
take = { m = "1" }
to = "anywhere"
"""
BY_ODD = NIM.replace("1..h", "1..1")
OF_TWO_HEAPS = """
[forall]
s = "position"
[scope]
s = { heaps = "0..2", size = "1..5" }
[proof]
rule = "few heaps"
heaps = ["a", "b"]
[proof.loses]
mover = "a == b"
[proof.lemmas.squares]
for = { x = "0.." }
holds = "x * x >= x"
at = [{ x = "a" }]
[proof.numbers.n]
when = "a >= 1"
least = "1..a"
with = "n * n >= a"
[[proof.moves]]
when = "a < b"
heaps = ["b"]
take = { m = "b - a" }
"""
OF_ONE_HEAP = """
[forall]
n = "0.."
[scope]
n = "0..9"
[proof]
rule = "few heaps"
heaps = ["a"]
value = "a"
below = "v"
[[proof.moves]]
when = "True"
heaps = ["a"]
take = { m = "a - v" }
"""
OF_HEAPS = """
[forall]
n = "0.."
[scope]
n = "0..9"
[proof]
rule = "grundy"
heap = "3*q + r"
value = "r"
below = "v"
[proof.digits]
q = "0.."
r = "0..2"
[proof.below_digits]
v = "0.."
[proof.lemmas]
"small" = "v <= 1"
[[proof.options]]
when = "v < r"
digits = { q = "q", r = "v" }
take = { m = "h - y" }
[[proof.at]]
heap = "n"
digits = { q = "n // 3", r = "n % 3" }
"""
OF_PLAYERS = (
    """
[forall]
s = "position"
n = "3.."
[scope]
s = { heaps = "1..2", size = "1..3" }
n = "4..6"
"""
    + FEW_HEAPS
)
UP_TO_TWO = NIM.replace("1..h", "1..min(2, h)")
LARGEST = NIM.replace("any heap", "a largest heap")
OF_TWO_GAMES = """
[forall]
s = "position"
[scope]
s = { heaps = "0..2", size = "1..4" }
[proof]
rule = "equal games"
region = "all(h <= 3 for h in s)"
"""
TWICE = '[games]\none = "mine"\ntwo = "mine"'

# claim, if, the rules, their head, the game
FOLDS = (OF_NIM, "wins(s)", "nim_sum(s) != 0", NIM, RULES, 'ruleset = "mine"')
MISERE_FOLDS = (OF_MISERE, "iff(wins(s), count(h % 2 == 1 for h in s) % 2 == 0)", "", BY_ODD, MISERE, FOLDS[-1])
FEW = (OF_TWO_HEAPS, "iff(wins(s), max(s) > min(s))", "len(s) == 2", NIM, RULES, FOLDS[-1])
FEW_VALUES = (OF_ONE_HEAP, "grundy(position([n])) == n", "", NIM, RULES, FOLDS[-1])
GRUNDY = (OF_HEAPS, "grundy(position([n])) == n % 3", "", UP_TO_TWO, RULES, FOLDS[-1])
VALUES = (OF_PLAYERS, "value(s, 0) == len(s)", "n > len(s) + 1", LARGEST, N_PLAYERS, FOLDS[-1])
EQUAL = (OF_TWO_GAMES, "one.wins(s) == two.wins(s)", "all(h <= 3 for h in s)", NIM, RULES, TWICE)
PROOFS = {
    "folds": FOLDS,
    "misere": MISERE_FOLDS,
    "few": FEW,
    "few values": FEW_VALUES,
    "grundy": GRUNDY,
    "values": VALUES,
    "equal": EQUAL,
}

RIGHT = {
    "folds": 'the fact "few large", the invariant, [[proof.moves]], [[proof.moves]] number 1, [[proof.picks]] number 1',
    "misere": 'the invariant, [[proof.moves]], [[proof.moves]] to = "anywhere", [[proof.moves]] number 1',
    "few": 'the lemma "squares"',
    "few values": "the value",
    "grundy": 'the lemma "small", [[proof.options]], [[proof.options]] number 1',
    "values": "the formula, the region, [[proof.options]], [[proof.options]] number 1",
    "equal": "the region",
}
# the proof, old text, new text, the report
WRONG = [
    ("folds", '"B <= N"', '"X <= 3"', 'the fact "few large" is wrong, first at k = 1, s = (4)'),
    ("folds", '"B <= N"', '"6 // (4 - X) > 0"', 'the fact "few large" is undefined, first at k = 1, s = (4)'),
    ("folds", 'mover = "X == 0"', 'mover = "X <= 1"', "the invariant is wrong, first at k = 1, s = (1)"),
    (
        "folds",
        'when = "X != 0"',
        'when = "X >= 2"',
        "[[proof.moves]] has no case for a winning position, first",
    ),
    ("folds", 'm = "h - (h ^ X)"', 'm = "h"', "[[proof.moves]] number 1 is wrong, first at k = 1, s = (1, 2)"),
    (
        "folds",
        '"B >= 1"',
        '"N >= 1"',
        "[[proof.picks]] number 1 picks a heap that does not exist, first at k = 1, s = (1)",
    ),
    ("folds", '"nim_sum(s) != 0"\n', '"nim_sum(s) != 4"\n', 'the step "not lost" is wrong, first at k = 1, s = (4)'),
    ("folds", '"k >= 5"', '"k >= 6"', "split leaves a case out, first at k = 5"),
    ("misere", '"odd >= 1"', '"odd >= 3"', 'to = "anywhere" has no case for a losing position, first at s = (1)'),
    ("misere", '"True"', '"odd >= 1"', "[[proof.moves]] has no case for a winning position, first at s = (2)"),
    ("misere", 'heap = "any"\n', 'heap = "any with h > 2"\n', "[[proof.moves]] number 1 is wrong, first at s = (2)"),
    (
        "misere",
        OF_MISERE[OF_MISERE.rindex("[[") :],
        "",
        'to = "anywhere" has no case for a losing position, first',
    ),
    ("few", "x * x >= x", "x * x > x", 'the lemma "squares" is wrong, first at x = 0'),
    ("few", '"1..a"', '"1..a // 2"', "the number n does not exist, first at a = 1, b = 1"),
    ("few", 'mover = "a == b"', 'mover = "a < b"', "the invariant is wrong, first at a = 0, b = 0"),
    (
        "few",
        'when = "a < b"',
        'when = "a < b and n < 3"',
        "has no case for a winning position, first at a = 5, b = 6",
    ),
    ("few", 'm = "b - a"', 'm = "b"', "[[proof.moves]] number 1 is wrong, first at a = 1, b = 2"),
    ("few", 'heaps = ["b"]', 'heaps = ["a"]', "[[proof.moves]] number 1 is wrong, first at a = 0, b = 1"),
    ("few values", 'value = "a"', 'value = "2 * a"', "the value is wrong, first at a = 1"),
    ("grundy", 'value = "r"', 'value = "q"', "the closed form is wrong, first at n = 0, q = 0, r = 1"),
    ("grundy", '"v <= 1"', '"v <= 0"', 'the lemma "small" is wrong, first at n = 0, q = 0, r = 2, v = 1'),
    (
        "grundy",
        '"v < r"',
        '"v < r - 1"',
        "[[proof.options]] has no case for a smaller value, first at n = 0, q = 0, r = 1, v = 0",
    ),
    (
        "grundy",
        'q = "q", r = "v"',
        'q = "q + 1", r = "v"',
        "[[proof.options]] number 1 is wrong, first at n = 0, q = 0, r = 1",
    ),
    ("grundy", 'r = "v" }', 'r = "0" }', "[[proof.options]] number 1 is wrong, first at n = 0, q = 0, r = 2, v = 1"),
    ("grundy", 'r = "n % 3"', 'r = "n % 2"', "[[proof.at]] number 1 is wrong, first at n = 2"),
    ("values", 'value = "heaps"', 'value = "least"', "the formula is wrong, first at n = 4, s = (2)"),
    (
        "values",
        '"n > heaps + 1"',
        '"n > heaps + 1 and largest != 1"',
        "the region can be left by a move, first at n = 4, s = (2)",
    ),
    ("values", '"heaps >= 1"', '"heaps >= 2"', "[[proof.options]] has no case for a position, first at n = 4, s = (1)"),
    (
        "values",
        'becomes = "0"',
        'becomes = "largest - 1"',
        "[[proof.options]] number 1 is wrong, first at n = 4, s = (2)",
    ),
    ("equal", "all(h <= 3 for h in s)", "all(h != 1 for h in s)", "the region can be left by a move, first at s = (2)"),
]


def diagnosed(folder: Path, name: str, old: str = "", new: str = "") -> str:
    body, then, given, rules, head, game = PROOFS[name]
    assert body.count(old) == 1 or not old, old
    claim = written(folder, body.replace(old, new) if old else body, then, given, rules, game, head)
    return diagnose(claim, claim.scope("quick"), 20.0)


@pytest.mark.parametrize("name", PROOFS)
def test_what_is_right_is_named_and_nothing_else_is_called_right(name: str, tmp_path: Path) -> None:
    words = diagnosed(tmp_path, name)
    assert words.startswith("the formulas of the proof are right for ")
    assert f"({RIGHT[name]}" in words
    assert words.endswith("; the argument fails, not these formulas")


@pytest.mark.parametrize(("name", "old", "new", "said"), WRONG)
@pytest.mark.slow
def test_the_first_wrong_formula_is_named_with_its_case(
    name: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert said in diagnosed(tmp_path, name, old, new)


def test_a_case_that_is_left_out_is_named(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    text = (LIBRARY / "kl-nim" / "complete-solution.toml").read_text("utf-8")
    assert text.count('when = "k == l"') == 1
    for file in (LIBRARY / "kl-nim").glob("*.toml"):
        shutil.copy(file, tmp_path)
    path.write_text(text.replace('when = "k == l"', 'when = "k == l and k != 3"'), "utf-8")
    claim = load_claim(path, "claim")
    words = diagnose(claim, {name: _few(bound) for name, bound in claim.scope("quick").items()}, 60.0)
    assert "[[proof.cases]] leaves a case out, first at k = 3, l = 3" in words


def test_there_is_one_budget_for_all(tmp_path: Path) -> None:
    body, then, given, rules, head, game = FOLDS
    claim = written(tmp_path, body, then, given, rules, game, head)
    assert diagnose(claim, claim.scope("quick"), 0.0).startswith(
        'the exhaustive route cannot decide whether the fact "few large" is right: out of time'
    )


@pytest.mark.parametrize("id", ENTRIES)
@pytest.mark.slow
def test_nothing_that_a_shipped_proof_says_is_called_wrong(id: str) -> None:
    """The test uses few values. The formulas of these proofs have no bound, so they hold there as well."""
    claim = claim_of(id)
    if claim.proof is not None:
        words = diagnose(claim, {name: _few(bound) for name, bound in claim.scope("quick").items()}, 60.0)
        assert not words or words.endswith("not these formulas"), words


def _few(bound: d.Range | d.PositionRange) -> d.Range | d.PositionRange:
    if isinstance(bound, d.Range):
        return d.Range(bound.lo, min(bound.hi, bound.lo + 2))
    heaps, size = bound.heaps, bound.size
    return d.PositionRange(
        d.Range(heaps.lo, max(heaps.lo, min(heaps.hi, 3))), d.Range(size.lo, max(size.lo, min(size.hi, 4))), bound.total
    )
