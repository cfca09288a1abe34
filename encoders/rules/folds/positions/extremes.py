"""The least and the largest heap of a position, and how often each occurs: 0 where there is no heap.

A claim says min(s), max(s); s.count(min(s)), s.count(max(s)), count(h == max(s) for h in s).  The first four have no
value where there is no heap; a fold of a proof is 0 there, and says so: `max(s) if len(s) >= 1 else 0`.

Of {h} + R they follow from h and those of R.  What holds of them at every position (`possible`) is known of each free
one; it is an obligation of the rule, by induction on the number of heaps, wherever a proof makes use of one of them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from claims.language.terms import terms as t
from encoders.logic.terms import (
    ONE,
    YES,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    compare,
    disjunction,
    equal,
    iff,
    implies,
    less_than,
)
from encoders.rules.folds.positions.positions import AnyFold, Key, OptionalHeap, Position
from encoders.rules.folds.statement.extremes import LARGEST, LEAST


@dataclass(eq=False)
class Extreme:
    """The least heap (`which` LEAST) or the largest, 0 where there is no heap."""

    which: str
    label: str
    counts = False
    natural = True

    @property
    def key(self) -> Key:
        return ("extreme", self.which)

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """That of a position made of the first heap, if it is present, and the rest."""
        other = rest.fold(self)
        return choose(first.present, choose(self.beyond(first.heap, rest), first.heap, other), other)

    def beyond(self, heap: t.Term, rest: Position) -> t.Term:
        """Whether the heap is less than all of the rest, or more: the extreme alone."""
        other = rest.fold(self)
        if other is ZERO:  # there is no rest
            return YES
        if self.which == LARGEST:
            return compare("gt", heap, other)
        return disjunction(equal(other, ZERO), less_than(heap, other))

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """That of `number` heaps of the size."""
        return choose(at_least(number, ONE), size, ZERO)


@dataclass(eq=False)
class Times:
    """How often the least or the largest heap occurs; 0 where there is no heap."""

    extreme: Extreme
    label: str
    counts = True
    natural = True

    @property
    def key(self) -> Key:
        return ("times", self.extreme.which)

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """That of a position made of the first heap, if it is present, and the rest."""
        before, other = rest.fold(self), rest.fold(self.extreme)
        if other is ZERO:
            return choose(first.present, ONE, ZERO)
        again = choose(equal(first.heap, other), add(before, ONE), before)
        return choose(first.present, choose(self.extreme.beyond(first.heap, rest), ONE, again), before)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """That of `number` heaps of the size."""
        return number


def _extreme(which: str) -> Extreme:
    return Extreme(which, "least heap" if which == LEAST else "largest heap")


@dataclass(eq=False)
class Extremes:
    """The four folds of one proof."""

    least: Extreme = field(default_factory=lambda: _extreme(LEAST))
    largest: Extreme = field(default_factory=lambda: _extreme(LARGEST))
    least_times: Times = field(init=False)
    largest_times: Times = field(init=False)

    def __post_init__(self) -> None:
        self.least_times = Times(self.least, "number of least heaps")
        self.largest_times = Times(self.largest, "number of largest heaps")

    @property
    def all(self) -> tuple[AnyFold, ...]:
        return self.least, self.largest, self.least_times, self.largest_times

    def of(self, which: str) -> Extreme:
        """The least heap or the largest."""
        return self.least if which == LEAST else self.largest

    def times(self, which: str) -> Times:
        """How often that occurs."""
        return self.least_times if which == LEAST else self.largest_times

    def possible(self, s: Position, heaps: AnyFold, made: Container[Key]) -> Iterator[t.Term]:
        """What holds at every position of those of the folds that are `made`; `heaps` counts all heaps."""
        number = s.fold(heaps)
        used = {fold.key for fold in self.all if fold.key in made}
        apart = {self.least.key, self.largest.key} <= used
        for fold in self.all:
            if fold.key in used:
                yield iff(equal(s.fold(fold), ZERO), equal(number, ZERO))
        if apart:
            yield at_most(s.fold(self.least), s.fold(self.largest))
            yield implies(equal(number, ONE), equal(s.fold(self.least), s.fold(self.largest)))
        for times in (self.least_times, self.largest_times):
            if times.key in used:
                yield at_most(s.fold(times), number)
                if apart:
                    alike = equal(s.fold(self.least), s.fold(self.largest))
                    yield iff(equal(s.fold(times), number), alike)
        if apart and {self.least_times.key, self.largest_times.key} <= used:
            least, largest = s.fold(self.least), s.fold(self.largest)
            together = add(s.fold(self.least_times), s.fold(self.largest_times))
            yield implies(less_than(least, largest), at_most(together, number))
            yield implies(equal(add(least, ONE), largest), equal(together, number))
