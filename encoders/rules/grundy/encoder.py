"""The heap route: Grundy values of single heaps in closed form, and sums of such heaps, proved for every parameter.

The rule and why it is sound: docs/proof-rules.md.  Heaps are unbounded integers.  Its obligations: parameters; rules
defined; measure; players agree (on the legal moves and what they leave, where the ruleset is not impartial); digits
(every heap has them: 0 has, and x + 1 has if x does), the same for the values below; lemmas; no heap has the value 0;
avoid (no option has the same value); options cover, and for each option: digits, legal, value; and about the claim:
where it is defined, its heaps and divisions, the terms of its nim-sum and the two steps of sums, and the claim itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.proofs.grundy import Digit, HeapProof
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Positions, Scope
from claims.language.statement.unfolding import unfolded_claim
from encoders.answer import Answer, Unsupported
from encoders.coverage import Below
from encoders.logic.definedness import Need, measure, needs_of_claim, needs_of_game
from encoders.logic.effort import USUAL, Effort
from encoders.logic.obligations import Plan, Query, prove
from encoders.logic.paths import Env
from encoders.rules.grundy.arithmetic import natural_product
from encoders.rules.grundy.integers import bounds_of
from encoders.rules.grundy.query import BITS, Ask, Heaps
from encoders.rules.grundy.statement import about_the_claim
from encoders.trust import Trusted, TrustedPick, TrustedRule

NAME = "heaps"
RULE = TrustedRule("Grundy values of one heap")
SUMS = TrustedRule("sums of heaps")


def settle(claim: Claim, scope: Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove the claim by its [proof] section. HOLDS only if every obligation is discharged; never FAILS."""
    return prove(NAME, partial(_plan, claim), effort, budget)


def _plan(stated: Claim) -> Plan:
    claim = unfolded_claim(stated)
    proof = claim.proof
    assert isinstance(proof, HeapProof)
    sums = any(isinstance(v.domain, Positions) for v in claim.variables)
    trusted: set[Trusted] = {RULE, SUMS, TrustedPick("top bit")} if sums else {RULE}
    obligations = (
        (name, partial(_query, claim, proof, ask)) for name, ask in _obligations(claim, proof, needs_of_claim(stated))
    )
    return Plan(obligations, frozenset(trusted), bounds_of(claim, Below(BITS)))


def _query(claim: Claim, proof: HeapProof, ask: Ask) -> Query:
    heaps = Heaps(claim, proof)
    assumptions, goal = ask(heaps)
    return Query(heaps.context, [*heaps.known, *assumptions], goal, heaps.hypotheses)


# -- the obligations --------------------------------------------------------------------------------------------------
def _obligations(claim: Claim, proof: HeapProof, defined: Iterator[Need]) -> Iterator[tuple[str, Ask]]:
    if len(claim.games) != 1:
        raise Unsupported("the rule is about one game")
    ruleset = claim.games[0].ruleset
    one = len(ruleset.moves) == 1 and ruleset.moves[0].choose == "any"
    if not (one and ruleset.single_heap and ruleset.measure is None and len(ruleset.players) == 2):
        raise Unsupported(f"{ruleset.id}: the rule follows two players who take from any one heap, by one kind of move")
    if ruleset.stuck_wins:
        raise Unsupported(f"{ruleset.id}: Grundy values belong to normal play")
    yield "parameters", lambda q: ([], q.parameters(claim))
    if undefined := list(needs_of_game(claim, claim.games[0])):
        yield "rules are defined", lambda q: ([], q.needed(undefined, q.env, q.element))
    yield "measure", lambda q: ([], q.needed(list(measure(claim.games[0])), q.env, q.element))
    if not ruleset.impartial:
        yield "the players' moves agree", _agree
    for what, digits, term in (("heap", proof.digits, proof.heap), ("value below", proof.below_digits, proof.below)):
        yield f"digits of 0 as a {what}", _zero(digits, term)
        yield f"digits of the next {what}", _next(digits, term)
    for number, (name, _) in enumerate(proof.lemmas):
        yield f"lemma {name!r}", _lemma(number)
    yield "product of naturals", _product
    yield "value is natural", _value_natural
    yield "no heap has the value 0", _empty
    yield "avoid", _avoid
    yield "options cover", _cover
    for number in range(len(proof.options)):
        for part in ("digits", "legal", "value"):
            yield f"option {number + 1}: {part}", _option(number, part)
    yield from about_the_claim(claim, proof, defined)


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


def _agree(q: Heaps) -> tuple[list[Any], Any]:
    """Both players have the same legal picks, and the same pick leaves the same heap."""
    heap, picks = q.fresh("h"), q.free_picks(q.move())
    (first, left), (second, other) = (q.played(q.move(mover), heap, picks) for mover in (0, 1))
    return [heap >= 1], z3.And(first == second, z3.Implies(first, left == other))


def _below(q: Heaps, lemmas: int) -> tuple[Env, Any, list[Any]]:
    """A heap, above 0, and a value below its own, by their digits: (digits, the value below, what is known of them)."""
    proof = q.proof
    names = q.digits(proof.digits) | q.digits(proof.below_digits)
    target = q.of(proof.below, names)
    known = [q.inside(proof.digits, names), q.inside(proof.below_digits, names), q.of(proof.heap, names) >= 1]
    known.append(target < q.of(proof.value, names))
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


def _empty(q: Heaps) -> tuple[list[Any], Any]:
    """Where nothing is left nobody moves: no moves are looked for there, so its value must be 0 outright."""
    here = q.digits(q.proof.digits)
    return [q.inside(q.proof.digits, here), q.of(q.proof.heap, here) == 0], q.of(q.proof.value, here) == 0


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
    here, there = q.digits(digits), q.digits(digits)
    legal, new = q.played(q.move(), q.of(q.proof.heap, here), q.free_picks(q.move()))
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
        legal, become = q.played(q.move(), heap, picks)
        return known, z3.And(legal, become == new)

    return query
