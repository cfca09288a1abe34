"""What stops an exhaustive search: time, size, and rulesets that cannot be played."""

from __future__ import annotations

import time

MAX_CELLS = 6_000_000  # cases of one frame that are held in memory at once; larger ones are split
MAX_POSITIONS = 3_000_000  # positions of one game
MAX_EDGES = 40_000_000  # legal moves of one game held in memory


class OutOfTime(Exception):
    """The time budget of the claim is used up."""


class TooLarge(Exception):
    """More memory would be needed than a laptop should give; the message says of what there is too much."""


class BadRuleset(Exception):
    """A move of the ruleset makes a negative heap, or does not decrease the measure."""


class Clock:
    """A deadline. `check` is called between array operations, each of which takes well under a second."""

    def __init__(self, seconds: float | None) -> None:
        self.deadline = None if seconds is None else time.monotonic() + seconds

    def check(self) -> None:
        """Raises OutOfTime past the deadline."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime
