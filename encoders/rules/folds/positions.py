"""Symbolic positions of any number of heaps: their folds, binary columns, and the smallest and largest heap.

A fold is a number that is computed from a position heap by heap, such as the nim-sum.
"""

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
# Positions of any number of heaps, described by folds.
#
# A fold is computed heap by heap.  For most folds, a heap that satisfies the fold's condition contributes its value.
# Contributions combine by nim-addition (nim_sum), addition (sum) or counting (count); for the smallest and largest heap
# see `extremes`.  So for a position {h} + R only the heap h and the folds of R matter, and the folds of R are free
# variables: a statement that is true for all their values is true for every R.
Key = Hashable  # identifies a fold: equal keys mean equal folds
COUNT, NIM_SUM, SUM = "count", "nim_sum", "sum"
REST = "rest of "  # the prefix of a rest's name; counterexamples do not show these
MOST_ALIKE = 5  # the most heaps of positions that are compared heap by heap


@dataclass(frozen=True, eq=False)
class OptionalHeap:
    """A heap that may be absent: its size, and the condition that it is present (that the size is above 0)."""

    heap: t.Term
    present: t.Term = YES


@dataclass(frozen=True, eq=False)
class HeapReplacement:
    """A change of one heap of the position `of` from `heap` to `size`; the size is 0 if the heap is removed.

    `rest`: the other heaps.
    """

    of: Position
    heap: t.Term
    size: t.Term
    rest: Position


class AnyFold(Protocol):
    """A number that is computed heap by heap and is 0 for the empty position.

    `label`: the name of the fold in messages.
    `counts`: whether the fold may be larger than all heap sizes, as a number of heaps may.
    `natural`: whether the fold is never negative.
    """

    label: str

    @property
    def key(self) -> Key: ...

    @property
    def counts(self) -> bool: ...

    @property
    def natural(self) -> bool: ...

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """Return the fold of a position that consists of the first heap, if it is present (above 0), and the rest."""

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """Return the fold of a position of `number` heaps of this size. The size is above 0 unless the number is 0."""


@dataclass(eq=False)
class Fold:
    """A fold to which each heap contributes independently of the other heaps.

    `reducer`: NIM_SUM, SUM or COUNT.
    `contributes(h)`: the condition that a heap h contributes.
    `of(h)`: the contribution of h (not for COUNT).
    `plain`: whether the fold is the nim-sum of all heaps. An absent heap is 0, so this fold needs no case distinction.
    `fixed`: whether the terms of the fold contain values that depend on a position or another heap.
    `words`: the text before and after the name of the position; None if the fold has a name.
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
        """Return the fold of a position that consists of the first heap, if it is present (above 0), and the rest."""
        heap, others = first.heap, rest.fold(self)
        if self.reducer != COUNT:
            return self.join(self.term(heap, first.present), others)
        here = conjunction(first.present, self.contributes(heap))
        return self.join(choose(here, ONE, ZERO), others)

    def join(self, a: t.Term, b: t.Term) -> t.Term:
        """Return the fold of a position that consists of two parts, from the folds a and b of the parts."""
        return nim(a, b) if self.reducer == NIM_SUM else add(a, b)

    def term(self, heap: t.Term, present: t.Term | None = None) -> t.Term:
        """Return the contribution of a heap to a nim-sum or a sum; 0 if the heap is not `present`.

        `present`: the condition that the heap is present; None stands for "its size is above 0".
        """
        if self.plain:
            return heap
        there = compare("gt", heap, ZERO) if present is None else present
        return choose(conjunction(there, self.contributes(heap)), self.of(heap), ZERO)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """Return the fold of a position of `number` heaps of this size. In a nim-sum, pairs of equal heaps cancel."""
        if self.reducer == COUNT:
            return choose(self.contributes(size), number, ZERO)
        if self.reducer == SUM:
            return choose(self.contributes(size), mul(number, self.of(size)), ZERO)
        odd = equal(t.Operation(number.type, 0, 0, "mod", (number, integer(2))), ONE)
        return choose(conjunction(self.contributes(size), odd), self.of(size), ZERO)


@dataclass(eq=False)
class Position:
    """A position, represented by its folds.

    `parts`: the first heap and the position of the other heaps; None for a position that is not built heap by heap.
    `highest`: the largest heap size; None for no bound.
    `listed`: all heaps, if they are known one by one; else None.
    `copies`: the size and the number of the heaps, if all heaps are known to be equal; else None.
    `image`: if the position is computed from other positions, a function that returns the value of a fold, or None if
    the other positions do not determine this value.
    `values`: the folds computed so far.
    `without`: if the position is the rest of another position, that position and the missing heap.
    `change`: the change of one heap that leads from another position to this one.
    `ordered`: whether all listed heaps are present and in ascending order.
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
        """Return the value of a fold at the position.

        If the heaps of the position are unknown, the value is a variable. The first call creates the variable.
        """
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
    """Return the position of these heaps."""
    made = Position(name, symbols, highest, listed=())
    for i, heap in enumerate(heaps, 1):
        made = Position(name, symbols, highest, (heap, made), listed=heaps[:i])
    return made


