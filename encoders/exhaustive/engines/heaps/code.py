"""The code of a game of taking and breaking: what may be taken of a heap, and into what the rest may fall.

Guy and Smith (1956); here any number of objects may be taken, and the two halves are told apart where they are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from encoders.exhaustive.arrays.values import Array


@dataclass(frozen=True)
class MoveKind:
    """One kind of move: what of t may be taken so that nothing, one heap or two heaps are left.

    `end` and `one`: for t below their length; `tail`: both for every larger t.  `two`, `equal`: the t with which two
    heaps may be left, different or equal ones.  `sieve`: of these t, which are allowed; None for all.
    """

    end: Array
    one: Array
    tail: tuple[bool, bool]
    two: frozenset[int]
    equal: frozenset[int]
    sieve: Callable[[Array], Array] | None


@dataclass(frozen=True)
class Code:
    """All moves of one mover on one heap. `two`, `equal`: ascending."""

    kinds: tuple[MoveKind, ...]
    two: tuple[int, ...]
    equal: tuple[int, ...]

    @property
    def splits(self) -> bool:
        """Whether a move may leave two heaps."""
        return bool(self.two or self.equal)

    def may_split(self, size: int) -> Array:
        """Which heaps of 0..size may become two."""
        heaps = np.arange(size + 1)
        found = np.asarray(heaps >= min(self.two, default=size) + 3)
        for taken in self.equal:
            found |= (heaps >= taken + 2) & ((heaps - taken) % 2 == 0)
        return found

    def list_takes(self, size: int) -> tuple[Array, Array]:
        """Which t in 0..size may be taken so that nothing, and so that one heap is left. Raises Unread."""
        end, one = np.zeros(size + 1, dtype=bool), np.zeros(size + 1, dtype=bool)
        for kind in self.kinds:
            for out, part, tail in ((end, kind.end, kind.tail[0]), (one, kind.one, kind.tail[1])):
                mine = np.full(size + 1, tail)
                mine[: len(part)] = part[: size + 1]
                if kind.sieve is not None and mine.any():
                    at = np.flatnonzero(mine)
                    mine[at] = kind.sieve(at)
                out |= mine
        return end, one
