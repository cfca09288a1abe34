"""Values of many cases at once.

A *frame* is a grid of cases: rows (usually the values of the parameters) by columns (usually positions).  A value in it
is an array of shape (r, c) with r in {1, rows} and c in {1, columns}; size 1 means that the value does not depend on
that axis, so numpy's broadcasting hoists every computation out of the axes it does not need.

A value may be *bad* at some cases: ill-defined there, as the referee would find by raising IllDefined if it looked.
The data at a bad case is arbitrary but harmless.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SAFE = 1 << 62  # below it, sums of two int64 cannot overflow


@dataclass(slots=True, eq=False)
class Scalars:
    """One number, truth value, player, outcome or position (its id in the pool) for each case.

    `data` has dtype bool, int64, or object (integers beyond 2**62, fractions).  `lo`, `hi` bound the numbers in it.
    """

    data: Array
    bad: Array | None = None
    lo: int | None = None
    hi: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(r, c) of data and badness together."""
        return union_shape(self.data, self.bad)

    def bounds(self) -> tuple[int, int]:
        """Bounds of an int64 array: those known from the operands, else found by looking."""
        if self.lo is None or self.hi is None:
            if self.data.size == 0:
                self.lo = self.hi = 0
            else:
                self.lo, self.hi = int(self.data.min()), int(self.data.max())
        return self.lo, self.hi


@dataclass(slots=True, eq=False)
class Ragged:
    """One list or set for each case: cell (i, j) of `shape` has `lengths[i * c + j]` of the consecutive `items`.

    Sets hold each element once, ascending (positions by their rank).
    """

    shape: tuple[int, int]
    lengths: Array
    items: Array
    bad: Array | None = None

    def __post_init__(self) -> None:
        if self.bad is not None and self.bad.shape != self.shape:
            shape = np.broadcast_shapes(self.bad.shape, self.shape)
            if shape != self.shape:  # badness depends on more than the lists do: give every case its own list
                grid = np.broadcast_to(np.arange(len(self.lengths)).reshape(self.shape), shape).ravel()
                spread = self.cells(grid, (shape[0], shape[1]), None)
                self.shape, self.lengths, self.items = spread.shape, spread.lengths, spread.items

    @property
    def starts(self) -> Array:
        return np.cumsum(self.lengths) - self.lengths

    def cells(self, index: Array, shape: tuple[int, int], bad: Array | None) -> Ragged:
        """The Ragged of `shape` whose cells are the cells `index` of this one."""
        lengths = self.lengths[index]
        return Ragged(shape, lengths, self.items[spans(self.starts[index], lengths)], bad)


Value = Scalars | Ragged


def spans(starts: Array, lengths: Array) -> Array:
    """The concatenation of starts[i], starts[i] + 1, ..., starts[i] + lengths[i] - 1 over all i."""
    total = int(lengths.sum())
    ends = np.cumsum(lengths)
    return np.arange(total) + np.repeat(starts - (ends - lengths), lengths)


def union_shape(data: Array, bad: Array | None) -> tuple[int, int]:
    """The shape that `data` and `bad` broadcast to."""
    if bad is None:
        return data.shape[0], data.shape[1]
    return max(data.shape[0], bad.shape[0]), max(data.shape[1], bad.shape[1])


def either(*bads: Array | None) -> Array | None:
    """Bad where any is; None when nothing is."""
    found: Array | None = None
    for bad in bads:
        if bad is not None:
            found = bad if found is None else found | bad
    return found if found is not None and found.any() else None


def constant(value: Any) -> Scalars:
    """The same value at every case."""
    if isinstance(value, bool):
        return Scalars(np.array([[value]]))
    if isinstance(value, int) and abs(value) < SAFE:
        return Scalars(np.array([[value]], dtype=np.int64), None, value, value)
    data = np.empty((1, 1), dtype=object)
    data[0, 0] = value
    return Scalars(data)


def take_axis(array: Array | None, axis: int, index: Array) -> Array | None:
    """`array` at `index` of `axis`; an axis of size 1 stays."""
    if array is None or array.shape[axis] == 1:
        return array
    return array.take(index, axis=axis)


def along(value: Value, axis: int, index: Array) -> Value:
    """The value on a frame whose `axis` has been replaced by `index` of the old one."""
    if value.shape[axis] == 1:
        return value  # the same object: whoever remembers results by the identity of their operands finds them
    if isinstance(value, Scalars):
        data = take_axis(value.data, axis, index)
        assert data is not None
        return Scalars(data, take_axis(value.bad, axis, index), value.lo, value.hi)
    r, c = value.shape
    bad = take_axis(value.bad, axis, index)
    grid = np.arange(r * c).reshape(r, c).take(index, axis=axis)
    return value.cells(grid.ravel(), (grid.shape[0], grid.shape[1]), bad)


def flat(array: Array | None, rows: int, cols: int) -> Array | None:
    """(r, c) on a frame of rows x cols, as (1, rows * cols); a constant stays (1, 1)."""
    if array is None or array.shape == (1, 1):
        return array
    return np.broadcast_to(array, (rows, cols)).reshape(1, rows * cols)


def flattened(value: Value, rows: int, cols: int) -> Value:
    """The value on the frame of 1 x (rows * cols) cases, row after row."""
    if isinstance(value, Scalars):
        data = flat(value.data, rows, cols)
        assert data is not None
        return Scalars(data, flat(value.bad, rows, cols), value.lo, value.hi)
    bad = flat(value.bad, rows, cols)
    r, c = value.shape
    if (r, c) == (1, 1):
        return Ragged((1, 1), value.lengths, value.items, bad)
    grid = np.broadcast_to(np.arange(r * c).reshape(r, c), (rows, cols)).ravel()
    return value.cells(grid, (1, rows * cols), bad)
