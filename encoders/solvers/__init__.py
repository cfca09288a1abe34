"""The solvers, which all implement the protocol `Solver`.

`exact` proves sequents by certificates, which are checked. If it neither proves nor refutes a sequent, `default_solver`
is used. With --second-solver, the solvers of `list_confirming_solvers` must agree. To add a solver, add a module to
this folder, and an entry to `list_confirming_solvers`. A solver is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.solvers.solver import ScriptSolver, Solver


def exact() -> Solver:
    """Return the solver that proves by certificates, that is, by proofs that a short program can check."""
    from encoders.solvers.automaton import NaturalsSolver

    return NaturalsSolver()


def default_solver() -> ScriptSolver:
    """Return the solver that is used if no certificate is found. Its proofs are trusted.

    The bounded route, which asks about the complete scope of a claim, uses it too.
    """
    from encoders.solvers.z3_solver import Z3

    return Z3()


def list_confirming_solvers() -> tuple[Solver, ...]:
    """Return the solvers that may confirm a proof by another solver."""
    from encoders.solvers.cvc5_solver import Cvc5
    from encoders.solvers.z3_solver import Z3

    return (Z3(), Cvc5())
