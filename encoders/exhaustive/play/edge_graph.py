"""The graph of any ruleset: the positions that can be reached from the given ones, found by playing."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import BadRuleset, Clock, TooLarge, group_digits
from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.positions import PositionSet, drop_empty_columns
from encoders.exhaustive.arrays.segments import list_distinct, list_places
from encoders.exhaustive.arrays.values import Array, Scalars
from encoders.exhaustive.play.graph import Graph
from encoders.exhaustive.play.moves import Moves, Parameters, bind_parameters

_SOURCES, _EDGES = 256, 1_000_000  # of how many positions at first, and about how many edges, are found at once
_CROWD = 8  # positions of a level, on average: with fewer a look at each of them takes less than a step for each level
_EVERY = 4096  # positions between two looks at the clock
MAX_LEGAL = 1_000_000_000  # entries of the table of legal moves, a byte each


class EdgeGraph(Graph):
    """The general path, for every ruleset. `players`: how many they are, by parameter; `start`: pool ids."""

    def __init__(
        self, moves: Moves, parameters: list[Parameters], players: Array, start: Array, pool: Pool, clock: Clock
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
