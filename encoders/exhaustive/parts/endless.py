"""Who wins and who draws where play may go on for ever: each move is followed backwards once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from encoders.exhaustive.arrays.limits import MAX_POSITIONS, TooLarge, group_digits
from encoders.exhaustive.parts.order import Position

Turn = tuple[Position, int]
WIN, LOSS, DRAW = 0, 1, 2


class EngineLoopyOutcomes:
    """What the player to move can force, by position and mover.

    `follow`: the turns after a turn; `end`: the offset of the winner where there are none.  What is asked may raise
    TooLarge, and what these do.
    """

    def __init__(self, follow: Callable[[Turn], list[Turn]], end: Callable[[Position, int], int]) -> None:
        self.follow, self.end = follow, end
        self._known: dict[Turn, int] = {}

    def of(self, turn: Turn) -> int:
        """WIN, LOSS or DRAW."""
        if turn not in self._known:
            self._label(turn)
        return self._known[turn]

    def _label(self, start: Turn) -> None:
        """Label all that play can come to; what is known already is not gone into again."""
        before: defaultdict[Turn, list[Turn]] = defaultdict(list)
        left: dict[Turn, int] = {}  # of a turn, how many options are not known to be won for the other
        found: dict[Turn, int] = {}
        decided: list[Turn] = []
        todo = [start]
        while todo:
            turn = todo.pop()
            if turn in left:
                continue
            after = self.follow(turn)
            left[turn] = len(after)
            if len(left) + len(self._known) > MAX_POSITIONS:
                raise TooLarge(f"more than {group_digits(MAX_POSITIONS)} positions")
            for x in after:
                before[x].append(turn)
                if x in self._known:
                    found[x] = self._known[x]
                else:
                    todo.append(x)
            if not after:
                found[turn] = WIN if self.end(*turn) == 0 else LOSS
        decided = list(found)
        while decided:
            turn = decided.pop()
            for x in before[turn]:
                left[x] -= found[turn] == WIN
                if x not in found and (found[turn] == LOSS or not left[x]):
                    found[x] = WIN if found[turn] == LOSS else LOSS
                    decided.append(x)
        self._known |= {turn: found.get(turn, DRAW) for turn in left}
