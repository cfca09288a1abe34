"""Limits of an exhaustive search, and the errors that it raises at a limit or for an invalid ruleset."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable

from claims.language.errors import NimChecksError
from claims.language.interrupts import Interrupted
from claims.language.syntax.grammar import MAX_SHOWN_BITS, digits
from encoders import refusals

MAX_CELLS = 2_000_000  # cases that are evaluated at once; more cases are split
MAX_POSITIONS = 3_000_000  # positions of one game, or of one variable's scope
MAX_EDGES = 40_000_000  # legal moves of one game held in memory
MAX_ROWS = 4_000_000  # combinations of the variables that do not depend on a position
MAX_IN_PARTS = 300_000_000  # the same, if tables answer the questions about games; they take about a minute
MAX_CASES = 4_000_000_000  # largest scope; a larger one takes hours even at full speed
MAX_NUMBER_BITS = 1_000_000  # binary digits of one integer
SAFE = 1 << 62  # a sum of two smaller numbers fits into int64


TooLarge = refusals.TooLarge  # defined elsewhere because the kernel's machine raises it too


class OutOfTime(NimChecksError):
    """The time budget of the claim is used up."""


class TooWide(TooLarge):
    """There are too many cases to evaluate at once. The caller may evaluate the two halves separately."""


class PastLimit(NimChecksError):
    """The value of an operation is too large to compute, such as 2^(10^9); the message gives the reason."""


class BadRuleset(NimChecksError):
    """An invalid ruleset: for example, a move makes a heap negative or does not decrease the measure."""


class Deadline:
    """A time limit. Call `check` between array operations, each of which takes well under a second.

    `limit`: the message of the last limit that left a case without a value; "" if there was none.
    `fallbacks`: pairs (engine, reason) for the engines that were tried and failed.
    `now`: returns seconds since a fixed moment; by default the CPU time of this process.
    """

    def __init__(self, seconds: float | None, now: Callable[[], float] = time.process_time) -> None:
        self.limit = ""
        self.fallbacks = set[tuple[str, str]]()
        self.now = now
        self.deadline = None if seconds is None else now() + seconds

    def check(self) -> None:
        """Raise OutOfTime past the deadline, and KeyboardInterrupt after a signal."""
        Interrupted.check()
        if self.deadline is not None and self.now() > self.deadline:
            raise OutOfTime


def group_digits(number: int) -> str:
    """Format a number with its digits in groups of three; for a very long number, state its length.

    >>> group_digits(1234567), group_digits(2**4000)
    ('1 234 567', 'an integer of 4001 bits')
    """
    if number.bit_length() > MAX_SHOWN_BITS:
        return digits(number)
    return f"{number:,}".replace(",", " ")


def return_memory() -> None:
    """Return freed memory to the system, so that the kernel can reserve it after a search that was too large.

    An instance of the kernel may be part of a reference cycle, so garbage is collected first.
    """
    gc.collect()
    release = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if release is not None:
        release(0)
