"""The cases of a scope as frames: parameters as rows, positions (and what depends on them) as columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import numpy as np

from claims.language.grammar.numerals import MAX_SHOWN_BITS
from claims.language.ground.errors import NimChecksError
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.answer import list_integers
from encoders.exhaustive.arrays import limits, segments
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import SAFE, Deadline, TooLarge, group_digits
from encoders.exhaustive.arrays.operations import count_bits
from encoders.exhaustive.arrays.positions import PositionSet, count_box, fit, list_box
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, Value, join_spans, shrink, to_array, unite_shapes
from encoders.exhaustive.cases.slabs import SlabPiece
from encoders.exhaustive.evaluate.comprehensions import spread_over
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator


class IllDefinedDomain(NimChecksError):
    """The bounds of a variable's domain have no value for some choice of the variables before it."""


def list_core(scope: d.Scope, clock: Deadline) -> PositionSet:
    """The positions in the scope of some variable, and the empty one. Raises TooLarge and OutOfTime."""
    clock.check()
    ranges = [r for r in scope.values() if isinstance(r, d.PositionRange)]
    bounds = {(r.heaps.hi, r.size.hi, r.total.hi if r.total else None) for r in ranges} or {(0, 1, None)}
    boxes = [_list_box(*bound) for bound in bounds]
    if len(boxes) == 1:
        return PositionSet(boxes[0])
    width = max(b.shape[1] for b in boxes)
    return PositionSet.of(np.concatenate([fit(b, width) for b in boxes]))


def _list_box(heaps: int, size: int, total: int | None) -> Array:
    try:
        return list_box(heaps, size, total)
    except TooLarge as error:
        fits = (
            bisect_right(
                range(min(size, limits.MAX_POSITIONS)), limits.MAX_POSITIONS, key=lambda n: count_box(heaps, n)
            )
            - 1
        )
        hint = f'size = "1..{fits}" would fit' if fits > 0 else "fewer heaps would fit"
        raise TooLarge(f"{error}; {hint}") from None


