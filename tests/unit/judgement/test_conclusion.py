"""The verdict that follows from the evidence, and the cases below the bound of a proof."""

from dataclasses import replace
from typing import Any

import pytest

from checks.judgement.conclusion import conflicts, decide_verdict, lies_below
from checks.results.model import Evidence
from checks.results.verdicts import Verdict
from claims.language.files.claim import Judgement
from encoders.logic.answer import Decision, ObligationStatus

HOLDS, FAILS, UNKNOWN = Decision.HOLDS, Decision.FAILS, Decision.UNKNOWN
UNSUPPORTED, CONTRADICTION = Decision.UNSUPPORTED, Decision.CONTRADICTION
TRUE = (Judgement.HOLDS, Judgement.HOLDS)
FALSE = (Judgement.FAILS, Judgement.FAILS)
UNDEFINED = (Judgement.ILL_DEFINED, Judgement.ILL_DEFINED)
TOO_LARGE = (Judgement.FAILS, Judgement.TOO_LARGE)
EMPTY: dict[str, Any] = {"cases": 10, "met": 0, "confirmed": 0}
SHOWN: dict[str, Any] = {"obligations": (ObligationStatus.PROVED,)}


def of(quantifier: str, *answers: Decision | tuple[str, Decision], **fields: Any) -> Evidence:
    """Return evidence for a scope of ten cases. The hypotheses hold at four; the referee confirms three of them.

    The first answer is the answer of the exhaustive route.
    """
    named = tuple(x if isinstance(x, tuple) else ("exhaustive", x) for x in answers)
    return Evidence(quantifier, **{"complete": False, "answers": named, "cases": 10, "met": 4, "confirmed": 3} | fields)


def every(*answers: Decision | tuple[str, Decision], **fields: Any) -> Evidence:
    return of("forall", *answers, **fields)


def some(*answers: Decision | tuple[str, Decision], **fields: Any) -> Evidence:
    return of("exists", *answers, **fields)


def bounded(answer: Decision) -> tuple[str, Decision]:
    return "bounded", answer


def proof(answer: Decision) -> tuple[str, Decision]:
    return "folds", answer


OF_THE_SCOPE = {
    "a search that finds no counterexample verifies": (every(HOLDS), "verified"),
    "in all of the domains it proves": (every(HOLDS, complete=True), "proved"),
    "but only if the referee confirms a case": (every(HOLDS, complete=True, confirmed=0), "verified"),
    "a scope without a case of the claim says nothing": (every(HOLDS, **EMPTY), "vacuous"),
    "nor do whole domains without one": (every(HOLDS, complete=True, **EMPTY), "vacuous"),
    "a counterexample that the referee finds refutes": (every(FAILS, replays=(FALSE,)), "refuted"),
    "one that nobody has seen is a bug": (every(FAILS), "inconsistent"),
    "so is one at which the referee finds the claim true": (
        every(FAILS, replays=((Judgement.FAILS, Judgement.HOLDS),)),
        "inconsistent",
    ),
    "and one of two that differs": (every(FAILS, replays=(FALSE, (Judgement.FAILS, Judgement.HOLDS))), "inconsistent"),
    "and one outside the domains": (every(FAILS, replays=((Judgement.FAILS, Judgement.OUTSIDE),)), "inconsistent"),
    "one too large for the referee refutes nothing": (every(FAILS, replays=(TOO_LARGE,)), "inconclusive"),
    "a sampled case that differs is a bug": (every(HOLDS, differs=True), "inconsistent"),
    "whatever else was found": (every(FAILS, replays=(FALSE,), differs=True), "inconsistent"),
    "even of a claim that no route reads": (every(UNSUPPORTED, differs=True), "inconsistent"),
    "a claim that no route reads is in error": (every(UNSUPPORTED), "error"),
    "and remains so if a case is too large": (every(UNSUPPORTED, replays=(TOO_LARGE,)), "error"),
    "a case without a value is an error of the claim": (every(UNKNOWN, replays=(UNDEFINED,)), "error"),
    "of [exists] too": (some(UNKNOWN, replays=(UNDEFINED,)), "error"),
    "a case that has a value after all is a bug": (
        every(UNKNOWN, replays=((Judgement.ILL_DEFINED, Judgement.HOLDS),)),
        "inconsistent",
    ),
    "a case that may only be too large is open": (
        every(UNKNOWN, replays=((Judgement.ILL_DEFINED, Judgement.TOO_LARGE),)),
        "inconclusive",
    ),
    "a search that met a limit is open": (every(UNKNOWN), "inconclusive"),
    "also where it met no case": (every(UNKNOWN, complete=True, **EMPTY), "inconclusive"),
    "a search has no two solvers that disagree": (every(CONTRADICTION), "inconsistent"),
    "a witness that the referee finds proves": (some(HOLDS, replays=(TRUE,)), "proved"),
    "one that nobody has seen is a bug, too": (some(HOLDS), "inconsistent"),
    "and one at which the hypotheses fail": (
        some(HOLDS, replays=((Judgement.HOLDS, Judgement.HYPOTHESES_FAIL),)),
        "inconsistent",
    ),
    "and one without an answer": (some(CONTRADICTION, replays=(TRUE,)), "inconsistent"),
    "no witness in a scope leaves the claim open": (some(FAILS), "inconclusive"),
    "no witness in all of the domains refutes": (some(FAILS, complete=True), "refuted"),
    "a search for a witness that met a limit is open": (some(UNKNOWN, complete=True), "inconclusive"),
}

