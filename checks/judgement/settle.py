"""From a claim to its verdict: ask the routes, let the referee judge what they say, draw the conclusion."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from checks.judgement.conclusion import PROVERS, Evidence, conclude, conflicts, reached
from checks.judgement.explain import players_of
from checks.judgement.judgement import Finding, complete, examine, examine_other, named
from checks.judgement.routes import Encoder, Exhausted, InternalFault, ask, guarded, proof_route, prover, second
from checks.judgement.scopes import BadOverride, Overrides, beyond, covered, not_covered, scope_for
from checks.results.results import ClaimResult, Route, scope_phrase
from checks.results.verdicts import Verdict, as_expected
from claims.language.errors import ClaimError
from claims.language.files import load_claim
from claims.language.library import Entry
from claims.language.statement.claim import EXPECTATIONS, Claim
from claims.language.statement.domains import Scope
from claims.language.statement.judgement import Judgement
from claims.language.statement.rulesets import Ruleset
from encoders.answer import Answer, Decision, Result
from encoders.coverage import All
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.trust import list_trusted

DIAGNOSIS_SECONDS = 20.0  # for finding out where a failed proof goes wrong


@dataclass(frozen=True)
class Options:
    """How a run settles its claims. `budget`: seconds for each claim, None for no limit; `routes`: () for all.

    `mutants`: whether the mutants of the claims that hold are tried too, with as much time again.
    `effort`: what may be spent on each obligation of a proof.
    """

    profile: str = "quick"
    overrides: Overrides = ()
    budget: float | None = 60.0
    routes: tuple[str, ...] = ()
    mutants: bool = False
    effort: Effort = USUAL


def settle(entry: Entry, options: Options) -> ClaimResult:
    """The result for one claim file. A file that cannot be read has the verdict error; nothing is raised."""
    started = time.monotonic()
    try:
        claim = load_claim(entry.path, entry.id)
        scope = scope_for(claim, options.profile, options.overrides)
    except (ClaimError, BadOverride) as error:
        return without_verdict(entry, Verdict.ERROR, error=str(error))
    from encoders.exhaustive.encoder import settle as exhaustive

    proof = prover(claim, options.routes, options.effort)
    result = settle_claim(claim, scope, exhaustive, options.budget, proof, second(options.routes))
    if result.verdict.holds:
        from checks.judgement.closed_forms import closed_form_of

        result = replace(result, closed_form=closed_form_of(claim))
    if options.mutants and result.verdict.holds:
        result = _with_mutants(result, claim, scope, options.budget)
    return replace(result, seconds=time.monotonic() - started)


def _with_mutants(result: ClaimResult, claim: Claim, scope: Scope, budget: float | None) -> ClaimResult:
    from checks.mutation.mutation import tried

    try:
        return replace(result, mutants=guarded("while trying mutants", lambda: tried(claim, scope, budget)))
    except Exhausted:
        return result  # the verdict stands; the mutants are not reported
    except InternalFault as fault:
        return replace(result, verdict=Verdict.INCONSISTENT, error=fault.report(claim.id))


def settle_claim(
    claim: Claim,
    scope: Scope,
    encoder: Encoder,
    budget: float | None,
    prover: Encoder | None = None,
    other: Encoder | None = None,
) -> ClaimResult:
    """The result for a claim within a scope, by an encoder and, for a claim with a [proof], a prover.

    What the prover says counts only beside the encoder's: a proved claim must survive the scope as well.  `other`
    answers for the same scope as the encoder, and must not contradict it.  An internal error in any of them makes the
    claim inconsistent; what the others answered is kept.
    """
    answer, died = ask("exhaustive", encoder, claim, scope, budget)
    answers, faults = [answer], [died]
    found = _by_referee(claim, Finding(), lambda _: examine(claim, scope, answer))
    if other is not None:
        compared, died = ask("bounded", other, claim, scope, budget)
        answers.append(compared)
        faults.append(died)
        found = _by_referee(claim, found, lambda before: examine_other(claim, before, compared))
    evidence = evidence_of(claim, scope, answers, found, faults)
    verdict, limits = conclude(evidence), covered(claim, scope)
    open_ = not_covered(claim, scope) if verdict is Verdict.VERIFIED else found.not_established
    if verdict is Verdict.PROVED:
        limits = tuple((name, All()) for name, _ in limits)
    elif prover is not None:
        proof, died = ask(proof_route(claim) or "proof", prover, claim, scope, budget)
        answers.append(proof)
        faults.append(died)
        within, evidence = verdict, evidence_of(claim, scope, answers, found, faults)
        verdict = conclude(evidence)
        if verdict is Verdict.PROVED:
            limits, open_ = proof.proved, beyond(proof.proved)
        elif verdict is Verdict.INCONCLUSIVE and within is Verdict.VERIFIED:
            open_ = _unproved(claim, scope, proof)
    if any(faults):
        found, open_ = replace(found, error=next(filter(None, faults))), ""
    error = found.error
    if verdict is Verdict.INCONSISTENT and not error:
        error = _contradiction(answers, conclude(evidence_of(claim, scope, answers[:1], found, ())))
    expected = EXPECTATIONS.get(claim.expect)
    players = players_of(claim)
    return ClaimResult(
        id=claim.id,
        title=claim.title,
        work=claim.work,
        locator=claim.locator,
        role=claim.role,
        uses=claim.uses,
        repairs=claim.repairs,
        verdict=verdict,
        expected=claim.expect or None,
        as_expected=as_expected(verdict, expected),
        scope=limits,
        cases=answer.cases,
        cases_with_hypotheses=answer.met,
        not_established="; ".join(x for x in (open_ or _reason(error), claim.caveat) if x),
        counterexample=found.counterexample,
        witness=named(claim, answer.witness) if answer.witness is not None and claim.variables else None,
        routes=tuple(_route(claim, scope, a) for a in answers),
        seconds=sum(a.seconds for a in answers),
        statement=claim.statement,
        notes=claim.notes,
        quantifier=claim.quantifier,
        domains=tuple((v.name, v.text) for v in claim.variables),
        games=tuple((g.name, _game_text(g.ruleset, g.arguments, players)) for g in claim.games),
        formal=claim.texts,
        trusted=list_trusted(x for a in answers for x in a.trusted),
        rechecked=found.rechecked,
        error=error,
        file=claim.source.name,
        obligations=tuple(o for a in answers for o in a.obligations),
        evidence=evidence,
        digest=claim.digest,
    )


def _by_referee(claim: Claim, before: Finding, work: Callable[[Finding], Finding]) -> Finding:
    """The referee's finding, beside the one before; where it dies of an error of ours, one that says so."""
    try:
        return guarded("while the referee judged an answer", lambda: work(before))
    except Exhausted as limit:
        replays = (*before.replays, (Judgement.HOLDS, Judgement.TOO_LARGE))
        return replace(before, replays=replays, not_established=f"anything: {limit}")
    except InternalFault as fault:
        return replace(before, differs=True, error=fault.report(claim.id))


