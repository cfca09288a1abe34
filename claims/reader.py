"""Reading the tables of a claim or ruleset file key by key, so that nothing unknown or ill-typed slips through."""

from __future__ import annotations

from typing import Any

from claims.errors import ClaimError, nearest
from claims.source import Key, Source


class Table:
    """One table of a file. Every key asked for is remembered; `finish` refuses the others."""

    def __init__(self, source: Source, keys: tuple[Key, ...], data: dict[str, Any]) -> None:
        self.source, self.keys, self.data, self.asked = source, keys, data, list[str]()

    def fault(self, key: str, message: str, expected: str = "") -> ClaimError:
        return self.source.fault((*self.keys, key), message, expected)

    def take(self, key: str, default: Any = None) -> Any:
        """The value under `key`; without one, `default`, or ClaimError if that is None."""
        self.asked.append(key)
        if key in self.data:
            return self.data[key]
        if default is None:
            where = ".".join(map(str, self.keys)) or "the file"
            raise self.fault(key, f"{where} has no {key!r}", f"a line {key} = ...")
        return default

    def format(self, known: int) -> None:
        """Refuse any `format` but `known`."""
        value = self.take("format")
        if value != known or isinstance(value, bool):
            raise self.fault("format", f"format {value!r} is not known", f"format = {known}")

    def text(self, key: str) -> str:
        """A non-empty string."""
        value = self.take(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, f"{key!r} is {_said(value)}", "a non-empty string")
        return value

    def optional_text(self, key: str) -> str:
        """A non-empty string, or "" where there is none."""
        self.asked.append(key)
        return self.text(key) if key in self.data else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self.take(key)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.fault(key, f"{key!r} is {_said(value)}", "a list of strings")
        return tuple(value)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of `choices`."""
        value = self.take(key)
        if value not in choices:
            raise self.fault(key, f"{key!r} is {_said(value)}", " or ".join(f'"{c}"' for c in choices))
        return str(value)

    def optional_table(self, key: str) -> dict[str, Any]:
        """A table, or an empty one where there is none."""
        value = self.take(key, {})
        if not isinstance(value, dict):
            raise self.fault(key, f"{key!r} is {_said(value)}", "a table")
        return value

    def tables(self, key: str) -> list[Table]:
        """A non-empty array of tables, [[key]]."""
        value = self.take(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, dict) for v in value):
            raise self.fault(key, f"{key!r} is {_said(value)}", f"one or more [[{key}]] tables")
        return [Table(self.source, (*self.keys, key, i), v) for i, v in enumerate(value)]

    def finish(self) -> None:
        """Refuse every key that was not asked for. Raises ClaimError."""
        for key in self.data:
            if key not in self.asked:
                known = sorted(set(self.asked))
                raise self.fault(key, f"unknown key {key!r}", f"one of {', '.join(known)}{nearest(key, known)}")


def _said(value: Any) -> str:
    kinds = {bool: "a truth value", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table"}
    text = repr(value)
    return text if len(text) <= 40 and not isinstance(value, dict) else kinds.get(type(value), "a date")
