"""The obligations about the claim itself: its heaps, its divisions, its nim-sums, and its conclusion."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import partial, reduce

from claims.language.files.claim import Claim, unfold_claim
from claims.language.files.domains import Positions
from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, print_term, walk
from claims.language.syntax.terms import INT, POSITION, set_of
from encoders.logic.definedness import DefinednessCondition
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import (  # fmt: skip
    ONE,
    ZERO,
    add,
    at_least,
    compare,
    conjunction,
    equal,
    iff,
    implies,
    is_same_polynomial,
    less_than,
    mul,
    negation,
    nim,
    opposite,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ObligationBuilder
from encoders.rules.base.shape import DEFINED
from encoders.rules.grundy import section
from encoders.rules.grundy.digits import HeapReader, Sets
from encoders.rules.grundy.section import At, GrundyProof
from encoders.trust import Reason

SUMMAND = "h"  # the name of an arbitrary heap of the claim's position


def list_claim_obligations(
    claim: Claim, proof: GrundyProof, defined: Iterator[DefinednessCondition]
) -> Iterator[ObligationBuilder[HeapReader]]:
    """Yield the obligations about the claim: its heaps, its divisions, its nim-sums, and that the claim follows.

    `defined`: the conditions under which the claim has a truth value. Raises Unsupported for unsupported terms.
    """
    integers = {v.name for v in claim.variables if v.type == INT}
    for number, at in enumerate(proof.at):
        if at.digits:
            yield section.HEAP_DIGITS.make_label(number=number + 1), partial(_state_value, number=number)
        elif not _is_summand(at.heap, integers):
            yield section.HEAP_NATURAL.make_label(number=number + 1), partial(_natural, heap=at.heap)
    for number in range(len(proof.divisions)):
        yield section.DIVISION.make_label(number=number + 1), partial(_pose_division, number=number)
    for need in defined:
        yield DEFINED.make_label(words=need.words), partial(_pose_defined, need=need)
    if has_positions(claim):
        yield section.TERMS.make_label(), _terms
    if has_sums(claim):
        yield section.FROM_ZERO.make_label(), _state_leaving_zero
        yield section.ODD.make_label(), _odd
        yield section.LOWERED.make_label(), _pose_lowered
        yield section.TO_ZERO.make_label(), _state_reaching_zero
    if proof.witness is not None and proof.witness.lemma is not None:
        yield section.WITNESS.make_label(), _witness
    yield section.CLAIM.make_label(), _claim


def has_positions(claim: Claim) -> bool:
    """Whether the claim has a variable that runs over positions with any number of heaps."""
    return any(isinstance(v.domain, Positions) for v in claim.variables)


def has_sums(claim: Claim) -> bool:
    """Whether the proof needs the theorem on sums: the claim has a position variable, or lists several heaps."""
    return has_positions(claim) or names_several_heaps(claim)


def names_several_heaps(claim: Claim) -> bool:
    """Whether the claim contains a position with several listed heaps, as in position([n, m])."""
    plain = unfold_claim(claim)
    return any(
        isinstance(x, t.Operation) and (heaps := _list_heaps(x)) is not None and len(heaps) > 1
        for x in walk((plain.hypothesis, plain.conclusion))
    )


def stands_for_any_heap(claim: Claim, at: At) -> bool:
    """Whether the heap of a [[proof.at]] table is the variable h, for an arbitrary heap of the claim's position."""
    return _is_summand(at.heap, {v.name for v in claim.variables if v.type == INT})


def _is_summand(heap: t.Term, integers: Container[str]) -> bool:
    """Whether a term of the proof is the variable h for an arbitrary heap of the claim's position.

    It is not if `integers`, the integer variables of the claim, contain h.
    """
    return isinstance(heap, t.Variable) and heap.name == SUMMAND and SUMMAND not in integers


# -- heaps and divisions of the proof ---------------------------------------------------------------------------------
def _scope(q: HeapReader) -> tuple[dict[str, t.Term], list[t.Term]]:
    """Return (names, assumptions) for the one heap in [[proof.at]] whose table has no key `digits`.

    names: variables for the digits of this heap, by name. If the heap is an arbitrary heap h of the claim's position, a
    variable for h is added. The assumptions state that these are the digits of the heap.
    Both are empty if there is no such table. Raises Unsupported if there are several.
    """
    proof = q.proof
    names: dict[str, t.Term] = {}
    known: list[t.Term] = []
    for at in proof.at:
        if at.digits:
            continue
        if names:
            words = f"[[proof.at]] does not give `digits` for {print_term(at.heap)} and for another heap"
            raise Unsupported(words, instead="give `digits` for all heaps except one")
        names = q.digits(proof.digits)
        if _is_summand(at.heap, q.env):
            heap: t.Term = q.fresh(SUMMAND)
            names[SUMMAND] = heap
            known.append(at_least(heap, ONE))
        else:
            heap = q.number(at.heap, q.env)
        known += [q.inside(proof.digits, names), equal(heap, q.evaluate(proof.heap, names))]
    return names, known


