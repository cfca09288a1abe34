"""The proof rule "grundy": a formula for the Grundy values of single heaps, for all parameters, and sums of heaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from claims.language.files.claim import Claim, unfold_claim
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from encoders.logic.definedness import DefinednessCondition, measure, needs_of_claim, needs_of_game
from encoders.logic.integers import (
    PRODUCT,
    REMAINDERS,
    UnboundedReader,
    bounds_of,
    natural_product,
    pose_product,
    pose_remainders,
)
from encoders.logic.moves import refuse_picks
from encoders.logic.reader import Entailment, SequentReader
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Sequent,
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
    polynomial,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import VariableRange
from encoders.rules.base.rule import (
    ObligationBuilder,
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    Parts,
    ProofCoverage,
    ProofServices,
    build_sequent,
    build_sequents,
    join_parts,
    name_of,
    say,
    say_assignments,
    say_changes,
    say_condition,
    say_range,
)
from encoders.rules.base.shape import MEASURE, PARAMETERS, RULES, require_one_game
from encoders.rules.grundy import section as kinds
from encoders.rules.grundy.digits import Digits, HeapReader, list_power_obligations, times
from encoders.rules.grundy.section import (
    FITS,
    KINDS,
    Arising,
    At,
    GrundyProof,
    Option,
    PowerDigit,
    PowerPick,
    read_grundy,
)
from encoders.rules.grundy.statement import has_positions, has_sums, list_claim_obligations, stands_for_any_heap
from encoders.trust import All, Reason, Trusted, TrustedPick, TrustedRule


# == obligations ======================================================================================================
# The obligations for Grundy values of single heaps in closed form, and of sums of such heaps, for every parameter.
#
# Heaps are integers without bound.  The order:
# 1. parameters, the rules are defined, measure;
# 2. players agree: both have the same legal moves, if the ruleset is not impartial;
# 3. digits: every heap has digits (0 has, and x + 1 has if x has, or as [[proof.arise]] states), and so has every
#    smaller value;
# 4. lemmas;
# 5. the empty heap has the value 0;
# 6. avoid: no option has the same value;
# 7. options cover, and for each option: the powers that it picks exist, digits, legal, value;
# 8. the claim is defined, its heaps and divisions, the terms of its nim-sum, the two steps of sums, the claim.
def obligations(
    claim: Claim, proof: GrundyProof, defined: Iterator[DefinednessCondition]
) -> Iterator[ObligationBuilder[HeapReader]]:
    """Yield all obligations of the proof, in the order of the report. Raises Unsupported.

    `defined`: the conditions under which the claim has a truth value.
    """
    ruleset = require_one_game(claim).ruleset
    any_heap = all(move.choose == "any" for move in ruleset.moves)
    if not (any_heap and ruleset.single_heap and ruleset.measure is None and len(ruleset.players) == 2):
        words = f"{ruleset.id}: the rule supports only two players, and moves on one arbitrary heap"
        raise Unsupported(f"{words} that depend on no other heap, without `measure`")
    if ruleset.stuck_wins:
        raise Unsupported(f"{ruleset.id} has misère play, and Grundy values need normal play")
    yield PARAMETERS.make_label(), lambda q: Entailment((), q.parameters())
    for need in needs_of_game(claim, claim.games[0]):
        yield RULES.make_label(part=need.part, words=need.words), partial(_rule_defined, need=need)
    yield MEASURE.make_label(), lambda q: Entailment((), q.require_defined(measure(claim.games[0]), q.env, q.element))
    if not ruleset.impartial:
        yield kinds.AGREE.make_label(), _agree
    if proof.arising:
        yield from _list_digit_obligations(proof)
    else:
        yield from _list_counting_obligations(kinds.HEAP, proof.digits, proof.heap)
    yield from _list_counting_obligations(kinds.BELOW, proof.below_digits, proof.below)
    for number, (name, _) in enumerate(proof.lemmas):
        yield kinds.LEMMA.make_label(name=name), partial(_lemma, number=number)
    yield PRODUCT.make_label(), pose_product
    yield kinds.NATURAL.make_label(), _value_natural
    yield kinds.EMPTY.make_label(), _empty
    yield from _list_avoidance_obligations(proof)
    yield kinds.COVER.make_label(), _cover
    for number, option in enumerate(proof.options):
        told = {"number": number + 1}
        for place, pick in enumerate(option.picks):
            yield kinds.PICK_THERE.make_label(**told, name=pick.name), partial(_pick_there, number=number, place=place)
            yield (
                kinds.PICK_BOUNDED.make_label(**told, name=pick.name),
                partial(_pick_bounded, number=number, place=place),
            )
        yield kinds.OPTION_DIGITS.make_label(**told), partial(_option_digits, number=number)
        yield kinds.OPTION_LEGAL.make_label(**told), partial(_option_legal, number=number)
        yield kinds.OPTION_VALUE.make_label(**told), partial(_option_value, number=number)
    yield from list_claim_obligations(claim, proof, defined)


def _rule_defined(q: HeapReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], q.env, q.element))


def _list_counting_obligations(
    what: str, digits: tuple[VariableRange | PowerDigit, ...], term: t.Term
) -> Iterator[ObligationBuilder[HeapReader]]:
    yield kinds.ZERO_DIGITS.make_label(what=what), partial(_zero, digits=digits, term=term)
    yield kinds.NEXT_DIGITS.make_label(what=what), partial(_pose_next, digits=digits, term=term)


def _zero(q: HeapReader, digits: tuple[VariableRange | PowerDigit, ...], term: t.Term) -> Entailment:
    zeros = {d.name: ZERO for d in digits}
    return Entailment((), conjunction(q.inside(digits, zeros), equal(q.evaluate(term, zeros), ZERO)))


def _pose_next(q: HeapReader, digits: tuple[VariableRange | PowerDigit, ...], term: t.Term) -> Entailment:
    """Return the obligation that x + 1 can be written with the digits, if x can.

    One digit of x increases by 1, and all later digits become 0.
    `term`: the formula that gives a number from its digits.
    """
    now = q.digits(digits)
    ways = []
    for i, d in enumerate(digits):
        after = {**now, d.name: add(now[d.name], ONE), **{e.name: ZERO for e in digits[i + 1 :]}}
        ways.append(
            conjunction(q.inside(digits, after), equal(q.evaluate(term, after), add(q.evaluate(term, now), ONE)))
        )
    return Entailment((q.inside(digits, now),), disjunction(*ways))


# -- digits of a heap from a smaller heap -----------------------------------------------------------------------------
SIZE = "h"


def _list_digit_obligations(proof: GrundyProof) -> Iterator[ObligationBuilder[HeapReader]]:
    """Yield the obligations for [[proof.arise]], which show by induction that every heap has digits."""
    yield kinds.ARISING_COVERS.make_label(), _covers
    for number, case in enumerate(proof.arising, 1):
        if case.smaller is not None:
            yield kinds.ARISING_SMALLER.make_label(number=number), partial(_smaller, case=case)
        yield kinds.ARISING.make_label(number=number), partial(_case, case=case)


def _heap(q: HeapReader) -> t.Term:
    heap = q.fresh(SIZE)
    q.assume(Reason.DOMAIN, at_least(heap, ZERO))
    return heap


def _arises(q: HeapReader, case: Arising, heap: t.Term) -> t.Term:
    return YES if case.when is None else q.truth(case.when, {**q.env, SIZE: heap})


def _covers(q: HeapReader) -> Entailment:
    heap = _heap(q)
    return Entailment((), disjunction(*(_arises(q, case, heap) for case in q.proof.arising)))


def _smaller(q: HeapReader, case: Arising) -> Entailment:
    heap = _heap(q)
    assert case.smaller is not None
    smaller = q.evaluate(case.smaller, {SIZE: heap})
    return Entailment((_arises(q, case, heap),), conjunction(at_least(smaller, ZERO), less_than(smaller, heap)))


def _case(q: HeapReader, case: Arising) -> Entailment:
    heap, digits = _heap(q), q.proof.digits
    known, names = [_arises(q, case, heap)], {SIZE: heap}
    if case.smaller is not None:
        those = q.digits(digits)
        known += [q.inside(digits, those), equal(q.evaluate(case.smaller, names), q.heap(those))]
        names |= those
    made = {name: q.evaluate(term, names) for name, term in case.digits}
    return Entailment(tuple(known), conjunction(q.inside(digits, made), equal(q.evaluate(q.proof.heap, made), heap)))


# -- values -----------------------------------------------------------------------------------------------------------
def _agree(q: HeapReader) -> Entailment:
    """Return the obligation that both players have the same moves.

    For each kind of move, the same picks are legal for both players, and they leave the same heap.
    """
    heap, goals = q.fresh("h"), []
    for alike in zip(q.moves(0), q.moves(1), strict=True):
        picks = q.free_picks(alike[0])
        (first, left), (second, other) = (q.play(move, heap, picks) for move in alike)
        goals += [iff(first, second), implies(first, equal(left, other))]
    return Entailment((at_least(heap, ONE),), conjunction(*goals))


def _make_heap_below(q: HeapReader, lemmas: int) -> tuple[dict[str, t.Term], t.Term, list[t.Term]]:
    """Return (digits, smaller value, assumptions) for an arbitrary heap above 0 and a value below its Grundy value.

    The digits, by name, are those of the heap and of the smaller value.
    `lemmas`: the number of lemmas of the proof, from the first on, that are among the assumptions.
    """
    proof = q.proof
    names = q.digits(proof.digits) | q.digits(proof.below_digits)
    target = q.evaluate(proof.below, names)
    known = [q.inside(proof.digits, names), q.inside(proof.below_digits, names)]
    known += [at_least(q.heap(names), ONE), less_than(target, q.evaluate(proof.value, names))]
    known += [q.truth(term, {**q.env, **names}) for _, term in proof.lemmas[:lemmas]]
    return names, target, known


def _lemma(q: HeapReader, number: int) -> Entailment:
    names, _, known = _make_heap_below(q, number)
    return Entailment(tuple(known), q.truth(q.proof.lemmas[number][1], {**q.env, **names}))


def _value_natural(q: HeapReader) -> Entailment:
    here = q.digits(q.proof.digits)
    return Entailment((q.inside(q.proof.digits, here),), at_least(q.evaluate(q.proof.value, here), ZERO))


def _empty(q: HeapReader) -> Entailment:
    """Return the obligation that the empty heap has the value 0.

    The obligation is needed because the empty heap has no option, and "options cover" is only about heaps above 0.
    """
    here = q.digits(q.proof.digits)
    nothing = equal(q.heap(here), ZERO)
    return Entailment((q.inside(q.proof.digits, here), nothing), equal(q.evaluate(q.proof.value, here), ZERO))


_TWO = integer(2)


def _make_distance_products(q: HeapReader, here: Digits, there: Digits, by: Mapping[str, int]) -> Iterator[t.Term]:
    """Yield facts that help the solver. Each states that the product of two numbers is >= 0 if both are >= 0.

    One factor is the weight of a digit, that is, the increase of the heap if the digit increases from 0 to 1. The other
    factor is the decrease of this digit by the move, or a number near it.
    `here`, `there`: the digits of the heap and of the option.
    `by`: the number by which the move decreases a digit, by name.
    """
    zeros = {d.name: here[d.name] if isinstance(d, PowerDigit) else ZERO for d in q.proof.digits}
    for digit in q.proof.digits:
        if isinstance(digit, PowerDigit) or (digit.hi is not None and (not by or digit.name in by)):
            continue
        one = {**zeros, digit.name: ONE}
        weight = polynomial(sub(q.evaluate(q.proof.heap, one), q.evaluate(q.proof.heap, zeros))).term()
        apart = sub(here[digit.name], there[digit.name])
        factors = [apart, sub(apart, ONE), neg(apart), sub(neg(ONE), apart)]
        if digit.hi is not None:
            factors += [sub(apart, _TWO), sub(neg(_TWO), apart)]
            near = (ZERO, ONE, _TWO)
            factors += [y for x in (here[digit.name], there[digit.name]) for n in near for y in (sub(x, n), sub(n, x))]
        yield from (natural_product(weight, x) for x in factors)


def _list_avoidance_obligations(proof: GrundyProof) -> Iterator[ObligationBuilder[HeapReader]]:
    """Yield the obligations which together state that no option of a heap has the same value as the heap.

    With [proof.apart], there is one obligation for each combination of decreases of the digits, and one which states
    that there are no other decreases. Without [proof.apart], there is a single obligation.
    """
    if proof.apart:
        yield kinds.make_apart_label(proof.apart), _lie_apart
    for by in proof.distances:
        yield kinds.avoid(by), partial(_avoid, by=by)


def _make_legal_move(q: HeapReader, by: Mapping[str, int]) -> tuple[Digits, Digits, tuple[t.Term, ...], t.Term]:
    """Return (digits of the heap, digits of the option, assumptions, goal) for an arbitrary legal move.

    The goal is the condition that the heap and the option have different values.
    `by`: the number by which the move decreases a digit, by name. Other digits change arbitrarily.
    """
    digits = q.proof.digits
    here, there = q.digits(digits), q.digits(digits)
    there |= {name: sub(here[name], integer(value)) for name, value in by.items()}
    played = [q.play(move, q.heap(here), q.free_picks(move)) for move in q.moves()]
    led = [(legal, equal(new, q.heap(there))) for legal, new in played]
    known = (q.inside(digits, here), q.inside(digits, there), *(led[0] if len(led) == 1 else ()))
    known += tuple(_make_distance_products(q, here, there, by))
    if len(led) > 1:
        known += (disjunction(*(conjunction(*x) for x in led)),)
    return here, there, known, compare("ne", q.evaluate(q.proof.value, here), q.evaluate(q.proof.value, there))


def _avoid(q: HeapReader, by: Mapping[str, int]) -> Entailment:
    _, _, known, differ = _make_legal_move(q, by)
    return Entailment(known, differ)


def _lie_apart(q: HeapReader) -> Entailment:
    here, there, known, _ = _make_legal_move(q, {})
    lie = []
    for x in q.proof.apart:
        far = sub(here[x.name], there[x.name])
        lie += [at_least(far, integer(x.values[0])), at_least(integer(x.values[-1]), far)]
    return Entailment(known, conjunction(*lie))


def _read_option_condition(q: HeapReader, number: int, names: Digits) -> t.Term:
    option = q.proof.options[number]
    if option.when is None:
        return YES
    return q.truth(option.when, {**q.env, **names, "h": q.heap(names)})


def _cover(q: HeapReader) -> Entailment:
    names, _, known = _make_heap_below(q, len(q.proof.lemmas))
    return Entailment(
        tuple(known), disjunction(*(_read_option_condition(q, i, names) for i in range(len(q.proof.options))))
    )


def _make_picked_option(q: HeapReader, number: int, place: int) -> tuple[dict[str, t.Term], t.Term, list[t.Term]]:
    """Return (names, smaller value, assumptions) for an arbitrary heap and smaller value that satisfy the key `when`.

    names: the digits and the first `place` chosen powers, by name. The assumptions state that `when` holds, and that
    each of these powers is the largest one that satisfies its condition.
    `number`: the index of the [[proof.options]] table.
    """
    proof = q.proof
    names, target, known = _make_heap_below(q, len(proof.lemmas))
    known.append(_read_option_condition(q, number, names))
    for pick in proof.options[number].picks[:place]:
        power = names[pick.name] = q.powers.fresh(pick.base, pick.name)
        known.append(_meets(q, pick, names, power))
        known.append(negation(_meets(q, pick, names, times(pick.base, power))))
    return names, target, known


def _meets(q: HeapReader, pick: PowerPick, names: Digits, power: t.Term) -> t.Term:
    """Return the condition of the choice `pick`, with `power` as the chosen power. `names`: values of other names."""
    return q.truth(pick.condition, {**q.env, **names, "h": q.heap(names), pick.name: power})


def _pick_there(q: HeapReader, number: int, place: int) -> Entailment:
    names, _, known = _make_picked_option(q, number, place)
    return Entailment(tuple(known), _meets(q, q.proof.options[number].picks[place], names, ONE))


def _pick_bounded(q: HeapReader, number: int, place: int) -> Entailment:
    """Return the obligation that a power above the bound of a chosen power does not satisfy its condition.

    Therefore, if some power satisfies the condition, there is a largest one.
    `number`, `place`: the indices of the [[proof.options]] table, and of the choice in it.
    """
    names, _, known = _make_picked_option(q, number, place)
    pick = q.proof.options[number].picks[place]
    large = q.powers.fresh(pick.base, pick.name)
    beyond = less_than(q.number(pick.bound, {**q.env, **names, "h": q.heap(names)}), large)
    return Entailment((*known, beyond), negation(_meets(q, pick, names, large)))


def _option(q: HeapReader, number: int) -> tuple[Digits, t.Term, tuple[t.Term, ...], Digits]:
    """Return (names, smaller value, assumptions, digits of the new heap by name) for the move to an option.

    The first three are the results of `_make_picked_option` for all chosen powers.
    `number`: the index of the [[proof.options]] table.
    """
    option = q.proof.options[number]
    names, target, known = _make_picked_option(q, number, len(option.picks))
    return names, target, tuple(known), {name: q.evaluate(term, names) for name, term in option.digits}


def _option_digits(q: HeapReader, number: int) -> Entailment:
    _, _, known, there = _option(q, number)
    return Entailment(known, q.inside(q.proof.digits, there))


def _option_legal(q: HeapReader, number: int) -> Entailment:
    names, _, known, there = _option(q, number)
    heap, new = q.heap(names), q.heap(there)
    picks = {name: q.evaluate(term, {**names, "h": heap, "y": new}) for name, term in q.proof.options[number].take}
    kinds = [move for move in q.moves() if move.picks_by(picks)]
    if not kinds:
        raise refuse_picks(f"option {number + 1}", picks, q.claim.games[0].ruleset)
    ways = (q.play(move, heap, picks) for move in kinds)
    return Entailment(known, disjunction(*(conjunction(legal, equal(become, new)) for legal, become in ways)))


def _option_value(q: HeapReader, number: int) -> Entailment:
    _, target, known, there = _option(q, number)
    return Entailment(known, equal(q.evaluate(q.proof.value, there), target))


# == rule =============================================================================================================
# The rule itself, with its outline.
#
# docs/rules/grundy.md describes the rule and why it is sound.  The outline shows heaps and their values in digits, how
# smaller values are reached, and the claim.
RULE = TrustedRule("Grundy values of one heap")
SUMS = TrustedRule("sums of heaps")


class GrundyRule:
    """The implementation of the rule "grundy", which docs/rules/grundy.md describes."""

    name = "grundy"
    suggested_for = FITS
    kinds = KINDS

    def read(self, section: ProofSection) -> GrundyProof:
        return read_grundy(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        proof = plain.proof
        assert isinstance(proof, GrundyProof)
        bases: dict[int, bool] = {}
        used: set[Reason] = set()
        for sequent in build_sequents(
            obligations(plain, proof, needs_of_claim(claim)), partial(HeapReader, plain, proof, bases)
        ):
            used |= sequent.by
            yield sequent
        if Reason.REMAINDERS in used:
            yield build_sequent(REMAINDERS.make_label(), pose_remainders, partial(UnboundedReader))
        for base, by_exponents in sorted(bases.items()):  # the readers above have filled it
            yield from build_sequents(list_power_obligations(base, by_exponents), SequentReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        assert isinstance(claim.proof, GrundyProof)
        return _outline(claim, claim.proof)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the coverage of the proof: all integers and all positions. It also lists the trusted rules."""
        trusted: set[Trusted] = {RULE, SUMS, TrustedPick("top bit")} if has_sums(claim) else {RULE}
        return ProofCoverage(bounds_of(claim, All()), frozenset(trusted))


