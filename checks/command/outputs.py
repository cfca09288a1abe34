"""outputs.schema.json: what each command prints with --json, made from the types of its data."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import get_args, get_origin, get_type_hints

from checks.boards.question import Solution, SolvedTable
from checks.command.data import ExplainedClaim, ListedClaim, ListedTheorem, ShownClaim
from checks.receipts.certify import CertifyResult
from checks.results.model import Fault, Severity

Schema = dict[str, object]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
COUNT: Schema = {"type": "integer", "minimum": 0}


def make_output_schema() -> Schema:
    """A schema for each command under $defs; that of `run` is report.schema.json."""
    fault = table_of({"severity": schema_of(Severity), **properties_of(Fault)})
    return {
        "$schema": DIALECT,
        "title": "What the commands of nim-checks print with --json; `run` prints report.json",
        "$defs": {
            "check": _outermost(files=COUNT, faults=_list(fault)),
            "solve": {"anyOf": [_outermost(**properties_of(kind)) for kind in (Solution, SolvedTable)]},
            "list": _outermost(claims=_list(schema_of(ListedClaim))),
            "show": _outermost(claims=_list(schema_of(ShownClaim))),
            "explain": _outermost(claims=_list(schema_of(ExplainedClaim))),
            "coq": _outermost(claims=_list(schema_of(ListedTheorem))),
            "certify": _outermost(
                claims=_list(schema_of(CertifyResult)), certified=COUNT, trusted=COUNT, refused=COUNT
            ),
        },
    }


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _outermost(**properties: Schema) -> Schema:
    return table_of({"format": {"const": 1}, **properties})


# -- types ------------------------------------------------------------------------------------------------------------
class Anything:
    """What a value of the language may be, inside another."""


_PLAIN: dict[object, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": ["integer", "string"], "description": "beyond 2^53 as text"},
    type(None): {"type": "null"},
}


def schema_of(kind: object) -> Schema:
    """The schema of the values of a type, as JSON has them; of what it does not know, anything.

    >>> schema_of(tuple[str, ...])
    {'type': 'array', 'items': {'type': 'string'}}
    """
    origin, args = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [schema_of(arg) for arg in args]}
    if origin in (tuple, frozenset):
        same = len(set(args) - {Ellipsis}) == 1
        return {"type": "array", "items": schema_of(args[0]) if same else {}}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(args[1])}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if isinstance(kind, type) and is_dataclass(kind):
        return table_of(properties_of(kind))
    return {}


def properties_of(kind: type) -> dict[str, Schema]:
    """The schemas of the fields of a dataclass."""
    hints = get_type_hints(kind, None, {"Fraction": Fraction, "Value": Anything})
    return {field.name: schema_of(hints[field.name]) for field in fields(kind)}


def table_of(properties: dict[str, Schema]) -> Schema:
    """An object with exactly these keys."""
    return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}
