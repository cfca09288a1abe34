"""Rows of bits as rows of 64-bit words, the first bit the lowest; rows have an even number of words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, reduce
from math import comb

import numpy as np

from encoders.exhaustive.arrays.values import Array

ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
FEW = 8  # words of a row up to which numpy is quicker column by column: eight times as quick at 4, the same at 16


def count_words(bits: int) -> int:
    """How many words a row of so many bits has.

    >>> count_words(1), count_words(128), count_words(129)
    (2, 2, 4)
    """
    return 2 * -(-bits // 128)


def pack(table: Array) -> Array:
    """Truth values (..., bits) as words (..., words), uint64; bits beyond the last are 0."""
    words = count_words(table.shape[-1])
    packed = np.packbits(table, axis=-1, bitorder="little")
    row = np.zeros((*packed.shape[:-1], 8 * words), dtype=np.uint8)
    row[..., : packed.shape[-1]] = packed
    return np.asarray(row.view("<u8").astype(np.uint64, copy=False))


def unpack(rows: Array, bits: int) -> Array:
    """The first `bits` bits of words (..., words) as truth values (..., bits)."""
    octets = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    return np.asarray(np.unpackbits(octets, axis=-1, count=bits, bitorder="little").astype(bool))


def count_ones(rows: Array) -> int:
    """The number of bits that are 1."""
    if hasattr(np, "bitwise_count"):
        return int(np.bitwise_count(rows).sum(dtype=np.int64))
    halves = np.ascontiguousarray(rows).view(np.uint16)
    return int(_ones_of_halves()[halves].sum(dtype=np.int64))


@cache
def _ones_of_halves() -> Array:
    octets = np.arange(1 << 16, dtype="<u2").view(np.uint8).reshape(-1, 2)
    return np.asarray(np.unpackbits(octets, axis=1).sum(axis=1, dtype=np.uint8))


def list_filled(rows: Array) -> Array:
    """The places of the rows of (n, words) that are not 0, ascending.

    >>> list_filled(np.array([[4, 1], [0, 0], [0, 1]], dtype=np.uint64)).tolist()
    [0, 2]
    """
    words = rows.shape[1]
    if words > FEW:
        return np.flatnonzero(rows.any(axis=1))
    return np.flatnonzero(reduce(np.bitwise_or, (rows[:, i] for i in range(words))))


def find_lowest(rows: Array) -> Array:
    """The place of the lowest bit that is 1 in each row of (n, words), none of which is 0; (n,).

    >>> find_lowest(np.array([[4, 1], [0, 1]], dtype=np.uint64)).tolist()
    [2, 64]
    """
    word = (rows != 0).argmax(axis=1)
    value = rows[np.arange(len(rows)), word]
    lowest = value & (~value + np.uint64(1))
    return np.asarray(64 * word + np.frexp(lowest.astype(np.float64))[1] - 1)  # powers of two are exact


# -- geometry ---------------------------------------------------------------------------------------------------------
# Boxes of positions in an order in which options come first, and larger boxes go on where smaller ones end.
#
# A position of a box is its heaps in ascending order, zeros for heaps that are not there, x[0] <= ... <= x[m - 1]; its
# number is its rank in colexicographic order, the sum of C(x[i] + i, i + 1) over i.


@dataclass(frozen=True)
class HeapBox:
    """At most `heaps` heaps of at most `size`."""

    heaps: int
    size: int

    @property
    def count(self) -> int:
        """The number of positions: those of a box of no heaps are one.

        >>> HeapBox(3, 63).count, HeapBox(0, 5).count
        (45760, 1)
        """
        return comb(self.heaps + self.size, self.heaps)

    @cached_property
    def binomial(self) -> Array:
        """C(x + i - 1, i) at [i, x], shape (heaps + 1, size + 2), uint32: what a heap x at place i - 1 adds to a rank.

        >>> HeapBox(2, 2).binomial.tolist()
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

        >>> [c.tolist() for c in HeapBox(2, 2).columns]
        [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
        """
        found: list[Array] = []
        for i in range(1, self.heaps + 1):
            lengths = np.array([comb(x + i - 1, i - 1) for x in range(self.size + 1)], dtype=np.int64)
            last = np.repeat(np.arange(self.size + 1), lengths)
            place = np.arange(len(last)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            found = [*(c[place] for c in found), last]
        return found
