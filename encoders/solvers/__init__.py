"""The solvers, behind the protocol `Solver`.

`exact` proves by certificates. Sequents beyond it go to `default_solver`. With --second-solver, the solvers of
`list_confirming_solvers` must agree. To add a solver, add a module here and an entry there. Each solver is loaded at
its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.solvers.solver import ScriptSolver, Solver


def exact() -> Solver:
    """Return the solver whose proofs are certificates."""
    from encoders.solvers.automaton import NaturalsSolver

    return NaturalsSolver()


def default_solver() -> ScriptSolver:
    """Return the solver that is trusted if there is no certificate. The bounded route uses it too."""
    from encoders.solvers.z3_solver import Z3

    return Z3()


def list_confirming_solvers() -> tuple[Solver, ...]:
    """Return the solvers that may confirm a proof. The solver that found the proof is skipped."""
    from encoders.solvers.cvc5_solver import Cvc5
    from encoders.solvers.z3_solver import Z3

    return (Z3(), Cvc5())
