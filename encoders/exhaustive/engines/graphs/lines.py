"""Single-heap rulesets on a box of positions, bit-parallel along lines: the fast path.

One word of bits per line holds a set of positions.  A heap h of a position s has an option in the set exactly where

    (bits of the line of s without h)  AND  (bits of the sizes that h may legally become)   is not 0,

whatever the ruleset allows.  Rows for all parameters lie side by side in the last axis, so one numpy operation serves
them all.  See docs/decisions/0002-exhaustive-engine.md for what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.limits import Deadline, TooLarge, group_digits
from encoders.exhaustive.arrays.positions import PositionSet, count_box
from encoders.exhaustive.arrays.segments import list_owners, list_places
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.engines.graphs.graph import Graph
from encoders.exhaustive.moves.moves import Moves, Parameters

# -- line box ---------------------------------------------------------------------------------------------------------
# The geometry of single-heap rulesets: a box of positions cut into lines. It depends on no rule.
#
# A *line* is all positions that differ in one heap: the rest R, and a heap of 0, 1, ..., size.


_EDGES_AT_ONCE = 1_000_000  # sorted between two looks at the clock
Slot = tuple[Array, Array, Array]  # positions with a heap in some column, their lines, that heap


@dataclass(frozen=True)
class Edges:
    """All ways to make one heap smaller, sorted by (source, target): a heap `h` of the source becomes `y`."""

    offsets: Array
    targets: Array
    h: Array
    y: Array
    largest: Array  # whether h is a largest, a smallest heap of the source
    smallest: Array


class LineBox:
    """The box of at most `heaps` heaps of at most `size`. Line i consists of position i and a further heap.

    `columns[j, i]` is heap j of position i, ascending after zeros, and `around[j, i]` the line that it lies on by that
    heap; by an empty column it lies on line i.  `member[i, h]` is the position on line i whose further heap is h.
    """

    def __init__(self, heaps: int, size: int, clock: Deadline | None = None) -> None:
        self.heaps, self.size, self.clock = heaps, max(size, 1), clock or Deadline(None)
        self.positions = PositionSet.box(heaps, self.size)
        self.level = self.positions.rows.sum(axis=1)
        self.lines = count_box(heaps - 1, self.size) if heaps else 0
        self.columns = np.ascontiguousarray(self.positions.rows.T[:heaps])
        everyone = np.arange(len(self.positions))
        self.around = np.tile(everyone, (heaps, 1))
        self.member = np.zeros((self.lines, self.size + 1), dtype=np.int64)
        for column, (heap, line) in enumerate(zip(self.columns, self.around, strict=True)):
            self.clock.check()
            at = np.flatnonzero(heap)
            line[at] = self.positions.find(np.delete(self.positions.rows[at], column, axis=1))
            self.member[line, heap] = everyone

    def choose(self, how: str, lines: Array, heaps: Array) -> tuple[Array, Array]:
        """Of the columns (heaps, n) of some positions those that a move may choose; 0 for a heap that it may not."""
        if how == "largest":
            return lines[-1:], heaps[-1:]
        if how == "smallest":
            before = np.vstack([np.zeros_like(heaps[:1]), heaps[:-1]])
            return lines, np.where(before > 0, 0, heaps)
        return lines, heaps

    @cached_property
    def edges(self) -> Edges:
        """Raises TooLarge and OutOfTime."""
        slots = [self._list_slot(column) for column in range(self.heaps)]
        degrees = np.zeros(len(self.positions), dtype=np.int64)
        for at, _, heap in slots:
            degrees[at] += heap
        offsets = np.concatenate([[0], np.cumsum(degrees)])
        total = int(offsets[-1])
        if total > limits.MAX_EDGES:
            raise TooLarge(f"{group_digits(total)} moves")
        cuts = [*np.searchsorted(offsets, np.arange(0, total, _EDGES_AT_ONCE)), len(self.positions)]
        blocks = pairwise(cuts)
        parts: list[tuple[Array, ...]] = [(np.zeros(0, dtype=np.int64),) * 4]
        parts += [self._list_block(slots, int(first), int(last)) for first, last in blocks]
        source, targets, h, y = (np.concatenate(x) for x in zip(*parts, strict=True))
        rows = self.positions.rows
        least = np.where(rows > 0, rows, self.size + 1).min(axis=1)
        return Edges(offsets, targets, h, y, h == rows[source, -1], h == least[source])

    def _list_slot(self, column: int) -> Slot:
        """What has a heap in a column, of several equal ones in the first of theirs."""
        heap, line = self.columns[column], self.around[column]
        before = self.columns[column - 1] if column else np.zeros_like(heap)
        at = np.flatnonzero(heap != before)
        return at, line[at], heap[at]

    def _list_block(self, slots: list[Slot], first: int, last: int) -> tuple[Array, ...]:
        """The edges of the positions first .. last - 1: sources, targets, h and y, sorted by source and target."""
        self.clock.check()
        parts = []
        for slot in slots:
            a, b = np.searchsorted(slot[0], [first, last])
            at, line, heap = (x[a:b] for x in slot)
            owner, y = list_owners(heap), list_places(heap)
            parts.append((at[owner], self.member[line[owner], y], heap[owner], y))
        source, targets, h, y = (np.concatenate(x) for x in zip(*parts, strict=True))
        order = np.argsort(source * len(self.positions) + targets)
        return source[order], targets[order], h[order], y[order]


# -- lines ------------------------------------------------------------------------------------------------------------
MAX_LEGAL_CHANGES = 500_000_000  # entries of the tables of legal changes of a heap, a byte each
WORDS_AT_ONCE = 64_000_000  # bytes of bits that `find_hits` and `solve_wins` hold for some of the parameters


@dataclass(frozen=True)
class _LegalityTable:
    """Moves that choose their heap alike: `legal[q, mover, h, y]`, and the same as bits of y (h, word, q) by mover."""

    choose: str
    legal: Array
    bits: list[Array]


class SingleHeapGraph(Graph):
    """A single-heap ruleset on a box. `players`: how many they are, by parameter."""

    def __init__(
        self, moves: Moves, parameters: list[Parameters], players: Array, box: LineBox, clock: Deadline
    ) -> None:
        ruleset = moves.ruleset
        super().__init__(1 if ruleset.impartial else int(players.max()), ruleset.stuck_wins, clock)
        self.box, self.positions, self.level = box, box.positions, box.level[None, :]
        self.words = box.size // 64 + 1
        if len(parameters) * self.movers * (box.size + 1) * 64 * self.words > MAX_LEGAL_CHANGES:
            raise TooLarge(f"heaps of {box.size} under {len(parameters)} values of the parameters")
        self.kinds = self._read(moves, parameters, players)

    def _read(self, moves: Moves, parameters: list[Parameters], players: Array) -> list[_LegalityTable]:
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
            kinds.append(_LegalityTable(choose, legal, bits))
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

    def _list_columns(self, kind: _LegalityTable) -> Iterator[tuple[Array, Array]]:
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
