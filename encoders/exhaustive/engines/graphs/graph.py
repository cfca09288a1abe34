"""A game as a graph of positions, solved level by level: the questions every way of storing the moves must answer.

All moves of all players under all parameters are one list of edges; which of them are legal is a table.  Positions are
solved in the order of the measure, many at a time, and many parameters at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import BadRuleset, Deadline, TooLarge, group_digits
from encoders.exhaustive.arrays.positions import Pool, PositionSet, drop_empty_columns
from encoders.exhaustive.arrays.segments import list_distinct, list_owners, list_places, number_distinct, reduce_at
from encoders.exhaustive.arrays.values import Array, Scalars, join_spans
from encoders.exhaustive.moves.moves import Moves, Parameters, bind_parameters

_T = TypeVar("_T")


class Graph:
    """Positions 0..N-1 in order, edges sorted by (source, target), and the questions answered on them.

    Axes of every table: parameters (Q), mover (P; size 1 for an impartial ruleset), positions (N).
    """

    positions: PositionSet
    level: Array  # (1 or Q, N): a position's options have smaller ones
    ids: Array | None = None  # (N,): their ids in the pool, as far as they were asked for

    def __init__(self, movers: int, stuck_wins: bool, clock: Deadline) -> None:
        self.movers, self.stuck_wins, self.clock = movers, stuck_wins, clock

    def __len__(self) -> int:
        return len(self.positions)

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        """Whether the edge is a legal move at parameters q for the mover; the three arrays of numbers broadcast."""
        raise NotImplementedError

    def list_edges(self) -> tuple[Array, Array]:
        """(offsets, targets), (N + 1,) and (E,): position i has the edges offsets[i] .. offsets[i + 1] - 1.

        Raises TooLarge.
        """
        raise NotImplementedError

    @property
    def degree(self) -> int:
        """The average number of edges of a position, rounded up."""
        return -(-len(self.list_edges()[1]) // len(self))

    def find_edge(self, sources: Array, targets: Array) -> Array:
        """The number of the edge from sources[i] to targets[i], positions of the graph; -1 where there is none."""
        keys = self._edge_keys
        if not len(keys):
            return np.full(sources.shape, -1)
        wanted = sources * len(self) + targets
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, at, -1)

    @cached_property
    def _edge_keys(self) -> Array:
        offsets, targets = self.list_edges()
        return list_owners(np.diff(offsets)) * len(self) + targets

    # -- questions ------------------------------------------------------------------------------------------------
    def find_hits(self, wanted: Array, q: Array, mover: Array) -> Array:
        """Whether some legal option of each position is wanted; `wanted` (g, N), q and mover (g): the result (g, N).

        Each g may be 1 instead.
        """
        groups = max(len(wanted), len(q), len(mover))
        out = np.zeros((groups, len(self)), dtype=bool)
        offsets, targets = self.list_edges()
        every, lengths = np.arange(len(targets)), np.diff(offsets)
        for g in range(groups):
            self.clock.check()
            legal = self.is_legal(q[min(g, len(q) - 1)], mover[min(g, len(mover) - 1)], every)
            row = wanted[min(g, len(wanted) - 1)]
            out[g] = reduce_at(np.logical_or, legal & row[targets], lengths, 0, False)
        return out

    def has_option(self, q: Array) -> Array:
        """Whether each mover has a legal move; (len(q), P, N)."""
        everything = np.ones((1, len(self)), dtype=bool)
        tables = [self.find_hits(everything, q, np.array([m])) for m in range(self.movers)]
        return np.stack([np.broadcast_to(t, (len(q), t.shape[1])) for t in tables], axis=1)

    def solve_wins(self, q: Array) -> Array:
        """Two players: whether the mover wins, which is to say that the value is 0; (len(q), P, N)."""
        return np.asarray(self.solve_value(q, np.full(int(q.max(initial=0)) + 1, 2)) == 0)

    def solve_value(self, q: Array, players: Array) -> Array:
        """The n-player value; `players` is how many they are, by parameter; (len(q), P, N)."""
        return np.concatenate(
            self._solve_in_parts(q, lambda part, level: self._solve_value(part, level, players[part]))
        )

    def solve_grundy(self, q: Array) -> tuple[Array, Array]:
        """Grundy values and where they are ill-defined (players' options differ at or below); both (len(q), N)."""
        values, differ = zip(*self._solve_in_parts(q, self._solve_grundy), strict=True)
        return np.concatenate(values), np.concatenate(differ)

    # -- level by level -------------------------------------------------------------------------------------------
    def _solve_in_parts(self, q: Array, solve: Callable[[Array, Array], _T]) -> list[_T]:
        """`solve(part of q, level)` for parts of the parameters that have the same levels and fit into memory."""
        if len(self.level) > 1:
            return [solve(q[i : i + 1], self.level[q[i]]) for i in range(len(q))]
        _, _, level = number_distinct(self.level[0])  # it may be large, and reached by few positions
        widest = np.bincount(level, weights=np.diff(self.list_edges()[0])).max()
        step = max(1, limits.MAX_CELLS // int(widest + len(self)))  # a level at once, between looks at the clock
        return [solve(q[i : i + step], self.level[0]) for i in range(0, max(len(q), 1), step)]

    def _iterate_levels(self, level: Array) -> Iterator[tuple[Array, Array, Array]]:
        """Positions of one level after the other, lowest first: (positions, edges of each, all their edges)."""
        offsets, _ = self.list_edges()
        order = np.argsort(level, kind="stable")
        cuts = np.flatnonzero(np.diff(level[order])) + 1
        for at in np.split(order, cuts):
            self.clock.check()
            lengths = offsets[at + 1] - offsets[at]
            yield at, lengths, join_spans(offsets[at], lengths)

    def _solve_value(self, q: Array, level: Array, players: Array) -> Array:
        out = np.zeros((len(q), self.movers, len(self)), dtype=np.int64)
        stuck = np.zeros_like(players) if self.stuck_wins else players - 1
        far, targets = np.iinfo(np.int64).max, self.list_edges()[1]
        for at, lengths, edges in self._iterate_levels(level):
            for mover in range(self.movers):
                legal = self.is_legal(q[:, None], np.array(mover), edges[None, :])
                offers = (self._read_next(out, mover, players)[:, targets[edges]] + 1) % players[:, None]
                best = reduce_at(np.minimum, np.where(legal, offers, far), lengths, 1, far)
                out[:, mover, at] = np.where(best == far, stuck[:, None], best)
        return out

    def _read_next(self, out: Array, mover: int, players: Array) -> Array:
        """The values with the next player to move; the number of players may differ between parameters."""
        if self.movers == 1:
            return out[:, 0]
        following = (mover + 1) % players
        return np.take_along_axis(out, following[:, None, None], axis=1)[:, 0]

    def _solve_grundy(self, q: Array, level: Array) -> tuple[Array, Array]:
        out = np.zeros((len(q), len(self)), dtype=np.int64)
        differ = np.zeros((len(q), len(self)), dtype=bool)
        for at, lengths, edges in self._iterate_levels(level):
            legal = self.is_legal(q[:, None], np.array(0), edges[None, :])
            targets = self.list_edges()[1][edges]
            out[:, at] = _find_mex(out[:, targets], legal, lengths)
            wrong = differ[:, targets] & legal
            for mover in range(1, self.movers):
                wrong |= self.is_legal(q[:, None], np.array(mover), edges[None, :]) != legal
            if wrong.any():
                differ[:, at] = reduce_at(np.logical_or, wrong, lengths, 1, False)
        return out, differ


def _find_mex(values: Array, legal: Array, lengths: Array) -> Array:
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


# -- edge graph -------------------------------------------------------------------------------------------------------
# The graph of any ruleset: the positions that can be reached from the given ones, found by playing.


_SOURCES, _EDGES = 256, 1_000_000  # of how many positions at first, and about how many edges, are found at once
_CROWD = 8  # positions of a level, on average: with fewer a look at each of them takes less than a step for each level
_EVERY = 4096  # positions between two looks at the clock
MAX_LEGAL = 1_000_000_000  # entries of the table of legal moves, a byte each


class EdgeGraph(Graph):
    """The general path, for every ruleset. `players`: how many they are, by parameter; `start`: pool ids."""

    def __init__(
        self, moves: Moves, parameters: list[Parameters], players: Array, start: Array, pool: Pool, clock: Deadline
    ) -> None:
        ruleset = moves.ruleset
        super().__init__(1 if ruleset.impartial else int(players.max()), ruleset.stuck_wins, clock)
        self.moves, self.pool = moves, pool
        turns = [(i, m) for i, n in enumerate(players.tolist()) for m in range(min(self.movers, n))]
        self.ids, found = self._explore(parameters, turns, list_distinct(start))
        self.positions = PositionSet(drop_empty_columns(pool.rows[self.ids]))
        self.level = self._measure(self.ids, parameters)
        self._edges, self._legal = self._sort(self.ids, found, turns, len(parameters))
        if len(self.level) == 1 and len(self) < _CROWD * len(list_distinct(self.level[0])):
            self.level = self._count_moves()[None, :]

    def _sort(
        self, ids: Array, found: list[list[tuple[Array, Array]]], turns: list[tuple[int, int]], parameters: int
    ) -> tuple[tuple[Array, Array], Array]:
        """The edges, as `list_edges` gives them, and which are legal, (parameters, movers, edges), from `_explore`."""
        size = len(self)
        number = np.zeros(len(self.pool), dtype=np.int64)
        number[ids] = np.arange(size)
        batches, keys, degrees = [], [], np.zeros(size, dtype=np.int64)
        for edges in found:
            self.clock.check()
            keys.append([number[source] * size + number[target] for source, target in edges])
            batches.append(list_distinct(np.concatenate(keys[-1])))
            source, first = _find_sources(batches[-1], size)
            degrees[source[first]] = np.diff(first, append=len(source))
        offsets = np.concatenate([[0], np.cumsum(degrees)])
        count = int(offsets[-1])
        if parameters * self.movers * count > MAX_LEGAL:
            raise TooLarge(f"{group_digits(count)} moves under {parameters} values of the parameters")
        targets, legal = np.zeros(count, dtype=np.int64), np.zeros((parameters, self.movers, count), dtype=bool)
        for distinct, batch in zip(batches, keys, strict=True):
            self.clock.check()
            source, first = _find_sources(distinct, size)
            place = offsets[source] + list_places(np.diff(first, append=len(source)))
            targets[place] = distinct % size
            for (i, mover), key in zip(turns, batch, strict=True):
                legal[i, mover, place[np.searchsorted(distinct, key)]] = True
        return (offsets, targets), legal

    def _count_moves(self) -> Array:
        """How many moves the longest play from each position has: levels like those of the measure, but fewer."""
        offsets, targets = self._edges
        ends, moves = offsets.tolist(), np.zeros(len(self), dtype=np.int64)
        for at, i in enumerate(np.argsort(self.level[0], kind="stable").tolist()):
            if not at % _EVERY:
                self.clock.check()
            moves[i] = moves[targets[ends[i] : ends[i + 1]]].max(initial=-1) + 1
        return moves

    def list_edges(self) -> tuple[Array, Array]:
        return self._edges

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        return np.asarray(self._legal[q, np.minimum(mover, self.movers - 1), edge])

    def _explore(
        self, parameters: list[Parameters], turns: list[tuple[int, int]], start: Array
    ) -> tuple[Array, list[list[tuple[Array, Array]]]]:
        """The ids of all positions, in order, and the edges between them, as ids.

        The edges come in batches, for each of `turns` (parameter, mover); no two batches share a source.
        """
        known = np.zeros(len(self.pool), dtype=bool)
        known[start] = True
        batches: list[list[tuple[Array, Array]]] = []
        waiting, count, step = [start], 0, _SOURCES
        while waiting:
            frontier = waiting.pop()
            if len(frontier) > step:
                waiting.append(frontier[step:])
                frontier = frontier[:step]
            batch = [self._list_edges(frontier, parameters[i], mover) for i, mover in turns]
            batches.append(batch)
            made = sum(len(source) for source, _ in batch)
            count += made
            if count > limits.MAX_EDGES:
                raise TooLarge(f"more than {group_digits(limits.MAX_EDGES)} moves, over all values of the parameters")
            step = max(1, min(2 * step, _EDGES * len(frontier) // max(made, 1)))
            known = np.append(known, np.zeros(len(self.pool) - len(known), dtype=bool))
            met = list_distinct(np.concatenate([frontier, *(target for _, target in batch)]))
            edges = [(i, found) for (i, _), found in zip(turns, batch, strict=True)]
            self._check_decrease(met, self._measure(met, parameters), edges)
            fresh = met[~known[met]]
            known[fresh] = True
            if len(fresh):
                waiting.append(fresh)
            if int(known.sum()) > limits.MAX_POSITIONS // 4:
                raise TooLarge(f"more than {group_digits(limits.MAX_POSITIONS // 4)} positions reachable")
        ids = np.flatnonzero(known)
        return ids[np.argsort(self.pool.rank[ids])], batches

    def _list_edges(self, sources: Array, parameters: Parameters, mover: int) -> tuple[Array, Array]:
        """Both ends of the edges from some positions, all as ids."""
        self.clock.check()
        owner, options = self.moves.list_options(self.pool.rows[sources], sources, parameters, mover)
        return sources[owner], self.pool.intern(options)

    def _measure(self, ids: Array, parameters: list[Parameters]) -> Array:
        """The measure of each position, (1, n), or (Q, n) where it depends on the parameters."""
        measure, ruleset = self.moves.ruleset.measure, self.moves.ruleset
        if measure is None:
            return np.asarray(self.pool.rows[ids].sum(axis=1)[None, :])
        names = bind_parameters(ruleset, parameters) | {"s": Scalars(ids[None, :])}
        fault = BadRuleset(f"the measure of {ruleset.id} is ill-defined at some position")
        value = self.moves.evaluator.evaluate_everywhere(measure, Frame(len(parameters), len(ids), names), fault)
        assert isinstance(value, Scalars)
        if value.data.dtype == object:
            raise TooLarge(f"a measure of {ruleset.id} of 2^62 or more")
        return np.broadcast_to(value.data, (value.data.shape[0], len(ids)))

    def _check_decrease(self, met: Array, level: Array, edges: list[tuple[int, tuple[Array, Array]]]) -> None:
        """Refuse a move, given by parameter, that does not decrease the measure `level` of the positions `met`."""
        for i, (sources, targets) in edges:
            before, after = (level[min(i, len(level) - 1), np.searchsorted(met, x)] for x in (sources, targets))
            wrong = (after >= before) | (before < 0)
            if wrong.any():
                s, t = (self.pool.heaps(int(x[int(np.argmax(wrong))])) for x in (sources, targets))
                raise BadRuleset(f"the move {s} -> {t} of {self.moves.ruleset.id} does not decrease the measure")


def _find_sources(edges: Array, size: int) -> tuple[Array, Array]:
    """Of ascending source * size + target the source of each, and where the edges of each source begin."""
    source = edges // size
    return source, np.flatnonzero(np.diff(source, prepend=-1))
