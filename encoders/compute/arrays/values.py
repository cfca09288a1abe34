"""The values of terms at many cases at once: numbers, lists, and frames, that is, grids of cases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from claims.language.syntax.terms import BOOL, Type
from encoders import kernel
from encoders.compute.arrays.limits import SAFE, TooWide

# == values ===========================================================================================================
# Values of many cases at once.
#
# A *frame* is a grid of cases. Its rows are usually values of the parameters, and its columns are positions. A value is
# an array of shape (r, c) with r in {1, rows} and c in {1, columns}. Size 1 means that the value does not depend on the
# row or on the column. Because of numpy's broadcasting, a computation is then not repeated along this axis.
#
# A value is *bad* at a case if it is ill-defined there or past a limit: there the referee would raise IllDefined or
# LimitReached. The data at a bad case is arbitrary but harmless.
Array = kernel.Array
Number = int | Fraction


@dataclass(slots=True, eq=False)
class Scalars:
    """One number, truth value, player, outcome or position for each case. A position is its number in a `Pool`.

    `data`: dtype bool, int64, or object (integers of 2^62 or more, and fractions).
    `bad`: the cases at which the value is ill-defined or past a limit; None if there are none.
    `lo`, `hi`: bounds of the numbers in `data`; None if unknown.
    """

    data: Array
    bad: Array | None = None
    lo: int | None = None
    hi: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns of cases: 1 if the value does not depend on the row (or column)."""
        if self.bad is not None:
            return unite_shapes(self.data.shape, self.bad.shape)
        rows, cols = self.data.shape  # the common case, called very often
        return rows, cols

    def find_bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound of the numbers in `data`, which must have the dtype int64.

        They are `lo` and `hi` if known; otherwise the minimum and maximum, which are then stored.
        """
        if self.lo is None or self.hi is None:
            if self.data.size == 0:
                self.lo = self.hi = 0
            else:
                self.lo, self.hi = int(self.data.min()), int(self.data.max())
        return self.lo, self.hi


@dataclass(slots=True, eq=False)
class Ragged:
    """One list or set for each case.

    `shape`: the number of rows and of columns of cases: 1 if the lists do not depend on the row (or column).
    `lengths`: the lengths of all lists, row by row.
    `items`: the elements of all lists, one list after the other. A set contains each element once, ascending; positions
    are in the order of positions.
    `bad`: the cases at which the list is ill-defined or past a limit; None if there are none.
    """

    shape: tuple[int, int]
    lengths: Array
    items: Array
    bad: Array | None = None

    def __post_init__(self) -> None:
        if self.bad is not None and self.bad.shape != self.shape:
            shape = unite_shapes(self.bad.shape, self.shape)
            if shape != self.shape:  # `bad` depends on more axes than the lists: give every case its own list
                spread = self.spread(shape)
                self.shape, self.lengths, self.items = shape, spread.lengths, spread.items

    @property
    def starts(self) -> Array:
        """The index in `items` of the first element of each list."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def number_cells(self, shape: tuple[int, int]) -> Array:
        """Return, for each case of a grid with this shape, row by row, the index of its list in `lengths`."""
        return np.broadcast_to(np.arange(len(self.lengths)).reshape(self.shape), shape).ravel()

    def take_cells(self, index: Array, shape: tuple[int, int], bad: Array | None) -> Ragged:
        """Return a value that consists of the lists with the indices `index`, one for each case of a grid, row by row.

        `shape`: the shape of the grid. `bad`: the cases without a value.
        """
        lengths = self.lengths[index]
        return Ragged(shape, lengths, self.items[join_spans(self.starts[index], lengths)], bad)

    def spread(self, shape: tuple[int, int]) -> Ragged:
        """Return the same lists, with a separate copy for each case of a grid with this shape. `bad` is dropped."""
        return self.take_cells(self.number_cells(shape), shape, None)

    def to_lists(self) -> list[tuple[int, ...]]:
        """Return the lists as tuples of integers, row by row."""
        ends = np.cumsum(self.lengths).tolist()
        items = self.items.tolist()
        return [tuple(items[end - n : end]) for end, n in zip(ends, self.lengths.tolist(), strict=True)]


Value = Scalars | Ragged


