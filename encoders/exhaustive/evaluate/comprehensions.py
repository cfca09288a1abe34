"""Comprehensions over whole frames: spread the frame over the elements, evaluate, reduce."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays import limits, segments
from encoders.exhaustive.arrays.frame import Frame, join_values, take_along
from encoders.exhaustive.arrays.limits import SAFE, TooWide, group_digits
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, Value, join_spans, merge_bad, shrink
from encoders.exhaustive.engines.board import GameSolver
from encoders.exhaustive.evaluate.tabulated import FreeVariables, Tabulated
from encoders.exhaustive.moves.evaluator import Evaluator

# -- clauses ----------------------------------------------------------------------------------------------------------
# The clauses of a comprehension on a frame: one new row or column for each element that a clause runs over.


@dataclass
class Spread:
    """A frame spread over the elements of a clause: `lengths` new rows or columns (`axis`) for each old one.

    `active`: the elements that the conditions (and the rules of play) let through; None: all of them.
    `bad`: elements whose conditions are ill-defined.  `source_bad`: old cases whose source is.
    """

    frame: Frame
    axis: int
    lengths: Array
    active: Array | None
    bad: Array | None
    source_bad: Array | None


class Spreader:
    """Spreads frames over clauses. `boards`: the games of the claim, by name."""

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, GameSolver]) -> None:
        self.evaluator, self.boards = evaluator, boards

    def spread(self, clause: t.Clause, frame: Frame, columns: bool = False) -> Spread | None:
        """`frame` over the elements of the source; None where the frame must be flattened first. Raises TooWide.

        `columns`: spread columns even where rows would be cheaper.
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
        """Add the conditions of a clause, each of which counts only where the earlier ones hold."""
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
            # Legality is settled along the spread axis alone: drop the illegal moves now.
            keep = legal.ravel()
            lengths = segments.reduce_at(np.add, keep.astype(np.int64), lengths, 0, 0)
            edges, index, legal = edges[keep], index[keep], np.ones((1, 1), dtype=bool)
        inner = frame.spread(axis, index)
        inner.names[variable] = Scalars(_lay_out(board.list_ids(graph)[targets[edges]], axis))
        return Spread(inner, axis, lengths, None if legal.all() else legal, None, bad)


def spread_over(frame: Frame, source: Ragged, columns: bool) -> tuple[Frame, int, Array, Array]:
    """Spread `frame` so that each element of `source` gets its own row or column (always a column if `columns`).

    Returns the new frame, the axis that was spread, the number of elements of each old row or column, and the element
    (its number in source.items) of each new one.  A source that depends on both axes needs a flattened frame.
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
        raise TooWide(f"comprehensions over {group_digits(elements * times)} elements in all")


# -- comprehensions ---------------------------------------------------------------------------------------------------
_Reduced = tuple[Array, Array, Array | None]  # data, whether there was an element, badness
_ONE = np.ones((1, 1), dtype=bool)
MANY = 1000  # cases among which it is worth a look whether some agree


class Comprehensions:
    """The comprehensions of one evaluator."""

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, GameSolver], free: FreeVariables) -> None:
        self.evaluator, self.free = evaluator, free
        self.spreader = Spreader(evaluator, boards)
        self.tabulated = Tabulated(evaluator, boards, free)

    def evaluate(self, term: t.Comprehension, frame: Frame) -> Value:
        """The value of a comprehension on a frame, found once for all cases that agree in what it depends on."""
        frame = self._narrow(term, frame)
        quick = self.tabulated.evaluate(term, frame)
        if quick is not None:
            return quick
        if frame.cells >= MANY and (fewer := self._fold(term, frame)) is not None:
            inner, (rows, columns) = fewer
            return take_along(take_along(self._evaluate(term, inner), 0, rows), 1, columns)
        return self._evaluate(term, frame)

    def _fold(self, term: t.Comprehension, frame: Frame) -> tuple[Frame, tuple[Array, Array]] | None:
        """A frame of half as many cases or fewer that has all that differ, and where its rows and columns go; or None.

        Rows that agree in all that `term` depends on are one, and columns.
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
        """The frame without the axes that nothing in `term` depends on."""
        rows = cols = False
        for name in self.free.find(term):
            r, c = frame.lookup(name).shape
            rows, cols = rows or r > 1, cols or c > 1
        return frame if (rows or frame.rows == 1) and (cols or frame.cols == 1) else frame.narrow(rows, cols)

    # -- any, all, count, sum, nim_sum, max, min ---------------------------------------------------------------------
    def _reduce(self, term: t.Comprehension, at: int, frame: Frame) -> _Reduced:
        """The clauses from `at` on and the body, reduced case by case; in halves where that is too wide."""
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
    """What the elements of each old case come to: the inverse of the spread."""
    axis, lengths = found.axis, found.lengths
    active = some if found.active is None else some & found.active
    wrong = None if bad is None else (bad if found.active is None else bad & found.active)
    wrong = merge_bad(wrong, found.bad)

    def stretch(array: Array) -> Array:
        # An array that does not depend on the spread axis is written out along it.
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
    """any(...) with ill-defined elements: true where a hit comes before them, ill-defined where they come first."""
    shape = np.broadcast_shapes(hit.shape, wrong.shape)
    hit, wrong = np.broadcast_to(hit, shape), np.broadcast_to(wrong, shape)
    place = segments.list_places(lengths)
    place = place[:, None] if axis == 0 else place[None, :]
    far = np.iinfo(np.int64).max
    first_hit = segments.reduce_at(np.minimum, np.where(hit, place, far), lengths, axis, far)
    first_wrong = segments.reduce_at(np.minimum, np.where(wrong, place, far), lengths, axis, far)
    return first_hit < first_wrong, first_wrong < first_hit


def _find_extreme(data: Array, reducer: str) -> Array:
    """A number, as an array without axes, that loses against every element of `data`."""
    if data.dtype == object:
        values = data.ravel().tolist() or [0]
        return np.array(min(values) if reducer == "max" else max(values), dtype=object)
    info = np.iinfo(np.int64)
    return np.array(info.min if reducer == "max" else info.max)


def _unflatten(array: Array, frame: Frame) -> Array:
    return array if array.shape[1] == 1 else array.reshape(frame.rows, frame.cols)
