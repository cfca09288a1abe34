"""The strict operations on scalars, for all cases at once. The table of builtins says what each one means.

One on numbers that is not known here is computed case by case, as its row says.

Integers are int64 while bounds known in advance keep them below 2**62, and Python integers (dtype object) beyond: no
operation can overflow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import cast

import numpy as np

from claims.language.builtins.meanings import MAX_POWER_BITS, MAX_PRODUCT_BITS
from claims.language.builtins.table import BUILTINS
from claims.language.terms.types import POSITION, Type
from encoders.exhaustive.arrays.limits import SAFE, Deadline, PastLimit, group_digits
from encoders.exhaustive.arrays.values import Array, Number, Scalars, merge_bad, shrink
from encoders.ground.refusals import Unsupported

# -- case by case -----------------------------------------------------------------------------------------------------
# The operations on numbers one case after the other, in Python's own integers and fractions.


MOST_SIEVED = 1 << 22  # beyond, numbers are asked one by one whether they are prime
_EVERY = 20_000  # cases between two looks at the clock


def compute_exactly(op: str, args: list[Scalars], bad: Array | None, clock: Deadline) -> Scalars:
    """`op` at every case; bad where it is ill-defined or past a limit. Raises OutOfTime."""
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
    """The operation as its row of the table says, for one that has no translation of its own here."""
    row = BUILTINS[op]

    def compute(*args: Number) -> Number:
        if any(need.fault(args) for need in row.needs):
            raise ValueError(op)
        over = row.limit(*args) if row.limit else ""
        if over:
            raise PastLimit(over.replace("_", " "))
        return cast(Number, row.means(*args))

    return compute


def count_bits(x: Number) -> int:
    """The number of binary digits of the longer of numerator and denominator."""
    return max(abs(x.numerator).bit_length(), x.denominator.bit_length())


def _multiply(x: Number, y: Number) -> Number:
    if count_bits(x) + count_bits(y) > MAX_PRODUCT_BITS:
        raise PastLimit(f"a product of more than {group_digits(MAX_PRODUCT_BITS)} bits")
    return x * y


def _raise_to(x: Number, y: int) -> Number:
    if y < 0:
        raise ValueError("a negative exponent")
    if (count_bits(x) - 1) * y >= MAX_POWER_BITS:  # the least it can have
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
    """Refuse an operation that is neither known here nor one on numbers and truth values. Raises Unsupported."""
    if not is_scalar(op, types, result):
        raise Unsupported(f"{op} has no translation into arrays")


def is_scalar(op: str, types: Iterable[Type], result: Type) -> bool:
    """Whether an operation is known here, or is one on numbers and truth values, which its row of the table tells."""
    return op in KNOWN or not any(kind == POSITION or kind.is_collection for kind in (*types, result))


def calculate(op: str, args: list[Scalars], clock: Deadline | None = None) -> Scalars:
    """`op` on scalars of the language; bad where an operand is, or where `op` is ill-defined or past a limit.

    The shapes broadcast. A limit that was met is left in `clock`. Raises OutOfTime where numbers are large.
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
    """`op` on two int64 operands or more; None where the result might need more than 62 bits, or `op` is not known."""
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
    """How often b divides a; 0 where a is 0 or b below 2."""
    left, by = np.broadcast_arrays(np.abs(a), np.maximum(b, 2))
    found = np.zeros(left.shape, dtype=np.int64)
    divides = (left % by == 0) & (left > 0) & (b >= 2)
    while divides.any():  # at most 62 times
        found += divides
        left = np.where(divides, left // by, left)
        divides &= left % by == 0
    return Scalars(found, bad, 0, 62)


def _divide(op: str, a: Array, b: Array, reach: int, low: int, high: int, bad: Array | None) -> Scalars:
    """The floored quotient or the remainder; |a| <= reach, low <= b <= high."""
    if low <= 0 <= high:
        zero = b == 0
        bad, b = merge_bad(bad, zero), np.where(zero, 1, b)
    if op == "floordiv":
        return Scalars(a // b, bad, -reach - 1, reach)
    far = max(abs(low), abs(high), 1)
    return Scalars(a % b, bad, 0 if low >= 0 else -far, far)


def _compute_unary(op: str, x: Scalars, bad: Array | None) -> Scalars | None:
    """`op` on one int64 operand; None where it is not exact in floating point, or `op` is not known."""
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
        case "isqrt" if hi < 1 << 52:  # the root is rounded correctly, and no square lies between r*r - 1 and r*r
            if lo < 0:
                bad = merge_bad(bad, a < 0)
            return Scalars(np.sqrt(np.maximum(a, 0).astype(np.float64)).astype(np.int64), bad)
    return None


def _count_ones(x: Array) -> Array:
    """How many binary digits of natural numbers are 1: sums of neighbours, of two digits, of four, of eight, ..."""
    x = x - (x >> 1 & 0x5555555555555555)
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = x + (x >> 4) & 0x0F0F0F0F0F0F0F0F
    for width in (8, 16, 32):
        x = x + (x >> width)
    return x & 127


@lru_cache(maxsize=2)
def _list_primes(most: int) -> Array:
    """For each number up to `most` whether it is prime: the sieve of Eratosthenes."""
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
