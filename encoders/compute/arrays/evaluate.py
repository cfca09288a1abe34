"""Evaluate terms at all cases of a grid (a frame), or at all rows of a table. The referee defines their meaning."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, POSITION, Type
from encoders.compute.arrays import limits
from encoders.compute.arrays import values as segments
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.graphs import Graph
from encoders.compute.arrays.limits import SAFE, Deadline, TooLarge, TooWide, group_digits
from encoders.compute.arrays.moves import Evaluator
from encoders.compute.arrays.operations import OPERATIONS, Collections, calculate, check_translated, choose, is_scalar
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import (
    Array,
    Frame,
    Ragged,
    Scalars,
    Value,
    add_bad,
    group_places,
    join_spans,
    join_values,
    make_constant,
    make_nothing,
    merge_bad,
    shrink,
    take_along,
    to_array,
    unite_shapes,
)
from encoders.refusals import Unsupported

# == tabulated ========================================================================================================
# `any` and `all` over options, with a body that depends only on the option: one table over all positions of a game.
#
# The body is evaluated once for every position as an option. `Graph.find_hits` then finds the positions with such an
# option, with bit operations if possible.
# -- free variables ---------------------------------------------------------------------------------------------------
# The variables that the value of a term may depend on.


class FreeVariables:
    """The free variables of terms. They are computed once for each term.

    `boards`: the solvers of the claim's games, by name. A game call also depends on the variables in the parameters of
    its game.
    """

    def __init__(self, boards: Mapping[str, GameSolver]) -> None:
        self.boards = boards
        self._found: dict[int, frozenset[str]] = {}
        self._kept: list[t.Term] = []  # keep the terms alive whose ids are keys of _found

    def find(self, term: t.Term) -> frozenset[str]:
        """Return the variables that the value of `term` may depend on, including variables in parameters of games."""
        found = self._found.get(id(term))
        if found is None:
            self._kept.append(term)
            found = self._found[id(term)] = self._collect(term)
        return found

    def find_all(self, terms: Iterable[t.Term]) -> frozenset[str]:
        """Return the variables that the value of any of the terms may depend on."""
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
            case t.GameCall(game=game, args=args) if game:
                return self.find_all([*args, *(x for _, x in self.boards[game].arguments)])
        return self.find_all(t.subterms(term))


# -- tabulated --------------------------------------------------------------------------------------------------------
WORTH = 16  # a table is used if it has at most this many times the entries that single moves would visit


class Tabulated:
    """The evaluation of terms such as `any(f(o) for o in options(s, A))`, with one table for all positions.

    The body f(o) is evaluated once for every position o of the game. A second table then contains, for every position
    s, the value of the term.
    """

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, GameSolver], free: FreeVariables) -> None:
        self.evaluator, self.boards, self.free = evaluator, boards, free
        self._refused: set[int] = set()  # ids of terms (kept alive by `_kept`) whose body enlarges the graph
        self._kept: list[t.Comprehension] = []

    def evaluate(self, term: t.Comprehension, frame: Frame) -> Scalars | None:
        """Return the value of an `any` or `all` at each case of `frame`, a grid of cases.

        Return None if the term does not have the form `any(... for x in options(...))` or `all(...)` with this single
        clause, or if a table is impossible or too large.
        """
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
            # The body asks about positions that are not in the graph. A table would enlarge the graph on every call.
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
        """Return a table: element [g, n] is whether position n of the graph has a legal option at which the body holds.

        For `all`, it is whether there is a legal option at which the body is false. g is a group of cases: the cases in
        which all variables outside the comprehension, the parameters and the mover have equal values. Return None if
        the body is ill-defined somewhere, or too expensive.

        `names`: the variables outside the comprehension, with a row for each group.
        `asked`: the parameters and the mover, with a row for each group. `size`: the number of groups.
        """
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
        """Return, for each case of `frame`, whether the option at this case decides the value of an `any` or `all`.

        An option decides `any` if it satisfies the conditions and the body. It decides `all` if it satisfies the
        conditions and not the body. Return None if a condition or the body is ill-defined anywhere.
        """
        wanted = np.ones((1, 1), dtype=bool)
        for part in (*term.clauses[0].conditions, term.body):
            value = self.evaluator.evaluate_scalars(part, frame)
            if value.bad is not None:
                return None
            wanted = wanted & (~value.data if part is term.body and term.reducer == "all" else value.data)
        return np.broadcast_to(wanted, (wanted.shape[0], frame.cols))


def _group_cases(values: list[Value]) -> tuple[Array, list[Value]] | None:
    """Group the cases at which all `values` are equal. Return the group of each case, and the values of each group.

    The last two of the values are the parameters and the mover of a game call. If some value is a list or a large
    number, the cases are not compared, and each row of cases is a group. Return None in two cases: one of the other
    values is ill-defined somewhere, or each row must be a group but a value depends on the column.
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