def _divide(q: HeapReader, names: Env) -> None:
    """Give the translator q the results of the divisions in [[proof.divide]].

    Other obligations show that the results are correct. `names`: the values of digits in these results.
    """
    for x in q.proof.divisions:
        a, b, c, d = (q.number(p, {**q.env, **names}) for p in (x.dividend, x.divisor, x.quotient, x.remainder))
        q.divided.append((a, b, c, d))


def _state_value(q: HeapReader, number: int) -> Entailment:
    at = q.proof.at[number]
    values = {name: q.number(term, q.env) for name, term in at.digits}
    heap = q.number(at.heap, q.env)
    return Entailment((), conjunction(q.inside(q.proof.digits, values), equal(heap, q.evaluate(q.proof.heap, values))))


def _natural(q: HeapReader, heap: t.Term) -> Entailment:
    return Entailment((), at_least(q.number(heap, q.env), ZERO))


def _pose_division(q: HeapReader, number: int) -> Entailment:
    names, known = _scope(q)
    x = q.proof.divisions[number]
    a, b, c, d = (q.number(p, {**q.env, **names}) for p in (x.dividend, x.divisor, x.quotient, x.remainder))
    return Entailment(tuple(known), conjunction(equal(a, add(mul(b, c), d)), at_least(d, ZERO), less_than(d, b)))


# -- sums -------------------------------------------------------------------------------------------------------------
class _Summand:
    """A translator of questions about games inside a nim-sum over the heaps of a position.

    The only supported question is the Grundy value of the heap over which the nim-sum runs.
    `running`: the name of this heap. `value`: its Grundy value.
    """

    def __init__(self, running: str, value: t.Term) -> None:
        self.running, self.value = running, value

    def number(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.GameCall) and term.function == "grundy":
            heap = _heap_of(term)
            if isinstance(heap, t.Variable) and heap.name == self.running:
                return self.value
        raise self._refusal(term)

    def truth(self, term: t.Term, env: Env) -> t.Term:
        raise self._refusal(term)

    def _refusal(self, term: t.Term) -> Unsupported:
        heap = display(self.running)
        instead = f"add grundy(position([{heap}])), or its value as a formula of {heap}"
        return Unsupported(
            f"{print_term(term)} is not supported inside a nim-sum over the heaps {heap}", instead=instead
        )


def _terms(q: HeapReader) -> Entailment:
    """Return the obligation that in each nim-sum over heaps in the claim, the term of a heap is its Grundy value."""
    names, known = _scope(q)
    if SUMMAND not in names:
        instead = f'write [[proof.at]] with heap = "{SUMMAND}"'
        words = f"the proof does not give the digits of an arbitrary heap {SUMMAND}"
        raise Unsupported(words, instead=instead)
    _divide(q, names)
    value = q.evaluate(q.proof.value, names)
    goals = []
    for found in _nim_sums(q.claim):
        if len(found.clauses) > 1 or found.clauses[0].conditions:
            instead = "write a nim-sum over all heaps, in which the other heaps have the term 0"
            raise Unsupported(f"{print_term(found)} is a nim-sum over only some of the heaps", instead=instead)
        variable = found.clauses[0].variable
        q.questions = _Summand(variable, value)
        goals.append(equal(q.number(found.body, {**q.env, variable: names[SUMMAND]}), value))
    return Entailment(tuple(known), conjunction(*goals))


# A nim-sum acts separately on each binary place. Each obligation here is about one place, and so holds for all numbers.
def _state_leaving_zero(q: HeapReader) -> Entailment:
    """Return the obligation: if a ^ c = 0 and b ^ c = 0, then a = b. It is stated for one binary place.

    Therefore a move from a position with nim-sum 0 to another position with nim-sum 0 would not change the value of
    the moved heap.
    """
    g, after, rest = (q.symbols.truth(n, aside=False) for n in ("g", "g after", "rest"))
    return Entailment((negation(_nim(g, rest)), negation(_nim(after, rest))), iff(g, after))


def _state_reaching_zero(q: HeapReader) -> Entailment:
    g, rest = (q.symbols.truth(n, aside=False) for n in ("g", "rest"))
    return Entailment((), negation(_nim(_nim(g, _nim(g, rest)), rest)))


