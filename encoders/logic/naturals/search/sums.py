"""Literals that exclude each other: shown by an automaton, by a sum of products, or by two cases of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import lcm

from claims.language.ground.errors import NimChecksError
from encoders.logic.naturals.certificates.certificate import EQ, LE, Atom, CertificateLemma, State, Stream, Summand
from encoders.logic.naturals.certificates.verify import (
    MOST_VARIABLES,
    Literal,
    Monomial,
    accepts,
    first_state,
    multiplied,
    natural,
    step,
    sums_by_bits,
    variables,
)
from encoders.logic.naturals.formulas.formulas import FALSE, Formulas
from encoders.logic.naturals.search.proposer import Proposer, ProposerSession, Unsure, applied, integer
from encoders.logic.naturals.search.tree import Closed

# -- automaton --------------------------------------------------------------------------------------------------------
# The automaton of some literals, explored: either they exclude each other, or there are naturals at which all hold.


class AutomatonTooWide(NimChecksError):
    """The automaton has more states than are looked at."""


class TooManyVariables(AutomatonTooWide):
    """Or more variables, which no effort changes."""

    def __init__(self, count: int) -> None:
        problem = f"{count} variables in one lemma, and {MOST_VARIABLES} are looked at together"
        super().__init__(f"{problem}: name fewer folds and heaps at once, by more cases, or bound them by `sizes`")


def explore(literals: Sequence[Literal], most: int = 1_000) -> tuple[State, ...] | dict[Stream, int]:
    """All states that are reached, in order, if none accepts; else naturals at which the literals hold.

    Raises AutomatonTooWide where there are more states than `most`, or too many variables.
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
            raise AutomatonTooWide(f"more than {most} states in one lemma")
    return tuple(todo)


def _values(
    names: Sequence[Stream], state: State, before: Mapping[State, tuple[State, tuple[int, ...]] | None]
) -> dict[Stream, int]:
    """The naturals whose bits, lowest first, lead to the state."""
    values = [0] * len(names)
    while (came := before[state]) is not None:
        state, bits = came
        values = [2 * value + bit for value, bit in zip(values, bits, strict=True)]
    return dict(zip(names, values, strict=True))


# -- sums -------------------------------------------------------------------------------------------------------------
# Sums of products of literals that are negative although nothing in them is: what excludes literals with products.
#
# A literal says that a polynomial is at least 0, or that it is 0.  Such polynomials may be multiplied by each other and
# by variables; each product of variables is then one unknown, and Z3's linear arithmetic says which of the products
# exclude each other, and with which coefficients they add up to -1.  Whether they do is looked at apart, by `verify`.


STEPS = 3_000_000  # Z3's own count, for one question
FEW = 6  # streams whose products are all looked at


@dataclass(frozen=True, eq=False)
class Product:
    """What is at least 0, or 0: the product of these literals' polynomials and of these streams; made once."""

    literals: tuple[Literal, ...]
    streams: Monomial

    @property
    def is_equation(self) -> bool:
        """Whether it is 0."""
        return any(atom.kind == EQ for atom, _ in self.literals)


Polynomial = dict[Monomial, int]


