"""What the obligations about values are called, where a line of the proof is shown by them."""

from __future__ import annotations

CLOSED = "region closed"
RANGE = "range"
EMPTY = "empty"
LEAST = "least"
COVER = "options cover"
CLAIM = "claim"


def attains(number: int) -> str:
    """That an option, numbered from 0, has the least value."""
    return f"option {number + 1}: attains"
