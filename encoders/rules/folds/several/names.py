"""What the obligations about moves on several heaps are called."""

from __future__ import annotations

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
