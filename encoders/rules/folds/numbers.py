"""Numbers in proofs by folds: multiples, remainders, and binary places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, print_term, structural_key
from encoders.logic.integers import natural_product, spell_number
from encoders.logic.intervals import Interval, intervals_of
from encoders.logic.reader import Assumption, Entailment, Env, SequentReader
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Sequent,
    Symbols,
    add,
    at_least,
    at_most,
    bit_and,
    choose,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    integer,
    largest,
    less_than,
    mul,
    names_in,
    negation,
    nim,
    sub,
)
from encoders.logic.smt import translator
from encoders.refusals import Unsupported
from encoders.trust import Reason

# == multiples ========================================================================================================
# Remainders by a symbolic divisor D: x % D is the distance of x from the largest multiple of D that is at most x.
#
# For D >= 1 and x >= 0 there are a multiple P of D and 0 <= r < D with x = P + r.  Solvers are weak at products, so
# multiples are described without them: 0 is a multiple of D, and two multiples of D are equal, differ by D, or differ
# by at least 2 D.  An obligation proves this from products.
Accept = Callable[[t.Term], t.Term]
IntervalOf = Callable[[t.Term], Interval]


@dataclass(frozen=True, eq=False)
class _Division:
    """A division: if the divisor is at least 1 and `inside` holds, then `dividend` == `multiple` + `remainder`.

    `inside`: the condition that the dividend is at least 0 and not above the largest size, if there is one.
    `quotient`: the multiple divided by the divisor; None if no term uses it.
    """

    dividend: t.Term
    divisor: t.Term
    inside: t.Term
    multiple: t.Variable
    remainder: t.Variable
    quotient: t.Variable | None = None

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the remainder, and of the quotient if there is one."""
        return frozenset(x.name for x in (self.remainder, self.quotient) if x is not None)

    @property
    def applies(self) -> t.Term:
        return conjunction(at_least(self.divisor, ONE), self.inside)

    def is_it(self) -> Iterator[t.Term]:
        """Yield the statements that define the multiple, the remainder and the quotient."""
        r = self.remainder
        yield implies(at_least(self.divisor, ONE), conjunction(at_least(r, ZERO), less_than(r, self.divisor)))
        whole = equal(self.dividend, add(self.multiple, r))
        yield implies(self.applies, conjunction(whole, separate_multiples(self.multiple, ZERO, self.divisor)))
        if (q := self.quotient) is not None:
            yield implies(self.applies, conjunction(equal(self.multiple, mul(q, self.divisor)), at_least(q, ZERO)))
            yield implies(conjunction(self.applies, less_than(self.dividend, self.divisor)), equal(q, ZERO))

    def relate(self, other: _Division) -> t.Term:
        """Return a fact about two divisions by the same number.

        Their multiples are equal or differ by at least the divisor. Equal dividends have equal remainders.
        """
        far = implies(
            conjunction(self.applies, other.applies), separate_multiples(self.multiple, other.multiple, self.divisor)
        )
        return conjunction(far, implies(equal(self.dividend, other.dividend), equal(self.remainder, other.remainder)))


