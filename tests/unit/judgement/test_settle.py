"""Verdicts: the referee's treatment of correct and of wrong answers."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from settling import answering, settled, written

from checks.results.verdicts import Verdict


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


NIM = """
ruleset = "nim"
[forall]
s = "position"
[claim]
if = "{condition}"
then = "{conclusion}"
[scope]
s = {{ heaps = "0..3", size = "1..5" }}
"""
BOUTON = NIM.format(condition="True", conclusion="iff(wins(s), nim_sum(s) != 0)")


def test_true_claims_are_verified_with_what_is_not_established(claim: Any) -> None:
    result = settled(claim(BOUTON))
    assert result.verdict is Verdict.VERIFIED
    assert result.finding.not_established == "more than 3 heaps; heaps above 5"
    assert result.finding.cases == result.finding.cases_with_hypotheses == 56
    assert result.finding.rechecked > 0
    assert result.finding.witness == (("s", ()),)


def test_false_claims_are_refuted_at_the_smallest_case(claim: Any) -> None:
    result = settled(claim(NIM.format(condition="len(s) >= 2", conclusion="wins(s)")))
    assert result.verdict is Verdict.REFUTED
    assert result.finding.counterexample.variables == (("s", (1, 1)),)
    assert result.finding.counterexample.replayed


def test_hypotheses_that_never_hold_are_vacuous(claim: Any) -> None:
    assert settled(claim(NIM.format(condition="len(s) > 3", conclusion="wins(s)"))).verdict is Verdict.VACUOUS


def test_an_empty_scope_is_vacuous(claim: Any) -> None:
    body = '[forall]\nx = "0..y_max"\n[define]\ny_max = "-1"\n[claim]\nthen = "x == x + 1"\n'
    assert settled(claim(body)).verdict is Verdict.VACUOUS


def test_a_case_without_a_truth_value_is_an_error_that_names_it(claim: Any) -> None:
    result = settled(claim(NIM.format(condition="True", conclusion="6 % (3 - len(s)) == 0")))
    assert result.verdict is Verdict.ERROR
    assert "ill-defined at s = (1, 1, 1): division by zero" in result.finding.error


SQUARES = """
[forall]
a = "1..5"
b = "{least}..5"
[define]
"square(x)" = "x^2"
[claim]
if = "{condition}"
then = "{conclusion}"
"""


@pytest.mark.parametrize(
    ("conclusion", "meant"),
    [
        ("a < b^2", "b ^ 2"),
        ("a < square(b)", "x ^ 2"),
        ("a^2 + b^2 >= 2 * a * b", "a ^ 2 + b ^ 2"),
        ("a^3 * b > 3", "a ^ 3 * b"),
        ("a == 1 or all(h^2 > 0 for h in [b])", "h ^ 2"),
    ],
)
def test_a_power_that_was_written_as_a_nim_sum_is_pointed_at(claim: Any, conclusion: str, meant: str) -> None:
    result = settled(claim(SQUARES.format(least=1, condition="a ^ 3 >= 0", conclusion=conclusion)))
    assert result.verdict is Verdict.REFUTED
    hint = f"(in {meant} the sign ^ is nim-addition, which binds less tightly than +; a power is written **)"
    assert [line.text for line in result.finding.counterexample.explanation if "nim-add" in line.text] == [hint]


def test_a_nim_sum_that_was_not_at_fault_is_not_pointed_at(claim: Any) -> None:
    for conclusion in ("a ^ 4 < 9 - b", "1 ^ 2 < b", "b ^ 2 >= 0 and b < 5"):
        result = settled(claim(SQUARES.format(least=1, condition="b ^ 3 >= 0", conclusion=conclusion)))
        assert result.verdict is Verdict.REFUTED
        assert not any("nim-add" in line.text for line in result.finding.counterexample.explanation)


def test_a_square_of_a_negative_number_that_was_written_as_a_nim_sum_is_pointed_at(claim: Any) -> None:
    result = settled(claim(SQUARES.format(least=-1, condition="True", conclusion="b ^ 3 >= -1")))
    assert result.verdict is Verdict.ERROR
    assert result.finding.error.splitlines()[0].endswith(
        "; in b ^ 3 the sign ^ is nim-addition, which binds less tightly than +; a power is written **"
    )


def test_a_finite_computation_is_proved(claim: Any) -> None:
    assert settled(claim('[claim]\nthen = "3 ^ 4 ^ 5 == 2"\n')).verdict is Verdict.PROVED
    assert settled(claim('[forall]\nx = { in = [1, 3] }\n[claim]\nthen = "x % 2 == 1"\n')).verdict is Verdict.PROVED


def test_a_bounded_domain_checked_in_full_is_a_proof(claim: Any) -> None:
    body = '[forall]\nx = "1..9"\ny = "0..x"\n[claim]\nthen = "y <= 9"\n'
    assert settled(claim(body)).verdict is Verdict.PROVED
    searched = settled(claim('[exists]\nx = "1..9"\n[claim]\nthen = "x > 9"\n'))
    assert searched.verdict is Verdict.REFUTED


def test_a_scope_that_cuts_the_domain_is_no_proof(claim: Any) -> None:
    body = '[forall]\nx = "1..9"\n[claim]\nthen = "x > 0"\n[scope]\nx = "1..{}"\n'
    assert settled(claim(body.format(5))).finding.not_established == "x above 5"


def test_existence_is_proved_by_a_witness_and_left_open_without(claim: Any) -> None:
    body = '[exists]\nx = "1.."\n[claim]\nthen = "x * x == {}"\n[scope]\nx = "1..20"\n'
    found = settled(claim(body.format(144)))
    assert (found.verdict, found.finding.witness) == (Verdict.PROVED, (("x", 12),))
    missing = settled(claim(body.format(143)))
    assert missing.verdict is Verdict.INCONCLUSIVE
    finite = settled(claim('[exists]\nx = { in = [2, 3] }\n[claim]\nthen = "x > 3"\n'))
    assert (finite.verdict, finite.finding.counterexample) == (Verdict.REFUTED, None)


@pytest.mark.parametrize(
    ("lie", "fields"),
    [
        ("a counterexample that is none", {"answer": "fails", "counterexample": {"s": (1, 1)}}),
        ("a counterexample outside the domain", {"answer": "fails", "counterexample": {"s": (2, 1)}}),
        (
            "a sampled case that does not hold",
            {"answer": "holds", "cases": 9, "met": 9, "sample": (({"s": (1,)}, "fails"),)},
        ),
        ("an ill-defined case that is defined", {"answer": "unknown", "ill_defined": {"s": (1,)}}),
    ],
)
def test_a_lying_route_is_inconsistent(claim: Any, lie: str, fields: dict[str, Any]) -> None:
    result = settled(claim(BOUTON), answering(**fields))
    assert result.verdict is Verdict.INCONSISTENT, lie
    assert result.finding.error


def test_a_route_that_hides_a_failure_is_found_by_the_sample(claim: Any) -> None:
    false = claim(NIM.format(condition="len(s) >= 2", conclusion="wins(s)"))
    sample = (({"s": (1, 1)}, "holds"),)
    assert settled(false, answering(answer="holds", cases=1, met=1, sample=sample)).verdict is Verdict.INCONSISTENT


def test_limits_are_never_green(claim: Any) -> None:
    result = settled(claim(BOUTON), answering(answer="unknown", detail="out of time; complete for nothing"))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "out of time" in result.finding.not_established
