"""The kernel as a solver of tasks."""

from __future__ import annotations

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.boxes.solvers.kernel.lanes import Lanes
from encoders.exhaustive.boxes.solvers.kernel.lines import Lines
from encoders.exhaustive.boxes.solvers.kernel.machine import Machine
from encoders.exhaustive.boxes.solvers.task import Task


class Kernel:
    """One machine for some tasks."""

    def __init__(self) -> None:
        """Raises TooLarge where there is not enough address space."""
        self.machine = Machine()

    def lay_lanes(self, task: Task, clock: Clock) -> Lanes:
        """A task as lanes."""
        return Lanes(task, clock, self.machine)

    def lay_lines(self, task: Task, clock: Clock) -> Lines:
        """A task of one choice as lines."""
        return Lines(task, clock, self.machine)
