"""Binary places: place i as the number 2^i, with a 1 there alone.

A number x has a 1 at the place p just if nim-addition of p makes it smaller, and p is its highest just if that leaves
less than p.  In a proof with a bound only places that a number below 2^62 can have are told apart: at the others it has
no 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import structural_key
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.logic.reader import Entailment
from encoders.logic.sequent import Symbols
from encoders.logic.terms import (  # fmt: skip
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    integer,
    less_than,
    negation,
    nim,
    sub,
)
from encoders.rules.folds.numbers.intervals import Interval

Tell = Callable[[t.Term], None]
IntervalOf = Callable[[t.Term], Interval]
HIGHEST_PLACE = 61  # of numbers below 2^62
NO_SIZES = "leave out the line `sizes`"
FARTHEST_PLACE = 1000  # that a term may name, for it is written out


def is_single(place: t.Term) -> t.Term:
    """That a number above 0 has one 1: it has none in common with what is one less.

    A nim-sum is a sum just where no place is common: p ^ (p - 1) == p + (p - 1).
    """
    before = sub(place, ONE)
    return equal(nim(place, before), add(place, before))


def any_place(symbols: Symbols, highest: int | None) -> tuple[t.Variable, t.Term]:
    """A fresh binary place, as the number with a 1 there alone, and that it is one. `highest`: the largest number."""
    place = symbols.integer("place", 1, highest)
    return place, is_single(place)


def has(number: t.Term, place: t.Term) -> t.Term:
    """Whether a number has a 1 at a place: then nim-addition of that makes it smaller."""
    return less_than(nim(number, place), number)


def is_highest(place: t.Term, number: t.Term) -> t.Term:
    """Whether a number has its highest 1 at a place: without it less is left than the place."""
    return less_than(nim(number, place), place)


@dataclass(frozen=True, eq=False)
class _BinaryPlace:
    """`power` is 2^index where `exists`: the index is that of a place."""

    index: t.Term
    exists: t.Term
    power: t.Term

    def beside(self, other: _BinaryPlace) -> t.Term:
        """Of two places the higher is the larger number."""
        same = iff(equal(self.index, other.index), equal(self.power, other.power))
        lower = iff(less_than(self.index, other.index), less_than(self.power, other.power))
        return implies(conjunction(self.exists, other.exists), conjunction(same, lower))


class BinaryPlaces:
    """The places that one sequent speaks of, each once. `tell` takes what is known of them.

    `bounded`: all numbers lie below 2^62, so that there is a last place.
    """

    def __init__(self, symbols: Symbols, interval_of: IntervalOf, tell: Tell, bounded: bool) -> None:
        self.symbols, self.interval_of, self.tell = symbols, interval_of, tell
        self.last = HIGHEST_PLACE if bounded else None
        self._made: dict[Hashable, _BinaryPlace] = {}
        self._highest: dict[Hashable, t.Variable] = {}

    @property
    def used(self) -> bool:
        """Whether the highest place of some number was asked for."""
        return bool(self._highest)

    def digit(self, term: t.Operation, of: t.Operation) -> t.Term:
        """`bit(x, i)` of the file, as it has been read: 0 or 1. Raises Unsupported for what may leave the bound."""
        number, index = term.args
        self._refuse_outside(term, of)
        place = self._place(index)
        return choose(conjunction(place.exists, has(number, place.power)), ONE, ZERO)

    def highest(self, term: t.Operation, of: t.Operation) -> t.Term:
        """`top_bit(x)`: the index of its highest place, if it is above 0. Raises Unsupported as `digit` does."""
        (number,) = term.args
        self._refuse_outside(term, of)
        key = structural_key(number)
        if key not in self._highest:
            self._highest[key] = index = self.symbols.integer("highest place", 0, self.last, aside=True)
            self.tell(implies(at_least(number, ONE), is_highest(self._place(index).power, number)))
        return self._highest[key]

    def _place(self, index: t.Term) -> _BinaryPlace:
        key = structural_key(index)
        if key not in self._made:
            made = self._new(index)
            for other in self._made.values():
                self.tell(made.beside(other))
            self._made[key] = made
        return self._made[key]

    def _new(self, index: t.Term) -> _BinaryPlace:
        last = self.last
        exists = conjunction(at_least(index, ZERO), *(() if last is None else (at_most(index, integer(last)),)))
        value = self.interval_of(index).value
        if value is not None and last is not None:
            return _BinaryPlace(index, exists, integer(1 << min(max(value, 0), last)))
        if value is not None:
            if value > FARTHEST_PLACE:
                raise Unsupported(f"the place {value}: a proof names places up to {FARTHEST_PLACE}")
            return _BinaryPlace(index, exists, integer(1 << max(value, 0)))
        power = self.symbols.integer("place", 1, None if last is None else 1 << last, aside=True)
        self.tell(is_single(power))
        return _BinaryPlace(index, exists, power)

    def _refuse_outside(self, term: t.Operation, of: t.Operation) -> None:
        """Of numbers that are natural by now."""
        highest = None if self.last is None else (1 << self.last + 1) - 1
        for number, its in zip(term.args, of.args, strict=True):
            if not self.interval_of(number).within(0, highest):
                raise Unsupported(f"{print_term(of)}: {print_term(its)} may leave 0 .. 2^62 - 1", instead=NO_SIZES)


# -- the obligations --------------------------------------------------------------------------------------------------
def pose_first() -> Entailment:
    """1 has a highest place: 1."""
    return Entailment((), conjunction(is_single(ONE), is_highest(ONE, ONE)))


def pose_next(symbols: Symbols, bounded: bool) -> Entailment:
    """If x from 1 on has a highest place, x + 1 has it too, or the next."""
    x = symbols.integer("x", 1, (1 << HIGHEST_PLACE + 1) - 2 if bounded else None)
    place = symbols.integer("place", 1, 1 << HIGHEST_PLACE if bounded else None)
    after, doubled = add(x, ONE), add(place, place)
    ways = (conjunction(is_single(p), is_highest(p, after)) for p in (place, doubled))
    return Entailment((is_single(place), is_highest(place, x)), disjunction(*ways))


# -- the pick of the top bit ------------------------------------------------------------------------------------------
def pose_column(symbols: Symbols, highest: int | None) -> Entailment:
    """A nim-sum has a 1 exactly where an odd number of its terms has: of no term none has; one term more keeps it."""
    place, single = any_place(symbols, highest)
    rest, term = symbols.integer("nim-sum of the rest", 0, highest), symbols.integer("term", 0, highest)
    odd = symbols.truth("an odd number of the rest", aside=False)
    after = iff(odd, negation(has(term, place)))
    return Entailment((single, iff(has(rest, place), odd)), iff(has(nim(rest, term), place), after))


def pose_lowered(symbols: Symbols, highest: int | None) -> Entailment:
    """A term with a 1 at the highest place of the nim-sum becomes smaller by nim-addition of that."""
    place, single = any_place(symbols, highest)
    whole, term = symbols.integer("nim-sum", 0, highest), symbols.integer("term", 0, highest)
    return Entailment((single, is_highest(place, whole), has(term, place)), less_than(nim(term, whole), term))


def pose_aimed(symbols: Symbols, highest: int | None) -> Entailment:
    """At the highest place where a number differs from a smaller one it has a 1."""
    place, single = any_place(symbols, highest)
    whole, aim = symbols.integer("nim-sum", 0, highest), symbols.integer("smaller number", 0, highest)
    return Entailment((single, less_than(aim, whole), is_highest(place, nim(whole, aim))), has(whole, place))
