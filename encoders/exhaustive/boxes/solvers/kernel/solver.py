"""The kernel as a solver of tasks: lanes and lines, rows of bits in its memory."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.resources import files

import numpy as np
import wasmtime

from encoders.exhaustive.arrays.limits import Clock, TooLarge, group_digits
from encoders.exhaustive.arrays.segments import list_places
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.bits.words import Box, count_words, pack
from encoders.exhaustive.boxes.solvers.task import BoxTask

# -- machine ----------------------------------------------------------------------------------------------------------
# The machine that runs kernel.wasm: memory that is given out piece by piece, and functions that are called until done.
#
# wasmtime compiles the file for this machine in a few milliseconds.  What runs in it can reach nothing but the memory
# of its instance; the arrays given out here are views of that memory.

PAGE = 65_536
STEPS = 4_000_000  # words of work between two looks at the clock: some milliseconds
MOST = 3_500_000_000  # bytes; a memory ends at 4 GiB


class Machine:
    """One instance with a memory of its own, which is given back with it."""

    def __init__(self) -> None:
        """Raises TooLarge where there is not enough address space, 4 GiB, for the memory of an instance."""
        engine, module = _load()
        self._store = wasmtime.Store(engine)
        try:
            self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        except wasmtime.WasmtimeError as error:
            raise TooLarge(f"the kernel's memory: {error}") from None
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._top = self._end = memory.data_len(self._store)
        self._spare: list[Array] = []
        self._keeper = (self._store, memory)

    def reserve(self, shape: tuple[int, ...], dtype: str = "<u8") -> Array:
        """Zeros of a shape. Raises TooLarge."""
        for i, spare in enumerate(self._spare):
            if (spare.shape, spare.dtype) == (shape, np.dtype(dtype)):
                spare[...] = 0
                return self._spare.pop(i)
        kind = np.dtype(dtype)
        size = kind.itemsize * int(np.prod(shape, dtype=np.int64))
        start, self._top = self._top, self._top + -(-size // 64) * 64
        if self._top > MOST:
            raise TooLarge(f"{group_digits(self._top >> 20)} MiB for the bits of a box")
        if self._top > self._end:
            pages, base = -(-(self._top - self._end) // PAGE), self._base
            try:
                self._memory.grow(self._store, pages)
            except wasmtime.WasmtimeError as error:
                raise TooLarge(f"{group_digits(self._top >> 20)} MiB for the bits of a box: {error}") from None
            self._end += pages * PAGE
            if self._base != base:
                raise RuntimeError("the kernel's memory has moved")
        # As it never moves, a view stays what it is; each keeps the memory alive.
        return np.asarray(_View(self._keeper, self._base + start, shape, kind.str))

    @property
    def _base(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def take_back(self, array: Array) -> None:
        """An array that was given out is not used any more."""
        self._spare.append(array)

    def place(self, array: Array, dtype: str = "<u8") -> int:
        """The address of a copy of an array."""
        found = self.reserve(array.shape, dtype)
        found[...] = array
        return self.locate(found)

    def locate(self, view: Array) -> int:
        """The address of an array that was given out."""
        return int(view.__array_interface__["data"][0]) - self._base

    def run(self, name: str, arguments: tuple[int, ...], total: int, clock: Clock) -> None:
        """Call a function (..., total, steps) until it says that all `total` rows are done. Raises OutOfTime."""
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        done = -1
        while done < total:
            clock.check()
            before, done = done, function(self._store, *arguments, total, STEPS)
            assert before < done <= total, "the kernel stands still"


class _View:
    """An array in a machine's memory, for numpy, which keeps this object and so the memory."""

    def __init__(self, keeper: object, address: int, shape: tuple[int, ...], kind: str) -> None:
        self.keeper = keeper
        self.__array_interface__ = {"version": 3, "data": (address, False), "shape": shape, "typestr": kind}


@cache
def _load() -> tuple[wasmtime.Engine, wasmtime.Module]:
    config = wasmtime.Config()
    config.memory_may_move = False
    engine = wasmtime.Engine(config)
    return engine, wasmtime.Module(engine, files(__package__).joinpath("kernel.wasm").read_bytes())


# -- solver -----------------------------------------------------------------------------------------------------------
MAX_HEAPS, MAX_WORDS, SEEN = 16, 64, 4  # as in kernel.c; up to SEEN - 1 sizes that a heap may not become are told apart


