"""The obligations of a claim about positions of few heaps.

In order: parameters (the games' parameters are legal), rules are defined, measure (a move leaves less), lemmas, the
numbers that positions have, closed (for each kind of move on each choice of heaps: it does not lead from a loss to a
loss of the next player), cases (the named moves cover every position that is not a loss), each reply (its heaps are
there; it is legal; it leads to a loss), stuck (misere play: who loses can move).  Those of the claim: where it is
defined, that its positions have few heaps, and that it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from claims.language.expressions import terms as t
from claims.language.expressions.types import POSITION
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim, Game
from encoders.answer import Unsupported
from encoders.logic.definedness import Guard, Need, Over, measure, needs_of_game
from encoders.logic.integers import PRODUCT, REMAINDERS, pose_product, pose_remainders
from encoders.logic.moves import OpenMove, open_choices, parameter_bounds
from encoders.logic.reader import Posed
from encoders.logic.terms import ONE, ZERO, at_least, at_most, below, both, either, implies, negation
from encoders.rules.few import labels
from encoders.rules.few.claims import ClaimReader
from encoders.rules.few.positions import Sizes, after, ascending, may_choose, orders
from encoders.rules.few.reader import FewReader
from encoders.rules.few.section import FewProof, NamedLemma, NamedMove, Number
from encoders.rules.folds.turns import Turn, turns_of

Ask = Callable[[FewReader], Posed]


def about_the_game(claim: Claim, proof: FewProof) -> Iterator[tuple[str, Ask]]:
    """Each with its name, in the order above. Raises Unsupported."""
    if len(claim.games) != 1:
        raise Unsupported("the rule is about one game")
    (game,) = claim.games
    name = game.ruleset.id
    turns = list(turns_of(game))
    if any(parameter_bounds(game)):
        yield f"parameters of {name}", lambda q: Posed((), q.parameters())
    if undefined := list(needs_of_game(claim, game, open_choices)):
        yield f"rules of {name} are defined", lambda q: Posed((), q.needed(undefined, q.env, q.element))
    yield f"measure of {name}", lambda q: Posed((), q.needed(measure(game, open_choices), q.env, q.element))
    if any(_divides(x) for x in walk((claim.hypothesis, claim.conclusion, proof, *_moves(turns)))):
        yield PRODUCT, pose_product
        yield REMAINDERS, pose_remainders
    for lemma in proof.lemmas:
        yield labels.lemma(lemma.name), partial(_lemma, lemma=lemma)
    for i, number in enumerate(proof.numbers):
        yield labels.number(number.name), partial(_number, number=number, before=proof.numbers[:i])
    for turn in turns:
        yield from _outcome(turn, game, proof)


def _moves(turns: list[Turn]) -> Iterator[OpenMove]:
    for turn in turns:
        yield from open_choices(turn.game, turn.mover)


def _divides(term: t.Term) -> bool:
    """Whether it is a division by a number that is not written down."""
    divides = isinstance(term, t.Operation) and term.op in ("floordiv", "mod")
    return divides and not isinstance(t.subterms(term)[1], t.Literal)


def about_the_claim(claim: Claim, defined: Iterator[Need]) -> Iterator[tuple[str, Callable[[ClaimReader], Posed]]]:
    """Each with its name. `defined`: what the claim needs to have a truth value."""
    for need in defined:
        yield f"defined: {need.words}", partial(_defined, need=need)
    if any(v.type == POSITION for v in claim.variables):
        yield labels.FEW, ClaimReader.few_heaps
    yield labels.CLAIM, ClaimReader.conclusion


def _defined(q: ClaimReader, need: Need) -> Posed:
    """Of positions of any number of heaps: each part of a guard is read where those before it hold."""
    path: list[Guard | Over] = []
    for step in need.path:
        path += map(Guard, t.conjuncts(step.term)) if isinstance(step, Guard) else (step,)
    return Posed((), q.needed([replace(need, path=tuple(path))], q.variables(), q.element))


# -- integers ---------------------------------------------------------------------------------------------------------
def _lemma(q: FewReader, lemma: NamedLemma) -> Posed:
    """It holds for all integers of its ranges; where it is shown by induction, if it does where the measure is less."""
    values = {r.name: q.fresh(r.name) for r in lemma.ranges}
    env = {**q.env, **values}
    known = [q.inside(lemma.ranges, values)]
    if lemma.measure is not None:
        here = q.number(lemma.measure, env)
        for given in lemma.smaller:
            there = q.values(given, env)
            least = q.number(lemma.measure, {**q.env, **there})
            known.append(implies(both(at_least(least, ZERO), below(least, here)), q.instance(lemma, there)))
    return Posed(tuple(known), q.truth(lemma.holds, env))


def _number(q: FewReader, number: Number, before: tuple[Number, ...]) -> Posed:
    """Where it is wanted, its range is not empty and ends with a number that meets its condition."""
    env = q.seen(q.position())
    q.name_numbers(env, before)
    q.use_lemmas(env)
    when, low, high = q.where(number, env)
    return Posed((when,), both(at_most(low, high), q.truth(number.having, {**env, number.name: high})))


# -- who wins ---------------------------------------------------------------------------------------------------------
def _outcome(turn: Turn, game: Game, proof: FewProof) -> Iterator[tuple[str, Ask]]:
    for name, choice in labels.closed(turn, proof.heaps):
        yield name, partial(_closed, turn=turn, choice=choice)
    replies = turn.replies(proof.moves)
    yield turn.covered, partial(_cases, turn=turn, replies=[m for _, m in replies])
    for names, named in replies:
        reply = _Move(turn, named)
        yield names.heap, reply.has_heaps
        yield names.legal, reply.is_legal
        yield names.to_loss, reply.leads_to_loss
    if game.ruleset.stuck_wins:
        others = turn.others(proof.moves)
        yield turn.movable, partial(_movable, turn=turn, others=[m for _, m in others])
        for names, named in others:
            other = _Move(turn, named, at_loss=True)
            yield names.heap, other.has_heaps
            yield names.legal, other.is_legal


def _closed(q: FewReader, turn: Turn, choice: labels.Choice) -> Posed:
    """Where what is left ascends in that order."""
    sizes, move, places = q.position(), choice.move, choice.places
    env = q.seen(sizes)
    q.use_lemmas(env)
    legal, becomes = q.play_on(move, tuple(sizes[i] for i in places), q.free_picks(move))
    known = (q.loses(sizes, turn.mover), may_choose(move, sizes, places), legal)
    natural = (at_least(size, ZERO) for size in becomes)  # by the measure
    left = after(sizes, becomes, choice.order)
    q.use_lemmas_after(env, left)
    return Posed((*known, *natural, ascending(left)), negation(q.loses(left, turn.following)))


def _start(q: FewReader, turn: Turn, at_loss: bool) -> tuple[dict[str, object], Sizes, tuple[t.Term, ...]]:
    """A position that the mover loses, or does not: (its names, its sizes, that).

    Under misere play one with a heap, where he does not: for without he wins at once.
    """
    sizes = q.position()
    env = q.seen(sizes)
    q.name_numbers(env, q.proof.numbers)
    q.use_lemmas(env)
    lost = q.loses(sizes, turn.mover)
    if at_loss:
        return env, sizes, (lost,)
    some = (at_least(sizes[-1], ONE),) if turn.game.ruleset.stuck_wins else ()
    return env, sizes, (negation(lost), *some)


def _cases(q: FewReader, turn: Turn, replies: list[NamedMove]) -> Posed:
    env, _, known = _start(q, turn, at_loss=False)
    return Posed(known, either(*(q.truth(m.when, env) for m in replies)))


def _movable(q: FewReader, turn: Turn, others: list[NamedMove]) -> Posed:
    env, _, known = _start(q, turn, at_loss=True)
    return Posed(known, either(*(q.truth(m.when, env) for m in others)))


class _Move:
    """The obligations of one named move: a reply where the mover does not lose, or any move where he does."""

    def __init__(self, turn: Turn, named: NamedMove, at_loss: bool = False) -> None:
        self.turn, self.named, self.at_loss = turn, named, at_loss

    def _play(self, q: FewReader) -> tuple[tuple[t.Term, ...], t.Term, t.Term, Sizes, Sizes]:
        """(what is known; its heaps are there; the move is legal on them; the sizes before; what the heaps become)."""
        env, sizes, known = _start(q, self.turn, self.at_loss)
        move = open_choices(self.turn.game, self.turn.mover)[self.named.kind]
        take = q.values(self.named.take, env)
        legal, becomes = q.play_on(move, tuple(sizes[i] for i in self.named.heaps), take)
        there = may_choose(move, sizes, self.named.heaps)
        return (*known, q.truth(self.named.when, env)), there, legal, sizes, becomes

    def has_heaps(self, q: FewReader) -> Posed:
        known, there, _, _, _ = self._play(q)
        return Posed(known, there)

    def is_legal(self, q: FewReader) -> Posed:
        known, there, legal, _, _ = self._play(q)
        return Posed((*known, there), legal)

    def leads_to_loss(self, q: FewReader) -> Posed:
        known, there, legal, sizes, becomes = self._play(q)
        left = [after(sizes, becomes, order) for order in orders(len(sizes), self.named.heaps, len(becomes))]
        lost = both(*(implies(ascending(s), q.loses(s, self.turn.following)) for s in left))
        return Posed((*known, there, legal), lost)
