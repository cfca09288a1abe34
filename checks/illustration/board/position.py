"""The board of a position: whoever loses from it is the reader's part, and every move of his is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from checks.illustration.board.layout import Start, lay_out
from checks.judgement.solving.solution import GAME
from checks.judgement.solving.solver import PositionSolver
from checks.judgement.telling.saying import show_position
from checks.results.pictures import PlayableClaim
from claims.language.builtins.meanings import Position, Value
from claims.language.statement.rulesets import Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, PLAYER, POSITION
from encoders.exhaustive.losing import make_claim


def lay_out_position(solver: PositionSolver, s: Position, mover: int, wins: bool) -> PlayableClaim | None:
    """The board of a position with a player to move, of two; None without a move, and where it would be too large."""
    return lay_out_play(solver.ruleset, solver.parameters, s, mover, solver.name_player(mover) if wins else "")


def lay_out_play(
    ruleset: Ruleset, parameters: Mapping[str, Value], s: Position, mover: int, winner: str
) -> PlayableClaim | None:
    """The same by the rules. `winner`: the name of the player to move, if he wins, else ""."""
    args = (t.Variable(POSITION, 0, 0, "s"), t.Literal(PLAYER, 0, 0, mover))
    asked = t.GameCall(BOOL, 0, 0, "wins", GAME, args)
    found = lay_out(make_claim(ruleset, parameters, GAME, asked), Start({"s": s}, asked, True))
    if found is None:
        return None
    at = show_position(s)
    task = f"You are {found.reader}, to move at {at}. You lose, however you play. Try to win."
    if winner:
        task = f"You are {found.reader}; {winner} moves first, at {at}, and wins. Try to stop him."
    return replace(found, task=task, outcome=f"Every move is answered: {found.reader} loses from {at}.", at_stake=False)
