"""Literals, by node, that are closed by one lemma, and what is closed by two cases of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from encoders.logic.naturals.certificate import EQ, LE, Atom, Lemma, Stream, Summand
from encoders.logic.naturals.formulas import FALSE, Formulas
from encoders.logic.naturals.lemmas.automaton import TooWide, explore
from encoders.logic.naturals.lemmas.sums import Product
from encoders.logic.naturals.tree import Closed
from encoders.logic.naturals.verify import Literal


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
            except TooWide:
                continue
            if isinstance(states, tuple):
                return Closed(frozenset(gap), Lemma(tuple(gap), states))
    return None


def write_sum(found: Sequence[tuple[int, Product]], places: Mapping[Literal, int]) -> Closed:
    """What is closed by products of literals, with coefficients; `places`: the literals by node."""
    used = list(dict.fromkeys(x for _, product in found for x in product.literals))
    summands = tuple(Summand(k, tuple(map(used.index, p.literals)), p.streams) for k, p in found)
    lemma = Lemma(tuple(places[x] for x in used), summands=summands)
    return Closed(frozenset(lemma.literals), lemma)


def join(case: int, closed: Closed, other: Closed) -> Closed:
    """What is closed by both cases of a letter."""
    for x, literal in ((closed, case), (other, -case)):
        if literal not in x.literals:
            return x
    pair = (closed, other) if case > 0 else (other, closed)
    return Closed((closed.literals | other.literals) - {case, -case}, split=(abs(case), *pair))
