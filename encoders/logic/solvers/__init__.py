"""The solvers, each behind `Solver.check`. The first proves; the others, where they are wanted, must agree.

A further solver is a module here and a line in `others`.
"""

from __future__ import annotations

from encoders.logic.solvers.cvc5 import Cvc5
from encoders.logic.solvers.solver import ScriptSolver, Solver
from encoders.logic.solvers.z3 import Z3


def first() -> ScriptSolver:
    """The solver that proves, and that the bounded route asks."""
    return Z3()


def others() -> tuple[Solver, ...]:
    """Those that may be asked to confirm what the first has proved."""
    return (Cvc5(),)