def positions_equal(a: Position, b: Position) -> t.Term:
    """Return the condition that two positions are equal.

    Either the heaps of both are listed (at most MOST_ALIKE each), or both result from the same position by a change of
    at most one heap. Raises Unsupported for other positions.
    """
    if a is b:
        return YES
    if a.change is not None and b.change is not None and a.change.of is b.change.of:
        return _is_same_change(a.change, b.change)
    for one, other in ((a.change, b), (b.change, a)):
        if one is not None and one.of is other:
            return equal(one.size, one.heap)
    if a.listed is None or b.listed is None or max(len(a.listed), len(b.listed)) > MOST_ALIKE:
        instead = "compare numbers such as len, sum and nim_sum of both positions"
        words = (
            f"positions can be compared only if both are written heap by heap, with at most {MOST_ALIKE} heaps, "
            "or if both result from the same position by a change of one heap"
        )
        raise Unsupported(words, instead=instead)
    width = max(len(a.listed), len(b.listed))
    first, second = ([x.heap for x in heaps] + [ZERO] * (width - len(heaps)) for heaps in (a.listed, b.listed))
    orders = (zip(first, order, strict=True) for order in permutations(second))
    return disjunction(*(conjunction(*(equal(x, y) for x, y in pairs)) for pairs in orders))


def _is_same_change(a: HeapReplacement, b: HeapReplacement) -> t.Term:
    """Return the condition that two changes of one position lead to the same position.

    Let the first change replace a by x, and the second b by y. The results are equal if and only if {x, b} = {y, a} as
    multisets: add a and b to both results, and compare.
    """
    crossed = conjunction(equal(a.size, a.heap), equal(b.size, b.heap))
    return disjunction(conjunction(equal(a.heap, b.heap), equal(a.size, b.size)), crossed)


# == effects ==========================================================================================================
# The effects of moves on the terms of nim-sums, proved in separate obligations (see `find_cuts`).
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
"""The possible effects of a named move on its heap's term of a nim-sum, by their wording.

The arguments are the fold, its value, the heap, and the size that is left.
"""


@dataclass(frozen=True)
class Cuts:
    """The effects of moves that separate obligations prove.

    `changing`: names of nim-sums. Every legal move changes the number that its heap contributes to such a nim-sum.
    `doing`: triples of a named move, the name of a nim-sum, and the effect (from EFFECTS) of the move on this nim-sum.
    """

    changing: tuple[str, ...] = ()
    doing: tuple[tuple[FoldsMove, str, str], ...] = ()


NO_CUTS = Cuts()


def changes(fold: Fold, heap: t.Term, size: t.Term) -> t.Term:
    """Return the condition that a heap and a heap of `size` contribute different numbers to the fold."""
    return compare("ne", fold.term(heap), fold.term(size))


# == columns ==========================================================================================================
# Columns: the binary places where the number of heaps with a 1 has a given remainder modulo a literal m, as folds.
#
# There is one fold for each remainder r above 0: `columns(s, m, r)`, the places with that remainder.  A place that is
# in none of these folds has the remainder 0.  One more heap increases the remainder by one at its own places, from
# m - 1 to 0.  The rule knows only this, and an obligation proves it for an arbitrary place.
MOST = 8  # the largest modulus


