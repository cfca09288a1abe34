"""Symbolic values: integers, truth values, positions and collections that depend on variables of a solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

from claims.language.errors import NimChecksError
from encoders.logic import smt
from encoders.logic.smt import (
    BOOLEAN,
    FALSE,
    INTEGER,
    LIMIT,
    TRUE,
    WORD,
    Declaration,
    SmtFormula,
    SmtNumber,
    WordKind,
    WordReader,
    are_equal,
    conditional,
    conjunction,
    disjunction,
    implies,
    negate_formula,
)
from encoders.refusals import Unsupported

# == numbers ==========================================================================================================
# Integers of a scope, as words or as integers, with bounds and Python's division; positions as ascending tuples.
# -- definedness ------------------------------------------------------------------------------------------------------
# The conditions under which terms are defined, collected during translation; and its time limit.


class ReadingOutOfTime(NimChecksError):
    """An error: the time for translating the claim and asking the solver is used up."""


@dataclass
class Needs:
    """The conditions under which the terms translated so far are defined, and the time limit.

    `deadline`: the time on `time.process_time()` at which the time is used up; None if there is no limit.
    """

    deadline: float | None = None
    conditions: list[SmtFormula] = field(default_factory=list)

    def require(self, *conditions: SmtFormula) -> None:
        """Add conditions. Inside a block of `assuming`, they are required only under its condition."""
        self.conditions += [x for x in conditions if x is not TRUE]

    @contextmanager
    def assuming(self, condition: SmtFormula) -> Iterator[None]:
        """Return a context manager. Conditions that are added in its block are required only if `condition` is true."""
        with self.apart() as found:
            yield
        self.require(*(implies(condition, x) for x in found))

    @contextmanager
    def apart(self) -> Iterator[list[SmtFormula]]:
        """Return a context manager that yields a new list. Conditions added in its block go only into this list."""
        found: list[SmtFormula] = []
        before, self.conditions = self.conditions, found
        try:
            yield found
        finally:
            self.conditions = before

    @property
    def left(self) -> float | None:
        """The number of seconds until the deadline, negative after it; None if there is no deadline."""
        return None if self.deadline is None else self.deadline - time.process_time()

    def check_time(self) -> None:
        """Raise ReadingOutOfTime if the deadline is past. The translation itself may take longer than the solver."""
        if self.deadline is not None and time.process_time() > self.deadline:
            raise ReadingOutOfTime


# -- numbers ----------------------------------------------------------------------------------------------------------
Position = tuple[SmtNumber, ...]
"""Ascending; an entry 0 is not a heap."""


class Exact(WordReader):
    """Arithmetic on words as in `WordReader`, but with division of any integers, absolute values, and sorting."""

    words = "constraints"

    def free(self, name: str, low: int, high: int) -> tuple[Declaration, SmtNumber, SmtFormula]:
        """Return a new integer from `low` to `high`: (declaration, number, condition that it is in this range).

        Raises Unsupported if it may need more than 63 bits.
        """
        if low < -LIMIT or high >= LIMIT:
            raise Unsupported(f"{name} needs more than 63 bits")
        declared = Declaration(name, WORD)
        symbol = declared.variable()
        at_least = smt.apply("bvsge", BOOLEAN, symbol, smt.word(low))
        at_most = smt.apply("bvsle", BOOLEAN, symbol, smt.word(high))
        return declared, make_word(symbol, low, high), conjunction((at_least, at_most))

    @property
    def operations(self) -> Mapping[str, Callable[..., SmtNumber]]:
        return {**super().operations, "abs": self.absolute}

    def absolute(self, a: SmtNumber) -> SmtNumber:
        return self.choose(self.relation("lt", a, self.literal(0)), self.neg(a), a)

    def floordiv(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """Return a // b, rounded down as in Python. If b is 0, the result may be any number.

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
        one = smt.word(1)
        return make_word(conditional(down, smt.apply("bvsub", WORD, quotient, one), quotient), -most, most)

    def mod(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """Return a % b, which has the sign of b as in Python. If b is 0, the result may be any number."""
        if a.value is not None and b.value:
            return self.literal(a.value % b.value)
        if a.lo >= 0 and b.value is not None and b.value > 0:
            return super().mod(a, b)
        _, rest, down = _divide(a, b)
        by = max(abs(b.lo), abs(b.hi))
        low, high = (0, max(by - 1, 0)) if b.lo >= 0 else (-by, by)
        return make_word(conditional(down, smt.apply("bvadd", WORD, rest, b.as_kind(WordKind.WORD)), rest), low, high)

    def equal(self, a: SmtNumber, b: SmtNumber) -> SmtFormula:
        return self.relation("eq", a, b)

    # -- positions ----------------------------------------------------------------------------------------------------
    def sort(self, numbers: Sequence[SmtNumber]) -> Position:
        """Return the numbers in ascending order, also if their order depends on variables of the solver."""
        row = list(numbers)
        for end in range(len(row) - 1, 0, -1):
            for i in range(end):
                swap = self.relation("gt", row[i], row[i + 1])
                row[i], row[i + 1] = self.choose(swap, row[i + 1], row[i]), self.choose(swap, row[i], row[i + 1])
        return tuple(row)

    def align(self, s: Position, u: Position) -> list[tuple[SmtNumber, SmtNumber]]:
        """Return the heaps of two positions as pairs, in ascending order. Zeros precede the heaps of a shorter one."""
        width, zero = max(len(s), len(u)), (self.literal(0),)
        return list(zip(zero * (width - len(s)) + s, zero * (width - len(u)) + u, strict=True))

    def equal_positions(self, s: Position, u: Position) -> SmtFormula:
        return conjunction(self.equal(a, b) for a, b in self.align(s, u))

    def is_ascending(self, s: Position) -> SmtFormula:
        """Return the formula stating that the heaps are in ascending order."""
        return conjunction(self.relation("le", a, b) for a, b in pairwise(s))


class Whole(Exact):
    """Arithmetic as in `Exact`, on SMT-LIB integers instead of words.

    They have no size limit, and solvers multiply them faster, but they have no binary digits, so no nim-sums.
    """

    words = "integers"

    def free(self, name: str, low: int, high: int) -> tuple[Declaration, SmtNumber, SmtFormula]:
        declared = Declaration(name, INTEGER)
        x = _set_bounds(_integer(declared.variable()), low, high)
        at_least, at_most = self.relation("ge", x, self.literal(low)), self.relation("le", x, self.literal(high))
        return declared, x, conjunction((at_least, at_most))

    def add(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        return _set_bounds(super().add(a, b), a.lo + b.lo, a.hi + b.hi)

    def sub(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        return _set_bounds(super().sub(a, b), a.lo - b.hi, a.hi - b.lo)

    def mul(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return _set_bounds(super().mul(a, b), min(ends), max(ends))

    def choose(self, condition: SmtFormula, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        made = super().choose(condition, a, b)
        return made if made is a or made is b else _set_bounds(made, min(a.lo, b.lo), max(a.hi, b.hi))

    def floordiv(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        if a.value is not None and b.value:
            return self.literal(a.value // b.value)
        x, y, _ = self._make_divisor_positive(a, b)
        most = max(abs(a.lo), abs(a.hi))
        return _set_bounds(_integer(smt.apply("div", INTEGER, x, y)), -most, most)

    def mod(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        if a.value is not None and b.value:
            return self.literal(a.value % b.value)
        x, y, negative = self._make_divisor_positive(a, b)
        rest = _integer(smt.apply("mod", INTEGER, x, y))
        return _set_bounds(self.choose(negative, self.neg(rest), rest), min(b.lo + 1, 0), max(b.hi - 1, 0))

    def _make_divisor_positive(self, a: SmtNumber, b: SmtNumber) -> tuple[SmtFormula, SmtFormula, SmtFormula]:
        """Return (x, y, condition b < 0), where x // y = a // b and y is not negative.

        If b < 0, x and y are -a and -b, because the SMT-LIB operation `div` rounds down only for positive divisors.
        """
        if b.lo >= 0:
            return a.as_kind(WordKind.INTEGER), b.as_kind(WordKind.INTEGER), FALSE
        negative = self.relation("lt", b, self.literal(0))
        x, y = (self.choose(negative, self.neg(n), n) for n in (a, b))
        return x.as_kind(WordKind.INTEGER), y.as_kind(WordKind.INTEGER), negative


def _integer(formula: SmtFormula) -> SmtNumber:
    return SmtNumber(WordKind.INTEGER, lambda _: formula)


def _set_bounds(x: SmtNumber, lo: int, hi: int) -> SmtNumber:
    """Return the number x with the bounds lo <= x <= hi; a literal is returned unchanged."""
    return x if x.value is not None else replace(x, lo=lo, hi=hi)


def _divide(a: SmtNumber, b: SmtNumber) -> tuple[SmtFormula, SmtFormula, SmtFormula]:
    """Return (quotient, remainder, condition) of a division of words that rounds towards 0.

    If the condition is true, the quotient that is rounded down is one less than this quotient.
    """
    x, y, zero = a.as_kind(WordKind.WORD), b.as_kind(WordKind.WORD), smt.word(0)
    quotient, rest = smt.apply("bvsdiv", WORD, x, y), smt.apply("bvsrem", WORD, x, y)
    signs = [smt.apply("bvslt", smt.BOOLEAN, v, zero) for v in (rest, y)]
    down = conjunction((smt.negate_formula(smt.are_equal(rest, zero)), smt.negate_formula(smt.are_equal(*signs))))
    return quotient, rest, down


def make_word(formula: SmtFormula, lo: int, hi: int) -> SmtNumber:
    """Return the number x that a term of sort WORD represents. The caller ensures that lo <= x <= hi."""
    return SmtNumber(WordKind.WORD, lambda _: formula, lo, hi)


# == values ===========================================================================================================
# The values of terms within a scope: numbers, truth values, positions, and collections of such values.
#
# A collection lists all its possible elements, each with the condition that it is present.
MAX_ITEMS = 400  # possible elements of one collection
MOST_COMPARED = 60  # elements of a set whose distinct elements are counted by pairwise comparison


@dataclass(frozen=True, eq=False)
class Items:
    """A symbolic list or set: all its possible elements, each with the condition under which it is an element.

    `kind`: "list", "set", or "position" for the heaps of a position.
    `items`: pairs (condition, element). A set may contain equal elements several times.
    """

    kind: str
    items: Elements


Value: TypeAlias = "SmtNumber | SmtFormula | Position | Items"
Elements: TypeAlias = "tuple[tuple[SmtFormula, Value], ...]"


def as_number(x: Value) -> SmtNumber:
    """Return x as a number. It must be the value of an Int, a Player or an Outcome, which are all numbers."""
    assert isinstance(x, SmtNumber)
    return x


def as_truth(x: Value) -> SmtFormula:
    """Return x as a formula. It must be the value of a Bool."""
    assert isinstance(x, SmtFormula)
    return x


def as_position(x: Value) -> Position:
    """Return x as a position. It must be the value of a Position."""
    assert isinstance(x, tuple)
    return x


class SymbolicOperations:
    """The operations on symbolic values. They record in `needs` the conditions under which they are defined."""

    def __init__(self, needs: Needs, numbers: Exact) -> None:
        self.needs, self.numbers = needs, numbers
        self.zero, self.one = self.numbers.literal(0), self.numbers.literal(1)

    def natural(self, x: SmtNumber, where: SmtFormula = TRUE) -> SmtNumber:
        """Return x if `where` is true and x >= 0, else 0. Record the requirement that x >= 0 if `where` is true."""
        if x.lo >= 0:
            return self.numbers.choose(where, x, self.zero)
        natural = self.numbers.relation("ge", x, self.zero)
        self.needs.require(implies(where, natural))
        made = self.numbers.choose(conjunction((where, natural)), x, self.zero)
        return made.narrow(0, max(made.hi, 0))

    def choose(self, condition: SmtFormula, a: Value, b: Value) -> Value:
        """Return the value that is a if the condition is true, else b. Both must have the same type."""
        if condition is TRUE or condition is FALSE:
            return a if condition is TRUE else b
        if isinstance(a, SmtNumber):
            return self.numbers.choose(condition, a, as_number(b))
        if isinstance(a, SmtFormula):
            return conditional(condition, a, as_truth(b))
        if isinstance(a, Items):
            assert isinstance(b, Items)
            sides = ((condition, a), (negate_formula(condition), b))
            return Items(a.kind, tuple((conjunction((side, p)), v) for side, x in sides for p, v in x.items))
        pairs = self.numbers.align(a, as_position(b))
        return tuple(self.numbers.choose(condition, g, h) for g, h in pairs)

    def same(self, x: Value, y: Value) -> SmtFormula:
        """Return the formula that two values of one type are equal. Raise Unsupported for lists."""
        if isinstance(x, SmtNumber):
            return self.numbers.equal(x, as_number(y))
        if isinstance(x, SmtFormula):
            return are_equal(x, as_truth(y))
        if isinstance(x, Items):
            assert isinstance(y, Items)
            if x.kind != "set" or y.kind != "set":
                raise Unsupported("equality of lists has no translation into constraints")
            return conjunction((self.includes(y, x), self.includes(x, y)))
        return self.numbers.equal_positions(x, as_position(y))

    def includes(self, x: Items, y: Items) -> SmtFormula:
        """Return the formula that every element of the set y is an element of the set x."""
        return conjunction(implies(p, self.contains(x.items, v)) for p, v in y.items)

    def contains(self, elements: Elements, x: Value) -> SmtFormula:
        """Return the formula that x is equal to an element that is present, that is, whose condition is true."""
        return disjunction(conjunction((p, self.same(v, x))) for p, v in elements)

    def elements(self, x: Value) -> Elements:
        """Return the possible elements of a list or set, or the heaps of a position, each with its condition."""
        return x.items if isinstance(x, Items) else self.heaps(as_position(x))

    def heaps(self, s: Position) -> Elements:
        """Return the heaps of a position, each with the condition that it is not 0 and so is really a heap."""
        return tuple((self.numbers.relation("gt", h, self.zero), h) for h in s)

    def range(self, low: SmtNumber, after: SmtNumber) -> Items:
        """Return the integers from `low` to `after` - 1 as a symbolic list. Both bounds may be symbolic.

        Raise Unsupported if the list may be too long.
        """
        if after.hi - low.lo > MAX_ITEMS:
            raise Unsupported(f"a range may contain {after.hi - low.lo} integers; at most {MAX_ITEMS} are supported")
        n = self.numbers
        inside = [
            (conjunction((n.relation("ge", i, low), n.relation("lt", i, after))), i)
            for i in map(n.literal, range(low.lo, after.hi))
        ]
        return Items("list", tuple((p, i) for p, i in inside if p is not FALSE))

    # -- counting -----------------------------------------------------------------------------------------------------
    def count(self, elements: Elements) -> SmtNumber:
        """Return the number of elements whose condition is true."""
        total = self.zero
        for present, _ in elements:
            total = self.numbers.add(total, self.numbers.choose(present, self.one, self.zero))
        return total

    def once(self, x: Items) -> Elements:
        """Return the elements of a list or set, each with its condition.

        Of equal elements of a set, the condition of at most one is true. Raise Unsupported for a set with too many
        possible elements.
        """
        if x.kind != "set":
            return x.items
        if len(x.items) > MOST_COMPARED:
            raise Unsupported(f"a set may have {len(x.items)} elements; at most {MOST_COMPARED} are supported")
        kept: list[tuple[SmtFormula, Value]] = []
        for p, v in x.items:
            kept.append((conjunction((p, negate_formula(self.contains(tuple(kept), v)))), v))
        return tuple(kept)

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, heaps: Elements) -> Position:
        """Return the position with these heaps. Record the requirement that no heap is negative."""
        return self.numbers.sort([self.natural(as_number(v), p) for p, v in heaps])

    def replace(self, s: Position, heap: SmtNumber, size: SmtNumber) -> Position:
        """Return the position s with one heap of the size `heap` replaced by a heap of the size `size`.

        Record the requirements that s has such a heap, and that `size` is not negative.
        """
        n = self.numbers
        made: list[SmtNumber] = []
        before = FALSE  # whether the heap is already replaced
        for h in s:
            here = conjunction((n.equal(h, heap), negate_formula(before), n.relation("gt", h, self.zero)))
            made.append(n.choose(here, self.natural(size, here), h))
            before = disjunction((before, here))
        self.needs.require(before)
        return n.sort(made)

    def index(self, s: Position, i: SmtNumber) -> SmtNumber:
        """Return the heap with the index i in ascending order, from 0. Record the requirement that there is one."""
        n = self.numbers
        count = self.count(self.heaps(s))
        self.needs.require(n.relation("ge", i, self.zero), n.relation("lt", i, count))
        absent = n.sub(n.literal(len(s)), count)  # heaps of 0 come first
        found = self.zero
        for place, h in enumerate(s):
            found = n.choose(n.equal(n.literal(place), n.add(absent, i)), h, found)
        return found
