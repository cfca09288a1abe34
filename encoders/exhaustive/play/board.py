"""One game of a claim on the board: its parameters, its positions, its solved tables, and the answers to questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claims.language.expressions import terms as t
from claims.language.statement.claim import Game
from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.positions import count_box
from encoders.exhaustive.arrays.values import Array, Scalars, Value, make_nothing, merge_bad, worsen
from encoders.exhaustive.play.edge_graph import EdgeGraph
from encoders.exhaustive.play.evaluator import Evaluator
from encoders.exhaustive.play.graph import Graph
from encoders.exhaustive.play.line_box import LineBox
from encoders.exhaustive.play.lines import Lines
from encoders.exhaustive.play.moves import Moves
from encoders.exhaustive.play.parameters import ParameterList
from encoders.exhaustive.play.sprague import applies, solve_single_heaps
from encoders.trust import Trust


@dataclass
class Question:
    """What a game call asks of a position: parameters (their numbers), mover, and where both are ill-defined."""

    parameters: Scalars
    mover: Scalars
    bad: Array | None

    @property
    def hopeless(self) -> bool:
        """Ill-defined at every case: there may be no parameters to play under."""
        return self.bad is not None and bool(self.bad.all())


class Board:
    """The game `game` of a claim.

    It grows: positions and parameters that were not met before are added when they are asked about, and the game is
    solved anew.  A `Graph` that was taken from it stays what it was.
    """

    def __init__(self, game: Game, pool: Pool, evaluator: Evaluator, clock: Clock) -> None:
        self.game, self.pool, self.evaluator, self.clock = game, pool, evaluator, clock
        self.arguments = game.arguments
        self.moves = Moves(game.ruleset, evaluator)
        self.trusted: set[Trust] = set()
        self.engines: set[str] = set()  # the names of those that solved something
        self._asked = np.arange(len(pool)) < pool.core  # by pool id
        self._box: LineBox | None = None
        self._single: tuple[int, Array] | None = None  # Sprague-Grundy values: (number of parameters, table)
        self.forget()

    def forget(self) -> None:
        """Drop the parameters met so far, and what was solved under them."""
        self.parameters = ParameterList(self.game.ruleset)
        self._graph: Graph | None = None
        self._graph_parameters = 0
        self._tables: dict[str, Array] = {}
        self._numbers = np.zeros(0, dtype=np.int64)  # pool id -> number in _graph
        self._single = None

    @property
    def volume(self) -> int:
        """About how many entries the solved tables have."""
        return 0 if self._graph is None else len(self._graph) * self._graph.movers * self._graph_parameters

    # -- parameters and positions -----------------------------------------------------------------------------------
    def read_question(self, call: t.GameCall, frame: Frame) -> Question:
        """The parameters and the mover of a game call on a frame."""
        ruleset, first = self.game.ruleset, Scalars(np.zeros((1, 1), dtype=np.int64))
        numbers, bad = self.parameters.number_choices(
            [self.evaluator.evaluate(term, frame) for _, term in self.arguments]
        )
        movers = call.args[2 if call.function == "legal" else 1 :]
        if not movers or (bad is not None and bad.all()):
            return Question(Scalars(numbers), first, bad)
        mover = self.evaluator.evaluate_scalars(movers[0], frame)
        wrong = np.asarray((mover.data < 0) | (mover.data >= self.parameters.players[numbers]), dtype=bool)
        bad = merge_bad(bad, mover.bad, wrong)
        known = first if ruleset.impartial else Scalars(np.where(wrong, 0, mover.data).astype(np.int64))
        return Question(Scalars(numbers), known, bad)

    def locate(self, ids: Array) -> tuple[Graph, Array]:
        """The board as a graph that holds the positions `ids` of the pool, and their numbers there, shaped alike."""
        self._meet(ids)
        graph = self.graph
        if len(self._numbers) < len(self.pool):
            self._numbers = np.maximum(graph.positions.find(self.pool.rows), 0)
        return graph, self._numbers[ids]

    def _meet(self, ids: Array) -> None:
        if len(self._asked) < len(self.pool):
            self._asked = np.append(self._asked, np.zeros(len(self.pool) - len(self._asked), dtype=bool))
        if int(ids.max(initial=0)) >= self.pool.core and not self._asked[ids].all():
            self._asked[ids] = True
            if self._graph is not None and bool((self._graph.positions.find(self.pool.rows[self._asked]) < 0).any()):
                self._graph = None

    @property
    def graph(self) -> Graph:
        """The board itself, with the positions and parameters met so far."""
        if self._graph is None or self._graph_parameters < len(self.parameters):
            self._tables.clear()
            self._numbers = self._numbers[:0]
            graph = self._make_graph()
            graph.ids = self.pool.intern(graph.positions.rows)
            self._meet(graph.ids)
            self._graph, self._graph_parameters = graph, len(self.parameters)
        return self._graph

    def _make_graph(self) -> Graph:
        asked = np.flatnonzero(self._asked)
        rows, parameters, players = self.pool.rows[asked], self.parameters.values, self.parameters.players
        heaps, size = int(np.count_nonzero(rows, axis=1).max(initial=0)), int(rows.max(initial=0))
        # A box that holds far more positions than were asked about is slower than playing from these.
        if self.game.ruleset.single_heap and count_box(heaps, size) <= min(
            limits.MAX_POSITIONS, 100_000 + 64 * len(asked)
        ):
            if self._box is None or (self._box.heaps, self._box.size) != (heaps, max(size, 1)):
                self._box = LineBox(heaps, size, self.clock)
            self.engines.add("lines")
            return Lines(self.moves, parameters, players, self._box, self.clock)
        self.engines.add("moves")
        return EdgeGraph(self.moves, parameters, players, asked, self.pool, self.clock)

    # -- questions ----------------------------------------------------------------------------------------------------
    def ask(self, call: t.GameCall, frame: Frame) -> Value:
        """The value of a game call on a frame."""
        if call.function == "options":
            return self._list_options(call, frame)
        s, question = self.evaluator.evaluate_scalars(call.args[0], frame), self.read_question(call, frame)
        option = self.evaluator.evaluate_scalars(call.args[1], frame) if call.function == "legal" else None
        bad = merge_bad(s.bad, question.bad, None if option is None else option.bad)
        if question.hopeless:
            return worsen(make_nothing(call.type), bad)
        q, mover = question.parameters.data, question.mover.data
        if option is not None:
            return Scalars(self._decide_legal(s.data, option.data, q, mover), bad)
        if call.function == "grundy":
            return worsen(self._evaluate_grundy(s, q), bad)
        graph, numbers = self.locate(s.data)
        if call.function == "outcome":
            wins = self._solve_table("wins", graph)
            first, second = wins[q, 0, numbers], wins[q, wins.shape[1] - 1, numbers]
            codes = np.where(first, np.where(second, 1, 2), np.where(second, 3, 0))
            return Scalars(codes.astype(np.int64), bad, 0, len(t.OUTCOMES) - 1)
        if call.function == "terminal":
            return Scalars(~self._solve_table("movable", graph)[q, mover, numbers], bad)
        return Scalars(self._solve_table(call.function, graph)[q, mover, numbers], bad)

    def _list_options(self, call: t.GameCall, frame: Frame) -> Value:
        """The options as a set: {o for o in options(...)}."""
        at, kind = (call.start, call.end), call.type.element
        assert kind is not None
        body = t.Variable(kind, *at, "option'")
        term = t.Comprehension(call.type, *at, "set", body, (t.Clause("option'", call, ()),))
        return self.evaluator.evaluate(term, frame)

    def _solve_table(self, name: str, graph: Graph) -> Array:
        if name not in self._tables:
            q = np.arange(len(self.parameters))
            match name:
                case "wins":
                    self._tables[name] = graph.solve_wins(q)
                case "movable":
                    self._tables[name] = graph.has_option(q)
                case "value":
                    self._tables[name] = graph.solve_value(q, self.parameters.players)
                case "grundy":
                    self._tables[name], self._tables["differ"] = graph.solve_grundy(q)
        return self._tables[name]

    def _evaluate_grundy(self, s: Scalars, q: Array) -> Scalars:
        if applies(self.game.ruleset):
            rows = self.pool.rows[s.data.ravel()]
            if bool((np.count_nonzero(rows, axis=1) <= 1).all()):
                self.trusted.add(Trust.SPRAGUE_GRUNDY)
                table = self._solve_single_heaps(int(rows.max(initial=0)))
                return Scalars(table[q, rows.max(axis=1).reshape(s.data.shape)])
        graph, numbers = self.locate(s.data)
        values = self._solve_table("grundy", graph)[q, numbers]
        return Scalars(values, merge_bad(self._tables["differ"][q, numbers]))

    def _solve_single_heaps(self, size: int) -> Array:
        count = len(self.parameters)
        if self._single is None or self._single[0] < count or self._single[1].shape[1] <= size:
            self.engines.add("heaps")
            self._single = count, solve_single_heaps(self.moves, self.parameters.values, size)
        return self._single[1]

    def _decide_legal(self, s: Array, option: Array, q: Array, mover: Array) -> Array:
        shape = np.broadcast_shapes(s.shape, option.shape)
        graph, sources = self.locate(np.broadcast_to(s, shape).ravel())
        targets = graph.positions.find(self.pool.rows[np.broadcast_to(option, shape).ravel()])
        edge = np.where(targets < 0, -1, graph.find_edge(sources, np.maximum(targets, 0))).reshape(shape)
        if not len(graph.list_edges()[1]):
            return edge >= 0
        return graph.is_legal(q, mover, np.maximum(edge, 0)) & (edge >= 0)
