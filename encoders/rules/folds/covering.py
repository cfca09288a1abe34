"""Who wins: the positions from which named moves are made, and that there is one for each of them."""

from __future__ import annotations

from collections.abc import Iterable

from claims.language.expressions import terms as t
from encoders.logic.reader import Posed
from encoders.logic.terms import ONE, at_least, either, negation
from encoders.rules.folds.reading.positions import Position
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.folds.turns import Turn


def start(q: FoldReader, turn: Turn, at_loss: bool) -> tuple[Position, tuple[t.Term, ...]]:
    """A position that the mover loses, or does not: (the position, that).

    Under misere play one with a heap, where he does not: for without he wins at once.
    """
    s = q.position("s")
    if at_loss:
        return s, (q.loses(s, turn.mover),)
    some = (at_least(s.fold(q.heaps), ONE),) if turn.game.ruleset.stuck_wins else ()
    return s, (negation(q.loses(s, turn.mover)), *some)


def pose_covered(q: FoldReader, turn: Turn, whens: Iterable[t.Term], at_loss: bool) -> Posed:
    """That at every such position one of the conditions holds, under which a move is named."""
    s, known = start(q, turn, at_loss)
    return Posed(known, either(*(q.truth(when, q.seen(s)) for when in whens)))
