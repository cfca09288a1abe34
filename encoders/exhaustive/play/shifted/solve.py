"""Games with moves on several heaps solved row by row; `Reach` says what the rows before offer.

A row is an integer, its bits are the sizes of one heap; the other heaps are the rest.  Along a row, of the positions
that nothing before it decides, the one with the least heap is decided, which strikes out those that reach it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.play.shifted.kinds import Kinds, read_bits
from encoders.exhaustive.play.shifted.reach import Reach, Rest

Rows = list[int]
"""A set of positions, by the number of the rest."""
_ROWS_AT_ONCE = 64  # between two looks at the clock


class RowSolver:
    """Positions of at most `heaps` >= 1 heaps of at most `size`; `rests`: the sizes of all but one heap, ascending.

    The rests come in an order in which each is after all that are smaller heap by heap.
    """

    def __init__(self, heaps: int, size: int, rests: list[Rest], clock: Clock) -> None:
        self.heaps, self.size, self.rests, self.clock = heaps, size, rests, clock
        self.every = (2 << size) - 1

    def find_hits(self, kinds: Kinds, wanted: Rows) -> Rows:
        """The positions with a wanted option."""
        reach, out = Reach(kinds, self.heaps), []
        for i, rest in enumerate(self.rests):
            if i % _ROWS_AT_ONCE == 0:
                self.clock.check()
            out.append(reach.pull(rest) | reach.spread(wanted[i], kinds.single))
            reach.push(rest, wanted[i])
        return out

    def solve_lost(self, kinds: Sequence[Kinds], stuck_wins: bool) -> list[Rows]:
        """The positions in which each mover loses, of players who move in turn: two, or one for both alike."""
        within = [[self.every] * len(self.rests)] * len(kinds)
        if stuck_wins:
            everything = [self.every] * len(self.rests)
            within = [self.find_hits(k, everything) for k in kinds]  # who is stuck does not lose
        return self._solve_within(kinds, within)

    def _solve_within(self, kinds: Sequence[Kinds], within: list[Rows]) -> list[Rows]:
        """The positions of `within` from which no option is one that the next mover loses, by the mover."""
        count = len(kinds)
        reaches = [Reach(k, self.heaps) for k in kinds]  # by the mover: what is lost for the one after him
        along = [k.single.reach for k in kinds]
        out: list[Rows] = [[] for _ in kinds]
        for i, rest in enumerate(self.rests):
            if i % _ROWS_AT_ONCE == 0:
                self.clock.check()
            open_ = [rows[i] & ~reach.pull(rest) for rows, reach in zip(within, reaches, strict=True)]
            lost = _decide(open_[0], along[0]) if count == 1 else _decide_two(open_, along)
            for mover, row in enumerate(lost):
                out[mover].append(row)
                reaches[mover - 1].push(rest, row)
        return out

    def solve_values(self, kinds: Kinds) -> Array:
        """Grundy values, (rests, size + 1): those of value v are lost in the game among the ones not below v."""
        out = np.zeros((len(self.rests), self.size + 1), dtype=np.int64)
        left = [self.every] * len(self.rests)
        value = 0
        while any(left):
            (found,) = self._solve_within([kinds], [left])
            for i, row in enumerate(found):
                if row and value:
                    out[i, read_bits(row)] = value
            left = [a & ~b for a, b in zip(left, found, strict=True)]
            value += 1
        return out


def _decide(open_: int, reach: tuple[int, ...]) -> list[int]:
    lost = 0
    while open_:
        low = open_ & -open_
        lost |= low
        open_ &= ~(low | reach[low.bit_length() - 1])
    return [lost]


def _decide_two(open_: list[int], reach: list[tuple[int, ...]]) -> list[int]:
    lost = [0, 0]
    first, second = open_
    while first or second:
        both = first | second
        low = both & -both
        at = low.bit_length() - 1
        here, there = first & low, second & low
        lost[0] |= here
        lost[1] |= there
        first &= ~low
        second &= ~low
        if there:  # whoever can leave the second player here, to move, wins
            first &= ~reach[0][at]
        if here:
            second &= ~reach[1][at]
    return lost
