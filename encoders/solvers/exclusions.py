"""Proofs that literals cannot all hold: by an automaton, equations, linear sums, or sums of products.

A literal is a comparison or its negation. The comparison states that a sum over natural numbers is <= 0, or that it is
0. A stream is a natural number in such a sum: a variable, or an operation on streams such as a nim-sum or a product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import floor, gcd, lcm

from claims.language.errors import NimChecksError
from encoders.logic.certificates import (
    EQ,
    LE,
    MOST_VARIABLES,
    XOR,
    Atom,
    CertificateLemma,
    Literal,
    Monomial,
    State,
    Stream,
    Summand,
    accepts,
    first_state,
    multiply_polynomials,
    natural,
    step,
    sums_by_bits,
    variables,
)
from encoders.logic.natural_formulas import FALSE, TRUE, Formulas
from encoders.solvers.proposals import Proposer, ProposerSession, Sums, Unsure, apply_operation, find_numbers, integer
from encoders.solvers.tree import Closed

# == sums =============================================================================================================
# Literals that exclude each other: by an automaton, by a sum of products, or by two cases of a comparison.
# -- automaton --------------------------------------------------------------------------------------------------------
# Exploration of the automaton of some literals. It shows that they exclude each other, or finds natural numbers that
# satisfy all of them.


class AutomatonTooWide(NimChecksError):
    """The automaton for some comparisons has more states than the limit allows."""


class TooManyVariables(AutomatonTooWide):
    """A lemma contains more variables than the limit allows. The option --effort does not change this limit."""

    def __init__(self, count: int) -> None:
        problem = f"a lemma has {count} variables, but the limit is {MOST_VARIABLES}"
        super().__init__(f"{problem}: use more cases with fewer folds and heaps in each, or bound them by `sizes`")


def explore(literals: Sequence[Literal], most: int = 1_000) -> tuple[State, ...] | dict[Stream, int]:
    """Explore an automaton that reads natural numbers bit by bit, and accepts them if all literals hold.

    A literal is a comparison or its negation. Return all reachable states if none of them is accepting; then the
    literals cannot all hold. Otherwise return natural numbers at which the literals hold. Raises AutomatonTooWide if
    there are more than `most` states, and TooManyVariables.
    """
    names = variables(literals)
    if len(names) > MOST_VARIABLES:
        raise TooManyVariables(len(names))
    letters: dict[tuple[int, ...], tuple[int, ...]] = {}
    for bits, sums in zip(product((0, 1), repeat=len(names)), sums_by_bits(literals), strict=True):
        letters.setdefault(sums, bits)
    first = first_state(literals)
    before: dict[State, tuple[State, tuple[int, ...]] | None] = {first: None}
    todo = [first]
    for state in todo:
        if accepts(literals, state):
            return _values(names, state, before)
        for letter, bits in letters.items():
            after = step(literals, state, letter)
            if after is not None and after not in before:
                before[after] = state, bits
                todo.append(after)
        if len(todo) > most:
            raise AutomatonTooWide(f"the automaton for a lemma has more than {most} states")
    return tuple(todo)


def _values(
    names: Sequence[Stream], state: State, before: Mapping[State, tuple[State, tuple[int, ...]] | None]
) -> dict[Stream, int]:
    """Return the natural numbers that lead the automaton to the state. The automaton reads the lowest bits first.

    `before`: for each state, the preceding state and the bits that were read between them; None for the first state.
    """
    values = [0] * len(names)
    while (came := before[state]) is not None:
        state, bits = came
        values = [2 * value + bit for value, bit in zip(values, bits, strict=True)]
    return dict(zip(names, values, strict=True))


# -- sums -------------------------------------------------------------------------------------------------------------
# Sums of products that are each at least 0, although their sum is negative. They show that literals exclude each other.
#
# A literal states that a polynomial is at least 0, or that it is 0. Such polynomials may be multiplied by each other
# and by streams. Each product of streams then counts as one unknown. Z3's linear arithmetic finds products that
# exclude each other, and coefficients with which these products add up to -1. `problem` of
# `encoders/logic/certificates.py` verifies the sum independently.


STEPS = 3_000_000  # Z3's own count, for one query
FEW = 6  # if there are at most this many streams, all products are tried


@dataclass(frozen=True, eq=False)
class Product:
    """A product of polynomials and natural numbers: one polynomial for each of `literals`, and the numbers `streams`.

    A literal states that its polynomial is at least 0, or that it is 0. If all literals hold, the product is thus at
    least 0, or equal to 0. Products are compared by identity.
    """

    literals: tuple[Literal, ...]
    streams: Monomial

    @property
    def is_equation(self) -> bool:
        """Whether the product is 0 if the comparisons in `literals` hold. Otherwise it is at least 0."""
        return any(atom.kind == EQ for atom, _ in self.literals)


Polynomial = dict[Monomial, int]


class Products:
    """A search by linear arithmetic for a negative sum of products that are at least 0.

    Each product of natural numbers counts as one unknown.
    """

    def __init__(self, session: ProposerSession | None = None) -> None:
        self.session = session or ProposerSession()
        self.solver = Proposer("QF_LRA", STEPS, self.session)
        self._marks: dict[Product, str] = {}
        self._marked: dict[str, Product] = {}
        self._single: dict[Literal | Monomial, Product] = {}
        self._pairs: dict[tuple[Product, Product], Product] = {}
        self._polynomials: dict[Product, Polynomial] = {}
        self._unknowns: dict[Monomial, str] = {}

    def find_sum(
        self, literals: Sequence[Literal], more: int = 0, *, products: bool = True
    ) -> list[tuple[int, Product]] | None:
        """Return products with coefficients whose sum is a negative constant; None if they are not found.

        A literal is a comparison or its negation. If the literals hold, all these products are at least 0 or equal to
        0. Therefore the literals cannot all hold.
        `more`, `products`: as in `find_core`. Raises Unsure.
        """
        core = self.find_core(literals, more, products=products)
        return None if core is None else self.weigh(core)

    def find_core(self, literals: Sequence[Literal], more: int = 0, *, products: bool = True) -> list[Product] | None:
        """Return products that cannot all be at least 0 (or equal to 0 for equations); None if they are not found.

        A literal is a comparison or its negation. If the literals hold, these products are at least 0, or equal to 0.
        Therefore the literals cannot all hold. `weigh` then returns coefficients of the products.
        `more`: the number by which the degree of a product may exceed the degree of the literals.
        `products`: whether to multiply literals. If false, only the literals themselves are used.
        Raises Unsure.
        """
        usable = [self._literal(x) for x in literals if x[0].kind != EQ or x[1]]  # a false equation is a disjunction
        asked = [self._mark(x) for x in (self._products(usable, more) if products else usable)]
        if self.solver.is_possible(asked):
            return None
        named = self.solver.core()
        return [self._marked[x] for x in asked if x in named]

    def values(self) -> dict[Stream, Fraction]:
        """Return rational numbers at which all literals of the last call of `find_core` hold.

        That call must have returned None. Each product of natural numbers counts as one unknown.
        """
        single = {m[0]: x for m, x in self._unknowns.items() if len(m) == 1}
        return dict(zip(single, self.solver.numbers(single.values()), strict=True))

    def _products(self, single: Sequence[Product], more: int) -> Iterator[Product]:
        """Yield the products that a sum may use: each of `single`, and products of two factors up to a degree.

        The factors are two of `single`, or one of them and a product of natural numbers. An element of `single` is the
        polynomial of one comparison.
        `more`: the number by which the degree may exceed the degree of `single`.
        """
        monomials = sorted({m for x in single for m in self._polynomial(x) if m}, key=repr)
        degree = max(map(len, monomials), default=1)
        parts = {part for m in monomials for n in range(1, max(2, degree)) for part in combinations(m, n)}
        streams = sorted({s for m in monomials for s in m}, key=repr)
        if more and len(streams) <= FEW:  # equations are multiplied by all streams of the literals
            parts |= set(combinations_with_replacement(streams, max(2, degree) - 1 + more))
        yield from single
        factors = [*single, *(self._streams(part) for part in sorted(parts, key=repr))]
        degrees = {x: self._degree(x) for x in factors}
        for a, b in combinations_with_replacement(factors, 2):
            if degrees[a] + degrees[b] <= max(2, degree) + more and (a.literals or b.literals):
                yield self._times(a, b)

    def _literal(self, x: Literal) -> Product:
        return self._single.get(x) or self._single.setdefault(x, Product((x,), ()))

    def _streams(self, m: Monomial) -> Product:
        return self._single.get(m) or self._single.setdefault(m, Product((), m))

    def _times(self, a: Product, b: Product) -> Product:
        if (a, b) not in self._pairs:
            self._pairs[a, b] = Product((*a.literals, *b.literals), (*a.streams, *b.streams))
        return self._pairs[a, b]

    def _degree(self, x: Product) -> int:
        return max(map(len, self._polynomial(x)), default=0)

    def _polynomial(self, x: Product) -> Polynomial:
        if x not in self._polynomials:
            found: Polynomial = {tuple(sorted(x.streams, key=repr)): 1}
            for literal in x.literals:
                found = multiply_polynomials(found, natural(literal))
            self._polynomials[x] = {m: k for m, k in found.items() if k}
        return self._polynomials[x]

    def _mark(self, x: Product) -> str:
        if x not in self._marks:
            terms = (apply_operation("*", (integer(k), *self._unknown(m)), "") for m, k in self._polynomial(x).items())
            mark = self.solver.mark(f"({'=' if x.is_equation else '>='} {apply_operation('+', terms, '0')} 0)")
            self._marks[x], self._marked[mark] = mark, x
        return self._marks[x]

    def _unknown(self, m: Monomial) -> list[str]:
        """Return a list with the name of the unknown for a product of natural numbers; [] for the empty product."""
        if m and m not in self._unknowns:
            name = self._unknowns[m] = self.solver.declare("Real")
            self.solver.say(f"(>= {name} 0)")
        return [self._unknowns[m]] if m else []

    def weigh(self, products: Sequence[Product]) -> list[tuple[int, Product]]:
        """Return pairs (coefficient, product) whose sum is a negative constant. No coefficient is 0.

        The products are some of `products`, and products of natural numbers that cancel the remaining terms. Raises
        Unsure.
        """
        solver = Proposer("QF_LRA", STEPS, self.session)
        unknown = [solver.declare("Real") for _ in products]
        totals: dict[Monomial, list[str]] = {(): []}
        for c, x in zip(unknown, products, strict=True):
            if not x.is_equation:
                solver.say(f"(>= {c} 0)")
            for m, k in self._polynomial(x).items():
                totals.setdefault(m, []).append(f"(* {integer(k)} {c})")
        added: dict[Monomial, str] = {}  # products of streams, added to cancel negative terms
        for m, parts in totals.items():
            if m:
                added[m] = solver.declare("Real")
                solver.say(f"(>= {added[m]} 0)")
                parts.append(added[m])
            solver.say(f"(= {apply_operation('+', parts, '0')} {integer(0 if m else -1)})")
        if not solver.is_possible():
            raise Unsure("no coefficients")
        weighed = [*products, *(Product((), m) for m in added)]
        numbers = solver.numbers([*unknown, *added.values()])
        scale = lcm(*(x.denominator for x in numbers))
        return [(int(x * scale), product) for x, product in zip(numbers, weighed, strict=True) if x]


# -- cases ------------------------------------------------------------------------------------------------------------
# Literals, given as nodes, that one lemma refutes, and refutations by the two cases of a comparison.


def literal(formulas: Formulas, node: int) -> Literal:
    """Return the literal at a node of `formulas`: the comparison, and whether it is asserted or denied."""
    atom = formulas.node(node)
    assert isinstance(atom, Atom)
    return atom, node > 0


def compare_sum(formulas: Formulas, terms: Mapping[Stream, int], constant: int) -> tuple[int, int]:
    """Return the formulas S < 0 and S > 0, where the sum S consists of `terms` and `constant`."""
    above = formulas.compare(LE, {s: -k for s, k in terms.items()}, 1 - constant)
    return formulas.compare(LE, dict(terms), constant + 1), above


def find_sides(formulas: Formulas, atom: Atom) -> tuple[int, int]:
    """Return the formulas S < 0 and S > 0, where S is the sum in a comparison."""
    return compare_sum(formulas, {s: k for k, s in atom.terms}, atom.constant)


def close_by_gap(formulas: Formulas, nodes: Sequence[int]) -> Closed | None:
    """Return a refutation if `nodes` state of some sum that it is neither 0 nor below 0 nor above 0; otherwise None.

    `nodes`: comparisons and negated comparisons, as nodes of `formulas`.
    """
    for x in nodes:
        atom, wanted = literal(formulas, x)
        if atom.kind == EQ and not wanted:
            gap = [x, *(-side for side in find_sides(formulas, atom) if side != FALSE)]
            if not set(gap) <= {*nodes}:
                continue
            try:
                states = explore([literal(formulas, y) for y in gap])
            except AutomatonTooWide:
                continue
            if isinstance(states, tuple):
                return Closed(frozenset(gap), CertificateLemma(tuple(gap), states))
    return None


def write_sum(found: Sequence[tuple[int, Product]], places: Mapping[Literal, int]) -> Closed:
    """Return the refutation which consists of products with coefficients whose sum is negative.

    `found`: pairs (coefficient, product).
    `places`: for each comparison or negated comparison in the products, its node in the formulas.
    """
    used = list(dict.fromkeys(x for _, product in found for x in product.literals))
    summands = tuple(Summand(k, tuple(map(used.index, p.literals)), p.streams) for k, p in found)
    lemma = CertificateLemma(tuple(places[x] for x in used), summands=summands)
    return Closed(frozenset(lemma.literals), lemma)


def join(case: int, closed: Closed, other: Closed) -> Closed:
    """Return one refutation from refutations of two cases: `case` holds (`closed`), or it does not hold (`other`).

    If one of them does not use its case, it is returned unchanged.
    """
    for x, literal in ((closed, case), (other, -case)):
        if literal not in x.literals:
            return x
    pair = (closed, other) if case > 0 else (other, closed)
    return Closed((closed.literals | other.literals) - {case, -case}, split=(abs(case), *pair))


# == integers =========================================================================================================
# Literals that exclude each other over the integers, but not over the rational numbers. The refutation is a case
# distinction with a sum for each case.
#
# First, the equations are solved over the integers. The remaining unknowns are parameters: sums of streams with integer
# coefficients. If the coefficients of an inequality in parameters share a factor, some values of its sum are not
# possible for integers. If the rational numbers that Z3 finds give such a value, a case distinction excludes them, and
# one of its cases is refuted immediately. Otherwise, the case distinction is on a parameter with a non-integer value.
# Nim-sums and products count as arbitrary numbers.
#
# Unlike an automaton, this method is also fast for large coefficients, as in x % 1000 or x % 2**40.
DEEPEST = 8  # nested case distinctions in which no case is refuted immediately
MOST_SUMS = 200  # the limit for the number of sums for one set of literals


def refute_integers(formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None) -> Closed | None:
    """Return a proof that literals cannot all hold for integers; None if it is not found.

    Nim-sums and products count as arbitrary natural numbers.
    `nodes`: the literals (comparisons or their negations), as nodes of `formulas`.
    """
    literals = [literal(formulas, x) for x in nodes]
    return _IntegerCaseSplits(formulas, solve_equations(literals), session).close(tuple(nodes), DEEPEST)


# -- the equations -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LinearForm:
    """A sum of parameters with integer coefficients, plus a constant.

    `terms`: the coefficients by the number of the parameter. Parameters describe the integer solutions of equations.
    """

    terms: Counter[int]
    constant: int

    def substitute(self, at: int, by: LinearForm) -> LinearForm:
        """Return this sum, with the sum `by` instead of the parameter number `at`."""
        k = self.terms[at]
        terms = Counter({j: a for j, a in self.terms.items() if j != at})
        for j, a in by.terms.items():
            terms[j] += k * a
        return LinearForm(Counter({j: a for j, a in terms.items() if a}), self.constant + k * by.constant)


@dataclass(frozen=True)
class Solved:
    """The integer solutions of some equations between natural numbers, described by integer parameters.

    `streams`: each natural number in the equations, as a sum of parameters.
    `parameters`: each parameter, as a sum of these natural numbers.
    """

    streams: Mapping[Stream, LinearForm]
    parameters: Sequence[Counter[Stream]]

    def express(self, terms: Mapping[Stream, int], constant: int) -> LinearForm:
        """Rewrite a sum of natural numbers as a sum of the parameters that describe the solutions.

        The given sum consists of `terms` (coefficients) and `constant`.
        """
        found: Counter[int] = Counter()
        for s, k in terms.items():
            form = self.streams[s]
            constant += k * form.constant
            for j, a in form.terms.items():
                found[j] += k * a
        return LinearForm(Counter({j: a for j, a in found.items() if a}), constant)

    def express_by_streams(self, form: Mapping[int, int]) -> Counter[Stream]:
        """Rewrite a sum of parameters as a sum of natural numbers, and return the coefficients of these numbers.

        `form`: the coefficients by the number of the parameter.
        """
        found: Counter[Stream] = Counter()
        for j, k in form.items():
            for s, a in self.parameters[j].items():
                found[s] += k * a
        return found

    def add_equation(self, terms: Mapping[Stream, int], constant: int) -> Solved:
        """Return the solutions that satisfy one more equation: the sum of `terms` and `constant` is 0.

        An equation in one parameter may have no integer solution. It is then ignored. A case distinction refutes it
        later, because the rational value of the parameter is not an integer.
        """
        solved = Solved(self.streams, [*map(Counter, self.parameters)])
        row = solved.express(terms, constant)
        while len(row.terms) > 1:
            at = min(row.terms, key=lambda j: (abs(row.terms[j]), j))
            others = Counter({j: k // row.terms[at] for j, k in row.terms.items() if j != at})
            for j, q in others.items():
                for s, k in solved.parameters[j].items():
                    solved.parameters[at][s] += q * k
            solved = solved.substitute(at, LinearForm(Counter({at: 1, **{j: -q for j, q in others.items()}}), 0))
            row = solved.express(terms, constant)
        for at, k in row.terms.items():
            if row.constant % k == 0:
                solved = solved.substitute(at, LinearForm(Counter(), -row.constant // k))
        return solved

    def substitute(self, at: int, by: LinearForm) -> Solved:
        """Return the solutions with the sum `by` instead of the parameter number `at`."""
        return Solved({s: form.substitute(at, by) for s, form in self.streams.items()}, self.parameters)


def solve_equations(literals: Sequence[Literal]) -> Solved:
    """Return the integer solutions of the equations among some comparisons."""
    streams = list(dict.fromkeys(s for atom, _ in literals for _, s in atom.terms))
    parameters = [Counter({s: 1}) for s in streams]
    solved = Solved({s: LinearForm(Counter({j: 1}), 0) for j, s in enumerate(streams)}, parameters)
    for atom, wanted in literals:
        if atom.kind == EQ and wanted:
            solved = solved.add_equation({s: k for k, s in atom.terms}, atom.constant)
    return solved


# -- the cases ---------------------------------------------------------------------------------------------------------
class _IntegerCaseSplits:
    def __init__(self, formulas: Formulas, solved: Solved, session: ProposerSession | None) -> None:
        self.formulas, self.solved = formulas, solved
        self.sums = Products(session)
        self.asked = 0

    def close(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        """Return a proof that some comparisons cannot all hold; None if it is not found.

        `nodes`: the comparisons or negated comparisons, as nodes of the formulas.
        `depth`: the limit for nested case distinctions in which neither case is refuted immediately.
        """
        closed = close_by_gap(self.formulas, nodes) or self._close_by_sum(nodes)
        if closed is not None or self.asked > MOST_SUMS:
            return closed
        values, solved = self.sums.values(), self._solve(nodes)
        for case in self._find_cuts(nodes, values, solved):
            if other := self._close_by_sum((*nodes, -case)):
                closed = self.close((*nodes, case), depth)
                return None if closed is None else join(case, closed, other)
        split = self._find_case(nodes, values, solved)
        if split is None or depth == 0:
            return None
        yes = self.close((*nodes, split), depth - 1)
        no = None if yes is None else self.close((*nodes, -split), depth - 1)
        return None if yes is None or no is None else join(split, yes, no)

    def _close_by_sum(self, nodes: tuple[int, ...]) -> Closed | None:
        self.asked += 1
        places = {literal(self.formulas, x): x for x in nodes}
        try:
            found = self.sums.find_sum(list(places), products=False)
        except Unsure:
            self.asked = MOST_SUMS + 1
            return None
        return None if found is None else write_sum(found, places)

    def _solve(self, nodes: Sequence[int]) -> Solved:
        """Return the integer solutions of all equations that the comparisons `nodes` state.

        Two opposite inequalities also state an equation.
        """
        solved = self.solved
        sums = [({s: 1}, 0) for s in solved.streams]
        sums += [told for x in nodes if (told := _read_natural(literal(self.formulas, x)))]
        done = set[object]()
        while True:
            rows = {_key(solved.express(*told)): told for told in sums}
            found = (told for (terms, c), told in rows.items() if terms and (_negate_terms(terms), -c) in rows)
            told = next((x for x in found if id(x) not in done), None)
            if told is None:
                return solved
            done.add(id(told))
            solved = solved.add_equation(*told)

    def _find_cuts(self, nodes: Sequence[int], values: Mapping[Stream, Fraction], solved: Solved) -> Iterator[int]:
        """Yield comparisons that are false at these rational values, but true at all integers that satisfy `nodes`.

        `nodes`: comparisons or negated comparisons. `solved`: the integer solutions of the equations among them.
        """
        told = (found for x in nodes if (found := _read_natural(literal(self.formulas, x))))
        rows = {_key(form): form for form in (*(solved.express(*x) for x in told), *solved.streams.values())}
        seen = set[int]()
        for a, b in combinations_with_replacement(rows.values(), 2):
            terms = a.terms.copy()
            for j, k in b.terms.items():
                terms[j] += k
            shared = gcd(*terms.values())
            if shared < 2:
                continue
            least = -((a.constant + b.constant) // shared)  # of the sum divided by the shared factor
            by_streams = solved.express_by_streams({j: k // shared for j, k in terms.items()})
            if _sum(by_streams, values) < least:
                case = self.formulas.compare(LE, {s: -k for s, k in by_streams.items()}, least)
                if abs(case) != TRUE and case not in seen and {case, -case}.isdisjoint(nodes):
                    seen.add(case)
                    yield case

    def _find_case(self, nodes: Sequence[int], values: Mapping[Stream, Fraction], solved: Solved) -> int | None:
        """Return a comparison for a case distinction; None if there is none, for example if `values` are integers.

        `values`: rational numbers at which the inequalities among `nodes` hold. The comparison is about a sum that is 0
        at these numbers although `nodes` state that it is not 0, or about a parameter of `solved` that is not an
        integer there.
        """
        for x in nodes:
            atom, wanted = literal(self.formulas, x)
            if atom.kind == EQ and not wanted and _sum({s: k for k, s in atom.terms}, values) == -atom.constant:
                for side in find_sides(self.formulas, atom):
                    if side not in (TRUE, FALSE) and {side, -side}.isdisjoint(nodes):
                        return side
        for sums in solved.parameters:
            value = _sum(sums, values)
            if value.denominator > 1:
                case = self.formulas.compare(LE, dict(sums), -floor(value))
                if abs(case) != TRUE and {case, -case}.isdisjoint(nodes):
                    return case
        return None


def _read_natural(told: Literal) -> tuple[dict[Stream, int], int] | None:
    """Write an inequality as "a sum is >= 0". Return the terms and the constant of the sum; None for an equation."""
    atom, wanted = told
    if atom.kind != LE:
        return None
    sign = -1 if wanted else 1
    return {s: sign * k for k, s in atom.terms}, sign * atom.constant - (not wanted)


def _key(form: LinearForm) -> tuple[frozenset[tuple[int, int]], int]:
    return frozenset(form.terms.items()), form.constant


def _negate_terms(terms: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    return frozenset((j, -k) for j, k in terms)


def _sum(terms: Mapping[Stream, int], values: Mapping[Stream, Fraction]) -> Fraction:
    return sum((k * values.get(s, Fraction(0)) for s, k in terms.items()), Fraction(0))


# == equal ============================================================================================================
# Literals that exclude each other by equations. Some equations follow from sums, others from nim-sums.
#
# `refute_integers` treats a nim-sum as an arbitrary number, and an automaton can have only few variables. Therefore
# each method passes equations to the other. Example: x ^ z == 0 and y ^ z == 0 imply x == y, which the sums use. If the
# sums imply x == y, an automaton for the nim-sums alone uses this equation. For each equation there is a case
# distinction, one case of which is refuted immediately (Nelson and Oppen, Simplification by cooperating decision
# procedures, 1979).
MOST_STATES = 1_000  # limit for an automaton that is used together with sums
MOST_STREAMS = 12  # number of streams in nim-sums; pairs of them are tested for equality


def refute_by_equal(formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None) -> Closed | None:
    """Return a proof that literals cannot all hold, by equations between natural numbers; None if it is not found.

    Some equations follow from sums, others from nim-sums.
    `nodes`: the literals (comparisons or their negations), as nodes of `formulas`.
    """
    equal = dict(_find_by_nim_sums(formulas, nodes))
    closed = refute_integers(formulas, (*nodes, *equal), session) if equal else None
    if closed is None:
        sums = (*(x for x in nodes if not _list_parts(literal(formulas, x))), *equal)
        others = [x for x in nodes if x not in sums]
        equal |= _find_by_sums(formulas, sums, others, session)
        closed = _close_by_states(formulas, (*others, *equal)) if equal else None
    for case, other in reversed(equal.items()):
        closed = closed and join(case, closed, other)
    return closed


def _close_by_states(formulas: Formulas, nodes: Sequence[int]) -> Closed | None:
    try:
        states = explore([literal(formulas, x) for x in nodes], MOST_STATES)
    except AutomatonTooWide:
        return None
    return Closed(frozenset(nodes), CertificateLemma(tuple(nodes), states)) if isinstance(states, tuple) else None


def _equate(formulas: Formulas, streams: Sequence[Stream]) -> int:
    """Return the formula that two natural numbers are equal; for a single number, that it is 0."""
    return formulas.compare(EQ, dict(zip(streams, (1, -1), strict=False)), 0)


def _find_by_nim_sums(formulas: Formulas, nodes: Sequence[int]) -> Iterator[tuple[int, Closed]]:
    """Yield equations that follow from one or two of the equations `nodes` about nim-sums, such as x ^ y == 0.

    Each equation is yielded with a refutation of its negation.
    """
    added = {x: found for x in nodes if (found := _read_nim_sum(literal(formulas, x)))}
    seen = {TRUE, *nodes}
    for (x, a), (y, b) in combinations_with_replacement(added.items(), 2):
        left = sorted(a if x == y else a ^ b, key=repr)
        case = _equate(formulas, left) if 1 <= len(left) <= 2 else TRUE
        if case in seen:
            continue
        seen.add(case)
        if closed := _close_by_states(formulas, tuple(dict.fromkeys((x, y, -case)))):
            yield case, closed


def _read_nim_sum(told: Literal) -> frozenset[Stream]:
    """Return the numbers whose nim-sum is 0 by an equation, such as {x, y} for x ^ y == 0 and for x == y.

    Return the empty set for another comparison.
    """
    atom, wanted = told
    if atom.kind != EQ or not wanted or atom.constant or sorted(k for k, _ in atom.terms) not in ([1], [-1, 1]):
        return frozenset()
    found = frozenset[Stream]()
    for _, s in atom.terms:
        found ^= frozenset(s[1:] if isinstance(s, tuple) and s[0] == XOR else (s,))
    return found


def _find_by_sums(
    formulas: Formulas, sums: Sequence[int], others: Sequence[int], session: ProposerSession | None
) -> Mapping[int, Closed]:
    """Find equations between natural numbers that follow from the comparisons `sums`.

    Return each equation with a refutation of its negation. The two numbers are operands of nim-sums, bitwise operations
    or products in the comparisons `others`.
    """
    streams = list(dict.fromkeys(s for x in others for s in _list_parts(literal(formulas, x))))
    oracle, found = Sums(session), dict[int, Closed]()
    places = {literal(formulas, x): x for x in sums}
    for pair in combinations(streams[:MOST_STREAMS], 2):
        case = _equate(formulas, pair)
        if case in sums:
            continue
        try:
            core = oracle.find_core([*places, literal(formulas, -case)])
        except Unsure:
            continue
        if core and (closed := refute_integers(formulas, [places.get(x, -case) for x in core], session)):
            found[case] = closed
    return found


def _list_parts(told: Literal) -> list[Stream]:
    """Return the operands of nim-sums, bitwise operations and products in a comparison."""
    return [part for _, s in told[0].terms if isinstance(s, tuple) for part in s[1:]]


# == products =========================================================================================================
# Refutations of literals with products: by a sum, or by a case distinction with a sum for each case.
#
# A sum does not use that natural numbers are integers. Example: if b q + r = b q' + r' with remainders below b, then
# q = q', but the proof must distinguish q < q' and q > q'. There are three kinds of case distinctions:
# - two variables that have a common factor are compared;
# - a factor is 0 or not;
# - if a sum is not 0, it is below 0 or above 0.
# A distinction is made only if one of its cases is refuted immediately.
DEEPEST_CASES = 6  # nested case distinctions
MOST_SUMS_IN_CASES = 300  # the limit for the number of sums for one set of literals


def refute_products(
    formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None
) -> Closed | dict[Stream, int] | None:
    """Return a proof that literals cannot all hold, or numbers at which they may hold; None if neither is found.

    The literals may contain products. The numbers must be checked, because nim-sums count as independent numbers.
    `nodes`: the literals (comparisons or their negations), as nodes of `formulas`.
    """
    try:
        found = find_numbers([literal(formulas, x) for x in nodes], session)
    except Unsure:
        core = list(nodes)
    else:
        if isinstance(found, dict):
            return found
        core = [x for x in nodes if literal(formulas, x) in found]
    return _ProductCaseSplits(formulas, session).close(tuple(core), DEEPEST_CASES)


def refute_by_sum(formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None) -> Closed | None:
    """Return a proof that literals cannot all hold, by one negative sum of products; None if it is not found.

    `nodes`: the literals (comparisons or their negations), as nodes of `formulas`.
    """
    return _ProductCaseSplits(formulas, session).close_by_sum(tuple(nodes))


@dataclass(frozen=True)
class _Excluded:
    """The fact that some comparisons cannot all hold, because a sum of `products` with some coefficients is negative.

    The coefficients are computed later.
    `places`: for each comparison or negated comparison, its node in the formulas.
    """

    products: Sequence[Product]
    places: Mapping[Literal, int]


class _ProductCaseSplits:
    def __init__(self, formulas: Formulas, session: ProposerSession | None) -> None:
        self.formulas = formulas
        self.products = Products(session)
        self.asked = 0
        self.more = 0  # the number by which the degree of products may exceed the degree of the literals

    def close(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        """Return a proof that some comparisons cannot all hold; None if it is not found.

        `nodes`: the comparisons or negated comparisons, as nodes of the formulas.
        `depth`: the limit for nested case distinctions.
        """
        found = self.close_by_sum(nodes) or self._close_by_cases(nodes, depth)
        if found is None:
            self.asked, self.more = 0, 1
            found = self.close_by_sum(nodes) or self._close_by_cases(nodes, depth)
        return found

    def close_by_sum(self, nodes: tuple[int, ...]) -> Closed | None:
        found = self._find(nodes)
        return None if found is None else self._write(found)

    def _find(self, nodes: tuple[int, ...]) -> Closed | _Excluded | None:
        """Return a proof without case distinctions that some comparisons cannot all hold; None if it is not found.

        `nodes`: the comparisons or negated comparisons. For a proof by a sum, the coefficients are not computed yet.
        """
        if closed := close_by_gap(self.formulas, nodes):
            return closed
        self.asked += 1
        if self.asked > MOST_SUMS_IN_CASES:
            return None
        places = {literal(self.formulas, x): x for x in nodes}
        try:
            core = self.products.find_core(list(places), self.more)
        except Unsure:
            return None
        return None if core is None else _Excluded(core, places)

    def _write(self, found: Closed | _Excluded) -> Closed | None:
        if isinstance(found, Closed):
            return found
        try:
            return write_sum(self.products.weigh(found.products), found.places)
        except Unsure:
            return None

    def _close_by_cases(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        if depth == 0:
            return None
        best: tuple[int, Closed | _Excluded] | None = None  # the refuted case, with its refutation
        for letter in self._find_letters(nodes):
            for case in (letter, -letter):
                found = self._find((*nodes, case))
                if found is None:
                    continue
                if other := self._find((*nodes, -case)):
                    return self._join(case, found, other)
                best = best or (case, found)
        if best is None:
            return None
        case, found = best
        return self._join(case, found, self._close_by_cases((*nodes, -case), depth - 1))

    def _join(self, case: int, found: Closed | _Excluded, other: Closed | _Excluded | None) -> Closed | None:
        """Return one refutation from the refutations of two cases: `case` holds, or it does not hold.

        Return None if `other` is None, or if the coefficients of one of the sums are not found.
        """
        both = [None if x is None else self._write(x) for x in (found, other)]
        return join(case, both[0], both[1]) if both[0] and both[1] else None

    def _find_letters(self, nodes: tuple[int, ...]) -> list[int]:
        """Return comparisons for a case distinction, as nodes. Neither they nor their negations are among `nodes`."""
        known = {abs(x) for x in nodes} | {TRUE}
        found: dict[int, None] = {}
        literals = [literal(self.formulas, x) for x in nodes]
        for atom, wanted in literals:
            if atom.kind == EQ and not wanted:
                found |= dict.fromkeys(map(abs, find_sides(self.formulas, atom)))
        for terms, constant in _find_cofactors(literals):
            found |= dict.fromkeys(map(abs, compare_sum(self.formulas, terms, constant)))
        for a, b in _find_pairs(literals):
            found |= dict.fromkeys(map(abs, compare_sum(self.formulas, {a: 1, b: -1}, 0)))
        for x in _find_factors(literals):
            found[abs(self.formulas.compare(LE, {x: 1}, 0))] = None
        return [x for x in found if x not in known]


def _find_cofactors(literals: Iterable[Literal]) -> Iterator[tuple[dict[Stream, int], int]]:
    """Yield the sums by which some natural number is multiplied in a comparison, as pairs (terms, constant).

    For example, in x y + 2 x the number x has the factor y + 2.
    """
    for x in literals:
        polynomial = natural(x)
        for s in dict.fromkeys(s for m in polynomial if len(m) == 2 for s in m):
            terms = {m[1 - m.index(s)]: k for m, k in polynomial.items() if len(m) == 2 and s in m}
            yield terms, polynomial.get((s,), 0)


def _find_pairs(literals: Iterable[Literal]) -> list[tuple[Stream, Stream]]:
    """Return pairs of natural numbers that are multiplied by the same factor, such as x and y in x z + y z."""
    partners: dict[Monomial, dict[Stream, None]] = {}
    for x in literals:
        for m in natural(x):
            for i, s in enumerate(m):
                if len(m) > 1:
                    partners.setdefault(m[:i] + m[i + 1 :], {})[s] = None
    return list(dict.fromkeys(pair for found in partners.values() for pair in combinations(found, 2)))


def _find_factors(literals: Iterable[Literal]) -> list[Stream]:
    """Return the natural numbers that are factors of products in some comparisons."""
    return list(dict.fromkeys(s for x in literals for m in natural(x) if len(m) > 1 for s in m))
