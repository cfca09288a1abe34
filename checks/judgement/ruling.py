"""From what was heard of a claim to its verdict, and what that leaves open. Pure: nobody is asked anything here."""

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
    """What was heard of a claim within a scope.

    `review`: what the referee finds of the searches.  `searches`: the answers of the routes that look at the scope, the
    exhaustive one's first.  `proof`: that of the route that reads the [proof], if it was asked; then `lemmas`: what it
    rests on.  `faults`: the internal errors that routes died of, in the order of the routes.
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
        """The answer that speaks for the scope: the exhaustive route's, or another's where that met a limit."""
        first = self.searches[0]
        return next((x for x in self.searches if first.decision is Decision.UNKNOWN and x.decision.settles), first)

    @property
    def answers(self) -> tuple[RouteResult, ...]:
        """Those of the searches, then that of the proof."""
        return self.searches if self.proof is None else (*self.searches, self.proof)


@dataclass(frozen=True)
class Ruling:
    """What is decided of a claim.

    `within`: the verdict on the scope alone, without the proof.  `limits`: what the verdict covers;
    `not_established`: what it
    leaves open, in words, "" if nothing; `error`: as in `ClaimResult`.
    """

    verdict: Verdict
    within: Verdict
    limits: Limits
    not_established: str
    error: str


def evidence_of(record: CollectedAnswers) -> Evidence:
    """What the verdict is drawn from."""
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
    """The verdict on what was heard so far."""
    return decide_verdict(evidence_of(record))


def make_ruling(record: CollectedAnswers) -> Ruling:
    """The verdict, what it covers, and what it leaves open."""
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
    """What is open where the scope holds, and the proof does not, or a lemma, or it reaches no case that is known."""
    lemmas = describe_open(record.lemmas)
    if proof.decision is Decision.HOLDS and not lemmas:
        below = proof.reach.below
        return f"anything beyond the scope: the proof is about numbers below {below}, and no known case is below it"
    within = scope_phrase(limits_of(record.claim, record.scope))
    if lemmas:
        failed = "" if proof.decision is Decision.HOLDS else f"; nor is it complete: {proof.detail}"
        return f"a proof, since it {lemmas}{failed}; in the scope ({within}) no counterexample was found"
    return f"a proof beyond the scope ({within}), in which no counterexample was found: {proof.detail}"


def _contradiction(record: CollectedAnswers) -> str:
    """Which route contradicts itself or the verdict within the scope, in words."""
    within = draw_verdict(replace(record, searches=record.searches[:1], proof=None, faults=()))
    for other in record.answers:
        if other.decision is Decision.CONTRADICTION:
            return f"the route {other.encoder}: {other.detail}"
        open_ = [o.name for o in other.obligations if not o.proved]
        if other.encoder in PROVERS and other.decision is Decision.HOLDS and (open_ or not other.obligations):
            return f"the route {other.encoder} proves the claim without " + (open_[0] if open_ else "any obligation")
        if other.encoder in PROVERS and other.decision is Decision.HOLDS:
            return f"the route {other.encoder} proves what the referee finds {within.value}"
        if conflicts(within, other.decision):
            return f"the route {other.encoder} says that the claim {other.decision}; it is {within.value}"
    return "its routes contradict each other"
