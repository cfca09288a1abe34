"""Heaps with parts as pictures show them: how those of a game are drawn, and which positions a case is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, as_elements, as_heaps, as_integer
from checks.referee.play import RefereeGame
from checks.results.pictures import DrawnAs, DrawnPositions, HeapDrawing, ShownPosition
from claims.language.builtins.meanings import Position
from claims.language.expressions.walk import free_names
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.answer import Case

COMPOUND_STEPS = 200_000  # of the referee, for the positions of one case

AskedPosition = tuple[str, RefereeGame, Position]
"""The variable that is a position, or "", the game that is asked about it, and the position."""


def draw_heaps(game: RefereeGame) -> HeapDrawing | None:
    """How heaps of a game are drawn; None where they are numbers."""
    shape = game.ruleset.heap
    if shape is None:
        return None
    names, drawn = tuple(part.name for part in shape.parts), shape.drawn
    if drawn is None:
        return HeapDrawing(DrawnAs.PARTS, names)
    edges = as_elements(game.parameters[drawn.edges]) if drawn.edges else ()
    return HeapDrawing(drawn.kind, names, drawn.parts, tuple(map(as_integer, edges)))


def find_positions(referee: Referee, case: Case) -> list[AskedPosition]:
    """The positions that a claim speaks of at a case, each once: those of its variables first. Raises IllDefined.

    Raises LimitReached too. `referee`: of the claim; it keeps its games for the next case.
    """
    claim, found = referee.claim, dict[Position, AskedPosition]()
    asked = [(t.Variable(v.type, 0, 0, v.name), claim.games[0].name) for v in claim.variables if v.type.is_position]
    calls = [(call.args[0], call.game) for call in _list_calls(claim.conclusion)]
    for term, game in (*asked, *calls):
        if term.type.is_position and set(free_names(term)) <= set(case):
            s = as_heaps(referee.evaluate(term, case))
            found.setdefault(s, (term.name if isinstance(term, t.Variable) else "", referee.game(game, case), s))
    return list(found.values())


def _list_calls(term: t.Term) -> Iterator[t.GameCall]:
    if isinstance(term, t.GameCall) and term.args:
        yield term
    for x in t.subterms(term):
        yield from _list_calls(x)


def draw_case(claim: Claim, case: Case) -> DrawnPositions | None:
    """The positions of a counterexample as pictures; None where heaps are numbers, and where a limit is met."""
    try:
        found = find_positions(Referee(claim, COMPOUND_STEPS), case)
    except (IllDefined, LimitReached):
        return None
    drawings = [x for x in (draw_heaps(game) for _, game, _ in found) if x is not None]
    if not drawings:
        return None
    return DrawnPositions(drawings[0], tuple((name, cast(ShownPosition, s)) for name, _, s in found))
