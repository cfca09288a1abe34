"""Which claims depend on changed files: by what each claim looks at when it is read, as the cache knows it.

A claim looks at its file, its rulesets, shared definitions, lemmas and proofs that it takes over, and at places where
one of these could stand and does not.  So a file that is new, or is gone, concerns the claims that looked for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from claims.language.ground.errors import ClaimError
from claims.language.ground.gathering import collect_faults
from claims.language.library.entries import Entry, is_claim, select
from claims.language.toml.trail import FILES, FOLDERS, record_files
from encoders.proving.reading import load_claim

PASSED_OVER = frozenset({"node_modules", "site-packages", "__pycache__"})
"""Folders in which no claims of one's own lie; so are those whose names begin with a dot."""


def select_dependents(changed: Iterable[str], folder: Path) -> tuple[Entry, ...]:
    """The claims below a folder that depend on one of these files, whether it is there or not; in their usual order.

    A claim that cannot be read depends on all that was looked at until then.
    """
    wanted = {_real(Path(name)) for name in changed}
    files = [path for path in list_tables(folder) if is_claim(path)]
    entries = select(tuple(_name(path) for path in files)) if files else ()
    return tuple(entry for entry in entries if wanted & set(_list_seen(entry)))


def list_tables(folder: Path) -> Iterator[Path]:
    """The files *.toml below a folder, without those in folders that are passed over."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(x for x in folders if not x.startswith(".") and x not in PASSED_OVER)
        yield from (Path(at, name) for name in sorted(names) if name.endswith(".toml") and not name.startswith("."))


def _list_seen(entry: Entry) -> Iterator[str]:
    """The files that a claim looks at. Where it looks at which there are in a folder, all that are there."""
    with record_files() as trail, collect_faults(None), suppress(ClaimError):  # one claim's faults are no other's
        load_claim(entry.path, entry.id)
    yield _real(entry.path)
    for name, _ in trail.seen:
        path = Path(name)
        if path.name == FILES:
            yield from map(_real, path.parent.glob(FILES))
        elif path.name != FOLDERS:
            yield _real(path)


def _name(path: Path) -> str:
    """The path as a word that names nothing else, as `./nim` is no work of the library."""
    return str(path) if path.is_absolute() else f".{os.sep}{path}"


def _real(path: Path) -> str:
    return os.path.realpath(path)
