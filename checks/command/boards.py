"""The web page that `solve --html` writes, on which the user can play from a solved position."""

from __future__ import annotations

from pathlib import Path

from checks.boards.board import MOST_PLACES, lay_out_position
from checks.boards.question import Solution
from checks.boards.solver import PositionSolver
from checks.command.position_text import describe_turn, tell_end, tell_outcome
from checks.judgement.explain import show_position
from claims.language.errors import ClaimError, SourceLocation
from claims.language.file_writing import write_file
from reports.html import to_position_page


def write_page(path: Path, solver: PositionSolver, found: Solution) -> None:
    """Write the page on which the user plays from a solved position.

    Raises ClaimError if the game cannot be played on a board, if the position has no move or too many followers, or if
    the file cannot be written.
    """
    at = show_position(found.position)
    if solver.ruleset.unusual:
        raise ClaimError(
            SourceLocation("--html"), f"this game cannot be played on a board: {solver.ruleset.unusual}", "another game"
        )
    plays = []
    for turn in found.turns if len(found.players) == 2 and not found.limit else ():
        mover = solver.read_mover(turn.mover) if turn.mover else 0
        board = lay_out_position(solver, found.position, mover, turn.value == 0)
        plays += [] if board is None else [(f"{solver.name_player(mover)} moves first", board)]
    if not plays:
        problem = f"there is no board from {at}"
        expected = f"two players, at least one move, and at most {MOST_PLACES} reachable positions"
        raise ClaimError(SourceLocation("--html"), problem, expected)
    try:
        turns = [describe_turn(turn, found.players) for turn in found.turns]
        thermograph = solver.find_thermograph(found.position) if found.partizan else None
        walls = (thermograph.left, thermograph.right) if thermograph else None
        told = [*tell_outcome(found)]
        page = to_position_page(f"{found.game}: {at}", told, turns, [*tell_end(found)], plays, walls)
        write_file(path, page)
    except OSError as error:
        raise ClaimError(SourceLocation(str(path)), f"cannot be written: {error.strerror}") from None
