"""What keeps a picture from being drawn."""

from __future__ import annotations


class Differs(Exception):
    """Two routes say different things of what is to be drawn; the message says which."""
