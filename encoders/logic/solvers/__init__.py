"""The solvers, each behind `Solver.check`.

The exact one proves, by certificates.  Of what is beyond it the first solver is asked; the others, where they are
wanted, must agree.  A further solver is a module here and a line in `others`.
"""

from __future__ import annotations

from encoders.logic.solvers.cvc5 import Cvc5
from encoders.logic.solvers.naturals import Naturals
from encoders.logic.solvers.solver import ScriptSolver, Solver
from encoders.logic.solvers.z3 import Z3


def exact() -> Solver:
    """The one whose proofs are certificates."""
    return Naturals()


def first() -> ScriptSolver:
    """The solver that is believed where there is no certificate, and that the bounded route asks."""
    return Z3()


def others() -> tuple[Solver, ...]:
    """Those that may be asked to confirm what was proved; who proved it is not asked again."""
    return (Z3(), Cvc5())
