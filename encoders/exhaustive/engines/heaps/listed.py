"""Moves of any form on one heap, found by evaluating them, some heaps at a time: where no code can be read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import BadRuleset
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.engines.heaps.atoms import Unread
from encoders.exhaustive.moves.moves import Moves, Parameters, bind_parameters

_PICKS = 300_000  # about so many moves at once
_EVERY = 256  # heaps between two looks at the clock


@dataclass(frozen=True)
class _Options:
    """The moves of one mover on consecutive heaps: on the i-th the columns cuts[i]..cuts[i + 1] of `sizes`."""

    cuts: list[int]
    sizes: Array  # (heaps made, moves)


class ListedMoves:
    """Solves the heaps 0..len(values[0]) - 1, mover by mover: Grundy values, of one mover, or offsets of the winner.

    `weights` in what is called: (size + 1,), see `measure.weigh_heaps`.
    """

    def __init__(self, moves: Moves, parameters: Parameters, movers: int, players: int, grundy: bool) -> None:
        self.moves, self.parameters, self.players, self.grundy = moves, parameters, players, grundy
        self.stuck = 0 if moves.ruleset.stuck_wins or grundy else players - 1
        self.values: list[list[int]] = [[self.stuck] for _ in range(movers)]
        self.movable: list[list[bool]] = [[False] for _ in range(movers)]
        self.splits = False  # whether some move left two heaps

    def extend(self, size: int, weights: Array) -> None:
        """Solve the heaps up to `size`; what was solved before an error stays.

        Raises OutOfTime; BadRuleset for a move that does not make the weight less, Unread for one that leaves a heap
        that is no smaller, though the weight is less.
        """
        start, width, clock = len(self.values[0]), 64, self.moves.evaluator.clock
        if start > size:
            return
        known = np.zeros((len(self.values), size + 1), dtype=np.int64)
        known[:, :start] = self.values
        seen = np.zeros(1024, dtype=np.int64)  # the last heap from which a value could be reached
        while start <= size:
            heaps = np.arange(start, min(start + width, size + 1))
            options = [self._list(heaps, mover, weights) for mover in range(len(known))]
            for i, h in enumerate(heaps.tolist()):
                if not h % _EVERY:
                    clock.check()
                for mover, found in enumerate(options):
                    sizes = found.sizes[:, found.cuts[i] : found.cuts[i + 1]]
                    self.movable[mover].append(bool(sizes.shape[1]))
                    if self.grundy:
                        values = np.bitwise_xor.reduce(known[0][sizes], axis=0)
                        if values.size and (top := int(values.max())) >= len(seen) - 1:
                            seen = np.append(seen, np.zeros(2 * top, dtype=np.int64))
                        seen[values] = h
                        value = int((seen != h).argmax())
                    else:
                        value = self._find_winner(known[(mover + 1) % len(known)], sizes)
                    known[mover, h] = value
                    self.values[mover].append(value)
            picks = max(x.cuts[-1] for x in options)
            width = max(1, min(4 * width, _PICKS * len(heaps) // max(picks, 1)))
            start += len(heaps)

    def _find_winner(self, following: Array, sizes: Array) -> int:
        if not sizes.shape[1]:
            return self.stuck
        return int(((following[sizes.sum(axis=0)] + 1) % self.players).min())

    def _list(self, heaps: Array, mover: int, weights: Array) -> _Options:
        """The moves on consecutive heaps, each checked."""
        ruleset, parts = self.moves.ruleset, [np.zeros((4, 0), dtype=np.int64)]
        for move in ruleset.moves:
            names = bind_parameters(ruleset, [self.parameters]) | {"mover": make_constant(mover)}
            names[move.heaps[0]] = Scalars(heaps[None, :])
            for picked in self.moves.list_picks(move, Frame(1, len(heaps), names)):
                rows = np.zeros((max(len(picked.sizes), 1) + 1, len(picked.owner)), dtype=np.int64)
                rows[0] = heaps[picked.owner]
                for i, sizes in enumerate(picked.sizes):
                    rows[i + 1] = sizes
                parts.append(rows)
        width = max(map(len, parts))
        whole = np.concatenate([np.pad(x, ((0, width - len(x)), (0, 0))) for x in parts], axis=1)
        whole = whole[:, np.argsort(whole[0], kind="stable")]
        self._check(whole[0], whole[1:], weights)
        self.splits |= bool((np.count_nonzero(whole[1:], axis=0) > 1).any())
        return _Options(np.searchsorted(whole[0], np.arange(heaps[0], heaps[-1] + 2)).tolist(), whole[1:])

    def _check(self, heaps: Array, sizes: Array, weights: Array) -> None:
        """Raises BadRuleset or Unread."""
        grown = np.asarray(sizes.max(axis=0, initial=0) >= heaps)
        wrong = grown | (weights[np.where(grown, 0, sizes)].sum(axis=0) >= weights[heaps])
        if not wrong.any():
            return
        ruleset, at = self.moves.ruleset, int(np.argmax(wrong))
        if ruleset.measure is not None and grown[at]:
            raise Unread("a heap that does not become smaller")
        left = " and ".join(str(x) for x in sizes[:, at].tolist() if x) or "nothing"
        what = "total" if ruleset.measure is None else "measure"
        raise BadRuleset(
            f"a move of {ruleset.id} makes {left} of a heap of {heaps[at]}: it does not decrease the {what}"
        )
