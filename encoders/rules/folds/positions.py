"""Symbolic positions of any number of heaps: binary columns, the least and the largest heap."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import permutations
from typing import Protocol

from claims.language.syntax import terms as t
from encoders.logic.reader import Entailment
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Symbols,
    add,
    at_least,
    at_most,
    bit_and,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    integer,
    less_than,
    mul,
    nim,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.shape import LARGEST, LEAST
from encoders.rules.folds.numbers import Sizes, has, make_place
from encoders.rules.folds.section import FoldsMove

# == positions ========================================================================================================
# Positions of any number of heaps, seen through folds.
#
# A fold is put together heap by heap.  Of most, a heap that meets the fold's condition contributes its value, and
# contributions combine by nim-addition (nim_sum), addition (sum) or counting (count); of the least and the largest heap
# see `extremes`.  So of a position {h} + R only the heap h and the folds of R are needed, and those are free variables:
# whatever holds for all their values holds for every R.
Key = Hashable  # everything that a fold is made of: equal for two folds only if they are the same
COUNT, NIM_SUM, SUM = "count", "nim_sum", "sum"
REST = "rest of "  # what a rest is called: of no interest to a reader
MOST_ALIKE = 5  # heaps of positions that are compared one by one


@dataclass(frozen=True, eq=False)
class OptionalHeap:
    """A heap that is written down, and the condition that it is present: above 0."""

    heap: t.Term
    present: t.Term = YES


@dataclass(frozen=True, eq=False)
class HeapReplacement:
    """What makes a position of another, `of`: its heap `heap` has become `size`, which is 0 if none is left.

    `rest`: what lies beside that heap.
    """

    of: Position
    heap: t.Term
    size: t.Term
    rest: Position


class AnyFold(Protocol):
    """A number that is put together heap by heap; 0 of no heap. `label` names it to people.

    `counts`: it has no bound, as the number of heaps has none; else it is a size.  `natural`: it is never negative.
    """

    label: str

    @property
    def key(self) -> Key: ...

    @property
    def counts(self) -> bool: ...

    @property
    def natural(self) -> bool: ...

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """The fold of a position made of the first heap, if it is present (above 0), and the rest."""

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """The fold of `number` heaps, 0 or more, of the size, above 0 if there is one."""


@dataclass(eq=False)
class Fold:
    """`reducer` is NIM_SUM, SUM or COUNT. `contributes(h)`: whether a heap does; `of(h)`: what (not for COUNT).

    `plain`: the nim-sum of all heaps, to which one that is absent, being 0, adds nothing.
    `fixed`: its terms hold values that depend on a position or another heap.
    `words`: its term in two parts, between which the name of a position stands; none where it has a name of its own.
    """

    key: Key
    label: str
    reducer: str
    contributes: Callable[[t.Term], t.Term]
    of: Callable[[t.Term], t.Term]
    plain: bool = False
    fixed: bool = False
    natural: bool = True
    words: tuple[str, str] | None = None

    @property
    def counts(self) -> bool:
        return self.reducer != NIM_SUM

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """The fold of a position made of the first heap, if it is present (above 0), and the rest."""
        heap, others = first.heap, rest.fold(self)
        if self.reducer != COUNT:
            return self.join(self.term(heap, first.present), others)
        here = conjunction(first.present, self.contributes(heap))
        return self.join(choose(here, ONE, ZERO), others)

    def join(self, a: t.Term, b: t.Term) -> t.Term:
        """The fold of the heaps of two positions, by those of each."""
        return nim(a, b) if self.reducer == NIM_SUM else add(a, b)

    def term(self, heap: t.Term, present: t.Term | None = None) -> t.Term:
        """What a heap adds to a nim-sum or a sum, 0 if it is not `present`; by itself: above 0."""
        if self.plain:
            return heap
        there = compare("gt", heap, ZERO) if present is None else present
        return choose(conjunction(there, self.contributes(heap)), self.of(heap), ZERO)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """The same, of so many equal heaps: in a nim-sum two of them are nothing."""
        if self.reducer == COUNT:
            return choose(self.contributes(size), number, ZERO)
        if self.reducer == SUM:
            return choose(self.contributes(size), mul(number, self.of(size)), ZERO)
        odd = equal(t.Operation(number.type, 0, 0, "mod", (number, integer(2))), ONE)
        return choose(conjunction(self.contributes(size), odd), self.of(size), ZERO)


@dataclass(eq=False)
class Position:
    """A position by its folds. `parts` None: a free one; else a heap, whether it is present, and the rest.

    `highest`: of its heaps, None for no bound; `listed`: all of them, where they are known one by one, else None.
    `without`: of a rest, the position it is a rest of, and the heap that is missing.  `change`: what makes the position
    of another one.  `ordered`: the heaps listed are all present, in ascending order.
    `copies`: the size of its heaps, where they are known to be equal, and how many there are; else None.
    `image`: the folds of one that is made of another heap by heap, of those that follow from that; else None.
    """

    name: str
    symbols: Symbols
    highest: int | None
    parts: tuple[OptionalHeap, Position] | None = None
    listed: tuple[OptionalHeap, ...] | None = None
    copies: tuple[t.Term, t.Term] | None = None
    image: Callable[[AnyFold], t.Term | None] | None = None
    values: dict[Key, t.Term] = field(default_factory=dict)
    without: tuple[Position, t.Term] | None = None
    change: HeapReplacement | None = None
    ordered: bool = False

    def fold(self, fold: AnyFold) -> t.Term:
        """The value of a fold; a free position gets a fresh one the first time."""
        if fold.key not in self.values:
            self.values[fold.key] = self._value(fold)
        return self.values[fold.key]

    def _value(self, fold: AnyFold) -> t.Term:
        if self.parts is not None:
            return fold.combine(*self.parts)
        if self.copies is not None:
            return fold.repeat(*self.copies)
        if self.listed is not None:
            return ZERO
        if self.image is not None and (found := self.image(fold)) is not None:
            return found
        low, highest = 0 if fold.natural else None, None if fold.counts else self.highest
        told = self.name.join(fold.words) if isinstance(fold, Fold) and fold.words else ""
        name = f"{fold.label} of {self.name}"
        return self.symbols.integer(name, low, highest, aside=self.name.startswith(REST), told=told)


def make_position(symbols: Symbols, highest: int | None, name: str, heaps: tuple[OptionalHeap, ...]) -> Position:
    """The position of these heaps."""
    made = Position(name, symbols, highest, listed=())
    for i, heap in enumerate(heaps, 1):
        made = Position(name, symbols, highest, (heap, made), listed=heaps[:i])
    return made


def positions_equal(a: Position, b: Position) -> t.Term:
    """Whether two positions are the same: both written down, or made of one with at most a heap changed.

    Raises Unsupported for others.
    """
    if a is b:
        return YES
    if a.change is not None and b.change is not None and a.change.of is b.change.of:
        return _is_same_change(a.change, b.change)
    for one, other in ((a.change, b), (b.change, a)):
        if one is not None and one.of is other:
            return equal(one.size, one.heap)
    if a.listed is None or b.listed is None or max(len(a.listed), len(b.listed)) > MOST_ALIKE:
        instead = "compare what matters of them, as len, sum and nim_sum"
        words = "two positions are compared that are neither written down heap by heap nor changes of one heap"
        raise Unsupported(words, instead=instead)
    width = max(len(a.listed), len(b.listed))
    first, second = ([x.heap for x in heaps] + [ZERO] * (width - len(heaps)) for heaps in (a.listed, b.listed))
    orders = (zip(first, order, strict=True) for order in permutations(second))
    return disjunction(*(conjunction(*(equal(x, y) for x, y in pairs)) for pairs in orders))


def _is_same_change(a: HeapReplacement, b: HeapReplacement) -> t.Term:
    """Whether two changes of one position leave the same.

    With both heaps put back beside them: if the new size of the one and the heap of the other are, in some order, the
    new size of the other and the heap of the one.
    """
    crossed = conjunction(equal(a.size, a.heap), equal(b.size, b.heap))
    return disjunction(conjunction(equal(a.heap, b.heap), equal(a.size, b.size)), crossed)


# == effects ==========================================================================================================
# What moves are known to do to the terms of nim-sums, once it has been shown apart.
Effect = Callable[[Fold, t.Term, t.Term, t.Term], t.Term]
ADDED = "adds that nim-sum to the term of"
EFFECTS: Mapping[str, Effect] = {
    ADDED: lambda fold, whole, heap, size: equal(fold.term(size), nim(fold.of(heap), whole)),
    "takes what it takes from the term of": lambda fold, _, heap, size: equal(
        fold.term(size), sub(fold.of(heap), sub(heap, size))
    ),
    "leaves 0 as the term of": lambda fold, _whole, _heap, size: equal(fold.term(size), ZERO),
    "leaves 1 as the term of": lambda fold, _whole, _heap, size: equal(fold.term(size), ONE),
}
"""In words, what a named move may do to its heap's term of a nim-sum: of the fold, its value, heap and size left."""


