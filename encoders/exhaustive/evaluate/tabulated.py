"""`any` and `all` over options whose body looks at the option alone: one table over all positions of the game.

The body is evaluated once for every position, and `Graph.find_hits` follows the moves, bit-parallel where the rules
allow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame, take_along
from encoders.exhaustive.arrays.limits import TooWide
from encoders.exhaustive.arrays.segments import group_places
from encoders.exhaustive.arrays.values import Array, Scalars, Value, merge_bad, unite_shapes
from encoders.exhaustive.engines.board import GameSolver
from encoders.exhaustive.engines.graphs.graph import Graph
from encoders.exhaustive.moves.evaluator import Evaluator

# -- free variables ---------------------------------------------------------------------------------------------------
# The variables that the value of a term depends on: along the others it need not be spread out.


class FreeVariables:
    """The free variables of terms, each found once. `boards`: the games of the claim, by name."""

    def __init__(self, boards: Mapping[str, GameSolver]) -> None:
        self.boards = boards
        self._found: dict[int, frozenset[str]] = {}
        self._kept: list[t.Term] = []  # keeps the terms alive whose ids are keys of _found

    def find(self, term: t.Term) -> frozenset[str]:
        """The variables that the value of `term` may depend on, those of game parameters among them."""
        found = self._found.get(id(term))
        if found is None:
            self._kept.append(term)
            found = self._found[id(term)] = self._collect(term)
        return found

    def find_all(self, terms: Iterable[t.Term]) -> frozenset[str]:
        """The variables that the value of one of the terms may depend on."""
        return frozenset[str]().union(*map(self.find, terms))

    def _collect(self, term: t.Term) -> frozenset[str]:
        match term:
            case t.Variable(name=name):
                return frozenset({name})
            case t.Comprehension(body=body, clauses=clauses):
                names = self.find(body)
                for clause in reversed(clauses):
                    names = (names | self.find_all(clause.conditions)) - {clause.variable} | self.find(clause.source)
                return names
            case t.Apply(function=function, args=args):
                return self.find(function.body) - set(function.parameters) | self.find_all(args)
            case t.GameCall(game=game, args=args):
                return self.find_all([*args, *(x for _, x in self.boards[game].arguments)])
        return self.find_all(t.subterms(term))


# -- tabulated --------------------------------------------------------------------------------------------------------
WORTH = 16  # a table may be this many times larger than what following the moves one by one would look at


class Tabulated:
    """The tabulated comprehensions of one evaluator."""

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, GameSolver], free: FreeVariables) -> None:
        self.evaluator, self.boards, self.free = evaluator, boards, free
        self._refused: set[int] = set()  # ids of terms (kept alive by `_kept`) whose body enlarges the board
        self._kept: list[t.Comprehension] = []

    def evaluate(self, term: t.Comprehension, frame: Frame) -> Scalars | None:
        """The value of a comprehension on a frame; None where a table does not serve."""
        clause, source = term.clauses[0], term.clauses[0].source
        if term.reducer not in ("any", "all") or len(term.clauses) > 1 or id(term) in self._refused:
            return None
        if not isinstance(source, t.GameCall) or source.function != "options":
            return None
        board = self.boards[source.game]
        names = self.free.find_all([term.body, *clause.conditions]) - {clause.variable}
        outer = {name: frame.lookup(name) for name in sorted(names)}
        s = self.evaluator.evaluate_scalars(source.args[0], frame)
        question = board.read_question(source, frame)
        groups = _group_cases([*outer.values(), question.parameters, question.mover])
        if groups is None or question.hopeless:
            return None
        graph, numbers = board.locate(s.data)
        group, members = groups
        size = max(v.shape[0] for v in members)
        if len(graph) * size > WORTH * np.broadcast(group, numbers).size * (graph.degree + 1):
            return None
        table = self._tabulate(term, board, graph, dict(zip(outer, members, strict=False)), members[-2:], size)
        if board.graph is not graph:
            # The body asks about positions that the options do not lead to. Asked for all positions it would enlarge
            # the board every time anew.
            self._refused.add(id(term))
            self._kept.append(term)
        if table is None:
            return None
        data = table[group, numbers]
        return Scalars(data if term.reducer == "any" else ~data, merge_bad(s.bad, question.bad))

    def _tabulate(
        self,
        term: t.Comprehension,
        board: GameSolver,
        graph: Graph,
        names: dict[str, Value],
        asked: list[Value],
        size: int,
    ) -> Array | None:
        """Whether each position has a wanted option, a row for each group; None where the body is ill-defined."""
        step = max(1, limits.MAX_CELLS // len(graph))
        tables = []
        for start in range(0, size, step):
            self.evaluator.clock.check()
            part = np.arange(start, min(start + step, size))
            bound = {name: take_along(v, 0, part) for name, v in names.items()}
            bound[term.clauses[0].variable] = Scalars(board.list_ids(graph)[None, :])
            try:
                wanted = self._evaluate_wanted(term, Frame(len(part), len(graph), bound))
            except TooWide:
                return None
            if wanted is None:
                return None
            q, mover = (take_along(v, 0, part) for v in asked)
            assert isinstance(q, Scalars) and isinstance(mover, Scalars)
            hit = graph.find_hits(wanted, q.data[:, 0], mover.data[:, 0])
            tables.append(np.broadcast_to(hit, (len(part), len(graph))))
        return np.concatenate(tables) if len(tables) > 1 else tables[0]

    def _evaluate_wanted(self, term: t.Comprehension, frame: Frame) -> Array | None:
        """Where conditions and body (for `all`: its negation) hold; None if they are ill-defined anywhere."""
        wanted = np.ones((1, 1), dtype=bool)
        for part in (*term.clauses[0].conditions, term.body):
            value = self.evaluator.evaluate_scalars(part, frame)
            if value.bad is not None:
                return None
            wanted = wanted & (~value.data if part is term.body and term.reducer == "all" else value.data)
        return np.broadcast_to(wanted, (wanted.shape[0], frame.cols))


def _group_cases(values: list[Value]) -> tuple[Array, list[Value]] | None:
    """Group the cases that agree in all `values`: (group of each case, the values of each group as rows).

    None where an outer value is ill-defined or no number.
    """
    if any(v.bad is not None for v in values[:-2]):
        return None
    scalars = [v for v in values if isinstance(v, Scalars) and v.data.dtype != object]
    if len(scalars) < len(values):
        rows = all(v.shape[1] == 1 for v in values)
        return (np.arange(max(v.shape[0] for v in values))[:, None], values) if rows else None
    shape = unite_shapes(*(v.data.shape for v in scalars))
    columns = [np.broadcast_to(v.data, shape).ravel() for v in scalars]
    first, group = group_places([c.astype(np.int64) for c in columns])
    members: list[Value] = [Scalars(c[first][:, None], None, v.lo, v.hi) for c, v in zip(columns, scalars, strict=True)]
    return group.reshape(shape), members
