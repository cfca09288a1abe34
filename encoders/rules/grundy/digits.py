"""The translation of heaps that are written with digits, of powers, and of sets of Grundy values, for solvers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Protocol

from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain, Players, Positions
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import INT
from encoders.logic.integers import IntegerReader
from encoders.logic.intervals import intervals_of, read_binary_digits
from encoders.logic.moves import OpenMove, open_moves
from encoders.logic.reader import Entailment, Env, SequentReader
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Polynomial,
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
    is_same_polynomial,
    less_than,
    mul,
    negation,
    polynomial,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import VariableRange
from encoders.rules.base.rule import ObligationBuilder
from encoders.rules.base.shape import refuse_variable
from encoders.rules.grundy.section import POWERS, GrundyProof, PowerDigit
from encoders.trust import Reason

# == powers ===========================================================================================================
# Powers of a base: the assumptions about them in one sequent, and the obligations that prove these for all powers.
#
# The solver knows integers, but not powers.  For each power it may assume: it is 1 or a multiple of the base, and it is
# 1 more than a multiple of base - 1.  For two powers: they are equal, or one is at least the base times the other.
# Every proof from these assumptions is valid for all powers, and perhaps for other numbers too.
MOST_APART = 62  # the largest difference of two exponents for which their exact ratio is assumed


def times(base: int, x: t.Term) -> t.Term:
    """Return the term base * x. If x is a power of `base`, the result is the next power."""
    return mul(integer(base), x)


def _is_one(base: int, x: t.Term) -> t.Term:
    """Return a condition that every power x of `base` satisfies.

    The condition is: x is 1 or a multiple of the base, and x - 1 is a multiple of base - 1.
    """
    multiple = equal(_remainder(x, base), ZERO)
    more = conjunction() if base == 2 else equal(_remainder(x, base - 1), ONE)
    return conjunction(at_least(x, ONE), disjunction(equal(x, ONE), multiple), more)


def _remainder(x: t.Term, divisor: int) -> t.Term:
    return t.Operation(INT, 0, 0, "mod", (x, integer(divisor)))


def _relate_powers(base: int, a: t.Term, b: t.Term, k: t.Term) -> t.Term:
    """Return a condition that two powers a and b of `base` satisfy for some k >= 1.

    The condition is: they are equal, or one is base * k times the other.
    """

    def multiple(x: t.Term, y: t.Term) -> t.Term:
        return conjunction(equal(x, times(base, mul(k, y))), at_least(x, times(base, y)))

    return conjunction(at_least(k, ONE), disjunction(equal(a, b), multiple(a, b), multiple(b, a)))


def _separate_powers(base: int, a: t.Term, b: t.Term) -> t.Term:
    """Return a condition that all powers a and b of `base` satisfy: they are equal, or one is >= base * the other."""
    return disjunction(equal(a, b), at_least(a, times(base, b)), at_least(b, times(base, a)))


def _cancel_powers(base: int, a: t.Term, x: t.Term, b: t.Term, y: t.Term, k: t.Term) -> t.Term:
    """Return a consequence of a * x = b * y for powers a and b of `base` that satisfy `_relate_powers` for k.

    If a = b, then x = y. Otherwise one of x and y is base * k times the other.
    """
    first = conjunction(less_than(b, a), equal(y, times(base, mul(k, x))))
    second = conjunction(less_than(a, b), equal(x, times(base, mul(k, y))))
    return implies(equal(mul(a, x), mul(b, y)), disjunction(conjunction(equal(a, b), equal(x, y)), first, second))


def _relate_by_exponents(base: int, a: t.Term, x: t.Term, b: t.Term, y: t.Term) -> t.Term:
    """Return the relation between x = base^a and y = base^b, if a and b are at least 0.

    The greater exponent gives the greater power. If b - a is a small constant, the quotient of the powers is known.
    """
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
    """The variables in one obligation that are powers, and the assumptions about them.

    Solvers know integers, but not powers. So each new variable adds the assumptions about it that proofs may need.
    `used`: a dict that this class changes. For the base of each power, it records whether exponents were compared.
    `multiples`: tuples (k, base, x, y). One of the powers x and y is base * k times the other, unless they are equal.
    """

    def __init__(self, reader: SequentReader, used: dict[int, bool]) -> None:
        self.reader, self.used = reader, used
        self._bases: dict[str, int] = {}  # the names of the power variables, with their bases
        self._weighed: list[tuple[t.Variable, t.Term]] = []
        self.multiples: list[tuple[t.Variable, int, t.Variable, t.Variable]] = []

    def fresh(self, base: int, name: str) -> t.Variable:
        """Return a new variable for a power of `base`, with assumptions about it and the earlier powers."""
        x = self.reader.symbols.integer(name, 1)
        self.used.setdefault(base, False)
        self.reader.assume(Reason.POWERS, _is_one(base, x))
        for other, its in self._bases.items():
            if its == base:
                self.reader.assume(Reason.POWERS, _separate_powers(base, x, t.Variable(INT, 0, 0, other)))
        self._bases[x.name] = base
        return x

    def compare_exponents(self, base: int, a: t.Term, x: t.Term, b: t.Term, y: t.Term) -> None:
        """Assume the relation between x = base^a and y = base^b; see `_relate_by_exponents`."""
        self.used[base] = True
        self.reader.assume(Reason.POWERS, _relate_by_exponents(base, a, x, b, y))

    def weigh(self, power: t.Term, number: t.Term) -> None:
        """Add assumptions about the product of `power` and its coefficient in `number`; see `_cancel_powers`.

        For each earlier product that contains another power of the same base, there is one assumption about the two
        products. Nothing is assumed if `power` is not a variable for a power.
        """
        if not isinstance(power, t.Variable) or power.name not in self._bases:
            return
        base = self._bases[power.name]
        for weight in _weights(number, power.name):
            if any(x.name == power.name and is_same_polynomial(weight, its) for x, its in self._weighed):
                continue
            for other, its in self._weighed:
                if other.name != power.name and self._bases[other.name] == base:
                    k = self.reader.symbols.integer("multiple", 1, aside=True)
                    self.multiples.append((k, base, power, other))
                    self.reader.assume(Reason.POWERS, _cancel_powers(base, power, weight, other, its, k))
            self._weighed.append((power, weight))

    def is_power(self, base: int, term: t.Term) -> t.Term:
        """Return the condition that a term is a power of `base`.

        The term must be a literal, a variable for a power of `base`, or a product of such terms. Raises Unsupported for
        other terms.
        """
        match term:
            case t.Literal(value=value):
                return holds(_is_power(base, value))
            case t.Variable(name=name) if self._bases.get(name) == base:
                return YES
            case t.Operation(op="mul", args=(x, y)):
                return conjunction(self.is_power(base, x), self.is_power(base, y))
        instead = f"write it as {base} ** e, with an integer e >= 0 of the claim"
        raise Unsupported(f"{print_term(term)} is not known to be a power of {base}", instead=instead)


def _is_power(base: int, value: int) -> bool:
    while value > 1 and value % base == 0:
        value //= base
    return value == 1


def _weights(number: t.Term, power: str) -> Iterator[t.Term]:
    """Yield the coefficient of the variable `power` in `number`: for `3*p*q + q` and p, it is 3*q.

    If the number contains divisions by literals, it is first multiplied by the divisors. For a conditional number,
    yield the coefficients in both branches. A wrong coefficient would do no harm: the coefficients only determine which
    instances of the true fact `_cancel_powers` are assumed.
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


