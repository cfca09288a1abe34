"""Settle a claim: run the routes, let the referee review their answers, and report every failure as a result."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from checks.execution.limits import capping_cpu, pausing_garbage_collection, reuse_freed
from checks.judgement.explain import say_values
from checks.judgement.findings import RefereeReview, examine, examine_other, examine_proof, examine_tables
from checks.judgement.routes import (
    Exhausted,
    InternalFault,
    Route,
    Spent,
    ask_route,
    choose_prover,
    choose_second,
    describe_spent,
    guard,
    is_left_open,
    lacks_memory,
    noticing_losses,
    renew,
    run_within_budget,
    seconds_left,
)
from checks.judgement.ruling import CollectedAnswers, draw_verdict, make_ruling
from checks.judgement.scopes import BadOverride, Options, lies_within, scope_for
from checks.presentation.account import list_warnings, make_claim_result, make_unsettled_result
from checks.presentation.mathematics import find_closed_form, formal_of
from checks.receipts.certificates import locate_certificate
from checks.results.model import (
    NONE,
    ClaimResult,
    SettledLemma,
    SettledLemmas,
    Statement,
    fault_of,
    least_bound,
    narrow_limits,
)
from checks.results.verdicts import OPEN, Verdict
from claims.language.errors import ClaimError
from claims.language.files.claim import Claim, Judgement, find_variant, take_variant
from claims.language.files.domains import ClaimVariable, Positions, Range, Scope
from claims.language.files.library import Entry
from claims.language.files.toml import display_path, read, record_files
from claims.language.syntax.terms import INT
from encoders.logic.answer import Case, CaseValue, Decision, ObligationStatus, ProofReach, RouteResult
from encoders.proving.reading import find_faults, load_claim, rule_name
from encoders.proving.registry import PROVERS
from encoders.trust import read_trusted

if TYPE_CHECKING:
    from checks.execution.shards import PrecomputedAnswer


# == settle ===========================================================================================================
# From a claim to its verdict: run the routes, let the referee review their answers, and decide the verdict.
MOST_SMALLER, SMALLER_SECONDS = 100_000, 10.0  # the limits of the search for a smaller counterexample: cases, seconds
CHOSEN = "heap"  # the name in obligations of the heap that a move chooses, if heaps are numbers
MOST_PLACES = 1_000  # the longest list in a heap at which an obligation fails
SEARCH_SHARE = 0.75  # the part of the budget for the search, if another route follows
DIAGNOSIS_SECONDS = 20.0  # to find the wrong formula of a failed proof


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
    """Return the result for a claim in a scope.

    `encoder`: the route that searches the scope.
    `budget`: seconds for all routes together, None for no limit. The search of the scope leaves a part of the budget
    for the routes that follow.
    `prover`: the route for the [proof]. A proof counts only if the scope has no counterexample and, according to
    `settled`, all lemmas of the proof are proved.
    `other`: a second route for the same scope, which must not contradict `encoder`.
    `instead`: the second route to use if `other` is None, `encoder` gave no answer, and the claim has no game.

    After an internal error in a route, the verdict is *inconsistent*; the answers of the other routes are kept.
    """
    follows = prover is not None or other is not None or (instead is not None and not claim.games)
    most = None if budget is None else budget * (SEARCH_SHARE if follows else 1)
    record = _search(CollectedAnswers(claim, scope, RefereeReview()), "exhaustive", encoder, most)
    record = _review(record, lambda _: examine(claim, scope, record.searches[0]))
    if (
        other is None
        and is_left_open(claim, record.searches[0].decision, record.review.replays)
        and not describe_spent()
    ):
        other = instead
    if other is not None:
        record = _search(record, "bounded", other, budget)
        record = _review(record, lambda before: examine_other(claim, before, record.searches))
    if prover is not None and draw_verdict(record) is not Verdict.PROVED:
        proof, fault = ask_route(rule_name(claim) or "proof", prover, claim, scope, budget)
        lemmas = tuple(_look_up(claim, proof, settled))
        faults = (*record.faults, *_list_fault(fault))
        record = replace(record, proof=_limit_to_lemmas(lemmas, proof), lemmas=lemmas, faults=faults)
        record = _review(record, lambda before: examine_tables(claim, before, proof))
        record = _try_countermodel(record, encoder, budget)
    ruling = make_ruling(record)
    if record.proof is not None and (ruling.verdict, ruling.within) == (Verdict.INCONCLUSIVE, Verdict.VERIFIED):
        ruling = replace(
            ruling,
            not_established="; ".join(x for x in (ruling.not_established, _diagnose(claim, scope, record.proof)) if x),
        )
    return make_claim_result(record, ruling)


def _look_up(claim: Claim, proof: RouteResult, settled: SettledLemmas) -> Iterator[SettledLemma]:
    """Yield the lemmas of the proof with their results.

    The verdict of a lemma is None if the lemma was not settled, or if its file was changed afterwards.
    """
    used = {id for o in proof.obligations for id in o.lemmas}
    for lemma in claim.lemmas:
        digest = lemma.claim.digest
        found = settled.get(lemma.path, SettledLemma(lemma.id, ""))
        as_read = found.digest == digest
        if not as_read:  # a lemma whose run was lost early has no digest and keeps its verdict
            found = SettledLemma(lemma.id, digest, None if found.digest else found.verdict)
        by_proof = as_read and (found.by_proof or lemma.claim.proof is None)
        needed = proof.decision is not Decision.HOLDS or lemma.id in used
        yield replace(found, id=lemma.id, by_proof=by_proof, needed=needed)


def _try_countermodel(record: CollectedAnswers, encoder: Route, budget: float | None) -> CollectedAnswers:
    """Return `record`. If a failed proof shows a case at which the claim is false or undefined, this case is added.

    If all values of the case are integers, the smallest counterexample with values between 0 and these integers may
    replace the case. The referee judges each case by the rules of the game.
    """
    case = None if record.proof is None else _read_case(record.claim, record.proof)
    if case is None or draw_verdict(replace(record, proof=None)).holds is False:
        return record
    first = _put_case(record, case)
    box: Scope = {name: Range(min(x, 0), max(x, 0)) for name, x in case.items() if isinstance(x, int)}
    if first.review.counterexample is None or len(box) < len(case):
        return first
    if prod(bound.hi - bound.lo + 1 for bound in box.values() if isinstance(bound, Range)) > MOST_SMALLER:
        return first
    smaller, _ = ask_route("exhaustive", encoder, record.claim, box, min(SMALLER_SECONDS, budget or SMALLER_SECONDS))
    again = first if smaller.counterexample is None else _put_case(record, smaller.counterexample)
    return first if again.review.counterexample is None else again


def _put_case(record: CollectedAnswers, case: Case) -> CollectedAnswers:
    """Return `record` with the case if the referee finds the claim false or undefined there; otherwise unchanged.

    If the case is in the scope, and the search of the scope found that the claim holds, this contradiction is an error
    in the review.
    """
    assert record.proof is not None
    proof = replace(record.proof, decision=Decision.FAILS, counterexample=case)
    found = _review(record, lambda before: examine_proof(record.claim, before, proof))
    if found.review == record.review:
        return found
    passed = all(lies_within(x, record.scope.get(name)) for name, x in case.items())
    if record.search.decision is Decision.HOLDS and passed:
        judged = "false" if found.review.counterexample is not None else "ill-defined"
        values = say_values(record.claim, case)
        error = f"the route {record.search.encoder} passes over {values}, where the referee finds the claim {judged}"
        return replace(found, review=replace(found.review, differs=True, error=error))
    return found if found.review.counterexample is None else replace(found, proof=proof)


_PART = re.compile(r"(?P<list>len\()?(?P<heap>\w+)\.(?P<part>\w+)(\[(?P<place>[0-9]+)\])?\)?")


def _read_case(claim: Claim, proof: RouteResult) -> Case | None:
    """Return the case at which the first failed obligation is false.

    Return None if no obligation failed, or if the values in it do not determine a case. If the only variable is a
    position, the case is a position of one heap, which the values describe. If there are several variables, all must be
    integers.
    """
    failed = next((o for o in proof.obligations if o.result is ObligationStatus.FAILED), None)
    values = {} if failed is None else {name: x for name, x in failed.values if type(x) is int}
    match claim.variables:
        case (ClaimVariable(name=name, domain=Positions(parts=parts)),):
            heap = _read_heap(parts, values) if parts else values.get(CHOSEN, 0)
            return {name: (heap,)} if heap else None
    if not claim.variables or any(v.type != INT or v.name not in values for v in claim.variables):
        return None
    return {v.name: values[v.name] for v in claim.variables}


def _read_heap(parts: tuple[tuple[str, bool], ...], values: dict[str, int]) -> tuple[CaseValue, ...] | None:
    """Return the heap whose parts have these values.

    `values`: by name, such as `h.n`, `h.c[0]` and `len(h.c)`; missing values are 0.
    Return None if the values do not belong to exactly one heap, or if a list is too long.
    """
    found = [(read, x) for text, x in values.items() if (read := _PART.fullmatch(text))]
    if len({read["heap"] for read, _ in found}) != 1:
        return None
    told = {(read["part"], read["list"] or read["place"]): x for read, x in found}
    lengths = {part: told.get((part, "len("), 0) for part, _ in parts}
    if max(lengths.values()) > MOST_PLACES:
        return None
    return tuple(
        tuple(told.get((part, str(i)), 0) for i in range(lengths[part])) if is_list else told.get((part, None), 0)
        for part, is_list in parts
    )


def _limit_to_lemmas(lemmas: tuple[SettledLemma, ...], proof: RouteResult) -> RouteResult:
    """Return the answer of a proof, restricted to the cases that its lemmas cover.

    The answer also trusts the theorems and programs that the lemmas trust.
    """
    return replace(
        proof,
        reach=ProofReach(narrow_limits(proof.reach.limits, lemmas), least_bound(proof.reach.below, lemmas)),
        trusted=proof.trusted | {read_trusted(x) for lemma in lemmas for x in lemma.trusted},
    )


def _search(record: CollectedAnswers, route: str, encoder: Route, budget: float | None) -> CollectedAnswers:
    """Return the record with the answer of one more route for the scope."""
    answer, fault = ask_route(route, encoder, record.claim, record.scope, budget)
    return replace(record, searches=(*record.searches, answer), faults=(*record.faults, *_list_fault(fault)))


def _list_fault(fault: str) -> tuple[str, ...]:
    return (fault,) if fault else ()


def _review(record: CollectedAnswers, work: Callable[[RefereeReview], RefereeReview]) -> CollectedAnswers:
    """Return `record` with a new review, which `work` makes from the review so far.

    If the referee reaches a limit or has an internal error, the review states this.
    """
    before = record.review
    try:
        found = guard("while the referee judged an answer", lambda: work(before))
    except Exhausted as limit:
        replays = (*before.replays, (Judgement.HOLDS, Judgement.TOO_LARGE))
        found = replace(before, replays=replays, not_established=f"anything: {limit}")
    except InternalFault as fault:
        found = replace(before, differs=True, error=fault.report(record.claim.id))
    return replace(record, review=found)


def _diagnose(claim: Claim, scope: Scope, proof: RouteResult) -> str:
    """Return a sentence about the wrong formula in the proof if an obligation failed; otherwise return ""."""
    if not any(o.result is ObligationStatus.FAILED for o in proof.obligations):
        return ""
    from checks.judgement.diagnosis import diagnose

    try:
        return guard("in the diagnosis", lambda: diagnose(claim, scope, seconds_left(DIAGNOSIS_SECONDS) or 0.0))
    except (Exhausted, InternalFault) as error:  # the diagnosis only explains the verdict
        return f"the search for the wrong formula of the proof failed: {error}"


# == safely ===========================================================================================================
# A claim always has a result: every failure becomes the verdict of the claim in which it occurred.
KILLED = "anything: its process was killed, perhaps because it ran out of memory"


def settle_entry_safely(
    entry: Entry, options: Options, settled: SettledLemmas = NONE, known: PrecomputedAnswer | None = None
) -> ClaimResult:
    """Settle an entry as `settle_entry` does, within the budget.

    An exception except Ctrl-C becomes part of the result.
    """
    try:
        with capping_cpu(_most_seconds(options)):
            return run_within_budget(options.budget, lambda: settle_entry(entry, options, settled, known))
    except KeyboardInterrupt:
        raise
    except Spent as limit:
        return lose(entry, f"anything: {limit}")
    except Exception as error:  # noqa: BLE001 - any error must end as a verdict of this claim
        if lacks_memory(error):
            return lose(entry, "anything: out of memory")
        return make_unsettled_result(
            entry, Verdict.INCONSISTENT, error=InternalFault("outside its routes", error).report(entry.id)
        )


def _most_seconds(options: Options) -> float | None:
    """Return the CPU time after which the system ends a worker; None if there is no budget.

    It is a little more than two budgets, or three with mutants. The budget itself cannot interrupt C code that does not
    return.
    """
    return None if options.budget is None else (3 if options.mutants else 2) * options.budget + 2


def find_heavy(entry: Entry, options: Options) -> Claim | None:
    """Return the claim if its scope is so large that it is searched in shards, otherwise None.

    Also return None for an invalid claim or option, because the error is reported later.
    """
    with pausing_garbage_collection():
        from encoders.compute.exhaustive import is_heavy

    try:
        claim = load_claim(entry.path, entry.id)
        return claim if is_heavy(claim, scope_for(claim, options.profile, options.overrides)) else None
    except (ClaimError, BadOverride):
        return None


def find_heavy_safely(entry: Entry, options: Options) -> Claim | None:
    """Return the claim if its scope is searched in shards, otherwise None.

    Also return None if this test fails: the failure is reported when the claim is settled. Raises Spent if the budget
    is used up.
    """
    try:
        return run_within_budget(
            options.budget, lambda: guard("while its scope was weighed", lambda: find_heavy(entry, options))
        )
    except Spent:
        raise
    except (Exhausted, InternalFault):
        return None
    except Exception as error:
        if lacks_memory(error):
            return None
        raise


def settle_unless_heavy(entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
    """Return the result of a claim, or None if its scope is searched in shards."""
    try:
        with capping_cpu(_most_seconds(options)):
            heavy = find_heavy_safely(entry, options) is not None
    except Spent as limit:
        return lose(entry, f"anything: {limit}")
    return None if heavy else settle_entry_safely(entry, options, settled)


def lose(entry: Entry, not_established: str) -> ClaimResult:
    """Return the result of a claim that was not settled. `not_established`: the reason."""
    return make_unsettled_result(entry, Verdict.INCONCLUSIVE, not_established=not_established)


# == entry ============================================================================================================
# One claim file, settled with the options of a run: read it, run its routes, draw its pictures, and test its mutants.
def settle_entry(
    entry: Entry, options: Options, settled: SettledLemmas = NONE, known: PrecomputedAnswer | None = None
) -> ClaimResult:
    """Return the result for one claim file. If the file is invalid, the verdict is *error*; no ClaimError is raised.

    `settled`: the results of the lemmas of its proof.
    `known`: the earlier answer of the exhaustive route, if any; it is used only if the claim is unchanged.
    """
    reuse_freed()
    with record_files() as trail, noticing_losses() as losses:
        result = _settle(entry, options, settled, known)
    seen = trail.file_states if trail.steady and not losses else ()
    return replace(result, provenance=replace(result.provenance, seen=seen))


def _settle(entry: Entry, options: Options, settled: SettledLemmas, known: PrecomputedAnswer | None) -> ClaimResult:
    started = time.monotonic()
    try:
        claim = load_claim(entry.path, entry.id)
        scope = scope_for(claim, options.profile, options.overrides)
    except ClaimError as error:
        return _refuse(entry, error)
    except BadOverride as error:
        return make_unsettled_result(entry, Verdict.ERROR, error=str(error))
    from checks.boards.illustrate import illustrate
    from encoders.compute.exhaustive import decide_by_search as exhaustive

    line = claim.source.place(claim.source.pointed, at_key=True).line  # a search may leave no memory for the parser
    proof = choose_prover(claim, options.routes, options.effort)
    search = exhaustive if known is None or known.digest != claim.digest else known.tell
    other, instead = choose_second(options.routes)
    result = settle_claim(claim, scope, search, options.budget, proof, other, settled, instead)
    result = illustrate(result, claim, scope)
    if options.mutants and result.verdict.holds:
        renew(options.budget)
        result = _add_mutants(result, claim, scope, options.budget)
    by_proof = any(r.encoder in PROVERS and r.answer is Decision.HOLDS for r in result.finding.routes)
    presentation = replace(
        result.presentation,
        mathematics=formal_of(claim),
        closed_form=find_closed_form(claim) if result.verdict.holds else None,
        hints=_give_hints(claim, entry, result),
        warnings=tuple(list_warnings(claim, options.profile, result)),
    )
    provenance = replace(
        result.provenance,
        line=line,
        certificate=locate_certificate(result),
        seconds=time.monotonic() - started,
    )
    finding = replace(result.finding, by_proof=by_proof)
    return replace(result, finding=finding, provenance=provenance, presentation=presentation)


def _refuse(entry: Entry, error: ClaimError) -> ClaimResult:
    try:
        found = guard("while looking for all faults", partial(find_faults, entry.path, entry.id))
    except (Exhausted, InternalFault):
        found = ()  # `error` is still reported
    faults = tuple(map(fault_of, found or (error,)))
    lines = [
        fault.line for fault in faults if fault.file == display_path(entry.path)
    ]  # other faults are in files that it uses
    told = "\n".join(map(str, faults))
    result = make_unsettled_result(entry, Verdict.ERROR, error=told, line=lines[0] if lines else 0)
    return replace(result, statement=_head(entry, result.statement), finding=replace(result.finding, faults=faults))


def _head(entry: Entry, stated: Statement) -> Statement:
    """Return `stated` with the title, work and locator of an invalid file; unchanged if the file cannot be read."""
    try:
        data = take_variant(read(entry.path), find_variant(entry.id, entry.path)).data
    except ClaimError:
        return stated
    said = (data.get(key) for key in ("title", "work", "locator"))
    title, work, locator = (" ".join(value.split()) if isinstance(value, str) else "" for value in said)
    return replace(stated, title=title, work=work or stated.work, locator=locator)


def _give_hints(claim: Claim, entry: Entry, result: ClaimResult) -> tuple[str, ...]:
    """Return hints for a proof of the claim. An error in this search becomes a hint and does not change the verdict."""
    if result.verdict not in OPEN:
        return ()  # before the import, which loads all proof rules
    from checks.presentation.hints import give_hints

    try:
        return guard("in the hints", lambda: give_hints(claim, entry.path, result))
    except (Exhausted, InternalFault) as error:
        return (f"the search for hints failed: {error}",)


def _add_mutants(result: ClaimResult, claim: Claim, scope: Scope, budget: float | None) -> ClaimResult:
    from checks.judgement.mutants import try_mutants

    try:
        mutants = guard("while trying mutants", partial(try_mutants, claim, scope, budget, settle_by_search))
        return replace(result, finding=replace(result.finding, mutants=mutants))
    except Exhausted:
        return result  # the verdict is kept, and the mutants are not reported
    except InternalFault as fault:
        finding = replace(result.finding, error=fault.report(claim.id))
        return replace(result, verdict=Verdict.INCONSISTENT, finding=finding)


def settle_by_search(claim: Claim, scope: Scope, budget: float | None) -> ClaimResult:
    """Return the result for a claim by the exhaustive route and the referee only.

    `budget`: seconds, None for no limit.
    """
    from encoders.compute.exhaustive import decide_by_search as exhaustive

    return settle_claim(claim, scope, exhaustive, budget)
