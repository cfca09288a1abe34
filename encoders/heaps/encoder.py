"""The heap route: Grundy values of single heaps in closed form, and sums of such heaps, proved for every parameter.

The rule and why it is sound: docs/proof-rules.md.  Heaps are unbounded integers.  Its obligations: parameters; digits
(every heap has them: 0 has, and x + 1 has if x does), the same for the values below; measure; players agree (on the
legal moves, where the ruleset is not impartial); lemmas; avoid (no option has the same value); options cover, and for
each option: digits, legal, value; the divisions and the heaps of the claim; the nim-sum's terms and its two layers'
steps, where the claim is about sums; and last the claim itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import z3

from claims import terms as t
from claims.domains import Interval, Players, Positions, Scope
from claims.heap_proofs import Digit, HeapProof
from claims.model import Claim
from claims.printing import text
from claims.types import POSITION
from encoders.answer import Answer, Unsupported
from encoders.effort import USUAL, Effort
from encoders.heaps.arithmetic import Env, natural_product
from encoders.heaps.integers import Integers
from encoders.heaps.sets import Sets
from encoders.obligations import Query, prove

NAME = "heaps"
BITS = 62
RULE = "rule: Grundy values of one heap (docs/proof-rules.md)"
SUMS = "rule: sums of heaps (docs/proof-rules.md)"

Ask = Callable[["Heaps"], tuple[list[Any], Any]]


def settle(claim: Claim, scope: Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove the claim by its [proof] section. "holds" only if every obligation is discharged; never "fails"."""
    proof = claim.proof
    assert isinstance(proof, HeapProof)
    obligations = ((name, partial(_query, claim, proof, ask)) for name, ask in _obligations(claim, proof))
    sums = any(isinstance(v.domain, Positions) for v in claim.variables)
    trusted = (RULE, SUMS, "pick: top bit") if sums else (RULE,)
    return prove(NAME, obligations, effort, budget, lambda: trusted, _bounds(claim))


def _query(claim: Claim, proof: HeapProof, ask: Ask) -> Query:
    heaps = Heaps(claim, proof)
    assumptions, goal = ask(heaps)
    return Query(heaps.context, [*heaps.known, *assumptions], goal, heaps.hypotheses)


def _bounds(claim: Claim) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for v in claim.variables:
        if isinstance(v.domain, Positions):
            found += [(f"{v.name}.heaps", "all"), (f"{v.name}.size", f"< 2^{BITS}")]
        else:
            found.append((v.name, "all"))
    return tuple(found)


class Heaps(Integers):
    """One query: the claim's integers with their domains, and heaps with their digits."""

    def __init__(self, claim: Claim, proof: HeapProof) -> None:
        for v in claim.variables:
            if not isinstance(v.domain, Interval | Positions | Players):
                raise Unsupported(f"the variable {v.name} ranges over {v.text}")
        super().__init__(claim)
        self.claim, self.proof = claim, proof
        self.hypotheses: list[tuple[str, Any]] = []  # those of the claim, with their texts
        if proof.assume is not None:
            self.known.append(self.truth(proof.assume))

    def fresh(self, name: str) -> Any:
        return z3.Int(name, self.context)

    def digits(self, digits: tuple[Digit, ...], mark: str = "") -> Env:
        """Fresh digits by name."""
        return {d.name: self.fresh(d.name + mark) for d in digits}

    def inside(self, digits: tuple[Digit, ...], values: Env) -> Any:
        """All digits lie in their ranges."""
        tests = [z3.BoolVal(True, self.context)]
        for d in digits:
            tests.append(values[d.name] >= self.terms.number(d.lo, self.env))
            if d.hi is not None:
                tests.append(values[d.name] <= self.terms.number(d.hi, self.env))
        return z3.And(*tests)

    def of(self, term: t.Term, values: Env) -> Any:
        """A term of the proof at some digits."""
        return self.terms.number(term, self.env | values)

    def legal(self, mover: int, heap: Any, picks: Env) -> tuple[Any, Any]:
        """(the picks are a legal move on the heap, what it becomes)."""
        game = self.claim.games[0]
        (move,) = game.ruleset.moves
        env = {name: self.terms.number(term, self.env) for name, term in game.arguments}
        env |= {"mover": mover, move.heaps[0]: heap}
        tests = [z3.BoolVal(True, self.context)]
        for pick in move.picks:
            if not isinstance(pick.domain, Interval) or pick.domain.hi is None:
                raise Unsupported(f"{pick.name} is picked from a set")
            if pick.name not in picks:
                raise Unsupported(f"an option does not say what {pick.name} is")
            env[pick.name] = picks[pick.name]
            tests.append(env[pick.name] >= self.terms.number(pick.domain.lo, env))
            tests.append(env[pick.name] <= self.terms.number(pick.domain.hi, env))
        if move.where is not None:
            tests.append(self.terms.truth(move.where, env))
        return z3.And(*tests), self.terms.number(move.become[0], env)

    def free_picks(self) -> Env:
        (move,) = self.claim.games[0].ruleset.moves
        return {p.name: self.fresh(f"{p.name} picked") for p in move.picks}


