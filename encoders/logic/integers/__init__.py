"""The integer variables of a claim, without bound, from which the sequents of several rules start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claims.language.expressions.printing import print_term
from claims.language.statement.claim import Claim
from claims.language.statement.domains import IntervalDomain, ListedDomain
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.ground.coverage import All, Coverage, Limits
from encoders.ground.kinds import about_numbers
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.integers.digits import Digits
from encoders.logic.integers.ranges import Ranges
from encoders.logic.moves import OpenMove, parameter_bounds
from encoders.logic.polynomials import is_same_polynomial, polynomial
from encoders.logic.reader import Entailment, Env, SequentReader, name_players
from encoders.logic.terms import (  # fmt: skip
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    less_than,
    mul,
    neg,
    sub,
)

PRODUCT, REMAINDERS = about_numbers("product of naturals"), about_numbers("remainders")
Division = tuple[t.Term, t.Term, t.Term, t.Term]  # dividend, divisor, quotient, remainder


class UnboundedReader(SequentReader):
    """Integers without bound, and divisions.

    `divided`: what divisions by something other than a literal are; others get a quotient and a remainder of their own.
    """

    words = "unbounded arithmetic"
    reads = "say it by sums, products, quotients, remainders, isqrt, valuation(x, p) and digit_sum(x, b)"

    def __init__(self) -> None:
        super().__init__()
        self.divided: list[Division] = []
        self._roots: list[tuple[t.Term, t.Variable]] = []
        self._digits, self._ranges = Digits(self), Ranges(self)

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="isqrt", args=(x,)):
                return self._root(self.number(x, env))
            case t.Operation(op="valuation", args=(x, p)):
                return self._digits.exponent(self.number(x, env), self.number(p, env), term)
            case t.Operation(op="popcount", args=(x,)):
                return self._digits.sum_of_digits(self.number(x, env), integer(2), term)
            case t.Operation(op="digit_sum", args=(x, base)):
                return self._digits.sum_of_digits(self.number(x, env), self.number(base, env), term)
        return super().number(term, env)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Comprehension(clauses=(t.Clause(source=t.Operation(op="range")),)):
                instead = 'write its closed form, which rule = "arithmetic" proves; digits add up to digit_sum(x, b)'
                raise Unsupported(f"{print_term(term)} runs over a range in {self.words}", instead=instead)
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.Comprehension) and (found := self._ranges.ask(term, env)) is not None:
            return found
        return super().about_truth(term, env)

    def _root(self, square: t.Term) -> t.Term:
        """The square root, rounded down; of a number below 0 any natural number."""
        for other, root in self._roots:
            if is_same_polynomial(other, square):
                return root
        root = self.symbols.integer("root", 0, aside=True)
        self._roots.append((square, root))
        after = add(root, ONE)
        inside = conjunction(at_most(mul(root, root), square), less_than(square, mul(after, after)))
        self.learn(Reason.ROOT, implies(at_least(square, ZERO), inside))
        return root

    def fresh(self, name: str) -> t.Variable:
        """An integer that nothing is known of."""
        return self.symbols.integer(name)

    def operation(self, term: t.Operation) -> t.Term:
        if term.op in ("floordiv", "mod"):
            return self._divide(term)
        if term.op in ("nim", "bit_and"):
            x, y = (polynomial(arg).constant for arg in term.args)
            if x is not None and y is not None and x >= 0 and y >= 0:
                return integer(x ^ y if term.op == "nim" else x & y)
            instead = 'take rule = "folds", which reads binary places'
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
        none = conjunction(equal(quotient, ZERO), equal(remainder, a))  # follows, and spares the solver a search
        self.learn(Reason.DIVISION, implies(at_least(b, ONE), inside))
        self.learn(Reason.DIVISION, implies(conjunction(at_least(a, ZERO), less_than(a, b)), none))
        for c, d, _, other in self.divided:
            if is_same_polynomial(d, b):  # consequences that spare the solver a search
                both_ways = successive(b, a, remainder, c, other), successive(b, c, other, a, remainder)
                self.learn(Reason.REMAINDERS, *both_ways)
        self.divided.append((a, b, quotient, remainder))
        return quotient if term.op == "floordiv" else remainder


class IntegerReader(UnboundedReader):
    """The integer variables of a claim, with what their domains say, and the case that is proved if it is one."""

    def __init__(self, claim: Claim) -> None:
        super().__init__()
        self.claim, self.player_names = claim, name_players(claim)
        self.env: dict[str, object] = {}
        for v in claim.variables:
            if v.type == INT and isinstance(v.domain, IntervalDomain):
                x = self.symbols.integer(v.name)
                self.learn(Reason.DOMAIN, at_least(x, self.number(v.domain.lo, self.env)))
                if v.domain.hi is not None:
                    self.learn(Reason.DOMAIN, at_most(x, self.number(v.domain.hi, self.env)))
                self.env[v.name] = x
            elif v.type == INT and isinstance(v.domain, ListedDomain):
                x = self.env[v.name] = self.symbols.integer(v.name)
                self.learn(Reason.DOMAIN, disjunction(*(equal(x, integer(value)) for value in _integers(v.domain))))
        if claim.proof is not None and claim.proof.assume is not None:
            self.learn(Reason.CASE, self.truth(claim.proof.assume, self.env))

    def parameters(self) -> t.Term:
        """That the parameters of the claim's games lie in their domains. Raises Unsupported."""
        return conjunction(*(self.truth(x, self.env) for game in self.claim.games for x in parameter_bounds(game)))

    def play(self, move: OpenMove, heap: t.Term, picks: Mapping[str, t.Term]) -> tuple[t.Term, t.Term]:
        """(the picks, by the ruleset's names, are a legal move on the heap; what it becomes). Raises Unsupported."""
        legal, (size,) = self.play_on(move, (heap,), picks)
        return legal, size

    def play_on(
        self, move: OpenMove, heaps: tuple[t.Term, ...], picks: Mapping[str, t.Term], names: Env | None = None
    ) -> tuple[t.Term, tuple[t.Term, ...]]:
        """(the picks, by the ruleset's names, are a legal move on such heaps; what they become). Raises Unsupported.

        `names`: what else its terms speak of.
        """
        env: dict[str, object] = {**self.env, **(names or {}), **dict(zip(move.heaps, heaps, strict=True))}
        for pick in move.picks:
            assert pick.word in picks or pick.is_known  # or it is no such move
            env[pick.name] = picks[pick.word] if pick.word in picks else self.number(pick.lo, env)
        return self.truth(move.legal, env), tuple(self.number(size, env) for size in move.becomes)

    def free_picks(self, move: OpenMove) -> dict[str, t.Term]:
        """Numbers picked of which nothing is known."""
        return {p.word: self.fresh(p.word) for p in move.picks}

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """An integer of a range; over None, any heap. Raises Unsupported for another source."""
        found = self.in_range(source, env)
        if found is None:
            assert source is not None
            raise Unsupported(
                f"{print_term(source)} is no range of integers", instead="say it of each element by itself"
            )
        return found

    def in_range(self, source: t.Term | None, env: Env) -> tuple[t.Term, t.Term] | None:
        """An element of a range of integers, or any heap; None for another source. Raises Unsupported."""
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
        assert isinstance(value, int)  # what an Int ranges over
        yield value