class Multiples:
    """The remainders and quotients in one sequent, each created once.

    `accept`: a function that raises Unsupported for terms that no solver can read.
    `highest`: the largest size, or None if sizes have no bound.

    The remainder is arbitrary if the dividend is negative or larger than `highest`, or if the divisor is below 1.
    """

    def __init__(self, symbols: Symbols, interval_of: IntervalOf, accept: Accept, highest: int | None) -> None:
        self.symbols, self.interval_of, self.accept, self.highest = symbols, interval_of, accept, highest
        self._made: dict[tuple[Hashable, Hashable], _Division] = {}

    @property
    def used(self) -> bool:
        """Whether a remainder or quotient was created."""
        return bool(self._made)

    def list_divisions(self) -> list[_Division]:
        """Return the divisions whose remainder or quotient was created, in the order of their creation."""
        return list(self._made.values())

    def remainder(self, term: t.Operation) -> t.Term:
        """Return `dividend % divisor`. Raises Unsupported if no solver can read the terms of the division."""
        return self._division(*term.args).remainder

    def quotient(self, term: t.Operation) -> t.Term:
        """Return `dividend // divisor`. Raises Unsupported as `remainder` does."""
        found = self._division(*term.args)
        if found.quotient is None:
            quotient = self.symbols.integer("quotient", *self._range_of_quotient(found), aside=True)
            found = self._keep(replace(found, quotient=quotient))
        assert found.quotient is not None
        return found.quotient

    def _range_of_quotient(self, division: _Division) -> tuple[int | None, int | None]:
        """Return (low, high), bounds of the quotient for every divisor except 0. None means no bound."""
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
        """Store a division, and return it. Raises Unsupported if no solver can read the statements that define it."""
        for x in (*made.is_it(), made.relate(made)):
            self.accept(x)
        self._made[_keys(made.dividend, made.divisor)] = made
        return made

    def _divide(self, dividend: t.Term, divisor: t.Term) -> _Division:
        """Return a new division. The range of the remainder is valid for all values of the dividend and the divisor."""
        by = self.interval_of(divisor)
        words = by.bounded and self.interval_of(dividend).bounded
        highest = self.highest if words else None
        above = () if highest is None else (at_most(dividend, integer(highest)),)
        inside = conjunction(at_least(dividend, ZERO), *above)
        multiple = self.symbols.integer("multiple", 0, highest, aside=True)
        low, high = None if by.lo is None else min(0, by.lo + 1), None if by.hi is None else max(0, by.hi - 1)
        remainder = self.symbols.integer("remainder", low, high, aside=True)
        return _Division(dividend, divisor, inside, multiple, remainder)

    def list_facts(self, terms: Iterable[t.Term]) -> list[t.Term]:
        """Return the statements that define the remainders and quotients in these terms.

        If these statements contain further remainders and quotients, the statements that define them are included.
        """
        found: list[_Division] = []
        told: list[t.Term] = []
        names = names_in(*terms)
        while new := [x for x in self._made.values() if x.names & names and x not in found]:
            for division in new:
                told += division.is_it()
                told += (division.relate(x) for x in found if spell_number(x.divisor) == spell_number(division.divisor))
                found.append(division)
            names = names_in(*terms, *told)
        return told


def _keys(dividend: t.Term, divisor: t.Term) -> tuple[Hashable, Hashable]:
    return spell_number(dividend), spell_number(divisor)


def separate_multiples(a: t.Term, b: t.Term, divisor: t.Term) -> t.Term:
    """Return the condition that two multiples are equal, or differ by the divisor, or by at least twice the divisor."""
    one_way, other_way = sub(a, b), sub(b, a)
    by_one = (equal(x, divisor) for x in (one_way, other_way))
    further = (at_least(sub(x, divisor), divisor) for x in (one_way, other_way))
    return disjunction(equal(a, b), *by_one, *further)


# -- the obligation ---------------------------------------------------------------------------------------------------
def pose_apart(symbols: Symbols) -> Entailment:
    """Return the obligation that, for D >= 1, a * D and b * D are equal, differ by D, or differ by at least 2 * D."""
    a, b, divisor = (symbols.integer(name) for name in ("a", "b", "D"))
    shifts = [add(sub(x, y), integer(n)) for x, y in ((a, b), (b, a)) for n in (-2, -1, 0, 1)]
    products = (natural_product(x, divisor) for x in shifts)
    far = separate_multiples(mul(a, divisor), mul(b, divisor), divisor)
    return Entailment((at_least(divisor, ONE), *products), far)


# == places ===========================================================================================================
# Binary places: place i is represented by the number 2^i.
#
# A number x has a 1 at the place p if and only if x ^ p < x.  That is its highest 1 if and only if x ^ p < p.
# In a proof with a bound only the places of numbers below 2^62 are distinguished: a number has no 1 at other places.
Tell = Callable[[t.Term], None]
HIGHEST_PLACE = 61  # of numbers below 2^62
NO_SIZES = "leave out the line `sizes`"
FARTHEST_PLACE = 1000  # the highest place that a term may name: its number 2^1000 is written out


def is_single(place: t.Term) -> t.Term:
    """Return the condition that p = `place`, a number above 0, is a power of 2: p ^ (p - 1) == p + (p - 1).

    The nim-sum of two numbers equals their sum if and only if no binary place has a 1 in both. For p and p - 1, this is
    so only if p is a power of 2.
    """
    before = sub(place, ONE)
    return equal(nim(place, before), add(place, before))


def make_place(symbols: Symbols, highest: int | None) -> tuple[t.Variable, t.Term]:
    """Return a variable for a binary place, and the condition that its value is a power of 2.

    `highest`: the largest value of the variable.
    """
    place = symbols.integer("place", 1, highest)
    return place, is_single(place)


