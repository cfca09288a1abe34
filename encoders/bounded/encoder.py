"""The bounded route: a claim within its scope, put to Z3 as one question without quantifiers.

It is asked for a case at which the claim is false, and for one at which something in it is ill-defined.  Positions have
as many heaps as the scope says, games are unrolled over its box.  Slower than the exhaustive route and another way to
the same answer: it shares no code with it but the reading of claims.  Its counterexample is any, not the smallest.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Answer, Case, Decision, Unsupported
from encoders.bounded.numbers import Items, Position
from encoders.bounded.tables import Beyond
from encoders.bounded.theory import OutOfTime, Theory
from encoders.bounded.words import Number
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.trust import TrustedSolver

NAME = "bounded"
_TRUSTED = frozenset({TrustedSolver("Z3")})


def settle(claim: Claim, scope: d.Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Decide a claim within a scope. FAILS and, of an [exists] claim, HOLDS come with a case."""
    started = time.monotonic()
    heaps = max([b.heaps.hi for b in scope.values() if isinstance(b, d.PositionRange)], default=1)
    size = max([b.size.hi for b in scope.values() if isinstance(b, d.PositionRange)], default=1)
    try:
        while True:  # with a larger box where the claim asks about larger positions
            try:
                answer = _settled(claim, scope, (heaps, size), None if budget is None else started + budget, effort)
                break
            except Beyond as beyond:
                heaps, size = beyond.heaps, beyond.size
    except Unsupported as error:
        answer = Answer(NAME, Decision.UNSUPPORTED, detail=str(error))
    except OutOfTime:
        answer = Answer(NAME, Decision.UNKNOWN, detail="out of time while writing the constraints down")
    return replace(answer, seconds=time.monotonic() - started)


def _settled(claim: Claim, scope: d.Scope, box: tuple[int, int], deadline: float | None, effort: Effort) -> Answer:
    theory = Theory(claim)
    theory.deadline = deadline
    theory.tables.heaps, theory.tables.size = box
    known = _declared(theory, claim, scope)
    hypothesis = theory.true if claim.hypothesis is None else theory.truth(claim.hypothesis, theory.root)
    with theory.under(hypothesis):
        conclusion = theory.truth(claim.conclusion, theory.root)
    known += theory.tables.equations
    defined = z3.And(*theory.needs, theory.true)
    exists = claim.quantifier == "exists"
    wanted = z3.And(hypothesis, conclusion if exists else z3.Not(conclusion), defined)
    found, case, why = _asked(theory, [*known, wanted], effort)
    if found == "sat":
        if exists:
            return Answer(NAME, Decision.HOLDS, witness=case, trusted=_TRUSTED)
        return Answer(NAME, Decision.FAILS, counterexample=case, trusted=_TRUSTED)
    if found == "unsat":
        found, case, why = _asked(theory, [*known, z3.Not(defined)], effort)
        if found == "unsat":
            return Answer(NAME, Decision.FAILS if exists else Decision.HOLDS, trusted=_TRUSTED)
        if found == "sat":
            return Answer(
                NAME, Decision.UNKNOWN, detail=f"something may be ill-defined, perhaps at {case}", trusted=_TRUSTED
            )
    return Answer(NAME, Decision.UNKNOWN, detail=f"the solver gave up: {why}", trusted=_TRUSTED)


def _declared(theory: Theory, claim: Claim, scope: d.Scope) -> list[Any]:
    """The variables, in the theory's root, and what holds of them."""
    known: list[Any] = []
    for v in claim.variables:
        theory.root[v.name], inside = _variable(theory, v, scope.get(v.name))
        known.append(inside)
    return known


def _variable(theory: Theory, v: d.Variable, bound: d.Range | d.PositionRange | None) -> tuple[Any, Any]:
    """A free value of the variable, and that it lies in its domain and scope."""
    n = theory.numbers
    match v.domain:
        case d.Interval(lo=lo, hi=hi):
            return _integer(theory, v.name, lo, hi, bound)
        case d.Positions():
            assert isinstance(bound, d.PositionRange)
            return _position(theory, v.name, bound)
        case d.Players(count=count):
            return n.between(v.name, 0, count - 1)
        case d.Subsets(lo=low, hi=high):
            chosen = tuple((n.truth(f"{i} in {v.name}"), n.literal(i)) for i in range(low, high + 1))
            return Items("set", chosen), theory.true
        case d.Listed(values=values):
            listed = [n.literal(x) if isinstance(x, int) else tuple(map(n.literal, x)) for x in values]
            return _one_of(theory, v.name, [(theory.true, x) for x in listed])
        case d.ElementsOf(source=source):
            found = theory.value(source, theory.root)
            return _one_of(theory, v.name, list(found.items) if isinstance(found, Items) else theory.heaps(found))
    raise Unsupported(f"{v.name} ranges over {v.text}")


