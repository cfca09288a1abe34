"""The translation of a claim about integers into sequents, including digit sums, primes and conditions on ranges."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain, ListedDomain
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import digit_sum, is_prime, limit_prime, valuation
from claims.language.syntax.printing import find_free_names, print_term, structural_key, substitute, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.logic.moves import OpenMove, parameter_bounds
from encoders.logic.reader import Entailment, Env, SequentReader, name_players
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Sequent,
    add,
    at_least,
    at_most,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    holds,
    iff,
    implies,
    integer,
    is_same_polynomial,
    less_than,
    list_parts,
    mul,
    neg,
    negation,
    polynomial,
    sub,
)
from encoders.logic.translator import COMPARISONS
from encoders.refusals import Unsupported
from encoders.trust import All, Coverage, Limits, Reason, make_number_kind

# == digits ===========================================================================================================
# The exponent of p in a number, and the sum of its digits to a base (popcount for base 2).
#
# Both are defined recursively: from the last digit of a number, and from the number without this digit. The sequent
# states this step for each number that occurs, and for that number without its last digit. It also compares all these
# numbers: equal numbers have equal values, and the step applies if one number extends another by a digit. The base must
# be a literal.
MOST_TOLD = 24  # numbers of one kind in a sequent; each pair is compared, so the sequent grows quadratically
Told = tuple[t.Term, t.Term]
"""A number together with its exponent, its digit sum, or the truth value that it is prime."""


class Digits:
    """The variables that replace valuations (exponents of p in a number) and digit sums in one sequent.

    When a number first occurs, its exponent or digit sum gets a new variable, and facts about it become premises.
    """

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._exponents: dict[int, list[Told]] = {}
        self._sums: dict[int, list[Told]] = {}

    def exponent(self, x: t.Term, p: t.Term, of: t.Term) -> t.Term:
        """Return a term for the exponent of p in x. For x = 0 it may be any natural number.

        `of`: the term of the claim, for messages. Raises Unsupported if p is not a literal from 2 on.
        """
        return self._find(self._exponents, x, _base(p, of), of)

    def sum_of_digits(self, x: t.Term, base: t.Term, of: t.Term) -> t.Term:
        """Return a term for the digit sum of x to a base. For negative x it may be any natural number.

        `of`: the term of the claim, for messages. Raises Unsupported if the base is not a literal from 2 on.
        """
        return self._find(self._sums, x, _base(base, of), of)

    def list_values(self) -> Iterator[tuple[str, t.Term, int, t.Term]]:
        """Yield each new variable: the function "valuation" or "digit_sum", a number and a base, and the variable."""
        for function, kind in (("valuation", self._exponents), ("digit_sum", self._sums)):
            yield from ((function, x, base, value) for base, told in kind.items() for x, value in told)

    def _find(self, kind: dict[int, list[Told]], x: t.Term, base: int, of: t.Term, deeper: bool = True) -> t.Term:
        known = polynomial(x).constant
        if known is not None and (known > 0 or (known == 0 and kind is self._sums)):
            return integer(valuation(known, base) if kind is self._exponents else digit_sum(known, base))
        told = kind.setdefault(base, [])
        for other, value in told:
            if is_same_polynomial(other, x):
                return value
        if len(told) == MOST_TOLD:
            instead = "prove parts of the claim as separate claims, and list them in `by`"
            raise Unsupported(
                f"{print_term(of)}: one obligation contains digits of more than {MOST_TOLD} numbers", instead=instead
            )
        exponents = kind is self._exponents
        reason, words = (Reason.EXPONENT, "exponent") if exponents else (Reason.DIGIT_SUM, "digit sum")
        of_one, of_two = (_describe_exponent, _relate_exponents) if exponents else (_describe_sum, _relate_sums)
        value = self.reader.symbols.integer(words, 0, aside=True)
        here = x, value
        self.reader.assume(reason, *of_one(here, base))
        for another in told:
            self.reader.assume(reason, implies(equal(x, another[0]), equal(value, another[1])))
            self.reader.assume(reason, of_two(here, another, base), of_two(another, here, base))
        told.append(here)
        if deeper:
            self._find(kind, _shorter(x, base), base, of, deeper=False)
        return value


def _base(term: t.Term, of: t.Term) -> int:
    """Return the value of a base. Raises Unsupported unless it is a constant of at least 2. `of`: as in `exponent`."""
    base = polynomial(term).constant
    if base is None or base < 2:
        instead = "write one claim for each base"
        raise Unsupported(f"{print_term(of)}: the base must be a number, at least 2", instead=instead)
    return base


def _shorter(x: t.Term, base: int) -> t.Term:
    """Return a term for the number without its last digit: x // base."""
    return t.Operation(INT, 0, 0, "floordiv", (x, integer(base)))


