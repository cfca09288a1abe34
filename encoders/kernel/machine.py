"""The machine that runs kernel.wasm: memory that is given out piece by piece, and functions that are called until done.

wasmtime compiles the file for this machine in a few milliseconds.  What runs in it can reach nothing but the memory of
its instance; the arrays given out here are views of that memory.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.resources import files
from typing import Protocol

import numpy as np
import wasmtime

from encoders.kernel import Array
from encoders.refusals import TooLarge

PAGE = 65_536
STEPS = 4_000_000  # words of work between two looks at the clock: some milliseconds
MOST = 3_500_000_000  # bytes; a memory ends at 4 GiB


class StopCheck(Protocol):
    """Whoever stops the work, by an error of its own."""

    def check(self) -> None:
        """Called between two calls of the kernel."""


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
            raise TooLarge(f"{self._top >> 20} MiB of memory for the kernel")
        if self._top > self._end:
            pages, base = -(-(self._top - self._end) // PAGE), self._base
            try:
                self._memory.grow(self._store, pages)
            except wasmtime.WasmtimeError as error:
                raise TooLarge(f"{self._top >> 20} MiB of memory for the kernel: {error}") from None
            self._end += pages * PAGE
            if self._base != base:
                raise RuntimeError("the kernel's memory has moved")
        # As it never moves, a view stays what it is; each keeps the memory alive.
        return np.asarray(_MemoryArray(self._keeper, self._base + start, shape, kind.str))

    @property
    def _base(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def take_back(self, array: Array) -> None:
        """An array that was given out is not used any more."""
        self._spare.append(array)

    def place(self, array: Array, dtype: str = "<u8") -> int:
        """The address of a copy of an array. Raises TooLarge, also for a number that the type does not have."""
        found = self.reserve(array.shape, dtype)
        found[...] = require_fit(array, dtype)
        return self.locate(found)

    def locate(self, view: Array) -> int:
        """The address of an array that was given out."""
        return int(view.__array_interface__["data"][0]) - self._base

    def run(self, name: str, arguments: tuple[int, ...], total: int, clock: StopCheck) -> None:
        """Call a function (..., total, steps) until it says that all `total` rows are done. Raises OutOfTime."""
        done = -1
        while done < total:
            clock.check()
            before, done = done, self.call(name, *arguments, total, STEPS)
            assert before < done <= total, "the kernel stands still"

    def call(self, name: str, *arguments: int) -> int:
        """What a function returns."""
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return int(function(self._store, *arguments))


def require_fit(array: Array, dtype: str) -> Array:
    """The array, whose numbers an integer type has all: numpy would wrap the others. Raises TooLarge."""
    kind = np.iinfo(dtype)
    if array.size and not (kind.min <= array.min() and array.max() <= kind.max):
        raise TooLarge(f"a number of more than {kind.bits} bits for the kernel")
    return array


class _MemoryArray:
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
