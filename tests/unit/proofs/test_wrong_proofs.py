"""Proofs that are wrong: none is green, and each is told in the right words."""

from typing import Any

import pytest
from proofs import rests

from checks.results.verdicts import Verdict


@pytest.mark.parametrize(
    ("old", "new", "where", "why"),
    [
        (
            "2 if x1 < x2 == x3 == x4 else",
            "2 if x1 <= x2 == x3 == x4 else",
            "least",
            "the formula is wrong, first at s = (1, 1, 1, 1)",
        ),
        (
            "or 1 < x1 == x2 == x3 else 1",
            "or 1 <= x1 == x2 == x3 else 1",
            "",
            "the formula is wrong, first at s = (1, 1, 1, 1)",
        ),
        ("else 2 - times) if heaps == 3", "else 1 - times) if heaps == 3", "range", "the formula is wrong"),
        ("(x2 == x3 < x4 or x2 < x3)", "x2 < x3", "option 4: attains", "number 4 is wrong, first at s = (1, 2, 2, 3)"),
        (
            'region = "heaps <= 4"',
            'region = "heaps == 4"',
            "region closed",
            "the region is left by a move, first at s = (1, 1, 1, 1)",
        ),
        ('region = "heaps <= 4"', 'region = "heaps <= 5"', "", "is right for s: at most 4 heaps"),
        ("sorted = 4", "sorted = 5", "proved", ""),
    ],
)
@pytest.mark.slow
def test_the_formula_for_four_heaps(settled: Any, old: str, new: str, where: str, why: str) -> None:
    result = settled("large-nim/equation-5", (old, new))
    if where == "proved":
        assert result.verdict is Verdict.PROVED
    else:
        assert f": {where}" in rests(result) and why in rests(result)


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