def _last(x: t.Term, base: int) -> t.Term:
    return t.Operation(INT, 0, 0, "mod", (x, integer(base)))


def _describe_exponent(told: Told, base: int) -> Iterator[t.Term]:
    """Yield one fact about a number and its exponent.

    If the number is not 0, its exponent is at least 1 if and only if the base divides the number.
    """
    x, exponent = told
    divides = equal(_last(x, base), ZERO)
    yield implies(compare("ne", x, ZERO), equal(divides, at_least(exponent, ONE)))


def _relate_exponents(told: Told, shorter: Told, base: int) -> t.Term:
    """Return a fact about two numbers x and y != 0 with their exponents.

    If x = base * y, the exponent of x is one more than the exponent of y.
    """
    (x, exponent), (y, less) = told, shorter
    times = conjunction(compare("ne", y, ZERO), equal(x, mul(integer(base), y)))
    return implies(times, equal(exponent, add(less, ONE)))


def _describe_sum(told: Told, base: int) -> Iterator[t.Term]:
    """Yield two facts about a number and its digit sum.

    A natural number below the base is equal to its digit sum. For a positive number, 1 <= digit sum <= number.
    """
    x, total = told
    yield implies(conjunction(at_least(x, ZERO), less_than(x, integer(base))), equal(total, x))
    yield implies(at_least(x, ONE), conjunction(at_least(total, ONE), at_most(total, x)))


def _relate_sums(told: Told, shorter: Told, base: int) -> t.Term:
    """Return a fact about two natural numbers x and y with their digit sums.

    If x is y with one digit appended, the digit sum of x is the digit sum of y plus this digit.
    """
    (x, total), (y, less) = told, shorter
    digit = sub(x, mul(integer(base), y))
    longer = conjunction(at_least(y, ZERO), at_least(digit, ZERO), less_than(digit, integer(base)))
    return implies(longer, equal(total, add(less, digit)))


# == primes ===========================================================================================================
# Conditions that a number is prime.
#
# The sequent states four facts about each number x of such a condition:
# - If x is prime, x is at least 2.
# - If x is equal to another such number, both are prime, or neither is.
# - If a prime p divides x, then x is prime if and only if x = p. Each p divides a literal factor or divisor of the
#   sequent.
# - If x is at most the largest small literal of the sequent, then x is prime if and only if it is a listed prime.
# A proof may fail because other facts about primes are missing, but the facts never imply anything false.
MOST_DECIDED = 30  # the largest number for which a sequent states whether it is prime
MOST_FACTORED = 1000  # larger literals are not factored
MOST_DIVISORS = 6  # primes p in a sequent


class Primes:
    """The variables that replace the conditions `is_prime(x)` in one sequent.

    When a number first occurs, its condition gets a new variable (a truth value), and facts about it become premises.
    """

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._told: list[Told] = []

    def ask(self, x: t.Term, of: t.Term) -> t.Term:
        """Return a term for the condition that x is prime: a literal if x is constant, otherwise a variable.

        `of`: the term of the claim, for messages. Raises Unsupported if the sequent contains too many such numbers.
        """
        known = polynomial(x).constant
        if known is not None and not limit_prime(known):
            return holds(is_prime(known))
        for other, prime in self._told:
            if is_same_polynomial(other, x):
                return prime
        if len(self._told) == MOST_TOLD:
            instead = "prove parts of the claim as separate claims, and list them in `by`"
            raise Unsupported(
                f"{print_term(of)}: one obligation asks of more than {MOST_TOLD} numbers whether they are prime",
                instead=instead,
            )
        prime = self.reader.symbols.truth("prime")
        self.reader.assume(Reason.PRIME, implies(prime, at_least(x, integer(2))))
        for other, its in self._told:
            self.reader.assume(Reason.PRIME, implies(equal(x, other), iff(prime, its)))
        self._told.append((x, prime))
        return prime

    def list_facts(self, sequent: Sequent) -> tuple[t.Term, ...]:
        """Return further facts about the primes in a sequent; () if it has no conditions on primes.

        They concern small primes, and primes that divide a literal of the sequent. So the sequent must be complete.
        """
        if not self._told:
            return ()
        terms = list(list_parts(*sequent.premises, sequent.show))
        literals = {abs(x.value) for x in terms if isinstance(x, t.Literal) and x.type == INT}
        most = max(x for x in {2, *literals} if x <= MOST_DECIDED)
        small = [p for p in range(2, most + 1) if is_prime(p)]
        factors = sorted({abs(x) for term in terms for x in _literal_factors(term)})
        divisors = list(islice(_prime_divisors(factors), MOST_DIVISORS))
        facts = list[t.Term]()
        for x, prime in self._told:
            facts += (implies(equal(_last(x, p), ZERO), iff(prime, equal(x, integer(p)))) for p in divisors)
            listed = disjunction(*(equal(x, integer(p)) for p in small))
            facts.append(implies(at_most(x, integer(most)), iff(prime, listed)))
        return tuple(facts)


