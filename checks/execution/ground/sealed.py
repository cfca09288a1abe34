"""Sealed files: what finished work says of itself, written at once and whole, and read only as it was written.

A file is one object: its format, what its value is about, the value, and a seal over all that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from checks.cache.coding import StrictCodec, Unreadable, dump
from checks.receipts.bounded_json import BadJson, Bounds, quote, read_json
from checks.receipts.writing import seal, store
from checks.results.values import Json
from claims.language.ground.errors import NimChecksError

_T = TypeVar("_T")
NOTHING: Mapping[str, Json] = MappingProxyType({})


class BadFile(NimChecksError):
    """A file that is none of its kind, was edited, or is of something else; the message names it and what is wrong."""


@dataclass(frozen=True)
class FileForm(Generic[_T]):
    """How files of one kind look. `key`: where their value stands; `kind`: its type, with `names` as for a Coder.

    `subject`: what they are about, in words.
    """

    format: int
    key: str
    kind: type[_T]
    bounds: Bounds
    subject: str = ""
    names: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def _coder(self) -> StrictCodec:
        return StrictCodec(self.kind, self.names)

    def write(self, path: Path, value: _T, about: Mapping[str, Json] = NOTHING) -> None:
        """Write the value, and what it is about. Raises OSError."""
        data: dict[str, Json] = {"format": self.format, **about, self.key: json.loads(self._coder.write(value))}
        store(path, json.dumps({**data, "seal": seal(data)}, separators=(",", ":")) + "\n")

    def read(self, path: Path, about: Mapping[str, Json] = NOTHING) -> _T:
        """The value that was written about just that. Raises BadFile."""
        try:
            data = read_json(path, self.bounds)
        except BadJson as error:
            raise BadFile(str(error)) from None
        keys = ("format", *about, self.key, "seal")
        if not isinstance(data, dict) or tuple(data) != keys:
            found = ", ".join(map(quote, data)) if isinstance(data, dict) else quote(data)
            raise BadFile(f"{path}: the keys {found}; expected {', '.join(keys)}")
        if type(data["format"]) is not int or data["format"] != self.format:
            raise BadFile(f"{path}: format {quote(data['format'])}; expected {self.format}")
        if data["seal"] != seal(data):
            raise BadFile(f"{path}: the seal does not fit: it was edited")
        if any(data[key] != value for key, value in about.items()):
            raise BadFile(f"{path}: it is of another {self.subject}")
        try:
            value = self._coder.read(dump(data[self.key]))
        except Unreadable as error:
            raise BadFile(f"{path}: {self.key}: {error}") from None
        assert isinstance(value, self.kind)
        return value
