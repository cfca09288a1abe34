"""The solver of all positions of a box, that is, with at most n heaps of at most m, by the kernel.

It solves games in which the sizes that a heap may become do not depend on other heaps: games with moves on one heap,
and games such as Wythoff's game and Moore's Nim, in which a move changes several heaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from encoders.compute.arrays import limits, move_tables
from encoders.compute.arrays.bit_lanes import KernelLanes
from encoders.compute.arrays.bit_rows import HeapBox, pack, unpack
from encoders.compute.arrays.bit_task import BoxTask
from encoders.compute.arrays.graphs import EdgeGraph, Graph
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooLarge
from encoders.compute.arrays.move_tables import (
    Kinds,
    MoveTable,
    NotRecognised,
    PairMoves,
    may_serve,
    recognise,
    unpack_bits,
)
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
from encoders.compute.arrays.values import Array, find_new, list_places
from encoders.kernel import KERNEL, MAX_HEAPS, MAX_WORDS
from encoders.kernel.instances import open_machine

# == box ==============================================================================================================
# The graph of a game on a box of positions, if the sizes that each heap may become are known in advance.
#
# The kernel visits the positions one by one. It computes the winners and the Grundy values from *tables*: each table
# contains the sizes that a heap may become. A kind of move changes some heaps, each by one table.
NAME = "boxes"
WINNERS, REACH, LEAST, MEX, MOVABLE = range(5)  # as in boxes.c
CHOOSE = ("any", "largest", "smallest")
MAX_LEGAL_CHANGES = 500_000_000  # entries of the tables of legal changes of a heap, one byte each
MAX_TABLES = 200_000_000  # the same for moves on several heaps, one bit each
_SMALL = (3, 4)  # heaps and size of the box on which the moves are compared
_COMPARED = 20_000  # approximate number of moves of a large position that are compared
# Rough costs in microseconds. In the general graph: for each mover and choice of parameters, and for each move. Here:
# for the start of the kernel, for each mover and choice if moves change several heaps, and for each position. Precision
# is not needed, because the two costs differ by much whenever the choice matters.
_EDGES, _EDGE, _START, _TABLES, _POSITION = 5_000.0, 0.5, 60_000.0, 9_000.0, 0.3


class BoxMoves:
    """All moves of a game on the positions of a box, for some choices of parameters.

    `heaps`, `size`: the largest number of heaps of a position, at least 1, and the largest heap.
    `kinds`: a row for each kind of move: the index in `CHOOSE` of the way to choose a heap, the number of heaps that
    the move changes, and the numbers of their tables; zeros follow.
    `begins`: with m movers, the kinds of a mover for choice q of the parameters begin at `begins[q * m + mover]`.
    """

    def __init__(self, heaps: int, size: int) -> None:
        self.heaps, self.size = heaps, size
        self._pairs: list[tuple[Array, Array]] = []
        self._kinds: list[tuple[int, ...]] = []
        self._begins: list[int] = []

    def begin(self) -> None:
        """Begin the moves of the next mover, or of the next choice of parameters."""
        self._begins.append(len(self._kinds))

    def add_table(self, heaps: Array, sizes: Array) -> int:
        """Add a table by which a heap `heaps[i]` may become `sizes[i]`, for each i. Return the number of the table."""
        self._pairs.append((heaps, sizes))
        return len(self._pairs) - 1

    def add(self, choose: str, tables: Sequence[int]) -> None:
        """Add a kind of move that changes one heap by each of the tables, if the positions have enough heaps."""
        if len(tables) <= self.heaps:
            room = (0,) * (self.heaps - len(tables))
            self._kinds.append((CHOOSE.index(choose), len(tables), *sorted(tables), *room))

    def add_several(self, moves: Kinds) -> None:
        """Add the moves of one mover, which may change several heaps."""
        known: dict[MoveTable, int] = {}
        for tables in ((moves.single,), *moves.products):
            for table in tables:
                if table not in known:
                    known[table] = self.add_table(*np.nonzero(unpack_bits(table.become, self.size + 1)))
            self.add("any", [known[table] for table in tables])
        for step in (step for tie in moves.ties for step in tie.steps):
            steps: dict[tuple[int, int], int] = {}
            for take, legal in zip(step.take, step.legal, strict=True):
                if (take, legal) not in steps:
                    heaps = np.flatnonzero(unpack_bits((legal,), self.size + 1)[0])
                    steps[take, legal] = self.add_table(heaps, heaps - take)
            self.add("any", [steps[x] for x in zip(step.take, step.legal, strict=True)])

    @cached_property
    def kinds(self) -> Array:
        return np.array(self._kinds, dtype=np.int64).reshape(-1, 2 + self.heaps)

    @cached_property
    def begins(self) -> Array:
        return np.array([*self._begins, len(self._kinds)])

    def sort(self, back: bool) -> tuple[Array, Array]:
        """Return two arrays: where the sizes begin that a heap may become by a table, and these sizes, ascending.

        The sizes for table t and a heap h are those with the numbers first[t, h], ..., first[t, h + 1] - 1.
        `back`: list instead the sizes that may become h.
        """
        base, count = self.size + 1, len(self._pairs)
        owner = np.repeat(np.arange(count), [len(x) for x, _ in self._pairs])
        columns = [np.concatenate([*x, np.zeros(0, dtype=np.int64)]) for x in zip(*self._pairs, strict=True)]
        of, to = columns[::-1] if back else columns
        keys = np.sort((owner * base + of) * base + to)
        starts = np.searchsorted(keys, np.arange(count * base + 1) * base)
        return starts[np.arange(count)[:, None] * base + np.arange(base + 1)], keys % base


class BoxGraph(Graph):
    """The graph of all positions of a box. Its subclasses differ in how they list single moves.

    `box`: the moves, as the kernel needs them.
    """

    def __init__(self, box: BoxMoves, movers: int, stuck_wins: bool, clock: Deadline) -> None:
        """Prepare the graph. Raise TooLarge if the kernel cannot run on this machine."""
        super().__init__(movers, stuck_wins, clock)
        open_machine()  # its error is raised here, where another solver can still be chosen
        self.box, self.positions = box, PositionSet.box(box.heaps, box.size)
        self.level = add_heaps(self.positions.rows)[None, :]
        self._binomial = HeapBox(box.heaps, box.size).binomial
        self._place = np.zeros(len(self), dtype=np.int64)  # of each position in the order of the kernel
        for i in range(box.heaps):
            self._place += self._binomial[i + 1, self.positions.rows[:, i]]
        self._tables = [box.sort(back) for back in (False, True)]

    # -- questions ---------------------------------------------------------------------------------------------------
    def solve_wins(self, q: Array) -> Array:
        return self._run(WINNERS, q)

    def solve_value(self, q: Array, players: Array) -> Array:
        if bool((players == 2).all()):
            return (~self.solve_wins(q)).astype(np.int64)
        return self._run(LEAST, q, players)

    def solve_grundy(self, q: Array) -> tuple[Array, Array]:
        if self.movers > 1:
            return super().solve_grundy(q)
        return self._run(MEX, q)[:, 0], np.zeros((len(q), len(self)), dtype=bool)

    def has_option(self, q: Array) -> Array:
        return self._run(MOVABLE, q)

    def find_hits(self, wanted: Array, q: Array, mover: Array) -> Array:
        groups = max(len(wanted), len(q), len(mover))
        turns = np.broadcast_to(q * self.movers + np.minimum(mover, self.movers - 1), (groups,))
        return self._run(REACH, turns, wanted=wanted)[:, 0]

    def _run(self, mode: int, q: Array, players: Array | None = None, wanted: Array | None = None) -> Array:
        """Return a table: element [i, mover, n] is about position n. Raise OutOfTime and TooLarge.

        `q[i]`: the number of the choice of parameters; for REACH, the number of the turn, which is an index in
        `BoxMoves.begins`. The table then has one mover. `players`: the number of players for each choice of parameters.
        `wanted[i]`: the set of positions for REACH.
        """
        machine, box, size = open_machine(), self.box, len(self)
        movers = 1 if mode == REACH else self.movers
        numbers = mode in (LEAST, MEX)
        given, out = (machine.reserve((rows, size), "|u1") for rows in (1, 1 if numbers else movers))
        values = machine.reserve((movers if numbers else 1, size if numbers else 1), "<u4")
        seen = machine.reserve((box.heaps * box.size + 2 if mode == MEX else 1,), "<u4")
        begins = machine.place(box.begins, "<i4")
        firsts, sizes = zip(*self._tables, strict=True)
        fixed = [machine.place(box.kinds, "<i4"), *(machine.place(x, "<i4") for x in firsts)]
        fixed += [*(machine.place(x, "<u2") for x in sizes), *map(machine.locate, (given, out, values, seen))]
        binomial = machine.place(self._binomial, "<u4")
        context = machine.reserve((8 + len(fixed) + MAX_HEAPS + 1,), "<u4")
        result = np.empty((len(q), movers, size), dtype=np.int64 if numbers else bool)
        for i, at in enumerate(q.tolist()):
            many = 2 if players is None else int(players[at])
            first = begins + 4 * at * movers
            context[:] = 0
            context[: 8 + len(fixed)] = [
                *(box.heaps, box.size, movers, many, 0 if self.stuck_wins else many - 1, mode, binomial, first),
                *fixed,
            ]
            out[...] = seen[...] = 0
            if wanted is not None and (i == 0 or len(wanted) > 1):
                given[0, self._place] = wanted[i]
            machine.run("solve_moves", (machine.locate(context),), size, self.clock)
            result[i] = (values if numbers else out)[:, self._place]
        return result


# -- moves on one heap ------------------------------------------------------------------------------------------------
_EDGES_AT_ONCE = 1_000_000  # edges listed between two checks of the clock
_WORDS = 24_000_000  # words of the table of winners of one mover


class SingleHeapBox(BoxGraph):
    """The graph of a game in which each move makes one heap smaller.

    `legal[choose][q, mover, h, y]`: whether the mover may turn a heap h into y by the moves that choose a heap in the
    way `choose`, for choice q of the parameters.
    """

    def __init__(
        self, moves: Moves, parameters: list[Parameters], players: Array, heaps: int, size: int, clock: Deadline
    ) -> None:
        """Read the moves. `players`: the number of players for each choice of `parameters`."""
        ruleset, box = moves.ruleset, BoxMoves(heaps, size)
        movers = 1 if ruleset.impartial else int(players.max())
        self.legal: dict[str, Array] = {}
        for move in ruleset.moves:
            empty = np.zeros((len(parameters), movers, size + 1, size + 1), dtype=bool)
            table = self.legal.setdefault(move.choose, empty)
            for mover in range(movers):
                playing = np.flatnonzero(players > mover)
                part = [parameters[i] for i in playing]
                table[playing, mover] |= moves.tabulate_single_heap(move, part, mover, size)
        known: dict[bytes, int] = {}
        for q in range(len(parameters)):
            for mover in range(movers):
                clock.check()
                box.begin()
                for choose, legal in self.legal.items():
                    key = legal[q, mover].tobytes()
                    if key not in known:
                        known[key] = box.add_table(*np.nonzero(legal[q, mover]))
                    box.add(choose, [known[key]])
        super().__init__(box, movers, ruleset.stuck_wins, clock)

    def solve_wins(self, q: Array) -> Array:
        """Do the work of `Graph.solve_wins`, for many choices of parameters at once."""
        box, found = HeapBox(self.box.heaps, self.box.size), np.empty((len(q), self.movers, len(self)), dtype=bool)
        below = np.tri(box.size + 1, k=-1, dtype=bool)  # its entries are in the order of `bit_task.number`
        step = 64 * max(2, min(MAX_WORDS, _WORDS // box.count // 2 * 2))
        for start in range(0, len(q), step):
            part = q[start : start + step]
            legal = {
                choose: np.stack([pack(table[part, mover][:, below].T) for mover in range(self.movers)])
                for choose, table in self.legal.items()
            }
            task = BoxTask(box, self.movers, self.stuck_wins, legal, len(part))
            lanes = KernelLanes(task, self.clock, open_machine())
            for mover in range(self.movers):
                lost = unpack(lanes.find_lost(mover)[self._place], len(part))
                found[start : start + step, mover] = ~lost.T
        return found

    @property
    def degree(self) -> int:
        return -(-int(self.level.sum()) // len(self))

    @cached_property
    def _edges(self) -> tuple[Array, ...]:
        """All ways to make one heap smaller: `list_edges`, then four arrays with an entry for each edge.

        Along the edge, a heap `h` becomes `y`; whether `h` is a largest, and whether it is a smallest, heap.
        """
        total, rows = int(self.level.sum()), self.positions.rows
        if total > limits.MAX_EDGES:
            raise TooLarge(
                f"{limits.group_digits(total)} moves would be needed, more than {limits.group_digits(limits.MAX_EDGES)}"
            )
        step = max(1, _EDGES_AT_ONCE // (self.box.size + 1))
        parts: list[tuple[Array, ...]] = [(np.zeros(0, dtype=np.int64),) * 4]
        for column in range(rows.shape[1]):
            before = rows[:, column - 1] if column else 0
            places = np.flatnonzero(rows[:, column] != before)  # of equal heaps, only the first counts
            for start in range(0, len(places), step):
                self.clock.check()
                at = places[start : start + step]
                heap = rows[at, column]
                source, y = np.repeat(at, heap), list_places(heap)
                options = rows[source]
                options[:, column] = y
                parts.append((source, self.positions.find(sort_heaps(options)), np.repeat(heap, heap), y))
        source, targets, h, y = (np.concatenate(x) for x in zip(*parts, strict=True))
        order = np.argsort(source * len(self) + targets)
        source, targets, h, y = (x[order] for x in (source, targets, h, y))
        offsets = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(self)))])
        least = np.where(rows > 0, rows, self.box.size + 1).min(axis=1)
        return offsets, targets, h, y, h == rows[source, -1], h == least[source]

    def list_edges(self) -> tuple[Array, Array]:
        offsets, targets, *_ = self._edges
        return offsets, targets

    def is_legal(self, q: Array, mover: Array, edge: Array) -> Array:
        _, _, h, y, largest, smallest = self._edges
        chosen = {"largest": largest, "smallest": smallest}
        result: Array | None = None
        for choose, legal in self.legal.items():
            allowed = legal[q, np.minimum(mover, self.movers - 1), h[edge], y[edge]]
            if choose != "any":
                allowed = allowed & chosen[choose][edge]
            result = allowed if result is None else result | allowed
        assert result is not None, "a ruleset has moves"
        return result


# -- moves on several heaps -------------------------------------------------------------------------------------------
class SeveralHeapsBox(BoxGraph):
    """The graph of a game with moves on several heaps, such as Wythoff's game or Moore's Nim, for two players.

    `kinds[q][mover]`: the moves of a player, for choice q of the parameters.
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
        self.moves, self.parameters, self.kinds, self.pool = moves, parameters, kinds, pool
        box = BoxMoves(heaps, kinds[0][0].size)
        for k in (k for by_mover in kinds for k in by_mover):
            box.begin()
            box.add_several(k)
        super().__init__(box, len(kinds[0]), moves.ruleset.stuck_wins, clock)

    def solve_grundy(self, q: Array) -> tuple[Array, Array]:
        """Do the work of `Graph.solve_grundy`, for games like Wythoff's by a faster method than for other games."""
        by_lines = self.movers == 1 and self.positions.width > 1
        if not by_lines or not all(move_tables.serves(self.kinds[i][0]) for i in q.tolist()):
            return super().solve_grundy(q)
        values = [move_tables.solve_values(self.kinds[i][0], self.positions, self.clock) for i in q.tolist()]
        return np.stack(values), np.zeros((len(q), len(self)), dtype=bool)

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


