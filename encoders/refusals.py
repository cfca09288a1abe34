"""What a route refuses to translate: the one error by which rules, readers and encoders say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claims.language.errors import NimChecksError
from encoders.trust import OpenReason

if TYPE_CHECKING:
    from claims.language.files.claim import Claim


class Unsupported(NimChecksError):
    """What a route cannot translate, in words that reach the report. `cause`: where that tells what to do about it.

    `instead`: what to write, where something else means the same.
    """

    def __init__(self, words: str = "", cause: OpenReason | None = None, instead: str = "") -> None:
        super().__init__(f"{words}; instead, {instead}" if instead else words)
        self.cause = cause


def require_numbers(claim: Claim) -> None:
    """Refuse a claim about heaps with parts, by whoever knows heaps that are numbers. Raises Unsupported.

    What is refused by `require_usual_ends` is refused as well.
    """
    require_usual_ends(claim)
    if claim.has_parts:
        names = ", ".join(game.ruleset.id for game in claim.games if game.ruleset.heap is not None)
        raise Unsupported(f"the heaps of {names} have parts, and this is for heaps that are numbers")


def require_usual_ends(claim: Claim) -> None:
    """Refuse a claim in whose games it is not the last move alone that decides who wins. Raises Unsupported."""
    if claim.unusual:
        raise Unsupported(f"{claim.unusual}: that is looked at case by case, and in no other way")


class TooLarge(NimChecksError):
    """More memory would be needed than a laptop should give; the message says of what there is too much."""