class Grid:
    """The cases of one claim within a piece of a scope."""

    def __init__(self, claim: Claim, piece: SlabPiece, evaluator: FrameEvaluator) -> None:
        self.claim, self.evaluator, self.pool = claim, evaluator, evaluator.pool
        self.scope, self.without = piece.scope, piece.without
        self.row_variables, self.column_variables = self._split()

    def _split(self) -> tuple[list[d.ClaimVariable], list[d.ClaimVariable]]:
        rows: list[d.ClaimVariable] = []
        columns: list[d.ClaimVariable] = []
        taken: set[str] = set()
        for v in self.claim.variables:
            match v.domain:
                case d.IntervalDomain(lo=lo, hi=hi):
                    needs = self.evaluator.free.find_all([lo] if hi is None else [lo, hi])
                case d.ElementsOf(source=source):
                    needs = self.evaluator.free.find(source)
                case _:
                    needs = frozenset()
            if v.type == POSITION or needs & taken:
                columns.append(v)
                taken.add(v.name)
            else:
                rows.append(v)
        return rows, columns

    @property
    def width(self) -> int:
        """About how many columns there are; dependent variables are not counted."""
        count = 1
        for v in self.column_variables:
            count *= len(self.list_positions(v.name)) if isinstance(v.domain, d.Positions) else 1
        return count

    def bind_rows(self) -> Frame:
        """A frame with one row for each choice of the variables that do not depend on a position, in order."""
        frame = Frame(1, 1)
        for v in self.row_variables:
            source = self.values(v, frame)
            total = int(source.lengths.sum()) * (frame.rows if source.shape[0] == 1 else 1)
            if total > limits.MAX_ROWS:
                names = ", ".join(x.name for x in self.row_variables)
                most = group_digits(limits.MAX_ROWS)
                raise TooLarge(f"{group_digits(total)} choices of {names} or more; at most {most} would fit")
            if source.shape[0] != frame.rows:
                source = source.spread((frame.rows, 1))
            frame = self._bind(v, frame.spread(0, segments.list_owners(source.lengths)), source.items, (-1, 1))
        return frame

    def iterate_frames(self, frame: Frame, last: Callable[[], int | None], at: int = 0) -> Iterator[Frame]:
        """The cases of some rows with the column variables bound, in parts of at most MAX_CELLS cases.

        The first variable's positions come in ascending order; `last` says beyond which rank none are wanted any more.
        """
        frame = self._cut(frame, last()) if at else frame
        if at == len(self.column_variables) or not frame.cells:
            yield frame
            return
        v = self.column_variables[at]
        source = self.values(v, frame)
        if source.shape[0] > 1:
            frame = frame.flatten()
            source = self.values(v, frame)
        total = int(source.lengths.sum()) * (frame.cols if source.shape[1] == 1 else 1) * frame.rows
        if total <= limits.MAX_CELLS:
            inner, _, _, order = spread_over(frame, source, columns=True)
            yield from self.iterate_frames(self._bind(v, inner, source.items[order], (1, -1)), last, at + 1)
        elif frame.cols > 1 or (frame.rows > 1 and len(source.items) <= limits.MAX_CELLS):
            for part in frame.halve()[1]:
                yield from self.iterate_frames(part, last, at)
        else:
            step = max(1, limits.MAX_CELLS // frame.rows)
            for start in range(0, len(source.items), step):
                items = source.items[start : start + step]
                inner = frame.spread(1, np.zeros(len(items), dtype=np.int64))
                yield from self.iterate_frames(self._bind(v, inner, items, (1, -1)), last, at + 1)

    def _cut(self, frame: Frame, last: int | None) -> Frame:
        """The columns whose position of the first variable has at most the rank `last`."""
        if last is None:
            return frame
        keep = self.pool.rank[self.read_first_positions(frame)] <= last
        return frame if keep.all() else frame.spread(1, np.flatnonzero(keep))

    def read_first_positions(self, frame: Frame) -> Array:
        """The positions of the first column variable, by column."""
        first = frame.lookup(self.column_variables[0].name)
        assert isinstance(first, Scalars)
        return np.broadcast_to(first.data[0], (frame.cols,))

    @staticmethod
    def _bind(v: d.ClaimVariable, frame: Frame, items: Array, shape: tuple[int, int]) -> Frame:
        """Bind the variable to the items, subsets given as binary numbers."""
        if items.dtype == object and any(count_bits(x) > MAX_SHOWN_BITS for x in items.tolist()):
            raise TooLarge(f"a value of {v.name} of more than {group_digits(MAX_SHOWN_BITS)} bits")
        value: Value = Scalars(items.reshape(shape))
        if isinstance(v.domain, d.Subsets):
            places = np.arange(v.domain.hi - v.domain.lo + 1)
            chosen = (items[:, None] >> places & 1).astype(bool)
            members = to_array(range(v.domain.lo, v.domain.hi + 1))
            elements = np.broadcast_to(members, chosen.shape)[chosen]
            value = Ragged((len(items), 1), chosen.sum(axis=1), elements)
        frame.names[v.name] = value
        return frame

    def values(self, v: d.ClaimVariable, frame: Frame) -> Ragged:
        """The values of a variable, in order, for each case of the frame (subsets as binary numbers)."""
        match v.domain:
            case d.Positions():
                return _share(self.list_positions(v.name))
            case d.Players(count=count):
                return _share(np.arange(count))
            case d.Subsets(lo=lo, hi=hi):
                return _share(np.arange(1 << (hi - lo + 1)))
            case d.ListedDomain(values=values):
                if v.type != POSITION:
                    return _share(to_array(values))
                width = max(max((len(p) for p in values if isinstance(p, tuple)), default=1), 1)
                if any(h >= SAFE for p in values for h in list_integers(p)):
                    raise TooLarge(f"heaps of 2^62 or more for {v.name}")
                rows = [[0] * (width - len(p)) + list(p) for p in values if isinstance(p, tuple)]
                return _share(self.pool.intern(np.array(rows, dtype=np.int64)))
            case d.ElementsOf(source=source):
                value = self.evaluator.collections.list_elements(self._evaluate(v, source, frame), source.type)
                return segments.deduplicate(value, self.pool.rank if v.type == POSITION else None)
            case d.IntervalDomain():
                return self._list_interval(v, v.domain, frame)
        raise AssertionError(v)

    def _list_interval(self, v: d.ClaimVariable, domain: d.IntervalDomain, frame: Frame) -> Ragged:
        bound = self.scope.get(v.name)
        low = self._evaluate_scalars(v, domain.lo, frame).data
        high = None if domain.hi is None else self._evaluate_scalars(v, domain.hi, frame).data
        if isinstance(bound, d.Range):
            ends = to_array([bound.lo, bound.hi]).reshape(2, 1, 1)
            low = np.maximum(low, ends[0])
            high = ends[1] if high is None else np.minimum(high, ends[1])
        assert high is not None, "a variable without upper bound has a scope"
        shape = unite_shapes(low.shape, high.shape)
        starts, stops = (np.broadcast_to(x, shape).ravel() for x in (low, high))
        lengths = shrink(np.maximum(stops - starts + 1, 0))
        total = sum(lengths.tolist())
        if total > limits.MAX_ROWS:
            raise TooLarge(
                f"{_describe_total(total)} values of {v.name}; at most {group_digits(limits.MAX_ROWS)} would fit"
            )
        if starts.dtype == object:
            items = segments.list_places(lengths).astype(object) + np.repeat(starts, lengths)
            return Ragged(shape, lengths, shrink(items))
        return Ragged(shape, lengths, join_spans(starts, lengths))

    def _evaluate_scalars(self, v: d.ClaimVariable, term: t.Term, frame: Frame) -> Scalars:
        value = self._evaluate(v, term, frame)
        assert isinstance(value, Scalars)
        return value

    def _evaluate(self, v: d.ClaimVariable, term: t.Term, frame: Frame) -> Value:
        fault = IllDefinedDomain(
            f"the domain {v.text} of {v.name} is ill-defined for some choice of the variables before it"
        )
        return self.evaluator.evaluate_everywhere(term, frame, fault)

    def list_positions(self, name: str) -> Array:
        """The pool ids of the positions in the scope of a variable, in order."""
        bound = self.scope[name]
        assert isinstance(bound, d.PositionRange)
        rows = self.pool.rows[: self.pool.core]
        inside = _find_inside(rows, bound)
        if name in self.without:
            inside &= ~_find_inside(rows, self.without[name])
        return np.flatnonzero(inside)


def _find_inside(rows: Array, bound: d.PositionRange) -> Array:
    """Which of the positions lie in the box; (n,)."""
    count, total = np.count_nonzero(rows, axis=1), rows.sum(axis=1)
    inside = (count >= bound.heaps.lo) & (count <= bound.heaps.hi)
    inside &= ((rows == 0) | ((rows >= bound.size.lo) & (rows <= bound.size.hi))).all(axis=1)
    if bound.total is not None:
        inside &= (total >= bound.total.lo) & (total <= bound.total.hi)
    return np.asarray(inside)


def _describe_total(total: int) -> str:
    return group_digits(total) if total.bit_length() <= MAX_SHOWN_BITS else f"2^{total.bit_length() - 1} or more"


def _share(items: Array) -> Ragged:
    return Ragged((1, 1), np.array([len(items)]), items)
