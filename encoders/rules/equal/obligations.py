"""The obligations about equal games.

In order: for each game that it is one that ends; that the region has a value at every position; the facts of the proof;
for each player, closed (no move of the first game leads out of the region) and the same moves, both ways; and for each
choice of the claim's players, that the claim has a value, and the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from claims.language.expressions import terms as t
from claims.language.statement.claim import Claim, Game
from encoders.answer import Unsupported
from encoders.logic.definedness import needs
from encoders.logic.reader import Posed
from encoders.logic.terms import both, either, equal, implies
from encoders.rules.equal import labels
from encoders.rules.equal.reader import EqualReader
from encoders.rules.equal.section import EqualProof
from encoders.rules.folds.obligations import about_facts, about_rules, needed
from encoders.rules.folds.reading.moves import gives, outcome_of, pick_freely, play, playable
from encoders.rules.folds.reading.positions import Position

Ask = Callable[[EqualReader], Posed]


def two_games(claim: Claim) -> tuple[Game, Game]:
    """The games that are compared. Raises Unsupported unless they are two whose ends and players are alike."""
    if len(claim.games) != 2:
        raise Unsupported(f"the rule compares two games: the claim has {len(claim.games)}")
    first, second = claim.games
    one, other = first.ruleset, second.ruleset
    if len(one.players) != 2 or one.players != other.players:
        raise Unsupported(f"{one.id} and {other.id}: the rule compares games of the same two players")
    if one.stuck_wins is not other.stuck_wins:
        raise Unsupported(f"{one.id} and {other.id}: who cannot move wins the one and loses the other")
    return first, second


def movers(claim: Claim) -> tuple[tuple[str, int], ...]:
    """Those whose moves may differ, by name and index: one, without a name, if nobody's do. Raises Unsupported."""
    first, second = two_games(claim)
    if first.ruleset.impartial and second.ruleset.impartial:
        return (("", 0),)
    return tuple((name, i) for i, name in enumerate(first.ruleset.players))


def about_games(claim: Claim, proof: EqualProof) -> Iterator[tuple[str, Ask]]:
    """All but what is about the claim itself, with names."""
    first, second = two_games(claim)
    for game in (first, second):
        yield from about_rules(claim, game)
    for need in needs(proof.region, (), claim):
        yield labels.defined(need.words), needed(claim, [need])
    yield from about_facts(claim, proof)
    for who, mover in movers(claim):
        yield labels.closed(who), partial(_closed, game=first, mover=mover)
        for one, other in ((first, second), (second, first)):
            yield labels.same(who, one.name, other.name), partial(_same, one=one, other=other, mover=mover)


def _inside(q: EqualReader) -> tuple[Position, t.Term, t.Term]:
    """A position of the region, as a rest and a heap beside it: (the rest, the heap, that it lies there)."""
    rest, heap = q.position("rest"), q.size("heap", low=1)
    return rest, heap, q.is_inside(q.beside("before", rest, heap))


def _closed(q: EqualReader, game: Game, mover: int) -> Posed:
    rest, heap, inside = _inside(q)
    goals = []
    for move in playable(game, mover):
        legal, size, made = play(q, move, heap, rest, None)
        goals.append(implies(both(legal, made), q.is_inside(q.after(rest, size))))
    return Posed((inside,), both(*goals))


def _same(q: EqualReader, one: Game, other: Game, mover: int) -> Posed:
    """Where a move of the one is legal, one of the other is, with the same numbers picked, and leaves the same."""
    rest, heap, inside = _inside(q)
    goals = []
    for move in playable(one, mover):
        take = pick_freely(q, move, heap)
        legal, becomes = outcome_of(q, move, heap, rest, take)
        ways = []
        for way in playable(other, mover):
            if gives(way, take):
                allowed, leaves = outcome_of(q, way, heap, rest, take)
                ways.append(both(allowed, equal(leaves, becomes)))
        goals.append(implies(legal, either(*ways)))
    return Posed((inside,), both(*goals))
