"""Conditions, numbers and truth values on a grid as rows of 64-bit words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from math import comb

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from encoders.compute.arrays.limits import SAFE, Deadline
from encoders.compute.arrays.operations import calculate
from encoders.compute.arrays.values import Array, Scalars, number_distinct

# == words ============================================================================================================
# Rows of bits as rows of 64-bit words, the first bit the lowest; rows have an even number of words.
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
FEW = 8  # words of a row up to which numpy is quicker column by column: eight times as quick at 4, the same at 16


def count_words(bits: int) -> int:
    """How many words a row of so many bits has.

    >>> count_words(1), count_words(128), count_words(129)
    (2, 2, 4)
    """
    return 2 * -(-bits // 128)


def pack(table: Array) -> Array:
    """Truth values (..., bits) as words (..., words), uint64; bits beyond the last are 0."""
    words = count_words(table.shape[-1])
    packed = np.packbits(table, axis=-1, bitorder="little")
    row = np.zeros((*packed.shape[:-1], 8 * words), dtype=np.uint8)
    row[..., : packed.shape[-1]] = packed
    return np.asarray(row.view("<u8").astype(np.uint64, copy=False))


def unpack(rows: Array, bits: int) -> Array:
    """The first `bits` bits of words (..., words) as truth values (..., bits)."""
    octets = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    return np.asarray(np.unpackbits(octets, axis=-1, count=bits, bitorder="little").astype(bool))


def count_ones(rows: Array) -> int:
    """The number of bits that are 1."""
    if hasattr(np, "bitwise_count"):
        return int(np.bitwise_count(rows).sum(dtype=np.int64))
    halves = np.ascontiguousarray(rows).view(np.uint16)
    return int(_ones_of_halves()[halves].sum(dtype=np.int64))


@cache
def _ones_of_halves() -> Array:
    octets = np.arange(1 << 16, dtype="<u2").view(np.uint8).reshape(-1, 2)
    return np.asarray(np.unpackbits(octets, axis=1).sum(axis=1, dtype=np.uint8))


def list_filled(rows: Array) -> Array:
    """The places of the rows of (n, words) that are not 0, ascending.

    >>> list_filled(np.array([[4, 1], [0, 0], [0, 1]], dtype=np.uint64)).tolist()
    [0, 2]
    """
    words = rows.shape[1]
    if words > FEW:
        return np.flatnonzero(rows.any(axis=1))
    return np.flatnonzero(reduce(np.bitwise_or, (rows[:, i] for i in range(words))))


def find_lowest(rows: Array) -> Array:
    """The place of the lowest bit that is 1 in each row of (n, words), none of which is 0; (n,).

    >>> find_lowest(np.array([[4, 1], [0, 1]], dtype=np.uint64)).tolist()
    [2, 64]
    """
    word = (rows != 0).argmax(axis=1)
    value = rows[np.arange(len(rows)), word]
    lowest = value & (~value + np.uint64(1))
    return np.asarray(64 * word + np.frexp(lowest.astype(np.float64))[1] - 1)  # powers of two are exact


# -- geometry ---------------------------------------------------------------------------------------------------------
# Boxes of positions in an order in which options come first, and larger boxes go on where smaller ones end.
#
# A position of a box is its heaps in ascending order, zeros for heaps that are not there, x[0] <= ... <= x[m - 1]; its
# number is its rank in colexicographic order, the sum of C(x[i] + i, i + 1) over i.


@dataclass(frozen=True)
class HeapBox:
    """At most `heaps` heaps of at most `size`."""

    heaps: int
    size: int

    @property
    def count(self) -> int:
        """The number of positions: those of a box of no heaps are one.

        >>> HeapBox(3, 63).count, HeapBox(0, 5).count
        (45760, 1)
        """
        return comb(self.heaps + self.size, self.heaps)

    @cached_property
    def binomial(self) -> Array:
        """C(x + i - 1, i) at [i, x], shape (heaps + 1, size + 2), uint32: what a heap x at place i - 1 adds to a rank.

        >>> HeapBox(2, 2).binomial.tolist()
        [[1, 1, 1, 1], [0, 1, 2, 3], [0, 1, 3, 6]]
        """
        table = np.ones((self.heaps + 1, self.size + 2), dtype=np.uint32)
        for i in range(1, self.heaps + 1):
            table[i, 0] = 0
            table[i, 1:] = np.cumsum(table[i - 1, 1:] if i > 1 else np.ones(self.size + 1), dtype=np.uint32)
        return table

    @cached_property
    def columns(self) -> list[Array]:
        """The heaps at each place, smallest first: `heaps` arrays (count,) of int64 in the order of ranks.

        >>> [c.tolist() for c in HeapBox(2, 2).columns]
        [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
        """
        found: list[Array] = []
        for i in range(1, self.heaps + 1):
            lengths = np.array([comb(x + i - 1, i - 1) for x in range(self.size + 1)], dtype=np.int64)
            last = np.repeat(np.arange(self.size + 1), lengths)
            place = np.arange(len(last)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            found = [*(c[place] for c in found), last]
        return found


# == numbers ==========================================================================================================
# Numbers and truth values at every place of a grid of outer places by bits, kept as small as what they depend on.
#
# Along the outer axis lie positions or rests, along the bits parameters or sizes of a heap.  Most values depend on one
# of the axes alone: they are `Scalars` of the shape (outer, 1), (1, bits) or (1, 1).  One that depends on both is a
# `BoxTable`: outer places at which the other operands agree share a row, so that it is computed once for all of them,
# by the operations of the whole engine.
MAX_ENTRIES = 1 << 25  # of one table
QUICK = frozenset(
    "add sub mul floordiv mod nim bit_and bit_or bit popcount gcd valuation largest smallest neg abs "
    "eq ne lt le gt ge not top_bit isqrt pow".split()
)
SLOW_ENTRIES = 1 << 16  # values of an operation that numpy does not know, one by one


class NotApplicable(NimChecksError):
    """The bits do not serve this claim, or not in this scope; the message says why. The general search does."""


@dataclass(frozen=True, eq=False)
class BoxTable:
    """At outer place i and bit b the value `rows` (groups, bits or 1) has at [index[i], b]; `index`: (outer,)."""

    index: Array
    rows: Scalars


Number = Scalars | BoxTable


class BoxGrid:
    """The grid: its size, and the groups of outer places that agree in some numbers."""

    def __init__(self, outer: int, bits: int, clock: Deadline) -> None:
        self.outer, self.bits, self.clock = outer, bits, clock
        self._groups: dict[int, tuple[Scalars, BoxTable]] = {}
        self._pairs: dict[tuple[int, int], tuple[Array, Array, Array, Array, Array]] = {}

    def compute(self, op: str, *args: Number) -> Number:
        """An operation of the language on numbers and truth values. Raises NotApplicable where it would take long."""

        def work(values: list[Scalars]) -> Scalars:
            large = max(v.data.size for v in values) > SLOW_ENTRIES
            if large and (op not in QUICK or any(v.data.dtype == object for v in values)):
                raise NotApplicable(f"{op} of many numbers that are computed one by one")
            found = calculate(op, values)
            if found.data.size > SLOW_ENTRIES and found.data.dtype == object:
                raise NotApplicable(f"{op} gives many large numbers")
            return found

        return self.apply(work, args)

    def apply(self, work: Callable[[list[Scalars]], Scalars], args: tuple[Number, ...]) -> Number:
        """`work`, on arrays that broadcast, for the numbers.

        Raises NotApplicable for a table that is too large; OutOfTime.
        """
        self.clock.check()
        thin = [a for a in args if isinstance(a, Scalars)]
        outer = any(a.shape[0] > 1 for a in thin)
        if len(thin) == len(args) and not (outer and any(a.shape[1] > 1 for a in thin)):
            return work(thin)
        tables = [self._group(a) for a in args if isinstance(a, BoxTable) or a.shape[0] > 1]
        index, picks = tables[0].index, [np.arange(tables[0].rows.shape[0])]
        for table in tables[1:]:
            if table.index is index:
                picks.append(picks[0])
                continue
            index, left, right = self._cross(index, len(picks[0]), table)
            picks = [*(p[left] for p in picks), right]
        groups = len(picks[0])
        if groups * self.bits > MAX_ENTRIES:
            raise NotApplicable(f"a table of {groups} by {self.bits} numbers")
        rest, operands = iter(zip(tables, picks, strict=True)), []
        for a in args:
            if isinstance(a, BoxTable) or a.shape[0] > 1:
                table, pick = next(rest)
                operands.append(_take(table.rows, pick))
            else:
                operands.append(a)
        return BoxTable(index, work(operands))

    def _group(self, value: Number) -> BoxTable:
        """A number that depends on the outer place, as a table."""
        if isinstance(value, BoxTable):
            return value
        known = self._groups.get(id(value))
        if known is None:
            known = self._groups[id(value)] = value, self._list_groups(value)
        return known[1]

    def _list_groups(self, value: Scalars) -> BoxTable:
        column = np.broadcast_to(value.data[:, 0], (self.outer,))
        if value.data.dtype == bool or (value.data.dtype != object and value.bad is None):
            column = column.astype(np.int64)
            low, high = int(column.min()), int(column.max())
            if value.bad is None and high - low <= 4 * self.outer + 1024:
                rows = np.arange(low, high + 1)[:, None]
                return BoxTable(column - low, Scalars(rows.astype(bool) if value.data.dtype == bool else rows))
        if value.data.dtype == object:
            raise NotApplicable("large numbers beside others")
        bad = np.zeros(self.outer, dtype=bool) if value.bad is None else np.broadcast_to(value.bad[:, 0], (self.outer,))
        if max(map(abs, value.find_bounds())) >= SAFE:
            raise NotApplicable("large numbers beside others")
        _, first, index = number_distinct(2 * column.astype(np.int64) + bad)
        groups = Scalars(column[first][:, None].astype(value.data.dtype), bad[first][:, None] if bad.any() else None)
        return BoxTable(index.ravel(), groups)

    def _cross(self, index: Array, groups: int, table: BoxTable) -> tuple[Array, Array, Array]:
        """The groups of places that agree in two numbers: their index, and the group of each in either."""
        key = id(index), id(table.index)
        if key not in self._pairs:
            width = table.rows.shape[0]
            codes, _, both = number_distinct(index * width + table.index)
            self._pairs[key] = index, table.index, both.ravel(), codes // width, codes % width
        return self._pairs[key][2:]


def _take(rows: Scalars, pick: Array) -> Scalars:
    """Some rows of a table; one of a single row, which stands for all, stays."""
    data = rows.data if len(rows.data) == 1 else rows.data[pick]
    bad = rows.bad if rows.bad is None or len(rows.bad) == 1 else rows.bad[pick]
    return Scalars(data, bad)


# == formulas =========================================================================================================
# Conditions at every place of a grid as formulas over rows of bits, evaluated for some outer places at a time.
#
# A row of a formula is words, as in `words`: of the shape (outer places or 1, words or 1), so that what does not depend
# on an axis is not written out along it.  Bits beyond the last may be anything.
@dataclass(frozen=True, eq=False)
class Leaf:
    """Truth values known as a number is."""

    value: Number

    @cached_property
    def _rows(self) -> Array:
        scalars = self.value.rows if isinstance(self.value, BoxTable) else self.value
        if scalars.data.shape[1] == 1:
            return np.where(scalars.data, ALL, np.uint64(0))
        return pack(scalars.data)

    def find(self, part: slice, known: dict[int, Array]) -> Array:
        if isinstance(self.value, BoxTable):
            return self._rows if len(self._rows) == 1 else self._rows.take(self.value.index[part], axis=0)
        return self._rows if len(self._rows) == 1 else self._rows[part]


@dataclass(frozen=True, eq=False)
class Stored:
    """What `load` gives, once and for all: an array (outer, words)."""

    load: Callable[[], Array]

    @cached_property
    def _rows(self) -> Array:
        return self.load()

    def find(self, part: slice, known: dict[int, Array]) -> Array:
        return self._rows[part]


@dataclass(frozen=True, eq=False)
class Combined:
    """`op` of formulas: "and", "or", "xor" of two or more, "not" of one."""

    op: str
    parts: tuple[Formula, ...]

    def find(self, part: slice, known: dict[int, Array]) -> Array:
        found = evaluate(self.parts[0], part, known)
        if self.op == "not":
            return ~found
        for other in self.parts[1:]:
            found = _JOIN[self.op](found, evaluate(other, part, known))
        return np.asarray(found)


_JOIN: dict[str, np.ufunc] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
Formula = Leaf | Stored | Combined


def evaluate(formula: Formula, part: slice, known: dict[int, Array]) -> Array:
    """The rows of a formula at some outer places. `known`: what was found there already, by the ids of formulas."""
    found = known.get(id(formula))
    if found is None:
        found = known[id(formula)] = formula.find(part, known)
    return found


TRUE = Leaf(Scalars(np.ones((1, 1), dtype=bool)))
FALSE = Leaf(Scalars(np.zeros((1, 1), dtype=bool)))


def hold(value: Number) -> Formula:
    """Truth values as a formula: TRUE or FALSE where they are the same everywhere."""
    data = value.rows.data if isinstance(value, BoxTable) else value.data
    return TRUE if data.all() else Leaf(value) if data.any() else FALSE


def conjoin(*parts: Formula) -> Formula:
    """The conjunction."""
    left = tuple(p for p in parts if p is not TRUE)
    return FALSE if FALSE in left else TRUE if not left else left[0] if len(left) == 1 else Combined("and", left)


def disjoin(*parts: Formula) -> Formula:
    """The disjunction."""
    left = tuple(p for p in parts if p is not FALSE)
    return TRUE if TRUE in left else FALSE if not left else left[0] if len(left) == 1 else Combined("or", left)


def negate(part: Formula) -> Formula:
    """The negation."""
    if part is TRUE or part is FALSE:
        return FALSE if part is TRUE else TRUE
    return part.parts[0] if isinstance(part, Combined) and part.op == "not" else Combined("not", (part,))


def differ(a: Formula, b: Formula) -> Formula:
    """Where exactly one of two holds."""
    return Combined("xor", (a, b))


def choose(test: Formula, then: Formula, other: Formula) -> Formula:
    """`then` where the test holds, else `other`."""
    return disjoin(conjoin(test, then), conjoin(negate(test), other))


def condense(formula: Formula, grid: BoxGrid) -> Number:
    """A formula as truth values known as a number is. Raises NotApplicable where it asks who wins."""
    if isinstance(formula, Leaf):
        return formula.value
    if isinstance(formula, Stored):
        raise NotApplicable("who wins, counted")
    found = condense(formula.parts[0], grid)
    if formula.op == "not":
        return grid.apply(lambda v: Scalars(~v[0].data), (found,))
    for part in formula.parts[1:]:
        found = grid.apply(lambda v: Scalars(_JOIN[formula.op](v[0].data, v[1].data)), (found, condense(part, grid)))
    return found


# -- what terms mean --------------------------------------------------------------------------------------------------
# What a term may mean: a number, a condition, the position of each place, an outcome.


HIDDEN = "a term that the bits do not know"


@dataclass(frozen=True, eq=False)
class Truth:
    """Where a condition holds, and where it is ill-defined; what `holds` says there means nothing."""

    holds: Formula
    bad: Formula = FALSE


@dataclass(frozen=True, eq=False)
class BoxHeaps:
    """The position of each place: its heaps, in any order, zeros for heaps that are not there."""

    sizes: tuple[Scalars, ...]


@dataclass(frozen=True, eq=False)
class Winners:
    """An outcome: where the first and where the second player wins, moving first."""

    first: Formula
    second: Formula


Meant = Number | Truth | BoxHeaps | Winners
Names = Mapping[str, Meant]


def require_truth(found: Meant) -> Truth:
    """It as a condition. Raises NotApplicable for what is none."""
    if isinstance(found, Truth):
        return found
    if isinstance(found, BoxHeaps | Winners):
        raise NotApplicable(HIDDEN)
    return as_truth(found)


def as_truth(value: Number) -> Truth:
    """Truth values known as a number is, as a condition."""
    scalars = value.rows if isinstance(value, BoxTable) else value
    if scalars.bad is None:
        return Truth(Leaf(value))
    bad = Scalars(scalars.bad)
    return Truth(Leaf(value), Leaf(BoxTable(value.index, bad) if isinstance(value, BoxTable) else bad))


def find_bad(value: Meant) -> Formula:
    """Where it is ill-defined."""
    if isinstance(value, Truth):
        return value.bad
    return FALSE if isinstance(value, BoxHeaps | Winners) else as_truth(value).bad


def compare_outcomes(args: list[Meant]) -> Formula:
    """Where an outcome is a given one, or two are equal. Raises NotApplicable."""
    a, b = args
    if isinstance(a, Winners) and isinstance(b, Winners):
        return conjoin(negate(differ(a.first, b.first)), negate(differ(a.second, b.second)))
    winners, other = (a, b) if isinstance(a, Winners) else (b, a)
    if not isinstance(winners, Winners) or not isinstance(other, Scalars) or other.data.size != 1:
        raise NotApplicable(HIDDEN)
    name = t.OUTCOMES[int(other.data[0, 0])]
    first = winners.first if name in ("N_position", "first_wins") else negate(winners.first)
    second = winners.second if name in ("N_position", "second_wins") else negate(winners.second)
    return conjoin(first, second)