def _literal_factors(term: t.Term) -> Iterator[int]:
    """Yield the literals among the factors of a product, or the literal divisor of a quotient or remainder."""
    match term:
        case t.Operation(op="mul", args=args):
            yield from (x.value for x in args if isinstance(x, t.Literal))
        case t.Operation(op="floordiv" | "mod", args=(_, t.Literal(value=value))):
            yield value


def _prime_divisors(numbers: list[int]) -> Iterator[int]:
    """Yield the primes that divide one of the numbers, in ascending order. Numbers above MOST_FACTORED are skipped."""
    factored = [x for x in numbers if 2 <= x <= MOST_FACTORED]
    for p in range(2, max(factored, default=1) + 1):
        if is_prime(p) and any(x % p == 0 for x in factored):
            yield p


# == ranges ===========================================================================================================
# Conditions on some number or on all numbers of a range whose bounds are terms.
#
# The sequent states two facts about `any(P(i) for i in range(a, b))`:
# - If it is true, some number of the range satisfies P.
# - It is true if P holds for the first or last number of the range, or for a number with which P compares i.
# The second fact is incomplete: a proof may fail, but the facts never imply anything false.
RUNNING = "running'"  # names in files cannot contain this mark
MOST_WRITTEN = 16  # longer ranges are not expanded


def spell(parts: tuple[t.Term, ...], variable: str, env: Env) -> Hashable:
    """Return a key by which equal conditions are recognized: if two keys are equal, so are the conditions.

    `parts`: conditions on the number `variable`. The key does not depend on its name, or on names of bound variables.
    `env`: the values of the other names.
    """
    values = {n: x for part in parts for n in find_free_names(part) if isinstance(x := env.get(n), t.Term)}
    values[variable] = t.Variable(INT, 0, 0, RUNNING)
    return tuple(structural_key(substitute(part, values), (RUNNING,)) for part in parts)


def spell_number(number: t.Term) -> Hashable:
    """Return a key by which equal numbers are recognized: the coefficients of the term as a polynomial."""
    return frozenset(polynomial(number).coefficients.items())


class Ranges:
    """The variables that replace conditions such as `any(P(i) for i in range(a, b))` in one sequent.

    When a condition first occurs, it gets a new variable (a truth value), and facts about it become premises.

    `found`: for each condition, its variable, a variable for a number that satisfies it, the bounds of the range, and
    the condition on that number.
    """

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._some: dict[Hashable, t.Term] = {}
        self.found: list[tuple[t.Term, t.Variable, t.Term, t.Term, t.Term]] = []

    def ask(self, term: t.Comprehension, env: Env) -> t.Term | None:
        """Return a term for a condition with `any` or `all` over a range; None for another comprehension.

        A range of few numbers is expanded. Raises Unsupported if a condition on its numbers cannot be translated.
        """
        match term:
            case t.Comprehension(reducer="any" | "all" as reducer, clauses=(clause,)):
                if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                    low, after = (self.reader.number(x, env) for x in clause.source.args)
                    body = term.body if reducer == "any" else negation(term.body)
                    found = self._some_number((*clause.conditions, body), clause.variable, low, after, env)
                    return found if reducer == "any" else negation(found)
        return None

    def _some_number(self, parts: tuple[t.Term, ...], name: str, low: t.Term, after: t.Term, env: Env) -> t.Term:
        """Return a term for the condition that some number in range(low, after) satisfies all of `parts`.

        `name`: the variable for this number in `parts`.
        """

        def meets(value: t.Term) -> t.Term:
            return conjunction(*(self.reader.truth(x, {**env, name: value}) for x in parts))

        def inside(value: t.Term) -> t.Term:
            return conjunction(at_least(value, low), less_than(value, after))

        length = polynomial(sub(after, low)).constant
        if length is not None and length <= MOST_WRITTEN:
            return disjunction(*(meets(add(low, integer(i))) for i in range(length)))
        key = spell(parts, name, env), spell_number(low), spell_number(after)
        if key not in self._some:
            some = self._some[key] = self.reader.symbols.truth("some")
            found = self.reader.symbols.integer("number")
            met = meets(found)
            self.found.append((some, found, low, after, met))
            self.reader.assume(Reason.SOME_NUMBER, implies(some, conjunction(inside(found), met)))
            compared = [self.reader.number(x, env) for x in _find_compared(parts, name, env)]
            for value in (low, sub(after, ONE), *compared):
                self.reader.assume(Reason.SOME_NUMBER, implies(conjunction(inside(value), meets(value)), some))
        return self._some[key]


