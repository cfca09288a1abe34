"""What a claim says of single heaps and their sums: the heap route's obligations about the claim itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import INT, POSITION
from claims.language.proofs.grundy import HeapProof
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Positions
from claims.language.statement.unfolding import walk
from encoders.answer import Unsupported
from encoders.logic.definedness import Need
from encoders.logic.paths import Env
from encoders.rules.grundy.query import BITS, Ask, Heaps
from encoders.rules.grundy.sets import Sets

SUMMAND = "h"  # what a proof calls any heap of the claim's position


def about_the_claim(claim: Claim, proof: HeapProof, defined: Iterator[Need]) -> Iterator[tuple[str, Ask]]:
    """The obligations. `defined`: what the claim needs to have a truth value. Raises Unsupported."""
    integers = {v.name for v in claim.variables if v.type == INT}
    for number, at in enumerate(proof.at):
        if at.digits:
            yield f"heap {number + 1} of the claim: its digits", _at(number)
        elif not _is_summand(at.heap, integers):
            yield f"heap {number + 1} of the claim: not negative", _natural(at.heap)
    for number in range(len(proof.divisions)):
        yield f"division {number + 1}", _division(number)
    for need in defined:
        yield f"defined: {need.words}", _defined(need)
    if any(isinstance(v.domain, Positions) for v in claim.variables):
        yield "sum: the terms are Grundy values", _terms
        yield "sum: from nim-sum 0 a move changes it", _from_zero
        yield "sum: from another the top bit's heap restores it", _to_zero
    if proof.witness is not None and proof.witness.lemma is not None:
        yield "the witness's lemma", _witness
    yield "claim", _claim


def _is_summand(heap: t.Term, integers: set[str] | Env) -> bool:
    """Whether a heap of the proof stands for any heap of the claim's position."""
    return isinstance(heap, t.Variable) and heap.name == SUMMAND and SUMMAND not in integers


# -- heaps and divisions that the proof names -------------------------------------------------------------------------
def _scope(q: Heaps) -> tuple[Env, list[Any]]:
    """Names for the digits of the claim's one heap without digits of its own, and for that heap if it is a summand."""
    proof = q.proof
    names: Env = {}
    known: list[Any] = []
    for at in proof.at:
        if at.digits:
            continue
        if names:
            raise Unsupported("only one heap of the claim may have digits without names of its own")
        names = q.digits(proof.digits)
        if _is_summand(at.heap, q.env):
            heap = names[SUMMAND] = q.fresh(SUMMAND)
            known.append(heap >= 1)
        else:
            heap = q.terms.number(at.heap, q.env)
        known += [q.inside(proof.digits, names), heap == q.of(proof.heap, names)]
    return names, known


def _divide(q: Heaps, names: Env) -> None:
    """Let the claim's divisions be what the proof says they are; that they are is an obligation of its own."""
    for x in q.proof.divisions:
        parts = [q.terms.number(p, q.env | names) for p in (x.dividend, x.divisor, x.quotient, x.remainder)]
        q.terms.divided.append((parts[0], parts[1], parts[2], parts[3]))


def _at(number: int) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        at = q.proof.at[number]
        values = {name: q.terms.number(term, q.env) for name, term in at.digits}
        if set(values) != {d.name for d in q.proof.digits}:
            raise Unsupported(f"heap {number + 1} of the claim: not every digit is given")
        heap = q.terms.number(at.heap, q.env)
        return [], z3.And(q.inside(q.proof.digits, values), heap == q.of(q.proof.heap, values))

    return query


def _natural(heap: t.Term) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        return [], q.terms.number(heap, q.env) >= 0

    return query


def _division(number: int) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        names, known = _scope(q)
        x = q.proof.divisions[number]
        a, b, c, d = (q.terms.number(p, q.env | names) for p in (x.dividend, x.divisor, x.quotient, x.remainder))
        return known, z3.And(a == b * c + d, d >= 0, d < b)

    return query


# -- sums -------------------------------------------------------------------------------------------------------------
def _terms(q: Heaps) -> tuple[list[Any], Any]:
    """Every nim-sum over the heaps in the claim adds the heaps' Grundy values."""
    names, known = _scope(q)
    if SUMMAND not in names:
        raise Unsupported('the proof does not give the digits of a heap h of the sum: [[proof.at]] heap = "h"')
    _divide(q, names)
    value = q.of(q.proof.value, names)
    goals = [q.yes]
    for found in _nim_sums(q.claim):
        if len(found.clauses) > 1 or found.clauses[0].conditions:
            raise Unsupported(f"{text(found)}: a nim-sum over some of the heaps")
        variable = found.clauses[0].variable

        def ask(call: t.GameCall, env: Env, variable: str = variable) -> Any:
            heap = _heap_of(call)
            if call.function == "grundy" and isinstance(heap, t.Variable) and heap.name == variable:
                return value
            raise Unsupported(f"{text(call)} inside a nim-sum")

        q.terms.ask = ask
        goals.append(q.terms.number(found.body, q.env | {variable: names[SUMMAND]}) == value)
    return known, z3.And(*goals)


def _from_zero(q: Heaps) -> tuple[list[Any], Any]:
    g, after, rest = (z3.BitVec(n, BITS, q.context) for n in ("g", "g after", "rest"))
    return [g != after, g ^ rest == 0], after ^ rest != 0