def list_power_obligations(base: int, by_exponents: bool) -> Iterator[ObligationBuilder[SequentReader]]:
    """Yield the obligations that prove, by induction on exponents, all assumptions of `Powers` about one base.

    `by_exponents`: whether obligations compared powers by their exponents.
    """
    for what, ask in (
        *((("by their exponents", partial(_later, base=base)),) if by_exponents else ()),
        ("each", partial(_pose_each_power, base=base)),
        ("any two", partial(_two, base=base)),
        ("a factor above 0 is left out on both sides", _factor),
        ("what follows of two", partial(_follows, base=base)),
        ("one above every number", partial(_pose_power_above, base=base)),
    ):
        yield POWERS.make_label(base=base, what=what), ask


def _pose_each_power(q: SequentReader, base: int) -> Entailment:
    x = q.symbols.integer("x")
    return Entailment((_is_one(base, x),), conjunction(_is_one(base, ONE), _is_one(base, times(base, x))))


def _two(q: SequentReader, base: int) -> Entailment:
    """Return the obligation that proves `_relate_powers` by induction.

    It states the relation for 1 and 1, and for 1 and a larger power. If the relation holds for two powers, it holds for
    the next two powers.
    """
    a, b, k = (q.symbols.integer(n) for n in ("a", "b", "k"))
    known = (_is_one(base, a), _is_one(base, b), _relate_powers(base, a, b, k))
    later = conjunction(_relate_powers(base, times(base, a), ONE, a), _relate_powers(base, ONE, times(base, b), b))
    return Entailment(
        known,
        conjunction(
            _relate_powers(base, ONE, ONE, ONE), later, _relate_powers(base, times(base, a), times(base, b), k)
        ),
    )


