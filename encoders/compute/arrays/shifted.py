"""The solver of games with moves on several heaps, such as Wythoff's game and Moore's Nim.

It solves a box of positions row by row. A row contains the positions that differ only in one heap, and is stored as the
bits of one integer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from encoders.compute.arrays import limits, shifted_moves
from encoders.compute.arrays.graphs import EdgeGraph, Graph
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooLarge
from encoders.compute.arrays.moves import Moves, Parameters
from encoders.compute.arrays.positions import (
    Pool,
    PositionSet,
    add_heaps,
    count_box,
    count_heaps,
    drop_empty_columns,
    list_box,
    pad_columns,
    sort_heaps,
)
from encoders.compute.arrays.shifted_moves import (
    HeapStep,
    Kinds,
    MoveTable,
    NotRecognised,
    Tie,
    may_serve,
    pack_bits,
    read_bits,
    recognise,
    unpack_bits,
)
from encoders.compute.arrays.ties import ANY, PAIR, read_ties
from encoders.compute.arrays.values import Array, find_new
from encoders.kernel import KERNEL

# == solve ============================================================================================================
# Games with moves on several heaps, solved row by row; `RowReach` finds the positions that can move to earlier rows.
#
# A row contains the positions that differ in one heap. It is stored as an integer; its bits are the sizes of this heap.
# Within a row, consider the positions that have no losing option in earlier rows. The position with the smallest heap
# loses, and the positions that can move to it win. Repeat this for the positions that remain.
# -- reach ------------------------------------------------------------------------------------------------------------
# The positions that can reach a given set in one move, row by row; each row is one integer.
#
# A *row* is the set of all positions that differ in one heap: the *rest*, ascending sizes of the other heaps with zeros
# in front, and a heap of 0, 1, ..., size. Bit c of the row is the position whose additional heap is c. Rows come in an
# order in which every rest follows all rests that are smaller heap by heap. Therefore the positions that reach earlier
# rows are known when a row's turn comes.


Rest = tuple[int, ...]


@dataclass(frozen=True)
class _Pattern:
    """A move, or a part of a move, that does not change the heap c of a position.

    The positions that differ only in the heap c form a row. Their other heaps are the *rest* of the row.

    `tables`: for each heap of the rest, the number of the `MoveTable` that changes it; 0 if the heap does not change.
    `direct`: whether these changes are a complete move.
    `spread`: tables for the heap c. These changes and a change of c by one of the tables together are a complete move.
    """

    tables: tuple[int, ...]
    direct: bool
    spread: tuple[MoveTable, ...]


class RowReach:
    """The search for the positions from which a move leads into a given set of positions.

    A row is the set of the positions that consist of given heaps, its *rest*, and one more heap c. A subset of a row is
    an integer, in which bit c is 1 if the position is in the subset. The caller proceeds row by row, smaller rests
    first. For each rest it calls `pull(rest)`, and then `push(rest, subset)` with the positions of the row in the set.

    `kinds`: the moves.
    `heaps`: the largest number of heaps of a position, at least 1. Absent heaps are zeros.
    """

    def __init__(self, kinds: Kinds, heaps: int) -> None:
        self.kinds, self.size, self.width = kinds, kinds.size, heaps - 1
        self.every = (2 << kinds.size) - 1
        moves = [tables for tables in ((kinds.single,), *kinds.products) if all(any(x.become) for x in tables)]
        self.tables = list(dict.fromkeys(x for tables in moves for x in tables))
        self.patterns = self._list_patterns([tuple(self.tables.index(x) + 1 for x in tables) for tables in moves])
        self.stride = len(self.tables) + 1
        # The key has, for each heap of a rest, its size times `stride` plus the number of the table that changes it.
        # The value is the row of all positions that some choice of these changes leads into the set.
        self.changed: dict[tuple[int, ...], int] = {}
        full = [tie for tie in kinds.ties if tie.is_full(kinds.size)]
        self.full_ties = sorted({tie.heaps for tie in full})
        self.ties = [turn for tie in kinds.ties if tie not in full for turn in tie.turns]
        # (shifted, other heaps, differences): the union of the rows so far
        self.along: dict[tuple[bool, Rest, Rest], int] = {}

    def _list_patterns(self, moves: list[tuple[int, ...]]) -> list[_Pattern]:
        """Return all moves and parts of moves that change only the rest of a row, those with fewer changes first.

        `moves`: for each move, the numbers of the tables that change its heaps.
        """
        found = []
        for tables in product(range(len(self.tables) + 1), repeat=self.width):
            changes = sorted(x for x in tables if x)
            begun = [self._subtract(move, changes) for move in moves]
            rests = [x for x in begun if x is not None]
            if rests or not changes:
                ends = dict.fromkeys(x[0] for x in rests if len(x) == 1 and changes)
                found.append(_Pattern(tables, () in rests, tuple(self.tables[i - 1] for i in ends)))
        return sorted(found, key=lambda p: sum(x > 0 for x in p.tables))

    @staticmethod
    def _subtract(move: tuple[int, ...], changes: list[int]) -> tuple[int, ...] | None:
        left = list(move)
        for x in changes:
            if x not in left:
                return None
            left.remove(x)
        return tuple(left)

    # -- one row -----------------------------------------------------------------------------------------------------
    def pull(self, rest: Rest) -> int:
        """Return the positions from which a move leads to a position that `push` recorded earlier.

        Only the positions that consist of `rest` and one more heap c are considered: bit c of the result is 1 if there
        is such a move. Moves that change only the heap c are left out.
        """
        found = 0
        for pattern in self.patterns[1:]:
            row = self._read_changed(rest, pattern)
            if row:
                if pattern.direct:
                    found |= row
                for table in pattern.spread:
                    found |= self.find_sources(row, table)
        for key, _ in self._list_diagonals(rest):
            found |= self.along.get(key, 0)
        for tie in self.ties:
            found |= self._pull_tie(rest, tie)
        return found

    def push(self, rest: Rest, row: int) -> None:
        """Record which positions of a row are in the set.

        The row contains the positions that consist of `rest` and one more heap c. Bit c of `row` is 1 if this position
        is in the set.
        """
        self.changed[tuple(x * self.stride for x in rest)] = row
        for key, shifted in self._list_diagonals(rest):
            whole = self.along.get(key, 0) | row
            self.along[key] = whole << 1 & self.every if shifted else whole

    def find_sources(self, row: int, table: MoveTable) -> int:
        """Return the set of the heap sizes that may become one of the sizes in `row`, by a move of `table`.

        Both sets are integers: bit c is 1 if the size c is in the set.
        """
        if not row:
            return 0
        if table.full:
            return self.every & -((row & -row) << 1)
        found, reach = 0, table.reach
        while row:
            low = row & -row
            found |= reach[low.bit_length() - 1]
            row ^= low
        return found

    # -- heaps that change independently -----------------------------------------------------------------------------
    def _read_changed(self, rest: Rest, pattern: _Pattern) -> int:
        """Return the positions from which the changes of a pattern lead to a position that `push` recorded.

        The positions consist of `rest` and one more heap c: bit c of the result is 1. The result is stored, because
        later results are computed from it.
        """
        stride, tables = self.stride, pattern.tables
        codes = [x * stride + i for x, i in zip(rest, tables, strict=True)]
        key = tuple(sorted(codes))
        at = max(j for j, i in enumerate(tables) if i)
        x, number = rest[at], tables[at]
        if not x:
            return 0
        table, changed = self.tables[number - 1], self.changed
        del codes[at]
        if table.full:
            smaller = (x - 1) * stride
            before, undone = tuple(sorted([*codes, smaller + number])), tuple(sorted([*codes, smaller]))
            row = changed.get(before, 0) | changed.get(undone, 0)  # no entry exists if the heap to change is empty
        else:
            row = 0
            for y in table.choices[x]:
                row |= changed.get(tuple(sorted([*codes, y * stride])), 0)
        changed[key] = row
        return row

    # -- heaps that change together ----------------------------------------------------------------------------------
    def _list_diagonals(self, rest: Rest) -> list[tuple[tuple[bool, Rest, Rest], bool]]:
        """Return the key of each diagonal through a row once, together with the first part of the key.

        The row contains the positions that consist of `rest` and one more heap, which varies. A diagonal belongs to a
        move that takes the same number from several heaps, any number up to the smallest of them. Its positions differ
        by equal amounts in these chosen heaps, and agree in the other heaps.

        A key contains three things: whether the varying heap is chosen, the heaps of `rest` that are not chosen, and
        the differences between those that are chosen.
        """
        found = dict[tuple[bool, Rest, Rest], bool]()
        for count in self.full_ties:
            for part, shifted in ((count - 1, True), (count, False)):
                for chosen in combinations(range(self.width), part):
                    least = rest[chosen[0]]
                    others = tuple(x for i, x in enumerate(rest) if i not in chosen)
                    found[shifted, others, tuple(rest[i] - least for i in chosen)] = shifted
        return list(found.items())

    def _pull_tie(self, rest: Rest, tie: Tie) -> int:
        """Return the positions from which the move `tie` leads to a position that `push` recorded.

        A tie is a move that picks one number and changes several heaps by it. The positions consist of `rest` and one
        more heap c: bit c of the result is 1. The heap c may be one of these heaps; it is then the last of them.
        """
        found, changed, stride = 0, self.changed, self.stride
        for chosen in combinations(range(self.width), tie.heaps):
            for step in tie.steps:
                before = self._step_back(rest, chosen, step)
                if before is not None:
                    found |= changed[before]
        if tie.heaps == 2:  # the usual case, without a call for each step
            for i, x in enumerate(rest):
                others = [y * stride for j, y in enumerate(rest) if j != i]
                for step in tie.steps:
                    if step.legal[0] >> x & 1:
                        row = changed[tuple(sorted([*others, (x - step.take[0]) * stride]))]
                        if row:
                            found |= row << step.take[1] & step.legal[1]
            return found
        for chosen in combinations(range(self.width), tie.heaps - 1):
            for step in tie.steps:
                before = self._step_back(rest, chosen, step)
                if before is not None:
                    found |= changed[before] << step.take[-1] & step.legal[-1]
        return found

    def _step_back(self, rest: Rest, chosen: tuple[int, ...], step: HeapStep) -> tuple[int, ...] | None:
        """Return the heaps that a step makes of `rest`, as a key of the table `changed`; None if the step is not legal.

        `chosen`: the indices of the heaps that the step changes.
        """
        sizes = list(rest)
        for i, take, legal in zip(chosen, step.take, step.legal, strict=False):
            if not legal >> sizes[i] & 1:
                return None
            sizes[i] -= take
        return tuple(x * self.stride for x in sorted(sizes))


# -- solve ------------------------------------------------------------------------------------------------------------
Rows = list[int]
"""A set of positions: an integer for each rest. Bit c tells whether the set contains the rest with a heap c."""

_ROWS_AT_ONCE = 64  # rows between two checks of the clock


class RowSolver:
    """The solver of games with moves on several heaps, for all positions with at most `heaps` heaps of at most `size`.

    `heaps`: at least 1.
    `rests`: for each row, its rest: the heaps that all its positions have in common, ascending after zeros. A rest
    follows all rests that are smaller heap by heap.
    """

    def __init__(self, heaps: int, size: int, rests: list[Rest], clock: Deadline) -> None:
        self.heaps, self.size, self.rests, self.clock = heaps, size, rests, clock
        self.every = (2 << size) - 1

    def find_hits(self, kinds: Kinds, wanted: Rows) -> Rows:
        """Return the positions from which a move in `kinds` leads to a position in `wanted`."""
        reach, out = RowReach(kinds, self.heaps), []
        for i, rest in enumerate(self.rests):
            if i % _ROWS_AT_ONCE == 0:
                self.clock.check()
            out.append(reach.pull(rest) | reach.find_sources(wanted[i], kinds.single))
            reach.push(rest, wanted[i])
        return out

    def solve_lost(self, kinds: Sequence[Kinds], stuck_wins: bool) -> list[Rows]:
        """Return, for each player, the positions from which this player loses as the mover.

        `kinds`: the moves of each of the two players; one entry if the game is impartial.
        `stuck_wins`: whether a player who cannot move wins.
        """
        within = [[self.every] * len(self.rests)] * len(kinds)
        if stuck_wins:
            everything = [self.every] * len(self.rests)
            # a stuck player wins, so a losing position needs a move
            within = [self.find_hits(k, everything) for k in kinds]
        return self._solve_within(kinds, within)

    def _solve_within(self, kinds: Sequence[Kinds], within: list[Rows]) -> list[Rows]:
        """Return, for each player, the positions from which this player loses as the mover, if play stays in `within`.

        `within[mover]`: a set of positions. A position of this set is a loss for the mover if no move leads to a
        position of the result for the next mover.
        """
        count = len(kinds)
        reaches = [RowReach(k, self.heaps) for k in kinds]  # by mover: losses for the next mover
        along = [k.single.reach for k in kinds]
        out: list[Rows] = [[] for _ in kinds]
        for i, rest in enumerate(self.rests):
            if i % _ROWS_AT_ONCE == 0:
                self.clock.check()
            open_ = [rows[i] & ~reach.pull(rest) for rows, reach in zip(within, reaches, strict=True)]
            lost = _decide(open_[0], along[0]) if count == 1 else _decide_two(open_, along)
            for mover, row in enumerate(lost):
                out[mover].append(row)
                reaches[mover - 1].push(rest, row)
        return out

    def solve_values(self, kinds: Kinds) -> Array:
        """Return the Grundy values: element [i, h] is the value of the position with the heaps `rests[i]` and h.

        First the P-positions are found; they have the value 0. If they are removed from the game, the P-positions of
        the remaining game have the value 1, and so on.
        """
        out = np.zeros((len(self.rests), self.size + 1), dtype=np.int64)
        left = [self.every] * len(self.rests)
        value = 0
        while any(left):
            (found,) = self._solve_within([kinds], [left])
            for i, row in enumerate(found):
                if row and value:
                    out[i, read_bits(row)] = value
            left = [a & ~b for a, b in zip(left, found, strict=True)]
            value += 1
        return out


def _decide(open_: int, reach: tuple[int, ...]) -> list[int]:
    lost = 0
    while open_:
        low = open_ & -open_
        lost |= low
        open_ &= ~(low | reach[low.bit_length() - 1])
    return [lost]


def _decide_two(open_: list[int], reach: list[tuple[int, ...]]) -> list[int]:
    lost = [0, 0]
    first, second = open_
    while first or second:
        both = first | second
        low = both & -both
        at = low.bit_length() - 1
        here, there = first & low, second & low
        lost[0] |= here
        lost[1] |= there
        first &= ~low
        second &= ~low
        if there:  # the first player wins if a move leads here, where the second loses
            first &= ~reach[0][at]
        if here:
            second &= ~reach[1][at]
    return lost


# == graph ============================================================================================================
# The graph of a game with moves on several heaps, such as Wythoff's game or Moore's Nim, on a box of positions.
#
# `recognise` determines whether a ruleset is supported. Its tables are always compared with the moves of the ruleset,
# at every position of a small box and at some large positions.
NAME = "shifted bits"
MAX_TABLES = 200_000_000  # bits in the tables of all parameters
MAX_ROWS = 400_000  # rows of the box; a row may need several integers
_SMALL = (3, 4)  # heaps and size of the box on which the moves are compared
_COMPARED = 20_000  # approximate number of moves of a large position that are compared
# Rough costs in microseconds. In the general graph: for each mover and choice of parameters, and for each move. Here:
# for each mover and choice, each shift, and each position. Precision is not needed, because the two costs differ by
# much whenever the choice matters.
_EDGES, _EDGE, _TABLES, _STEP, _POSITION = 5_000.0, 1.0, 9_000.0, 0.4, 1.0
# up to this number, the general graph is used if no fast row-by-row method for values exists
_MOVES_AT_MOST = 20_000_000


class ShiftedBits(Graph):
    """The graph of a game with moves on several heaps. Its positions are those of a box.

    `kinds[q][mover]`: the moves of a player, for the choice of parameters number q.
    `heaps`: the largest number of heaps of a position, at least 1. The largest heap is in `kinds`.
    """

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
            self._rest = rests.find(self.positions.rows[:, :-1])  # for each position, all heaps except a largest one
        else:
            self.rests, self._rest = [()], np.zeros(len(self.positions), dtype=np.int64)
        self._heap = self.positions.rows[:, -1]
        self.solver = RowSolver(heaps, self.size, self.rests, clock)
        self._values: dict[int, Array] = {}  # by parameters

    # -- between tables of positions and rows of bits ----------------------------------------------------------------
    def _read_rows(self, rows: Rows) -> Array:
        """Return, for each position of the box, whether it is in the set `rows`."""
        return np.asarray(unpack_bits(rows, self.size + 1)[self._rest, self._heap])

    def _make_rows(self, wanted: Array) -> Rows:
        """Return the set of the positions of the box for which `wanted` is true.

        A position with several different heaps belongs to several rows, and has a bit in each of them.
        """
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
        return (~self.solve_wins(q)).astype(np.int64)  # two players: 0 if the mover wins, 1 if the other player does

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
        """Whether `shifted_moves.solve_values` supports the moves for the choice of parameters number `at`.

        It computes Grundy values faster than this solver finds the winners.
        """
        return self.movers == 1 and self.positions.width > 1 and shifted_moves.serves(self.kinds[at][0])

    def _solve_values(self, at: int) -> Array:
        """Return the Grundy value of each position, for the choice of parameters number `at`."""
        if at not in self._values:
            self._values[at] = shifted_moves.solve_values(self.kinds[at][0], self.positions, self.clock)
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

    # -- single moves, for the questions that rows do not answer -----------------------------------------------------
    @cached_property
    def _edges(self) -> EdgeGraph:
        players = np.full(len(self.parameters), 2)
        ids = self.pool.intern(self.positions.rows)
        return EdgeGraph(self.moves, self.parameters, players, ids, self.pool, self.clock)

    def list_edges(self) -> tuple[Array, Array]:
        if self.count_moves() > 2 * limits.MAX_EDGES:
            raise TooLarge(f"about {limits.group_digits(int(self.count_moves()))} moves would be needed")
        return self._edges.list_edges()

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        return self._edges.is_legal(q, mover, edge)

    def count_moves(self) -> float:
        """Estimate the number of moves from all positions of the box, for all players and parameters together."""
        heaps = self.positions.width
        return len(self) * sum(k.count_options(heaps) for kinds in self.kinds for k in kinds)

    @cached_property
    def degree(self) -> int:
        return 1 + int(self.count_moves() / len(self) / (len(self.kinds) * self.movers))


def choose(
    moves: Moves, parameters: list[Parameters], players: Array, rows: Array, pool: Pool, clock: Deadline
) -> ShiftedBits | str:
    """Return the graph of a box that contains the positions `rows`, or the reason why it is not used.

    There is a reason if the moves are not supported, if the box is too large, or if another method is probably faster.

    `players`: the number of players for each choice of `parameters`.
    """
    if not may_serve(moves.ruleset):
        return "no move chooses several heaps, or a move depends on other heaps, or there is a measure"
    if bool((players != 2).any()):
        return "the game does not have two players"
    heaps, size = count_heaps(rows), int(rows.max(initial=0))
    turns = 1 if moves.ruleset.impartial else 2
    if heaps < 1:
        return "the positions have no heaps"
    if (
        count_box(heaps, size) > limits.MAX_POSITIONS
        or count_box(heaps - 1, size) > MAX_ROWS
        or len(parameters) * turns * (size + 1) ** 2 > MAX_TABLES
    ):
        return "there are too many positions with as many heaps, of sizes up to the largest heap"
    try:
        kinds = [[recognise(moves, p, mover, heaps, size) for mover in range(turns)] for p in parameters]
    except NotRecognised:
        return "this engine does not support the moves of the game"
    if not kinds or estimate_edges(kinds, heaps, rows) < estimate_rows(kinds, heaps, size):
        return "it is faster to list the moves one by one"
    for p, by_mover in zip(parameters, kinds, strict=True):
        for mover, k in enumerate(by_mover):
            clock.check()
            if not agrees(moves, p, mover, k, heaps):
                return "the tables of moves and the ruleset give different options"
    return ShiftedBits(moves, parameters, kinds, heaps, pool, clock)


def estimate_edges(kinds: list[list[Kinds]], heaps: int, rows: Array) -> float:
    """Estimate the time to list all followers of the positions `rows` with all moves, in microseconds.

    Return infinity if they are past a limit.
    """
    size = kinds[0][0].size
    below = np.ones(len(rows))
    for column in range(rows.shape[1]):  # much faster than along short rows
        below *= rows[:, column] + 1.0
    reached = min(float(below.sum()), count_box(heaps, size))
    moves = reached * sum(k.count_options(heaps) for by_mover in kinds for k in by_mover)
    if moves > limits.MAX_EDGES or reached > limits.MAX_POSITIONS // 4:
        return float("inf")
    return _EDGES * len(kinds) * len(kinds[0]) + _EDGE * moves


def estimate_rows(kinds: list[list[Kinds]], heaps: int, size: int) -> float:
    """Estimate the time to solve all positions with at most `heaps` heaps of at most `size`, in microseconds."""
    rows = count_box(heaps - 1, size)
    work = _POSITION * count_box(heaps, size)
    for by_mover in kinds:
        for k in by_mover:
            steps = 1 if k.single.full else k.single.mean * (heaps - 1) + size
            steps += sum(2 ** (heaps - 1) * (1 if x.full else x.mean) for tables in k.products for x in tables)
            steps += sum(heaps * (1 if tie.is_full(size) else heaps * len(tie.steps)) for tie in k.ties)
            work += _TABLES + _STEP * rows * (4 + steps)
    return work


def agrees(moves: Moves, parameters: Parameters, mover: int, kinds: Kinds | PairMoves, heaps: int) -> bool:
    """Whether `kinds` gives the same options as the ruleset, for all positions of a small box and some large ones."""
    small = pad_columns(list_box(min(heaps, _SMALL[0]), min(kinds.size, _SMALL[1])), heaps)
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
    """Return the distinct pairs of a source and an option, one in each row, in an order that depends only on the pairs.

    `heaps`: the number of columns for the heaps of an option.
    """
    pairs = np.column_stack([sources, drop_empty_columns(options, heaps)])
    pairs = pairs[np.lexsort(pairs.T)]
    return pairs[find_new(*pairs.T)]


# == pairs ============================================================================================================
LARGE = 64  # smaller heaps are solved as a graph, which answers more questions
ALIKE = 2_000  # up to this heap, the moves are compared with the ruleset
MOST_PARTNERS, MOST_VALUES = 12_000_000, 8_192  # the tables contain smaller heaps: 0.2 GB of memory each
SAMPLED_PARTNERS, SAMPLED_VALUES = 600, 2_000  # with larger heaps, the referee evaluates more cases again


class PairMoves(NamedTuple):
    """The moves that tables of two heaps assume: any number from one heap, or an equal number from both.

    `size`: the largest heap. `most`: the largest equal number.
    """

    size: int
    most: int

    def count_options(self, heaps: int) -> float:
        return (heaps + 1) * self.size

    def list_options(self, rows: Array) -> tuple[Array, Array]:
        """Return all moves from some positions of two heaps, as `Kinds.list_options` does."""
        owners, options = [], []
        for i, (x, y) in enumerate(rows.tolist()):
            equal = np.arange(1, min(x, y, self.most) + 1)
            first = np.concatenate([np.arange(x), np.full(y, x), x - equal])
            second = np.concatenate([np.full(x, y), np.arange(y), y - equal])
            owners.append(np.full(len(first), i))
            options.append(np.column_stack([first, second]))
        return np.concatenate(owners), sort_heaps(np.concatenate(options))


class PairTable:
    """The lost positions and the Grundy values of two heaps, for games like Wythoff's; see `ties.py`.

    A question about a position then needs no graph: the two heaps determine its place in a table.

    `serves`: whether the game has such moves.
    """

    def __init__(self, moves: Moves, clock: Deadline) -> None:
        ties = read_ties(moves.ruleset)
        self.moves, self.clock = moves, clock
        self.serves = ties is not None and ties.several
        self._most = 0 if ties is None else ANY if ties.full else ties.most
        self._compared = -1  # up to this heap, the moves were compared with the ruleset
        self._partners, self._values = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint16)
        self._sizes = {"partners": -1, "values": -1}  # the largest heap of each table
        self._last: tuple[Array, Array, Array, Array] | None = None  # the last heaps, and the same heaps in order

    @property
    def audited(self) -> bool:
        """Whether the referee must evaluate a large sample of the cases, because a table has large heaps.

        This is not necessary for lost positions that were compared with values.
        """
        partners, values = self._sizes["partners"], self._sizes["values"]
        compared = -1 if self.moves.ruleset.stuck_wins else values
        return partners > max(SAMPLED_PARTNERS, compared) or values > SAMPLED_VALUES

    def find(self, first: Array, second: Array, values: bool, parameters: Parameters) -> Array | None:
        """Return the Grundy value, or whether the mover wins, at the position with two given heaps at each case.

        `first`, `second`: the heaps; 0 for an absent heap. `values`: whether to return Grundy values.
        Return None if no table is used: all heaps are small, or some are too large, or the kernel does not run on this
        machine. Raise OutOfTime.
        """
        if self._last is None or self._last[0] is not first or self._last[1] is not second:
            self._last = first, second, np.minimum(first, second), np.maximum(first, second)
        least, most = self._last[2:]
        size = int(most.max(initial=0))
        name = "values" if values else "partners"
        if size > self._sizes[name]:
            if size <= LARGE or size >= (MOST_VALUES if values else MOST_PARTNERS):
                return None
            if not self._solve(name, size, parameters):
                return None
        if values:
            return np.asarray(self._values[(most * (most + 1) >> 1) + least], dtype=np.int64)
        return np.asarray(self._partners[most] != least)

    def _solve(self, name: str, size: int, parameters: Parameters) -> bool:
        """Compute a table for all heaps up to `size`. Return False if that is impossible."""
        from encoders.kernel import values as kernel

        alike = min(size, ALIKE)
        if alike > self._compared:
            if not agrees(self.moves, parameters, 0, PairMoves(alike, self._most), PAIR):
                return False
            self._compared = alike
        stuck_wins = self.moves.ruleset.stuck_wins
        try:
            if name == "values":
                self._values = kernel.solve_pairs(size, self._most, self.clock)
            else:
                self._partners = kernel.find_partners(size, self._most, stuck_wins, self.clock)
        except TooLarge as reason:
            self.clock.fallbacks.add((KERNEL, str(reason)))
            return False
        self._sizes[name] = size
        if not stuck_wins:
            self._compare()
        return True

    def _compare(self) -> None:
        """Require that exactly the lost positions have the value 0, as far as both tables contain them."""
        size = min(self._sizes.values())
        heaps = np.flatnonzero((self._partners[: size + 1] >= 0) & (self._partners[: size + 1] <= np.arange(size + 1)))
        lost = heaps * (heaps + 1) // 2 + self._partners[heaps]
        zeros = np.flatnonzero(self._values[: count_box(2, size) if size >= 0 else 0] == 0)
        if not np.array_equal(lost, zeros):
            raise AssertionError("the lost positions of two heaps are not those of value 0")
