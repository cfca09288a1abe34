"""Positions of any number of heaps, seen through folds.

A fold is put together heap by heap.  Of most, a heap that meets the fold's condition contributes its value, and
contributions combine by nim-addition (nim_sum), addition (sum) or counting (count); of the least and the largest heap
see `extremes`.  So of a position {h} + R only the heap h and the folds of R are needed, and those are free variables:
whatever holds for all their values holds for every R.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import permutations
from typing import Protocol

from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Symbols
from encoders.logic.terms import (
    ONE,
    YES,
    ZERO,
    add,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    integer,
    mul,
    nim,
)

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


def of_heaps(symbols: Symbols, highest: int | None, name: str, heaps: tuple[OptionalHeap, ...]) -> Position:
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
        return _changed_alike(a.change, b.change)
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


def _changed_alike(a: HeapReplacement, b: HeapReplacement) -> t.Term:
    """Whether two changes of one position leave the same.

    With both heaps put back beside them: if the new size of the one and the heap of the other are, in some order, the
    new size of the other and the heap of the one.
    """
    crossed = conjunction(equal(a.size, a.heap), equal(b.size, b.heap))
    return disjunction(conjunction(equal(a.heap, b.heap), equal(a.size, b.size)), crossed)
