"""Single-heap rulesets on a box of positions, bit-parallel along lines: the fast path.

A *line* is all positions that differ in one heap: the rest R, and a heap of 0, 1, ..., size.  One word of bits per line
holds a set of positions.  A heap h of a position s has a legal option in the set exactly where

    (bits of the line of s without h)  AND  (bits of the sizes that h may legally become)   is not 0,

whatever the ruleset allows.  Rows for all parameters lie side by side in the last axis, so one numpy operation serves
them all.  See docs/decisions/0002-exhaustive-engine.md for what was measured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from encoders.exhaustive.graph import Graph
from encoders.exhaustive.limits import MAX_EDGES, Clock, TooLarge
from encoders.exhaustive.moves import Moves, Parameters
from encoders.exhaustive.positions import PositionSet, box_size
from encoders.exhaustive.segments import owners
from encoders.exhaustive.values import Array, spans


@dataclass(frozen=True)
class _Kind:
    """Moves that choose their heap alike: `legal[q, mover, h, y]`, and the same as bits of y (h, word, q) by mover."""

    choose: str
    legal: Array
    bits: list[Array]


class Lines(Graph):
    """A single-heap ruleset on the box of at most `heaps` heaps of at most `size`."""

    def __init__(self, moves: Moves, parameters: list[Parameters], heaps: int, size: int, clock: Clock) -> None:
        ruleset = moves.ruleset
        super().__init__(1 if ruleset.impartial else max(1, _players(moves, parameters)), ruleset.stuck_wins, clock)
        self._edges: tuple[Array, Array] | None = None
        self.heaps, self.size = heaps, max(size, 1)
        self.words = self.size // 64 + 1
        if 8 * self.words * (self.size + 1) * len(parameters) * self.movers > 1 << 30:
            raise TooLarge(f"heaps of {size} under {len(parameters)} values of the parameters")
        self.positions = PositionSet.box(heaps, size)
        self.level = self.positions.rows.sum(axis=1)
        self.kinds = self._read(moves, parameters)
        # slots[j] = (positions with a heap in column j, their lines, that heap)
        self.lines = box_size(max(heaps - 1, 0), size) if heaps else 0
        self.slots = [self._slot(j) for j in range(heaps)]
        self.member = np.zeros((self.lines, self.size + 1), dtype=np.int64)
        self.member[:, 0] = np.arange(self.lines)
        for at, line, heap in self.slots:
            self.member[line, heap] = at

    def _read(self, moves: Moves, parameters: list[Parameters]) -> list[_Kind]:
        kinds = []
        for choose in ("any", "largest", "smallest"):
            same = [m for m in moves.ruleset.moves if m.choose == choose]
            if same:
                legal = np.zeros((len(parameters), self.movers, self.size + 1, self.size + 1), dtype=bool)
                for mover in range(self.movers):
                    for move in same:
                        legal[:, mover] |= moves.single_heap(move, parameters, mover, self.size)
                bits = [np.moveaxis(self._pack(legal[:, m]), 0, -1).copy() for m in range(self.movers)]
                kinds.append(_Kind(choose, legal, bits))
        return kinds

    def _pack(self, table: Array) -> Array:
        """Booleans (..., size + 1) as words (..., words), bit y of them for entry y."""
        packed = np.packbits(table, axis=-1, bitorder="little")
        room = 8 * self.words - packed.shape[-1]
        padded = np.pad(packed, [(0, 0)] * (packed.ndim - 1) + [(0, room)])
        return np.ascontiguousarray(padded).view("<u8")

    def _slot(self, column: int) -> tuple[Array, Array, Array]:
        rows = self.positions.rows
        at = np.flatnonzero(rows[:, column] > 0)
        rest = np.delete(rows[at], column, axis=1)
        return at, self.positions.find(rest), rows[at, column]

    def _movable(self, kind: _Kind, column: int) -> Array:
        """Which entries of slots[column] this kind of move may choose; equal heaps count once."""
        rows = self.positions.rows
        at = self.slots[column][0]
        if kind.choose == "largest":
            return np.full(len(at), column == self.heaps - 1)
        if column == 0:
            return np.ones(len(at), dtype=bool)
        before = rows[at, column - 1]
        return before == 0 if kind.choose == "smallest" else before != rows[at, column]

    # -- edges, for the general questions ---------------------------------------------------------------------------
    def legal(self, q: Array, mover: Array, edge: Array) -> Array:
        self.edges()
        mover = np.minimum(mover, self.movers - 1)
        result: Array | None = None
        for kind, chosen in zip(self.kinds, self._chosen, strict=True):
            allowed = kind.legal[q, mover, self._h[edge], self._y[edge]] & chosen[edge]
            result = allowed if result is None else result | allowed
        assert result is not None
        return result

    def edges(self) -> tuple[Array, Array]:
        if self._edges is None:
            self._edges = self._list_edges()
        return self._edges

    def _list_edges(self) -> tuple[Array, Array]:
        total = sum(int(h.sum()) for _, _, h in self.slots)
        if total > MAX_EDGES:
            raise TooLarge(f"{total} moves")
        parts: list[list[Array]] = []
        for column, (at, line, heap) in enumerate(self.slots):
            once = self.positions.rows[at, column - 1] != heap if column else np.ones(len(at), dtype=bool)
            at, line, heap = at[once], line[once], heap[once]
            owner = owners(heap)
            y = spans(np.zeros(len(heap), dtype=np.int64), heap)
            source, h = at[owner], heap[owner]
            flags = [self._chooses(kind, source, h) for kind in self.kinds]
            parts.append([source, self.member[line[owner], y], h, y, *flags])
        columns = [np.concatenate(x) for x in zip(*parts, strict=True)] if parts else []
        if not columns:
            columns = [np.zeros(0, dtype=np.int64) for _ in range(4)] + [np.zeros(0, dtype=bool) for _ in self.kinds]
        order = np.lexsort([columns[1], columns[0]])
        source, targets, self._h, self._y, *self._chosen = (c[order] for c in columns)
        return np.searchsorted(source, np.arange(len(self.positions) + 1)), targets

    def _chooses(self, kind: _Kind, source: Array, heap: Array) -> Array:
        rows = self.positions.rows[source]
        if kind.choose == "any":
            return np.ones(len(source), dtype=bool)
        if kind.choose == "largest":
            return np.asarray(heap == rows[:, -1])
        return np.asarray(heap == np.where(rows > 0, rows, np.iinfo(np.int64).max).min(axis=1))

    @property
    def degree(self) -> int:
        return -(-int(self.level.sum()) // max(len(self.positions), 1))

    # -- bit-parallel questions ---------------------------------------------------------------------------------------
    def hit(self, wanted: Array, q: Array, mover: Array) -> Array:
        groups = max(len(wanted), len(q), len(mover))
        out = np.zeros((groups, len(self.positions)), dtype=bool)
        if not self.lines:
            return out
        step = max(1, 64_000_000 // (self.lines * (self.size + 1) + len(self.positions) * self.words))
        for start in range(0, groups, step):
            self.clock.check()
            part = slice(start, min(start + step, groups))
            qs, ms = (np.broadcast_to(x, (groups,))[part] for x in (q, mover))
            rows = wanted if len(wanted) == 1 else wanted[part]
            words = np.moveaxis(self._pack(rows[:, self.member]), 0, -1)  # (line, word, group or 1)
            found = np.zeros((len(self.positions), part.stop - start), dtype=bool)
            for kind in self.kinds:
                mask = np.stack([kind.bits[m][:, :, i] for i, m in zip(qs, np.minimum(ms, self.movers - 1), strict=True)], axis=-1)
                for column, (at, line, heap) in enumerate(self.slots):
                    keep = self._movable(kind, column)
                    sel, lines, h = at[keep], line[keep], heap[keep]
                    for word in range(self.words):
                        found[sel] |= (words[lines, word] & mask[h, word]) != 0
            out[part] = found.T
        return out

    def has_option(self, q: Array) -> Array:
        out = np.zeros((len(q), self.movers, len(self.positions)), dtype=bool)
        for kind in self.kinds:
            some = kind.legal[q].any(axis=-1)  # (q, mover, h)
            for column, (at, _, heap) in enumerate(self.slots):
                keep = self._movable(kind, column)
                out[:, :, at[keep]] |= some[:, :, heap[keep]]
        return out

    def wins(self, q: Array) -> Array:
        """As in `Graph`, along lines: the losing positions met so far, one word per line, grow level by level."""
        size, count = len(self.positions), len(q)
        movable = np.moveaxis(self.has_option(q), 0, -1)  # (mover, position, q)
        won = np.zeros((self.movers, size, count), dtype=bool)
        losing = np.zeros((self.movers, self.lines, self.words, count), dtype=np.uint64)
        masks = [[np.ascontiguousarray(b[:, :, q]) for b in kind.bits] for kind in self.kinds]
        choices = [[self._by_level(column, self._movable(kind, column)) for column in range(self.heaps)] for kind in self.kinds]
        members = [self._by_level(column, None) for column in range(self.heaps)]
        order = np.argsort(self.level, kind="stable")
        cuts = np.searchsorted(self.level[order], np.arange(int(self.level.max(initial=0)) + 2))
        for total in range(len(cuts) - 1):
            at = order[cuts[total] : cuts[total + 1]]
            if not len(at):
                continue
            self.clock.check()
            for mover in range(self.movers):
                bits = losing[self.next_mover(mover)]
                for kind_number in range(len(self.kinds)):
                    mask = masks[kind_number][mover]
                    for sel, line, heap in (c[total] for c in choices[kind_number]):
                        for word in range(self.words):
                            won[mover, sel] |= (bits[line, word] & mask[heap, word]) != 0
                if self.stuck_wins:
                    won[mover, at] |= ~movable[mover, at]
            for mover in range(self.movers):
                for sel, line, heap in (m[total] for m in members):
                    lost = (~won[mover, sel]).astype(np.uint64) << (heap & 63).astype(np.uint64)[:, None]
                    losing[mover, line, heap >> 6] |= lost
                base = at[at < self.lines]
                losing[mover, base, 0] |= (~won[mover, base]).astype(np.uint64)
        return np.moveaxis(won, -1, 0)

    def _by_level(self, column: int, keep: Array | None) -> list[tuple[Array, Array, Array]]:
        """slots[column] (the entries `keep`) cut by the total of the position."""
        at, line, heap = self.slots[column] if keep is None else (x[keep] for x in self.slots[column])
        order = np.argsort(self.level[at], kind="stable")
        at, line, heap = at[order], line[order], heap[order]
        cuts = np.searchsorted(self.level[at], np.arange(int(self.level.max(initial=0)) + 2))
        return [(at[a:b], line[a:b], heap[a:b]) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]


def _players(moves: Moves, parameters: list[Parameters]) -> int:
    ruleset = moves.ruleset
    if ruleset.players:
        return len(ruleset.players)
    index = [p.name for p in ruleset.parameters].index(ruleset.player_count)
    return max((p[index] for p in parameters), default=1)
