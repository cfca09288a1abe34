"""Comprehensions over whole frames: spread the frame over the elements, evaluate, reduce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from claims import terms as t

from encoders.exhaustive import segments
from encoders.exhaustive.frame import Frame, spread_over
from encoders.exhaustive.limits import MAX_CELLS
from encoders.exhaustive.operations import settle
from encoders.exhaustive.values import SAFE, Array, Ragged, Scalars, Value, along, either, spans

if TYPE_CHECKING:
    from encoders.exhaustive.evaluate import Evaluator


@dataclass
class _Spread:
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


class Comprehensions:
    """The comprehensions of one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def value(self, term: t.Comprehension, frame: Frame) -> Value:
        """The value of a comprehension on a frame."""
        frame = self._narrowed(term, frame)
        if len(term.clauses) == 1:
            quick = self._by_table(term, frame)
            if quick is not None:
                return quick
        if term.reducer in ("list", "set", "mex"):
            return self._gathered(term, frame)
        data, some, bad = self._reduced(term, 0, frame)
        if term.reducer in ("max", "min"):
            bad = either(bad, ~some)
        return settle(Scalars(data, bad))

    def _narrowed(self, term: t.Comprehension, frame: Frame) -> Frame:
        """The frame without the axes that nothing in `term` depends on."""
        rows = cols = False
        for name in self.evaluator.free(term):
            r, c = frame.lookup(name).shape
            rows, cols = rows or r > 1, cols or c > 1
        return frame if (rows or frame.rows == 1) and (cols or frame.cols == 1) else frame.only(rows, cols)

    # -- spreading --------------------------------------------------------------------------------------------------
    def _spread(self, clause: t.Clause, frame: Frame, columns: bool = False) -> _Spread | None:
        """Spread `frame` over the source of the clause; None where it must be flattened first.

        `columns`: spread columns even where rows would be cheaper.
        """
        if isinstance(clause.source, t.GameCall) and clause.source.function == "options":
            return self._over_options(clause, clause.source, frame, columns)
        return self._over_elements(clause, frame, columns)

    def _over_elements(self, clause: t.Clause, frame: Frame, columns: bool) -> _Spread | None:
        kind = clause.source.type
        source = self.evaluator.collections.elements(self.evaluator.value(clause.source, frame), kind)
        if source.shape[0] > 1 and source.shape[1] > 1:
            return None
        inner, axis, lengths, items = spread_over(frame, source, columns)
        data = source.items[items].reshape((-1, 1) if axis == 0 else (1, -1))
        inner.names[clause.variable] = Scalars(data)
        return _Spread(inner, axis, lengths, None, None, source.bad)

    def _over_options(self, clause: t.Clause, source: t.GameCall, frame: Frame, columns: bool) -> _Spread | None:
        board = self.evaluator.boards[source.game]
        s = self.evaluator.scalars(source.args[0], frame)
        question = board.question(source, frame)
        r, c = s.data.shape
        if r > 1 and c > 1:
            return None
        axis = 0 if r > 1 or (c == 1 and frame.cols > 1 and frame.rows == 1 and not columns) else 1
        size = frame.rows if axis == 0 else frame.cols
        numbers = np.broadcast_to(board.number(s.data).ravel(), (size,))
        offsets, targets = board.edges()
        lengths = (offsets[numbers + 1] - offsets[numbers]).astype(np.int64)
        edges = spans(offsets[numbers], lengths)
        index = np.repeat(np.arange(size), lengths)
        shape = (-1, 1) if axis == 0 else (1, -1)
        q, mover = (along(v, axis, index) for v in (question.parameters, question.mover))
        assert isinstance(q, Scalars) and isinstance(mover, Scalars)
        legal = board.legal_edges(q.data, mover.data, edges.reshape(shape))
        bad = either(s.bad, question.bad)
        if legal.shape[1 - axis] == 1:
            # Legality is settled along the spread axis alone: drop the illegal moves now.
            keep = legal.ravel()
            lengths = segments.reduce_at(np.add, keep.astype(np.int64), lengths, 0, 0)
            edges, index, legal = edges[keep], index[keep], np.ones((1, 1), dtype=bool)
        inner = frame.spread(axis, index)
        inner.names[clause.variable] = Scalars(board.ids[targets[edges]].reshape(shape))
        return _Spread(inner, axis, lengths, None if legal.all() else legal, None, bad)

    def _restrict(self, spread: _Spread, conditions: tuple[t.Term, ...]) -> None:
        """Add the conditions of a clause, each of which counts only where the earlier ones hold."""
        for condition in conditions:
            value = self.evaluator.scalars(condition, spread.frame)
            active = value.data
            if value.bad is not None:
                wrong = value.bad if spread.active is None else value.bad & spread.active
                spread.bad, active = either(spread.bad, wrong), active & ~value.bad
            spread.active = active if spread.active is None else spread.active & active

    # -- any, all, count, sum, nim_sum, max, min ---------------------------------------------------------------------
    def _reduced(self, term: t.Comprehension, at: int, frame: Frame) -> tuple[Array, Array, Array | None]:
        """Data, whether there was an element, badness: clauses from `at` on, reduced case by case."""
        self.evaluator.clock.check()
        if at == len(term.clauses):
            body = self.evaluator.scalars(term.body, frame)
            data = body.data.astype(np.int64) if term.reducer == "count" else body.data
            bad = body.bad
            if term.reducer == "nim_sum":
                negative = np.asarray(data < 0, dtype=bool)
                if negative.any():
                    bad, data = either(bad, negative), np.where(negative, 0, data)
            return data, np.ones((1, 1), dtype=bool), bad
        spread = self._spread(term.clauses[at], frame)
        if spread is None:
            data, some, bad = self._reduced(term, at, frame.flatten())
            return tuple(_unflattened(x, frame) for x in (data, some, bad))  # type: ignore[return-value]
        inner = spread.frame
        if inner.rows * inner.cols > MAX_CELLS and frame.rows * frame.cols > 1:
            return self._halves(term, at, frame)
        self._restrict(spread, term.clauses[at].conditions)
        data, some, bad = self._reduced(term, at + 1, inner)
        return self._collapse(term.reducer, spread, data, some, bad)

    def _halves(self, term: t.Comprehension, at: int, frame: Frame) -> tuple[Array, Array, Array | None]:
        axis = 0 if frame.rows >= frame.cols else 1
        size = frame.rows if axis == 0 else frame.cols
        parts = []
        for index in (np.arange(size // 2), np.arange(size // 2, size)):
            part = frame.spread(axis, index)
            shape = (part.rows, part.cols)
            parts.append([None if x is None else np.broadcast_to(x, shape) for x in self._reduced(term, at, part)])
        shape = (frame.rows, frame.cols)
        (d1, s1, b1), (d2, s2, b2) = parts
        assert d1 is not None and d2 is not None and s1 is not None and s2 is not None
        bad = None
        if b1 is not None or b2 is not None:
            b1 = np.zeros(d1.shape, dtype=bool) if b1 is None else b1
            b2 = np.zeros(d2.shape, dtype=bool) if b2 is None else b2
            bad = np.concatenate([b1, b2], axis=axis)
        return np.concatenate([d1, d2], axis=axis), np.concatenate([s1, s2], axis=axis), bad

    def _collapse(
        self, reducer: str, spread: _Spread, data: Array, some: Array, bad: Array | None
    ) -> tuple[Array, Array, Array | None]:
        axis, lengths = spread.axis, spread.lengths
        active = some if spread.active is None else some & spread.active
        wrong = None if bad is None else (bad if spread.active is None else bad & spread.active)
        wrong = either(wrong, spread.bad)

        def stretch(array: Array) -> Array:
            # An array that does not depend on the spread axis is written out along it.
            full = list(array.shape)
            full[axis] = int(lengths.sum())
            return np.broadcast_to(array, full)

        if reducer in ("any", "all"):
            hit = active & (data if reducer == "any" else ~data)
            if wrong is None:
                found = segments.reduce_at(np.logical_or, stretch(hit), lengths, axis, False)
                worse = None
            else:
                found, worse = _first_decides(stretch(hit & ~wrong), stretch(wrong), lengths, axis)
            result = found if reducer == "any" else ~found
            return result, np.ones((1, 1), dtype=bool), either(worse, spread.source_bad)
        worse = None if wrong is None else segments.reduce_at(np.logical_or, stretch(wrong), lengths, axis, False)
        there = segments.reduce_at(np.logical_or, stretch(active), lengths, axis, False)
        if reducer in ("max", "min"):
            ufunc = np.maximum if reducer == "max" else np.minimum
            filler = _extreme(data, reducer)
            result = segments.reduce_at(ufunc, stretch(np.where(active, data, filler)), lengths, axis, filler)
            return np.where(there, result, 0), there, either(worse, spread.source_bad)
        ufunc = np.bitwise_xor if reducer == "nim_sum" else np.add
        if reducer != "nim_sum" and data.dtype != object and data.size:
            if max(abs(int(data.min())), abs(int(data.max()))) * max(int(lengths.max(initial=0)), 1) >= SAFE:
                data = data.astype(object)
        result = segments.reduce_at(ufunc, stretch(np.where(active, data, 0)), lengths, axis, 0)
        return result, np.ones((1, 1), dtype=bool), either(worse, spread.source_bad)

    # -- lists, sets, mex --------------------------------------------------------------------------------------------
    def _gathered(self, term: t.Comprehension, frame: Frame) -> Value:
        flat = frame.flatten()
        if flat.cols > MAX_CELLS // 16:
            half = flat.cols // 2
            parts = [self._gathered(term, flat.spread(1, index)) for index in np.split(np.arange(flat.cols), [half])]
            return _joined(parts, (frame.rows, frame.cols))
        shape, owner, bad = (frame.rows, frame.cols), np.arange(flat.cols), np.zeros(flat.cols, dtype=bool)
        for clause in term.clauses:
            spread = self._spread(clause, flat, columns=True)
            assert spread is not None
            if spread.source_bad is not None:
                bad[owner[np.broadcast_to(spread.source_bad, (1, flat.cols)).ravel()]] = True
            owner = owner[segments.owners(spread.lengths)]
            self._restrict(spread, clause.conditions)
            flat = spread.frame
            if spread.bad is not None:
                bad[owner[np.broadcast_to(spread.bad, (1, flat.cols)).ravel()]] = True
            if spread.active is not None:
                keep = np.flatnonzero(np.broadcast_to(spread.active, (1, flat.cols)).ravel())
                flat, owner = flat.spread(1, keep), owner[keep]
        body = self.evaluator.scalars(term.body, flat)
        if body.bad is not None:
            bad[owner[np.broadcast_to(body.bad, (1, flat.cols)).ravel()]] = True
        items = np.broadcast_to(body.data, (1, flat.cols)).ravel()
        lengths = np.bincount(owner, minlength=shape[0] * shape[1]).astype(np.int64)
        where_bad = bad.reshape(shape) if bad.any() else None
        made = Ragged(shape, lengths, items, where_bad)
        if term.reducer == "mex":
            return self.evaluator.collections.reduce("mex", made)
        return self.evaluator.collections.as_set(made, term.type) if term.reducer == "set" else made

    # -- options whose body looks at the option alone ------------------------------------------------------------------
    def _by_table(self, term: t.Comprehension, frame: Frame) -> Scalars | None:
        """any, all over options, the body tabulated over all positions; None where that does not serve."""
        clause = term.clauses[0]
        if term.reducer not in ("any", "all") or not isinstance(clause.source, t.GameCall):
            return None
        if clause.source.function != "options":
            return None
        board = self.evaluator.boards[clause.source.game]
        inner: set[str] = set(self.evaluator.free(term.body))
        for condition in clause.conditions:
            inner |= self.evaluator.free(condition)
        inner.discard(clause.variable)
        outer = {name: frame.lookup(name) for name in sorted(inner)}
        s = self.evaluator.scalars(clause.source.args[0], frame)
        question = board.question(clause.source, frame)
        groups = _grouped([*outer.values(), question.parameters, question.mover], frame)
        if groups is None:
            return None
        group, members = groups
        size = max(v.shape[0] for v in members)
        numbers = board.number(s.data)
        cells = np.broadcast(group, numbers).size
        if len(board) * size > 16 * cells * (board.degree + 1):
            return None
        names: dict[str, Value] = dict(zip(outer, members[: len(outer)], strict=True))
        names[clause.variable] = Scalars(board.ids[None, :])
        step = max(1, MAX_CELLS // len(board))
        tables = []
        for start in range(0, size, step):
            self.evaluator.clock.check()
            piece = slice(start, min(start + step, size))
            part = {n: _rows(v, piece) for n, v in names.items()}
            wanted = self._wanted(term, Frame(piece.stop - piece.start, len(board), part))
            if wanted is None:
                return None
            q, mover = (_rows(v, piece).data[:, 0] for v in members[-2:])
            tables.append(board.hit(wanted, q, mover))
        table = np.concatenate(tables) if len(tables) > 1 else tables[0]
        data = table[np.minimum(group, len(table) - 1), numbers]
        return Scalars(data if term.reducer == "any" else ~data, either(s.bad, question.bad))

    def _wanted(self, term: t.Comprehension, frame: Frame) -> Array | None:
        """Where conditions and body (for `all`: its negation) hold; None if they are ill-defined anywhere."""
        wanted: Array | None = None
        parts = [(x, False) for x in term.clauses[0].conditions] + [(term.body, term.reducer == "all")]
        for part, negated in parts:
            value = self.evaluator.scalars(part, frame)
            if value.bad is not None:
                return None
            data = ~value.data if negated else value.data
            wanted = data if wanted is None else wanted & data
        assert wanted is not None
        return np.broadcast_to(wanted, (wanted.shape[0], frame.cols))


def _joined(parts: list[Value], shape: tuple[int, int]) -> Value:
    """The values of consecutive cases, each on a frame of one row, as one value on a frame of `shape`."""
    bads = [np.zeros(p.shape, dtype=bool) if p.bad is None else np.broadcast_to(p.bad, p.shape) for p in parts]
    bad = np.concatenate(bads, axis=1).reshape(shape)
    if isinstance(parts[0], Scalars):
        data = np.concatenate([np.broadcast_to(p.data, p.shape) for p in parts if isinstance(p, Scalars)], axis=1)
        return Scalars(data.reshape(shape), bad)
    lists = [p for p in parts if isinstance(p, Ragged)]
    return Ragged(shape, np.concatenate([p.lengths for p in lists]), np.concatenate([p.items for p in lists]), bad)


def _rows(value: Any, piece: slice) -> Any:
    """The rows of a value that depends on rows only (or on nothing)."""
    if isinstance(value, Scalars):
        return value if len(value.data) == 1 else Scalars(value.data[piece], None, value.lo, value.hi)
    if value.shape[0] == 1:
        return value
    return along(value, 0, np.arange(value.shape[0])[piece])


def _grouped(values: list[Value], frame: Frame) -> tuple[Array, list[Any]] | None:
    """Group the cases that agree in all `values`: (group of each case, the values of each group as rows)."""
    if any(v.bad is not None for v in values[:-2]):
        return None
    if all(v.shape[1] == 1 for v in values):
        rows = max(v.shape[0] for v in values)
        return np.arange(rows)[:, None], values
    if any(isinstance(v, Ragged) or v.data.dtype == object for v in values):
        return None
    scalars = [v for v in values if isinstance(v, Scalars)]
    shape = np.broadcast_shapes(*(v.data.shape for v in scalars))
    columns = np.stack([np.broadcast_to(v.data, shape).ravel().astype(np.int64) for v in scalars])
    distinct, group = np.unique(columns, axis=1, return_inverse=True)
    members = [
        Scalars(row.astype(v.data.dtype)[:, None], None, v.lo, v.hi) for row, v in zip(distinct, scalars, strict=True)
    ]
    return group.reshape(shape), members


def _unflattened(array: Array | None, frame: Frame) -> Array | None:
    if array is None or array.shape[1] == 1:
        return array
    return array.reshape(frame.rows, frame.cols)


def _row(array: Array | None) -> Array | None:
    return None if array is None else array.reshape(1, -1)


def _first_decides(hit: Array, wrong: Array, lengths: Array, axis: int) -> tuple[Array, Array]:
    """any(...) with ill-defined elements: true where a hit comes before them, ill-defined where they come first."""
    shape = np.broadcast_shapes(hit.shape, wrong.shape)
    hit, wrong = np.broadcast_to(hit, shape), np.broadcast_to(wrong, shape)
    place = spans(np.zeros(len(lengths), dtype=np.int64), lengths)
    place = place[:, None] if axis == 0 else place[None, :]
    far = np.iinfo(np.int64).max
    first_hit = segments.reduce_at(np.minimum, np.where(hit, place, far), lengths, axis, far)
    first_wrong = segments.reduce_at(np.minimum, np.where(wrong, place, far), lengths, axis, far)
    return (first_hit < far) & (first_hit < first_wrong), (first_wrong < far) & (first_wrong < first_hit)


def _extreme(data: Array, reducer: str) -> Any:
    if data.dtype == object:
        values = data.ravel().tolist() or [0]
        return min(values) if reducer == "max" else max(values)
    info = np.iinfo(np.int64)
    return info.min if reducer == "max" else info.max


