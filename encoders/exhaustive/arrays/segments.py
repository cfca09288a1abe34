"""Reducing consecutive stretches of an array: what `sum`, `max`, `mex`, ... over a comprehension come down to."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.limits import SAFE
from encoders.exhaustive.arrays.values import Array, Ragged, join_spans


def reduce_at(ufunc: np.ufunc, data: Array, lengths: Array, axis: int, empty: object) -> Array:
    """`ufunc` over consecutive stretches of `data` along `axis`, of the given lengths; `empty` for empty ones.

    The result has the shape of `data`, but len(lengths) along `axis`; the lengths add up to the size of `data` there.
    """
    shape = list(data.shape)
    shape[axis] = len(lengths)
    out = np.full(shape, empty, dtype=data.dtype)
    full = lengths > 0
    if full.any():
        starts = (np.cumsum(lengths) - lengths)[full]
        reduced = ufunc.reduceat(data, starts, axis=axis)
        out[(slice(None),) * axis + (full,)] = reduced
    return out


def list_owners(lengths: Array) -> Array:
    """For each item the number of the stretch it belongs to."""
    return np.asarray(np.repeat(np.arange(len(lengths)), lengths))


def list_places(lengths: Array) -> Array:
    """For each item its place, from 0, in the stretch it belongs to."""
    return join_spans(np.zeros(len(lengths), dtype=np.int64), lengths)


def list_distinct(numbers: Array) -> Array:
    """The numbers of an int64 array, each once, ascending. numpy's `unique` hashes: many times as long if most differ.

    >>> list_distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ascending = np.sort(numbers, axis=None)
    return np.asarray(ascending[find_new(ascending)])


def number_distinct(numbers: Array) -> tuple[Array, Array, Array]:
    """Of an int64 array (n,): its distinct numbers, ascending, the first place of each, and which one each place has.

    >>> [x.tolist() for x in number_distinct(np.array([3, 1, 3]))]
    [[1, 3], [1, 0], [1, 0, 1]]
    """
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    new = find_new(ascending)
    index = np.empty(len(numbers), dtype=np.int64)
    index[order] = np.cumsum(new) - 1
    return ascending[new], order[new], index


def find_new(*columns: Array) -> Array:
    """Where some of these arrays (n,), one or more, has not what stands before; (n,)."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.logical_or.reduce([x[1:] != x[:-1] for x in columns])
    return new


def deduplicate(value: Ragged, rank: Array | None) -> Ragged:
    """The lists of `value` as sets: each element once, ascending, by `rank[item]` if given."""
    owner = list_owners(value.lengths)
    keys = value.items if rank is None else rank[value.items]
    if keys.dtype == object:
        pairs = list(zip(owner.tolist(), keys.tolist(), strict=True))
        order = np.array(sorted(range(len(keys)), key=pairs.__getitem__), dtype=np.int64)
    else:
        order = np.lexsort([keys, owner])
    owner, items = owner[order], value.items[order]
    first = find_new(owner, items)
    lengths = np.bincount(owner[first], minlength=len(value.lengths)).astype(np.int64)
    return Ragged(value.shape, lengths, items[first], value.bad)


def find_mex(value: Ragged) -> Array:
    """The least natural number missing from each list; one number per cell."""
    items = value.items
    if items.dtype == object:  # numbers as large as this are above any mex
        items = np.array([v if 0 <= v < (1 << 60) else -1 for v in items.tolist()], dtype=np.int64)
    sets = deduplicate(Ragged(value.shape, value.lengths, items), None)
    inside = sets.items >= 0
    owner = list_owners(sets.lengths)[inside]
    lengths = np.bincount(owner, minlength=len(sets.lengths)).astype(np.int64)
    # Ascending distinct naturals agree with 0, 1, 2, ... exactly below the mex.
    agree = sets.items[inside] == list_places(lengths)
    return np.bincount(owner[agree], minlength=len(lengths)).astype(np.int64)


def group_places(columns: list[Array]) -> tuple[Array, Array]:
    """Group the places where all of some int64 arrays agree: (a place of each group, the group of each place).

    >>> group_places([np.array([5, 5, 7]), np.array([1, 0, 1])])[1].tolist()
    [1, 0, 2]
    """
    code = np.zeros(len(columns[0]), dtype=np.int64)
    count = 1
    for column in columns:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if count * (high - low + 1) >= SAFE:  # number what there is before going on
            known, _, code = number_distinct(code)
            count = len(known)
            values, _, column = number_distinct(column)
            low, high = 0, len(values) - 1
        code, count = code * (high - low + 1) + (column - low), count * (high - low + 1)
    if count <= 4 * len(code) + 1000:
        some = np.full(count, -1)
        some[code] = np.arange(len(code))
        there = some >= 0
        return some[there], (np.cumsum(there) - 1)[code]
    _, first, group = number_distinct(code)
    return first, group


def compare(a: Ragged, b: Ragged, shape: tuple[int, int]) -> Array:
    """Whether the lists of `a` and `b` agree, element by element; an array of `shape`."""
    grids = [v.number_cells(shape) for v in (a, b)]
    la, lb = a.lengths[grids[0]], b.lengths[grids[1]]
    same = np.asarray(la == lb)
    cells = np.flatnonzero(same)
    lengths = la[cells]
    left = a.items[join_spans(a.starts[grids[0][cells]], lengths)]
    right = b.items[join_spans(b.starts[grids[1][cells]], lengths)]
    wrong = list_owners(lengths)[np.asarray(left != right, dtype=bool)]
    same[cells[wrong]] = False
    return same.reshape(shape)
