"""Interval arithmetic: bounds of a term that hold for all values of its variables.

A nim-sum is rejected if a term in it may be negative, such as a difference of unbounded numbers, because only natural
numbers have binary digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from claims.language.syntax import terms as t
from encoders.logic.sequents import ZERO, Symbol, largest
from encoders.logic.smt import COMPARE, Typed
from encoders.logic.translator import Translator, bounds_of_extreme
from encoders.refusals import Unsupported

Truth = bool | None
"""The value of a condition, or None if it is unknown. Only conditions on literals have a known value."""


@dataclass(frozen=True)
class Interval:
    """The known bounds of an integer x: lo <= x <= hi (None: no known bound).

    `literal`: whether the term consists of literals only.
    """

    lo: int | None = None
    hi: int | None = None
    literal: bool = False

    @property
    def value(self) -> int | None:
        """The integer, if the term consists of literals only and its value is known; otherwise None."""
        return self.lo if self.literal and self.lo == self.hi else None

    @property
    def natural(self) -> bool:
        """Whether the integer is known to be at least 0."""
        return self.lo is not None and self.lo >= 0

    @property
    def bounded(self) -> bool:
        """Whether both bounds are known."""
        return self.lo is not None and self.hi is not None

    def is_within(self, lo: int, hi: int | None) -> bool:
        """Whether the integer is known to be in lo..hi (None: no upper bound)."""
        return self.lo is not None and lo <= self.lo and (hi is None or (self.hi is not None and self.hi <= hi))


class IntervalAlgebra:
    """Arithmetic on intervals. With it, a `Translator` computes an interval for each term."""

    words = "natural numbers"

    @property
    def operations(self) -> Mapping[str, Callable[..., Interval]]:
        return {
            "add": self.add, "sub": self.sub, "mul": self.mul, "neg": self.neg,
            "floordiv": self.floordiv, "mod": self.mod, "nim": self.nim,
            "bit_and": self.bit_and,
        }  # fmt: skip

    def literal(self, value: int) -> Interval:
        return Interval(value, value, literal=True)

    # -- arithmetic ---------------------------------------------------------------------------------------------------
    def add(self, a: Interval, b: Interval) -> Interval:
        return _join(a, b, _sum(a.lo, b.lo), _sum(a.hi, b.hi))

    def neg(self, a: Interval) -> Interval:
        return Interval(_minus(a.hi), _minus(a.lo), a.literal)

    def sub(self, a: Interval, b: Interval) -> Interval:
        return self.add(a, self.neg(b))

    def mul(self, a: Interval, b: Interval) -> Interval:
        """Return an interval that contains a * b.

        A bound is known in three cases: both factors have both bounds; one factor is constant and the other has a
        bound; or no factor can be negative.

        >>> above = Interval(1)
        >>> IntervalAlgebra().mul(above, above).lo, IntervalAlgebra().mul(IntervalAlgebra().literal(-2), above).hi
        (1, -2)
        """
        return _join(a, b, *_product(a, b))

    def floordiv(self, a: Interval, b: Interval) -> Interval:
        """Return an interval that contains a // b. Raises Unsupported unless b is a positive literal."""
        by = _divisor("division", b)
        return _join(a, b, *(None if x is None else x // by for x in (a.lo, a.hi)))

    def mod(self, a: Interval, b: Interval) -> Interval:
        """Return an interval that contains a % b. Raises Unsupported unless b is a positive literal."""
        by = _divisor("remainder", b)
        return Interval(0, by - 1) if a.value is None else self.literal(a.value % by)

    # -- binary digits ------------------------------------------------------------------------------------------------
    def nim(self, a: Interval, b: Interval) -> Interval:
        """Return an interval that contains the nim-sum of a and b. Raises Unsupported if a or b may be negative."""
        _refuse_negative("a nim-sum", a, b)
        if a.value is not None and b.value is not None:
            return self.literal(a.value ^ b.value)
        return Interval(0, None if a.hi is None or b.hi is None else (1 << max(a.hi, b.hi).bit_length()) - 1)

    def bit_and(self, a: Interval, b: Interval) -> Interval:
        """Return an interval that contains a & b. Raises Unsupported if one of them may be negative."""
        _refuse_negative("bit_and", a, b)
        if a.value is not None and b.value is not None:
            return self.literal(a.value & b.value)
        return Interval(0, min((x for x in (a.hi, b.hi) if x is not None), default=None))

    # -- conditions ---------------------------------------------------------------------------------------------------
    def choose(self, condition: Truth, a: Interval, b: Interval) -> Interval:
        """Return a or b, as the condition decides; if it is unknown (None), an interval that contains both."""
        if condition is not None:
            return a if condition else b
        lo = None if a.lo is None or b.lo is None else min(a.lo, b.lo)
        hi = None if a.hi is None or b.hi is None else max(a.hi, b.hi)
        return _join(a, b, lo, hi)

    def extreme(self, op: str, numbers: Sequence[Interval]) -> Interval:
        """Return an interval that contains the "largest" or the "smallest" (`op`) of some numbers.

        >>> IntervalAlgebra().extreme("largest", (Interval(), Interval(0, 0)))
        Interval(lo=0, hi=None, literal=False)
        """
        lo, hi = bounds_of_extreme(op, ((x.lo, x.hi) for x in numbers))
        return Interval(lo, hi, all(x.literal for x in numbers))

    def relation(self, op: str, a: Interval, b: Interval) -> Truth:
        return None if a.value is None or b.value is None else COMPARE[op](a.value, b.value)

    def constant(self, value: bool) -> Truth:
        return value

    def conjunction(self, parts: Sequence[Truth]) -> Truth:
        return False if False in parts else None if None in parts else True

    def disjunction(self, parts: Sequence[Truth]) -> Truth:
        return True if True in parts else None if None in parts else False

    def negate(self, x: Truth) -> Truth:
        return None if x is None else not x

    def iff(self, a: Truth, b: Truth) -> Truth:
        return None if a is None or b is None else a is b

    def decide(self, condition: Truth, a: Truth, b: Truth) -> Truth:
        return None if condition is None else a if condition else b


def intervals_of(symbols: Mapping[str, Symbol]) -> Translator[Interval, Truth]:
    """Return an object that computes an interval for each term. Its methods raise Unsupported for some terms.

    `symbols`: the variables by name, with their bounds. Variables that are added to the mapping later are known too.
    """
    numbers = Typed(symbols, False, lambda s: Interval(s.lo, s.hi))
    return Translator(IntervalAlgebra(), numbers, Typed(symbols, True, _give_unknown))


def read_binary_digits(term: t.Operation, intervals: Translator[Interval, Truth]) -> t.Operation:
    """Return a nim-sum or bit_and with max(x, 0) instead of each operand x that may be negative.

    `intervals`: the result of `intervals_of`, which knows the bounds of the operands.
    """
    return replace(term, args=tuple(x if intervals.number(x).natural else largest(x, ZERO) for x in term.args))


def _give_unknown(_: Symbol) -> Truth:
    return None


def _join(a: Interval, b: Interval, lo: int | None, hi: int | None) -> Interval:
    return Interval(lo, hi, a.literal and b.literal)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _minus(a: int | None) -> int | None:
    return None if a is None else -a


def _product(a: Interval, b: Interval) -> tuple[int | None, int | None]:
    if a.lo is not None and a.hi is not None and b.lo is not None and b.hi is not None:
        ends = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
        return min(ends), max(ends)
    for one, other in ((a, b), (b, a)):
        if one.lo is not None and one.lo == one.hi:
            ends_of = (other.lo, other.hi) if one.lo > 0 else (other.hi, other.lo)
            low, high = (None if x is None else one.lo * x for x in ends_of)
            return (low, high) if one.lo else (0, 0)
    if a.lo is not None and b.lo is not None and min(a.lo, b.lo) >= 0:
        return a.lo * b.lo, None
    return None, None


def _divisor(what: str, b: Interval) -> int:
    if b.value is None or b.value <= 0:
        raise Unsupported(f"a {what} whose divisor is not a positive literal number")
    return b.value


def _refuse_negative(what: str, *numbers: Interval) -> None:
    if not all(x.natural for x in numbers):
        raise Unsupported(f"{what} of a number that may be negative")
