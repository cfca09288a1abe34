"""Errors in claim files, each with its location, and the collection of all errors of one file.

What a reader of a claim file is told when it cannot be used: where, what was met, what was expected.

Every rejection of a file is a `ClaimError`.  It carries a place in the file and prints like a compiler:

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
MAX_WIDTH = 110  # characters shown of a line; of a longer one, the part around the fault
MAX_QUOTED = 60  # characters of a value in a message
MAX_CALLS = 3  # definitions between the fault and the claim that are shown


@dataclass(frozen=True)
class CallStep:
    """A call on the way to a fault: `head` is the definition that was called, with the types of its arguments.

    `start` and `end` are the offsets of the call into the text under the key `where` (empty: not known yet).
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
    """A fault inside one expression: `start` and `end` are offsets into its text (0-based, end exclusive)."""

    def __init__(self, message: str, expected: str, start: int, end: int, near: str = "") -> None:
        super().__init__(message)
        self.message, self.expected, self.start, self.end = message, expected, start, max(end, start + 1)
        self.near = near  # what was probably meant instead of the text there, "" for nothing
        self.where: tuple[str, ...] = ()  # the key, in the file, of the text the offsets are into; () until known
        self.trail: tuple[CallStep, ...] = ()  # from the fault outwards: the calls of definitions that led to it

    def shift(self, offset: int) -> None:
        """The text that was read begins at `offset` of a longer one: move the offsets into that."""
        if not self.where:
            self.start, self.end = self.start + offset, self.end + offset
        self.trail = tuple(s if s.where else CallStep(s.head, (), s.start + offset, s.end + offset) for s in self.trail)


