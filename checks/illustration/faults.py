"""What keeps a picture from being drawn."""

from __future__ import annotations

from claims.language.ground.errors import NimChecksError


class Differs(NimChecksError):
    """Two routes say different things of what is to be drawn; the message says which."""


class NotDrawn(NimChecksError):
    """What is asked for cannot be drawn; the message says why."""
