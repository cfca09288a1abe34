"""Numbers, truth values and conditions at many cases at once, for the search as bits.

The truth values of 64 cases are the bits of one word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from encoders.compute.arrays.limits import SAFE, Deadline
from encoders.compute.arrays.operations import calculate
from encoders.compute.arrays.values import Array, Scalars, list_places, number_distinct

# == words ============================================================================================================
# Rows of bits as rows of 64-bit words, the first bit lowest; the number of words in a row is even.
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def count_words(bits: int) -> int:
    """Return the number of 64-bit words in a row of `bits` bits. It is always even.

    >>> count_words(1), count_words(128), count_words(129)
    (2, 2, 4)
    """
    return 2 * -(-bits // 128)


def pack(table: Array) -> Array:
    """Return the truth values as bits of 64-bit words: bit b of word w in a row is the truth value number 64 * w + b.

    The rows of truth values are along the last axis. The unused bits are 0.
    """
    words = count_words(table.shape[-1])
    packed = np.packbits(table, axis=-1, bitorder="little")
    row = np.zeros((*packed.shape[:-1], 8 * words), dtype=np.uint8)
    row[..., : packed.shape[-1]] = packed
    return np.asarray(row.view("<u8").astype(np.uint64, copy=False))


def unpack(rows: Array, bits: int) -> Array:
    """Return the first `bits` bits of each row of words as truth values. Inverse of `pack`."""
    octets = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    return np.asarray(np.unpackbits(octets, axis=-1, count=bits, bitorder="little").astype(bool))


def count_ones(rows: Array) -> int:
    """Return the number of bits that are 1 in all words together."""
    if hasattr(np, "bitwise_count"):
        return int(np.bitwise_count(rows).sum(dtype=np.int64))
    halves = np.ascontiguousarray(rows).view(np.uint16)
    return int(_ones_of_halves()[halves].sum(dtype=np.int64))


@cache
def _ones_of_halves() -> Array:
    octets = np.arange(1 << 16, dtype="<u2").view(np.uint8).reshape(-1, 2)
    return np.asarray(np.unpackbits(octets, axis=1).sum(axis=1, dtype=np.uint8))


def find_lowest(rows: Array) -> Array:
    """Return, for each row of words, the index of its lowest bit that is 1. Every row must contain such a bit.

    >>> find_lowest(np.array([[4, 1], [0, 1]], dtype=np.uint64)).tolist()
    [2, 64]
    """
    word = (rows != 0).argmax(axis=1)
    value = rows[np.arange(len(rows)), word]
    lowest = value & (~value + np.uint64(1))
    return np.asarray(64 * word + np.frexp(lowest.astype(np.float64))[1] - 1)  # powers of two are exact


# -- geometry ---------------------------------------------------------------------------------------------------------
# Boxes of positions. The options of a position precede it, and the order of a larger box extends that of a smaller box.
#
# A position of a box is a list of heaps in ascending order, x[0] <= ... <= x[m - 1], with zeros for absent heaps. Its
# number is its rank in colexicographic order, the sum of C(x[i] + i, i + 1) over i.


@dataclass(frozen=True)
class HeapBox:
    """The set of all positions with at most `heaps` heaps of at most `size`."""

    heaps: int
    size: int

    @property
    def count(self) -> int:
        """The number of positions, including the empty one.

        >>> HeapBox(3, 63).count, HeapBox(0, 5).count
        (45760, 1)
        """
        return comb(self.heaps + self.size, self.heaps)

    @cached_property
    def binomial(self) -> Array:
        """A table of binomial coefficients, from which the number of a position in the box is computed.

        Write the position as ascending heaps x1, x2, ..., with zeros for absent heaps. Its number is the sum of the
        elements [1, x1], [2, x2], ... Element [i, x] is C(x + i - 1, i), for i up to `heaps` and x up to `size` + 1.

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
        """The heaps of all positions, in the order of their numbers (see `binomial`).

        The first array contains the smallest heap of each position, the second array the next larger heap, and so on.
        Absent heaps are zeros.

        >>> [c.tolist() for c in HeapBox(2, 2).columns]
        [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
        """
        found: list[Array] = []
        for i in range(1, self.heaps + 1):
            lengths = np.array([comb(x + i - 1, i - 1) for x in range(self.size + 1)], dtype=np.int64)
            last = np.repeat(np.arange(self.size + 1), lengths)
            if found:
                place = list_places(lengths)
                found = [c.take(place) for c in found]
            found.append(last)
        return found


