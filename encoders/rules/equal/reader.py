"""Claims about two games that have the same moves in a region: there both have the same winners."""

from __future__ import annotations

from claims.language.expressions import terms as t
from claims.language.statement.claim import Claim, Game
from encoders.logic.terms import iff, implies
from encoders.rules.equal.section import EqualProof
from encoders.rules.folds.reading.lemmas import Instance
from encoders.rules.folds.reading.positions import Position
from encoders.rules.folds.reading.reader import FoldReader


class EqualReader(FoldReader):
    """Who wins is a free truth value; in the region it is the same for both games."""

    def __init__(self, claim: Claim, proof: EqualProof, lemmas: tuple[Instance, ...] = ()) -> None:
        super().__init__(claim, proof, lemmas)
        self.region = proof.region
        self._told: set[tuple[int, int]] = set()
        self._seen: list[Position] = []  # so that their identities stay theirs

    def is_inside(self, s: Position) -> t.Term:
        """Whether a position lies in the region. Raises Unsupported."""
        return self.truth(self.region, {**self.root, self.proof.position: s})

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Whether the mover wins; of the two games the same is known, in the region."""
        if (id(s), mover) not in self._told:
            self._told.add((id(s), mover))
            self._seen.append(s)
            first, second = (self.questions.wins(x, s, mover) for x in self.claim.games)
            self.known.append(implies(self.is_inside(s), iff(first, second)))
        return self.questions.wins(game, s, mover)
