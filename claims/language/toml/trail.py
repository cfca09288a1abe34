"""The trail of a piece of work: which files and folders it looked at, and what it found there.

Whoever finds the same there again, and asks the same of the same program, comes to the same.  All that a claim is read
from is looked at by the functions of this module and by `claims.language.toml.source.read`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MOST_BYTES = 256 * 1024  # of a file; what is longer is no claim, and none of it matters beyond
NOTHING = ""  # the state of what is not there, or is neither a file nor a folder
UNREADABLE = "unreadable"  # a state that `look` never finds

FILES, FOLDERS = "*.toml", "*"  # names under which it is noted what is in a folder

FileStates = tuple[tuple[str, str], ...]
"""(name as shown to a person, state), each name once, in the order in which they were first looked at."""


class FileRecorder:
    """What was looked at while it was followed. `steady`: nothing had another state when it was looked at again."""

    def __init__(self) -> None:
        self._states: dict[str, str] = {}
        self.steady = True

    @property
    def seen(self) -> FileStates:
        return tuple(self._states.items())

    def note(self, path: Path, state: str) -> None:
        """The path was looked at and had this state."""
        self.steady &= self._states.setdefault(display_path(path), state) == state


_followed: ContextVar[FileRecorder | None] = ContextVar("_followed", default=None)


@contextmanager
def record_files() -> Iterator[FileRecorder]:
    """While it lasts, what is looked at here is noted. A trail within a trail is part of both."""
    outer, trail = _followed.get(), FileRecorder()
    token = _followed.set(trail)
    try:
        yield trail
    finally:
        _followed.reset(token)
        if outer is not None:
            for name, state in trail.seen:
                outer.note(Path(name), state)
            outer.steady &= trail.steady


def note_file(path: Path, data: bytes) -> None:
    """A file was read, and this is the whole of it, or its first MOST_BYTES and more."""
    if (trail := _followed.get()) is not None:
        trail.note(path, _state_of_file(path, data))


def is_file(path: Path) -> bool:
    """Whether there is a file; that there is none may matter as much as what one says."""
    if (trail := _followed.get()) is None:
        return path.is_file()
    state = look(path)
    trail.note(path, state)
    return state.startswith("file")


def list_files(folder: Path) -> tuple[Path, ...]:
    """The files *.toml in a folder, by name; none where it cannot be read."""
    return _list(folder / FILES)


def list_folders(folder: Path) -> tuple[Path, ...]:
    """The folders in a folder, by name; none where it cannot be read."""
    return _list(folder / FOLDERS)


def _list(pattern: Path) -> tuple[Path, ...]:
    try:
        found = _match(pattern)
        state = _state_of_list(pattern, found)
    except OSError:
        found, state = (), UNREADABLE
    if (trail := _followed.get()) is not None:
        trail.note(pattern, state)
    return found


def look(path: Path) -> str:
    """The state of a path now: a digest of what is there, and where that really lies. Raises OSError.

    Of a path that ends in FILES or FOLDERS: what files *.toml, or folders, there are.
    """
    if path.name in (FILES, FOLDERS):
        return _state_of_list(path, _match(path))
    if not path.is_file():
        return NOTHING
    with path.open("rb") as file:
        return _state_of_file(path, file.read(MOST_BYTES + 1))


def _state_of_file(path: Path, data: bytes) -> str:
    return f"file {hashlib.sha256(data[: MOST_BYTES + 1]).hexdigest()} {_real(path)}"


def _match(pattern: Path) -> tuple[Path, ...]:
    inside = sorted(pattern.parent.iterdir())
    return tuple(x for x in inside if (x.suffix == ".toml" if pattern.name == FILES else x.is_dir()))


def _state_of_list(pattern: Path, found: tuple[Path, ...]) -> str:
    names = "\0".join(x.name for x in found)
    return f"list {hashlib.sha256(names.encode('utf-8', 'surrogateescape')).hexdigest()} {_real(pattern.parent)}"


def _real(path: Path) -> str:
    return display_path(Path(os.path.realpath(path)))


@dataclass(frozen=True)
class View:
    """How somebody elsewhere calls files that are looked at here.

    `here`: their working directory.  `moved`: (a folder here, the same folder as it is called there), absolute; the
    first that holds a file counts.  All else is called there as it is here.
    """

    here: Path
    moved: tuple[tuple[Path, Path], ...]

    def translate(self, path: Path) -> Path:
        """What an absolute path is called there."""
        found = next(((ours, theirs) for ours, theirs in self.moved if path.is_relative_to(ours)), None)
        return path if found is None else found[1] / path.relative_to(found[0])


_view: ContextVar[View | None] = ContextVar("_view", default=None)


@contextmanager
def seen_from(view: View) -> Iterator[None]:
    """While it lasts, paths are shown as they are called elsewhere."""
    token = _view.set(view)
    try:
        yield
    finally:
        _view.reset(token)


def take_view() -> View | None:
    """From where paths are seen now, to be handed on to another process."""
    return _view.get()


def keep_view(view: View | None) -> None:
    """Show paths as they are called there, for good: of a process that works for another."""
    _view.set(view)


def display_path(path: Path) -> str:
    """The path as a person would type it: relative to the working directory where it lies below it."""
    if (view := _view.get()) is not None:
        return _relative(view.translate(Path.cwd() / path), view.here)
    return _shown(os.fspath(path), os.getcwd())  # noqa: PTH109 - a text, of which to make a Path takes most of the time


@lru_cache(maxsize=10_000)  # every file that is read is shown, most of them many times
def _shown(path: str, here: str) -> str:
    return _relative(Path(here, path), Path(here))


def _relative(absolute: Path, here: Path) -> str:
    try:
        return absolute.relative_to(here).as_posix()
    except ValueError:  # it lies elsewhere
        return str(absolute)
