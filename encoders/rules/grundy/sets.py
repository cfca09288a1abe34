"""Equality of two sets of numbers, such as the Grundy values of a row of heaps and the numbers below a bound.

The sets are written {E for x in range(a, b) if ...}.  If they differ, one has an element that no x of the other makes;
it is told at one x of the other only: the element itself, where that set is one of plain numbers, or the heap that the
proof's [proof.witness] names for an element by its digits as a value.  What follows from so little is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.logic.reader import Env
from encoders.logic.terms import YES, ZERO, at_least, conjunction, disjunction, equal, implies, less_than, negation
from encoders.rules.grundy.reader import Digits, HeapReader

Witnessed = tuple[t.Term, Digits]  # a heap that [proof.witness] names, and its digits


@dataclass
class Sets:
    """The equalities of sets in one sequent.

    `known`: what is known of their elements, and `apart`: what follows if they differ;
    `lemmas`: (condition, lemma of the witness), proved from `known` alone, so that a lemma is true of all elements
    and not just of those that do not exist; `witness`: while it is read what is said where the digits of a witness lie
    in their ranges, its heap and those digits. Nowhere else is the heap known to have them, or the formula its value.
    """

    reader: HeapReader
    known: list[t.Term] = field(default_factory=list)
    apart: list[t.Term] = field(default_factory=list)
    lemmas: list[tuple[t.Term, t.Term]] = field(default_factory=list)
    witness: Witnessed | None = None

    def same(self, a: t.Term, b: t.Term, env: Env) -> t.Term:
        """The truth value of `a == b`. Raises Unsupported for other sets than those above."""
        first, second = _row(a), _row(b)
        same = self.reader.symbols.truth("the sets are equal")
        self.apart.append(disjunction(same, self._outside(first, second, env), self._outside(second, first, env)))
        return same

    def _outside(self, a: t.Comprehension, b: t.Comprehension, env: Env) -> t.Term:
        """A truth value that implies: some element of `a` is not made in `b` where it should be."""
        reader = self.reader
        way = reader.symbols.truth("an element of one set alone")
        inner = {**env, a.clauses[0].variable: reader.fresh("what runs in the set")}
        inside = self._inside(a, inner)
        element = reader.number(a.body, inner)
        self.known.append(implies(way, inside))
        met, at, witness = self._met(b, element, conjunction(way, at_least(element, ZERO)))
        there = {**env, b.clauses[0].variable: at}
        before, self.witness = self.witness, witness
        made = conjunction(met, self._inside(b, there), equal(reader.number(b.body, there), element))
        self.witness = before
        self.apart.append(implies(way, negation(made)))
        return way

    def _inside(self, row: t.Comprehension, env: Env) -> t.Term:
        (clause,) = row.clauses
        reader = self.reader
        x = reader.number(t.Variable(row.body.type, 0, 0, clause.variable), env)
        assert isinstance(clause.source, t.Operation)
        low, high = (reader.number(y, env) for y in clause.source.args)
        return conjunction(at_least(x, low), less_than(x, high), *(reader.truth(c, env) for c in clause.conditions))

    def _met(self, row: t.Comprehension, element: t.Term, where: t.Term) -> tuple[t.Term, t.Term, Witnessed | None]:
        """(a condition, the number of the row that makes the element if it holds, that heap by a witness's digits)."""
        variable, reader, proof = row.clauses[0].variable, self.reader, self.reader.proof
        if isinstance(row.body, t.Variable) and row.body.name == variable:
            return YES, element, None
        if proof.witness is None:
            instead = "give the digits of a heap for each value, in [proof.witness]"
            raise Unsupported(f"{print_term(row)}: the proof does not name a heap for each value", instead=instead)
        digits_below = reader.digits(proof.below_digits)
        # Every natural number has digits as a value: "digits of 0" and "digits of the next" show it.
        natural = conjunction(
            reader.inside(proof.below_digits, digits_below), equal(element, reader.of(proof.below, digits_below))
        )
        self.known.append(implies(where, natural))
        if proof.witness.lemma is not None:
            self.lemmas.append((where, reader.truth(proof.witness.lemma, {**reader.env, **digits_below})))
        digits = {name: reader.of(term, digits_below) for name, term in proof.witness.digits}
        heap = reader.of(proof.heap, digits)
        return conjunction(where, reader.inside(proof.digits, digits)), heap, (heap, digits)


def _row(term: t.Term) -> t.Comprehension:
    if isinstance(term, t.Comprehension) and term.reducer == "set" and len(term.clauses) == 1:
        source = term.clauses[0].source
        if isinstance(source, t.Operation) and source.op == "range":
            return term
    instead = "write it over a range, as in {grundy(position([x])) for x in range(a, b)}"
    raise Unsupported(f"{print_term(term)} is no set of numbers that the rule knows", instead=instead)
