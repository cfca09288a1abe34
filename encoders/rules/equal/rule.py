"""The rule of equal games: two games that have the same moves in a region that no move leads out of.

The rule and why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from encoders.logic.definedness import needs_of_claim
from encoders.logic.sequent import Sequent
from encoders.rules.equal import labels
from encoders.rules.equal.advice import ADVICE
from encoders.rules.equal.obligations import about_games
from encoders.rules.equal.outline import outline
from encoders.rules.equal.players import for_each_player
from encoders.rules.equal.reader import EqualReader
from encoders.rules.equal.section import EqualProof, read_equal
from encoders.rules.folds.ground import Ground
from encoders.rules.folds.obligations import about_claim, about_values
from encoders.rules.folds.rule import bound_of, known_lemmas, reach_of, refuse_written
from encoders.rules.outline import Outline
from encoders.rules.rule import Reach, Surroundings
from encoders.trust import TrustedRule

RULES = (TrustedRule("equal games"), TrustedRule("folds"))


class EqualGames:
    """See docs/proof-rules.md, "equal games"."""

    name = "equal games"
    advice = ADVICE

    def read(self, section: Section) -> EqualProof:
        return read_equal(section)

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = _proof(plain)
        refuse_written(proof)
        lemmas = known_lemmas(plain, proof, surroundings)
        (_, some), *_ = for_each_player(plain)
        ground, reader = Ground(), partial(EqualReader, some, proof, lemmas)
        yield from ground.pose(about_games(some, proof), reader)
        for words, made in for_each_player(plain):
            asks = (*about_values(made, proof, needs_of_claim(made, bound_of(proof))), *about_claim(proof))
            for sequent in ground.pose(asks, partial(EqualReader, made, proof, lemmas)):
                yield replace(sequent, name=labels.of_player(words, sequent.name))
        yield from ground.show(reader)

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        return outline(claim, _proof(claim))

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        """See `reach_of`."""
        return reach_of(claim, _proof(claim), RULES)


def _proof(claim: Claim) -> EqualProof:
    assert isinstance(claim.proof, EqualProof)
    return claim.proof
