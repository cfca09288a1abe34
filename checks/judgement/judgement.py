"""What the referee finds of a route's answer: the cases it shows, judged again, and a sample of those it passed.

Findings carry the words for the report; the verdict is drawn from them by `checks.judgement.conclusion` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from checks.judgement.conclusion import ILL_DEFINED, TOO_LARGE
from checks.judgement.explain import explain, explain_fault, explain_limit, players_of
from checks.judgement.scopes import covered, fitting
from checks.referee.judge import IllDefined, LimitReached, Referee
from checks.results.results import Counterexample, Values
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import SPRAGUE_GRUNDY, Answer, Case

REPLAY_STEPS = 20_000_000  # for one counterexample or witness: about half a minute at worst
SAMPLE_STEPS = 400_000  # for the whole sample of one claim: well under a second
FITTING_CASES, FITTING_POSITIONS = 20_000_000, 1_000_000  # a scope that is suggested in place of one too large


@dataclass(frozen=True)
class Finding:
    """`replays`, `confirmed`, `differs` as in `Evidence`; the others as in `ClaimResult`, if any."""

    replays: tuple[tuple[str, str], ...] = ()
    confirmed: int = 0
    differs: bool = False
    counterexample: Counterexample | None = None
    error: str = ""
    not_established: str = ""

    @property
    def rechecked(self) -> int:
        """How many cases the referee evaluated again and confirmed."""
        return self.confirmed + sum(said == found for said, found in self.replays)


def examine(claim: Claim, scope: Scope, answer: Answer) -> Finding:
    """The finding on the exhaustive route's answer."""
    if answer.answer == "unsupported":
        return Finding(error=f"{claim.source.name}: {answer.detail}")
    sums = SPRAGUE_GRUNDY in answer.trusted  # what the route took on trust, and says so, the referee takes on trust too
    if answer.ill_defined is not None:
        return _replayed(Finding(), claim, answer.ill_defined, ILL_DEFINED, sums)
    if answer.answer == "unknown":
        return Finding(not_established=_unknown(scope, answer))
    confirmed, difference = _recheck(claim, answer, sums)
    found = Finding(confirmed=confirmed, differs=bool(difference), error=difference)
    if difference:
        return found
    if claim.quantifier == "exists":
        if answer.answer == "holds":
            assert answer.witness is not None
            return _replayed(found, claim, answer.witness, "holds", sums)
        open_ = "" if complete(claim, scope) else "whether a witness exists outside the scope; it has none"
        return replace(found, not_established=open_)
    if answer.answer == "fails":
        assert answer.counterexample is not None
        return _replayed(found, claim, answer.counterexample, "fails", sums)
    if answer.met == 0:
        reason = "the scope has no case" if answer.cases == 0 else "the hypotheses hold at no case of the scope"
        return replace(found, not_established=f"anything: {reason}")
    return found


def examine_other(claim: Claim, found: Finding, other: Answer) -> Finding:
    """The finding, and what the referee says of the case that another route for the same scope shows."""
    case = other.counterexample if other.answer == "fails" else other.witness if other.answer == "holds" else None
    if case is None:
        return found
    after = _replayed(Finding(), claim, case, other.answer, False, other.encoder)
    if after.rechecked:
        return found
    return replace(after, replays=(*found.replays, *after.replays), confirmed=found.confirmed, differs=found.differs)


def complete(claim: Claim, scope: Scope) -> bool:
    """Whether the scope is everything: no variable without bound, none cut."""
    return all(bound == "all" for _, bound in covered(claim, scope))


def named(claim: Claim, case: Case) -> Values:
    """A case with its players by name."""
    players = players_of(claim)
    kinds = {v.name: v.type for v in claim.variables}
    return tuple((n, players[v] if kinds[n].kind == "Player" and players else v) for n, v in case.items())


def judge(claim: Claim, case: Case, sums: bool, steps: int = REPLAY_STEPS) -> tuple[str, str]:
    """The referee's judgement of a case, "ill-defined" and "too large" among them, and what is, in words."""
    try:
        return Referee(claim, steps, sums).judge(case), ""
    except IllDefined as fault:
        return ILL_DEFINED, str(fault)
    except LimitReached as limit:
        return TOO_LARGE, str(limit)


def _replayed(found: Finding, claim: Claim, case: Case, said: str, sums: bool, route: str = "exhaustive") -> Finding:
    """The finding with the referee's judgement of a case of which a route says `said`."""
    judgement, fault = judge(claim, case, sums)
    found = replace(found, replays=((said, judgement),))
    if judgement == TOO_LARGE:
        open_ = f"{case} was found, too large for the referee to replay ({fault})"
        if said == ILL_DEFINED:  # the route cannot tell a case without a value from one past a limit
            open_ = explain_limit(claim, case, fault)
        return replace(found, not_established=f"anything: {open_}")
    if judgement != said:
        words = f"{ILL_DEFINED} ({fault})" if fault else judgement
        if said == ILL_DEFINED:
            return replace(found, error=f"the {route} route finds no value at {case}, the referee finds: {words}")
        return replace(found, error=f"at {case} the {route} route says: {said}; the referee says: {words}")
    if said == ILL_DEFINED:
        return replace(found, error=f"{claim.source.name}: {explain_fault(claim, case, fault)}")
    if said == "fails" and claim.quantifier != "exists":
        why = explain(claim, case, sums)
        return replace(found, counterexample=Counterexample(named(claim, case), True, True, why))
    return found


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
            judgement = f"{ILL_DEFINED} ({fault})"
        if judgement != expected:
            return confirmed, f"at {case} the exhaustive route says: {expected}; the referee says: {judgement}"
        confirmed += 1
    if not claim.variables and answer.sample and not confirmed and answer.answer == "holds":
        case, expected = answer.sample[0]  # a single computation deserves the full effort
        judgement, why = judge(claim, case, sums)
        if judgement == TOO_LARGE:
            return 0, ""
        if judgement != expected:
            words = f"{ILL_DEFINED} ({why})" if why else judgement
            return 0, f"the exhaustive route says: {expected}; the referee says: {words}"
        confirmed = 1
    return confirmed, ""


def _size(case: Case) -> int:
    return sum(sum(v) if isinstance(v, tuple) else abs(int(v)) for v in case.values())


def _unknown(scope: Scope, answer: Answer) -> str:
    hint = fitting(scope, FITTING_CASES, FITTING_POSITIONS) if answer.detail.startswith("too large") else ""
    return f"anything: {answer.detail}" + (f"; this would fit: {hint}" if hint else "")
