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


def ends(code: Code, weights: Array) -> bool:
    """Whether every move of a code makes heaps of at most len(weights) - 1 weigh less, as can be seen at once.

    False says no more than that it cannot be seen: then the moves are to be looked at one by one.
    """
    end, one = code.list_takes(len(weights) - 1)
    steps = np.diff(weights)[1:]  # from a heap to the next larger one
    if not (weights[end] > 0).all() or one[0] or (one.any() and not (steps > 0).all()):
        return False
    if not code.splits or not len(steps):
        return True
    least, first = min((*code.two, *code.equal)), int(weights[1])
    if (steps == steps[0]).all():  # weights a * h + b: two heaps weigh a * taken less, and b more
        return int(steps[0]) * least > first - int(steps[0])
    # Convex weights: two heaps weigh no more than one of both together, and less where growth is strict.
    growth = np.diff(steps, prepend=first)
    return bool((growth > 0).all() or ((growth >= 0).all() and (steps > 0).all() and least > 0))