BESIDE_ANOTHER_SEARCH = {
    "two searches that agree": (every(HOLDS, bounded(HOLDS)), "verified"),
    "two that contradict each other": (every(HOLDS, bounded(FAILS)), "inconsistent"),
    "the other way round": (every(FAILS, bounded(HOLDS), replays=(FALSE,)), "inconsistent"),
    "two that find it false": (every(FAILS, bounded(FAILS), replays=(FALSE, FALSE)), "refuted"),
    "the second met a limit": (every(HOLDS, bounded(UNKNOWN)), "verified"),
    "a vacuous scope is not contradicted": (every(HOLDS, bounded(FAILS), **EMPTY), "vacuous"),
    "the first met a limit": (every(UNKNOWN, bounded(HOLDS)), "verified"),
    "even in all of the domains it is no proof": (every(UNKNOWN, bounded(HOLDS), complete=True), "verified"),
    "nobody knows a case of the claim": (every(UNKNOWN, bounded(HOLDS), **EMPTY), "inconclusive"),
    "the second route shows one": (every(UNKNOWN, bounded(HOLDS), replays=(TRUE,), **EMPTY), "verified"),
    "the second route shows a counterexample": (every(UNKNOWN, bounded(FAILS), replays=(FALSE,)), "refuted"),
    "the second route shows none": (every(UNKNOWN, bounded(FAILS)), "inconclusive"),
    "none in all of the domains": (every(UNKNOWN, bounded(FAILS), complete=True), "inconclusive"),
    "both met a limit": (every(UNKNOWN, bounded(UNKNOWN)), "inconclusive"),
    "both met a limit in all of the domains": (some(UNKNOWN, bounded(UNKNOWN), complete=True), "inconclusive"),
    "the second finds a witness": (some(UNKNOWN, bounded(HOLDS), replays=(TRUE,)), "proved"),
    "the second shows no witness": (some(UNKNOWN, bounded(HOLDS)), "inconclusive"),
    "the second finds no witness in the domains": (some(UNKNOWN, bounded(FAILS), complete=True), "refuted"),
    "the second finds no witness in the scope": (some(UNKNOWN, bounded(FAILS), replays=(FALSE,)), "inconclusive"),
    "a bug remains one": (every(UNKNOWN, bounded(HOLDS), differs=True), "inconsistent"),
    "a case without a value remains an error": (every(UNKNOWN, bounded(HOLDS), replays=(UNDEFINED,)), "error"),
    "an answer of the first is not replaced": (some(FAILS, bounded(HOLDS), replays=(TRUE,)), "inconclusive"),
}

