"""What is to be solved: one single-heap ruleset on a box under some choices of its parameters; and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.geometry import Box
from encoders.exhaustive.boxes.solvers.legal import Legal
from encoders.exhaustive.boxes.words import unpack


@dataclass(frozen=True, eq=False)
class Task:
    """`legal`: as `tabulate` says, its bits the `choices` of parameters. `movers`: 1 where both have the same moves.

    Solved as lanes, a row of bits belongs to a position and bit q to choice q; as lines, for one choice alone, a row
    belongs to a rest of all heaps but one, and bit c to the position of the rest and a heap of c.
    """

    box: Box
    movers: int
    stuck_wins: bool
    legal: Legal
    choices: int

    @property
    def rests(self) -> Box:
        """All heaps but one."""
        return Box(self.box.heaps - 1, self.box.size)

    def unfold(self) -> dict[str, Array]:
        """`legal` of the only choice as truth values (movers, h, y), both of 0..size."""
        h, y = np.tril_indices(self.box.size + 1, -1)
        found = {}
        for choose, rows in self.legal.items():
            table = np.zeros((self.movers, self.box.size + 1, self.box.size + 1), dtype=bool)
            table[:, h, y] = unpack(rows, 1)[..., 0]
            found[choose] = table
        return found


class Solution(Protocol):
    """What is known of a task. Rows are words, as in `words`. Every method may raise OutOfTime and TooLarge."""

    def find_lost(self, mover: int) -> Array:
        """Where the mover, to move, loses; (rows, words). It is solved when this is asked first."""

    def make_blank(self) -> Array:
        """Zeros (rows, words), to be filled for `reach`."""

    def reach(self, wanted: Array, mover: int) -> Array:
        """Where `mover` has a legal option that is wanted; (rows, words). `wanted`: a blank, filled; it is used up."""


class Solver(Protocol):
    """Who solves tasks, several of which share its memory."""

    def lay_lanes(self, task: Task, clock: Clock) -> Solution:
        """A task as lanes."""

    def lay_lines(self, task: Task, clock: Clock) -> Solution:
        """A task of one choice as lines."""
