"""What became of each obligation of a proof, in the words in which every report tells it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from checks.results.model import ClaimResult
from checks.results.proof import Row, Step
from encoders.answer import Obligation, Result


class Fate(StrEnum):
    """What became of an obligation, in a word."""

    PROVED = "proved"
    FAILED = "fails"
    UNKNOWN = "not decided"
    CONTRADICTION = "disputed"
    UNTRIED = "not tried"
    """The proof stopped before it, at the first that was not proved."""


_FATES = {
    Result.PROVED: Fate.PROVED,
    Result.FAILED: Fate.FAILED,
    Result.UNKNOWN: Fate.UNKNOWN,
    Result.CONTRADICTION: Fate.CONTRADICTION,
}


@dataclass(frozen=True)
class Mark:
    """An obligation as a line shows it. `obligation`: None where it was not tried."""

    label: str
    name: str
    obligation: Obligation | None = None

    @property
    def fate(self) -> Fate:
        """What became of it: proved only if the obligation of that name is."""
        return Fate.UNTRIED if self.obligation is None else _FATES[self.obligation.result]

    @property
    def said(self) -> str:
        """What became of it and by whom: `proved by Z3 and cvc5`, `fails at c = 1, g = 4, found by Z3`."""
        if self.obligation is None:
            return self.fate.value
        by, detail = " and ".join(self.obligation.solvers), self.obligation.detail
        if self.obligation.proved:
            note = f"; {self.obligation.note}" if self.obligation.note else ""
            return self.fate.value + (f" by {by}" if by else "") + note
        if detail.startswith("fails at "):
            return detail + (f", found by {by}" if by else "")
        return f"{self.fate.value}: {detail}" if detail else self.fate.value

    @property
    def seconds(self) -> str:
        """The time it took: `0.03 s`; "" where it took none, having been proved before or not tried."""
        found = 0.0 if self.obligation is None else self.obligation.seconds
        return f"{found:.2f} s" if found >= 0.005 else ""


def find_marks(result: ClaimResult, steps: Iterable[Step]) -> tuple[Mark, ...]:
    """A mark for each step, by the obligation of its name."""
    found = {o.name: o for o in result.obligations}
    return tuple(Mark(step.label, step.name, found.get(step.name)) for step in steps)


def find_ground(result: ClaimResult) -> tuple[Mark, ...]:
    """The obligations that no line is shown by."""
    names = () if result.proof is None else result.proof.ground
    return find_marks(result, (Step(name, name) for name in names))


def find_open(result: ClaimResult, row: Row) -> Mark | None:
    """The obligation of a line that was tried and not proved."""
    return next((m for m in find_marks(result, row.steps) if m.fate not in (Fate.PROVED, Fate.UNTRIED)), None)


def tally(result: ClaimResult) -> str:
    """How many obligations were proved, and by whom: `52 of 52 obligations proved, by Z3`."""
    assert result.proof is not None
    steps = [s for table in result.proof.tables for row in table.rows for s in row.steps]
    marks = (*find_marks(result, steps), *find_ground(result))
    proved = [m for m in marks if m.fate is Fate.PROVED]
    solvers = dict.fromkeys(s for m in proved if m.obligation for s in m.obligation.solvers)
    by = f", by {' and '.join(solvers)}" if solvers else ""
    return f"{len(proved)} of {len(marks)} obligation{'s' * (len(marks) != 1)} proved{by}"
