"""Lanes in plain Python: an integer for each position, a bit for each choice of the parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.solvers.plain.positions import Heaps, Lines, list_heaps, list_positions, record
from encoders.exhaustive.boxes.solvers.task import Task
from encoders.exhaustive.boxes.words import from_integers, to_integers


class Lanes:
    """A task as lanes."""

    def __init__(self, task: Task, clock: Clock) -> None:
        self.task, self.clock = task, clock
        self.words = next(iter(task.legal.values())).shape[-1]
        self.full = (1 << task.choices) - 1
        self.legal = {choose: [to_integers(rows) for rows in tables] for choose, tables in task.legal.items()}
        self.positions = list_positions(task.box)
        self._lost: list[Array] = []

    def find_lost(self, mover: int) -> Array:
        """Where the mover loses."""
        self._lost = self._lost or self._solve()
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """A table to be filled for `reach`."""
        return np.zeros((len(self.positions), self.words), dtype=np.uint64)

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is `wanted`."""
        bits, out = to_integers(wanted), []
        lines: Lines = {}
        for i, position in enumerate(self._look_around()):
            out.append(self.full ^ self._strike(position, min(mover, self.task.movers - 1), lines, self.full))
            record(position, bits[i], lines)
        return from_integers(out, self.words)

    def _solve(self) -> list[Array]:
        movers = range(self.task.movers)
        lost: list[list[int]] = [[] for _ in movers]
        lines: list[Lines] = [{} for _ in movers]
        for position in self._look_around():
            for mover in movers:
                need = self._find_able(position, mover) if self.task.stuck_wins else self.full
                lost[mover].append(self._strike(position, mover, lines[len(movers) - 1 - mover], need))
            for mover in movers:
                record(position, lost[mover][-1], lines[mover])
        return [from_integers(rows, self.words) for rows in lost]

    def _look_around(self) -> Iterator[Heaps]:
        for i, position in enumerate(self.positions):
            if not i & 127:
                self.clock.check()
            yield position

    def _strike(self, position: Heaps, mover: int, lines: Lines, need: int) -> int:
        """What is left of `need` without the choices under which `mover` reaches one of the lines' rows."""
        for choose, h, rest in list_heaps(position):
            if choose in self.legal:
                legal, first = self.legal[choose][mover], h * (h - 1) // 2
                for y, bits in lines.get(rest, ()):
                    need &= ~(bits & legal[first + y])
                    if not need:
                        return 0
        return need

    def _find_able(self, position: Heaps, mover: int) -> int:
        """The choices under which the mover has a move."""
        able = 0
        for choose, h, _ in list_heaps(position):
            if choose in self.legal:
                for row in self.legal[choose][mover][h * (h - 1) // 2 : h * (h + 1) // 2]:
                    able |= row
        return able
