"""A claim that can be played: the positions, the moves and the answers, as data for a board that knows no rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A position with who is to move. `says`: what is true of it, in words that matter to the claim.

    `moves`: for each legal move the position after it, heap sizes in ascending order, and the number of the place that
    it leads to.  `reply`: which of them the page makes; None where the reader moves, and where there are none.
    """

    position: tuple[int, ...]
    mover: str
    says: str
    moves: tuple[tuple[tuple[int, ...], int], ...] = ()
    reply: int | None = None


@dataclass(frozen=True)
class Board:
    """The first place is where it begins. `task`: what the reader, who is `reader`, tries.

    `outcome`: what has been shown once every first move of the reader was answered.
    """

    reader: str
    task: str
    outcome: str
    places: tuple[Place, ...]
