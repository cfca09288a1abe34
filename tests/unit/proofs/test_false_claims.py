"""False or empty claims with valid proofs, and claims that no rule supports."""

from dataclasses import replace
from typing import Any

import pytest
from proofs import QUICK, rests

from checks.execution.settle import settle_entry
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.trust import Below


def test_what_the_scope_refutes_no_proof_can_save(settled: Any) -> None:
    result = settled("nim/bouton", ("nim_sum(s) == 0)", "nim_sum(s) == 3)"))
    assert result.verdict is Verdict.REFUTED
    assert [r.answer for r in result.finding.routes] == ["fails", "unknown"]


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
