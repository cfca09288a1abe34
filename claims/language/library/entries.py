"""Finding claims: the shipped library, files and folders outside it, ids and glob patterns.

A claim's id is its path below the library, without `.toml`: `kl-nim/lemma-11`.  A file outside the library has its path
as id, without `.toml` too unless it lies in a folder that is called as a work of the library.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from claims.language.ground.errors import ClaimError, Place, nearest
from claims.language.library.works import LIBRARY, Bibliographies, Listing, is_definition, put_in_order
from claims.language.proofs.locations import Location, name_outside
from claims.language.proofs.locations import list_lemmas as named_lemmas
from claims.language.toml.source import Read, read
from claims.language.toml.trail import is_file

INSIDE = "library:"
"""Before a word of the command line: it names claims of the library, whatever is called so here."""


@dataclass(frozen=True)
class Entry:
    """A claim file that a run may load."""

    id: str
    path: Path

    @property
    def file(self) -> Path:
        """The file itself, symbolic links followed: by it a claim is known, whatever it is called."""
        return _resolve(self.path)


def shipped(read: Read = read) -> tuple[Entry, ...]:
    """The library's claims: works and claims in the order of `works.toml`, each followed by what repairs it."""
    return _put_after_repaired(_list_shipped(), read)


def _list_shipped() -> tuple[Entry, ...]:
    """The library's claims in the order of `works.toml`, none of them read."""
    found = put_in_order(path for path in LIBRARY.glob("*/*.toml") if not is_definition(path))
    return tuple(Entry(f"{path.parent.name}/{path.stem}", path) for path in found)


def find_shipped(id: str) -> Entry | None:
    """The library's claim of that id, found without a look at the others; None if there is none."""
    path = LIBRARY / f"{id}.toml"
    there = re.fullmatch(r"[\w-]+/[\w-]+", id) and not is_definition(path) and is_file(path)
    return Entry(id, path) if there else None


def _put_after_repaired(entries: Iterable[Entry], read: Read) -> tuple[Entry, ...]:
    """The entries in their order, but each that repairs another of them directly after that one."""
    found = {e.id: e for e in entries}
    repairs = {id: _read_repaired(e.path, read) for id, e in found.items()}
    after: dict[str, list[str]] = {}
    for id, other in repairs.items():
        after.setdefault(other if other in found else "", []).append(id)
    order: dict[str, None] = {}
    waiting = [*reversed(found), *reversed(after.get("", ()))]  # first what repairs nothing; a circle comes last
    while waiting:
        id = waiting.pop()
        if id not in order:
            order[id] = None
            waiting += reversed(after.get(id, ()))
    return tuple(found[id] for id in order)


def _read_repaired(path: Path, read: Read) -> str:
    """The id that a claim file repairs, or ""; the run will show what is wrong with a file that cannot be read."""
    try:
        repaired = read(path).data.get("repairs", "")
    except ClaimError:
        return ""
    return repaired if isinstance(repaired, str) else ""


def select(wanted: tuple[str, ...], read: Read = read) -> tuple[Entry, ...]:
    """The claims that the words of a command line name: ids, glob patterns over ids, files, folders.

    Without words, the whole library.  What one word names is in the order of its works.toml.  With `library:` before
    it a word names nothing else.  Raises ClaimError for a word that names nothing, or two things.
    """
    if not wanted:
        return shipped(read)
    library = _list_shipped()
    by_path = {_resolve(e.path): e for e in library}
    found: dict[Path, Entry] = {}
    for asked in wanted:
        word = asked.removeprefix(INSIDE)
        named = [e for e in library if e.id == word or fnmatch.fnmatchcase(e.id, word) or e.id.split("/")[0] == word]
        if named and word == asked:
            _refuse_two(word, named)
        if len(named) > 1:
            named = [e for e in _put_after_repaired(library, read) if e in named]
        if not named:
            files = put_in_order(_find_files(asked, library))
            named = list(_put_after_repaired((by_path.get(_resolve(p)) or _make_entry(p) for p in files), read))
        for entry in named:
            found.setdefault(_resolve(entry.path), entry)
    return tuple(found.values())


def with_lemmas(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries, then those that their proofs rest on, directly or not, and that are not among them."""
    found = {e.file: e for e in entries}
    waiting = list(found.values())
    while waiting:
        for other in list_lemmas(waiting.pop(0)):
            if found.setdefault(other.file, other) is other:
                waiting.append(other)
    return tuple(found.values())


def list_lemmas(entry: Entry) -> tuple[Entry, ...]:
    """The claims that the proof of an entry names as its lemmas; none where its file says nothing that can be read."""
    return tuple(Entry(x.id, x.path) for x in named_lemmas(Location(entry.id, entry.path, LIBRARY), read))


def _refuse_two(word: str, named: Sequence[Entry]) -> None:
    """Raise ClaimError if a word that names claims of the library is the path of something else as well."""
    for name in (word, f"{word}.toml"):
        if os.path.lexists(name) and _resolve(Path(name)) != _resolve(LIBRARY / name):
            number = f"{len(named)} claim{'s' * (len(named) != 1)}"
            raise ClaimError(
                Place(word), f"this names {number} of the library, and {name} here", f"{INSIDE}{word}, or ./{name}"
            )


def _find_files(word: str, library: tuple[Entry, ...]) -> list[Path]:
    """The claim files that a path names. Raises ClaimError if there are none."""
    if not word:
        raise ClaimError(Place("''"), "an empty name", "an id, a glob over ids, a file or a folder")
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
    return Entry(name_outside(path, LIBRARY), path)


def _is_claim(path: Path) -> bool:
    """Of the files in a folder named on the command line: those that look like a claim, and those that are broken."""
    if is_definition(path):
        return False
    try:
        data = read(path).data
    except ClaimError:
        return True  # reported, not passed over
    return "moves" not in data and any(key in data for key in ("claim", "statement", "forall", "exists"))


def bibliography(entries: Iterable[Entry] = ()) -> dict[str, Listing]:
    """The works of the library by their keys, then those of the works.toml that speaks of each entry.

    Raises ClaimError.
    """
    bibliographies = Bibliographies()
    folders = dict.fromkeys((LIBRARY, *(bibliographies.above(e.path) for e in entries)))
    found: dict[str, Listing] = {}
    for folder in folders:
        found |= bibliographies.of(folder)
    return found