# == numbers ==========================================================================================================
# Numbers and truth values at every place of a grid, stored without the axes that they do not depend on.
#
# A place of the grid is a pair (outer place, bit). An outer place is a position, or all its heaps except the last. A
# bit is a choice of parameters, or a size of the last heap. Most values depend on only one axis. They are `Scalars` of
# the shape (outer, 1), (1, bits) or (1, 1). A value that depends on both is a `BoxTable`, in which outer places with
# equal operands share a row. Such a row is computed once, by the operations of the array engine.
MAX_ENTRIES = 1 << 25  # entries of one table
QUICK = frozenset(
    "add sub mul floordiv mod nim bit_and bit_or bit popcount gcd valuation largest smallest neg abs "
    "eq ne lt le gt ge not top_bit isqrt pow".split()
)
SLOW_ENTRIES = 1 << 16  # values of an operation that is computed one by one, without numpy


class NotApplicable(NimChecksError):
    """The search as bits does not support a claim or a scope; the message gives the reason.

    The general search is then used instead.
    """


@dataclass(frozen=True, eq=False)
class BoxTable:
    """A number for each case of a `BoxGrid`: at outer place i and bit b, it is `rows[index[i], b]`.

    If the number does not depend on the bit, it is `rows[index[i], 0]`, and `rows` has a single column.
    """

    index: Array
    rows: Scalars


Number = Scalars | BoxTable


