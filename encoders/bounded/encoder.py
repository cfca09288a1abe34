"""The bounded route: a claim within its scope, put to a solver as one question without quantifiers.

It is asked for a case at which the claim is false, and for one at which something in it is ill-defined.  Positions have
as many heaps as the scope says, games are unrolled over its box.  Slower than the exhaustive route where that can look
at every case, and another way to the same answer: it shares no code with it but the reading of claims.

A claim about integers alone is put in integers, else in words.  Its counterexample is the smallest where the solver
says of each of its numbers that a smaller one would not do; else it is any.
"""

from __future__ import annotations

import time
from dataclasses import replace

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.parameters import state_legal
from claims.language.terms.types import INT, PLAYER
from encoders.answer import Answer, Case, Decision
from encoders.bounded.numbers import Exact, Needs, ReadingOutOfTime, Whole
from encoders.bounded.reading import TermReader
from encoders.bounded.tables import Tables
from encoders.bounded.unrolled import Beyond, PositionBox
from encoders.bounded.values import Value, Values
from encoders.bounded.variables import Free, Variables
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import TrustedSolver
from encoders.logic.smt.formulas import TRUE, Formula, conjunction, negated
from encoders.logic.smt.scripts import Script
from encoders.logic.smt.words import Number
from encoders.logic.solvers import first
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.logic.solvers.solver import Found, Limits, Outcome

NAME = "bounded"


def settle(claim: Claim, scope: d.Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Decide a claim within a scope. FAILS and, of an [exists] claim, HOLDS come with a case."""
    started = time.monotonic()
    deadline = None if budget is None else started + budget
    ranges = [b for b in scope.values() if isinstance(b, d.PositionRange)]
    box = PositionBox(max((b.heaps.hi for b in ranges), default=1), max((b.size.hi for b in ranges), default=1))
    answer = Answer(NAME, Decision.UNSUPPORTED)
    plain = not claim.games and all(v.type in (INT, PLAYER) for v in claim.variables)
    for numbers in (Whole, Exact) if plain else (Exact,):
        answer = _settle(claim, scope, box, Needs(deadline), numbers(), effort)
        if answer.answer.settles:
            break
    return replace(answer, seconds=time.monotonic() - started)


def _settle(claim: Claim, scope: d.Scope, box: PositionBox, needs: Needs, numbers: Exact, effort: Effort) -> Answer:
    try:
        while True:  # with a larger box where the claim asks about larger positions
            try:
                return _decide(_Question(claim, scope, box, needs, numbers, effort))
            except Beyond as beyond:
                box, needs = beyond.box, Needs(needs.deadline)
    except Unsupported as error:
        return Answer(NAME, Decision.UNSUPPORTED, detail=str(error))
    except ReadingOutOfTime:
        return Answer(NAME, Decision.UNKNOWN, detail="out of time while writing the constraints down")


def _decide(question: _Question) -> Answer:
    """Raises Unsupported."""
    claim, trusted = question.claim, frozenset({TrustedSolver(question.solver.name)})
    exists = claim.quantifier == "exists"
    wanted = question.conclusion if exists else negated(question.conclusion)
    outcome = question.ask(question.hypothesis, wanted, question.defined)
    if outcome.found is Found.FAILS:
        if exists:
            return Answer(NAME, Decision.HOLDS, witness=question.read(outcome), trusted=trusted)
        case, smallest = question.shrink(outcome, question.hypothesis, wanted, question.defined)
        return Answer(NAME, Decision.FAILS, counterexample=case, smallest=smallest, trusted=trusted)
    if outcome.found is Found.PROVED:
        outcome = question.ask(negated(question.defined))
        if outcome.found is Found.PROVED:
            if exists:
                return Answer(NAME, Decision.FAILS, trusted=trusted)
            return Answer(NAME, Decision.HOLDS, witness=_meet(question), trusted=trusted)
        if outcome.found is Found.FAILS:
            detail = f"something may be ill-defined, perhaps at {question.read(outcome)}"
            return Answer(NAME, Decision.UNKNOWN, detail=detail, trusted=trusted)
    return Answer(NAME, Decision.UNKNOWN, detail=f"the solver gave up: {outcome.reason}", trusted=trusted)


def _meet(question: _Question) -> Case | None:
    """A case at which the hypotheses hold, if one is found; nobody asks for it where games are searched anyway."""
    if question.claim.games:
        return None
    outcome = question.ask(question.hypothesis, question.defined)
    return question.read(outcome) if outcome.found is Found.FAILS else None


class _Question:
    """A claim as formulas. What they need in order to be defined is noted in `needs`. Raises Unsupported."""

    def __init__(
        self, claim: Claim, scope: d.Scope, box: PositionBox, needs: Needs, numbers: Exact, effort: Effort
    ) -> None:
        values = Values(needs, numbers)
        root: dict[str, Value] = {}
        tables = Tables(claim, values, root, box)
        reader = TermReader(values, tables)
        drawn = Variables(values)
        self.claim, self.numbers, self.needs = claim, numbers, needs
        self.solver, self.effort = first(), effort
        self.free: dict[str, Free] = {}
        for v in claim.variables:
            self.free[v.name] = drawn.draw(v, scope.get(v.name), reader, root)
            root[v.name] = self.free[v.name].value
        legal = state_legal(claim)
        needs.require(TRUE if legal is None else reader.truth(legal, root))
        self.hypothesis = TRUE if claim.hypothesis is None else reader.truth(claim.hypothesis, root)
        with needs.under(self.hypothesis):
            self.conclusion = reader.truth(claim.conclusion, root)
        self.defined = conjunction(needs.conditions)
        self.declared = (*drawn.declared, *tables.functions)
        self.known = (*(x.inside for x in self.free.values()), *tables.equations)

    def ask(self, *wanted: Formula) -> Outcome:
        """Look for a case at which all of this holds. Raises Unsupported."""
        script = Script(self.declared, (*self.known, conjunction(wanted)))
        return self.solver.check_script(script, Limits(self.effort.steps, self.effort.seeds[0], self.needs.left))

    def read(self, outcome: Outcome) -> Case:
        """The values of the variables that were found."""
        return {name: free.read(outcome.values) for name, free in self.free.items()}

    def shrink(self, outcome: Outcome, *wanted: Formula) -> tuple[Case, bool]:
        """The smallest case at which all of this holds, and whether it is known to be that. `outcome`: one was found.

        The numbers are made as small as can be in turn, as the order of cases has it, by halving what lies below them.
        """
        case = self.read(outcome)
        numbers = [(name, x.value) for name, x in self.free.items() if isinstance(x.value, Number)]
        if len(numbers) < len(self.free) or self.claim.games:
            return case, False
        fixed: list[Formula] = []
        for name, x in numbers:
            least, most = x.lo, case[name]
            assert isinstance(most, int)
            while least < most:
                middle = (least + most) // 2
                found = self.ask(*wanted, *fixed, self.numbers.relation("le", x, self.numbers.literal(middle)))
                if found.found is Found.FAILS:
                    case = self.read(found)
                    most = case[name]
                    assert isinstance(most, int)
                elif found.found is Found.PROVED:
                    least = middle + 1
                else:
                    return case, False
            fixed.append(self.numbers.equal(x, self.numbers.literal(most)))
        return case, True
