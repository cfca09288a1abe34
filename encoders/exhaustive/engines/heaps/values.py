"""Grundy values of heaps whose moves were read, by the Sprague-Grundy theorem where heaps split; memory is linear.

Small heaps are solved here, option by option; larger ones by the kernel, which takes a moment to load.
"""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.limits import Deadline, TooLarge
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.engines.heaps.code import Code
from encoders.kernel import KERNEL, is_loaded

SMALL, LOADED = 1_500, 100  # heaps up to which every option is looked at here; so many where the kernel is there
_EVERY = 64  # heaps between two looks at the clock


class CodeValues:
    """Grundy values of the heaps 0..len(values) - 1 under a code."""

    def __init__(self, code: Code, clock: Deadline) -> None:
        self.code, self.clock = code, clock
        self.values = np.zeros(1, dtype=np.int64)

    def extend(self, size: int, end: Array, one: Array) -> None:
        """Solve the heaps up to `size`. `end`, `one`: what may be taken. Raises OutOfTime; what was solved stays."""
        if len(self.values) > size:
            return
        if size > (LOADED if is_loaded() else SMALL) and self._solve_large(size, end, one):
            return
        known, start = np.zeros(size + 1, dtype=np.int64), len(self.values)
        known[:start] = self.values
        for h in range(start, size + 1):
            if not h % _EVERY:
                self.values = known[:h]
                self.clock.check()
            reached = set(known[h - 1 : 0 : -1][one[1:h]].tolist()) | ({0} if end[h] else set())
            for taken in self.code.two:  # from one object on each side, halves apart, once
                rest = h - taken
                half = (rest + 1) // 2
                if half > 1:
                    reached.update((known[1:half] ^ known[rest - 1 : rest - half : -1]).tolist())
            if any(taken <= h - 2 and (h - taken) % 2 == 0 for taken in self.code.equal):
                reached.add(0)
            value = 0
            while value in reached:
                value += 1
            known[h] = value
        self.values = known

    def _solve_large(self, size: int, end: Array, one: Array) -> bool:
        """By the kernel. Whether it can run here."""
        from encoders.kernel.heaps import HeapMoves, solve_values

        moves = HeapMoves(end, one, self.code.two, self.code.equal)
        try:
            self.values = solve_values(moves, size, self.values, self.clock)
        except TooLarge as reason:
            self.clock.fallbacks.add((KERNEL, str(reason)))
            return False
        return True