# == comprehensions ===================================================================================================
# Comprehensions at all cases of a frame: add a row or column for each element, evaluate the body there, and reduce.
# -- clauses ----------------------------------------------------------------------------------------------------------
# The clauses of a comprehension. A frame (a grid of cases) gets one new row or column for each element of the source.


@dataclass
class Spread:
    """A grid of cases that was extended for a clause `for x in source`: one case for each old case and each x.

    `frame`: the new grid. Each old row (or column) became several rows (or columns), one for each element x of the
    source at this row (or column).
    `axis`: 0 if the rows were repeated, 1 if the columns were repeated.
    `lengths`: for each old row (or column), the number of new ones.
    `active`: whether x satisfies the conditions of the clause, at each new case; None if it does at all of them. If the
    source is options(...), x must also be a legal option.
    `bad`: the new cases at which a condition is ill-defined; None if there are none.
    `source_bad`: the old cases at which the source is ill-defined; None if there are none.
    """

    frame: Frame
    axis: int
    lengths: Array
    active: Array | None
    bad: Array | None
    source_bad: Array | None


class Spreader:
    """The operation that extends a frame (a grid of cases) for a clause `for x in source` (see `Spread`).

    `boards`: the solvers of the claim's games, by name.
    """

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, GameSolver]) -> None:
        self.evaluator, self.boards = evaluator, boards

    def spread(self, clause: t.Clause, frame: Frame, columns: bool = False) -> Spread | None:
        """Repeat each row or column of `frame`, once for each element of the source of a clause.

        In the new frame, the variable of the clause has the element as its value.

        The conditions of the clause are ignored (see `restrict`). Return None if the source depends on the row and on
        the column; the caller must then flatten the frame into one row. Raise TooWide if the new frame is too large.

        `columns`: repeat columns even if it would be cheaper to repeat rows.
        """
        if isinstance(clause.source, t.GameCall) and clause.source.function == "options":
            return self._spread_options(clause.variable, clause.source, frame, columns)
        value = self.evaluator.evaluate(clause.source, frame)
        source = self.evaluator.collections.list_elements(value, clause.source.type)
        if source.shape[0] > 1 and source.shape[1] > 1:
            return None
        _check_width(frame, source)
        inner, axis, lengths, order = spread_over(frame, source, columns)
        inner.names[clause.variable] = Scalars(_lay_out(source.items[order], axis))
        return Spread(inner, axis, lengths, None, None, source.bad)

    def restrict(self, found: Spread, conditions: tuple[t.Term, ...]) -> None:
        """Evaluate the conditions of a clause, and change `found.active` and `found.bad` accordingly.

        If a condition is ill-defined where an earlier condition is false, this does not count.
        """
        for condition in conditions:
            value = self.evaluator.evaluate_scalars(condition, found.frame)
            active = value.data
            if value.bad is not None:
                wrong = value.bad if found.active is None else value.bad & found.active
                found.bad, active = merge_bad(found.bad, wrong), active & ~value.bad
            found.active = active if found.active is None else found.active & active

    def _spread_options(self, variable: str, source: t.GameCall, frame: Frame, columns: bool) -> Spread | None:
        board = self.boards[source.game]
        s = self.evaluator.evaluate_scalars(source.args[0], frame)
        question = board.read_question(source, frame)
        r, c = s.data.shape
        if r > 1 and c > 1:
            return None
        axis = 0 if r > 1 or (c == 1 and frame.cols > 1 and frame.rows == 1 and not columns) else 1
        size = frame.rows if axis == 0 else frame.cols
        if question.hopeless:
            none = np.zeros(0, dtype=np.int64)
            inner = frame.spread(axis, none)
            return Spread(inner, axis, np.zeros(size, dtype=np.int64), None, None, merge_bad(s.bad, question.bad))
        graph, numbers = board.locate(s.data)
        offsets, targets = graph.list_edges()
        numbers = np.broadcast_to(numbers.ravel(), (size,))
        lengths = offsets[numbers + 1] - offsets[numbers]
        _check_size(frame, int(lengths.sum()), frame.rows if axis == 1 else frame.cols)
        edges, index = join_spans(offsets[numbers], lengths), segments.list_owners(lengths)
        q, mover = (take_along(v, axis, index) for v in (question.parameters, question.mover))
        assert isinstance(q, Scalars) and isinstance(mover, Scalars)
        legal = graph.is_legal(q.data, mover.data, _lay_out(edges, axis))
        bad = merge_bad(s.bad, question.bad)
        if legal.shape[1 - axis] == 1:
            # Legality depends only on the spread axis: drop the illegal moves now.
            keep = legal.ravel()
            lengths = segments.reduce_at(np.add, keep.astype(np.int64), lengths, 0, 0)
            edges, index, legal = edges[keep], index[keep], np.ones((1, 1), dtype=bool)
        inner = frame.spread(axis, index)
        inner.names[variable] = Scalars(_lay_out(board.list_ids(graph)[targets[edges]], axis))
        return Spread(inner, axis, lengths, None if legal.all() else legal, None, bad)


