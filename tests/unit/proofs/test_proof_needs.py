"""The conditions for a claim and a game to be defined, which a proof shows."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from proofs import FOLDS, NIM, asked, written

from checks.results.verdicts import Verdict
from encoders.logic.definedness import needs_of_claim, needs_of_game
from encoders.proving.registry import RULES
from encoders.rules.base.rule import ProofCoverage


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


@pytest.mark.parametrize(
    ("then", "need"),
    [
        ("k // (j - 1) >= 0", "j - 1 != 0"),
        ("k % (j - 1) >= 0", "j - 1 != 0"),
        ("k // 0 >= 0", "0 != 0"),
        ("k / (j - 1) >= 0", "j - 1 != 0"),
        ("k ^ (j - 5) >= 0", "j - 5 >= 0"),
        ("k ^ (0 - 1) >= 0", "0 - 1 >= 0"),
        ("k ** (j - 5) >= 0", "j - 5 >= 0"),
        ("isqrt(j - 5) >= 0", "j - 5 >= 0"),
        ("top_bit(j - 5) >= 0", "j - 5 >= 1"),
        ("top_bit(len(s)) >= 0", "len(s) >= 1"),
        ("max(s) >= 0", "len(s) >= 1"),
        ("max(h for h in s) >= 0", "needs an element"),
        ("nim_sum(h - 5 for h in s) >= 0", "h - 5 >= 0"),
        ("nim_sum([k - 5]) >= 0", "k - 5 >= 0"),
        ("len(position([k - 5])) >= 0", "k - 5 >= 0"),
        ("len(position([h - 5 for h in s])) >= 0", "h - 5 >= 0"),
        ("len(position([256])) >= 0", "256 < 2^8"),
        ("len(position([k + 250])) >= 0", "k + 250 < 2^8"),
        ("s[k] >= 0", "0 <= k < len(s)"),
        ("len(replace(s, k, 1)) >= 0", "k in s"),
        ("len(replace(s, 1, k - 5)) >= 0", "k - 5 >= 0"),
        ("all(len(replace(s, h, 0)) >= 0 for h in position([3]))", "h in s"),
        ("1 + low(k) >= 0", "k - 5 >= 0"),
        ("wins(position([k - 5]))", "k - 5 >= 0"),
        ("(0 if low(k) >= 0 else 0) >= 0", "k - 5 >= 0"),
        ("all(low(k) >= 0 for t in options(s))", "k - 5 >= 0"),
        ("all(len(t) >= 0 for t in options(s) if low(k) >= 0)", "k - 5 >= 0"),
        ("all(len(t) >= 0 for t in options(position([k - 5])))", "k - 5 >= 0"),
    ],
)
def test_what_a_claim_needs_to_have_a_value(claim: Any, then: str, need: str) -> None:
    made = claim(FOLDS, then)
    words = [x.words for x in needs_of_claim(made, 1 << 8)]
    assert any(need in x for x in words), words


@pytest.mark.parametrize(
    ("then", "given"),
    [
        ("k >= 5 or low(k) >= 0", ""),
        ("k >= 1", "k < 5 and low(k) >= 0"),
        ("(low(k) if k < 5 else 0) >= 0", ""),
        ("(0 if k < 5 else low(k)) >= 0 and (0 if k >= 5 else low(k)) >= 0", ""),
        ("(0 if low(k) >= 0 else 0) >= 0", ""),
        ("1 + low(k) >= 0", ""),
        ("k >= 1", "low(k) >= 0"),
        ("all(low(k) >= 0 for t in options(s))", ""),
        ("implies(k > 5, low(k) >= 0) and low(k) >= 0", ""),  # required once under a guard, and once without
        ("(low(k) if k > 5 else 0) >= 0 or low(k) >= 0", "low(k) >= 0 or k > 0"),
    ],
)
def test_what_has_no_value_in_some_case_is_not_proved(claim: Any, then: str, given: str) -> None:
    assert asked(claim(FOLDS, then, given)).detail.startswith("defined: ")


@pytest.mark.parametrize(
    ("then", "given"),
    [
        ("k < 5 or low(k) >= 0", ""),
        ("k >= 1", "k >= 5 and low(k) >= 0"),
        ("low(k) >= 0", "k >= 5"),
        ("(low(k) if k >= 5 else 0) >= 0", ""),
        ("(0 if k < 5 else low(k)) >= 0", ""),
    ],
)
def test_what_is_not_evaluated_needs_no_value(claim: Any, then: str, given: str) -> None:
    assert asked(claim(FOLDS, then, given)).decision == "holds"


@pytest.mark.parametrize(
    ("rules", "need"),
    [
        ('pick = { m = "6 // (h - 3)..h" }\nbecome = ["h - m"]', "h"),
        ('pick = { m = "1..6 // (h - 3)" }\nbecome = ["h - m"]', "h"),
        ('pick = { m = "1..h" }\nwhere = "6 // (h - 3) < 9"\nbecome = ["h - m"]', "h"),
        ('pick = { m = "1..h" }\nbecome = ["h - m + 0 // (h - 3)"]', "h"),
    ],
)
def test_what_the_rules_of_a_game_need_to_have_a_value(claim: Any, rules: str, need: str) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=f'[[moves]]\nchoose = "any heap h"\n{rules}\n')
    (words,) = [x.words for x in needs_of_game(made, made.games[0])]
    assert words.endswith(" - 3 != 0")


def test_what_the_arguments_of_a_game_need_to_have_a_value(claim: Any) -> None:
    rules = 'parameters = { q = "1.." }\n' + NIM
    made = claim(FOLDS, "len(s) >= 0", rules=rules, game='ruleset = "mine(q = 9 // (k - 3))"')
    assert [x.words for x in needs_of_game(made, made.games[0])] == ["9 // (k - 3) needs k - 3 != 0"]


def test_a_rule_that_asks_for_nothing_shows_nothing(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent:
        name = "silent"

        def obligations(self, claim: Any, surroundings: Any) -> Any:
            return iter(())

        def coverage(self, claim: Any, surroundings: Any) -> ProofCoverage:
            return ProofCoverage(())

    made = claim(FOLDS, "len(s) >= 0")
    monkeypatch.setitem(RULES, "folds", Silent())
    assert asked(made).decision == "unknown"


def test_what_is_asked_again_further_on_is_needed_once(claim: Any) -> None:
    words = [n.words for n in needs_of_claim(claim(FOLDS, "low(k) == 0 and (k < 7 or low(k) == 1)"))]
    assert words == ["position([k - 5]) needs k - 5 >= 0"]
    words = [n.words for n in needs_of_claim(claim(FOLDS, "(k < 7 or low(k) == 1) and low(k) == 0"))]
    assert words == ["position([k - 5]) needs k - 5 >= 0", "position([k - 5]) needs k - 5 >= 0 (place 2)"]


@pytest.mark.parametrize(
    ("id", "was", "now"),
    [
        ("kl-nim/theorem-6-values-below", 's = "1.."', 's = "abs(1).."'),
        ("kl-nim/table-1", 'x = "0..2*t-1"', 'x = "abs(0)..2*t-1"'),
        ("large-nim/lemma-1", 'n = "2.."', 'n = "abs(2).."'),
    ],
)
@pytest.mark.slow
def test_a_domain_may_begin_at_what_has_to_be_computed(settled: Any, id: str, was: str, now: str) -> None:
    found = settled(id, (was, now))
    assert found.verdict in (Verdict.PROVED, Verdict.VERIFIED, Verdict.INCONCLUSIVE), found.error


@pytest.mark.parametrize("name", RULES)
def test_each_rule_has_the_name_by_which_it_is_found(name: str) -> None:
    assert RULES[name].name == name
