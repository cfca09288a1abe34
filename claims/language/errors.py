"""Errors in claim files, each with its location, and the collection of all errors of one file.

Every error that rejects a file is a `ClaimError`. It names a place in the file and is printed like the message of a
compiler:

    claims/kl-nim/lemma-11.toml:21:17: unknown name 'nim_sm'
      then = "any(nim_sm(t) == 0 for t in options(s, P2))"
                  ^^^^^^
    expected: a variable, a definition or a function of the language; did you mean 'nim_sum'?
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

# == errors ===========================================================================================================
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)
MAX_WIDTH = 110  # characters of a line that a message shows; it cuts a longer line around the fault
MAX_QUOTED = 60  # characters of a value that a message shows
MAX_CALLS = 3  # calls between the fault and the claim that a message shows


@dataclass(frozen=True)
class CallStep:
    """A call of a definition whose body contains a fault, or contains a further call that leads to the fault.

    `head`: the called definition with the types of its arguments, such as "f(Int)".
    `where`: the key of the text that contains the call; empty until the key is known.
    `start`, `end`: the offsets of the call in that text.
    """

    head: str
    where: tuple[str, ...]
    start: int
    end: int

    @property
    def how(self) -> str:
        return f"in {self.head}, called at"


class NimChecksError(Exception):
    """The root of every exception class of the four packages."""

    def __str__(self) -> str:
        return escape_invisible(super().__str__())


class LanguageError(NimChecksError):
    """A fault inside one expression. `start`, `end`: offsets in the text of the expression (0-based, end exclusive)."""

    def __init__(self, message: str, expected: str, start: int, end: int, near: str = "") -> None:
        super().__init__(message)
        self.message, self.expected, self.start, self.end = message, expected, start, max(end, start + 1)
        self.near = near  # the closest valid name; "" if there is none
        self.where: tuple[str, ...] = ()  # the key of the text that the offsets refer to; () until it is known
        self.trail: tuple[CallStep, ...] = ()  # the calls of definitions that lead to the fault, innermost first

    def shift(self, offset: int) -> None:
        """Move the fault and its calls by `offset`, because the parsed text begins at `offset` of a longer text.

        An offset whose `where` is known already refers to the longer text, so it does not change.
        """
        if not self.where:
            self.start, self.end = self.start + offset, self.end + offset
        self.trail = tuple(s if s.where else CallStep(s.head, (), s.start + offset, s.end + offset) for s in self.trail)


@dataclass(frozen=True)
class SourceLocation:
    """A place in a file.

    `line`, `column`: counted from 1. Line 0 means that only the file is known.
    `width`: the number of characters that a message marks.
    `text`: the content of the line, or "" if it is unknown.
    `key`: the dotted key of the TOML value at this place, such as "claim.then"; "" if it is unknown.
    """

    file: str
    line: int = 0
    column: int = 0
    width: int = 1
    text: str = ""
    key: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def show_line(self) -> list[str]:
        """Return two lines for a message: the line in the file, and carets under the place. [] if the line is unknown.

        A long line is cut.
        """
        if not self.text:
            return []
        at, width, text = self.column - 1, max(1, self.width), self.text
        if len(text) > MAX_WIDTH:
            cut = max(0, min(at - MAX_WIDTH // 2, len(text) - MAX_WIDTH))
            before, after = "..." if cut else "", "..." if cut + MAX_WIDTH < len(text) else ""
            width = min(width, cut + MAX_WIDTH - at)
            text, at = before + text[cut : cut + MAX_WIDTH] + after, at - cut + len(before)
        # Replace characters that a terminal would execute instead of showing them.
        text = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
        marked = text[at : at + width]
        # Keep tabs and count wide characters twice, so that a terminal shows the caret under its text.
        indent = "".join(c if c == "\t" else " " * _columns(c) for c in text[:at])
        return ["  " + text, "  " + indent + "^" * max(1, _columns(marked))]


class UnknownName(LanguageError):
    """An error: an expression uses a name that has no meaning at this place."""

    def __init__(self, name: str, message: str, expected: str, start: int, end: int, near: str = "") -> None:
        super().__init__(message, expected, start, end, near)
        self.name = name


Step = tuple[str, SourceLocation]
"""(a description of one step towards a fault, its place)"""


class CircleError(LanguageError):
    """An error: a definition calls itself, directly or through other definitions. The message lists the calls."""


class ClaimError(NimChecksError):
    """An error in a claim or ruleset file. `str(error)` is the complete message for the user.

    `place`, `message`, `expected`: the place of the fault, the problem, and the text that the file should contain.
    `calls`: the calls that lead to the fault, innermost first, each as ("in f(Int), called at", place).
    `near`: the closest valid name, or "".
    """

    def __init__(
        self, place: SourceLocation, message: str, expected: str = "", calls: tuple[Step, ...] = (), near: str = ""
    ) -> None:
        super().__init__(message)
        self.place, self.message, self.expected, self.calls, self.near = place, message, expected, calls, near

    def __reduce__(self) -> tuple[type[ClaimError], tuple[SourceLocation, str, str, tuple[Step, ...], str]]:
        return type(self), (self.place, self.message, self.expected, self.calls, self.near)

    def add_calls(self, *calls: Step) -> ClaimError:
        """Return a copy of this error with these outer calls appended to its `calls`."""
        return type(self)(self.place, self.message, self.expected, (*self.calls, *calls), self.near)

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.message}", *self.place.show_line()]
        if self.expected:
            lines.append(f"expected: {self.expected}{format_suggestion(self.near)}")
        shown = self.calls if len(self.calls) <= MAX_CALLS else (*self.calls[: MAX_CALLS - 1], self.calls[-1])
        for how, place in shown:
            lines += [f"{how} {place}", *place.show_line()]
        return escape_invisible("\n".join(lines))


class Misspelt(ClaimError):
    """An error: a key is unknown, or a value is not in a fixed list of words. `near`: the closest valid word, or ""."""


class NotToml(ClaimError):
    """A syntax error of TOML. It can cause other faults in the same file, so it is reported first."""


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def quote(value: object) -> str:
    r"""Return the text of a value for a message: short, and without control characters.

    >>> quote(chr(27)), quote([1, 2]), len(quote("x" * 99))
    ("'\\x1b'", '[1, 2]', 63)
    """
    text = ascii(value)
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."


def suggest_nearest(word: str, choices: Iterable[str]) -> str:
    """Return '; did you mean ...?' with the word of `choices` that is most similar to `word`; "" if none is similar.

    >>> suggest_nearest("nim_sm", ["nim_sum", "sum"])
    "; did you mean 'nim_sum'?"
    """
    return format_suggestion(find_closest(word, choices))


def find_closest(word: str, choices: Iterable[str]) -> str:
    """Return the word of `choices` that is most similar to `word`; "" if none is similar.

    >>> find_closest("nim_sm", ["nim_sum", "sum"])
    'nim_sum'
    """
    import difflib

    close = difflib.get_close_matches(word, list(choices), n=1, cutoff=0.6)
    return close[0] if close else ""


def format_suggestion(near: str) -> str:
    """Return the suggestion of a valid name, for the end of a message; "" if `near` is "".

    >>> format_suggestion("nim_sum")
    "; did you mean 'nim_sum'?"
    """
    return f"; did you mean '{near}'?" if near else ""


def join_words(words: Iterable[str], limit: int = 12) -> str:
    """Join the first `limit` words with commas, and add "..." if there are more.

    >>> join_words("abc"), join_words("abc", 2)
    ('a, b, c', 'a, b, ...')
    """
    found = list(words)
    return ", ".join(found[:limit]) + (", ..." if len(found) > limit else "")


def format_count(number: int, noun: str) -> str:
    """Return the number and the noun, with a plural "s" unless the number is 1.

    >>> format_count(1, "argument"), format_count(0, "argument")
    ('1 argument', '0 arguments')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def describe_circle(circle: tuple[str, ...]) -> str:
    """Describe a circle of claims: each depends on the next, and the last on the first.

    >>> describe_circle(("a", "b")), describe_circle(("a",))
    ('circular argument: a rests on b, b on a', 'circular argument: a rests on itself')
    """
    if len(circle) == 1:
        return f"circular argument: {circle[0]} rests on itself"
    first, *rest = zip(circle, (*circle[1:], circle[0]), strict=True)
    return f"circular argument: {first[0]} rests on {first[1]}, " + ", ".join(f"{a} on {b}" for a, b in rest)