def spread_over(frame: Frame, source: Ragged, columns: bool) -> tuple[Frame, int, Array, Array]:
    """Repeat each row or column of `frame` for each element of its list in `source`.

    `source`: a list for each case. It must not depend both on the row and on the column.
    `columns`: repeat columns if `source` depends neither on the row nor on the column.

    Return four things:

    1. the new frame;
    2. the axis: 0 if rows were repeated, 1 if columns were repeated;
    3. how often each old row or column is repeated;
    4. for each new row or column, the index of its element in `source.items`.
    """
    r, c = source.shape
    if r == 1 and c == 1:
        axis = 0 if frame.rows <= frame.cols and not columns else 1
        size = frame.rows if axis == 0 else frame.cols
        length = int(source.lengths[0])
        lengths, order = np.full(size, length), np.tile(np.arange(length), size)
    else:
        axis = 0 if c == 1 else 1
        lengths, order = source.lengths, np.arange(len(source.items))
    return frame.spread(axis, segments.list_owners(lengths)), axis, lengths, order


def _lay_out(items: Array, axis: int) -> Array:
    return items.reshape((-1, 1) if axis == 0 else (1, -1))


def _check_width(frame: Frame, source: Ragged) -> None:
    total = int(source.lengths.sum())
    if source.shape == (1, 1):
        _check_size(frame, total, frame.cells)
    else:
        _check_size(frame, total, frame.rows if source.shape[1] > 1 else frame.cols)


def _check_size(frame: Frame, elements: int, times: int) -> None:
    if elements * times > limits.MAX_CELLS and frame.cells > 1:
        total, most = group_digits(elements * times), group_digits(limits.MAX_CELLS)
        raise TooWide(f"comprehensions would range over {total} elements in total, more than {most}")


# -- comprehensions ---------------------------------------------------------------------------------------------------
_Reduced = tuple[Array, Array, Array | None]  # the results, whether there was an element, the ill-defined cases
_ONE = np.ones((1, 1), dtype=bool)
MANY = 1000  # with fewer cases, a search for equal cases takes more time than it saves


