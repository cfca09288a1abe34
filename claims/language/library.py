"""Finding claims: the shipped library, files and folders outside it, ids and glob patterns.

A claim's id is its path below the library, without `.toml`: `kl-nim/lemma-11`.  A file outside the library has its path
as typed, without `.toml`, as id.
"""

from __future__ import annotations

import fnmatch
import os
from dataclasses import dataclass
from pathlib import Path

from claims.language.errors import ClaimError, Place, nearest
from claims.language.files import LIBRARY, is_definition
from claims.language.toml.reader import Table
from claims.language.toml.source import read, shown


@dataclass(frozen=True)
class Entry:
    """A claim file that a run may load."""

    id: str
    path: Path


def shipped() -> tuple[Entry, ...]:
    """The library's claims, grouped by work, in the order of `works.toml`, then by id."""
    listed = list(bibliography())
    folders = sorted(p.name for p in LIBRARY.iterdir() if p.is_dir() and p.name != "rulesets")
    works = [w for w in listed if w in folders] + [f for f in folders if f not in listed]
    return tuple(
        Entry(f"{work}/{path.stem}", path)
        for work in works
        for path in sorted((LIBRARY / work).glob("*.toml"))
        if not is_definition(path)
    )


def select(wanted: tuple[str, ...]) -> tuple[Entry, ...]:
    """The claims that the words of a command line name: ids, glob patterns over ids, files, folders.

    Without words, the whole library.  Raises ClaimError for a word that names nothing.
    """
    library = shipped()
    if not wanted:
        return library
    by_path = {_resolve(e.path): e for e in library}
    found: dict[Path, Entry] = {}
    for word in wanted:
        inside = [e for e in library if e.id == word or fnmatch.fnmatchcase(e.id, word) or e.id.split("/")[0] == word]
        for entry in inside or [by_path.get(_resolve(p)) or _make_entry(p) for p in _find_files(word, library)]:
            found.setdefault(_resolve(entry.path), entry)
    return tuple(found.values())


def _find_files(word: str, library: tuple[Entry, ...]) -> list[Path]:
    """The claim files that a path names. Raises ClaimError if there are none."""
    path = Path(word)
    try:
        if path.is_dir():
            files = [p for p in sorted(path.rglob("*.toml")) if not p.is_dir() and _is_claim(p)]
            if not files:
                raise ClaimError(Place(word), "no claim file in this folder", "files *.toml with a [claim]")
            return files
        if path.is_file():
            if is_definition(path):
                raise ClaimError(Place(word), "this file is no claim", "a file with a [claim], or a folder of them")
            return [path]
    except OSError:
        pass  # a word that cannot be a path, for its length say
    close = nearest(word, [e.id for e in library])
    raise ClaimError(
        Place(word),
        "no such claim, file or folder",
        f"an id of `checks list`, a glob over ids, a file or a folder{close}",
    )


def _resolve(path: Path) -> Path:
    """The file itself, symbolic links followed; links in a circle are left where they are met."""
    return Path(os.path.realpath(path))


def _make_entry(path: Path) -> Entry:
    return Entry(shown(path).removesuffix(".toml"), path)


def _is_claim(path: Path) -> bool:
    """Of the files in a folder named on the command line: those that look like a claim, and those that are broken."""
    if is_definition(path):
        return False
    try:
        data = read(path).data
    except ClaimError:
        return True  # reported, not passed over
    return "moves" not in data and any(key in data for key in ("claim", "statement", "forall", "exists"))


def bibliography() -> dict[str, dict[str, str]]:
    """Work key -> title, authors, year, source."""
    source = read(LIBRARY / "works.toml")
    top = Table(source, (), source.data)
    top.only("format", "works")
    top.format(1)
    works = top.optional_table("works")
    return {key: {k: str(v) for k, v in entry.items()} for key, entry in works.items()}
