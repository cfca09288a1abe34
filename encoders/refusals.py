"""The error that rules, readers and encoders raise if a route cannot translate a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claims.language.errors import NimChecksError
from encoders.trust import OpenReason

if TYPE_CHECKING:
    from claims.language.files.claim import Claim


class Unsupported(NimChecksError):
    """An error: a route does not support a construct of the claim. The report shows the message.

    `cause`: a known reason, for which the report can suggest a remedy; else None.
    `instead`: an equivalent construct to write, if there is one.
    """

    def __init__(self, words: str = "", cause: OpenReason | None = None, instead: str = "") -> None:
        super().__init__(f"{words}; instead, {instead}" if instead else words)
        self.cause = cause


def require_numbers(claim: Claim) -> None:
    """Raise Unsupported if a claim has heaps with parts, or if `require_usual_ends` raises it."""
    require_usual_ends(claim)
    if claim.has_parts:
        names = ", ".join(game.ruleset.id for game in claim.games if game.ruleset.heap is not None)
        raise Unsupported(f"the heaps of {names} have parts; expected heaps that are numbers")


def require_usual_ends(claim: Claim) -> None:
    """Raise Unsupported if a game of the claim has an unusual ending, or if the claim asks an unusual question.

    See `Claim.unusual`.
    """
    if claim.unusual:
        raise Unsupported(f"{claim.unusual}: only the search of the scope supports this")


class TooLarge(NimChecksError):
    """An error: a computation would need too much memory. The message names the quantity that is too large."""
