"""What can go wrong with workers elsewhere, in words for whoever started the run."""

from __future__ import annotations


class Unfit(Exception):
    """Nothing can be settled there: no scheduler, or a worker that is not as this program. The run has no result."""


class SchedulerGone(Exception):
    """The scheduler no longer answers. What came in before stands."""


class Lost(Exception):
    """Several workers died of one piece of work, one after the other."""
