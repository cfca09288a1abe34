"""A TOML file and the places in it: reading with limits, and the line and column of any value when one is at fault.

The file is parsed once by `tomllib`.  Only when a fault is to be shown is it parsed again by tree-sitter, which knows
where each key and value stands.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.errors import ClaimError, LanguageError, Place

MAX_BYTES = 256 * 1024  # a claim file; the largest shipped one has under 8 KiB
Key = str | int


@dataclass(frozen=True)
class Source:
    """One file: the name shown to a person, its text, its parsed data."""

    name: str
    text: str
    data: dict[str, Any]

    def fault(
        self, keys: tuple[Key, ...], message: str, expected: str = "", span: tuple[int, int] | None = None
    ) -> ClaimError:
        """The error at the value under `keys`; `span` are offsets into that value if it is a string.

        An absent value is shown at the nearest enclosing table that is there.
        """
        for depth in range(len(keys), 0, -1):
            place = _place(self, keys[:depth], span if depth == len(keys) else None)
            if place is not None:
                return ClaimError(place, message, expected)
        return ClaimError(Place(self.name), message, expected)

    def language_fault(self, keys: tuple[Key, ...], error: LanguageError) -> ClaimError:
        """A fault inside the expression under `keys`, or under the key that the error itself names."""
        return self.fault(error.where or keys, error.message, error.expected, (error.start, error.end))


def read(path: Path) -> Source:
    """Read a TOML file. Raises ClaimError if it is missing, too large, not UTF-8, or not TOML."""
    name = shown(path)
    try:
        raw = path.read_bytes()[: MAX_BYTES + 1]
    except OSError as error:
        raise ClaimError(Place(name), f"cannot be read: {error.strerror}", "a TOML file") from None
    if len(raw) > MAX_BYTES:
        raise ClaimError(Place(name), f"larger than {MAX_BYTES // 1024} KiB", "one claim or ruleset per file")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ClaimError(Place(name, line, 1), "not UTF-8 text", "a TOML file in UTF-8") from None
    try:
        return Source(name, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        lines = text.splitlines() or [""]
        line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
        shown_line = lines[line - 1] if line <= len(lines) else ""
        message = re.sub(r" \(at .*\)$", "", str(error))
        raise ClaimError(Place(name, line, column, 1, shown_line), f"not TOML: {message}", "TOML 1.0") from None
    except RecursionError:
        raise ClaimError(Place(name), "nested too deeply", "arrays and tables a few levels deep") from None


def shown(path: Path) -> str:
    """The path as a person would type it: relative to the working directory where it lies below it."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    return absolute if relative.startswith("..") else relative.replace(os.sep, "/")


# -- places ---------------------------------------------------------------------------------------------------------
def _place(source: Source, keys: tuple[Key, ...], span: tuple[int, int] | None) -> Place | None:
    from tree_sitter import Language, Parser
    from tree_sitter_toml import language

    raw = source.text.encode()
    node = _find(Parser(Language(language())).parse(raw).root_node, keys)
    if node is None:
        return None
    start, end = node.start_byte, node.end_byte
    if span is not None and node.type == "string":
        offsets = _decoded_offsets(raw[start:end].decode())
        last = len(offsets) - 1
        at, stop = offsets[min(span[0], last)], offsets[min(span[1], last)]
        inner = raw[start:end].decode()
        start, end = start + len(inner[:at].encode()), start + len(inner[: max(stop, at + 1)].encode())
    before = raw[:start].decode()
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    text = source.text.split("\n")[line - 1].rstrip("\r")
    width = len(raw[start:end].decode().split("\n")[0])
    return Place(source.name, line, column, max(1, width), text)


def _find(root: Any, keys: tuple[Key, ...]) -> Any:
    """The syntax node of the value under `keys` (of the key itself for a table header), or None."""
    seen: dict[tuple[Key, ...], int] = {}
    for node in root.children:
        if node.type == "pair":
            found = _in_pair(node, (), keys)
        elif node.type in ("table", "table_array_element"):
            header = next((c for c in node.children if c.type in ("bare_key", "quoted_key", "dotted_key")), None)
            if header is None:
                continue
            prefix = _names(header)
            if node.type == "table_array_element":
                seen[prefix] = seen.get(prefix, -1) + 1
                prefix = (*prefix, seen[prefix])
            else:
                # [a.b] below [[a]] belongs to the latest element of a.
                for cut in range(1, len(prefix)):
                    if prefix[:cut] in seen:
                        prefix = (*prefix[:cut], seen[prefix[:cut]], *prefix[cut:])
                        break
            if prefix == keys:
                return header
            inner = (_in_pair(c, prefix, keys) for c in node.children if c.type == "pair")
            found = next((f for f in inner if f is not None), None)
        else:
            continue
        if found is not None:
            return found
    return None


def _in_pair(pair: Any, prefix: tuple[Key, ...], keys: tuple[Key, ...]) -> Any:
    names = (*prefix, *_names(pair.children[0]))
    if keys[: len(names)] != names[: len(keys)]:
        return None
    if len(keys) < len(names):
        return pair.children[0]
    return _in_value(pair.children[-1], keys[len(names) :])


def _in_value(value: Any, keys: tuple[Key, ...]) -> Any:
    if not keys:
        return value
    if value.type == "inline_table":
        found = (_in_pair(c, (), keys) for c in value.children if c.type == "pair")
        return next((f for f in found if f is not None), None)
    if value.type == "array" and isinstance(keys[0], int):
        items = [c for c in value.children if c.type not in ("[", "]", ",", "comment")]
        return _in_value(items[keys[0]], keys[1:]) if keys[0] < len(items) else None
    return None


def _names(node: Any) -> tuple[Key, ...]:
    if node.type == "dotted_key":
        return tuple(n for c in node.children for n in _names(c))
    text = node.text.decode()
    if node.type == "quoted_key":
        return (text[1:-1],)
    return (text,) if node.type == "bare_key" else ()


def _decoded_offsets(raw: str) -> list[int]:
    """For each character of a TOML string's value, and its end, the offset in the raw token `raw`.

    >>> _decoded_offsets('"a\\\\tb"')
    [1, 2, 4, 5]
    """
    quote = raw[:3] if raw[:3] in ('"""', "'''") else raw[:1]
    at, end = len(quote), len(raw) - len(quote)
    if len(quote) == 3:
        at += 2 if raw.startswith("\r\n", at) else 1 if raw.startswith("\n", at) else 0
    offsets: list[int] = []
    while at < end:
        if raw[at] == "\\" and quote[0] == '"':
            folded = re.compile(r"\\[ \t]*\r?\n\s*").match(raw, at)
            if folded:
                at = folded.end()
                continue
            offsets.append(at)
            at += {"u": 6, "U": 10}.get(raw[at + 1], 2)
        else:
            offsets.append(at)
            at += 1
    return [*offsets, end]
