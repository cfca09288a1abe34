"""Who wins and who draws where play may go on for ever: labels from the ends of play backwards."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from checks.referee.meaning import RefereeSteps
from claims.language.builtins.meanings import Position

Turn = tuple[Position, int]  # a position, and who is to move


class LoopyOutcome(Enum):
    """What the player to move can force. The values are his offset from the winner; a draw has none."""

    WIN = 0
    LOSS = 1
    DRAW = None


class LoopyGame(Protocol):
    """What tells the moves, and who wins where there is none."""

    steps: RefereeSteps

    def options(self, s: Position, mover: int) -> tuple[Position, ...]: ...
    def end(self, s: Position, mover: int) -> int: ...


class RefereeLoopyOutcomes:
    """Those of the positions of a game of two players."""

    def __init__(self, game: LoopyGame) -> None:
        self.game = game
        self._found: dict[Turn, LoopyOutcome] = {}
        self._ranks: dict[Turn, int] = {}

    def of(self, s: Position, mover: int) -> LoopyOutcome:
        """Who moves wins if some option is lost for the other, loses if all are won, else draws.

        Where no play ends there is nothing to win.  Raises IllDefined and LimitReached.
        """
        if (s, mover) not in self._found:
            after = self._list_turns((s, mover))
            found, before = {x: self._found[x] for x in after if x in self._ranks}, -1
            while len(found) > before:
                before = len(found)
                for turn, follow in after.items():
                    label = self._judge(turn, [found.get(x, LoopyOutcome.DRAW) for x in follow])
                    if turn not in found and label is not LoopyOutcome.DRAW:
                        found[turn] = label
                        self._ranks[turn] = len(self._ranks)
            self._found |= {turn: found.get(turn, LoopyOutcome.DRAW) for turn in after}
        return self._found[s, mover]

    def rank(self, s: Position, mover: int) -> int:
        """Of a turn that `of` found won or lost: more than that of a turn by which it is so. It leads to the end."""
        return self._ranks[s, mover]

    def _judge(self, turn: Turn, follow: list[LoopyOutcome]) -> LoopyOutcome:
        self.game.steps.take(1 + len(follow))
        if not follow:
            return LoopyOutcome.LOSS if self.game.end(*turn) else LoopyOutcome.WIN
        if LoopyOutcome.LOSS in follow:
            return LoopyOutcome.WIN
        return LoopyOutcome.LOSS if set(follow) == {LoopyOutcome.WIN} else LoopyOutcome.DRAW

    def _list_turns(self, start: Turn) -> dict[Turn, list[Turn]]:
        """All that play can come to, and what follows each."""
        after: dict[Turn, list[Turn]] = {}
        todo = [start]
        while todo:
            turn = todo.pop()
            if turn not in after:
                after[turn] = [(x, 1 - turn[1]) for x in self.game.options(*turn)]
                todo += after[turn]
        return after
