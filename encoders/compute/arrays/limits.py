"""What stops an exhaustive search: time, size, and rulesets that cannot be played."""

from __future__ import annotations

import time
from collections.abc import Callable

from claims.language.errors import NimChecksError
from claims.language.interrupts import Interrupted
from claims.language.syntax.grammar import MAX_SHOWN_BITS, digits
from encoders import refusals

MAX_CELLS = 2_000_000  # cases of one frame that are held in memory at once; larger ones are split
MAX_POSITIONS = 3_000_000  # positions of one game, or of one variable's scope
MAX_EDGES = 40_000_000  # legal moves of one game held in memory
MAX_ROWS = 4_000_000  # choices of the variables that depend on no position
MAX_CASES = 4_000_000_000  # beyond, a scope is refused: hours even at full speed
MAX_NUMBER_BITS = 1_000_000  # binary digits of one integer
SAFE = 1 << 62  # below it, sums of two int64 cannot overflow


TooLarge = refusals.TooLarge  # the machine of the kernel raises it too


class OutOfTime(NimChecksError):
    """The time budget of the claim is used up."""


class TooWide(TooLarge):
    """Too large for all cases of a frame at once: half of them may do."""


class PastLimit(NimChecksError):
    """The value at one case is too much to compute; the message says what of it."""


class BadRuleset(NimChecksError):
    """A ruleset that cannot be played: a negative heap, a move that does not decrease the measure, ..."""


class Deadline:
    """A deadline. `check` is called between array operations, each of which takes well under a second.

    `limit`: the last limit that left a case without a value, in words; "" if none did.
    `fallbacks`: the engines that were asked meanwhile and did not answer, each with the reason.
    `now`: seconds since some moment; by default, CPU time of this process.
    """

    def __init__(self, seconds: float | None, now: Callable[[], float] = time.process_time) -> None:
        self.limit = ""
        self.fallbacks = set[tuple[str, str]]()
        self.now = now
        self.deadline = None if seconds is None else now() + seconds

    def check(self) -> None:
        """Raises OutOfTime past the deadline, KeyboardInterrupt after a signal."""
        Interrupted.check()
        if self.deadline is not None and self.now() > self.deadline:
            raise OutOfTime


def group_digits(number: int) -> str:
    """A number with its digits in groups of three; of a very long one, how long it is.

    >>> group_digits(1234567), group_digits(2**4000)
    ('1 234 567', 'an integer of 4001 bits')
    """
    if number.bit_length() > MAX_SHOWN_BITS:
        return digits(number)
    return f"{number:,}".replace(",", " ")
