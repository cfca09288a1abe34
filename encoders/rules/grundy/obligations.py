"""The obligations of Grundy values of single heaps in closed form, and of sums of such heaps, for every parameter.

Heaps are integers without bound.  In order: parameters; rules defined; measure; players agree (on the legal moves and
what they leave, where the ruleset is not impartial); digits (every heap has them: 0 has, and x + 1 has if x does; or as
the proof says), and the same for the values below; lemmas; no heap has the value 0; avoid (no option has the same
value); options cover, and for each option: the powers that it picks are there, digits, legal, value; and about the
claim: where it is defined, its heaps and divisions, the terms of its nim-sum and the two steps of sums, and the claim
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.definedness import DefinednessCondition, measure, needs_of_game
from encoders.logic.integers import PRODUCT, natural_product, pose_product
from encoders.logic.moves import refuse_picks
from encoders.logic.polynomials import polynomial
from encoders.logic.reader import Entailment
from encoders.logic.terms import (  # fmt: skip
    ONE,
    YES,
    ZERO,
    add,
    at_least,
    compare,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    integer,
    less_than,
    neg,
    negation,
    sub,
)
from encoders.rules.grundy import kinds
from encoders.rules.grundy.powers import times
from encoders.rules.grundy.reader import Digits, HeapReader
from encoders.rules.grundy.section import Arising, GrundyProof, PowerDigit, PowerPick
from encoders.rules.grundy.statement import about_the_claim
from encoders.rules.kit.common import MEASURE, PARAMETERS, RULES, only_game
from encoders.rules.kit.lemmas import VariableRange
from encoders.rules.kit.rule import ObligationBuilder


def obligations(
    claim: Claim, proof: GrundyProof, defined: Iterator[DefinednessCondition]
) -> Iterator[ObligationBuilder[HeapReader]]:
    """In order. `defined`: what the claim needs to have a truth value. Raises Unsupported."""
    ruleset = only_game(claim).ruleset
    any_heap = all(move.choose == "any" for move in ruleset.moves)
    if not (any_heap and ruleset.single_heap and ruleset.measure is None and len(ruleset.players) == 2):
        raise Unsupported(f"{ruleset.id}: the rule follows two players who take from any one heap")
    if ruleset.stuck_wins:
        raise Unsupported(f"{ruleset.id}: Grundy values belong to normal play")
    yield PARAMETERS.of(), lambda q: Entailment((), q.parameters())
    for need in needs_of_game(claim, claim.games[0]):
        yield RULES.of(part=need.part, words=need.words), partial(_rule_defined, need=need)
    yield MEASURE.of(), lambda q: Entailment((), q.needed(measure(claim.games[0]), q.env, q.element))
    if not ruleset.impartial:
        yield kinds.AGREE.of(), _agree
    if proof.arising:
        yield from _every_heap_has_digits(proof)
    else:
        yield from _counted_up(kinds.HEAP, proof.digits, proof.heap)
    yield from _counted_up(kinds.BELOW, proof.below_digits, proof.below)
    for number, (name, _) in enumerate(proof.lemmas):
        yield kinds.LEMMA.of(name=name), partial(_lemma, number=number)
    yield PRODUCT.of(), pose_product
    yield kinds.NATURAL.of(), _value_natural
    yield kinds.EMPTY.of(), _empty
    yield from _no_option_has_the_value(proof)
    yield kinds.COVER.of(), _cover
    for number, option in enumerate(proof.options):
        told = {"number": number + 1}
        for place, pick in enumerate(option.picks):
            yield kinds.PICK_THERE.of(**told, name=pick.name), partial(_pick_there, number=number, place=place)
            yield kinds.PICK_BOUNDED.of(**told, name=pick.name), partial(_pick_bounded, number=number, place=place)
        yield kinds.OPTION_DIGITS.of(**told), partial(_option_digits, number=number)
        yield kinds.OPTION_LEGAL.of(**told), partial(_option_legal, number=number)
        yield kinds.OPTION_VALUE.of(**told), partial(_option_value, number=number)
    yield from about_the_claim(claim, proof, defined)


def _rule_defined(q: HeapReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.needed([need], q.env, q.element))


def _counted_up(
    what: str, digits: tuple[VariableRange | PowerDigit, ...], term: t.Term
) -> Iterator[ObligationBuilder[HeapReader]]:
    yield kinds.ZERO_DIGITS.of(what=what), partial(_zero, digits=digits, term=term)
    yield kinds.NEXT_DIGITS.of(what=what), partial(_next, digits=digits, term=term)


def _zero(q: HeapReader, digits: tuple[VariableRange | PowerDigit, ...], term: t.Term) -> Entailment:
    zeros = {d.name: ZERO for d in digits}
    return Entailment((), conjunction(q.inside(digits, zeros), equal(q.of(term, zeros), ZERO)))


def _next(q: HeapReader, digits: tuple[VariableRange | PowerDigit, ...], term: t.Term) -> Entailment:
    """x + 1 has digits if x has: one digit goes up by one, those below it back to 0."""
    now = q.digits(digits)
    ways = []
    for i, d in enumerate(digits):
        after = {**now, d.name: add(now[d.name], ONE), **{e.name: ZERO for e in digits[i + 1 :]}}
        ways.append(conjunction(q.inside(digits, after), equal(q.of(term, after), add(q.of(term, now), ONE))))
    return Entailment((q.inside(digits, now),), disjunction(*ways))


# -- how digits arise -------------------------------------------------------------------------------------------------
SIZE = "h"


def _every_heap_has_digits(proof: GrundyProof) -> Iterator[ObligationBuilder[HeapReader]]:
    """By induction, from the digits of a smaller heap."""
    yield kinds.ARISING_COVERS.of(), _covers
    for number, case in enumerate(proof.arising, 1):
        if case.smaller is not None:
            yield kinds.ARISING_SMALLER.of(number=number), partial(_smaller, case=case)
        yield kinds.ARISING.of(number=number), partial(_case, case=case)


def _heap(q: HeapReader) -> t.Term:
    heap = q.fresh(SIZE)
    q.learn(Reason.DOMAIN, at_least(heap, ZERO))
    return heap


def _arises(q: HeapReader, case: Arising, heap: t.Term) -> t.Term:
    return YES if case.when is None else q.truth(case.when, {**q.env, SIZE: heap})


def _covers(q: HeapReader) -> Entailment:
    heap = _heap(q)
    return Entailment((), disjunction(*(_arises(q, case, heap) for case in q.proof.arising)))


def _smaller(q: HeapReader, case: Arising) -> Entailment:
    heap = _heap(q)
    assert case.smaller is not None
    smaller = q.of(case.smaller, {SIZE: heap})
    return Entailment((_arises(q, case, heap),), conjunction(at_least(smaller, ZERO), less_than(smaller, heap)))


def _case(q: HeapReader, case: Arising) -> Entailment:
    heap, digits = _heap(q), q.proof.digits
    known, names = [_arises(q, case, heap)], {SIZE: heap}
    if case.smaller is not None:
        those = q.digits(digits)
        known += [q.inside(digits, those), equal(q.of(case.smaller, names), q.heap(those))]
        names |= those
    made = {name: q.of(term, names) for name, term in case.digits}
    return Entailment(tuple(known), conjunction(q.inside(digits, made), equal(q.of(q.proof.heap, made), heap)))


# -- values -----------------------------------------------------------------------------------------------------------
def _agree(q: HeapReader) -> Entailment:
    """Both players have the same legal picks, and the same pick leaves the same heap."""
    heap, goals = q.fresh("h"), []
    for alike in zip(q.moves(0), q.moves(1), strict=True):
        picks = q.free_picks(alike[0])
        (first, left), (second, other) = (q.play(move, heap, picks) for move in alike)
        goals += [iff(first, second), implies(first, equal(left, other))]
    return Entailment((at_least(heap, ONE),), conjunction(*goals))


def _below(q: HeapReader, lemmas: int) -> tuple[dict[str, t.Term], t.Term, list[t.Term]]:
    """A heap, above 0, and a value below its own, by their digits: (digits, the value below, what is known of them)."""
    proof = q.proof
    names = q.digits(proof.digits) | q.digits(proof.below_digits)
    target = q.of(proof.below, names)
    known = [q.inside(proof.digits, names), q.inside(proof.below_digits, names)]
    known += [at_least(q.heap(names), ONE), less_than(target, q.of(proof.value, names))]
    known += [q.truth(term, {**q.env, **names}) for _, term in proof.lemmas[:lemmas]]
    return names, target, known


def _lemma(q: HeapReader, number: int) -> Entailment:
    names, _, known = _below(q, number)
    return Entailment(tuple(known), q.truth(q.proof.lemmas[number][1], {**q.env, **names}))


def _value_natural(q: HeapReader) -> Entailment:
    here = q.digits(q.proof.digits)
    return Entailment((q.inside(q.proof.digits, here),), at_least(q.of(q.proof.value, here), ZERO))


def _empty(q: HeapReader) -> Entailment:
    """Where nothing is left nobody moves: no moves are looked for there, so its value must be 0 outright."""
    here = q.digits(q.proof.digits)
    nothing = equal(q.heap(here), ZERO)
    return Entailment((q.inside(q.proof.digits, here), nothing), equal(q.of(q.proof.value, here), ZERO))


_TWO = integer(2)


def _apart(q: HeapReader, here: Digits, there: Digits, by: Mapping[str, int]) -> Iterator[t.Term]:
    """Instances of `product`: what a digit weighs, times how far two of them are apart.

    Of digits without bound; where some lie apart as the proof says, of bounded ones as well, and of their own sizes:
    what they weigh may be a product of symbols, which nothing else compares with that of the others.
    """
    zeros = {d.name: here[d.name] if isinstance(d, PowerDigit) else ZERO for d in q.proof.digits}
    for digit in q.proof.digits:
        if isinstance(digit, PowerDigit) or (digit.hi is not None and (not by or digit.name in by)):
            continue
        one = {**zeros, digit.name: ONE}
        weight = polynomial(sub(q.of(q.proof.heap, one), q.of(q.proof.heap, zeros))).term()
        apart = sub(here[digit.name], there[digit.name])
        factors = [apart, sub(apart, ONE), neg(apart), sub(neg(ONE), apart)]
        if digit.hi is not None:
            factors += [sub(apart, _TWO), sub(neg(_TWO), apart)]
            near = (ZERO, ONE, _TWO)
            factors += [y for x in (here[digit.name], there[digit.name]) for n in near for y in (sub(x, n), sub(n, x))]
        yield from (natural_product(weight, x) for x in factors)


def _no_option_has_the_value(proof: GrundyProof) -> Iterator[ObligationBuilder[HeapReader]]:
    """At once, or for each distance that the proof names, after it is shown that there are no others."""
    if proof.apart:
        yield kinds.apart(proof.apart), _lie_apart
    for by in proof.distances:
        yield kinds.avoid(by), partial(_avoid, by=by)


def _moved(q: HeapReader, by: Mapping[str, int]) -> tuple[Digits, Digits, tuple[t.Term, ...], t.Term]:
    """A legal move: (digits of the heap, of the heap moved to, what is known of them, that their values differ).

    `by`: how far the digits of these names of the heap lie above those of the heap moved to.
    """
    digits = q.proof.digits
    here, there = q.digits(digits), q.digits(digits)
    there |= {name: sub(here[name], integer(value)) for name, value in by.items()}
    played = [q.play(move, q.heap(here), q.free_picks(move)) for move in q.moves()]
    led = [(legal, equal(new, q.heap(there))) for legal, new in played]
    known = (q.inside(digits, here), q.inside(digits, there), *(led[0] if len(led) == 1 else ()))
    known += tuple(_apart(q, here, there, by))
    if len(led) > 1:
        known += (disjunction(*(conjunction(*x) for x in led)),)
    return here, there, known, compare("ne", q.of(q.proof.value, here), q.of(q.proof.value, there))


def _avoid(q: HeapReader, by: Mapping[str, int]) -> Entailment:
    _, _, known, differ = _moved(q, by)
    return Entailment(known, differ)


def _lie_apart(q: HeapReader) -> Entailment:
    here, there, known, _ = _moved(q, {})
    lie = []
    for x in q.proof.apart:
        far = sub(here[x.name], there[x.name])
        lie += [at_least(far, integer(x.values[0])), at_least(integer(x.values[-1]), far)]
    return Entailment(known, conjunction(*lie))


def _when(q: HeapReader, number: int, names: Digits) -> t.Term:
    option = q.proof.options[number]
    if option.when is None:
        return YES
    return q.truth(option.when, {**q.env, **names, "h": q.heap(names)})


def _cover(q: HeapReader) -> Entailment:
    names, _, known = _below(q, len(q.proof.lemmas))
    return Entailment(tuple(known), disjunction(*(_when(q, i, names) for i in range(len(q.proof.options)))))


def _picked(q: HeapReader, number: int, place: int) -> tuple[dict[str, t.Term], t.Term, list[t.Term]]:
    """An option with the first `place` of the powers that it picks: (names, the value below, what is known)."""
    proof = q.proof
    names, target, known = _below(q, len(proof.lemmas))
    known.append(_when(q, number, names))
    for pick in proof.options[number].picks[:place]:
        power = names[pick.name] = q.powers.fresh(pick.base, pick.name)
        known.append(_meets(q, pick, names, power))
        known.append(negation(_meets(q, pick, names, times(pick.base, power))))
    return names, target, known


def _meets(q: HeapReader, pick: PowerPick, names: Digits, power: t.Term) -> t.Term:
    """The condition of a pick, of a power."""
    return q.truth(pick.condition, {**q.env, **names, "h": q.heap(names), pick.name: power})


def _pick_there(q: HeapReader, number: int, place: int) -> Entailment:
    names, _, known = _picked(q, number, place)
    return Entailment(tuple(known), _meets(q, q.proof.options[number].picks[place], names, ONE))


def _pick_bounded(q: HeapReader, number: int, place: int) -> Entailment:
    """No power above the bound of the condition meets it; there is one above every number."""
    names, _, known = _picked(q, number, place)
    pick = q.proof.options[number].picks[place]
    large = q.powers.fresh(pick.base, pick.name)
    beyond = less_than(q.number(pick.bound, {**q.env, **names, "h": q.heap(names)}), large)
    return Entailment((*known, beyond), negation(_meets(q, pick, names, large)))


def _option(q: HeapReader, number: int) -> tuple[Digits, t.Term, tuple[t.Term, ...], Digits]:
    """An option where it is named: (digits, the value below, what is known, the digits of the heap moved to)."""
    option = q.proof.options[number]
    names, target, known = _picked(q, number, len(option.picks))
    return names, target, tuple(known), {name: q.of(term, names) for name, term in option.digits}


def _option_digits(q: HeapReader, number: int) -> Entailment:
    _, _, known, there = _option(q, number)
    return Entailment(known, q.inside(q.proof.digits, there))


def _option_legal(q: HeapReader, number: int) -> Entailment:
    names, _, known, there = _option(q, number)
    heap, new = q.heap(names), q.heap(there)
    picks = {name: q.of(term, {**names, "h": heap, "y": new}) for name, term in q.proof.options[number].take}
    kinds = [move for move in q.moves() if move.picks_by(picks)]
    if not kinds:
        raise refuse_picks(f"option {number + 1}", picks, q.claim.games[0].ruleset)
    ways = (q.play(move, heap, picks) for move in kinds)
    return Entailment(known, disjunction(*(conjunction(legal, equal(become, new)) for legal, become in ways)))


def _option_value(q: HeapReader, number: int) -> Entailment:
    _, target, known, there = _option(q, number)
    return Entailment(known, equal(q.of(q.proof.value, there), target))
