"""Verdicts from several answers: a scope and a proof, two routes, and a referee that reaches its limits."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from settling import answering, settled, written

import checks.judgement.findings as module
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.domains import Range
from claims.language.files.library import select
from encoders.logic.answer import Obligation, ObligationStatus, ProofReach
from encoders.trust import All, Below, Limits

OPEN = '[forall]\nx = "0.."\n[claim]\nif = "{}"\nthen = "{}"\n[scope]\nx = "0..9"\n'
TRUE, FALSE = OPEN.format("True", "x >= 0"), OPEN.format("True", "x < 7")
VACUOUS, ILL = OPEN.format("x < 0", "x >= 0"), OPEN.format("True", "6 // x >= 0")
FINITE = '[forall]\nx = "1..9"\n[claim]\nthen = "x > 0"\n'
COMPUTATION = '[claim]\nthen = "sum(range(100)) == 4950"\n'
EXISTS = '[exists]\nx = "1.."\n[claim]\nthen = "x * x == 144"\n[scope]\nx = "1..20"\n'


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


def proving(answer: str = "holds", proved: Limits = (), below: int | None = None, **fields: Any) -> Any:
    """Return a proof with one obligation, which is proved."""
    fields |= {"obligations": (Obligation("claim", ObligationStatus.PROVED),), "reach": ProofReach(proved, below)}
    return answering("folds", answer=answer, **fields)


# -- a scope and a proof ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "answer", "verdict"),
    [
        (TRUE, "holds", Verdict.PROVED),
        (TRUE, "fails", Verdict.INCONCLUSIVE),
        (TRUE, "unknown", Verdict.INCONCLUSIVE),
        (TRUE, "unsupported", Verdict.INCONCLUSIVE),
        (TRUE, "contradiction", Verdict.INCONSISTENT),
        (FALSE, "holds", Verdict.INCONSISTENT),
        (FALSE, "unknown", Verdict.REFUTED),
        (ILL, "holds", Verdict.INCONSISTENT),
        (ILL, "unknown", Verdict.ERROR),
        (VACUOUS, "holds", Verdict.VACUOUS),
        (VACUOUS, "unknown", Verdict.VACUOUS),
    ],
)
def test_a_proof_counts_beside_the_scope_and_never_against_it(
    claim: Any, body: str, answer: str, verdict: Verdict
) -> None:
    proof = proving(answer, detail="as it says", proved=(("x", Below(62)),))
    assert settled(claim(body), prover=proof).verdict is verdict


def test_a_proof_does_not_stand_in_for_a_scope_that_was_not_finished(claim: Any) -> None:
    unfinished = answering(answer="unknown", detail="out of time")
    result = settled(claim(TRUE), unfinished, prover=proving(proved=(("x", All()),)))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.finding.not_established == "anything: out of time"


def test_a_proof_is_printed_with_its_own_bounds_and_what_lies_beyond_them(claim: Any) -> None:
    result = settled(claim(TRUE), prover=proving(proved=(("x", Below(62)),)))
    assert result.finding.scope == (("x", Below(62)),)
    assert result.finding.not_established == "x of 2^62 and more"


@pytest.mark.parametrize(("below", "verdict"), [(7, Verdict.PROVED), (6, Verdict.INCONCLUSIVE), (None, Verdict.PROVED)])
def test_a_proof_whose_bound_leaves_out_every_known_case_is_none(claim: Any, below: int, verdict: Verdict) -> None:
    later = claim(OPEN.format("x > 5", "x >= 0"))
    assert settled(later, prover=proving(below=below)).verdict is verdict


@pytest.mark.parametrize("results", [("proved", "unknown"), ("failed",), ()])
def test_a_proof_that_holds_without_its_obligations_is_none(claim: Any, results: tuple[str, ...]) -> None:
    open_ = answering(
        "folds", answer="holds", obligations=tuple(Obligation("claim", ObligationStatus(x)) for x in results)
    )
    assert settled(claim(TRUE), prover=open_).verdict is Verdict.INCONSISTENT


def test_a_proof_that_fails_is_reported_with_the_scope_that_holds(claim: Any) -> None:
    result = settled(claim(TRUE), prover=answering("folds", answer="unknown", detail="closed fails"))
    assert result.finding.scope == (("x", Range(0, 9)),)
    assert result.finding.not_established == (
        "a proof beyond the scope (x 0..9), in which no counterexample was found: closed fails"
    )


@pytest.mark.parametrize(
    ("routes", "asked"),
    [
        ((), ["exhaustive", "folds"]),
        (("folds",), ["exhaustive", "folds"]),
        (("exhaustive",), ["exhaustive"]),
        (("heaps",), ["exhaustive"]),
        (("exhaustive", "bounded"), ["exhaustive", "bounded"]),
    ],
)
def test_the_routes_that_are_asked_are_those_of_the_options(routes: tuple[str, ...], asked: list[str]) -> None:
    small = (("s.heaps", "0..2"), ("s.size", "1..3"))
    result = settle_entry(select(("nim/bouton",))[0], Options(routes=routes, overrides=small))
    assert [r.encoder for r in result.finding.routes] == asked


# -- two routes -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "fields", "verdict"),
    [
        (TRUE, {"answer": "holds"}, Verdict.VERIFIED),
        (TRUE, {"answer": "unknown"}, Verdict.VERIFIED),
        (TRUE, {"answer": "fails"}, Verdict.INCONSISTENT),
        (TRUE, {"answer": "fails", "counterexample": {"x": 3}}, Verdict.INCONSISTENT),
        (FALSE, {"answer": "fails", "counterexample": {"x": 8}}, Verdict.REFUTED),
        (FALSE, {"answer": "fails", "counterexample": {"x": 3}}, Verdict.INCONSISTENT),
        (FALSE, {"answer": "holds"}, Verdict.INCONSISTENT),
        (EXISTS, {"answer": "holds", "witness": {"x": 12}}, Verdict.PROVED),
        (EXISTS, {"answer": "holds", "witness": {"x": 13}}, Verdict.INCONSISTENT),
    ],
)
def test_a_second_route_must_not_contradict_the_first(
    claim: Any, body: str, fields: dict[str, Any], verdict: Verdict
) -> None:
    assert settled(claim(body), other=answering("bounded", **fields)).verdict is verdict


# -- unconfirmed by the referee ---------------------------------------------------------------------------------------
def test_a_finite_claim_of_which_the_referee_confirms_nothing_is_not_proved(claim: Any) -> None:
    assert settled(claim(FINITE)).verdict is Verdict.PROVED
    assert (
        settled(claim(FINITE), answering(answer="holds", cases=9, cases_with_hypotheses=9)).verdict is Verdict.VERIFIED
    )


def test_cases_too_large_for_the_referee_are_not_confirmed(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLE_STEPS", 2)
    result = settled(claim(FINITE))
    assert (result.verdict, result.finding.rechecked) == (Verdict.VERIFIED, 0)


def test_a_long_computation_is_evaluated_again_in_full(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLE_STEPS", 2)
    result = settled(claim(COMPUTATION))
    assert (result.verdict, result.finding.rechecked) == (Verdict.PROVED, 1)
    false = claim(COMPUTATION.replace("4950", "4951"))
    lie = answering(answer="holds", cases=1, cases_with_hypotheses=1, sample=(({}, "holds"),))
    assert settled(false, lie).verdict is Verdict.INCONSISTENT
    monkeypatch.setattr(module, "REPLAY_STEPS", 2)
    result = settled(claim(COMPUTATION))
    assert (result.verdict, result.finding.rechecked) == (Verdict.VERIFIED, 0)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (FALSE, {"answer": "fails", "cases": 10, "cases_with_hypotheses": 10, "counterexample": {"x": 7}}),
        (EXISTS, {"answer": "holds", "cases": 20, "cases_with_hypotheses": 20, "witness": {"x": 12}}),
        (ILL, {"answer": "unknown", "ill_defined": {"x": 0}}),
    ],
)
def test_what_is_too_large_to_be_replayed_settles_nothing(
    claim: Any, monkeypatch: pytest.MonkeyPatch, body: str, fields: dict[str, Any]
) -> None:
    made = claim(body)
    assert settled(made, answering(**fields)).verdict in (Verdict.REFUTED, Verdict.PROVED, Verdict.ERROR)
    monkeypatch.setattr(module, "REPLAY_STEPS", 2)
    assert settled(made, answering(**fields)).verdict is Verdict.INCONCLUSIVE


def test_a_witness_that_is_none_is_inconsistent(claim: Any) -> None:
    assert settled(claim(EXISTS), answering(answer="holds", witness={"x": 11})).verdict is Verdict.INCONSISTENT
    assert settled(claim(EXISTS), answering(answer="holds", witness={"x": -12})).verdict is Verdict.INCONSISTENT


def test_a_sampled_case_that_is_said_to_miss_the_hypotheses_must_miss_them(claim: Any) -> None:
    sample = (({"x": 1}, "hypotheses fail"),)
    result = settled(claim(TRUE), answering(answer="holds", cases=9, cases_with_hypotheses=8, sample=sample))
    assert result.verdict is Verdict.INCONSISTENT
    ill = settled(
        claim(ILL), answering(answer="holds", cases=1, cases_with_hypotheses=1, sample=(({"x": 0}, "holds"),))
    )
    assert ill.verdict is Verdict.INCONSISTENT


def test_the_sum_theorem_is_trusted_only_where_a_route_says_so(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    true_referee = module.Referee

    def referee(claim: Claim, steps: int, sums: bool, tables: Any) -> Any:
        given.append(sums)
        return true_referee(claim, steps, sums, tables)

    monkeypatch.setattr(module, "Referee", referee)
    settled(claim(TRUE))
    assert set(given) == {False}
