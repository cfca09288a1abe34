"""Sets of positions as arrays. Each row is a position, and the index of a position can be looked up.

A position is a row of heap sizes in ascending order, padded with zeros on the left. Every report uses the same order of
positions: fewest heaps first, then least total, then ascending heaps lexicographically.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from encoders.compute.arrays import limits
from encoders.compute.arrays.limits import SAFE, TooLarge, group_digits
from encoders.compute.arrays.values import Array, find_new, group_places, join_spans, list_owners, list_places

_MANY = 1 << 100  # the result of count_box for more positions than this
_SPREAD = 3  # a direct look-up table may have this number of entries for each position of a set
_SPREAD_IN_POOL = 8  # the same for a pool, whose entries take half as many bytes
_AT_ONCE = 1 << 15  # rows looked up at once, so that intermediate arrays are small and memory is reused


def count_box(heaps: int, size: int) -> int:
    """Return binomial(heaps + size, heaps), the number of positions with at most `heaps` heaps of at most `size`.

    The result is capped at 2**100.

    >>> count_box(4, 10), count_box(10**9, 10**9) == 1 << 100
    (1001, True)
    """
    count = 1
    for i in range(min(heaps, size)):
        count = count * (heaps + size - i) // (i + 1)
        if count > _MANY:
            return _MANY
    return count


def list_box(heaps: int, size: int, total: int | None = None) -> Array:
    """Return all positions with at most `heaps` heaps of at most `size`, one in each row.

    They are ordered by the number of heaps, then by the sum of the heaps, then lexicographically.

    `total`: if not None, list only the positions whose heaps have a sum of at most `total`. Raises TooLarge for more
    than limits.MAX_POSITIONS positions.
    """
    if total is not None:
        heaps, size = min(heaps, total), min(size, total)
    elif count_box(heaps, size) > limits.MAX_POSITIONS:
        raise TooLarge(
            f"{group_digits(count_box(heaps, size))} positions with at most {heaps} heaps of at most {size} "
            "would be needed"
        )
    if heaps == 2:
        return _list_two(size, 2 * size if total is None else total)
    rows, sums = np.zeros((1, 0), dtype=np.int64), np.zeros(1, dtype=np.int64)
    for _ in range(heaps):
        # Each row grows by a first heap that is at most its smallest one (any size for an empty row).
        first = rows[:, 0] if rows.shape[1] else np.full(len(rows), size)
        if total is not None:
            first = np.minimum(first, total - sums)
        count = int((first + 1).sum())
        if count > limits.MAX_POSITIONS or count * heaps > 16 * limits.MAX_POSITIONS:
            raise TooLarge(
                f"at least {group_digits(count)} positions with at most {heaps} heaps of at most {size} would be needed"
            )
        heap = list_places(first + 1)
        old = list_owners(first + 1)
        rows, sums = np.concatenate([heap[:, None], rows[old]], axis=1), sums[old] + heap
    rows = rows if heaps else np.zeros((1, 1), dtype=np.int64)
    return np.asarray(rows[find_order(rows)])


def _list_two(size: int, total: int) -> Array:
    """Return `list_box(2, size, total)`: at most two heaps, each of at most `size`, with a sum of at most `total`.

    The positions of two heaps are ordered by their sum, then by the smaller heap.
    """
    totals = np.arange(2, min(total, 2 * min(size, limits.MAX_POSITIONS)) + 1)
    least = np.maximum(1, totals - size)
    lengths = totals // 2 - least + 1
    count = size + 1 + int(lengths.sum())
    if count > limits.MAX_POSITIONS:
        raise TooLarge(
            f"at least {group_digits(count)} positions with at most 2 heaps of at most {size} would be needed"
        )
    smaller = np.concatenate([np.zeros(size + 1, dtype=np.int64), join_spans(least, lengths)])
    both = np.concatenate([np.arange(size + 1), np.repeat(totals, lengths)])
    return np.stack([smaller, both - smaller]).T


def find_order(rows: Array) -> Array:
    """Return indices that sort positions: `rows[find_order(rows)]` is in the order of `list_box`."""
    total, count, width = add_heaps(rows), add_heaps(rows != 0), rows.shape[1]
    bits = int(total.max(initial=0)).bit_length()
    if (width + 1) * bits + width.bit_length() <= 62:  # one word for each position: several times as fast
        return np.argsort((count << bits | total) << width * bits | _spell(rows, 1 << bits))
    columns = [rows[:, i] for i in range(width - 1, -1, -1)]
    return np.asarray(np.lexsort([*columns, total, count]))


def add_heaps(rows: Array) -> Array:
    """Return the total of each position: the sum of its heaps.

    The columns are added one by one, because numpy is several times slower along short rows.
    """
    total = np.zeros(len(rows), dtype=np.int64)
    for column in range(rows.shape[1]):
        total += rows[:, column]
    return total


def count_heaps(rows: Array) -> int:
    """Return the largest number of heaps of a position in `rows`."""
    return next((rows.shape[1] - i for i in range(rows.shape[1]) if rows[:, i].any()), 0)


def sort_heaps(rows: Array) -> Array:
    """Return each row with its heaps in ascending order. The order of the rows does not change."""
    if rows.shape[1] == 2:  # several times as fast as a sort along short rows
        both = np.empty((2, len(rows)), dtype=rows.dtype)
        np.minimum(rows[:, 0], rows[:, 1], out=both[0])
        np.maximum(rows[:, 0], rows[:, 1], out=both[1])
        return both.T
    return np.sort(rows, axis=1)


def pad_columns(rows: Array, width: int) -> Array:
    """Return `rows` with at least `width` columns: columns of zeros are added on the left if necessary."""
    missing = width - rows.shape[1]
    if missing <= 0:
        return rows
    return np.concatenate([np.zeros((len(rows), missing), dtype=rows.dtype), rows], axis=1)


def drop_empty_columns(rows: Array, least: int = 1) -> Array:
    """Return `rows` without the columns on the left that contain only zeros, but keep at least `least` columns."""
    width = max(count_heaps(rows), least)
    return pad_columns(rows, width)[:, max(rows.shape[1], width) - width :]


class PositionSet:
    """A list of distinct positions in which the index of a position can be looked up."""

    def __init__(self, rows: Array, begun: PositionSet | None = None, whole: bool = False) -> None:
        """Make the set of the positions in `rows`.

        `rows`: the positions, at least one. They must be distinct. They must be in the order of `list_box`, unless
        the set is used only for look-up.
        `begun`: a set whose rows are the first rows of `rows`. Its hashes are used again.
        `whole`: whether `rows` contains all positions with at most m heaps of at most n, where m is the number of
        columns of `rows` and n is the largest heap in `rows`.
        """
        self.rows, self.whole = rows, whole
        self.width = rows.shape[1]
        self.bits = 62 // self.width
        self.largest = int(rows.max(initial=0))
        self.hashes: Array = np.zeros(0, dtype=np.uint64) if begun is None else begun.hashes  # of the first rows

    @staticmethod
    def box(heaps: int, size: int) -> PositionSet:
        """Return the set of all positions with at most `heaps` heaps of at most `size`. Raise TooLarge."""
        return PositionSet(list_box(heaps, size), whole=True)

    @staticmethod
    def from_rows(rows: Array) -> PositionSet:
        """Return the set of the positions in `rows`, which may be in any order. Equal rows count once."""
        rows = rows[find_order(rows)]
        return PositionSet(rows[find_new(*rows.T)])

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        keys = _spell(self.rows, 1 << self.bits)
        order = np.argsort(keys)
        return keys[order], order

    @cached_property
    def _dense(self) -> Array | None:
        """A table with an entry for each position, which contains its index in the set; -1 if it is not in the set.

        To find the entry of a position, read its heaps as the digits of a number to base `largest` + 1. None if the
        table would be too large.
        """
        base = self.largest + 1
        if base**self.width > _SPREAD * len(self) + 1000:
            return None
        table = np.full(base**self.width, -1)
        table[_spell(self.rows, base)] = np.arange(len(self))
        return table

    @cached_property
    def _mixed(self) -> tuple[Array, Array] | None:
        """Two arrays: the hashes of the rows, ascending, and for each hash the index of its row.

        None if two rows have the same hash.
        """
        self.hashes = np.concatenate([self.hashes, _mix(self.rows[len(self.hashes) :])])
        order = np.argsort(self.hashes)
        keys = self.hashes[order]
        return None if (keys[1:] == keys[:-1]).any() else (keys, order)

    @cached_property
    def _table(self) -> dict[bytes, int]:
        return {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(self.rows))}

    def find(self, rows: Array) -> Array:
        """Return the index in this set of each position in `rows`; -1 for a position that is not in the set."""
        rows = pad_columns(rows, self.width)
        if len(rows) <= _AT_ONCE:
            return self._find(rows)
        found = np.empty(len(rows), dtype=np.int64)
        for start in range(0, len(rows), _AT_ONCE):
            found[start : start + _AT_ONCE] = self._find(rows[start : start + _AT_ONCE])
        return found

    def _find(self, rows: Array) -> Array:
        extra = rows.shape[1] - self.width
        if not extra and rows.max(initial=0) <= self.largest:
            return self._look_up(rows)
        outside = np.zeros(len(rows), dtype=bool)
        for column in range(rows.shape[1]):  # much faster than along short rows
            outside |= rows[:, column] > (0 if column < extra else self.largest)
        narrow = rows[:, extra:]
        if outside.any():
            narrow = np.where(outside[:, None], 0, narrow)
        return np.where(outside, -1, self._look_up(narrow))

    def _look_up(self, rows: Array) -> Array:
        """Do the work of `find` for rows that have `width` columns and contain no heap above `largest`."""
        if self.whole and self.width <= 2:
            return self._count_before(rows)
        if self._dense is not None:
            return np.asarray(self._dense[_spell(rows, self.largest + 1)])
        if self.largest < 1 << self.bits:
            keys, order = self._sorted
            wanted = _spell(rows, 1 << self.bits)
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            return np.where(keys[at] != wanted, -1, order[at])
        if self._mixed is None:
            places = [self._table.get(row.tobytes(), -1) for row in np.ascontiguousarray(rows)]
            return np.array(places, dtype=np.int64)
        keys, order = self._mixed  # too wide or too large for one word: compare the row that has the hash
        found = order[np.minimum(np.searchsorted(keys, _mix(rows)), len(keys) - 1)]
        return np.where((self.rows[found] == rows).all(axis=1), found, -1)

    def _count_before(self, rows: Array) -> Array:
        """Return the index of each position in a set of all positions with at most `width` heaps; `width` is 1 or 2."""
        smaller, larger = rows[:, 0], rows[:, -1]
        if self.width == 1:
            return np.array(larger)
        return np.where(smaller == 0, larger, self._offsets[smaller + larger] + smaller)

    @cached_property
    def _offsets(self) -> Array:
        """An array that gives the index of a position of two heaps 1 <= x <= y, which is `_offsets[x + y] + x`."""
        totals = np.arange(2 * self.largest + 1)
        lengths = totals // 2 - np.maximum(1, totals - self.largest) + 1
        return self.largest + np.cumsum(np.maximum(lengths, 0)) - totals // 2


def _spell(rows: Array, base: int) -> Array:
    """Return a number for each row. The elements of the row are the digits of this number to the base `base`."""
    keys = np.zeros(len(rows), dtype=np.int64)
    for column in range(rows.shape[1]):
        keys *= base
        keys += rows[:, column]
    return keys


def _mix(rows: Array) -> Array:
    """Return a 64-bit hash of each row. Zeros on the left of a row do not change its hash.

    Different rows may have the same hash, so a caller must also compare the rows.
    """
    keys = np.zeros(len(rows), dtype=np.uint64)
    for column in np.ascontiguousarray(rows.T).view(np.uint64):
        keys ^= column
        keys *= np.uint64(0x9E37_79B9_7F4A_7C15)
        keys ^= keys >> np.uint64(29)
    return keys


# -- numbered positions -----------------------------------------------------------------------------------------------
# All positions that occur in a claim. The engine represents a position by its number.


class Pool:
    """A growing list of positions. The number (id) of a position is its index in this list, and never changes.

    The pool starts with the positions of a `PositionSet`: they have the ids 0, ..., `core` - 1, in order.
    """

    def __init__(self, core: PositionSet) -> None:
        self.rows = core.rows  # by id
        self.core = len(core)
        self.largest = core.largest
        self._known = core  # the set of the first rows
        self._rank: Array | None = None
        # The look-up table for few small heaps: the id of each row, read as digits to this base, or -1.
        self._table, self._base, self._placed = np.zeros(0, dtype=np.int32), 0, 0

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rank(self) -> Array:
        """The ranks of all positions: `rank[i]` is the number of positions in the pool that precede position i.

        The ranks may change when positions are added; the ids do not change.
        """
        if self._rank is None:
            self._rank = np.empty(len(self.rows), dtype=np.int64)
            self._rank[find_order(self.rows)] = np.arange(len(self.rows))
        return self._rank

    def intern(self, rows: Array) -> Array:
        """Return the id of each position. A position that is not in the pool is added.

        `rows`: one position in each row: zeros, then the heaps in ascending order. Raise TooLarge for a position that
        may contain 2^62 or more objects.
        """
        if self._open_table(rows):
            return self._place(rows)
        if len(self._known) < len(self.rows):
            self._known = PositionSet(self.rows, self._known)
        found = self._known.find(rows)
        new = found < 0
        if new.any():
            wanted = rows[new]
            first, group = group_places(list(wanted.T))
            found[new] = len(self.rows) + group
            self._add([wanted[first]])
        return found

    def _add(self, parts: list[Array]) -> None:
        """Add positions to the pool, with the next ids. They must be new and distinct.

        `parts`: arrays with one position in each row. They may have different numbers of columns.
        """
        width = max(self.rows.shape[1], *map(count_heaps, parts))
        largest = max(self.largest, *(int(rows.max(initial=0)) for rows in parts))
        if largest * width >= SAFE:
            raise TooLarge("a position may contain 2^62 or more objects")
        fresh = [drop_empty_columns(rows, width) for rows in parts]
        self.rows, self.largest, self._rank = np.concatenate([pad_columns(self.rows, width), *fresh]), largest, None

    def _open_table(self, rows: Array) -> bool:
        """Whether a look-up table for the heaps in `rows` is small enough. If so, enlarge the table if necessary."""
        base = max(self._base, int(rows.max(initial=0)) + 1, self.largest + 1)
        width = max(rows.shape[1], self.rows.shape[1])
        if base ** min(width, 64) > _SPREAD_IN_POOL * (len(self.rows) + len(rows)) + 1000:
            return False
        if base**width > len(self._table) or base > self._base or self._placed != len(self.rows):
            self._base, self._table = base, np.full(base**width, -1, dtype=np.int32)
            self._table[_spell(self.rows, base)] = np.arange(len(self.rows))
            self._placed = len(self.rows)
        return True

    def _place(self, rows: Array) -> Array:
        """Do the work of `intern` with the look-up table."""
        found, fresh = np.empty(len(rows), dtype=np.int64), []
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            keys = _spell(part, self._base)
            ids = self._table[keys]
            new = np.flatnonzero(ids < 0)
            if len(new):
                wanted = keys[new]
                self._table[wanted] = new
                first = new[self._table[wanted] == new]  # of equal rows, one remains: the one stored last
                self._table[keys[first]] = np.arange(self._placed, self._placed + len(first))
                self._placed += len(first)
                ids[new] = self._table[wanted]
                fresh.append(part if len(first) == len(part) else part[first])
            found[start : start + _AT_ONCE] = ids
        if fresh:
            self._add(fresh)
        return found

    def heaps(self, id: int) -> tuple[int, ...]:
        """Return the position with the number `id`, as the tuple of its heap sizes in ascending order."""
        return tuple(int(h) for h in self.rows[id] if h)
