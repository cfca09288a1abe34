"""What can be written right without a doubt: misspelt keys and words of closed lists, and the form of a file.

A file is written only if it says the same afterwards, but for what was misspelt.
"""

from __future__ import annotations

import re
import tomllib
from difflib import SequenceMatcher
from pathlib import Path

from checks.command.checking.reading import list_faults
from claims.language.ground.errors import ClaimError, Misspelt, SourceLocation
from claims.language.ground.writing import write_file
from claims.language.toml.places import list_continued, list_pairs
from claims.language.toml.source import read

LIKE = 0.8  # of 1: how like a word must be to what it is taken for
MOST = 50  # words that are written right in one file


def mend_file(path: Path) -> bool:
    """Write a file in its one form, misspelt words right; whether it was another before. What is no TOML is left.

    Raises ClaimError for a file that cannot be written.
    """
    try:
        before = read(path).text
    except ClaimError:
        return False
    try:
        for _ in range(MOST):
            if not _spell_one(path):
                break
        after = put_in_form(text := read(path).text)
        if after != text:
            write_file(path, after)
    except OSError as error:
        raise ClaimError(SourceLocation(str(path)), f"cannot be written: {error.strerror}") from None
    return read(path).text != before


def _spell_one(path: Path) -> bool:
    """Write one misspelt word right; whether there was one. It stays as it was if the file has no fault less then."""
    faults = list_faults(path)
    for fault in faults:
        if not (isinstance(fault, Misspelt) and fault.near and fault.place.line):
            continue
        text = read(path).text
        lines, place = text.split("\n"), fault.place
        line, start = lines[place.line - 1], place.column - 1
        old = line[start : start + place.width]
        quote = old[0] if old[:1] in ("'", '"') else ""
        if SequenceMatcher(None, old.strip(quote or None), fault.near).ratio() < LIKE:
            continue
        lines[place.line - 1] = line[:start] + quote + fault.near + quote + line[start + place.width :]
        write_file(path, "\n".join(lines))
        if len(list_faults(path)) < len(faults):
            return True
        write_file(path, text)
    return False


def put_in_form(text: str) -> str:
    r"""The same TOML in the form of the library; as it is where it would say something else.

    >>> put_in_form('a=1  \n\n\n[b]\nc ="x"')
    'a = 1\n\n[b]\nc = "x"\n'
    """
    found = text.replace("\r\n", "\n")
    for end, start in reversed(list_pairs(found)):
        if not re.search(r"\s=\s", found[end:start]):
            found = f"{found[:end]} = {found[start:]}"
    continued, lines = list_continued(found), list[str]()
    for number, line in enumerate(found.split("\n"), 1):
        lines.append(line if number in continued else line.rstrip())
    found = _set_apart(lines, continued)
    return found if _read(found) == _read(text) else text


def _set_apart(lines: list[str], continued: set[int]) -> str:
    """One empty line at most after each other, one before each table, a line's end at the end."""
    kept = list[str]()
    for number, line in enumerate(lines, 1):
        inside = number - 1 in continued  # the line begins within a text
        if not inside and not line and (not kept or not kept[-1]):
            continue
        if not inside and line.startswith("[") and kept and kept[-1] and not kept[-1].startswith("#"):
            kept.append("")
        kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join([*kept, ""])


def _read(text: str) -> object:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None
