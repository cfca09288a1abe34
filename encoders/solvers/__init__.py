"""The solvers, each behind `Solver.check`.

`exact` proves by certificates. What is beyond it goes to `default_solver`. With --second-solver, those of
`list_confirming_solvers` must agree. A further solver is a module here and an entry there. Each is loaded when it is
first asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.solvers.solver import ScriptSolver, Solver


def exact() -> Solver:
    """The one whose proofs are certificates."""
    from encoders.solvers.automaton import NaturalsSolver

    return NaturalsSolver()


def default_solver() -> ScriptSolver:
    """The solver that is believed where there is no certificate, and that the bounded route asks."""
    from encoders.solvers.z3_solver import Z3

    return Z3()


def list_confirming_solvers() -> tuple[Solver, ...]:
    """Those that may be asked to confirm what was proved; who proved it is not asked again."""
    from encoders.solvers.cvc5_solver import Cvc5
    from encoders.solvers.z3_solver import Z3

    return (Z3(), Cvc5())
