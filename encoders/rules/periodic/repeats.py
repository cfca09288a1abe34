"""A search for preperiod, period and saltus in the computed values of the first heaps.

The search may be wrong; a separate obligation proves that the result is correct for all heaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np

from encoders.compute.arrays.beyond_scope import HeapsAlone
from encoders.compute.arrays.values import Array
from encoders.periods.tables import GRUNDY, PeriodicTable, TableTooLarge, UnverifiedTable, find_bound
from encoders.refusals import Unsupported


class StatedPeriod(Protocol):
    """The preperiod, period and saltus that a [proof] states. None means that the number must be found."""

    @property
    def preperiod(self) -> int | None: ...
    @property
    def period(self) -> int | None: ...
    @property
    def saltus(self) -> int | None: ...


def find_repeats(start: PeriodicTable, said: StatedPeriod, heaps: HeapsAlone, most: int) -> PeriodicTable:
    """Return `start` with a preperiod, a period, a saltus and values that agree with the computed values.

    `start`: a table without values, for the game and the question.
    `said`: the numbers that the result must have. Otherwise, the period is the least one that fits the values, and the
    preperiod is the least one for this period.
    `heaps`: the engine that computes values.
    `most`: the largest number of heaps that are computed. Raises Unsupported if no period is found with them.
    Raises NoSingleHeaps if the engine cannot compute the values.
    """
    if said.preperiod is not None and said.period is not None:
        size = said.preperiod + said.period
        return _take(start, said, heaps.solve(start.question, size), said.preperiod, said.period)
    size = 8 * start.last + 64
    while size <= most:
        values = heaps.solve(start.question, size)
        table = _guess(start, said, values)
        try:
            needed = size + 1 if table is None else find_bound(table)
        except (UnverifiedTable, TableTooLarge):
            table, needed = None, size + 1
        if table is not None and needed <= size and _agrees(table, values[:, :needed]):
            return table
        size = 2 * size if table is None or needed <= size else max(needed + table.period, size + 1)
    given = {"preperiod": said.preperiod, "period": said.period, "saltus": said.saltus}
    held = " and ".join(f"{name} {number}" for name, number in given.items() if number is not None)
    raise Unsupported(f"no period found in the values of the heaps up to {most}{held and f', with {held}'}")


def _agrees(table: PeriodicTable, values: Array) -> bool:
    """Whether a table agrees with computed values. Entry [mover, h] of `values` is the value of the heap h."""
    n0, p, s = table.preperiod, table.period, table.saltus
    first = np.array(table.rows)
    repeated = n0 + p >= values.shape[1] or bool((values[:, n0 + p :] == values[:, n0:-p] + s).all())
    return repeated and bool((first[:, : values.shape[1]] == values[:, : first.shape[1]]).all())


def _guess(start: PeriodicTable, said: StatedPeriod, values: Array) -> PeriodicTable | None:
    """Return `start` with the least period that `values` suggest, and with the values; None if more values are needed.

    `start`: a table without values.
    `said`: the preperiod, period and saltus that the [proof] states. Stated numbers are used instead of
    suggested ones.
    `values`: entry [mover, h] is the computed value of the heap h.
    """
    size = values.shape[1]
    grows = start.beyond and start.question == GRUNDY
    least = 0 if all(x.end == x.one for x in start.moves) and not any(x.splits for x in start.moves) else 1
    for period in _list_periods(np.diff(values) if grows else values) if said.period is None else (said.period,):
        if period >= size:
            return None
        grown = values[:, period:] - values[:, :-period]
        unlike = np.flatnonzero(np.any(grown != _saltus(values, period, grows), axis=0))
        before = int(unlike[-1]) + 1 if len(unlike) else 0
        if size - period - before >= max(2 * period, size // 3):
            preperiod = max(before, least) if said.preperiod is None else said.preperiod
            return None if preperiod + period > size else _take(start, said, values, preperiod, period)
    return None


def _list_periods(values: Array) -> Iterator[int]:
    """Yield the possible periods, in ascending order.

    A period p is possible if the last third of the heaps have the same values as the heaps that are p smaller, and
    if p is at most a third of the number of heaps.
    """
    size, records = values.shape[1], np.ascontiguousarray(values.T[::-1]).astype("<i4")
    width, data = records.shape[1] * 4, records.tobytes()
    last = data[: width * (size // 3)]
    at = data.find(last, 1)
    while 0 <= at < width * (size // 3):
        if at % width == 0:
            yield at // width
        at = data.find(last, at + 1)


def _saltus(values: Array, period: int, grows: bool) -> int:
    return max(int(values[0, -1] - values[0, -1 - period]), 0) if grows else 0


def _take(start: PeriodicTable, said: StatedPeriod, values: Array, preperiod: int, period: int) -> PeriodicTable:
    """Return `start` with this preperiod and period, with the values of the heaps below their sum, and with a saltus.

    The saltus is `said.saltus` or, if this is None, the last value minus the value one period before.
    """
    saltus = _saltus(values, period, start.beyond and start.question == GRUNDY) if said.saltus is None else said.saltus
    rows = tuple(tuple(row[: preperiod + period].tolist()) for row in values)
    return replace(start, preperiod=preperiod, period=period, saltus=saltus, rows=rows)
