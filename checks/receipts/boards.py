"""The board of a receipt, compared with the one that the referee makes again of the claim."""

from __future__ import annotations

from pathlib import Path

from checks.illustration.board.starts import board_of
from checks.receipts.bounded_json import quote
from checks.receipts.consistency import Disagreement
from checks.receipts.writing import encode_board
from checks.results.values import Json
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import Case


def check_board(path: Path, told: Json, claim: Claim, scope: Scope, failing: Case | None, sums: bool) -> str:
    """A line on the board that a receipt tells of. Raises Disagreement where it is not the one that the claim has.

    `failing`: the case at which the claim fails, None if it holds.
    """
    board = board_of(claim, scope, failing, sums)
    made = None if board is None else encode_board(board)
    if told != made:
        key, old, new = find_difference("board", told, made)
        raise Disagreement(f"{path}: {key}: {quote(old)}; expected {quote(new)}, as the referee plays")
    moves = 0 if board is None else sum(len(place.moves) for place in board.places)
    return f"the board: each of its {moves} moves made again by the referee" if moves else ""


def find_difference(key: str, old: Json, new: Json) -> tuple[str, Json, Json]:
    """The first place at which two values of JSON differ, and the parts there."""
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        return next(find_difference(f"{key}.{k}", old[k], new[k]) for k in old if old[k] != new[k])
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        at = next(i for i, (x, y) in enumerate(zip(old, new, strict=True)) if x != y)
        return find_difference(f"{key}[{at}]", old[at], new[at])
    return key, old, new
