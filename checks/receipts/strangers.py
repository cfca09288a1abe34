"""Reading files that other people may have made: JSON with limits on size and depth, and no symbolic links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checks.results.shown import Json
from claims.language.errors import NimChecksError, quote

# == links ============================================================================================================
# Symbolic links in the folder of a report. A file behind a link is not a part of the report and is not read.
NOT_FOLLOWED = "a symbolic link, which is not followed; expected a file written by a run"


def find_link(report: Path, path: Path) -> Path | None:
    """Return the first symbolic link on the way from the folder of the reports to a path in it, or None.

    The path itself may be this link.
    """
    steps = [path, *path.parents]
    inside = steps[: steps.index(report)] if report in steps else steps
    return next((step for step in reversed(inside) if step.is_symlink()), None)


def list_files(report: Path, folder: str) -> Iterator[tuple[Path, bool]]:
    """Yield (path, is_link) for each file *.json and each symbolic link in a subfolder of a report, sorted by path.

    If the subfolder itself is a symbolic link, yield only this link.
    """
    root = report / folder
    if root.is_symlink():
        yield root, True
        return
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or path.suffix == ".json":
            yield path, path.is_symlink()


# == bounded_json =====================================================================================================
# JSON from an untrusted file, read with limits on size, depth and numbers before any object is built.
#
# Ordinary JSON readers accept duplicate keys, which can hide a value, and NaN. This reader rejects both.


@dataclass(frozen=True)
class Bounds:
    """The limits for a JSON file: size in bytes, nesting depth, number of values and keys, and digits of an integer.

    Each field is the largest allowed number.
    """

    bytes: int
    depth: int
    values: int
    digits: int


RECEIPT = Bounds(1 << 20, 10, 50_000, 40)
"""The limits for receipts. The largest receipt of the library has 18 KiB. The most deeply nested value is a number in a
heap of a board, at level nine. The limit on digits is the same as for scopes.
"""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{},:]', re.DOTALL)


class BadJson(NimChecksError):
    """A file is not valid JSON, or exceeds a limit. The message names the file and the fault."""


def read_json(path: Path, bounds: Bounds = RECEIPT) -> Json:
    """Return the JSON data in a file.

    All numbers must be integers, and no object may contain a key twice. Raises BadJson if the file is missing, invalid
    or too large.
    """
    raw = _bytes(path, bounds.bytes)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(f"{path}: byte {error.start} is not UTF-8; expected JSON in UTF-8") from None
    _measure(path, text, bounds)

    def number(digits: str) -> int:
        if len(digits.lstrip("-")) > bounds.digits:
            raise BadJson(f"{path}: the number {quote(digits)} is too long; expected at most {bounds.digits} digits")
        return int(digits)

    def refuse(word: str) -> None:
        raise BadJson(f"{path}: {quote(word)} is not an integer; expected only integers")

    def table(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for key, value in pairs:
            if key in found:
                raise BadJson(f"{path}: the key {quote(key)} is given twice; expected each key once")
            found[key] = value
        return found

    try:
        read: Json = json.loads(
            text, parse_int=number, parse_float=refuse, parse_constant=refuse, object_pairs_hook=table
        )
    except (ValueError, RecursionError) as error:
        raise BadJson(f"{path}: the file is not JSON: {error}") from None
    return read


def _bytes(path: Path, most: int) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise BadJson(f"{path}: not a regular file; expected a JSON file")
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError for a path that is not valid
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadJson(f"{path}: cannot be read: {reason}") from None
    if len(raw) > most:
        raise BadJson(f"{path}: the file is too large; expected at most {most // 1024} KiB")
    return raw


def _measure(path: Path, text: str, bounds: Bounds) -> None:
    """Raise BadJson if the text exceeds the limits on depth or number of values.

    The text is not parsed: brackets, colons and commas outside of strings are counted.
    """
    depth = values = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            depth += 1
            if depth > bounds.depth:
                raise BadJson(f"{path}: the content is nested too deeply; expected at most {bounds.depth} levels")
        elif mark in "]}":
            depth -= 1
        values += mark in "[{,:"
        if values > bounds.values:
            raise BadJson(f"{path}: the file has too many values; expected at most {bounds.values}")
