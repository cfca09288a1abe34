"""TOML files: a record of the files that were read, limits on size and depth, and the location of each value."""

from __future__ import annotations

import codecs
import datetime as dt
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from claims.language.errors import (
    ClaimError,
    FollowOnFault,
    LanguageError,
    Misspelt,
    NotToml,
    SourceLocation,
    find_closest,
    get_fault_collector,
    is_unreadable,
    join_words,
    mark_unreadable,
    report_fault,
)

# == trail ============================================================================================================
# A record of the files and folders that a computation read, and their states.
#
# The same program with the same question gives the same answer if all recorded states are unchanged. Everything that a
# claim depends on is read by the functions of this module.
MOST_BYTES = 256 * 1024  # of a file; a longer file is not a claim, and its rest is ignored
NOTHING = ""  # the state of a path that is missing, or is neither a file nor a folder
UNREADABLE = "unreadable"  # a state that `look` never returns

FILES, FOLDERS = "*.toml", "*"  # last parts of a path that stand for the content of its folder

FileStates = tuple[tuple[str, str], ...]
"""Pairs of the displayed name of a file and its state (see `look`), each name once, in the order of first access."""


class FileRecorder:
    """A record of the files that a computation accessed, with the state of each file (see `look`).

    `steady`: whether each file had the same state at all accesses.
    """

    def __init__(self) -> None:
        self._states: dict[str, str] = {}
        self.steady = True

    @property
    def file_states(self) -> FileStates:
        return tuple(self._states.items())

    def note(self, path: Path, state: str) -> None:
        """Record that the path had this state when it was accessed. The first state of a path is kept."""
        self.steady &= self._states.setdefault(display_path(path), state) == state


_followed: ContextVar[FileRecorder | None] = ContextVar("_followed", default=None)


@contextmanager
def record_files() -> Iterator[FileRecorder]:
    """Record the files that are accessed inside the `with` block.

    If the block is inside another such block, the files are also recorded for the outer block.
    """
    outer, trail = _followed.get(), FileRecorder()
    token = _followed.set(trail)
    try:
        yield trail
    finally:
        _followed.reset(token)
        if outer is not None:
            for name, state in trail.file_states:
                outer.note(Path(name), state)
            outer.steady &= trail.steady


def note_file(path: Path, data: bytes) -> None:
    """Record that a file was read, if files are being recorded.

    `data`: the content of the file, or at least its first MOST_BYTES + 1 bytes.
    """
    if (trail := _followed.get()) is not None:
        trail.note(path, _state_of_file(path, data))


def is_file(path: Path) -> bool:
    """Return whether `path` is an existing file. If files are being recorded, record the result, even if it is False.

    So a stored result becomes invalid if the file is created later.
    """
    if (trail := _followed.get()) is None:
        return path.is_file()
    state = look(path)
    trail.note(path, state)
    return state.startswith("file")


def list_files(folder: Path) -> tuple[Path, ...]:
    """Return the files *.toml in a folder, sorted by name; () if the folder cannot be read."""
    return _list(folder / FILES)


