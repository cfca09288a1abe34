"""What is wrong with a file, or odd about it, as one record: for `check`, `run`, report.json and annotations.

The kinds are this closed list.  No other module says which of them is how bad.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum

from checks.results.values import Json
from claims.language.ground.errors import ClaimError, Misspelt, SourceLocation, Step, suggested


class Severity(StrEnum):
    """How bad it is. The values stand in report.json."""

    ERROR = "error"
    """The file cannot be used as it is."""

    WARNING = "warning"
    """A verdict would mean less than it seems to, or the file says what it does not mean."""

    NOTE = "note"
    """Worth a look: it may well be meant."""


class FaultKind(StrEnum):
    """The kinds of faults. The values stand in report.json; `KINDS` says what each is."""

    UNREADABLE = "unreadable"
    MISSPELT = "misspelt"
    NOT_CHECKED = "not-checked"
    UNKNOWN_USES = "unknown-uses"
    CIRCULAR_USES = "circular-uses"
    UNUSED_DEFINITION = "unused-definition"
    UNUSED_VARIABLE = "unused-variable"
    ONE_VALUE = "one-value"
    FEW_CASES = "few-cases"
    NEGATED_TITLE = "negated-title"
    HIDDEN_FUNCTION = "hidden-function"
    CAPTURED_PARAMETER = "captured-parameter"
    PROVABLE = "provable"


KINDS = {
    FaultKind.UNREADABLE: (Severity.ERROR, "what stands there has no meaning, or something is missing"),
    FaultKind.MISSPELT: (Severity.ERROR, "a key, or a word of a closed list, that is not known"),
    FaultKind.NOT_CHECKED: (Severity.ERROR, "a file that takes more time or memory to check than is allowed"),
    FaultKind.UNKNOWN_USES: (Severity.WARNING, "`uses` or `repairs` names what is no claim"),
    FaultKind.CIRCULAR_USES: (Severity.WARNING, "by `uses`, the argument of a work goes in a circle"),
    FaultKind.UNUSED_DEFINITION: (Severity.WARNING, "a definition that nothing calls"),
    FaultKind.UNUSED_VARIABLE: (Severity.WARNING, "a variable that the claim does not mention"),
    FaultKind.ONE_VALUE: (Severity.WARNING, "a scope that leaves a variable one value"),
    FaultKind.FEW_CASES: (
        Severity.WARNING,
        "hypotheses that hold at fewer than one in a hundred cases of the scope, of a claim without a proof",
    ),
    FaultKind.NEGATED_TITLE: (Severity.WARNING, "a title that denies what the file claims and expects to be false"),
    FaultKind.HIDDEN_FUNCTION: (Severity.WARNING, "a definition with the name of a function of the language"),
    FaultKind.CAPTURED_PARAMETER: (Severity.NOTE, "a variable that is a parameter of the game by its name alone"),
    FaultKind.PROVABLE: (Severity.NOTE, "a rule of proof, or lemmas, that might prove a claim without a proof"),
}
"""How bad each is, and what it is."""


@dataclass(frozen=True)
class FaultCall:
    """One step from a fault towards what led to it, as "in f(Int), called at"."""

    how: str
    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Fault:
    """One fault. `line` and `column` count from 1, and are 0 where none is known; `width` characters are at fault.

    `text`: the line.  `key`: of the value, dotted, as in claim.then.  `suggested`: what was probably meant instead of
    what is at fault, or "".  `calls`: from the fault outwards, what led there.
    """

    kind: FaultKind
    file: str
    message: str
    expected: str = ""
    suggested: str = ""
    line: int = 0
    column: int = 0
    width: int = 1
    text: str = ""
    key: str = ""
    calls: tuple[FaultCall, ...] = ()

    @property
    def severity(self) -> Severity:
        return KINDS[self.kind][0]

    @property
    def told(self) -> str:
        """What is wrong and what was expected, without the place."""
        expected = f"\nexpected: {self.expected}{suggested(self.suggested)}" if self.expected else ""
        return self.message + expected

    def __str__(self) -> str:
        """The whole text for a person, as a compiler writes it."""
        steps = tuple(_step(cause) for cause in self.calls)
        word = "" if self.severity is Severity.ERROR else f"{self.severity.value}: "
        return str(ClaimError(self._place, word + self.message, self.expected, steps, self.suggested))

    @property
    def _place(self) -> SourceLocation:
        return SourceLocation(self.file, self.line, self.column, self.width, self.text, self.key)

    def to_data(self) -> dict[str, Json]:
        """As JSON has it."""
        calls: list[Json] = [dict(asdict(cause)) for cause in self.calls]
        return {"severity": self.severity.value, **asdict(self), "kind": self.kind.value, "calls": calls}


def fault_of(error: ClaimError) -> Fault:
    """The record of an error of a claim file, ruleset, definitions or works."""
    calls = tuple(FaultCall(how, at.file, at.line, at.column, at.text) for how, at in error.calls)
    kind = FaultKind.MISSPELT if isinstance(error, Misspelt) else FaultKind.UNREADABLE
    return make_fault(kind, error.place, error.message, error.expected, error.near, calls)


def make_fault(
    kind: FaultKind,
    place: SourceLocation,
    message: str,
    expected: str = "",
    suggested: str = "",
    calls: tuple[FaultCall, ...] = (),
) -> Fault:
    """A fault at a place."""
    where = (place.line, place.column, place.width, place.text, place.key)
    return Fault(kind, place.file, message, expected, suggested, *where, calls)


def _step(cause: FaultCall) -> Step:
    return cause.how, SourceLocation(cause.file, cause.line, cause.column, 1, cause.text)


def deduplicate(faults: Iterable[Fault]) -> Iterator[Fault]:
    """Each fault once: what is said of a line is said of all claims that are read from it."""
    seen = set[tuple[object, ...]]()
    for fault in faults:
        key = (fault.file, fault.line, fault.column, fault.kind, fault.message)
        if key not in seen:
            seen.add(key)
            yield fault
