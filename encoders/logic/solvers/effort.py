"""How much may be spent on a proof. Apart from the solvers, so that asking for it does not load them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """What may be spent on one obligation.

    `steps`: Z3's own count of steps, reproducible, unlike seconds; the search for certificates may grow with them, see
    `scale_of`.  `seeds`: of its runs, which must all agree.  `second`: whether others are asked too.
    """

    steps: int = 60_000_000
    seeds: tuple[int, ...] = (17, 1, 4711)
    second: bool = False


USUAL = Effort()


def scale_of(steps: int) -> int:
    """How many times as much as usual the search for a certificate may spend: never less than usual.

    >>> scale_of(USUAL.steps // 20), scale_of(3 * USUAL.steps)
    (1, 3)
    """
    return max(1, steps // USUAL.steps)
