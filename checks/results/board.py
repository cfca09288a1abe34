"""A claim that can be played: the positions, the moves and the answers, as data for a board that knows no rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A position with who is to move. `says`: what is true of it that matters to the claim, in words, or "".

    `moves`: (position after it, number of the place that it leads to), heap sizes in ascending order: every legal move
    where the reader moves; where the page `answers`, its one move; none at the end.  `refused`: what the reader may try
    by taking from one heap though the rules forbid it, and why they do.
    """

    position: tuple[int, ...]
    mover: str
    says: str
    moves: tuple[tuple[tuple[int, ...], int], ...] = ()
    answers: bool = False
    refused: tuple[tuple[tuple[int, ...], str], ...] = ()


@dataclass(frozen=True)
class Board:
    """The first place is where it begins. `task`: what the reader, who is `reader`, tries; `rules`: of the `game`.

    `outcome`: what has been shown once every first move of the reader was answered.
    """

    game: str
    rules: str
    reader: str
    task: str
    outcome: str
    places: tuple[Place, ...]