def list_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders in a folder, sorted by name; () if the folder cannot be read."""
    return _list(folder / FOLDERS)


def _list(pattern: Path) -> tuple[Path, ...]:
    try:
        found = _match(pattern)
        state = _state_of_list(pattern, found)
    except OSError:
        found, state = (), UNREADABLE
    if (trail := _followed.get()) is not None:
        trail.note(pattern, state)
    return found


def look(path: Path) -> str:
    """Return a text that changes if the content of the file changes, or if the path leads to another file.

    The text contains a digest of the content and the resolved path. It is NOTHING if there is no file. A path that ends
    in "*.toml" or "*" stands for the list of the TOML files, or of the folders, in its parent. Raises OSError.
    """
    if path.name in (FILES, FOLDERS):
        return _state_of_list(path, _match(path))
    if not path.is_file():
        return NOTHING
    with path.open("rb") as file:
        return _state_of_file(path, file.read(MOST_BYTES + 1))


def _state_of_file(path: Path, data: bytes) -> str:
    return f"file {hashlib.sha256(data[: MOST_BYTES + 1]).hexdigest()} {_real(path)}"


def _match(pattern: Path) -> tuple[Path, ...]:
    inside = sorted(pattern.parent.iterdir())
    return tuple(x for x in inside if (x.suffix == ".toml" if pattern.name == FILES else x.is_dir()))


def _state_of_list(pattern: Path, found: tuple[Path, ...]) -> str:
    names = "\0".join(x.name for x in found)
    return f"list {hashlib.sha256(names.encode('utf-8', 'surrogateescape')).hexdigest()} {_real(pattern.parent)}"


def _real(path: Path) -> str:
    return display_path(Path(os.path.realpath(path)))


@dataclass(frozen=True)
class View:
    """The translation of the paths of this process into the paths of another process, for example on another machine.

    `here`: the working directory of the other process.
    `moved`: pairs of absolute paths: a folder in this process, and the same folder in the other process. For a file in
    several of these folders, the first pair applies. Files outside these folders have the same path in both processes.
    """

    here: Path
    moved: tuple[tuple[Path, Path], ...]

    def translate(self, path: Path) -> Path:
        """Return the path that the other process uses for an absolute path of this process."""
        found = next(((ours, theirs) for ours, theirs in self.moved if path.is_relative_to(ours)), None)
        return path if found is None else found[1] / path.relative_to(found[0])


_view: ContextVar[View | None] = ContextVar("_view", default=None)


@contextmanager
def viewing_from(view: View) -> Iterator[None]:
    """Let `display_path` show the paths of another process inside the `with` block."""
    token = _view.set(view)
    try:
        yield
    finally:
        _view.reset(token)


def take_view() -> View | None:
    """Return the `View` that `display_path` uses, so that it can be sent to another process; None if there is none."""
    return _view.get()


def keep_view(view: View | None) -> None:
    """Let `display_path` show the paths of another process from now on, or the paths of this process if None.

    A process that works for another process calls this function.
    """
    _view.set(view)


def display_path(path: Path) -> str:
    """Return the path as messages show it: relative to the working directory if it is inside, otherwise absolute.

    If a `View` is in use, the result is the path in the other process.
    """
    if (view := _view.get()) is not None:
        return _relative(view.translate(Path.cwd() / path), view.here)
    return _format_path(os.fspath(path), os.getcwd())  # noqa: PTH109 - making a Path would take most of the time


@lru_cache(maxsize=10_000)  # most files are shown many times
def _format_path(path: str, here: str) -> str:
    return _relative(Path(here, path), Path(here))


def _relative(absolute: Path, here: Path) -> str:
    try:
        return absolute.relative_to(here).as_posix()
    except ValueError:  # it is elsewhere
        return str(absolute)


# == places ===========================================================================================================
# The location of a key or value in a TOML file, for messages: line, column and width.
#
# `tomllib` returns values without locations. Only when a message needs a location, tree-sitter parses the file again.
Key = str | int
Keys = tuple[Key, ...]
_KEYS = ("bare_key", "quoted_key", "dotted_key")


def find_place(file: str, text: str, keys: Keys, span: tuple[int, int] | None, at_key: bool) -> SourceLocation | None:
    """Return the place of the value under `keys` in the text of a TOML file, or None if there is no such value.

    If `at_key`, return the place of the key instead. For a [table], return the place of the name in its header.

    `file`: the displayed name of the file.
    `span`: the offsets of the part to mark, if the value is a string; None for the complete value.
    """
    raw = text.encode()
    node = _find(_parse(raw), keys, at_key)
    if node is None:
        return None
    start, end = node.start_byte, node.end_byte
    if span is not None and node.type == "string":
        token = raw[start:end].decode()
        offsets = decode_offsets(token)
        last = len(offsets) - 1
        at, stop = offsets[min(span[0], last)], offsets[min(span[1], last)]
        start, end = start + len(token[:at].encode()), start + len(token[: max(stop, at + 1)].encode())
    return _mark(file, text, raw, start, end)


def find_key_before(file: str, text: str, offset: int) -> SourceLocation | None:
    """Return the place of the last key or table name that begins before `offset`; None if there is none.

    For a key that is given twice, `tomllib` reports an offset after the key. This function finds the key.
    """
    raw = text.encode()
    limit = len(text[:offset].encode())
    keys = list[Any]()
    level = [c for c in _parse(raw).children if c.type in ("pair", "table", "table_array_element")]
    while level:
        keys += [c for node in level for c in node.children if c.type in _KEYS and c.start_byte < limit]
        level = [c for node in level for c in node.children if c.type in ("pair", "inline_table", "array")]
    last = max(keys, key=lambda node: int(node.start_byte), default=None)
    return _mark(file, text, raw, last.start_byte, last.end_byte) if last else None


@lru_cache(maxsize=4)
def _parse(raw: bytes) -> Any:
    """Return the tree-sitter syntax tree of a TOML file. It is cached, because one file can have several faults."""
    from tree_sitter import Language, Parser
    from tree_sitter_toml import language

    return Parser(Language(language())).parse(raw).root_node


def _mark(file: str, text: str, raw: bytes, start: int, end: int) -> SourceLocation:
    before, marked = raw[:start].decode(), raw[start:end].decode()
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    width = len(marked.split("\n")[0].rstrip("\r"))
    return SourceLocation(file, line, column, max(1, width), text.split("\n")[line - 1].rstrip("\r"))


def decode_offsets(raw: str) -> list[int]:
    r"""Return, for each character of a TOML string's value, its offset in the token `raw`, which includes the quotes.

    The last entry is the offset of the closing quote.

    >>> decode_offsets('"a\\tb"')
    [1, 2, 4, 5]
    """
    quote = raw[:3] if raw[:3] in ('"""', "'''") else raw[:1]
    at, end = len(quote), len(raw) - len(quote)
    if len(quote) == 3:
        at += 2 if raw.startswith("\r\n", at) else 1 if raw.startswith("\n", at) else 0
    offsets: list[int] = []
    while at < end:
        if raw[at] == "\\" and quote[0] == '"':
            folded = _FOLDED.match(raw, at)
            if folded:
                at = folded.end()
                continue
            offsets.append(at)
            at += {"u": 6, "U": 10}.get(raw[at + 1], 2)
        else:
            offsets.append(at)
            at += 2 if raw.startswith("\r\n", at) else 1  # a line end counts as one character of the value
    return [*offsets, end]


