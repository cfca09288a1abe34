"""What the obligations about moves on several heaps are called."""

from __future__ import annotations

from dataclasses import dataclass

from encoders.rules.folds.section import FoldsProof
from encoders.rules.folds.several.section import LongMove
from encoders.rules.folds.turns import Turn


def ones_modulo(modulus: int) -> str:
    """What one heap more does to the columns of this modulus."""
    return f"columns modulo {modulus}: what one heap more does to a place"


def one_of_a_heap(words: str) -> str:
    """That a 1 of what a heap is picked by is one of some heap."""
    return f"pick {words}: a 1 there is one of a heap"


def sizes_of(game: str) -> str:
    """That moves leave heaps below the bound of the proof."""
    return f"sizes of {game}"


def closed_on(turn: Turn, heaps: int) -> str:
    """That no move on so many heaps leads from a loss to a loss."""
    return turn.closed if heaps == 1 else f"closed, {heaps} heaps{turn.who}"


@dataclass(frozen=True)
class CaseNames:
    """Those of a named move, or of a case in it. `start`: "reply 1", "reply 1.2"."""

    start: str
    who: str

    @property
    def heap(self) -> str:
        """That there is a heap to pick."""
        return f"{self.start}{self.who}: heap"

    @property
    def covered(self) -> str:
        """That, whatever heap is picked, one of the cases in it holds."""
        return f"{self.start}{self.who}: the cases cover"

    @property
    def legal(self) -> str:
        return f"{self.start}{self.who}: legal"

    @property
    def to_loss(self) -> str:
        return f"{self.start}{self.who}: leads to a loss"

    def then(self, number: int) -> CaseNames:
        """A case in it."""
        return CaseNames(f"{self.start}.{number}", self.who)


def replies(turn: Turn, proof: FoldsProof) -> list[tuple[CaseNames, LongMove]]:
    """The named moves to a loss of the next player, with the names of their obligations."""
    return _named(turn, proof, "reply", to_loss=True)


def others(turn: Turn, proof: FoldsProof) -> list[tuple[CaseNames, LongMove]]:
    """The other named moves, which show that there is one."""
    return _named(turn, proof, "stuck", to_loss=False)


def _named(turn: Turn, proof: FoldsProof, kind: str, to_loss: bool) -> list[tuple[CaseNames, LongMove]]:
    moves = [m for m in proof.several if m.player in (None, turn.mover) and m.to_loss is to_loss]
    return [(CaseNames(f"{kind} {number}", turn.who), move) for number, move in enumerate(moves, 1)]
