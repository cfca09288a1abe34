"""The operations on numbers one case after the other, in Python's own integers and fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import cast

import numpy as np

from claims.language.expressions.builtins.meanings import MAX_POWER_BITS, MAX_PRODUCT_BITS
from claims.language.expressions.builtins.table import BUILTINS
from encoders.exhaustive.arrays.limits import Clock, PastLimit, group_digits
from encoders.exhaustive.arrays.values import Array, Number, Scalars, merge_bad, shrink

_EVERY = 20_000  # cases between two looks at the clock


def compute_exactly(op: str, args: list[Scalars], bad: Array | None, clock: Clock) -> Scalars:
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
    return Scalars(shrink(out.reshape(shape)), bad)


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
    "neg": lambda x: -x,
    "abs": abs,
    "isqrt": lambda x: math.isqrt(_require_natural(x)),
    "bit": lambda x, i: _require_natural(x) >> _require_natural(i) & 1,
    "top_bit": _find_top_bit,
    "largest": max,
    "smallest": min,
}
