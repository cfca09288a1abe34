"""What terms stand for within a scope: numbers, truth values, positions, and collections of such values.

A collection lists all elements that it may have, each with the condition under which it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from encoders.bounded.numbers import Exact, Needs, Position
from encoders.ground.refusals import Unsupported
from encoders.logic.smt.formulas import (
    FALSE,
    TRUE,
    SmtFormula,
    are_equal,
    conditional,
    conjunction,
    disjunction,
    implies,
    negated,
)
from encoders.logic.smt.words import SmtNumber

MAX_ITEMS = 400  # elements of one collection, most of them perhaps not there
MOST_COMPARED = 60  # elements of a set of which each is compared with each


@dataclass(frozen=True, eq=False)
class Items:
    """The elements of a list or set with whether each is there; a set may hold one several times."""

    kind: str
    items: Elements


Value: TypeAlias = "SmtNumber | SmtFormula | Position | Items"
Elements: TypeAlias = "tuple[tuple[SmtFormula, Value], ...]"


def as_number(x: Value) -> SmtNumber:
    """The value of an Int, a Player, an Outcome."""
    assert isinstance(x, SmtNumber)
    return x


def as_truth(x: Value) -> SmtFormula:
    """The value of a Bool."""
    assert isinstance(x, SmtFormula)
    return x


def as_position(x: Value) -> Position:
    """The value of a Position."""
    assert isinstance(x, tuple)
    return x


class SymbolicOperations:
    """Makes values of values; what that needs it notes."""

    def __init__(self, needs: Needs, numbers: Exact) -> None:
        self.needs, self.numbers = needs, numbers
        self.zero, self.one = self.numbers.literal(0), self.numbers.literal(1)

    def natural(self, x: SmtNumber, where: SmtFormula = TRUE) -> SmtNumber:
        """The number where it is not negative, which is needed there; else 0."""
        if x.lo >= 0:
            return self.numbers.choose(where, x, self.zero)
        natural = self.numbers.relation("ge", x, self.zero)
        self.needs.require(implies(where, natural))
        made = self.numbers.choose(conjunction((where, natural)), x, self.zero)
        return made.narrowed(0, max(made.hi, 0))

    def choose(self, condition: SmtFormula, a: Value, b: Value) -> Value:
        """a where the condition holds, else b; both are of one type."""
        if condition is TRUE or condition is FALSE:
            return a if condition is TRUE else b
        if isinstance(a, SmtNumber):
            return self.numbers.choose(condition, a, as_number(b))
        if isinstance(a, SmtFormula):
            return conditional(condition, a, as_truth(b))
        if isinstance(a, Items):
            assert isinstance(b, Items)
            sides = ((condition, a), (negated(condition), b))
            return Items(a.kind, tuple((conjunction((side, p)), v) for side, x in sides for p, v in x.items))
        pairs = self.numbers.align(a, as_position(b))
        return tuple(self.numbers.choose(condition, g, h) for g, h in pairs)

    def same(self, x: Value, y: Value) -> SmtFormula:
        """Whether both are equal. Raises Unsupported for lists."""
        if isinstance(x, SmtNumber):
            return self.numbers.equal(x, as_number(y))
        if isinstance(x, SmtFormula):
            return are_equal(x, as_truth(y))
        if isinstance(x, Items):
            assert isinstance(y, Items)
            if x.kind != "set" or y.kind != "set":
                raise Unsupported("the equality of two lists")
            return conjunction((self.includes(y, x), self.includes(x, y)))
        return self.numbers.equal_positions(x, as_position(y))

    def includes(self, x: Items, y: Items) -> SmtFormula:
        """Whether every element of y is one of x."""
        return conjunction(implies(p, self.contains(x.items, v)) for p, v in y.items)

    def contains(self, elements: Elements, x: Value) -> SmtFormula:
        """Whether x is one of the elements."""
        return disjunction(conjunction((p, self.same(v, x))) for p, v in elements)

    def elements(self, x: Value) -> Elements:
        """The elements of a collection, or the heaps of a position."""
        return x.items if isinstance(x, Items) else self.heaps(as_position(x))

    def heaps(self, s: Position) -> Elements:
        """The heaps of a position, with whether they are there."""
        return tuple((self.numbers.relation("gt", h, self.zero), h) for h in s)

    def range(self, low: SmtNumber, after: SmtNumber) -> Items:
        """The integers from low on, before `after`. Raises Unsupported for very many."""
        if after.hi - low.lo > MAX_ITEMS:
            raise Unsupported(f"a range of up to {after.hi - low.lo} integers")
        n = self.numbers
        inside = [
            (conjunction((n.relation("ge", i, low), n.relation("lt", i, after))), i)
            for i in map(n.literal, range(low.lo, after.hi))
        ]
        return Items("list", tuple((p, i) for p, i in inside if p is not FALSE))

    # -- counting -----------------------------------------------------------------------------------------------------
    def count(self, elements: Elements) -> SmtNumber:
        """How many of them are there."""
        total = self.zero
        for present, _ in elements:
            total = self.numbers.add(total, self.numbers.choose(present, self.one, self.zero))
        return total

    def once(self, x: Items) -> Elements:
        """The elements, those of a set once each. Raises Unsupported for large sets."""
        if x.kind != "set":
            return x.items
        if len(x.items) > MOST_COMPARED:
            raise Unsupported(f"the number of different ones among {len(x.items)} elements")
        kept: list[tuple[SmtFormula, Value]] = []
        for p, v in x.items:
            kept.append((conjunction((p, negated(self.contains(tuple(kept), v)))), v))
        return tuple(kept)

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, heaps: Elements) -> Position:
        """The position of these heaps, none of which may be negative."""
        return self.numbers.sort([self.natural(as_number(v), p) for p, v in heaps])

    def replace(self, s: Position, heap: SmtNumber, size: SmtNumber) -> Position:
        """The position with one heap of the given size, which must be there, replaced by another."""
        n = self.numbers
        made: list[SmtNumber] = []
        before = FALSE  # whether the heap has been replaced already
        for h in s:
            here = conjunction((n.equal(h, heap), negated(before), n.relation("gt", h, self.zero)))
            made.append(n.choose(here, self.natural(size, here), h))
            before = disjunction((before, here))
        self.needs.require(before)
        return n.sort(made)

    def index(self, s: Position, i: SmtNumber) -> SmtNumber:
        """The i-th heap, from the smallest and from 0; it must be there."""
        n = self.numbers
        count = self.count(self.heaps(s))
        self.needs.require(n.relation("ge", i, self.zero), n.relation("lt", i, count))
        absent = n.sub(n.literal(len(s)), count)  # heaps of 0 come first
        found = self.zero
        for place, h in enumerate(s):
            found = n.choose(n.equal(n.literal(place), n.add(absent, i)), h, found)
        return found
