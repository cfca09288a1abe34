"""The shape of a position: how many heaps, the least, how often it occurs, the largest. Folds over any number of heaps.

Where a proof wants it, the heaps themselves belong to the shape of a position that has few.

The shape of {h} + R follows from h and the shape of R (`beside`), and all shapes of positions satisfy `possible`; both
are obligations of the rule, proved by induction on the number of heaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from claims.language.expressions import terms as t
from encoders.logic.terms import (
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    below,
    both,
    choose,
    compare,
    either,
    equal,
    iff,
    implies,
    integer,
    negation,
)  # fmt: skip
from encoders.rules.value.section import names


@dataclass(frozen=True, eq=False)
class Shape:
    """Integers of a sequent; all 0 for the empty position.

    `sizes`: as many as a proof wants, the heaps in ascending order, then 0; all 0 for a position with more heaps.
    """

    heaps: t.Term
    least: t.Term
    times: t.Term
    largest: t.Term
    sizes: tuple[t.Term, ...] = ()

    @property
    def parts(self) -> tuple[t.Term, ...]:
        return (self.heaps, self.least, self.times, self.largest, *self.sizes)

    def env(self) -> dict[str, object]:
        """The parts by the names that a formula calls them."""
        return dict(zip(names(len(self.sizes)), self.parts, strict=True))


def of_parts(parts: Iterable[t.Term]) -> Shape:
    heaps, least, times, largest, *sizes = parts
    return Shape(heaps, least, times, largest, tuple(sizes))


def empty(ordered: int = 0) -> Shape:
    """The shape of no heap."""
    return Shape(ZERO, ZERO, ZERO, ZERO, (ZERO,) * ordered)


def possible(s: Shape) -> t.Term:
    """What holds of the shape of every position."""
    some = both(
        at_least(s.heaps, ONE),
        at_least(s.least, ONE),
        at_least(s.times, ONE),
        at_most(s.times, s.heaps),
        at_least(s.largest, s.least),
        iff(equal(s.times, s.heaps), equal(s.largest, s.least)),
    )
    none = both(*(equal(part, ZERO) for part in s.parts))
    in_order = (implies(equal(s.heaps, integer(count)), x) for count, x in _in_order(s))
    return both(either(none, some), *in_order, _too_many(s))


def _in_order(s: Shape) -> Iterator[tuple[int, t.Term]]:
    """For each number of heaps: what holds of the sizes of so many."""
    for count in range(1, len(s.sizes) + 1):
        used, rest = s.sizes[:count], s.sizes[count:]
        ascending = [at_most(a, b) for a, b in pairwise(used)]
        least = reduce(add, (choose(equal(x, s.least), ONE, ZERO) for x in used))
        ends = [equal(used[0], s.least), equal(used[-1], s.largest), equal(least, s.times)]
        yield count, both(*ascending, *ends, *(equal(x, ZERO) for x in rest))


def _too_many(s: Shape) -> t.Term:
    return implies(compare("gt", s.heaps, integer(len(s.sizes))), both(*(equal(x, ZERO) for x in s.sizes)))


def beside(rest: Shape, heap: t.Term) -> Shape:
    """The shape of the rest with one more heap, `heap` >= 1."""
    alone = equal(rest.heaps, ZERO)
    lower = either(alone, below(heap, rest.least))
    again = choose(equal(heap, rest.least), add(rest.times, ONE), rest.times)
    return Shape(
        add(rest.heaps, ONE),
        choose(lower, heap, rest.least),
        choose(lower, ONE, again),
        choose(either(alone, compare("gt", heap, rest.largest)), heap, rest.largest),
        tuple(_insert(rest, heap)),
    )


def _insert(rest: Shape, heap: t.Term) -> Iterator[t.Term]:
    """The sizes with one more among them: those up to it stay, the others move on by one."""
    there = [compare("gt", rest.heaps, integer(i)) for i in range(len(rest.sizes))]
    stays = [both(there[i], at_most(x, heap)) for i, x in enumerate(rest.sizes)]
    for i, x in enumerate(rest.sizes):
        moved = heap if i == 0 else choose(both(there[i - 1], negation(stays[i - 1])), rest.sizes[i - 1], heap)
        here = choose(stays[i], x, choose(at_least(rest.heaps, integer(i)), moved, ZERO))
        yield choose(below(rest.heaps, integer(len(rest.sizes))), here, ZERO)


def choose_shape(condition: t.Term, a: Shape, b: Shape) -> Shape:
    """a where the condition holds, else b."""
    return of_parts(choose(condition, x, y) for x, y in zip(a.parts, b.parts, strict=True))
