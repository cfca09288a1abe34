"""Whether solvers agree on an obligation that one of them has settled.

They are asked about it as it stands.  One that reads words of so many bits says nothing of larger numbers: it confirms
below its bound, and contradicts no counterexample beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from claims.language.terms.types import BOOL
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Sequent
from encoders.logic.solvers.solver import (
    Limits,
    NotInstalled,
    Solver,
    SolverResult,
    SolverStatus,
    refuse_unless_capable,
)

Run = Callable[[Solver, int], SolverResult]  # one run of a solver, with a seed


@dataclass(frozen=True)
class CrossCheck:
    """`against`: who says the opposite, "" if nobody does. `confirmed`: who says the same, by name.

    `steady`: none of those asked gave up, and may not the next time.
    """

    against: str = ""
    confirmed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    steady: bool = True


def ask(solver: Solver, sequent: Sequent, limits: Limits) -> SolverResult:
    """One run; what the solver cannot read is unknown to it. Raises Unsupported for one that must not be asked."""
    refuse_unless_capable(solver, sequent)
    try:
        return solver.check(sequent, limits)
    except NotInstalled:
        raise
    except Unsupported as error:
        return SolverResult(solver.name, SolverStatus.UNKNOWN, limits, reason=str(error), incomplete=True)


def hear_seeds(solver: Solver, seeds: Iterable[int], run: Run) -> CrossCheck:
    """What a solver that has proved it says with other seeds."""
    unstable = []
    for seed in seeds:
        found = run(solver, seed).found
        if found is SolverStatus.FAILS:
            return CrossCheck(f"{solver.name} with the seed {seed}")
        if found is not SolverStatus.PROVED:
            unstable.append(str(seed))
    if not unstable:
        return CrossCheck()
    return CrossCheck(notes=(f"unstable: {solver.name} gives up with seed {', '.join(unstable)}",), steady=False)


def cross_check_proof(others: Iterable[Solver], seed: int, run: Run) -> CrossCheck:
    """What others say of what is proved."""
    confirmed, notes, steady = [], [], True
    for other in others:
        outcome = run(other, seed)
        match outcome.found:
            case SolverStatus.FAILS:
                return CrossCheck(other.name)
            case SolverStatus.PROVED:
                confirmed.append(other.name)
                notes.append(f"confirmed by {other.name}")
            case SolverStatus.BOUNDED:
                notes.append(f"confirmed below 2^{outcome.bounded_to} by {other.name}")
            case SolverStatus.UNKNOWN:
                notes.append(f"not confirmed by {other.name}: {outcome.reason}")
                steady = False
    return CrossCheck("", tuple(confirmed), tuple(notes), steady)


def hear_of_failure(
    others: Iterable[Solver], seed: int, run: Run, sequent: Sequent, values: Mapping[str, int | bool]
) -> CrossCheck:
    """What others say of what fails at these values."""
    notes = []
    for other in others:
        outcome = run(other, seed)
        if outcome.found is SolverStatus.PROVED:
            return CrossCheck(other.name)
        if outcome.found is SolverStatus.BOUNDED:
            assert outcome.bounded_to is not None
            if not _is_beyond(sequent, values, outcome.bounded_to):
                return CrossCheck(other.name)
            notes.append(f"beyond the words of {other.name}, which proves it below 2^{outcome.bounded_to}")
    return CrossCheck(notes=tuple(notes))


def _is_beyond(sequent: Sequent, values: Mapping[str, int | bool], bits: int) -> bool:
    """Whether a number that has no bound on a side has a value there that words of so many bits do not."""
    return any(
        (s.hi is None and values.get(s.name, 0) >= 1 << bits) or (s.lo is None and values.get(s.name, 0) <= -1 << bits)
        for s in sequent.variables
        if s.type != BOOL
    )
