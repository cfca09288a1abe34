"""Frames: the grids of cases that expressions are evaluated on, and the variables bound in them.

Binding a running variable makes a new frame whose rows or columns are spread out, one for each element; the values of
outer variables follow along when they are asked for, and only along the axes they depend on.
"""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.values import Array, Ragged, Value, along, flattened


class Frame:
    """`rows` x `cols` cases with the variables bound here; others are looked up in `parent`."""

    def __init__(self, rows: int, cols: int, names: dict[str, Value] | None = None) -> None:
        self.rows, self.cols = rows, cols
        self.names: dict[str, Value] = dict(names or {})
        self.parent: Frame | None = None
        self.axis: int | None = None  # the axis of the parent that `index` re-reads; None: the parent is flattened
        self.index: Array | None = None
        self.applied: dict[tuple[int, ...], Value] = {}  # calls of definitions already evaluated here
        self.keep: list[object] = []  # keeps values alive whose ids are keys of `applied`

    def lookup(self, name: str) -> Value:
        """The value of a variable on this frame. Raises KeyError for one that is not bound."""
        if name not in self.names:
            if self.parent is None:
                raise KeyError(name)
            value = self.parent.lookup(name)
            if self.axis is not None and self.index is not None:
                value = along(value, self.axis, self.index)
            elif self.axis is None:
                value = flattened(value, self.parent.rows, self.parent.cols)
            self.names[name] = value
        return self.names[name]

    def spread(self, axis: int, index: Array) -> Frame:
        """The frame whose rows (axis 0) or columns (axis 1) are those numbered `index` here."""
        rows, cols = (len(index), self.cols) if axis == 0 else (self.rows, len(index))
        return self._child(rows, cols, axis, index)

    def flatten(self) -> Frame:
        """The frame of the same cases as 1 row; this one if it has only one."""
        if self.rows == 1:
            return self
        return self._child(1, self.rows * self.cols, None, None)

    def only(self, rows: bool, cols: bool) -> Frame:
        """The frame of one row and / or one column, for values that do not depend on the other rows / columns."""
        return self._child(self.rows if rows else 1, self.cols if cols else 1, 0, None)

    def _child(self, rows: int, cols: int, axis: int | None, index: Array | None) -> Frame:
        frame = Frame(rows, cols)
        frame.parent, frame.axis, frame.index = self, axis, index
        return frame


def spread_over(frame: Frame, source: Ragged, columns: bool) -> tuple[Frame, int, Array, Array]:
    """Spread `frame` so that each element of `source` gets its own row or column (always a column if `columns`).

    Returns the new frame, the axis that was spread, the number of elements of each old row or column, and the element
    (its number in source.items) of each new one.  A source that depends on both axes needs a flattened frame.
    """
    r, c = source.shape
    if r == 1 and c == 1:
        axis = 0 if frame.rows <= frame.cols and not columns else 1
    else:
        axis = 0 if c == 1 else 1
    size = frame.rows if axis == 0 else frame.cols
    if r == 1 and c == 1:
        length = int(source.lengths[0])
        lengths = np.full(size, length)
        items = np.tile(np.arange(length), size)
    else:
        lengths = source.lengths
        items = np.arange(len(source.items))
    return frame.spread(axis, np.repeat(np.arange(size), lengths)), axis, lengths, items
