"""Conversion of results to JSON and back, as the type annotations of their fields prescribe.

In JSON, a dataclass is a list: its name, then its fields. An enum member is its value, a tuple is a list, and a set is
a sorted list. Reading creates only objects of the expected types. It is strict: a value of another type, a wrong number
of fields, or an unknown name or member raises Unreadable.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from types import MappingProxyType
from typing import ForwardRef, get_args, get_origin, get_type_hints

from checks.results.shown import Json
from claims.language.errors import NimChecksError

Unpack = Callable[[Json], object]
PLAIN = (type(None), bool, int, float, str)


class Unreadable(NimChecksError):
    """The stored data does not represent a value of the expected type, or a value cannot be stored."""


class StrictCodec:
    """A writer and reader of values of one type, `kind`.

    `names`: the types that annotations mention by name, that is, as strings.
    `apart`: pairs (class, field). These fields are not written; after reading they have their default values.
    `narrowed`: for some pairs (class, field), the type to use instead of the annotation of the field.
    """

    def __init__(
        self,
        kind: object,
        names: Mapping[str, object] = MappingProxyType({}),
        apart: Iterable[tuple[type, str]] = (),
        narrowed: Mapping[tuple[type, str], object] = MappingProxyType({}),
    ) -> None:
        self._names, self._apart, self._narrowed = dict(names), frozenset(apart), dict(narrowed)
        self._known: dict[object, Unpack] = {}
        self._unpack = self._find(kind)

    def write(self, value: object) -> bytes:
        """Return the value as JSON text, after a check that `read` returns an equal value for this text.

        Raises Unreadable if the check fails, for example because the value has another type.
        """
        try:
            text = dump(self.pack(value))
        except (RecursionError, ValueError) as error:
            raise Unreadable(str(error)) from None
        if dump(self.pack(self.read(text))) != text:
            raise Unreadable("reading the stored text of this value gives another value")
        return text

    def read(self, text: bytes) -> object:
        """Return the value for a text that `write` returned.

        Raises Unreadable if the text does not represent a value of the type.
        """
        try:
            return self._unpack(json.loads(text, parse_constant=_refuse))
        except (RecursionError, ValueError) as error:
            raise Unreadable(str(error)) from None

    def pack(self, value: object) -> Json:
        """Return the value as JSON data. Raises Unreadable if it contains a value of an unsupported type."""
        return pack(value, self._apart)

    def _fields(self, kind: type) -> list[Field[object]]:
        return [f for f in fields(kind) if (kind, f.name) not in self._apart]

    # -- reading ------------------------------------------------------------------------------------------------------
    def _find(self, kind: object) -> Unpack:
        """Return the function that converts JSON data to a value of the type `kind`.

        Raises TypeError if the type is not supported.
        """
        if kind not in self._known:

            def later(data: Json) -> object:  # a type may be part of itself
                return self._known[kind](data)

            self._known[kind] = later
            self._known[kind] = self._make(kind)
        return self._known[kind]

    def _make(self, kind: object) -> Unpack:
        origin, args = get_origin(kind), get_args(kind)
        if isinstance(kind, str | ForwardRef):
            text = kind if isinstance(kind, str) else kind.__forward_arg__
            return self._union([self._names[name.strip()] for name in text.split("|")])
        if kind in PLAIN:
            return _read_plain(kind)
        if origin in (types.UnionType, typing.Union):
            return self._union(args)
        if origin is tuple:
            return self._tuple(args)
        if origin is frozenset:
            return self._code_set(args[0])
        if isinstance(kind, type) and issubclass(kind, Enum):
            return _read_member(kind)
        if isinstance(kind, type) and is_dataclass(kind):
            return self._dataclass(kind)
        raise TypeError(f"values of type {kind!r} cannot be stored")

    def _tuple(self, args: tuple[object, ...]) -> Unpack:
        if args[1:] == (Ellipsis,):
            inner = self._find(args[0])
            return lambda data: tuple([inner(x) for x in _items(data)])
        if all(x in PLAIN for x in args):
            return _read_row(list(args))
        inside = [self._find(x) for x in args]

        def read(data: Json) -> object:
            return tuple([unpack(x) for unpack, x in zip(inside, _items(data, len(inside)), strict=True)])

        return read

    def _code_set(self, kind: object) -> Unpack:
        inner = self._find(kind)

        def read(data: Json) -> object:
            found = frozenset(inner(x) for x in _items(data))
            if self.pack(found) != data:
                raise Unreadable("expected the elements of a set as a sorted list")
            return found

        return read

    def _dataclass(self, kind: type) -> Unpack:
        hints = get_type_hints(kind, localns=self._names)
        kinds = {f.name: self._narrowed.get((kind, f.name), hints[f.name]) for f in self._fields(kind)}
        plain = [(name, place, x) for place, (name, x) in enumerate(kinds.items(), 1) if x in PLAIN]
        others = [(name, place, self._find(x)) for place, (name, x) in enumerate(kinds.items(), 1) if x not in PLAIN]

        def read(data: Json) -> object:
            items = _items(data, len(kinds) + 1)
            if items[0] != kind.__name__:
                raise Unreadable(f"expected a {kind.__name__}, got {items[0]!r}")
            found: dict[str, object] = {}
            for name, place, wanted in plain:  # most fields are plain; a call for each would add half the time
                found[name] = value = items[place]
                if type(value) is not wanted:
                    raise Unreadable(f"expected {wanted}, got {type(value).__name__}")
            for name, place, unpack in others:
                found[name] = unpack(items[place])
            return kind(**found)

        return read

    def _union(self, kinds: Iterable[object]) -> Unpack:
        """Return the function that converts JSON data to a value of one of several types.

        The JSON data identifies None, booleans, numbers and strings by their JSON type, and a dataclass by its name.
        If the union contains no dataclass, it may also contain one further type, such as a tuple. Raises TypeError for
        other unions.
        """
        flat = [y for x in kinds for y in (get_args(x) if get_origin(x) in (types.UnionType, typing.Union) else (x,))]
        plain = {x for x in flat if x in PLAIN}
        named = {x.__name__: self._find(x) for x in flat if isinstance(x, type) and is_dataclass(x)}
        others = [self._find(x) for x in flat if x not in PLAIN and not (isinstance(x, type) and is_dataclass(x))]
        if len(others) > 1 or (others and named):
            raise TypeError(f"JSON cannot distinguish the types of this union: {flat}")

        def read(data: Json) -> object:
            if type(data) in plain:
                return data
            if isinstance(data, list) and data and isinstance(data[0], str) and data[0] in named:
                return named[data[0]](data)
            if not others:
                raise Unreadable(f"unexpected {type(data).__name__}")
            return others[0](data)

        return read


def _refuse(name: str) -> Json:
    raise Unreadable(f"{name} is not a number")


def pack(value: object, apart: frozenset[tuple[type, str]] = frozenset()) -> Json:
    """Return the value as JSON data, without the fields `apart`, given as pairs (class, field).

    Raises Unreadable if it contains a value of an unsupported type.
    """
    if isinstance(value, Enum):
        return pack(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [pack(x, apart) for x in value]
    if isinstance(value, frozenset):
        return sorted((pack(x, apart) for x in value), key=repr)
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        inside = (pack(getattr(value, f.name), apart) for f in fields(kind) if (kind, f.name) not in apart)
        return [kind.__name__, *inside]
    raise Unreadable(f"a value of type {type(value).__name__} cannot be stored")


def dump(data: Json) -> bytes:
    """Return JSON data as text in UTF-8. Equal data give equal texts. Raises ValueError for NaN and infinity."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def _read_plain(kind: object) -> Unpack:
    def read(data: Json) -> object:
        if type(data) is not kind:
            raise Unreadable(f"expected {kind}, got {type(data).__name__}")
        return data

    return read


def _read_row(kinds: list[object]) -> Unpack:
    def read(data: Json) -> object:
        items = _items(data)
        if [type(x) for x in items] != kinds:
            raise Unreadable(f"expected {kinds}")
        return tuple(items)

    return read


def _read_member(kind: type[Enum]) -> Unpack:
    members = {member.value: member for member in kind}

    def read(data: Json) -> object:
        if not isinstance(data, str) or data not in members:
            raise Unreadable(f"no {kind.__name__}")
        return members[data]

    return read


def _items(data: Json, length: int | None = None) -> list[Json]:
    if not isinstance(data, list) or (length is not None and len(data) != length):
        raise Unreadable(f"expected a list{'' if length is None else f' of {length} elements'}")
    return data
