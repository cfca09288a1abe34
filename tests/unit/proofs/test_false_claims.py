"""Claims that are false, or about nothing, beside proofs that are right; and what no rule reaches."""

from dataclasses import replace
from typing import Any

import pytest
from proofs import QUICK, rests

from checks.execution.entry import settle_entry
from checks.results.verdicts import Verdict
from claims.language.library.entries import select
from encoders.ground.coverage import Below
from encoders.logic.discharge import discharge
from encoders.logic.sequent import Hypothesis, Symbols
from encoders.logic.solvers.effort import USUAL
from encoders.logic.terms import NO, ONE, below, compare


def test_what_the_scope_refutes_no_proof_can_save(settled: Any) -> None:
    result = settled("nim/bouton", ("nim_sum(s) == 0)", "nim_sum(s) == 3)"))
    assert result.verdict is Verdict.REFUTED
    assert [r.answer for r in result.finding.routes] == ["fails", "unknown"]


@pytest.mark.parametrize(
    ("id", "change", "where"),
    [
        # True in the scope, false beyond it: only the proof can tell.
        ("nim/bouton", ("nim_sum(s) == 0)", "nim_sum(s) % 64 == 0)"), "claim"),
        (
            "kl-nim/theorem-14",
            ('all(h < k for h in s))"', 'all(h < k for h in s) or len(s) > 9)"'),
            "claim",
        ),
        (
            "nim/bouton",
            ('nim_sum(s) == 0)"', 'nim_sum(s) == 0 and all(h < 4611686018427387898 for h in s))"'),
            "claim",
        ),
        ("kl-nim/theorem-6", ('== k*s + i"', '== k*s + i + (1 if s > 1000000000000 else 0)"'), "claim"),
        (
            "large-nim/theorem-3",
            ('then = "value(s) == formula_4"', 'then = "value(s) == formula_4 + (1 if N > 50 else 0)"'),
            "claim",
        ),
        ("bash-nim/theorem", ("G(s) != 0)", "G(s) != 0 or k > 1000000)"), "claim"),
    ],
)
@pytest.mark.slow
def test_what_is_false_beyond_the_scope_is_not_proved(
    settled: Any, id: str, change: tuple[str, str], where: str | None
) -> None:
    result = settled(id, change)
    assert result.verdict is not Verdict.PROVED
    if where:
        assert f": {where}: fails at" in rests(result)


@pytest.mark.slow
def test_contradictory_hypotheses_are_not_proved(settled: Any) -> None:
    result = settled("nim/zero-sum-moves", ('if = "', 'if = "len(s) == 0 and any(h > 2 for h in s) and '))
    assert result.verdict is Verdict.VACUOUS
    symbols = Symbols()
    x = symbols.integer("x")
    hypotheses = (Hypothesis("x > 1", compare("gt", x, ONE)), Hypothesis("x < 1", below(x, ONE)))
    found = discharge(symbols.sequent("claim", (), NO, hypotheses), USUAL, None)
    assert (found.result, found.detail) == ("failed", "the hypotheses contradict each other: nothing is claimed")


@pytest.mark.slow
def test_hypotheses_that_the_proof_does_without_are_named(settled: Any) -> None:
    result = settled("kl-nim/corollary-15", ('if = "', 'if = "len(s) >= 0 and '))
    assert result.verdict is Verdict.PROVED
    (claim,) = (o for o in result.finding.obligations if o.name == "claim")
    assert claim.note == "does without: len(s) >= 0"


@pytest.mark.parametrize(
    ("id", "change", "words"),
    [
        ("nim/bouton", ('ruleset = "nim"', 'ruleset = "wythoff"'), None),
        (
            "nim/bouton",
            ('X = "nim_sum(s)"', 'X = "nim_sum(h - 2 for h in s)"'),
            "closed: fails at",
        ),
        ("large-nim/theorem-3", ('ruleset = "large-nim"', 'ruleset = "nim"'), None),
    ],
)
def test_what_no_rule_reaches_is_not_green(settled: Any, id: str, change: tuple[str, str], words: str | None) -> None:
    result = settled(id, change)
    assert not result.verdict.holds
    if words:
        assert words in rests(result)


def test_a_proof_below_a_bound_does_not_contradict_what_fails_above_it(settled: Any) -> None:
    changes = (
        ('s = "position"', 'k = "1.."'),
        ('"iff(not wins(s), nim_sum(s) == 0)"', '"k < 16"'),
        ('s = { heaps = "0..4", size = "1..15" }', 'k = "1..3"'),
        ('s = { heaps = "0..5", size = "1..20" }', 'k = "1..3"'),
        ('rule = "folds"', 'sizes = "< 2^4"'),
    )
    small = settled("nim/bouton", *changes)
    assert (small.verdict, dict(small.finding.scope)) == (Verdict.PROVED, {"k": Below(4)})
    large = settle_entry(select((small.id + ".toml",))[0], replace(QUICK, overrides=(("k", "1..17"),)))
    assert large.verdict is Verdict.REFUTED
    assert [r.answer for r in large.finding.routes] == ["fails", "holds"]
