"""Which kind of file a file of a folder of claims is, and all that stands in the way of reading it."""

from __future__ import annotations

from pathlib import Path

from claims.language.ground.errors import ClaimError
from claims.language.ground.gathering import FaultCollector, collect_faults
from claims.language.library.entries import Entry, is_claim, select
from claims.language.library.works import BIBLIOGRAPHY, LIBRARY, is_definition, read_works
from claims.language.statement.definitions import SHARED, read_shared
from claims.language.statement.rulesets import load_ruleset
from claims.language.toml.source import display_path, read, read_on
from encoders.proving.reading import find_faults


def is_other(path: Path) -> bool:
    """Whether a file is a ruleset, shared definitions or a bibliography; what cannot be read counts as a claim."""
    if is_definition(path):
        return True
    try:
        return "moves" in read(path).data
    except ClaimError:
        return False


def list_faults(path: Path) -> tuple[ClaimError, ...]:
    """All that stands in the way of reading a file, in the order of its lines; of a claim its variants left out."""
    if not is_other(path):
        return find_faults(path, display_path(path))
    found = FaultCollector()
    with collect_faults(found):
        try:
            if path.name == BIBLIOGRAPHY:
                read_works(path.parent)
            elif path.name == SHARED:
                read_shared(path, read_on)
            else:
                load_ruleset(path, read_on)
        except ClaimError as error:
            found.add(error)
    return found.faults


def select_changed(words: tuple[str, ...]) -> tuple[tuple[Entry, ...], tuple[Path, ...]]:
    """As `select_files`, of the files alone that are there and look like those of a folder of claims, if any do."""
    there = [path for path in map(Path, words) if path.is_file() and path.suffix == ".toml"]
    kept = tuple(str(path) for path in there if is_other(path) or is_claim(path))
    return select_files(kept) if kept else ((), ())


def select_files(words: tuple[str, ...]) -> tuple[tuple[Entry, ...], tuple[Path, ...]]:
    """The claims that the words of a command line name, as for `run`, and the files that are none: rulesets and others.

    Without words, those of the library.  Raises ClaimError for a word that names nothing.
    """
    claims, others = list[str](), dict[Path, None]()
    for word in words or (str(LIBRARY),):
        path = Path(word)
        if path.is_dir():
            files = [p for p in sorted(path.rglob("*.toml")) if p.is_file()]
            found = [p for p in files if is_other(p)]
            others |= dict.fromkeys(found)
            if len(found) < len(files) or not files:
                claims.append(word)
        elif path.is_file() and is_other(path):
            others[path] = None
        else:
            claims.append(word)
    with collect_faults(FaultCollector()):  # what a works.toml has of faults is told where it is looked at
        entries = select(tuple(claims) if words else ()) if claims else ()
    return entries, tuple(others)