class Comprehensions:
    """The evaluation of comprehensions, such as `max(f(x) for x in s if c(x))`, at all cases of a frame."""

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, GameSolver], free: FreeVariables) -> None:
        self.evaluator, self.free = evaluator, free
        self.spreader = Spreader(evaluator, boards)
        self.tabulated = Tabulated(evaluator, boards, free)

    def evaluate(self, term: t.Comprehension, frame: Frame) -> Value:
        """Return the value of a comprehension at each case of `frame`, a grid of cases."""
        frame = self._narrow(term, frame)
        quick = self.tabulated.evaluate(term, frame)
        if quick is not None:
            return quick
        if frame.cells >= MANY and (fewer := self._fold(term, frame)) is not None:
            inner, (rows, columns) = fewer
            return take_along(take_along(self._evaluate(term, inner), 0, rows), 1, columns)
        return self._evaluate(term, frame)

    def _fold(self, term: t.Comprehension, frame: Frame) -> tuple[Frame, tuple[Array, Array]] | None:
        """Make a smaller frame, with one row for all rows at which the free variables of `term` are equal.

        Columns are merged in the same way. Return the smaller frame, and two arrays: the new index of each old row, and
        the new index of each old column. Return None if more than half of the cases remain.
        """
        values = {name: frame.lookup(name) for name in sorted(self.free.find(term))}
        first, group = [np.arange(frame.rows), np.arange(frame.cols)], [np.arange(frame.rows), np.arange(frame.cols)]
        for axis in (0, 1):
            along = [v for v in values.values() if v.shape[axis] > 1]
            alike = [v for v in along if isinstance(v, Scalars) and v.bad is None and v.data.dtype != object]
            if along and len(alike) == len(along) and all(v.shape[1 - axis] == 1 for v in alike):
                first[axis], group[axis] = segments.group_places([v.data.ravel().astype(np.int64) for v in alike])
        if 2 * len(first[0]) * len(first[1]) > frame.cells:
            return None
        return frame.spread(0, first[0]).spread(1, first[1]), (group[0], group[1])

    def _evaluate(self, term: t.Comprehension, frame: Frame) -> Value:
        if term.reducer in ("list", "set", "mex"):
            return self._gather(term, frame)
        data, some, bad = self._reduce(term, 0, frame)
        if term.reducer in ("max", "min"):
            bad = merge_bad(bad, ~some)
        return Scalars(shrink(data), bad)

    def _narrow(self, term: t.Comprehension, frame: Frame) -> Frame:
        """Return the frame with a single row if the value of `term` is the same in all rows; likewise for columns."""
        rows = cols = False
        for name in self.free.find(term):
            r, c = frame.lookup(name).shape
            rows, cols = rows or r > 1, cols or c > 1
        return frame if (rows or frame.rows == 1) and (cols or frame.cols == 1) else frame.narrow(rows, cols)

    # -- any, all, count, sum, nim_sum, max, min ---------------------------------------------------------------------
    def _reduce(self, term: t.Comprehension, at: int, frame: Frame) -> _Reduced:
        """Return, for each case of `frame`, the sum (or `max`, ...) of the body over the clauses from number `at` on.

        Return three arrays: the results, whether there is at least one element, and the cases at which the result is
        ill-defined (None if there are none). If the frame is too wide, its halves are evaluated.
        """
        try:
            return self._reduce_whole(term, at, frame)
        except TooWide:
            if frame.cells == 1:
                raise
        axis, frames = frame.halve()
        parts = [self._reduce(term, at, part) for part in frames]
        data = join_values([Scalars(data, bad) for data, _, bad in parts], axis, frames)
        some = join_values([Scalars(some) for _, some, _ in parts], axis, frames)
        assert isinstance(data, Scalars) and isinstance(some, Scalars)
        return data.data, some.data, data.bad

    def _reduce_whole(self, term: t.Comprehension, at: int, frame: Frame) -> _Reduced:
        if at == len(term.clauses) or not frame.cells:
            body = self.evaluator.evaluate_scalars(term.body, frame)
            data = body.data.astype(np.int64) if term.reducer == "count" else body.data
            bad = body.bad
            if term.reducer == "nim_sum":
                negative = np.asarray(data < 0, dtype=bool)
                if negative.any():
                    bad, data = merge_bad(bad, negative), np.where(negative, 0, data)
            return data, _ONE, bad
        found = self.spreader.spread(term.clauses[at], frame)
        if found is None:
            data, some, bad = self._reduce(term, at, frame.flatten())
            return (
                _unflatten(data, frame),
                _unflatten(some, frame),
                None if bad is None else _unflatten(bad, frame),
            )
        self.spreader.restrict(found, term.clauses[at].conditions)
        data, some, bad = self._reduce(term, at + 1, found.frame)
        return _collapse(term.reducer, found, data, some, bad)

    # -- lists, sets, mex --------------------------------------------------------------------------------------------
    def _gather(self, term: t.Comprehension, frame: Frame) -> Value:
        try:
            return self._gather_whole(term, frame)
        except TooWide:
            if frame.cells == 1:
                raise
        axis, frames = frame.halve()
        return join_values([self._gather(term, part) for part in frames], axis, frames)

    def _gather_whole(self, term: t.Comprehension, frame: Frame) -> Value:
        flat = frame.flatten()
        shape, owner, bad = (frame.rows, frame.cols), np.arange(flat.cols), np.zeros(flat.cols, dtype=bool)

        def spoil(wrong: Array | None) -> None:
            if wrong is not None:
                bad[owner[np.broadcast_to(wrong, (1, flat.cols)).ravel()]] = True

        for clause in term.clauses:
            if not flat.cols:
                break
            found = self.spreader.spread(clause, flat, columns=True)
            assert found is not None, "a frame of one row"
            spoil(found.source_bad)
            flat, owner = found.frame, owner[segments.list_owners(found.lengths)]
            self.spreader.restrict(found, clause.conditions)
            spoil(found.bad)
            if found.active is not None:
                keep = np.flatnonzero(np.broadcast_to(found.active, (1, flat.cols)))
                flat, owner = flat.spread(1, keep), owner[keep]
        body = self.evaluator.evaluate_scalars(term.body, flat)
        spoil(body.bad)
        items = np.broadcast_to(body.data, (1, flat.cols)).ravel()
        lengths = np.bincount(owner, minlength=len(bad)).astype(np.int64)
        made = Ragged(shape, lengths, items, bad.reshape(shape) if bad.any() else None)
        if term.reducer == "mex":
            return self.evaluator.collections.reduce("mex", made)
        return self.evaluator.collections.make_set(made, term.type) if term.reducer == "set" else made