def evidence_of(
    claim: Claim, scope: Scope, answers: Sequence[Answer], found: Finding, faults: Sequence[str]
) -> Evidence:
    """What the verdict is drawn from: the answers, the exhaustive route's first, and what the referee finds."""
    first = answers[0]
    shown = first.ill_defined if first.counterexample is None else first.counterexample
    return Evidence(
        quantifier=claim.quantifier,
        complete=complete(claim, scope),
        answers=tuple((a.encoder, a.answer) for a in answers),
        cases=first.cases,
        met=first.met,
        confirmed=found.confirmed,
        replays=found.replays,
        differs=found.differs or any(faults),
        obligations=tuple(o.result for a in answers for o in a.obligations),
        reached=all(reached(first.witness, a.below) for a in answers),
        within=shown is None or all(reached(shown, a.below) for a in answers),
    )


def _contradiction(answers: Sequence[Answer], within: Verdict) -> str:
    """Which route contradicts itself or the verdict `within` the scope, in words."""
    for other in answers[1:]:
        if other.answer is Decision.CONTRADICTION:
            return f"the route {other.encoder}: {other.detail}"
        open_ = [o.name for o in other.obligations if o.result is not Result.PROVED]
        if other.encoder in PROVERS and other.answer is Decision.HOLDS and (open_ or not other.obligations):
            return f"the route {other.encoder} proves the claim without " + (open_[0] if open_ else "any obligation")
        if other.encoder in PROVERS and other.answer is Decision.HOLDS and within.holds is not True:
            return f"the route {other.encoder} proves what the referee finds {within.value}"
        if other.encoder not in PROVERS and conflicts(within, other.answer):
            return f"the route {other.encoder} says that the claim {other.answer}; it is {within.value}"
    return "its routes contradict each other"


