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

    `member[i, h]` is the position on line i whose further heap is h.
    """

    def __init__(self, heaps: int, size: int, clock: Clock | None = None) -> None:
        self.heaps, self.size, self.clock = heaps, max(size, 1), clock or Clock(None)
        self.positions = PositionSet.box(heaps, self.size)
        self.level = self.positions.rows.sum(axis=1)
        self.lines = count_box(heaps - 1, self.size) if heaps else 0
        self.slots = [self._make_slot(j) for j in range(heaps)]
        self._choosing: dict[tuple[str, int], Slot] = {}
        self.member = np.zeros((self.lines, self.size + 1), dtype=np.int64)
        self.member[:, 0] = np.arange(self.lines)
        for at, line, heap in self.slots:
            self.member[line, heap] = at

    def _make_slot(self, column: int) -> Slot:
        self.clock.check()
        rows = self.positions.rows
        at = np.flatnonzero(rows[:, column] > 0)
        return at, self.positions.find(np.delete(rows[at], column, axis=1)), rows[at, column]

    def select_slot(self, choose: str, column: int) -> Slot:
        """The entries of slots[column] whose heap a move may choose; equal heaps count once."""
        if (choose, column) not in self._choosing:
            at, line, heap = self.slots[column]
            before = self.positions.rows[at, column - 1] if column else np.zeros(len(at), dtype=np.int64)
            if choose == "largest":
                keep = np.full(len(at), column == self.heaps - 1)
            else:
                keep = before == 0 if choose == "smallest" else before != heap
            self._choosing[choose, column] = at[keep], line[keep], heap[keep]
        return self._choosing[choose, column]

    def split_by_level(self, slot: Slot) -> list[Slot]:
        """The entries of a slot cut by the total of the position: one slot for each total."""
        order = np.argsort(self.level[slot[0]], kind="stable")
        at, line, heap = (x[order] for x in slot)
        cuts = np.searchsorted(self.level[at], np.arange(int(self.level.max()) + 2))
        return [(at[a:b], line[a:b], heap[a:b]) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]

    @cached_property
    def edges(self) -> Edges:
        """Raises TooLarge and OutOfTime."""
        slots = [self.select_slot("any", column) for column in range(self.heaps)]
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
