"""What a variable ranges over ("1..", "position", "0..k-1"), and the finite box of it that a check covers ("1..6")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims.language.ground.errors import LanguageError
from claims.language.terms.terms import Literal, Operation, Term
from claims.language.terms.types import Type


@dataclass(frozen=True)
class IntervalDomain:
    """lo <= x <= hi; `hi` None: without bound. The bounds may use variables declared before."""

    lo: Term
    hi: Term | None


@dataclass(frozen=True)
class Positions:
    """Every position: multisets of positive heap sizes, or of heaps with the parts of the claim's games.

    `parts`: the name of each part, and whether it is a list; empty where a heap is a number.
    """

    parts: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class Players:
    """Every player of the ruleset, in its order."""

    count: int


@dataclass(frozen=True)
class ListedDomain:
    """Exactly these values: integers, or positions as ascending tuples of heap sizes."""

    values: tuple[int, ...] | tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ElementsOf:
    """The distinct elements of a collection that may use variables declared before, such as the heap sizes of s."""

    source: Term


@dataclass(frozen=True)
class Subsets:
    """Every set of integers from lo..hi, the empty one too, in the order of the binary numbers they spell."""

    lo: int
    hi: int


Domain = IntervalDomain | Positions | Players | ListedDomain | ElementsOf | Subsets


@dataclass(frozen=True)
class ClaimVariable:
    """A quantified variable of a claim; `text` is its domain as the file writes it."""

    name: str
    type: Type
    domain: Domain
    text: str


@dataclass(frozen=True)
class Range:
    """The integers lo..hi, both included."""

    lo: int
    hi: int

    def __str__(self) -> str:
        return f"{self.lo}..{self.hi}"


@dataclass(frozen=True)
class ListRange:
    """The lists of `length` numbers, each in `each`."""

    length: Range
    each: Range


@dataclass(frozen=True)
class PositionRange:
    """Positions with `heaps` heaps, each of `size`, and, if given, a total in `total`.

    `parts`: where heaps have parts, the values of each, which bound the heaps; `size` is then what the sum of the
    numbers of a heap, without their signs, comes to at most.
    """

    heaps: Range
    size: Range
    total: Range | None = None
    parts: tuple[tuple[str, Range | ListRange], ...] = ()

    def admits(self, heap: object) -> bool:
        """Whether the parts of a heap are within their bounds."""

        def lies(x: object, bound: Range) -> bool:
            return isinstance(x, int) and bound.lo <= x <= bound.hi

        if not isinstance(heap, tuple) or len(heap) != len(self.parts):
            return False
        for value, (_, bound) in zip(heap, self.parts, strict=True):
            if isinstance(bound, Range):
                inside = lies(value, bound)
            else:
                inside = isinstance(value, tuple) and lies(len(value), bound.length)
                inside = inside and all(lies(x, bound.each) for x in value)
            if not inside:
                return False
        return True

    @property
    def aspects(self) -> tuple[tuple[str, Range], ...]:
        """What a file bounds, by the keys below the variable: `heaps`, `size` and perhaps `total`, or `c.length`."""
        if not self.parts:
            total = () if self.total is None else (("total", self.total),)
            return ("heaps", self.heaps), ("size", self.size), *total
        found = [("heaps", self.heaps)]
        for name, bound in self.parts:
            if isinstance(bound, ListRange):
                found += [(f"{name}.length", bound.length), (f"{name}.each", bound.each)]
            else:
                found.append((name, bound))
        return tuple(found)


Scope = dict[str, Range | PositionRange]


def cut_range(domain: IntervalDomain, bound: Range) -> Range:
    """The range without what the domain's constant bounds leave out; whole where they leave nothing of it."""
    lo, hi = read_literal(domain.lo), read_literal(domain.hi)
    low = bound.lo if lo is None else max(lo, bound.lo)
    high = bound.hi if hi is None else min(hi, bound.hi)
    return Range(low, high) if low <= high else bound


def read_literal(term: Term | None) -> int | None:
    """The integer that a bound is, where it is written as one; else None."""
    match term:
        case Literal(value=value):
            return value
        case Operation(op="neg", args=(Literal(value=value),)):
            return -value
    return None


def split_range(text: str) -> tuple[str, str] | None:
    """The two sides of "a..b" at the top level of brackets, or None where there is no "..".

    >>> split_range("0..max(k, l)-1"), split_range("1.."), split_range("S")
    (('0', 'max(k, l)-1'), ('1', ''), None)
    """
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and text.startswith("..", at):
            return text[:at].strip(), text[at + 2 :].strip()
    return None


def constant_range(text: str) -> Range:
    """Read "a..b" or "a" with integers a <= b. Raises LanguageError.

    >>> constant_range("1..6"), constant_range("-3")
    (Range(lo=1, hi=6), Range(lo=-3, hi=-3))
    """
    match = re.fullmatch(r"\s*([-+]?[0-9]{1,40})\s*(?:\.\.\s*([-+]?[0-9]{1,40}))?\s*", text)
    if not match:
        if re.fullmatch(r"\s*[-+]?[0-9]+\s*\.\.\s*", text):
            raise LanguageError(f"{text!r} has no upper bound", '"1..6", with both bounds', 0, len(text))
        raise LanguageError(f"{text!r} is no range of integers", '"1..6", or one integer', 0, len(text))
    lo, hi = int(match[1]), int(match[2] or match[1])
    if lo > hi:
        raise LanguageError(f"{text!r} is empty", "the smaller bound first", 0, len(text))
    return Range(lo, hi)