def _collapse(reducer: str, found: Spread, data: Array, some: Array, bad: Array | None) -> _Reduced:
    """Return the sum (or `max`, `any`, ...) over the elements of a clause, for each old case of `found`.

    An old case is a case of the grid before it was extended for the clause (see `Spread`).
    `data`: the value at each new case, that is, for each element of the clause at each old case.
    `some`: whether there is a value at the new case. `bad`: whether the value is ill-defined.

    Return three arrays as `Comprehensions._reduce` does.
    """
    axis, lengths = found.axis, found.lengths
    active = some if found.active is None else some & found.active
    wrong = None if bad is None else (bad if found.active is None else bad & found.active)
    wrong = merge_bad(wrong, found.bad)

    def stretch(array: Array) -> Array:
        # An array that does not depend on the spread axis is broadcast along it.
        full = list(array.shape)
        full[axis] = int(lengths.sum())
        return np.broadcast_to(array, full)

    if reducer in ("any", "all"):
        hit = active & (data if reducer == "any" else ~data)
        worse: Array | None = None
        if wrong is None:
            decided = segments.reduce_at(np.logical_or, stretch(hit), lengths, axis, False)
        else:
            decided, worse = _let_first_decide(stretch(hit & ~wrong), stretch(wrong), lengths, axis)
        return decided if reducer == "any" else ~decided, _ONE, merge_bad(worse, found.source_bad)
    if wrong is not None:
        wrong = segments.reduce_at(np.logical_or, stretch(wrong), lengths, axis, False)
    bad = merge_bad(wrong, found.source_bad)
    if reducer in ("max", "min"):
        there = segments.reduce_at(np.logical_or, stretch(active), lengths, axis, False)
        filler = _find_extreme(data, reducer)
        ufunc: np.ufunc = np.maximum if reducer == "max" else np.minimum
        result = segments.reduce_at(ufunc, stretch(np.where(active, data, filler)), lengths, axis, filler)
        return np.where(there, result, 0), there, bad
    exact = reducer == "nim_sum" or data.dtype == object or not data.size
    if not exact and max(abs(int(data.min())), abs(int(data.max()))) * max(int(lengths.max(initial=0)), 1) >= SAFE:
        data = data.astype(object)
    add: np.ufunc = np.bitwise_xor if reducer == "nim_sum" else np.add
    return segments.reduce_at(add, stretch(np.where(active, data, 0)), lengths, axis, 0), _ONE, bad


def _let_first_decide(hit: Array, wrong: Array, lengths: Array, axis: int) -> tuple[Array, Array]:
    """Evaluate any(...) if the body is ill-defined for some elements. The first deciding element counts.

    `hit`: whether the body holds, for each element. `wrong`: whether the body is ill-defined, for each element.
    `lengths`: the number of elements of each any(...).

    Return two truth values for each any(...). The first is whether an element with `hit` precedes all elements with
    `wrong`, so any(...) is true. The second is whether an element with `wrong` precedes all elements with `hit`, so
    any(...) is ill-defined.
    """
    shape = np.broadcast_shapes(hit.shape, wrong.shape)
    hit, wrong = np.broadcast_to(hit, shape), np.broadcast_to(wrong, shape)
    place = segments.list_places(lengths)
    place = place[:, None] if axis == 0 else place[None, :]
    far = np.iinfo(np.int64).max
    first_hit = segments.reduce_at(np.minimum, np.where(hit, place, far), lengths, axis, far)
    first_wrong = segments.reduce_at(np.minimum, np.where(wrong, place, far), lengths, axis, far)
    return first_hit < first_wrong, first_wrong < first_hit


def _find_extreme(data: Array, reducer: str) -> Array:
    """Return a number that does not change a maximum (or minimum) over `data`.

    For the reducer `max` it is at most every element of `data`; for `min` it is at least every element.
    """
    if data.dtype == object:
        values = data.ravel().tolist() or [0]
        return np.array(min(values) if reducer == "max" else max(values), dtype=object)
    info = np.iinfo(np.int64)
    return np.array(info.min if reducer == "max" else info.max)


def _unflatten(array: Array, frame: Frame) -> Array:
    return array if array.shape[1] == 1 else array.reshape(frame.rows, frame.cols)


# == evaluate =========================================================================================================
# The values of terms at all cases of a frame. They must agree with the referee at every case.
#
# Both sides of `and` are computed at all cases. As in lazy evaluation, an ill-defined right side counts only where the
# left side is true. For a comprehension, the frame gets a row or column for each element of the source; the body is
# evaluated there, and the values are reduced (`Comprehensions`). If the source is `options(...)` and the body depends
# only on the option, the body is evaluated once for every position of the game (`Tabulated`).
def goes_case_by_case(claim: Claim) -> bool:
    """Whether the cases must be evaluated one by one, because the claim or a ruleset has an unsupported term."""
    return claim.goes_case_by_case or not all(
        op in OPERATIONS or is_scalar(op, types, result) for op, types, result in claim.operations
    )


