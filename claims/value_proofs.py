"""The [proof] section with rule = "value": n-player values in closed form where only a largest heap is touched.

    [proof]
    rule = "value"
    region = "n >= 3 and heaps <= n"       # positions the formula is about; no move leads out of it
    value = "heaps if n > heaps + 1 else ..."

    [[proof.options]]                      # an option with the least value: a largest heap becomes this
    when = "n > heaps + 1"
    becomes = "0"

The formula may speak of a position's `heaps` (how many), `least` heap, `times` (how often the least occurs) and
`largest` heap; of the empty position all four are 0.  See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claims.context import Context
from claims.definitions import Definition
from claims.reader import Table
from claims.source import Keys, Source
from claims.terms import Term
from claims.types import BOOL, INT, Type

RULE = "value"
FOLDS = ("heaps", "least", "times", "largest")


@dataclass(frozen=True, eq=False)
class Least:
    """Where `when` holds, making a largest heap `becomes` gives an option with the least value."""

    when: Term
    becomes: Term


@dataclass(frozen=True, eq=False)
class ValueProof:
    """Terms over the claim's integers and the names of FOLDS. `assume`: known of them where this proves a case."""

    region: Term
    value: Term
    options: tuple[Least, ...]
    assume: Term | None = None


def value_proof_of(
    source: Source, types: Mapping[str, Type], definitions: Mapping[str, Definition], files: Mapping[str, Source]
) -> ValueProof:
    """Read such a section. Raises ClaimError."""
    table = Table(source, ("proof",), source.data["proof"])
    table.only("rule", "region", "value", "options")
    for name in types:
        if name in FOLDS:
            raise source.key_fault(
                ("proof",), f"the claim has a variable {name!r}", "another name: the proof uses this one"
            )
    context = Context(source, {}, definitions, files)
    context.types.update({n: k for n, k in types.items() if k == INT} | dict.fromkeys(FOLDS, INT))

    def term(keys: Keys, text: str, kind: Type) -> Term:
        return context.term(keys, text, kind)

    options = []
    for i, row in enumerate(table.tables("options")):
        row.only("when", "becomes")
        at = ("proof", "options", i)
        options.append(
            Least(term((*at, "when"), row.text("when"), BOOL), term((*at, "becomes"), row.text("becomes"), INT))
        )
    return ValueProof(
        term(("proof", "region"), table.text("region"), BOOL),
        term(("proof", "value"), table.text("value"), INT),
        tuple(options),
    )
