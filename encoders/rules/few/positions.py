"""Positions of few heaps: all of them written down in ascending order, 0 where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations

from claims.language.expressions import terms as t
from encoders.logic.moves import OpenMove
from encoders.logic.terms import ONE, ZERO, add, at_least, at_most, both, choose, either, equal

Sizes = tuple[t.Term, ...]
Order = tuple[int | None, ...]
"""Heaps after a move: one that was at a place and stays so, -1, -2, ... for those that others became, None for none."""


@dataclass(frozen=True, eq=False)
class Heaps:
    """A position. `sizes`: of its largest heaps, ascending, 0 where there is none; `more`: how many more it has."""

    sizes: Sizes
    more: t.Term = ZERO


def ascending(sizes: Sizes) -> t.Term:
    """Whether they are in ascending order, equal ones included."""
    return both(*(at_most(x, y) for x, y in pairwise(sizes)))


def count(sizes: Sizes) -> t.Term:
    """How many heaps there are."""
    number: t.Term = ZERO
    for size in sizes:
        number = add(number, choose(at_least(size, ONE), ONE, ZERO))
    return number


def at_place(sizes: Sizes, place: int) -> t.Term:
    """The heap at a place from 0 on, the least first; 0 where there are no more."""
    found: t.Term = ZERO
    for first in reversed(range(len(sizes))):
        here = sizes[first + place] if first + place < len(sizes) else ZERO
        found = choose(at_least(sizes[first], ONE), here, found)
    return found


def sorted_as(sizes: Sizes, items: Sizes) -> t.Term:
    """That `sizes` are the items in ascending order. Whatever numbers the items are, just one choice of sizes is."""
    ways = (both(*(equal(x, y) for x, y in zip(sizes, order, strict=True))) for order in permutations(items))
    return both(either(*ways), ascending(sizes))


# -- moves ------------------------------------------------------------------------------------------------------------
def choices(move: OpenMove, heaps: int) -> Iterator[tuple[int, ...]]:
    """The ways to choose heaps for a move, by their places."""
    return permutations(range(heaps), len(move.heaps))


def may_choose(move: OpenMove, sizes: Sizes, places: tuple[int, ...]) -> t.Term:
    """Whether there are heaps at these places, and the move may choose them."""
    there: list[t.Term] = [at_least(sizes[i], ONE) for i in places]
    for i in places:
        if move.choose == "largest":
            there.append(equal(sizes[i], sizes[-1]))
        elif move.choose == "smallest":
            there += (either(equal(other, ZERO), at_most(sizes[i], other)) for other in sizes[:i])
    return both(*there)


def orders(heaps: int, places: tuple[int, ...], new: int) -> Iterator[Order]:
    """The orders of what is left where the heaps at the places become `new` others; the rest stays in its order.

    One of these orders ascends, and all that do are the same position.  A single heap that becomes another is smaller
    then, by the measure: it does not come to stand behind one that it stood before.
    """
    kept = [i for i in range(heaps) if i not in places]
    made = [*(-1 - i for i in range(new)), *[None] * (len(places) - new)]
    seen: set[Order] = set()
    last = places[0] if len(places) == new == 1 else heaps
    for at in permutations(range(heaps), len(made)):
        if any(place > last for place in at):
            continue
        there = dict(zip(at, made, strict=True))
        rest = iter(kept)
        order = tuple(there[i] if i in there else next(rest) for i in range(heaps))
        if order not in seen:
            seen.add(order)
            yield order


def after(sizes: Sizes, becomes: Sizes, order: Order) -> Sizes:
    """What is left, told in that order."""
    return tuple(ZERO if i is None else sizes[i] if i >= 0 else becomes[-1 - i] for i in order)