_FOLDED = re.compile(r"\\[ \t]*\r?\n[ \t\r\n]*")


# -- the syntax tree ---------------------------------------------------------------------------------------------------
def _find(root: Any, keys: Keys, at_key: bool) -> Any:
    """Return the syntax node of the value under `keys`, or None. If `at_key`, return the node of the key instead.

    For a table, return the node of the name in its header.
    """
    seen: dict[Keys, int] = {}
    above = None  # the header of a table inside the wanted one
    for node in root.children:
        found = None
        if node.type == "pair":
            found = _find_in_pair(node, (), keys, at_key)
        elif node.type in ("table", "table_array_element"):
            header = next((c for c in node.children if c.type in _KEYS), None)
            if header is None:
                continue
            prefix = _number_tables(_read_names(header), seen)
            if node.type == "table_array_element":
                seen[prefix] = seen.get(prefix, -1) + 1
                prefix = (*prefix, seen[prefix])
            if prefix == keys:
                return header
            if prefix[: len(keys)] == keys and above is None:
                above = header
            inner = (_find_in_pair(c, prefix, keys, at_key) for c in node.children if c.type == "pair")
            found = next((f for f in inner if f is not None), None)
        if found is not None:
            return found
    return above


def _number_tables(prefix: Keys, seen: dict[Keys, int]) -> Keys:
    """Insert the index of an array into the path of a table.

    A table [a.b] below two tables [[a]] belongs to the second: `("a", "b")` becomes `("a", 1, "b")`.

    `seen`: the index of the latest table of each array so far.
    """
    for cut in range(1, len(prefix)):
        if prefix[:cut] in seen:
            return (*prefix[:cut], seen[prefix[:cut]], *prefix[cut:])
    return prefix


def _find_in_pair(pair: Any, prefix: Keys, keys: Keys, at_key: bool) -> Any:
    names = (*prefix, *_read_names(pair.children[0]))
    if keys[: len(names)] != names[: len(keys)] or len(keys) <= len(prefix):
        return None
    if len(keys) < len(names) or (at_key and len(keys) == len(names)):
        return pair.children[0]
    value = next(c for c in reversed(pair.children) if c.type != "comment")
    return _find_in_value(value, keys[len(names) :], at_key)


def _find_in_value(value: Any, keys: Keys, at_key: bool) -> Any:
    if not keys:
        return value
    if value.type == "inline_table":
        found = (_find_in_pair(c, (), keys, at_key) for c in value.children if c.type == "pair")
        return next((f for f in found if f is not None), None)
    if value.type == "array" and isinstance(keys[0], int):
        items = [c for c in value.children if c.type not in ("[", "]", ",", "comment")]
        return _find_in_value(items[keys[0]], keys[1:], at_key) if keys[0] < len(items) else None
    return None


