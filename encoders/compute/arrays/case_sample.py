"""The sample of the cases of a search that the referee evaluates before the result is used.

Machine code, and large tables of two heaps, require such a sample. It contains the first and the last case, the cases
at both ends of each range, and some random cases. The seed is the claim's digest, so that every run takes the same
cases. In a large scope, nearly all of these cases are too large for the referee. So the cases with the numbers 1, 2, 4,
8, ... are included as well.
"""

from __future__ import annotations

import math
import random

import numpy as np

from claims.language.files.claim import Judgement
from encoders.compute.arrays.values import Array

RANDOM = 64  # number of random cases
CODES = (Judgement.HYPOTHESES_FAIL, Judgement.HOLDS, Judgement.FAILS, Judgement.ILL_DEFINED)


class CaseSample:
    """A sample of the cases that a search has evaluated. The cases are read in blocks of rows.

    A row is a case: the number of its position, the values of the other variables, and the judgement as an index of
    CODES.

    `seed`: the seed for the choice of random rows.
    `width`: the number of elements of a row.
    """

    def __init__(self, seed: str, width: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self._drawn: list[tuple[int, tuple[int, ...]]] = []
        self._next, self._weight, self._seen = 0, 1.0, 0  # rows by the order of reading
        self._ends: list[_Ends] = [_Ends() for _ in range(1, width - 1)]
        self._wanted: list[int] = []
        self._met: dict[int, tuple[int, ...]] = {}
        self._last: tuple[int, tuple[int, ...]] | None = None

    def want(self, positions: set[int]) -> None:
        """Add the first case of each of these positions to the sample.

        `positions`: the numbers of the positions. None of their cases may have been read before. They must not decrease
        from row to row.
        """
        self._wanted += sorted(positions)

    def read(self, rows: Array, start: int | None = None) -> None:
        """Read consecutive rows, and add some of them to the sample.

        `start`: the number of the first of them; by default, they follow all rows that were read before.
        """
        if not len(rows):
            return
        start = self._seen if start is None else start
        end, self._seen = start + len(rows), self._seen + len(rows)
        while self._next < self._seen:
            at = self._next - self._seen + end
            self._draw(at, tuple(rows[at - start].tolist()))
        at = 1 << (max(start, 1) - 1).bit_length()  # the least power of two that is not smaller
        for at in [0, *(at << i for i in range(end.bit_length()))]:
            if start <= at < end:
                self._met[at] = tuple(rows[at - start].tolist())
        for column, ends in enumerate(self._ends, 1):
            ends.read(rows, column, start)
        positions = rows[:, 0]
        while self._wanted and self._wanted[0] <= positions[-1]:
            at = int(np.searchsorted(positions, self._wanted[0]))
            if positions[at] == self._wanted.pop(0):
                self._met[start + at] = tuple(rows[at].tolist())
        if self._last is None or self._last[0] < end:
            self._last = end - 1, tuple(rows[-1].tolist())

    def list_rows(self) -> list[tuple[int, ...]]:
        """Return the rows of the sample, each once, in the order of cases."""
        found = dict(self._drawn) | self._met
        for ends in self._ends:
            found |= ends.rows
        if self._last is not None:
            found |= dict([self._last])
        return [found[at] for at in sorted(found)]

    def _draw(self, at: int, row: tuple[int, ...]) -> None:
        """Add row number `at` to the random rows, and choose which row is added next by Algorithm L (Li 1994).

        The row may replace an earlier one, but never the row that was read first.
        """
        if len(self._drawn) <= RANDOM:
            self._drawn.append((at, row))
        else:
            self._drawn[self._random.randint(1, RANDOM)] = at, row
        if len(self._drawn) <= RANDOM:
            self._next += 1
            return
        self._weight *= min(math.exp(math.log(self._draw_fraction()) / RANDOM), 1 - 1e-9)
        skip = math.log(self._draw_fraction()) / math.log1p(-self._weight)
        self._next += 1 + int(min(skip, 1e15))

    def _draw_fraction(self) -> float:
        """Return a random number strictly between 0 and 1."""
        return self._random.random() or 0.5


class _Ends:
    """The first and the last row with the least value in a column, and with the greatest value."""

    def __init__(self) -> None:
        self.least: int | None = None
        self.most: int | None = None
        self._low: list[tuple[int, tuple[int, ...]]] = []
        self._high: list[tuple[int, tuple[int, ...]]] = []

    @property
    def rows(self) -> dict[int, tuple[int, ...]]:
        return dict(self._low + self._high)

    def read(self, rows: Array, column: int, start: int) -> None:
        """Read consecutive rows. `start`: the number of the first of them."""
        values = rows[:, column]
        low, high = int(values.min()), int(values.max())
        if self.least is None or low < self.least:
            self.least, self._low = low, []
        if self.most is None or high > self.most:
            self.most, self._high = high, []
        for end, kept in ((self.least, self._low), (self.most, self._high)):
            if end in (low, high):
                there = np.flatnonzero(values == end)
                first, last = ((start + int(i), tuple(rows[i].tolist())) for i in (there[0], there[-1]))
                kept[:] = min([first, *kept]), max([*kept, last])
