"""Select the claims of a run: from standard input, by the failures of the last run, or by changed files."""

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
# A claim on standard input: the argument `-` instead of a file.
STANDARD_INPUT = "-"
NAME = "stdin"


@contextmanager
def taking_input(words: tuple[str, ...], shown_here: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield the arguments, with `-` replaced by the path of a temporary file that contains standard input.

    The claim in this file can use only the rulesets of the library.
    `shown_here`: messages show the path stdin.toml, as if the file were in the working folder.
    Raises ClaimError if the input is larger than the limit for claim files.
    """
    if STANDARD_INPUT not in words:
        yield words
        return
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ClaimError(SourceLocation(NAME), f"the text has more than {MAX_BYTES // 1024} KiB", "one claim")
    with tempfile.TemporaryDirectory(prefix="checks-") as folder:
        path = Path(folder) / f"{NAME}.toml"
        path.write_bytes(data)
        view = View(Path.cwd(), ((Path(folder), Path.cwd()),))
        with viewing_from(view) if shown_here else nullcontext():
            yield tuple(str(path) if word == STANDARD_INPUT else word for word in words)


# == last_failed ======================================================================================================
# The claims that failed in the last run.
def keep_failed(selected: tuple[Entry, ...], folders: tuple[Path, ...], *, whole: bool) -> tuple[Entry, ...]:
    """Return the claims of `selected` that failed in the latest run whose report is in one of `folders`.

    `whole`: also return claims that failed in this run and are not in `selected`.
    If there is no report, or no claim failed, print a warning and return `selected`. Raises NotAReport or ClaimError if
    a file is invalid.
    """
    kept = [path for folder in folders if (path := folder / "report.json").is_file()]
    if not kept:
        warn(f"--last-failed: there is no report in {folders[0]}; settling all claims")
        return selected
    last = max(kept, key=lambda path: path.stat().st_mtime)
    known = load_report(last).claims
    found = (*selected, *_find_own(known, selected)) if whole else selected
    failed = tuple(entry for entry in found if entry.id in known and not is_ordered(known[entry.id]))
    if not failed:
        warn(f"--last-failed: no claim failed in {display_path(last)}; settling all claims")
    return failed or selected


def _find_own(known: Mapping[str, ReportedClaim], selected: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return all claims outside `selected` in the files that contain a failed claim outside `selected`."""
    ids = {entry.id for entry in selected}
    files = dict.fromkeys(str(c.get("file")) for id, c in known.items() if id not in ids and not is_ordered(c))
    there = tuple(file for file in files if Path(file).is_file())
    return tuple(entry for entry in select(there) if entry.id not in ids) if there else ()


# == dependents =======================================================================================================
# The claims that depend on changed files. While a claim is read, the names of the files are recorded, as for the cache.
#
# The files are those of the claim, its rulesets, shared definitions, lemmas and proofs. Paths at which such a file was
# looked for but not found are recorded too. So a claim also depends on a file that is new or deleted.
PASSED_OVER = frozenset({"node_modules", "site-packages", "__pycache__"})
"""Folders that are not searched for claims, like all folders whose names begin with a dot."""


def select_dependents(changed: Iterable[str], folder: Path) -> tuple[Entry, ...]:
    """Return the claims below a folder that depend on one of the changed files.

    A changed file may be deleted. An invalid claim depends on the files that were read before its first error.
    """
    wanted = {_real(Path(name)) for name in changed}
    files = [path for path in list_tables(folder) if is_claim(path)]
    entries = select(tuple(_name(path) for path in files)) if files else ()
    return tuple(entry for entry in entries if wanted & set(_list_seen(entry)))


def list_tables(folder: Path) -> Iterator[Path]:
    """Yield the files *.toml below a folder, except hidden files and files in folders that are not searched."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(x for x in folders if not x.startswith(".") and x not in PASSED_OVER)
        yield from (Path(at, name) for name in sorted(names) if name.endswith(".toml") and not name.startswith("."))


def _list_seen(entry: Entry) -> Iterator[str]:
    """Yield the files that a claim depends on.

    If the claim depends on the list of TOML files in a folder, these files are included.
    """
    with (
        record_files() as trail,
        collect_faults(None),
        suppress(ClaimError),
    ):  # errors are reported when the claim is settled
        load_claim(entry.path, entry.id)
    yield _real(entry.path)
    for name, _ in trail.file_states:
        path = Path(name)
        if path.name == FILES:
            yield from map(_real, path.parent.glob(FILES))
        elif path.name != FOLDERS:
            yield _real(path)


def _name(path: Path) -> str:
    """Return a path as an unambiguous argument: `./nim`, because `nim` also names a work of the library."""
    return str(path) if path.is_absolute() else f".{os.sep}{path}"


def _real(path: Path) -> str:
    return os.path.realpath(path)