def successive(divisor: t.Term, a: t.Term, of_a: t.Term, c: t.Term, of_c: t.Term) -> t.Term:
    """The remainders of equal and of successive numbers a = c, a = c + 1 on division by the same number above 0."""
    after = choose(equal(add(of_c, ONE), divisor), ZERO, add(of_c, ONE))
    follow = conjunction(implies(equal(a, c), equal(of_a, of_c)), implies(equal(a, add(c, ONE)), equal(of_a, after)))
    return implies(at_least(divisor, ONE), follow)


def natural_product(x: t.Term, y: t.Term) -> t.Term:
    """The product of naturals is natural. An obligation of its own proves it; instances of it guide a search."""
    return implies(conjunction(at_least(x, ZERO), at_least(y, ZERO)), at_least(mul(x, y), ZERO))


def pose_product(q: SequentReader) -> Entailment:
    """That `natural_product` holds of all integers."""
    return Entailment((), natural_product(q.symbols.integer("x"), q.symbols.integer("y")))


def pose_remainders(q: UnboundedReader) -> Entailment:
    """That `successive` holds of all integers.

    Quotients differ by 0 or 1 only; instances of `natural_product` spare the solver a search among all the others.
    """
    divisor, first, second, r, s = map(q.fresh, ("divisor", "quotient", "another", "r", "s"))
    a, c = add(mul(divisor, first), r), add(mul(divisor, second), s)
    inside = [x for y in (r, s) for x in (at_least(y, ZERO), less_than(y, divisor))]
    apart, one, two = sub(first, second), integer(1), integer(2)
    differences = (apart, sub(apart, one), sub(apart, two), neg(apart), sub(one, apart), sub(neg(one), apart))
    return Entailment((*inside, *(natural_product(divisor, x) for x in differences)), successive(divisor, a, r, c, s))


def bounds_of(claim: Claim, numbers: Coverage) -> Limits:
    """What a proof covers about these numbers: integers, and positions of any number of heaps of such sizes."""
    found: list[tuple[str, Coverage]] = []
    for v in claim.variables:
        if v.type == POSITION:
            found += [(f"{v.name}.heaps", All()), (f"{v.name}.size", numbers)]
        else:
            found.append((v.name, numbers if v.type == INT else All()))
    return tuple(found)