BESIDE_A_PROOF = {
    "a verified claim with a proof is proved": (every(HOLDS, proof(HOLDS), **SHOWN), "proved"),
    "a proof of nothing is a bug": (every(HOLDS, proof(HOLDS)), "inconsistent"),
    "a proof that leaves something open is a bug": (
        every(HOLDS, proof(HOLDS), obligations=(ObligationStatus.PROVED, ObligationStatus.UNKNOWN)),
        "inconsistent",
    ),
    "so is one that shows nothing it asks for": (
        every(HOLDS, proof(HOLDS), obligations=(ObligationStatus.FAILED,)),
        "inconsistent",
    ),
    "a proof about no known case is none": (every(HOLDS, proof(HOLDS), reached=False, **SHOWN), "inconclusive"),
    "all lemmas stand": (every(HOLDS, proof(HOLDS), lemmas=(True, True), **SHOWN), "proved"),
    "one of its lemmas does not": (every(HOLDS, proof(HOLDS), lemmas=(True, False), **SHOWN), "inconclusive"),
    "a proof that is open": (every(HOLDS, proof(UNKNOWN), obligations=(ObligationStatus.UNKNOWN,)), "inconclusive"),
    "a proof that is open, of which all was shown": (every(HOLDS, proof(UNKNOWN), **SHOWN), "inconclusive"),
    "a proof that no rule reads": (every(HOLDS, proof(UNSUPPORTED)), "inconclusive"),
    "solvers that disagree are a bug": (every(HOLDS, proof(CONTRADICTION)), "inconsistent"),
    "also beside a refuted claim": (every(FAILS, proof(CONTRADICTION), replays=(FALSE,)), "inconsistent"),
    "a proof that fails without a case": (every(HOLDS, proof(FAILS)), "inconclusive"),
    "a proof that fails at a case outside the scope": (every(HOLDS, proof(FAILS), replays=(FALSE,)), "refuted"),
    "beside an empty scope": (every(HOLDS, proof(FAILS), replays=(FALSE,), **EMPTY), "refuted"),
    "beside a search that met a limit": (every(UNKNOWN, proof(FAILS), replays=(FALSE,)), "refuted"),
    "a case that is too large refutes nothing": (every(UNKNOWN, proof(FAILS), replays=(TOO_LARGE,)), "inconclusive"),
    "a case at which the proof does not fail": (every(UNKNOWN, proof(UNKNOWN), replays=(FALSE,)), "inconclusive"),
    "a counterexample to a claim that was searched in full": (
        every(HOLDS, proof(FAILS), complete=True, replays=(FALSE,)),
        "inconsistent",
    ),
    "a claim without a value has no counterexample": (every(UNSUPPORTED, proof(FAILS), replays=(FALSE,)), "error"),
    "a proof does not fill an empty scope": (every(HOLDS, proof(HOLDS), **EMPTY, **SHOWN), "vacuous"),
    "nor replace a search that met a limit": (every(UNKNOWN, proof(HOLDS), **SHOWN), "inconclusive"),
    "a proof of what is false is a bug": (every(FAILS, proof(HOLDS), replays=(FALSE,), **SHOWN), "inconsistent"),
    "unless what is false lies beyond its bound": (
        every(FAILS, proof(HOLDS), replays=(FALSE,), within=False, **SHOWN),
        "refuted",
    ),
    "or it rests on a lemma that does not stand": (
        every(FAILS, proof(HOLDS), replays=(FALSE,), lemmas=(False,), **SHOWN),
        "refuted",
    ),
    "an open proof of what is false": (every(FAILS, proof(UNKNOWN), replays=(FALSE,)), "refuted"),
    "a proof of what has no value is a bug": (
        every(UNKNOWN, proof(HOLDS), replays=(UNDEFINED,), **SHOWN),
        "inconsistent",
    ),
    "unless that lies beyond its bound": (
        every(UNKNOWN, proof(HOLDS), replays=(UNDEFINED,), within=False, **SHOWN),
        "error",
    ),
    "after another search": (every(UNKNOWN, bounded(HOLDS), proof(HOLDS), **SHOWN), "proved"),
    "after two that differ": (every(HOLDS, bounded(FAILS), proof(HOLDS), **SHOWN), "inconsistent"),
    "a proof by another rule": (every(HOLDS, ("quotient", HOLDS), **SHOWN), "proved"),
}


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        pytest.param(*row, id=name)
        for table in (OF_THE_SCOPE, BESIDE_ANOTHER_SEARCH, BESIDE_A_PROOF)
        for name, row in table.items()
    ],
)
def test_the_verdict_that_evidence_bears(evidence: Evidence, verdict: str) -> None:
    assert decide_verdict(evidence) is Verdict(verdict)


@pytest.mark.parametrize("verdict", Verdict)
def test_a_route_conflicts_only_with_a_settled_verdict_that_says_the_contrary(verdict: Verdict) -> None:
    contrary = {Verdict.PROVED: [FAILS], Verdict.VERIFIED: [FAILS], Verdict.REFUTED: [HOLDS]}
    assert [answer for answer in Decision if conflicts(verdict, answer)] == contrary.get(verdict, [])


@pytest.mark.parametrize(
    ("case", "below", "lies"),
    [
        ({"x": 6}, 7, True),
        ({"x": 7}, 7, False),
        ({"x": 1, "y": 7}, 7, False),
        ({"x": -8}, 7, True),
        ({"s": (1, 6)}, 7, True),
        ({"s": (1, 7)}, 7, False),
        ({"s": [1, [2, 8]]}, 7, False),
        ({"x": "100000000000000000000"}, 7, False),
        ({"x": "-100000000000000000000"}, 7, True),
        ({"x": "100000000000000000000"}, 10**21, True),
        ({"mover": "A"}, 7, True),
        ({"s": (None, 8)}, 7, False),
        ({"s": (None, 6)}, 7, True),
        ({"mover": "A", "x": 9}, 7, False),
        ({"x": 9}, None, True),
        ({}, 7, True),
        (None, None, True),
        (None, 7, False),
    ],
)
def test_whether_a_case_lies_below_the_bound_of_a_proof(case: Any, below: int | None, lies: bool) -> None:
    assert lies_below(case, below) is lies


def test_a_proof_by_a_rule_is_told_from_a_search() -> None:
    evidence = every(HOLDS, ("folds", HOLDS), **SHOWN)
    assert decide_verdict(evidence) is Verdict.PROVED
    assert decide_verdict(replace(evidence, answers=(("exhaustive", HOLDS), ("bounded", HOLDS)))) is Verdict.VERIFIED
