"""`columns(c, m, r)`: the binary places where so many elements have a 1, modulo m, for all cases at once."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays import segments
from encoders.exhaustive.arrays.limits import TooLarge
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, merge_bad, shrink, unite_shapes


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
