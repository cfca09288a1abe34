"""Grundy values by the kernel, lines.c, of positions whose options are those before them on some lines."""

from __future__ import annotations

import numpy as np

from encoders.kernel import Array
from encoders.kernel import machine as kernel
from encoders.kernel.machine import Clock, Machine


def solve_values(lines: Array, most: int, clock: Clock, machine: Machine | None = None) -> Array:
    """The Grundy values (N,) of positions, each of them after its options; `most`: what no value is above.

    `lines`: (k, N), the numbers of the lines that each position is on; a line may be there twice.  Raises TooLarge, and
    what the clock raises.
    """
    machine = machine or Machine()
    number, count = lines.shape
    rows, words = int(lines.max(initial=0)) + 1, most // 64 + 1
    values = machine.reserve((count,), "<u4")
    arrays = (machine.reserve((rows, words)), machine.reserve((rows,), "<i4"), values)
    places = (machine.place(lines.astype(np.int32), "<i4"), *map(machine.locate, arrays))
    context = machine.place(np.array([count, number, words, *places, 0]), "<u4")
    done = 0
    while done < count:
        clock.check()
        done = machine.call("solve_values_by_lines", context, count, kernel.STEPS)
    return np.array(values, dtype=np.int64)
