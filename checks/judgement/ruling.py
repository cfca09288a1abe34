"""The verdict on a claim from the collected answers, and the cases that the verdict does not cover.

The functions are pure: they do not call a route or the referee.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from checks.judgement.conclusion import conflicts, decide_verdict, lies_below
from checks.judgement.findings import RefereeReview, is_complete
from checks.judgement.scopes import describe_beyond, describe_rest, limits_of
from checks.results.model import Evidence, SettledLemma
from checks.results.verdicts import Verdict
from checks.results.wording import describe_not_established, describe_open, scope_phrase
from claims.language.files.claim import Claim
from claims.language.files.domains import Scope
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.registry import PROVERS
from encoders.trust import All, Limits


@dataclass(frozen=True)
class CollectedAnswers:
    """The answers collected for one claim in one scope.

    `review`: the findings of the referee about the searches.
    `searches`: the answers of the routes that search the scope, beginning with the exhaustive route.
    `proof`: the answer of the route for the [proof]; None if this route was not used.
    `lemmas`: the lemmas of the proof.
    `faults`: the internal errors that ended routes, in the order of the routes.
    """

    claim: Claim
    scope: Scope
    review: RefereeReview
    searches: tuple[RouteResult, ...] = ()
    proof: RouteResult | None = None
    lemmas: tuple[SettledLemma, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def search(self) -> RouteResult:
        """The answer of the exhaustive route or, if it is UNKNOWN, of the first search that decided the scope."""
        first = self.searches[0]
        return next((x for x in self.searches if first.decision is Decision.UNKNOWN and x.decision.settles), first)

    @property
    def answers(self) -> tuple[RouteResult, ...]:
        """The answers of the searches, then the answer of the proof."""
        return self.searches if self.proof is None else (*self.searches, self.proof)


@dataclass(frozen=True)
class Ruling:
    """The decision on a claim.

    `within`: the verdict on the scope, without the proof.
    `limits`: for each variable, the values that the verdict covers.
    `not_established`: a text about the cases that the verdict does not cover, or "".
    `error`: the complete text of the error, or "" if there is none.
    """

    verdict: Verdict
    within: Verdict
    limits: Limits
    not_established: str
    error: str


def evidence_of(record: CollectedAnswers) -> Evidence:
    """Return the evidence from which `decide_verdict` decides the verdict."""
    answers, first, found = record.answers, record.searches[0], record.review
    search = record.search
    shown = first.ill_defined if search.counterexample is None else search.counterexample
    return Evidence(
        quantifier=record.claim.quantifier,
        complete=is_complete(record.claim, record.scope),
        answers=tuple((a.encoder, a.decision) for a in answers),
        cases=first.cases,
        met=first.cases_with_hypotheses,
        confirmed=found.confirmed,
        replays=found.replays,
        differs=found.differs or any(record.faults),
        obligations=tuple(o.result for a in answers for o in a.obligations),
        reached=all(lies_below(search.witness, a.reach.below) for a in answers),
        within=shown is None or all(lies_below(shown, a.reach.below) for a in answers),
        lemmas=tuple(lemma.is_usable for lemma in record.lemmas),
    )


def draw_verdict(record: CollectedAnswers) -> Verdict:
    """Return the verdict that follows from the answers collected so far."""
    return decide_verdict(evidence_of(record))


def make_ruling(record: CollectedAnswers) -> Ruling:
    """Return the verdict, the cases that it covers, and the cases that it does not cover."""
    claim, scope, found, proof = record.claim, record.scope, record.review, record.proof
    verdict, within, limits = draw_verdict(record), draw_verdict(replace(record, proof=None)), limits_of(claim, scope)
    open_ = describe_rest(claim, scope) if within is Verdict.VERIFIED else found.not_established
    if within is Verdict.PROVED:
        limits = tuple((name, All()) for name, _ in limits)
    elif proof is not None and verdict is Verdict.PROVED:
        limits, open_ = proof.reach.limits, describe_beyond(proof.reach.limits)
    elif proof is not None and verdict is Verdict.INCONCLUSIVE and within is Verdict.VERIFIED:
        open_ = _describe_unproved(record, proof)
    elif verdict is Verdict.REFUTED:
        open_ = ""
    error = found.error
    if record.faults:
        error, open_ = record.faults[0], ""
    elif verdict is Verdict.INCONSISTENT and not error:
        error = _contradiction(record)
    return Ruling(verdict, within, limits, open_ or describe_not_established(error), error)


def _describe_unproved(record: CollectedAnswers, proof: RouteResult) -> str:
    """Return a text about the open cases, for a claim that holds in the scope and whose proof does not count.

    A proof does not count if it fails, if a lemma is not proved, or if no searched case that meets the
    hypotheses is below the bound of the proof.
    """
    lemmas = describe_open(record.lemmas)
    if proof.decision is Decision.HOLDS and not lemmas:
        below = proof.reach.below
        covered = f"the proof covers only numbers below {below}, and no searched case is below this bound"
        return f"anything beyond the scope: {covered}"
    within = scope_phrase(limits_of(record.claim, record.scope))
    if lemmas:
        failed = "" if proof.decision is Decision.HOLDS else f"; the proof is also incomplete: {proof.detail}"
        return f"a proof, since it {lemmas}{failed}; in the scope ({within}) no counterexample was found"
    return f"a proof beyond the scope ({within}), in which no counterexample was found: {proof.detail}"


def _contradiction(record: CollectedAnswers) -> str:
    """Return a sentence about the first route that contradicts itself or the verdict on the scope."""
    within = draw_verdict(replace(record, searches=record.searches[:1], proof=None, faults=()))
    for other in record.answers:
        if other.decision is Decision.CONTRADICTION:
            return f"the route {other.encoder}: {other.detail}"
        open_ = [o.name for o in other.obligations if not o.proved]
        if other.encoder in PROVERS and other.decision is Decision.HOLDS and (open_ or not other.obligations):
            return f"the route {other.encoder} proves the claim without " + (open_[0] if open_ else "any obligation")
        if other.encoder in PROVERS and other.decision is Decision.HOLDS:
            return f"the route {other.encoder} proves the claim, but the referee finds it {within.value}"
        if conflicts(within, other.decision):
            return f"the route {other.encoder} reports that the claim {other.decision}, but it is {within.value}"
    return "the routes contradict each other"
