"""What can go wrong with workers elsewhere, in words for whoever started the run."""

from __future__ import annotations

from claims.language.ground.errors import NimChecksError


class Unfit(NimChecksError):
    """Nothing can be settled there: no scheduler, or a worker that is not as this program. The run has no result."""


class SchedulerGone(NimChecksError):
    """The scheduler no longer answers. What came in before stands."""


class Lost(NimChecksError):
    """Several workers died of one piece of work, one after the other."""