def _find_compared(parts: tuple[t.Term, ...], name: str, env: Env) -> Iterator[t.Term]:
    """Yield the terms that a comparison in `parts` compares with the variable `name`: x + 1 in `i < x + 1`.

    Terms that contain a name without a value in `env` are omitted.
    """
    for x in walk(parts):
        if isinstance(x, t.Operation) and x.op in COMPARISONS:
            for this, other in (x.args, x.args[::-1]):
                if isinstance(this, t.Variable) and this.name == name and other.type == INT:
                    known = set(find_free_names(other))
                    if name not in known and known <= env.keys():
                        yield other


# == integers =========================================================================================================
# The unbounded integer variables of a claim, with which the sequents of several rules start.
PRODUCT, REMAINDERS = make_number_kind("product of naturals"), make_number_kind("remainders")
Division = tuple[t.Term, t.Term, t.Term, t.Term]  # dividend, divisor, quotient, remainder


class UnboundedReader(SequentReader):
    """A translator of terms about integers of any size into terms of a sequent.

    Operations that solvers do not know, such as `isqrt`, are replaced by new variables, with premises about them.
    `divided`: the divisions whose divisor is not a positive literal, with the variables for quotient and remainder.
    `ranges`: the variables for conditions on some number of a range.
    """

    words = "unbounded arithmetic"
    reads = "use sums, products, quotients, remainders, isqrt, valuation(x, p), digit_sum(x, b) and is_prime(x)"

    def __init__(self) -> None:
        super().__init__()
        self.divided: list[Division] = []
        self._roots: list[tuple[t.Term, t.Variable]] = []
        self.told_digits, self.ranges, self._primes = Digits(self), Ranges(self), Primes(self)

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="isqrt", args=(x,)):
                return self._root(self.number(x, env))
            case t.Operation(op="valuation", args=(x, p)):
                return self.told_digits.exponent(self.number(x, env), self.number(p, env), term)
            case t.Operation(op="popcount", args=(x,)):
                return self.told_digits.sum_of_digits(self.number(x, env), integer(2), term)
            case t.Operation(op="digit_sum", args=(x, base)):
                return self.told_digits.sum_of_digits(self.number(x, env), self.number(base, env), term)
        return super().number(term, env)

    def truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="is_prime", args=(x,)):
                return self._primes.ask(self.number(x, env), term)
        return super().truth(term, env)

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """Return `posed` as a sequent, with all premises collected so far and, if necessary, facts about primes."""
        found = super().sequent(name, posed)
        told = self._primes.list_facts(found)
        if not told:
            return found
        made = self.symbols.sequent(name, (*found.assume, *told), found.show, found.hypotheses, found.lemmas)
        return replace(made, by=found.by | {Reason.PRIME})

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Comprehension(clauses=(t.Clause(source=t.Operation(op="range")),)):
                instead = 'write its closed form, which rule = "arithmetic" proves, or use digit_sum(x, b)'
                raise Unsupported(
                    f"{print_term(term)} runs over a range, and has no translation into {self.words}", instead=instead
                )
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.Comprehension) and (found := self.ranges.ask(term, env)) is not None:
            return found
        return super().about_truth(term, env)

    def _root(self, square: t.Term) -> t.Term:
        """Return a variable for the square root of a number, rounded down.

        For a negative number it may be any natural number.
        """
        for other, root in self._roots:
            if is_same_polynomial(other, square):
                return root
        root = self.symbols.integer("root", 0, aside=True)
        self._roots.append((square, root))
        after = add(root, ONE)
        inside = conjunction(at_most(mul(root, root), square), less_than(square, mul(after, after)))
        self.assume(Reason.ROOT, implies(at_least(square, ZERO), inside))
        return root

    def fresh(self, name: str) -> t.Variable:
        """Return a new integer variable that may have any value. `name`: its name, made distinct if necessary."""
        return self.symbols.integer(name)

    def operation(self, term: t.Operation) -> t.Term:
        if term.op in ("floordiv", "mod"):
            return self._divide(term)
        if term.op in ("nim", "bit_and"):
            x, y = (polynomial(arg).constant for arg in term.args)
            if x is not None and y is not None and x >= 0 and y >= 0:
                return integer(x ^ y if term.op == "nim" else x & y)
            instead = 'use rule = "folds", which supports binary digits'
            raise Unsupported(f"{print_term(term)} has no translation into {self.words}", instead=instead)
        return term

    def _divide(self, term: t.Operation) -> t.Term:
        a, b = term.args
        for dividend, divisor, quotient, remainder in self.divided:
            if is_same_polynomial(dividend, a) and is_same_polynomial(divisor, b):
                return quotient if term.op == "floordiv" else remainder
        constant = polynomial(b).constant
        if constant is not None and constant > 0:
            return t.Operation(INT, term.start, term.end, term.op, (a, integer(constant)))
        quotient, remainder = self.fresh("quotient"), self.fresh("remainder")
        inside = conjunction(
            equal(a, add(mul(b, quotient), remainder)), at_least(remainder, ZERO), less_than(remainder, b)
        )
        none = conjunction(equal(quotient, ZERO), equal(remainder, a))  # follows; it saves a search
        self.assume(Reason.DIVISION, implies(at_least(b, ONE), inside))
        self.assume(Reason.DIVISION, implies(conjunction(at_least(a, ZERO), less_than(a, b)), none))
        for c, d, _, other in self.divided:
            if is_same_polynomial(d, b):  # these follow too; they save the solver a search
                both_ways = successive(b, a, remainder, c, other), successive(b, c, other, a, remainder)
                self.assume(Reason.REMAINDERS, *both_ways)
        self.divided.append((a, b, quotient, remainder))
        return quotient if term.op == "floordiv" else remainder