@dataclass(frozen=True)
class Cuts:
    """`changing`: nim-sums, by their names in the proof, of which every legal move changes its heap's term.

    `doing`: (a named move, the name of a nim-sum, which of EFFECTS it has on that).
    """

    changing: tuple[str, ...] = ()
    doing: tuple[tuple[FoldsMove, str, str], ...] = ()


NO_CUTS = Cuts()


def changes(fold: Fold, heap: t.Term, size: t.Term) -> t.Term:
    """That a heap adds something else to the fold than one of that size."""
    return compare("ne", fold.term(heap), fold.term(size))


# == columns ==========================================================================================================
# Columns: the binary places where so many heaps have a 1, modulo a number that is written down, as folds.
#
# For each remainder r above 0 there is one fold, the places that have it: `columns(s, m, r)`.  At the places of one
# more heap the remainder goes up by one, from m - 1 to 0, and 0 is the remainder of the places that are in none of the
# folds. That is all that the rule knows of them, and it is an obligation, for any one place.
MOST = 8  # the largest modulus


@dataclass(eq=False)
class ColumnFold:
    """The places where the number of heaps with a 1 leaves the remainder `of` modulo `modulus`.

    `beside`: the folds of all remainders above 0, this one among them.
    """

    modulus: int
    of: int
    label: str
    beside: list[AnyFold] = field(default_factory=list)
    counts = False
    natural = True

    @property
    def key(self) -> Key:
        return "columns", self.modulus, self.of

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """The fold of a position made of the first heap and the rest. A heap that is absent is 0, and has no 1."""
        return one_more(first.heap, [rest.fold(x) for x in self.beside], self.of)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """The fold of `number` heaps of the size, above 0 if there is one."""
        left = t.Operation(number.type, 0, 0, "mod", (number, integer(self.modulus)))
        return choose(equal(left, integer(self.of)), size, ZERO)