# -- the obligations --------------------------------------------------------------------------------------------------
def _obligations(claim: Claim, proof: HeapProof) -> Iterator[tuple[str, Ask]]:
    if len(claim.games) != 1:
        raise Unsupported("the rule is about one game")
    ruleset = claim.games[0].ruleset
    one = len(ruleset.moves) == 1 and ruleset.moves[0].choose == "any"
    if not (one and ruleset.single_heap and ruleset.measure is None and len(ruleset.players) == 2):
        raise Unsupported(f"{ruleset.id}: the rule follows two players who take from any one heap, by one kind of move")
    if ruleset.stuck_wins:
        raise Unsupported(f"{ruleset.id}: Grundy values belong to normal play")
    yield "parameters", _parameters
    for what, digits, term in (("heap", proof.digits, proof.heap), ("value below", proof.below_digits, proof.below)):
        yield f"digits of 0 as a {what}", _zero(digits, term)
        yield f"digits of the next {what}", _next(digits, term)
    yield "measure", _measure
    if not ruleset.impartial:
        yield "the players' moves agree", _agree
    for number, (name, _) in enumerate(proof.lemmas):
        yield f"lemma {name!r}", _lemma(number)
    yield "product of naturals", _product
    yield "value is natural", _value_natural
    yield "avoid", _avoid
    yield "options cover", _cover
    for number in range(len(proof.options)):
        for part in ("digits", "legal", "value"):
            yield f"option {number + 1}: {part}", _option(number, part)
    yield from _about_the_claim(claim, proof)


def _parameters(q: Heaps) -> tuple[list[Any], Any]:
    game = q.claim.games[0]
    bound, tests = dict(game.arguments), [z3.BoolVal(True, q.context)]
    for p in game.ruleset.parameters:
        if p.kind != "int":
            raise Unsupported(f"the parameter {p.name} is a {p.kind}")
        x = q.terms.number(bound[p.name], q.env)
        tests.append(x >= p.lo)
        if p.hi is not None:
            tests.append(x <= p.hi)
    return [], z3.And(*tests)


def _zero(digits: tuple[Digit, ...], term: t.Term) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        zeros: Env = {d.name: q.terms.integer(0) for d in digits}
        return [], z3.And(q.inside(digits, zeros), q.of(term, zeros) == 0)

    return query


def _next(digits: tuple[Digit, ...], term: t.Term) -> Ask:
    """x + 1 has digits if x has: one digit goes up by one, those below it back to 0."""

    def query(q: Heaps) -> tuple[list[Any], Any]:
        now = q.digits(digits)
        ways = []
        for i, d in enumerate(digits):
            zeros = {e.name: q.terms.integer(0) for e in digits[i + 1 :]}
            after = now | {d.name: now[d.name] + 1} | zeros
            ways.append(z3.And(q.inside(digits, after), q.of(term, after) == q.of(term, now) + 1))
        return [q.inside(digits, now)], z3.Or(*ways)

    return query


