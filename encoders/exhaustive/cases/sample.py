"""The cases of a success that the referee is asked to evaluate again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from claims.language.statement.judgement import Judgement
from encoders.answer import Case
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.cases.order import Order

SIZE = 24
Judged = tuple[Case, Judgement]  # a case and the judgement expected of the referee


class Sample:
    """Some cases from all over the scope, evenly spread, most of them with the hypotheses met."""

    def __init__(self, cases: Iterable[Judged] = ()) -> None:
        self._cases: list[Judged] = list(cases)

    @property
    def cases(self) -> tuple[Judged, ...]:
        """All that are kept, from which `take` picks."""
        return tuple(self._cases)

    def add_all(self, other: Sample) -> None:
        """Take over what another keeps."""
        for judged in other.cases:
            self.keep(judged)

    def add(self, order: Order, frame: Frame, mask: Array, judgement: Judgement) -> None:
        """Take a few of the cases where `mask` (rows, cols) holds."""
        rows = np.flatnonzero(mask.any(axis=1))
        for row in rows[_pick_evenly(len(rows), SIZE // 3)]:
            columns = np.flatnonzero(mask[row])
            for column in columns[_pick_evenly(len(columns), max(1, SIZE // 3 // len(rows)))]:
                self.keep((order.read_case(frame, int(row), int(column)), judgement))

    def keep(self, judged: Judged) -> None:
        """Take one case; of too many, some from all over are kept."""
        self._cases.append(judged)
        if len(self._cases) > 32 * SIZE:
            self._cases = list(self.take(8 * SIZE))

    def take(self, size: int = SIZE) -> tuple[Judged, ...]:
        """At most `size` of them, two thirds with the hypotheses met where there are such."""
        met = [x for x in self._cases if x[1] is not Judgement.HYPOTHESES_FAIL]
        rest = [x for x in self._cases if x[1] is Judgement.HYPOTHESES_FAIL]
        quota = size - min(len(rest), size // 3)
        first = [met[i] for i in _pick_evenly(len(met), quota)]
        return tuple(first + [rest[i] for i in _pick_evenly(len(rest), size - min(len(met), quota))])


def _pick_evenly(count: int, wanted: int) -> list[int]:
    """At most `wanted` of the numbers below `count`, evenly spread, both ends among them.

    >>> _pick_evenly(3, 8), _pick_evenly(9, 3), _pick_evenly(0, 2)
    ([0, 1, 2], [0, 4, 8], [])
    """
    if count <= wanted:
        return list(range(count))
    return sorted({int(x) for x in np.linspace(0, count - 1, wanted)})