class FrameEvaluator:
    """The evaluator of terms at all cases of a frame (a grid of cases). It implements the protocol `Evaluator`.

    `boards`: the solvers of the claim's games, by name. Each solver needs the evaluator, so the caller adds the solvers
    to this map after construction.

    Every evaluation may raise OutOfTime, TooLarge (TooWide if a smaller frame may fit), BadRuleset, or Unsupported for
    an operation that arrays do not support.
    """

    def __init__(self, pool: Pool, clock: Deadline, boards: Mapping[str, GameSolver]) -> None:
        self.pool, self.clock, self.boards = pool, clock, boards
        self.collections = Collections(pool, clock)
        self.free = FreeVariables(boards)
        self.comprehensions = Comprehensions(self, boards, self.free)
        self.repeated: dict[int, Hashable] = {}
        """From `find_repeated`: the id of a term -> a key that all equal terms share."""

    def evaluate(self, term: t.Term, frame: Frame) -> Value:
        """Return the value of a term at each case of `frame`, a grid of cases.

        The value has as many rows as the frame, or only one row if it does not depend on the row; the same holds for
        columns.
        """
        key = self.repeated.get(id(term))
        if key is None:
            return self._evaluate(term, frame)
        if key not in frame.found:
            frame.found[key] = self._evaluate(term, frame)
        return frame.found[key]

    def _evaluate(self, term: t.Term, frame: Frame) -> Value:
        self.clock.check()
        if term.type.is_nested:
            raise Unsupported(f"{print_term(term)} is a list of lists, which arrays do not support")
        if not frame.cells:
            return make_nothing(term.type)
        match term:
            case t.Literal(value=v):
                return make_constant(bool(v) if term.type == BOOL else v)
            case t.Variable(name=name):
                return frame.lookup(name)
            case t.AllOf(args=args):
                return self._decide(args, frame, True)
            case t.AnyOf(args=args):
                return self._decide(args, frame, False)
            case t.IfElse():
                return self._choose(term, frame)
            case t.Operation(op=op, args=args):
                values = [self.evaluate(x, frame) for x in args]
                types = [x.type for x in args]
                if op in OPERATIONS or (op in ("eq", "ne") and any(isinstance(v, Ragged) for v in values)):
                    return self.collections.operate(op, values, types)
                check_translated(op, types, term.type)
                return calculate(op, [v for v in values if isinstance(v, Scalars)], self.clock)
            case t.Collection(items=items):
                return self.collections.collect(term.type, [self.evaluate_scalars(x, frame) for x in items])
            case t.Apply():
                return self._apply(term, frame)
            case t.GameCall(game=""):
                raise Unsupported("combined games are computed case by case, not on arrays")
            case t.GameCall(game=name):
                return self.boards[name].ask(term, frame)
            case t.Comprehension():
                return self.comprehensions.evaluate(term, frame)
        raise AssertionError(term)

    def evaluate_scalars(self, term: t.Term, frame: Frame) -> Scalars:
        """Return the value of a term at each case, as `evaluate` does. The term must not be a list or set."""
        value = self.evaluate(term, frame)
        assert isinstance(value, Scalars)
        return value

    def evaluate_everywhere(self, term: t.Term, frame: Frame, fault: Exception) -> Value:
        """Return the value of a term that must be defined at every case.

        If it is not, the first case without a value decides. Raise `fault` if the term is ill-defined at this case, and
        TooLarge if its value is past a limit.
        """
        value = self.evaluate(term, frame)
        if value.bad is None:
            return value
        row, column = np.argwhere(np.broadcast_to(value.bad, (frame.rows, frame.cols)))[0]
        self.clock.limit = ""
        self.evaluate(term, frame.spread(0, np.array([row])).spread(1, np.array([column])))
        raise TooLarge(self.clock.limit) if self.clock.limit else fault

    # -- lazy forms -------------------------------------------------------------------------------------------------
    def _decide(self, args: tuple[t.Term, ...], frame: Frame, conjunction: bool) -> Scalars:
        """Evaluate `and` (if `conjunction`) or `or` at each case.

        If an operand is ill-defined where earlier operands already decide the value, this does not count.
        """
        result = self.evaluate_scalars(args[0], frame)
        for x in args[1:]:
            open_ = result.data if conjunction else ~result.data
            if result.bad is not None:
                open_ = open_ & ~result.bad
            if not open_.any():
                break
            value = self.evaluate_scalars(x, frame)
            bad = None if value.bad is None else open_ & value.bad
            data = result.data & value.data if conjunction else result.data | value.data
            result = Scalars(data, merge_bad(result.bad, bad))
        return result

    def _choose(self, term: t.IfElse, frame: Frame) -> Value:
        condition = self.evaluate_scalars(term.condition, frame)
        if condition.bad is None and condition.data.all():
            return self.evaluate(term.then, frame)
        if condition.bad is None and not condition.data.any():
            return self.evaluate(term.other, frame)
        then, other = self.evaluate(term.then, frame), self.evaluate(term.other, frame)
        return choose(condition, then, other, frame.rows, frame.cols)

    def _apply(self, term: t.Apply, frame: Frame) -> Value:
        args = [self.evaluate(x, frame) for x in term.args]
        key = (id(term.function), *map(id, args))
        if key not in frame.applied:
            inner = frame.narrow(True, True)
            inner.names = dict(zip(term.function.parameters, args, strict=True))
            value = self.evaluate(term.function.body, inner)
            frame.applied[key] = add_bad(value, merge_bad(*(a.bad for a in args)))
            frame.keep.append(args)
        return frame.applied[key]


