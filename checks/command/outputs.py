"""The schema outputs.schema.json of the JSON that commands print with --json. It is made from Python types."""

from __future__ import annotations

from fractions import Fraction

from checks.boards.question import Solution, SolvedTable
from checks.command.data import ExplainedClaim, ListedClaim, ListedTheorem, ShownClaim
from checks.command.verify import Verification
from checks.receipts.certify import CertifyResult
from checks.receipts.consistency import LemmaWitness
from checks.results.model import Fault
from checks.results.records import DIALECT, RecordKind, Schema, describe_object, kind_of

COUNT: Schema = {"type": "integer", "minimum": 0}


def make_output_schema() -> Schema:
    """Return a JSON schema of the outputs of commands with --json.

    Under $defs, it has one entry for each command except `run`, whose output report.schema.json describes.
    """
    return {
        "$schema": DIALECT,
        "title": "What the commands of nim-checks print with --json; `run` prints report.json",
        "$defs": {
            "check": _outermost(files=COUNT, faults=_list(kind_of(Fault).schema)),
            "solve": {"anyOf": [_outermost(**_properties(kind)) for kind in (Solution, SolvedTable)]},
            "list": _outermost(claims=_list(kind_of(ListedClaim).schema)),
            "show": {"anyOf": [_outermost(claims=_list(kind_of(kind).schema)) for kind in (ShownClaim, ListedClaim)]},
            "explain": _outermost(claims=_list(kind_of(ExplainedClaim).schema)),
            "coq": _outermost(claims=_list(kind_of(ListedTheorem).schema)),
            "verify": _outermost(
                claims=_list(kind_of(Verification, {"LemmaWitness": LemmaWitness}).schema),
                confirmed=COUNT,
                certified=COUNT,
                trusted=COUNT,
                refused=COUNT,
            ),
            "certify": _outermost(
                claims=_list(kind_of(CertifyResult).schema), certified=COUNT, trusted=COUNT, refused=COUNT
            ),
        },
    }


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _outermost(**properties: object) -> Schema:
    return describe_object({"format": {"const": 1}, **properties})


class Anything:
    """A placeholder for the type of a value inside another value. It has no restrictions in the schema."""


def _properties(kind: type) -> dict[str, object]:
    return RecordKind(kind, {"Fraction": Fraction, "Value": Anything}).properties
