"""The rule of values: n-player values in closed form, for any number of heaps, where only a largest heap is touched.

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
from encoders.rules.outline import Outline
from encoders.rules.rule import Reach, Surroundings, pose_each
from encoders.rules.value.advice import ADVICE
from encoders.rules.value.obligations import obligations
from encoders.rules.value.outline import outline
from encoders.rules.value.reader import ShapeReader
from encoders.rules.value.section import ValueProof, read_value
from encoders.trust import Trusted, TrustedPick, TrustedRule

TRUSTED = frozenset[Trusted]({TrustedPick("the largest heap"), TrustedRule("n-player values by the least option")})


class Value:
    """See docs/proof-rules.md, "value"."""

    name = "value"
    advice = ADVICE

    def read(self, section: Section) -> ValueProof:
        return read_value(section)

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = plain.proof
        assert isinstance(proof, ValueProof)
        yield from pose_each(obligations(plain, proof, needs_of_claim(claim)), partial(ShapeReader, plain, proof))

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        assert isinstance(claim.proof, ValueProof)
        return outline(claim, claim.proof)

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        """All integers, any number of heaps of any size."""
        return Reach(bounds_of(claim, All()), TRUSTED)
