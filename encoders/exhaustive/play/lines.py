"""Single-heap rulesets on a box of positions, bit-parallel along lines: the fast path.

One word of bits per line holds a set of positions.  A heap h of a position s has an option in the set exactly where

    (bits of the line of s without h)  AND  (bits of the sizes that h may legally become)   is not 0,

whatever the ruleset allows.  Rows for all parameters lie side by side in the last axis, so one numpy operation serves
them all.  See docs/decisions/0002-exhaustive-engine.md for what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from encoders.exhaustive.arrays.limits import Clock, TooLarge
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.play.graph import Graph
from encoders.exhaustive.play.line_box import LineBox
from encoders.exhaustive.play.moves import Moves, Parameters

MAX_LEGAL = 500_000_000  # entries of the tables of legal changes of a heap, a byte each
WORDS_AT_ONCE = 64_000_000  # bytes of bits that `find_hits` and `solve_wins` hold for some of the parameters


@dataclass(frozen=True)
class _Kind:
    """Moves that choose their heap alike: `legal[q, mover, h, y]`, and the same as bits of y (h, word, q) by mover."""

    choose: str
    legal: Array
    bits: list[Array]


class Lines(Graph):
    """A single-heap ruleset on a box. `players`: how many they are, by parameter."""

    def __init__(self, moves: Moves, parameters: list[Parameters], players: Array, box: LineBox, clock: Clock) -> None:
        ruleset = moves.ruleset
        super().__init__(1 if ruleset.impartial else int(players.max()), ruleset.stuck_wins, clock)
        self.box, self.positions, self.level = box, box.positions, box.level[None, :]
        self.words = box.size // 64 + 1
        if len(parameters) * self.movers * (box.size + 1) * 64 * self.words > MAX_LEGAL:
            raise TooLarge(f"heaps of {box.size} under {len(parameters)} values of the parameters")
        self.kinds = self._read(moves, parameters, players)

    def _read(self, moves: Moves, parameters: list[Parameters], players: Array) -> list[_Kind]:
        kinds, size = [], self.box.size
        for choose in dict.fromkeys(m.choose for m in moves.ruleset.moves):
            legal = np.zeros((len(parameters), self.movers, size + 1, size + 1), dtype=bool)
            for mover in range(self.movers):
                playing = np.flatnonzero(players > mover)
                for move in moves.ruleset.moves:
                    if move.choose == choose:
                        part = [parameters[i] for i in playing]
                        legal[playing, mover] |= moves.tabulate_single_heap(move, part, mover, size)
            bits = [np.moveaxis(self._pack(legal[:, m]), 0, -1).copy() for m in range(self.movers)]
            kinds.append(_Kind(choose, legal, bits))
        return kinds

    def _pack(self, table: Array) -> Array:
        """Booleans (..., size + 1) as words (..., words), bit y of them for entry y."""
        packed = np.packbits(table, axis=-1, bitorder="little")
        room = 8 * self.words - packed.shape[-1]
        padded = np.pad(packed, [(0, 0)] * (packed.ndim - 1) + [(0, room)])
        return np.ascontiguousarray(padded).view("<u8")

    def list_edges(self) -> tuple[Array, Array]:
        return self.box.edges.offsets, self.box.edges.targets

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        edges = self.box.edges
        mover = np.minimum(mover, self.movers - 1)
        result: Array | None = None
        for kind in self.kinds:
            allowed = kind.legal[q, mover, edges.h[edge], edges.y[edge]]
            if kind.choose != "any":
                allowed = allowed & (edges.largest if kind.choose == "largest" else edges.smallest)[edge]
            result = allowed if result is None else result | allowed
        assert result is not None, "a ruleset has moves"
        return result

    @property
    def degree(self) -> int:
        return -(-int(self.box.level.sum()) // len(self))

    # -- bit-parallel questions ---------------------------------------------------------------------------------------
    def find_hits(self, wanted: Array, q: Array, mover: Array) -> Array:
        groups = max(len(wanted), len(q), len(mover))
        out = np.zeros((groups, len(self)), dtype=bool)
        step = max(1, WORDS_AT_ONCE // (self.box.lines * 64 * self.words + len(self) * 8))
        for start in range(0, groups, step):
            self.clock.check()
            part = slice(start, min(start + step, groups))
            qs, ms = (np.broadcast_to(x, (groups,))[part] for x in (q, np.minimum(mover, self.movers - 1)))
            rows = wanted if len(wanted) == 1 else wanted[part]
            words = np.moveaxis(self._pack(rows[:, self.box.member]), 0, -1)  # (line, word, group or 1)
            found = np.zeros((len(self), part.stop - start), dtype=bool)
            for kind in self.kinds:
                mask = np.stack([kind.bits[m][:, :, i] for i, m in zip(qs, ms, strict=True)], axis=-1)
                for line, heap in self._list_columns(kind):
                    for word in range(self.words):
                        found |= (words[line, word] & mask[heap, word]) != 0
            out[part] = found.T
        return out

    def has_option(self, q: Array) -> Array:
        out = np.zeros((len(q), self.movers, len(self)), dtype=bool)
        for kind in self.kinds:
            some = np.any(kind.legal[q], axis=-1)  # (q, mover, h)
            for _, heap in self._list_columns(kind):
                out |= some[:, :, heap]
        return out

    def _list_columns(self, kind: _Kind) -> Iterator[tuple[Array, Array]]:
        """By column the line that each position lies on, and the heap that a move may choose, or 0, which none may."""
        yield from zip(*self.box.choose(kind.choose, self.box.around, self.box.columns), strict=True)

    def solve_wins(self, q: Array) -> Array:
        step = max(1, WORDS_AT_ONCE // (self.movers * (8 * self.box.lines * self.words + 2 * len(self))))
        return np.concatenate([self._solve_wins_at(q[i : i + step]) for i in range(0, max(len(q), 1), step)])

    def _solve_wins_at(self, q: Array) -> Array:
        """Along lines: the losing positions met so far, one word of bits per line, grow level by level."""
        box, size, count = self.box, len(self), len(q)
        order = np.argsort(box.level, kind="stable")
        cuts = np.searchsorted(box.level[order], np.arange(int(box.level.max()) + 2)).tolist()
        lines, heaps = box.around[:, order], box.columns[:, order]
        kinds = [(*box.choose(k.choose, lines, heaps), [b[:, :, q] for b in k.bits]) for k in self.kinds]
        stuck = ~np.moveaxis(self.has_option(q), 0, -1)[:, order] if self.stuck_wins else None  # (mover, position, q)
        won = np.zeros((self.movers, size, count), dtype=bool)  # the positions in `order`
        losing = np.zeros((self.movers, box.lines, self.words, count), dtype=np.uint64)
        for first, last in pairwise(cuts):
            self.clock.check()
            part = slice(first, last)
            for mover in range(self.movers):
                bits = losing[(mover + 1) % self.movers]
                found = won[mover, part]
                for line, heap, masks in kinds:
                    for word in range(self.words):
                        hits = bits[line[:, part], word] & masks[mover][heap[:, part], word]
                        found |= (hits != 0).any(axis=0)
                if stuck is not None:
                    found |= stuck[mover, part]
            line, heap = lines[:, part], heaps[:, part]
            at, bit = heap >> 6, (heap & 63).astype(np.uint64)[:, :, None]
            for mover in range(self.movers):  # a position is met in each of its columns, and in a line by one bit
                losing[mover, line, at] |= (~won[mover, part]).astype(np.uint64) << bit
        out = np.empty_like(won)
        out[:, order] = won
        return np.moveaxis(out, -1, 0)
