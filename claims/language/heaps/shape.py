"""The parts of a heap that is more than a number: `[heap]` of a ruleset, and what a move makes of such a heap."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from claims.language.grammar.tokens import is_name
from claims.language.ground.errors import ClaimError, closest, join_words
from claims.language.heaps.drawn import HeapPicture, read_drawn
from claims.language.terms.terms import Literal, Operation, Term, Variable
from claims.language.terms.types import BOOL, INT, Type, heap_of, list_of
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys, SourceFile

_PART_TEXT = re.compile(r"\s*(?P<list>list of )?\s*(?P<lo>\S.*?)\s*\.\.\s*(?P<hi>\S.*?)?\s*", re.DOTALL)
TAKEN = ("count", "heaps", "size", "total")
"""What stands behind a point or in a scope already, and can name no part."""
_PART = '"0..", a number, or "list of 0..", numbers in order'
_CHANGE = 'the parts that change, { c = "put(h.c, i, 0)" }, or a heap, "heap(...)"'


class ReadTerm(Protocol):
    """Gives the term of the text under some keys of the ruleset."""

    def __call__(self, keys: Keys, text: str, kind: Type | None, names: dict[str, Type], offset: int = 0) -> Term: ...


class ReadChange(Protocol):
    """The same, of the names of a move."""

    def __call__(self, keys: Keys, text: str, kind: Type | None) -> Term: ...


@dataclass(frozen=True, eq=False)
class HeapPart:
    """A part: a number between the bounds, or a list of such; `hi` None: without bound. `text`: as the file says it."""

    name: str
    is_list: bool
    lo: Term
    hi: Term | None
    text: str

    @property
    def type(self) -> Type:
        return list_of(INT) if self.is_list else INT


@dataclass(frozen=True, eq=False)
class HeapShape:
    """What a heap is: its parts, in order.

    `where`: which of these are heaps at all, None for all; `gone`: which of them vanish, None for none.  Both are
    conditions on a heap called `h`.  `drawn`: how pictures show it, None where the file does not say.
    """

    parts: tuple[HeapPart, ...]
    where: Term | None
    gone: Term | None
    drawn: HeapPicture | None = None

    @property
    def type(self) -> Type:
        return heap_of(*((part.name, part.type) for part in self.parts))

    @property
    def said(self) -> str:
        """`the parts c and q`."""
        names = [part.name for part in self.parts]
        return f"the part{'s' if len(names) > 1 else ''} {join_words(names)}"

    def miss_measure(self, source: SourceFile) -> ClaimError:
        """What is said of a ruleset without one: of heaps with parts there is no number of objects."""
        expected = f'a line measure = "sum(... for h in s)", which every move makes smaller: heaps have {self.said}'
        return source.fault((), "the file has no 'measure'", expected)

    def list_changes(
        self, source: SourceFile, keys: Keys, value: object, chosen: str, read: ReadChange
    ) -> list[Callable[[], Term]]:
        """What reads each of the heaps that a move leaves of the heap `chosen`. Raises ClaimError."""
        if not isinstance(value, list):
            raise source.fault(keys, f"{format_value(value)} lists no heaps", f"a list of heaps, each {_CHANGE}")
        return [partial(self.read_change, source, (*keys, i), x, chosen, read) for i, x in enumerate(value)]

    def read_change(self, source: SourceFile, keys: Keys, value: object, chosen: str, read: ReadChange) -> Term:
        """A heap that a move leaves of the heap `chosen`. Raises ClaimError."""
        if isinstance(value, str):
            return read(keys, value, self.type)
        if not isinstance(value, Mapping):
            raise source.fault(keys, f"{format_value(value)} is no heap", _CHANGE)
        known = [part.name for part in self.parts]
        for name in value:
            if name not in known:
                problem, near = f"a heap has no part {name!r}", closest(name, known)
                raise source.key_fault((*keys, name), problem, f"one of {join_words(known)}", near)
        heap = Variable(self.type, 0, 0, chosen)
        return Operation(
            self.type,
            0,
            0,
            "heap",
            tuple(self._read_part(source, keys, value, heap, read, at) for at in range(len(known))),
        )

    def _read_part(
        self, source: SourceFile, keys: Keys, value: Mapping[str, object], heap: Term, read: ReadChange, at: int
    ) -> Term:
        part = self.parts[at]
        if part.name not in value:
            return Operation(part.type, 0, 0, "part", (heap, Literal(INT, 0, 0, at)))
        text, inside = value[part.name], (*keys, part.name)
        if not isinstance(text, str):
            raise source.fault(
                inside, f"{format_value(text)} is no expression", f'the part {part.name} in quotes, "h.{part.name}"'
            )
        return read(inside, text, part.type)


def read_shape(top: TomlTable, read: ReadTerm, lists: Sequence[str]) -> HeapShape | None:
    """What `[heap]` says; None where a ruleset has no such table. `lists`: parameters that are. Raises ClaimError."""
    if "heap" not in top.data:
        return None
    table = dict(top.optional_table("heap"))
    conditions = {key: table.pop(key) for key in ("where", "gone") if key in table}
    drawn = table.pop("drawn", None)
    if not table:
        raise top.source.key_fault(
            ("heap",), "[heap] names no part", f"a line such as c = {_PART.partition(', or ')[2]}"
        )
    parts = tuple(_read_part(top.source, name, value, read) for name, value in table.items())
    shape = HeapShape(parts, None, None)
    found = {key: _read_condition(top.source, key, value, shape, read) for key, value in conditions.items()}
    kinds = [(part.name, part.is_list) for part in parts]
    picture = None if drawn is None else read_drawn(top.source, drawn, kinds, lists)
    return HeapShape(parts, found.get("where"), found.get("gone"), picture)


def _read_part(source: SourceFile, name: str, value: object, read: ReadTerm) -> HeapPart:
    keys: Keys = ("heap", name)
    if not is_name(name) or name in TAKEN:
        raise source.key_fault(
            keys, f"{name!r} cannot name a part", f"a name, such as c, that is none of {join_words(TAKEN)}"
        )
    if not isinstance(value, str):
        raise source.fault(keys, f"{format_value(value)} is no part of a heap", _PART)
    match = _PART_TEXT.fullmatch(value)
    if match is None:
        raise source.fault(keys, f"{format_value(value)} is no part of a heap", _PART)
    lo = read(keys, match["lo"], INT, {}, match.start("lo"))
    hi = read(keys, match["hi"], INT, {}, match.start("hi")) if match["hi"] else None
    return HeapPart(name, bool(match["list"]), lo, hi, value)


def _read_condition(source: SourceFile, key: str, value: object, shape: HeapShape, read: ReadTerm) -> Term:
    if not isinstance(value, str):
        raise source.fault(
            ("heap", key),
            f"{format_value(value)} is no condition",
            f'a condition on a heap h, {key} = "h.{shape.parts[0].name} ..."',
        )
    return read(("heap", key), value, BOOL, {"h": shape.type})
