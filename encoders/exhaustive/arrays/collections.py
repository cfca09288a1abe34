"""The strict operations that take or make lists, sets and positions, for all cases at once."""

from __future__ import annotations

import functools

import numpy as np

from claims.language.builtins.meanings import MAX_RANGE
from claims.language.terms.types import POSITION, Type
from encoders.exhaustive.arrays import limits, segments
from encoders.exhaustive.arrays.frame import flatten_array, flatten_value
from encoders.exhaustive.arrays.limits import SAFE, Deadline, TooLarge, TooWide, group_digits
from encoders.exhaustive.arrays.operations import calculate
from encoders.exhaustive.arrays.positions import Pool, sort_heaps
from encoders.exhaustive.arrays.values import (
    Array,
    Ragged,
    Scalars,
    Value,
    join_spans,
    merge_bad,
    shrink,
    to_array,
    unite_shapes,
)

# -- binary places ----------------------------------------------------------------------------------------------------
# `columns(c, m, r)`: the binary places where so many elements have a 1, modulo m, for all cases at once.


def add_columns(source: Ragged, modulus: Scalars, remainder: Scalars) -> Scalars:
    """The columns of every list; bad where they are ill-defined. Raises TooLarge for elements beyond 2^62."""
    items, lengths = shrink(source.items), source.lengths
    if items.dtype == object:
        raise TooLarge("columns of numbers beyond 2^62")
    shape = unite_shapes(source.shape, modulus.data.shape, remainder.data.shape)
    m, r = (np.broadcast_to(x.data, shape) for x in (modulus, remainder))
    wrong = segments.reduce_at(np.logical_or, np.asarray(items < 0, dtype=bool), lengths, 0, False)
    few = np.asarray((m < 1) | (r < 1), dtype=bool)
    items, m = np.maximum(items, 0), np.where(few, 1, m)
    data: Array = np.zeros(shape, dtype=np.int64)
    for place in range(int(items.max(initial=0)).bit_length()):
        ones = segments.reduce_at(np.add, items >> place & 1, lengths, 0, 0).reshape(source.shape)
        data |= np.asarray(ones % m == r, dtype=bool).astype(np.int64) << place
    bad = merge_bad(source.bad, modulus.bad, remainder.bad, wrong.reshape(source.shape), few)
    return Scalars(data, bad)


# -- nim-sums of draws ------------------------------------------------------------------------------------------------
# `nim_sum_ways(w, n)`: how many ways lead to each nim-sum of n draws, by the Walsh-Hadamard transform.
#
# It turns nim-convolution into multiplication, place by place.  The referee convolves draw by draw instead.


def list_nim_sum_ways(weights: Ragged, draws: Scalars, clock: Deadline) -> Ragged:
    """The lists for every case; bad where a weight or the number of draws is negative. Raises TooLarge, OutOfTime."""
    bad = merge_bad(weights.bad, draws.bad)
    shape = unite_shapes(weights.shape, draws.data.shape, () if bad is None else bad.shape)
    counts = draws.data if bad is None else np.where(bad, -1, draws.data)
    lists = weights.to_lists()
    cells = zip(weights.number_cells(shape).tolist(), np.broadcast_to(counts, shape).ravel().tolist(), strict=True)
    cases = [(lists[cell], n) for cell, n in cells]
    known: dict[tuple[tuple[int, ...], int], list[int]] = {}
    for w, n in dict.fromkeys(cases):
        clock.check()
        known[w, n] = [] if n < 0 or min(w, default=0) < 0 else list_ways(w, n)
    found = [known[case] for case in cases]
    wrong = np.array([not x for x in found], dtype=bool).reshape(shape)
    items = to_array([x for v in found for x in v])
    return Ragged(shape, np.array([len(v) for v in found], dtype=np.int64), items, merge_bad(bad, wrong))