def _integer(
    theory: Theory, name: str, lo: t.Term, hi: t.Term | None, bound: d.Range | d.PositionRange | None
) -> tuple[Any, Any]:
    n = theory.numbers
    low = theory.number(lo, theory.root)
    high = None if hi is None else theory.number(hi, theory.root)
    if isinstance(bound, d.Range):
        least, most = bound.lo, bound.hi
    elif high is not None:
        least, most = low.lo, high.hi
    else:
        raise Unsupported(f"{name} has no bound")
    x, inside = n.between(name, least, most)
    return x, z3.And(inside, n.relation("ge", x, low), *([] if high is None else [n.relation("le", x, high)]))


def _one_of(theory: Theory, name: str, elements: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    """A free value that is one of the elements that are there."""
    x, inside = _like(theory, name, [value for _, value in elements])
    there = [z3.And(present, theory.same(x, value)) for present, value in elements]
    return x, z3.And(inside, z3.Or(*there, z3.Not(theory.true)))


def _like(theory: Theory, name: str, elements: list[Any]) -> tuple[Any, Any]:
    """A free value of the kind of the elements, wide enough for each, and its bounds."""
    first = elements[0] if elements else theory.numbers.literal(0)
    if isinstance(first, Number):
        low, high = min((x.lo for x in elements), default=0), max((x.hi for x in elements), default=0)
        return theory.numbers.between(name, low, high)
    if isinstance(first, tuple):
        most = max((h.hi for s in elements for h in s), default=1)
        heaps = max(map(len, elements))
        return _position(theory, name, d.PositionRange(d.Range(0, heaps), d.Range(1, max(1, most))))
    if z3.is_bool(first):
        return theory.numbers.truth(name), theory.true
    raise Unsupported(f"{name} ranges over collections")


def _position(theory: Theory, name: str, bound: d.PositionRange) -> tuple[Position, Any]:
    n, zero = theory.numbers, theory.numbers.literal(0)
    heaps, conditions = [], []
    for i in range(bound.heaps.hi):
        h, inside = n.between(f"{name} {i + 1}", 0, bound.size.hi)
        least = n.relation("ge", h, n.literal(bound.size.lo))
        heaps.append(h)
        conditions += [inside, z3.Or(least, n.same(h, zero))]
        if i >= bound.heaps.hi - bound.heaps.lo:
            conditions.append(least)
    s = tuple(heaps)
    if bound.total is not None:
        total = zero
        for h in s:
            total = n.add(total, h)
        conditions += [
            n.relation("ge", total, n.literal(bound.total.lo)),
            n.relation("le", total, n.literal(bound.total.hi)),
        ]
    return s, z3.And(n.ascending(s), *conditions)


def _asked(theory: Theory, constraints: list[Any], effort: Effort) -> tuple[str, Case, str]:
    solver = z3.Solver(ctx=theory.context)
    solver.set("random_seed", effort.seeds[0])
    solver.set("rlimit", effort.steps)
    if theory.deadline is not None:
        solver.set("timeout", max(1, int(1000 * (theory.deadline - time.monotonic()))))
    solver.add(*constraints)
    found = str(solver.check())
    if found != "sat":
        return found, {}, solver.reason_unknown() if found == "unknown" else ""
    model = solver.model()
    return found, {name: _read(model, value) for name, value in theory.root.items()}, ""


def _read(model: Any, value: Any) -> Any:
    if isinstance(value, Number):
        return model.eval(value.as_kind("size"), model_completion=True).as_signed_long()
    if isinstance(value, Items):
        return tuple(_read(model, x) for present, x in value.items if _read(model, present))
    if z3.is_bool(value):
        return bool(model.eval(value, model_completion=True))
    return tuple(sorted(h for h in (_read(model, x) for x in value) if h))