class KernelRows:
    """A task in the memory of a machine, which several may share: `rows` rows of `words` words, as in `words`.

    `layout`: of the kernel's functions; `scratch`: the shapes of what each of their tables needs beside it.  What the
    kernel is told stands in `fixed`.  Every method may raise OutOfTime and TooLarge.
    """

    layout: str
    rows: int
    words: int
    scratch: list[tuple[int, ...]]
    fixed: list[int]

    def __init__(self, task: BoxTask, clock: Clock, machine: Machine) -> None:
        self.task, self.clock, self.machine = task, clock, machine
        self._lost: list[Array] = []
        assert 1 <= task.box.heaps <= MAX_HEAPS

    def find_lost(self, mover: int) -> Array:
        """Where the mover, to move, loses; (rows, words). It is solved when this is asked first."""
        if not self._lost:
            lost = [self.make_blank() for _ in range(self.task.movers)]
            self._run("solve", lost, self.task.movers)
            self._lost = lost
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """Zeros (rows, words), to be filled for `reach`."""
        return self.machine.reserve((self.rows, self.words))

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is wanted; (rows, words). `wanted`: a blank, filled; it is used up."""
        out = self.make_blank()
        self._run("reach", [wanted, out], 1, min(mover, self.task.movers - 1))
        self.machine.take_back(wanted)
        return out

    def _run(self, name: str, tables: list[Array], sets: int, *more: int) -> None:
        scratch = [[self.machine.reserve(shape) for _ in range(sets)] for shape in self.scratch]
        pairs = [[self.machine.locate(x) for x in (*found, found[0])][:2] for found in (tables, *scratch)]
        context = [*self.fixed, *(x for pair in pairs for x in pair), *([0] * (MAX_HEAPS + 1))]
        at = self.machine.place(np.array(context, dtype=np.int64).astype(np.uint32), "<u4")
        self.machine.run(f"{name}_{self.layout}", (at, *more), self.rows, self.clock)
        for array in (x for found in scratch for x in found):
            self.machine.take_back(array)


class KernelLanes(KernelRows):
    """A row of bits for each position, bit q for choice q < 64 * MAX_WORDS of the parameters."""

    layout = "lanes"

    def __init__(self, task: BoxTask, clock: Clock, machine: Machine) -> None:
        """Raises TooLarge."""
        super().__init__(task, clock, machine)
        box, self.words = task.box, next(iter(task.legal.values())).shape[-1]
        assert self.words <= MAX_WORDS
        self.rows, self.scratch = box.count, [(task.rests.count, self.span)]
        kinds, full = self._place_legal(), pack(np.ones(task.choices, dtype=bool))
        self.fixed = [box.heaps, box.size, self.words, task.movers, int(task.stuck_wins), self.span]
        self.fixed += [machine.place(box.binomial, "<u4"), *kinds, machine.place(full)]

    @property
    def span(self) -> int:
        """Words of a row of sizes."""
        return self.task.box.size // 64 + 1

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


class KernelLines(KernelRows):
    """Of one choice, a row of bits for each rest of all heaps but one, bit c for a heap of c < 64 * MAX_WORDS."""

    layout = "lines"

    def __init__(self, task: BoxTask, clock: Clock, machine: Machine) -> None:
        """Raises TooLarge."""
        super().__init__(task, clock, machine)
        box, self.words = task.box, count_words(task.box.size + 1)
        assert self.words <= MAX_WORDS and task.choices == 1
        count = Box(max(box.heaps - 2, 0), box.size).count
        self.rows, self.scratch = task.rests.count, [(count, self.words), (count, SEEN, self.words)]
        legal, place = task.unfold(), machine.place
        kinds = [legal.get(choose) for choose in ("any", "largest", "smallest")]
        excepted, few = _list_exceptions(kinds[0], task.movers, box.size)
        self.fixed = [box.heaps - 1, box.size, self.words, task.movers, int(task.stuck_wins)]
        self.fixed += [place(task.rests.binomial, "<u4")]
        self.fixed += [0 if t is None else place(pack(t)) for t in kinds]
        self.fixed += [0 if t is None else place(pack(np.ascontiguousarray(t.swapaxes(1, 2)))) for t in kinds]
        self.fixed += [0 if t is None else place(pack(np.asarray(t.any(axis=2)))) for t in kinds]
        self.fixed += [place(excepted, "<i4"), *few, place(pack(np.ones(box.size + 1, dtype=bool)))]


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
