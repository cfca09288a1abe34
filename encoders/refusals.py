"""The error that rules, readers and encoders raise if a route cannot translate a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claims.language.errors import NimChecksError
from encoders.trust import OpenReason

if TYPE_CHECKING:
    from claims.language.files.claim import Claim


class Unsupported(NimChecksError):
    """A construct that a route cannot translate; the message reaches the report.

    `cause`: a known reason that implies what the user can do.
    `instead`: an equivalent construct to write, if there is one.
    """

    def __init__(self, words: str = "", cause: OpenReason | None = None, instead: str = "") -> None:
        super().__init__(f"{words}; instead, {instead}" if instead else words)
        self.cause = cause


def require_numbers(claim: Claim) -> None:
    """Raise Unsupported if a claim has heaps with parts, or if `require_usual_ends` refuses it."""
    require_usual_ends(claim)
    if claim.has_parts:
        names = ", ".join(game.ruleset.id for game in claim.games if game.ruleset.heap is not None)
        raise Unsupported(f"the heaps of {names} have parts; expected heaps that are numbers")


def require_usual_ends(claim: Claim) -> None:
    """Raise Unsupported if the winner of a game in the claim does not depend only on who moves last."""
    if claim.unusual:
        raise Unsupported(f"{claim.unusual}: only a search case by case supports this")


class TooLarge(NimChecksError):
    """The computation needs more memory than a laptop should give; the message names the quantity that is too large."""
