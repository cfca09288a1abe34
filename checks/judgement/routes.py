"""The routes of a run: which of them a claim is put to, and what becomes of one that dies on its way.

An error of ours inside a route is loud, and says where it happened; it does not take with it what other routes found.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from checks.judgement.budget import describe_spent, seconds_left
from checks.judgement.faults import Exhausted, InternalFault, guard
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from claims.language.statement.judgement import Judgement
from encoders.answer import Decision, RouteResult
from encoders.logic.solvers.effort import Effort
from encoders.proving.reading import rule_name

Route = Callable[[Claim, Scope, float | None], RouteResult]


def ask_route(name: str, encoder: Route, claim: Claim, scope: Scope, budget: float | None) -> tuple[RouteResult, str]:
    """A route's answer, UNKNOWN where it died, and the text of the internal error it died of, or "".

    `budget`: seconds, at most those that are left for the claim.
    """
    if spent := describe_spent():
        return RouteResult(name, Decision.UNKNOWN, detail=f"not asked: {spent}"), ""
    budget = seconds_left(budget)
    try:
        return guard(f"in the route {name}", lambda: encoder(claim, scope, budget)), ""
    except Exhausted as limit:
        return RouteResult(name, Decision.UNKNOWN, detail=str(limit)), ""
    except InternalFault as fault:
        return RouteResult(name, Decision.UNKNOWN, detail=str(fault)), fault.report(claim.id)


def choose_prover(claim: Claim, wanted: tuple[str, ...], effort: Effort) -> Route | None:
    """The route that reads the claim's [proof], unless others are wanted."""
    route = rule_name(claim)
    if not route or (wanted and route not in wanted):
        return None

    def proved(claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        from encoders.proving.prove import prove

        return prove(claim, budget, effort)

    return proved


def choose_second(wanted: tuple[str, ...]) -> tuple[Route | None, Route | None]:
    """Another route within the scope: (always asked, asked where the exhaustive one leaves it open)."""

    def bounded(claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        return cast(RouteResult, import_module("encoders.bounded.encoder").decide_by_smt(claim, scope, budget))

    return (bounded if "bounded" in wanted else None), (None if wanted else bounded)


def is_left_open(claim: Claim, answer: Decision, replays: tuple[tuple[Judgement, Judgement], ...]) -> bool:
    """Whether a solver may settle what the exhaustive route could not: it met a limit, and the claim asks no game."""
    return answer is Decision.UNKNOWN and not replays and not claim.games