def _cancel_factor(factor: t.Term, x: t.Term, y: t.Term) -> t.Term:
    """Return the fact: if factor * x = factor * y and the factor is above 0, then x = y."""
    return implies(conjunction(at_least(factor, ONE), equal(mul(factor, x), mul(factor, y))), equal(x, y))


def _factor(q: SequentReader) -> Entailment:
    return Entailment((), _cancel_factor(q.symbols.integer("a"), q.symbols.integer("x"), q.symbols.integer("y")))


def _follows(q: SequentReader, base: int) -> Entailment:
    """Return the obligation that `_relate_powers` implies the assumptions of `Powers` about two powers.

    The instances of `_cancel_factor` that the proof needs are among the assumptions, so that the solver need not
    search for them.
    """
    a, b, k, x, y = (q.symbols.integer(n) for n in ("a", "b", "k", "x", "y"))
    sides = ((a, x, y), (b, times(base, mul(k, x)), y), (a, times(base, mul(k, y)), x))
    known = (
        _is_one(base, a),
        _is_one(base, b),
        _relate_powers(base, a, b, k),
        *(_cancel_factor(*side) for side in sides),
    )
    return Entailment(
        known, conjunction(at_least(k, ONE), _separate_powers(base, a, b), _cancel_powers(base, a, x, b, y, k))
    )


def _later(q: SequentReader, base: int) -> Entailment:
    """Return the induction step for a comparison by exponents: if y >= base * x, then base * y >= base * x.

    The induction starts with y = base * x, the next power.
    """
    x, y = q.symbols.integer("x"), q.symbols.integer("y")
    known = (_is_one(base, x), _is_one(base, y), at_least(y, times(base, x)))
    return Entailment(known, at_least(times(base, y), times(base, x)))


def _pose_power_above(q: SequentReader, base: int) -> Entailment:
    """Return the obligation that proves by induction on n: some power of the base is larger than n.

    It states that the power 1 is larger than n if n <= 0. If a power x is larger than n, then base * x > n + 1.
    """
    x, n = q.symbols.integer("x"), q.symbols.integer("n")
    next_one = implies(compare("gt", x, n), compare("gt", times(base, x), add(n, ONE)))
    return Entailment((_is_one(base, x),), conjunction(implies(at_most(n, ZERO), compare("gt", ONE, n)), next_one))


# == reader ===========================================================================================================
# The reader of heaps given by digits, and of the claim's integers, for one sequent.
LARGEST_EXPONENT = 62  # the largest exponent of a power that is evaluated

Digits = Mapping[str, t.Term]  # the digits of a heap, or of a value, by name