@dataclass(frozen=True)
class SourceLocation:
    """A place in a file: line and column count from 1; `width` characters are marked."""

    file: str
    line: int = 0
    column: int = 0
    width: int = 1
    text: str = ""
    key: str = field(default="", compare=False)  # of the value, dotted, as in claim.then

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def show_line(self) -> list[str]:
        """The line with a caret under the place, or nothing where no line is known."""
        if not self.text:
            return []
        at, width, text = self.column - 1, max(1, self.width), self.text
        if len(text) > MAX_WIDTH:
            cut = max(0, min(at - MAX_WIDTH // 2, len(text) - MAX_WIDTH))
            before, after = "..." if cut else "", "..." if cut + MAX_WIDTH < len(text) else ""
            width = min(width, cut + MAX_WIDTH - at)
            text, at = before + text[cut : cut + MAX_WIDTH] + after, at - cut + len(before)
        # What a terminal would obey, not show, is replaced.
        text = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
        marked = text[at : at + width]
        # Tabs are kept and wide characters counted twice, so that the caret stands under its text in a terminal.
        indent = "".join(c if c == "\t" else " " * _columns(c) for c in text[:at])
        return ["  " + text, "  " + indent + "^" * max(1, _columns(marked))]


class UnknownName(LanguageError):
    """A name that stands for nothing there."""

    def __init__(self, name: str, message: str, expected: str, start: int, end: int, near: str = "") -> None:
        super().__init__(message, expected, start, end, near)
        self.name = name


Step = tuple[str, SourceLocation]
"""How a fault was come to, and where."""


class CircleError(LanguageError):
    """A definition that leads back to itself: the message names the calls."""


class ClaimError(NimChecksError):
    """A claim or ruleset file that cannot be used. `str(error)` is the whole text for a person.

    `calls` says, from the fault outwards, what led there: ("in f(Int), called at", place).  `near`: what was probably
    meant instead of what stands at the place, "" for nothing.
    """

    def __init__(
        self, place: SourceLocation, message: str, expected: str = "", calls: tuple[Step, ...] = (), near: str = ""
    ) -> None:
        super().__init__(message)
        self.place, self.message, self.expected, self.calls, self.near = place, message, expected, calls, near

    def __reduce__(self) -> tuple[type[ClaimError], tuple[SourceLocation, str, str, tuple[Step, ...], str]]:
        return type(self), (self.place, self.message, self.expected, self.calls, self.near)

    def add_calls(self, *calls: Step) -> ClaimError:
        """The same fault, and what led to what led there."""
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
    """A key, or a word of a closed list, that is not known: where it has a `near` one, that was meant."""


class NotToml(ClaimError):
    """A syntax error: the file is not TOML. Other faults of the file may follow from it, so it is told first."""


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def quote(value: object) -> str:
    r"""A value as it stands in a message: short, and without control characters.

    >>> quote(chr(27)), quote([1, 2]), len(quote("x" * 99))
    ("'\\x1b'", '[1, 2]', 63)
    """
    text = ascii(value)
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."


def suggest_nearest(word: str, choices: Iterable[str]) -> str:
    """'; did you mean ...?' for the nearest of `choices`, or an empty string.

    >>> suggest_nearest("nim_sm", ["nim_sum", "sum"])
    "; did you mean 'nim_sum'?"
    """
    return format_suggestion(find_closest(word, choices))


def find_closest(word: str, choices: Iterable[str]) -> str:
    """The nearest of `choices`, or an empty string.

    >>> find_closest("nim_sm", ["nim_sum", "sum"])
    'nim_sum'
    """
    import difflib

    close = difflib.get_close_matches(word, list(choices), n=1, cutoff=0.6)
    return close[0] if close else ""


def format_suggestion(near: str) -> str:
    """The words that suggest it, none for "".

    >>> format_suggestion("nim_sum")
    "; did you mean 'nim_sum'?"
    """
    return f"; did you mean '{near}'?" if near else ""


def join_words(words: Iterable[str], limit: int = 12) -> str:
    """The words in a row for "one of ...", the first `limit` of them.

    >>> join_words("abc"), join_words("abc", 2)
    ('a, b, c', 'a, b, ...')
    """
    found = list(words)
    return ", ".join(found[:limit]) + (", ..." if len(found) > limit else "")


def format_count(number: int, noun: str) -> str:
    """The number and the noun, in the plural where it must be.

    >>> format_count(1, "argument"), format_count(0, "argument")
    ('1 argument', '0 arguments')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def describe_circle(circle: tuple[str, ...]) -> str:
    """Claims each of which rests on the next, and the last on the first, in words.

    >>> describe_circle(("a", "b")), describe_circle(("a",))
    ('the argument goes in a circle: a rests on b, b on a', 'the argument goes in a circle: a rests on itself')
    """
    if len(circle) == 1:
        return f"the argument goes in a circle: {circle[0]} rests on itself"
    first, *rest = zip(circle, (*circle[1:], circle[0]), strict=True)
    return f"the argument goes in a circle: {first[0]} rests on {first[1]}, " + ", ".join(
        f"{a} on {b}" for a, b in rest
    )


def escape_invisible(text: str) -> str:
    r"""The text with control characters, and those that reorder or hide what stands beside them, spelt out.

    >>> escape_invisible("a\u202eb"), escape_invisible("K-L-Nim, 2 ⊕ 3")
    ('a\\u202eb', 'K-L-Nim, 2 ⊕ 3')
    """
    if text.isprintable():  # none of them is
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


# == gathering ========================================================================================================
# All faults of a file at once: where whoever reads it is told to gather them, reading goes on behind each.
#
# What is read behind a fault is used by nobody: at its end the first of them is raised.  So nothing that has faults is
# ever a claim or a ruleset, whether they are gathered or not.
ANYTHING = "*"  # is lost where a name may be missing that nobody knows, as those of a ruleset that cannot be read

_T = TypeVar("_T")
_U = TypeVar("_U")


class FollowOnFault(ClaimError):
    """A fault that is there only because of another one: what is mentioned was at fault itself. It is never told."""


class FaultCollector:
    """The faults met so far, each once.

    `lost`: names and keys that were at fault, whose absence is no news.  `holes`: how often something else was read in
    place of what was at fault.
    """

    def __init__(self) -> None:
        self._faults: dict[tuple[object, str], ClaimError] = {}
        self.lost: set[str] = set()
        self.holes = 0

    @property
    def faults(self) -> tuple[ClaimError, ...]:
        """Syntax errors of TOML first; then the others in the order of the lines, file by file."""
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
    """While it lasts, faults are gathered there; None: each is raised where it is met, as without it."""
    token = _gathered.set(found)
    try:
        yield
    finally:
        _gathered.reset(token)


def get_fault_collector() -> FaultCollector | None:
    """Where faults are gathered now, None where they are raised."""
    return _gathered.get()


def report_fault(error: ClaimError) -> None:
    """Raise a fault behind which reading can go on, or gather it."""
    if (found := _gathered.get()) is None:
        raise error
    found.add(error)


def attempt(work: Callable[[], _T], instead: _U, *names: str) -> _T | _U:
    """The result of `work`; where faults are gathered and it has one, `instead`, and what has these names is lost.

    A fault behind a hole is not told: it may be one of what was put there.
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
    """What has these names cannot be read; nothing where faults are raised, for one was."""
    if (found := _gathered.get()) is not None:
        found.lost.update(names)


def is_unreadable(name: str) -> bool:
    """Whether what has this name, or is under this key, was at fault itself, or may have been."""
    found = _gathered.get()
    return found is not None and found.is_lost(name)


def is_whole() -> bool:
    """Whether nothing is lost, and nothing else stands in place of what was at fault."""
    found = _gathered.get()
    return found is None or not (found.lost or found.holes)


def conclude() -> None:
    """Raise the first of the faults that were gathered, if there are any: nothing is made of what was read."""
    found = _gathered.get()
    if found is not None and found.faults:
        raise found.faults[0]
