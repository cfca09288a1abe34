"""The obligations of n-player values in closed form, for any number of heaps, where only a largest heap is touched.

Sizes are integers without bound, the number of players a symbol.  In order: parameters; shape (of no heap, of one more
heap); moves (a largest heap may become anything smaller); region closed; range (0 <= value < n); empty (the value where
nobody can move); least (no option has less); options cover, and each attains; and last the claim itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from claims.language.statement.claim import Claim
from encoders.answer import Unsupported
from encoders.logic.definedness import Guard, Need, Path, needs, needs_of_game
from encoders.logic.integers import PRODUCT, REMAINDERS, pose_product, pose_remainders
from encoders.logic.moves import open_moves
from encoders.logic.reader import Posed
from encoders.logic.terms import (
    ZERO,
    at_least,
    below,
    both,
    either,
    equal,
    implies,
    integer,
    sub,
)  # fmt: skip
from encoders.rules.value import labels
from encoders.rules.value.reader import ShapeReader
from encoders.rules.value.section import ValueProof
from encoders.rules.value.shapes import beside, possible

Ask = Callable[[ShapeReader], Posed]


def obligations(claim: Claim, proof: ValueProof, defined: Iterator[Need]) -> Iterator[tuple[str, Ask]]:
    """Each with its name. `defined`: what the claim needs to have a truth value. Raises Unsupported."""
    if len(claim.games) != 1:
        raise Unsupported("the rule is about one game")
    ruleset = claim.games[0].ruleset
    move = ruleset.moves[0]
    if not (len(ruleset.moves) == 1 and move.choose == "largest" and ruleset.single_heap and ruleset.measure is None):
        raise Unsupported(f"{ruleset.id}: the rule follows moves that take from a largest heap, of one kind")
    if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
        raise Unsupported(f"{ruleset.id}: the rule is about n players, alike, where who cannot move wins")
    yield "parameters", _parameters
    if rules := list(needs_of_game(claim, claim.games[0])):
        yield "rules are defined", partial(_rules_defined, rules=rules)
    yield PRODUCT, pose_product
    yield REMAINDERS, pose_remainders
    yield "shape of no heap", lambda q: Posed((), possible(q.empty()))
    yield "shape of one more heap", _grown
    yield "moves: a largest heap becomes anything smaller, and nothing else", _moves
    if undefined := list(_needs_of_formula(claim, proof)):
        yield "the formula is defined", partial(_formula_defined, undefined=undefined)
    yield labels.CLOSED, _closed
    yield labels.RANGE, _range
    yield labels.EMPTY, _empty
    yield labels.LEAST, _least
    yield labels.COVER, _cover
    for number in range(len(proof.options)):
        yield labels.attains(number), partial(_attains, number=number)
    for need in defined:
        yield f"defined: {need.words}", partial(_defined, need=need)
    yield labels.CLAIM, _claim


def _parameters(q: ShapeReader) -> Posed:
    return Posed((), both(q.parameters(), at_least(q.players, integer(2))))


def _rules_defined(q: ShapeReader, rules: list[Need]) -> Posed:
    q.claim_env()
    return Posed((), q.needed(rules, q.env, q.element))


def _grown(q: ShapeReader) -> Posed:
    rest, heap = q.shape("the rest"), q.fresh("h")
    return Posed((possible(rest), at_least(heap, integer(1))), possible(beside(rest, heap)))


def _moves(q: ShapeReader) -> Posed:
    """Both ways: a legal pick leaves 0 <= y < h, and every such y is left by the pick h - y."""
    (move,) = open_moves(q.claim.games[0], 0)
    if len(move.picks) != 1:
        raise Unsupported(f"{q.claim.games[0].ruleset.id}: the rule follows one number picked from an interval")
    (pick,) = move.picks
    heap, size = q.fresh("h"), q.fresh("y")
    legal, new = q.play(move, heap, q.free_picks(move))
    allowed, left = q.play(move, heap, {pick.word: sub(heap, size)})
    forth = implies(legal, both(at_least(new, ZERO), below(new, heap)))
    back = implies(both(at_least(size, ZERO), below(size, heap)), both(allowed, equal(left, size)))
    return Posed((at_least(heap, integer(1)),), both(forth, back))


def _closed(q: ShapeReader) -> Posed:
    _, rest, heap, known = q.moved("the rest")
    size = q.fresh("y")
    return Posed((*known, at_least(size, ZERO), below(size, heap)), q.region(q.after(rest, size)))


def _range(q: ShapeReader) -> Posed:
    s = q.shape("s")
    return Posed((possible(s), q.region(s)), both(at_least(q.value(s), ZERO), below(q.value(s), q.players)))


def _empty(q: ShapeReader) -> Posed:
    nothing = q.empty()
    return Posed((q.region(nothing),), equal(q.value(nothing), ZERO))


def _least(q: ShapeReader) -> Posed:
    s, rest, heap, known = q.moved("the rest")
    size = q.fresh("y")
    shown = at_least(q.next(q.value(q.after(rest, size))), q.value(s))
    return Posed((*known, at_least(size, ZERO), below(size, heap)), shown)


def _cover(q: ShapeReader) -> Posed:
    s, _, _, known = q.moved("the rest")
    return Posed(known, either(*(q.truth(o.when, {**q.env, **s.env()}) for o in q.proof.options)))


def _attains(q: ShapeReader, number: int) -> Posed:
    option = q.proof.options[number]
    s, rest, heap, known = q.moved("the rest")
    env = {**q.env, **s.env()}
    size = q.number(option.becomes, env)
    here = q.truth(option.when, env)
    attained = equal(q.next(q.value(q.after(rest, size))), q.value(s))
    return Posed((*known, here), both(at_least(size, ZERO), below(size, heap), attained))


# -- the claim --------------------------------------------------------------------------------------------------------
def _needs_of_formula(claim: Claim, proof: ValueProof) -> Iterator[Need]:
    """What the region, the formula in it, and the options named need to have a value."""
    inside: Path = (Guard(proof.region),)
    yield from needs(proof.region, (), claim)
    yield from needs(proof.value, inside, claim)
    for option in proof.options:
        yield from needs(option.when, inside, claim)
        yield from needs(option.becomes, (*inside, Guard(option.when)), claim)


def _formula_defined(q: ShapeReader, undefined: list[Need]) -> Posed:
    s = q.shape("s")
    q.claim_env()
    return Posed((possible(s),), q.needed(undefined, {**q.env, **s.env()}, q.element))


def _defined(q: ShapeReader, need: Need) -> Posed:
    env = q.claim_env()
    return Posed((), q.needed([need], env, q.element))


def _claim(q: ShapeReader) -> Posed:
    env = q.claim_env()
    q.assume_hypotheses(q.claim.hypothesis, env)
    if q.owed:
        raise Unsupported("the hypotheses ask about positions that the formula may not be about")
    shown = q.truth(q.claim.conclusion, env)
    return Posed((), both(shown, *q.owed))
