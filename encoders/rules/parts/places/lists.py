"""Lists of any length, seen at the places that something names, and terms about heaps with such lists.

A list is its length and, for each place that is named, the number there: whatever holds for all these numbers holds
for every list.  A move puts numbers at some places.  That equal places have equal numbers is known of each two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from claims.language.expressions.printing import print_term
from claims.language.heaps.shape import HeapPart, HeapShape
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.refusals import Unsupported
from encoders.logic.polynomials import is_same_polynomial, polynomial
from encoders.logic.terms import (
    ZERO,
    at_least,
    at_most,
    choose,
    conjunction,
    equal,
    holds,
    implies,
    is_plain,
    less_than,
    sub,
)
from encoders.rules.parts.one.flat import FlatEnv, Flattener, Value
from encoders.rules.parts.places.folds import PlaceFold, find_fold

Heap = tuple[Value, ...]


class ListEntries:
    """What a list of any length had before any move. `name`: of the part; `length`: a variable."""

    def __init__(self, part: HeapPart, name: str) -> None:
        self.part, self.name = part, name
        self.length = t.Variable(INT, 0, 0, f"len({name})")
        self.places: list[tuple[t.Term, t.Variable]] = []

    def at(self, place: t.Term) -> t.Term:
        """The number at a place, if the list has it."""
        for other, number in self.places:
            if is_same_polynomial(other, place):
                return number
        number = t.Variable(INT, 0, 0, f"{self.name}[{print_term(polynomial(place).term())}]")
        assert all(number.name != x.name for _, x in self.places)  # two numbers of one name would be one
        self.places.append((place, number))
        return number

    def has(self, place: t.Term) -> t.Term:
        return conjunction(at_least(place, ZERO), less_than(place, self.length))

    def known(self, low: t.Term, high: t.Term | None) -> Iterator[t.Term]:
        """What is known of the numbers at the places named, all between the bounds."""
        for place, number in self.places:
            top = () if high is None else (at_most(number, high),)
            yield implies(self.has(place), conjunction(at_least(number, low), *top))
        for (p, x), (q, y) in combinations(self.places, 2):
            if not is_plain(alike := same_place(p, q), False):
                yield implies(alike, equal(x, y))


@dataclass(frozen=True, eq=False)
class SymbolicList:
    """A list of any length. `changes`: (place, number) that have been put into it, in order."""

    numbers: ListEntries
    changes: tuple[tuple[t.Term, t.Term], ...] = ()

    def at(self, place: t.Term) -> t.Term:
        """The number at a place, if the list has it."""
        over: list[tuple[t.Term, t.Term]] = []
        for where, number in reversed(self.changes):
            alike = same_place(place, where)
            if is_plain(alike, True):
                found = number
                break
            if not is_plain(alike, False):
                over.append((alike, number))
        else:
            found = self.numbers.at(place)
        for alike, number in reversed(over):
            found = choose(alike, number, found)
        return found

    def put(self, place: t.Term, number: t.Term) -> SymbolicList:
        return replace(self, changes=(*self.changes, (place, number)))


def same_place(a: t.Term, b: t.Term) -> t.Term:
    """Whether two places are the same: known where their distance is written down."""
    apart = polynomial(sub(a, b)).constant
    return equal(a, b) if apart is None else holds(apart == 0)


def make_heap(shape: HeapShape) -> Heap:
    """A heap of which nothing is known. The names of its numbers are none that a file can have."""
    return tuple(
        SymbolicList(ListEntries(part, part.name)) if part.is_list else t.Variable(INT, 0, 0, f"h.{part.name}")
        for part in shape.parts
    )


def rows_of(heap: Heap) -> Iterator[tuple[int, SymbolicList]]:
    """The lists of a heap, with the numbers of their parts."""
    return ((i, x) for i, x in enumerate(heap) if isinstance(x, SymbolicList))


class PositionView(ABC):
    """A position, as far as terms are told about it."""

    @abstractmethod
    def value(self, fold: PlaceFold) -> t.Term:
        """The value of a fold. Raises Unsupported."""


def refuse_list(term: t.Term) -> Unsupported:
    """What the rule says of a term that looks at a list as a whole."""
    instead = 'take rule = "one heap" for lists whose lengths are written down'
    return Unsupported(
        f"{print_term(term)}: of a list of any length the rule reads "
        "h.c[i], len(h.c), put(h.c, i, x) and folds over places",
        instead=instead,
    )


def refuse_position(term: t.Term) -> Unsupported:
    """What the rule says of a term that looks at a position otherwise than through folds."""
    instead = "write a fold over the places, such as nim_sum(h.c[i] for h in s for i in range(len(h.c))); "
    instead += "where len(s) == 1 is the first hypothesis, such folds may be of s[0].c, too"
    return Unsupported(
        f"{print_term(term)}: the rule sees a position through folds over all its heaps", instead=instead
    )


class PlaceReader(Flattener):
    """Reads terms about heaps whose lists have any length, and about positions seen through folds."""

    def read(self, term: t.Term, env: FlatEnv) -> Value:
        if (found := find_fold(term, lambda name: isinstance(env.get(name), PositionView))) is not None:
            seen = env[found[0]]
            assert isinstance(seen, PositionView)
            return seen.value(found[1])
        return super().read(term, env)

    def items(self, term: t.Term, env: FlatEnv) -> tuple[Value, ...]:
        found = self.read(term, env)
        if not isinstance(found, tuple):
            raise refuse_list(term)
        return found

    def _operate(self, term: t.Term, op: str, args: list[Value]) -> Value:
        match op, args:
            case "len", [SymbolicList(numbers=numbers)]:
                return numbers.length
            case "index", [SymbolicList() as row, t.Term() as place]:
                self.owe(row.numbers.has(place))
                return row.at(place)
            case "put", [SymbolicList() as row, t.Term() as place, t.Term() as number]:
                self.owe(row.numbers.has(place))
                return row.put(place, number)
            case "part", [tuple(heap), t.Literal(value=at)]:
                return heap[at]
            case "heap", _:
                return tuple(args)
        if any(isinstance(x, PositionView) for x in args):
            raise refuse_position(term)
        if any(isinstance(x, SymbolicList) for x in args):
            raise refuse_list(term)
        return super()._operate(term, op, args)


class OnOneWay(PlaceReader):
    """Reads terms that must mean the same on all ways. Raises Unsupported where a list depends on a condition."""

    def choose(self, count: int) -> int:
        words = "which list is looked at depends on a condition, which is read in moves alone"
        raise Unsupported(words, instead="look at the numbers of the lists: h.c[i] if ... else 0")