# == columns ==========================================================================================================
# The value of a term at every row of a table. The table has a column of numbers or truth values for each variable.
#
# The rows are the cases of a frame. A table stores the value of every term and subterm by identity, so shared subterms
# are computed once.
@dataclass(frozen=True, eq=False)
class TermColumn:
    """The values of a term, one for each row of a table. Both arrays are read-only.

    `values`: dtype bool, int64, or object (integers of 2^62 or more, and fractions). Entries at undefined rows are
    meaningless.
    `undefined`: whether the referee would find the term ill-defined or past a limit, for each row.
    `limit`: the message of a limit that was reached at some row, or "". In a table of one row, an undefined term is
    ill-defined if `limit` is "", and past this limit otherwise.
    """

    values: Array
    undefined: NDArray[np.bool_]
    limit: str


class ColumnTable:
    """A table with a column of values for each variable. It evaluates terms at each of its rows.

    `columns`: an array of one dimension for each variable. The dtype is bool for a variable of type Bool. For an Int it
    is any integer dtype, or object with Python integers. The arrays must not change afterwards, but columns may be
    added. A table without columns has one row.
    `seconds`: the time after which `evaluate` raises OutOfTime; None for no limit.
    """

    def __init__(self, columns: Mapping[str, Array], seconds: float | None = None) -> None:
        self._rows = _Rows(columns)
        self._evaluator = _Columnwise(self._rows, seconds)

    def evaluate(self, term: t.Term) -> TermColumn:
        """Return the exact value of a term at every row. Python's integers are used if int64 may overflow.

        Raises Unsupported for game calls, and if the term or a variable with a column is a position, list or set.
        Raises ValueError for a variable without a column, or with a column of another type or length. Raises OutOfTime,
        and TooLarge for lists that do not fit into memory.
        """
        _check_scalar(term.type)
        try:
            value = self._evaluator.evaluate_scalars(term, self._rows)
        except RecursionError:  # a term with hundreds of levels: evaluate its parts first, which are then stored
            for part in _list_parts(term):
                self._evaluator.evaluate(part, self._rows)
            value = self._evaluator.evaluate_scalars(term, self._rows)
        limit = self._evaluator.clock.limit
        undefined = self._spread(np.array([[False]]) if value.bad is None else value.bad)
        values = self._spread(value.data)
        return TermColumn(values, undefined, limit if value.bad is not None else "")

    def _spread(self, data: Array) -> Array:
        """Return a read-only array with one element for each row of the table.

        `data`: one row of elements; if it has a single element, this element is used for every row of the table.
        """
        if data.shape[1] != self._rows.cols:
            return np.asarray(np.broadcast_to(data, (1, self._rows.cols))[0])
        column: Array = data[0]
        column.flags.writeable = False
        return column


class _Rows(Frame):
    """A table as a frame, in which each row of the table is a case. A column is converted when it is first used."""

    def __init__(self, columns: Mapping[str, Array]) -> None:
        super().__init__(1, len(next(iter(columns.values()), (0,))))
        self.columns = columns

    def lookup(self, name: str) -> Value:
        if name not in self.names:
            if name not in self.columns:
                raise ValueError(f"there is no array for {name}")
            column = self.columns[name]
            if column.shape != (self.cols,):
                raise ValueError(f"the array of {name} has the shape {column.shape}; expected ({self.cols},)")
            self.names[name] = _read(name, column)
        return self.names[name]


class _Columnwise(FrameEvaluator):
    """An evaluator for the rows of one table. It evaluates each term once and does not support games."""

    def __init__(self, rows: _Rows, seconds: float | None) -> None:
        super().__init__(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), Deadline(seconds), _NoGames())
        self.rows = rows
        self._known: dict[int, tuple[t.Term, Value]] = {}  # by the id of the term, which is kept alive here

    def evaluate(self, term: t.Term, frame: Frame) -> Value:
        if frame is not self.rows:  # inside a definition or a comprehension
            return self._check(term, super().evaluate(term, frame))
        found = self._known.get(id(term))
        if found is None:
            found = self._known[id(term)] = term, self._check(term, super().evaluate(term, frame))
        return found[1]

    def _check(self, term: t.Term, value: Value) -> Value:
        """Return `value`. Raise ValueError if `term` is a variable whose column has the dtype of another type."""
        if isinstance(term, t.Variable) and term.name in self.rows.columns and isinstance(value, Scalars):
            _check_scalar(term.type)
            if (value.data.dtype == bool) != (term.type == BOOL):
                raise ValueError(
                    f"the variable {term.name} has the type {term.type}, but its array has the dtype {value.data.dtype}"
                )
        return value


