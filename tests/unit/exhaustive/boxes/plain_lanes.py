"""Lanes in plain Python, with an integer for each position and a bit for each choice, for comparison with the kernel.

Recursion is too slow for rows of several words; this code has no loop over choices.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from encoders.compute.arrays.bit_rows import HeapBox
from encoders.compute.arrays.bit_task import BoxTask

Heaps = tuple[int, ...]
"""Ascending, zeros for heaps that are not there."""

LineTable = dict[Heaps, list[tuple[int, int]]]
"""By all heaps but one the sizes of that one, ascending, at which a row of bits is not 0, each with the row."""


def list_heaps(position: Heaps) -> Iterator[tuple[str, int, Heaps]]:
    """Yield the heaps that a move may choose, equal ones once: (way of choosing, heap, remaining position)."""
    there = [h for h in position if h]
    for h in dict.fromkeys(there):
        at = position.index(h)
        rest = position[:at] + position[at + 1 :]
        yield "any", h, rest
        if h == there[-1]:
            yield "largest", h, rest
        if h == there[0]:
            yield "smallest", h, rest


def list_positions(box: HeapBox) -> list[Heaps]:
    """Return all positions of a box, in the order of their numbers."""
    return list(zip(*(c.tolist() for c in box.columns), strict=True)) if box.heaps else [()]


class PlainLanes:
    """A task as lanes, with the same results as `KernelLanes`."""

    def __init__(self, task: BoxTask) -> None:
        self.task, self.words = task, next(iter(task.legal.values())).shape[-1]
        self.full = (1 << task.choices) - 1
        self.legal = {choose: [to_integers(rows) for rows in tables] for choose, tables in task.legal.items()}
        self.positions = list_positions(task.box)

    def make_blank(self) -> np.ndarray:
        return np.zeros((len(self.positions), self.words), dtype=np.uint64)

    def find_lost(self, mover: int) -> np.ndarray:
        return self._lost[min(mover, self.task.movers - 1)]

    @cached_property
    def _lost(self) -> list[np.ndarray]:
        movers = range(self.task.movers)
        lost: list[list[int]] = [[] for _ in movers]
        lines: list[LineTable] = [{} for _ in movers]
        for position in self.positions:
            for m in movers:
                need = self._find_able(position, m) if self.task.stuck_wins else self.full
                lost[m].append(self._strike(position, m, lines[len(movers) - 1 - m], need))
            for m in movers:
                record(position, lost[m][-1], lines[m])
        return [from_integers(rows, self.words) for rows in lost]

    def reach(self, wanted: np.ndarray, mover: int) -> np.ndarray:
        out = []
        lines: LineTable = {}
        for position, bits in zip(self.positions, to_integers(wanted), strict=True):
            out.append(self.full ^ self._strike(position, min(mover, self.task.movers - 1), lines, self.full))
            record(position, bits, lines)
        return from_integers(out, self.words)

    def _strike(self, position: Heaps, mover: int, lines: LineTable, need: int) -> int:
        """Return `need` without the choices under which `mover` reaches one of the lines' rows."""
        for choose, h, rest in list_heaps(position):
            if choose in self.legal:
                legal, first = self.legal[choose][mover], h * (h - 1) // 2
                for y, bits in lines.get(rest, ()):
                    need &= ~(bits & legal[first + y])
        return need

    def _find_able(self, position: Heaps, mover: int) -> int:
        """Return the choices under which the mover has a move."""
        able = 0
        for choose, h, _ in list_heaps(position):
            if choose in self.legal:
                for row in self.legal[choose][mover][h * (h - 1) // 2 : h * (h + 1) // 2]:
                    able |= row
        return able


def record(position: Heaps, bits: int, lines: LineTable) -> None:
    """Write a row of bits to all lines of its position."""
    for h in set(position) if bits else ():
        at = position.index(h)
        lines.setdefault(position[:at] + position[at + 1 :], []).append((h, bits))


def to_integers(rows: np.ndarray) -> list[int]:
    """Return each row of (n, words) as one integer."""
    return [int.from_bytes(row.astype("<u8", copy=False).tobytes(), "little") for row in rows]


def from_integers(numbers: list[int], words: int) -> np.ndarray:
    """Return integers as rows of (n, words)."""
    octets = b"".join(x.to_bytes(8 * words, "little") for x in numbers)
    return np.frombuffer(octets, dtype="<u8").astype(np.uint64).reshape(len(numbers), words)