def escape_invisible(text: str) -> str:
    r"""Escape control characters, and characters that hide or reorder the text around them.

    >>> escape_invisible("a\u202eb"), escape_invisible("K-L-Nim, 2 ⊕ 3")
    ('a\\u202eb', 'K-L-Nim, 2 ⊕ 3')
    """
    if text.isprintable():  # no unsafe character is printable
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


# == gathering ========================================================================================================
# A caller can collect all faults of a file in a `FaultCollector`. Reading then continues after a fault, with a
# substitute for the invalid part.
#
# Nothing uses a result with a substitute: `conclude` raises the first fault at the end. So an invalid file never
# becomes a claim or a ruleset, whether the faults are collected or not.
ANYTHING = "*"  # in `lost`: any name may be missing, as when a ruleset cannot be read

_T = TypeVar("_T")
_U = TypeVar("_U")


class FollowOnFault(ClaimError):
    """A fault that only follows from an earlier fault, such as the use of a name whose definition is invalid.

    `FaultCollector.add` ignores it, because the earlier fault is reported already.
    """


class FaultCollector:
    """A collection of the faults that are found while a file is read, each once.

    `lost`: the names and keys of the parts that could not be read. The use of such a name is not a further fault.
    `holes`: the number of invalid expressions that were replaced by a substitute, so that reading could continue.
    """

    def __init__(self) -> None:
        self._faults: dict[tuple[object, str], ClaimError] = {}
        self.lost: set[str] = set()
        self.holes = 0

    @property
    def faults(self) -> tuple[ClaimError, ...]:
        """The collected faults: first the syntax errors of TOML, then the others.

        Within each group, the faults of one file are together, sorted by line and column. A file comes before another
        one if its first fault was collected earlier.
        """
        files = {error.place.file: None for error in self._faults.values()}
        order = {file: number for number, file in enumerate(files)}

        def rank(error: ClaimError) -> tuple[bool, int, int, int]:
            place = error.place
            return not isinstance(error, NotToml), order[place.file], place.line, place.column

        return tuple(sorted(self._faults.values(), key=rank))

    def add(self, error: ClaimError) -> None:
        if not isinstance(error, FollowOnFault):
            self._faults.setdefault((error.place, error.message), error)

    def is_lost(self, name: str) -> bool:
        return name in self.lost or ANYTHING in self.lost