class _NoGames(dict[str, GameSolver]):
    def __missing__(self, game: str) -> GameSolver:
        raise Unsupported(
            f"the expression contains a question about the game {game}, which is not supported here; "
            "expected an expression without games"
        )


def _check_scalar(kind: Type) -> None:
    if kind.is_collection or kind == POSITION:
        raise Unsupported(f"here only numbers and truth values can be evaluated, not values of type {kind}")


def _read(name: str, column: Array) -> Scalars:
    """Convert the column of the variable `name`. Raise ValueError for an unsupported dtype or element.

    The result has the dtype bool for truth values, and int64 if all numbers are below 2^62 in absolute value. Otherwise
    it contains Python's integers.
    """
    kind = column.dtype.kind
    if kind not in "biuO":
        raise ValueError(f"the array of {name} has the dtype {column.dtype}; expected integers or truth values")
    if kind == "b":
        return Scalars(column[None, :])
    if kind == "O":
        items = column.tolist()
        if any(type(x) is not int for x in items):
            raise ValueError(f"the array of {name} contains objects other than Python's integers")
        return Scalars(to_array(items)[None, :])
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    if low <= -SAFE or high >= SAFE:
        return Scalars(to_array(column.tolist())[None, :])
    return Scalars(column.astype(np.int64, copy=False)[None, :], None, low, high)


def _list_parts(term: t.Term) -> list[t.Term]:
    """Return `term` and its subterms, each after its own subterms. Terms inside comprehensions are left out."""
    order: list[t.Term] = []
    seen, todo = set[int](), [(term, False)]
    while todo:
        part, done = todo.pop()
        if done:
            order.append(part)
        elif id(part) not in seen:
            seen.add(id(part))
            todo.append((part, True))
            if not isinstance(part, t.Comprehension):
                todo += [(x, False) for x in t.subterms(part)]
    return order


# -- one variable of a claim ------------------------------------------------------------------------------------------
# Terms of a claim at many heaps at once, with the other variables fixed, for maps and sequences.


class Sheet:
    """The evaluation of terms of a claim for many values of one variable. The other variables are fixed.

    `fixed`: the names and values of the other variables.
    `boards`: the solvers of the games, by name, as the last evaluation left them.
    """

    def __init__(self, claim: Claim, fixed: tuple[tuple[str, int], ...], clock: Deadline) -> None:
        self.claim, self.fixed, self.clock = claim, fixed, clock
        self.boards: dict[str, GameSolver] = {}

    def evaluate_positions(self, term: t.Term, name: str, rows: Array) -> list[int]:
        """Return the values of `term` if the variable `name` is each of the positions in `rows`.

        A row contains zeros, then the heaps of a position in ascending order.

        Raise Unsupported if a value is undefined. Raise OutOfTime, TooLarge and BadRuleset as a search does.
        """
        evaluator = self._make_evaluator(PositionSet.from_rows(rows))
        return self._evaluate(evaluator, term, name, evaluator.pool.intern(rows))

    def evaluate_sizes(self, term: t.Term, name: str, sizes: Array) -> list[int]:
        """Return the values of `term` if the variable `name` is each of the integers in `sizes`.

        Raise the errors of `evaluate_positions`.
        """
        heaps = PositionSet.from_rows(np.maximum(sizes, 0)[:, None])
        return self._evaluate(self._make_evaluator(heaps), term, name, sizes)

    def _make_evaluator(self, positions: PositionSet) -> FrameEvaluator:
        self.boards = boards = dict[str, GameSolver]()
        evaluator = FrameEvaluator(Pool(positions), self.clock, boards)
        boards.update({g.name: GameSolver(g, evaluator.pool, evaluator, self.clock) for g in self.claim.games})
        return evaluator

    def _evaluate(self, evaluator: FrameEvaluator, term: t.Term, name: str, column: Array) -> list[int]:
        frame = Frame(1, len(column), {n: make_constant(value) for n, value in self.fixed})
        frame.names[name] = Scalars(column[None, :])
        value = evaluator.evaluate_scalars(term, frame)
        if value.bad is not None and bool(np.broadcast_to(value.bad, (1, len(column))).any()):
            at = int(np.flatnonzero(np.broadcast_to(value.bad, (1, len(column)))[0])[0])
            raise Unsupported(f"the expression is undefined for value {at + 1} of the {len(column)} values of {name}")
        found: list[int] = np.broadcast_to(value.data, (1, len(column)))[0].tolist()
        return found
