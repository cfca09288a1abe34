"""Grundy values computed by the kernel, which is written in C.

heaps.c computes the values of single heaps. lines.c computes the values of positions whose options are the earlier
positions on some lines, as a queen's options are the squares before it on three lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from encoders.kernel import Array
from encoders.kernel import machine as kernel
from encoders.kernel.machine import Machine, StopCheck
from encoders.refusals import TooLarge

# == heaps ============================================================================================================
# Grundy values of single heaps with heaps.c: solve them, or check a table.
ROOM = 2048  # initial room for values, above the number of the kernel's masks


@dataclass(frozen=True)
class HeapMoves:
    """The rules of a game in which a move takes objects from one heap, and may split the rest into two heaps.

    `end[t]`: whether a player may take t objects if this leaves nothing.
    `one[t]`: whether a player may take t objects if this leaves one heap. Entries beyond the arrays count as false.
    `two`: the numbers that may be taken if the rest is split into two different heaps.
    `equal`: the numbers that may be taken if the rest is split into two equal heaps.
    """

    end: Array
    one: Array
    two: Iterable[int] = ()
    equal: Iterable[int] = ()


@dataclass(frozen=True)
class Flaw:
    """The smallest heap whose Grundy value in a table is wrong.

    `taken`: true if an option has the same value. False if some smaller value is not the value of any option.
    """

    heap: int
    taken: bool


def solve_values(moves: HeapMoves, size: int, known: Array, clock: StopCheck, machine: Machine | None = None) -> Array:
    """Return the Grundy values of the heaps 0 to `size` as an array: entry h is the value of the heap h.

    The numbers of the result are unsigned and have as few bits as possible, so a caller must convert them before it
    calculates.
    `known`: the values of the first heaps, at least of the heap 0. They are not computed again.
    `clock`: an object that may stop the work by an exception. Raises TooLarge if there is not enough memory.
    """
    told = _Heaps(machine or Machine(), moves, size, len(known))
    told.values[: len(known)] = kernel.require_fit(known, "<u4")
    told.recount(len(known))
    start = len(known)
    while (done := told.run("solve_heaps", clock)) <= size:
        told.make_room(told.values[start:done])
        start = done
    return told.values.astype(np.min_scalar_type(int(told.values.max())))


def find_flaw(moves: HeapMoves, values: Array, clock: StopCheck, machine: Machine | None = None) -> Flaw | None:
    """Return the smallest heap whose Grundy value in a table is wrong; None if all values are right.

    `values`: entry h is the value of the heap h. `clock`, exceptions: as in `solve_values`.
    """
    if values[0]:
        return Flaw(0, taken=False)
    told = _Heaps(machine or Machine(), moves, len(values) - 1, 1, listed=True)
    told.values[:] = kernel.require_fit(values, "<u4")
    told.make_room(told.values)
    while not told.wrong and told.run("check_heaps", clock) < len(values):
        pass
    return Flaw(told.done, told.wrong == 1) if told.wrong else None


_WORDS = (  # of the struct in heaps.c, each 32 bits wide
    *("size", "ones", "twos", "equals", "one", "two", "same", "equal", "end", "except", "room", "values", "seen"),
    *("left_out", "count", "rare", "rares", "mask", "done", "wrong"),
)


def _take_first(truths: Array, length: int) -> Array:
    """Return the first `length` truth values of an array. If it is shorter, the others are false."""
    if len(truths) >= length:
        return np.ascontiguousarray(truths[:length], dtype=bool)
    found = np.zeros(length, dtype=bool)
    found[: len(truths)] = truths
    return found


class _Heaps:
    """One computation in heaps.c: the C struct that describes it, and the arrays to which the struct points.

    `done`: how many of the heaps 0, 1, ... have values that are given.
    `listed`: whether to list always the numbers that may be taken. Otherwise, the numbers that may not be taken are
    listed instead if they are fewer.
    """

    def __init__(self, machine: Machine, moves: HeapMoves, size: int, done: int, listed: bool = False) -> None:
        self.machine, self.size = machine, size
        one, end = (_take_first(x, size + 1) for x in (moves.one, moves.end))
        by_except = not listed and 2 * int(np.count_nonzero(one[1:])) > size
        takes = np.flatnonzero(~one[1:] if by_except else one[1:]) + 1  # only the shorter of the two lists
        two, equal = (sorted(x for x in found if x <= size) for found in (moves.two, moves.equal))
        same = [int(x in equal) for x in two]
        self._bounded = by_except and not two and not equal
        self.values, rare = machine.reserve((size + 1,), "<u4"), machine.reserve((size + 1,), "<u4")
        lists = {"one": takes, "two": np.array(two), "same": np.array(same), "equal": np.array(equal)}
        told = {name: machine.place(x, "<i4") for name, x in lists.items()}
        told |= {"size": size, "ones": len(takes), "twos": len(two), "equals": len(equal), "except": int(by_except)}
        told |= {"end": machine.place(end.view(np.uint8), "|u1"), "done": done}
        told |= {"values": machine.locate(self.values), "rare": machine.locate(rare)}
        self.context = machine.reserve((len(_WORDS),), "<u4")
        self.context[:] = [told.get(name, 0) for name in _WORDS]
        self._count = self._reserve(ROOM)

    def _reserve(self, room: int) -> Array:
        """Reserve the arrays with an entry for each value below `room`. Return the one that counts the values."""
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
        """How many of the heaps 0, 1, ... are finished: their values are computed, or checked and correct."""
        return self._get("done")

    @property
    def wrong(self) -> int:
        """0 if no wrong value was found. Otherwise the value of the heap `done` is wrong.

        1: an option of this heap has the same value. 2: some smaller value is not the value of any option.
        """
        return self._get("wrong")

    def recount(self, known: int) -> None:
        """Count for the kernel how often each value occurs among the heaps 1 to `known` - 1."""
        self.make_room(self.values[:known])
        counts = np.bincount(self.values[1:known], minlength=1)
        self._count[: len(counts)] = counts

    def make_room(self, values: Array) -> None:
        """Reserve larger arrays if the nim-sum of two of these values, or the next value, is too large.

        If moves take all but a few numbers and never split a heap, there are no nim-sums, and the value of a heap h is
        at most h.
        """
        top, room = int(values.max(initial=0)), self._get("room")
        needed = max(ROOM, (2 if self._bounded else 4) << max(top, 1).bit_length())
        needed = min(needed, max(ROOM, self.size + 3)) if self._bounded else needed
        if needed > room:
            before, self._count = self._count, self._reserve(needed)
            self._count[: len(before)] = before

    def run(self, name: str, clock: StopCheck) -> int:
        """Call the function `name` of the kernel, which works for some milliseconds. Return `done`."""
        clock.check()
        at = self.machine.locate(self.context)
        return self.machine.call(name, at, self.size + 1, kernel.STEPS)


# == lines ============================================================================================================
# Grundy values with lines.c, of positions whose options are all earlier positions on some lines.
_AT_ONCE = 1 << 15  # positions whose lines are numbered at once


class LineNumbering(Protocol):
    """A game on positions and lines. The options of a position are the earlier positions on the lines through it.

    A line is a set of positions. The lines are numbered from 0 to `count` - 1, and each position is on `through` lines.
    """

    count: int
    through: int

    def number(self, rows: Array) -> Array:
        """Return the lines through some positions: entry [i, j] is the number of the i-th line through position j.

        `rows`: the positions; row j contains the heaps of position j. A line may occur twice for one position.
        """


def solve_lines(
    rows: Array, lines: LineNumbering, most: int, clock: StopCheck, machine: Machine | None = None
) -> Array:
    """Return the Grundy values of positions: entry j is the value of the position whose heaps are in `rows[j]`.

    The options of a position are the earlier positions on its lines, and all options must come before it in `rows`.
    `most`: an upper bound of the values. `clock`: an object that may stop the work by an exception.
    Raises TooLarge if there is not enough memory.
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


