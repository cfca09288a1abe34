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
    return _IntegerCaseSplits(formulas, solve_equations(literals), session).close(tuple(nodes), DEEPEST)


# -- the equations -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LinearForm:
    """A sum over parameters, by number, with a constant."""

    terms: Counter[int]
    constant: int

    def where(self, at: int, by: LinearForm) -> LinearForm:
        """The same sum, a parameter of it written in others."""
        k = self.terms[at]
        terms = Counter({j: a for j, a in self.terms.items() if j != at})
        for j, a in by.terms.items():
            terms[j] += k * a
        return LinearForm(Counter({j: a for j, a in terms.items() if a}), self.constant + k * by.constant)


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

    def by_streams(self, form: Mapping[int, int]) -> Counter[Stream]:
        """A sum of parameters, by streams."""
        found: Counter[Stream] = Counter()
        for j, k in form.items():
            for s, a in self.parameters[j].items():
                found[s] += k * a
        return found

    def where(self, terms: Mapping[Stream, int], constant: int) -> Solved:
        """The same where such a sum of streams is 0 as well.

        In one parameter that may be what no integer fulfils: then it is left, and fails at any rational numbers.
        """
        solved = Solved(self.streams, [*map(Counter, self.parameters)])
        row = solved.of(terms, constant)
        while len(row.terms) > 1:
            at = min(row.terms, key=lambda j: (abs(row.terms[j]), j))
            others = Counter({j: k // row.terms[at] for j, k in row.terms.items() if j != at})
            for j, q in others.items():
                for s, k in solved.parameters[j].items():
                    solved.parameters[at][s] += q * k
            solved = solved.put(at, LinearForm(Counter({at: 1, **{j: -q for j, q in others.items()}}), 0))
            row = solved.of(terms, constant)
        for at, k in row.terms.items():
            if row.constant % k == 0:
                solved = solved.put(at, LinearForm(Counter(), -row.constant // k))
        return solved

    def put(self, at: int, by: LinearForm) -> Solved:
        """With a parameter written in others."""
        return Solved({s: form.where(at, by) for s, form in self.streams.items()}, self.parameters)


def solve_equations(literals: Sequence[Literal]) -> Solved:
    """All integers at which those literals hold that are equations."""
    streams = list(dict.fromkeys(s for atom, _ in literals for _, s in atom.terms))
    parameters = [Counter({s: 1}) for s in streams]
    solved = Solved({s: LinearForm(Counter({j: 1}), 0) for j, s in enumerate(streams)}, parameters)
    for atom, wanted in literals:
        if atom.kind == EQ and wanted:
            solved = solved.where({s: k for k, s in atom.terms}, atom.constant)
    return solved


# -- the cases ---------------------------------------------------------------------------------------------------------
class _IntegerCaseSplits:
    def __init__(self, formulas: Formulas, solved: Solved, session: ProposerSession | None) -> None:
        self.formulas, self.solved = formulas, solved
        self.sums = Products(session)
        self.asked = 0

    def close(self, nodes: tuple[int, ...], depth: int) -> Closed | None:
        """What some of the literals are closed by; None if nothing is found."""
        closed = close_by_gap(self.formulas, nodes) or self._by_sum(nodes)
        if closed is not None or self.asked > MOST_SUMS:
            return closed
        values, solved = self.sums.values(), self._solve(nodes)
        for case in self._find_cuts(nodes, values, solved):
            if other := self._by_sum((*nodes, -case)):
                closed = self.close((*nodes, case), depth)
                return None if closed is None else join(case, closed, other)
        split = self._find_case(nodes, values, solved)
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

    def _solve(self, nodes: Sequence[int]) -> Solved:
        """All integers at which those literals hold that are equations, also by two of them: not above 0, nor below."""
        solved = self.solved
        sums = [({s: 1}, 0) for s in solved.streams]
        sums += [told for x in nodes if (told := _read_natural(literal(self.formulas, x)))]
        done = set[object]()
        while True:
            rows = {_key(solved.of(*told)): told for told in sums}
            found = (told for (terms, c), told in rows.items() if terms and (_negated(terms), -c) in rows)
            told = next((x for x in found if id(x) not in done), None)
            if told is None:
                return solved
            done.add(id(told))
            solved = solved.where(*told)

    def _find_cuts(self, nodes: Sequence[int], values: Mapping[Stream, Fraction], solved: Solved) -> Iterator[int]:
        """Comparisons that integers meet wherever the literals hold, and these values do not."""
        told = (found for x in nodes if (found := _read_natural(literal(self.formulas, x))))
        rows = {_key(form): form for form in (*(solved.of(*x) for x in told), *solved.streams.values())}
        seen = set[int]()
        for a, b in combinations_with_replacement(rows.values(), 2):
            terms = a.terms.copy()
            for j, k in b.terms.items():
                terms[j] += k
            shared = gcd(*terms.values())
            if shared < 2:
                continue
            least = -((a.constant + b.constant) // shared)  # of the sum divided by what is shared
            by_streams = solved.by_streams({j: k // shared for j, k in terms.items()})
            if _sum(by_streams, values) < least:
                case = self.formulas.compare(LE, {s: -k for s, k in by_streams.items()}, least)
                if abs(case) != TRUE and case not in seen and {case, -case}.isdisjoint(nodes):
                    seen.add(case)
                    yield case

    def _find_case(self, nodes: Sequence[int], values: Mapping[Stream, Fraction], solved: Solved) -> int | None:
        """A comparison in which integers are told apart; None if the values are integers at which the literals hold."""
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
    """The sum that a literal which is an inequality says to be at least 0; None for an equation."""
    atom, wanted = told
    if atom.kind != LE:
        return None
    sign = -1 if wanted else 1
    return {s: sign * k for k, s in atom.terms}, sign * atom.constant - (not wanted)


def _key(form: LinearForm) -> tuple[frozenset[tuple[int, int]], int]:
    return frozenset(form.terms.items()), form.constant


def _negated(terms: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    return frozenset((j, -k) for j, k in terms)


def _sum(terms: Mapping[Stream, int], values: Mapping[Stream, Fraction]) -> Fraction:
    return sum((k * values.get(s, Fraction(0)) for s, k in terms.items()), Fraction(0))