GRUNDY = GrundyRule()


# -- the outline ------------------------------------------------------------------------------------------------------
SUMMARY = (
    "Heaps are written with digits. The proof is by induction on the heap: no option has the claimed value, and a "
    "named move reaches each smaller value. So the claimed value is the mex of the values of the options."
)
Shown = tuple[tuple[str, str], ...]


def _outline(claim: Claim, proof: GrundyProof) -> Outline:
    """Return the summary of the proof for reports. Empty tables are omitted."""
    number = "this move" if len(proof.options) == 1 else f"one of these {len(proof.options)} moves"
    tables = (
        OutlineTable("digits", "Heaps and their values", ("Number", "Is written", "With"), tuple(_numbers(proof))),
        OutlineTable(
            "arising",
            "How a heap h gets its digits",
            ("When", "From the digits of", "Digits"),
            tuple(_show_arising(i, case) for i, case in enumerate(proof.arising, 1)),
        ),
        OutlineTable("facts", "Facts about a smaller value", ("Fact", "In full"), tuple(_lemmas(proof))),
        OutlineTable(
            "moves",
            f"Every smaller value is reached by {number}",
            ("When", "To the heap y, with", "By picking"),
            tuple(_outline_option(i, option) for i, option in enumerate(proof.options, 1)),
        ),
        OutlineTable("claim", "Conclusion", ("Statement", "With"), tuple(_claim(claim, proof))),
    )
    return Outline(SUMMARY, tuple(table for table in tables if table.lines))


