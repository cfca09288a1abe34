"""The strict operations on scalars, for all cases at once. The referee's `operate` says what each one means.

Integers are int64 while bounds known in advance keep them below 2**62, and Python integers (dtype object) beyond: no
operation can overflow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from encoders.exhaustive.values import SAFE, Array, Scalars, either

MAX_BITS = 100_000


def arithmetic(op: str, args: list[Scalars]) -> Scalars:
    """`op` on scalars of the language; the result is bad where an operand is or where `op` is ill-defined."""
    bad = either(*(a.bad for a in args))
    if op in _RELATIONS:
        return Scalars(np.asarray(_RELATIONS[op](args[0].data, args[1].data), dtype=bool), bad)
    if op == "not":
        return Scalars(~args[0].data, bad)
    if op == "rational":
        return Scalars(_each(Fraction, args[0].data), bad)
    if any(a.data.dtype == object for a in args) or op == "div":
        return _exactly(op, args, bad)
    return _fast(op, args, bad)


def _fast(op: str, args: list[Scalars], bad: Array | None) -> Scalars:
    a = args[0].data
    lo, hi = args[0].bounds()
    if len(args) == 1:
        return _unary(op, args[0], a, lo, hi, bad)
    b = args[1].data
    low, high = args[1].bounds()
    match op:
        case "add":
            return _checked(op, args, bad, (lo + low, hi + high), lambda: a + b)
        case "sub":
            return _checked(op, args, bad, (lo - high, hi - low), lambda: a - b)
        case "mul":
            ends = [lo * low, lo * high, hi * low, hi * high]
            return _checked(op, args, bad, (min(ends), max(ends)), lambda: a * b)
        case "floordiv" | "mod":
            zero = b == 0
            if low <= 0 <= high and zero.any():
                bad = either(bad, zero)
                b = np.where(zero, 1, b)
            if op == "floordiv":
                reach = max(abs(lo), abs(hi))
                return Scalars(a // b, bad, -reach - 1, reach)
            reach = max(abs(low), abs(high), 1)
            return Scalars(a % b, bad, 0 if low >= 0 else -reach, reach - 1 if low >= 0 else reach)
        case "nim":
            if lo < 0 or low < 0:
                bad = either(bad, (a < 0) | (b < 0))
                a, b = np.maximum(a, 0), np.maximum(b, 0)
            top = (1 << max(hi, high, 0).bit_length()) - 1
            return Scalars(a ^ b, bad, 0, top)
        case "bit":
            wrong = (a < 0) | (b < 0)
            if wrong.any():
                bad = either(bad, wrong)
            return Scalars(np.where(b > 62, 0, np.maximum(a, 0) >> np.clip(b, 0, 62)) & 1, bad, 0, 1)
        case "pow":
            return _exactly(op, args, bad)
        case "largest" | "smallest":
            data = a
            for other in args[1:]:
                data = np.maximum(data, other.data) if op == "largest" else np.minimum(data, other.data)
            bounds = [x.bounds() for x in args]
            return Scalars(data, bad, min(x for x, _ in bounds), max(x for _, x in bounds))
    raise AssertionError(op)


def _unary(op: str, x: Scalars, a: Array, lo: int, hi: int, bad: Array | None) -> Scalars:
    match op:
        case "neg":
            return Scalars(-a, bad, -hi, -lo)
        case "abs":
            return Scalars(np.abs(a), bad, 0, max(abs(lo), abs(hi)))
        case "top_bit":
            wrong = a <= 0
            if wrong.any():
                bad = either(bad, wrong)
            safe = np.maximum(a, 1)
            exact = np.frexp(np.minimum(safe, 1 << 52).astype(np.float64))[1].astype(np.int64) - 1
            if hi >= 1 << 52:
                exact = _each(lambda v: int(v).bit_length() - 1, safe).astype(np.int64)
            return Scalars(exact, bad, 0, 62)
        case "isqrt":
            wrong = a < 0
            if wrong.any():
                bad = either(bad, wrong)
            return Scalars(_each(lambda v: math.isqrt(int(v)), np.maximum(a, 0)).astype(np.int64), bad)
    raise AssertionError(op)


def _checked(
    op: str, args: list[Scalars], bad: Array | None, bounds: tuple[int, int], compute: Callable[[], Array]
) -> Scalars:
    if -SAFE < bounds[0] and bounds[1] < SAFE:
        return Scalars(compute(), bad, *bounds)
    return _exactly(op, args, bad)


def _exactly(op: str, args: list[Scalars], bad: Array | None) -> Scalars:
    """One case after the other, in Python's own numbers."""
    shape = np.broadcast_shapes(*(a.data.shape for a in args))
    columns = [np.broadcast_to(a.data, shape).ravel().tolist() for a in args]
    out, wrong = np.empty(math.prod(shape), dtype=object), np.zeros(math.prod(shape), dtype=bool)
    for i, operands in enumerate(zip(*columns, strict=True)):
        try:
            out[i] = _EXACT[op](*operands)
        except (ArithmeticError, ValueError):
            out[i], wrong[i] = 0, True
    data = out.reshape(shape)
    if wrong.any():
        bad = either(bad, wrong.reshape(shape))
    return settle(Scalars(data, bad))


def settle(value: Scalars) -> Scalars:
    """An object array whose integers all fit becomes int64 again."""
    if value.data.dtype == object and all(type(v) is int and -SAFE < v < SAFE for v in value.data.ravel().tolist()):
        return Scalars(value.data.astype(np.int64), value.bad)
    return value


def _each(function: Callable[[Any], Any], data: Array) -> Array:
    out = np.empty(data.size, dtype=object)
    out[:] = [function(v) for v in data.ravel().tolist()]
    return out.reshape(data.shape)


def _power(x: Any, y: int) -> Any:
    size = max(abs(x.numerator).bit_length(), x.denominator.bit_length())
    if y < 0 or (size > 1 and size * y > MAX_BITS):
        raise ValueError(op_limit)
    return x**y


op_limit = f"a negative exponent or more than {MAX_BITS} bits"


def _natural(x: int) -> int:
    if x < 0:
        raise ValueError(x)
    return x


def _top_bit(x: int) -> int:
    if x <= 0:
        raise ValueError(x)
    return x.bit_length() - 1


_RELATIONS: dict[str, Callable[[Array, Array], Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
_EXACT: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "floordiv": lambda x, y: x // y,
    "mod": lambda x, y: x % y,
    "div": lambda x, y: Fraction(x) / y,
    "pow": _power,
    "nim": lambda x, y: _natural(x) ^ _natural(y),
    "neg": lambda x: -x,
    "abs": abs,
    "isqrt": lambda x: math.isqrt(_natural(x)),
    "bit": lambda x, i: _natural(x) >> _natural(i) & 1,
    "top_bit": _top_bit,
    "largest": max,
    "smallest": min,
}
