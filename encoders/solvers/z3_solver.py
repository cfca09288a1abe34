"""The solver Z3 (https://github.com/Z3Prover/z3), which receives SMT-LIB scripts."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from weakref import WeakSet

from claims.language.interrupts import Interrupted
from encoders.logic.sequents import Sequent
from encoders.logic.smt import Script, script_of
from encoders.solvers.solver import Capability, Limits, SolverResult, SolverStatus, report_unsatisfiable
from encoders.z3_library import z3

NAME = "Z3"
TICK = 0.01  # seconds of wall-clock time between two interrupts of a query
LATE = "out of time"  # the reason why the result is unknown if the limit of time was reached
_CONTEXTS = WeakSet[z3.Context]()


def _stop() -> None:
    """Interrupt all running queries. Their result is then UNKNOWN."""
    for context in list(_CONTEXTS):
        context.interrupt()


Interrupted.stoppers += (_stop,)


class Z3:
    """The solver Z3. Each object has one context, because creating a context is slow.

    The seed and the limit of steps make a run reproducible.
    """

    name = NAME
    capabilities = frozenset({Capability.WORDS, Capability.INTEGERS})

    @cached_property
    def _context(self) -> z3.Context:
        context = z3.Context()
        _CONTEXTS.add(context)
        return context

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        return self.check_script(script_of(sequent), limits)

    def check_script(self, script: Script, limits: Limits) -> SolverResult:
        solver = self._solver(limits)
        solver.from_string(script.text)
        with _interrupting(solver, limits.seconds) as late:
            answer = solver.check()
        if answer == z3.unsat:
            return report_unsatisfiable(NAME, script, limits, _is_plain(solver))
        if answer == z3.sat:
            return SolverResult(NAME, SolverStatus.FAILS, limits, _values(solver.model(), script))
        reason = LATE if late.is_set() else solver.reason_unknown()
        return SolverResult(
            NAME, SolverStatus.UNKNOWN, limits, reason=reason, out_of_steps="resource" in reason or "canceled" in reason
        )

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        solver = self._solver(limits)
        marks = tuple(f"apart {i}" for i in range(len(sequent.tracked_premises)))
        script = script_of(sequent, marks)
        if script.bounded_to is not None:
            return None
        solver.from_string(script.text)
        with _interrupting(solver, limits.seconds):
            answer = solver.check(*(z3.Bool(mark, self._context) for mark in marks))
        if answer != z3.unsat:
            return None
        core = {x.decl().name() for x in solver.unsat_core()}
        return frozenset(i for i, mark in enumerate(marks) if mark in core)

    def _solver(self, limits: Limits) -> z3.Solver:
        solver = z3.Solver(ctx=self._context)
        solver.set("ctrl_c", False)  # otherwise Z3 would catch Ctrl-C and answer unknown
        solver.set("random_seed", limits.seed)
        solver.set("rlimit", limits.steps)
        return solver


@contextmanager
def _interrupting(solver: z3.Solver, seconds: float | None) -> Iterator[threading.Event]:
    """Interrupt a query inside the `with` block after `seconds` of CPU time of this process; None for no limit.

    Yield an event that is set if the query was interrupted. The option `timeout` of Z3 is not used, because it counts
    wall-clock time, and then the result would depend on the load of the machine.
    """
    late, finished = threading.Event(), threading.Event()
    if seconds is None:
        yield late
        return
    until = time.process_time() + seconds

    def watch() -> None:
        while not finished.wait(min(max(until - time.process_time(), TICK), threading.TIMEOUT_MAX)):
            if time.process_time() >= until:
                late.set()
                solver.interrupt()  # it has no effect unless a query runs, so repeat it

    thread = threading.Thread(target=watch, daemon=True, name="z3")
    thread.start()
    try:
        yield late
    finally:
        finished.set()
        thread.join()


def _is_plain(solver: z3.Solver) -> bool:
    """Whether the assertions simplify to false, so that no search is needed."""
    return bool(z3.is_false(z3.simplify(z3.And(*solver.assertions()))))


def _values(model: z3.ModelRef, script: Script) -> dict[str, int | bool]:
    """Return the values of the variables of the script, by name. A variable whose value does not matter is omitted."""
    found: dict[str, int | bool] = {}
    for declaration in model.decls():
        name, value = script.name_of(declaration.name()), model[declaration]
        if name is None:
            continue
        if z3.is_bv_value(value):
            found[name] = value.as_signed_long()
        elif z3.is_int_value(value):
            found[name] = value.as_long()
        else:
            found[name] = bool(z3.is_true(value))
    return found
