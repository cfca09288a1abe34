"""The kernel as a solver of tasks: lanes and lines, rows of bits in its memory."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.segments import list_places
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.bits.words import Box, count_words, pack
from encoders.exhaustive.boxes.solvers.kernel.machine import Machine
from encoders.exhaustive.boxes.solvers.task import BoxTask

# -- lanes ------------------------------------------------------------------------------------------------------------
# Lanes in the kernel: a row of bits for each position, a bit for each choice of the parameters.


MAX_HEAPS, MAX_WORDS = 16, 64  # as in kernel.c


class KernelLanes:
    """A task as lanes, of at most 64 * MAX_WORDS choices and MAX_HEAPS heaps, one at least."""

    def __init__(self, task: BoxTask, clock: Clock, machine: Machine) -> None:
        """Raises TooLarge."""
        self.task, self.clock, self.machine = task, clock, machine
        self._lost: list[Array] = []
        box, self.words = task.box, next(iter(task.legal.values())).shape[-1]
        assert 1 <= box.heaps <= MAX_HEAPS and self.words <= MAX_WORDS
        full = pack(np.ones(task.choices, dtype=bool))
        place = self.machine.place
        kinds = self._place_legal()
        self._fixed = [box.heaps, box.size, self.words, task.movers, int(task.stuck_wins), self.span]
        self._fixed += [place(box.binomial, "<u4"), *kinds, place(full)]

    @property
    def span(self) -> int:
        """Words of a row of sizes."""
        return self.task.box.size // 64 + 1

    def _reserve_marks(self) -> Array:
        return self.machine.reserve((self.task.rests.count, self.span))

    def _place_legal(self) -> list[int]:
        """Addresses of the tables by whether the heap is a largest and a smallest one: legal, some, able."""
        task, size = self.task, self.task.box.size
        empty = np.zeros((task.movers, size * (size + 1) // 2, self.words), dtype=np.uint64)
        known: dict[tuple[str, ...], tuple[int, int, int]] = {}
        found = []
        for extremes in ((), ("largest",), ("smallest",), ("largest", "smallest")):
            names = tuple(n for n in ("any", *extremes) if n in task.legal)
            if names not in known:
                table = empty.copy() if len(names) != 1 else task.legal[names[0]]
                for name in names if len(names) > 1 else ():
                    table |= task.legal[name]
                known[names] = self._place_table(table)
            found.append(known[names])
        return [address for column in zip(*found, strict=True) for address in column]

    def _place_table(self, table: Array) -> tuple[int, int, int]:
        size, movers = self.task.box.size, self.task.movers
        some = np.zeros((movers, size + 1, 64 * self.span), dtype=bool)
        h, y = np.tril_indices(size + 1, -1)
        some[:, h, y] = (table != 0).any(axis=-1)
        rows = np.packbits(some, axis=-1, bitorder="little").view("<u8")
        able = np.zeros((movers, size + 1, self.words), dtype=np.uint64)
        if size:
            starts = np.arange(1, size + 1) * np.arange(size) // 2
            able[:, 1:] = np.bitwise_or.reduceat(table, starts, axis=1)
        place = self.machine.place
        return place(table), place(rows), place(able)

    def _run(self, name: str, tables: list[Array], marks: list[Array], *more: int) -> None:
        locate = self.machine.locate
        both = [[locate(x) for x in (*found, found[0])][:2] for found in (tables, marks)]
        context = np.array([*self._fixed, *both[0], *both[1], *([0] * (MAX_HEAPS + 1))], dtype=np.int64)
        at = self.machine.place(context.astype(np.uint32), "<u4")
        self.machine.run(name, (at, *more), self.task.box.count, self.clock)

    def find_lost(self, mover: int) -> Array:
        """Where the mover loses."""
        if not self._lost:
            lost = [self.make_blank() for _ in range(self.task.movers)]
            self._run("solve_lanes", lost, [self._reserve_marks() for _ in lost])
            self._lost = lost
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """A table to be filled for `reach`."""
        return self.machine.reserve((self.task.box.count, self.words))

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is `wanted`."""
        out, marks = self.make_blank(), self._reserve_marks()
        self._run("reach_lanes", [wanted, out], [marks], min(mover, self.task.movers - 1))
        self.machine.take_back(wanted)
        self.machine.take_back(marks)
        return out