def _read_names(node: Any) -> Keys:
    if node.type == "dotted_key":
        return tuple(n for c in node.children for n in _read_names(c))
    text = node.text.decode()
    if node.type == "quoted_key":
        try:
            return tuple(tomllib.loads(f"{text} = 0"))
        except tomllib.TOMLDecodeError:
            return (text[1:-1],)
    return (text,) if node.type == "bare_key" else ()


# -- for the formatter -------------------------------------------------------------------------------------------------
def list_pairs(text: str) -> list[tuple[int, int]]:
    """Return, for each `key = value` of a TOML file, the offset of the end of the key and of the start of the value.

    The pairs inside inline tables are included. The result is sorted.
    """
    raw = text.encode()
    found, level = list[tuple[int, int]](), [_parse(raw)]
    while level:
        for node in level:
            if node.type == "pair":
                value = next(c for c in reversed(node.children) if c.type != "comment")
                ends = node.children[0].end_byte, value.start_byte
                found.append((len(raw[: ends[0]].decode()), len(raw[: ends[1]].decode())))
        level = [child for node in level for child in node.children]
    return sorted(found)


def list_continued(text: str) -> set[int]:
    """Return the numbers of the lines whose end is inside a multi-line string. Lines are counted from 1."""
    found, level = set[int](), [_parse(text.encode())]
    while level:
        for node in level:
            if node.type == "string":
                found.update(range(node.start_point[0] + 1, node.end_point[0] + 1))
        level = [child for node in level for child in node.children]
    return found


# == source ===========================================================================================================
# A TOML file: its limits on size and depth, and errors that point into it.
MAX_BYTES = MOST_BYTES  # a claim file; the largest shipped one has under 8 KiB
REMEMBERED = 500  # parsed files; many claims use the same file
MOST_FAULTS = 20  # invalid lines that are reported
MAX_DEPTH = 12  # of tables and arrays; a proof that picks four heaps in turn needs 12
MAX_DOTS = 100  # dots in a line: tomllib takes quadratic time for a dotted key


Data = dict[str, Any]
"""The content of a file, as tomllib returns it."""


@dataclass(frozen=True)
class SourceFile:
    """A TOML file that was read: its displayed name, its text, its parsed data.

    For a variant of a claim, `data` is the claim with the changes of the variant, while `text` is the complete file.
    `moved`: the keys whose values in `data` come from the table of the variant, each with its keys in `text`.
    `pointed`: the keys in `text` at which an error about the complete claim is shown.
    `made`: the keys of `data` that the program added, such as a default title; `text` does not contain them.
    """

    name: str
    text: str
    data: Data
    moved: Mapping[Keys, Keys] = field(default_factory=dict)
    pointed: Keys = ("claim", "then")
    made: frozenset[str] = frozenset()

    @property
    def digest(self) -> str:
        """The SHA-256 of the bytes of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def place(self, keys: Keys, span: tuple[int, int] | None = None, at_key: bool = False) -> SourceLocation:
        """Return the place of the value under `keys`, or of the key itself if `at_key`.

        For a missing value, return the place of the innermost table or value on the path to it that exists.

        `span`: the offsets of the part to mark, if the value is a string; None for the complete value.
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
        """Return an error at the value under `keys`. `span`: the offsets of the part to mark, if it is a string."""
        return ClaimError(self.place(keys, span), message, expected, near=near)

    def key_fault(self, keys: Keys, message: str, expected: str = "", near: str = "") -> ClaimError:
        """Return an error at the last of `keys` instead of its value, for example for an unknown or reserved name."""
        return ClaimError(self.place(keys, at_key=True), message, expected, near=near)

    def language_fault(self, keys: Keys, error: LanguageError) -> ClaimError:
        """Return `error`, which is inside the expression under `keys`, as a ClaimError with places in this file.

        If `error.where` is known, the error is inside the expression under these keys instead.
        """
        calls = tuple((s.how, self.place(s.where or keys, (s.start, s.end))) for s in error.trail)
        place = self.place(error.where or keys, (error.start, error.end))
        return ClaimError(place, error.message, error.expected, calls, error.near)


