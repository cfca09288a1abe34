"""The solvers, each behind `Solver.check`.

The exact one proves, by certificates.  Of what is beyond it the first solver is asked; the others, where they are
wanted, must agree.  A further solver is a module here and a line in `others`.  They are loaded once they are wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.logic.solvers.solver import ScriptSolver, Solver


def exact() -> Solver:
    """The one whose proofs are certificates."""
    from encoders.logic.solvers.naturals import NaturalsSolver

    return NaturalsSolver()


def default_solver() -> ScriptSolver:
    """The solver that is believed where there is no certificate, and that the bounded route asks."""
    from encoders.logic.solvers.z3 import Z3

    return Z3()


def confirming_solvers() -> tuple[Solver, ...]:
    """Those that may be asked to confirm what was proved; who proved it is not asked again."""
    from encoders.logic.solvers.cvc5 import Cvc5
    from encoders.logic.solvers.z3 import Z3

    return (Z3(), Cvc5())
