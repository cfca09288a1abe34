"""What is asked of the options of positions, and the options that have been named: each answered by the other.

Whether some option fits is a truth value of which little is known: that it holds where one of the options named does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from encoders.rules.folds.positions import Position

At = tuple[int, int, str]  # a position, by its identity, a mover and a game


class Questions:
    """Per position, mover and game: the options named so far, with their conditions, and what is asked of them."""

    def __init__(self) -> None:
        self._options: dict[At, list[tuple[Any, Position]]] = {}
        self._asked: dict[At, list[tuple[Any, Callable[[Position], Any]]]] = {}
        self._kept: list[Position] = []  # so that their identities stay theirs

    def about(self, s: Position, mover: int, game: str) -> tuple[At, bool]:
        """The place of questions about the options of s, and whether it is new."""
        at = (id(s), mover, game)
        if at in self._options:
            return at, False
        self._kept.append(s)
        self._options[at], self._asked[at] = [], []
        return at, True

    def name(self, at: At, where: Any, option: Position) -> None:
        """An option, where the condition holds."""
        self._options[at].append((where, option))

    def ask(self, at: At, exists: Any, fits: Callable[[Position], Any]) -> None:
        """Let `exists` mean that some option fits."""
        self._asked[at].append((exists, fits))

    def answers(self) -> list[Any]:
        """Every question answered at every option named: one that fits makes it true.

        An answer may ask about the option's own options, one level of the claim deeper each time.
        """
        known: list[Any] = []
        done: set[tuple[At, int, int]] = set()
        while True:
            todo = [
                (at, i, j)
                for at, asked in self._asked.items()
                for i in range(len(asked))
                for j in range(len(self._options[at]))
                if (at, i, j) not in done
            ]
            if not todo:
                return known
            for at, i, j in todo:
                done.add((at, i, j))
                (exists, fits), (where, option) = self._asked[at][i], self._options[at][j]
                known.append(z3.Implies(z3.And(where, fits(option)), exists))