def _measure(q: Heaps) -> tuple[list[Any], Any]:
    heap = q.fresh("h")
    goals = []
    for mover in (0, 1):
        legal, new = q.legal(mover, heap, q.free_picks())
        goals.append(z3.Implies(legal, z3.And(new >= 0, new < heap)))
    return [heap >= 1], z3.And(*goals)


def _agree(q: Heaps) -> tuple[list[Any], Any]:
    heap, picks = q.fresh("h"), q.free_picks()
    return [heap >= 1], q.legal(0, heap, picks)[0] == q.legal(1, heap, picks)[0]


def _below(q: Heaps, lemmas: int) -> tuple[Env, Any, list[Any]]:
    """A heap and a value below its own, by their digits: (digits, the value below, what is known of them)."""
    proof = q.proof
    names = q.digits(proof.digits) | q.digits(proof.below_digits)
    target = q.of(proof.below, names)
    known = [q.inside(proof.digits, names), q.inside(proof.below_digits, names), target < q.of(proof.value, names)]
    known += [q.terms.truth(term, q.env | names) for _, term in proof.lemmas[:lemmas]]
    return names, target, known


def _lemma(number: int) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        names, _, known = _below(q, number)
        return known, q.terms.truth(q.proof.lemmas[number][1], q.env | names)

    return query


def _value_natural(q: Heaps) -> tuple[list[Any], Any]:
    here = q.digits(q.proof.digits)
    return [q.inside(q.proof.digits, here)], q.of(q.proof.value, here) >= 0


def _product(q: Heaps) -> tuple[list[Any], Any]:
    return [], natural_product(q.fresh("x"), q.fresh("y"))


def _apart(q: Heaps, here: Env, there: Env) -> Iterator[Any]:
    """Instances of `product` for digits without bound: what they weigh, times how far two of them are apart."""
    zeros: Env = {d.name: q.terms.integer(0) for d in q.proof.digits}
    for digit in q.proof.digits:
        if digit.hi is None:
            one = zeros | {digit.name: q.terms.integer(1)}
            weight = z3.simplify(q.of(q.proof.heap, one) - q.of(q.proof.heap, zeros))
            apart = here[digit.name] - there[digit.name]
            yield from (natural_product(weight, x) for x in (apart, apart - 1, -apart, -1 - apart))


def _avoid(q: Heaps) -> tuple[list[Any], Any]:
    digits = q.proof.digits
    here, there = q.digits(digits), q.digits(digits, " after")
    legal, new = q.legal(0, q.of(q.proof.heap, here), q.free_picks())
    known = [q.inside(digits, here), q.inside(digits, there), legal, new == q.of(q.proof.heap, there)]
    known += _apart(q, here, there)
    return known, q.of(q.proof.value, here) != q.of(q.proof.value, there)


def _when(q: Heaps, number: int, names: Env) -> Any:
    option = q.proof.options[number]
    if option.when is None:
        return z3.BoolVal(True, q.context)
    return q.terms.truth(option.when, q.env | names | {"h": q.of(q.proof.heap, names)})


def _cover(q: Heaps) -> tuple[list[Any], Any]:
    names, _, known = _below(q, len(q.proof.lemmas))
    return known, z3.Or(*(_when(q, i, names) for i in range(len(q.proof.options))))


def _option(number: int, part: str) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        proof, option = q.proof, q.proof.options[number]
        names, target, known = _below(q, len(proof.lemmas))
        known.append(_when(q, number, names))
        if {n for n, _ in option.digits} != {d.name for d in proof.digits}:
            raise Unsupported(f"option {number + 1} does not give every digit of the heap moved to")
        there: Env = {name: q.of(term, names) for name, term in option.digits}
        if part == "digits":
            return known, q.inside(proof.digits, there)
        if part == "value":
            return known, q.of(proof.value, there) == target
        heap, new = q.of(proof.heap, names), q.of(proof.heap, there)
        picks = {name: q.of(term, names | {"h": heap, "y": new}) for name, term in option.take}
        legal, become = q.legal(0, heap, picks)
        return known, z3.And(legal, become == new)

    return query


