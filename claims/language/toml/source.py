"""A TOML file: read with limits on size and depth, and pointed into when one of its values is at fault."""

from __future__ import annotations

import codecs
import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from claims.language.ground.errors import ClaimError, LanguageError, NotToml, SourceLocation
from claims.language.ground.gathering import gathered
from claims.language.toml.places import Key, Keys, find_key_before, find_place
from claims.language.toml.trail import MOST_BYTES, display_path, note_file

__all__ = ["Key", "Keys", "Read", "SourceCache", "SourceFile", "display_path", "read"]

MAX_BYTES = MOST_BYTES  # a claim file; the largest shipped one has under 8 KiB
REMEMBERED = 500  # files that were read lately; each is asked for by many claims
MOST_FAULTS = 20  # lines that are no TOML, of which a reader is told
MAX_DEPTH = 12  # tables and arrays inside each other: a proof that picks four heaps, one after the other, needs so many
MAX_DOTS = 100  # dots in a line that could be a dotted key, whose reading takes quadratic time


Data = dict[str, Any]
"""A file as TOML has it."""


@dataclass(frozen=True)
class SourceFile:
    """One file: the name shown to a person, its text, its parsed data.

    `moved`: where in the text that stands which the data have under other keys.  `pointed`: the keys, in the text, at
    which it is pointed as a whole.  `made`: keys of the data whose words are ours, for the file has none.
    """

    name: str
    text: str
    data: Data
    moved: Mapping[Keys, Keys] = field(default_factory=dict)
    pointed: Keys = ("claim", "then")
    made: frozenset[str] = frozenset()

    @property
    def digest(self) -> str:
        """The SHA-256 of the file, byte for byte: its text is UTF-8 that was read without loss."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def place(self, keys: Keys, span: tuple[int, int] | None = None, at_key: bool = False) -> SourceLocation:
        """Where the value under `keys` stands; `span` are offsets into it if it is a string.

        An absent value is shown at the nearest enclosing table that is there.
        """
        wanted = keys
        cut = next((n for n in range(len(keys), 0, -1) if keys[:n] in self.moved), 0)
        keys = (*self.moved[keys[:cut]], *keys[cut:]) if cut else keys
        for depth in range(len(keys), 0, -1):
            exact = depth == len(keys)
            found = find_place(self.name, self.text, keys[:depth], span if exact else None, at_key and exact)
            if found is not None:
                return replace(found, key=".".join(map(str, wanted)))
        return SourceLocation(self.name, key=".".join(map(str, wanted)))

    def fault(
        self, keys: Keys, message: str, expected: str = "", span: tuple[int, int] | None = None, near: str = ""
    ) -> ClaimError:
        """The error at the value under `keys`."""
        return ClaimError(self.place(keys, span), message, expected, near=near)

    def key_fault(self, keys: Keys, message: str, expected: str = "", near: str = "") -> ClaimError:
        """The error at the key itself: a name that is unknown or taken."""
        return ClaimError(self.place(keys, at_key=True), message, expected, near=near)

    def language_fault(self, keys: Keys, error: LanguageError) -> ClaimError:
        """A fault inside the expression under `keys`, or under the key that the error itself names."""
        calls = tuple((s.how, self.place(s.where or keys, (s.start, s.end))) for s in error.trail)
        place = self.place(error.where or keys, (error.start, error.end))
        return ClaimError(place, error.message, error.expected, calls, error.near)


def read(path: Path) -> SourceFile:
    """Read a TOML file. Raises ClaimError if it is missing, too large, not UTF-8, or not TOML."""
    name = display_path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ClaimError(SourceLocation(name), f"cannot be read: {error.strerror}", "a TOML file") from None
    note_file(path, raw)
    if len(raw) > MAX_BYTES:
        raise ClaimError(
            SourceLocation(name), f"the file has more than {MAX_BYTES // 1024} KiB", "one claim or ruleset in each file"
        )
    return _parse_source(name, raw)


def parse(path: Path, text: str) -> SourceFile:
    """As `read`, if this stood in the file. Raises ClaimError."""
    return _parse_source(display_path(path), text.encode())


def read_on(path: Path) -> SourceFile:
    """As `read`; where faults are gathered, without the lines that are no TOML, whose keys are lost. Raises ClaimError.

    What a line at fault opens may go on in others: then nothing is read of the file.
    """
    found = gathered()
    try:
        return read(path)
    except ClaimError as error:
        if found is None or not error.place.line:
            raise
        fault = error
    lines = path.read_text("utf-8", "replace").split("\n")
    for _ in range(MOST_FAULTS):
        found.add(fault)
        number = fault.place.line
        match = _LINE.match(lines[number - 1])
        if match is None:
            break
        found.lost.update(match[1].replace('"', "").split(".") if match[1] else ())
        lines[number - 1] = ""
        try:
            source = _parse_source(display_path(path), "\n".join(lines).encode())
        except ClaimError as error:
            fault = error
        else:
            if source.data:
                return source
            break  # no line of it is TOML: that it lacks this and that need not be said
        if fault.place.line <= number:
            break
    raise fault


_LINE = re.compile(r"""(?!.*(?:\"\"\"|'{3}))\s*(?!\[)("[^"]*"|[\w.-]+)?""")  # of its own, with its key


@lru_cache(maxsize=REMEMBERED)
def _parse_source(name: str, raw: bytes) -> SourceFile:
    """The file that these bytes are. Raises ClaimError."""
    text = _decode(name, raw)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.count(".") > MAX_DOTS:
            raise NotToml(
                SourceLocation(name, number, 1, 1, line), f"a line with more than {MAX_DOTS} dots", "shorter lines"
            )
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise NotToml(SourceLocation(name), "tables or arrays are nested too deeply", _SHALLOW) from None
    except ValueError as error:  # TOMLDecodeError, or a number of more digits than Python reads
        raise _explain(name, text, str(error)) from None
    source = SourceFile(name, text, data)
    keys = _find_too_deep(data)
    if keys:
        raise source.key_fault(keys, "tables or arrays are nested too deeply", _SHALLOW)
    return source


class SourceCache:
    """Reads files, each once: whoever asks for the same file again gets the same bytes, edited since or not."""

    def __init__(self, known: Mapping[Path, SourceFile] | None = None) -> None:
        self._sources = dict(known or {})

    def __call__(self, path: Path) -> SourceFile:
        """As `read`. Raises ClaimError."""
        if path not in self._sources:
            self._sources[path] = read(path)
        return self._sources[path]


Read = Callable[[Path], SourceFile]


_SHALLOW = f"tables and arrays at most {MAX_DEPTH} levels deep"


def _decode(name: str, raw: bytes) -> str:
    if raw.startswith(codecs.BOM_UTF8):
        raise NotToml(SourceLocation(name), "the file begins with a byte order mark", "UTF-8 without one")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise NotToml(SourceLocation(name), "the file is in UTF-16", "a text file in UTF-8")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        begin = raw.rfind(b"\n", 0, error.start) + 1
        end = raw.find(b"\n", error.start)
        line = raw[begin : end if end >= 0 else len(raw)].decode("utf-8", "replace").rstrip("\r")
        column = len(raw[begin : error.start].decode("utf-8")) + 1
        number = raw.count(b"\n", 0, error.start) + 1
        place = SourceLocation(name, number, column, 1, line)
        raise NotToml(place, f"the byte 0x{raw[error.start]:02x} is not UTF-8", "a text file in UTF-8") from None


_NO_KEY = "no key can begin here"
# What tomllib says, and what a person needs to hear: (its words, the problem, what was expected).
_TOML = (
    (r"Expected newline or end of document", "the line goes on after its value", "one key = value on each line"),
    (
        r"Expected '=' after a key",
        "no '=' after this key",
        'key = value; a key such as f(x) needs quotes, "f(x)" = "..."',
    ),
    (r"Invalid value", "this is no value", "a number, true or false, text in quotes, a list [...] or a table { ... }"),
    (
        r"Cannot (overwrite|mutate|declare|redefine)",
        "this key or table is given twice",
        "each key once in its table, and each [table] once",
    ),
    (
        r"Illegal character '\\n'",
        "the text is not closed on its line",
        'a closing quote, or """ for text of several lines',
    ),
    (
        r"Illegal character|Found invalid character",
        "this character cannot stand here",
        "spaces instead of control characters",
    ),
    (r"Unterminated string|Expected \"'|Expected '\"", "the text is never closed", "its closing quote"),
    (r"Unescaped", "a backslash begins no escape here", r"\\ for a backslash, or single quotes around the text"),
    (r"Unclosed array", "the list is not closed", "',' or ']'"),
    (r"Unclosed inline table", "the table is not closed", "',' or '}', on the same line"),
    (r"Duplicate inline table key", "this key or table is given twice", "each key once in its table"),
    (r"Expected '\]", "the name of the table is not closed", "']', as in [claim]"),
    (r"Invalid initial character for a key part", _NO_KEY, "a key: letters, digits, _ and -, or a text in quotes"),
    (r"Invalid statement", "this is no line of TOML", "key = value, [table] or # comment"),
    (r"Escaped character", "this escape names no character", r"\u and four hexadecimal digits of a character"),
    (r"Exceeds the limit", "a number with too many digits", "a smaller number"),
)


