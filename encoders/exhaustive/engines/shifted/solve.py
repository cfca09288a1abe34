"""Games with moves on several heaps solved row by row; `RowReach` says what the rows before offer.

A row is an integer, its bits are the sizes of one heap; the other heaps are the rest.  Along a row, of the positions
that nothing before it decides, the one with the least heap is decided, which strikes out those that reach it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.engines.shifted.kinds import HeapStep, Kinds, MoveTable, Tie, read_bits

# -- reach ------------------------------------------------------------------------------------------------------------
# From which positions a set of positions is reached in one move, row by row, each row one integer.
#
# A *row* is all positions that differ in one heap: the *rest*, ascending sizes of the other heaps with zeros in front,
# and a heap of 0, 1, ..., size: bit c of the row is the position with a further heap c.  Rows are handed over in an
# order in which every rest comes after all that are smaller heap by heap; what reaches a row from the ones before it is
# then known when its turn comes.


Rest = tuple[int, ...]


@dataclass(frozen=True)
class _Pattern:
    """Some heaps of the rest have changed: by the number of its table, 0 for a heap that has not, for each of them.

    `direct`: the changes are a whole move.  `spread`: tables of which one more change makes them one.
    """

    tables: tuple[int, ...]
    direct: bool
    spread: tuple[MoveTable, ...]


class RowReach:
    """The moves `kinds` on rows over `heaps - 1` other heaps, heaps >= 1.

    For each rest in turn `pull(rest)`, then `push(rest, row)`.
    """

    def __init__(self, kinds: Kinds, heaps: int) -> None:
        self.kinds, self.size, self.width = kinds, kinds.size, heaps - 1
        self.every = (2 << kinds.size) - 1
        moves = [tables for tables in ((kinds.single,), *kinds.products) if all(any(x.become) for x in tables)]
        self.tables = list(dict.fromkeys(x for tables in moves for x in tables))
        self.patterns = self._list_patterns([tuple(self.tables.index(x) + 1 for x in tables) for tables in moves])
        self.stride = len(self.tables) + 1
        # By the sizes of a rest times `stride`, plus the number of the table that a heap was changed by: the row of all
        # positions that some choice of those changes leads into the set.
        self.changed: dict[tuple[int, ...], int] = {}
        full = [tie for tie in kinds.ties if tie.is_full(kinds.size)]
        self.full_ties = sorted({tie.heaps for tie in full})
        self.ties = [turn for tie in kinds.ties if tie not in full for turn in tie.turns]
        self.along: dict[tuple[bool, Rest, Rest], int] = {}  # (shifted, other heaps, differences): the rows so far

    def _list_patterns(self, moves: list[tuple[int, ...]]) -> list[_Pattern]:
        """Those with which a move may have begun, the fewer changes the earlier."""
        found = []
        for tables in product(range(len(self.tables) + 1), repeat=self.width):
            changes = sorted(x for x in tables if x)
            begun = [self._subtract(move, changes) for move in moves]
            rests = [x for x in begun if x is not None]
            if rests or not changes:
                ends = dict.fromkeys(x[0] for x in rests if len(x) == 1 and changes)
                found.append(_Pattern(tables, () in rests, tuple(self.tables[i - 1] for i in ends)))
        return sorted(found, key=lambda p: sum(x > 0 for x in p.tables))

    @staticmethod
    def _subtract(move: tuple[int, ...], changes: list[int]) -> tuple[int, ...] | None:
        left = list(move)
        for x in changes:
            if x not in left:
                return None
            left.remove(x)
        return tuple(left)

    # -- one row -----------------------------------------------------------------------------------------------------
    def pull(self, rest: Rest) -> int:
        """The positions of the row with an option in the rows pushed so far."""
        found = 0
        for pattern in self.patterns[1:]:
            row = self._read_changed(rest, pattern)
            if row:
                if pattern.direct:
                    found |= row
                for table in pattern.spread:
                    found |= self.spread(row, table)
        for key, _ in self._list_diagonals(rest):
            found |= self.along.get(key, 0)
        for tie in self.ties:
            found |= self._pull_tie(rest, tie)
        return found

    def push(self, rest: Rest, row: int) -> None:
        """The set in this row."""
        self.changed[tuple(x * self.stride for x in rest)] = row
        for key, shifted in self._list_diagonals(rest):
            whole = self.along.get(key, 0) | row
            self.along[key] = whole << 1 & self.every if shifted else whole

    def spread(self, row: int, table: MoveTable) -> int:
        """The positions of a row that a change of its own heap leads into `row`."""
        if not row:
            return 0
        if table.full:
            return self.every & -((row & -row) << 1)
        found, reach = 0, table.reach
        while row:
            low = row & -row
            found |= reach[low.bit_length() - 1]
            row ^= low
        return found

    # -- heaps that change for themselves ----------------------------------------------------------------------------
    def _read_changed(self, rest: Rest, pattern: _Pattern) -> int:
        """The row reached by the changes of a pattern, the last one of them undone heap by heap."""
        stride, tables = self.stride, pattern.tables
        codes = [x * stride + i for x, i in zip(rest, tables, strict=True)]
        key = tuple(sorted(codes))
        at = max(j for j, i in enumerate(tables) if i)
        x, number = rest[at], tables[at]
        if not x:
            return 0
        table, changed = self.tables[number - 1], self.changed
        del codes[at]
        if table.full:
            smaller = (x - 1) * stride
            before, undone = tuple(sorted([*codes, smaller + number])), tuple(sorted([*codes, smaller]))
            row = changed.get(before, 0) | changed.get(undone, 0)  # nothing is stored where a heap to change is gone
        else:
            row = 0
            for y in table.choices[x]:
                row |= changed.get(tuple(sorted([*codes, y * stride])), 0)
        changed[key] = row
        return row

    # -- heaps that change together ----------------------------------------------------------------------------------
    def _list_diagonals(self, rest: Rest) -> list[tuple[tuple[bool, Rest, Rest], bool]]:
        """The diagonals of the full ties that the row is on, each once; True for those that its own heap is part of."""
        found = dict[tuple[bool, Rest, Rest], bool]()
        for count in self.full_ties:
            for part, shifted in ((count - 1, True), (count, False)):
                for chosen in combinations(range(self.width), part):
                    least = rest[chosen[0]]
                    others = tuple(x for i, x in enumerate(rest) if i not in chosen)
                    found[shifted, others, tuple(rest[i] - least for i in chosen)] = shifted
        return list(found.items())

    def _pull_tie(self, rest: Rest, tie: Tie) -> int:
        """The positions of the row with an option by steps of a tie, whose last heap may be the row's own."""
        found, changed, stride = 0, self.changed, self.stride
        for chosen in combinations(range(self.width), tie.heaps):
            for step in tie.steps:
                before = self._step_back(rest, chosen, step)
                if before is not None:
                    found |= changed[before]
        if tie.heaps == 2:  # the usual one, without a call for each step
            for i, x in enumerate(rest):
                others = [y * stride for j, y in enumerate(rest) if j != i]
                for step in tie.steps:
                    if step.legal[0] >> x & 1:
                        row = changed[tuple(sorted([*others, (x - step.take[0]) * stride]))]
                        if row:
                            found |= row << step.take[1] & step.legal[1]
            return found
        for chosen in combinations(range(self.width), tie.heaps - 1):
            for step in tie.steps:
                before = self._step_back(rest, chosen, step)
                if before is not None:
                    found |= changed[before] << step.take[-1] & step.legal[-1]
        return found

    def _step_back(self, rest: Rest, chosen: tuple[int, ...], step: HeapStep) -> tuple[int, ...] | None:
        """The key of the rest after a step on the chosen heaps; None where it is not legal."""
        sizes = list(rest)
        for i, take, legal in zip(chosen, step.take, step.legal, strict=False):
            if not legal >> sizes[i] & 1:
                return None
            sizes[i] -= take
        return tuple(x * self.stride for x in sorted(sizes))


# -- solve ------------------------------------------------------------------------------------------------------------
Rows = list[int]
"""A set of positions, by the number of the rest."""

_ROWS_AT_ONCE = 64  # between two looks at the clock


class RowSolver:
    """Positions of at most `heaps` >= 1 heaps of at most `size`; `rests`: the sizes of all but one heap, ascending.

    The rests come in an order in which each is after all that are smaller heap by heap.
    """

    def __init__(self, heaps: int, size: int, rests: list[Rest], clock: Deadline) -> None:
        self.heaps, self.size, self.rests, self.clock = heaps, size, rests, clock
        self.every = (2 << size) - 1

    def find_hits(self, kinds: Kinds, wanted: Rows) -> Rows:
        """The positions with a wanted option."""
        reach, out = RowReach(kinds, self.heaps), []
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
        reaches = [RowReach(k, self.heaps) for k in kinds]  # by the mover: what is lost for the one after him
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
