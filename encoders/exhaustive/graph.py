"""A game as a graph of positions, solved level by level: the general path, for every ruleset.

All moves of all players under all parameters are one list of edges; which of them are legal is a table.  Positions are
solved in the order of the measure, many at a time, and all parameters at once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from encoders.exhaustive.limits import MAX_POSITIONS, BadRuleset, Clock, TooLarge
from encoders.exhaustive.moves import Moves, Parameters
from encoders.exhaustive.positions import Pool, PositionSet, fit
from encoders.exhaustive.segments import reduce_at
from encoders.exhaustive.values import Array, Scalars, spans


class Graph:
    """Positions 0..N-1 in order, edges sorted by (source, target), and the questions answered on them.

    Axes of every table: parameters (Q), mover (P; size 1 for an impartial ruleset), positions (N).
    """

    positions: PositionSet
    level: Array  # (N,): a position's options have smaller ones

    def __init__(self, movers: int, stuck_wins: bool, clock: Clock) -> None:
        self.movers, self.stuck_wins, self.clock = movers, stuck_wins, clock

    def legal(self, q: Array, mover: Array, edge: Array) -> Array:
        """Whether the edge is a legal move; the three arrays broadcast."""
        raise NotImplementedError

    def edges(self) -> tuple[Array, Array]:
        """(offsets, targets): the edges of position i are those numbered offsets[i] .. offsets[i + 1] - 1."""
        raise NotImplementedError

    def next_mover(self, mover: int) -> int:
        """The player after `mover`, as an index of the tables' mover axis."""
        return (mover + 1) % self.movers

    @property
    def degree(self) -> int:
        """The average number of edges of a position, rounded up."""
        return -(-len(self.edges()[1]) // max(len(self.positions), 1))

    # -- questions ------------------------------------------------------------------------------------------------
    def hit(self, wanted: Array, q: Array, mover: Array) -> Array:
        """Whether some legal option of each position is wanted; `wanted` (g, N), q and mover (g): the result (g, N)."""
        groups = max(len(wanted), len(q), len(mover))
        out = np.zeros((groups, len(self.positions)), dtype=bool)
        offsets, targets = self.edges()
        lengths = np.diff(offsets)
        for g in range(groups):
            self.clock.check()
            legal = self.legal(q[min(g, len(q) - 1)], mover[min(g, len(mover) - 1)], np.arange(len(targets)))
            row = wanted[min(g, len(wanted) - 1)]
            out[g] = reduce_at(np.logical_or, legal & row[targets], lengths, 0, False)
        return out

    def has_option(self, q: Array) -> Array:
        """Whether each mover has a legal move; (len(q), P, N)."""
        everything = np.ones((1, len(self.positions)), dtype=bool)
        tables = [self.hit(everything, q, np.array([m])) for m in range(self.movers)]
        return np.stack([np.broadcast_to(t, (len(q), t.shape[1])) for t in tables], axis=1)

    def wins(self, q: Array) -> Array:
        """Two players: whether the mover wins; (len(q), P, N)."""
        out = np.zeros((len(q), self.movers, len(self.positions)), dtype=bool)
        targets = self.edges()[1]
        for at, lengths, edges in self._levels():
            for mover in range(self.movers):
                legal = self.legal(q[:, None], np.int64(mover), edges[None, :])
                losing = ~out[:, self.next_mover(mover)][:, targets[edges]]
                best = reduce_at(np.logical_or, legal & losing, lengths, 1, False)
                movable = reduce_at(np.logical_or, legal, lengths, 1, False)
                out[:, mover, at] = np.where(movable, best, self.stuck_wins)
        return out

    def value(self, q: Array, players: Array) -> Array:
        """The n-player value; `players` (len(q)) is how many they are; (len(q), P, N)."""
        out = np.zeros((len(q), self.movers, len(self.positions)), dtype=np.int64)
        stuck = np.zeros_like(players) if self.stuck_wins else players - 1
        far, targets = np.iinfo(np.int64).max, self.edges()[1]
        for at, lengths, edges in self._levels():
            for mover in range(self.movers):
                legal = self.legal(q[:, None], np.int64(mover), edges[None, :])
                after = self._after(out, mover, players)
                offers = (after[:, targets[edges]] + 1) % players[:, None]
                best = reduce_at(np.minimum, np.where(legal, offers, far), lengths, 1, far)
                out[:, mover, at] = np.where(best == far, stuck[:, None], best)
        return out

    def _after(self, out: Array, mover: int, players: Array) -> Array:
        if self.movers == 1:
            return out[:, 0]
        following = (mover + 1) % players  # the number of players may differ between parameters
        return np.take_along_axis(out, following[:, None, None], axis=1)[:, 0]

    def grundy(self, q: Array) -> tuple[Array, Array]:
        """Grundy values and where they are ill-defined (players' options differ at or below); both (len(q), N)."""
        out = np.zeros((len(q), len(self.positions)), dtype=np.int64)
        differ = np.zeros((len(q), len(self.positions)), dtype=bool)
        for at, lengths, edges in self._levels():
            legal = self.legal(q[:, None], np.int64(0), edges[None, :])
            targets = self.edges()[1][edges]
            out[:, at] = _mex(out[:, targets], legal, lengths)
            wrong = differ[:, targets] & legal
            for mover in range(1, self.movers):
                wrong |= self.legal(q[:, None], np.int64(mover), edges[None, :]) != legal
            if wrong.any():
                differ[:, at] = reduce_at(np.logical_or, wrong, lengths, 1, False)
        return out, differ

    def find_edge(self, sources: Array, targets: Array) -> Array:
        """The number of each edge, -1 where there is none."""
        keys = self._edge_keys()
        wanted = sources * len(self.positions) + targets
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        return np.where(keys[at] == wanted, at, -1) if len(keys) else np.full(wanted.shape, -1)

    def _edge_keys(self) -> Array:
        if not hasattr(self, "_keys"):
            offsets, targets = self.edges()
            self._keys = np.repeat(np.arange(len(self.positions)), np.diff(offsets)) * len(self.positions) + targets
        return self._keys

    def _levels(self) -> Iterator[tuple[Array, Array, Array]]:
        """Positions of one level after the other, lowest first: (positions, edges of each, all their edges)."""
        offsets, _ = self.edges()
        order = np.argsort(self.level, kind="stable")
        cuts = np.flatnonzero(np.diff(self.level[order])) + 1
        for at in np.split(order, cuts):
            self.clock.check()
            lengths = offsets[at + 1] - offsets[at]
            yield at, lengths, spans(offsets[at], lengths)


class EdgeGraph(Graph):
    """The graph of any ruleset: the positions that can be reached from the given ones, found by playing."""

    def __init__(self, moves: Moves, parameters: list[Parameters], start: Array, pool: Pool, clock: Clock) -> None:
        """`start`: rows of positions."""
        ruleset = moves.ruleset
        movers = 1 if ruleset.impartial else len(ruleset.players) or max(p[_count(moves)] for p in parameters)
        super().__init__(movers, ruleset.stuck_wins, clock)
        self.positions, found = self._explore(moves, parameters, start, pool)
        self.level = self._measure(moves, pool)
        size = len(self.positions)
        keys = [s * size + t for s, t in found]
        distinct = np.unique(np.concatenate(keys)) if keys else np.zeros(0, dtype=np.int64)
        sources, targets = distinct // max(size, 1), distinct % max(size, 1)
        self._edges = np.searchsorted(sources, np.arange(size + 1)), targets
        if bool((self.level[targets] >= self.level[sources]).any()):
            i = int(np.argmax(self.level[targets] >= self.level[sources]))
            rows = self.positions.rows
            s, t = (tuple(int(h) for h in rows[x[i]] if h) for x in (sources, targets))
            raise BadRuleset(f"the move {s} -> {t} of {ruleset.id} does not decrease the measure")
        self._legal = np.zeros((len(parameters), movers, len(distinct)), dtype=bool)
        for i, key in enumerate(keys):
            self._legal[i // movers, i % movers, np.searchsorted(distinct, key)] = True

    def edges(self) -> tuple[Array, Array]:
        return self._edges

    def legal(self, q: Array, mover: Array, edge: Array) -> Array:
        return np.asarray(self._legal[q, np.minimum(mover, self.movers - 1), edge])

    def _explore(
        self, moves: Moves, parameters: list[Parameters], start: Array, pool: Pool
    ) -> tuple[PositionSet, list[tuple[Array, Array]]]:
        known = PositionSet.of(start)
        frontier = known.rows
        while len(frontier):
            self.clock.check()
            reached = [frontier[:0]]
            ids = pool.intern(frontier) if moves.ruleset.sees_position else np.zeros(len(frontier), dtype=np.int64)
            for p in parameters:
                for mover in range(self.movers):
                    reached.append(np.unique(moves.options(frontier, ids, p, mover)[1], axis=0))
            width = max(int(np.count_nonzero(r, axis=1).max(initial=1)) for r in [*reached, known.rows])
            rows = np.concatenate([fit(r, width)[:, -width:] for r in reached])
            frontier = np.unique(rows[known.find(rows) < 0], axis=0)
            if len(known) + len(frontier) > MAX_POSITIONS // 4:
                raise TooLarge(f"more than {MAX_POSITIONS // 4} positions reachable")
            known = PositionSet.of(np.concatenate([fit(known.rows, width)[:, -width:], frontier]))
        edges = []
        ids = pool.intern(known.rows) if moves.ruleset.sees_position else np.zeros(len(known), dtype=np.int64)
        for p in parameters:
            for mover in range(self.movers):
                sources, options = moves.options(known.rows, ids, p, mover)
                edges.append((sources, known.find(options)))
        return known, edges

    def _measure(self, moves: Moves, pool: Pool) -> Array:
        measure = moves.ruleset.measure
        if measure is None:
            return self.positions.rows.sum(axis=1)
        from encoders.exhaustive.frame import Frame

        names = {"s": Scalars(pool.intern(self.positions.rows)[None, :])}
        value = moves.evaluator.scalars(measure, Frame(1, len(self.positions), dict(names)))
        return np.broadcast_to(value.data, (1, len(self.positions))).ravel()


def _count(moves: Moves) -> int:
    return [p.name for p in moves.ruleset.parameters].index(moves.ruleset.player_count)


def _mex(values: Array, legal: Array, lengths: Array) -> Array:
    """mex over stretches of (Q, E) values, the legal ones: words of 64 values, the lowest one not full decides."""
    groups = values.shape[0]
    result = np.zeros((groups, len(lengths)), dtype=np.int64)
    open_ = np.ones((groups, len(lengths)), dtype=bool)
    for word in range(int(lengths.max(initial=0)) // 64 + 1):
        inside = legal & (values >> 6 == word)
        bits = np.where(inside, np.uint64(1) << (values & 63).astype(np.uint64), np.uint64(0))
        seen = reduce_at(np.bitwise_or, bits, lengths, 1, 0)
        missing = ~seen
        lowest = missing & (~missing + np.uint64(1))  # the lowest bit that is 0 in seen
        place = np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1  # powers of two are exact
        result = np.where(open_ & (missing != 0), 64 * word + place, result)
        open_ &= missing == 0
        if not open_.any():
            break
    return result