def has(number: t.Term, place: t.Term) -> t.Term:
    """Return the condition that a number has a 1 at a binary place: number ^ place < number.

    `place`: the place as a power of 2.
    """
    return less_than(nim(number, place), number)


def is_highest(place: t.Term, number: t.Term) -> t.Term:
    """Return the condition that a number has its highest 1 at a binary place: number ^ place < place.

    `place`: the place as a power of 2.
    """
    return less_than(nim(number, place), place)


@dataclass(frozen=True, eq=False)
class _BinaryPlace:
    """A binary place. If `exists` holds, there is a place with this index, and `power` is 2^index."""

    index: t.Term
    exists: t.Term
    power: t.Term

    def relate(self, other: _BinaryPlace) -> t.Term:
        """Return the fact that a higher place has a larger power, and only equal places have equal powers."""
        same = iff(equal(self.index, other.index), equal(self.power, other.power))
        lower = iff(less_than(self.index, other.index), less_than(self.power, other.power))
        return implies(conjunction(self.exists, other.exists), conjunction(same, lower))


class BinaryPlaces:
    """The binary places in one sequent, each created once.

    `tell`: a function that assumes a fact about places.
    `bounded`: whether all numbers are below 2^62, so that there is a last place.
    """

    def __init__(self, symbols: Symbols, interval_of: IntervalOf, tell: Tell, bounded: bool) -> None:
        self.symbols, self.interval_of, self.tell = symbols, interval_of, tell
        self.last = HIGHEST_PLACE if bounded else None
        self._made: dict[Hashable, _BinaryPlace] = {}
        self._highest: dict[Hashable, tuple[t.Term, t.Variable]] = {}

    @property
    def used(self) -> bool:
        """Whether a term uses the highest place of a number."""
        return bool(self._highest)

    def digit(self, term: t.Operation, of: t.Operation) -> t.Term:
        """Return `bit(x, i)`: 0 or 1.

        In a proof with a bound, raises Unsupported if x or i may be 2^62 or more. In a proof without a bound, raises
        Unsupported if i is a literal above FARTHEST_PLACE.

        `of`: the term in the file.
        `term`: the same term, with the values of its arguments.
        """
        number, index = term.args
        self._refuse_outside(term, of)
        place = self._place(index)
        return choose(conjunction(place.exists, has(number, place.power)), ONE, ZERO)

    def find_top_bit(self, term: t.Operation, of: t.Operation) -> t.Term:
        """Return `top_bit(x)`: the index of the highest place of x if x is above 0, else an arbitrary index.

        Raises Unsupported as `digit` does.
        """
        (number,) = term.args
        self._refuse_outside(term, of)
        key = structural_key(number)
        if key not in self._highest:
            index = self.symbols.integer("highest place", 0, self.last, aside=True)
            self._highest[key] = number, index
            self.tell(implies(at_least(number, ONE), is_highest(self._place(index).power, number)))
        return self._highest[key][1]

    def list_highest(self) -> list[tuple[t.Term, t.Variable]]:
        """Return the numbers whose highest place was used, each with the variable for the index of this place."""
        return list(self._highest.values())

    def list_powers(self) -> list[tuple[t.Term, t.Variable]]:
        """Return the indices of the places that were used, each with the variable for the place."""
        return [(x.index, x.power) for x in self._made.values() if isinstance(x.power, t.Variable)]

    def _place(self, index: t.Term) -> _BinaryPlace:
        key = structural_key(index)
        if key not in self._made:
            made = self._new(index)
            for other in self._made.values():
                self.tell(made.relate(other))
            self._made[key] = made
        return self._made[key]

    def _new(self, index: t.Term) -> _BinaryPlace:
        last = self.last
        exists = conjunction(at_least(index, ZERO), *(() if last is None else (at_most(index, integer(last)),)))
        value = self.interval_of(index).value
        if value is not None and last is not None:
            return _BinaryPlace(index, exists, integer(1 << min(max(value, 0), last)))
        if value is not None:
            if value > FARTHEST_PLACE:
                raise Unsupported(
                    f"the binary place {value} is too high: a proof may name places up to {FARTHEST_PLACE}"
                )
            return _BinaryPlace(index, exists, integer(1 << max(value, 0)))
        power = self.symbols.integer("place", 1, None if last is None else 1 << last, aside=True)
        self.tell(is_single(power))
        return _BinaryPlace(index, exists, power)

    def _refuse_outside(self, term: t.Operation, of: t.Operation) -> None:
        """Raise Unsupported if an argument may be negative or, in a proof with a bound, may be 2^62 or more."""
        highest = None if self.last is None else (1 << self.last + 1) - 1
        for number, its in zip(term.args, of.args, strict=True):
            if not self.interval_of(number).is_within(0, highest):
                raise Unsupported(
                    f"in {print_term(of)}, {print_term(its)} may be outside 0 .. 2^62 - 1", instead=NO_SIZES
                )


