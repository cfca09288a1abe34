"""Discharging the obligations of a proof, the same for every rule: each is a query in a context of its own.

An obligation is proved if its negation has no model.  That answer is not taken from one run of one solver alone: the
query is put again with other seeds, and to a second solver where one is wanted; an answer that one of them contradicts
makes the whole proof worthless and is reported as such.  What is assumed must have a model, or it would prove anything.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from claims.language.statement.unfolding import TooLong
from encoders.answer import Answer, Decision, Obligation, Result, Unsupported
from encoders.coverage import Limits
from encoders.logic.effort import Effort
from encoders.trust import Trust, Trusted

SHARE = 20  # the checks beside the proof itself may take a twentieth of its steps


@dataclass(eq=False)
class Query:
    """One obligation: `known` and the `hypotheses` (each with its text) entail the `goal`.

    The use of the hypotheses is reported.  `shown` puts a model into words.
    """

    context: z3.Context
    known: list[Any]
    goal: Any
    hypotheses: list[tuple[str, Any]] = field(default_factory=list)
    shown: Callable[[Any], str] | None = None

    def solver(self, effort: Effort, seed: int, left: float | None) -> z3.Solver:
        """A solver that knows what is known, but neither the hypotheses nor the negated goal."""
        solver = z3.Solver(ctx=self.context)
        solver.set("random_seed", seed)
        solver.set("rlimit", effort.steps)
        if left is not None:
            solver.set("timeout", max(1, int(1000 * left)))
        solver.add(*self.known)
        return solver

    def negated(self, effort: Effort, seed: int, left: float | None) -> z3.Solver:
        """A solver that looks for a counterexample."""
        solver = self.solver(effort, seed, left)
        solver.add(*(x for _, x in self.hypotheses), z3.Not(self.goal))
        return solver

    def digest(self) -> str:
        """The SHA-256 of the query as SMT-LIB text."""
        solver = z3.Solver(ctx=self.context)
        solver.add(*self.known, *(x for _, x in self.hypotheses), z3.Not(self.goal))
        return hashlib.sha256(solver.to_smt2().encode()).hexdigest()


Named = tuple[str, Callable[[], Query]]


@dataclass(frozen=True, eq=False)
class Plan:
    """What a rule sets out to show. `trusted`, `proved` and `below` as in `Answer`."""

    obligations: Iterable[Named]
    trusted: frozenset[Trusted]
    proved: Limits
    below: int | None = None


def prove(route: str, plan: Callable[[], Plan], effort: Effort, budget: float | None) -> Answer:
    """A route's answer: HOLDS if every obligation is discharged, else UNKNOWN, UNSUPPORTED or CONTRADICTION.

    It stops at the first that is not.  `budget`: seconds for all together.  A plan without obligations shows nothing.
    """
    started = time.monotonic()
    done: list[Obligation] = []
    answer, detail = Decision.UNKNOWN, "the rule of proof asks for nothing"
    made = Plan((), frozenset(), ())
    try:
        made = plan()
        for name, build in made.obligations:
            left = None if budget is None else budget - (time.monotonic() - started)
            done.append(discharged(name, build, effort, left))
            if done[-1].result is not Result.PROVED:
                contradicted = done[-1].result is Result.CONTRADICTION
                answer = Decision.CONTRADICTION if contradicted else Decision.UNKNOWN
                detail = f"{name}: {done[-1].detail}"
                break
        else:
            if done:
                answer, detail = Decision.HOLDS, ""
    except (Unsupported, TooLong) as error:
        answer, detail = Decision.UNSUPPORTED, str(error)
    seconds = time.monotonic() - started
    solvers = {Trust.Z3, Trust.CVC5} if effort.second else {Trust.Z3}
    return Answer(
        route,
        answer,
        detail=detail,
        trusted=made.trusted | solvers,
        seconds=seconds,
        obligations=tuple(done),
        proved=made.proved,
        below=made.below,
    )


def discharged(name: str, build: Callable[[], Query], effort: Effort, left: float | None) -> Obligation:
    """One obligation. `left`: the seconds that are left. Raises Unsupported."""
    started = time.monotonic()
    if left is not None and left <= 0:
        return Obligation(name, Result.UNKNOWN, "out of time")
    try:
        query = build()
        deadline = None if left is None else started + left
        found = _first(name, query, effort, left)
        if found.result is Result.PROVED:
            found = _confirmed(found, query, effort, deadline)
    except Unsupported:
        raise
    except Exception as error:
        error.add_note(f"in the obligation {name!r}")
        raise
    return replace(found, formula=query.digest(), seconds=time.monotonic() - started)


def _first(name: str, query: Query, effort: Effort, left: float | None) -> Obligation:
    solver = query.negated(effort, effort.seeds[0], left)
    match str(solver.check()):
        case "unsat":
            return Obligation(name, Result.PROVED)
        case "sat":
            return Obligation(name, Result.FAILED, (query.shown or _values)(solver.model()), smt2=solver.to_smt2())
    reason = solver.reason_unknown()
    limit = f" (limit: {effort.steps} steps)" if "resource" in reason or "canceled" in reason else ""
    return Obligation(name, Result.UNKNOWN, f"the solver gave up: {reason}{limit}", smt2=solver.to_smt2())


def _values(model: Any) -> str:
    return "fails at " + ", ".join(sorted(f"{d.name()} = {model[d]}" for d in model.decls()))


def _confirmed(found: Obligation, query: Query, effort: Effort, deadline: float | None) -> Obligation:
    """A proved obligation after all that could speak against it has been heard."""

    def left() -> float | None:
        return None if deadline is None else max(0.001, deadline - time.monotonic())

    notes = []
    unstable = []
    for seed in effort.seeds[1:]:
        solver = query.negated(effort, seed, left())
        answer = str(solver.check())
        if answer == "sat":
            return _contradicted(found, f"Z3 with the seed {seed}", solver)
        if answer != "unsat":
            unstable.append(str(seed))
    if unstable:
        notes.append(f"unstable: Z3 gives up with seed {', '.join(unstable)}")
    if effort.second:
        solver = query.negated(effort, effort.seeds[0], None)
        answer = _by_cvc5(solver.to_smt2(), left())
        if answer == "sat":
            return _contradicted(found, "cvc5", solver)
        notes.append("confirmed by cvc5" if answer == "unsat" else f"not confirmed by cvc5: {answer or 'no answer'}")
    if not query.hypotheses and _contradictory(query, effort, left()):
        notes.append("never needed: its premises are never met")
    if query.hypotheses:
        if _contradictory(query, effort, left()):
            return replace(
                found, result=Result.FAILED, detail="the hypotheses contradict each other: nothing is claimed"
            )
        notes += _unused(query, effort, left())
    return replace(found, note="; ".join(notes))


def _contradicted(found: Obligation, who: str, solver: z3.Solver) -> Obligation:
    detail = f"two solvers disagree: {who} has a counterexample to what Z3 proves"
    return replace(found, result=Result.CONTRADICTION, detail=detail, smt2=solver.to_smt2())


def _contradictory(query: Query, effort: Effort, left: float | None) -> bool:
    """Whether what is known and assumed can be shown never to hold."""
    solver = query.solver(_aside(effort), effort.seeds[0], left)
    solver.add(*(x for _, x in query.hypotheses))
    return bool(solver.check() == z3.unsat)


def _unused(query: Query, effort: Effort, left: float | None) -> list[str]:
    """Which of the hypotheses the proof does without, from an unsat core."""
    solver = query.solver(_aside(effort), effort.seeds[0], left)
    solver.add(z3.Not(query.goal))
    marks = [z3.Bool(f"hypothesis {i}", query.context) for i in range(len(query.hypotheses))]
    for mark, (_, hypothesis) in zip(marks, query.hypotheses, strict=True):
        solver.assert_and_track(hypothesis, mark)
    if solver.check() != z3.unsat:
        return []
    used = {x.get_id() for x in solver.unsat_core()}
    unused = [words for mark, (words, _) in zip(marks, query.hypotheses, strict=True) if mark.get_id() not in used]
    return [f"does without: {', '.join(unused)}"] if unused else []


def _aside(effort: Effort) -> Effort:
    return replace(effort, steps=max(1, effort.steps // SHARE))


def _by_cvc5(text: str, left: float | None) -> str:
    """cvc5's answer to a query. Raises Unsupported where it is not installed."""
    try:
        import cvc5
    except ImportError:
        raise Unsupported("cvc5 is not installed: pip install 'nim-checks[cvc5]'") from None
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setLogic("ALL")
    solver.setOption("tlimit-per", str(int(1000 * min(20.0, left or 20.0))))
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    answer = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            answer += str(command.invoke(solver, symbols))
    except RuntimeError as error:  # what it cannot parse, or does not support
        return f"cannot read the query: {error}"
    return answer.strip()
