"""What the obligations about few heaps are called, where a line of the proof is shown by them.

Those of who wins are called as in a proof by folds: `encoders.rules.folds.turns`.
"""

from __future__ import annotations

from collections.abc import Iterator

from encoders.logic.moves import OpenMove, open_choices
from encoders.rules.few.positions import choices
from encoders.rules.folds.turns import Turn

FEW = "the claim's positions have few heaps"
CLAIM = "claim"


def lemma(name: str) -> str:
    """That a lemma holds."""
    return f"lemma {name!r}"


def number(name: str) -> str:
    """That a number is there: the last of its range meets its condition."""
    return f"number {name}: there is one"


def closed(turn: Turn, heaps: tuple[str, ...]) -> Iterator[tuple[str, OpenMove, tuple[int, ...]]]:
    """For each kind of move and choice of heaps that no such move leads from a loss to a loss. Raises Unsupported."""
    moves = open_choices(turn.game, turn.mover)
    for kind, move in enumerate(moves, 1):
        which = f"move {kind} on " if len(moves) > 1 else ""
        for places in choices(move, len(heaps)):
            yield f"{turn.closed}: {which}{', '.join(heaps[i] for i in places)}", move, places
