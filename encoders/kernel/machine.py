"""The machine that runs kernel.wasm. This file contains the compiled C functions of this package.

wasmtime translates the file into machine code for this computer in a few milliseconds. An instance of the machine code
has its own memory and can access nothing else. The numpy arrays of this module are views of this memory.
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
STEPS = 4_000_000  # words of work between two checks of the clock: some milliseconds
MOST = 3_500_000_000  # bytes; a memory ends at 4 GiB


class StopCheck(Protocol):
    """An object that can stop a long computation, for instance because its time is used up."""

    def check(self) -> None:
        """Return if the work may go on; raise an exception to stop it. It is called every few milliseconds."""


class Machine:
    """One instance of the compiled C functions, with its own memory. The memory is freed together with the instance."""

    def __init__(self) -> None:
        """Start an instance. Raise TooLarge if 4 GiB of address space are not available, which its memory needs."""
        engine, module = load()
        self._store = wasmtime.Store(engine)
        try:
            self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        except wasmtime.WasmtimeError as error:
            raise TooLarge(f"the WebAssembly kernel cannot reserve its memory: {error}") from None
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._top = self._end = memory.data_len(self._store)
        self._base = self._find_base()
        self._spare: list[Array] = []
        self._keeper = (self._store, memory)

    def reserve(self, shape: tuple[int, ...], dtype: str = "<u8") -> Array:
        """Return a new array of zeros in the memory of the instance. Raise TooLarge if there is not enough memory."""
        for i, spare in enumerate(self._spare):
            if (spare.shape, spare.dtype) == (shape, np.dtype(dtype)):
                spare[...] = 0
                return self._spare.pop(i)
        kind = np.dtype(dtype)
        size = kind.itemsize * int(np.prod(shape, dtype=np.int64))
        start, self._top = self._top, self._top + -(-size // 64) * 64
        if self._top > MOST:
            raise TooLarge(f"the WebAssembly kernel would need {self._top >> 20} MiB of memory")
        if self._top > self._end:
            pages = -(-(self._top - self._end) // PAGE)
            try:
                self._memory.grow(self._store, pages)
            except wasmtime.WasmtimeError as error:
                raise TooLarge(
                    f"the WebAssembly kernel cannot reserve {self._top >> 20} MiB of memory: {error}"
                ) from None
            self._end += pages * PAGE
            if self._find_base() != self._base:
                raise RuntimeError("the kernel's memory has moved")
        # The memory never moves, so a view stays valid; each view keeps the memory alive.
        return np.asarray(_MemoryArray(self._keeper, self._base + start, shape, kind.str))

    def _find_base(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def take_back(self, array: Array) -> None:
        """Accept an array that the caller no longer uses. `reserve` may return it again."""
        self._spare.append(array)

    def place(self, array: Array, dtype: str = "<u8") -> int:
        """Copy an array into the memory of the instance, with numbers of the type `dtype`, and return its address.

        Raises TooLarge if a number does not fit into the type, or if there is not enough memory.
        """
        found = self.reserve(array.shape, dtype)
        found[...] = require_fit(array, dtype)
        return self.locate(found)

    def locate(self, view: Array) -> int:
        """Return the address of an array that `reserve` returned, or of a view of it, for functions of the kernel."""
        return int(view.__array_interface__["data"][0]) - self._base

    def run(self, name: str, arguments: tuple[int, ...], total: int, clock: StopCheck) -> None:
        """Call the function `name` of the kernel again and again, until it has finished all `total` rows.

        Each call works for some milliseconds and returns the number of rows that are finished. Its arguments are
        `arguments`, `total`, and the number of steps after which it returns. Exceptions of `clock.check()` are raised.
        """
        done = -1
        while done < total:
            clock.check()
            before, done = done, self.call(name, *arguments, total, STEPS)
            assert before < done <= total, "the kernel does not progress"

    def call(self, name: str, *arguments: int) -> int:
        """Call a function of the kernel once, and return its result."""
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return int(function(self._store, *arguments))


def require_fit(array: Array, dtype: str) -> Array:
    """Return the array if all its numbers fit into the integer type `dtype`; otherwise raise TooLarge.

    When numpy assigns numbers to a smaller type, it does not check this.
    """
    kind = np.iinfo(dtype)
    if array.size and not (kind.min <= array.min() and array.max() <= kind.max):
        raise TooLarge(f"the WebAssembly kernel would need a number of more than {kind.bits} bits")
    return array


class _MemoryArray:
    """An object that makes a part of a machine's memory available to numpy as an array, and keeps the memory alive."""

    def __init__(self, keeper: object, address: int, shape: tuple[int, ...], kind: str) -> None:
        self.keeper = keeper
        self.__array_interface__ = {"version": 3, "data": (address, False), "shape": shape, "typestr": kind}


@cache
def load() -> tuple[wasmtime.Engine, wasmtime.Module]:
    """Translate kernel.wasm into machine code, once for this process."""
    config = wasmtime.Config()
    config.memory_may_move = False
    engine = wasmtime.Engine(config)
    return engine, wasmtime.Module(engine, files(__package__).joinpath("kernel.wasm").read_bytes())