class Products:
    """Linear arithmetic, in which products of streams are unknowns."""

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
        """Products of the literals with coefficients, which add up to a negative constant; None if there are none.

        Else as `find_core`.  Raises Unsure.
        """
        core = self.find_core(literals, more, products=products)
        return None if core is None else self.weigh(core)

    def find_core(self, literals: Sequence[Literal], more: int = 0, *, products: bool = True) -> list[Product] | None:
        """Products of the literals that exclude each other, for `weigh`; None if there are none.

        `more`: by how much their degree may be above that of the literals; `products`: whether there are any, or but
        the literals themselves.  Raises Unsure.
        """
        usable = [self._literal(x) for x in literals if x[0].kind != EQ or x[1]]  # a false equation says one of two
        asked = [self._mark(x) for x in (self._products(usable, more) if products else usable)]
        if self.solver.is_possible(asked):
            return None
        named = self.solver.core()
        return [self._marked[x] for x in asked if x in named]

    def values(self) -> dict[Stream, Fraction]:
        """The rational numbers that were found where the last sum was not."""
        single = {m[0]: x for m, x in self._unknowns.items() if len(m) == 1}
        return dict(zip(single, self.solver.numbers(single.values()), strict=True))

    def _products(self, single: Sequence[Product], more: int) -> Iterator[Product]:
        """The literals that a sum may use, and products of two, or of one and variables, higher by `more` at most."""
        monomials = sorted({m for x in single for m in self._polynomial(x) if m}, key=repr)
        degree = max(map(len, monomials), default=1)
        parts = {part for m in monomials for n in range(1, max(2, degree)) for part in combinations(m, n)}
        streams = sorted({s for m in monomials for s in m}, key=repr)
        if more and len(streams) <= FEW:  # equations are multiplied by whatever stands anywhere
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
                found = multiplied(found, natural(literal))
            self._polynomials[x] = {m: k for m, k in found.items() if k}
        return self._polynomials[x]

    def _mark(self, x: Product) -> str:
        if x not in self._marks:
            terms = (applied("*", (integer(k), *self._unknown(m)), "") for m, k in self._polynomial(x).items())
            mark = self.solver.mark(f"({'=' if x.is_equation else '>='} {applied('+', terms, '0')} 0)")
            self._marks[x], self._marked[mark] = mark, x
        return self._marks[x]

    def _unknown(self, m: Monomial) -> list[str]:
        """The name of a product of streams; none of what is 1."""
        if m and m not in self._unknowns:
            name = self._unknowns[m] = self.solver.declare("Real")
            self.solver.say(f"(>= {name} 0)")
        return [self._unknowns[m]] if m else []

    def weigh(self, products: Sequence[Product]) -> list[tuple[int, Product]]:
        """Coefficients with which they add up to a negative constant; those that are 0 left out. Raises Unsure."""
        solver = Proposer("QF_LRA", STEPS, self.session)
        unknown = [solver.declare("Real") for _ in products]
        totals: dict[Monomial, list[str]] = {(): []}
        for c, x in zip(unknown, products, strict=True):
            if not x.is_equation:
                solver.say(f"(>= {c} 0)")
            for m, k in self._polynomial(x).items():
                totals.setdefault(m, []).append(f"(* {integer(k)} {c})")
        added: dict[Monomial, str] = {}  # products of streams fill up what is below 0
        for m, parts in totals.items():
            if m:
                added[m] = solver.declare("Real")
                solver.say(f"(>= {added[m]} 0)")
                parts.append(added[m])
            solver.say(f"(= {applied('+', parts, '0')} {integer(0 if m else -1)})")
        if not solver.is_possible():
            raise Unsure("no coefficients")
        weighed = [*products, *(Product((), m) for m in added)]
        numbers = solver.numbers([*unknown, *added.values()])
        scale = lcm(*(x.denominator for x in numbers))
        return [(int(x * scale), product) for x, product in zip(numbers, weighed, strict=True) if x]


# -- cases ------------------------------------------------------------------------------------------------------------
# Literals, by node, that are closed by one lemma, and what is closed by two cases of a comparison.


def literal(formulas: Formulas, node: int) -> Literal:
    """What a node of an atom says."""
    atom = formulas.node(node)
    assert isinstance(atom, Atom)
    return atom, node > 0


def compare_sum(formulas: Formulas, terms: Mapping[Stream, int], constant: int) -> tuple[int, int]:
    """That a sum is below 0, and that it is above."""
    above = formulas.compare(LE, {s: -k for s, k in terms.items()}, 1 - constant)
    return formulas.compare(LE, dict(terms), constant + 1), above


def find_sides(formulas: Formulas, atom: Atom) -> tuple[int, int]:
    """That the sum of an atom is below 0, and that it is above."""
    return compare_sum(formulas, {s: k for k, s in atom.terms}, atom.constant)


def close_by_gap(formulas: Formulas, nodes: Sequence[int]) -> Closed | None:
    """What is closed because a sum is neither 0 nor below nor above it."""
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
    """What is closed by products of literals, with coefficients; `places`: the literals by node."""
    used = list(dict.fromkeys(x for _, product in found for x in product.literals))
    summands = tuple(Summand(k, tuple(map(used.index, p.literals)), p.streams) for k, p in found)
    lemma = CertificateLemma(tuple(places[x] for x in used), summands=summands)
    return Closed(frozenset(lemma.literals), lemma)


def join(case: int, closed: Closed, other: Closed) -> Closed:
    """What is closed by both cases of a letter."""
    for x, literal in ((closed, case), (other, -case)):
        if literal not in x.literals:
            return x
    pair = (closed, other) if case > 0 else (other, closed)
    return Closed((closed.literals | other.literals) - {case, -case}, split=(abs(case), *pair))
