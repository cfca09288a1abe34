"""Records of JSON files. One frozen dataclass defines the strict reader, the writer and the JSON Schema of a record.

The fields of the dataclass are the keys of the JSON object, in the same order. The annotation of a field describes its
values. `Annotated` adds further conditions:
- `AtLeast`: a lower bound for a number;
- `Form`: values with a special form in the file;
- `Among`: some members of an enum;
- `SINCE`, `OMITTED`: the key may be missing;
- `INLINE`: the keys of the inner record replace the key of the field;
- `KEYED`: pairs are written as an object;
- a text: a description for the schema.

A record with a condition on several fields has a method `fault`. It returns None, or a pair: the key with the invalid
value, and the expected value.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from checks.results.shown import Json, encode
from claims.language.errors import NimChecksError, quote, suggest_nearest

T = TypeVar("T")
Schema = dict[str, object]
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class BadRecord(NimChecksError):
    """The error for JSON data of a file that do not match the record.

    The message gives the file, the key, the value and the expected value.
    """


# -- marks in annotations ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class AtLeast:
    """A lower bound for an integer, or for the number of elements of a list. None means no bound.

    With this mark, large integers are also written as JSON numbers, not as texts.
    """

    number: int | None


@dataclass(frozen=True, eq=False)
class Form(Generic[T]):
    """A special form of values in the file.

    `expected`: a description of valid values. `schema`: their JSON Schema.
    `write`: returns the JSON value.
    `read`: returns the value of the field, or None for an invalid JSON value. Without `read`, every JSON value is
    accepted.
    """

    expected: str
    schema: Schema
    write: Callable[[T], Json] = encode
    read: Callable[[Json], T | None] | None = None


@dataclass(frozen=True)
class Among:
    """The allowed texts, or the allowed members of an enum, in the order of the schema."""

    members: tuple[Enum | str, ...]


SINCE = object()
"""The key may be missing in older files; the field then has its default value. New files always contain the key."""
OMITTED = object()
"""The key is missing if and only if the field has its default value."""
INLINE = object()
"""The keys of the inner record replace the key of the field."""
KEYED = object()
"""The pairs (key, value) of the field are written as an object."""


@dataclass(frozen=True)
class FileValue:
    """A value in a file, with its key, such as `claim.then`. The key is "" for the content of the file."""

    path: Path
    key: str
    value: Json

    def fault(self, expected: str) -> BadRecord:
        return BadRecord(f"{self.path}: {self.key or 'the content'} is {quote(self.value)}; expected {expected}")

    def below(self, key: str, value: Json) -> FileValue:
        return FileValue(self.path, f"{self.key}.{key}" if self.key else key, value)


# -- kinds of values ---------------------------------------------------------------------------------------------------
class ValueKind:
    """A kind of JSON values. `expected`: a description of valid values, for messages."""

    expected: str
    schema: Schema

    def fits(self, value: Json) -> bool:
        """Return whether the value has the JSON type of this kind. The elements of a list or object are not checked."""
        raise NotImplementedError

    def read(self, node: FileValue) -> object:
        """Return the Python value for the JSON value of `node`. Raises BadRecord if it is not of this kind."""
        if not self.fits(node.value):
            raise node.fault(self.expected)
        return node.value

    def write(self, value: object) -> Json:
        return encode(value)


class AnyKind(ValueKind):
    """A kind that contains every JSON value."""

    expected, schema = "any value", {}

    def fits(self, value: Json) -> bool:
        return True


class PlainKind(ValueKind):
    """Texts, truth values, or null."""

    WORDS: typing.ClassVar = {
        str: ("a text", "string"), bool: ("true or false", "boolean"), type(None): ("null", "null"),
    }  # fmt: skip

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.expected, name = self.WORDS[kind]
        self.schema = {"type": name}

    def fits(self, value: Json) -> bool:
        return type(value) is self.kind


class NumberKind(ValueKind):
    """Integers. Without `AtLeast`, integers beyond 2^53 are written as texts, because JavaScript would round them."""

    def __init__(self, mark: AtLeast | None) -> None:
        self.mark, self.least = mark, mark.number if mark else None
        self.expected = "an integer" if self.least is None else f"an integer of at least {self.least}"
        self.schema = {"type": "integer"} | ({} if self.least is None else {"minimum": self.least})
        if mark is None:
            self.schema = {"type": ["integer", "string"], "description": "beyond 2^53 as text"}

    def fits(self, value: Json) -> bool:
        return type(value) is int and (self.least is None or value >= self.least)

    def write(self, value: object) -> Json:
        assert isinstance(value, int)
        return encode(value) if self.mark is None else value


class ChoiceKind(ValueKind):
    """One of the listed texts, or one of the listed members of an enum."""

    def __init__(self, members: Iterable[Enum | str | int]) -> None:
        self.members = {x.value if isinstance(x, Enum) else x: x for x in members}
        self.expected = f"one of {', '.join(map(str, self.members))}"
        self.schema = {"enum": [*self.members]} if len(self.members) > 1 else {"const": next(iter(self.members))}

    def fits(self, value: Json) -> bool:
        return isinstance(value, str | int) and any(type(x) is type(value) and x == value for x in self.members)

    def read(self, node: FileValue) -> object:
        super().read(node)
        return next(member for written, member in self.members.items() if written == node.value)

    def write(self, value: object) -> Json:
        return encode(value.value if isinstance(value, Enum) else value)


class FormKind(ValueKind, Generic[T]):
    """Values with a special form in the file, which a `Form` describes."""

    def __init__(self, form: Form[T]) -> None:
        self.form, self.expected, self.schema = form, form.expected, form.schema

    def fits(self, value: Json) -> bool:
        return self.form.read is None or self.form.read(value) is not None

    def read(self, node: FileValue) -> object:
        super().read(node)
        return node.value if self.form.read is None else self.form.read(node.value)

    def write(self, value: object) -> Json:
        return self.form.write(typing.cast(T, value))


class UnionKind(ValueKind):
    """A value of one of several kinds. The value is read by the first of these kinds whose `fits` is true."""

    def __init__(self, kinds: list[ValueKind]) -> None:
        null = [kind for kind in kinds if isinstance(kind, PlainKind) and kind.kind is type(None)]
        self.others = [kind for kind in kinds if kind not in null]
        self.kinds = [*null, *self.others]
        self.expected = ", or ".join(kind.expected for kind in self.kinds)
        self.schema = {"anyOf": [kind.schema for kind in kinds]}

    def fits(self, value: Json) -> bool:
        return any(kind.fits(value) for kind in self.kinds)

    def read(self, node: FileValue) -> object:
        kind = next((kind for kind in self.kinds if kind.fits(node.value)), None)
        if kind is None:
            raise node.fault(self.expected)
        return kind.read(node)

    def write(self, value: object) -> Json:
        return encode(value) if value is None or len(self.others) > 1 else self.others[0].write(value)


class ListKind(ValueKind):
    """Lists of any length, read as tuples."""

    def __init__(self, inner: ValueKind, least: int = 0) -> None:
        self.inner, self.least = inner, least
        self.expected = f"a list of at least {least} element{'s' * (least > 1)}" if least else "a list"
        self.schema = {"type": "array", "items": inner.schema, **({"minItems": least} if least else {})}

    def fits(self, value: Json) -> bool:
        return isinstance(value, list)

    def read(self, node: FileValue) -> object:
        items = node.value
        if not isinstance(items, list) or len(items) < self.least:
            raise node.fault(self.expected)
        return tuple(self.inner.read(FileValue(node.path, f"{node.key}[{i}]", x)) for i, x in enumerate(items))

    def write(self, value: object) -> Json:
        assert isinstance(value, tuple | frozenset | list)
        return [self.inner.write(x) for x in value]


class TableKind(ValueKind):
    """Objects with arbitrary keys. They are read as dictionaries or, if `pairs` is true, as tuples of pairs."""

    def __init__(self, inner: ValueKind, pairs: bool = False) -> None:
        self.inner, self.pairs, self.expected = inner, pairs, "an object"
        self.schema = {"type": "object", "additionalProperties": inner.schema}

    def fits(self, value: Json) -> bool:
        return isinstance(value, dict)

    def read(self, node: FileValue) -> object:
        if not isinstance(node.value, dict):
            raise node.fault(self.expected)
        found = {key: self.inner.read(node.below(key, x)) for key, x in node.value.items()}
        return tuple(found.items()) if self.pairs else found

    def write(self, value: object) -> Json:
        assert isinstance(value, tuple | dict)
        return {str(key): self.inner.write(x) for key, x in dict(value).items()}


@dataclass(frozen=True)
class _Key:
    """A field of a record.

    `may_miss`: the key may be missing in the file.
    `omitted`: the key is missing if the field has its default value.
    `inline`: the keys of the inner record replace the key of the field.
    """

    name: str
    kind: ValueKind
    default: object
    may_miss: bool
    omitted: bool
    inline: bool

    @property
    def properties(self) -> dict[str, object]:
        """The keys in the file that belong to this field, each with its schema."""
        if self.inline and isinstance(self.kind, RecordKind):
            return self.kind.properties
        return {self.name: self.kind.schema}


class RecordKind(ValueKind):
    """Objects whose keys are the fields of a dataclass, in the same order."""

    properties: dict[str, object]

    def __init__(self, made: type, names: Mapping[str, object]) -> None:
        self.made = made
        hints = get_type_hints(made, None, dict(names), include_extras=True)
        self.keys = [_declare(x.name, hints[x.name], x.default, names) for x in fields(made)]
        self.names = [name for key in self.keys for name in key.properties]
        self.required = [name for key in self.keys if not key.may_miss for name in key.properties]
        self.expected = f"an object with the keys {', '.join(self.names)}"
        self.properties = {name: schema for key in self.keys for name, schema in key.properties.items()}
        self.schema = describe_object(self.properties, self.required)

    def fits(self, value: Json) -> bool:
        return isinstance(value, dict)

    def read(self, node: FileValue) -> object:
        found = node.value
        if not isinstance(found, dict):
            raise node.fault(self.expected)
        inside = f"{node.path}: {node.key + ': ' if node.key else ''}"
        for key in found:
            if key not in self.names:
                known = f"expected {', '.join(self.names)}{suggest_nearest(key, self.names)}"
                raise BadRecord(f"{inside}the key {quote(key)} is unknown; {known}")
        for key in self.required:
            if key not in found:
                raise BadRecord(f"{inside}the key {key!r} is missing; expected {', '.join(self.names)}")
        if list(found) != (order := [name for name in self.names if name in found]):
            raise BadRecord(
                f"{inside}the keys are in the order {', '.join(found)}; expected the order {', '.join(order)}"
            )
        return self._make(node, found)

    def _make(self, node: FileValue, found: Mapping[str, Json]) -> object:
        values: dict[str, object] = {}
        for key in self.keys:
            if key.inline and isinstance(key.kind, RecordKind):
                values[key.name] = key.kind._make(node, found)
            elif key.name in found:
                at = node.below(key.name, found[key.name])
                values[key.name] = key.kind.read(at)
                if key.omitted and values[key.name] == key.default:
                    raise at.fault("another value; omit the key, because this value is the default")
        made = self.made(**values)
        if problem := made.fault() if hasattr(made, "fault") else None:
            name, expected = problem
            raise node.below(name, found[name]).fault(expected)
        return made

    def write(self, value: object) -> Json:
        data: dict[str, Json] = {}
        for key in self.keys:
            inside = getattr(value, key.name)
            if key.inline:
                written = key.kind.write(inside)
                assert isinstance(written, dict)
                data |= written
            elif not (key.omitted and inside == key.default):
                data[key.name] = key.kind.write(inside)
        return data


def _declare(name: str, annotation: object, default: object, names: Mapping[str, object]) -> _Key:
    marks = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    may_miss = SINCE in marks or OMITTED in marks
    assert not may_miss or default is not MISSING, f"{name} may be missing, so the field needs a default value"
    return _Key(name, kind_of(annotation, names), default, may_miss, OMITTED in marks, INLINE in marks)


def describe_object(properties: Mapping[str, object], required: Iterable[str] | None = None) -> Schema:
    """Return the schema of an object that has only these properties.

    `required`: the keys that the object must have; None for all.
    """
    needed = list(properties if required is None else required)
    return {"type": "object", "additionalProperties": False, "required": needed, "properties": dict(properties)}


# -- from annotations to kinds -----------------------------------------------------------------------------------------
def kind_of(annotation: object, names: Mapping[str, object] = types.MappingProxyType({})) -> ValueKind:
    """Return the kind of JSON values for an annotation.

    `names`: types that the annotation names but that its module does not import at run time.
    >>> kind_of(tuple[str, ...]).schema
    {'type': 'array', 'items': {'type': 'string'}}
    """
    if get_origin(annotation) is not Annotated:
        return _kind(annotation, (), names)
    inner, *marks = get_args(annotation)
    found = _kind(inner, tuple(marks), names)
    if text := next((mark for mark in marks if isinstance(mark, str)), ""):
        found.schema = {"description": text, **found.schema}
    return found


def _kind(kind: object, marks: tuple[object, ...], names: Mapping[str, object]) -> ValueKind:
    origin, args = get_origin(kind), get_args(kind)
    least = next((mark for mark in marks if isinstance(mark, AtLeast)), None)
    for mark in marks:
        if isinstance(mark, Form):
            return FormKind(mark)
        if isinstance(mark, Among):
            return ChoiceKind(mark.members)
    if kind is int:
        return NumberKind(least)
    if kind in (str, bool, type(None)):
        return PlainKind(typing.cast(type, kind))
    if origin is Literal:
        return ChoiceKind(args)
    if origin in (types.UnionType, typing.Union):
        return UnionKind([kind_of(arg, names) for arg in args])
    if origin in (tuple, frozenset):
        same = len(set(args) - {Ellipsis}) == 1
        if KEYED in marks:
            return TableKind(kind_of(get_args(args[0])[1], names), pairs=True)
        return ListKind(kind_of(args[0], names) if same else AnyKind(), (least.number or 0) if least else 0)
    if origin in (dict, Mapping):
        return TableKind(kind_of(args[1], names))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ChoiceKind(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return RecordKind(kind, names)
    return AnyKind()


_KNOWN: dict[type, RecordKind] = {}


def _record(kind: type) -> RecordKind:
    if kind not in _KNOWN:
        _KNOWN[kind] = RecordKind(kind, {})
    return _KNOWN[kind]


def read_record(kind: type[T], path: Path, data: Json) -> T:
    """Return the record for the JSON data of the file `path`. Raises BadRecord if the data do not match the record."""
    found = _record(kind).read(FileValue(path, "", data))
    assert isinstance(found, kind)
    return found


def write_record(record: object) -> dict[str, Json]:
    """Return the record as a JSON object, with the keys in the order of the fields."""
    data = _record(type(record)).write(record)
    assert isinstance(data, dict)
    return data


def make_schema(kind: type, title: str, description: str = "") -> Schema:
    """Return the JSON Schema of a file that contains one record of the type `kind`."""
    about = {"description": description} if description else {}
    return {"$schema": DIALECT, "title": title, **about, **_record(kind).schema}