class GameTermReader(Protocol):
    """A translator of the terms in a claim about positions and games. It raises Unsupported for other terms."""

    def number(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a term that is a number."""

    def truth(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a term that is a condition."""


class HeapReader(IntegerReader):
    """A translator of terms into obligations for solvers. It knows the claim's integers, and heaps with their digits.

    `questions`: the translator of terms about positions and games. None while terms of the proof are translated, which
    do not contain such terms.
    `bases`: the dict `Powers.used`, whose keys are the bases of the powers that occur.
    `raised`: tuples (base, exponent, power) for the powers base ** exponent in the terms that are translated.

    The constructor raises Unsupported if a variable of the claim is not an integer from an interval, a position, or a
    player.
    """

    def __init__(self, claim: Claim, proof: GrundyProof, bases: dict[int, bool]) -> None:
        for v in claim.variables:
            if not isinstance(v.domain, IntervalDomain | Positions | Players):
                raise refuse_variable(v)
        self.proof = proof
        self.questions: GameTermReader | None = None
        self.powers = Powers(self, bases)
        self.raised: list[tuple[int, t.Term, t.Term]] = []  # base, exponent, power
        super().__init__(claim)  # reads the domains, so it needs the attributes above
        self._intervals = intervals_of(self.symbols.by_name)

    def operation(self, term: t.Operation) -> t.Term:
        """Return the translation of an operation on numbers. Raises Unsupported.

        Nim-sums are supported only in the claim. In a nim-sum, a negative number counts as 0. This does not matter:
        other obligations show that the claim is defined, so no term of its nim-sums is negative.
        """
        if term.op in ("nim", "bit_and") and self.questions is not None:
            return read_binary_digits(term, self._intervals)
        return super().operation(term)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="pow", args=(t.Literal(value=base), exponent)) if base > 1:
                return self._raise(base, self.number(exponent, env))
        if self.questions is not None:
            return self.questions.number(term, env)
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        if self.questions is not None:
            return self.questions.truth(term, env)
        return super().about_truth(term, env)

    def _raise(self, base: int, exponent: t.Term) -> t.Term:
        """Return a term for base ** exponent: a number, or a variable with assumptions about it.

        The term represents an arbitrary power if the exponent is negative. The claim is then undefined.
        """
        if isinstance(exponent, t.Literal) and 0 <= exponent.value <= LARGEST_EXPONENT:
            return integer(base**exponent.value)
        for its, other, power in self.raised:
            if its == base and is_same_polynomial(other, exponent):
                return power
        power = self.powers.fresh(base, f"{base} ** {print_term(exponent)}")
        for its, other, earlier in self.raised:
            if its == base:
                self.powers.compare_exponents(base, other, earlier, exponent, power)
        self.raised.append((base, exponent, power))
        return power

    def digits(self, digits: tuple[VariableRange | PowerDigit, ...]) -> dict[str, t.Term]:
        """Return a new variable for each digit, by name. Only for powers, assumptions are added."""
        return {
            d.name: self.powers.fresh(d.base, d.name) if isinstance(d, PowerDigit) else self.fresh(d.name)
            for d in digits
        }

    def inside(self, digits: tuple[VariableRange | PowerDigit, ...], values: Digits) -> t.Term:
        """Return the condition that each of the `values` is in the range of its digit, or is a power of its base.

        Raises Unsupported if a value is not known to be a power.
        """
        tests: list[t.Term] = []
        for d in digits:
            if isinstance(d, PowerDigit):
                tests.append(self.powers.is_power(d.base, values[d.name]))
                continue
            tests.append(at_least(values[d.name], self.number(d.lo, self.env)))
            if d.hi is not None:
                tests.append(at_most(values[d.name], self.number(d.hi, self.env)))
        return conjunction(*tests)

    def evaluate(self, term: t.Term, values: Digits) -> t.Term:
        """Return the translation of a term of the proof that is a number, with `values` for its digits."""
        return self.number(term, {**self.env, **values})

    def heap(self, values: Digits) -> t.Term:
        """Return a term for the heap with these digits. For digits that are powers, assumptions are added."""
        made = self.evaluate(self.proof.heap, values)
        for d in self.proof.digits:
            if isinstance(d, PowerDigit):
                self.powers.weigh(values[d.name], made)
        return made

    def moves(self, mover: int = 0) -> tuple[OpenMove, ...]:
        """Return the moves of the player with the index `mover` in the claim's game."""
        return open_moves(self.claim.games[0], mover)


# == sets =============================================================================================================
# Equality of two sets of numbers, such as the Grundy values of a row of heaps and the numbers below a bound.
#
# The sets have the form {E for x in range(a, b) if ...}.  If they differ, one has an element that no x of the other
# produces.  This is assumed for one x only: for the element itself if E is x, or else for the heap that [proof.witness]
# gives for the element.  Instances of a true statement are true, so the assumption is sound.
Witnessed = tuple[t.Term, Digits]  # a heap that [proof.witness] names, and its digits


