"""The rule of values: n-player values in closed form, for any number of heaps, where only a largest heap is touched.

Sizes are integers without bound, the number of players a symbol.  In order: parameters; shape (of no heap, of one more
heap); moves (a largest heap may become anything smaller); region closed; range (0 <= value < n); empty (the value where
nobody can move); least (no option has less); options cover, and each attains; and last the claim itself.  Why it is
sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationKind, about_numbers
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Trusted, TrustedPick, TrustedRule
from encoders.logic.definedness import DefinednessCondition, Guard, Path, needs, needs_of_claim, needs_of_game
from encoders.logic.integers import PRODUCT, REMAINDERS, bounds_of, pose_product, pose_remainders
from encoders.logic.moves import open_moves
from encoders.logic.reader import Entailment
from encoders.logic.sequent import Sequent
from encoders.logic.terms import ZERO, at_least, conjunction, disjunction, equal, implies, integer, less_than, sub
from encoders.rules.kit.common import DEFINED, PARAMETERS, RULES, claim_follows, only_game
from encoders.rules.kit.outline import Outline, OutlineRow, OutlineTable, say, when
from encoders.rules.kit.rule import ObligationBuilder, ProofCoverage, ProofServices, build_sequents
from encoders.rules.kit.shape import ClaimShape, RuleSuggestion
from encoders.rules.value.section import MAX_SORTED, ValueProof, read_value
from encoders.rules.value.shapes import ShapeReader, beside, possible

# -- what is said of it -----------------------------------------------------------------------------------------------
SHAPE_NONE, SHAPE_MORE = about_numbers("shape of no heap"), about_numbers("shape of one more heap")
MOVES = ObligationKind(
    "moves: a largest heap becomes anything smaller, and nothing else",
    "The game has other moves, or not all of these",
    "The rule is for games in which a largest heap may become anything smaller",
)
FORMULA = ObligationKind(
    "the formula is defined",
    "`region`, `value` or an option has no value at some shape",
    "Guard the operation, by `A if B else C`, or narrow the region",
)
CLOSED = ObligationKind(
    "region closed",
    "Some move leads out of the region, where the formula says nothing",
    "Widen the region to what moves leave, which has fewer heaps or a smaller largest one",
    "no move leads out",
)
RANGE = ObligationKind(
    "range", "The formula gives a value that is no player's", "It has to lie in 0..n-1", "from 0 to n - 1"
)
EMPTY = ObligationKind(
    "empty",
    "The formula does not give 0 where there is no heap",
    "Who cannot move wins there: let the formula say so",
    "0 where nobody can move",
)
LEAST = ObligationKind(
    "least",
    "Some option has less than the formula's value",
    "Look at the shape of the option: the formula is too large at the position, or too small at the option",
    "no option has less",
)
COVER = ObligationKind(
    "options cover",
    "At some position no option is named that attains the value",
    "Add an [[proof.options]] with the missing `when`",
    "one of the moves below has it",
)
ATTAINS = ObligationKind(
    "option {number}: attains",
    "The option named has another value",
    "Correct what the largest heap `becomes`, or narrow `when`",
    "legal, with the value",
)
CLAIM = claim_follows(
    "The claim does not follow from the formula, or asks about positions outside the region",
    "Assume in `if` what the region says; with `sorted = 4` the single heaps are known too. For a claim about an "
    'option, let rule = "folds" take the theorem as a lemma (`by`)',
)
OF_SHAPES = (SHAPE_NONE, SHAPE_MORE, MOVES, FORMULA, CLOSED, RANGE, EMPTY, LEAST, COVER, ATTAINS)
_DRAFT = {"region": "True", "value": "0", "options": [{"when": "True", "becomes": "0"}]}
FIT = RuleSuggestion(
    "the value of positions of n players, where a largest heap is touched",
    lambda shape: shape.asks(frozenset({"value"})) and _takes_from_largest(shape),
    "say which positions the formula is about (`region`), their `value` by number of heaps, least heap and largest "
    "heap, and in [[proof.options]] which options attain it",
    lambda *_: ({**_DRAFT, **more} for more in ({}, {"sorted": MAX_SORTED})),
)
SUMMARY = (
    "By induction on the total: with v the value of an option, (v + 1) mod n is never less than the value claimed, and "
    "for an option that it names it is just that. A position is seen by how many heaps it has, the least, how often "
    "that occurs, and the largest."
)
TRUSTED = frozenset[Trusted]({TrustedPick("the largest heap"), TrustedRule("n-player values by the least option")})


def _takes_from_largest(shape: ClaimShape) -> bool:
    return all(m.choose == "largest" for g in shape.games for m in g.ruleset.moves)


# -- the obligations --------------------------------------------------------------------------------------------------
def _asked(
    claim: Claim, proof: ValueProof, defined: Iterator[DefinednessCondition]
) -> Iterator[ObligationBuilder[ShapeReader]]:
    """The obligations, in order. `defined`: what the claim needs to have a truth value. Raises Unsupported."""
    ruleset = only_game(claim).ruleset
    move = ruleset.moves[0]
    if not (len(ruleset.moves) == 1 and move.choose == "largest" and ruleset.single_heap and ruleset.measure is None):
        words = f"{ruleset.id}: the rule follows moves that take from a largest heap, and are of one kind"
        raise Unsupported(words)
    if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
        instead = 'take rule = "folds", "grundy" or "few heaps" for two players'
        words = f"{ruleset.id}: the rule is about n players with the same moves, where who cannot move wins"
        raise Unsupported(words, instead=instead)
    yield PARAMETERS.of(), _parameters
    for need in needs_of_game(claim, claim.games[0]):
        yield RULES.of(part=need.part, words=need.words), partial(_defined, need=need)
    yield PRODUCT.of(), pose_product
    yield REMAINDERS.of(), pose_remainders
    yield SHAPE_NONE.of(), lambda q: Entailment((), possible(q.empty()))
    yield SHAPE_MORE.of(), _grown
    yield MOVES.of(), _moves
    if undefined := list(_needs_of_formula(claim, proof)):
        yield FORMULA.of(), partial(_formula_defined, undefined=undefined)
    yield CLOSED.of(), _closed
    yield RANGE.of(), _range
    yield EMPTY.of(), _empty
    yield LEAST.of(), _least
    yield COVER.of(), _cover
    for number in range(len(proof.options)):
        yield ATTAINS.of(number=number + 1), partial(_attains, number=number)
    for need in defined:
        yield DEFINED.of(words=need.words), partial(_defined, need=need)
    yield CLAIM.of(), _claim


def _parameters(q: ShapeReader) -> Entailment:
    return Entailment((), conjunction(q.parameters(), at_least(q.players, integer(2))))


def _grown(q: ShapeReader) -> Entailment:
    rest, heap = q.shape("the rest"), q.fresh("h")
    return Entailment((possible(rest), at_least(heap, integer(1))), possible(beside(rest, heap)))


def _moves(q: ShapeReader) -> Entailment:
    """Both ways: a legal pick leaves 0 <= y < h, and every such y is left by the pick h - y."""
    (move,) = open_moves(q.claim.games[0], 0)
    if len(move.picks) != 1:
        raise Unsupported(f"{q.claim.games[0].ruleset.id}: the rule follows moves that pick one number each")
    (pick,) = move.picks
    heap, size = q.fresh("h"), q.fresh("y")
    legal, new = q.play(move, heap, q.free_picks(move))
    allowed, left = q.play(move, heap, {pick.word: sub(heap, size)})
    forth = implies(legal, conjunction(at_least(new, ZERO), less_than(new, heap)))
    back = implies(conjunction(at_least(size, ZERO), less_than(size, heap)), conjunction(allowed, equal(left, size)))
    return Entailment((at_least(heap, integer(1)),), conjunction(forth, back))


def _closed(q: ShapeReader) -> Entailment:
    _, rest, heap, known = q.moved("the rest")
    size = q.fresh("y")
    return Entailment((*known, at_least(size, ZERO), less_than(size, heap)), q.region(q.after(rest, size)))


def _range(q: ShapeReader) -> Entailment:
    s = q.shape("s")
    return Entailment(
        (possible(s), q.region(s)), conjunction(at_least(q.value(s), ZERO), less_than(q.value(s), q.players))
    )


def _empty(q: ShapeReader) -> Entailment:
    nothing = q.empty()
    return Entailment((q.region(nothing),), equal(q.value(nothing), ZERO))


def _least(q: ShapeReader) -> Entailment:
    s, rest, heap, known = q.moved("the rest")
    size = q.fresh("y")
    shown = at_least(q.next(q.value(q.after(rest, size))), q.value(s))
    return Entailment((*known, at_least(size, ZERO), less_than(size, heap)), shown)


def _cover(q: ShapeReader) -> Entailment:
    s, _, _, known = q.moved("the rest")
    return Entailment(known, disjunction(*(q.truth(o.when, {**q.env, **s.env()}) for o in q.proof.options)))


def _attains(q: ShapeReader, number: int) -> Entailment:
    option = q.proof.options[number]
    s, rest, heap, known = q.moved("the rest")
    env = {**q.env, **s.env()}
    size = q.number(option.becomes, env)
    here = q.truth(option.when, env)
    attained = equal(q.next(q.value(q.after(rest, size))), q.value(s))
    return Entailment((*known, here), conjunction(at_least(size, ZERO), less_than(size, heap), attained))


# -- the claim --------------------------------------------------------------------------------------------------------
def _needs_of_formula(claim: Claim, proof: ValueProof) -> Iterator[DefinednessCondition]:
    """What the region, the formula in it, and the options named need to have a value."""
    inside: Path = (Guard(proof.region),)
    yield from needs(proof.region, (), claim)
    yield from needs(proof.value, inside, claim)
    for option in proof.options:
        yield from needs(option.when, inside, claim)
        yield from needs(option.becomes, (*inside, Guard(option.when)), claim)


def _formula_defined(q: ShapeReader, undefined: list[DefinednessCondition]) -> Entailment:
    s = q.shape("s")
    q.claim_env()
    return Entailment((possible(s),), q.needed(undefined, {**q.env, **s.env()}, q.element))


def _defined(q: ShapeReader, need: DefinednessCondition) -> Entailment:
    env = q.claim_env()
    return Entailment((), q.needed([need], env, q.element))


def _claim(q: ShapeReader) -> Entailment:
    env = q.claim_env()
    q.assume_hypotheses(q.claim.hypothesis, env)
    if q.owed:
        instead = "ask for values in the conclusion, where they are shown to be in the region"
        raise Unsupported("the hypotheses ask about positions that the formula may not be about", instead=instead)
    shown = q.truth(q.claim.conclusion, env)
    return Entailment((), conjunction(shown, *q.owed))


# -- the rule ---------------------------------------------------------------------------------------------------------
def _outline(claim: Claim, proof: ValueProof) -> Outline:
    """Its tables."""
    number = "this move" if len(proof.options) == 1 else f"one of these {len(proof.options)} moves"
    region = OutlineRow((say("where it is claimed"), say(proof.region)), (CLOSED.of().shown,))
    value = OutlineRow((say("the value"), say(proof.value)), tuple(x.of().shown for x in (RANGE, EMPTY, LEAST, COVER)))
    moves = (
        OutlineRow((when(option.when), say(option.becomes)), (ATTAINS.of(number=i).shown,))
        for i, option in enumerate(proof.options, 1)
    )
    claimed = OutlineRow((say(claim.conclusion),), (CLAIM.of().shown,))
    tables = (
        OutlineTable("value", "The value by shape", ("What", "Is"), (region, value)),
        OutlineTable("moves", f"The value is reached by {number}", ("When", "A largest heap becomes"), tuple(moves)),
        OutlineTable("claim", "What follows", ("Statement",), (claimed,)),
    )
    return Outline(SUMMARY, tables)


class ValueRule:
    """See docs/proof-rules.md, "value"."""

    name = "value"
    fits = (FIT,)
    kinds = (PARAMETERS, RULES, PRODUCT, REMAINDERS, *OF_SHAPES, DEFINED, CLAIM)

    def read(self, section: ProofSection) -> ValueProof:
        return read_value(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = plain.proof
        assert isinstance(proof, ValueProof)
        yield from build_sequents(_asked(plain, proof, needs_of_claim(claim)), partial(ShapeReader, plain, proof))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        assert isinstance(claim.proof, ValueProof)
        return _outline(claim, claim.proof)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers, any number of heaps of any size."""
        return ProofCoverage(bounds_of(claim, All()), TRUSTED)


VALUE = ValueRule()