# -- choice -----------------------------------------------------------------------------------------------------------
def choose(
    moves: Moves, parameters: list[Parameters], players: Array, rows: Array, pool: Pool, clock: Deadline
) -> BoxGraph | str:
    """Return the graph of a box that contains the positions `rows`, or the reason why it is not used.

    There is a reason if the moves are not supported, if the box is too large, if another method is probably faster, or
    if the kernel cannot run on this machine.

    `players`: the number of players for each choice of `parameters`.
    """
    ruleset, heaps, size = moves.ruleset, count_heaps(rows), max(int(rows.max(initial=0)), 1)
    turns = len(parameters) * (1 if ruleset.impartial else int(players.max(initial=0)))
    if not ruleset.single_heap and not may_serve(ruleset):
        return "a move splits a heap or depends on other heaps, or there is a measure"
    if not ruleset.single_heap and bool((players != 2).any()):
        return "the game does not have two players"
    if not 1 <= heaps <= MAX_HEAPS or not parameters:
        return f"the positions do not have between 1 and {MAX_HEAPS} heaps"
    if count_box(heaps, size) > limits.MAX_POSITIONS or turns * (size + 1) ** 2 > (
        MAX_LEGAL_CHANGES if ruleset.single_heap else MAX_TABLES
    ):
        return "there are too many positions with as many heaps, of sizes up to the largest heap"
    try:
        if ruleset.single_heap:
            if estimate_edges(turns, heaps * size / 2, heaps, size, rows) < estimate_box(turns, heaps, size):
                return SLOWER
            return SingleHeapBox(moves, parameters, players, heaps, size, clock)
        movers = range(turns // len(parameters))
        kinds = [[recognise(moves, p, mover, heaps, size) for mover in movers] for p in parameters]
        options = sum(k.count_options(heaps) for by_mover in kinds for k in by_mover) / turns
        if estimate_edges(turns, options, heaps, size, rows) < estimate_box(turns, heaps, size) + _TABLES * turns:
            return SLOWER
        for p, by_mover in zip(parameters, kinds, strict=True):
            for mover, k in enumerate(by_mover):
                clock.check()
                if not agrees(moves, p, mover, k, heaps):
                    return "the tables of moves and the ruleset give different options"
        return SeveralHeapsBox(moves, parameters, kinds, heaps, pool, clock)
    except NotRecognised:
        return "the kernel does not support the moves of the game"
    except TooLarge as reason:
        clock.fallbacks.add((KERNEL, str(reason)))
        return str(reason)


SLOWER = "it is faster to list the moves one by one"


def estimate_edges(turns: int, options: float, heaps: int, size: int, rows: Array) -> float:
    """Estimate the time to list all followers of the positions `rows` with all moves, in microseconds.

    Return infinity if they are past a limit.

    `turns`: the number of pairs of a choice of parameters and a mover. `options`: the average number of moves in each
    of them. `heaps`, `size`: of the box around the positions.
    """
    below = np.ones(len(rows))
    for column in range(rows.shape[1]):  # much faster than along short rows
        below *= rows[:, column] + 1.0
    reached = min(float(below.sum()), count_box(heaps, size))
    moves = turns * reached * options
    if moves > limits.MAX_EDGES or reached > limits.MAX_POSITIONS // 4:
        return float("inf")
    return _EDGES * turns + _EDGE * moves


def estimate_box(turns: int, heaps: int, size: int) -> float:
    """Estimate the time to solve all positions with at most `heaps` heaps of at most `size`, in microseconds.

    `turns`: the number of pairs of a choice of parameters and a mover.
    """
    return _START + _POSITION * turns * count_box(heaps, size)


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
