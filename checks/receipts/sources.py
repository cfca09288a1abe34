"""Copies of claim files and rulesets in the folder of the reports, with which other people can settle the claims again.

Files of the library are not copied, because they are part of this package.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from checks.receipts.receipt import locate_receipt, store
from checks.receipts.strangers import find_link
from checks.results.model import ClaimResult
from claims.language.files.library import LIBRARY
from claims.language.files.toml import MAX_BYTES, View

SOURCES = "sources"  # in the folder of the reports
MOST_COPIES = 1000  # of files with one name that are examined


def add_places(results: Sequence[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Return copies of the results that also contain the paths of the receipt and of the copy of the claim file.

    The paths are relative to the folder of the reports. A path is "" if there is no such file. A claim file is copied
    only if no file on which the claim depends has changed since it was read, except files of the library.
    """
    kept = {name: place for name, (place, _) in read_sources(results).items()}
    placed = []
    for result in results:
        names = [name for name, _ in result.provenance.files if not _is_shipped(name)]
        source = kept.get(result.provenance.file, "") if all(name in kept for name in names) else ""
        places = replace(result.provenance, source=source, receipt=locate_receipt(result))
        placed.append(replace(result, provenance=places))
    return tuple(placed)


def read_sources(results: Sequence[ClaimResult]) -> dict[str, tuple[str, str]]:
    """Return the files to copy: a dictionary from their names to pairs (path of the copy, text).

    A name is a path as reports show it. The path of the copy is relative to the folder of the reports. Files of the
    library are omitted, and so are files that are missing or have changed since the claim was read.
    """
    digests = {name: digest for result in results for name, digest in result.provenance.files if not _is_shipped(name)}
    paths = {name: Path(os.path.normpath(Path.cwd() / name)) for name in digests}
    root = _find_root(list(paths.values()))
    found = {}
    for name, path in paths.items():
        text = _read(path, digests[name])
        if text is not None and root is not None:
            found[name] = (f"{SOURCES}/{path.relative_to(root).as_posix()}", text)
    return found


def write_sources(results: Sequence[ClaimResult], folder: Path) -> None:
    """Write the copies of all files that `read_sources` returns into the folder of the reports. Raises OSError."""
    for place, text in read_sources(results).values():
        store(folder / place, text)


def find_copies(report: Path, file: str) -> Iterator[tuple[Path, View]]:
    """Yield the files in a folder of reports that, by their paths, may be copies of `file`.

    Each comes with a `View`, with which messages show the path of the original file instead of the path of the copy.
    """
    path = Path(os.path.normpath(Path.cwd() / file))
    kept = Path(os.path.abspath(report)) / SOURCES  # noqa: PTH100 - symbolic links are refused below, not followed
    for number, copy in enumerate(sorted(kept.rglob("*.toml"))):
        if number == MOST_COPIES:
            return
        parts = copy.relative_to(kept).parts
        if path.parts[-len(parts) :] == parts and find_link(kept.parent, copy) is None:
            root = Path(*path.parts[: -len(parts)])
            yield copy, View(Path.cwd(), ((kept, root),))


def _is_shipped(name: str) -> bool:
    return (Path.cwd() / name).is_relative_to(LIBRARY)


def _find_root(paths: Sequence[Path]) -> Path | None:
    """Return the folder to which the paths of the copied files are relative.

    It is the working folder if this contains all files, and otherwise the smallest folder that contains all of them.
    Return None if the files are on different drives.
    """
    if all(path.is_relative_to(Path.cwd()) for path in paths):
        return Path.cwd()
    try:
        return Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:  # on two drives
        return None


def _read(path: Path, digest: str) -> str | None:
    """Return the text of a file if it has this SHA-256, else None."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return data.decode("utf-8") if hashlib.sha256(data).hexdigest() == digest else None
    except (OSError, ValueError):
        return None
