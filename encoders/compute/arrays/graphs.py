"""A game as a graph of positions, solved level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar

import numpy as np

from encoders.compute.arrays import limits
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooLarge, group_digits
from encoders.compute.arrays.moves import Moves, Parameters, bind_parameters
from encoders.compute.arrays.positions import Pool, PositionSet, drop_empty_columns
from encoders.compute.arrays.values import (
    Array,
    Frame,
    Scalars,
    join_spans,
    list_distinct,
    list_owners,
    list_places,
    number_distinct,
    reduce_at,
)

# == graph ============================================================================================================
# A game as a graph of positions, solved level by level.
#
# The moves of all players for all parameters form one list of edges. `is_legal` tells for which mover and parameters an
# edge is a legal move. Positions are solved in the order of the measure, many positions and many parameters at once.
_T = TypeVar("_T")


class Graph:
    """The graph of a game: its positions in order, and edges from each position to its options.

    An edge is a move that is legal for some player and some choice of parameters. The edges are sorted by the number of
    their source, then by the number of their target.

    `movers`: the number of players; 1 if the ruleset is impartial.
    `stuck_wins`: whether a player who cannot move wins.
    """

    positions: PositionSet
    level: Array  # (1 or Q, N): the options of a position have smaller levels
    ids: Array | None = None  # (N,): the pool ids of the positions, once they are known

    def __init__(self, movers: int, stuck_wins: bool, clock: Deadline) -> None:
        self.movers, self.stuck_wins, self.clock = movers, stuck_wins, clock

    def __len__(self) -> int:
        return len(self.positions)

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        """Return whether an edge is a legal move of a mover for a choice of parameters.

        `q`, `mover`, `edge`: the numbers of the choice, of the player and of the edge. The three arrays broadcast.
        """
        raise NotImplementedError

    def list_edges(self) -> tuple[Array, Array]:
        """Return two arrays, `offsets` and `targets`. Raise TooLarge.

        Position i has the edges number offsets[i], ..., offsets[i + 1] - 1. Edge e leads to position targets[e].
        """
        raise NotImplementedError

    @property
    def degree(self) -> int:
        """The average number of edges of a position, rounded up."""
        return -(-len(self.list_edges()[1]) // len(self))

    def find_edge(self, sources: Array, targets: Array) -> Array:
        """Return, for each i, the number of the edge from position sources[i] to targets[i]; -1 if there is none."""
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
        """Return a table: element [i, n] is whether a legal move leads from position n into a set of positions.

        `wanted[i, m]`: whether position m is in the set. `q[i]`: the number of the choice of parameters.
        `mover[i]`: the player who moves. An argument of length 1 is used for every i.
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
        """Return a table: element [i, mover, n] is whether the mover has a move at position n.

        `q[i]`: the number of the choice of parameters.
        """
        everything = np.ones((1, len(self)), dtype=bool)
        tables = [self.find_hits(everything, q, np.array([m])) for m in range(self.movers)]
        return np.stack([np.broadcast_to(t, (len(q), t.shape[1])) for t in tables], axis=1)

    def solve_wins(self, q: Array) -> Array:
        """Return a table: element [i, mover, n] is whether the mover wins at position n.

        `q[i]`: the number of the choice of parameters. The game must have two players.
        """
        return np.asarray(self.solve_value(q, np.full(int(q.max(initial=0)) + 1, 2)) == 0)

    def solve_value(self, q: Array, players: Array) -> Array:
        """Return a table: element [i, mover, n] is the winner at position n.

        The winner is 0 for the mover, 1 for the next player, and so on. `q[i]`: the number of the choice of parameters.
        `players`: the number of players for every choice of parameters, not only for those in `q`.
        """
        return np.concatenate(
            self._solve_in_parts(q, lambda part, level: self._solve_value(part, level, players[part]))
        )

    def solve_grundy(self, q: Array) -> tuple[Array, Array]:
        """Return two tables. Element [i, n] is about position n and the choice of parameters with the number q[i].

        The first table contains the Grundy value of the position. The second tells whether the players have different
        moves at the position or at a follower. In this case the Grundy value is meaningless.
        """
        values, differ = zip(*self._solve_in_parts(q, self._solve_grundy), strict=True)
        return np.concatenate(values), np.concatenate(differ)

    # -- level by level -------------------------------------------------------------------------------------------
    def _solve_in_parts(self, q: Array, solve: Callable[[Array, Array], _T]) -> list[_T]:
        """Cut `q` into parts that fit into memory, and return the results of `solve(part, level)` for them.

        `level`: for each position, a number that is larger than the numbers of its options. If these numbers depend on
        the parameters, each part contains only one choice of parameters.
        """
        if len(self.level) > 1:
            return [solve(q[i : i + 1], self.level[q[i]]) for i in range(len(q))]
        _, _, level = number_distinct(self.level[0])  # renumber: levels may be large, although few of them occur
        widest = np.bincount(level, weights=np.diff(self.list_edges()[0])).max()
        # one level is solved at once between two checks of the clock
        step = max(1, limits.MAX_CELLS // int(widest + len(self)))
        return [solve(q[i : i + step], self.level[0]) for i in range(0, max(len(q), 1), step)]

    def _iterate_levels(self, level: Array) -> Iterator[tuple[Array, Array, Array]]:
        """Yield three arrays for each level, the lowest level first.

        They contain the positions of this level, the number of edges of each position, and the numbers of all their
        edges.
        """
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
        """Return the results for the player after `mover`: a table with an element [i, n] for each position n.

        `out[i, mover, n]`: the results for all players, for the i-th choice of parameters.
        `players[i]`: the number of players.
        """
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
    """Return a table: element [i, n] is the mex of the Grundy values of the legal options of the n-th position.

    `values[i, e]`, `legal[i, e]`: the Grundy value of the target of edge e, and whether the edge is legal, for the i-th
    choice of parameters. `lengths[n]`: the number of edges of the n-th position. Edges are sorted by position.
    """
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
# The graph of any ruleset: the positions that are reachable from given positions.


_SOURCES, _EDGES = 256, 1_000_000  # positions in the first step, and edges in each later step
_CROWD = 8  # with fewer positions per level on average, new levels are computed (`_count_moves`)
_EVERY = 4096  # positions between two checks of the clock
MAX_LEGAL = 1_000_000_000  # entries of the table of legal moves, one byte each


class EdgeGraph(Graph):
    """The graph for any ruleset. Its positions are the positions `start` and all their followers.

    `parameters`: the choices of parameters. `players`: the number of players for each choice.
    `start`: positions, as their ids (numbers in `pool`).

    Raises TooLarge, BadRuleset and OutOfTime.
    """

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
        """Return the edges as `list_edges` does, and a table: element [q, mover, e] is whether edge e is legal.

        `ids`: the ids of the positions, in order. `found`: the batches of moves from `_explore`.
        `turns`: the turns (parameters, mover) that the entries of a batch belong to.
        `parameters`: the number of choices of parameters.
        """
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
            raise TooLarge(
                f"a table of {group_digits(count)} moves for each of {parameters} parameter choices would be too large"
            )
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
        """Return, for each position, the largest number of moves that can still be played from it.

        An option has a smaller number than its position, so these numbers can be used as levels.
        """
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
        """Return the ids of the positions `start` and all their followers, in order, and all their moves in batches.

        A batch contains all moves from some positions, and each position is in one batch. For each of the `turns`
        (number of the choice of parameters, mover), it contains two arrays: the ids of the sources and of the targets
        of the moves.
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
                raise TooLarge(
                    f"more than {group_digits(limits.MAX_EDGES)} moves, for all parameters together, would be needed"
                )
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
                raise TooLarge(f"more than {group_digits(limits.MAX_POSITIONS // 4)} positions are reachable")
        ids = np.flatnonzero(known)
        return ids[np.argsort(self.pool.rank[ids])], batches

    def _list_edges(self, sources: Array, parameters: Parameters, mover: int) -> tuple[Array, Array]:
        """Return two arrays for all moves from the positions `sources`: the ids of the positions and of the options."""
        self.clock.check()
        owner, options = self.moves.list_options(self.pool.rows[sources], sources, parameters, mover)
        return sources[owner], self.pool.intern(options)

    def _measure(self, ids: Array, parameters: list[Parameters]) -> Array:
        """Return a table: element [q, i] is the measure of the position ids[i] for the choice of parameters number q.

        If the measure does not depend on the parameters, the table has a single row.
        """
        measure, ruleset = self.moves.ruleset.measure, self.moves.ruleset
        if measure is None:
            return np.asarray(self.pool.rows[ids].sum(axis=1)[None, :])
        names = bind_parameters(ruleset, parameters) | {"s": Scalars(ids[None, :])}
        fault = BadRuleset(f"the measure of {ruleset.id} is ill-defined at some position")
        value = self.moves.evaluator.evaluate_everywhere(measure, Frame(len(parameters), len(ids), names), fault)
        assert isinstance(value, Scalars)
        if value.data.dtype == object:
            raise TooLarge(f"the measure of {ruleset.id} is 2^62 or more at some position")
        return np.broadcast_to(value.data, (value.data.shape[0], len(ids)))

    def _check_decrease(self, met: Array, level: Array, edges: list[tuple[int, tuple[Array, Array]]]) -> None:
        """Raise BadRuleset for a move that does not decrease the measure, or that starts at a negative measure.

        `level`: the measures of the positions `met`, as `_measure` returns them. `met` is ascending.
        `edges`: for each turn, the number of the choice of parameters, and the sources and targets of the moves.
        """
        for i, (sources, targets) in edges:
            before, after = (level[min(i, len(level) - 1), np.searchsorted(met, x)] for x in (sources, targets))
            wrong = (after >= before) | (before < 0)
            if wrong.any():
                s, t = (self.pool.heaps(int(x[int(np.argmax(wrong))])) for x in (sources, targets))
                ruleset = self.moves.ruleset
                what = "total" if ruleset.measure is None else "measure"
                raise BadRuleset(f"the move {s} -> {t} of {ruleset.id} does not decrease the {what}")


def _find_sources(edges: Array, size: int) -> tuple[Array, Array]:
    """Return two arrays: the source of each edge, and the index of the first edge of each source.

    `edges`: for each edge, the number source * `size` + target. These numbers are ascending.
    """
    source = edges // size
    return source, np.flatnonzero(np.diff(source, prepend=-1))
