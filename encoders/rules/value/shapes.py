"""The shape of a position: how many heaps, the least, how often it occurs, the largest. Folds over any number of heaps.

Where a proof wants it, the heaps themselves belong to the shape of a position that has few.

The shape of {h} + R follows from h and the shape of R (`beside`), and all shapes of positions satisfy `possible`; both
are obligations of the rule, proved by induction on the number of heaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import z3

from claims.language.proofs.value import names


@dataclass(frozen=True, eq=False)
class Shape:
    """Z3 integers; all 0 for the empty position.

    `sizes`: as many as a proof wants, the heaps in ascending order, then 0; all 0 for a position with more heaps.
    """

    heaps: Any
    least: Any
    times: Any
    largest: Any
    sizes: tuple[Any, ...] = ()

    @property
    def parts(self) -> tuple[Any, ...]:
        return (self.heaps, self.least, self.times, self.largest, *self.sizes)

    def env(self) -> dict[str, Any]:
        return dict(zip(names(len(self.sizes)), self.parts, strict=True))


def of_parts(parts: Iterable[Any]) -> Shape:
    heaps, least, times, largest, *sizes = parts
    return Shape(heaps, least, times, largest, tuple(sizes))


def empty(context: z3.Context, ordered: int = 0) -> Shape:
    zero = z3.IntVal(0, context)
    return Shape(zero, zero, zero, zero, (zero,) * ordered)


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
    none = z3.And(*(part == 0 for part in s.parts))
    return z3.And(z3.Or(none, some), *(z3.Implies(s.heaps == count, x) for count, x in _in_order(s)), _too_many(s))


def _in_order(s: Shape) -> Iterator[tuple[int, Any]]:
    """For each number of heaps: what holds of the sizes of so many."""
    for count in range(1, len(s.sizes) + 1):
        used, rest = s.sizes[:count], s.sizes[count:]
        ascending = [a <= b for a, b in pairwise(used)]
        least = z3.Sum(*(z3.If(x == s.least, 1, 0) for x in used), z3.IntVal(0, s.least.ctx))
        ends = [used[0] == s.least, used[-1] == s.largest, least == s.times]
        yield count, z3.And(*ascending, *ends, *(x == 0 for x in rest))


def _too_many(s: Shape) -> Any:
    return z3.Implies(s.heaps > len(s.sizes), z3.And(*(x == 0 for x in s.sizes), z3.BoolVal(True, s.heaps.ctx)))


def beside(rest: Shape, heap: Any) -> Shape:
    """The shape of the rest with one more heap, `heap` >= 1."""
    alone = rest.heaps == 0
    lower = z3.Or(alone, heap < rest.least)
    return Shape(
        rest.heaps + 1,
        z3.If(lower, heap, rest.least),
        z3.If(lower, 1, z3.If(heap == rest.least, rest.times + 1, rest.times)),
        z3.If(z3.Or(alone, heap > rest.largest), heap, rest.largest),
        tuple(_inserted(rest, heap)),
    )


def _inserted(rest: Shape, heap: Any) -> Iterator[Any]:
    """The sizes with one more among them: those up to it stay, the others move on by one."""
    stays = [z3.And(i < rest.heaps, x <= heap) for i, x in enumerate(rest.sizes)]
    for i, x in enumerate(rest.sizes):
        new = heap if i == 0 else z3.If(z3.And(i - 1 < rest.heaps, z3.Not(stays[i - 1])), rest.sizes[i - 1], heap)
        here = z3.If(stays[i], x, z3.If(i <= rest.heaps, new, 0))
        yield z3.If(rest.heaps < len(rest.sizes), here, 0)


def chosen(condition: Any, a: Shape, b: Shape) -> Shape:
    """a where the condition holds, else b."""
    return of_parts(z3.If(condition, x, y) for x, y in zip(a.parts, b.parts, strict=True))