_gathered: ContextVar[FaultCollector | None] = ContextVar("_gathered", default=None)


@contextmanager
def collect_faults(found: FaultCollector | None) -> Iterator[None]:
    """Collect the faults inside the `with` block in `found`. If `found` is None, raise each fault where it occurs."""
    token = _gathered.set(found)
    try:
        yield
    finally:
        _gathered.reset(token)


def get_fault_collector() -> FaultCollector | None:
    """Return the collector of the enclosing `collect_faults`, or None if faults are raised at once."""
    return _gathered.get()


def report_fault(error: ClaimError) -> None:
    """Add a fault to the collector in use, so that reading can continue. Without a collector, raise the fault."""
    if (found := _gathered.get()) is None:
        raise error
    found.add(error)


def attempt(work: Callable[[], _T], instead: _U, *names: str) -> _T | _U:
    """Return the result of `work()`. Without a collector, its ClaimError is raised as usual.

    With a collector, a ClaimError of `work` is collected. The result is then `instead`, and `names` are marked as lost.
    The error is not collected if `work` replaced an invalid expression by a substitute, because the substitute may
    have caused the error.
    """
    if (found := _gathered.get()) is None:
        return work()
    holes = found.holes
    try:
        return work()
    except ClaimError as error:
        if found.holes == holes:
            found.add(error)
        found.lost.update(names)
        return instead


def mark_unreadable(*names: str) -> None:
    """Record that the values with these names or keys could not be read, so that their use is not a further fault.

    Without a collector this does nothing, because the first fault ends the reading.
    """
    if (found := _gathered.get()) is not None:
        found.lost.update(names)


def is_unreadable(name: str) -> bool:
    """Return whether the value with this name or key could not be read; also True if any name may be missing.

    The result is False without a collector.
    """
    found = _gathered.get()
    return found is not None and found.is_lost(name)


def is_whole() -> bool:
    """Return False if faults are collected and some value is missing or replaced by a substitute; otherwise True."""
    found = _gathered.get()
    return found is None or not (found.lost or found.holes)


def conclude() -> None:
    """Raise the first collected fault. Do nothing if no fault was collected, or if there is no collector."""
    found = _gathered.get()
    if found is not None and found.faults:
        raise found.faults[0]