def _unproved(claim: Claim, scope: Scope, proof: Answer) -> str:
    """What is open where the scope holds, and the proof does not or reaches no case that is known."""
    if proof.answer is Decision.HOLDS:
        reason = f"anything beyond the scope: the proof is about numbers below {proof.below}, and no case is known"
        return f"{reason} that lies below it"
    within = scope_phrase(covered(claim, scope))
    reason = f"a proof beyond the scope ({within}), in which no counterexample was found: {proof.detail}"
    return "; ".join(x for x in (reason, _diagnosis(claim, scope, proof)) if x)


def _diagnosis(claim: Claim, scope: Scope, proof: Answer) -> str:
    """Where the proof itself says what is wrong, if an obligation failed; else nothing."""
    if not any(o.result is Result.FAILED for o in proof.obligations):
        return ""
    from checks.judgement.diagnosis import diagnosis

    try:
        return guarded("in the diagnosis", lambda: diagnosis(claim, scope, DIAGNOSIS_SECONDS))
    except (Exhausted, InternalFault) as error:  # it explains a verdict that stands without it
        return f"what of the proof is wrong was not found out: {error}"


def _reason(error: str) -> str:
    """What an error leaves open, with its first line as the reason: for tools that read report.json."""
    return f"anything: {error.splitlines()[0]}" if error else ""


# -- what a result shows ----------------------------------------------------------------------------------------------
def _route(claim: Claim, scope: Scope, answer: Answer) -> Route:
    detail, bounds = answer.detail, covered(claim, scope)
    if answer.ill_defined is not None:
        detail = "without a value at a case"
    if answer.obligations:
        bounds = answer.proved
        proved = sum(o.result is Result.PROVED for o in answer.obligations)
        detail = detail or f"{proved} obligations discharged"
    return Route(answer.encoder, answer.answer, bounds, answer.cases, answer.seconds, detail, answer.below)


def _game_text(ruleset: Ruleset, arguments: tuple[tuple[str, Any], ...], players: tuple[str, ...]) -> str:
    from claims.language.expressions.printing import text

    bound = ", ".join(f"{n} = {text(x, players)}" for n, x in arguments)
    return f"{ruleset.title} ({bound})" if bound else ruleset.title


def without_verdict(entry: Entry, verdict: Verdict, error: str = "", not_established: str = "") -> ClaimResult:
    """A result for a claim that was not settled: unreadable, not run, or lost to a fault of ours."""
    work = entry.id.split("/")[0] if "/" in entry.id else ""
    return ClaimResult(
        id=entry.id,
        title="",
        work=work,
        locator="",
        role="",
        uses=(),
        verdict=verdict,
        expected=None,
        as_expected=None,
        scope=(),
        cases=0,
        cases_with_hypotheses=0,
        not_established=not_established or _reason(error),
        counterexample=None,
        witness=None,
        routes=(),
        seconds=0.0,
        error=error,
        file=str(entry.path),
    )
