"""Grundy values of heaps that a move may split in two, by the Sprague-Grundy theorem, in memory linear in the heap.

The values are cut in two: R, those of even parity under a mask, and C, the others.  R is a subgroup of index 2, so a
value in C is reached only by two heaps of which exactly one has its value in R.  In octal games such heaps are rare for
some mask (the sparse space of Berlekamp, Conway and Guy, Winning Ways, chapter 4), and the least value in C that is not
reached is soon found; which smaller values of R are reached is found by going through the splits, most of the time
through few of them.  All of it is exact for every mask: a bad one costs time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.engines.heaps.code import Code

FEW = 96  # heaps with values in R, and numbers that may be taken: as many are gone through one by one
_FIRST, _GROWTH = 64, 4  # splits that are looked at together at first, and by how much more each time
_EVERY = 64  # heaps between two looks at the clock


class SplitValues:
    """Grundy values of the heaps 0..len(values) - 1 under a code."""

    def __init__(self, code: Code, clock: Clock) -> None:
        self.code, self.clock, self._equal = code, clock, frozenset(code.equal)
        self.values: list[int] = [0]
        self._known = np.zeros(1024, dtype=np.int32)  # the values again
        self._rare: list[int] = []  # heaps of at least 1 whose value is in R; and the same as an array, with room
        self._rows = np.zeros(1024, dtype=np.int64)
        self._odd = np.zeros(0, dtype=bool)  # whether a value is in C, by value
        self._next = 1  # the heap at which the mask is chosen anew

    def extend(self, size: int, end: Array, one: Array) -> None:
        """Solve the heaps up to `size`. Raises OutOfTime; what was solved stays."""
        if len(self._known) <= size:
            more = size + 1 - len(self._known) // 2
            self._known = np.append(self._known, np.zeros(more, dtype=np.int32))
            self._rows = np.append(self._rows, np.zeros(more, dtype=np.int64))
        takes, excluded = (np.flatnonzero(x[1:]) + 1 for x in (one, ~one))
        few, listed, whole = len(takes) <= FEW, takes.tolist(), end.tolist()
        counts = np.zeros(0, dtype=np.int64) if few else np.bincount(self.values[1:], minlength=1024)
        for h in range(len(self.values), size + 1):
            if not h % _EVERY:
                self.clock.check()
            if h >= self._next:
                self._choose_mask()
                self._next = 2 * h
            if few and len(self._rare) <= FEW:
                value = self._find_by_few(
                    h, {self.values[h - m] for m in listed if m < h} | ({0} if whole[h] else set())
                )
            else:
                value = self._find_by_many(h, self._take(h, takes, excluded, counts, whole[h]))
            self._known[h] = value
            self.values.append(value)
            if not self._odd[value]:
                self._rows[len(self._rare)] = h
                self._rare.append(h)
            if not few:
                if value >= len(counts):
                    counts = np.append(counts, np.zeros(len(counts), dtype=np.int64))
                counts[value] += 1
            if value >= len(self._odd) // 4:
                self._choose_mask()

    def _choose_mask(self) -> None:
        """The mask under which fewest heaps have even parity, by the Walsh-Hadamard transform of the values' counts."""
        known = self._known[: len(self.values)]
        width = 1 << max(int(known.max()).bit_length(), 1)
        sums = np.bincount(known, minlength=width)
        step = 1
        while step < width:
            pairs = sums.reshape(-1, 2, step)
            sums = np.concatenate([pairs[:, :1] + pairs[:, 1:], pairs[:, :1] - pairs[:, 1:]], axis=1).ravel()
            step *= 2
        mask = max(int(sums.argmin()), 1)
        self._odd = np.array([(v & mask).bit_count() % 2 == 1 for v in range(8 * width)])
        rare = np.flatnonzero(~self._odd[known[1:]]) + 1
        self._rows[: len(rare)], self._rare = rare, rare.tolist()

    # -- few values in R, few numbers taken: sets ---------------------------------------------------------------------
    def _find_by_few(self, h: int, seen: set[int]) -> int:
        """The least value that is neither `seen`, by taking, nor reached by a split."""
        values, rare, odd = self.values, self._rare, self._odd
        for taken in self.code.two:
            rest = h - taken
            if rest >= 2:
                part = rare if rare and rare[-1] < rest else [r for r in rare if r < rest]
                if taken not in self._equal:
                    part = [r for r in part if 2 * r != rest]
                seen.update([values[r] ^ values[rest - r] for r in part])
        if self._halves(h):
            seen.add(0)
        open_, value = [], 0
        while value in seen or not odd[value]:
            if value not in seen:
                open_.append(value)
            value += 1
        for reached in self._list_reached(h) if open_ else ():
            found = set(reached.tolist())
            open_ = [v for v in open_ if v not in found]
            if not open_:
                break
        return open_[0] if open_ else value

    def _halves(self, h: int) -> bool:
        """Whether the heap may be cut into equal halves, which have the value 0."""
        return any(h - taken >= 2 and (h - taken) % 2 == 0 for taken in self.code.equal)

    def _list_reached(self, h: int) -> Iterator[Array]:
        """The values of all splits into different heaps, and of some into equal ones where these are allowed."""
        known, start, count, going = self._known, 1, _FIRST, True
        while going:
            going = False
            for taken in self.code.two:
                rest = h - taken
                last = min((rest if taken in self._equal else rest - 1) // 2, start + count - 1)
                if last >= start:
                    going = True
                    yield known[start : last + 1] ^ known[rest - last : rest - start + 1][::-1]
            start, count = start + count, count * _GROWTH

    # -- many: arrays by value ----------------------------------------------------------------------------------------
    def _take(self, h: int, takes: Array, excluded: Array, counts: Array, whole: bool) -> Array:
        """Which values are reached by taking; `counts`: how many heaps of at least 1 have each value."""
        seen = np.zeros(len(self._odd), dtype=bool)
        if len(counts) and len(excluded) < len(takes):  # all smaller heaps but these
            left = counts.copy()
            np.subtract.at(left, self._known[h - excluded[: int(np.searchsorted(excluded, h))]], 1)
            shared = min(len(left), len(seen))
            seen[:shared] = left[:shared] > 0
        else:
            seen[self._known[h - takes[: int(np.searchsorted(takes, h))]]] = True
        seen[0] |= whole
        return seen

    def _find_by_many(self, h: int, seen: Array) -> int:
        """The least value that is neither `seen`, by taking, nor reached by a split."""
        known, rare = self._known, self._rows[: len(self._rare)]
        for taken in self.code.two:
            rest = h - taken
            if rest >= 2:
                some = rare[: int(np.searchsorted(rare, rest))]
                if taken not in self._equal:
                    some = some[2 * some != rest]
                seen[known[some] ^ known[rest - some]] = True
        seen[0] |= self._halves(h)
        open_ = np.flatnonzero(~(seen | self._odd)[: int((seen | ~self._odd).argmin())])
        for reached in self._list_reached(h) if len(open_) else ():
            seen[reached] = True
            open_ = open_[~seen[open_]]
            if not len(open_):
                break
        return int(open_[0]) if len(open_) else int((seen | ~self._odd).argmin())
