"""The rule of Grundy values: single heaps in closed form, and sums of such heaps, proved for every parameter.

The rule and why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Positions
from claims.language.statement.unfolding import unfolded_claim
from encoders.coverage import All
from encoders.logic.definedness import needs_of_claim
from encoders.logic.integers import bounds_of
from encoders.logic.reader import Reader
from encoders.logic.sequent import Sequent
from encoders.rules.grundy.advice import ADVICE
from encoders.rules.grundy.obligations import obligations
from encoders.rules.grundy.outline import outline
from encoders.rules.grundy.powers import about_powers
from encoders.rules.grundy.reader import HeapReader
from encoders.rules.grundy.section import GrundyProof, read_grundy
from encoders.rules.outline import Outline
from encoders.rules.rule import Reach, Surroundings, pose_each
from encoders.trust import Trusted, TrustedPick, TrustedRule

RULE = TrustedRule("Grundy values of one heap")
SUMS = TrustedRule("sums of heaps")


class Grundy:
    """See docs/proof-rules.md, "grundy"."""

    name = "grundy"
    advice = ADVICE

    def read(self, section: Section) -> GrundyProof:
        return read_grundy(section)

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = plain.proof
        assert isinstance(proof, GrundyProof)
        bases: set[int] = set()
        asked = obligations(plain, proof, needs_of_claim(claim))
        yield from pose_each(asked, partial(HeapReader, plain, proof, bases))
        for base in sorted(bases):  # which are known by now
            yield from pose_each(about_powers(base), Reader)

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        assert isinstance(claim.proof, GrundyProof)
        return outline(claim, claim.proof)

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        """All integers; any number of heaps of all sizes."""
        sums = any(isinstance(v.domain, Positions) for v in claim.variables)
        trusted: set[Trusted] = {RULE, SUMS, TrustedPick("top bit")} if sums else {RULE}
        return Reach(bounds_of(claim, All()), frozenset(trusted))
