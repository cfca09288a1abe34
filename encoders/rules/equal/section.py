"""The [proof] section with rule = "equal games": where two games of a claim have the same moves.

    [proof]
    rule = "equal games"
    sizes = "< 2^62"                      # as in a proof by folds; so are by, folds, facts, split, heaps and moves
    region = "all(h < k for h in s)"      # over the claim's integers and its position: what no move leads out of

See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from claims.language.expressions.terms import Term
from claims.language.expressions.types import BOOL, POSITION
from claims.language.proofs.sections import Section
from encoders.logic.terms import YES
from encoders.rules.folds.section import KEYS, FoldsProof, read_section


@dataclass(frozen=True, eq=False)
class EqualProof(FoldsProof):
    """What a proof by folds sees, and the `region`: a condition on the position and the claim's integers."""

    rule: ClassVar[str] = "equal games"
    region: Term = YES


def read_equal(section: Section) -> EqualProof:
    """Read such a section. Raises ClaimError."""
    made = read_section(section, (*(key for key in KEYS if key != "loses"), "region"), EqualProof)
    context = section.terms_over({**section.integers, made.position: POSITION})
    return replace(made, region=context.term(("proof", "region"), section.table.text("region"), BOOL))
