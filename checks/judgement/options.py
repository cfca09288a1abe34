"""What is asked of a run, as far as the verdict of a claim may depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from claims.language.errors import NimChecksError
from encoders.solvers.effort import USUAL, Effort

Overrides = tuple[tuple[str, str], ...]  # ("k", "1..20"), ("s.heaps", "0..5")


class BadOverride(NimChecksError):
    """A `--set` that cannot be read, or that names nothing."""


@dataclass(frozen=True)
class Options:
    """How a run settles its claims. `routes`: () for all.

    `budget`: seconds for each route of a claim, None for no limit.
    `mutants`: whether the mutants of the claims that hold are tried too, with as much time again.
    `effort`: what may be spent on each obligation of a proof.
    """

    profile: str = "quick"
    overrides: Overrides = ()
    budget: float | None = 60.0
    routes: tuple[str, ...] = ()
    mutants: bool = False
    effort: Effort = USUAL
