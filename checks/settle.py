"""From a claim to its verdict: ask the routes, let the referee judge what they say, draw the conclusion."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from checks.explain import explain, explain_fault, explain_limit, players_of
from checks.referee import IllDefined, LimitReached, Referee
from checks.results import ClaimResult, Counterexample, Route, Values, scope_phrase
from checks.routes import Encoder, Exhausted, InternalFault, ask, guarded, proof_route, prover, second
from checks.scopes import BadOverride, Overrides, beyond, covered, fitting, not_covered, scope_for
from checks.verdicts import Verdict, as_expected
from claims.domains import Scope
from claims.errors import ClaimError
from claims.files import load_claim
from claims.library import Entry
from claims.model import EXPECTATIONS, Claim
from claims.rulesets import Ruleset
from encoders.answer import SPRAGUE_GRUNDY, Answer, Case
from encoders.effort import USUAL, Effort

REPLAY_STEPS = 20_000_000  # for one counterexample or witness: about half a minute at worst
SAMPLE_STEPS = 400_000  # for the whole sample of one claim: well under a second
DIAGNOSIS_SECONDS = 20.0  # for finding out where a failed proof goes wrong
FITTING_CASES, FITTING_POSITIONS = 20_000_000, 1_000_000  # a scope that is suggested in place of one too large


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
        from checks.closed_forms import closed_form_of

        result = replace(result, closed_form=closed_form_of(claim))
    if options.mutants and result.verdict.holds:
        result = _with_mutants(result, claim, scope, options.budget)
    return replace(result, seconds=time.monotonic() - started)


def _with_mutants(result: ClaimResult, claim: Claim, scope: Scope, budget: float | None) -> ClaimResult:
    from checks.mutation import tried

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
    answer, fault = ask("exhaustive", encoder, claim, scope, budget)
    judged = _by_referee(claim, lambda: _judge(claim, scope, answer))
    answers = [answer]
    if other is not None:
        compared, died = ask("bounded", other, claim, scope, budget)
        answers.append(compared)
        first = judged
        judged, fault = _by_referee(claim, lambda: _compared(claim, first, compared)), fault or died
    limits = covered(claim, scope)
    open_ = not_covered(claim, scope) if judged.verdict is Verdict.VERIFIED else judged.not_established
    if judged.verdict is Verdict.PROVED:
        limits = tuple((name, "all") for name, _ in limits)
    elif prover is not None:
        proof, died = ask(proof_route(claim) or "proof", prover, claim, scope, budget)
        answers.append(proof)
        fault = fault or died
        judged = _with_proof(claim, scope, judged, proof, answer.witness)
        open_ = judged.not_established or open_
        if judged.verdict is Verdict.PROVED:
            limits = proof.proved
            open_ = beyond(limits)
    if fault:
        judged, open_ = replace(judged, verdict=Verdict.INCONSISTENT, error=fault), ""
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
        verdict=judged.verdict,
        expected=claim.expect or None,
        as_expected=as_expected(judged.verdict, expected),
        scope=limits,
        cases=answer.cases,
        cases_with_hypotheses=answer.met,
        not_established="; ".join(x for x in (open_ or _reason(judged.error), claim.caveat) if x),
        counterexample=judged.counterexample,
        witness=named(claim, answer.witness) if answer.witness is not None and claim.variables else None,
        routes=tuple(_route(claim, scope, a) for a in answers),
        seconds=sum(a.seconds for a in answers),
        statement=claim.statement,
        notes=claim.notes,
        quantifier=claim.quantifier,
        domains=tuple((v.name, v.text) for v in claim.variables),
        games=tuple((g.name, _game_text(g.ruleset, g.arguments, players)) for g in claim.games),
        formal=claim.texts,
        trusted=tuple(sorted({x for a in answers for x in a.trusted})),
        rechecked=judged.rechecked,
        error=judged.error,
        file=claim.source.name,
        obligations=tuple(o for a in answers for o in a.obligations),
    )


@dataclass(frozen=True)
class _Judged:
    verdict: Verdict
    counterexample: Counterexample | None = None
    rechecked: int = 0
    error: str = ""
    not_established: str = ""


def _by_referee(claim: Claim, work: Callable[[], _Judged]) -> _Judged:
    try:
        return guarded("while the referee judged an answer", work)
    except Exhausted as limit:
        return _Judged(Verdict.INCONCLUSIVE, not_established=f"anything: {limit}")
    except InternalFault as fault:
        return _Judged(Verdict.INCONSISTENT, error=fault.report(claim.id))


def _judge(claim: Claim, scope: Scope, answer: Answer) -> _Judged:
    """The verdict on an answer, by the referee."""
    if answer.answer == "unsupported":
        return _Judged(Verdict.ERROR, error=f"{claim.source.name}: {answer.detail}")
    sums = SPRAGUE_GRUNDY in answer.trusted  # what the route took on trust, and says so, the referee takes on trust too
    if answer.ill_defined is not None:
        return _ill_defined(claim, answer.ill_defined, sums)
    if answer.answer == "unknown":
        return _Judged(Verdict.INCONCLUSIVE, not_established=_unknown(scope, answer))
    rechecked, disagreement = _recheck(claim, answer, sums)
    if disagreement:
        return _Judged(Verdict.INCONSISTENT, rechecked=rechecked, error=disagreement)
    if claim.quantifier == "exists":
        return _existence(claim, scope, answer, rechecked, sums)
    if answer.answer == "fails":
        assert answer.counterexample is not None
        return _refuted(claim, answer.counterexample, rechecked, sums)
    if answer.met == 0:
        reason = "the scope has no case" if answer.cases == 0 else "the hypotheses hold at no case of the scope"
        return _Judged(Verdict.VACUOUS, rechecked=rechecked, not_established=f"anything: {reason}")
    if _complete(claim, scope) and rechecked:
        return _Judged(Verdict.PROVED, rechecked=rechecked)
    return _Judged(Verdict.VERIFIED, rechecked=rechecked)


def _compared(claim: Claim, judged: _Judged, other: Answer) -> _Judged:
    """The verdict; inconsistent where another route contradicts it, or shows a case that the referee contradicts."""
    case = other.counterexample if other.answer == "fails" else other.witness if other.answer == "holds" else None
    if case is not None:
        differing = _replay(claim, case, other.answer, False, other.encoder)
        if differing is not None:
            return differing
    told = {"holds": True, "fails": False}.get(other.answer)
    if told is None or judged.verdict.holds is None or judged.verdict.holds is told:
        return judged
    fault = f"the route {other.encoder} says that the claim {other.answer}; it is {judged.verdict.value}"
    return replace(judged, verdict=Verdict.INCONSISTENT, error=fault)


def _with_proof(claim: Claim, scope: Scope, judged: _Judged, proof: Answer, witness: Case | None) -> _Judged:
    """The verdict of a scope, whose hypotheses the witness meets, together with a proof's answer."""
    if proof.answer == "contradiction":
        return replace(judged, verdict=Verdict.INCONSISTENT, error=f"the route {proof.encoder}: {proof.detail}")
    if judged.verdict is Verdict.VERIFIED:
        if proof.answer == "holds" and _reached(witness, proof.below):
            return replace(judged, verdict=Verdict.PROVED)
        if proof.answer == "holds":
            reason = f"anything beyond the scope: the proof is about numbers below {proof.below}, and no case is known"
            return replace(judged, verdict=Verdict.INCONCLUSIVE, not_established=f"{reason} that lies below it")
        within = scope_phrase(covered(claim, scope))
        reason = f"a proof beyond the scope ({within}), in which no counterexample was found: {proof.detail}"
        why = _diagnosis(claim, scope, proof)
        return replace(judged, verdict=Verdict.INCONCLUSIVE, not_established="; ".join(x for x in (reason, why) if x))
    if judged.verdict in (Verdict.REFUTED, Verdict.ERROR) and proof.answer == "holds":
        fault = f"the route {proof.encoder} proves what the referee finds {judged.verdict.value}"
        return replace(judged, verdict=Verdict.INCONSISTENT, error=fault)
    return judged


