"""Games with moves on several heaps on a box of positions, by shifted bits: Wythoff's game, Moore's Nim and others.

Which rulesets these are is for `recognise` to say; what it says is compared with the moves themselves each time, at
every position of a small box and at large ones.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.limits import BadRuleset, Deadline, TooLarge
from encoders.exhaustive.arrays.positions import (
    Pool,
    PositionSet,
    add_heaps,
    count_box,
    count_heaps,
    drop_empty_columns,
    fit,
    list_box,
    sort_heaps,
)
from encoders.exhaustive.arrays.segments import find_new
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.engines.graphs.graph import EdgeGraph, Graph
from encoders.exhaustive.engines.shifted import kinds as values
from encoders.exhaustive.engines.shifted.kinds import Kinds, pack_bits, unpack_bits
from encoders.exhaustive.engines.shifted.recognise import NotRecognised, may_serve, recognise
from encoders.exhaustive.engines.shifted.solve import Rows, RowSolver
from encoders.exhaustive.moves.moves import Moves, Parameters

NAME = "shifted bits"
MAX_TABLES = 200_000_000  # bits in the tables of all parameters
MAX_ROWS = 400_000  # rows of the box, each of which may stand for several integers
_SMALL = (3, 4)  # heaps and size of the box on which the moves are compared
_COMPARED = 20_000  # about so many moves of one large position are compared
# Microseconds: of each mover and choice of parameters, and of a move, in the general graph; of each of the former, of a
# shift and of a position here. Roughly; the two ways are far apart where it matters.
_EDGES, _EDGE, _TABLES, _STEP, _POSITION = 5_000.0, 1.0, 9_000.0, 0.4, 1.0
_MOVES_AT_MOST = 20_000_000  # as many moves go through the general graph where no row-by-row way to values is quick


class ShiftedBits(Graph):
    """The box of at most `heaps` >= 1 heaps of at most `size`; `kinds`: by parameter and mover."""

    def __init__(
        self,
        moves: Moves,
        parameters: list[Parameters],
        kinds: list[list[Kinds]],
        heaps: int,
        pool: Pool,
        clock: Deadline,
    ) -> None:
        super().__init__(len(kinds[0]), moves.ruleset.stuck_wins, clock)
        self.moves, self.parameters, self.kinds, self.pool = moves, parameters, kinds, pool
        self.size = kinds[0][0].size
        self.positions = PositionSet.box(heaps, self.size)
        self.level = add_heaps(self.positions.rows)[None, :]
        if heaps > 1:
            rests = PositionSet.box(heaps - 1, self.size)
            self.rests = [tuple(row) for row in rests.rows.tolist()]
            self._rest = rests.find(self.positions.rows[:, :-1])  # of each position all heaps but a largest one
        else:
            self.rests, self._rest = [()], np.zeros(len(self.positions), dtype=np.int64)
        self._heap = self.positions.rows[:, -1]
        self.solver = RowSolver(heaps, self.size, self.rests, clock)
        self._values: dict[int, Array] = {}  # by parameters

    # -- between tables of positions and rows of bits ----------------------------------------------------------------
    def _read_rows(self, rows: Rows) -> Array:
        """(N,): whether each position is in the set."""
        return np.asarray(unpack_bits(rows, self.size + 1)[self._rest, self._heap])

    def _make_rows(self, wanted: Array) -> Rows:
        """The set of the positions at which `wanted` (N,) is true, every position in every row that it is on."""
        rows = np.array(self.rests, dtype=np.int64).reshape(len(self.rests), -1)
        out: Rows = []
        step = max(1, limits.MAX_CELLS // (self.size + 1))
        for start in range(0, len(rows), step):
            part = np.repeat(rows[start : start + step], self.size + 1, axis=0)
            heap = np.tile(np.arange(self.size + 1), len(part) // (self.size + 1))
            number = self.positions.find(sort_heaps(np.concatenate([part, heap[:, None]], axis=1)))
            out += pack_bits(wanted[number].reshape(-1, self.size + 1))
        return out

    # -- questions ---------------------------------------------------------------------------------------------------
    def solve_wins(self, q: Array) -> Array:
        out = np.zeros((len(q), self.movers, len(self)), dtype=bool)
        for i, at in enumerate(q.tolist()):
            if not self.stuck_wins and self._has_values(at):
                out[i, 0] = self._solve_values(at) != 0
                continue
            for mover, rows in enumerate(self.solver.solve_lost(self.kinds[at], self.stuck_wins)):
                out[i, mover] = ~self._read_rows(rows)
        return out

    def solve_value(self, q: Array, players: Array) -> Array:
        return (~self.solve_wins(q)).astype(np.int64)  # two players: 0 where the mover wins, 1 where the other does

    def solve_grundy(self, q: Array) -> tuple[Array, Array]:
        if self.movers > 1:
            return super().solve_grundy(q)
        quick = [self._has_values(i) for i in q.tolist()]
        if not all(quick) and self.count_moves() <= _MOVES_AT_MOST:
            return super().solve_grundy(q)
        out = np.zeros((len(q), len(self)), dtype=np.int64)
        for i, (at, fast) in enumerate(zip(q.tolist(), quick, strict=True)):
            kinds = self.kinds[at][0]
            if fast:
                out[i] = self._solve_values(at)
            else:
                out[i] = self.solver.solve_values(kinds)[self._rest, self._heap]
        return out, np.zeros((len(q), len(self)), dtype=bool)

    def _has_values(self, at: int) -> bool:
        """Whether the values under these parameters are found line by line, sooner than who wins is."""
        return self.movers == 1 and self.positions.width > 1 and values.serves(self.kinds[at][0])

    def _solve_values(self, at: int) -> Array:
        """Those values, (N,)."""
        if at not in self._values:
            self._values[at] = values.solve_values(self.kinds[at][0], self.positions, self.clock)
        return self._values[at]

    def find_hits(self, wanted: Array, q: Array, mover: Array) -> Array:
        groups = max(len(wanted), len(q), len(mover))
        out = np.zeros((groups, len(self)), dtype=bool)
        rows = self._make_rows(wanted[0])
        for g in range(groups):
            if g and len(wanted) > 1:
                rows = self._make_rows(wanted[g])
            kinds = self.kinds[int(q[min(g, len(q) - 1)])]
            player = min(int(mover[min(g, len(mover) - 1)]), self.movers - 1)
            out[g] = self._read_rows(self.solver.find_hits(kinds[player], rows))
        return out

    # -- moves one by one, for what is not asked about rows ----------------------------------------------------------
    @cached_property
    def _edges(self) -> EdgeGraph:
        players = np.full(len(self.parameters), 2)
        ids = self.pool.intern(self.positions.rows)
        return EdgeGraph(self.moves, self.parameters, players, ids, self.pool, self.clock)

    def list_edges(self) -> tuple[Array, Array]:
        if self.count_moves() > 2 * limits.MAX_EDGES:
            raise TooLarge(f"about {limits.group_digits(int(self.count_moves()))} moves")
        return self._edges.list_edges()

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        return self._edges.is_legal(q, mover, edge)

    def count_moves(self) -> float:
        """About how many moves there are in the box under all parameters."""
        heaps = self.positions.width
        return len(self) * sum(k.count_options(heaps) for kinds in self.kinds for k in kinds)

    @cached_property
    def degree(self) -> int:
        return 1 + int(self.count_moves() / len(self) / (len(self.kinds) * self.movers))


def choose(
    moves: Moves, parameters: list[Parameters], players: Array, rows: Array, pool: Pool, clock: Deadline
) -> ShiftedBits | None:
    """The graph of a box around the positions `rows` (n, width), where that promises to be the quickest way.

    None for a ruleset whose moves are not recognised, and where following the moves one by one costs less.
    """
    if not may_serve(moves.ruleset) or bool((players != 2).any()):
        return None
    heaps, size = count_heaps(rows), int(rows.max(initial=0))
    turns = 1 if moves.ruleset.impartial else 2
    if (
        heaps < 1
        or count_box(heaps, size) > limits.MAX_POSITIONS
        or count_box(heaps - 1, size) > MAX_ROWS
        or len(parameters) * turns * (size + 1) ** 2 > MAX_TABLES
    ):
        return None
    try:
        kinds = [[recognise(moves, p, mover, heaps, size) for mover in range(turns)] for p in parameters]
    except NotRecognised:
        return None
    if not kinds or estimate_edges(kinds, heaps, rows) < estimate_rows(kinds, heaps, size):
        return None
    for p, by_mover in zip(parameters, kinds, strict=True):
        for mover, k in enumerate(by_mover):
            clock.check()
            if not agrees(moves, p, mover, k, heaps):
                return None
    return ShiftedBits(moves, parameters, kinds, heaps, pool, clock)


def estimate_edges(kinds: list[list[Kinds]], heaps: int, rows: Array) -> float:
    """About the microseconds that following the moves from `rows` takes; infinite beyond the limits of that."""
    size = kinds[0][0].size
    below = np.ones(len(rows))
    for column in range(rows.shape[1]):  # many times as fast as along short rows
        below *= rows[:, column] + 1.0
    reached = min(float(below.sum()), count_box(heaps, size))
    moves = reached * sum(k.count_options(heaps) for by_mover in kinds for k in by_mover)
    if moves > limits.MAX_EDGES or reached > limits.MAX_POSITIONS // 4:
        return float("inf")
    return _EDGES * len(kinds) * len(kinds[0]) + _EDGE * moves


def estimate_rows(kinds: list[list[Kinds]], heaps: int, size: int) -> float:
    """About the microseconds that solving the box row by row takes."""
    rows = count_box(heaps - 1, size)
    work = _POSITION * count_box(heaps, size)
    for by_mover in kinds:
        for k in by_mover:
            steps = 1 if k.single.full else k.single.mean * (heaps - 1) + size
            steps += sum(2 ** (heaps - 1) * (1 if x.full else x.mean) for tables in k.products for x in tables)
            steps += sum(heaps * (1 if tie.is_full(size) else heaps * len(tie.steps)) for tie in k.ties)
            work += _TABLES + _STEP * rows * (4 + steps)
    return work


def agrees(moves: Moves, parameters: Parameters, mover: int, kinds: Kinds, heaps: int) -> bool:
    """Whether the tables give the options that the moves give, on a small box and at a few large positions."""
    small = fit(list_box(min(heaps, _SMALL[0]), min(kinds.size, _SMALL[1])), heaps)
    large = [[min(2, kinds.size)] * (heaps - 1) + [kinds.size]]
    if kinds.count_options(heaps) <= _COMPARED:
        large += [[max(1, kinds.size - i) for i in range(heaps)][::-1], [kinds.size] * heaps]
    rows = np.concatenate([small, np.array(large)])
    try:
        moved = moves.list_options(rows, np.zeros(len(rows), dtype=np.int64), parameters, mover)
    except (BadRuleset, TooLarge):
        return False
    return np.array_equal(_list_distinct(*moved, heaps), _list_distinct(*kinds.list_options(rows), heaps))


def _list_distinct(sources: Array, options: Array, heaps: int) -> Array:
    """Each source with each of its options, once, in some order of numbers."""
    pairs = np.column_stack([sources, drop_empty_columns(options, heaps)])
    pairs = pairs[np.lexsort(pairs.T)]
    return pairs[find_new(*pairs.T)]
