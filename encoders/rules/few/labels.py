"""What the obligations about few heaps are called, where a line of the proof is shown by them.

Those of who wins are called as in a proof by folds: `encoders.rules.folds.turns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from encoders.logic.moves import OpenMove, open_choices
from encoders.rules.few.positions import Order, choices, orders
from encoders.rules.folds.turns import Turn

FEW = "the claim's positions have few heaps"
CLAIM = "claim"


def lemma(name: str) -> str:
    """That a lemma holds."""
    return f"lemma {name!r}"


def number(name: str) -> str:
    """That a number is there: the last of its range meets its condition."""
    return f"number {name}: there is one"


@dataclass(frozen=True, eq=False)
class Choice:
    """A kind of move, the places of the heaps that it is made on, and an order of what it leaves."""

    move: OpenMove
    places: tuple[int, ...]
    order: Order


def closed(turn: Turn, heaps: tuple[str, ...]) -> Iterator[tuple[str, Choice]]:
    """For each such choice, that no such move leads from a loss to a loss. Raises Unsupported.

    A heap that has changed has a mark in the name.
    """
    moves = open_choices(turn.game, turn.mover)
    for kind, move in enumerate(moves, 1):
        which = f"move {kind} on " if len(moves) > 1 else ""
        for places in choices(move, len(heaps)):
            name = f"{turn.closed}: {which}{', '.join(heaps[i] for i in places)}"
            found = list(orders(len(heaps), places, len(move.becomes)))
            for order in found:
                left = (heaps[i] if i >= 0 else f"{heaps[places[-1 - i]]}'" for i in order if i is not None)
                yield name + (f", leaves {', '.join(left)}" if len(found) > 1 else ""), Choice(move, places, order)