def _reached(witness: Case | None, below: int | None) -> bool:
    """Whether a case at which the hypotheses hold lies below the bound of a proof: else it may be about nothing."""
    if below is None:
        return True
    if witness is None:
        return False
    return all(x < below for value in witness.values() for x in (value if isinstance(value, tuple) else (value,)))


def _diagnosis(claim: Claim, scope: Scope, proof: Answer) -> str:
    """Where the proof itself says what is wrong, if an obligation failed; else nothing."""
    if not any(o.result == "failed" for o in proof.obligations):
        return ""
    from checks.diagnosis import diagnosis

    try:
        return guarded("in the diagnosis", lambda: diagnosis(claim, scope, DIAGNOSIS_SECONDS))
    except (Exhausted, InternalFault) as error:  # it explains a verdict that stands without it
        return f"what of the proof is wrong was not found out: {error}"


def _unknown(scope: Scope, answer: Answer) -> str:
    hint = fitting(scope, FITTING_CASES, FITTING_POSITIONS) if answer.detail.startswith("too large") else ""
    return f"anything: {answer.detail}" + (f"; this would fit: {hint}" if hint else "")


def _ill_defined(claim: Claim, case: Case, sums: bool) -> _Judged:
    try:
        judgement = Referee(claim, REPLAY_STEPS, sums).judge(case)
    except IllDefined as fault:
        return _Judged(
            Verdict.ERROR, error=f"{claim.source.name}: {explain_fault(claim, case, str(fault))}", rechecked=1
        )
    except LimitReached as limit:
        return _Judged(Verdict.INCONCLUSIVE, not_established=f"anything: {explain_limit(claim, case, str(limit))}")
    return _Judged(
        Verdict.INCONSISTENT, error=f"the exhaustive route finds no value at {case}, the referee finds: {judgement}"
    )


