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
from encoders.logic.solvers.solver import Found, Limits, NotInstalled, Outcome, Solver, refuse_unless_capable

Run = Callable[[Solver, int], Outcome]  # one run of a solver, with a seed


@dataclass(frozen=True)
class Heard:
    """`against`: who says the opposite, "" if nobody does. `confirmed`: who says the same, by name.

    `steady`: none of those asked gave up, and may not the next time.
    """

    against: str = ""
    confirmed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    steady: bool = True


def ask(solver: Solver, sequent: Sequent, limits: Limits) -> Outcome:
    """One run; what the solver cannot read is unknown to it. Raises Unsupported for one that must not be asked."""
    refuse_unless_capable(solver, sequent)
    try:
        return solver.check(sequent, limits)
    except NotInstalled:
        raise
    except Unsupported as error:
        return Outcome(solver.name, Found.UNKNOWN, limits, reason=str(error), incomplete=True)


def hear_seeds(solver: Solver, seeds: Iterable[int], run: Run) -> Heard:
    """What a solver that has proved it says with other seeds."""
    unstable = []
    for seed in seeds:
        found = run(solver, seed).found
        if found is Found.FAILS:
            return Heard(f"{solver.name} with the seed {seed}")
        if found is not Found.PROVED:
            unstable.append(str(seed))
    if not unstable:
        return Heard()
    return Heard(notes=(f"unstable: {solver.name} gives up with seed {', '.join(unstable)}",), steady=False)


def hear_of_proof(others: Iterable[Solver], seed: int, run: Run) -> Heard:
    """What others say of what is proved."""
    confirmed, notes, steady = [], [], True
    for other in others:
        outcome = run(other, seed)
        match outcome.found:
            case Found.FAILS:
                return Heard(other.name)
            case Found.PROVED:
                confirmed.append(other.name)
                notes.append(f"confirmed by {other.name}")
            case Found.BOUNDED:
                notes.append(f"confirmed below 2^{outcome.bounded_to} by {other.name}")
            case Found.UNKNOWN:
                notes.append(f"not confirmed by {other.name}: {outcome.reason}")
                steady = False
    return Heard("", tuple(confirmed), tuple(notes), steady)


def hear_of_failure(
    others: Iterable[Solver], seed: int, run: Run, sequent: Sequent, values: Mapping[str, int | bool]
) -> Heard:
    """What others say of what fails at these values."""
    notes = []
    for other in others:
        outcome = run(other, seed)
        if outcome.found is Found.PROVED:
            return Heard(other.name)
        if outcome.found is Found.BOUNDED:
            assert outcome.bounded_to is not None
            if not _is_beyond(sequent, values, outcome.bounded_to):
                return Heard(other.name)
            notes.append(f"beyond the words of {other.name}, which proves it below 2^{outcome.bounded_to}")
    return Heard(notes=tuple(notes))


def _is_beyond(sequent: Sequent, values: Mapping[str, int | bool], bits: int) -> bool:
    """Whether a number that has no bound on a side has a value there that words of so many bits do not."""
    return any(
        (s.hi is None and values.get(s.name, 0) >= 1 << bits) or (s.lo is None and values.get(s.name, 0) <= -1 << bits)
        for s in sequent.variables
        if s.type != BOOL
    )
