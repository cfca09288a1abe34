"""One claim file, settled as a run asks: read, put to its routes, illustrated and, if wanted, mutated."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from checks.execution.ground.memory import reuse_freed
from checks.execution.settle import settle_claim
from checks.judgement.account import without_verdict
from checks.judgement.account.closed_forms import closed_form_of
from checks.judgement.account.mathematics import formal_of
from checks.judgement.account.warnings import list_warnings
from checks.judgement.budget import renew
from checks.judgement.faults import Exhausted, InternalFault, guard, noticing_losses
from checks.judgement.options import BadOverride, Options
from checks.judgement.routes import choose_prover, choose_second
from checks.judgement.scopes import scope_for
from checks.receipts.certificates.writing import locate_certificate
from checks.results.faults import fault_of
from checks.results.lemmas import NONE, SettledLemmas
from checks.results.model import ClaimResult, Statement
from checks.results.verdicts import OPEN, Verdict
from claims.language.ground.errors import ClaimError
from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from claims.language.statement.variants import find_variant, take_variant
from claims.language.toml.source import display_path, read
from claims.language.toml.trail import record_files
from encoders.answer import Decision
from encoders.proving.reading import find_faults, load_claim
from encoders.proving.registry import PROVERS

if TYPE_CHECKING:
    from checks.execution.shards.drive import PrecomputedAnswer


def settle_entry(
    entry: Entry, options: Options, settled: SettledLemmas = NONE, known: PrecomputedAnswer | None = None
) -> ClaimResult:
    """The result for one claim file. A file that cannot be read has the verdict error; nothing is raised.

    `settled`: what the run found of the lemmas of its proof.  `known`: what the exhaustive route came to, if that was
    found before; it counts only if the claim still reads as it did.
    """
    reuse_freed()
    with record_files() as trail, noticing_losses() as losses:
        result = _settle(entry, options, settled, known)
    seen = trail.seen if trail.steady and not losses else ()
    return replace(result, provenance=replace(result.provenance, seen=seen))


def _settle(entry: Entry, options: Options, settled: SettledLemmas, known: PrecomputedAnswer | None) -> ClaimResult:
    started = time.monotonic()
    try:
        claim = load_claim(entry.path, entry.id)
        scope = scope_for(claim, options.profile, options.overrides)
    except ClaimError as error:
        return _refuse(entry, error)
    except BadOverride as error:
        return without_verdict(entry, Verdict.ERROR, error=str(error))
    from checks.illustration.illustrate import illustrate
    from encoders.exhaustive.cover import decide_by_search as exhaustive

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
        closed_form=closed_form_of(claim) if result.verdict.holds else None,
        hints=_give_hints(claim, entry, result),
        warnings=tuple(list_warnings(claim, options.profile, result)),
    )
    provenance = replace(
        result.provenance,
        line=claim.source.place(claim.source.pointed, at_key=True).line,
        certificate=locate_certificate(result),
        seconds=time.monotonic() - started,
    )
    finding = replace(result.finding, by_proof=by_proof)
    return replace(result, finding=finding, provenance=provenance, presentation=presentation)


def _refuse(entry: Entry, error: ClaimError) -> ClaimResult:
    """The result of a file that cannot be read: all its faults, and not the first alone."""
    try:
        found = guard("while looking for all faults", partial(find_faults, entry.path, entry.id))
    except (Exhausted, InternalFault):
        found = ()  # what was raised stands
    faults = tuple(map(fault_of, found or (error,)))
    lines = [
        fault.line for fault in faults if fault.file == display_path(entry.path)
    ]  # others lie in files that it uses
    told = "\n".join(map(str, faults))
    result = without_verdict(entry, Verdict.ERROR, error=told, line=lines[0] if lines else 0)
    return replace(result, statement=_head(entry, result.statement), finding=replace(result.finding, faults=faults))


def _head(entry: Entry, stated: Statement) -> Statement:
    """With what the file of a claim that cannot be read says of its place: so it stands among those of its work."""
    try:
        data = take_variant(read(entry.path), find_variant(entry.id, entry.path)).data
    except ClaimError:
        return stated
    said = (data.get(key) for key in ("title", "work", "locator"))
    title, work, locator = (" ".join(value.split()) if isinstance(value, str) else "" for value in said)
    return replace(stated, title=title, work=work or stated.work, locator=locator)


def _give_hints(claim: Claim, entry: Entry, result: ClaimResult) -> tuple[str, ...]:
    """What might prove the claim; nothing of ours that fails there touches what was found."""
    if result.verdict not in OPEN:
        return ()  # and no rule of proof is imported to say so
    from checks.judgement.account.hints import give_hints

    try:
        return guard("in the hints", lambda: give_hints(claim, entry.path, result))
    except (Exhausted, InternalFault) as error:
        return (f"none was found: {error}",)


def _add_mutants(result: ClaimResult, claim: Claim, scope: Scope, budget: float | None) -> ClaimResult:
    from checks.mutation.trial import try_mutants

    try:
        mutants = guard("while trying mutants", partial(try_mutants, claim, scope, budget, settle_by_search))
        return replace(result, finding=replace(result.finding, mutants=mutants))
    except Exhausted:
        return result  # the verdict stands; the mutants are not reported
    except InternalFault as fault:
        finding = replace(result.finding, error=fault.report(claim.id))
        return replace(result, verdict=Verdict.INCONSISTENT, finding=finding)


def settle_by_search(claim: Claim, scope: Scope, budget: float | None) -> ClaimResult:
    """The result for a claim by the exhaustive route and the referee alone. `budget`: seconds, None for no limit."""
    from encoders.exhaustive.cover import decide_by_search as exhaustive

    return settle_claim(claim, scope, exhaustive, budget)