# -- the obligations --------------------------------------------------------------------------------------------------
def pose_first() -> Entailment:
    """Return the obligation that the number 1 has its highest 1 at the place 2^0."""
    return Entailment((), conjunction(is_single(ONE), is_highest(ONE, ONE)))


def pose_next(symbols: Symbols, bounded: bool) -> Entailment:
    """Return the obligation that if x has its highest 1 at the place p, x + 1 has its highest 1 at p or 2 * p.

    `bounded`: whether x is below 2^62.
    """
    x = symbols.integer("x", 1, (1 << HIGHEST_PLACE + 1) - 2 if bounded else None)
    place = symbols.integer("place", 1, 1 << HIGHEST_PLACE if bounded else None)
    after, doubled = add(x, ONE), add(place, place)
    ways = (conjunction(is_single(p), is_highest(p, after)) for p in (place, doubled))
    return Entailment((is_single(place), is_highest(place, x)), disjunction(*ways))


# -- the pick of the top bit ------------------------------------------------------------------------------------------
def pose_column(symbols: Symbols, highest: int | None) -> Entailment:
    """Return the induction step of a fact about nim-sums: the fact remains true if one term is added.

    The fact: a nim-sum has a 1 at a binary place if and only if an odd number of its terms have a 1 there. The
    induction starts with the nim-sum of no terms, which is 0.
    """
    place, single = make_place(symbols, highest)
    rest, term = symbols.integer("nim-sum of the rest", 0, highest), symbols.integer("term", 0, highest)
    odd = symbols.truth("an odd number of the rest", aside=False)
    after = iff(odd, negation(has(term, place)))
    return Entailment((single, iff(has(rest, place), odd)), iff(has(nim(rest, term), place), after))


def pose_lowered(symbols: Symbols, highest: int | None) -> Entailment:
    """Return the obligation that t ^ X < t for a nim-sum X and a term t with a 1 at the highest place of X."""
    place, single = make_place(symbols, highest)
    whole, term = symbols.integer("nim-sum", 0, highest), symbols.integer("term", 0, highest)
    return Entailment((single, is_highest(place, whole), has(term, place)), less_than(nim(term, whole), term))


def pose_aimed(symbols: Symbols, highest: int | None) -> Entailment:
    """Return the obligation that a number has a 1 at the highest place at which it differs from a smaller number."""
    place, single = make_place(symbols, highest)
    whole, aim = symbols.integer("nim-sum", 0, highest), symbols.integer("smaller number", 0, highest)
    return Entailment((single, less_than(aim, whole), is_highest(place, nim(whole, aim))), has(whole, place))


