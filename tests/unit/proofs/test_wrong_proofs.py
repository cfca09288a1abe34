"""Invalid proofs: none passes, and each has the right message."""

from typing import Any

import pytest
from proofs import rests

from checks.results.verdicts import Verdict


def test_a_fact_that_contradicts_itself_proves_nothing(settled: Any) -> None:
    words = rests(settled("nim/bouton", ("[proof.loses]", '[proof.facts]\nabsurd = "X < 0"\n\n[proof.loses]')))
    assert ": fact 'absurd', no heap" in words


@pytest.mark.parametrize("rule", ['rule = "folds"\n', ""])
def test_a_proof_by_folds_may_name_its_rule(settled: Any, rule: str) -> None:
    result = settled("nim/bouton", ('[proof]\nrule = "folds"\n', f"[proof]\n{rule}"))
    assert result.verdict is Verdict.PROVED


@pytest.mark.parametrize("named", ["grundy", "value", "cases"])
def test_a_proof_is_read_by_the_rule_that_it_names(settled: Any, named: str) -> None:
    result = settled("nim/bouton", ('[proof]\nrule = "folds"\n', f'[proof]\nrule = "{named}"\n'))
    assert result.verdict is Verdict.ERROR