def _to_zero(q: Heaps) -> tuple[list[Any], Any]:
    g, rest = (z3.BitVec(n, BITS, q.context) for n in ("g", "rest"))
    whole = g ^ rest
    return [whole != 0, z3.ULT(g ^ whole, g)], (g ^ whole) ^ rest == 0


def _nim_sums(claim: Claim) -> list[t.Comprehension]:
    """The nim-sums over the heaps of a position in the claim."""
    return [
        x
        for x in walk((claim.hypothesis, claim.conclusion))
        if isinstance(x, t.Comprehension) and x.reducer == "nim_sum" and x.clauses[0].source.type == POSITION
    ]


def _heap_of(call: t.GameCall) -> t.Term | None:
    """The one heap E of a question about position([E])."""
    s = call.args[0]
    if isinstance(s, t.Operation) and s.op == "position" and isinstance(s.args[0], t.Collection):
        items = s.args[0].items
        return items[0] if len(items) == 1 else None
    return None


# -- what it says -----------------------------------------------------------------------------------------------------
class _Reading:
    """The claim's questions as values of the closed form, in one query."""

    def __init__(self, q: Heaps) -> None:
        self.q = q
        self.names, self.known = _scope(q)
        _divide(q, self.names)
        self.sets = Sets(q)
        self.position = next((v.name for v in q.claim.variables if v.type == POSITION), None)
        self._whole: Any = None
        q.terms.ask, q.terms.other, q.terms.same = self._ask, self._nim_sum, self.sets.same

    def whole(self) -> Any:
        """The nim-sum of the Grundy values of all heaps: whoever moves wins exactly if it is not 0."""
        if self._whole is None:
            self._whole = self.q.fresh("nim-sum")
            self.known.append(self._whole >= 0)
        return self._whole

    def element(self, source: t.Term | None, env: Env) -> tuple[Any, Any]:
        """A heap of the claim's position, or an integer of a range. Raises Unsupported."""
        found = self.q.in_range(source, env)
        if found is not None:
            return found
        if not self._is_position(source):
            raise Unsupported(f"{text(source)} is no range and not the claim's position" if source else "")
        heap = self.names.pop(SUMMAND, None)  # for the first that runs: two heaps need not be the same
        return (self.q.fresh("heap"), self.q.yes) if heap is None else (heap, self.q.yes)

    def _is_position(self, term: t.Term | None) -> bool:
        return self.position is not None and isinstance(term, t.Variable) and term.name == self.position

    def _ask(self, call: t.GameCall, env: Env) -> Any:
        heap = _heap_of(call)
        if heap is not None and call.function in ("grundy", "wins"):
            value = self._value_at(self.q.terms.number(heap, env))
            return value if call.function == "grundy" else value != 0
        if call.function == "wins" and self._is_position(call.args[0]):
            return self.whole() != 0
        where = self.position or "a position"
        raise Unsupported(f"{text(call)}: the rule knows single heaps, and sums of all heaps of {where}")

    def _value_at(self, heap: Any) -> Any:
        """The value of a heap; that it is not negative is an obligation of its own (defined)."""
        q, proof = self.q, self.q.proof
        for known_heap, digits in self.sets.heaps:
            if z3.eq(known_heap, heap):
                return q.of(proof.value, digits)
        for at in proof.at:
            if _is_summand(at.heap, q.env):
                continue
            if z3.eq(z3.simplify(q.terms.number(at.heap, q.env) - heap), q.terms.integer(0)):
                values = {n: q.terms.number(x, q.env) for n, x in at.digits} or self.names
                return q.of(proof.value, values)
        values = q.digits(proof.digits)
        made = z3.And(q.inside(proof.digits, values), heap == q.of(proof.heap, values))
        self.known.append(z3.Implies(heap >= 0, made))
        return q.of(proof.value, values)

    def _nim_sum(self, term: t.Term, env: Env) -> Any:
        match term:
            case t.Comprehension(reducer="nim_sum", clauses=(t.Clause(source=source, conditions=()),)):
                if self._is_position(source):
                    return self.whole()
        raise Unsupported(f"{text(term)}: the rule knows the nim-sum of all heaps")


def _defined(need: Need) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        reading = _Reading(q)
        goal = q.needed([need], q.env, reading.element)
        return [*reading.known, *reading.sets.known, *reading.sets.apart], goal

    return query


def _witness(q: Heaps) -> tuple[list[Any], Any]:
    """The lemma on the digits of an element, wherever the claim needs it."""
    reading, _ = _stated(q)
    sets = reading.sets
    return [*reading.known, *sets.known], z3.And(*(z3.Implies(where, lemma) for where, lemma in sets.lemmas), q.yes)


def _claim(q: Heaps) -> tuple[list[Any], Any]:
    reading, goal = _stated(q)
    sets = reading.sets
    lemmas = (z3.Implies(where, lemma) for where, lemma in sets.lemmas)
    return [*reading.known, *sets.known, *sets.apart, *lemmas], goal


def _stated(q: Heaps) -> tuple[_Reading, Any]:
    """What the claim says, and what is to be shown. Its hypotheses are noted in the query."""
    reading = _Reading(q)
    if q.claim.hypothesis is not None:
        q.hypotheses = [(text(x), q.terms.truth(x, q.env)) for x in t.conjuncts(q.claim.hypothesis)]
    return reading, q.terms.truth(q.claim.conclusion, q.env)
