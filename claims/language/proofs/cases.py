"""The [proof] section made of cases: each a condition on the claim's integers, with the proof of another claim.

    [[proof.cases]]
    when = "k < l"
    from = "theorem-14"            # the [proof] of this sibling, read for this claim

The cases must cover; in each the claim is narrowed to what the case leaves of it.  See docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from claims.language.expressions.terms import Term
from claims.language.toml.reader import Table
from claims.language.toml.source import Keys, Source

if TYPE_CHECKING:
    from claims.language.proofs.folds import Proof
    from claims.language.proofs.grundy import HeapProof
    from claims.language.proofs.value import ValueProof

    Single: TypeAlias = Proof | HeapProof | ValueProof


@dataclass(frozen=True, eq=False)
class Case:
    """Where `when` holds (`text` as the file writes it), the claim is proved by `proof`."""

    text: str
    when: Term
    proof: Single


@dataclass(frozen=True, eq=False)
class CaseProof:
    """At least one case."""

    cases: tuple[Case, ...]


def case_proof_of(
    source: Source, condition: Callable[[Keys, str], Term], borrowed: Callable[[Keys, str, Term], Single]
) -> CaseProof:
    """Read such a section. Raises ClaimError.

    `condition` reads a condition over the claim's integers, `borrowed` the proof of the sibling of that name, to be
    used where a condition holds.
    """
    table = Table(source, ("proof",), source.data["proof"])
    table.only("cases")
    cases = []
    for i, row in enumerate(table.tables("cases")):
        row.only("when", "from")
        at = ("proof", "cases", i)
        text = row.text("when")
        when = condition((*at, "when"), text)
        cases.append(Case(" ".join(text.split()), when, borrowed((*at, "from"), row.text("from"), when)))
    if not cases:
        raise source.key_fault(("proof",), "there is no case", '[[proof.cases]] with when = "..." and from = "..."')
    return CaseProof(tuple(cases))
