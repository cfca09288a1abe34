"""One game of a claim on the board: its parameters, its positions, its solved tables, and the answers to questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from claims import terms as t
from claims.model import Game
from encoders.exhaustive.frame import Frame
from encoders.exhaustive.graph import EdgeGraph, Graph
from encoders.exhaustive.limits import MAX_POSITIONS, Clock, TooLarge
from encoders.exhaustive.lines import Lines
from encoders.exhaustive.moves import Moves, Parameters
from encoders.exhaustive.positions import Pool, box_size
from encoders.exhaustive.sprague import applies, single_heap_values
from encoders.exhaustive.values import Array, Ragged, Scalars, Value, either

if TYPE_CHECKING:
    from encoders.exhaustive.evaluate import Evaluator

SPRAGUE_GRUNDY = "Sprague-Grundy theorem, for Grundy values of single heaps that split"


@dataclass
class Question:
    """What a game call asks besides the position: parameters (numbers of the board's list), mover, and badness."""

    parameters: Scalars
    mover: Scalars
    bad: Array | None


class Board:
    """The game `game` of a claim. `ids` are the pool ids of its positions, in order."""

    def __init__(self, game: Game, pool: Pool, evaluator: Evaluator, clock: Clock) -> None:
        self.game, self.pool, self.evaluator, self.clock = game, pool, evaluator, clock
        self.arguments = game.arguments
        self.moves = Moves(game.ruleset, evaluator)
        self.parameters: list[Parameters] = []
        self.trusted: set[str] = set()
        self._index: dict[Parameters, int] = {}
        self._graph: Graph | None = None
        self._graph_parameters = 0
        self._asked = np.zeros(len(pool), dtype=bool)
        self._asked[: pool.core] = True
        self._tables: dict[str, Array] = {}
        self._numbers = np.zeros(0, dtype=np.int64)
        self._mapped: Graph | None = None

    def __len__(self) -> int:
        return len(self.graph.positions)

    # -- parameters and positions -----------------------------------------------------------------------------------
    def question(self, call: t.GameCall, frame: Frame) -> Question:
        """The parameters and the mover of a game call on a frame."""
        values = [self.evaluator.value(term, frame) for _, term in self.arguments]
        bad = either(*(v.bad for v in values))
        numbers, outside = self._numbered(values)
        bad = either(bad, outside)
        position_args = 2 if call.function == "legal" else 1
        if len(call.args) > position_args:
            mover = self.evaluator.scalars(call.args[position_args], frame)
            bad = either(bad, mover.bad)
            if not self.game.ruleset.players:
                players = self.players(numbers)
                wrong = np.asarray((mover.data < 0) | (mover.data >= players), dtype=bool)
                bad = either(bad, wrong)
                mover = Scalars(np.where(wrong, 0, mover.data))
        else:
            mover = Scalars(np.zeros((1, 1), dtype=np.int64))
        if self.game.ruleset.impartial:
            mover = Scalars(np.zeros((1, 1), dtype=np.int64))
        return Question(Scalars(numbers), mover, bad)

    def players(self, numbers: Array) -> Array:
        """The number of players at each parameter number."""
        ruleset = self.game.ruleset
        if ruleset.players:
            return np.full(numbers.shape, len(ruleset.players))
        at = [p.name for p in ruleset.parameters].index(ruleset.player_count)
        return np.array([p[at] for p in self.parameters], dtype=np.int64)[numbers]

    def _numbered(self, values: list[Value]) -> tuple[Array, Array | None]:
        if not values:
            self._register(())
            return np.zeros((1, 1), dtype=np.int64), None
        shape = np.broadcast_shapes(*(v.data.shape if isinstance(v, Scalars) else v.shape for v in values))
        columns = [_column(v, (shape[0], shape[1])) for v in values]
        ruleset = self.game.ruleset
        outside = np.zeros(shape[0] * shape[1], dtype=bool)
        if all(isinstance(c, np.ndarray) for c in columns):
            distinct, inverse = np.unique(np.stack(columns), axis=1, return_inverse=True)
            tuples: list[Parameters] = [tuple(int(x) for x in column) for column in distinct.T]
            inverse = inverse.ravel()
        else:
            cells: list[Parameters] = list(zip(*(c if isinstance(c, list) else c.tolist() for c in columns), strict=True))
            tuples = list(dict.fromkeys(cells))
            place = {p: i for i, p in enumerate(tuples)}
            inverse = np.array([place[c] for c in cells], dtype=np.int64)
        numbers = np.zeros(len(tuples), dtype=np.int64)
        wrong = np.zeros(len(tuples), dtype=bool)
        for i, values_ in enumerate(tuples):
            for p, x in zip(ruleset.parameters, values_, strict=True):
                wrong[i] |= p.kind == "int" and not (p.lo <= x and (p.hi is None or x <= p.hi))
            if not wrong[i]:
                numbers[i] = self._register(values_)
        if not self.parameters:  # nothing sensible was asked: some parameters, so that there is a board
            self._register(tuple(p.lo if p.kind == "int" else () for p in ruleset.parameters))
        outside = wrong[inverse]
        return numbers[inverse].reshape(shape), outside.reshape(shape) if outside.any() else None

    def _register(self, parameters: Parameters) -> int:
        if parameters not in self._index:
            self._index[parameters] = len(self.parameters)
            self.parameters.append(parameters)
        return self._index[parameters]

    def number(self, ids: Array) -> Array:
        """The numbers, on this board, of positions given by pool ids; positions not met before enlarge the board."""
        self._meet(ids)
        return self._number_map()[ids]

    def _meet(self, ids: Array) -> None:
        if len(self._asked) < len(self.pool):
            self._asked = np.append(self._asked, np.zeros(len(self.pool) - len(self._asked), dtype=bool))
        if ids.size and int(ids.max(initial=0)) >= self.pool.core and not self._asked[ids].all():
            self._asked[np.unique(ids)] = True
            if self._graph is not None and bool((self._graph.positions.find(self.pool.rows[self._asked]) < 0).any()):
                self._graph = None
                self._tables.clear()

    def _number_map(self) -> Array:
        graph = self.graph
        if len(self._numbers) != len(self.pool) or self._mapped is not graph:
            self._numbers = np.maximum(graph.positions.find(self.pool.rows), 0)
            self._mapped = graph
        return self._numbers

    @property
    def graph(self) -> Graph:
        """The board itself, made for the positions and parameters met so far."""
        stale = self._graph is not None and self._graph_parameters < len(self.parameters)
        if self._graph is None or stale:
            self._tables.clear()
            self._graph = self._make()
            self._graph_parameters = len(self.parameters)
            self.ids = self.pool.intern(self._graph.positions.rows)
            self._meet(self.ids)
        return self._graph

    def _make(self) -> Graph:
        rows = self.pool.rows[: len(self._asked)][self._asked]
        ruleset = self.game.ruleset
        parameters = self.parameters or [()]
        heaps = int(np.count_nonzero(rows, axis=1).max(initial=0))
        size = int(rows.max(initial=0))
        if ruleset.single_heap and ruleset.measure is None:
            if box_size(heaps, size) > MAX_POSITIONS:
                raise TooLarge(f"{box_size(heaps, size)} positions of at most {heaps} heaps of at most {size}")
            return Lines(self.moves, parameters, heaps, size, self.clock)
        return EdgeGraph(self.moves, parameters, rows, self.pool, self.clock)

    # -- what comprehensions over options need -------------------------------------------------------------------------
    @property
    def degree(self) -> int:
        """About how many moves a position has."""
        return self.graph.degree

    def edges(self) -> tuple[Array, Array]:
        """(offsets, targets), as `Graph.edges`."""
        return self.graph.edges()

    def legal_edges(self, q: Array, mover: Array, edges: Array) -> Array:
        """Whether edges are legal moves; the arrays broadcast."""
        return self.graph.legal(q, mover, edges)

    def hit(self, wanted: Array, q: Array, mover: Array) -> Array:
        """As `Graph.hit`."""
        return self.graph.hit(wanted, q, mover)

    # -- questions ----------------------------------------------------------------------------------------------------
    def ask(self, call: t.GameCall, frame: Frame) -> Value:
        """The value of a game call on a frame."""
        if call.function == "options":
            term = t.Comprehension(
                call.type, call.start, call.end, "set", t.Variable(_position(call), 0, 0, "option'"),
                (t.Clause("option'", call, ()),),
            )
            return self.evaluator.comprehensions.value(term, frame)
        s = self.evaluator.scalars(call.args[0], frame)
        question = self.question(call, frame)
        q, mover, bad = question.parameters.data, question.mover.data, either(question.bad, s.bad)
        if call.function == "grundy":
            return self._grundy(s, q, bad)
        if call.function == "legal":
            return self._legal(s, self.evaluator.scalars(call.args[1], frame), q, mover, bad)
        numbers = self.number(s.data)
        if call.function == "outcome":
            wins = self._table("wins")
            first, second = wins[q, 0, numbers], wins[q, wins.shape[1] - 1, numbers]
            codes = np.where(first, np.where(second, 1, 2), np.where(second, 3, 0))
            return Scalars(codes.astype(np.int64), bad, 0, 3)
        if call.function == "terminal":
            return Scalars(~self._table("movable")[q, mover, numbers], bad)
        return Scalars(self._table(call.function)[q, mover, numbers], bad)

    def _table(self, name: str) -> Array:
        graph = self.graph
        if name not in self._tables:
            q = np.arange(len(self.parameters))
            match name:
                case "wins":
                    self._tables[name] = graph.wins(q)
                case "movable":
                    self._tables[name] = graph.has_option(q)
                case "value":
                    self._tables[name] = graph.value(q, self.players(q))
                case "grundy":
                    self._tables[name], self._tables["differ"] = graph.grundy(q)
        return self._tables[name]

    def _grundy(self, s: Scalars, q: Array, bad: Array | None) -> Scalars:
        if applies(self.game.ruleset):
            rows = self.pool.rows[s.data.ravel()]
            if bool((np.count_nonzero(rows, axis=1) <= 1).all()):
                self.trusted.add(SPRAGUE_GRUNDY)
                table = single_heap_values(self.moves, self.parameters, int(rows.max(initial=0)))
                return Scalars(table[q, rows.max(axis=1).reshape(s.data.shape)], bad)
        numbers = self.number(s.data)
        values = self._table("grundy")[q, numbers]
        differ = self._tables["differ"][q, numbers]
        return Scalars(values, either(bad, differ) if differ.any() else bad)

    def _legal(self, s: Scalars, option: Scalars, q: Array, mover: Array, bad: Array | None) -> Scalars:
        shape = np.broadcast_shapes(s.data.shape, option.data.shape)
        sources = self.number(np.broadcast_to(s.data, shape)).ravel()
        known = self.graph.positions.find(self.pool.rows[np.broadcast_to(option.data, shape).ravel()])
        edge = np.where(known < 0, -1, self.graph.find_edge(sources, np.maximum(known, 0))).reshape(shape)
        legal = self.graph.legal(q, mover, np.maximum(edge, 0)) if len(self.edges()[1]) else np.zeros(shape, dtype=bool)
        return Scalars(legal & (edge >= 0), either(bad, option.bad))


def _position(call: t.GameCall) -> Any:
    assert call.type.element is not None
    return call.type.element


def _column(value: Value, shape: tuple[int, int]) -> Any:
    """The cells of a parameter, one after the other: an int64 array, or a list of Python values."""
    if isinstance(value, Scalars):
        data = np.broadcast_to(value.data, shape).ravel()
        return data if data.dtype != object else data.tolist()
    grid = np.broadcast_to(np.arange(len(value.lengths)).reshape(value.shape), shape).ravel()
    starts = value.starts
    lists = [tuple(value.items[a : a + n].tolist()) for a, n in zip(starts, value.lengths, strict=True)]
    assert isinstance(value, Ragged)
    return [lists[i] for i in grid]
