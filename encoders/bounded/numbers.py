"""Integers of a scope as words with bounds, with Python's division; positions as ascending rows of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from encoders.logic.smt import formulas as smtlib
from encoders.logic.smt.formulas import WORD, Formula, conditional, conjunction
from encoders.logic.smt.words import Kind, Number, Words

Position = tuple[Number, ...]
"""Ascending; what is 0 is no heap."""


class Exact(Words):
    """As `Words`, with division of any two integers, absolute values, and rows of numbers."""

    words = "constraints"

    @property
    def operations(self) -> Mapping[str, Callable[..., Number]]:
        return {**super().operations, "abs": self.absolute}

    def absolute(self, a: Number) -> Number:
        return self.choose(self.relation("lt", a, self.literal(0)), self.neg(a), a)

    def floordiv(self, a: Number, b: Number) -> Number:
        """a // b, rounded down as in Python; of no meaning where b is 0.

        >>> exact = Exact()
        >>> exact.floordiv(exact.literal(-7), exact.literal(2)).value
        -4
        """
        if a.value is not None and b.value:
            return self.literal(a.value // b.value)
        if a.lo >= 0 and b.value is not None and b.value > 0:
            return super().floordiv(a, b)
        quotient, _, down = _divide(a, b)
        most = max(abs(a.lo), abs(a.hi)) + 1
        one = smtlib.word(1)
        return make_word(conditional(down, smtlib.apply("bvsub", WORD, quotient, one), quotient), -most, most)

    def mod(self, a: Number, b: Number) -> Number:
        """a % b, with the sign of b as in Python; of no meaning where b is 0."""
        if a.value is not None and b.value:
            return self.literal(a.value % b.value)
        if a.lo >= 0 and b.value is not None and b.value > 0:
            return super().mod(a, b)
        _, rest, down = _divide(a, b)
        by = max(abs(b.lo), abs(b.hi))
        low, high = (0, max(by - 1, 0)) if b.lo >= 0 else (-by, by)
        return make_word(conditional(down, smtlib.apply("bvadd", WORD, rest, b.as_kind(Kind.WORD)), rest), low, high)

    def equal(self, a: Number, b: Number) -> Formula:
        return self.relation("eq", a, b)

    # -- positions ----------------------------------------------------------------------------------------------------
    def sort(self, numbers: Sequence[Number]) -> Position:
        """The numbers in ascending order."""
        row = list(numbers)
        for end in range(len(row) - 1, 0, -1):
            for i in range(end):
                swap = self.relation("gt", row[i], row[i + 1])
                row[i], row[i + 1] = self.choose(swap, row[i + 1], row[i]), self.choose(swap, row[i], row[i + 1])
        return tuple(row)

    def align(self, s: Position, u: Position) -> list[tuple[Number, Number]]:
        """The heaps of two positions side by side; what one has more stands beside 0."""
        width, zero = max(len(s), len(u)), (self.literal(0),)
        return list(zip(zero * (width - len(s)) + s, zero * (width - len(u)) + u, strict=True))

    def equal_positions(self, s: Position, u: Position) -> Formula:
        return conjunction(self.equal(a, b) for a, b in self.align(s, u))

    def ascending(self, s: Position) -> Formula:
        """Whether the heaps are in order."""
        return conjunction(self.relation("le", a, b) for a, b in pairwise(s))


def _divide(a: Number, b: Number) -> tuple[Formula, Formula, Formula]:
    """(quotient, remainder) towards 0, and whether rounding down takes one off the quotient."""
    x, y, zero = a.as_kind(Kind.WORD), b.as_kind(Kind.WORD), smtlib.word(0)
    quotient, rest = smtlib.apply("bvsdiv", WORD, x, y), smtlib.apply("bvsrem", WORD, x, y)
    signs = [smtlib.apply("bvslt", smtlib.BOOLEAN, v, zero) for v in (rest, y)]
    down = conjunction((smtlib.negated(smtlib.equal(rest, zero)), smtlib.negated(smtlib.equal(*signs))))
    return quotient, rest, down


def make_word(formula: Formula, lo: int, hi: int) -> Number:
    """The number that a word stands for, lo <= it <= hi wherever it matters."""
    return Number(Kind.WORD, lambda _: formula, lo, hi)
