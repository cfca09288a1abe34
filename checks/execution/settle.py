"""From a claim to its verdict: ask the routes, let the referee judge what they say, draw the conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod

from checks.judgement.account import make_claim_result
from checks.judgement.budget import describe_spent, seconds_left
from checks.judgement.faults import Exhausted, InternalFault, guard
from checks.judgement.findings import RefereeReview, examine, examine_other, examine_proof, examine_tables
from checks.judgement.judging import CollectedAnswers, draw_verdict, make_ruling
from checks.judgement.routes import Route, ask_route, is_left_open
from checks.results.lemmas import NONE, SettledLemma, SettledLemmas, least_bound, narrow_limits
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Range, Scope
from claims.language.statement.judgement import Judgement
from claims.language.terms.types import INT
from encoders.answer import Case, Decision, ObligationStatus, RouteResult
from encoders.ground.trust import read_trusted
from encoders.proving.reading import rule_name

MOST_SMALLER, SMALLER_SECONDS = 100_000, 10.0  # cases among which a smaller one is looked for, and for how long
SEARCH_SHARE = 0.75  # of the budget, for the search where another route is asked after it
DIAGNOSIS_SECONDS = 20.0  # for finding out where a failed proof goes wrong


def settle_claim(
    claim: Claim,
    scope: Scope,
    encoder: Route,
    budget: float | None,
    prover: Route | None = None,
    other: Route | None = None,
    settled: SettledLemmas = NONE,
    instead: Route | None = None,
) -> ClaimResult:
    """The result for a claim within a scope, by an encoder and, for a claim with a [proof], a prover.

    What the prover says counts only beside the encoder's: a proved claim must survive the scope as well; and only if
    all lemmas of the proof stand among the `settled`.  `other` answers for the same scope as the encoder, and must not
    contradict it; without one, `instead` is asked where the encoder met a limit and a solver may settle the scope.  An
    internal error in any of them makes the claim inconsistent; what the others answered is kept.
    `budget`: seconds for all routes together, None for no limit; the search leaves some of it to those that follow.
    """
    follows = prover is not None or other is not None or (instead is not None and not claim.games)
    most = None if budget is None else budget * (SEARCH_SHARE if follows else 1)
    record = _search(CollectedAnswers(claim, scope, RefereeReview()), "exhaustive", encoder, most)
    record = _review(record, lambda _: examine(claim, scope, record.searches[0]))
    if other is None and is_left_open(claim, record.searches[0].answer, record.found.replays) and not describe_spent():
        other = instead
    if other is not None:
        record = _search(record, "bounded", other, budget)
        record = _review(record, lambda before: examine_other(claim, before, record.searches))
    if prover is not None and draw_verdict(record) is not Verdict.PROVED:
        proof, fault = ask_route(rule_name(claim) or "proof", prover, claim, scope, budget)
        lemmas = tuple(_look_up(claim, proof, settled))
        faults = (*record.faults, *_told(fault))
        record = replace(record, proof=_limit_to_lemmas(lemmas, proof), lemmas=lemmas, faults=faults)
        record = _review(record, lambda before: examine_tables(claim, before, proof))
        record = _try_countermodel(record, encoder, budget)
    ruling = make_ruling(record)
    if record.proof is not None and (ruling.verdict, ruling.within) == (Verdict.INCONCLUSIVE, Verdict.VERIFIED):
        ruling = replace(ruling, open="; ".join(x for x in (ruling.open, _diagnose(claim, scope, record.proof)) if x))
    return make_claim_result(record, ruling)


def _look_up(claim: Claim, proof: RouteResult, settled: SettledLemmas) -> Iterator[SettledLemma]:
    """The lemmas of the proof, with what was found of each, if it was settled as it reads."""
    used = {id for o in proof.obligations for id in o.lemmas}
    for lemma in claim.lemmas:
        digest = lemma.claim.digest
        found = settled.get(lemma.path, SettledLemma(lemma.id, ""))
        as_read = found.digest == digest
        if not as_read:  # of what was lost before it was read no text is known
            found = SettledLemma(lemma.id, digest, None if found.digest else found.verdict)
        by_proof = as_read and (found.by_proof or lemma.claim.proof is None)
        needed = proof.answer is not Decision.HOLDS or lemma.id in used
        yield replace(found, id=lemma.id, by_proof=by_proof, needed=needed)


def _try_countermodel(record: CollectedAnswers, encoder: Route, budget: float | None) -> CollectedAnswers:
    """The record with a case at which the claim fails, if an obligation fails at values that are one.

    It is the smallest of those whose integers are no larger, where these are few.  Whatever the proof makes of the
    values, the referee judges the case; he judged none if the search passed over it.
    """
    case = None if record.proof is None else _read_case(record.claim, record.proof)
    if case is None or draw_verdict(replace(record, proof=None)).holds is False:
        return record
    first = _put_case(record, case)
    if first.found.counterexample is None:
        return first
    box: Scope = {name: Range(min(x, 0), max(x, 0)) for name, x in case.items() if isinstance(x, int)}
    if prod(bound.hi - bound.lo + 1 for bound in box.values() if isinstance(bound, Range)) > MOST_SMALLER:
        return first
    smaller, _ = ask_route("exhaustive", encoder, record.claim, box, min(SMALLER_SECONDS, budget or SMALLER_SECONDS))
    again = first if smaller.counterexample is None else _put_case(record, smaller.counterexample)
    return first if again.found.counterexample is None else again


def _put_case(record: CollectedAnswers, case: Case) -> CollectedAnswers:
    """The record with a case that the proof shows against the claim, if the referee finds it false there.

    Where the search has passed over that case, one of the two is wrong, and that is said.
    """
    assert record.proof is not None
    proof = replace(record.proof, answer=Decision.FAILS, counterexample=case)
    found = _review(record, lambda before: examine_proof(record.claim, before, proof))
    if found.found.counterexample is None:
        return found
    if record.search.answer is Decision.HOLDS and _is_inside(case, record.scope):
        error = f"the route {record.search.encoder} passes over {case}, at which the referee finds the claim false"
        return replace(found, found=replace(found.found, differs=True, error=error))
    return replace(found, proof=proof)


def _read_case(claim: Claim, proof: RouteResult) -> Case | None:
    """The values at which an obligation fails, as a case of the claim; None if they say too little to be one."""
    failed = next((o for o in proof.obligations if o.result is ObligationStatus.FAILED), None)
    values = {} if failed is None else {name: x for name, x in failed.values if type(x) is int}
    if not claim.variables or any(v.type != INT or v.name not in values for v in claim.variables):
        return None
    return {v.name: values[v.name] for v in claim.variables}


def _is_inside(case: Case, scope: Scope) -> bool:
    """Whether a case of integers lies in a scope; where that says nothing of one, its domain does."""
    bounds = ((x, scope.get(name)) for name, x in case.items())
    return all(
        bound is None or (isinstance(bound, Range) and x in range(bound.lo, bound.hi + 1)) for x, bound in bounds
    )


def _limit_to_lemmas(lemmas: tuple[SettledLemma, ...], proof: RouteResult) -> RouteResult:
    """The answer of a proof that reaches no further than its lemmas do, and trusts what they do."""
    return replace(
        proof,
        proved=narrow_limits(proof.proved, lemmas),
        below=least_bound(proof.below, lemmas),
        trusted=proof.trusted | {read_trusted(x) for lemma in lemmas for x in lemma.trusted},
    )


def _search(record: CollectedAnswers, route: str, encoder: Route, budget: float | None) -> CollectedAnswers:
    """The record with the answer of one more route for the scope."""
    answer, fault = ask_route(route, encoder, record.claim, record.scope, budget)
    return replace(record, searches=(*record.searches, answer), faults=(*record.faults, *_told(fault)))


def _told(fault: str) -> tuple[str, ...]:
    return (fault,) if fault else ()


def _review(record: CollectedAnswers, work: Callable[[RefereeReview], RefereeReview]) -> CollectedAnswers:
    """The record with the referee's next finding; where he dies of an error of ours, the finding says so."""
    before = record.found
    try:
        found = guard("while the referee judged an answer", lambda: work(before))
    except Exhausted as limit:
        replays = (*before.replays, (Judgement.HOLDS, Judgement.TOO_LARGE))
        found = replace(before, replays=replays, not_established=f"anything: {limit}")
    except InternalFault as fault:
        found = replace(before, differs=True, error=fault.report(record.claim.id))
    return replace(record, found=found)


def _diagnose(claim: Claim, scope: Scope, proof: RouteResult) -> str:
    """Where the proof itself says what is wrong, if an obligation failed; else nothing."""
    if not any(o.result is ObligationStatus.FAILED for o in proof.obligations):
        return ""
    from checks.judgement.diagnosis import diagnose

    try:
        return guard("in the diagnosis", lambda: diagnose(claim, scope, seconds_left(DIAGNOSIS_SECONDS) or 0.0))
    except (Exhausted, InternalFault) as error:  # it explains a verdict that stands without it
        return f"what of the proof is wrong was not found out: {error}"