def join_spans(starts: Array, lengths: Array) -> Array:
    """Return the numbers starts[i], ..., starts[i] + lengths[i] - 1, first for i = 0, then for i = 1, and so on.

    >>> join_spans(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    if len(lengths) == 1:
        return np.arange(int(starts[0]), int(starts[0]) + int(lengths[0]))
    total = int(lengths.sum())
    ends = np.cumsum(lengths)
    return np.asarray(np.arange(total) + np.repeat(starts - (ends - lengths), lengths))


def unite_shapes(*shapes: tuple[int, ...]) -> tuple[int, int]:
    """Return the number of rows and of columns of the grid to which arrays of these shapes broadcast."""
    rows, cols = np.broadcast_shapes(*shapes)
    return rows, cols


def merge_bad(*bads: Array | None) -> Array | None:
    """Return an array that marks the cases which at least one of the arrays marks; None if there are none."""
    found: Array | None = None
    for bad in bads:
        if bad is not None:
            found = bad if found is None else found | bad
    return found if found is not None and found.any() else None


def to_array(values: Sequence[object]) -> Array:
    """Return the values as an array: int64 if all are integers below 2^62 in absolute value, otherwise object.

    >>> to_array([1, 2]).dtype, to_array([1, 1 << 62]).dtype
    (dtype('int64'), dtype('O'))
    """
    if all(type(v) is int and -SAFE < v < SAFE for v in values):
        return np.array(values, dtype=np.int64)
    data = np.empty(len(values), dtype=object)
    data[:] = values
    return data


def shrink(data: Array) -> Array:
    """Return the array with the dtype int64 if all elements are integers below 2^62 in absolute value.

    Otherwise return it unchanged. An array whose dtype is not object is always returned unchanged.
    """
    if data.dtype != object:
        return data
    return to_array(data.ravel().tolist()).reshape(data.shape)


def make_constant(value: int) -> Scalars:
    """Return `value` as a value that is the same at every case."""
    if isinstance(value, bool):
        return Scalars(np.array([[value]]))
    data = to_array([value]).reshape(1, 1)
    return Scalars(data) if data.dtype == object else Scalars(data, None, value, value)


def make_nothing(kind: Type) -> Value:
    """Return some value of the type `kind`, for a frame without cases, or for cases at which the value is undefined."""
    if kind.is_collection:
        return Ragged((1, 1), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return Scalars(np.zeros((1, 1), dtype=bool if kind == BOOL else np.int64))


def add_bad(value: Value, bad: Array | None) -> Value:
    """Return `value`, but without a value at the cases that `bad` marks. `bad` may be None."""
    if bad is None:
        return value
    if isinstance(value, Scalars):
        return Scalars(value.data, merge_bad(value.bad, bad), value.lo, value.hi)
    return Ragged(value.shape, value.lengths, value.items, merge_bad(value.bad, bad))


# == segments =========================================================================================================
# Reductions of consecutive stretches of an array: `sum`, `max`, `mex`, ... over a comprehension.
def reduce_at(ufunc: np.ufunc, data: Array, lengths: Array, axis: int, empty: object) -> Array:
    """Return the sum (or maximum, ...) of each stretch of consecutive elements of `data` along `axis`.

    `ufunc`: the operation, such as np.add or np.maximum.
    `lengths`: the lengths of the stretches. They add up to the size of `data` along `axis`.
    `empty`: the result for an empty stretch.

    For example, with np.add and the lengths [2, 0, 1], the data [5, 6, 7] gives [11, `empty`, 7].
    """
    shape = list(data.shape)
    shape[axis] = len(lengths)
    out = np.full(shape, empty, dtype=data.dtype)
    full = lengths > 0
    if full.any():
        starts = (np.cumsum(lengths) - lengths)[full]
        reduced = ufunc.reduceat(data, starts, axis=axis)
        out[(slice(None),) * axis + (full,)] = reduced
    return out


def list_owners(lengths: Array) -> Array:
    """Return, for consecutive stretches of these lengths, the stretch of each item: [2, 0, 3] -> [0, 0, 2, 2, 2]."""
    if len(lengths) == 1:
        return np.zeros(int(lengths[0]), dtype=np.int64)
    return np.asarray(np.repeat(np.arange(len(lengths)), lengths))


def list_places(lengths: Array) -> Array:
    """Return, for stretches of these lengths, the index of each item in its stretch: [2, 0, 3] -> [0, 1, 0, 1, 2]."""
    return join_spans(np.zeros(len(lengths), dtype=np.int64), lengths)


def list_distinct(numbers: Array) -> Array:
    """Return the distinct numbers of an int64 array, ascending.

    numpy's `unique` uses hashes, which is much slower if most numbers differ.

    >>> list_distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ascending = np.sort(numbers, axis=None)
    return np.asarray(ascending[find_new(ascending)])


