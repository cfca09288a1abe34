"""Powers of a base: what is known of them in one sequent, and the obligations that show it of all powers.

A solver knows integers, and no powers.  It is told of each that it is 1 or a multiple of the base, and 1 more than a
multiple of base - 1; of two, that they are equal or one is at least the base times the other.  What is proved so is
proved of all powers, and perhaps of other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import prod

from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.polynomials import Polynomial, is_same_polynomial, polynomial
from encoders.logic.reader import Entailment, SequentReader
from encoders.logic.terms import (  # fmt: skip
    ONE,
    YES,
    ZERO,
    add,
    at_least,
    at_most,
    compare,
    conjunction,
    disjunction,
    equal,
    holds,
    implies,
    integer,
    less_than,
    mul,
    sub,
)
from encoders.rules.grundy.kinds import POWERS
from encoders.rules.kit.rule import ObligationBuilder

MOST_APART = 62  # of two exponents whose difference is written down


def times(base: int, x: t.Term) -> t.Term:
    """The next power."""
    return mul(integer(base), x)


def _is_one(base: int, x: t.Term) -> t.Term:
    """What every power is: 1 or a multiple of the base, and 1 more than a multiple of base - 1."""
    multiple = equal(_remainder(x, base), ZERO)
    more = conjunction() if base == 2 else equal(_remainder(x, base - 1), ONE)
    return conjunction(at_least(x, ONE), disjunction(equal(x, ONE), multiple), more)


def _remainder(x: t.Term, divisor: int) -> t.Term:
    return t.Operation(INT, 0, 0, "mod", (x, integer(divisor)))


def _related(base: int, a: t.Term, b: t.Term, k: t.Term) -> t.Term:
    """What any two powers are for some k: equal, or one is base * k times the other."""

    def multiple(x: t.Term, y: t.Term) -> t.Term:
        return conjunction(equal(x, times(base, mul(k, y))), at_least(x, times(base, y)))

    return conjunction(at_least(k, ONE), disjunction(equal(a, b), multiple(a, b), multiple(b, a)))


def _apart(base: int, a: t.Term, b: t.Term) -> t.Term:
    """Of two powers: equal, or one is at least the base times the other."""
    return disjunction(equal(a, b), at_least(a, times(base, b)), at_least(b, times(base, a)))


def _cancelled(base: int, a: t.Term, x: t.Term, b: t.Term, y: t.Term, k: t.Term) -> t.Term:
    """Of related powers a, b: if a * x and b * y are equal, so are x and y, or one is base * k times the other."""
    first = conjunction(less_than(b, a), equal(y, times(base, mul(k, x))))
    second = conjunction(less_than(a, b), equal(x, times(base, mul(k, y))))
    return implies(equal(mul(a, x), mul(b, y)), disjunction(conjunction(equal(a, b), equal(x, y)), first, second))


def _by_exponents(base: int, a: t.Term, x: t.Term, b: t.Term, y: t.Term) -> t.Term:
    """What is known of the powers x and y of natural exponents a and b; nothing of others."""
    greater = conjunction(
        implies(less_than(a, b), at_least(y, times(base, x))), implies(less_than(b, a), at_least(x, times(base, y)))
    )
    known = [greater, implies(equal(a, b), equal(x, y))]
    apart = polynomial(sub(b, a)).constant
    if apart is not None and 0 < abs(apart) <= MOST_APART:
        factor = integer(base ** abs(apart))
        known.append(equal(y, mul(factor, x)) if apart > 0 else equal(x, mul(factor, y)))
    return implies(conjunction(at_least(a, ZERO), at_least(b, ZERO)), conjunction(*known))


class Powers:
    """The powers in one sequent, and what is `known` of them.

    `used`: gets the bases of all that are made, with whether something is known of two by their exponents.
    """

    def __init__(self, reader: SequentReader, used: dict[int, bool]) -> None:
        self.reader, self.used = reader, used
        self._bases: dict[str, int] = {}  # of the variables that are powers
        self._weighed: list[tuple[t.Variable, t.Term]] = []

    def fresh(self, base: int, name: str) -> t.Variable:
        """A power of the base."""
        x = self.reader.symbols.integer(name, 1)
        self.used.setdefault(base, False)
        self.reader.learn(Reason.POWERS, _is_one(base, x))
        for other, its in self._bases.items():
            if its == base:
                self.reader.learn(Reason.POWERS, _apart(base, x, t.Variable(INT, 0, 0, other)))
        self._bases[x.name] = base
        return x

    def compare_exponents(self, base: int, a: t.Term, x: t.Term, b: t.Term, y: t.Term) -> None:
        """Let it be known what the exponents a and b say of their powers x and y."""
        self.used[base] = True
        self.reader.learn(Reason.POWERS, _by_exponents(base, a, x, b, y))

    def weigh(self, power: t.Term, number: t.Term) -> None:
        """Let it be known what follows if two powers, so often as they are in two such numbers, are the same."""
        if not isinstance(power, t.Variable) or power.name not in self._bases:
            return
        base = self._bases[power.name]
        for weight in _weights(number, power.name):
            if any(x.name == power.name and is_same_polynomial(weight, its) for x, its in self._weighed):
                continue
            for other, its in self._weighed:
                if other.name != power.name and self._bases[other.name] == base:
                    k = self.reader.symbols.integer("multiple", 1, aside=True)
                    self.reader.learn(Reason.POWERS, _cancelled(base, power, weight, other, its, k))
            self._weighed.append((power, weight))

    def is_power(self, base: int, term: t.Term) -> t.Term:
        """Whether a number, a power by its name, or a product of such is a power of the base. Raises Unsupported."""
        match term:
            case t.Literal(value=value):
                return holds(_is_power(base, value))
            case t.Variable(name=name) if self._bases.get(name) == base:
                return YES
            case t.Operation(op="mul", args=(x, y)):
                return conjunction(self.is_power(base, x), self.is_power(base, y))
        instead = f"write it as {base} ** e, with e an integer of the claim from 0 on"
        raise Unsupported(f"{print_term(term)} is not seen to be a power of {base}", instead=instead)


def _is_power(base: int, value: int) -> bool:
    while value > 1 and value % base == 0:
        value //= base
    return value == 1


def _weights(number: t.Term, power: str) -> Iterator[t.Term]:
    """What a power is multiplied by in a number, in each of its cases; in a multiple of it, if parts of it are divided.

    Whatever it is: it says where `_cancelled` is worth telling, which is true of all numbers.
    """
    if isinstance(number, t.IfElse):
        yield from _weights(number.then, power)
        yield from _weights(number.other, power)
        return
    whole = polynomial(number)
    divisors = {key: _divisor(atom) for key, atom in whole.atoms.items()}
    scale = prod(divisors.values())
    cleared: t.Term = ZERO
    for monomial, times_it in whole.coefficients.items():
        part = Polynomial({monomial: times_it * scale}, whole.atoms).term()
        if len(monomial) == 1 and divisors[monomial[0]] > 1:
            atom = whole.atoms[monomial[0]]
            assert isinstance(atom, t.Operation)
            part = mul(integer(times_it * scale // divisors[monomial[0]]), atom.args[0])
        cleared = add(cleared, part)
    found = polynomial(cleared)
    coefficients = {
        tuple(key for key in monomial if key != power): n
        for monomial, n in found.coefficients.items()
        if monomial.count(power) == 1
    }
    yield Polynomial(coefficients, found.atoms).term()


def _divisor(atom: t.Term) -> int:
    match atom:
        case t.Operation(op="floordiv", args=(_, t.Literal(value=divisor))) if divisor > 0:
            return divisor
    return 1


def about_powers(base: int, by_exponents: bool) -> Iterator[ObligationBuilder[SequentReader]]:
    """The obligations on which all that is known of powers of the base rests, by induction on exponents.

    `by_exponents`: whether something is known of two by their exponents.
    """
    for what, ask in (
        *((("by their exponents", partial(_later, base=base)),) if by_exponents else ()),
        ("each", partial(_each, base=base)),
        ("any two", partial(_two, base=base)),
        ("a factor above 0 is left out on both sides", _factor),
        ("what follows of two", partial(_follows, base=base)),
        ("one above every number", partial(_above, base=base)),
    ):
        yield POWERS.of(base=base, what=what), ask


def _each(q: SequentReader, base: int) -> Entailment:
    x = q.symbols.integer("x")
    return Entailment((_is_one(base, x),), conjunction(_is_one(base, ONE), _is_one(base, times(base, x))))


def _two(q: SequentReader, base: int) -> Entailment:
    """1 and 1, 1 and a later power, and the powers that follow two."""
    a, b, k = (q.symbols.integer(n) for n in ("a", "b", "k"))
    known = (_is_one(base, a), _is_one(base, b), _related(base, a, b, k))
    later = conjunction(_related(base, times(base, a), ONE, a), _related(base, ONE, times(base, b), b))
    return Entailment(
        known, conjunction(_related(base, ONE, ONE, ONE), later, _related(base, times(base, a), times(base, b), k))
    )


def _without(factor: t.Term, x: t.Term, y: t.Term) -> t.Term:
    """A factor above 0 may be left out on both sides of an equation."""
    return implies(conjunction(at_least(factor, ONE), equal(mul(factor, x), mul(factor, y))), equal(x, y))


def _factor(q: SequentReader) -> Entailment:
    return Entailment((), _without(q.symbols.integer("a"), q.symbols.integer("x"), q.symbols.integer("y")))


def _follows(q: SequentReader, base: int) -> Entailment:
    """What `Powers` tells of two; instances of `_factor` spare the solver a search."""
    a, b, k, x, y = (q.symbols.integer(n) for n in ("a", "b", "k", "x", "y"))
    sides = ((a, x, y), (b, times(base, mul(k, x)), y), (a, times(base, mul(k, y)), x))
    known = (_is_one(base, a), _is_one(base, b), _related(base, a, b, k), *(_without(*side) for side in sides))
    return Entailment(known, conjunction(at_least(k, ONE), _apart(base, a, b), _cancelled(base, a, x, b, y, k)))


def _later(q: SequentReader, base: int) -> Entailment:
    """The next power is the base times a power; from there on the next stays as much, or becomes more."""
    x, y = q.symbols.integer("x"), q.symbols.integer("y")
    known = (_is_one(base, x), _is_one(base, y), at_least(y, times(base, x)))
    return Entailment(known, at_least(times(base, y), times(base, x)))


def _above(q: SequentReader, base: int) -> Entailment:
    """Above every number there is a power: above one below 1 there is 1, above the next the next."""
    x, n = q.symbols.integer("x"), q.symbols.integer("n")
    next_one = implies(compare("gt", x, n), compare("gt", times(base, x), add(n, ONE)))
    return Entailment((_is_one(base, x),), conjunction(implies(at_most(n, ZERO), compare("gt", ONE, n)), next_one))
