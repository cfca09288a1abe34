"""The order of cases, of which the smallest is reported: positions first, then the other variables, as declared.

Positions are compared by number of heaps, total, heaps; sets of integers as the binary numbers that they spell.
"""

from __future__ import annotations

import numpy as np

from claims.language.expressions.types import BOOL, POSITION
from claims.language.statement.domains import Variable
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.values import Array, Ragged, Value


class Order:
    """The order of the cases of a claim with these variables."""

    def __init__(self, variables: tuple[Variable, ...], pool: Pool) -> None:
        self.variables, self.pool = variables, pool
        self.by_weight = sorted(variables, key=lambda v: v.type != POSITION)

    def find_smallest(self, frame: Frame, mask: Array) -> Case | None:
        """The smallest case of a frame where `mask` holds, if any."""
        place = self.locate_smallest(frame, mask)
        return None if place is None else self.read_case(frame, *place)

    def locate_smallest(self, frame: Frame, mask: Array) -> tuple[int, int] | None:
        """The row and column of the smallest case of a frame where `mask` holds, if any."""
        mask = np.broadcast_to(mask, (frame.rows, frame.cols))
        rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        if not len(rows):
            return None
        mask = mask[np.ix_(rows, cols)] if mask.size > len(rows) * len(cols) else mask
        for v in self.by_weight:
            value = frame.lookup(v.name)
            axis = 0 if value.shape[0] > 1 else 1
            if value.shape[axis] > 1:
                # A variable runs along one axis: keep the rows or columns where it is least.
                at = rows if axis == 0 else cols
                keys = self._make_keys(v, value)[at]
                least = np.flatnonzero(keys == keys.min())
                rows, cols = (rows[least], cols) if axis == 0 else (rows, cols[least])
                mask = mask.take(least, axis=axis)
                there = np.flatnonzero(mask.any(axis=axis))
                rows, cols = (rows, cols[there]) if axis == 0 else (rows[there], cols)
                mask = mask.take(there, axis=1 - axis)
        return int(rows[0]), int(cols[0])

    def _make_keys(self, v: Variable, value: Value) -> Array:
        """Numbers that order the values of a variable as they are to be ordered."""
        if isinstance(value, Ragged):
            least = int(value.items.min(initial=0))
            codes = np.empty(len(value.lengths), dtype=object)
            codes[:] = [sum(1 << (x - least) for x in items) for items in value.to_lists()]
            return codes
        data = value.data.ravel()
        return self.pool.rank[data] if v.type == POSITION else data

    def make_key(self, case: Case) -> tuple[object, ...]:
        """What orders cases of different frames."""
        return tuple(_weigh(case[v.name], v) for v in self.by_weight)

    def read_case(self, frame: Frame, row: int, column: int) -> Case:
        """The values of all variables at one case, in the order declared."""
        return {v.name: self._read(v, frame.lookup(v.name), row, column) for v in self.variables}

    def _read(self, v: Variable, value: Value, row: int, column: int) -> CaseValue:
        r, c = value.shape
        if isinstance(value, Ragged):
            cell = (row if r > 1 else 0) * c + (column if c > 1 else 0)
            end = int(value.lengths[: cell + 1].sum())
            return tuple(value.items[end - int(value.lengths[cell]) : end].tolist())
        item = value.data[row if r > 1 else 0, column if c > 1 else 0]
        if v.type == POSITION:
            return self.pool.heaps(int(item))
        return bool(item) if v.type == BOOL else item.item() if isinstance(item, np.generic) else item


def _weigh(value: object, v: Variable) -> object:
    if v.type == POSITION and isinstance(value, tuple):
        return len(value), sum(value), value
    return tuple(sorted(value, reverse=True)) if isinstance(value, tuple) else value
