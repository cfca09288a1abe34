"""The exhaustive route: every case of a scope, with an early stop at the smallest counterexample of all of them.

For an [exists] claim the roles are swapped: the search is for the smallest witness.
"""

from __future__ import annotations

import time
from dataclasses import replace

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Answer
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.cases.cover import NAME, Cover

__all__ = ["NAME", "settle"]


def settle(claim: Claim, scope: d.Scope, budget: float | None = None, clock: Clock | None = None) -> Answer:
    """Decide a claim within a scope. Never raises for a claim that is too large.

    `budget`: seconds, or None; `clock`: what tells them, if it is not to be the machine's.
    """
    started = time.monotonic()
    answer = Cover(claim, scope).run(clock or Clock(budget))
    return replace(answer, seconds=time.monotonic() - started)
