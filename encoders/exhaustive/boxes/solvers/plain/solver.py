"""Plain Python as a solver of tasks."""

from __future__ import annotations

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.boxes.solvers.plain.lanes import Lanes
from encoders.exhaustive.boxes.solvers.plain.lines import Lines
from encoders.exhaustive.boxes.solvers.task import Task


class Plain:
    """It keeps nothing."""

    def lay_lanes(self, task: Task, clock: Clock) -> Lanes:
        """A task as lanes."""
        return Lanes(task, clock)

    def lay_lines(self, task: Task, clock: Clock) -> Lines:
        """A task of one choice as lines."""
        return Lines(task, clock)
