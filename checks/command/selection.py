"""Which claims a run settles: from standard input, those that failed last, or those that depend on changed files."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from checks.command.output import warn
from claims.language.errors import ClaimError, SourceLocation, collect_faults
from claims.language.files.library import Entry, is_claim, select
from claims.language.files.toml import FILES, FOLDERS, MAX_BYTES, View, display_path, record_files, viewing_from
from encoders.proving.reading import load_claim
from reports.comparison import Claim as ReportedClaim
from reports.comparison import is_ordered, load_report

# == standard_input ===================================================================================================
# A claim on standard input: `-` among the words of a command, in place of a file.
STANDARD_INPUT = "-"
NAME = "stdin"


@contextmanager
def taking_input(words: tuple[str, ...], shown_here: bool = False) -> Iterator[tuple[str, ...]]:
    """The words, with the name of a file in place of `-`: what standard input holds, in a folder of its own.

    The file is gone at the end.  Rulesets are those of the library.  `shown_here`: the file is called stdin.toml, as
    if it lay in the working folder.  Raises ClaimError for more than a claim has.
    """
    if STANDARD_INPUT not in words:
        yield words
        return
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ClaimError(SourceLocation(NAME), f"more than {MAX_BYTES // 1024} KiB", "one claim")
    with tempfile.TemporaryDirectory(prefix="checks-") as folder:
        path = Path(folder) / f"{NAME}.toml"
        path.write_bytes(data)
        view = View(Path.cwd(), ((Path(folder), Path.cwd()),))
        with viewing_from(view) if shown_here else nullcontext():
            yield tuple(str(path) if word == STANDARD_INPUT else word for word in words)


# == last_failed ======================================================================================================
# Which claims were not in order in the last run.
def keep_failed(selected: tuple[Entry, ...], folders: tuple[Path, ...], *, whole: bool) -> tuple[Entry, ...]:
    """Those that were not in order in the last run whose report lies in one of the folders.

    `whole`: also those that it had of files outside the library, since no claims were named.  All of `selected` where
    there is no such run, or all that it had of them were in order.  Raises NotAReport, ClaimError.
    """
    kept = [path for folder in folders if (path := folder / "report.json").is_file()]
    if not kept:
        warn(f"--last-failed: there is no report in {folders[0]}; all are run")
        return selected
    last = max(kept, key=lambda path: path.stat().st_mtime)
    known = load_report(last).claims
    found = (*selected, *_find_own(known, selected)) if whole else selected
    failed = tuple(entry for entry in found if entry.id in known and not is_ordered(known[entry.id]))
    if not failed:
        warn(f"--last-failed: by {display_path(last)} all are in order; all are run")
    return failed or selected


def _find_own(known: Mapping[str, ReportedClaim], selected: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """What the files hold whose claims a report has as not in order, those among `selected` left out."""
    ids = {entry.id for entry in selected}
    files = dict.fromkeys(str(c.get("file")) for id, c in known.items() if id not in ids and not is_ordered(c))
    there = tuple(file for file in files if Path(file).is_file())
    return tuple(entry for entry in select(there) if entry.id not in ids) if there else ()


# == dependents =======================================================================================================
# Which claims depend on changed files: by what each claim looks at when it is read, as the cache knows it.
#
# A claim looks at its file, its rulesets, shared definitions, lemmas and proofs that it takes over, and at places where
# one of these could stand and does not.  So a file that is new, or is gone, concerns the claims that looked for it.
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
    for name, _ in trail.file_states:
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
