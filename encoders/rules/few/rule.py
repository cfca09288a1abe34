"""The rule of few heaps: who wins from positions of at most so many heaps, for heaps and parameters without bound.

The rule and why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from encoders.coverage import All
from encoders.logic.definedness import needs_of_claim
from encoders.logic.integers import bounds_of
from encoders.logic.sequent import Sequent
from encoders.rules.few.advice import ADVICE
from encoders.rules.few.claims import ClaimReader
from encoders.rules.few.obligations import about_the_claim, about_the_game
from encoders.rules.few.outline import outline
from encoders.rules.few.reader import FewReader
from encoders.rules.few.section import FewProof, read_few
from encoders.rules.outline import Outline
from encoders.rules.rule import Reach, Surroundings, pose_each
from encoders.trust import Trusted, TrustedPick, TrustedRule

RULE = TrustedRule("few heaps")
OUTCOME = TrustedRule("outcome, by induction on the measure")


class Few:
    """See docs/proof-rules.md, "few heaps"."""

    name = "few heaps"
    advice = ADVICE

    def read(self, section: Section) -> FewProof:
        return read_few(section)

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = plain.proof
        assert isinstance(proof, FewProof)
        yield from pose_each(about_the_game(plain, proof), partial(FewReader, plain, proof))
        yield from pose_each(about_the_claim(plain, needs_of_claim(claim)), partial(ClaimReader, plain, proof))

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        assert isinstance(claim.proof, FewProof)
        return outline(claim, claim.proof)

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        """All integers; all positions for which the hypotheses hold, with heaps of any size."""
        assert isinstance(claim.proof, FewProof)
        trusted: set[Trusted] = {RULE, OUTCOME}
        if claim.proof.numbers:
            trusted.add(TrustedPick("the least number with a property"))
        return Reach(bounds_of(claim, All()), frozenset(trusted))