# == reader ===========================================================================================================
# The numbers in a proof by folds: with or without a bound, including remainders and binary places.
class Sizes(SequentReader):
    """A translator of numbers in a proof by folds, for one sequent (the form of an obligation).

    `bits`: sizes are below 2**bits and fit into a machine word; None for no bound.
    `root`: the values of the claim's integers, by name.
    """

    words = "folds"
    reads = "use only who wins, and nim-sums, sums, counts, the minimum and the maximum of the heaps of a position"

    def __init__(self, bits: int | None) -> None:
        super().__init__()
        self.bits = bits
        self.root: Env = {}
        self.intervals = intervals_of(self.symbols.by_name)
        self.words_of = None if bits is None else translator(self.symbols.by_name)
        self.highest = None if bits is None else (1 << bits) - 1
        self._divided: dict[Hashable, set[str]] = {}  # (dividend, power of 2) -> "mod", "floordiv" or both
        self._roots: dict[Hashable, t.Variable] = {}
        self.multiples = Multiples(self.symbols, self.intervals.number, self.accept, self.highest)
        self.places = BinaryPlaces(
            self.symbols, self.intervals.number, partial(self.assume, Reason.PLACES), bits is not None
        )

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="bit" | "top_bit" as op, args=args):
                made = replace(term, args=tuple(self.natural(self.number(x, env)) for x in args))
                return self.places.digit(made, term) if op == "bit" else self.places.find_top_bit(made, term)
            case t.Operation(op="isqrt", args=(x,)) if self.bits is None:
                return self._root(self.number(x, env))
        return super().number(term, env)

    def _root(self, square: t.Term) -> t.Term:
        """Return a variable for the square root of a number, rounded down; arbitrary if the number is negative.

        The assumption that the root is at most the number follows from the other assumptions, but it saves the solver a
        search.
        """
        key = structural_key(square)
        if key not in self._roots:
            root = self._roots[key] = self.symbols.integer("root", 0, None, aside=True)
            after = add(root, ONE)
            inside = conjunction(
                at_most(mul(root, root), square), less_than(square, mul(after, after)), at_most(root, square)
            )
            self.assume(Reason.ROOT, implies(at_least(square, ZERO), inside))
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
        """Return the translation of `term`, the remainder or the quotient of a division by `power`, a power of 2.

        The remainder consists of the low binary places. If a sequent contains both the remainder and the quotient, they
        are related by the equation dividend = divisor * quotient + remainder.
        """
        dividend, divisor = term.args
        low, quotient = bit_and(dividend, integer(power - 1)), replace(term, op="floordiv")
        ways = self._divided.setdefault((structural_key(dividend), power), set())
        if ways == {"mod", "floordiv"} - {term.op}:
            self.assume(Reason.DIVISION, equal(dividend, add(mul(divisor, quotient), low)))
        ways.add(term.op)
        return self.accept(low if term.op == "mod" else quotient)

    def _has_digits(self, number: t.Term) -> bool:
        """Whether a solver can read the binary digits of the number. False for literals, whose digits are known."""
        found = self.intervals.number(number)
        return found.natural and found.value is None and (self.highest is None or found.bounded)

    def natural(self, number: t.Term) -> t.Term:
        """Return the number, or 0 if it is negative. A claim that is defined in every case never uses this 0."""
        return number if self.intervals.number(number).natural else largest(number, ZERO)

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """Return the obligation `posed` as a sequent, with all assumptions recorded so far.

        The statements that define the remainders and quotients in the sequent are added as assumptions.
        """
        found = super().sequent(name, posed)
        told = self.list_facts(found)
        assume = (*found.assume, *(x.term for x in told))
        made = self.symbols.sequent(name, assume, found.show, found.hypotheses, found.lemmas)
        return replace(made, by=found.by | {x.by for x in told})

    def list_facts(self, sequent: Sequent) -> list[Assumption]:
        """Return the statements that define the remainders and quotients in a sequent."""
        return [Assumption(x, Reason.MULTIPLES) for x in self.multiples.list_facts((*sequent.premises, sequent.show))]

    # -- numbers ------------------------------------------------------------------------------------------------------
    def size(self, name: str, low: int = 0) -> t.Variable:
        """Return a variable for a heap size of at least `low`. The size is below 2**bits if the proof has a bound."""
        return self.symbols.integer(name, low, self.highest)

    def make_number(self, name: str, low: t.Term, high: t.Term | None) -> tuple[t.Variable, t.Term]:
        """Return a new integer variable x and the condition low <= x <= high.

        `high`: None for no upper bound, which is allowed only in a proof without a bound on sizes.
        In a proof with a bound, raises Unsupported if x may not fit into a machine word. This is so if an end of the
        range is a number of heaps, because numbers of heaps have no bound.
        """
        first = self.intervals.number(low)
        last = Interval() if high is None else self.intervals.number(high)
        if self.highest is not None and not (first.bounded and last.bounded):
            problem = "a number of heaps, which has no bound"
            raise Unsupported(f"{display(name)} ranges up to {problem}", instead=NO_SIZES)
        most = last.hi if first.lo is None or last.hi is None else max(first.lo, last.hi)
        found = self.symbols.integer(name, first.lo, most)
        self.accept(found)  # raises Unsupported if it does not fit into a word
        return found, conjunction(at_least(found, low), *(() if high is None else (at_most(found, high),)))

    @property
    def sizes(self) -> str:
        """Return the range of heap sizes, including 0, in words such as "0 .. 2^62 - 1"."""
        return "the natural numbers" if self.bits is None else f"0 .. 2^{self.bits} - 1"

    def is_size(self, number: t.Term) -> bool:
        """Whether a number is known to be a heap size or 0, for all values of its variables."""
        return self.intervals.number(number).is_within(0, self.highest)
