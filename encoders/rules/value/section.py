"""The [proof] section with rule = "value": n-player values in closed form where only a largest heap is touched.

    [proof]
    rule = "value"
    region = "n >= 3 and heaps <= n"       # positions the formula is about; no move leads out of it
    value = "heaps if n > heaps + 1 else ..."

    [[proof.options]]                      # an option with the least value: a largest heap becomes this
    when = "n > heaps + 1"
    becomes = "0"

The formula may speak of a position's `heaps` (how many), `least` heap, `times` (how often the least occurs) and
`largest` heap; of the empty position all four are 0.  With `sorted = 4` also of x1 <= x2 <= x3 <= x4, the heaps of a
position of at most four in order, 0 where there is none.  See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Proof
from claims.language.terms.terms import Term
from claims.language.terms.types import BOOL, INT, Type
from claims.language.toml.reader import format_value
from claims.language.toml.source import Keys

FOLDS = ("heaps", "least", "times", "largest")
MAX_SORTED = 6


@dataclass(frozen=True, eq=False)
class Least:
    """Where `when` holds, making a largest heap `becomes` gives an option with the least value."""

    when: Term
    becomes: Term


@dataclass(frozen=True, eq=False)
class ValueProof(Proof):
    """Terms over the claim's integers, the names of FOLDS, and x1, ..., as many as `ordered` says."""

    rule: ClassVar[str] = "value"
    region: Term
    value: Term
    options: tuple[Least, ...]
    ordered: int = 0


def names(ordered: int) -> tuple[str, ...]:
    """What a formula may call the parts of a position's shape.

    >>> names(2)
    ('heaps', 'least', 'times', 'largest', 'x1', 'x2')
    """
    return (*FOLDS, *(f"x{i}" for i in range(1, ordered + 1)))


def read_value(section: ProofSection) -> ValueProof:
    """Read such a section. Raises ClaimError."""
    source, table = section.source, section.table
    table.only("rule", "region", "value", "options", "sorted")
    ordered = source.data["proof"].get("sorted", 0)
    if not isinstance(ordered, int) or isinstance(ordered, bool) or not 0 <= ordered <= MAX_SORTED:
        raise source.fault(("proof", "sorted"), f"{format_value(ordered)} is no number of heaps", f"1 to {MAX_SORTED}")
    known = names(ordered)
    for name in section.types:
        if name in known:
            raise source.key_fault(
                ("proof",), f"the claim has a variable {name!r}", "another name: the proof uses this one"
            )
    context = section.terms_over(section.integers | dict.fromkeys(known, INT))

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
        ordered,
    )