def read(path: Path) -> SourceFile:
    """Read a TOML file. Raises ClaimError if the file is missing, too large, not UTF-8, or not TOML."""
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
    """Return the SourceFile for `path` with the content `text`, without reading the file. Raises ClaimError."""
    return _parse_source(display_path(path), text.encode())


def read_on(path: Path) -> SourceFile:
    """Read a TOML file. While faults are collected, skip invalid lines, report them, and mark their keys as lost.

    Raises ClaimError if the file cannot be read in this way, for example because an invalid line begins a value that
    continues on other lines.
    """
    found = get_fault_collector()
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
            break  # no line is valid: do not report missing keys
        if fault.place.line <= number:
            break
    raise fault


_LINE = re.compile(r"""(?!.*(?:\"\"\"|'{3}))\s*(?!\[)("[^"]*"|[\w.-]+)?""")  # a complete line, with its key


@lru_cache(maxsize=REMEMBERED)
def _parse_source(name: str, raw: bytes) -> SourceFile:
    """Parse the bytes of a file. Raises ClaimError."""
    text = _decode(name, raw)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.count(".") > MAX_DOTS:
            raise NotToml(
                SourceLocation(name, number, 1, 1, line), f"this line has more than {MAX_DOTS} dots", "shorter lines"
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
    """A function like `read` that reads each file once. Later calls return the same content, even if it has changed.

    `known`: the content to return for some paths, without reading these files.
    """

    def __init__(self, known: Mapping[Path, SourceFile] | None = None) -> None:
        self._sources = dict(known or {})

    def __call__(self, path: Path) -> SourceFile:
        """Return the content of a TOML file, from the first call for this path. Raises ClaimError."""
        if path not in self._sources:
            self._sources[path] = read(path)
        return self._sources[path]


Read = Callable[[Path], SourceFile]


_SHALLOW = f"tables and arrays at most {MAX_DEPTH} levels deep"


def _decode(name: str, raw: bytes) -> str:
    if raw.startswith(codecs.BOM_UTF8):
        raise NotToml(SourceLocation(name), "the file begins with a byte order mark", "UTF-8 without a byte order mark")
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


_NO_KEY = "a key cannot begin here"
# Errors of tomllib and their translation: (pattern, the problem, what was expected).
_TOML = (
    (r"Expected newline or end of document", "the line continues after its value", "one key = value on each line"),
    (
        r"Expected '=' after a key",
        "no '=' after this key",
        'key = value; a key such as f(x) needs quotes, "f(x)" = "..."',
    ),
    (
        r"Invalid value",
        "this is not a value",
        "a number, true or false, text in quotes, a list [...] or a table { ... }",
    ),
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
        "this character is not allowed here",
        "spaces instead of control characters",
    ),
    (r"Unterminated string|Expected \"'|Expected '\"", "the text is never closed", "its closing quote"),
    (r"Unescaped", "this backslash does not begin an escape", r"\\ for a backslash, or single quotes around the text"),
    (r"Unclosed array", "the list is not closed", "',' or ']'"),
    (r"Unclosed inline table", "the table is not closed", "',' or '}', on the same line"),
    (r"Duplicate inline table key", "this key or table is given twice", "each key once in its table"),
    (r"Expected '\]", "the name of the table is not closed", "']', as in [claim]"),
    (r"Invalid initial character for a key part", _NO_KEY, "a key: letters, digits, _ and -, or a text in quotes"),
    (r"Invalid statement", "this is not a line of TOML", "key = value, [table] or # comment"),
    (r"Escaped character", "this escape is not a character", r"\u and the four hexadecimal digits of a character"),
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
                return NotToml(
                    place, "not TOML: a table { ... } must be on one line", "its keys, and '}', on this line"
                )
            if at and at in "“”„‘’«»":
                return NotToml(place, f"not TOML: {problem}", 'plain quotes: "..."')
            if message.startswith("Expected newline") and (quoted := _quote_otherwise(lines[line - 1])):
                return NotToml(place, "not TOML: the quotes inside the text end it", quoted)
            if "twice" in problem:
                place = find_key_before(name, text, sum(len(x) + 1 for x in lines[: line - 1]) + column - 1) or place
            return NotToml(place, f"not TOML: {problem}", expected)
    return NotToml(place, f"not TOML: {message}", "TOML 1.0, see https://toml.io")


_QUOTED = re.compile(r"""\s*(?P<key>[\w.-]+|"[^"]*")\s*=\s*(?P<quote>["'])(?P<text>.+)(?P=quote)\s*""")
_NEXT_KEY = re.compile(r"""["']\s*[\w.-]+\s*=\s*["']""")  # after a value


def _quote_otherwise(line: str) -> str:
    r"""Return the line `key = "text"` with quotes around the text that the text itself does not contain.

    Return "" for other lines, and for a line that may have two keys.

    >>> print(_quote_otherwise('ruleset = "octal(code = "0.77")"'))
    ruleset = 'octal(code = "0.77")'
    >>> print(_quote_otherwise('title = "The "pass" isn\'t a move"'))
    title = '''The "pass" isn't a move'''
    >>> _quote_otherwise('expect = "holds" notes = "easy"')
    ''
    """
    match = _QUOTED.fullmatch(line)
    if match is None or _NEXT_KEY.search(match["text"]):
        return ""
    for quote in ("'", '"', "'''", '"""'):
        quoted = f"{quote}{match['text']}{quote}"
        try:
            if tomllib.loads(f"x = {quoted}") == {"x": match["text"]}:
                return f"{match['key']} = {quoted}"
        except tomllib.TOMLDecodeError:
            continue
    return ""


def _find_too_deep(data: dict[str, Any]) -> Keys:
    """Return the keys of a table or array that is MAX_DEPTH levels below the file itself; () if there is none."""
    level: list[tuple[Keys, Any]] = [((), data)]
    for _ in range(MAX_DEPTH):
        level = [
            ((*keys, key), inner)
            for keys, value in level
            for key, inner in (value.items() if isinstance(value, dict) else enumerate(value))
            if isinstance(inner, dict | list)
        ]
    return level[0][0] if level else ()


# == reader ===========================================================================================================
# Reading the tables of a claim or ruleset file key by key, so that unknown keys and wrong types are rejected.
_EXAMPLES = {
    "format": "format = 1",
    "uses": 'uses = ["..."]',
    "players": 'players = ["P1", "P2"]',
    "choose": 'choose = "any heap h"',
    "become": 'become = ["h - m"]',
    "stuck": 'stuck = "loses"',
    "role": 'role = "lemma"',
    "pick": 'pick = { m = "1..h" }',
    "parameters": 'parameters = { k = "1.." }',
}


class TomlTable:
    """One table of a TOML file, with methods that check its values.

    `keys`: the path to the table, such as `("moves", 0)`; () for the complete file.
    `data`: the content of the table.
    """

    def __init__(self, source: SourceFile, keys: Keys, data: dict[str, Any]) -> None:
        self.source, self.keys, self.data = source, keys, data

    def fault(self, key: str, message: str, expected: str = "", near: str = "") -> ClaimError:
        return self.source.fault((*self.keys, key), message, expected, near=near)

    def reject_unknown_keys(self, *known: str) -> None:
        """Report every key that is not in `known`.

        The first such key is raised as ClaimError. If a `FaultCollector` is in use, all are collected.
        """
        for key in self.data:
            if key not in known:
                near = find_closest(key, known)
                place = self.source.place((*self.keys, key), at_key=True)
                report_fault(Misspelt(place, f"unknown key {key!r}", f"one of {join_words(known, 24)}", near=near))
                if near not in self.data:
                    mark_unreadable(near)  # the line exists under a misspelt key

    def require(self, key: str) -> Any:
        """Return the value under `key`, of any type. Raises ClaimError if there is no such key."""
        if key not in self.data:
            example = _EXAMPLES.get(key, f'{key} = "..."')
            such = "such as " if key in _EXAMPLES and key != "format" else ""
            fault = self.fault(key, f"{self._name()} has no {key!r}", f"a line {such}{example}")
            raise FollowOnFault(fault.place, fault.message) if is_unreadable(key) else fault
        return self.data[key]

    def _name(self) -> str:
        """Return the header of the table, such as "[claim]" or "[[moves]]"; "the file" for the complete file."""
        if not self.keys:
            return "the file"
        name = ".".join(k for k in self.keys if isinstance(k, str))
        return f"[[{name}]]" if isinstance(self.keys[-1], int) else f"[{name}]"

    def format(self, known: int) -> None:
        """Report a fault if the value of the key `format` is not the number `known`.

        The fault is raised as ClaimError, or collected if a `FaultCollector` is in use.
        """
        value = self.require("format")
        if value != known or type(value) is not int:
            report_fault(self.fault("format", f"unknown format {format_value(value)}", f"format = {known}"))

    def text(self, key: str, expected: str = "text in quotes, not empty") -> str:
        """Return the value under `key`, which must be a non-empty string. Raises ClaimError for another value.

        `expected`: the words for the expected value in the error.
        """
        value = self.require(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, f"{key!r} is {format_value(value)}", expected)
        return value

    def optional_text(self, key: str, expected: str = "text in quotes, not empty") -> str:
        """Return "" if the key is missing, otherwise its value, which must be a non-empty string.

        Raises ClaimError for another value. `expected`: the words for the expected value in the error.
        """
        return self.text(key, expected) if key in self.data else ""

    def texts(self, key: str, expected: str = 'a list of texts, such as ["a", "b"]') -> tuple[str, ...]:
        """Return the value under `key`, which must be a list of strings. Raises ClaimError for another value.

        `expected`: the words for the expected value in the error.
        """
        value = self.require(key)
        if not isinstance(value, list):
            whole = isinstance(value, str) and value.lstrip()[:1] not in ("", "[")  # or it is a list in quotes
            of_one = f"[{format_value(value)}]" if whole else ""
            more = f"; for one text, {of_one}" if of_one and of_one not in expected else ""
            raise self.fault(key, f"{key!r} is {format_value(value)}", expected + more)
        for i, item in enumerate(value):
            if not isinstance(item, str):
                raise self.source.fault((*self.keys, key, i), f"this is {format_value(item)}", "text in quotes")
        return tuple(value)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """Return the value under `key`, which must be one of `choices`. Raises ClaimError for another value."""
        value = self.require(key)
        if value not in choices:
            near = find_closest(value, choices) if isinstance(value, str) else ""
            expected = " or ".join(f'"{c}"' for c in choices)
            raise Misspelt(
                self.source.place((*self.keys, key)), f"{key!r} is {format_value(value)}", expected, near=near
            )
        return str(value)

    def optional_table(self, key: str) -> dict[str, Any]:
        """Return {} if the key is missing, otherwise its value, which must be a table. Raises ClaimError."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise self.fault(
                key, f"{key!r} is {format_value(value)}", f"a table, as in {_EXAMPLES.get(key, f'[{key}]')}"
            )
        return value

    def expressions(self, key: str) -> list[tuple[str, str]]:
        """Return the lines `name = "expression"` of the table under `key`, as pairs; [] if there is no such table.

        Raises ClaimError if a value is not a string.
        """
        return TomlTable(self.source, (*self.keys, key), self.optional_table(key)).lines()

    def lines(self) -> list[tuple[str, str]]:
        """Return the lines `name = "expression"` of this table, as pairs. Raises ClaimError for another value."""
        for name, text in self.data.items():
            if not isinstance(text, str):
                raise self.fault(name, f"{format_value(text)} is not an expression", "an expression in quotes")
        return list(self.data.items())

    def tables(self, key: str) -> list[TomlTable]:
        """Return the tables [[key]], of which there must be at least one. Raises ClaimError."""
        value, name = self.data.get(key), ".".join([*(k for k in self.keys if isinstance(k, str)), key])
        if value is None:
            raise self.fault(key, f"the file has no [[{name}]]", f"one or more tables [[{name}]]")
        if not isinstance(value, list) or not value or not all(isinstance(v, dict) for v in value):
            kind = "a table in single brackets" if isinstance(value, dict) else format_value(value)
            raise self.fault(key, f"{key!r} is {kind}", f"one or more tables [[{name}]], in double brackets")
        return [TomlTable(self.source, (*self.keys, key, i), v) for i, v in enumerate(value)]


def format_value(value: object) -> str:
    """Return a TOML value as text for a message. For a table and for a long text, return only the kind of value.

    >>> format_value(True), format_value(["a"]), format_value({"a": 1}), format_value("")
    ('true', '["a"]', 'a table', 'an empty text')
    """
    if isinstance(value, str) and not value.strip():
        return "an empty text"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, dt.date | dt.time):
        return "a date or time"
    kinds = {bool: "a truth value", int: "a number", float: "a number", str: "a text", list: "a list"}
    try:
        text = json.dumps(value, ensure_ascii=False)
        text = text if text.isprintable() else json.dumps(value)
    except TypeError:
        return kinds[type(value)]
    return text if len(text) <= 40 else kinds[type(value)]
