"""The shape of a position: how many heaps, the least, how often it occurs, the largest. Folds over any number of heaps.

The shape of {h} + R follows from h and the shape of R (`beside`), and all shapes of positions satisfy `possible`; both
are obligations of the rule, proved by induction on the number of heaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import z3


@dataclass(frozen=True, eq=False)
class Shape:
    """Z3 integers; all 0 for the empty position."""

    heaps: Any
    least: Any
    times: Any
    largest: Any

    def env(self) -> dict[str, Any]:
        return {"heaps": self.heaps, "least": self.least, "times": self.times, "largest": self.largest}


def empty(context: z3.Context) -> Shape:
    zero = z3.IntVal(0, context)
    return Shape(zero, zero, zero, zero)


def fresh(context: z3.Context, name: str) -> Shape:
    """A shape with free values."""
    return Shape(*(z3.Int(f"{part} of {name}", context) for part in ("heaps", "least", "times", "largest")))


def possible(s: Shape) -> Any:
    """What holds of the shape of every position."""
    some = z3.And(
        s.heaps >= 1,
        s.least >= 1,
        s.times >= 1,
        s.times <= s.heaps,
        s.largest >= s.least,
        (s.times == s.heaps) == (s.largest == s.least),
    )
    none = z3.And(s.heaps == 0, s.least == 0, s.times == 0, s.largest == 0)
    return z3.Or(none, some)


def beside(rest: Shape, heap: Any) -> Shape:
    """The shape of the rest with one more heap, `heap` >= 1."""
    alone = rest.heaps == 0
    lower = z3.Or(alone, heap < rest.least)
    return Shape(
        rest.heaps + 1,
        z3.If(lower, heap, rest.least),
        z3.If(lower, 1, z3.If(heap == rest.least, rest.times + 1, rest.times)),
        z3.If(z3.Or(alone, heap > rest.largest), heap, rest.largest),
    )


def chosen(condition: Any, a: Shape, b: Shape) -> Shape:
    """a where the condition holds, else b."""
    return Shape(
        z3.If(condition, a.heaps, b.heaps),
        z3.If(condition, a.least, b.least),
        z3.If(condition, a.times, b.times),
        z3.If(condition, a.largest, b.largest),
    )
