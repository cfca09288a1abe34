"""The [proof] section made of cases: each a condition on the claim's integers, with the proof of another claim.

    [[proof.cases]]
    when = "k < l"
    from = "theorem-14"            # the [proof] of this sibling, read for this claim

The cases must cover; in each the claim is narrowed to what the case leaves of it.  See docs/proof-rules.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from claims.language.expressions.terms import Term
from claims.language.expressions.types import BOOL
from claims.language.proofs.sections import Section
from claims.language.statement.claim import Lemma, Proof


@dataclass(frozen=True, eq=False)
class Case:
    """Where `when` holds (`text` as the file writes it), the claim is proved by `proof`, that of `sibling`."""

    text: str
    when: Term
    proof: Proof
    sibling: str


@dataclass(frozen=True, eq=False)
class CasesProof(Proof):
    """At least one case."""

    rule: ClassVar[str] = "cases"
    cases: tuple[Case, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for case in self.cases for name in case.proof.sources))

    @property
    def citations(self) -> tuple[Lemma, ...]:
        return tuple({lemma.id: lemma for case in self.cases for lemma in case.proof.citations}.values())


def read_cases(section: Section) -> CasesProof:
    """Read such a section. Raises ClaimError."""
    table = section.table
    table.only("rule", "cases")
    conditions = section.terms_over(section.integers)
    cases = []
    for i, row in enumerate(table.tables("cases")):
        row.only("when", "from")
        at = ("proof", "cases", i)
        text = row.text("when")
        when = conditions.term((*at, "when"), text, BOOL)
        sibling = row.text("from")
        proof = replace(section.borrow((*at, "from"), sibling), assume=when)
        cases.append(Case(" ".join(text.split()), when, proof, sibling))
    if not cases:
        raise section.source.key_fault(
            ("proof",), "there is no case", '[[proof.cases]] with when = "..." and from = "..."'
        )
    return CasesProof(tuple(cases))