def _recheck(claim: Claim, answer: Answer, sums: bool) -> tuple[int, str]:
    """How many sampled cases the referee confirms, and the first disagreement, in words."""
    referee = Referee(claim, SAMPLE_STEPS, sums)
    confirmed = 0
    for case, expected in sorted(answer.sample, key=lambda x: _size(x[0])):
        try:
            judgement = referee.judge(case)
        except LimitReached:
            break  # the larger ones cost more still
        except IllDefined as fault:
            judgement = f"ill-defined ({fault})"
        if judgement != expected:
            return confirmed, f"at {case} the exhaustive route says: {expected}; the referee says: {judgement}"
        confirmed += 1
    if not claim.variables and answer.sample and not confirmed and answer.answer == "holds":
        try:  # a single computation deserves the full effort
            judgement = Referee(claim, REPLAY_STEPS, sums).judge(answer.sample[0][0])
        except LimitReached:
            return 0, ""
        except IllDefined as fault:
            judgement = f"ill-defined ({fault})"
        if judgement != answer.sample[0][1]:
            return 0, f"the exhaustive route says: {answer.sample[0][1]}; the referee says: {judgement}"
        confirmed = 1
    return confirmed, ""


def _size(case: Case) -> int:
    return sum(sum(v) if isinstance(v, tuple) else abs(int(v)) for v in case.values())


def _complete(claim: Claim, scope: Scope) -> bool:
    """Whether the scope is everything: no variable without bound, none cut."""
    return all(bound == "all" for _, bound in covered(claim, scope))


def _refuted(claim: Claim, case: Case, rechecked: int, sums: bool) -> _Judged:
    outcome = _replay(claim, case, "fails", sums)
    if outcome is not None:
        return replace(outcome, rechecked=rechecked)
    found = Counterexample(named(claim, case), replayed=True, smallest=True, explanation=explain(claim, case, sums))
    return _Judged(Verdict.REFUTED, found, rechecked + 1)


def _existence(claim: Claim, scope: Scope, answer: Answer, rechecked: int, sums: bool) -> _Judged:
    if answer.answer == "holds":
        assert answer.witness is not None
        return _replay(claim, answer.witness, "holds", sums) or _Judged(Verdict.PROVED, rechecked=rechecked + 1)
    if _complete(claim, scope):
        return _Judged(Verdict.REFUTED, rechecked=rechecked, not_established="")
    return _Judged(
        Verdict.INCONCLUSIVE,
        rechecked=rechecked,
        not_established="whether a witness exists outside the scope; it has none",
    )


def _replay(claim: Claim, case: Case, expected: str, sums: bool, route: str = "exhaustive") -> _Judged | None:
    """None if the referee judges the case as expected by a route, else the verdict that follows."""
    try:
        judgement = Referee(claim, REPLAY_STEPS, sums).judge(case)
    except LimitReached as limit:
        found = f"anything: {case} was found, too large for the referee to replay ({limit})"
        return _Judged(Verdict.INCONCLUSIVE, not_established=found)
    except IllDefined as fault:
        judgement = f"ill-defined ({fault})"
    if judgement == expected:
        return None
    return _Judged(
        Verdict.INCONSISTENT, error=f"at {case} the {route} route says: {expected}; the referee says: {judgement}"
    )


def _reason(error: str) -> str:
    """What an error leaves open, with its first line as the reason: for tools that read report.json."""
    return f"anything: {error.splitlines()[0]}" if error else ""


# -- what a result shows ----------------------------------------------------------------------------------------------
def named(claim: Claim, case: Case) -> Values:
    """A case with its players by name."""
    players = players_of(claim)
    kinds = {v.name: v.type for v in claim.variables}
    return tuple((n, players[v] if kinds[n].kind == "Player" and players else v) for n, v in case.items())


def _route(claim: Claim, scope: Scope, answer: Answer) -> Route:
    detail, bounds = answer.detail, covered(claim, scope)
    if answer.ill_defined is not None:
        detail = "without a value at a case"
    if answer.obligations:
        bounds = answer.proved
        proved = sum(o.result == "proved" for o in answer.obligations)
        detail = detail or f"{proved} obligations discharged"
    return Route(answer.encoder, answer.answer, bounds, answer.cases, answer.seconds, detail)


def _game_text(ruleset: Ruleset, arguments: tuple[tuple[str, Any], ...], players: tuple[str, ...]) -> str:
    from claims.printing import text

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