@dataclass
class Sets:
    """The equations between sets of numbers in one obligation, and the assumptions about them.

    If two sets differ, one of them has an element that the other does not have. This element is a variable.

    `known`: the assumptions about such elements.
    `apart`: the assumptions that follow if two sets differ.
    `lemmas`: pairs (condition, lemma of [proof.witness]). The lemma must be proved from the condition and `known`,
    without `apart`, so that it is true for all elements even if the sets are equal.
    `met`: for each of the two sets, the condition that it contains the element, by the number that is tried.
    `witness`: the heap of [proof.witness] and its digits, while terms are translated that may use them. None at other
    times: the formula gives the value of this heap only if the digits are in their ranges.
    """

    reader: HeapReader
    known: list[t.Term] = field(default_factory=list)
    apart: list[t.Term] = field(default_factory=list)
    lemmas: list[tuple[t.Term, t.Term]] = field(default_factory=list)
    met: list[t.Term] = field(default_factory=list)
    witness: Witnessed | None = None

    def same(self, a: t.Term, b: t.Term, env: Env) -> t.Term:
        """Return a Boolean variable for `a == b`, where a and b are sets of numbers, and add the assumptions about it.

        Raises Unsupported for sets that are not of the form {E for x in range(a, b) if ...}.
        """
        first, second = _row(a), _row(b)
        same = self.reader.symbols.truth("the sets are equal")
        self.apart.append(disjunction(same, self._outside(first, second, env), self._outside(second, first, env)))
        return same

    def _outside(self, a: t.Comprehension, b: t.Comprehension, env: Env) -> t.Term:
        """Return a Boolean variable for "some element of the set a is not in the set b", and add assumptions about it.

        Let b be {E for x in range(...) if ...}. If the variable is true, a has an element e, and e is not the element E
        of b for one number x, which `_read_row` chooses. Nothing is assumed about the other numbers x.
        """
        reader = self.reader
        way = reader.symbols.truth("an element of one set alone")
        inner = {**env, a.clauses[0].variable: reader.fresh("what runs in the set")}
        inside = self._inside(a, inner)
        element = reader.number(a.body, inner)
        self.known.append(implies(way, inside))
        met, at, witness = self._read_row(b, element, conjunction(way, at_least(element, ZERO)))
        there = {**env, b.clauses[0].variable: at}
        before, self.witness = self.witness, witness
        made = conjunction(met, self._inside(b, there), equal(reader.number(b.body, there), element))
        self.witness = before
        self.met.append(made)
        self.apart.append(implies(way, negation(made)))
        return way

    def _inside(self, row: t.Comprehension, env: Env) -> t.Term:
        (clause,) = row.clauses
        reader = self.reader
        x = reader.number(t.Variable(row.body.type, 0, 0, clause.variable), env)
        assert isinstance(clause.source, t.Operation)
        low, high = (reader.number(y, env) for y in clause.source.args)
        return conjunction(at_least(x, low), less_than(x, high), *(reader.truth(c, env) for c in clause.conditions))

    def _read_row(
        self, row: t.Comprehension, element: t.Term, where: t.Term
    ) -> tuple[t.Term, t.Term, Witnessed | None]:
        """Return (condition, x, witness): a number x from which the set `row` may produce `element`.

        For a set {E for x in range(a, b)}, x is the element itself if E is x, and `witness` is None. Otherwise, if the
        condition holds, x is the heap of [proof.witness] for this value, and `witness` is this heap with its digits.
        `where`: the condition under which the element is considered.
        Raises Unsupported if [proof.witness] is needed and missing.
        """
        variable, reader, proof = row.clauses[0].variable, self.reader, self.reader.proof
        if isinstance(row.body, t.Variable) and row.body.name == variable:
            return YES, element, None
        if proof.witness is None:
            instead = "give the digits of a heap for each value, in [proof.witness]"
            raise Unsupported(f"the proof does not give a heap for each value in {print_term(row)}", instead=instead)
        digits_below = reader.digits(proof.below_digits)
        # Every natural number has digits as a value, by the obligations "digits of 0" and "digits of the next".
        natural = conjunction(
            reader.inside(proof.below_digits, digits_below), equal(element, reader.evaluate(proof.below, digits_below))
        )
        self.known.append(implies(where, natural))
        if proof.witness.lemma is not None:
            self.lemmas.append((where, reader.truth(proof.witness.lemma, {**reader.env, **digits_below})))
        digits = {name: reader.evaluate(term, digits_below) for name, term in proof.witness.digits}
        heap = reader.evaluate(proof.heap, digits)
        return conjunction(where, reader.inside(proof.digits, digits)), heap, (heap, digits)


def _row(term: t.Term) -> t.Comprehension:
    if isinstance(term, t.Comprehension) and term.reducer == "set" and len(term.clauses) == 1:
        source = term.clauses[0].source
        if isinstance(source, t.Operation) and source.op == "range":
            return term
    instead = "write it over a range, as in {grundy(position([x])) for x in range(a, b)}"
    raise Unsupported(f"{print_term(term)} is not a supported set of numbers", instead=instead)
