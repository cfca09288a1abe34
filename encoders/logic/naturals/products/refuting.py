"""Literals with products that exclude each other: by a sum, else by a case distinction whose cases are closed so.

What sums cannot use is that naturals are whole: if b q + r = b q' + r' with remainders below b, then q = q', but for
that q < q' and q > q' have to be told apart.  The cases are comparisons of variables that are multiplied by the same,
whether a variable that is multiplied is 0, and the two ways in which an equation fails.  A distinction is made where
one of its cases is closed at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from encoders.logic.naturals.automaton import explore
from encoders.logic.naturals.certificate import EQ, LE, Atom, Lemma, Stream, Summand
from encoders.logic.naturals.formulas import FALSE, TRUE, Formulas
from encoders.logic.naturals.oracle import Unsure
from encoders.logic.naturals.products.numbers import find_numbers
from encoders.logic.naturals.products.sums import Product, Products
from encoders.logic.naturals.tree import Closed
from encoders.logic.naturals.verify import Literal, Monomial, natural

DEEPEST = 6  # case distinctions, one within the other
MOST_SUMS = 300  # that are looked for to close one set of literals


def refute_products(formulas: Formulas, nodes: Sequence[int]) -> Closed | dict[Stream, int] | None:
    """A proof that the literals, by node, exclude each other; else numbers at which they hold; None: neither found."""
    try:
        found = find_numbers([literal(formulas, x) for x in nodes])
    except Unsure:
        core = list(nodes)
    else:
        if isinstance(found, dict):
            return found
        core = [x for x in nodes if literal(formulas, x) in found]
    return _Cases(formulas).close(tuple(core), DEEPEST)


def refute_by_sum(formulas: Formulas, nodes: Sequence[int]) -> Closed | None:
    """A proof by one sum that the literals, by node, exclude each other; None if none is found."""
    return _Cases(formulas).by_sum(tuple(nodes))


def literal(formulas: Formulas, node: int) -> Literal:
    """What a node of an atom says."""
    atom = formulas.node(node)
    assert isinstance(atom, Atom)
    return atom, node > 0


class _Cases:
    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.products = Products()
        self.asked = 0
        self.more = 0  # degrees

    def close(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        """What some of the literals are closed by; None if nothing is found."""
        found = self.by_sum(nodes) or self._by_cases(nodes, depth)
        if found is None:
            self.asked, self.more = 0, 1
            found = self.by_sum(nodes) or self._by_cases(nodes, depth)
        return found

    def by_sum(self, nodes: tuple[int, ...]) -> Closed | None:
        if closed := self._by_gap(nodes):
            return closed
        self.asked += 1
        if self.asked > MOST_SUMS:
            return None
        places = {literal(self.formulas, x): x for x in nodes}
        try:
            found = self.products.find_sum(list(places), self.more)
        except Unsure:
            return None
        return None if found is None else _write(found, places)

    def _by_gap(self, nodes: tuple[int, ...]) -> Closed | None:
        """What is closed because a sum is neither 0 nor below nor above it."""
        for x in nodes:
            atom, wanted = literal(self.formulas, x)
            if atom.kind == EQ and not wanted:
                gap = [x, *(-side for side in self._sides(atom) if side != FALSE)]
                if not set(gap) <= {*nodes}:
                    continue
                states = explore([literal(self.formulas, y) for y in gap])
                if isinstance(states, tuple):
                    return Closed(frozenset(gap), Lemma(tuple(gap), states))
        return None

    def _sides(self, atom: Atom) -> tuple[int, int]:
        """That the sum of an atom is below 0, and that it is above."""
        return self._compare({s: k for k, s in atom.terms}, atom.constant)

    def _compare(self, terms: dict[Stream, int], constant: int) -> tuple[int, int]:
        """That a sum is below 0, and that it is above."""
        above = self.formulas.compare(LE, {s: -k for s, k in terms.items()}, 1 - constant)
        return self.formulas.compare(LE, terms, constant + 1), above

    def _by_cases(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        if depth == 0:
            return None
        best: tuple[int, Closed] | None = None  # the case that is closed, and how
        for letter in self._find_letters(nodes):
            for case in (letter, -letter):
                closed = self.by_sum((*nodes, case))
                if closed is None:
                    continue
                if other := self.by_sum((*nodes, -case)):
                    return _join(case, closed, other)
                best = best or (case, closed)
        if best is None:
            return None
        case, closed = best
        rest = self._by_cases((*nodes, -case), depth - 1)
        return None if rest is None else _join(case, closed, rest)

    def _find_letters(self, nodes: tuple[int, ...]) -> list[int]:
        """Comparisons that are not decided yet."""
        known = {abs(x) for x in nodes} | {TRUE}
        found: dict[int, None] = {}
        literals = [literal(self.formulas, x) for x in nodes]
        for atom, wanted in literals:
            if atom.kind == EQ and not wanted:
                found |= dict.fromkeys(map(abs, self._sides(atom)))
        for terms, constant in _find_cofactors(literals):
            found |= dict.fromkeys(map(abs, self._compare(terms, constant)))
        for a, b in _find_pairs(literals):
            found |= dict.fromkeys(map(abs, self._compare({a: 1, b: -1}, 0)))
        for x in _find_factors(literals):
            found[abs(self.formulas.compare(LE, {x: 1}, 0))] = None
        return [x for x in found if x not in known]


def _find_cofactors(literals: Iterable[Literal]) -> Iterator[tuple[dict[Stream, int], int]]:
    """The sums, with their constants, by which variables are multiplied."""
    for x in literals:
        polynomial = natural(x)
        for s in dict.fromkeys(s for m in polynomial if len(m) == 2 for s in m):
            terms = {m[1 - m.index(s)]: k for m, k in polynomial.items() if len(m) == 2 and s in m}
            yield terms, polynomial.get((s,), 0)


def _find_pairs(literals: Iterable[Literal]) -> list[tuple[Stream, Stream]]:
    """Streams that are multiplied by the same."""
    partners: dict[Monomial, dict[Stream, None]] = {}
    for x in literals:
        for m in natural(x):
            for i, s in enumerate(m):
                if len(m) > 1:
                    partners.setdefault(m[:i] + m[i + 1 :], {})[s] = None
    return list(dict.fromkeys(pair for found in partners.values() for pair in combinations(found, 2)))


def _find_factors(literals: Iterable[Literal]) -> list[Stream]:
    """Streams that are multiplied."""
    return list(dict.fromkeys(s for x in literals for m in natural(x) if len(m) > 1 for s in m))


def _write(found: Sequence[tuple[int, Product]], places: dict[Literal, int]) -> Closed:
    used = list(dict.fromkeys(x for _, product in found for x in product.literals))
    summands = tuple(Summand(k, tuple(map(used.index, p.literals)), p.streams) for k, p in found)
    lemma = Lemma(tuple(places[x] for x in used), summands=summands)
    return Closed(frozenset(lemma.literals), lemma)


def _join(case: int, closed: Closed, other: Closed) -> Closed:
    """What is closed by both cases of a letter."""
    for x, literal in ((closed, case), (other, -case)):
        if literal not in x.literals:
            return x
    pair = (closed, other) if case > 0 else (other, closed)
    return Closed((closed.literals | other.literals) - {case, -case}, split=(abs(case), *pair))