# -- the claim --------------------------------------------------------------------------------------------------------
def _about_the_claim(claim: Claim, proof: HeapProof) -> Iterator[tuple[str, Ask]]:
    for number, at in enumerate(proof.at):
        if at.digits:
            yield f"heap {number + 1} of the claim: its digits", _at(number)
        elif not (isinstance(at.heap, t.Variable) and at.heap.name not in [v.name for v in claim.variables]):
            yield f"heap {number + 1} of the claim: not negative", _natural(at.heap)
    for number in range(len(proof.divisions)):
        yield f"division {number + 1}", _division(number)
    if any(isinstance(v.domain, Positions) for v in claim.variables):
        yield "sum: the terms are Grundy values", _terms
        yield "sum: from nim-sum 0 a move changes it", _from_zero
        yield "sum: from another the top bit's heap restores it", _to_zero
    if proof.witness is not None and proof.witness.lemma is not None:
        yield "the witness's lemma", _witness
    yield "claim", _claim


def _scope(q: Heaps) -> tuple[Env, list[Any]]:
    """The claim's heaps with fresh digits, `h` among them, and the divisions: for terms that the claim writes."""
    proof = q.proof
    names: Env = {}
    known: list[Any] = []
    for at in proof.at:
        if not at.digits:
            if any(n in names for n in (d.name for d in proof.digits)):
                raise Unsupported("only one heap of the claim may have digits without names of its own")
            names |= q.digits(proof.digits)
            if "h" not in q.env:
                names["h"] = q.fresh("h")
            heap = q.terms.number(at.heap, q.env | names)
            known += [q.inside(proof.digits, names), heap == q.of(proof.heap, names)]
    return names, known


def _divide(q: Heaps, names: Env) -> None:
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


def _division(number: int) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        names, known = _scope(q)
        x = q.proof.divisions[number]
        a, b, c, d = (q.terms.number(p, q.env | names) for p in (x.dividend, x.divisor, x.quotient, x.remainder))
        return known, z3.And(a == b * c + d, d >= 0, d < b)

    return query


def _terms(q: Heaps) -> tuple[list[Any], Any]:
    """Every nim-sum over the heaps in the claim adds the heaps' Grundy values."""
    names, known = _scope(q)
    if "h" not in names:
        raise Unsupported('the proof does not give the digits of a heap h of the sum: [[proof.at]] heap = "h"')
    _divide(q, names)
    value = q.of(q.proof.value, names)
    goals = [z3.BoolVal(True, q.context)]
    for found, function_env in _nim_sums(q.claim):
        (clause,) = found.clauses
        if clause.conditions:
            raise Unsupported(f"{text(found)}: a nim-sum over some of the heaps")

        def ask(call: t.GameCall, env: Env, variable: str = clause.variable) -> Any:
            if call.function == "grundy" and _heap_of(call) is not None:
                inner = _heap_of(call)
                if isinstance(inner, t.Variable) and inner.name == variable:
                    return value
            raise Unsupported(f"{text(call)} inside a nim-sum")

        q.terms.ask = ask
        q_env = q.env | function_env | names | {clause.variable: names["h"]}
        goals.append(q.terms.number(found.body, q_env) == value)
    return [*known, names["h"] >= 1], z3.And(*goals)


def _from_zero(q: Heaps) -> tuple[list[Any], Any]:
    g, after, rest = (z3.BitVec(n, BITS, q.context) for n in ("g", "g after", "rest"))
    return [g != after, g ^ rest == 0], after ^ rest != 0


def _to_zero(q: Heaps) -> tuple[list[Any], Any]:
    g, rest = (z3.BitVec(n, BITS, q.context) for n in ("g", "rest"))
    whole = g ^ rest
    return [whole != 0, z3.ULT(g ^ whole, g)], (g ^ whole) ^ rest == 0


def _heap_of(call: t.GameCall) -> t.Term | None:
    """The one heap E of a question about position([E])."""
    s = call.args[0]
    if isinstance(s, t.Operation) and s.op == "position" and isinstance(s.args[0], t.Collection):
        items = s.args[0].items
        return items[0] if len(items) == 1 else None
    return None


