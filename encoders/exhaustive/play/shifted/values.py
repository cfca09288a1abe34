"""Grundy values where any smaller heap may be left, or the same taken from two: a set of values for each line.

The options of a position are then all positions before it on some lines: those that differ in one heap, and those in
which two heaps differ by the same.  For each line the values not met so far are a row of bits, bit v for value v; the
value of a position is the lowest bit that is in all its lines.

Positions with the same number of objects are no options of each other, and no two of them are on one line: they are
solved together.  A position of n objects has a value of at most n, for its options have fewer: so many bits will do.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.positions import PositionSet, add_heaps
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.play.shifted.kinds import Kinds

_WORD = 64


def serves(kinds: Kinds) -> bool:
    """Whether `solve_values` is about these moves."""
    return (
        kinds.single.full
        and not kinds.products
        and len(kinds.ties) <= 1
        and all(tie.heaps == 2 and tie.is_full(kinds.size) for tie in kinds.ties)
    )


def solve_values(kinds: Kinds, positions: PositionSet, clock: Clock) -> Array:
    """Grundy values (N,) of `positions`, a box of two heaps or more of at most `kinds.size`."""
    total = add_heaps(positions.rows)
    order = np.argsort(total, kind="stable")
    lines = _list_lines(positions.rows[order], kinds)
    ends = np.cumsum(np.bincount(total)).tolist()
    words = len(ends) // _WORD + 1
    free = np.full((int(lines.max()) + 1, words), ~np.uint64(0))  # the values that are not met on each line
    flat = free.reshape(-1)
    found = np.zeros(len(order), dtype=np.int64)
    start = 0
    for objects, end in enumerate(ends):
        clock.check()
        part = lines[:, start:end]
        left = np.bitwise_and.reduce(free.take(part, axis=0), axis=0)
        found[start:end], word, bit = _find_lowest(left[:, : objects // _WORD + 1])
        flat[part * words + word] &= ~bit
        start = end
    out = np.empty_like(found)
    out[order] = found
    return out


def _list_lines(rows: Array, kinds: Kinds) -> Array:
    """The numbers of the lines that each position of (N, heaps) is on, (lines, N); one may be there twice."""
    heaps, width = rows.shape[1], kinds.size + 1
    straight = PositionSet.box(heaps - 1, kinds.size)  # by the other heaps
    lines = [straight.find(np.delete(rows, i, axis=1)) for i in range(heaps)]
    if kinds.ties:
        others = PositionSet.box(heaps - 2, kinds.size)  # and the difference of both
        for i, j in combinations(range(heaps), 2):
            number = others.find(np.delete(rows, (i, j), axis=1))
            lines.append(len(straight) + number * width + rows[:, j] - rows[:, i])
    return np.stack(lines)


def _find_lowest(words: Array) -> tuple[Array, Array, Array]:
    """Of each row of words (n, width), not all of them 0, the lowest bit: its number, its word, and it alone."""
    first = (words != 0).argmax(axis=1)
    word = words[np.arange(len(words)), first]
    bit = word & (~word + np.uint64(1))
    return _WORD * first + np.frexp(bit.astype(np.float64))[1] - 1, first, bit  # powers of two are exact
