"""Positions of few heaps: all of them written down in ascending order, 0 where there is none."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations

from claims.language.expressions import terms as t
from claims.language.expressions.walk import identity
from encoders.logic.moves import OpenMove
from encoders.logic.terms import ONE, ZERO, add, at_least, at_most, both, choose, either, equal

Sizes = tuple[t.Term, ...]


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


def arrangements(kept: Sizes, new: Sizes) -> Iterator[Sizes]:
    """The orders of both together in which `kept`, ascending, stay in their order: an ascending one is among them."""
    total = len(kept) + len(new)
    seen: set[Hashable] = set()
    for places in permutations(range(total), len(new)):
        there = dict(zip(places, new, strict=True))
        rest = iter(kept)
        order = tuple(there[i] if i in there else next(rest) for i in range(total))
        key = tuple(map(identity, order))
        if key not in seen:
            seen.add(key)
            yield order


def sorted_as(sizes: Sizes, items: Sizes) -> t.Term:
    """That `sizes` are the items in ascending order. Whatever numbers the items are, just one choice of sizes is."""
    orders = arrangements((), items)
    ways = (both(*(equal(x, y) for x, y in zip(sizes, order, strict=True))) for order in orders)
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


def after(sizes: Sizes, places: tuple[int, ...], becomes: Sizes) -> Iterator[tuple[t.Term, Sizes]]:
    """What is left where the heaps at the places become others: (where this is its ascending order, its sizes)."""
    kept = tuple(size for i, size in enumerate(sizes) if i not in places)
    gone = (ZERO,) * (len(places) - len(becomes))
    for order in arrangements(kept, (*becomes, *gone)):
        yield ascending(order), order