class IntegerReader(UnboundedReader):
    """A translator of terms about the integer variables of a claim. The premises state that they are in their domains.

    If the proof distinguishes cases, a premise states the condition of the case.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__()
        self.claim, self.player_names = claim, name_players(claim)
        self.env: dict[str, object] = {}
        for v in claim.variables:
            if v.type == INT and isinstance(v.domain, IntervalDomain):
                x = self.symbols.integer(v.name)
                self.assume(Reason.DOMAIN, at_least(x, self.number(v.domain.lo, self.env)))
                if v.domain.hi is not None:
                    self.assume(Reason.DOMAIN, at_most(x, self.number(v.domain.hi, self.env)))
                self.env[v.name] = x
            elif v.type == INT and isinstance(v.domain, ListedDomain):
                x = self.env[v.name] = self.symbols.integer(v.name)
                self.assume(Reason.DOMAIN, disjunction(*(equal(x, integer(value)) for value in _integers(v.domain))))
        if claim.proof is not None and claim.proof.assume is not None:
            self.assume(Reason.CASE, self.truth(claim.proof.assume, self.env))

    def parameters(self) -> t.Term:
        """Return the condition that the arguments of all games of the claim are in the domains of the parameters.

        Raises Unsupported if a parameter is not an integer.
        """
        return conjunction(*(self.truth(x, self.env) for game in self.claim.games for x in parameter_bounds(game)))

    def play(self, move: OpenMove, heap: t.Term, picks: Mapping[str, t.Term]) -> tuple[t.Term, t.Term]:
        """Return (condition that the move is legal, size of the resulting heap) for a move that replaces one heap.

        `heap`: the size of the heap. `picks`: the numbers that the mover picks, by their names in the ruleset.
        Raises Unsupported if the move cannot be translated.
        """
        legal, (size,) = self.play_on(move, (heap,), picks)
        return legal, size

    def play_on(
        self, move: OpenMove, heaps: tuple[t.Term, ...], picks: Mapping[str, t.Term], names: Env | None = None
    ) -> tuple[t.Term, tuple[t.Term, ...]]:
        """Return (condition that the move is legal, sizes of the resulting heaps).

        `heaps`: the sizes of the heaps that the move chooses.
        `picks`: the numbers that the mover picks, by their names in the ruleset. A pick with only one possible number
        may be missing. `names`: the values of the other names in the move.
        Raises Unsupported if the move cannot be translated.
        """
        env: dict[str, object] = {**self.env, **(names or {}), **dict(zip(move.heaps, heaps, strict=True))}
        for pick in move.picks:
            assert pick.word in picks or pick.is_known  # else the move has no picks of these names
            env[pick.name] = picks[pick.word] if pick.word in picks else self.number(pick.lo, env)
        return self.truth(move.legal, env), tuple(self.number(size, env) for size in move.becomes)

    def free_picks(self, move: OpenMove) -> dict[str, t.Term]:
        """Return a new variable of any value for each number that the mover picks, by its name in the ruleset."""
        return {p.word: self.fresh(p.word) for p in move.picks}

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return (a new variable x, condition that x is an element of the source).

        The source is a range of integers, or None for the sizes of all heaps. Raises Unsupported for another source.
        """
        found = self.read_element(source, env)
        if found is None:
            assert source is not None
            raise Unsupported(
                f"{print_term(source)} is not a range of integers", instead="state the condition for each element"
            )
        return found

    def read_element(self, source: t.Term | None, env: Env) -> tuple[t.Term, t.Term] | None:
        """Return (a new variable x, condition that x is an element of the source); None if the source is not supported.

        The source is a range of integers, or None for the sizes of all heaps. Raises Unsupported if a bound of the
        range cannot be translated.
        """
        match source:
            case None:
                x = self.fresh("heap")
                return x, at_least(x, ONE)
            case t.Operation(op="range", args=(low, after)):
                x = self.fresh("element")
                return x, conjunction(at_least(x, self.number(low, env)), less_than(x, self.number(after, env)))
        return None


