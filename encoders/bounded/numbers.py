"""Integers of a scope as bit-vectors with bounds, positions as ascending rows of them, collections of either."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import z3

from encoders.answer import Unsupported
from encoders.bounded.words import LIMIT, Number, Symbols

Position = tuple[Number, ...]  # ascending; what is 0 is no heap


@dataclass(frozen=True)
class Items:
    """The elements of a list or set with whether each is there; a set may hold one several times."""

    kind: str
    items: tuple[tuple[Any, Any], ...]


class Exact(Symbols):
    """As `Symbols`, with Python's division and with variables between any bounds."""

    def between(self, name: str, low: int, high: int) -> tuple[Number, Any]:
        """A fresh integer low..high, and that condition. Raises Unsupported beyond 63 bits."""
        if low < -LIMIT or high >= LIMIT:
            raise Unsupported(f"{name} needs more than 63 bits")
        expr = z3.BitVec(self._name(name), 64, self.context)
        return Number("size", expr, low, high), z3.And(expr >= low, expr <= high)

    def divided(self, a: Number, b: Number) -> tuple[Number, Number]:
        """(a // b, a % b), rounded down as in Python; of no meaning where b is 0."""
        x, y = a.as_kind("size"), b.as_kind("size")
        quotient, rest = x / y, z3.SRem(x, y)
        down = z3.And(rest != 0, (rest < 0) != (y < 0))
        most, by = max(abs(a.lo), abs(a.hi)) + 1, max(abs(b.lo), abs(b.hi))
        first = self._made("size", lambda _: z3.If(down, quotient - 1, quotient), -most, most)
        low, high = (0, max(by - 1, 0)) if b.lo >= 0 else (-by, by)
        return first, self._made("size", lambda _: z3.If(down, rest + y, rest), low, high)

    def same(self, a: Number, b: Number) -> Any:
        return self.relation("eq", a, b)

    def ordered(self, numbers: list[Number]) -> Position:
        """The numbers in ascending order."""
        row = list(numbers)
        for end in range(len(row) - 1, 0, -1):
            for i in range(end):
                swap = self.relation("gt", row[i], row[i + 1])
                row[i], row[i + 1] = self.choose(swap, row[i + 1], row[i]), self.choose(swap, row[i], row[i + 1])
        return tuple(row)

    def same_positions(self, s: Position, u: Position) -> Any:
        zero = self.literal(0)
        width = max(len(s), len(u))
        pairs = zip((zero,) * (width - len(s)) + s, (zero,) * (width - len(u)) + u, strict=True)
        return z3.And(*(self.same(a, b) for a, b in pairs), z3.BoolVal(True, self.context))

    def ascending(self, s: Position) -> Any:
        return z3.And(*(self.relation("le", a, b) for a, b in pairwise(s)), z3.BoolVal(True, self.context))
