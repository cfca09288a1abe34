"""The graph of any ruleset: the positions that can be reached from the given ones, found by playing."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import BadRuleset, Clock, TooLarge, group_digits
from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.positions import PositionSet, drop_empty_columns
from encoders.exhaustive.arrays.values import Array, Scalars
from encoders.exhaustive.play.graph import Graph
from encoders.exhaustive.play.moves import Moves, Parameters, bind_parameters

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
        found = self._explore(parameters, turns, np.unique(start))
        self.positions = PositionSet(drop_empty_columns(pool.rows[self.ids]))
        self.level = self._measure(self.ids, parameters)
        size = len(self)
        number = np.zeros(len(pool), dtype=np.int64)
        number[self.ids] = np.arange(size)
        keys = [number[source] * size + number[target] for source, target in found]
        distinct = np.unique(np.concatenate(keys))
        self._edges = np.searchsorted(distinct, np.arange(size + 1) * size), distinct % size
        if len(parameters) * self.movers * len(distinct) > MAX_LEGAL:
            raise TooLarge(f"{group_digits(len(distinct))} moves under {len(parameters)} values of the parameters")
        self._legal = np.zeros((len(parameters), self.movers, len(distinct)), dtype=bool)
        for (i, mover), key in zip(turns, keys, strict=True):
            self._legal[i, mover, np.searchsorted(distinct, key)] = True

    def list_edges(self) -> tuple[Array, Array]:
        return self._edges

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        return np.asarray(self._legal[q, np.minimum(mover, self.movers - 1), edge])

    def _explore(
        self, parameters: list[Parameters], turns: list[tuple[int, int]], start: Array
    ) -> list[tuple[Array, Array]]:
        """Find `ids`, in order; for each of `turns` (parameter, mover) the edges between them, as ids."""
        known = np.zeros(len(self.pool), dtype=bool)
        known[start] = True
        edges: list[list[tuple[Array, Array]]] = [[] for _ in turns]
        frontier, count = start, 0
        while len(frontier):
            rows = self.pool.rows[frontier]
            reached = [frontier]
            for (i, mover), found in zip(turns, edges, strict=True):
                self.clock.check()
                source, option = self.moves.list_options(rows, frontier, parameters[i], mover)
                found.append((frontier[source], self.pool.intern(option)))
                reached.append(np.unique(found[-1][1]))
                count += len(source)
                if count > limits.MAX_EDGES:
                    raise TooLarge(
                        f"more than {group_digits(limits.MAX_EDGES)} moves, over all values of the parameters"
                    )
            known = np.append(known, np.zeros(len(self.pool) - len(known), dtype=bool))
            met = np.unique(np.concatenate(reached))
            self._check_decrease(
                met,
                self._measure(met, parameters),
                [(i, found[-1]) for (i, _), found in zip(turns, edges, strict=True)],
            )
            frontier = met[~known[met]]
            known[frontier] = True
            if int(known.sum()) > limits.MAX_POSITIONS // 4:
                raise TooLarge(f"more than {group_digits(limits.MAX_POSITIONS // 4)} positions reachable")
        ids = np.flatnonzero(known)
        self.ids = ids[np.argsort(self.pool.rank[ids])]
        return [(np.concatenate([s for s, _ in x]), np.concatenate([t for _, t in x])) for x in edges]

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