class BoxGrid:
    """A grid of cases, with the operations on the numbers at these cases.

    A case is given by an *outer place* and a *bit*. There are two layouts. Either an outer place is a position, and a
    bit gives the values of the other variables. Or an outer place gives all heaps of a position except the last, and a
    bit gives the size of the last heap.

    `outer`, `bits`: the number of outer places, and of bits.
    """

    def __init__(self, outer: int, bits: int, clock: Deadline) -> None:
        self.outer, self.bits, self.clock = outer, bits, clock
        self._groups: dict[int, tuple[Scalars, BoxTable]] = {}
        self._pairs: dict[tuple[int, int], tuple[Array, Array, Array, Array, Array]] = {}

    def compute(self, op: str, *args: Number) -> Number:
        """Return the value of the operation `op` at each case. Raise NotApplicable if this would take too long."""

        def work(values: list[Scalars]) -> Scalars:
            large = max(v.data.size for v in values) > SLOW_ENTRIES
            if large and (op not in QUICK or any(v.data.dtype == object for v in values)):
                raise NotApplicable(f"{op} would be computed one by one for more than {SLOW_ENTRIES} numbers")
            found = calculate(op, values)
            if found.data.size > SLOW_ENTRIES and found.data.dtype == object:
                raise NotApplicable(f"{op} results in more than {SLOW_ENTRIES} numbers, some of them 2^62 or more")
            return found

        return self.apply(work, args)

    def apply(self, work: Callable[[list[Scalars]], Scalars], args: tuple[Number, ...]) -> Number:
        """Return the value of a function of some numbers at each case.

        `work`: computes the function for arrays of its arguments, element by element.

        Raises OutOfTime. Raises NotApplicable if the result would be too large.
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
            raise NotApplicable(f"a table of {groups} by {self.bits} numbers would be needed, more than {MAX_ENTRIES}")
        rest, operands = iter(zip(tables, picks, strict=True)), []
        for a in args:
            if isinstance(a, BoxTable) or a.shape[0] > 1:
                table, pick = next(rest)
                operands.append(_take(table.rows, pick))
            else:
                operands.append(a)
        return BoxTable(index, work(operands))

    def _group(self, value: Number) -> BoxTable:
        """Return `value` as a `BoxTable`. The table of each `Scalars` object is computed only once."""
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
            raise NotApplicable("an expression has values of 2^62 or more")
        bad = np.zeros(self.outer, dtype=bool) if value.bad is None else np.broadcast_to(value.bad[:, 0], (self.outer,))
        if max(map(abs, value.find_bounds())) >= SAFE:
            raise NotApplicable("an expression has values of 2^62 or more")
        _, first, index = number_distinct(2 * column.astype(np.int64) + bad)
        groups = Scalars(column[first][:, None].astype(value.data.dtype), bad[first][:, None] if bad.any() else None)
        return BoxTable(index.ravel(), groups)

    def _cross(self, index: Array, groups: int, table: BoxTable) -> tuple[Array, Array, Array]:
        """Group the outer places at which two numbers have the same rows of values.

        A number is a table with a row of values for each group of outer places (see `BoxTable`).
        `index`: for each outer place, the row of the first number. `groups`: how many rows the first number has.
        `table`: the second number.

        Return three arrays: the group of each outer place, the row of the first number for each group, and the row of
        the second number for each group.
        """
        key = id(index), id(table.index)
        if key not in self._pairs:
            width = table.rows.shape[0]
            codes, _, both = number_distinct(index * width + table.index)
            self._pairs[key] = index, table.index, both.ravel(), codes // width, codes % width
        return self._pairs[key][2:]


def _take(rows: Scalars, pick: Array) -> Scalars:
    """Return the rows of a table with the numbers in `pick`. A single row is valid for all, and is returned alone."""
    data = rows.data if len(rows.data) == 1 else rows.data[pick]
    bad = rows.bad if rows.bad is None or len(rows.bad) == 1 else rows.bad[pick]
    return Scalars(data, bad)


# == formulas =========================================================================================================
# Conditions at every place of a grid. They are formulas, which are evaluated for some outer places at a time.
#
# The bits of a formula at some outer places are an array of words of the shape (outer places or 1, words or 1). An axis
# has size 1 if the formula does not depend on it. Unused bits are arbitrary.
Places = slice | Array  # a range of outer places, or their numbers


@dataclass(frozen=True, eq=False)
class Leaf:
    """A formula given by its truth value at each case of the grid.

    `value`: the truth values, stored like numbers.
    """

    value: Number

    @property
    def index(self) -> Array | None:
        """The row of each outer place in `rows`. None if `rows` has a row for each place, or a single row for all."""
        return self.value.index if isinstance(self.value, BoxTable) else None

    @property
    def varies(self) -> tuple[bool, bool]:
        """Whether the formula depends on the outer place, and whether it depends on the bit."""
        return len(self.rows) > 1, self.rows.shape[1] > 1

    @cached_property
    def rows(self) -> Array:
        """Rows of words with the truth values. A single word is valid for all bits of its row."""
        scalars = self.value.rows if isinstance(self.value, BoxTable) else self.value
        if scalars.data.shape[1] == 1:
            return np.where(scalars.data, ALL, np.uint64(0))
        return pack(scalars.data)

    def find(self, part: Places, known: dict[int, Array]) -> Array:
        if len(self.rows) == 1:
            return self.rows
        return self.rows[part] if self.index is None else self.rows.take(self.index[part], axis=0)


@dataclass(frozen=True, eq=False)
class Every:
    """The formula that holds at all cases. `bits`: the number of bits at an outer place; the unused bits are 0."""

    bits: int
    index = None
    varies = False, True

    @cached_property
    def rows(self) -> Array:
        """The only row of words."""
        return pack(np.ones((1, self.bits), dtype=bool))

    def find(self, part: Places, known: dict[int, Array]) -> Array:
        return self.rows


@dataclass(frozen=True, eq=False)
class Stored:
    """A formula given by its bits, such as the positions from which a player loses.

    `load`: returns the bits, with a row of words for each outer place. It is called at the first use.
    """

    load: Callable[[], Array]
    varies = True, True  # whether it depends on the outer place, and on the bit

    @cached_property
    def rows(self) -> Array:
        """A row of words for each outer place."""
        return self.load()

    def find(self, part: Places, known: dict[int, Array]) -> Array:
        return self.rows[part]


@dataclass(frozen=True, eq=False)
class Combined:
    """A formula that combines other formulas, its `parts`.

    `op`: "and", "or" or "xor" for at least two parts, or "not" for one part.
    """

    op: str
    parts: tuple[Formula, ...]

    @cached_property
    def varies(self) -> tuple[bool, bool]:
        """Whether the formula depends on the outer place, and whether it depends on the bit."""
        found = [part.varies for part in self.parts]
        return any(place for place, _ in found), any(bit for _, bit in found)

    def find(self, part: Places, known: dict[int, Array]) -> Array:
        found = evaluate(self.parts[0], part, known)
        if self.op == "not":
            return ~found
        for other in self.parts[1:]:
            found = _JOIN[self.op](found, evaluate(other, part, known))
        return np.asarray(found)


_JOIN: dict[str, np.ufunc] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
Formula = Leaf | Every | Stored | Combined


def evaluate(formula: Formula, part: Places, known: dict[int, Array]) -> Array:
    """Return the bits of a formula at the outer places `part` (a slice, or an array of numbers).

    The result has a row of words for each outer place.

    It has one row, or one word in a row, if the formula does not depend on the outer place, or on the bit.
    `known`: the bits of formulas that were evaluated before at these outer places, by id(formula). The result is added.
    """
    found = known.get(id(formula))
    if found is None:
        found = known[id(formula)] = formula.find(part, known)
    return found


TRUE = Leaf(Scalars(np.ones((1, 1), dtype=bool)))
FALSE = Leaf(Scalars(np.zeros((1, 1), dtype=bool)))


def hold(value: Number) -> Formula:
    """Return the formula with the truth values `value`: TRUE if all of them are true, FALSE if all are false."""
    data = value.rows.data if isinstance(value, BoxTable) else value.data
    return TRUE if data.all() else Leaf(value) if data.any() else FALSE


def conjoin(*parts: Formula) -> Formula:
    left = tuple(p for p in parts if p is not TRUE)
    return FALSE if FALSE in left else TRUE if not left else left[0] if len(left) == 1 else Combined("and", left)


def disjoin(*parts: Formula) -> Formula:
    left = tuple(p for p in parts if p is not FALSE)
    return TRUE if TRUE in left else FALSE if not left else left[0] if len(left) == 1 else Combined("or", left)


def negate(part: Formula) -> Formula:
    if part is TRUE or part is FALSE:
        return FALSE if part is TRUE else TRUE
    return part.parts[0] if isinstance(part, Combined) and part.op == "not" else Combined("not", (part,))


def differ(a: Formula, b: Formula) -> Formula:
    """Return the formula that holds if exactly one of `a` and `b` holds."""
    return Combined("xor", (a, b))


def choose(test: Formula, then: Formula, other: Formula) -> Formula:
    """Return the formula that has the value of `then` where `test` holds, and the value of `other` elsewhere."""
    return disjoin(conjoin(test, then), conjoin(negate(test), other))


def condense(formula: Formula, grid: BoxGrid) -> Number:
    """Return the truth values of a formula, stored like numbers. Raise NotApplicable if they depend on a game."""
    if isinstance(formula, Leaf):
        return formula.value
    if isinstance(formula, Stored | Every):
        raise NotApplicable("the value of an expression that is not a condition depends on who wins")
    found = condense(formula.parts[0], grid)
    if formula.op == "not":
        return grid.apply(lambda v: Scalars(~v[0].data), (found,))
    for part in formula.parts[1:]:
        found = grid.apply(lambda v: Scalars(_JOIN[formula.op](v[0].data, v[1].data)), (found, condense(part, grid)))
    return found


# -- meanings of terms ------------------------------------------------------------------------------------------------
# The possible values of a term: a number, a condition, a position, or an outcome at each place of the grid.


HIDDEN = "the claim contains a term that the search as bits does not support"


@dataclass(frozen=True, eq=False)
class Truth:
    """The value of a condition at each case of the grid.

    `bad`: the formula that is true where the condition is ill-defined.
    `holds`: the formula that is true where the condition holds. Where `bad` is true, its value is arbitrary.
    """

    holds: Formula
    bad: Formula = FALSE


@dataclass(frozen=True, eq=False)
class BoxHeaps:
    """The position at each case of the grid: its heaps in any order, with zeros for absent heaps."""

    sizes: tuple[Scalars, ...]


@dataclass(frozen=True, eq=False)
class Winners:
    """The outcome of the position at each case of the grid.

    `first`: the formula that is true where the ruleset's first player wins when moving first.
    `second`: the formula that is true where the ruleset's second player wins when moving first.
    """

    first: Formula
    second: Formula


Meant = Number | Truth | BoxHeaps | Winners
Names = Mapping[str, Meant]


def require_truth(found: Meant) -> Truth:
    """Return the value of a term as a `Truth`. Raise NotApplicable if it is a position or an outcome."""
    if isinstance(found, Truth):
        return found
    if isinstance(found, BoxHeaps | Winners):
        raise NotApplicable(HIDDEN)
    return as_truth(found)


def as_truth(value: Number) -> Truth:
    """Return the condition with the truth values `value`, which are stored like numbers."""
    scalars = value.rows if isinstance(value, BoxTable) else value
    if scalars.bad is None:
        return Truth(Leaf(value))
    bad = Scalars(scalars.bad)
    return Truth(Leaf(value), Leaf(BoxTable(value.index, bad) if isinstance(value, BoxTable) else bad))


def find_bad(value: Meant) -> Formula:
    """Return the formula that holds at the cases at which `value` is ill-defined."""
    if isinstance(value, Truth):
        return value.bad
    return FALSE if isinstance(value, BoxHeaps | Winners) else as_truth(value).bad


def compare_outcomes(args: list[Meant]) -> Formula:
    """Return the formula that holds at the cases at which the two outcomes in `args` are equal.

    Raise NotApplicable if neither of them is computed from a game, or if the other one is not a constant.
    """
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
