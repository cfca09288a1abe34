"""The files of one's own claims, kept in the folder of the reports: whoever has that folder can settle them again.

Files of the library are not kept, for whoever has this package has them.
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
MOST_COPIES = 1000  # of one name, that are looked at


def add_places(results: Sequence[ClaimResult]) -> tuple[ClaimResult, ...]:
    """The results, each with the places of its receipt and of the copy of its file in the folder of the reports.

    A claim has a copy only if each file that it was read from is still what it was, or comes with the library.
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
    """(place in the folder of the reports, text) of each file outside the library, by its name as shown to a person.

    Left out is what is not there as it was when the claim was read.
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
    """Write the copies into the folder of the reports. Raises OSError."""
    for place, text in read_sources(results).values():
        store(folder / place, text)


def find_copies(report: Path, file: str) -> Iterator[tuple[Path, View]]:
    """The copies in a folder of reports that a file of that name may have, each with the view that calls it so."""
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
    """The folder from which the copies are placed: the working folder, or one that has all of these files."""
    if all(path.is_relative_to(Path.cwd()) for path in paths):
        return Path.cwd()
    try:
        return Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:  # on two drives
        return None


def _read(path: Path, digest: str) -> str | None:
    """The text of a file that has this SHA-256; None if there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return data.decode("utf-8") if hashlib.sha256(data).hexdigest() == digest else None
    except (OSError, ValueError):
        return None
