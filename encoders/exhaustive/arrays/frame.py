"""Frames: the grids of cases that expressions are evaluated on, and the variables bound in them.

Binding a running variable makes a new frame whose rows or columns are spread out, one for each element; the values of
outer variables follow along when they are asked for, and only along the axes they depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from encoders.exhaustive.arrays.limits import TooWide
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, Value


class Frame:
    """`rows` x `cols` cases with the variables bound here; others are looked up in `parent`."""

    def __init__(self, rows: int, cols: int, names: dict[str, Value] | None = None) -> None:
        self.rows, self.cols = rows, cols
        self.names: dict[str, Value] = dict(names or {})
        self.parent: Frame | None = None
        self.axis: int | None = None  # the axis of the parent that `index` re-reads; None: the parent is flattened
        self.index: Array | None = None
        self.applied: dict[tuple[int, ...], Value] = {}  # calls of definitions already evaluated here
        self.found: dict[Hashable, Value] = {}  # the values of terms that stand at several places
        self.keep: list[object] = []  # keeps values alive whose ids are keys of `applied`

    @property
    def cells(self) -> int:
        """The number of cases."""
        return self.rows * self.cols

    def lookup(self, name: str) -> Value:
        """The value of a variable on this frame. Raises KeyError for one that is not bound."""
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
        """The frame whose rows (axis 0) or columns (axis 1) are those numbered `index` here."""
        rows, cols = (len(index), self.cols) if axis == 0 else (self.rows, len(index))
        return self._make_child(rows, cols, axis, index)

    def flatten(self) -> Frame:
        """The frame of the same cases as 1 row; this one if it has only one."""
        if self.rows == 1:
            return self
        return self._make_child(1, self.rows * self.cols, None, None)

    def narrow(self, rows: bool, cols: bool) -> Frame:
        """The frame of one row and / or one column, for values that do not depend on the other rows / columns."""
        return self._make_child(self.rows if rows else 1, self.cols if cols else 1, 0, None)

    def halve(self) -> tuple[int, list[Frame]]:
        """The frame, of two cases or more, cut in two along its longer axis: (that axis, both parts)."""
        axis = 0 if self.rows >= self.cols else 1
        size = self.rows if axis == 0 else self.cols
        return axis, [self.spread(axis, part) for part in np.split(np.arange(size), [size // 2])]

    def look_at(self, look: Callable[[Frame], None]) -> None:
        """Look at all cases, if any; in halves where that raises TooWide, which a single case lets through."""
        if not self.cells:
            return
        try:
            look(self)
        except TooWide:
            if self.cells == 1:
                raise
            for part in self.halve()[1]:
                part.look_at(look)

    def _make_child(self, rows: int, cols: int, axis: int | None, index: Array | None) -> Frame:
        frame = Frame(rows, cols)
        frame.parent, frame.axis, frame.index = self, axis, index
        return frame


def take_axis(array: Array | None, axis: int, index: Array) -> Array | None:
    """`array` at `index` of `axis`; an axis of size 1 stays."""
    if array is None or array.shape[axis] == 1:
        return array
    return array.take(index, axis=axis)


def take_along(value: Value, axis: int, index: Array) -> Value:
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
    return value.take_cells(grid.ravel(), (grid.shape[0], grid.shape[1]), bad)


def flatten_array(array: Array | None, rows: int, cols: int) -> Array | None:
    """(r, c) on a frame of rows x cols, as (1, rows * cols); a constant stays (1, 1)."""
    if array is None or array.shape == (1, 1):
        return array
    return np.broadcast_to(array, (rows, cols)).reshape(1, rows * cols)


def flatten_value(value: Value, rows: int, cols: int) -> Value:
    """The value on the frame of 1 x (rows * cols) cases, row after row."""
    if isinstance(value, Scalars):
        data = flatten_array(value.data, rows, cols)
        assert data is not None
        return Scalars(data, flatten_array(value.bad, rows, cols), value.lo, value.hi)
    bad = flatten_array(value.bad, rows, cols)
    if value.shape == (1, 1):
        return Ragged((1, 1), value.lengths, value.items, bad)
    return value.take_cells(value.number_cells((rows, cols)), (1, rows * cols), bad)


def join_values(parts: list[Value], axis: int, frames: list[Frame]) -> Value:
    """The values of frames that lie side by side along `axis`, as one value on the whole frame."""
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