def make_columns(modulus: int) -> list[ColumnFold]:
    """The folds of one modulus, by their remainders from 1 on."""
    made = [ColumnFold(modulus, i, f"places with remainder {i} modulo {modulus}") for i in range(1, modulus)]
    for fold in made:
        fold.beside += made
    return made


def one_more(number: t.Term, places: list[t.Term], remainder: int) -> t.Term:
    """The places with `remainder` once there is one more number; `places`: before, by remainders 1, 2, ...

    No two of these have a place in common.
    """
    here = places[remainder - 1]
    if remainder == 1:
        if len(places) == 1:
            return nim(here, number)
        # Left are those not in the number, and new are those of the number that were in none.
        return nim(nim(here, number), bit_and(number, reduce(nim, places[1:])))
    return nim(nim(here, bit_and(here, number)), bit_and(places[remainder - 2], number))


# -- the obligations --------------------------------------------------------------------------------------------------
def pose_one_more(theory: Sizes, modulus: int) -> Entailment:
    """At any one place: if each fold has a 1 just where the remainder is its own, so it is with one number more."""
    place, single = make_place(theory.symbols, theory.highest)
    left = theory.symbols.integer("how many have a 1 there, modulo", 0, modulus - 1)
    number = theory.size("one more")
    places: list[t.Term] = [theory.size(f"places with remainder {i}") for i in range(1, modulus)]
    before = (iff(has(x, place), equal(left, integer(i))) for i, x in enumerate(places, 1))
    up = choose(equal(left, integer(modulus - 1)), ZERO, add(left, ONE))
    now = choose(has(number, place), up, left)
    after = (iff(has(one_more(number, places, i), place), equal(now, integer(i))) for i in range(1, modulus))
    return Entailment((single, *before), conjunction(*after))


# == extremes =========================================================================================================
# The least and the largest heap of a position, and how often each occurs: 0 where there is no heap.
#
# A claim says min(s), max(s); s.count(min(s)), s.count(max(s)), count(h == max(s) for h in s).  The first four have no
# value where there is no heap; a fold of a proof is 0 there, and says so: `max(s) if len(s) >= 1 else 0`.
#
# Of {h} + R they follow from h and those of R.  What holds of them at every position (`possible`) is known of each free
# one; it is an obligation of the rule, by induction on the number of heaps, wherever a proof makes use of one of them.
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
        return choose(first.present, choose(self.exceeds_rest(first.heap, rest), first.heap, other), other)

    def exceeds_rest(self, heap: t.Term, rest: Position) -> t.Term:
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
        return choose(first.present, choose(self.extreme.exceeds_rest(first.heap, rest), ONE, again), before)

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

    def select(self, which: str) -> Extreme:
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
