"""Equality of two sets of numbers, such as the Grundy values of a row of heaps and the numbers below a bound.

The sets are written {E for x in range(a, b) if ...}.  If they differ, one has an element that no x of the other makes;
it is told at one x of the other only: the element itself, where that set is one of plain numbers, or the heap that the
proof's [proof.witness] names for an element by its digits as a value.  What follows from so little is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from encoders.answer import Unsupported
from encoders.logic.paths import Env

if TYPE_CHECKING:
    from encoders.rules.grundy.query import Heaps


@dataclass
class Sets:
    """The equalities of sets in one query.

    `known`: what is known of their elements, and `apart`: what follows if they differ;
    `lemmas`: (condition, lemma of the witness), proved from `known` alone, so that a lemma is true of all elements
    and not just of those that do not exist; `heaps`: heaps by their digits, where a witness has named them.
    """

    query: Heaps
    known: list[Any] = field(default_factory=list)
    apart: list[Any] = field(default_factory=list)
    lemmas: list[tuple[Any, Any]] = field(default_factory=list)
    heaps: list[tuple[Any, Env]] = field(default_factory=list)

    def same(self, a: t.Term, b: t.Term, env: Env) -> Any:
        """The truth value of `a == b`. Raises Unsupported for other sets than those above."""
        first, second = _row(a), _row(b)
        equal = self.query.fresh_truth("the sets are equal")
        self.apart.append(z3.Or(equal, self._outside(first, second, env), self._outside(second, first, env)))
        return equal

    def _outside(self, a: t.Comprehension, b: t.Comprehension, env: Env) -> Any:
        """A truth value that implies: some element of `a` is not made in `b` where it should be."""
        terms = self.query.terms
        way = self.query.fresh_truth("an element of one set alone")
        inner = env | {a.clauses[0].variable: self.query.fresh("what runs in the set")}
        inside = self._inside(a, inner)
        element = terms.number(a.body, inner)
        self.known.append(z3.Implies(way, inside))
        met, at = self._met(b, element, z3.And(way, element >= 0))
        there = env | {b.clauses[0].variable: at}
        made = z3.And(met, self._inside(b, there), terms.number(b.body, there) == element)
        self.apart.append(z3.Implies(way, z3.Not(made)))
        return way

    def _inside(self, row: t.Comprehension, env: Env) -> Any:
        (clause,) = row.clauses
        x, terms = env[clause.variable], self.query.terms
        assert isinstance(clause.source, t.Operation)
        low, high = (terms.number(y, env) for y in clause.source.args)
        return z3.And(x >= low, x < high, *(terms.truth(c, env) for c in clause.conditions))

    def _met(self, row: t.Comprehension, element: Any, where: Any) -> tuple[Any, Any]:
        """(a condition, the number of the row that makes the element if it holds)."""
        variable, query, proof = row.clauses[0].variable, self.query, self.query.proof
        if isinstance(row.body, t.Variable) and row.body.name == variable:
            return z3.BoolVal(True, query.context), element
        if proof.witness is None:
            raise Unsupported(f"{text(row)}: the proof does not name a heap for each value: [proof.witness]")
        below = query.digits(proof.below_digits)
        # Every natural number has digits as a value: "digits of 0" and "digits of the next" show it.
        natural = z3.And(query.inside(proof.below_digits, below), element == query.of(proof.below, below))
        self.known.append(z3.Implies(where, natural))
        if proof.witness.lemma is not None:
            self.lemmas.append((where, query.terms.truth(proof.witness.lemma, query.env | below)))
        digits = {name: query.of(term, below) for name, term in proof.witness.digits}
        heap = query.of(proof.heap, digits)
        self.heaps.append((heap, digits))
        return z3.And(where, query.inside(proof.digits, digits)), heap


def _row(term: t.Term) -> t.Comprehension:
    if isinstance(term, t.Comprehension) and term.reducer == "set" and len(term.clauses) == 1:
        source = term.clauses[0].source
        if isinstance(source, t.Operation) and source.op == "range":
            return term
    raise Unsupported(f"{text(term)} is no set of numbers that the rule knows")
