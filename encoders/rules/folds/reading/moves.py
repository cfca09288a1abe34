"""Moves on one heap of a position of any number of heaps: any legal one, and those that the proof names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from claims.language.expressions.printing import print_term
from claims.language.statement.claim import Game
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.moves import OpenMove, of_several, open_moves
from encoders.logic.reader import Entailment
from encoders.logic.terms import (
    ONE,
    YES,
    ZERO,
    at_least,
    at_most,
    compare,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
    nim,
)
from encoders.rules.folds.numbers.places import NO_SIZES
from encoders.rules.folds.positions.effects import EFFECTS, changes
from encoders.rules.folds.positions.positions import NIM_SUM, Fold, Position
from encoders.rules.folds.positions.theory import FoldsTheory
from encoders.rules.folds.statement.extremes import LARGEST, LEAST
from encoders.rules.folds.statement.section import PICKED_HEAP, FoldsMove, HeapChoice
from encoders.rules.kit.turns import MoverPair

_EXTREMES = {LARGEST: Reason.LARGEST, LEAST: Reason.SMALLEST}
Property = Callable[[t.Term], t.Term]
Take = Mapping[str, t.Term]
"""The numbers picked, by the ruleset's names."""


def playable(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The moves of a game that the rule can follow, on one heap each. Raises Unsupported for others."""
    if of_several(game.ruleset):
        raise Unsupported(f"{game.ruleset.id}: the rule follows moves that take from one heap")
    return open_moves(game, mover)


def play(
    theory: FoldsTheory, move: OpenMove, heap: t.Term, rest: Position, take: Take | None
) -> tuple[t.Term, t.Term, t.Term]:
    """A move on `heap`, beside which the rest lies.

    (It is legal, the new size, the condition that the size is what the rules make of it.)

    `take` None: the numbers picked are free within their ranges.  The new size is a fresh size; that a legal move
    leaves one, and none below 0, is an obligation of its own (measure).
    """
    picked = pick_freely(theory, move, (heap,)) if take is None else take
    legal, (becomes,) = outcome_of(theory, move, (heap,), picked, rest)
    size = theory.size("new size")
    made = equal(size, becomes)
    for name in theory.cuts.changing:
        changed = changes(nim_sum_of(theory, name), heap, size)
        theory.learn(Reason.MOVED, implies(conjunction(at_least(heap, ONE), legal, made), changed))
    return legal, size, made


def pick_freely(theory: FoldsTheory, move: OpenMove, heaps: tuple[t.Term, ...]) -> Take:
    """Fresh numbers for the picks of a move on these heaps. Nothing is said of their ranges."""
    env: dict[str, object] = {**theory.root, **dict(zip(move.heaps, heaps, strict=True))}
    take: dict[str, t.Term] = {}
    for pick in move.picks:
        low, high = theory.number(pick.lo, env), theory.number(pick.hi, env)
        take[pick.word], _ = theory.within(pick.word, low, high)
        env[pick.name] = take[pick.word]
    return take


def outcome_of(
    theory: FoldsTheory, move: OpenMove, heaps: tuple[t.Term, ...], take: Take, rest: Position | None = None
) -> tuple[t.Term, tuple[t.Term, ...]]:
    """Whether the move with these picks is legal on the heaps, and what it makes of them. Raises Unsupported.

    `rest`: what lies beside the one heap, where it matters.
    """
    env: dict[str, object] = {**theory.root, **dict(zip(move.heaps, heaps, strict=True))}
    legal = [] if rest is None else [may_choose(theory, move, heaps[0], rest)]
    for pick in move.picks:
        low, high = theory.number(pick.lo, env), theory.number(pick.hi, env)
        assert pick.word in take or pick.is_known  # or it is no such move
        found = env[pick.name] = take.get(pick.word, low)
        legal += [at_least(found, low), at_most(found, high)]
    if move.where is not None:
        legal.append(theory.truth(move.where, env))
    return conjunction(*legal), tuple(theory.number(x, env) for x in move.becomes)


def may_choose(theory: FoldsTheory, move: OpenMove, heap: t.Term, rest: Position) -> t.Term:
    """Whether the move may be on that heap, beside which the rest lies: the rules may ask for an extreme one."""
    if move.choose == "largest":
        return at_least(heap, rest.fold(theory.extreme(LARGEST)))
    if move.choose == "smallest":
        least = rest.fold(theory.extreme(LEAST))
        return disjunction(equal(least, ZERO), at_most(heap, least))
    return YES


def kinds_of(named: FoldsMove, game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game by a mover that a named move may be: those that pick its numbers."""
    names = dict(named.take)
    return tuple(x for x in playable(game, mover) if named.player in (None, mover) and x.picks_by(names))


def play_named(
    theory: FoldsTheory, named: FoldsMove, move: OpenMove, s: Position, where: t.Term, heap: t.Term, rest: Position
) -> tuple[t.Term, t.Term, t.Term]:
    """A named move on the heap of s = {heap} + rest that it picks where it may be made; as `play`."""
    legal, size, made = play(theory, move, heap, rest, take_of(theory, named, s, heap, rest))
    for who, name, effect in theory.cuts.doing:
        if who is named:
            done = done_to(theory, s, name, effect, heap, size)
            theory.learn(Reason.MOVED, implies(conjunction(where, legal, made), done))
    return legal, size, made


def done_to(theory: FoldsTheory, s: Position, name: str, effect: str, heap: t.Term, size: t.Term) -> t.Term:
    """That a move on a heap of s, which leaves the size, has the effect on the nim-sum of that name."""
    fold = nim_sum_of(theory, name)
    return EFFECTS[effect](fold, s.fold(fold), heap, size)


def picks_of(theory: FoldsTheory, named: HeapChoice, s: Position) -> list[tuple[t.Term, t.Term, Position]]:
    """The ways to pick a heap at s: (where it may be picked, the heap picked there, the rest)."""
    premise, property_ = pick_of(theory, named, s)
    where = conjunction(theory.truth(named.when, theory.seen(s)), premise)
    found = theory.take_from(s, where)
    if s.listed is not None:
        return [(conjunction(where, x.present, property_(x.heap)), x.heap, rest) for x, rest in found]
    ((picked, rest),) = found
    theory.learn(why(named), implies(where, property_(picked.heap)))
    return [(where, picked.heap, rest)]


def why(named: HeapChoice) -> Reason:
    """By what there is such a heap."""
    return Reason.TOP_BIT if named.top_bit else _EXTREMES.get(named.extreme, Reason.COUNTED)


def pick_of(theory: FoldsTheory, named: HeapChoice, s: Position) -> tuple[t.Term, Property]:
    """The premise of the pick at s, and what it grants of the heap: trusted facts, see docs/proof-rules.md."""
    if named.top_bit:
        added, aim = nim_sum_of(theory, named.top_bit), aim_of(theory, named)
        whole = s.fold(added)

        def at_top_bit(h: t.Term) -> t.Term:
            changed = nim(added.of(h), whole) if aim is None else nim(nim(added.of(h), whole), aim)
            return conjunction(added.contributes(h), less_than(changed, added.of(h)))

        return compare("ne", whole, ZERO) if aim is None else less_than(aim, whole), at_top_bit
    if named.extreme:
        utmost = s.fold(theory.extreme(named.extreme))
        return at_least(s.fold(theory.heaps), ONE), lambda h: equal(h, utmost)
    count = theory.heaps if named.having is None else theory.count(named.having, PICKED_HEAP)
    return at_least(s.fold(count), ONE), count.contributes


def aim_of(theory: FoldsTheory, named: HeapChoice) -> t.Term | None:
    """What the nim-sum is to become, a natural number; None for 0. Raises Unsupported for what may leave the bound."""
    if named.aim is None:
        return None
    found = theory.natural(theory.number(named.aim, theory.root))
    if not theory.is_size(found):
        aimed = print_term(nim(t.Variable(INT, 0, 0, named.top_bit), named.aim))
        raise Unsupported(f"the top bit of {aimed}: {print_term(named.aim)} may leave {theory.sizes}", instead=NO_SIZES)
    return found


def nim_sum_of(theory: FoldsTheory, name: str) -> Fold:
    """The nim-sum that the proof calls so. Raises Unsupported if it calls none so."""
    fold = theory.named.get(name)
    if not isinstance(fold, Fold) or fold.reducer != NIM_SUM:
        instead = 'pick one by what it has, as in heap = "any with h >= 2"'
        raise Unsupported(f"a heap at the top bit of {name}, which is no nim-sum", instead=instead)
    return fold


def take_of(theory: FoldsTheory, named: FoldsMove, s: Position, heap: t.Term, rest: Position) -> dict[str, t.Term]:
    """The numbers that a named move picks at s = {heap} + rest, by the ruleset's names."""
    env = theory.seen_beside(s, heap, rest)
    return {name: theory.number(term, env) for name, term in named.take}


Played = tuple[t.Term, t.Term, Position]
"""A kind of move that a named move may be: it is legal, what it leaves is what the rules make of it, what it leaves."""


def some_leads_to_loss(q: FoldsTheory, turn: MoverPair, known: tuple[t.Term, ...], played: list[Played]) -> Entailment:
    """One of the kinds of moves, some of which is legal, is legal and leads to a loss of the next player."""
    if len(played) == 1:
        ((legal, made, after),) = played
        return Entailment((*known, legal, made), q.loses(after, turn.following))
    there = disjunction(*(legal for legal, _, _ in played))
    makes = tuple(implies(legal, made) for legal, made, _ in played)
    return Entailment(
        (*known, there, *makes),
        disjunction(*(conjunction(x, q.loses(after, turn.following)) for x, _, after in played)),
    )


# -- where moves are named --------------------------------------------------------------------------------------------
def start(q: FoldsTheory, turn: MoverPair, at_loss: bool) -> tuple[Position, tuple[t.Term, ...]]:
    """A position that the mover loses, or does not: (the position, that).

    Under misère play one with a heap, where he does not: for without he wins at once.
    """
    s = q.position("s")
    if at_loss:
        return s, (q.loses(s, turn.mover),)
    some = (at_least(s.fold(q.heaps), ONE),) if turn.game.ruleset.stuck_wins else ()
    return s, (negation(q.loses(s, turn.mover)), *some)


def build_cover(turn: MoverPair, whens: list[t.Term], at_loss: bool) -> Callable[[FoldsTheory], Entailment]:
    """That at every such position one of the conditions holds, under which a move is named.

    Who is stuck wins under misère play: where heaps may be left then, it is asked where the mover can move.
    """

    def ask(q: FoldsTheory) -> Entailment:
        s, known = start(q, turn, at_loss)
        if turn.stuck and not at_loss:
            known = (*known, q.some_option(turn.game, s, turn.mover, lambda _: YES))
        return Entailment(known, disjunction(*(q.truth(when, q.seen(s)) for when in whens)))

    return ask
