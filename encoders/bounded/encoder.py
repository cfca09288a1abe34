"""The bounded route: a claim within its scope, put to a solver as one question without quantifiers.

It is asked for a case at which the claim is false, and for one at which something in it is ill-defined.  Positions have
as many heaps as the scope says, games are unrolled over its box.  Slower than the exhaustive route and another way to
the same answer: it shares no code with it but the reading of claims.  Its counterexample is any, not the smallest.
"""

from __future__ import annotations

import time
from dataclasses import replace

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.parameters import state_legal
from encoders.answer import Answer, Case, Decision, Unsupported
from encoders.bounded.needs import Needs, OutOfTime
from encoders.bounded.reading import TermReader
from encoders.bounded.tables import Tables
from encoders.bounded.unrolled import Beyond, Box
from encoders.bounded.values import Value, Values
from encoders.bounded.variables import Free, Variables
from encoders.logic.smt.formulas import TRUE, Formula, conjunction, negated
from encoders.logic.smt.scripts import Script
from encoders.logic.solvers import first
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.logic.solvers.solver import Found, Limits, Outcome, ScriptSolver
from encoders.trust import TrustedSolver

NAME = "bounded"


def settle(claim: Claim, scope: d.Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Decide a claim within a scope. FAILS and, of an [exists] claim, HOLDS come with a case."""
    started = time.monotonic()
    deadline = None if budget is None else started + budget
    ranges = [b for b in scope.values() if isinstance(b, d.PositionRange)]
    box = Box(max((b.heaps.hi for b in ranges), default=1), max((b.size.hi for b in ranges), default=1))
    solver = first()
    try:
        while True:  # with a larger box where the claim asks about larger positions
            try:
                answer = _settle(claim, scope, box, Needs(deadline), solver, effort)
                break
            except Beyond as beyond:
                box = beyond.box
    except Unsupported as error:
        answer = Answer(NAME, Decision.UNSUPPORTED, detail=str(error))
    except OutOfTime:
        answer = Answer(NAME, Decision.UNKNOWN, detail="out of time while writing the constraints down")
    return replace(answer, seconds=time.monotonic() - started)


def _settle(claim: Claim, scope: d.Scope, box: Box, needs: Needs, solver: ScriptSolver, effort: Effort) -> Answer:
    question = _Question(claim, scope, box, needs)
    defined = conjunction(needs.conditions)
    exists = claim.quantifier == "exists"
    trusted = frozenset({TrustedSolver(solver.name)})
    wanted = question.conclusion if exists else negated(question.conclusion)
    outcome = question.ask(solver, effort, conjunction((question.hypothesis, wanted, defined)))
    if outcome.found is Found.FAILS:
        if exists:
            return Answer(NAME, Decision.HOLDS, witness=question.read(outcome), trusted=trusted)
        return Answer(NAME, Decision.FAILS, counterexample=question.read(outcome), trusted=trusted)
    if outcome.found is Found.PROVED:
        outcome = question.ask(solver, effort, negated(defined))
        if outcome.found is Found.PROVED:
            return Answer(NAME, Decision.FAILS if exists else Decision.HOLDS, trusted=trusted)
        if outcome.found is Found.FAILS:
            detail = f"something may be ill-defined, perhaps at {question.read(outcome)}"
            return Answer(NAME, Decision.UNKNOWN, detail=detail, trusted=trusted)
    return Answer(NAME, Decision.UNKNOWN, detail=f"the solver gave up: {outcome.reason}", trusted=trusted)


class _Question:
    """A claim as formulas. What they need in order to be defined is noted in `needs`. Raises Unsupported."""

    def __init__(self, claim: Claim, scope: d.Scope, box: Box, needs: Needs) -> None:
        values = Values(needs)
        root: dict[str, Value] = {}
        tables = Tables(claim, values, root, box)
        reader = TermReader(values, tables)
        drawn = Variables(values)
        self.needs = needs
        self.free: dict[str, Free] = {}
        for v in claim.variables:
            self.free[v.name] = drawn.draw(v, scope.get(v.name), reader, root)
            root[v.name] = self.free[v.name].value
        legal = state_legal(claim)
        needs.require(TRUE if legal is None else reader.truth(legal, root))
        self.hypothesis = TRUE if claim.hypothesis is None else reader.truth(claim.hypothesis, root)
        with needs.under(self.hypothesis):
            self.conclusion = reader.truth(claim.conclusion, root)
        self.declared = (*drawn.declared, *tables.functions)
        self.known = (*(x.inside for x in self.free.values()), *tables.equations)

    def ask(self, solver: ScriptSolver, effort: Effort, wanted: Formula) -> Outcome:
        """Look for a case at which this holds. Raises Unsupported."""
        script = Script(self.declared, (*self.known, wanted))
        return solver.check_script(script, Limits(effort.steps, effort.seeds[0], self.needs.left))

    def read(self, outcome: Outcome) -> Case:
        """The values of the variables that were found."""
        return {name: free.read(outcome.values) for name, free in self.free.items()}
