"""All faults of a file at once: where whoever reads it is told to gather them, reading goes on behind each.

What is read behind a fault is used by nobody: at its end the first of them is raised.  So nothing that has faults is
ever a claim or a ruleset, whether they are gathered or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from claims.language.ground.errors import ClaimError, NotToml

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


def gathered() -> FaultCollector | None:
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
