"""Finding claims: the shipped library, files and folders outside it, ids and glob patterns.

A claim's id is its path below the library, without `.toml`: `kl-nim/lemma-11`.  A file outside the library has its path
as id, without `.toml` too unless that would name something else as well (`name_outside`).  A variant has the id of its
claim, `@`, and its name: `kl-nim/lemma-11@weaker`.  `select` reads all of these, for every command.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claims.language.ground.errors import ClaimError, SourceLocation, closest, join_words
from claims.language.library.works import LIBRARY, WorkEntry, WorksCache, is_definition, put_in_order
from claims.language.proofs.locations import Location, name_outside
from claims.language.proofs.locations import list_lemmas as named_lemmas
from claims.language.statement.variants import MARK, base_of, find_variant, identify, list_variants
from claims.language.toml.source import Read, SourceCache, display_path, read
from claims.language.toml.trail import is_file

INSIDE = "library:"
"""Before a word of the command line: it names claims of the library, whatever is called so here."""


@dataclass(frozen=True)
class Entry:
    """A claim that a run may load: that of a file, or a variant of it."""

    id: str
    path: Path

    @property
    def base(self) -> str:
        """The id of the claim that it is a variant of; "" where it is none."""
        return base_of(self.id, self.path) if find_variant(self.id, self.path) else ""

    @property
    def file(self) -> Path:
        """The file itself, symbolic links followed: by it a claim is known, whatever it is called."""
        return identify(_resolve(self.path), self.id)


LibraryLoader = Callable[[], tuple[Entry, ...]]
"""The library's claims, listed only where a word may mean one."""


def list_library(read: Read | None = None) -> tuple[Entry, ...]:
    """The library's claims: works and claims in the order of `works.toml`, each followed by what repairs it.

    After each claim come its variants.
    """
    read = read or SourceCache()
    return _with_variants(_put_after_repaired(_list_shipped(), read), read)


def _with_variants(entries: Iterable[Entry], read: Read) -> tuple[Entry, ...]:
    """Each of these files' claims, and then its variants; the run will show what is wrong with one of those."""
    return tuple(x for e in entries for x in (e, *(Entry(e.id + MARK + n, e.path) for n in _read_variants(e, read))))


def _read_variants(entry: Entry, read: Read) -> tuple[str, ...]:
    try:
        return list_variants(read(entry.path).data)
    except ClaimError:
        return ()


def _list_shipped() -> tuple[Entry, ...]:
    """The library's claims in the order of `works.toml`, none of them read."""
    found = put_in_order(path for path in LIBRARY.glob("*/*.toml") if not is_definition(path))
    return tuple(Entry(f"{path.parent.name}/{path.stem}", path) for path in found)


def find_shipped(id: str) -> Entry | None:
    """The library's claim of that id, found without a look at the others; None if there is none."""
    own, mark, variant = id.partition(MARK)
    path = LIBRARY / f"{own}.toml"
    if not (re.fullmatch(r"[\w-]+/[\w-]+", own) and not is_definition(path) and is_file(path)):
        return None
    entry = Entry(id, path)
    return entry if not mark or variant in _read_variants(entry, read) else None


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
    it a word names nothing else.  A file, a folder or a work names the variants of its claims as well, an id only what
    has that id.  Raises ClaimError for a word that names nothing, or two things.
    """
    if not wanted:
        return list_library(read)
    library = cache(_list_shipped)
    found: dict[Path, Entry] = {}
    for asked in wanted:
        word = asked.removeprefix(INSIDE)
        named = _find_by_id(word, library, read)
        if named and word == asked:
            _refuse_two(word, named)
        if not named:
            files, variant = _find_files(asked, library, read)
            own = _know_by_file()
            ordered = _put_after_repaired((own(p) or _make_entry(p) for p in put_in_order(files)), read)
            named = [e for e in _with_variants(ordered, read) if variant in (None, find_variant(e.id, e.path))]
        for entry in named:
            found.setdefault(entry.file, entry)
    return tuple(found.values())


def _know_by_file() -> Callable[[Path], Entry | None]:
    """The library's claim of a file, symbolic links followed: of most files a look at their folder suffices."""
    found: dict[str, tuple[str, str]] = {}
    for folder in (x for x in LIBRARY.iterdir() if x.is_dir()):
        real = str(_resolve(folder))
        with os.scandir(folder) as inside:
            for file in inside:
                itself = str(_resolve(Path(file.path))) if file.is_symlink() else f"{real}{os.sep}{file.name}"
                found[itself] = folder.name, file.name

    def find(path: Path) -> Entry | None:
        if (known := found.get(str(_resolve(path)))) is None:
            return None
        own = LIBRARY.joinpath(*known)
        return Entry(f"{known[0]}/{own.stem}", own) if own.suffix == ".toml" and not is_definition(own) else None

    return find


