"""Grundy values where any smaller heap may be left, or the same taken from two: a set of values for each line.

The options of a position are then all positions before it on some lines: those that differ in one heap, and those in
which two heaps differ by the same.  For each line the values met so far are one integer, bit v for value v; the value
of a position is the lowest bit that is in none of its lines.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from operator import or_

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.play.shifted.kinds import Kinds
from encoders.exhaustive.play.shifted.reach import Rest


def serves(kinds: Kinds) -> bool:
    """Whether `solve_values` is about these moves."""
    return (
        kinds.single.full
        and not kinds.products
        and len(kinds.ties) <= 1
        and all(tie.heaps == 2 and tie.is_full(kinds.size) for tie in kinds.ties)
    )


def solve_values(kinds: Kinds, size: int, rests: list[Rest], clock: Clock) -> Array:
    """Grundy values, (rests, size + 1); at a rest only the sizes from its largest heap on are filled in.

    `rests`: the ascending sizes of all heaps but a largest one, one heap at least, each after all that are smaller
    heap by heap.
    """
    out = np.zeros((len(rests), size + 1), dtype=np.int64)
    width, diagonals = size + 1, bool(kinds.ties)
    # Lines along which one heap differs, by all others but the largest of them, then by that one; diagonals by what
    # differs and the others alike, and a number made of the largest other and of the difference.
    lines: defaultdict[Rest, list[int]] = defaultdict(lambda: [0] * width)
    slanted: defaultdict[Rest, list[int]] = defaultdict(lambda: [0] * (width * width if len(rests[0]) > 1 else width))
    for number, rest in enumerate(rests):
        clock.check()
        low = rest[-1]
        met: list[tuple[list[int], slice]] = []
        for i in _list_distinct(rest):
            met.append((lines[rest[:i] + rest[i + 1 :]], slice(low, width)))
        if diagonals:
            for i in _list_distinct(rest):
                others = rest[:i] + rest[i + 1 :]
                start = (others[-1] * width if others else 0) + low - rest[i]
                met.append((slanted[others[:-1]], slice(start, start + width - low)))
            pairs = {(rest[i], rest[j]): (i, j) for i, j in combinations(range(len(rest)), 2)}
            for i, j in pairs.values():
                others = tuple(x for k, x in enumerate(rest) if k not in (i, j))
                start = low * width + rest[j] - rest[i]
                met.append((slanted[others], slice(start, None, width)))
        own = lines[rest[:-1]][low]
        seen = met[0][0][met[0][1]]
        for cells, part in met[1:]:
            seen = list(map(or_, seen, cells[part]))
        found: list[int] = []
        for word in seen:
            word |= own
            value = (word ^ (word + 1)).bit_length() - 1  # the lowest bit that is 0
            own |= 1 << value
            found.append(value)
        bits = [1 << value for value in found]
        for cells, part in met:
            cells[part] = map(or_, cells[part], bits)
        out[number, low:] = found
    return out


def _list_distinct(rest: Rest) -> list[int]:
    """The places of the first heap of each size."""
    return [i for i, x in enumerate(rest) if not i or rest[i - 1] != x]
