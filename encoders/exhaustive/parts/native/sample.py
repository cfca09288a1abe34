"""Cases that the referee evaluates again before an answer of machine code counts.

They are the first and the last case, those at both ends of each range, and some at random.  The seed is that of the
claim, so that every run takes the same ones.  Of a large scope nearly all of these are beyond the referee; so the cases
with the numbers 1, 2, 4, 8, ... are among them as well.
"""

from __future__ import annotations

import math
import random

import numpy as np

from encoders.exhaustive.arrays.values import Array

RANDOM = 64  # cases at random


class CaseSample:
    """Some rows of a log that is read part by part. `seed`: of the random ones; `width`: numbers in a row.

    The first number of a row is that of its position, which never decreases; the last one is the judgement.
    """

    def __init__(self, seed: str, width: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self._drawn: list[tuple[int, tuple[int, ...]]] = []
        self._next, self._weight = 0, 1.0
        self._ends: list[_Ends] = [_Ends() for _ in range(1, width - 1)]
        self._wanted: list[int] = []
        self._met: dict[int, tuple[int, ...]] = {}
        self._last: tuple[int, tuple[int, ...]] | None = None
        self._seen, self._power = 0, 1

    def want(self, positions: set[int]) -> None:
        """Take the first case of each of these positions, by their numbers; none of them was read before."""
        self._wanted += sorted(positions)

    def read(self, rows: Array) -> None:
        """Take some of the next rows (n, width)."""
        if not len(rows):
            return
        start, self._seen = self._seen, self._seen + len(rows)
        while self._next < self._seen:
            self._draw(self._next, tuple(rows[self._next - start].tolist()))
        while self._power < self._seen:
            self._met[self._power] = tuple(rows[self._power - start].tolist())
            self._power *= 2
        for column, ends in enumerate(self._ends, 1):
            ends.read(rows, column, start)
        positions = rows[:, 0]
        while self._wanted and self._wanted[0] <= positions[-1]:
            at = int(np.searchsorted(positions, self._wanted[0]))
            if positions[at] == self._wanted.pop(0):
                self._met[start + at] = tuple(rows[at].tolist())
        self._last = self._seen - 1, tuple(rows[-1].tolist())

    def list_rows(self) -> list[tuple[int, ...]]:
        """The rows that were taken, each once, in the order of cases."""
        found = dict(self._drawn) | self._met
        for ends in self._ends:
            found |= ends.rows
        if self._last is not None:
            found |= dict([self._last])
        return [found[at] for at in sorted(found)]

    def _draw(self, at: int, row: tuple[int, ...]) -> None:
        """Take a row at random into the reservoir, and find which one is next: Algorithm L (Li 1994).

        The first row of all is drawn among the first ones, and kept.
        """
        if len(self._drawn) <= RANDOM:
            self._drawn.append((at, row))
        else:
            self._drawn[self._random.randint(1, RANDOM)] = at, row
        if len(self._drawn) <= RANDOM:
            self._next = at + 1
            return
        self._weight *= min(math.exp(math.log(self._draw_fraction()) / RANDOM), 1 - 1e-9)
        skip = math.log(self._draw_fraction()) / math.log1p(-self._weight)
        self._next = at + 1 + int(min(skip, 1e15))

    def _draw_fraction(self) -> float:
        """A number between 0 and 1, neither of which it is."""
        return self._random.random() or 0.5


class _Ends:
    """The first and the last row at the least and at the greatest value of a column."""

    def __init__(self) -> None:
        self.least: int | None = None
        self.most: int | None = None
        self._low: list[tuple[int, tuple[int, ...]]] = []
        self._high: list[tuple[int, tuple[int, ...]]] = []

    @property
    def rows(self) -> dict[int, tuple[int, ...]]:
        return dict(self._low + self._high)

    def read(self, rows: Array, column: int, start: int) -> None:
        """Read the next rows, the first of which has the number `start`."""
        values = rows[:, column]
        low, high = int(values.min()), int(values.max())
        if self.least is None or low < self.least:
            self.least, self._low = low, []
        if self.most is None or high > self.most:
            self.most, self._high = high, []
        for end, kept in ((self.least, self._low), (self.most, self._high)):
            there = np.flatnonzero(values == end)
            if len(there):
                first, last = ((start + int(i), tuple(rows[i].tolist())) for i in (there[0], there[-1]))
                kept[:] = [kept[0] if kept else first, last]