# -- lines ------------------------------------------------------------------------------------------------------------
# Lines in the kernel: a row of bits for each rest of all heaps but one, a bit for each size of that one.


SEEN = 4  # as in kernel.c: up to SEEN - 1 sizes that a heap may not become are told apart


class KernelLines:
    """A task of one choice as lines: at most MAX_HEAPS heaps, one at least, of less than 64 * MAX_WORDS."""

    def __init__(self, task: BoxTask, clock: Clock, machine: Machine) -> None:
        """Raises TooLarge."""
        self.task, self.clock, self.machine = task, clock, machine
        self._lost: list[Array] = []
        box, self.words = task.box, count_words(task.box.size + 1)
        assert 1 <= box.heaps <= MAX_HEAPS and self.words <= MAX_WORDS and task.choices == 1
        legal = task.unfold()
        place = self.machine.place
        kinds = [legal.get(choose) for choose in ("any", "largest", "smallest")]
        excepted, few = _list_exceptions(kinds[0], task.movers, box.size)
        self._fixed = [box.heaps - 1, box.size, self.words, task.movers, int(task.stuck_wins)]
        self._fixed += [place(task.rests.binomial, "<u4")]
        self._fixed += [0 if t is None else place(pack(t)) for t in kinds]
        self._fixed += [0 if t is None else place(pack(np.ascontiguousarray(t.swapaxes(1, 2)))) for t in kinds]
        self._fixed += [0 if t is None else place(pack(np.asarray(t.any(axis=2)))) for t in kinds]
        self._fixed += [place(excepted, "<i4"), *few, place(pack(np.ones(box.size + 1, dtype=bool)))]

    def _run(self, name: str, tables: list[Array], sets: int, *more: int) -> None:
        reserve, locate = self.machine.reserve, self.machine.locate
        count = Box(max(self.task.box.heaps - 2, 0), self.task.box.size).count
        marks = [reserve((count, self.words)) for _ in range(sets)]
        seen = [reserve((count, SEEN, self.words)) for _ in range(sets)]
        three = [[locate(x) for x in (*found, found[0])][:2] for found in (tables, marks, seen)]
        context = np.array([*self._fixed, *(x for two in three for x in two), *([0] * (MAX_HEAPS + 1))], dtype=np.int64)
        at = self.machine.place(context.astype(np.uint32), "<u4")
        self.machine.run(name, (at, *more), self.task.rests.count, self.clock)
        for array in (*marks, *seen):
            self.machine.take_back(array)

    def find_lost(self, mover: int) -> Array:
        """Where the mover loses."""
        if not self._lost:
            lost = [self.make_blank() for _ in range(self.task.movers)]
            self._run("solve_lines", lost, self.task.movers)
            self._lost = lost
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """A table to be filled for `reach`."""
        return self.machine.reserve((self.task.rests.count, self.words))

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is `wanted`."""
        out = self.make_blank()
        self._run("reach_lines", [wanted, out], 1, min(mover, self.task.movers - 1))
        self.machine.take_back(wanted)
        return out


def _list_exceptions(legal: Array | None, movers: int, size: int) -> tuple[Array, list[int]]:
    """By mover and heap how many smaller sizes it may not become, then these, or -1 for too many; where there are few.

    `legal`: (movers, h, y), None for no move.
    """
    found = np.full((movers, size + 1, SEEN), -1, dtype=np.int64)
    if legal is None:
        return found, [0, 0]
    illegal = ~legal & np.tri(size + 1, k=-1, dtype=bool)
    counts = np.count_nonzero(illegal, axis=2)
    small = counts < SEEN
    found[small, 0] = counts[small]
    mover, h, y = np.nonzero(illegal & small[:, :, None])
    found[mover, h, 1 + list_places(counts[small])] = y
    few = [int(all_small) for all_small in small.all(axis=1)]
    return found, [*few, *few][:2]


# -- solver -----------------------------------------------------------------------------------------------------------
# The kernel as a solver of tasks.


class Kernel:
    """One machine for some tasks."""

    def __init__(self) -> None:
        """Raises TooLarge where there is not enough address space."""
        self.machine = Machine()

    def lay_lanes(self, task: BoxTask, clock: Clock) -> KernelLanes:
        """A task as lanes."""
        return KernelLanes(task, clock, self.machine)

    def lay_lines(self, task: BoxTask, clock: Clock) -> KernelLines:
        """A task of one choice as lines."""
        return KernelLines(task, clock, self.machine)