def _integers(domain: ListedDomain) -> Iterator[int]:
    for value in domain.values:
        assert isinstance(value, int)  # the type checker ensures this for an Int variable
        yield value


def successive(divisor: t.Term, a: t.Term, of_a: t.Term, c: t.Term, of_c: t.Term) -> t.Term:
    """Return a fact about the remainders `of_a` and `of_c` of two numbers a and c by a positive divisor.

    If a = c, the remainders are equal. If a = c + 1, then `of_a` is `of_c` + 1, or 0 if `of_c` + 1 is the divisor.
    """
    after = choose(equal(add(of_c, ONE), divisor), ZERO, add(of_c, ONE))
    follow = conjunction(implies(equal(a, c), equal(of_a, of_c)), implies(equal(a, add(c, ONE)), equal(of_a, after)))
    return implies(at_least(divisor, ONE), follow)


def natural_product(x: t.Term, y: t.Term) -> t.Term:
    """Return the fact that x * y >= 0 if x >= 0 and y >= 0.

    As a premise, it helps the solver. The obligation of `pose_product` proves it.
    """
    return implies(conjunction(at_least(x, ZERO), at_least(y, ZERO)), at_least(mul(x, y), ZERO))


def pose_product(q: SequentReader) -> Entailment:
    """Return the obligation that the fact `natural_product` holds for all integers x and y."""
    return Entailment((), natural_product(q.symbols.integer("x"), q.symbols.integer("y")))


def pose_remainders(q: UnboundedReader) -> Entailment:
    """Return the obligation that the fact `successive` holds for all integers a and c.

    If a = c or a = c + 1, the quotients differ by at most 1. The premises are instances of `natural_product`, with
    which the solver can exclude larger differences without a search.
    """
    divisor, first, second, r, s = map(q.fresh, ("divisor", "quotient", "another", "r", "s"))
    a, c = add(mul(divisor, first), r), add(mul(divisor, second), s)
    inside = [x for y in (r, s) for x in (at_least(y, ZERO), less_than(y, divisor))]
    apart, one, two = sub(first, second), integer(1), integer(2)
    differences = (apart, sub(apart, one), sub(apart, two), neg(apart), sub(one, apart), sub(neg(one), apart))
    return Entailment((*inside, *(natural_product(divisor, x) for x in differences)), successive(divisor, a, r, c, s))


def bounds_of(claim: Claim, numbers: Coverage) -> Limits:
    """Return pairs (variable, values for which a proof is valid) for the variables of a claim.

    `numbers`: the integers and heap sizes for which the proof is valid. A position s has the two entries "s.heaps" and
    "s.size"; its number of heaps is unlimited.
    """
    found: list[tuple[str, Coverage]] = []
    for v in claim.variables:
        if v.type == POSITION:
            found += [(f"{v.name}.heaps", All()), (f"{v.name}.size", numbers)]
        else:
            found.append((v.name, numbers if v.type == INT else All()))
    return tuple(found)
