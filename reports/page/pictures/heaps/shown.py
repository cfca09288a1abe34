"""The pictures in the explanation of a counterexample: first moves from it, each with the answer."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from checks.results.phrases import position_phrase
from checks.results.pictures import DrawnPositions, HeapDrawing, PlayableClaim, ShownPosition
from reports.page.pictures.heaps.draw import draw_position

MOST_SHOWN = 6  # first moves that are shown; where there are more, the board has them all


@dataclass(frozen=True)
class ShownMove:
    """A move and perhaps its answer: who moves, what is left, in words and as a drawing."""

    steps: tuple[tuple[str, str, Markup], ...]
    says: str


def list_shown(board: PlayableClaim | None, drawn: DrawnPositions | None) -> tuple[ShownMove, ...]:
    """The first moves of a board that begins at a position of a counterexample, and the answers to them.

    () where nothing is drawn, and where it begins elsewhere.
    """
    if board is None or drawn is None or board.drawing is None:
        return ()
    if board.places[0].position not in [position for _, position in drawn.positions]:
        return ()
    found, first = list[ShownMove](), board.places[0]
    beside = [place.position for place in board.places]
    for after, number in first.moves[:MOST_SHOWN]:
        place, steps = board.places[number], [_show(board.drawing, first.mover, after, beside)]
        if place.answers:
            reply, number = place.moves[0]
            steps.append(_show(board.drawing, place.mover, reply, beside))
        found.append(ShownMove(tuple(steps), board.places[number].says))
    return tuple(found) if all(picture or not s for move in found for s, _, picture in move.steps) else ()


def _show(
    drawing: HeapDrawing, mover: str, after: ShownPosition, beside: list[ShownPosition]
) -> tuple[str, str, Markup]:
    return mover, position_phrase(after), draw_position(drawing, after, beside)
