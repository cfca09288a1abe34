"""The lines of an outline for named moves on several heaps: one for each way that such a move may go."""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.expressions import terms as t
from claims.language.expressions.types import INT
from encoders.logic.moves import open_several
from encoders.logic.terms import both
from encoders.rules.folds.section import FoldsProof
from encoders.rules.folds.several.names import closed_on
from encoders.rules.folds.several.section import Case, LongMove, Pick, heap_name
from encoders.rules.folds.turns import MoveNames, Turn
from encoders.rules.outline import Cell, Line, Table, say, show_moves, when

COLUMNS = ("When", "Heaps", "Move")
Shown = tuple[tuple[str, str], ...]


def closed(turn: Turn) -> Shown:
    """What shows that no move leads from a loss to a loss."""
    counts = sorted({len(move.heaps) for move in open_several(turn.game, turn.mover)})
    heaps = {1: "no move on one heap leads to a loss"}
    return tuple((heaps.get(n, f"no move on {n} heaps leads to a loss"), closed_on(turn, n)) for n in counts)


def moves(proof: FoldsProof, turn: Turn) -> list[Table]:
    """The tables of named moves."""
    replies = turn.replies(proof.several)
    others = turn.others(proof.several) if turn.game.ruleset.stuck_wins else []
    return show_moves(turn.player, COLUMNS, len(replies), _lines(replies), _lines(others))


def _lines(named: list[tuple[MoveNames, LongMove]]) -> Iterator[Line]:
    for called, move in named:
        yield from _of(called, move.case, move.to_loss, (), (), ())


def _of(
    called: MoveNames, case: Case, to_loss: bool, whens: tuple[t.Term, ...], picks: tuple[Pick, ...], shown: Shown
) -> Iterator[Line]:
    """The ways that go through a case. What its parts have in common is shown with the first of them."""
    whens = (*whens, case.when)
    if case.pick is not None:
        picks, shown = (*picks, case.pick), (*shown, ("a heap to pick exists", called.heap))
    if not case.then:
        shown = (*shown, ("legal", called.legal), *((("leads to a loss", called.to_loss),) if to_loss else ()))
        yield Line((when(both(*whens)), _heaps(picks), _taken(case)), shown)
        return
    shown = (*shown, ("one of the cases holds", called.covered))
    for number, inner in enumerate(case.then, 1):
        yield from _of(called.then(number), inner, to_loss, whens, picks, shown)
        shown = ()


def _heaps(picks: tuple[Pick, ...]) -> Cell:
    parts: list[str | t.Term] = []
    for number, pick in enumerate(picks, 1):
        parts += ["and then" if parts else "", t.Variable(INT, 0, 0, heap_name(number))]
        if pick.top is not None:
            parts += ["with the top bit of", pick.top]
        elif pick.having is not None:
            parts += ["with", pick.having]
        else:
            parts.append("any")
    return say(*parts)


def _taken(case: Case) -> Cell:
    parts: list[str | t.Term] = []
    for number, take in enumerate(case.takes, 1):
        for name, term in take:
            and_ = "and " if parts else ""
            if len(case.takes) > 1:
                parts += [f"{and_}{name} of", t.Variable(INT, 0, 0, heap_name(number)), "=", term]
            else:
                parts += [f"{and_}{name} =", term]
    return say(*parts)