def _numbers(proof: GrundyProof) -> Iterator[OutlineRow]:
    arise = (kinds.ARISING_COVERS.make_label().shown,) if proof.arising else _list_counting_shown(kinds.HEAP)
    yield OutlineRow((say("a heap"), say(proof.heap), _ranges(proof.digits)), arise)
    avoided = tuple(kinds.avoid(by).shown for by in proof.distances)
    own = (kinds.NATURAL.make_label().shown, kinds.EMPTY.make_label().shown)
    yield OutlineRow((say("its value"), say(proof.value), OutlineCell()), own if proof.apart else own + avoided)
    if proof.apart:
        less = join_parts(say_range(x.name, integer(x.values[0]), integer(x.values[-1])) for x in proof.apart)
        told = say("its digits minus the digits of the heap that a move leaves")
        yield OutlineRow((told, OutlineCell(), say(*less)), (kinds.make_apart_label(proof.apart).shown, *avoided))
    cover = (*_list_counting_shown(kinds.BELOW), kinds.COVER.make_label().shown)
    yield OutlineRow((say("a smaller value"), say(proof.below), _ranges(proof.below_digits)), cover)


def _list_counting_shown(what: str) -> Shown:
    return tuple(kind.make_label(what=what).shown for kind in (kinds.ZERO_DIGITS, kinds.NEXT_DIGITS))


