"""Values of many cases at once.

A *frame* is a grid of cases: rows (usually the values of the parameters) by columns (usually positions).  A value in it
is an array of shape (r, c) with r in {1, rows} and c in {1, columns}; size 1 means that the value does not depend on
that axis, so numpy's broadcasting hoists every computation out of the axes it does not need.

A value may be *bad* at some cases: ill-defined there, or past a limit, as the
referee would find by raising IllDefined or LimitReached if it looked.
The data at a bad case is arbitrary but harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from claims.language.terms.types import BOOL, Type
from encoders import kernel
from encoders.exhaustive.arrays.limits import SAFE

Array = kernel.Array
Number = int | Fraction


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
        if self.bad is not None:
            return unite_shapes(self.data.shape, self.bad.shape)
        rows, cols = self.data.shape  # asked more often than anything else
        return rows, cols

    def find_bounds(self) -> tuple[int, int]:
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
            shape = unite_shapes(self.bad.shape, self.shape)
            if shape != self.shape:  # badness depends on more than the lists do: give every case its own list
                spread = self.spread(shape)
                self.shape, self.lengths, self.items = shape, spread.lengths, spread.items

    @property
    def starts(self) -> Array:
        """The number, in `items`, of the first element of each list."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def number_cells(self, shape: tuple[int, int]) -> Array:
        """The cell that each case of a frame of `shape`, one row after the other, reads."""
        return np.broadcast_to(np.arange(len(self.lengths)).reshape(self.shape), shape).ravel()

    def take_cells(self, index: Array, shape: tuple[int, int], bad: Array | None) -> Ragged:
        """The Ragged of `shape` whose cells are the cells `index` of this one."""
        lengths = self.lengths[index]
        return Ragged(shape, lengths, self.items[join_spans(self.starts[index], lengths)], bad)

    def spread(self, shape: tuple[int, int]) -> Ragged:
        """The same lists, one for each case of a frame of `shape`; badness is left out."""
        return self.take_cells(self.number_cells(shape), shape, None)

    def to_lists(self) -> list[tuple[int, ...]]:
        """Lists of integers as Python values, one for each cell."""
        ends = np.cumsum(self.lengths).tolist()
        items = self.items.tolist()
        return [tuple(items[end - n : end]) for end, n in zip(ends, self.lengths.tolist(), strict=True)]


Value = Scalars | Ragged


def join_spans(starts: Array, lengths: Array) -> Array:
    """The concatenation of starts[i], starts[i] + 1, ..., starts[i] + lengths[i] - 1 over all i.

    >>> join_spans(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    total = int(lengths.sum())
    ends = np.cumsum(lengths)
    return np.asarray(np.arange(total) + np.repeat(starts - (ends - lengths), lengths))


def unite_shapes(*shapes: tuple[int, ...]) -> tuple[int, int]:
    """The shape (r, c) that arrays of these shapes broadcast to."""
    rows, cols = np.broadcast_shapes(*shapes)
    return rows, cols


def merge_bad(*bads: Array | None) -> Array | None:
    """Bad where any is; None when nothing is."""
    found: Array | None = None
    for bad in bads:
        if bad is not None:
            found = bad if found is None else found | bad
    return found if found is not None and found.any() else None


def to_array(values: Sequence[object]) -> Array:
    """The values as an array: int64 where all of them are small integers, else their Python objects.

    >>> to_array([1, 2]).dtype, to_array([1, 1 << 62]).dtype
    (dtype('int64'), dtype('O'))
    """
    if all(type(v) is int and -SAFE < v < SAFE for v in values):
        return np.array(values, dtype=np.int64)
    data = np.empty(len(values), dtype=object)
    data[:] = values
    return data


def shrink(data: Array) -> Array:
    """An object array whose elements are all small integers becomes int64 again."""
    if data.dtype != object:
        return data
    return to_array(data.ravel().tolist()).reshape(data.shape)


def make_constant(value: int) -> Scalars:
    """The same value at every case."""
    if isinstance(value, bool):
        return Scalars(np.array([[value]]))
    data = to_array([value]).reshape(1, 1)
    return Scalars(data) if data.dtype == object else Scalars(data, None, value, value)


def make_nothing(kind: Type) -> Value:
    """A value of the type for a frame without cases."""
    if kind.is_collection:
        return Ragged((1, 1), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return Scalars(np.zeros((1, 1), dtype=bool if kind == BOOL else np.int64))


def worsen(value: Value, bad: Array | None) -> Value:
    """The value, bad also where `bad` says."""
    if bad is None:
        return value
    if isinstance(value, Scalars):
        return Scalars(value.data, merge_bad(value.bad, bad), value.lo, value.hi)
    return Ragged(value.shape, value.lengths, value.items, merge_bad(value.bad, bad))
