"""Where in a TOML file a key or value stands: line, column and width, for messages.

`tomllib` gives values without places.  Only when a fault is to be shown is the file parsed a second time, by
tree-sitter, which knows where each key and value stands.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import Any

from claims.language.ground.errors import SourceLocation

Key = str | int
Keys = tuple[Key, ...]
_KEYS = ("bare_key", "quoted_key", "dotted_key")


def find_place(file: str, text: str, keys: Keys, span: tuple[int, int] | None, at_key: bool) -> SourceLocation | None:
    """The place of the value under `keys` (of its key if `at_key`); None where the text has no such value.

    `span` are offsets into the value, if it is a string: that part of it is marked.  A [table] is marked at its name.
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
    """The place of the last key or table name that begins before `offset`: what a fault found there is about."""
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
    """The syntax tree of a file. Many faults of one file are placed one after the other."""
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
    r"""For each character of a TOML string's value, and its end, the offset in the raw token `raw`.

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
            at += 2 if raw.startswith("\r\n", at) else 1  # a line end is one character of the value
    return [*offsets, end]


_FOLDED = re.compile(r"\\[ \t]*\r?\n[ \t\r\n]*")


# -- the syntax tree ------------------------------------------------------------------------------------------------
def _find(root: Any, keys: Keys, at_key: bool) -> Any:
    """The syntax node of the value or key under `keys` (of the name in the header for a table), or None."""
    seen: dict[Keys, int] = {}
    above = None  # the header of a table inside the one that is asked for
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
    """[a.b] below [[a]] belongs to the latest element of a."""
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


# -- what a formatter asks --------------------------------------------------------------------------------------------
def list_pairs(text: str) -> list[tuple[int, int]]:
    """For each `key = value`, at any depth, the offsets at which the key ends and the value begins."""
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
    """The lines, from 1, whose end lies inside a text of several lines."""
    found, level = set[int](), [_parse(text.encode())]
    while level:
        for node in level:
            if node.type == "string":
                found.update(range(node.start_point[0] + 1, node.end_point[0] + 1))
        level = [child for node in level for child in node.children]
    return found
