"""The cases of a scope as a frame: parameters as rows, positions (and what depends on them) as columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from claims import domains as d
from claims.model import Claim
from claims.types import POSITION
from encoders.answer import Case
from encoders.exhaustive import segments
from encoders.exhaustive.evaluate import Evaluator
from encoders.exhaustive.frame import Frame, spread_over
from encoders.exhaustive.limits import MAX_POSITIONS, TooLarge
from encoders.exhaustive.positions import PositionSet, box_size
from encoders.exhaustive.values import Array, Ragged, Scalars, Value, spans

MAX_ROWS = 4_000_000


def core_box(claim: Claim, scope: d.Scope) -> PositionSet:
    """The smallest box that holds the positions of every position variable's scope. Raises TooLarge."""
    ranges = [r for r in scope.values() if isinstance(r, d.PositionRange)]
    heaps = max((r.heaps.hi for r in ranges), default=0)
    size = max((r.size.hi for r in ranges), default=1)
    if box_size(heaps, size) > MAX_POSITIONS:
        raise TooLarge(f"{box_size(heaps, size):,} positions of at most {heaps} heaps of at most {size}".replace(",", " "))
    return PositionSet.box(heaps, size)


class Grid:
    """The cases of one claim within a scope."""

    def __init__(self, claim: Claim, scope: d.Scope, evaluator: Evaluator) -> None:
        self.claim, self.scope, self.evaluator, self.pool = claim, scope, evaluator, evaluator.pool
        self.row_variables, self.column_variables = self._split()

    def _split(self) -> tuple[list[d.Variable], list[d.Variable]]:
        rows: list[d.Variable] = []
        columns: list[d.Variable] = []
        taken: set[str] = set()
        for v in self.claim.variables:
            terms = {d.Interval: ("lo", "hi"), d.ElementsOf: ("source",)}.get(type(v.domain), ())
            needs = {n for a in terms if (x := getattr(v.domain, a)) is not None for n in self.evaluator.free(x)}
            if v.type == POSITION or needs & taken:
                columns.append(v)
                taken.add(v.name)
            else:
                rows.append(v)
        return rows, columns

    def rows(self) -> Frame:
        """A frame with one row for each choice of the variables that do not depend on a position, in order."""
        frame = Frame(1, 1)
        for v in self.row_variables:
            source = self.values(v, frame)
            if int(source.lengths.sum()) * (frame.rows if source.shape[0] == 1 else 1) > MAX_ROWS:
                raise TooLarge(f"more than {MAX_ROWS} choices of {', '.join(x.name for x in self.row_variables)}")
            frame = self._bind(v, source, frame, rows=True)
        return frame

    def columns(self, frame: Frame, first: Array | None) -> Frame:
        """The frame spread over the remaining variables; `first` cuts the first one's positions (pool ids)."""
        for i, v in enumerate(self.column_variables):
            source = self.values(v, frame)
            if i == 0 and first is not None:
                source = Ragged((1, 1), np.array([len(first)]), first)
            if source.shape[0] > 1:
                frame = frame.flatten()
                source = self.values(v, frame)
            frame = self._bind(v, source, frame, rows=False)
        return frame

    def _bind(self, v: d.Variable, source: Ragged, frame: Frame, rows: bool) -> Frame:
        if rows:
            lengths = source.lengths if len(source.lengths) == frame.rows else np.full(frame.rows, source.lengths[0])
            items = source.items if len(source.lengths) == frame.rows else np.tile(source.items, frame.rows)
            inner = frame.spread(0, segments.owners(lengths))
            shape = (-1, 1)
        else:
            inner, _, _, order = spread_over(frame, source, columns=True)
            items, shape = source.items[order], (1, -1)
        inner.names[v.name] = self._subsets(v, items) if isinstance(v.domain, d.Subsets) else Scalars(items.reshape(shape))
        return inner

    @staticmethod
    def _subsets(v: d.Variable, codes: Array) -> Value:
        assert isinstance(v.domain, d.Subsets)
        bits = np.arange(v.domain.hi - v.domain.lo + 1)
        chosen = (codes[:, None] >> bits & 1).astype(bool)
        items = np.broadcast_to(bits + v.domain.lo, chosen.shape)[chosen]
        return Ragged((len(codes), 1), chosen.sum(axis=1), items)

    def values(self, v: d.Variable, frame: Frame) -> Ragged:
        """The values of a variable, in order, for each case of the frame (subsets as binary numbers)."""
        match v.domain:
            case d.Positions():
                return _same(self.positions(v.name))
            case d.Players(count=count):
                return _same(np.arange(count))
            case d.Subsets(lo=lo, hi=hi):
                return _same(np.arange(1 << (hi - lo + 1)))
            case d.Listed(values=values):
                if v.type != POSITION:
                    return _same(np.array(values, dtype=np.int64))
                width = max((len(p) for p in values if isinstance(p, tuple)), default=1) or 1
                rows = [[0] * (width - len(p)) + list(p) for p in values if isinstance(p, tuple)]
                return _same(self.pool.intern(np.array(rows, dtype=np.int64)))
            case d.ElementsOf(source=source):
                value = self.evaluator.collections.elements(self.evaluator.value(source, frame), source.type)
                _well_defined(v, value)
                return segments.distinct(value, self.pool.rank if v.type == POSITION else None)
            case d.Interval():
                return self._interval(v, v.domain, frame)
        raise AssertionError(v)

    def _interval(self, v: d.Variable, domain: d.Interval, frame: Frame) -> Ragged:
        bound = self.scope.get(v.name)
        lo = self.evaluator.scalars(domain.lo, frame)
        _well_defined(v, lo)
        low, high = lo.data, None
        if domain.hi is not None:
            hi = self.evaluator.scalars(domain.hi, frame)
            _well_defined(v, hi)
            high = hi.data
        if isinstance(bound, d.Range):
            low = np.maximum(low, bound.lo)
            high = np.full((1, 1), bound.hi) if high is None else np.minimum(high, bound.hi)
        assert high is not None, "a variable without upper bound has a scope"
        shape = np.broadcast_shapes(low.shape, high.shape)
        starts, stops = np.broadcast_to(low, shape).ravel(), np.broadcast_to(high, shape).ravel()
        lengths = np.maximum(stops - starts + 1, 0).astype(np.int64)
        if float(lengths.astype(np.float64).sum()) > MAX_ROWS:
            raise TooLarge(f"more than {MAX_ROWS} values of {v.name}")
        return Ragged((shape[0], shape[1]), lengths, spans(starts.astype(np.int64), lengths))

    def positions(self, name: str) -> Array:
        """The pool ids of the positions in the scope of a variable, in order."""
        bound = self.scope[name]
        assert isinstance(bound, d.PositionRange)
        rows = self.pool.rows[: self.pool.core]
        count, total = np.count_nonzero(rows, axis=1), rows.sum(axis=1)
        inside = (count >= bound.heaps.lo) & (count <= bound.heaps.hi)
        inside &= ((rows == 0) | ((rows >= bound.size.lo) & (rows <= bound.size.hi))).all(axis=1)
        if bound.total is not None:
            inside &= (total >= bound.total.lo) & (total <= bound.total.hi)
        return np.flatnonzero(inside)

    # -- single cases -----------------------------------------------------------------------------------------------
    def smallest(self, frame: Frame, mask: Array) -> tuple[int, int]:
        """The smallest case where `mask` holds: positions first, then the other variables, in the order declared."""
        cells = np.flatnonzero(np.broadcast_to(mask, (frame.rows, frame.cols)).ravel())
        variables = sorted(self.claim.variables, key=lambda v: v.type != POSITION)
        for v in variables:
            if len(cells) == 1:
                break
            keys = self._keys(v, frame, cells)
            cells = cells[keys == keys.min()]
        return int(cells[0]) // frame.cols, int(cells[0]) % frame.cols

    def _keys(self, v: d.Variable, frame: Frame, cells: Array) -> Array:
        value = frame.lookup(v.name)
        r, c = value.shape
        at = (cells // frame.cols if r > 1 else 0) * c + (cells % frame.cols if c > 1 else 0)
        at = np.broadcast_to(at, cells.shape)
        if isinstance(value, Scalars):
            data = value.data.ravel()[at]
            return self.pool.rank[data] if v.type == POSITION else data
        starts = value.starts
        lists = [value.items[starts[i] : starts[i] + value.lengths[i]].tolist() for i in at]
        return np.array([sum(1 << x for x in items) for items in lists], dtype=object)

    def case(self, frame: Frame, row: int, column: int) -> Case:
        """The values of all variables at one case, in the order declared."""
        return {v.name: self._read(v, frame.lookup(v.name), row, column) for v in self.claim.variables}

    def _read(self, v: d.Variable, value: Value, row: int, column: int) -> Any:
        r, c = value.shape
        cell = (row if r > 1 else 0) * c + (column if c > 1 else 0)
        if isinstance(value, Ragged):
            start = int(value.starts[cell])
            return tuple(int(x) for x in value.items[start : start + int(value.lengths[cell])])
        item = np.broadcast_to(value.data, value.shape).ravel()[cell]
        return self.pool.heaps(int(item)) if v.type == POSITION else int(item)

    def row_chunks(self, frame: Frame, columns: int, cells: int) -> Iterator[Frame]:
        """The rows of a frame, some at a time, so that rows times `columns` stays below `cells`."""
        step = max(1, cells // max(columns, 1))
        for start in range(0, frame.rows, step):
            yield frame.spread(0, np.arange(start, min(start + step, frame.rows)))


def _same(items: Array) -> Ragged:
    return Ragged((1, 1), np.array([len(items)]), items)


class IllDefinedDomain(Exception):
    """The bounds of a variable's domain have no value for some choice of the variables before it."""


def _well_defined(v: d.Variable, value: Value) -> None:
    if value.bad is not None:
        raise IllDefinedDomain(f"the domain {v.text} of {v.name} is ill-defined for some choice of the variables before it")


