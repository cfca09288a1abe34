"""The verdict as a pure function of the evidence: the answers of the routes, and the findings of the referee.

A run and `checks verify` use the same function. The function does not read the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from checks.results.model import Evidence
from checks.results.verdicts import Verdict
from claims.language.files.claim import Judgement
from encoders.logic.answer import Decision, ObligationStatus
from encoders.proving.registry import PROVERS


def decide_verdict(evidence: Evidence) -> Verdict:
    """Return the verdict: first the verdict on the scope, then combined with the answer of each further route.

    >>> decide_verdict(Evidence("forall", False, (("exhaustive", Decision.HOLDS),), cases=10, met=4, confirmed=3)).value
    'verified'
    >>> decide_verdict(Evidence("forall", True, (("exhaustive", Decision.HOLDS),), cases=10, met=4, confirmed=3)).value
    'proved'
    >>> gave_up = (("exhaustive", Decision.UNKNOWN), ("bounded", Decision.HOLDS))
    >>> [decide_verdict(Evidence("forall", False, gave_up, cases=10, met=met, confirmed=3)).value for met in (0, 4)]
    ['inconclusive', 'verified']
    """
    (_, first), *others = evidence.answers
    verdict = _verdict_in_scope(evidence, first)
    for encoder, answer in others:
        if encoder in PROVERS:
            verdict = _combine_with_proof(verdict, answer, evidence)
        elif first is Decision.UNKNOWN and verdict is Verdict.INCONCLUSIVE:
            verdict = _decide_by_other_route(evidence, answer)
        else:
            verdict = Verdict.INCONSISTENT if conflicts(verdict, answer) else verdict
    return verdict


def lies_below(case: Mapping[str, object] | None, below: int | None) -> bool:
    """Return whether all numbers of a case are below the bound of a proof. Players do not count as numbers.

    If `below` is None, there is no bound: return True. Otherwise, return False if `case` is None.
    """
    if below is None or case is None:
        return below is None
    return all(x < below for value in case.values() for x in _numbers(value))


def _numbers(value: object) -> Iterator[int]:
    """Yield the integers in a value. A text of digits counts as an integer: large integers in JSON data are texts."""
    if isinstance(value, tuple | list):
        for x in value:
            yield from _numbers(x)
    elif isinstance(value, int) or (isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value)):
        yield int(value)


def _verdict_in_scope(evidence: Evidence, answer: Decision) -> Verdict:
    """Return the verdict that follows from the answer of the exhaustive route and the findings of the referee."""
    found = [judgement for _, judgement in evidence.replays]
    if evidence.differs or any(judgement not in (said, Judgement.TOO_LARGE) for said, judgement in evidence.replays):
        return Verdict.INCONSISTENT
    if answer is Decision.UNSUPPORTED:
        return Verdict.ERROR
    if Judgement.TOO_LARGE in found:
        return Verdict.INCONCLUSIVE
    if Judgement.ILL_DEFINED in found:
        return Verdict.ERROR
    if answer is Decision.UNKNOWN:
        return Verdict.INCONCLUSIVE
    if evidence.quantifier == "exists":
        if answer is Decision.FAILS:
            return Verdict.REFUTED if evidence.complete else Verdict.INCONCLUSIVE
        return Verdict.PROVED if answer is Decision.HOLDS and Judgement.HOLDS in found else Verdict.INCONSISTENT
    if answer is Decision.FAILS:
        return Verdict.REFUTED if Judgement.FAILS in found else Verdict.INCONSISTENT
    if answer is not Decision.HOLDS:
        return Verdict.INCONSISTENT
    if evidence.met == 0:
        return Verdict.VACUOUS
    return Verdict.PROVED if evidence.complete and evidence.confirmed else Verdict.VERIFIED


def _decide_by_other_route(evidence: Evidence, answer: Decision) -> Verdict:
    """Return the verdict for a scope that the exhaustive route could not search, from the answer of another route.

    A [forall] claim is VERIFIED if the answer is HOLDS and a case meets the hypotheses. It is REFUTED if the answer is
    FAILS and the referee confirms the counterexample.

    An [exists] claim is PROVED if the answer is HOLDS and the referee confirms the witness. It is REFUTED if the answer
    is FAILS and the scope contains all cases.

    Otherwise the verdict is INCONCLUSIVE.
    """
    found, exists = [judgement for _, judgement in evidence.replays], evidence.quantifier == "exists"
    match answer:
        case Decision.HOLDS if exists and Judgement.HOLDS in found:
            return Verdict.PROVED
        case Decision.HOLDS if not exists and (evidence.met or Judgement.HOLDS in found):
            return Verdict.VERIFIED
        case Decision.FAILS if evidence.complete if exists else Judgement.FAILS in found:
            return Verdict.REFUTED
    return Verdict.INCONCLUSIVE


def conflicts(verdict: Verdict, answer: Decision) -> bool:
    """Return whether a verdict and an answer for the same scope contradict each other.

    They do if the claim holds by the verdict and fails by the answer, or vice versa.
    """
    told = {Decision.HOLDS: True, Decision.FAILS: False}.get(answer)
    return told is not None and verdict.holds is not None and verdict.holds is not told


def _combine_with_proof(verdict: Verdict, answer: Decision, evidence: Evidence) -> Verdict:
    """Return the verdict on the scope, combined with the answer of a proof.

    - VERIFIED becomes PROVED if the proof holds, its lemmas are proved, and a case that meets the hypotheses is below
      the bound of the proof. Otherwise it becomes INCONCLUSIVE.
    - VERIFIED, VACUOUS and INCONCLUSIVE become REFUTED if the referee confirms a counterexample from the proof. PROVED
      then becomes INCONSISTENT.
    - Every verdict becomes INCONSISTENT if the proof contradicts itself, or holds without obligations or with an
      unproved one.
    - REFUTED and ERROR become INCONSISTENT if the proof holds and covers the case at which the claim is refuted or
      undefined.
    """
    holds = answer is Decision.HOLDS
    if answer is Decision.FAILS and Judgement.FAILS in [found for _, found in evidence.replays]:
        if verdict is Verdict.PROVED:
            return Verdict.INCONSISTENT
        if verdict in (Verdict.VERIFIED, Verdict.VACUOUS, Verdict.INCONCLUSIVE):
            return Verdict.REFUTED
    if answer is Decision.CONTRADICTION or (holds and set(evidence.obligations) != {ObligationStatus.PROVED}):
        return Verdict.INCONSISTENT
    holds = holds and all(evidence.lemmas)
    if verdict is Verdict.VERIFIED:
        return Verdict.PROVED if holds and evidence.reached else Verdict.INCONCLUSIVE
    if verdict in (Verdict.REFUTED, Verdict.ERROR) and holds and evidence.within:
        return Verdict.INCONSISTENT
    return verdict
