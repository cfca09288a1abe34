"""JSON from a stranger: read with limits on size, depth and numbers, before anything is made of it.

JSON as other programs read it may hide a value behind a second one of the same key, or hold NaN; this reader refuses.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from checks.results.values import Json

MAX_BYTES = 1 << 20  # the largest receipt of the library has 18 KiB
MAX_DEPTH = 8  # objects and lists inside each other; a receipt needs four
MAX_VALUES = 50_000  # values, keys counted too
MAX_DIGITS = 40  # of an integer, as in the scopes of claims
SHOWN = 60  # characters of a value in a message

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{},:]', re.DOTALL)


class BadJson(Exception):
    """What is wrong with the file, with its name, and what was expected."""


def read_json(path: Path) -> Json:
    """The data in a file. Raises BadJson; ints are the only numbers."""
    raw = _bytes(path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(f"{path}: byte {error.start} is not UTF-8; expected JSON in UTF-8") from None
    _measure(path, text)

    def number(digits: str) -> int:
        if len(digits.lstrip("-")) > MAX_DIGITS:
            raise BadJson(f"{path}: the number {quote(digits)}; expected at most {MAX_DIGITS} digits")
        return int(digits)

    def refuse(word: str) -> None:
        raise BadJson(f"{path}: the number {quote(word)}; expected integers only")

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
        raise BadJson(f"{path}: not JSON: {error}") from None
    return read


def _bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise BadJson(f"{path}: cannot be read: no file; expected a file of JSON")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # a ValueError for a path that no file can have
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadJson(f"{path}: cannot be read: {reason}") from None
    if len(raw) > MAX_BYTES:
        raise BadJson(f"{path}: more than {MAX_BYTES // 1024} KiB; expected at most that")
    return raw


def _measure(path: Path, text: str) -> None:
    """Refuse what is nested too deeply or has too many values, by its brackets and commas alone."""
    depth = values = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise BadJson(f"{path}: nested too deeply; expected at most {MAX_DEPTH} levels")
        elif mark in "]}":
            depth -= 1
        values += mark in "[{,:"
        if values > MAX_VALUES:
            raise BadJson(f"{path}: too many values; expected at most {MAX_VALUES}")


def quote(value: object) -> str:
    r"""A value as it stands in a message: short, and without control characters.

    >>> quote(chr(27)), quote([1, 2]), len(quote("x" * 99))
    ("'\\x1b'", '[1, 2]', 63)
    """
    text = ascii(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
