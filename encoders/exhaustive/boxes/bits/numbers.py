"""Numbers and truth values at every place of a grid of outer places by bits, kept as small as what they depend on.

Along the outer axis lie positions or rests, along the bits parameters or sizes of a heap.  Most values depend on one
of the axes alone: they are `Scalars` of the shape (outer, 1), (1, bits) or (1, 1).  One that depends on both is a
`BoxTable`: outer places at which the other operands agree share a row, so that it is computed once for all of them, by
the operations of the whole engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from claims.language.ground.errors import NimChecksError
from encoders.exhaustive.arrays.limits import SAFE, Deadline
from encoders.exhaustive.arrays.operations import calculate
from encoders.exhaustive.arrays.segments import number_distinct
from encoders.exhaustive.arrays.values import Array, Scalars

MAX_ENTRIES = 1 << 25  # of one table
QUICK = frozenset(
    "add sub mul floordiv mod nim bit_and bit_or bit popcount gcd valuation largest smallest neg abs "
    "eq ne lt le gt ge not top_bit isqrt pow".split()
)
SLOW_ENTRIES = 1 << 16  # values of an operation that numpy does not know, one by one


class NotApplicable(NimChecksError):
    """The bits do not serve this claim, or not in this scope; the message says why. The general search does."""


@dataclass(frozen=True, eq=False)
class BoxTable:
    """At outer place i and bit b the value `rows` (groups, bits or 1) has at [index[i], b]; `index`: (outer,)."""

    index: Array
    rows: Scalars


Number = Scalars | BoxTable


class BoxGrid:
    """The grid: its size, and the groups of outer places that agree in some numbers."""

    def __init__(self, outer: int, bits: int, clock: Deadline) -> None:
        self.outer, self.bits, self.clock = outer, bits, clock
        self._groups: dict[int, tuple[Scalars, BoxTable]] = {}
        self._pairs: dict[tuple[int, int], tuple[Array, Array, Array, Array, Array]] = {}

    def compute(self, op: str, *args: Number) -> Number:
        """An operation of the language on numbers and truth values. Raises NotApplicable where it would take long."""

        def work(values: list[Scalars]) -> Scalars:
            large = max(v.data.size for v in values) > SLOW_ENTRIES
            if large and (op not in QUICK or any(v.data.dtype == object for v in values)):
                raise NotApplicable(f"{op} of many numbers that are computed one by one")
            found = calculate(op, values)
            if found.data.size > SLOW_ENTRIES and found.data.dtype == object:
                raise NotApplicable(f"{op} gives many large numbers")
            return found

        return self.apply(work, args)

    def apply(self, work: Callable[[list[Scalars]], Scalars], args: tuple[Number, ...]) -> Number:
        """`work`, on arrays that broadcast, for the numbers.

        Raises NotApplicable for a table that is too large; OutOfTime.
        """
        self.clock.check()
        thin = [a for a in args if isinstance(a, Scalars)]
        outer = any(a.shape[0] > 1 for a in thin)
        if len(thin) == len(args) and not (outer and any(a.shape[1] > 1 for a in thin)):
            return work(thin)
        tables = [self._group(a) for a in args if isinstance(a, BoxTable) or a.shape[0] > 1]
        index, picks = tables[0].index, [np.arange(tables[0].rows.shape[0])]
        for table in tables[1:]:
            if table.index is index:
                picks.append(picks[0])
                continue
            index, left, right = self._cross(index, len(picks[0]), table)
            picks = [*(p[left] for p in picks), right]
        groups = len(picks[0])
        if groups * self.bits > MAX_ENTRIES:
            raise NotApplicable(f"a table of {groups} by {self.bits} numbers")
        rest, operands = iter(zip(tables, picks, strict=True)), []
        for a in args:
            if isinstance(a, BoxTable) or a.shape[0] > 1:
                table, pick = next(rest)
                operands.append(_take(table.rows, pick))
            else:
                operands.append(a)
        return BoxTable(index, work(operands))

    def _group(self, value: Number) -> BoxTable:
        """A number that depends on the outer place, as a table."""
        if isinstance(value, BoxTable):
            return value
        known = self._groups.get(id(value))
        if known is None:
            known = self._groups[id(value)] = value, self._list_groups(value)
        return known[1]

    def _list_groups(self, value: Scalars) -> BoxTable:
        column = np.broadcast_to(value.data[:, 0], (self.outer,))
        if value.data.dtype == bool or (value.data.dtype != object and value.bad is None):
            column = column.astype(np.int64)
            low, high = int(column.min()), int(column.max())
            if value.bad is None and high - low <= 4 * self.outer + 1024:
                rows = np.arange(low, high + 1)[:, None]
                return BoxTable(column - low, Scalars(rows.astype(bool) if value.data.dtype == bool else rows))
        if value.data.dtype == object:
            raise NotApplicable("large numbers beside others")
        bad = np.zeros(self.outer, dtype=bool) if value.bad is None else np.broadcast_to(value.bad[:, 0], (self.outer,))
        if max(map(abs, value.find_bounds())) >= SAFE:
            raise NotApplicable("large numbers beside others")
        _, first, index = number_distinct(2 * column.astype(np.int64) + bad)
        groups = Scalars(column[first][:, None].astype(value.data.dtype), bad[first][:, None] if bad.any() else None)
        return BoxTable(index.ravel(), groups)

    def _cross(self, index: Array, groups: int, table: BoxTable) -> tuple[Array, Array, Array]:
        """The groups of places that agree in two numbers: their index, and the group of each in either."""
        key = id(index), id(table.index)
        if key not in self._pairs:
            width = table.rows.shape[0]
            codes, _, both = number_distinct(index * width + table.index)
            self._pairs[key] = index, table.index, both.ravel(), codes // width, codes % width
        return self._pairs[key][2:]


def _take(rows: Scalars, pick: Array) -> Scalars:
    """Some rows of a table; one of a single row, which stands for all, stays."""
    data = rows.data if len(rows.data) == 1 else rows.data[pick]
    bad = rows.bad if rows.bad is None or len(rows.bad) == 1 else rows.bad[pick]
    return Scalars(data, bad)
