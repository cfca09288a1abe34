"""`nim_sum_ways(w, n)`: how many ways lead to each nim-sum of n draws, by the Walsh-Hadamard transform.

It turns nim-convolution into multiplication, place by place.  The referee convolves draw by draw instead.
"""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.limits import Clock, TooLarge
from encoders.exhaustive.arrays.values import Ragged, Scalars, merge_bad, to_array, unite_shapes


def list_nim_sum_ways(weights: Ragged, draws: Scalars, clock: Clock) -> Ragged:
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
        raise TooLarge(f"nim_sum_ways of {len(weights)} weights and {draws} draws")
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