def number_distinct(numbers: Array) -> tuple[Array, Array, Array]:
    """Return three arrays for an int64 array of one dimension.

    1. The distinct numbers, ascending.
    2. For each distinct number, the first index at which it occurs.
    3. For each entry of the array, the index of its number in the first result.

    >>> [x.tolist() for x in number_distinct(np.array([3, 1, 3]))]
    [[1, 3], [1, 0], [1, 0, 1]]
    """
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    new = find_new(ascending)
    index = np.empty(len(numbers), dtype=np.int64)
    index[order] = np.cumsum(new) - 1
    return ascending[new], order[new], index


def find_new(*columns: Array) -> Array:
    """Return, for each index i, whether some array has different entries at i - 1 and i. At 0 the result is True."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.logical_or.reduce([x[1:] != x[:-1] for x in columns])
    return new


def deduplicate(value: Ragged, rank: Array | None) -> Ragged:
    """Return the lists of `value` as sets: each element once, ascending.

    `rank`: if given, the elements are indices of this array, and are sorted by its entries.
    """
    owner = list_owners(value.lengths)
    keys = value.items if rank is None else rank[value.items]
    if keys.dtype == object:
        pairs = list(zip(owner.tolist(), keys.tolist(), strict=True))
        order = np.array(sorted(range(len(keys)), key=pairs.__getitem__), dtype=np.int64)
    else:
        order = np.lexsort([keys, owner])
    owner, items = owner[order], value.items[order]
    first = find_new(owner, items)
    lengths = np.bincount(owner[first], minlength=len(value.lengths)).astype(np.int64)
    return Ragged(value.shape, lengths, items[first], value.bad)


def find_mex(value: Ragged) -> Array:
    """Return the mex of each list of `value`: the least natural number that is not in the list."""
    items = value.items
    if items.dtype == object:  # numbers as large as this are above any mex
        items = np.array([v if 0 <= v < (1 << 60) else -1 for v in items.tolist()], dtype=np.int64)
    sets = deduplicate(Ragged(value.shape, value.lengths, items), None)
    inside = sets.items >= 0
    owner = list_owners(sets.lengths)[inside]
    lengths = np.bincount(owner, minlength=len(sets.lengths)).astype(np.int64)
    # Ascending distinct natural numbers agree with 0, 1, 2, ... exactly below the mex.
    agree = sets.items[inside] == list_places(lengths)
    return np.bincount(owner[agree], minlength=len(lengths)).astype(np.int64)


def group_places(columns: list[Array]) -> tuple[Array, Array]:
    """Group the indices i, j, ... at which each array has equal entries.

    Return two arrays: one index from each group, and the group of each index.

    >>> group_places([np.array([5, 5, 7]), np.array([1, 0, 1])])[1].tolist()
    [1, 0, 2]
    """
    code = np.zeros(len(columns[0]), dtype=np.int64)
    count = 1
    for column in columns:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if count * (high - low + 1) >= SAFE:  # the code would overflow: renumber what occurs first
            known, _, code = number_distinct(code)
            count = len(known)
            values, _, column = number_distinct(column)
            low, high = 0, len(values) - 1
        code, count = code * (high - low + 1) + (column - low), count * (high - low + 1)
    if count <= 4 * len(code) + 1000:
        some = np.full(count, -1)
        some[code] = np.arange(len(code))
        there = some >= 0
        return some[there], (np.cumsum(there) - 1)[code]
    _, first, group = number_distinct(code)
    return first, group


def compare(a: Ragged, b: Ragged, shape: tuple[int, int]) -> Array:
    """Return, for each case of a grid with this shape, whether the lists of `a` and `b` are equal."""
    grids = [v.number_cells(shape) for v in (a, b)]
    la, lb = a.lengths[grids[0]], b.lengths[grids[1]]
    same = np.asarray(la == lb)
    cells = np.flatnonzero(same)
    lengths = la[cells]
    left = a.items[join_spans(a.starts[grids[0][cells]], lengths)]
    right = b.items[join_spans(b.starts[grids[1][cells]], lengths)]
    wrong = list_owners(lengths)[np.asarray(left != right, dtype=bool)]
    same[cells[wrong]] = False
    return same.reshape(shape)


# == frame ============================================================================================================
# Frames: the grids of cases at which expressions are evaluated, with the values of variables.
#
# For a clause `for x in source`, the rows or columns of a frame are repeated, once for each element. The values of the
# other variables are repeated when they are looked up, and only along the axes on which they depend.
class Frame:
    """A grid of `rows` x `cols` cases, with the values of variables at these cases.

    `names`: the values of variables that are already known. If a frame was made from another frame by `spread`,
    `flatten` or `narrow`, the values of the other variables are derived from that frame when they are needed.
    """

    def __init__(self, rows: int, cols: int, names: dict[str, Value] | None = None) -> None:
        self.rows, self.cols = rows, cols
        self.names: dict[str, Value] = dict(names or {})
        self.parent: Frame | None = None
        self.axis: int | None = None  # the axis of the parent that `index` selects from; None: the parent is flattened
        self.index: Array | slice | None = None
        self.applied: dict[tuple[int, ...], Value] = {}  # evaluated calls of definitions
        self.found: dict[Hashable, Value] = {}  # the values of terms that occur several times
        self.keep: list[object] = []  # keep values alive whose ids are keys of `applied`

    @property
    def cells(self) -> int:
        """The number of cases."""
        return self.rows * self.cols

    def lookup(self, name: str) -> Value:
        """Return the value of a variable at the cases of this frame. Raise KeyError if it has none."""
        if name not in self.names:
            if self.parent is None:
                raise KeyError(name)
            value = self.parent.lookup(name)
            if self.axis is not None and self.index is not None:
                value = take_along(value, self.axis, self.index)
            elif self.axis is None:
                value = flatten_value(value, self.parent.rows, self.parent.cols)
            self.names[name] = value
        return self.names[name]

    def spread(self, axis: int, index: Array) -> Frame:
        """Return a frame that consists of some rows (axis 0) or columns (axis 1) of this frame.

        `index`: their numbers. A row or column may occur several times.
        """
        rows, cols = (len(index), self.cols) if axis == 0 else (self.rows, len(index))
        return self._make_child(rows, cols, axis, index)

    def cut(self, axis: int, start: int, stop: int) -> Frame:
        """Return the rows (axis 0) or columns (axis 1) with the numbers `start`, ..., `stop` - 1 as a frame."""
        rows, cols = (stop - start, self.cols) if axis == 0 else (self.rows, stop - start)
        return self._make_child(rows, cols, axis, slice(start, stop))

    def flatten(self) -> Frame:
        """Return a frame with the same cases in a single row: the cases of row 0, then of row 1, and so on."""
        if self.rows == 1:
            return self
        return self._make_child(1, self.rows * self.cols, None, None)

    def narrow(self, rows: bool, cols: bool) -> Frame:
        """Return a frame with a single row unless `rows` is true, and a single column unless `cols` is true.

        Use it for terms whose value does not depend on the row, or on the column.
        """
        return self._make_child(self.rows if rows else 1, self.cols if cols else 1, 0, None)

    def halve(self) -> tuple[int, list[Frame]]:
        """Cut the frame into two halves. Return the axis (0 if rows were cut, 1 if columns were cut) and the halves.

        The frame must have at least two cases.
        """
        axis = 0 if self.rows >= self.cols else 1
        size = self.rows if axis == 0 else self.cols
        return axis, [self.cut(axis, 0, size // 2), self.cut(axis, size // 2, size)]

    def look_at(self, look: Callable[[Frame], None]) -> None:
        """Call `look` on this frame. If it raises TooWide, call it on smaller and smaller parts of the frame.

        Raise TooWide if `look` raises it for a single case.
        """
        if not self.cells:
            return
        try:
            look(self)
        except TooWide:
            if self.cells == 1:
                raise
            for part in self.halve()[1]:
                part.look_at(look)

    def _make_child(self, rows: int, cols: int, axis: int | None, index: Array | slice | None) -> Frame:
        frame = Frame(rows, cols)
        frame.parent, frame.axis, frame.index = self, axis, index
        return frame


def take_axis(array: Array | None, axis: int, index: Array | slice) -> Array | None:
    """Return the rows (axis 0) or columns (axis 1) of an array with the numbers in `index`.

    If there is only one row (or column), it stands for all, and the array is returned unchanged.
    """
    if array is None or array.shape[axis] == 1:
        return array
    if isinstance(index, slice):
        return array[index] if axis == 0 else array[:, index]
    return array.take(index, axis=axis)


def take_along(value: Value, axis: int, index: Array | slice) -> Value:
    """Return the part of a value that belongs to the rows (axis 0) or columns (axis 1) with the numbers in `index`."""
    if value.shape[axis] == 1:
        return value  # the same object: caches use the identity of operands
    if isinstance(value, Scalars):
        data = take_axis(value.data, axis, index)
        assert data is not None
        return Scalars(data, take_axis(value.bad, axis, index), value.lo, value.hi)
    r, c = value.shape
    bad = take_axis(value.bad, axis, index)
    grid = take_axis(np.arange(r * c).reshape(r, c), axis, index)
    assert grid is not None
    return value.take_cells(grid.ravel(), (grid.shape[0], grid.shape[1]), bad)


def flatten_array(array: Array | None, rows: int, cols: int) -> Array | None:
    """Return an array for a grid of rows x cols cases as an array for the same cases in one row.

    An array of shape (1, 1), whose element is valid for all cases, is returned unchanged.
    """
    if array is None or array.shape == (1, 1):
        return array
    return np.broadcast_to(array, (rows, cols)).reshape(1, rows * cols)


def flatten_value(value: Value, rows: int, cols: int) -> Value:
    """Return a value for a grid of rows x cols cases as a value for the same cases in one row, row by row."""
    if isinstance(value, Scalars):
        data = flatten_array(value.data, rows, cols)
        assert data is not None
        return Scalars(data, flatten_array(value.bad, rows, cols), value.lo, value.hi)
    bad = flatten_array(value.bad, rows, cols)
    if value.shape == (1, 1):
        return Ragged((1, 1), value.lengths, value.items, bad)
    return value.take_cells(value.number_cells((rows, cols)), (1, rows * cols), bad)


def join_values(parts: list[Value], axis: int, frames: list[Frame]) -> Value:
    """Return the value of a term for a frame that was cut into several frames.

    `frames`: the frames into which it was cut. `parts`: the values of the term for them.
    `axis`: 0 if rows were cut, 1 if columns were cut.
    """
    shapes = [(f.rows, f.cols) for f in frames]
    bads = [None if p.bad is None else np.broadcast_to(p.bad, s) for p, s in zip(parts, shapes, strict=True)]
    bad: Array | None = None
    if any(b is not None for b in bads):
        bad = np.concatenate(
            [np.zeros(s, dtype=bool) if b is None else b for b, s in zip(bads, shapes, strict=True)], axis=axis
        )
    scalars = [p for p in parts if isinstance(p, Scalars)]
    if scalars:
        data = [np.broadcast_to(p.data, s) for p, s in zip(scalars, shapes, strict=True)]
        return Scalars(np.concatenate(data, axis=axis), bad)
    lists = [p.spread(s) for p, s in zip(parts, shapes, strict=True) if isinstance(p, Ragged)]
    sizes = np.cumsum([0, *(len(p.lengths) for p in lists[:-1])])
    grids = [np.arange(len(p.lengths)).reshape(s) + n for p, s, n in zip(lists, shapes, sizes, strict=True)]
    index = np.concatenate(grids, axis=axis)
    whole = Ragged(
        (1, len(index.ravel())), np.concatenate([p.lengths for p in lists]), np.concatenate([p.items for p in lists])
    )
    return whole.take_cells(index.ravel(), (index.shape[0], index.shape[1]), bad)
