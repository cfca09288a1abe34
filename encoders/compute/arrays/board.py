"""The solver of one game of a claim: evaluate game calls such as wins(s, A) for many positions at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from claims.language.files.claim import Game
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Setting
from claims.language.syntax.questions import CASE_BY_CASE
from encoders.compute.arrays import boxes, limits
from encoders.compute.arrays.graphs import EdgeGraph, Graph
from encoders.compute.arrays.heap_tables import SingleHeaps
from encoders.compute.arrays.limits import Deadline, TooLarge, group_digits
from encoders.compute.arrays.moves import Evaluator, Moves, ParameterList, Parameters
from encoders.compute.arrays.positions import Pool, count_box, count_heaps
from encoders.compute.arrays.ties import PAIR
from encoders.compute.arrays.two_heaps import PairTable
from encoders.compute.arrays.values import Array, Frame, Scalars, Value, add_bad, list_distinct, make_nothing, merge_bad
from encoders.refusals import Unsupported
from encoders.trust import Trust

# -- reachable positions ----------------------------------------------------------------------------------------------
# Count the reachable positions, to decide between solving only these and solving all positions of a box.

_ROWS = 512  # positions whose moves are generated at once
MOST_TURNS = 16  # largest number of pairs of parameters and mover


def reaches_at_most(
    moves: Moves, pool: Pool, start: Array, turns: list[tuple[Parameters, int]], positions: int, options: int
) -> bool:
    """Whether play from `start` reaches at most `positions` positions, by at most `options` moves.

    `start`: positions, as their numbers in `pool`. The positions that play reaches are added to `pool`.
    `turns`: pairs (parameters, mover). A position is reached if the moves of these pairs, in any order, lead to it.

    Return False also if there are more than MOST_TURNS pairs, or too many moves from one position. Raises BadRuleset
    and OutOfTime.
    """
    known = np.zeros(len(pool), dtype=bool)
    known[start] = True
    todo = list_distinct(start)
    if len(turns) > MOST_TURNS:
        return False
    while len(todo) and int(known.sum()) <= positions:
        part, todo = todo[:_ROWS], todo[_ROWS:]
        for parameters, mover in turns:
            try:
                found = moves.list_options(pool.rows[part], part, parameters, mover)[1]
            except TooLarge:
                return False
            options -= len(found)
            if options < 0:
                return False
            ids = list_distinct(pool.intern(found))
            known = np.append(known, np.zeros(len(pool) - len(known), dtype=bool))
            fresh = ids[~known[ids]]
            known[fresh] = True
            todo = np.append(todo, fresh)
    return int(known.sum()) <= positions


# -- solver -----------------------------------------------------------------------------------------------------------
SMALL = 128  # up to this heap, a box of positions is solved as fast as tables of single heaps

PLAYED = 100_000  # up to this number of reachable positions, all are solved although Grundy values could be added
FEW = 30
"""Up to this heap size, all positions are solved, even if heaps may split. Then no theorem needs to be trusted."""


MOVES, HEAPS, SUMS = "moves", "heaps", "sums of heaps"
_TABLES = {"outcome": "wins", "terminal": "movable"}  # the table that answers a function of a game call
_OF_PAIRS = ("wins", "outcome", "value", "grundy")  # the functions that tables of two heaps answer


@dataclass(frozen=True)
class _GraphQuery:
    """The positions that must be solved together, and the parameters for which they must be solved.

    `asked`: the positions in game calls, as their ids (numbers in the pool).
    `rows`: the heaps of these positions, one position in each row.
    `parameters`: the choices of values of the game's parameters.
    `players`: the number of players for each of these choices.
    `heaps`: the largest number of heaps of a position in `rows`. `size`: the largest heap in `rows`.
    """

    asked: Array
    rows: Array
    parameters: list[Parameters]
    players: Array
    heaps: int
    size: int


@dataclass
class BoardQuestion:
    """The parameters and the mover of a game call, at each case.

    `parameters`: the number of the choice of parameters in the `ParameterList` of the solver.
    `mover`: the number of the player to move; always 0 in an impartial game.
    `bad`: the cases at which the parameters or the mover are ill-defined; None if there are none.
    """

    parameters: Scalars
    mover: Scalars
    bad: Array | None

    @property
    def hopeless(self) -> bool:
        """Whether the game call is ill-defined at every case. `parameters` and `mover` are then meaningless."""
        return self.bad is not None and bool(self.bad.all())


class GameSolver:
    """The solver of one game of a claim.

    It remembers all positions and parameters that occurred in game calls. If a call contains a new position or new
    parameters, the solver builds a new `Graph` for all of them. A `Graph` that it returned earlier does not change.

    `heaps`: the single heaps that an earlier solver of the same game has solved; None if there was no such solver.
    """

    def __init__(
        self, game: Game, pool: Pool, evaluator: Evaluator, clock: Deadline, heaps: SingleHeaps | None = None
    ) -> None:
        self.game, self.pool, self.evaluator, self.clock = game, pool, evaluator, clock
        self.arguments = game.arguments
        self.moves = Moves(game.ruleset, evaluator)
        self.trusted: set[Trust] = set()
        self.engines: set[str] = set()  # the names of the engines that solved something
        self.passed_over: set[tuple[str, str]] = set()  # the engines that were not used, each with the reason
        self._asked = np.arange(len(pool)) < pool.core  # by pool id
        self.heaps = SingleHeaps(self.moves) if heaps is None else heaps
        self.pairs = PairTable(self.moves, clock)
        self._begin()

    def forget(self) -> None:
        """Forget all choices of parameters, and all tables that were solved for them."""
        self.heaps.forget()
        self._begin()

    def _begin(self) -> None:
        self.parameters = ParameterList(self.game.ruleset)
        self._graph: Graph | None = None
        self._graph_parameters = 0
        self._tables: dict[str, Array] = {}
        self._numbers = np.zeros(0, dtype=np.int64)  # pool id -> number in _graph

    @property
    def volume(self) -> int:
        """Estimate the number of entries in the solved tables."""
        graph = 0 if self._graph is None else len(self._graph) * self._graph.movers * self._graph_parameters
        return graph + self.heaps.volume

    # -- parameters and positions -----------------------------------------------------------------------------------
    def read_question(self, call: t.GameCall, frame: Frame) -> BoardQuestion:
        """Return the parameters and the mover of a game call at each case of `frame`, a grid of cases."""
        ruleset, first = self.game.ruleset, Scalars(np.zeros((1, 1), dtype=np.int64))
        numbers, bad = self.parameters.number_choices(
            [self.evaluator.evaluate(term, frame) for _, term in self.arguments]
        )
        movers = call.args[2 if call.function == "legal" else 1 :]
        if not movers or (bad is not None and bad.all()):
            return BoardQuestion(Scalars(numbers), first, bad)
        mover = self.evaluator.evaluate_scalars(movers[0], frame)
        wrong = np.asarray((mover.data < 0) | (mover.data >= self.parameters.players[numbers]), dtype=bool)
        bad = merge_bad(bad, mover.bad, wrong)
        known = first if ruleset.impartial else Scalars(np.where(wrong, 0, mover.data).astype(np.int64))
        return BoardQuestion(Scalars(numbers), known, bad)

    def locate(self, ids: Array) -> tuple[Graph, Array]:
        """Return a graph that contains the positions with the pool numbers `ids`, and their numbers in the graph."""
        self._meet(ids)
        graph = self.graph
        numbers = self._number(graph)[ids]
        assert numbers.min(initial=0) >= 0, "what was met is in the graph"
        return graph, numbers

    def _meet(self, ids: Array) -> None:
        if len(self._asked) < len(self.pool):
            self._asked = np.append(self._asked, np.zeros(len(self.pool) - len(self._asked), dtype=bool))
        if int(ids.max(initial=0)) >= self.pool.core and not self._asked[ids].all():
            self._asked[ids] = True
            if self._graph is not None and bool((self._number(self._graph)[ids] < 0).any()):
                self._graph = None

    def _number(self, graph: Graph) -> Array:
        """Return the number in the graph of each position of the pool; -1 if the position is not in the graph."""
        if len(self._numbers) < len(self.pool):
            fresh = graph.positions.find(self.pool.rows[len(self._numbers) :])
            self._numbers = np.append(self._numbers, fresh)
        return self._numbers

    @property
    def graph(self) -> Graph:
        """The graph of all positions and parameters that occurred so far. New ones cause a new graph."""
        if self._graph is None or self._graph_parameters < len(self.parameters):
            self._tables.clear()
            self._numbers = self._numbers[:0]
            graph = self._make_graph()
            self._graph, self._graph_parameters = graph, len(self.parameters)
            if graph.ids is not None:
                self._meet(graph.ids)
            return graph
        return self._graph

    def list_ids(self, graph: Graph) -> Array:
        """Return the id (number in the pool) of each position of a graph of this solver, in the order of the graph."""
        if graph.ids is None:
            graph.ids = self.pool.intern(graph.positions.rows)
        return graph.ids

    def _make_graph(self) -> Graph:
        asked = np.flatnonzero(self._asked)
        rows = self.pool.rows if len(asked) == len(self.pool) else self.pool.rows[asked]
        parameters, players = self.parameters.values, self.parameters.players
        heaps, size = count_heaps(rows), int(rows.max(initial=0))
        query = _GraphQuery(asked, rows, parameters, players, heaps, size)
        for name, make in self._graph_engines:
            graph = make(query)
            if not isinstance(graph, str):
                self.engines.add(name)
                return graph
            self.passed_over.add((name, graph))
        raise AssertionError("the last engine always answers")

    @property
    def _graph_engines(self) -> tuple[tuple[str, Callable[[_GraphQuery], Graph | str]], ...]:
        """The engines that can build a graph: pairs of a name and a function, in the order in which they are tried.

        A function returns a graph, or the reason why this engine is not used: it does not support the game, or a later
        engine is cheaper. The last engine always returns a graph.
        """
        return (boxes.NAME, self._make_box), (MOVES, self._make_edges)

    def _make_box(self, query: _GraphQuery) -> Graph | str:
        if self.game.ruleset.single_heap:
            # A box takes longer if it has far more positions than occur in game calls or can be reached from them.
            most = min(limits.MAX_POSITIONS, PLAYED + 64 * len(query.asked))
            if count_box(query.heaps, query.size) > most or self._reaches_few(query.asked):
                return (
                    "far fewer positions can be reached than exist with as many heaps, of sizes up to the largest heap"
                )
        return boxes.choose(self.moves, query.parameters, query.players, query.rows, self.pool, self.clock)

    def _make_edges(self, query: _GraphQuery) -> Graph | str:
        return EdgeGraph(self.moves, query.parameters, query.players, query.asked, self.pool, self.clock)

    def list_tables(self) -> dict[Setting, Sequence[int]]:
        """Return the Grundy values of the heaps 0, 1, ... that were computed, by game and parameters."""
        return {self._make_setting(q): values for q, values in self.heaps.list_values()}

    def list_winners(self) -> dict[Setting, list[list[int]]]:
        """Return the winners from the heaps 0, 1, ... that were computed, for each choice of parameters.

        `result[setting][mover][h]` is the winner if the mover plays first from a single heap h: 0 for the mover, 1 for
        the next player, and so on.
        """
        return {self._make_setting(q): rows for q, rows in self.heaps.list_winners()}

    def _make_setting(self, parameters: Parameters) -> Setting:
        names = (p.name for p in self.game.ruleset.parameters)
        return self.game.name, tuple(zip(names, parameters, strict=True))

    # -- questions ----------------------------------------------------------------------------------------------------
    def ask(self, call: t.GameCall, frame: Frame) -> Value:
        """Return the value of a game call at each case of `frame`, a grid of cases.

        Raise Unsupported if the function of the call is in CASE_BY_CASE.
        """
        if call.function in CASE_BY_CASE:
            raise Unsupported(f"{call.function} is computed case by case, not on arrays")
        if call.function == "options":
            return self._list_options(call, frame)
        known = self._ask_written(call, frame)
        if known is not None:
            return known
        s, question = self.evaluator.evaluate_scalars(call.args[0], frame), self.read_question(call, frame)
        option = self.evaluator.evaluate_scalars(call.args[1], frame) if call.function == "legal" else None
        bad = merge_bad(s.bad, question.bad, None if option is None else option.bad)
        if question.hopeless:
            return add_bad(make_nothing(call.type), bad)
        q, mover = question.parameters.data, question.mover.data
        if option is not None:
            return Scalars(self._decide_legal(s.data, option.data, q, mover), bad)
        found = self._ask_pairs(call.function, s.data) or self._ask_heaps(call.function, s.data, q, mover)
        if found is not None:
            return add_bad(found, bad)
        graph, numbers = self.locate(s.data)
        if call.function == "grundy":
            values, differ = _read(self._solve_table("grundy", graph), q, numbers), self._tables["differ"]
            return add_bad(Scalars(values, _read(differ, q, numbers) if differ.any() else None), bad)
        if call.function == "outcome":
            return Scalars(_name_outcomes(self._solve_table("wins", graph), q, numbers), bad, 0, len(t.OUTCOMES) - 1)
        if call.function == "terminal":
            return Scalars(~self._solve_table("movable", graph)[q, mover, numbers], bad)
        return Scalars(_read(self._solve_table(call.function, graph), q, mover, numbers), bad)

    def reads_table(self, call: t.GameCall) -> bool:
        """Whether a game call is answered from a table, if its heaps are large and the moves have a suitable form."""
        name = _TABLES.get(call.function, call.function)
        match call.args:
            case (t.Operation(op="position", args=(t.Collection(items=items),)), *_):
                if len(items) == 1 and not self.arguments and self.heaps.serves(name):
                    return True
                return len(items) in (1, PAIR) and self.pairs.serves and call.function in _OF_PAIRS
        return False

    def _ask_written(self, call: t.GameCall, frame: Frame) -> Value | None:
        """Return the value of a game call about heaps that are written in the call, as in `grundy(position([n]))`.

        The value comes from a table of single heaps or of two heaps, so the positions need no numbers in the pool.
        Return None if the position is written differently, or if such a table is not used.
        """
        name = _TABLES.get(call.function, call.function)
        match call.args[0]:
            case t.Operation(op="position", args=(t.Collection(items=(item,)),)) if self.heaps.serves(name):
                heap, question = self.evaluator.evaluate_scalars(item, frame), self.read_question(call, frame)
            case t.Operation(op="position", args=(t.Collection(items=items),)) if len(items) in (1, PAIR):
                return self._ask_written_pair(call, frame, items) if self.pairs.serves else None
            case _:
                return None
        if heap.bad is not None or question.hopeless or heap.data.dtype == object:
            return None  # where the number is ill-defined, it means nothing
        sizes, bad = heap.data, question.bad
        if int(sizes.min(initial=0)) < 0:
            bad, sizes = merge_bad(bad, np.asarray(sizes < 0)), np.maximum(sizes, 0)
        size = int(sizes.max(initial=0))
        if not self.heaps.reads(self.parameters.values) or self._refuse_heaps(name, None, size):
            return None
        found = self._read_heaps(call.function, sizes, question.parameters.data, question.mover.data, size)
        return None if found is None else add_bad(found, bad)

    def _ask_written_pair(self, call: t.GameCall, frame: Frame, items: tuple[t.Term, ...]) -> Value | None:
        """Return the value of a game call about one or two heaps of a game like Wythoff's, from a table of two heaps.

        `items`: the heaps. Return None if such a table is not used.
        """
        question, bad = self.read_question(call, frame), None
        if question.hopeless:
            return None
        heaps = []
        for heap in (self.evaluator.evaluate_scalars(x, frame) for x in items):
            if heap.data.dtype == object:
                return None
            negative = heap.data < 0 if int(heap.data.min(initial=0)) < 0 else None
            wrong = merge_bad(heap.bad, negative)
            heaps.append(heap.data if wrong is None else np.where(wrong, 0, heap.data))
            bad = merge_bad(bad, wrong)
        found = self._ask_pair(call.function, *heaps)
        return None if found is None else add_bad(found, merge_bad(bad, question.bad))

    def _ask_pairs(self, function: str, s: Array) -> Scalars | None:
        """Return the value of a game call at each case, from a table of two heaps; None if no such table is used.

        `s`: at each case, the position (as its number in the pool).
        """
        rows = self.pool.rows
        if not self.pairs.serves or bool(rows[:, :-2][s].any()):
            return None
        return self._ask_pair(function, rows[:, -1][s], *rows[:, -2:-1].T[:, s])

    def _ask_pair(self, function: str, first: Array, second: Array | None = None) -> Scalars | None:
        if function not in _OF_PAIRS or bool((self.parameters.players != 2).any()):
            return None
        second = np.zeros((1, 1), dtype=np.int64) if second is None else second
        found = self.pairs.find(first, second, function == "grundy", self.parameters.values[0])
        if found is None:
            return None
        self.engines.add(boxes.NAME)
        return _name_value(function, found)

    def _ask_heaps(self, function: str, s: Array, q: Array, mover: Array) -> Scalars | None:
        """Return the value of a game call at each case, from tables with one entry for each heap size.

        `s`, `q`, `mover`: at each case, the position (as its number in the pool), the number of the choice of
        parameters, and the mover. Return None if these tables do not determine the value, or are not faster.
        """
        question = _TABLES.get(function, function)
        rows = self.pool.rows
        if self.heaps.serves(question) and rows.shape[1] > 1 and bool(rows[:, -2][s].any()):
            return self._add_heaps(function, s, q)
        heaps = rows[:, -1][s]
        size = int(heaps.max(initial=0))
        reason = self._refuse_heaps(question, s, size)
        found = None if reason else self._read_heaps(function, heaps, q, mover, size)
        if found is None:
            self.passed_over.add((HEAPS, reason or "the heaps are too large, or the measure is not a sum over heaps"))
        return found

    def _read_heaps(self, function: str, heaps: Array, q: Array, mover: Array, size: int) -> Scalars | None:
        """Return the value of a game call at each case, from a table with one entry for each heap size up to `size`.

        `heaps`: the only heap of the position at each case. Return None if there is no such table.
        """
        question = _TABLES.get(function, function)
        table = self.heaps.tabulate(question, self.parameters.values, self.parameters.players, size)
        if table is None:
            return None
        self.engines |= self.heaps.engines
        if self.heaps.summed:
            self.trusted.add(Trust.SPRAGUE_GRUNDY)
        if function == "outcome":
            return Scalars(_name_outcomes(table, q, heaps), None, 0, len(t.OUTCOMES) - 1)
        found = _read(table, q, mover, heaps)
        if found.dtype != bool:  # the numbers in the table may have too few bits for calculations
            return Scalars(found.astype(np.int64))
        return Scalars(~found if function == "terminal" else found)

    def _refuse_heaps(self, question: str, s: Array | None, size: int) -> str:
        """Return the reason not to use a table with one entry for each heap size, or "" if there is none.

        `question`: the name of the table, such as "wins". `size`: the largest heap of the positions `s`.
        `s`: None if the moves are read, so that a table is fast even if few heap sizes are reachable.
        """
        if not self.heaps.serves(question):
            return "a move depends on other heaps, or splits a heap, so a table of single heaps is not enough"
        if self.heaps.splits and question != "grundy" and size <= FEW:
            return "the heaps are small, so all positions are solved, and no theorem needs to be trusted"
        if not self.heaps.splits and self._has_several:
            return "the claim also asks about positions with several heaps, so all positions are solved anyway"
        if self.game.ruleset.single_heap and size <= SMALL:
            return "the heaps are small, so a box of positions is solved as fast"
        if s is None or self.heaps.splits or self.heaps.reads(self.parameters.values):
            return ""
        if self._reaches_few(list_distinct(s)):
            return "few heap sizes are reachable, so solving only these is faster"
        return ""

    def _add_heaps(self, function: str, s: Array, q: Array) -> Scalars | None:
        """Return the value of a game call at each case, from the nim-sum of the Grundy values of the heaps.

        This uses the Sprague-Grundy theorem. `s`, `q`: at each case, the position (as its number in the pool) and the
        number of the choice of parameters.

        Return None if the theorem does not determine the value, if the table of the Grundy values is too large, or if
        the positions have so few followers that each follower can be solved.
        """
        reason = self._refuse_sums(function, s)
        if reason:
            self.passed_over.add((SUMS, reason))
            return None
        rows, values = self.pool.rows, self.parameters.values
        table = self.heaps.tabulate("grundy", values, self.parameters.players, int(rows[s].max(initial=0)))
        if table is None:
            self.passed_over.add((SUMS, "the heaps are too large, or the measure is not a sum over heaps"))
            most = limits.MAX_POSITIONS // 4
            if self._reaches_many(rows[list_distinct(s)], most, limits.MAX_EDGES):  # too large for a graph
                raise TooLarge(f"more than {group_digits(most)} positions are reachable")
            return None
        self.engines |= self.heaps.engines
        self.trusted.add(Trust.SPRAGUE_GRUNDY)
        found = np.zeros(np.broadcast_shapes(s.shape, q.shape), dtype=np.int64)
        for column in range(rows.shape[1]):
            found = found ^ table[q, 0, rows[:, column][s]]
        return _name_value(function, found)

    def _refuse_sums(self, function: str, s: Array) -> str:
        """Return the reason not to use the Sprague-Grundy theorem for the positions `s`, or "" if there is none."""
        if function == "terminal":
            return "the Grundy values do not determine whether there is a move"
        if not self.heaps.adds_up:
            return "the Sprague-Grundy theorem does not apply to the game"
        if self._can_play(list_distinct(s)):
            return "few positions are reachable, so all of them are solved, and no theorem needs to be trusted"
        return ""

    def _can_play(self, start: Array) -> bool:
        """Whether the positions `start` have so few followers that each follower can be solved, without a theorem."""
        rows = self.pool.rows[start]
        if self._graph is not None and bool((self._number(self._graph)[start] >= 0).all()):
            return True
        box = count_box(count_heaps(rows), int(rows.max(initial=0)))
        if box <= PLAYED + 64 * len(start) and not self.heaps.splits:  # if heaps split, play leaves the box
            return True
        turns = [(choice, 0) for choice in self.parameters.values]
        if self._reaches_many(rows, PLAYED, 16 * PLAYED):
            return False
        return reaches_at_most(self.moves, self.pool, start, turns, PLAYED, 16 * PLAYED)

    def _reaches_many(self, rows: Array, positions: int, options: int) -> bool:
        """Whether play from one of the positions `rows` reaches more than `positions` positions, or has many moves.

        It has many moves if those from the sizes of one heap are more than `options`. If the result is False, play may
        still reach more positions.

        The moves of a heap must not depend on other heaps. If each of k heaps can become more than p sizes, including
        0, then play reaches more than p**k / k! positions: it can reach each choice of a size for each heap, and at
        most k! choices are the same position.
        """
        if self.heaps.splits:
            return False
        turns = [(self.parameters.values[0], 0)]
        row = np.sort(rows[np.argmax(rows.sum(axis=1))])[::-1]
        for k in range(int(np.count_nonzero(row)), 0, -1):
            sizes = math.ceil((math.factorial(k) * positions) ** (1 / k))
            starts = (self.pool.intern(row[i : i + 1, None]) for i in range(k))
            if not any(reaches_at_most(self.moves, self.pool, x, turns, sizes, options) for x in starts):
                return True
        return False

    def _reaches_few(self, start: Array) -> bool:
        """Whether it is faster to solve only the followers of the positions `start` than the box around them.

        The box contains all positions with as many heaps, and as large heaps, as occur in `start`.
        """
        rows = self.pool.rows[start]
        heaps, size = count_heaps(rows), int(rows.max(initial=0))
        box = count_box(heaps, size)
        if size <= SMALL or 2 * len(start) > box:
            return False
        movers = 1 if self.game.ruleset.impartial else int(self.parameters.players.max())
        turns = [(choice, mover) for choice in self.parameters.values for mover in range(movers)]
        return reaches_at_most(self.moves, self.pool, start, turns, box // 2, box * size // 64)

    @property
    def _has_several(self) -> bool:
        """Whether some game call is about a position of several heaps."""
        rows = self.pool.rows[: len(self._asked)]
        return count_heaps(rows[self._asked]) > 1

    def _list_options(self, call: t.GameCall, frame: Frame) -> Value:
        """Return the set of options for a call options(s, ...), at each case of `frame`."""
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

    def _decide_legal(self, s: Array, option: Array, q: Array, mover: Array) -> Array:
        shape = np.broadcast_shapes(s.shape, option.shape)
        graph, sources = self.locate(np.broadcast_to(s, shape).ravel())
        targets = graph.positions.find(self.pool.rows[np.broadcast_to(option, shape).ravel()])
        edge = np.where(targets < 0, -1, graph.find_edge(sources, np.maximum(targets, 0))).reshape(shape)
        if not len(graph.list_edges()[1]):
            return edge >= 0
        return graph.is_legal(q, mover, np.maximum(edge, 0)) & (edge >= 0)


def _read(table: Array, *places: Array) -> Array:
    """Return `table[places]`. This is faster than numpy if each index except the last is a single number."""
    *first, last = places
    if all(x.size == 1 for x in first):
        return np.asarray(table[tuple(x.item() for x in first)].take(last))
    return np.asarray(table[places])


def _name_value(function: str, values: Array) -> Scalars:
    """Return the value of a game call other than `terminal` at each case, from the Grundy values of the positions."""
    match function:
        case "grundy":
            return Scalars(values)
        case "wins":
            return Scalars(values != 0)
        case "outcome":
            return Scalars((values != 0).astype(np.int64), None, 0, len(t.OUTCOMES) - 1)
    return Scalars(np.where(values != 0, 0, 1))


def _name_outcomes(wins: Array, q: Array, numbers: Array) -> Array:
    """Return the outcome at each case, as an index of OUTCOMES.

    `q`, `numbers`: at each case, the number of the choice of parameters and of the position.
    `wins[q, mover, number]`: whether the player `mover` wins if they play first from this position.
    """
    first, second = wins[q, 0, numbers], wins[q, wins.shape[1] - 1, numbers]
    return np.where(first, np.where(second, 1, 2), np.where(second, 3, 0)).astype(np.int64)
