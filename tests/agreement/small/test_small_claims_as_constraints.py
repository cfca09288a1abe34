"""The small claims with Z3: its answers are those of the plain search, and its cases are real."""

from pathlib import Path

import pytest
from small_claims import CLAIMS, of
from test_small_claims import loaded

from checks.referee.judge import Referee
from encoders.bounded.encoder import decide_by_smt

MORE = {
    "misere play": ("fails", of('s = "position" | s = { heaps = "0..2", size = "1..3" }',
                                "iff(wins(s), nim_sum(s) != 0)", more='ruleset = "misere-nim"')),
    "values": ("holds", of('s = "position" | s = { heaps = "0..2", size = "1..3" }', "grundy(s) == nim_sum(s)",
                           more='ruleset = "nim"')),
    "values one too large": ("fails", of('s = "position" | s = { heaps = "0..2", size = "1..3" }',
                                         "grundy(s) != 3", more='ruleset = "nim"')),
    "who wins": ("fails", of('p = "player"; s = "position" | s = { heaps = "0..2", size = "1..2" }',
                             "wins(s, p) == (len(s) > 0)", more='ruleset = "alike"')),
    "who wins, of one heap": ("holds", of('p = "player"; s = "position" | s = { heaps = "1..1", size = "1..3" }',
                                          "wins(s, p) or s == position([2])", more='ruleset = "alike"')),
    "remainders": ("holds", of('x = "-5..5"; y = "-3..-1"', "x == y * (x // y) + x % y and x % y <= 0 and x % y > y")),
    "options as a set": ("holds", of('s = "position" | s = { heaps = "0..2", size = "1..2" }',
                                     "len(options(s)) <= sum(s) and len({h for h in s}) <= 2", more='ruleset = "nim"')),
    "an element counted once": ("fails", of('x = "0..3"', "len({x, 1}) == 2")),
    "the least of some": ("holds", of('x = "1..5"', "min([x + 1, x + 2]) == x + 1 and max([0 - x, 0 - 9]) == 0 - x")),
    "the fewest heaps": ("holds", of('s = "position" | s = { heaps = "1..2", size = "2..3", total = "3..5" }',
                                     "1 <= len(s) and min(s) >= 2 and sum(s) >= 3 and sum(s) <= 5")),
    "a part that guards the next": ("holds", of('x = "0..4"', "iff(x == 9, x != 3 and 6 // (x - 3) == 7)")),
    "a position beyond the scope": ("holds", of('x = "1..2"', "wins(position([x, 3]))", more='ruleset = "nim"')),
    "a condition that guards": ("holds", of('x = "0..4"', "6 // x > 0", "x > 0")),
}  # fmt: skip
OPEN = ("holds", "fails", "unknown", "unsupported")


@pytest.mark.parametrize("name", MORE)
def test_the_constraints_say_what_a_plain_search_says(name: str, tmp_path: Path) -> None:
    settle_and_compare(name, *MORE[name], tmp_path)


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.slow
def test_so_they_do_of_each_small_claim(name: str, tmp_path: Path) -> None:
    settle_and_compare(name, *CLAIMS[name], tmp_path)


def settle_and_compare(name: str, expected: str, text: str, folder: Path) -> None:
    claim = loaded(text, folder)
    answer = decide_by_smt(claim, claim.scope("quick"), 20.0)
    assert answer.decision in OPEN
    if answer.decision in ("unsupported", "unknown"):  # `any` and `all` are assumed to evaluate all their elements
        assert answer.decision == "unsupported" or "may be undefined" in answer.detail
        assert answer.decision == "unsupported" or name in CAUTIOUS or expected == "unknown", answer.detail
        assert name not in MORE, answer.detail
        return
    assert name not in CAUTIOUS
    if expected == "unknown":  # a deciding case may exist in addition to the case without a truth value
        assert answer.decision == ("holds" if claim.quantifier == "exists" else "fails")
    else:
        assert answer.decision == expected
    case = answer.witness or answer.counterexample
    if case:
        assert Referee(claim).judge(case) == answer.decision


CAUTIOUS = {"any stops before"}
