"""Finding claims: the shipped library, files and folders outside it, ids and glob patterns.

A claim's id is its path below the library, without `.toml`: `kl-nim/lemma-11`.  A file outside the library has its path
as typed, without `.toml`, as id.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import Path

from claims.errors import ClaimError, Place, nearest
from claims.files import LIBRARY, is_definition
from claims.reader import Table
from claims.source import read, shown


@dataclass(frozen=True)
class Entry:
    """A claim file that a run may load."""

    id: str
    path: Path


def shipped() -> tuple[Entry, ...]:
    """The library's claims, grouped by work, in the order of `works.toml`, then by id."""
    works = [w for w in bibliography() if (LIBRARY / w).is_dir()]
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
    found: dict[Path, Entry] = {}
    for word in wanted:
        path = Path(word)
        inside = [e for e in library if e.id == word or fnmatch.fnmatchcase(e.id, word) or e.id.split("/")[0] == word]
        if inside:
            entries = inside
        elif path.is_dir():
            entries = [_outside(p) for p in sorted(path.rglob("*.toml")) if _is_claim(p)]
        elif path.is_file():
            entries = [_outside(path)]
        else:
            raise ClaimError(
                Place(word), "no such claim, file or folder", "an id of `checks list`, a glob over ids, a file or a folder"
                + nearest(word, [e.id for e in library])
            )
        if not entries:
            raise ClaimError(Place(word), "no claim file in this folder", "files *.toml with a [claim]")
        for entry in entries:
            found.setdefault(entry.path.resolve(), entry)
    return tuple(found.values())


def _outside(path: Path) -> Entry:
    resolved = path.resolve()
    for entry in shipped():
        if entry.path.resolve() == resolved:
            return entry
    return Entry(shown(path).removesuffix(".toml"), path)


def _is_claim(path: Path) -> bool:
    """Of the files in a folder named on the command line: all but definitions and rulesets."""
    if is_definition(path):
        return False
    try:
        return "moves" not in read(path).data
    except ClaimError:
        return True  # a broken file is reported, not passed over


def bibliography() -> dict[str, dict[str, str]]:
    """Work key -> title, authors, year, source."""
    source = read(LIBRARY / "works.toml")
    top = Table(source, (), source.data)
    top.format(1)
    works = top.optional_table("works")
    top.finish()
    return {key: {k: str(v) for k, v in entry.items()} for key, entry in works.items()}
