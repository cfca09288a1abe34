"""What a solver is: something that looks for values at which a sequent fails, and may prove that there are none.

Who has no sequent asks one that reads scripts: whether there are values at which all that a script asserts holds.
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

EVALUATION = "evaluation"  # who says so where values show it


class NotInstalled(Unsupported):
    """A solver that was wanted is not there, in words that say how to get it."""


class Capability(Enum):
    """What a solver can reason about."""

    WORDS = "words of 64 bits"
    INTEGERS = "integers without bound"


class SolverStatus(Enum):
    """What one run of a solver came to."""

    PROVED = "proved"
    """There are no values at which all that is asserted holds."""
    FAILS = "fails"
    """There are such values: all that is assumed holds at them, and what is to be shown does not."""
    BOUNDED = "proved below a bound"
    """There are none within a bound that the sequent does not have: of what lies beyond nothing is known."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Limits:
    """What one run may spend. `steps`: the solver's own count, reproducible; `seconds`: None for no limit."""

    steps: int
    seed: int
    seconds: float | None = None


@dataclass(frozen=True)
class SolverResult:
    """What one run found. `values`: of the variables where it fails; `reason`: why it is unknown, or below what bound.

    `plain`: what was asserted is false once it is simplified, so that nothing was left to solve.
    `certificate`: that it is proved, whoever found that.  `used`: as `Solver.used` says, where it is known already.
    `incomplete`: it is unknown since the sequent is beyond what the solver can decide, so that others are worth asking.
    `by_limit`: so it is because a limit of the solver's own was met.
    `bounded_to`: where it is BOUNDED, below which power of 2; as `Script.bounded_to` says.
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
    """What it is worth that no values make true all that the script asserts."""
    if script.bounded_to is None:
        return SolverResult(solver, SolverStatus.PROVED, limits, plain=plain)
    reason = f"proved below 2^{script.bounded_to} only"
    return SolverResult(solver, SolverStatus.BOUNDED, limits, reason=reason, bounded_to=script.bounded_to)


class Solver(Protocol):
    """One solver. A sequent that asks for more than its capabilities is never given to it."""

    name: str
    """How it is called in files, reports and messages."""
    capabilities: frozenset[Capability]

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        """Look for values at which the sequent fails. Raises Unsupported for what it cannot read."""

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        """The places in `sequent.apart` of what its proof makes use of; None if it cannot tell or finds no proof."""


class ScriptSolver(Solver, Protocol):
    """One that reads SMT-LIB, so that it can be asked what is no sequent."""

    def check_script(self, script: Script, limits: Limits) -> SolverResult:
        """Look for values at which all that the script asserts holds. Raises Unsupported for what it cannot read."""


def find_required_capabilities(sequent: Sequent) -> frozenset[Capability]:
    """What a sequent asks for."""
    integers = [s for s in sequent.variables if s.type != BOOL]
    return frozenset(Capability.INTEGERS if s.lo is None or s.hi is None else Capability.WORDS for s in integers)


def refuse_unless_capable(solver: Solver, sequent: Sequent) -> None:
    """Raises Unsupported if the sequent asks for what the solver cannot do."""
    for capability in find_required_capabilities(sequent) - solver.capabilities:
        raise Unsupported(f"{solver.name} does not know {capability.value}")
