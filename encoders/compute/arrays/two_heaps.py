"""The lost positions and the Grundy values of two heaps that are written in a claim, in games like Wythoff's."""

from __future__ import annotations

import numpy as np

from encoders.compute.arrays.boxes import agrees
from encoders.compute.arrays.limits import Deadline, TooLarge
from encoders.compute.arrays.move_tables import PairMoves
from encoders.compute.arrays.moves import Moves, Parameters
from encoders.compute.arrays.positions import count_box
from encoders.compute.arrays.ties import ANY, PAIR, read_ties
from encoders.compute.arrays.values import Array
from encoders.kernel import KERNEL

# == pairs ============================================================================================================
LARGE = 64  # smaller heaps are solved as a graph, which answers more questions
ALIKE = 2_000  # up to this heap, the moves are compared with the ruleset
MOST_PARTNERS, MOST_VALUES = 12_000_000, 8_192  # the tables contain smaller heaps: 0.2 GB of memory each
SAMPLED_PARTNERS, SAMPLED_VALUES = 600, 2_000  # with larger heaps, the referee evaluates more cases again


class PairTable:
    """The lost positions and the Grundy values of two heaps, for games like Wythoff's; see `ties.py`.

    A question about a position then needs no graph: the two heaps determine its place in a table.

    `serves`: whether the game has such moves.
    """

    def __init__(self, moves: Moves, clock: Deadline) -> None:
        ties = read_ties(moves.ruleset)
        self.moves, self.clock = moves, clock
        self.serves = ties is not None and ties.several
        self._most = 0 if ties is None else ANY if ties.full else ties.most
        self._compared = -1  # up to this heap, the moves were compared with the ruleset
        self._partners, self._values = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint16)
        self._sizes = {"partners": -1, "values": -1}  # the largest heap of each table
        self._last: tuple[Array, Array, Array, Array] | None = None  # the last heaps, and the same heaps in order

    @property
    def audited(self) -> bool:
        """Whether the referee must evaluate a large sample of the cases, because a table has large heaps.

        This is not necessary for lost positions that were compared with values.
        """
        partners, values = self._sizes["partners"], self._sizes["values"]
        compared = -1 if self.moves.ruleset.stuck_wins else values
        return partners > max(SAMPLED_PARTNERS, compared) or values > SAMPLED_VALUES

    def find(self, first: Array, second: Array, values: bool, parameters: Parameters) -> Array | None:
        """Return the Grundy value, or whether the mover wins, at the position with two given heaps at each case.

        `first`, `second`: the heaps; 0 for an absent heap. `values`: whether to return Grundy values.
        Return None if no table is used: all heaps are small, or some are too large, or the kernel does not run on this
        machine. Raise OutOfTime.
        """
        if self._last is None or self._last[0] is not first or self._last[1] is not second:
            self._last = first, second, np.minimum(first, second), np.maximum(first, second)
        least, most = self._last[2:]
        size = int(most.max(initial=0))
        name = "values" if values else "partners"
        if size > self._sizes[name]:
            if size <= LARGE or size >= (MOST_VALUES if values else MOST_PARTNERS):
                return None
            if not self._solve(name, size, parameters):
                return None
        if values:
            return np.asarray(self._values[(most * (most + 1) >> 1) + least], dtype=np.int64)
        return np.asarray(self._partners[most] != least)

    def _solve(self, name: str, size: int, parameters: Parameters) -> bool:
        """Compute a table for all heaps up to `size`. Return False if that is impossible."""
        from encoders.kernel import values as kernel

        alike = min(size, ALIKE)
        if alike > self._compared:
            if not agrees(self.moves, parameters, 0, PairMoves(alike, self._most), PAIR):
                return False
            self._compared = alike
        stuck_wins = self.moves.ruleset.stuck_wins
        try:
            if name == "values":
                self._values = kernel.solve_pairs(size, self._most, self.clock)
            else:
                self._partners = kernel.find_partners(size, self._most, stuck_wins, self.clock)
        except TooLarge as reason:
            self.clock.fallbacks.add((KERNEL, str(reason)))
            return False
        self._sizes[name] = size
        if not stuck_wins:
            self._compare()
        return True

    def _compare(self) -> None:
        """Require that exactly the lost positions have the value 0, as far as both tables contain them."""
        size = min(self._sizes.values())
        heaps = np.flatnonzero((self._partners[: size + 1] >= 0) & (self._partners[: size + 1] <= np.arange(size + 1)))
        lost = heaps * (heaps + 1) // 2 + self._partners[heaps]
        zeros = np.flatnonzero(self._values[: count_box(2, size) if size >= 0 else 0] == 0)
        if not np.array_equal(lost, zeros):
            raise AssertionError("the lost positions of two heaps are not those of value 0")