def _find_by_id(word: str, listing: LibraryLoader, read: Read) -> list[Entry]:
    """The claims of the library that a word names as a work, an id or a glob over ids. Few files are read."""
    if Path(word).is_absolute():
        return []
    library = listing()
    if own := [e for e in library if e.id == word]:
        return own
    start = re.split(r"[*?[]", word)[0]
    near = [e for e in library if e.id.startswith(start) or start.startswith(e.id + MARK)]
    if len(near) > 1:
        near = [e for e in _put_after_repaired(library, read) if e in near]
    known = _with_variants(near, read)
    return [e for e in known if fnmatch.fnmatchcase(e.id, word) or word == e.id.split("/")[0]]


def add_lemmas(entries: Iterable[Entry]) -> tuple[Entry, ...]:
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
                SourceLocation(word),
                f"this names {number} of the library, and {name} here",
                f"{INSIDE}{word}, or ./{name}",
            )


def _find_files(word: str, library: LibraryLoader, read: Read) -> tuple[list[Path], str | None]:
    """(the claim files that a word names, which variant of them: None for all, "" for the claim itself).

    The word is a folder, a file, or the id of a claim in a file.  Raises ClaimError if there is none.
    """
    if not word:
        raise ClaimError(SourceLocation("''"), "an empty name", "an id, a glob over ids, a file or a folder")
    path = Path(word)
    try:
        if path.is_dir():
            files = [p for p in sorted(path.rglob("*.toml")) if not p.is_dir() and is_claim(p)]
            if not files:
                raise ClaimError(SourceLocation(word), "no claim file in this folder", "files *.toml with a [claim]")
            return files, None
        for file, variant in ((path, None), (Path(f"{word}.toml"), "")):
            if file.is_file():
                if is_definition(file):
                    raise ClaimError(
                        SourceLocation(word), "this file is no claim", "a file with a [claim], or a folder of them"
                    )
                return [file], variant
        own, _, name = word.rpartition(MARK)
        for file in (Path(own), Path(f"{own}.toml")) if own else ():
            if file.is_file() and not is_definition(file):
                names = _read_variants(_make_entry(file), read)
                if name in names:
                    return [file], name
                expected = f"one of {join_words(names)}" if names else "the file alone"
                problem = f"{display_path(file)} has no variant {name!r}"
                raise ClaimError(SourceLocation(word), problem, expected, near=closest(name, names))
    except OSError:
        pass  # a word that cannot be a path, for its length say
    expected = "an id of `checks list`, a glob over ids, a file or a folder"
    near = closest(word, [e.id for e in library()])
    raise ClaimError(SourceLocation(word), "no such claim, file or folder", expected, near=near)


def _resolve(path: Path) -> Path:
    """The file itself, symbolic links followed; links in a circle are left where they are met."""
    return Path(os.path.realpath(path))


def _make_entry(path: Path) -> Entry:
    return Entry(name_outside(path, LIBRARY), path)


def is_claim(path: Path) -> bool:
    """Of files that nobody has named: those that look like a claim, and those that are broken."""
    if is_definition(path):
        return False
    try:
        data = read(path).data
    except ClaimError:
        return True  # reported, not passed over
    return "moves" not in data and any(key in data for key in ("claim", "statement", "forall", "exists"))


def bibliography(entries: Iterable[Entry] = ()) -> dict[str, WorkEntry]:
    """The works of the library by their keys, then those of the works.toml that speaks of each entry.

    Raises ClaimError.
    """
    bibliographies = WorksCache()
    folders = dict.fromkeys((LIBRARY, *(bibliographies.above(e.path) for e in entries)))
    found: dict[str, WorkEntry] = {}
    for folder in folders:
        found |= bibliographies.of(folder)
    return found
