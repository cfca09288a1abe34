"""The interface of solvers. A solver searches for values at which a sequent is false, or proves that there are none.

A sequent consists of variables, premises and a conclusion. Some solvers also accept SMT-LIB scripts; they search for
values that satisfy all assertions of a script.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from claims.language.syntax.terms import BOOL
from encoders.logic.certificates import Certificate
from encoders.logic.sequents import Sequent
from encoders.logic.smt import Script
from encoders.refusals import Unsupported

EVALUATION = "evaluation"  # the name of the solver if evaluation shows a counterexample


class NotInstalled(Unsupported):
    """The requested solver is not installed. The message says how to install it."""


class Capability(Enum):
    """A theory that some sequents require and that a solver may support."""

    WORDS = "words of 64 bits"
    INTEGERS = "integers without bound"


class SolverStatus(Enum):
    """The result of one run of a solver."""

    PROVED = "proved"
    """There are no values that satisfy all assertions."""
    FAILS = "fails"
    """Some values satisfy all assertions. They make all premises true and the conclusion false."""
    BOUNDED = "proved below a bound"
    """There are no values below an added bound that satisfy all assertions. Larger values were not examined."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Limits:
    """The limits of one run of a solver, and its random seed.

    `steps`: a limit in steps that the solver counts, which is reproducible.
    `seconds`: a limit of CPU time of this process; None for no limit.
    """

    steps: int
    seed: int
    seconds: float | None = None


@dataclass(frozen=True)
class SolverResult:
    """The result of one run of a solver.

    `solver`: the name of the solver; "evaluation" if evaluation confirmed a counterexample.
    `values`: values of the variables at which the sequent is false.
    `reason`: the reason why the result is unknown or bounded.
    `out_of_steps`: whether the run reached the limit of steps.
    `plain`: whether the assertions simplify to false without a search.
    `certificate`: a proof that can be checked without a solver.
    `used`: the result of `Solver.find_used_premises`, if it is already known.
    `incomplete`: whether the solver cannot decide sequents of this kind, so that other solvers should be tried.
    `by_limit`: whether the solver reached its own limit.
    `bounded_to`: the exponent n if the sequent is proved only below 2^n; otherwise None.
    """

    solver: str
    found: SolverStatus
    limits: Limits
    values: Mapping[str, int | bool] = field(default_factory=dict)
    reason: str = ""
    out_of_steps: bool = False
    plain: bool = False
    certificate: Certificate | None = None
    used: frozenset[int] | None = None
    incomplete: bool = False
    by_limit: bool = False
    bounded_to: int | None = None


def report_unsatisfiable(solver: str, script: Script, limits: Limits, plain: bool = False) -> SolverResult:
    """Return the result for a script without a solution: PROVED, or BOUNDED if the script adds bounds of variables.

    `plain`: whether the assertions simplify to false without a search.
    """
    if script.bounded_to is None:
        return SolverResult(solver, SolverStatus.PROVED, limits, plain=plain)
    reason = f"proved below 2^{script.bounded_to} only"
    return SolverResult(solver, SolverStatus.BOUNDED, limits, reason=reason, bounded_to=script.bounded_to)


class Solver(Protocol):
    """A program that proves or refutes sequents, each of which consists of premises and a conclusion.

    It is used only for sequents whose required capabilities it has.
    """

    name: str
    """The name of the solver in files, reports and messages."""
    capabilities: frozenset[Capability]

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        """Search for values at which the sequent is false, and return the result.

        Raises Unsupported for a sequent that the solver cannot read.
        """

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        """Return the indices of the tracked premises (hypotheses and lemmas) that a proof of the sequent uses.

        Return None if no proof is found, or if the solver does not find the indices.
        """


class ScriptSolver(Solver, Protocol):
    """A solver that also accepts SMT-LIB scripts, so it can answer queries that are not sequents."""

    def check_script(self, script: Script, limits: Limits) -> SolverResult:
        """Search for values that satisfy all assertions of the script, and return the result.

        Raises Unsupported for a script that the solver cannot read.
        """


def find_required_capabilities(sequent: Sequent) -> frozenset[Capability]:
    """Return the capabilities that a solver needs for a sequent: integers without bound, or only words of 64 bits.

    A sequent without integer variables requires none.
    """
    integers = [s for s in sequent.variables if s.type != BOOL]
    return frozenset(Capability.INTEGERS if s.lo is None or s.hi is None else Capability.WORDS for s in integers)


def refuse_unless_capable(solver: Solver, sequent: Sequent) -> None:
    """Raise Unsupported if the sequent requires a capability that the solver lacks."""
    for capability in find_required_capabilities(sequent) - solver.capabilities:
        raise Unsupported(f"{solver.name} does not support {capability.value}")
