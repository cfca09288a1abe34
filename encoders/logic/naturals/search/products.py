"""Literals with products that exclude each other: by a sum, else by a case distinction whose cases are closed so.

What sums cannot use is that naturals are whole: if b q + r = b q' + r' with remainders below b, then q = q', but for
that q < q' and q > q' have to be told apart.  The cases are comparisons of variables that are multiplied by the same,
whether a variable that is multiplied is 0, and the two ways in which an equation fails.  A distinction is made where
one of its cases is closed at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from encoders.logic.naturals.certificates.certificate import EQ, LE, Stream
from encoders.logic.naturals.certificates.verify import Literal, Monomial, natural
from encoders.logic.naturals.formulas.formulas import TRUE, Formulas
from encoders.logic.naturals.search.oracle import find_numbers
from encoders.logic.naturals.search.proposer import ProposerSession, Unsure
from encoders.logic.naturals.search.sums import (
    Product,
    Products,
    close_by_gap,
    compare_sum,
    find_sides,
    join,
    literal,
    write_sum,
)
from encoders.logic.naturals.search.tree import Closed

DEEPEST_CASES = 6  # case distinctions, one within the other
MOST_SUMS_IN_CASES = 300  # that are looked for to close one set of literals


def refute_products(
    formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None
) -> Closed | dict[Stream, int] | None:
    """A proof that the literals, by node, exclude each other; else numbers at which they hold; None: neither found."""
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
    """A proof by one sum that the literals, by node, exclude each other; None if none is found."""
    return _ProductCaseSplits(formulas, session).by_sum(tuple(nodes))


@dataclass(frozen=True)
class _Excluded:
    """`products` of literals that exclude each other by a sum; `places`: the literals, by node."""

    products: Sequence[Product]
    places: Mapping[Literal, int]


class _ProductCaseSplits:
    def __init__(self, formulas: Formulas, session: ProposerSession | None) -> None:
        self.formulas = formulas
        self.products = Products(session)
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
        found = self._find(nodes)
        return None if found is None else self._write(found)

    def _find(self, nodes: tuple[int, ...]) -> Closed | _Excluded | None:
        """What some of the literals are closed by, if anything; a sum that does is not worked out yet."""
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

    def _by_cases(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        if depth == 0:
            return None
        best: tuple[int, Closed | _Excluded] | None = None  # the case that is closed, and by what
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
        return self._join(case, found, self._by_cases((*nodes, -case), depth - 1))

    def _join(self, case: int, found: Closed | _Excluded, other: Closed | _Excluded | None) -> Closed | None:
        """What is closed by both cases; None if one of them is not closed after all."""
        both = [None if x is None else self._write(x) for x in (found, other)]
        return join(case, both[0], both[1]) if both[0] and both[1] else None

    def _find_letters(self, nodes: tuple[int, ...]) -> list[int]:
        """Comparisons that are not decided yet."""
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
