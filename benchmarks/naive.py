"""K-L-Nim solved in the simplest way: a memoised recursion over the options of a position, in plain Python."""

from __future__ import annotations

import functools
import operator
import sys
from itertools import combinations_with_replacement

Heaps = tuple[int, ...]
HEAPS = 3


def positions(size: int) -> list[Heaps]:
    """Return every multiset of three heaps of 0..size as an ascending tuple; 0 stands for an absent heap."""
    return list(combinations_with_replacement(range(size + 1), HEAPS))


def solve(k: int, l: int, size: int) -> tuple[int, int]:
    """Return the number of `positions(size)` that each player loses when moving first."""
    wins = solver(k, l, size)
    box = positions(size)
    return sum(not wins(s, 0) for s in box), sum(not wins(s, 1) for s in box)


def solver(k: int, l: int, size: int) -> functools._lru_cache_wrapper[bool]:
    """Return wins(heaps, mover): whether the player to move, 0 or 1, wins.

    Player 0 may not take exactly k, player 1 not l.
    """
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
    """Check Theorem 14 at every position of the box for each pair; return the number of cases. Raise AssertionError."""
    cases = 0
    for k, l in pairs:
        wins = solver(k, l, size)
        for s in positions(size):
            claimed = functools.reduce(operator.xor, s) == 0 and all(h < k for h in s)
            assert claimed == (not wins(s, 1)), (k, l, s)
            cases += 1
    return cases
