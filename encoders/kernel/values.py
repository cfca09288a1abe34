"""Grundy values computed by the kernel, which is written in C.

heaps.c computes values of single heaps. lines.c computes values of positions whose options are all earlier positions on
some lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from encoders.kernel import Array
from encoders.kernel import machine as kernel
from encoders.kernel.machine import Machine, StopCheck

# == heaps ============================================================================================================
# Grundy values of single heaps with heaps.c: solve them, or check a table.
ROOM = 2048  # initial room for values, above the number of the kernel's masks


@dataclass(frozen=True)
class HeapMoves:
    """The numbers that may be taken from a heap.

    `end`: `end[t]` is true if t may be taken to leave nothing.
    `one`: `one[t]` is true if t may be taken to leave one heap. Missing entries of `end` and `one` are false.
    `two`, `equal`: the numbers that may be taken to leave two different heaps, or two equal heaps.
    """

    end: Array
    one: Array
    two: Iterable[int] = ()
    equal: Iterable[int] = ()


@dataclass(frozen=True)
class Flaw:
    """The smallest heap with a wrong value in a table.

    `taken`: whether an option also has this value. Otherwise some smaller value is not the value of any option.
    """

    heap: int
    taken: bool


def solve_values(moves: HeapMoves, size: int, known: Array, clock: StopCheck, machine: Machine | None = None) -> Array:
    """Return the Grundy values of the heaps 0..size, as an array of size + 1 numbers.

    `known`: the values of the first heaps, at least of the heap 0. Raises TooLarge, and the errors of the clock; then
    no results are kept.
    """
    told = _Heaps(machine or Machine(), moves, size, len(known))
    told.values[: len(known)] = kernel.require_fit(known, "<u4")
    told.recount(len(known))
    while told.run("solve_heaps", clock) <= size:
        told.make_room()
    return np.array(told.values, dtype=np.int64)


def find_flaw(moves: HeapMoves, values: Array, clock: StopCheck, machine: Machine | None = None) -> Flaw | None:
    """Return the smallest heap whose value in a table (of the heaps 0, 1, ...) is wrong, or None.

    Raises the errors of `solve_values`.
    """
    if values[0]:
        return Flaw(0, taken=False)
    told = _Heaps(machine or Machine(), moves, len(values) - 1, 1, listed=True)
    told.values[:] = kernel.require_fit(values, "<u4")
    told.make_room()
    while not told.wrong and told.run("check_heaps", clock) < len(values):
        pass
    return Flaw(told.done, told.wrong == 1) if told.wrong else None


_WORDS = (  # of the struct in heaps.c, each 32 bits wide
    *("size", "ones", "twos", "equals", "one", "two", "same", "equal", "end", "except", "room", "values", "seen"),
    *("left_out", "count", "rare", "rares", "mask", "done", "wrong"),
)


class _Heaps:
    """The struct of heaps.c, and the arrays to which it points.

    `listed`: whether to list the numbers that may be taken even if the list of the other numbers is shorter.
    """

    def __init__(self, machine: Machine, moves: HeapMoves, size: int, done: int, listed: bool = False) -> None:
        self.machine, self.size = machine, size
        one, end = np.zeros(size + 1, dtype=bool), np.zeros(size + 1, dtype=bool)
        for out, given in ((one, moves.one), (end, moves.end)):
            out[: len(given)] = given[: size + 1]
        by_except = not listed and 2 * int(np.count_nonzero(one[1:])) > size
        takes = np.flatnonzero(~one[1:] if by_except else one[1:]) + 1  # only the shorter of the two lists
        two, equal = (sorted(x for x in found if x <= size) for found in (moves.two, moves.equal))
        same = [int(x in equal) for x in two]
        self.values, rare = machine.reserve((size + 1,), "<u4"), machine.reserve((size + 1,), "<u4")
        lists = {"one": takes, "two": np.array(two), "same": np.array(same), "equal": np.array(equal)}
        told = {name: machine.place(x, "<i4") for name, x in lists.items()}
        told |= {"size": size, "ones": len(takes), "twos": len(two), "equals": len(equal), "except": int(by_except)}
        told |= {"end": machine.place(end.astype(np.uint8), "|u1"), "done": done}
        told |= {"values": machine.locate(self.values), "rare": machine.locate(rare)}
        self.context = machine.reserve((len(_WORDS),), "<u4")
        self.context[:] = [told.get(name, 0) for name in _WORDS]
        self._count = self._reserve(ROOM)

    def _reserve(self, room: int) -> Array:
        """Reserve arrays indexed by value, for values below `room`."""
        count, seen, left_out = (self.machine.reserve((room,), "<u4") for _ in range(3))
        self._set_words(room=room, **{k: self.machine.locate(x) for k, x in {"count": count, "seen": seen}.items()})
        self._set_words(left_out=self.machine.locate(left_out))
        return count

    def _set_words(self, **words: int) -> None:
        for name, word in words.items():
            self.context[_WORDS.index(name)] = word

    def _get(self, name: str) -> int:
        return int(self.context[_WORDS.index(name)])

    @property
    def done(self) -> int:
        """The number of heaps that are solved, or correct."""
        return self._get("done")

    @property
    def wrong(self) -> int:
        """The kind of error of the heap `done`."""
        return self._get("wrong")

    def recount(self, known: int) -> None:
        """Count the values of the first heaps."""
        self.make_room()
        counts = np.bincount(self.values[1:known], minlength=1)
        self._count[: len(counts)] = counts

    def make_room(self) -> None:
        """Reserve enough room for the nim-sum of any two values and for the next value."""
        top, room = int(self.values.max()), self._get("room")
        needed = max(ROOM, 4 << max(top, 1).bit_length())
        if needed > room:
            before, self._count = self._count, self._reserve(needed)
            self._count[: len(before)] = before

    def run(self, name: str, clock: StopCheck) -> int:
        """Continue for some milliseconds; return the number of heaps that are done."""
        clock.check()
        at = self.machine.locate(self.context)
        return self.machine.call(name, at, self.size + 1, kernel.STEPS)


# == lines ============================================================================================================
# Grundy values with lines.c, of positions whose options are all earlier positions on some lines.
_AT_ONCE = 1 << 15  # positions whose lines are numbered at once


class LineNumbering(Protocol):
    """A numbering of lines, from 0 to count - 1. A line is a set of positions.

    The options of a position are the earlier positions on its lines. Each position is on `through` lines.
    """

    count: int
    through: int

    def number(self, rows: Array) -> Array:
        """Return the lines through each position, as an array (through, n).

        `rows`: the positions, an array (n, heaps). A line may occur twice for one position.
        """


def solve_lines(
    rows: Array, lines: LineNumbering, most: int, clock: StopCheck, machine: Machine | None = None
) -> Array:
    """Return the Grundy values (N,) of the positions `rows` (N, heaps).

    The options of a position are the earlier positions on its lines, and must come before it in `rows`.
    `most`: an upper bound of the values. Raises TooLarge, and the errors of the clock.
    """
    machine = machine or Machine()
    step, words = min(_AT_ONCE, max(len(rows), 1)), most // 64 + 1
    numbers, values = machine.reserve((lines.through, step), "<i4"), machine.reserve((step,), "<u4")
    room = (numbers, machine.reserve((lines.count, words)), machine.reserve((lines.count,), "<i4"), values)
    context = machine.reserve((8,), "<u4")
    context[:] = [step, lines.through, words, *map(machine.locate, room), 0]
    found = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        numbers[:, : len(part)] = lines.number(part)
        context[-1] = done = 0
        while done < len(part):
            clock.check()
            done = machine.call("solve_values_by_lines", machine.locate(context), len(part), kernel.STEPS)
        found[start : start + step] = values[: len(part)]
    return found
