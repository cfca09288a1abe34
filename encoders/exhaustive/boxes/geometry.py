"""Boxes of positions in an order in which options come first, and larger boxes go on where smaller ones end.

A position of a box is its heaps in ascending order, zeros for heaps that are not there, x[0] <= ... <= x[m - 1]; its
number is its rank in colexicographic order, the sum of C(x[i] + i, i + 1) over i.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from encoders.exhaustive.arrays.values import Array


@dataclass(frozen=True)
class Box:
    """At most `heaps` heaps of at most `size`."""

    heaps: int
    size: int

    @property
    def count(self) -> int:
        """The number of positions: those of a box of no heaps are one.

        >>> Box(3, 63).count, Box(0, 5).count
        (45760, 1)
        """
        return comb(self.heaps + self.size, self.heaps)

    @cached_property
    def binomial(self) -> Array:
        """C(x + i - 1, i) at [i, x], shape (heaps + 1, size + 2), uint32: what a heap x at place i - 1 adds to a rank.

        >>> Box(2, 2).binomial.tolist()
        [[1, 1, 1, 1], [0, 1, 2, 3], [0, 1, 3, 6]]
        """
        table = np.ones((self.heaps + 1, self.size + 2), dtype=np.uint32)
        for i in range(1, self.heaps + 1):
            table[i, 0] = 0
            table[i, 1:] = np.cumsum(table[i - 1, 1:] if i > 1 else np.ones(self.size + 1), dtype=np.uint32)
        return table

    @cached_property
    def columns(self) -> list[Array]:
        """The heaps at each place, smallest first: `heaps` arrays (count,) of int64 in the order of ranks.

        >>> [c.tolist() for c in Box(2, 2).columns]
        [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
        """
        found: list[Array] = []
        for i in range(1, self.heaps + 1):
            lengths = np.array([comb(x + i - 1, i - 1) for x in range(self.size + 1)], dtype=np.int64)
            last = np.repeat(np.arange(self.size + 1), lengths)
            place = np.arange(len(last)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            found = [*(c[place] for c in found), last]
        return found
