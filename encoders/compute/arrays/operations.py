"""The operations of the claim language on arrays: compute `a + b`, `len(s)`, ... at many cases at once.

They evaluate all their arguments. The lazy operations, such as `and`, are in the module `evaluate`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import cast

import numpy as np

from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.meanings import MAX_POWER_BITS, MAX_PRODUCT_BITS, MAX_RANGE
from claims.language.syntax.terms import POSITION, Type
from encoders.compute.arrays import limits
from encoders.compute.arrays import values as segments
from encoders.compute.arrays.limits import SAFE, Deadline, PastLimit, TooLarge, TooWide, group_digits
from encoders.compute.arrays.positions import Pool, sort_heaps
from encoders.compute.arrays.values import (
    Array,
    Number,
    Ragged,
    Scalars,
    Value,
    flatten_array,
    flatten_value,
    join_spans,
    merge_bad,
    shrink,
    to_array,
    unite_shapes,
)
from encoders.refusals import Unsupported

# == operations =======================================================================================================
# The strict operations on scalars, for all cases at once. The table of builtins defines their meaning.
#
# An operation on numbers without an array version is computed case by case, by its row of the table.
#
# Integers are int64 while bounds known in advance keep them below 2**62, and Python integers (dtype object) beyond. No
# operation can overflow.
# -- case by case -----------------------------------------------------------------------------------------------------
# Operations on numbers, one case at a time, with Python's integers and fractions.


MOST_SIEVED = 1 << 22  # beyond this bound, each number is tested separately for primality
_EVERY = 20_000  # cases between two checks of the clock


def compute_exactly(op: str, args: list[Scalars], bad: Array | None, clock: Deadline) -> Scalars:
    """Compute `op` at each case separately, with Python's integers and fractions.

    `bad`: the cases at which an argument has no value. The result has no value there, and where `op` is ill-defined or
    past a limit. `clock` records the message of such a limit. Raise OutOfTime.
    """
    shape = np.broadcast_shapes(*(a.data.shape for a in args))
    columns = [np.broadcast_to(a.data, shape).ravel().tolist() for a in args]
    out, wrong = np.empty(math.prod(shape), dtype=object), np.zeros(math.prod(shape), dtype=bool)
    compute = EXACT.get(op) or _read_table(op)
    for i, operands in enumerate(zip(*columns, strict=True)):
        if i % _EVERY == 0:
            clock.check()
        try:
            out[i] = compute(*operands)
        except (ArithmeticError, ValueError):
            out[i], wrong[i] = 0, True
        except PastLimit as past:
            out[i], wrong[i], clock.limit = 0, True, str(past)
    if wrong.any():
        bad = merge_bad(bad, wrong.reshape(shape))
    data = out.astype(bool) if op in _CONDITIONS else shrink(out)
    return Scalars(data.reshape(shape), bad)


def _read_table(op: str) -> Callable[..., Number]:
    """Return a function that computes the operation `op` as the table BUILTINS defines it.

    The function raises ValueError if the operation is ill-defined for its arguments, and PastLimit past a limit.
    """
    row = BUILTINS[op]

    def compute(*args: Number) -> Number:
        if any(need.fault(args) for need in row.needs):
            raise ValueError(op)
        over = row.limit(*args) if row.limit else ""
        if over:
            raise PastLimit(over.replace("_", " "))
        return cast(Number, row.evaluate(*args))

    return compute


def count_bits(x: Number) -> int:
    """Return the bit length of the numerator or the denominator, whichever is longer."""
    return max(abs(x.numerator).bit_length(), x.denominator.bit_length())


def _multiply(x: Number, y: Number) -> Number:
    if count_bits(x) + count_bits(y) > MAX_PRODUCT_BITS:
        raise PastLimit(f"a product of more than {group_digits(MAX_PRODUCT_BITS)} bits")
    return x * y


def _raise_to(x: Number, y: int) -> Number:
    if y < 0:
        raise ValueError("a negative exponent")
    if (count_bits(x) - 1) * y >= MAX_POWER_BITS:  # the least bit length of the power
        raise PastLimit(f"a power of more than {group_digits(MAX_POWER_BITS)} bits")
    return x**y


def _require_natural(x: int) -> int:
    if x < 0:
        raise ValueError("a negative number")
    return x


def _find_top_bit(x: int) -> int:
    if x <= 0:
        raise ValueError("a number below 1")
    return x.bit_length() - 1


EXACT: dict[str, Callable[..., Number]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": _multiply,
    "floordiv": lambda x, y: x // y,
    "mod": lambda x, y: x % y,
    "div": lambda x, y: Fraction(x) / y,
    "rational": Fraction,
    "pow": _raise_to,
    "nim": lambda x, y: _require_natural(x) ^ _require_natural(y),
    "bit_and": lambda x, y: _require_natural(x) & _require_natural(y),
    "bit_or": lambda x, y: _require_natural(x) | _require_natural(y),
    "popcount": lambda x: _require_natural(x).bit_count(),
    "gcd": math.gcd,
    "neg": lambda x: -x,
    "abs": abs,
    "isqrt": lambda x: math.isqrt(_require_natural(x)),
    "bit": lambda x, i: _require_natural(x) >> _require_natural(i) & 1,
    "top_bit": _find_top_bit,
    "largest": max,
    "smallest": min,
}


# -- operations -------------------------------------------------------------------------------------------------------
def check_translated(op: str, types: list[Type], result: Type) -> None:
    """Raise Unsupported if `calculate` cannot compute an operation with these types (see `is_scalar`)."""
    if not is_scalar(op, types, result):
        raise Unsupported(f"the operation {op} is not supported on arrays")


def is_scalar(op: str, types: Iterable[Type], result: Type) -> bool:
    """Whether `calculate` can compute an operation with these types of arguments and this type of result.

    It can if `op` is in KNOWN, or if no argument and no result is a position, list or set.
    """
    return op in KNOWN or not any(kind == POSITION or kind.is_collection for kind in (*types, result))


def calculate(op: str, args: list[Scalars], clock: Deadline | None = None) -> Scalars:
    """Compute `op` on numbers or truth values, at all cases at once. The shapes of the arguments broadcast.

    The result has no value at a case if an argument has no value there, or if `op` is ill-defined or past a limit.
    `clock` records the message of such a limit. Raises OutOfTime.
    """
    clock, bad = clock or Deadline(None), merge_bad(*[a.bad for a in args])
    if op in _RELATIONS:
        return Scalars(np.asarray(_RELATIONS[op](args[0].data, args[1].data), dtype=bool), bad)
    if op == "not":
        return Scalars(~args[0].data, bad)
    if op in ("div", "rational") or any(a.data.dtype == object for a in args):
        return compute_exactly(op, args, bad, clock)
    quick = _compute_unary(op, args[0], bad) if len(args) == 1 else _compute_fast(op, args, bad)
    return compute_exactly(op, args, bad, clock) if quick is None else quick


def _compute_fast(op: str, args: list[Scalars], bad: Array | None) -> Scalars | None:
    """Compute `op` on two or more int64 arrays, at all cases at once.

    Return None if a result may be 2^62 or more in absolute value, or if `op` is not supported here.
    """
    a, b = args[0].data, args[1].data
    (lo, hi), (low, high) = args[0].find_bounds(), args[1].find_bounds()
    match op:
        case "add":
            return _compute_within(bad, lo + low, hi + high, lambda: a + b)
        case "sub":
            return _compute_within(bad, lo - high, hi - low, lambda: a - b)
        case "mul":
            ends = [lo * low, lo * high, hi * low, hi * high]
            return _compute_within(bad, min(ends), max(ends), lambda: a * b)
        case "pow":
            reach = max(abs(lo), abs(hi), 1)
            if low < 0 or high > 62 or reach**high >= SAFE:
                return None
            return Scalars(np.asarray(a**b), bad, -(reach**high) if lo < 0 else 0, reach**high)
        case "floordiv" | "mod":
            return _divide(op, a, b, max(abs(lo), abs(hi)), low, high, bad)
        case "nim" | "bit_and" | "bit_or":
            if lo < 0 or low < 0:
                bad = merge_bad(bad, (a < 0) | (b < 0))
                a, b = np.maximum(a, 0), np.maximum(b, 0)
            if op == "bit_and":
                return Scalars(a & b, bad, 0, max(min(hi, high), 0))
            top = (1 << max(hi, high, 0).bit_length()) - 1
            return Scalars(a ^ b if op == "nim" else a | b, bad, 0, top)
        case "gcd":
            return Scalars(np.gcd(a, b), bad, 0, max(abs(lo), abs(hi), abs(low), abs(high)))
        case "valuation":
            return _find_valuation(a, b, merge_bad(bad, (a == 0) | (b < 2)))
        case "bit":
            if lo < 0 or low < 0:
                bad = merge_bad(bad, (a < 0) | (b < 0))
            return Scalars(np.where(b > 62, 0, np.maximum(a, 0) >> np.clip(b, 0, 62)) & 1, bad, 0, 1)
        case "largest" | "smallest":
            bounds = [x.find_bounds() for x in args]
            choose: np.ufunc = np.maximum if op == "largest" else np.minimum
            data = a
            for other in args[1:]:
                data = choose(data, other.data)
            return Scalars(data, bad, min(x for x, _ in bounds), max(x for _, x in bounds))
    return None


def _find_valuation(a: Array, b: Array, bad: Array | None) -> Scalars:
    """Return, at each case, the largest e such that b^e divides a. It is 0 if a is 0 or b is below 2."""
    left, by = np.broadcast_arrays(np.abs(a), np.maximum(b, 2))
    found = np.zeros(left.shape, dtype=np.int64)
    divides = (left % by == 0) & (left > 0) & (b >= 2)
    while divides.any():  # at most 62 times
        found += divides
        left = np.where(divides, left // by, left)
        divides &= left % by == 0
    return Scalars(found, bad, 0, 62)


def _divide(op: str, a: Array, b: Array, reach: int, low: int, high: int, bad: Array | None) -> Scalars:
    """Return a // b or a % b at each case, rounded down as in Python. It is undefined where b is 0.

    `op`: "floordiv" or "mod". The caller ensures that |a| <= reach and low <= b <= high.
    """
    if low <= 0 <= high:
        zero = b == 0
        bad, b = merge_bad(bad, zero), np.where(zero, 1, b)
    if op == "floordiv":
        return Scalars(a // b, bad, -reach - 1, reach)
    far = max(abs(low), abs(high), 1)
    return Scalars(a % b, bad, 0 if low >= 0 else -far, far)


def _compute_unary(op: str, x: Scalars, bad: Array | None) -> Scalars | None:
    """Compute `op` on one int64 array, at all cases at once.

    Return None if `op` is not supported here, or would not be exact for numbers of this size.
    """
    a, (lo, hi) = x.data, x.find_bounds()
    match op:
        case "neg":
            return Scalars(-a, bad, -hi, -lo)
        case "abs":
            return Scalars(np.abs(a), bad, 0, max(abs(lo), abs(hi)))
        case "popcount":
            if lo < 0:
                bad = merge_bad(bad, a < 0)
            return Scalars(_count_ones(np.maximum(a, 0)), bad, 0, 62)
        case "is_prime" if hi < MOST_SIEVED:
            return Scalars(_list_primes(max(hi, 1))[np.maximum(a, 0)], bad)
        case "top_bit" if hi < 1 << 52:
            if lo <= 0:
                bad = merge_bad(bad, a <= 0)
            return Scalars(np.frexp(np.maximum(a, 1).astype(np.float64))[1].astype(np.int64) - 1, bad, 0, 62)
        case "isqrt" if hi < 1 << 52:  # the root is rounded correctly, and no square is between r*r - 1 and r*r
            if lo < 0:
                bad = merge_bad(bad, a < 0)
            return Scalars(np.sqrt(np.maximum(a, 0).astype(np.float64)).astype(np.int64), bad)
    return None


def _count_ones(x: Array) -> Array:
    """Return the number of ones in the binary form of each natural number.

    Adjacent binary digits are added first, then adjacent sums, and so on.
    """
    x = x - (x >> 1 & 0x5555555555555555)
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = x + (x >> 4) & 0x0F0F0F0F0F0F0F0F
    for width in (8, 16, 32):
        x = x + (x >> width)
    return x & 127


@lru_cache(maxsize=2)
def _list_primes(most: int) -> Array:
    """Return an array: element [n] is whether n is prime, for n = 0, ..., `most` (sieve of Eratosthenes)."""
    prime = np.ones(most + 1, dtype=bool)
    prime[:2] = False
    for p in range(2, math.isqrt(most) + 1):
        if prime[p]:
            prime[p * p :: p] = False
    return prime


def _compute_within(bad: Array | None, lo: int, hi: int, compute: Callable[[], Array]) -> Scalars | None:
    return Scalars(compute(), bad, lo, hi) if lo > -SAFE and hi < SAFE else None


_RELATIONS: dict[str, np.ufunc] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}

_CONDITIONS = ("is_prime",)
KNOWN = frozenset((*EXACT, *_RELATIONS, "not"))


# == collections ======================================================================================================
# The strict operations with lists, sets and positions as arguments or results, for all cases at once.
# -- binary places ----------------------------------------------------------------------------------------------------
# `columns(c, m, r)`: the binary places in which r elements modulo m have a 1, for all cases at once.


def add_columns(source: Ragged, modulus: Scalars, remainder: Scalars) -> Scalars:
    """Return the value of `columns(list, modulus, remainder)` at each case.

    Its binary digit at place i is 1 if m % modulus == remainder, where m is the number of list elements with a 1 there.
    It is undefined for negative elements, and if `modulus` or `remainder` is below 1. Raise TooLarge for elements of
    2^62 or more.
    """
    items, lengths = shrink(source.items), source.lengths
    if items.dtype == object:
        raise TooLarge("a number in columns(...) is 2^62 or more")
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
# `nim_sum_ways(w, n)`: the number of ways to each nim-sum of n draws, by the Walsh-Hadamard transform.
#
# The transform turns nim-convolution into multiplication at each place. The referee convolves draw by draw instead.


def list_nim_sum_ways(weights: Ragged, draws: Scalars, clock: Deadline) -> Ragged:
    """Return the list `nim_sum_ways(weights, draws)` at each case (see `list_ways`).

    The list is undefined if a weight or the number of draws is negative. Raise TooLarge or OutOfTime.
    """
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
    """Return a list v: v[x] is the number of ways to draw `draws` numbers whose nim-sum is x.

    In each draw, there are weights[i] ways to draw the number i. The length of v is a power of two. Raise TooLarge.

    >>> list_ways((1, 1), 2), list_ways((1, 0, 1), 1), list_ways((), 3), list_ways((2,), 3)
    ([2, 2], [1, 0, 1, 0], [0], [8])
    """
    size = 1 << max(0, len(weights) - 1).bit_length()
    digits = draws * sum(weights).bit_length()
    if digits > limits.MAX_NUMBER_BITS or size * max(digits, 1) > 64 * limits.MAX_NUMBER_BITS:
        raise TooLarge(
            f"the result of nim_sum_ways for {len(weights)} weights and {group_digits(draws)} draws is too large"
        )
    values = _transform([*weights, *[0] * (size - len(weights))])
    return [x // size for x in _transform([x**draws for x in values])]


def _transform(values: list[int]) -> list[int]:
    """Return the Walsh-Hadamard transform of n values, where n is a power of two.

    The transform of the transform contains the original values, multiplied by n.
    """
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
    """The operations on lists, sets and positions, at many cases at once.

    `pool`: the positions that occur, with their numbers. A position that an operation returns is added to it.
    """

    def __init__(self, pool: Pool, clock: Deadline) -> None:
        self.pool, self.clock = pool, clock

    def operate(self, op: str, args: list[Value], types: list[Type]) -> Value:
        """Compute `op` (one of OPERATIONS, eq or ne) on values of the given types, at all cases at once.

        The result has no value at a case if an argument has no value there, or if `op` is ill-defined or past a limit.
        Raises TooLarge, TooWide and OutOfTime.
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
        """Return the elements of a list, a set or a position, at each case. The elements of a position are its heaps.

        A list or set is returned unchanged. Heaps are ascending. `kind`: the type of the value.
        """
        if isinstance(value, Ragged):
            return value
        assert kind == POSITION
        rows = self.pool.rows[value.data.ravel()]
        shape = unite_shapes(value.data.shape)
        return Ragged(shape, np.count_nonzero(rows, axis=1), rows[rows > 0], value.bad)

    def collect(self, kind: Type, items: list[Scalars]) -> Ragged:
        """Return the list `[a, b, ...]` or the set `{a, b, ...}` at each case. `items`: a, b, ...; `kind`: its type."""
        if not items:
            return Ragged((1, 1), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        shape = unite_shapes(*(i.data.shape for i in items))
        stacked = np.stack([np.broadcast_to(i.data, shape) for i in items], axis=-1)
        lengths = np.full(shape[0] * shape[1], len(items))
        made = Ragged(shape, lengths, stacked.ravel(), merge_bad(*(i.bad for i in items)))
        return self.make_set(made, kind) if kind.kind == "set" else made

    def make_set(self, value: Ragged, kind: Type) -> Ragged:
        """Return the distinct elements of the list at each case, ascending. `kind`: the type of the set."""
        return segments.deduplicate(value, self.pool.rank if kind.element == POSITION else None)

    def reduce(self, op: str, source: Ragged) -> Scalars:
        """Compute `op` of the list at each case: len, sum, max, min, mex, nim_sum, any, all or count.

        The result is undefined for max and min of an empty list, and for nim_sum of negative numbers.
        """
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
        """Return the list of the integers lo, ..., hi - 1 at each case. Raise TooWide if there are too many in total.

        A list of more than MAX_RANGE integers is past a limit, so it has no value.
        """
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
            raise TooWide(f"ranges of {group_digits(total)} integers in total would be needed at once")
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
            raise TooLarge("a heap is 2^62 or more")
        width = max(int(lengths.max(initial=0)), 1)
        if len(lengths) > 1 and width * len(lengths) > 4 * limits.MAX_CELLS:
            raise TooWide(
                f"{group_digits(len(lengths))} positions of up to {group_digits(width)} heaps would be needed at once"
            )
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
            raise TooWide(f"{group_digits(cells)} positions of up to {width} heaps would be needed at once")
        rows = [self.pool.rows[np.broadcast_to(x.data, shape).ravel()] for x in (s, other)]
        ids = self._intern(np.concatenate(rows, axis=1)).reshape(shape)
        return Scalars(ids, merge_bad(s.bad, other.bad))

    def _intern(self, rows: Array) -> Array:
        return self.pool.intern(sort_heaps(rows))

    def _replace(self, s: Scalars, old: Scalars, new: Scalars) -> Scalars:
        shape = unite_shapes(s.data.shape, old.data.shape, new.data.shape)
        cells, width = shape[0] * shape[1], self.pool.rows.shape[1]
        if cells > 1 and cells * width > 2 * limits.MAX_CELLS:
            raise TooWide(f"{group_digits(cells)} positions of up to {width} heaps would be needed at once")
        rows = self.pool.rows[np.broadcast_to(s.data, shape).ravel()]
        h, y = (np.broadcast_to(v.data, shape).ravel() for v in (old, new))
        slot = np.asarray(rows == np.asarray(h)[:, None], dtype=bool)
        wrong = ~slot.any(axis=1) | np.asarray(h <= 0, dtype=bool) | np.asarray(y < 0, dtype=bool)
        if y.dtype == object and bool(np.asarray(~wrong & (y >= SAFE), dtype=bool).any()):
            raise TooLarge("a heap is 2^62 or more")
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
    """Return the value of `then if condition else other` at each case of a grid of `rows` x `cols` cases."""
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