def _explain(name: str, text: str, said: str) -> NotToml:
    found = re.search(r"\(at line (\d+), column (\d+)\)$", said)
    lines = text.split("\n")
    if found:
        line, column = int(found[1]), int(found[2])
    else:  # "at end of document"
        line = max((i for i, content in enumerate(lines, 1) if content.strip()), default=1)
        column = len(lines[line - 1].rstrip()) + 1
    message = re.sub(r" \(at .*\)$", "", said)
    at = lines[line - 1][column - 1 : column]
    place = SourceLocation(name, line, column, 1, lines[line - 1].rstrip("\r"))
    for pattern, problem, expected in _TOML:
        if re.match(pattern, message):
            if problem == _NO_KEY and column == len(lines[line - 1]) + 1:
                return NotToml(place, "not TOML: a table { ... } stands on one line", "its keys, and '}', on this line")
            if at and at in "“”„‘’«»":
                return NotToml(place, f"not TOML: {problem}", 'plain quotes: "..."')
            if "twice" in problem:
                place = find_key_before(name, text, sum(len(x) + 1 for x in lines[: line - 1]) + column - 1) or place
            return NotToml(place, f"not TOML: {problem}", expected)
    return NotToml(place, f"not TOML: {message}", "TOML 1.0, see https://toml.io")


def _find_too_deep(data: dict[str, Any]) -> Keys:
    """The keys of a value that lies too deep, or none."""
    level: list[tuple[Keys, Any]] = [((), data)]
    for _ in range(MAX_DEPTH):
        level = [
            ((*keys, key), inner)
            for keys, value in level
            for key, inner in (value.items() if isinstance(value, dict) else enumerate(value))
            if isinstance(inner, dict | list)
        ]
    return level[0][0] if level else ()
