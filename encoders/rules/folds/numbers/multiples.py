"""Remainders by a number that is not written down: x % D is what x has above a multiple of D.

Where D >= 1 and x >= 0, x = P + r with 0 <= r < D and a multiple P of D.  That it is one is told without products: two
multiples of D are equal, or differ by D, or by at least 2 D, and 0 is one.  An obligation proves that of products.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from claims.language.terms import terms as t
from encoders.logic.integers import natural_product
from encoders.logic.polynomials import polynomial
from encoders.logic.reader import Entailment
from encoders.logic.sequent import Symbols, names_in
from encoders.logic.terms import (  # fmt: skip
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    less_than,
    mul,
    sub,
)
from encoders.rules.folds.numbers.intervals import Interval

Accept = Callable[[t.Term], t.Term]
IntervalOf = Callable[[t.Term], Interval]


@dataclass(frozen=True, eq=False)
class _Division:
    """`dividend` is `multiple` + `remainder` where the divisor is at least 1 and the dividend `inside`.

    `quotient`: how many times the divisor the multiple is; None where nobody has asked.
    """

    dividend: t.Term
    divisor: t.Term
    inside: t.Term
    multiple: t.Variable
    remainder: t.Variable
    quotient: t.Variable | None = None

    @property
    def names(self) -> frozenset[str]:
        """Of what was asked for."""
        return frozenset(x.name for x in (self.remainder, self.quotient) if x is not None)

    @property
    def applies(self) -> t.Term:
        return conjunction(at_least(self.divisor, ONE), self.inside)

    def is_it(self) -> Iterator[t.Term]:
        """What makes it one."""
        r = self.remainder
        yield implies(at_least(self.divisor, ONE), conjunction(at_least(r, ZERO), less_than(r, self.divisor)))
        whole = equal(self.dividend, add(self.multiple, r))
        yield implies(self.applies, conjunction(whole, apart(self.multiple, ZERO, self.divisor)))
        if (q := self.quotient) is not None:
            yield implies(self.applies, conjunction(equal(self.multiple, mul(q, self.divisor)), at_least(q, ZERO)))
            yield implies(conjunction(self.applies, less_than(self.dividend, self.divisor)), equal(q, ZERO))

    def beside(self, other: _Division) -> t.Term:
        """What two divisions by one number have to do with each other."""
        far = implies(conjunction(self.applies, other.applies), apart(self.multiple, other.multiple, self.divisor))
        return conjunction(far, implies(equal(self.dividend, other.dividend), equal(self.remainder, other.remainder)))


class Multiples:
    """The remainders and quotients that one sequent speaks of, each once.

    `accept` refuses what no solver could read.  `highest`: of all sizes; what is larger, or negative, is told to have
    some remainder.  None: numbers have no bound, and only what is negative is told so.
    """

    def __init__(self, symbols: Symbols, interval_of: IntervalOf, accept: Accept, highest: int | None) -> None:
        self.symbols, self.interval_of, self.accept, self.highest = symbols, interval_of, accept, highest
        self._made: dict[tuple[Hashable, Hashable], _Division] = {}

    @property
    def used(self) -> bool:
        """Whether there are any."""
        return bool(self._made)

    def remainder(self, term: t.Operation) -> t.Term:
        """`dividend % divisor`. Raises Unsupported for numbers that no word can hold."""
        return self._division(*term.args).remainder

    def quotient(self, term: t.Operation) -> t.Term:
        """`dividend // divisor`. Raises Unsupported as `remainder` does."""
        found = self._division(*term.args)
        if found.quotient is None:
            quotient = self.symbols.integer("quotient", *self._range_of_quotient(found), aside=True)
            found = self._keep(replace(found, quotient=quotient))
        assert found.quotient is not None
        return found.quotient

    def _range_of_quotient(self, division: _Division) -> tuple[int | None, int | None]:
        """A range that holds it wherever it has a value: a divisor may be negative, and so may a dividend."""
        inside, by = self.interval_of(division.dividend), self.interval_of(division.divisor)
        if inside.natural and by.natural:
            return 0, inside.hi
        if inside.lo is None or inside.hi is None:
            return None, None
        most = max(abs(inside.lo), abs(inside.hi))
        return -most, most

    def _division(self, dividend: t.Term, divisor: t.Term) -> _Division:
        found = self._made.get(_keys(dividend, divisor))
        return self._keep(self._divide(dividend, divisor)) if found is None else found

    def _keep(self, made: _Division) -> _Division:
        """Note it, if a solver can read what is known of it. Raises Unsupported."""
        for x in (*made.is_it(), made.beside(made)):
            self.accept(x)
        self._made[_keys(made.dividend, made.divisor)] = made
        return made

    def _divide(self, dividend: t.Term, divisor: t.Term) -> _Division:
        """With a remainder in a range that holds it whatever the numbers are."""
        by = self.interval_of(divisor)
        words = by.bounded and self.interval_of(dividend).bounded
        highest = self.highest if words else None
        above = () if highest is None else (at_most(dividend, integer(highest)),)
        inside = conjunction(at_least(dividend, ZERO), *above)
        multiple = self.symbols.integer("multiple", 0, highest, aside=True)
        low, high = None if by.lo is None else min(0, by.lo + 1), None if by.hi is None else max(0, by.hi - 1)
        remainder = self.symbols.integer("remainder", low, high, aside=True)
        return _Division(dividend, divisor, inside, multiple, remainder)

    def known(self, terms: Iterable[t.Term]) -> list[t.Term]:
        """What is known of the remainders in these terms, and of those in what is known of them."""
        found: list[_Division] = []
        told: list[t.Term] = []
        names = names_in(*terms)
        while new := [x for x in self._made.values() if x.names & names and x not in found]:
            for division in new:
                told += division.is_it()
                told += (division.beside(x) for x in found if _key(x.divisor) == _key(division.divisor))
                found.append(division)
            names = names_in(*terms, *told)
        return told


def _key(number: t.Term) -> Hashable:
    """Equal for two numbers only if they are the same, as sums of products."""
    return frozenset(polynomial(number).coefficients.items())


def _keys(dividend: t.Term, divisor: t.Term) -> tuple[Hashable, Hashable]:
    return _key(dividend), _key(divisor)


def apart(a: t.Term, b: t.Term, divisor: t.Term) -> t.Term:
    """That two multiples of the divisor are equal, or differ by it, or by at least twice as much."""
    one_way, other_way = sub(a, b), sub(b, a)
    by_one = (equal(x, divisor) for x in (one_way, other_way))
    further = (at_least(sub(x, divisor), divisor) for x in (one_way, other_way))
    return disjunction(equal(a, b), *by_one, *further)


# -- the obligation ---------------------------------------------------------------------------------------------------
def pose_apart(symbols: Symbols) -> Entailment:
    """Two multiples a D and b D of a number D from 1 on are so far apart."""
    a, b, divisor = (symbols.integer(name) for name in ("a", "b", "D"))
    shifts = [add(sub(x, y), integer(n)) for x, y in ((a, b), (b, a)) for n in (-2, -1, 0, 1)]
    products = (natural_product(x, divisor) for x in shifts)
    far = apart(mul(a, divisor), mul(b, divisor), divisor)
    return Entailment((at_least(divisor, ONE), *products), far)