@dataclass(eq=False)
class ColumnFold:
    """A fold that has a 1 at certain binary places.

    These are the places at which the number of heaps with a 1 has the remainder `of` modulo `modulus`.
    `beside`: the folds for all remainders above 0 modulo `modulus`, including this fold.
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
        """Return the fold of the position that consists of the first heap and the rest.

        `first.present` is ignored, because an absent heap is 0 and has no 1.
        """
        return one_more(first.heap, [rest.fold(x) for x in self.beside], self.of)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """Return the fold of `number` heaps of this size: the size if `number` has the remainder `of`, else 0."""
        left = t.Operation(number.type, 0, 0, "mod", (number, integer(self.modulus)))
        return choose(equal(left, integer(self.of)), size, ZERO)


def make_columns(modulus: int) -> list[ColumnFold]:
    """Return the column folds of one modulus, for the remainders 1, 2 and so on."""
    made = [ColumnFold(modulus, i, f"places with remainder {i} modulo {modulus}") for i in range(1, modulus)]
    for fold in made:
        fold.beside += made
    return made


def one_more(number: t.Term, places: list[t.Term], remainder: int) -> t.Term:
    """Return the column fold for `remainder` after a heap of size `number` is added.

    `places`: the column folds before, for the remainders 1, 2 and so on. No two of them have a 1 at the same place.
    """
    here = places[remainder - 1]
    if remainder == 1:
        if len(places) == 1:
            return nim(here, number)
        # Remove the places that the number has too, and add its places that had the remainder 0.
        return nim(nim(here, number), bit_and(number, reduce(nim, places[1:])))
    return nim(nim(here, bit_and(here, number)), bit_and(places[remainder - 2], number))


# -- the obligations --------------------------------------------------------------------------------------------------
def pose_one_more(theory: Sizes, modulus: int) -> Entailment:
    """Return the induction step of a fact about column folds: the fact remains true if one heap is added.

    The fact, at an arbitrary binary place: the fold of each remainder has a 1 there if and only if the number of heaps
    with a 1 there has this remainder modulo `modulus`.
    """
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
# The smallest and the largest heap of a position, and their multiplicities: 0 for the empty position.
#
# A claim writes min(s), max(s), s.count(min(s)), s.count(max(s)), count(h == max(s) for h in s).  The first four are
# undefined for the empty position.  A fold of a proof is 0 there, explicitly: `max(s) if len(s) >= 1 else 0`.
#
# For {h} + R they follow from h and from the extremes of R.  Their properties at every position (`possible`) are
# assumed for each free position.  If a proof uses them, an obligation proves them, by induction on the number of heaps.
@dataclass(eq=False)
class Extreme:
    """The smallest heap (`which` = LEAST) or the largest heap (LARGEST), as a fold; 0 for the empty position."""

    which: str
    label: str
    counts = False
    natural = True

    @property
    def key(self) -> Key:
        return ("extreme", self.which)

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """Return the fold of a position that consists of the first heap, if it is present (above 0), and the rest."""
        other = rest.fold(self)
        return choose(first.present, choose(self.exceeds_rest(first.heap, rest), first.heap, other), other)

    def exceeds_rest(self, heap: t.Term, rest: Position) -> t.Term:
        """Return the condition that the heap is smaller (LEAST) or larger (LARGEST) than all heaps of `rest`."""
        other = rest.fold(self)
        if other is ZERO:  # the rest is empty
            return YES
        if self.which == LARGEST:
            return compare("gt", heap, other)
        return disjunction(equal(other, ZERO), less_than(heap, other))

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """Return the fold of a position of `number` equal heaps: their size, or 0 if there is no heap."""
        return choose(at_least(number, ONE), size, ZERO)


@dataclass(eq=False)
class Times:
    """The multiplicity of the smallest or largest heap, as a fold; 0 for the empty position."""

    extreme: Extreme
    label: str
    counts = True
    natural = True

    @property
    def key(self) -> Key:
        return ("times", self.extreme.which)

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """Return the fold of a position that consists of the first heap, if it is present (above 0), and the rest."""
        before, other = rest.fold(self), rest.fold(self.extreme)
        if other is ZERO:
            return choose(first.present, ONE, ZERO)
        again = choose(equal(first.heap, other), add(before, ONE), before)
        return choose(first.present, choose(self.extreme.exceeds_rest(first.heap, rest), ONE, again), before)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """Return `number`, the multiplicity of the smallest and largest heap of a position of `number` equal heaps."""
        return number


def _extreme(which: str) -> Extreme:
    return Extreme(which, "least heap" if which == LEAST else "largest heap")


@dataclass(eq=False)
class Extremes:
    """The four folds about extreme heaps: the smallest and the largest heap, and their multiplicities."""

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
        """Return the fold for the smallest heap (`which` = LEAST) or for the largest heap (LARGEST)."""
        return self.least if which == LEAST else self.largest

    def times(self, which: str) -> Times:
        """Return the fold for the multiplicity of the smallest heap (LEAST) or of the largest heap (LARGEST)."""
        return self.least_times if which == LEAST else self.largest_times

    def possible(self, s: Position, heaps: AnyFold, made: Container[Key]) -> Iterator[t.Term]:
        """Yield true statements about the smallest and largest heap of a position s, and their multiplicities.

        `heaps`: the fold that counts all heaps.
        `made`: the keys of the folds that are in use. The statements contain only these folds and the number of heaps.
        """
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
