"""The geometry of single-heap rulesets: a box of positions cut into lines. It depends on no rule.

A *line* is all positions that differ in one heap: the rest R, and a heap of 0, 1, ..., size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.limits import Clock, TooLarge, group_digits
from encoders.exhaustive.arrays.positions import PositionSet, count_box
from encoders.exhaustive.arrays.segments import list_owners, list_places
from encoders.exhaustive.arrays.values import Array

_EDGES_AT_ONCE = 1_000_000  # sorted between two looks at the clock
Slot = tuple[Array, Array, Array]  # positions with a heap in some column, their lines, that heap


@dataclass(frozen=True)
class Edges:
    """All ways to make one heap smaller, sorted by (source, target): a heap `h` of the source becomes `y`."""

    offsets: Array
    targets: Array
    h: Array
    y: Array
    largest: Array  # whether h is a largest, a smallest heap of the source
    smallest: Array


class LineBox:
    """The box of at most `heaps` heaps of at most `size`. Line i consists of position i and a further heap.

    `columns[j, i]` is heap j of position i, ascending after zeros, and `around[j, i]` the line that it lies on by that
    heap; by an empty column it lies on line i.  `member[i, h]` is the position on line i whose further heap is h.
    """

    def __init__(self, heaps: int, size: int, clock: Clock | None = None) -> None:
        self.heaps, self.size, self.clock = heaps, max(size, 1), clock or Clock(None)
        self.positions = PositionSet.box(heaps, self.size)
        self.level = self.positions.rows.sum(axis=1)
        self.lines = count_box(heaps - 1, self.size) if heaps else 0
        self.columns = np.ascontiguousarray(self.positions.rows.T[:heaps])
        everyone = np.arange(len(self.positions))
        self.around = np.tile(everyone, (heaps, 1))
        self.member = np.zeros((self.lines, self.size + 1), dtype=np.int64)
        for column, (heap, line) in enumerate(zip(self.columns, self.around, strict=True)):
            self.clock.check()
            at = np.flatnonzero(heap)
            line[at] = self.positions.find(np.delete(self.positions.rows[at], column, axis=1))
            self.member[line, heap] = everyone

    def choose(self, how: str, lines: Array, heaps: Array) -> tuple[Array, Array]:
        """Of the columns (heaps, n) of some positions those that a move may choose; 0 for a heap that it may not."""
        if how == "largest":
            return lines[-1:], heaps[-1:]
        if how == "smallest":
            before = np.vstack([np.zeros_like(heaps[:1]), heaps[:-1]])
            return lines, np.where(before > 0, 0, heaps)
        return lines, heaps

    @cached_property
    def edges(self) -> Edges:
        """Raises TooLarge and OutOfTime."""
        slots = [self._list_slot(column) for column in range(self.heaps)]
        degrees = np.zeros(len(self.positions), dtype=np.int64)
        for at, _, heap in slots:
            degrees[at] += heap
        offsets = np.concatenate([[0], np.cumsum(degrees)])
        total = int(offsets[-1])
        if total > limits.MAX_EDGES:
            raise TooLarge(f"{group_digits(total)} moves")
        cuts = [*np.searchsorted(offsets, np.arange(0, total, _EDGES_AT_ONCE)), len(self.positions)]
        blocks = pairwise(cuts)
        parts: list[tuple[Array, ...]] = [(np.zeros(0, dtype=np.int64),) * 4]
        parts += [self._list_block(slots, int(first), int(last)) for first, last in blocks]
        source, targets, h, y = (np.concatenate(x) for x in zip(*parts, strict=True))
        rows = self.positions.rows
        least = np.where(rows > 0, rows, self.size + 1).min(axis=1)
        return Edges(offsets, targets, h, y, h == rows[source, -1], h == least[source])

    def _list_slot(self, column: int) -> Slot:
        """What has a heap in a column, of several equal ones in the first of theirs."""
        heap, line = self.columns[column], self.around[column]
        before = self.columns[column - 1] if column else np.zeros_like(heap)
        at = np.flatnonzero(heap != before)
        return at, line[at], heap[at]

    def _list_block(self, slots: list[Slot], first: int, last: int) -> tuple[Array, ...]:
        """The edges of the positions first .. last - 1: sources, targets, h and y, sorted by source and target."""
        self.clock.check()
        parts = []
        for slot in slots:
            a, b = np.searchsorted(slot[0], [first, last])
            at, line, heap = (x[a:b] for x in slot)
            owner, y = list_owners(heap), list_places(heap)
            parts.append((at[owner], self.member[line[owner], y], heap[owner], y))
        source, targets, h, y = (np.concatenate(x) for x in zip(*parts, strict=True))
        order = np.argsort(source * len(self.positions) + targets)
        return source[order], targets[order], h[order], y[order]
