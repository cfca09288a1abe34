"""The solver in plain Python, a row of bits as one integer: where the kernel cannot run, and to check it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.bits.words import Box, count_words, from_integers, pack, to_integers
from encoders.exhaustive.boxes.solvers.task import BoxTask

# -- positions --------------------------------------------------------------------------------------------------------
# Positions as tuples of heaps, and the heaps that a move may choose.


Heaps = tuple[int, ...]
"""Ascending, zeros for heaps that are not there."""


LineTable = dict[Heaps, list[tuple[int, int]]]
"""By all heaps but one the sizes of that one, ascending, at which a row of bits is not 0, each with the row."""


def list_heaps(position: Heaps) -> Iterator[tuple[str, int, Heaps]]:
    """The heaps that a move may choose, equal ones once: how it is chosen, the heap, what is left beside it.

    >>> list(list_heaps((0, 2, 2)))
    [('any', 2, (0, 2)), ('largest', 2, (0, 2)), ('smallest', 2, (0, 2))]
    """
    there = [h for h in position if h]
    for h in dict.fromkeys(there):
        at = position.index(h)
        rest = position[:at] + position[at + 1 :]
        yield "any", h, rest
        if h == there[-1]:
            yield "largest", h, rest
        if h == there[0]:
            yield "smallest", h, rest


def list_positions(box: Box) -> list[Heaps]:
    """All positions of a box by their numbers."""
    if not box.heaps:
        return [()]
    return list(zip(*(c.tolist() for c in box.columns), strict=True))


def record(position: Heaps, bits: int, lines: LineTable) -> None:
    """Put a row of bits onto all lines of its position."""
    if bits:
        for h in set(position):
            at = position.index(h)
            lines.setdefault(position[:at] + position[at + 1 :], []).append((h, bits))


# -- lanes ------------------------------------------------------------------------------------------------------------
# Lanes in plain Python: an integer for each position, a bit for each choice of the parameters.


class PlainLanes:
    """A task as lanes."""

    def __init__(self, task: BoxTask, clock: Clock) -> None:
        self.task, self.clock = task, clock
        self.words = next(iter(task.legal.values())).shape[-1]
        self.full = (1 << task.choices) - 1
        self.legal = {choose: [to_integers(rows) for rows in tables] for choose, tables in task.legal.items()}
        self.positions = list_positions(task.box)
        self._lost: list[Array] = []

    def find_lost(self, mover: int) -> Array:
        """Where the mover loses."""
        self._lost = self._lost or self._solve()
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """A table to be filled for `reach`."""
        return np.zeros((len(self.positions), self.words), dtype=np.uint64)

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is `wanted`."""
        bits, out = to_integers(wanted), []
        lines: LineTable = {}
        for i, position in enumerate(self._look_around()):
            out.append(self.full ^ self._strike(position, min(mover, self.task.movers - 1), lines, self.full))
            record(position, bits[i], lines)
        return from_integers(out, self.words)

    def _solve(self) -> list[Array]:
        movers = range(self.task.movers)
        lost: list[list[int]] = [[] for _ in movers]
        lines: list[LineTable] = [{} for _ in movers]
        for position in self._look_around():
            for mover in movers:
                need = self._find_able(position, mover) if self.task.stuck_wins else self.full
                lost[mover].append(self._strike(position, mover, lines[len(movers) - 1 - mover], need))
            for mover in movers:
                record(position, lost[mover][-1], lines[mover])
        return [from_integers(rows, self.words) for rows in lost]

    def _look_around(self) -> Iterator[Heaps]:
        for i, position in enumerate(self.positions):
            if not i & 127:
                self.clock.check()
            yield position

    def _strike(self, position: Heaps, mover: int, lines: LineTable, need: int) -> int:
        """What is left of `need` without the choices under which `mover` reaches one of the lines' rows."""
        for choose, h, rest in list_heaps(position):
            if choose in self.legal:
                legal, first = self.legal[choose][mover], h * (h - 1) // 2
                for y, bits in lines.get(rest, ()):
                    need &= ~(bits & legal[first + y])
                    if not need:
                        return 0
        return need

    def _find_able(self, position: Heaps, mover: int) -> int:
        """The choices under which the mover has a move."""
        able = 0
        for choose, h, _ in list_heaps(position):
            if choose in self.legal:
                for row in self.legal[choose][mover][h * (h - 1) // 2 : h * (h + 1) // 2]:
                    able |= row
        return able


# -- lines ------------------------------------------------------------------------------------------------------------
# Lines in plain Python: an integer for each rest of all heaps but one, a bit for each size of that one.


class PlainLines:
    """A task of one choice as lines."""

    def __init__(self, task: BoxTask, clock: Clock) -> None:
        self.task, self.clock, size = task, clock, task.box.size
        self.words, self.full = count_words(size + 1), (1 << (size + 1)) - 1
        legal = task.unfold()
        self.legal = {choose: [to_integers(pack(t)) for t in table] for choose, table in legal.items()}
        self.back = {choose: [to_integers(pack(t.T.copy())) for t in table] for choose, table in legal.items()}
        self.rests = list_positions(task.rests)
        self._lost: list[Array] = []

    def find_lost(self, mover: int) -> Array:
        """Where the mover loses."""
        self._lost = self._lost or self._solve()
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """A table to be filled for `reach`."""
        return np.zeros((len(self.rests), self.words), dtype=np.uint64)

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is `wanted`."""
        mover, bits, out = min(mover, self.task.movers - 1), to_integers(wanted), []
        seen = _Seen()
        for rest, row in zip(self._look_around(), bits, strict=True):
            left = self._across(rest, mover, seen, self.full)
            seen.add(rest, row)
            while row and left:
                low = row & -row
                row ^= low
                left &= ~self._along(rest, mover, low.bit_length() - 1)
            out.append(self.full ^ left)
        return from_integers(out, self.words)

    def _solve(self) -> list[Array]:
        movers = range(self.task.movers)
        lost: list[list[int]] = [[] for _ in movers]
        seen = [_Seen() for _ in movers]
        for rest in self._look_around():
            open_ = []
            for mover in movers:
                need = self._find_able(rest, mover) if self.task.stuck_wins else self.full
                open_.append(self._across(rest, mover, seen[len(movers) - 1 - mover], need))
            for mover, row in enumerate(self._descend(rest, open_)):
                lost[mover].append(row)
                seen[mover].add(rest, row)
        return [from_integers(rows, self.words) for rows in lost]

    def _look_around(self) -> Iterator[Heaps]:
        for i, rest in enumerate(self.rests):
            if not i & 15:
                self.clock.check()
            yield rest

    def _descend(self, rest: Heaps, open_: list[int]) -> list[int]:
        """Where each loses of what is open, the smallest heap first: it is struck for whoever can move there."""
        lost, last = [0] * len(open_), len(open_) - 1
        while all(open_):
            low = min(x & -x for x in open_)
            losers = [p for p, x in enumerate(open_) if x & low]
            for p in losers:
                lost[p] |= low
                open_[p] ^= low
            for p in losers:
                open_[last - p] &= ~self._along(rest, last - p, low.bit_length() - 1)
        return [x | y for x, y in zip(lost, open_, strict=True)]

    def _along(self, rest: Heaps, mover: int, y: int) -> int:
        """The sizes of the heap of the line that `mover` may make y."""
        hit = 0
        for choose, back in self.back.items():
            hit |= back[mover][y] & self._beside(choose, rest)
        return hit

    def _across(self, rest: Heaps, mover: int, seen: _Seen, need: int) -> int:
        """What is left of `need` without the sizes at which `mover` reaches a row that was seen, by another heap."""
        for choose, h, others in list_heaps(rest):
            if choose not in self.legal:
                continue
            legal, under = self.legal[choose][mover][h], self._under(choose, h)
            need &= ~(seen.find(others, h, legal) & under)
            if not need:
                return 0
        return need

    def _find_able(self, rest: Heaps, mover: int) -> int:
        """The sizes at which the mover has a move."""
        able = 0
        for choose, h, _ in list_heaps(rest):
            if choose in self.legal and self.legal[choose][mover][h]:
                able |= self._under(choose, h)
        for choose, legal in self.legal.items():
            able |= sum(1 << h for h, row in enumerate(legal[mover]) if row) & self._beside(choose, rest)
        return able

    def _beside(self, choose: str, rest: Heaps) -> int:
        """The sizes of the heap of the line at which it may be chosen."""
        there = [h for h in rest if h]
        if choose == "any" or not there:
            return self.full
        return self.full >> there[-1] << there[-1] if choose == "largest" else (2 << there[0]) - 1

    def _under(self, choose: str, h: int) -> int:
        """The sizes of the heap of the line at which the heap h of the rest may be chosen."""
        if choose == "any":
            return self.full
        return (2 << h) - 1 if choose == "largest" else (self.full >> h << h) | 1


class _Seen:
    """The rows met so far on the lines across, and where at least one and at least two of a line have a bit."""

    def __init__(self) -> None:
        self.lines: dict[Heaps, list[tuple[int, int]]] = {}
        self.counts: dict[Heaps, tuple[int, int]] = {}

    def add(self, rest: Heaps, row: int) -> None:
        """The row of a rest."""
        record(rest, row, self.lines)
        if row:
            for h in set(rest):
                at = rest.index(h)
                others = rest[:at] + rest[at + 1 :]
                one, two = self.counts.get(others, (0, 0))
                self.counts[others] = one | row, two | one & row

    def find(self, others: Heaps, h: int, legal: int) -> int:
        """Where a row of the line has a bit whose size is legal: one of those below h, which are all that were met."""
        line = self.lines.get(others, [])
        illegal = ((1 << h) - 1) & ~legal
        if not illegal & (illegal - 1):  # one at most
            one, two = self.counts.get(others, (0, 0))
            without = illegal.bit_length() - 1
            return two | one & ~next((row for y, row in reversed(line) if y == without), 0)
        found = 0
        for y, row in line:
            if legal >> y & 1:
                found |= row
        return found


# -- solver -----------------------------------------------------------------------------------------------------------
# Plain Python as a solver of tasks.


class Plain:
    """It keeps nothing."""

    def lay_lanes(self, task: BoxTask, clock: Clock) -> PlainLanes:
        """A task as lanes."""
        return PlainLanes(task, clock)

    def lay_lines(self, task: BoxTask, clock: Clock) -> PlainLines:
        """A task of one choice as lines."""
        return PlainLines(task, clock)
