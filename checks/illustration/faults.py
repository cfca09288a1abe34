"""What keeps a picture from being drawn."""

from __future__ import annotations


class Differs(Exception):
    """Two routes say different things of what is to be drawn; the message says which."""


class NotDrawn(Exception):
    """What is asked for cannot be drawn; the message says why."""
