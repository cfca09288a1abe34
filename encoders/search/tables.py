"""The winner at every position of a box, for many values of the parameters at once, and the values of terms there.

A *cell* is a position together with values of the parameters. The exhaustive search engine solves the games and
evaluates the terms.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.evaluate import ColumnTable, FrameEvaluator
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.moves import Moves, Parameters
from encoders.compute.arrays.positions import Pool, PositionSet, count_box, sort_heaps
from encoders.compute.arrays.values import Array, Frame, Ragged, Scalars, Value
from encoders.search.question import GAME, HEAP, POSITION_NAME, SearchProblem, variable

Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class SampleLimits:
    """The limits of a box, that is, of a set of positions with parameters.

    `heaps`: the largest number of heaps. `size`: the largest heap. `most`: the largest value of a parameter.
    """

    heaps: int
    size: int
    most: int


SMALL = SampleLimits(3, 8, 6)
LARGE = SampleLimits(4, 10, 9)
BEYOND = 3  # the margin beyond the numbers in the rules, if there is room
_ROOM = 120_000  # cells
_ROW = "row'"  # a dummy column, because a table has the length of its columns


@dataclass(frozen=True)
class TakeParameter:
    """The number by which the mover determines a move, such as the number of objects to take.

    `pick`: its name in the rules.
    `leaves`: whether this number is the size of the remaining heap. Otherwise it is the number taken.
    """

    move: Move
    pick: str
    leaves: bool

    @property
    def splits(self) -> bool:
        """Whether several heaps replace one heap. Then the picked number is not the number taken."""
        return len(self.move.become) > 1

    def compute_picked_number(self, take: t.Term) -> t.Term:
        """Return the number that the mover must pick in order to take `take` objects from the heap h."""
        return t.Operation(take.type, 0, 0, "sub", (variable(HEAP), take)) if self.leaves else take


def find_way_of_each(moves: tuple[Move, ...]) -> TakeParameter | None:
    """Return the pick that determines a move, for a game with one kind of move, which takes from each of several heaps.

    For each chosen heap, the player picks the number to take. Return None for another game.
    """
    if len(moves) != 1 or moves[0].choose != "each":
        return None
    way = find_way((replace(moves[0], choose="any"),))
    return None if way is None or way.leaves else way


def find_splitting(moves: tuple[Move, ...]) -> TakeParameter | None:
    """Return the pick that determines a move, for a game with one kind of move, which splits a heap.

    Return None for another game.
    """
    if len(moves) != 1:
        return None
    (move,) = moves
    one = len(move.heaps) == len(move.picks) == 1 and len(move.become) > 1 and move.choose == "any"
    return TakeParameter(move, move.picks[0].name, False) if one else None


def find_way(moves: tuple[Move, ...]) -> TakeParameter | None:
    """Return the pick m that determines every move.

    Every move changes one heap h to h - m, or every move changes it to m. Return None for other moves, and for moves on
    a smallest heap.
    """
    found = []
    for move in moves:
        if len(move.heaps) != 1 or len(move.picks) != 1 or len(move.become) != 1 or move.choose == "each":
            return None
        heap, pick = move.heaps[0], move.picks[0].name
        match move.become[0]:
            case t.Variable(name=name) if name == pick:
                found.append(TakeParameter(move, pick, True))
            case t.Operation(op="sub", args=(t.Variable(name=a), t.Variable(name=b))) if (a, b) == (heap, pick):
                found.append(TakeParameter(move, pick, False))
            case _:
                return None
    alike = len({(w.pick, w.leaves, w.move.choose == "largest") for w in found}) == 1
    return found[0] if alike and found[0].move.choose != "smallest" else None


def choose_box(question: SearchProblem) -> SampleLimits:
    """Return the limits for the positions and parameters at which a formula must be correct.

    They allow about as many combinations of position and parameters as can be computed. If possible, the heap sizes
    exceed the numbers in the rules. If there are many choices of the parameters, each parameter has fewer values.
    """
    most, size = LARGE.most, LARGE.size
    while most > 2 and (choices := _count_choices(question, most)) * count_box(LARGE.heaps, size) > 3 * _ROOM:
        most -= 1
    choices = _count_choices(question, most)
    for number in numbers_of(question):
        wider = number + BEYOND
        if wider > size and choices * count_box(LARGE.heaps, wider) <= _ROOM:
            size = wider
    return SampleLimits(LARGE.heaps, size, most)


def _count_choices(question: SearchProblem, most: int) -> int:
    """Return the number of choices of the free parameters in the region, with values up to about `most`.

    If there are far too many choices, they are not counted, and a large number is returned.
    """
    if question.free and (most + 1) ** len(question.free) > 100 * _ROOM:
        return 100 * _ROOM
    return len(next(iter(_list_choices(question, most).values()), (0,)))


def numbers_of(question: SearchProblem) -> list[int]:
    """Return the numbers of at least 2 in the rules and in the fixed parameters, in ascending order."""
    terms = walk((question.ruleset.moves, tuple(x for _, x in question.bound)))
    return sorted({x.value for x in terms if isinstance(x, t.Literal) and x.type == INT and x.value > 1})


class OutcomeTable:
    """A box of cells (positions with parameters), with the winner at each cell.

    `lost[side][q, n]`: whether this side loses position n, when it is to move, for the choice q of the parameters.
    `rows`: the positions. A row contains the heaps of a position in ascending order, preceded by zeros.
    `parameters`: for each parameter, its value in each choice.
    """

    def __init__(self, question: SearchProblem, box: SampleLimits, clock: Deadline) -> None:
        self.question, self.box, self.clock = question, box, clock
        self.positions = PositionSet.box(box.heaps, box.size)
        self.rows = self.positions.rows
        self.parameters = _list_choices(question, box.most)
        self.choices = len(next(iter(self.parameters.values()))) if self.parameters else 1
        self._boards: dict[str, GameSolver] = {}
        pool = Pool(self.positions)
        self._evaluator = FrameEvaluator(pool, clock, self._boards)
        names: dict[str, Value] = {n: Scalars(x[:, None]) for n, x in self.parameters.items()}
        names[POSITION_NAME] = Scalars(np.arange(len(self.rows))[None, :])
        self.frame = Frame(self.choices, len(self.rows), names)
        self._boards[GAME] = GameSolver(question.game, pool, self._evaluator, clock)
        s = t.Variable(POSITION, 0, 0, POSITION_NAME)
        self.lost = []
        for side in question.sides:
            call = t.GameCall(BOOL, 0, 0, "wins", GAME, (s, t.Literal(PLAYER, 0, 0, side)))
            self.lost.append(~self.evaluate(call).astype(bool))

    def evaluate(self, term: t.Term) -> Array:
        """Return the value of a term at every cell: element [q, n] is for choice q of the parameters and position n.

        An undefined value is replaced by 0.
        """
        value = self._evaluator.evaluate_scalars(term, self.frame)
        data = value.data if value.bad is None else np.where(value.bad, 0, value.data)
        return np.broadcast_to(data, (self.choices, len(self.rows)))

    @cached_property
    def beside(self) -> Array:
        """Element [n, i] is the index of the position that remains if heap i of position n is removed.

        If this heap is 0, which means that there is none, the element is n.
        """
        columns = []
        for i in range(self.rows.shape[1]):
            fewer = self.rows.copy()
            fewer[:, i] = 0
            columns.append(np.where(self.rows[:, i] > 0, self.positions.find(sort_heaps(fewer)), np.arange(len(fewer))))
        return np.stack(columns, axis=1)

    @cached_property
    def joined(self) -> Array:
        """Element [n, h] is the index of the position that consists of the heaps of position n and a heap h.

        Position n has fewer heaps than the largest positions of the table.
        """
        count, sizes = count_box(self.box.heaps - 1, self.box.size), self.box.size + 1
        more = np.repeat(self.rows[:count], sizes, axis=0)  # positions with fewer heaps come first
        more[:, 0] = np.tile(np.arange(sizes), count)
        return self.positions.find(sort_heaps(more)).reshape(count, sizes)

    @cached_property
    def legal(self) -> list[Truths]:
        """For each side, an array whose element [q, h, y] is whether some move may change a heap h to a heap y.

        q is the index of the choice of the parameters.
        """
        moves = Moves(self.question.ruleset, self._evaluator)
        choices = self._read_choices()
        return [
            np.logical_or.reduce(
                [moves.tabulate_single_heap(m, choices, side, self.box.size) for m in self.question.ruleset.moves]
            )
            for side in self.question.sides
        ]

    def _read_choices(self) -> list[Parameters]:
        """Return the values of the parameters of the ruleset for each choice."""
        columns: list[list[int | tuple[int, ...]]] = []
        for _, term in self.question.game.arguments:
            value = self._evaluator.evaluate(term, self.frame.narrow(True, False))
            if isinstance(value, Ragged):
                columns.append([value.to_lists()[0]] * self.choices)
            else:
                columns.append(np.broadcast_to(value.data, (self.choices, 1))[:, 0].tolist())
        return list(zip(*columns, strict=True)) if columns else [()]

    @cached_property
    def cells(self) -> Cells:
        """All cells of the table. A cell is a position with parameters."""
        q, n = np.divmod(np.arange(self.choices * len(self.rows)), len(self.rows))
        return Cells(self, q, n)

    def sample(self, small: SampleLimits) -> Cells:
        """Return the cells of the smaller box `small`, and a sample of the cells with the maximal number of heaps.

        A cell is a position with parameters. A formula that is found from the smaller box alone is often wrong.
        """
        inside = (np.count_nonzero(self.rows, axis=1) <= small.heaps) & (self.rows.max(axis=1) <= small.size)
        some = np.ones(self.choices, dtype=bool)
        for values in self.parameters.values():
            some &= values <= small.most
        q, n = np.nonzero(some[:, None] & inside[None, :])
        wide_q, wide_n = np.nonzero(np.broadcast_to((self.rows > 0).all(axis=1), (self.choices, len(self.rows))))
        step = 17 if self.parameters else 3
        return Cells(self, np.append(q, wide_q[::step]), np.append(n, wide_n[::step]))

    def describe(self, q: int, n: int) -> str:
        """Return a cell as text: its position, and the values of its parameters."""
        heaps = ", ".join(str(h) for h in self.rows[n] if h)
        return "; ".join([f"({heaps})", *(f"{name} = {x[q]}" for name, x in self.parameters.items())])


def _list_choices(question: SearchProblem, most: int) -> dict[str, Array]:
    """Return all choices of the free parameters in the region: for each parameter, its value in each choice.

    A value is at most `most`, or at most 2 above the least value of the parameter if this is larger.
    """
    if not question.free:
        return {}
    tops = [max(most, x.first + 2) for x in question.free]
    tops = [top if (hi := x.parameter.hi) is None else min(top, hi) for x, top in zip(question.free, tops, strict=True)]
    ranges = [range(x.parameter.lo, top + 1) for x, top in zip(question.free, tops, strict=True)]
    grid = np.array(list(itertools.product(*ranges)), dtype=np.int64).reshape(-1, len(ranges))
    columns = {x.name: grid[:, i] for i, x in enumerate(question.free)}
    kept = np.ones(len(grid), dtype=bool)
    table = ColumnTable(columns)
    for term in _conditions(question):
        kept &= table.evaluate(term).values.astype(bool)
    return {name: column[kept] for name, column in columns.items()}


def _conditions(question: SearchProblem) -> list[t.Term]:
    """Return the conditions that the free parameters are in their domains and in the region."""
    found = [] if question.condition is None else [question.condition]
    reader = question.elaborator()
    for x in question.free:
        low, _, high = x.domain.partition("..")
        found.append(reader.term(f"{x.name} >= {low}", BOOL))
        if high:
            found.append(reader.term(f"{x.name} <= {high}", BOOL))
    return found


class Cells:
    """Some cells (positions with parameters) of a table, at which terms can be evaluated.

    A term may contain parameters, the names of added folds (numbers computed heap by heap) and perhaps a heap h. The
    values of a term object are cached.
    `q`: for each cell, the index of the choice of the parameters.
    `n`: for each cell, the index of the position.
    """

    def __init__(self, table: OutcomeTable, q: Array, n: Array) -> None:
        self.table, self.q, self.n = table, q, n
        self.heaps = table.rows[n]
        self._columns: dict[str, Array] = {_ROW: np.zeros(len(q), dtype=np.int64)}
        self._columns |= {x: values[q] for x, values in table.parameters.items()}
        self._values = ColumnTable(self._columns)
        self._per_heap = {x: np.repeat(c, self.heaps.shape[1]) for x, c in self._columns.items()}
        self._per_heap[HEAP] = self.heaps.ravel()
        self._at_heaps = ColumnTable(self._per_heap)

    def __len__(self) -> int:
        return len(self.q)

    def add(self, name: str, grid: Array) -> None:
        """Add a fold (a number computed heap by heap), so that terms may contain its name.

        The name `rest_NAME` denotes, for each heap, the same fold of the other heaps. If the name is already known,
        nothing is changed.
        Element [q, n] of `grid` is the fold of position n for choice q of the parameters.
        """
        if name in self._columns:
            return
        self._columns[name] = grid[self.q, self.n]
        self._per_heap[name] = np.repeat(self._columns[name], self.heaps.shape[1])
        beside = self.table.beside[self.n]
        self._per_heap[f"rest_{name}"] = grid[self.q[:, None], beside].ravel()

    def column(self, term: t.Term) -> Array:
        """Return the value of a term at each cell (position with parameters)."""
        return self._values.evaluate(term).values

    def evaluate_at_heaps(self, term: t.Term) -> Array:
        """Return the value of a term over a heap h: element [i, j] is the value for heap j of cell i.

        A cell is a position with parameters. The element has no meaning if heap j is 0, which means that there is none.
        """
        found = self._at_heaps.evaluate(term).values
        return found.reshape(self.heaps.shape)

    def find_lost(self, side: int) -> Truths:
        """Return, for each cell (position with parameters), whether the side loses when it is to move."""
        found: Truths = self.table.lost[side][self.q, self.n]
        return found

    def legal(self, side: int) -> Truths:
        """Return an array whose element [i, j, m] is whether the side may take m objects from heap j of cell i.

        A cell is a position with parameters. For m = 0 the element is False.
        """
        table, heaps = self.table, self.heaps[:, :, None]
        taken = np.arange(table.box.size + 1)[None, None, :]
        found: Truths = table.legal[side][self.q[:, None, None], heaps, np.maximum(heaps - taken, 0)]
        found = found & (taken >= 1) & (taken <= heaps)
        if any(m.choose == "largest" for m in table.question.ruleset.moves):
            found &= (self.heaps == self.heaps.max(axis=1, keepdims=True))[:, :, None]
        return found

    def find_winning(self, side: int) -> Truths:
        """Return an array whose element [i, j, m] is whether taking m objects from heap j of cell i wins for the side.

        A cell is a position with parameters.
        """
        table = self.table
        left = np.maximum(self.heaps[:, :, None] - np.arange(table.box.size + 1)[None, None, :], 0)
        line = np.where(self.heaps > 0, table.beside[self.n], 0)[:, :, None]
        following = table.lost[(side + 1) % len(table.lost)]
        found: Truths = self.legal(side) & following[self.q[:, None, None], table.joined[line, left]]
        return found

    def take(self, index: Array) -> Cells:
        """Return the cells (positions with parameters) that `index` selects, without the values added by `add`.

        `index` is an array of indices, or a truth value for each cell.
        """
        return Cells(self.table, self.q[index], self.n[index])

    def join(self, other: Cells) -> Cells:
        """Return the cells (positions with parameters) of this object and then those of the other object.

        The values added by `add` are omitted.
        """
        return Cells(self.table, np.append(self.q, other.q), np.append(self.n, other.n))


def make_column_table(columns: Mapping[str, Array]) -> ColumnTable:
    """Return a table that evaluates terms at given values of their variables, such as the values of a countermodel."""
    return ColumnTable(dict(columns))
