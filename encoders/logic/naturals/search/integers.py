"""Sums of integers that exclude each other although sums of rational numbers do not: case by case, each by a sum.

The equations are solved over the integers first: what is left are parameters, sums of streams with whole coefficients.
An inequality in parameters whose coefficients share a factor leaves a gap between integers; where the rational numbers
that Z3 finds lie in one, a case distinction cuts them off: one of its cases is closed at once.  Else a parameter that
is no integer there is told apart.  What is made of nim-sums or products is any number here.

Unlike an automaton this does not care how large coefficients are: x % 1000, or x % 2**40.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import floor, gcd

from encoders.logic.naturals.certificates.certificate import EQ, LE, Stream
from encoders.logic.naturals.certificates.verify import Literal
from encoders.logic.naturals.formulas.formulas import FALSE, TRUE, Formulas
from encoders.logic.naturals.search.proposer import ProposerSession, Unsure
from encoders.logic.naturals.search.sums import Products, close_by_gap, find_sides, join, literal, write_sum
from encoders.logic.naturals.search.tree import Closed

DEEPEST = 8  # case distinctions of which no case is closed at once, one within the other
MOST_SUMS = 200  # that are looked for to close one set of literals


def refute_integers(formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None) -> Closed | None:
    """A proof that the literals, by node, exclude each other; None if none is found."""
    literals = [literal(formulas, x) for x in nodes]
    return _Cases(formulas, solve_equations(literals), session).close(tuple(nodes), DEEPEST)


# -- the equations -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LinearForm:
    """A sum over parameters, by number, with a constant."""

    terms: Counter[int]
    constant: int


@dataclass(frozen=True)
class Solved:
    """`streams`: what each is, by parameters, where the equations hold; `parameters`: what each is, by streams."""

    streams: Mapping[Stream, LinearForm]
    parameters: Sequence[Counter[Stream]]

    def of(self, terms: Mapping[Stream, int], constant: int) -> LinearForm:
        """A sum of streams, by parameters."""
        found: Counter[int] = Counter()
        for s, k in terms.items():
            form = self.streams[s]
            constant += k * form.constant
            for j, a in form.terms.items():
                found[j] += k * a
        return LinearForm(Counter({j: a for j, a in found.items() if a}), constant)


def solve_equations(literals: Sequence[Literal]) -> Solved:
    """All integers at which those literals hold that are equations.

    An equation in one parameter that no integer fulfils is left: its parameter is no integer at any rational solution.
    """
    streams = list(dict.fromkeys(s for atom, _ in literals for _, s in atom.terms))
    parameters = [Counter({s: 1}) for s in streams]
    solved = Solved({s: LinearForm(Counter({j: 1}), 0) for j, s in enumerate(streams)}, parameters)
    for atom, wanted in literals:
        if atom.kind != EQ or not wanted:
            continue
        terms = {s: k for k, s in atom.terms}
        row = solved.of(terms, atom.constant)
        while len(row.terms) > 1:
            at = min(row.terms, key=lambda j: (abs(row.terms[j]), j))
            others = Counter({j: k // row.terms[at] for j, k in row.terms.items() if j != at})
            for j, q in others.items():
                for s, k in parameters[j].items():
                    parameters[at][s] += q * k
            solved = _replaced(solved, at, LinearForm(Counter({at: 1, **{j: -q for j, q in others.items()}}), 0))
            row = solved.of(terms, atom.constant)
        for at, k in row.terms.items():
            if row.constant % k == 0:
                solved = _replaced(solved, at, LinearForm(Counter(), -row.constant // k))
    return solved


def _replaced(solved: Solved, at: int, by: LinearForm) -> Solved:
    """The streams with a parameter written in others."""
    found: dict[Stream, LinearForm] = {}
    for s, form in solved.streams.items():
        k = form.terms[at]
        terms = Counter({j: a for j, a in form.terms.items() if j != at})
        for j, a in by.terms.items():
            terms[j] += k * a
        found[s] = LinearForm(Counter({j: a for j, a in terms.items() if a}), form.constant + k * by.constant)
    return Solved(found, solved.parameters)


# -- the cases ---------------------------------------------------------------------------------------------------------
class _Cases:
    def __init__(self, formulas: Formulas, solved: Solved, session: ProposerSession | None) -> None:
        self.formulas, self.solved = formulas, solved
        self.sums = Products(session)
        self.asked = 0

    def close(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        """What some of the literals are closed by; None if nothing is found."""
        closed = close_by_gap(self.formulas, nodes) or self._by_sum(nodes)
        if closed is not None or self.asked > MOST_SUMS:
            return closed
        values = self.sums.values()
        for case in self._find_cuts(nodes, values):
            if other := self._by_sum((*nodes, -case)):
                closed = self.close((*nodes, case), depth)
                return None if closed is None else join(case, closed, other)
        split = self._find_case(nodes, values)
        if split is None or depth == 0:
            return None
        yes = self.close((*nodes, split), depth - 1)
        no = None if yes is None else self.close((*nodes, -split), depth - 1)
        return None if yes is None or no is None else join(split, yes, no)

    def _by_sum(self, nodes: tuple[int, ...]) -> Closed | None:
        self.asked += 1
        places = {literal(self.formulas, x): x for x in nodes}
        try:
            found = self.sums.find_sum(list(places), products=False)
        except Unsure:
            self.asked = MOST_SUMS + 1
            return None
        return None if found is None else write_sum(found, places)

    def _find_cuts(self, nodes: Sequence[int], values: Mapping[Stream, Fraction]) -> Iterator[int]:
        """Comparisons that integers meet wherever the literals hold, and these values do not."""
        rows = {_key(form): form for x in nodes for form in self._rows(x)}
        rows |= {_key(form): form for form in self.solved.streams.values()}
        seen = set[int]()
        for a, b in combinations_with_replacement(rows.values(), 2):
            terms = a.terms.copy()
            for j, k in b.terms.items():
                terms[j] += k
            shared = gcd(*terms.values())
            if shared < 2:
                continue
            least = -((a.constant + b.constant) // shared)  # of the sum divided by what is shared
            by_streams = self._by_streams({j: k // shared for j, k in terms.items()})
            if _sum(by_streams, values) < least:
                case = self.formulas.compare(LE, {s: -k for s, k in by_streams.items()}, least)
                if abs(case) != TRUE and case not in seen and {case, -case}.isdisjoint(nodes):
                    seen.add(case)
                    yield case

    def _rows(self, node: int) -> Iterator[LinearForm]:
        """What a literal that is an inequality says to be at least 0."""
        atom, wanted = literal(self.formulas, node)
        if atom.kind == LE:
            sign = -1 if wanted else 1
            terms = {s: sign * k for k, s in atom.terms}
            yield self.solved.of(terms, sign * atom.constant - (not wanted))

    def _by_streams(self, form: Mapping[int, int]) -> Counter[Stream]:
        found: Counter[Stream] = Counter()
        for j, k in form.items():
            for s, a in self.solved.parameters[j].items():
                found[s] += k * a
        return found

    def _find_case(self, nodes: Sequence[int], values: Mapping[Stream, Fraction]) -> int | None:
        """A comparison in which integers are told apart; None if the values are integers at which the literals hold."""
        for sums in self.solved.parameters:
            value = _sum(sums, values)
            if value.denominator > 1:
                case = self.formulas.compare(LE, dict(sums), -floor(value))
                if abs(case) != TRUE and {case, -case}.isdisjoint(nodes):
                    return case
        for x in nodes:
            atom, wanted = literal(self.formulas, x)
            if atom.kind == EQ and not wanted and _sum({s: k for k, s in atom.terms}, values) == -atom.constant:
                for side in find_sides(self.formulas, atom):
                    if side not in (TRUE, FALSE) and {side, -side}.isdisjoint(nodes):
                        return side
        return None


def _key(form: LinearForm) -> tuple[frozenset[tuple[int, int]], int]:
    return frozenset(form.terms.items()), form.constant


def _sum(terms: Mapping[Stream, int], values: Mapping[Stream, Fraction]) -> Fraction:
    return sum((k * values.get(s, Fraction(0)) for s, k in terms.items()), Fraction(0))
