"""Sets of positions as arrays: the box of all positions within bounds, and a pool of numbered positions.

A position is a row of heap sizes in ascending order, filled up with zeros on the left.  The order of positions is the
one every report uses: fewest heaps, then least total, then ascending heaps lexicographically.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from encoders.exhaustive.values import Array


def box_size(heaps: int, size: int) -> int:
    """The number of positions with at most `heaps` heaps, each at most `size`: binomial(heaps + size, heaps).

    >>> box_size(4, 10)
    1001
    """
    return math.comb(heaps + size, heaps)


def box_rows(heaps: int, size: int) -> Array:
    """All positions with at most `heaps` heaps of at most `size`, in order; shape (box_size, max(heaps, 1))."""
    width = max(heaps, 1)
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(heaps):
        # Each row grows by a first heap that is at most its smallest one (any size for an empty row).
        first = rows[:, 0] if rows.shape[1] else np.full(len(rows), size)
        repeated = np.repeat(np.arange(len(rows)), first + 1)
        heap = np.arange(len(repeated)) - np.repeat(np.cumsum(first + 1) - (first + 1), first + 1)
        rows = np.concatenate([heap[:, None], rows[repeated]], axis=1)
    rows = rows if heaps else np.zeros((1, width), dtype=np.int64)
    return rows[order_of(rows)]


def order_of(rows: Array) -> Array:
    """The permutation that sorts rows into the order of positions."""
    columns = [rows[:, i] for i in range(rows.shape[1] - 1, -1, -1)]
    return np.lexsort([*columns, rows.sum(axis=1), np.count_nonzero(rows, axis=1)])


class PositionSet:
    """Positions in order, each once, found again by their rows."""

    def __init__(self, rows: Array) -> None:
        """`rows`: distinct positions in order, shape (count, width)."""
        self.rows = rows
        self.width = rows.shape[1]
        self.bits = 62 // max(self.width, 1)
        self.largest = int(rows.max(initial=0))

    @staticmethod
    def box(heaps: int, size: int) -> PositionSet:
        """The box of `box_rows`."""
        return PositionSet(box_rows(heaps, size))

    @staticmethod
    def of(rows: Array) -> PositionSet:
        """The set of the given rows, in any order, with repetitions."""
        distinct = np.unique(rows, axis=0) if len(rows) else rows
        return PositionSet(distinct[order_of(distinct)])

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        keys = _keys(self.rows, self.bits)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def find(self, rows: Array) -> Array:
        """The number of each row in this set, -1 where it is not in it. Rows may be narrower or wider."""
        rows = fit(rows, self.width)
        narrow = rows[:, rows.shape[1] - self.width :]
        outside = (rows[:, : rows.shape[1] - self.width] != 0).any(axis=1) | (narrow.max(axis=1, initial=0) > self.largest)
        if self.largest >= 1 << self.bits:
            table = {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(self.rows, dtype=np.int64))}
            found = np.array([table.get(r.tobytes(), -1) for r in np.ascontiguousarray(narrow, dtype=np.int64)], dtype=np.int64)
            return np.where(outside, -1, found)
        keys, order = self._sorted
        wanted = _keys(np.where(outside[:, None], 0, narrow), self.bits)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(outside | (keys[at] != wanted), -1, order[at])


def fit(rows: Array, width: int) -> Array:
    """`rows` with at least `width` columns, zeros added on the left."""
    missing = width - rows.shape[1]
    if missing <= 0:
        return rows
    return np.concatenate([np.zeros((len(rows), missing), dtype=rows.dtype), rows], axis=1)


def _keys(rows: Array, bits: int) -> Array:
    keys = np.zeros(len(rows), dtype=np.int64)
    for column in range(rows.shape[1]):
        keys = (keys << bits) | rows[:, column]
    return keys


class Pool:
    """Every position met in a claim, numbered. Numbers below `core` are those of the initial set, in order."""

    def __init__(self, core: PositionSet) -> None:
        self._set = core
        self.rows = core.rows
        self.core = len(core)
        self._ids = np.arange(len(core))  # number in self._set -> id
        self._rank: Array | None = self._ids

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rank(self) -> Array:
        """For each id its place in the order of positions."""
        if self._rank is None:
            self._rank = np.empty(len(self.rows), dtype=np.int64)
            self._rank[order_of(self.rows)] = np.arange(len(self.rows))
        return self._rank

    def intern(self, rows: Array) -> Array:
        """The id of each row (ascending heaps, zeros first); new positions are added."""
        found = self._set.find(rows)
        new = found < 0
        if new.any():
            fresh = np.unique(rows[new], axis=0)
            width = max(self.rows.shape[1], int(np.count_nonzero(fresh, axis=1).max(initial=0)))
            fresh = fit(fresh, width)[:, -width:]
            self.rows = np.concatenate([fit(self.rows, width), fresh])
            order = order_of(self.rows)
            self._set = PositionSet(self.rows[order])
            self._ids, self._rank = order, None
            found = self._set.find(rows)
        return self._ids[found]

    def heaps(self, id: int) -> tuple[int, ...]:
        """The position of an id, as the tuple of its heap sizes."""
        return tuple(int(h) for h in self.rows[id] if h)
