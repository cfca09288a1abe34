"""Grundy values by the kernel, lines.c, of positions whose options are those before them on some lines."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from encoders.kernel import Array
from encoders.kernel import machine as kernel
from encoders.kernel.machine import Machine, StopCheck

_AT_ONCE = 1 << 15  # positions whose lines are numbered at once


class LineNumbering(Protocol):
    """Lines with the numbers 0 .. count - 1; each position is on `through` of them."""

    count: int
    through: int

    def number(self, rows: Array) -> Array:
        """The lines that each position of (n, heaps) is on, (through, n); one may be there twice."""


def solve_lines(
    rows: Array, lines: LineNumbering, most: int, clock: StopCheck, machine: Machine | None = None
) -> Array:
    """The Grundy values (N,) of positions (N, heaps), each after its options; `most`: what no value is above.

    Raises TooLarge, and what the clock raises.
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