def _odd(q: HeapReader) -> Entailment:
    """Return the step of an induction on the number of values in a nim-sum, for one binary place.

    The proposition is: the nim-sum has a 1 at this place if and only if an odd number of values have a 1 there.
    """
    rest, value, odd = (q.symbols.truth(n, aside=False) for n in ("nim-sum of the rest", "value", "an odd number"))
    return Entailment((iff(rest, odd),), iff(_nim(rest, value), iff(odd, negation(value))))


def _pose_lowered(q: HeapReader) -> Entailment:
    """Return the obligation that value ^ X < value, if the value has a 1 at the highest binary place of X.

    At this place, value ^ X has a 0. At all higher places, value ^ X and the value have the same bits.
    """
    names = ("above the highest place", "the highest place", "nim-sum", "value")
    above, highest, whole, value = (q.symbols.truth(n, aside=False) for n in names)
    known = (implies(above, negation(whole)), implies(highest, conjunction(whole, value)))
    lowered = implies(highest, conjunction(value, negation(_nim(value, whole))))
    return Entailment(known, conjunction(implies(above, iff(_nim(value, whole), value)), lowered))


def _nim(a: t.Term, b: t.Term) -> t.Term:
    """Return the nim-sum of two bits, which are truth values."""
    return compare("ne", a, b)


def _nim_sums(claim: Claim) -> list[t.Comprehension]:
    """Return the terms of the form `nim_sum(... for h in s ...)` in the claim, where s is a position."""
    return [
        x
        for x in walk((claim.hypothesis, claim.conclusion))
        if isinstance(x, t.Comprehension) and x.reducer == "nim_sum" and x.clauses[0].source.type == POSITION
    ]


def _list_heaps(position: t.Term) -> tuple[t.Term, ...] | None:
    """Return the heaps E1, ..., En of the term position([E1, ..., En]); None for other terms."""
    match position:
        case t.Operation(op="position", args=(t.Collection(items=items),)) if items:
            return items
    return None


def _heap_of(call: t.GameCall) -> t.Term | None:
    """Return the heap E if a question is about a position of the form position([E]); None for other questions."""
    heaps = _list_heaps(call.args[0])
    return heaps[0] if heaps is not None and len(heaps) == 1 else None


