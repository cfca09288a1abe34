"""The errors for claims that a route cannot handle: unsupported constructs, and computations that are too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claims.language.errors import NimChecksError
from encoders.trust import OpenReason

if TYPE_CHECKING:
    from claims.language.files.claim import Claim


class Unsupported(NimChecksError):
    """An error: a proof rule or another route does not support something in the claim. The report shows the message.

    `words`: the message.
    `cause`: a reason for which the report can suggest a remedy; None for other reasons.
    `instead`: a supported construct that the author can write. It is added to the message after "instead, ".
    """

    def __init__(self, words: str = "", cause: OpenReason | None = None, instead: str = "") -> None:
        super().__init__(f"{words}; instead, {instead}" if instead else words)
        self.cause = cause


def require_numbers(claim: Claim) -> None:
    """Raise Unsupported if heaps in the claim have parts, or for any reason of `require_usual_ends`."""
    require_usual_ends(claim)
    if claim.has_parts:
        names = ", ".join(game.ruleset.id for game in claim.games if game.ruleset.heap is not None)
        raise Unsupported(f"the heaps of {names} have parts; expected heaps that are numbers")


def require_usual_ends(claim: Claim) -> None:
    """Raise Unsupported if a game or a question of the claim is unusual in the sense of `Claim.unusual`.

    Proof rules do not support such claims.
    """
    if claim.unusual:
        raise Unsupported(f"{claim.unusual}: only the search of the scope supports this")


def refuse_combined_games(claim: Claim) -> None:
    """Raise Unsupported if a lemma of the claim's [proof] is about combined games, such as sums of two games."""
    for lemma in claim.lemmas:
        if lemma.claim.combines_games:
            raise Unsupported(f"the lemma {lemma.id} combines games: only the search of the scope supports this")


class TooLarge(NimChecksError):
    """An error: a computation would need too much memory. The message names the quantity that is too large."""
