"""K-L-Nim as a blog would solve it: a memoised recursion over the options of a position, in plain Python."""

from __future__ import annotations

import functools
import operator
import sys
from itertools import combinations_with_replacement

Heaps = tuple[int, ...]
HEAPS = 3


def positions(size: int) -> list[Heaps]:
    """Every multiset of three heaps of 0..size, each as an ascending tuple; a heap of 0 is one that is gone."""
    return list(combinations_with_replacement(range(size + 1), HEAPS))


def solve(k: int, l: int, size: int) -> tuple[int, int]:
    """How many of `positions(size)` the first player loses when he is to move, and how many the second."""
    wins = solver(k, l, size)
    box = positions(size)
    return sum(not wins(s, 0) for s in box), sum(not wins(s, 1) for s in box)


def solver(k: int, l: int, size: int) -> functools._lru_cache_wrapper[bool]:
    """wins(heaps, mover): does the player to move, 0 or 1, win? He may not take exactly k (0) or l (1)."""
    sys.setrecursionlimit(10_000 + 2 * HEAPS * size)
    forbidden = (k, l)

    @functools.cache
    def wins(heaps: Heaps, mover: int) -> bool:
        for i, h in enumerate(heaps):
            for m in range(1, h + 1):
                if m != forbidden[mover]:
                    option = tuple(sorted((*heaps[:i], h - m, *heaps[i + 1 :])))
                    if not wins(option, 1 - mover):
                        return True
        return False

    return wins


def check_theorem_14(pairs: list[tuple[int, int]], size: int) -> int:
    """Solve each pair and check Theorem 14 at every position of the box; the number of cases. Raises AssertionError."""
    cases = 0
    for k, l in pairs:
        wins = solver(k, l, size)
        for s in positions(size):
            claimed = functools.reduce(operator.xor, s) == 0 and all(h < k for h in s)
            assert claimed == (not wins(s, 1)), (k, l, s)
            cases += 1
    return cases
