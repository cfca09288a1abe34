"""Reading the tables of a claim or ruleset file key by key, so that nothing unknown or ill-typed slips through."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from claims.language.ground.errors import ClaimError, Misspelt, closest, join_words
from claims.language.ground.gathering import FollowOnFault, is_unreadable, mark_unreadable, report_fault
from claims.language.toml.source import Keys, SourceFile

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
    """One table of a file, at `keys`."""

    def __init__(self, source: SourceFile, keys: Keys, data: dict[str, Any]) -> None:
        self.source, self.keys, self.data = source, keys, data

    def fault(self, key: str, message: str, expected: str = "", near: str = "") -> ClaimError:
        return self.source.fault((*self.keys, key), message, expected, near=near)

    def only(self, *known: str) -> None:
        """Refuse every key but these. Raises ClaimError, or gathers one for each."""
        for key in self.data:
            if key not in known:
                near = closest(key, known)
                place = self.source.place((*self.keys, key), at_key=True)
                report_fault(Misspelt(place, f"unknown key {key!r}", f"one of {join_words(known, 24)}", near=near))
                if near not in self.data:
                    mark_unreadable(near)  # that line is there, under another name

    def take(self, key: str) -> Any:
        """The value under `key`. Raises ClaimError if there is none."""
        if key not in self.data:
            example = _EXAMPLES.get(key, f'{key} = "..."')
            fault = self.fault(key, f"{self._name()} has no {key!r}", f"a line {example}")
            raise FollowOnFault(fault.place, fault.message) if is_unreadable(key) else fault
        return self.data[key]

    def _name(self) -> str:
        """The table as a header writes it."""
        if not self.keys:
            return "the file"
        name = ".".join(k for k in self.keys if isinstance(k, str))
        return f"[[{name}]]" if isinstance(self.keys[-1], int) else f"[{name}]"

    def format(self, known: int) -> None:
        """Refuse any `format` but `known`."""
        value = self.take("format")
        if value != known or type(value) is not int:
            report_fault(self.fault("format", f"format {format_value(value)} is not known", f"format = {known}"))

    def text(self, key: str, expected: str = "text in quotes, not empty") -> str:
        """A non-empty string."""
        value = self.take(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, f"{key!r} is {format_value(value)}", expected)
        return value

    def optional_text(self, key: str, expected: str = "text in quotes, not empty") -> str:
        """A non-empty string, or "" where there is none."""
        return self.text(key, expected) if key in self.data else ""

    def texts(self, key: str, expected: str = 'a list of texts, such as ["a", "b"]') -> tuple[str, ...]:
        """A list of strings."""
        value = self.take(key)
        if not isinstance(value, list):
            whole = isinstance(value, str) and value.lstrip()[:1] not in ("", "[")  # or it is a list in quotes
            of_one = f"[{format_value(value)}]" if whole else ""
            more = f"; of one, {of_one}" if of_one and of_one not in expected else ""
            raise self.fault(key, f"{key!r} is {format_value(value)}", expected + more)
        for i, item in enumerate(value):
            if not isinstance(item, str):
                raise self.source.fault((*self.keys, key, i), f"this is {format_value(item)}", "text in quotes")
        return tuple(value)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of `choices`."""
        value = self.take(key)
        if value not in choices:
            near = closest(value, choices) if isinstance(value, str) else ""
            expected = " or ".join(f'"{c}"' for c in choices)
            raise Misspelt(
                self.source.place((*self.keys, key)), f"{key!r} is {format_value(value)}", expected, near=near
            )
        return str(value)

    def optional_table(self, key: str) -> dict[str, Any]:
        """A table, or an empty one where there is none."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise self.fault(key, f"{key!r} is {format_value(value)}", f"a table, {_EXAMPLES.get(key, f'[{key}]')}")
        return value

    def expressions(self, key: str) -> list[tuple[str, str]]:
        """The lines of the table under `key`, each a name and an expression in quotes; none without such a table."""
        return TomlTable(self.source, (*self.keys, key), self.optional_table(key)).lines()

    def lines(self) -> list[tuple[str, str]]:
        """Its lines, each a name and an expression in quotes. Raises ClaimError."""
        for name, text in self.data.items():
            if not isinstance(text, str):
                raise self.fault(name, f"{format_value(text)} is no expression", "an expression in quotes")
        return list(self.data.items())

    def tables(self, key: str) -> list[TomlTable]:
        """A non-empty array of tables, [[key]]."""
        value, name = self.data.get(key), ".".join([*(k for k in self.keys if isinstance(k, str)), key])
        if value is None:
            raise self.fault(key, f"the file has no [[{name}]]", f"one or more tables [[{name}]]")
        if not isinstance(value, list) or not value or not all(isinstance(v, dict) for v in value):
            kind = "a table in single brackets" if isinstance(value, dict) else format_value(value)
            raise self.fault(key, f"{key!r} is {kind}", f"one or more tables [[{name}]], in double brackets")
        return [TomlTable(self.source, (*self.keys, key, i), v) for i, v in enumerate(value)]


def format_value(value: object) -> str:
    """The value as a file writes it, or its kind if it is long.

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
