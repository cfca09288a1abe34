"""The strict operations that take or make lists, sets and positions, for all cases at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from claims.types import POSITION, Type
from encoders.exhaustive import segments
from encoders.exhaustive.limits import MAX_CELLS, TooLarge
from encoders.exhaustive.operations import arithmetic, settle
from encoders.exhaustive.positions import Pool, fit
from encoders.exhaustive.values import SAFE, Array, Ragged, Scalars, Value, either, flat, flattened, spans

MAX_RANGE = 10_000_000


class Collections:
    """The operations; positions are numbered by `pool`."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def operate(self, op: str, args: list[Value], types: list[Type]) -> Value:
        """`op` on values of which at least one is a collection, or whose result is one."""
        if op in ("eq", "ne") and isinstance(args[0], Ragged) and isinstance(args[1], Ragged):
            return self._compare(op, args[0], args[1])
        if op == "range":
            return self._range(*_scalars(args))
        if op == "replace":
            return self._replace(*_scalars(args))
        if op in ("in", "occurrences"):
            item, source = (args[0], args[1]) if op == "in" else (args[1], args[0])
            kind = types[1] if op == "in" else types[0]
            assert isinstance(item, Scalars)
            count = self._occurrences(self.elements(source, kind), item)
            return count if op == "occurrences" else Scalars(count.data > 0, count.bad)
        source = self.elements(args[0], types[0])
        if op == "position":
            return self._position(source)
        if op == "index":
            assert isinstance(args[1], Scalars)
            return self._index(source, args[1])
        if op == "nim_sum_ways":
            assert isinstance(args[1], Scalars)
            return self._nim_sum_ways(source, args[1])
        return self.reduce(op, source)

    def elements(self, value: Value, kind: Type) -> Ragged:
        """A list or set as it is; a position as the list of its heap sizes, ascending."""
        if isinstance(value, Ragged):
            return value
        assert kind == POSITION
        rows = self.pool.rows[value.data.ravel()]
        bad = value.bad
        shape = value.data.shape
        return Ragged((shape[0], shape[1]), np.count_nonzero(rows, axis=1), rows[rows > 0], bad)

    def collect(self, kind: Type, items: list[Scalars]) -> Ragged:
        """The list (or set) of the given items, case by case."""
        if not items:
            return Ragged((1, 1), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        shape = np.broadcast_shapes(*(i.data.shape for i in items))
        stacked = np.stack([np.broadcast_to(i.data, shape) for i in items], axis=-1)
        lengths = np.full(shape[0] * shape[1], len(items))
        made = Ragged((shape[0], shape[1]), lengths, stacked.ravel(), either(*(i.bad for i in items)))
        return self.as_set(made, kind) if kind.kind == "set" else made

    def as_set(self, value: Ragged, kind: Type) -> Ragged:
        """The list as a set: distinct, ascending."""
        return segments.distinct(value, self.pool.rank if kind.element == POSITION else None)

    def reduce(self, op: str, source: Ragged) -> Scalars:
        """len, sum, max, min, mex, nim_sum, any, all or count of every list."""
        shape, bad, items, lengths = source.shape, source.bad, source.items, source.lengths
        if op == "len":
            return Scalars(lengths.reshape(shape).astype(np.int64), bad, 0, int(lengths.max(initial=0)))
        if op == "mex":
            return Scalars(segments.mex(source).reshape(shape), bad)
        ufunc, empty = {
            "sum": (np.add, 0),
            "count": (np.add, 0),
            "max": (np.maximum, 0),
            "min": (np.minimum, 0),
            "nim_sum": (np.bitwise_xor, 0),
            "any": (np.logical_or, False),
            "all": (np.logical_and, True),
        }[op]
        if op in ("max", "min"):
            bad = either(bad, (lengths == 0).reshape(shape))
        if op == "count":
            items = items.astype(np.int64)
        if op == "nim_sum" and len(items) and bool((items < 0).any()):
            wrong = segments.reduce_at(np.logical_or, np.asarray(items < 0, dtype=bool), lengths, 0, False)
            bad = either(bad, wrong.reshape(shape))
            items = np.maximum(items, 0)
        if op == "sum" and items.dtype != object and len(items):
            if int(np.abs(items).max()) * int(lengths.max()) >= SAFE:
                items = items.astype(object)
        data = segments.reduce_at(ufunc, items, lengths, 0, empty).reshape(shape)
        return settle(Scalars(data, bad))

    # -- one by one -----------------------------------------------------------------------------------------------
    def _compare(self, op: str, a: Ragged, b: Ragged) -> Scalars:
        shape = np.broadcast_shapes(a.shape, b.shape)
        same = segments.equal(a, b, (shape[0], shape[1]))
        return Scalars(same if op == "eq" else ~same, either(a.bad, b.bad))

    def _range(self, lo: Scalars, hi: Scalars) -> Ragged:
        size = arithmetic("sub", [hi, lo])
        shape = np.broadcast_shapes(lo.data.shape, hi.data.shape)
        start = np.broadcast_to(lo.data, shape).ravel()
        wide = np.broadcast_to(size.data, shape).ravel()
        over = np.asarray(wide > MAX_RANGE, dtype=bool) | np.asarray(np.abs(start) >= SAFE // 2, dtype=bool)
        lengths = np.where(over, 0, np.maximum(wide, 0)).astype(np.int64)
        if size.bad is not None:
            lengths = np.where(np.broadcast_to(size.bad, shape).ravel(), 0, lengths)
        if int(lengths.sum()) > 4 * MAX_CELLS:
            raise TooLarge(f"ranges of {int(lengths.sum())} integers in all")
        items = spans(np.where(over, 0, start).astype(np.int64), lengths)
        return Ragged((shape[0], shape[1]), lengths, items, either(size.bad, over.reshape(shape)))

    def _occurrences(self, source: Ragged, item: Scalars) -> Scalars:
        shape = np.broadcast_shapes(source.shape, item.data.shape)
        grid = np.broadcast_to(np.arange(len(source.lengths)).reshape(source.shape), shape).ravel()
        spread = source.cells(grid, (shape[0], shape[1]), None)
        wanted = np.repeat(np.broadcast_to(item.data, shape).ravel(), spread.lengths)
        hits = np.asarray(spread.items == wanted, dtype=bool).astype(np.int64)
        count = segments.reduce_at(np.add, hits, spread.lengths, 0, 0)
        return Scalars(count.reshape(shape), either(source.bad, item.bad))

    def _index(self, source: Ragged, index: Scalars) -> Scalars:
        shape = np.broadcast_shapes(source.shape, index.data.shape)
        grid = np.broadcast_to(np.arange(len(source.lengths)).reshape(source.shape), shape).ravel()
        wanted = np.broadcast_to(index.data, shape).ravel()
        outside = np.asarray((wanted < 0) | (wanted >= source.lengths[grid]), dtype=bool)
        at = source.starts[grid] + np.where(outside, 0, wanted).astype(np.int64)
        padded = np.append(source.items, np.zeros(1, dtype=source.items.dtype))
        data = padded[np.where(outside, len(source.items), at)].reshape(shape)
        return Scalars(data, either(source.bad, index.bad, outside.reshape(shape)))

    def _position(self, source: Ragged) -> Scalars:
        if source.items.dtype == object:
            raise TooLarge("heaps beyond 2**62")
        lengths = source.lengths
        width = max(int(lengths.max(initial=0)), 1)
        rows = np.zeros((len(lengths), width), dtype=np.int64)
        rows[segments.owners(lengths), spans(np.zeros(len(lengths), dtype=np.int64), lengths)] = source.items
        negative = (rows < 0).any(axis=1)
        ids = self._intern(np.where(negative[:, None], 0, rows))
        return Scalars(ids.reshape(source.shape), either(source.bad, negative.reshape(source.shape)))

    def _intern(self, rows: Array) -> Array:
        return self.pool.intern(np.sort(rows, axis=1))

    def _replace(self, s: Scalars, old: Scalars, new: Scalars) -> Scalars:
        shape = np.broadcast_shapes(s.data.shape, old.data.shape, new.data.shape)
        rows = fit(self.pool.rows, 1)[np.broadcast_to(s.data, shape).ravel()]
        h, y = (np.broadcast_to(v.data, shape).ravel() for v in (old, new))
        slot = np.asarray(rows == np.asarray(h)[:, None], dtype=bool)
        wrong = ~slot.any(axis=1) | np.asarray(h <= 0, dtype=bool) | np.asarray(y < 0, dtype=bool)
        if y.dtype == object and bool(np.asarray(y >= SAFE, dtype=bool).any()):
            raise TooLarge("heaps beyond 2**62")
        rows[np.arange(len(rows)), slot.argmax(axis=1)] = np.where(wrong, 0, y).astype(np.int64)
        rows[wrong] = 0
        ids = self._intern(rows).reshape(shape)
        return Scalars(ids, either(s.bad, old.bad, new.bad, wrong.reshape(shape)))

    def _nim_sum_ways(self, weights: Ragged, draws: Scalars) -> Ragged:
        shape = np.broadcast_shapes(weights.shape, draws.data.shape)
        grid = np.broadcast_to(np.arange(len(weights.lengths)).reshape(weights.shape), shape).ravel()
        starts = weights.starts
        lists: list[list[int]] = []
        wrong = np.zeros(len(grid), dtype=bool)
        known: dict[Any, list[int]] = {}
        for i, (cell, n) in enumerate(zip(grid, np.broadcast_to(draws.data, shape).ravel().tolist(), strict=True)):
            w = weights.items[starts[cell] : starts[cell] + weights.lengths[cell]].tolist()
            wrong[i] = n < 0 or any(x < 0 for x in w)
            key = (n, *w)
            if key not in known:
                known[key] = [] if wrong[i] else _hadamard_power(w, n)
            lists.append(known[key])
        items = np.array([x for v in lists for x in v], dtype=object)
        lengths = np.array([len(v) for v in lists], dtype=np.int64)
        return Ragged((shape[0], shape[1]), lengths, items, either(weights.bad, draws.bad, wrong.reshape(shape)))


def _hadamard_power(weights: list[int], draws: int) -> list[int]:
    """The n-fold nim-convolution of `weights` by the Walsh-Hadamard transform: not the referee's way."""
    size = 1 << max(0, len(weights) - 1).bit_length()
    values = [*weights, *[0] * (size - len(weights))]

    def transform(v: list[int]) -> list[int]:
        step = 1
        while step < size:
            for i in range(0, size, 2 * step):
                for j in range(i, i + step):
                    v[j], v[j + step] = v[j] + v[j + step], v[j] - v[j + step]
            step *= 2
        return v

    return [x // size for x in transform([x**draws for x in transform(values)])]


def _scalars(values: list[Value]) -> list[Scalars]:
    found = [v for v in values if isinstance(v, Scalars)]
    assert len(found) == len(values)
    return found


def choose(condition: Scalars, then: Value, other: Value, rows: int, cols: int) -> Value:
    """`then` where the condition holds, else `other`, on a frame of rows x cols cases."""
    test = condition.data
    taken_bad = None
    if then.bad is not None or other.bad is not None:
        yes = then.bad if then.bad is not None else np.zeros((1, 1), dtype=bool)
        no = other.bad if other.bad is not None else np.zeros((1, 1), dtype=bool)
        taken_bad = np.where(test, yes, no)
    bad = either(condition.bad, taken_bad)
    if isinstance(then, Scalars) and isinstance(other, Scalars):
        return Scalars(np.where(test, then.data, other.data), bad)
    assert isinstance(then, Ragged) and isinstance(other, Ragged)
    a, b = flattened(then, rows, cols), flattened(other, rows, cols)
    assert isinstance(a, Ragged) and isinstance(b, Ragged)
    cells = rows * cols
    mask = flat(np.broadcast_to(test, (rows, cols)), rows, cols)
    assert mask is not None
    index_a = np.zeros(cells, dtype=np.int64) if len(a.lengths) == 1 else np.arange(cells)
    index_b = np.zeros(cells, dtype=np.int64) if len(b.lengths) == 1 else np.arange(cells)
    both = Ragged((1, 1), np.concatenate([a.lengths, b.lengths]), np.concatenate([a.items, b.items]))
    picked = np.where(mask.ravel(), index_a, index_b + len(a.lengths))
    return both.cells(picked, (rows, cols), bad)