def _walk(term: t.Term) -> Iterator[t.Term]:
    yield term
    for x in t.subterms(term):
        yield from _walk(x)
    if isinstance(term, t.Apply):
        yield from _walk(term.function.body)


def _nim_sums(claim: Claim) -> list[tuple[t.Comprehension, Env]]:
    parts = [claim.conclusion, *([claim.hypothesis] if claim.hypothesis is not None else [])]
    return [
        (x, {})
        for part in parts
        for x in _walk(part)
        if isinstance(x, t.Comprehension) and x.reducer == "nim_sum" and x.clauses[0].source.type == POSITION
    ]


def _natural(heap: t.Term) -> Ask:
    def query(q: Heaps) -> tuple[list[Any], Any]:
        return [], q.terms.number(heap, q.env) >= 0

    return query


def _witness(q: Heaps) -> tuple[list[Any], Any]:
    """The lemma on the digits of an element, wherever the claim needs it."""
    known, _, sets = _stated(q)
    return [*known, *sets.known], z3.And(*(z3.Implies(where, lemma) for where, lemma in sets.lemmas))


def _claim(q: Heaps) -> tuple[list[Any], Any]:
    known, goal, sets = _stated(q)
    return [*known, *sets.known, *sets.apart, *(z3.Implies(where, lemma) for where, lemma in sets.lemmas)], goal


def _stated(q: Heaps) -> tuple[list[Any], Any, Sets]:
    """What the claim says: (what is known, what is to be shown, its equalities of sets)."""
    proof = q.proof
    names, known = _scope(q)
    _divide(q, names)
    sums: dict[str, Any] = {}
    position = next((v.name for v in q.claim.variables if v.type == POSITION), "")

    natural: list[Any] = []
    equalities = Sets(q, natural)

    def value_at(heap: Any) -> Any:
        for known_heap, digits in equalities.heaps:
            if z3.eq(known_heap, heap):
                return q.of(proof.value, digits)
        natural.append(heap >= 0)  # a position has no negative heaps: part of what must be shown
        for at in proof.at:
            if z3.eq(z3.simplify(q.terms.number(at.heap, q.env | names) - heap), q.terms.integer(0)):
                values = {n: q.terms.number(x, q.env) for n, x in at.digits} or names
                return q.of(proof.value, values)
        values = q.digits(proof.digits, f" of {len(known)}")
        known.append(z3.Implies(heap >= 0, z3.And(q.inside(proof.digits, values), heap == q.of(proof.heap, values))))
        return q.of(proof.value, values)

    def ask(call: t.GameCall, env: Env) -> Any:
        heap = _heap_of(call)
        if heap is not None and call.function in ("grundy", "wins"):
            value = value_at(q.terms.number(heap, env))
            return value if call.function == "grundy" else value != 0
        s = call.args[0]
        if call.function == "wins" and isinstance(s, t.Variable) and env.get(s.name, s.name) == position:
            return _whole(q, sums) != 0
        raise Unsupported(
            f"{text(call)}: the rule knows single heaps, and sums of all heaps of {position or 'a position'}"
        )

    def nim_sum(term: t.Term, env: Env) -> Any:
        if isinstance(term, t.Comprehension) and term.reducer == "nim_sum":
            source = term.clauses[0].source
            if isinstance(source, t.Variable) and env.get(source.name, source.name) == position:
                return _whole(q, sums)
        raise Unsupported(f"{text(term)}: the rule knows the nim-sum of all heaps")

    q.terms.ask, q.terms.other, q.terms.same = ask, nim_sum, equalities.same
    env = q.env | ({position: position} if position else {})
    if q.claim.hypothesis is not None:
        q.hypotheses = [(text(x), q.terms.truth(x, env)) for x in t.conjuncts(q.claim.hypothesis)]
    return known, z3.And(q.terms.truth(q.claim.conclusion, env), *natural), equalities


def _whole(q: Heaps, sums: dict[str, Any]) -> Any:
    """The nim-sum of the Grundy values of all heaps: whoever moves wins exactly if it is not 0."""
    if "X" not in sums:
        sums["X"] = q.fresh("X")
        q.known.append(sums["X"] >= 0)
    return sums["X"]
