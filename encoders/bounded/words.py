"""Numbers and truth values as Z3 expressions, with bounds that make every bit-vector mean the integer it stands for.

Sizes (heaps, parameters, nim-sums) are 64-bit vectors read as signed integers; each has a bound on its magnitude, and
an operation that could leave 63 bits is refused instead of wrapping around.  So `<` is the signed comparison and means
what it means for integers, differences may be negative, and no query can be true or false because of an overflow.
Counts of heaps have no bound and are Z3 integers.  A literal takes the kind of what it meets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import z3

from encoders.answer import Unsupported

WIDTH = 64
LIMIT = 1 << 63


@dataclass(frozen=True)
class Number:
    """An integer. `kind` is "size" (bit-vector), "count" (Z3 Int) or "literal" (made of literals alone).

    lo <= value <= hi for a size.  `make` gives the expression of a literal in the kind that is needed.
    """

    kind: str
    expr: Any = None
    lo: int = 0
    hi: int = 0
    make: Callable[[str], Any] | None = None

    def as_kind(self, kind: str) -> Any:
        """The Z3 expression in that kind. Raises Unsupported for a size beside a count."""
        if self.kind == kind:
            return self.expr
        if self.kind == "literal" and self.make is not None:
            return self.make(kind)
        raise Unsupported("a number of heaps beside a size of heaps: their arithmetic is not mixed")


class Symbols:
    """Makes and combines numbers in one Z3 context."""

    def __init__(self, context: z3.Context, bits: int) -> None:
        self.context, self.bits = context, bits
        self.bound = 1 << bits
        self._fresh = 0

    def literal(self, value: int) -> Number:
        """The integer `value`, of whatever kind is needed."""

        def make(kind: str) -> Any:
            return z3.BitVecVal(value, WIDTH, self.context) if kind == "size" else z3.IntVal(value, self.context)

        if abs(value) >= LIMIT:
            raise Unsupported(f"the number {value} needs more than 63 bits")
        return Number("literal", None, value, value, make)

    def size(self, name: str, low: int = 0) -> tuple[Number, Any]:
        """A fresh size, low <= it < 2**bits, and that condition."""
        expr = z3.BitVec(self._name(name), WIDTH, self.context)
        number = Number("size", expr, low, self.bound - 1)
        return number, z3.And(expr >= low, expr < z3.BitVecVal(self.bound, WIDTH, self.context))

    def within(self, name: str, low: Number, high: Number) -> tuple[Number, Any]:
        """A fresh integer of sizes, low <= it <= high, and that condition. Raises Unsupported for numbers of heaps."""
        lo, hi = low.lo, high.hi
        if "count" in (low.kind, high.kind):
            raise Unsupported("a number picked between numbers of heaps")
        if lo < -LIMIT or hi >= LIMIT:
            raise Unsupported(f"a number of up to {max(abs(lo), abs(hi)).bit_length()} bits: 63 are exact here")
        number = Number("size", z3.BitVec(self._name(name), WIDTH, self.context), lo, max(lo, hi))
        return number, z3.And(self.relation("ge", number, low), self.relation("le", number, high))

    def count(self, name: str) -> tuple[Number, Any]:
        """A fresh number of heaps, and the condition that it is not negative."""
        expr = z3.Int(self._name(name), self.context)
        return Number("count", expr), expr >= 0

    def truth(self, name: str) -> Any:
        """A fresh truth value."""
        return z3.Bool(self._name(name), self.context)

    def _name(self, name: str) -> str:
        self._fresh += 1
        return f"{name}!{self._fresh}"

    # -- arithmetic ---------------------------------------------------------------------------------------------------
    def add(self, a: Number, b: Number) -> Number:
        return self._linear(a, b, 1)

    def sub(self, a: Number, b: Number) -> Number:
        return self._linear(a, b, -1)

    def _linear(self, a: Number, b: Number, sign: int) -> Number:
        kind = self._kind(a, b)
        lo, hi = (a.lo + b.lo, a.hi + b.hi) if sign > 0 else (a.lo - b.hi, a.hi - b.lo)

        def make(wanted: str) -> Any:
            x, y = a.as_kind(wanted), b.as_kind(wanted)
            return x + y if sign > 0 else x - y

        return self._made(kind, make, lo, hi)

    def mul(self, a: Number, b: Number) -> Number:
        kind = self._kind(a, b)
        ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]
        return self._made(kind, lambda w: a.as_kind(w) * b.as_kind(w), min(ends), max(ends))

    def mod(self, a: Number, b: Number) -> Number:
        """a % b for a literal b above 0 and a number of heaps (or a size that is not negative)."""
        if b.kind != "literal" or b.lo != b.hi or b.lo <= 0:
            raise Unsupported("a remainder by something other than a positive literal")
        if a.kind == "size":
            if a.lo < 0:
                raise Unsupported("a remainder of a size that may be negative")
            return Number("size", z3.URem(a.expr, b.as_kind("size")), 0, b.lo - 1)
        return self._made(self._kind(a, b), lambda w: a.as_kind(w) % b.as_kind(w), 0, b.lo - 1)

    def nim(self, a: Number, b: Number) -> Number:
        """a ^ b; both must be known not to be negative."""
        if "count" in (a.kind, b.kind):
            raise Unsupported("a nim-sum of numbers of heaps")
        if a.lo < 0 or b.lo < 0:
            raise Unsupported("a nim-sum of something that may be negative")
        top = (1 << max(a.hi, b.hi).bit_length()) - 1
        return self._made(self._kind(a, b), lambda w: a.as_kind(w) ^ b.as_kind(w), 0, top, integers=False)

    def neg(self, a: Number) -> Number:
        return self.sub(self.literal(0), a)

    def choose(self, condition: Any, a: Number, b: Number) -> Number:
        """a where the condition holds, else b."""
        kind = self._kind(a, b)

        def make(wanted: str) -> Any:
            return z3.If(condition, a.as_kind(wanted), b.as_kind(wanted))

        return self._made(kind, make, min(a.lo, b.lo), max(a.hi, b.hi))

    def relation(self, op: str, a: Number, b: Number) -> Any:
        """A comparison, as a Z3 Bool."""
        kind = self._kind(a, b)
        kind = "count" if kind == "literal" else kind
        x, y = a.as_kind(kind), b.as_kind(kind)
        # On bit-vectors Python's < is signed, which is what the bounds make right here.
        return {
            "eq": lambda: x == y, "ne": lambda: x != y, "lt": lambda: x < y,
            "le": lambda: x <= y, "gt": lambda: x > y, "ge": lambda: x >= y,
        }[op]()  # fmt: skip

    @staticmethod
    def _kind(a: Number, b: Number) -> str:
        return a.kind if a.kind != "literal" else b.kind

    def _made(self, kind: str, make: Callable[[str], Any], lo: int, hi: int, integers: bool = True) -> Number:
        if kind == "count":
            return Number("count", make("count"))
        if not (lo >= -LIMIT and hi < LIMIT):
            raise Unsupported(f"a number of up to {max(abs(lo), abs(hi)).bit_length()} bits: 63 are exact here")
        if kind == "literal":
            if not integers:
                value = z3.simplify(make("size"))
                return self.literal(value.as_signed_long()) if z3.is_bv_value(value) else Number("size", value, lo, hi)
            return Number("literal", None, lo, hi, make)
        return Number("size", make("size"), lo, hi)