def _ranges(digits: tuple[VariableRange | PowerDigit, ...]) -> OutlineCell:
    return say(*join_parts(_range(digit) for digit in digits))


def _range(digit: VariableRange | PowerDigit) -> Parts:
    if isinstance(digit, PowerDigit):
        return [name_of(digit.name), f"a power of {digit.base}"]
    return say_range(digit.name, digit.lo, digit.hi)


def _lemmas(proof: GrundyProof) -> Iterator[OutlineRow]:
    for name, term in proof.lemmas:
        yield OutlineRow((say(name), say(term)), (kinds.LEMMA.make_label(name=name).shown,))


def _show_arising(number: int, case: Arising) -> OutlineRow:
    smaller: Shown = () if case.smaller is None else (kinds.ARISING_SMALLER.make_label(number=number).shown,)
    origin = OutlineCell() if case.smaller is None else say(case.smaller)
    shown = (*smaller, kinds.ARISING.make_label(number=number).shown)
    parts = say_assignments(case.digits) if case.smaller is None else say_changes(case.digits)
    return OutlineRow((say_condition(case.when), origin, say(*parts)), shown)


def _outline_option(number: int, option: Option) -> OutlineRow:
    picked: Shown = ()
    for x in option.picks:
        there, bounded = (y.make_label(number=number, name=x.name).name for y in (kinds.PICK_THERE, kinds.PICK_BOUNDED))
        picked += (f"{x.name} can be 1", there), (f"{x.name} is bounded", bounded)
    own = (kinds.OPTION_DIGITS, kinds.OPTION_LEGAL, kinds.OPTION_VALUE)
    shown = (*picked, *(kind.make_label(number=number).shown for kind in own))
    powers = (part for x in option.picks for part in _power(x))
    digits = OutlineCell((*say_changes(option.digits), *powers))
    return OutlineRow((say_condition(option.when), digits, say(*say_assignments(option.take))), shown)


