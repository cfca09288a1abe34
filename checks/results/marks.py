"""What became of each obligation of a proof, in the words in which every report tells it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from checks.results.model import ClaimResult
from checks.results.proof import ProofRow, Step
from checks.results.verdicts import Verdict
from encoders.answer import Obligation, ObligationStatus


class Fate(StrEnum):
    """What became of an obligation, in a word."""

    PROVED = "proved"
    FAILED = "fails"
    UNKNOWN = "not decided"
    CONTRADICTION = "disputed"
    UNTRIED = "not tried"
    """The proof stopped before it, at the first that was not proved."""


_FATES = {
    ObligationStatus.PROVED: Fate.PROVED,
    ObligationStatus.FAILED: Fate.FAILED,
    ObligationStatus.UNKNOWN: Fate.UNKNOWN,
    ObligationStatus.CONTRADICTION: Fate.CONTRADICTION,
}


@dataclass(frozen=True)
class ObligationMark:
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
            said = self.obligation.note
            note = f"; {said}" if said else ""
            return self.fate.value + (f" by {by}" if by else "") + note
        if detail.startswith("fails at "):
            return detail + (f", found by {by}" if by else "")
        return f"{self.fate.value}: {detail}" if detail else self.fate.value

    @property
    def seconds(self) -> str:
        """The time it took: `0.03 s`; "" where it took none, having been proved before or not tried."""
        found = 0.0 if self.obligation is None else self.obligation.seconds
        return f"{found:.2f} s" if found >= 0.005 else ""


@dataclass(frozen=True)
class Support:
    """What a proof by obligations rests on: so many are certified; with each of the others, by name, who is trusted."""

    certified: int
    trusted: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def words(self) -> str:
        """`52 of 52 obligations certified`, `21 of 22 obligations certified; trusted to Z3: product of naturals`."""
        number = self.certified + len(self.trusted)
        told = f"{self.certified} of {number} obligation{'s' * (number != 1)} certified"
        return told + "".join(f"; trusted to {' and '.join(by)}: {name}" for name, by in self.trusted)


def find_support(result: ClaimResult) -> Support | None:
    """What the proof of a claim rests on; None unless it is proved by obligations."""
    if result.verdict is not Verdict.PROVED or not result.finding.obligations:
        return None
    trusted = tuple((o.name, o.solvers) for o in result.finding.obligations if o.certificate is None)
    return Support(len(result.finding.obligations) - len(trusted), trusted)


def is_theorem(result: ClaimResult) -> bool:
    """Whether a claim that is proved is a theorem of Coq as well."""
    return result.finding.theorem and result.verdict is Verdict.PROVED


def count_certified(results: Iterable[ClaimResult]) -> tuple[int, int]:
    """How many obligations of claims that are proved by them are certified, and how many there are."""
    found = [x for x in map(find_support, results) if x is not None]
    certified = sum(x.certified for x in found)
    return certified, certified + sum(len(x.trusted) for x in found)


def find_marks(result: ClaimResult, steps: Iterable[Step]) -> tuple[ObligationMark, ...]:
    """A mark for each step, by the obligation of its name."""
    found = {o.name: o for o in result.finding.obligations}
    return tuple(ObligationMark(step.label, step.name, found.get(step.name)) for step in steps)


def find_ground(result: ClaimResult) -> tuple[ObligationMark, ...]:
    """The obligations that no line is shown by."""
    names = () if result.presentation.proof is None else result.presentation.proof.ground
    return find_marks(result, (Step(name, name) for name in names))


def find_open(result: ClaimResult, row: ProofRow) -> ObligationMark | None:
    """The obligation of a line that was tried and not proved."""
    return next((m for m in find_marks(result, row.steps) if m.fate not in (Fate.PROVED, Fate.UNTRIED)), None)


def describe_proved(result: ClaimResult) -> str:
    """How many obligations were proved, and by whom: `52 of 52 obligations proved, by Z3`."""
    assert result.presentation.proof is not None
    steps = [s for table in result.presentation.proof.tables for row in table.rows for s in row.steps]
    marks = (*find_marks(result, steps), *find_ground(result))
    proved = [m for m in marks if m.fate is Fate.PROVED]
    solvers = dict.fromkeys(s for m in proved if m.obligation for s in m.obligation.solvers)
    by = f", by {' and '.join(solvers)}" if solvers else ""
    return f"{len(proved)} of {len(marks)} obligation{'s' * (len(marks) != 1)} proved{by}"