# -- the claim --------------------------------------------------------------------------------------------------------
class ClaimReading:
    """A translator of the claim's questions about games, which uses the formula of the proof for Grundy values.

    It is used for one obligation, and becomes the attribute `questions` of the translator q of this obligation.

    `heaps`: the heaps of the claim for whose digits the translation has made new variables, in this order.
    """

    def __init__(self, q: HeapReader) -> None:
        self.q = q
        self.names, known = _scope(q)
        q.assume(Reason.DIGITS, *known)
        _divide(q, self.names)
        self.sets = Sets(q)
        self.position = next((v.name for v in q.claim.variables if v.type == POSITION), None)
        self._whole: t.Term | None = None
        self.heaps: list[t.Term] = []
        q.questions = self

    @property
    def asks_for_whole(self) -> bool:
        """Whether the translation so far contains the nim-sum of the values of all heaps of a position."""
        return self._whole is not None

    def whole(self) -> t.Term:
        """Return a variable for the nim-sum of the Grundy values of all heaps of the claim's position.

        The mover wins if and only if this nim-sum is not 0.
        """
        if self._whole is None:
            self._whole = self.q.fresh("nim-sum")
            self.q.assume(Reason.NIM_SUM, at_least(self._whole, ZERO))
        return self._whole

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return (element, condition): a variable for an arbitrary element of `source`, and what it satisfies.

        The source must be the claim's position (the elements are heaps), or a range of integers. Raises Unsupported for
        other sources.
        """
        found = self.q.read_element(source, env)
        if found is not None:
            return found
        if not self._is_position(source):
            assert source is not None
            instead = "state the claim for each element separately"
            raise Unsupported(f"{print_term(source)} is neither a range nor the claim's position", instead=instead)
        heap = self.names.pop(SUMMAND, None)  # only for the first variable: two heaps may differ
        other = self.q.fresh("heap") if heap is None else heap
        return other, at_least(other, ONE)

    def _is_position(self, term: t.Term | None) -> bool:
        return self.position is not None and isinstance(term, t.Variable) and term.name == self.position

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="grundy", args=(asked,)):
                heaps = _list_heaps(asked)
                if heaps is not None:
                    return self._value_of(heaps, env)
                raise self._refusal(term)
            case t.GameCall():
                raise self._refusal(term)
            case t.Comprehension(reducer="nim_sum", clauses=(t.Clause(source=source, conditions=()),)):
                if self._is_position(source):
                    return self.whole()
        s = self.position or "s"
        instead = f"use nim_sum(grundy(position([h])) for h in {s}), the value of {s}"
        words = f"{print_term(term)}: the rule supports only numbers that are Grundy values of heaps"
        raise Unsupported(words, instead=instead)

    def truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="wins", args=(s, *_)):
                heaps = _list_heaps(s)
                if heaps is not None:
                    return compare("ne", self._value_of(heaps, env), ZERO)
                if self._is_position(s):
                    return compare("ne", self.whole(), ZERO)
                raise self._refusal(term)
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=(clause,)):
                if self._is_position(clause.source):
                    some = self._some(clause, opposite(body) if reducer == "all" else body, env)
                    return some if reducer == "any" else negation(some)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == set_of(INT):
                equal_sets = self.sets.same(a, b, env)
                return equal_sets if op == "eq" else negation(equal_sets)
        instead = "use who wins, and Grundy values of single heaps"
        raise Unsupported(f"the condition {print_term(term)} is not supported by rule grundy", instead=instead)

    def _some(self, clause: t.Clause, body: t.Term, env: Env) -> t.Term:
        """Return a Boolean variable for `any(body for h in s if ...)`, where `clause` is `for h in s if ...`.

        The only assumption is: if the variable is true, some heap satisfies the conditions. So a proof can show that
        no heap satisfies them, but not that some heap does.
        """
        q = self.q
        found = q.symbols.truth("some heap")
        heap, inside = self.element(clause.source, env)
        inner = {**env, clause.variable: heap}
        fits = conjunction(inside, *(q.truth(x, inner) for x in (*clause.conditions, body)))
        q.assume(Reason.SOME_HEAP, implies(found, fits))
        return found

    def _refusal(self, call: t.GameCall) -> Unsupported:
        where = self.position or "a position"
        words = f"{print_term(call)}: the rule supports explicit heaps, and sums of all heaps of {where}"
        return Unsupported(words, instead="name each heap, as in position([n, m])")

    def _value_of(self, heaps: tuple[t.Term, ...], env: Env) -> t.Term:
        """Return the Grundy value of the position with these heaps: the nim-sum of the values of the heaps.

        The heaps may be equal. They may also be 0, because the formula gives the value 0 for the heap 0.
        """
        values = [self._value_at(self.q.number(heap, env)) for heap in heaps]
        return reduce(lambda a, b: self.q.operation(nim(a, b)), values)

    def _value_at(self, heap: t.Term) -> t.Term:
        """Return the Grundy value that the formula of the proof gives for a heap, by the digits of the heap.

        If [[proof.at]] does not give the digits, they are new variables. Another obligation, *defined*, shows that the
        heap is not negative.
        """
        q, proof = self.q, self.q.proof
        if self.sets.witness is not None:
            its, digits = self.sets.witness
            if is_same_polynomial(its, heap):
                return q.evaluate(proof.value, digits)
        for at in proof.at:
            if not _is_summand(at.heap, q.env) and is_same_polynomial(q.number(at.heap, q.env), heap):
                values = {n: q.number(x, q.env) for n, x in at.digits} or self.names
                return q.evaluate(proof.value, values)
        values = q.digits(proof.digits)
        self.heaps.append(heap)
        made = conjunction(q.inside(proof.digits, values), equal(heap, q.evaluate(proof.heap, values)))
        q.assume(Reason.DIGITS, implies(at_least(heap, ZERO), made))
        return q.evaluate(proof.value, values)


def _pose_defined(q: HeapReader, need: DefinednessCondition) -> Entailment:
    reading = ClaimReading(q)
    show = q.require_defined([need], q.env, reading.element)
    return Entailment((*reading.sets.known, *reading.sets.apart), show)


def _witness(q: HeapReader) -> Entailment:
    """Return the obligation that the lemma of [proof.witness] holds for each value for which the claim needs a heap."""
    reading, _ = _read_claim(q)
    return Entailment(
        tuple(reading.sets.known), conjunction(*(implies(where, lemma) for where, lemma in reading.sets.lemmas))
    )


def _claim(q: HeapReader) -> Entailment:
    reading, show = _read_claim(q)
    sets = reading.sets
    lemmas = (implies(where, lemma) for where, lemma in sets.lemmas)
    return Entailment((*sets.known, *sets.apart, *lemmas), show)


def _read_claim(q: HeapReader) -> tuple[ClaimReading, t.Term]:
    """Return (translator of questions, conclusion): add the claim's hypotheses to q, and translate the conclusion."""
    reading = ClaimReading(q)
    q.assume_hypotheses(q.claim.hypothesis, q.env)
    return reading, q.truth(q.claim.conclusion, q.env)
