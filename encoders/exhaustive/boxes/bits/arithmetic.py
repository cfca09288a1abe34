"""Numbers put together heap by heap."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.values import Scalars, make_constant, merge_bad
from encoders.exhaustive.boxes.bits.formulas import BoxHeaps
from encoders.exhaustive.boxes.bits.numbers import BoxGrid, BoxTable, Number


class RowArithmetic:
    """On the numbers of one grid. Every method raises NotApplicable."""

    def __init__(self, grid: BoxGrid) -> None:
        self.grid = grid

    def select(self, test: Number, then: Number, other: Number) -> Number:
        """`then` where the test holds, else `other`; what is not taken may be ill-defined."""

        def work(v: list[Scalars]) -> Scalars:
            no = np.zeros((1, 1), dtype=bool)
            bad = np.where(v[0].data, *(no if x.bad is None else x.bad for x in v[1:]))
            return Scalars(np.where(v[0].data, v[1].data, v[2].data), merge_bad(v[0].bad, bad))

        return self.grid.apply(work, (test, then, other))

    def count_heaps(self, heaps: BoxHeaps) -> Number:
        """How many there are."""
        return self.add_up([self.is_there(h) for h in heaps.sizes])

    def add_heaps(self, heaps: BoxHeaps) -> Number:
        """How many objects there are."""
        return self.fold("add", list(heaps.sizes), make_constant(0))

    def is_there(self, heap: Number) -> Number:
        """Whether a heap is there."""
        return self.grid.compute("gt", heap, make_constant(0))

    def all_of(self, *tests: Number) -> Number:
        """Their conjunction, lazily from the left."""

        def work(v: list[Scalars]) -> Scalars:
            holds = v[0].data
            bad = v[0].bad
            for x in v[1:]:
                if x.bad is not None:
                    bad = merge_bad(bad, (holds if bad is None else holds & ~bad) & x.bad)
                holds = holds & x.data
            return Scalars(holds, bad)

        return tests[0] if len(tests) == 1 else self.grid.apply(work, tests)

    def add_up(self, tests: list[Number]) -> Number:
        """How many of the tests hold."""
        counted = [self.grid.apply(lambda v: Scalars(v[0].data.astype(np.int64), v[0].bad), (x,)) for x in tests]
        return self.fold("add", counted, make_constant(0))

    def fold(self, op: str, values: list[Number], start: Number) -> Number:
        """The thin ones first, so that tables come late."""
        found = start
        for value in sorted(values, key=_weigh):
            found = self.grid.compute(op, found, value)
        return found

    def find_extreme(self, op: str, items: list[tuple[Number, Number]]) -> Number:
        """The largest or least of the items that are there; of nothing it is ill-defined."""
        found, some = make_constant(0), make_constant(False)
        result: Number = found
        there: Number = some
        better = "largest" if op == "max" else "smallest"
        for active, value in sorted(items, key=lambda x: max(_weigh(x[0]), _weigh(x[1]))):
            met = self.select(there, self.grid.compute(better, result, value), value)
            result = self.select(active, met, result)
            there = self.grid.apply(lambda v: Scalars(v[0].data | v[1].data), (there, active))
        return self.grid.apply(
            lambda v: Scalars(v[0].data, merge_bad(v[0].bad, np.asarray(~v[1].data))), (result, there)
        )


def _weigh(value: Number) -> int:
    return 3 if isinstance(value, BoxTable) else 2 if value.shape[1] > 1 else 1 if value.shape[0] > 1 else 0
