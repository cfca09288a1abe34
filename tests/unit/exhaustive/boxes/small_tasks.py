"""Random tasks on small boxes, and their answers by recursion."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from plain_lanes import PlainLanes, list_heaps, list_positions

from encoders.compute.arrays.bit_lanes import KernelLanes, KernelLines, KernelRows
from encoders.compute.arrays.bit_rows import HeapBox, pack, unpack
from encoders.compute.arrays.bit_task import BoxTask
from encoders.compute.arrays.limits import Deadline
from encoders.kernel.machine import Machine

SIZES = (0, 20, 9, 6, 4)  # heap sizes, by the maximal number of heaps


class Random:
    """A random task. `legal`: by the way the heap is chosen, (movers, h (h - 1) / 2 + y, choices)."""

    def __init__(self, seed: int, choices: int, box: HeapBox | None = None, density: float | None = None) -> None:
        rng = np.random.default_rng(seed)
        heaps = int(rng.integers(1, 5))
        self.box = box or HeapBox(heaps, int(rng.integers(1, SIZES[heaps] + 1)))
        self.movers, self.stuck_wins = int(rng.integers(1, 3)), bool(rng.integers(2))
        self.choices = choices
        kinds = [k for k in ("any", "largest", "smallest") if rng.integers(2)] or ["any"]
        share = rng.choice([0.1, 0.5, 0.8, 0.95, 1.0]) if density is None else density
        shape = self.movers, self.box.size * (self.box.size + 1) // 2, choices
        self.legal = {k: rng.random(shape) < share for k in kinds}
        self.positions = list_positions(self.box)
        self.numbers = {s: i for i, s in enumerate(self.positions)}
        self.wanted = rng.random((len(self.positions), choices)) < rng.choice([0.05, 0.5, 1.0])

    def as_task(self, choice: int | None = None) -> BoxTask:
        """Return the task for all choices, or for one."""
        at = slice(None) if choice is None else slice(choice, choice + 1)
        legal = {k: pack(v[..., at].copy()) for k, v in self.legal.items()}
        return BoxTask(self.box, self.movers, self.stuck_wins, legal, self.choices if choice is None else 1)

    def options(self, s: tuple[int, ...], mover: int, choice: int) -> Iterator[tuple[int, ...]]:
        for choose, h, rest in list_heaps(s):
            if choose in self.legal:
                for y in range(h):
                    if self.legal[choose][mover, h * (h - 1) // 2 + y, choice]:
                        yield tuple(sorted((*rest, y)))

    def lost(self, mover: int) -> np.ndarray:
        """Return the positions at which the mover loses, (positions, choices), from the rules alone."""

        @cache
        def wins(s: tuple[int, ...], mover: int, choice: int) -> bool:
            options = list(self.options(s, mover, choice))
            if not options:
                return self.stuck_wins
            return any(not wins(t, self.movers - 1 - mover, choice) for t in options)

        return np.array([[not wins(s, mover, q) for q in range(self.choices)] for s in self.positions])

    def reached(self, mover: int) -> np.ndarray:
        """Return the positions at which the mover has a wanted option, (positions, choices)."""
        return np.array(
            [
                [any(self.wanted[self.numbers[t], q] for t in self.options(s, mover, q)) for q in range(self.choices)]
                for s in self.positions
            ]
        )

    def unfold(self, table: np.ndarray) -> np.ndarray:
        """Return a column over all positions as lines: (rests, sizes)."""
        size, rests = self.box.size + 1, HeapBox(self.box.heaps - 1, self.box.size)
        rest = np.array(list_positions(rests), dtype=np.int64).reshape(rests.count, 1, rests.heaps)
        shape = (rests.count, size, rests.heaps)
        last = np.tile(np.arange(size)[:, None], (rests.count, 1, 1))
        heaps = np.concatenate([np.broadcast_to(rest, shape), last], axis=2)
        ascending = np.sort(heaps, axis=2)
        ranks = sum(self.box.binomial[i + 1][ascending[..., i]].astype(np.int64) for i in range(self.box.heaps))
        return table[ranks]


def lanes(task: BoxTask, machine: Machine | None = None) -> KernelLanes:
    return KernelLanes(task, Deadline(None), machine or Machine())


def lines(task: BoxTask) -> KernelLines:
    return KernelLines(task, Deadline(None), Machine())


def found(solution: KernelRows | PlainLanes, mover: int, bits: int) -> np.ndarray:
    """Return the rows at which the mover loses, (rows, bits); all further bits must be 0."""
    rows = solution.find_lost(mover)
    table = unpack(rows, bits)
    assert (pack(table) == rows).all()
    return table


def reach(solution: KernelRows | PlainLanes, wanted: np.ndarray, mover: int) -> np.ndarray:
    blank = solution.make_blank()
    assert not blank.any()
    blank[...] = pack(wanted)
    return unpack(solution.reach(blank, mover), wanted.shape[1])
