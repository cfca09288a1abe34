"""Games in which one heap stays one: who wins among any number of players, under either play.

It goes on where it stopped, heap after heap, in memory linear in the heap.  Of a move only what it takes
counts: `end`, so that nothing is left, and `one`, so that a heap is left; (size + 1,) of truth values each.
"""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.arrays.values import Array

FEW = 48  # numbers that may be taken: as many are gone through one by one for each heap
_EVERY = 1024  # heaps between two looks at the clock


class TakeWinners:
    """The offset, from the mover, of the player who wins; for each mover a list by heap, `values[mover][heap]`.

    `players`: how many there are; of an impartial ruleset one mover stands for all.
    """

    def __init__(self, movers: int, players: int, stuck_wins: bool, clock: Deadline) -> None:
        self.players, self.stuck, self.clock = players, 0 if stuck_wins else players - 1, clock
        self.values: list[list[int]] = [[self.stuck] for _ in range(movers)]

    def extend(self, size: int, ends: list[Array], ones: list[Array]) -> None:
        """Solve the heaps up to `size`, by what each mover may take. Raises OutOfTime; what was solved stays."""
        takes = [(np.flatnonzero(one[1:]) + 1).tolist() for one in ones]
        wholes = [end.tolist() for end in ends]
        if len(self.values[0]) > size:
            return
        if max(map(len, takes)) <= FEW:
            self._extend_few(size, wholes, takes)
        else:
            self._extend_any(size, wholes, ones)

    def _extend_few(self, size: int, wholes: list[list[bool]], takes: list[list[int]]) -> None:
        values, movers = self.values, len(self.values)
        for h in range(len(values[0]), size + 1):
            if not h % _EVERY:
                self.clock.check()
            found = []
            for mover in range(movers):
                following = values[(mover + 1) % movers]
                offers = [(following[h - m] + 1) % self.players for m in takes[mover] if m < h]
                if wholes[mover][h]:
                    offers.append((following[0] + 1) % self.players)
                found.append(min(offers, default=self.stuck))
            self._append(found)

    def _extend_any(self, size: int, wholes: list[list[bool]], ones: list[Array]) -> None:
        """For each mover and offset the heaps with it are the bits of one integer: a heap's options are one AND."""
        backwards = [_pack(one[::-1]) for one in ones]  # bit size - m for each m that may be taken
        movers = len(self.values)
        bits = [[_pack(np.array(row) == offset) for offset in range(self.players)] for row in self.values]
        preference = [
            (v - 1) % self.players for v in range(self.players)
        ]  # of the next player, best for the mover first
        for h in range(len(self.values[0]), size + 1):
            self.clock.check()
            found = []
            for mover in range(movers):
                reached = backwards[mover] >> (size - h) & -2  # without the empty heap
                if wholes[mover][h]:
                    reached |= 1
                following = bits[(mover + 1) % movers]
                offset = next((v for v in preference if following[v] & reached), None)
                found.append(self.stuck if offset is None else (offset + 1) % self.players)
            self._append(found)
            for mover, value in enumerate(found):
                bits[mover][value] |= 1 << h

    def _append(self, found: list[int]) -> None:
        """The next heap, for all movers at once: where time runs out, none is ahead of another."""
        for row, value in zip(self.values, found, strict=True):
            row.append(value)


def _pack(row: Array) -> int:
    """Truth values as the bits of an integer."""
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