def _power(pick: PowerPick) -> tuple[str | t.Term, ...]:
    return ", ", name_of(pick.name), f"the largest power of {pick.base} with", pick.condition


def _claim(claim: Claim, proof: GrundyProof) -> Iterator[OutlineRow]:
    for number, at in enumerate(proof.at, 1):
        yield _outline_heap(claim, number, at)
    for number, x in enumerate(proof.divisions, 1):
        parts = (x.dividend, "divided by", x.divisor)
        result = say("quotient", x.quotient, ", remainder", x.remainder)
        yield OutlineRow((say(*parts), result), (kinds.DIVISION.make_label(number=number).shown,))
    if proof.witness is not None:
        shown = () if proof.witness.lemma is None else (kinds.WITNESS.make_label().shown,)
        lemma: tuple[str | t.Term, ...] = () if proof.witness.lemma is None else ("where", proof.witness.lemma)
        digits = OutlineCell((*say_assignments(proof.witness.digits), *lemma))
        yield OutlineRow((say("a heap that has a given value"), digits), shown)
    if has_positions(claim):
        sums = tuple(kind.make_label().shown for kind in kinds.OF_SUMS)
        yield OutlineRow((say("the player to move loses if and only if the nim-sum is 0"), OutlineCell()), sums)
    elif has_sums(claim):
        sums = tuple(kind.make_label().shown for kind in kinds.OF_SUMS if kind is not kinds.TERMS)
        yield OutlineRow((say("the value of several heaps is the nim-sum of their values"), OutlineCell()), sums)
    yield OutlineRow((say(claim.conclusion), OutlineCell()), (kinds.CLAIM.make_label().shown,))


def _outline_heap(claim: Claim, number: int, at: At) -> OutlineRow:
    what = say("a heap of the claim,", at.heap)
    if at.digits:
        return OutlineRow(
            (what, say(*say_assignments(at.digits))), (kinds.HEAP_DIGITS.make_label(number=number).shown,)
        )
    if stands_for_any_heap(claim, at):
        return OutlineRow((what, say("digits with these names")))
    return OutlineRow((what, say("digits with these names")), (kinds.HEAP_NATURAL.make_label(number=number).shown,))
