"""Numbers told by their digits: the exponent of p in a number, and the sum of its digits to a base, also popcount.

Both are given step by step: by the digit at the low end, and by the number without it.  That is what is known of them,
told of each number that occurs and of that number without its last digit, and where two of these are equal, or one is
another with a digit more.  The base is a number written down.
"""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.builtins.meanings import digit_sum, valuation
from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.polynomials import is_same_polynomial, polynomial
from encoders.logic.reader import SequentReader
from encoders.logic.terms import (
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    compare,
    conjunction,
    equal,
    implies,
    integer,
    less_than,
    mul,
    sub,
)

MOST_TOLD = 24  # numbers of one kind in a sequent: each two of them are compared
Told = tuple[t.Term, t.Term]
"""A number, and its exponent or the sum of its digits."""


class Digits:
    """Those of the numbers of one sequent, each once."""

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._exponents: dict[int, list[Told]] = {}
        self._sums: dict[int, list[Told]] = {}

    def exponent(self, x: t.Term, p: t.Term, of: t.Term) -> t.Term:
        """How often p divides x; of 0 any natural number. `of`: the term of the file. Raises Unsupported."""
        return self._find(self._exponents, x, _base(p, of), of)

    def sum_of_digits(self, x: t.Term, base: t.Term, of: t.Term) -> t.Term:
        """The sum of the digits of x; of a number below 0 any natural number. Raises Unsupported."""
        return self._find(self._sums, x, _base(base, of), of)

    def _find(self, kind: dict[int, list[Told]], x: t.Term, base: int, of: t.Term, deeper: bool = True) -> t.Term:
        known = polynomial(x).constant
        if known is not None and (known > 0 or (known == 0 and kind is self._sums)):
            return integer(valuation(known, base) if kind is self._exponents else digit_sum(known, base))
        told = kind.setdefault(base, [])
        for other, value in told:
            if is_same_polynomial(other, x):
                return value
        if len(told) == MOST_TOLD:
            instead = "prove parts of the claim by themselves, and put them into `by`"
            raise Unsupported(
                f"{print_term(of)}: digits of more than {MOST_TOLD} numbers in one obligation", instead=instead
            )
        exponents = kind is self._exponents
        reason, words = (Reason.EXPONENT, "exponent") if exponents else (Reason.DIGIT_SUM, "digit sum")
        of_one, of_two = (_of_exponent, _next_exponent) if exponents else (_of_sum, _next_sum)
        value = self.reader.symbols.integer(words, 0, aside=True)
        here = x, value
        self.reader.learn(reason, *of_one(here, base))
        for another in told:
            self.reader.learn(reason, implies(equal(x, another[0]), equal(value, another[1])))
            self.reader.learn(reason, of_two(here, another, base), of_two(another, here, base))
        told.append(here)
        if deeper:
            self._find(kind, _shorter(x, base), base, of, deeper=False)
        return value


def _base(term: t.Term, of: t.Term) -> int:
    """A base that is written down. Raises Unsupported."""
    base = polynomial(term).constant
    if base is None or base < 2:
        instead = "write a number for it, with a claim for each base"
        raise Unsupported(f"{print_term(of)} is read to a base that is written down, from 2 on", instead=instead)
    return base


def _shorter(x: t.Term, base: int) -> t.Term:
    """The number without its last digit."""
    return t.Operation(INT, 0, 0, "floordiv", (x, integer(base)))


def _last(x: t.Term, base: int) -> t.Term:
    return t.Operation(INT, 0, 0, "mod", (x, integer(base)))


def _of_exponent(told: Told, base: int) -> Iterator[t.Term]:
    """It is 0 exactly if the number is no multiple of the base; nothing is said of 0."""
    x, exponent = told
    divides = equal(_last(x, base), ZERO)
    yield implies(compare("ne", x, ZERO), equal(divides, at_least(exponent, ONE)))


def _next_exponent(told: Told, shorter: Told, base: int) -> t.Term:
    """Where one number is the base times the other it is one more."""
    (x, exponent), (y, less) = told, shorter
    times = conjunction(compare("ne", y, ZERO), equal(x, mul(integer(base), y)))
    return implies(times, equal(exponent, add(less, ONE)))


def _of_sum(told: Told, base: int) -> Iterator[t.Term]:
    """That of one digit is the digit; it is at most the number, and above 0 if the number is."""
    x, total = told
    yield implies(conjunction(at_least(x, ZERO), less_than(x, integer(base))), equal(total, x))
    yield implies(at_least(x, ONE), conjunction(at_least(total, ONE), at_most(total, x)))


def _next_sum(told: Told, shorter: Told, base: int) -> t.Term:
    """Where one number is the other with a digit more it is so much more."""
    (x, total), (y, less) = told, shorter
    digit = sub(x, mul(integer(base), y))
    longer = conjunction(at_least(y, ZERO), at_least(digit, ZERO), less_than(digit, integer(base)))
    return implies(longer, equal(total, add(less, digit)))