# -- two heaps --------------------------------------------------------------------------------------------------------
# Games like Wythoff's: a move takes any number from one heap, or the same number, of at most `most`, from both. Absent
# heaps are zeros. `clock`: an object that may stop the work by an exception. All functions raise TooLarge if there is
# not enough memory.
MOST_PAIRED = (1 << 15) - 1  # heaps whose values are computed: the values have 16 bits


def solve_pairs(size: int, most: int, clock: StopCheck) -> Array:
    """Return the Grundy values of two heaps: entry y (y + 1) / 2 + x is the value of the heaps x <= y <= `size`.

    The numbers of the result are unsigned and have 16 bits. Raises TooLarge also if `size` exceeds MOST_PAIRED.
    """
    if size > MOST_PAIRED:
        raise TooLarge(f"the WebAssembly kernel computes the values of two heaps of at most {MOST_PAIRED}")
    machine, words = Machine(), 2 * size // 64 + 1  # the value of x and y is at most x + y
    rows, slanted = (machine.reserve((size + 1, words)) for _ in range(2))
    values = machine.reserve(((size + 1) * (size + 2) // 2,), "<u2")
    context = machine.reserve((6,), "<u4")
    context[:] = [min(most, size), words, *map(machine.locate, (rows, slanted, values)), 0]
    machine.run("solve_pairs", (machine.locate(context),), size + 1, clock)
    return values.copy()  # an array in the kernel's memory would keep its 4 GiB of addresses


def find_partners(size: int, most: int, stuck_wins: bool, clock: StopCheck) -> Array:
    """Return the lost positions of two heaps of at most `size`: entry x is the heap with which the heap x is lost.

    It is -1 if there is no such heap. A position is lost if the player to move loses.
    `stuck_wins`: whether a player who cannot move wins.
    """
    machine = Machine()
    partners, last = (machine.reserve((size + 1,), "<u4") for _ in range(2))
    context = machine.reserve((6,), "<u4")
    context[:] = [min(most, size), int(stuck_wins), *map(machine.locate, (partners, last)), 0, 0]
    machine.run("find_partners", (machine.locate(context),), size + 1, clock)
    found = partners.astype(np.int64)
    found -= 1
    return found
