"""What terms need in order to have a value, collected while they are read; and the time that reading may take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from claims.language.errors import NimChecksError
from encoders.logic.smt.formulas import TRUE, Formula, implies


class OutOfTime(NimChecksError):
    """The time budget of the route is used up."""


@dataclass
class Needs:
    """`conditions`: each must hold for what has been read so far to have a value.

    `deadline`: of the monotonic clock, in seconds; None for none.
    """

    deadline: float | None = None
    conditions: list[Formula] = field(default_factory=list)

    def require(self, *conditions: Formula) -> None:
        """Note what is needed, under all that has been passed on the way here."""
        self.conditions += [x for x in conditions if x is not TRUE]

    @contextmanager
    def under(self, condition: Formula) -> Iterator[None]:
        """What is needed inside is needed only under the condition."""
        with self.apart() as found:
            yield
        self.require(*(implies(condition, x) for x in found))

    @contextmanager
    def apart(self) -> Iterator[list[Formula]]:
        """What is needed inside is put into this list instead, once it is over."""
        found: list[Formula] = []
        before, self.conditions = self.conditions, found
        try:
            yield found
        finally:
            self.conditions = before

    @property
    def left(self) -> float | None:
        """The seconds that are left, negative past the deadline; None if there is no deadline."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def check_time(self) -> None:
        """Raises OutOfTime past the deadline: writing the constraints down may take longer than solving them."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime
