"""What a route refuses to translate: the one error by which rules, readers and encoders say so."""

from __future__ import annotations

from claims.language.ground.errors import NimChecksError
from encoders.ground.kinds import Cause


class Unsupported(NimChecksError):
    """What a route cannot translate, in words that reach the report. `cause`: where that tells what to do about it.

    `instead`: what to write, where something else means the same.
    """

    def __init__(self, words: str = "", cause: Cause | None = None, instead: str = "") -> None:
        super().__init__(f"{words}; instead, {instead}" if instead else words)
        self.cause = cause


class TooLarge(NimChecksError):
    """More memory would be needed than a laptop should give; the message says of what there is too much."""
