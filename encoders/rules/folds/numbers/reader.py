"""The numbers in a proof by folds, of any size or below a bound; remainders and binary places among them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import partial

from claims.language.expressions.printing import display
from claims.language.expressions.walk import structural_key
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.reader import Assumption, Entailment, Env, SequentReader
from encoders.logic.sequent import Sequent
from encoders.logic.smt.words import translator
from encoders.logic.terms import (
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    bit_and,
    conjunction,
    equal,
    implies,
    integer,
    largest,
    less_than,
    mul,
)
from encoders.rules.folds.numbers.intervals import Interval, intervals_of
from encoders.rules.folds.numbers.multiples import Multiples
from encoders.rules.folds.numbers.places import NO_SIZES, BinaryPlaces


class Sizes(SequentReader):
    """Reads numbers for one sequent. `bits`: sizes lie below 2**bits, and are words; None: they have no bound.

    `root`: the claim's integers.
    """

    words = "folds"
    reads = "say it by who wins, and by nim-sums, sums and counts of the heaps of a position, the least and the largest"

    def __init__(self, bits: int | None) -> None:
        super().__init__()
        self.bits = bits
        self.root: Env = {}
        self.intervals = intervals_of(self.symbols.by_name)
        self.words_of = None if bits is None else translator(self.symbols.by_name)
        self.highest = None if bits is None else (1 << bits) - 1
        self._divided: dict[Hashable, set[str]] = {}  # a dividend with a power of 2 -> how they are divided
        self._roots: dict[Hashable, t.Variable] = {}
        self.multiples = Multiples(self.symbols, self.intervals.number, self.accept, self.highest)
        self.places = BinaryPlaces(
            self.symbols, self.intervals.number, partial(self.learn, Reason.PLACES), bits is not None
        )

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="bit" | "top_bit" as op, args=args):
                made = replace(term, args=tuple(self.natural(self.number(x, env)) for x in args))
                return self.places.digit(made, term) if op == "bit" else self.places.highest(made, term)
            case t.Operation(op="isqrt", args=(x,)) if self.bits is None:
                return self._root(self.number(x, env))
        return super().number(term, env)

    def _root(self, square: t.Term) -> t.Term:
        """The square root, rounded down; of a number below 0 any natural number.

        That it is at most the number follows from its square being so, and spares a search.
        """
        key = structural_key(square)
        if key not in self._roots:
            root = self._roots[key] = self.symbols.integer("root", 0, None, aside=True)
            after = add(root, ONE)
            inside = conjunction(
                at_most(mul(root, root), square), less_than(square, mul(after, after)), at_most(root, square)
            )
            self.learn(Reason.ROOT, implies(at_least(square, ZERO), inside))
        return self._roots[key]

    def accept(self, term: t.Term) -> t.Term:
        if self.words_of is not None:
            try:
                self.words_of.check(term)
            except Unsupported as error:
                raise Unsupported(str(error), instead=NO_SIZES) from error
        self.intervals.check(term)
        return term

    def operation(self, term: t.Operation) -> t.Term:
        if term.op in ("mod", "floordiv"):
            by = self.intervals.number(term.args[1]).value
            if by is None:
                return self.multiples.remainder(term) if term.op == "mod" else self.multiples.quotient(term)
            if by > 2 and by & (by - 1) == 0 and self._has_digits(term.args[0]):
                return self._divide_by_power(term, by)
        if term.op in ("nim", "bit_and"):
            term = replace(term, args=tuple(map(self.natural, term.args)))
        return self.accept(term)

    def _divide_by_power(self, term: t.Operation, power: int) -> t.Term:
        """On division by that power of 2: the low places of the dividend, as they are, or the quotient."""
        dividend, divisor = term.args
        low, quotient = bit_and(dividend, integer(power - 1)), replace(term, op="floordiv")
        ways = self._divided.setdefault((structural_key(dividend), power), set())
        if ways == {"mod", "floordiv"} - {term.op}:
            self.learn(Reason.DIVISION, equal(dividend, add(mul(divisor, quotient), low)))
        ways.add(term.op)
        return self.accept(low if term.op == "mod" else quotient)

    def _has_digits(self, number: t.Term) -> bool:
        """Whether a solver can read its binary digits; of what is written down nobody has to."""
        found = self.intervals.number(number)
        return found.natural and found.value is None and (self.highest is None or found.bounded)

    def natural(self, number: t.Term) -> t.Term:
        """The number, or 0 where it is negative, which a claim with a value at every case never asks about."""
        return number if self.intervals.number(number).natural else largest(number, ZERO)

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """The sequent, with all that is known by now, and what is known of the terms in it."""
        found = super().sequent(name, posed)
        told = self.known_of(found)
        assume = (*found.assume, *(x.term for x in told))
        made = self.symbols.sequent(name, assume, found.show, found.hypotheses, found.lemmas)
        return replace(made, by=found.by | {x.by for x in told})

    def known_of(self, sequent: Sequent) -> list[Assumption]:
        """What is known of the remainders in a sequent."""
        return [Assumption(x, Reason.MULTIPLES) for x in self.multiples.known((*sequent.premises, sequent.show))]

    # -- numbers ------------------------------------------------------------------------------------------------------
    def size(self, name: str, low: int = 0) -> t.Variable:
        """A fresh size of a heap, low <= it < 2**bits, or without bound above."""
        return self.symbols.integer(name, low, self.highest)

    def within(self, name: str, low: t.Term, high: t.Term | None) -> tuple[t.Variable, t.Term]:
        """A fresh integer, and that low <= it <= high; None: no bound above, which only a proof without bound has.

        Raises Unsupported between numbers of heaps.
        """
        first = self.intervals.number(low)
        last = Interval() if high is None else self.intervals.number(high)
        if self.highest is not None and not (first.bounded and last.bounded):
            problem = "a number of heaps, and these have no bound"
            raise Unsupported(f"{display(name)} runs up to {problem}", instead=NO_SIZES)
        most = last.hi if first.lo is None or last.hi is None else max(first.lo, last.hi)
        found = self.symbols.integer(name, first.lo, most)
        self.accept(found)  # refuses what no word can hold
        return found, conjunction(at_least(found, low), *(() if high is None else (at_most(found, high),)))

    @property
    def sizes(self) -> str:
        """What a heap or none may be, in words."""
        return "the natural numbers" if self.bits is None else f"0 .. 2^{self.bits} - 1"

    def is_size(self, number: t.Term) -> bool:
        """Whether a number is known to be one that a heap may have, or 0."""
        return self.intervals.number(number).within(0, self.highest)