def list_ways(weights: tuple[int, ...], draws: int) -> list[int]:
    """v[x]: in how many ways `draws` draws, i in weights[i] ways, have nim-sum x; as long as a power of two.

    >>> list_ways((1, 1), 2), list_ways((1, 0, 1), 1), list_ways((), 3), list_ways((2,), 3)
    ([2, 2], [1, 0, 1, 0], [0], [8])
    """
    size = 1 << max(0, len(weights) - 1).bit_length()
    digits = draws * sum(weights).bit_length()
    if digits > limits.MAX_NUMBER_BITS or size * max(digits, 1) > 64 * limits.MAX_NUMBER_BITS:
        raise TooLarge(f"nim_sum_ways of {len(weights)} weights and {group_digits(draws)} draws")
    values = _transform([*weights, *[0] * (size - len(weights))])
    return [x // size for x in _transform([x**draws for x in values])]


def _transform(values: list[int]) -> list[int]:
    """The Walsh-Hadamard transform; twice it is the length times the identity."""
    step, values = 1, list(values)
    while step < len(values):
        for i in range(0, len(values), 2 * step):
            for j in range(i, i + step):
                values[j], values[j + step] = values[j] + values[j + step], values[j] - values[j + step]
        step *= 2
    return values


# -- collections ------------------------------------------------------------------------------------------------------
OPERATIONS = frozenset(
    "range len sum max min mex nim_sum any all count occurrences in index position join replace nim_sum_ways "
    "columns".split()
)


class Collections:
    """The operations; positions are numbered by `pool`."""

    def __init__(self, pool: Pool, clock: Deadline) -> None:
        self.pool, self.clock = pool, clock

    def operate(self, op: str, args: list[Value], types: list[Type]) -> Value:
        """`op`, one of OPERATIONS or a comparison, on values of the given types, a list, set or position among them.

        Bad where an argument is, or where `op` is ill-defined or past a limit. Raises TooLarge, TooWide, OutOfTime.
        """
        if op in ("eq", "ne") and isinstance(args[0], Ragged) and isinstance(args[1], Ragged):
            return self._compare(op, args[0], args[1])
        if op == "range":
            return self.make_range(*_require_scalars(args))
        if op == "replace":
            return self._replace(*_require_scalars(args))
        if op == "join":
            return self._join(*_require_scalars(args))
        if op in ("in", "occurrences"):
            source, item = (1, 0) if op == "in" else (0, 1)
            count = self._count_occurrences(
                self.list_elements(args[source], types[source]), *_require_scalars(args[item : item + 1])
            )
            return count if op == "occurrences" else Scalars(count.data > 0, count.bad)
        items = self.list_elements(args[0], types[0])
        if op == "position":
            return self._make_positions(items)
        if op == "index":
            return self._pick_item(items, *_require_scalars(args[1:]))
        if op == "nim_sum_ways":
            return list_nim_sum_ways(items, _require_scalars(args[1:])[0], self.clock)
        if op == "columns":
            return add_columns(items, *_require_scalars(args[1:]))
        return self.reduce(op, items)

    def list_elements(self, value: Value, kind: Type) -> Ragged:
        """A list or set as it is; a position as the list of its heap sizes, ascending."""
        if isinstance(value, Ragged):
            return value
        assert kind == POSITION
        rows = self.pool.rows[value.data.ravel()]
        shape = unite_shapes(value.data.shape)
        return Ragged(shape, np.count_nonzero(rows, axis=1), rows[rows > 0], value.bad)

    def collect(self, kind: Type, items: list[Scalars]) -> Ragged:
        """The list or set, of type `kind`, of the given items, case by case."""
        if not items:
            return Ragged((1, 1), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        shape = unite_shapes(*(i.data.shape for i in items))
        stacked = np.stack([np.broadcast_to(i.data, shape) for i in items], axis=-1)
        lengths = np.full(shape[0] * shape[1], len(items))
        made = Ragged(shape, lengths, stacked.ravel(), merge_bad(*(i.bad for i in items)))
        return self.make_set(made, kind) if kind.kind == "set" else made

    def make_set(self, value: Ragged, kind: Type) -> Ragged:
        """The list as a set of type `kind`: distinct, ascending."""
        return segments.deduplicate(value, self.pool.rank if kind.element == POSITION else None)

    def reduce(self, op: str, source: Ragged) -> Scalars:
        """`op` of every list: len, sum, max, min, mex, nim_sum, any, all or count; bad where it is ill-defined."""
        shape, bad, items, lengths = source.shape, source.bad, source.items, source.lengths
        if op == "len":
            return Scalars(lengths.reshape(shape).astype(np.int64), bad, 0, int(lengths.max(initial=0)))
        if op == "mex":
            return Scalars(segments.find_mex(source).reshape(shape), bad)
        ufunc, empty = _REDUCTIONS[op]
        if op in ("max", "min"):
            bad = merge_bad(bad, (lengths == 0).reshape(shape))
        if op == "count":
            items = items.astype(np.int64)
        if op == "nim_sum" and len(items) and bool((items < 0).any()):
            wrong = segments.reduce_at(np.logical_or, np.asarray(items < 0, dtype=bool), lengths, 0, False)
            bad = merge_bad(bad, wrong.reshape(shape))
            items = np.maximum(items, 0)
        exact = op != "sum" or items.dtype == object or not len(items)
        if not exact and int(np.abs(items).max()) * int(lengths.max()) >= SAFE:
            items = items.astype(object)
        data = segments.reduce_at(ufunc, items, lengths, 0, empty).reshape(shape)
        return Scalars(shrink(data), bad)

    def make_range(self, lo: Scalars, hi: Scalars) -> Ragged:
        """The integers lo <= i < hi of every case. Raises TooWide for too many in all."""
        size = calculate("sub", [hi, lo], self.clock)
        shape = unite_shapes(lo.data.shape, size.shape)
        start, wide = (np.broadcast_to(x, shape).ravel() for x in (lo.data, size.data))
        over = np.asarray(wide > MAX_RANGE, dtype=bool)
        bad = merge_bad(size.bad, over.reshape(shape))
        if over.any():
            self.clock.limit = f"a range of more than {group_digits(MAX_RANGE)} integers"
        lengths = np.where(over, 0, np.maximum(wide, 0)).astype(np.int64)
        if size.bad is not None:
            lengths[np.broadcast_to(size.bad, shape).ravel()] = 0
        total = int(lengths.sum())
        if total > max(limits.MAX_CELLS, MAX_RANGE if len(lengths) == 1 else 0):
            raise TooWide(f"ranges of {group_digits(total)} integers in all")
        if start.dtype == object:
            items = segments.list_places(lengths).astype(object) + np.repeat(start, lengths)
            return Ragged(shape, lengths, shrink(items), bad)
        return Ragged(shape, lengths, join_spans(start, lengths), bad)

    # -- one by one -----------------------------------------------------------------------------------------------
    def _compare(self, op: str, a: Ragged, b: Ragged) -> Scalars:
        same = segments.compare(a, b, unite_shapes(a.shape, b.shape))
        return Scalars(same if op == "eq" else ~same, merge_bad(a.bad, b.bad))

    def _count_occurrences(self, source: Ragged, item: Scalars) -> Scalars:
        shape = unite_shapes(source.shape, item.data.shape)
        count = np.zeros(shape, dtype=np.int64)
        longest, starts = int(source.lengths.max(initial=0)), source.starts
        padded = np.append(source.items, np.zeros(1, dtype=source.items.dtype))
        for place in range(longest):
            self.clock.check()
            there = source.lengths > place
            element = padded[np.where(there, starts + place, len(source.items))]
            count += np.asarray(element.reshape(source.shape) == item.data, dtype=bool) & there.reshape(source.shape)
        return Scalars(count, merge_bad(source.bad, item.bad), 0, longest)

    def _pick_item(self, source: Ragged, index: Scalars) -> Scalars:
        shape = unite_shapes(source.shape, index.data.shape)
        grid = source.number_cells(shape)
        wanted = np.broadcast_to(index.data, shape).ravel()
        outside = np.asarray((wanted < 0) | (wanted >= source.lengths[grid]), dtype=bool)
        at = source.starts[grid] + np.where(outside, 0, wanted).astype(np.int64)
        padded = np.append(source.items, np.zeros(1, dtype=source.items.dtype))
        data = padded[np.where(outside, len(source.items), at)].reshape(shape)
        return Scalars(shrink(data), merge_bad(source.bad, index.bad, outside.reshape(shape)))

    def _make_positions(self, source: Ragged) -> Scalars:
        items, lengths = shrink(source.items), source.lengths
        if items.dtype == object:
            raise TooLarge("heaps beyond 2^62")
        width = max(int(lengths.max(initial=0)), 1)
        if len(lengths) > 1 and width * len(lengths) > 4 * limits.MAX_CELLS:
            raise TooWide(f"{group_digits(len(lengths))} positions of up to {group_digits(width)} heaps")
        if len(items) == len(lengths) * width:
            rows = items.reshape(-1, width).astype(np.int64, copy=False)
        else:
            rows = np.zeros((len(lengths), width), dtype=np.int64)
            rows[segments.list_owners(lengths), segments.list_places(lengths)] = items
        if rows.min(initial=0) >= 0:
            return Scalars(self._intern(rows).reshape(source.shape), source.bad)
        negative = functools.reduce(np.logical_or, (column < 0 for column in rows.T))
        ids = self._intern(np.where(negative[:, None], 0, rows))
        return Scalars(ids.reshape(source.shape), merge_bad(source.bad, negative.reshape(source.shape)))

    def _join(self, s: Scalars, other: Scalars) -> Scalars:
        shape = unite_shapes(s.data.shape, other.data.shape)
        cells, width = shape[0] * shape[1], 2 * self.pool.rows.shape[1]
        if cells > 1 and cells * width > 2 * limits.MAX_CELLS:
            raise TooWide(f"{group_digits(cells)} positions of up to {width} heaps")
        rows = [self.pool.rows[np.broadcast_to(x.data, shape).ravel()] for x in (s, other)]
        ids = self._intern(np.concatenate(rows, axis=1)).reshape(shape)
        return Scalars(ids, merge_bad(s.bad, other.bad))

    def _intern(self, rows: Array) -> Array:
        return self.pool.intern(sort_heaps(rows))

    def _replace(self, s: Scalars, old: Scalars, new: Scalars) -> Scalars:
        shape = unite_shapes(s.data.shape, old.data.shape, new.data.shape)
        cells, width = shape[0] * shape[1], self.pool.rows.shape[1]
        if cells > 1 and cells * width > 2 * limits.MAX_CELLS:
            raise TooWide(f"{group_digits(cells)} positions of up to {width} heaps")
        rows = self.pool.rows[np.broadcast_to(s.data, shape).ravel()]
        h, y = (np.broadcast_to(v.data, shape).ravel() for v in (old, new))
        slot = np.asarray(rows == np.asarray(h)[:, None], dtype=bool)
        wrong = ~slot.any(axis=1) | np.asarray(h <= 0, dtype=bool) | np.asarray(y < 0, dtype=bool)
        if y.dtype == object and bool(np.asarray(~wrong & (y >= SAFE), dtype=bool).any()):
            raise TooLarge("heaps beyond 2^62")
        rows[np.arange(len(rows)), slot.argmax(axis=1)] = np.where(wrong, 0, y).astype(np.int64)
        rows[wrong] = 0
        ids = self._intern(rows).reshape(shape)
        return Scalars(ids, merge_bad(s.bad, old.bad, new.bad, wrong.reshape(shape)))


_REDUCTIONS: dict[str, tuple[np.ufunc, object]] = {
    "sum": (np.add, 0),
    "count": (np.add, 0),
    "max": (np.maximum, 0),
    "min": (np.minimum, 0),
    "nim_sum": (np.bitwise_xor, 0),
    "any": (np.logical_or, False),
    "all": (np.logical_and, True),
}


def _require_scalars(values: list[Value]) -> list[Scalars]:
    found = [v for v in values if isinstance(v, Scalars)]
    assert len(found) == len(values)
    return found


def choose(condition: Scalars, then: Value, other: Value, rows: int, cols: int) -> Value:
    """`then` where the condition holds, else `other`, on a frame of rows x cols cases."""
    test = condition.data
    taken_bad = None
    if then.bad is not None or other.bad is not None:
        no = np.zeros((1, 1), dtype=bool)
        taken_bad = np.where(test, no if then.bad is None else then.bad, no if other.bad is None else other.bad)
    bad = merge_bad(condition.bad, taken_bad)
    if isinstance(then, Scalars) and isinstance(other, Scalars):
        return Scalars(shrink(np.where(test, then.data, other.data)), bad)
    a, b = flatten_value(then, rows, cols), flatten_value(other, rows, cols)
    assert isinstance(a, Ragged) and isinstance(b, Ragged)
    cells = rows * cols
    mask = flatten_array(np.broadcast_to(test, (rows, cols)), rows, cols)
    assert mask is not None
    index_a = np.zeros(cells, dtype=np.int64) if len(a.lengths) == 1 else np.arange(cells)
    index_b = np.zeros(cells, dtype=np.int64) if len(b.lengths) == 1 else np.arange(cells)
    items = np.concatenate([a.items, b.items])
    both = Ragged((1, len(a.lengths) + len(b.lengths)), np.concatenate([a.lengths, b.lengths]), items)
    picked = np.where(mask.ravel(), index_a, index_b + len(a.lengths))
    return both.take_cells(picked, (rows, cols), bad)
