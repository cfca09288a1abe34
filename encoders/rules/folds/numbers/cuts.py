"""What moves do to remainders, shown apart from nim-sums: a solver that has to see both at once sees neither.

Of a nim-sum X of terms with a remainder by a symbol some things are tried, as arithmetic without bound: that no legal
move leaves the term of its heap as it was; of a named move at the top bit of X, that it adds X to that term; of others,
that they lower it by what they take, or leave 0 or 1 of it.  What goes through is an obligation of the proof, and known
from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from claims.language.expressions import terms as t
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim, Game
from encoders.logic.moves import movers
from encoders.logic.reader import Posed
from encoders.logic.sequent import Sequent
from encoders.logic.terms import both, implies
from encoders.rules.folds import turns
from encoders.rules.folds.numbers.effects import ADDED, EFFECTS, Cuts, changes
from encoders.rules.folds.numbers.weakening import forget_nim_sums
from encoders.rules.folds.reading.moves import done_to, is_for, nim_sum_of, picks_of, play, play_named, playable
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.folds.section import FoldsProof, NamedMove
from encoders.rules.rule import Surroundings, pose


def find_cuts(
    claim: Claim, proof: FoldsProof, start: Callable[[], FoldReader], surroundings: Surroundings
) -> tuple[Cuts, list[Sequent]]:
    """Those that are plainly so, and the obligations that show them, read from `start`. Raises Unsupported."""
    names = [fold.name for fold in proof.folds if _divides(fold.term)]
    changing = {name: _change(claim, start, name) for name in names}
    doing = {
        (named, name, effect): _effect(claim, start, number, named, name, effect)
        for number, named in enumerate(proof.moves, 1)
        for name in names
        for effect in EFFECTS
        if (effect == ADDED) is (named.top_bit == name)
    }
    shown = [s for s in (*changing.values(), *doing.values()) if surroundings.decide(s)]
    return Cuts(
        tuple(name for name, s in changing.items() if s in shown),
        tuple(what for what, s in doing.items() if s in shown),
    ), shown


def _divides(fold: t.Term) -> bool:
    """Whether a nim-sum has terms with a remainder by a symbol."""
    if not isinstance(fold, t.Comprehension) or fold.reducer != "nim_sum":
        return False
    return any(
        isinstance(x, t.Operation) and x.op == "mod" and not isinstance(x.args[1], t.Literal) for x in walk(fold)
    )


def _turns(claim: Claim) -> Iterator[tuple[Game, int]]:
    for game in claim.games:
        for mover in movers(game):
            yield game, mover


def _pose(start: Callable[[], FoldReader], name: str, ask: Callable[[FoldReader], Posed]) -> Sequent:
    def build() -> Sequent:
        q = start()
        return forget_nim_sums(q.sequent(name, ask(q)))

    return pose(name, build)


def _change(claim: Claim, start: Callable[[], FoldReader], name: str) -> Sequent:
    """Whichever legal move is made, in whichever of the claim's games."""

    def ask(q: FoldReader) -> Posed:
        rest, heap, goals = q.position("rest"), q.size("heap", low=1), []
        for game, mover in _turns(claim):
            for move in playable(game, mover):
                legal, size, made = play(q, move, heap, rest, None)
                goals.append(implies(both(legal, made), changes(nim_sum_of(q, name), heap, size)))
        return Posed((), both(*goals))

    return _pose(start, turns.changing(name), ask)


def _effect(
    claim: Claim, start: Callable[[], FoldReader], number: int, named: NamedMove, name: str, effect: str
) -> Sequent:
    """Whoever may make the named move, in whichever of the claim's games."""

    def ask(q: FoldReader) -> Posed:
        s, goals = q.position("s"), []
        for game, mover in _turns(claim):
            moves = playable(game, mover)
            if is_for(named, moves, mover):
                for where, heap, rest in picks_of(q, named, s):
                    legal, size, made = play_named(q, named, moves[0], s, where, heap, rest)
                    goals.append(implies(both(where, legal, made), done_to(q, s, name, effect, heap, size)))
        return Posed((), both(*goals))

    return _pose(start, turns.doing(number, effect, name), ask)
