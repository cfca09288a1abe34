"""The exhaustive route: every case of a scope, with an early stop at the smallest counterexample of all of them.

For an [exists] claim the roles are swapped: the search is for the smallest witness.
"""

from __future__ import annotations

import time
from dataclasses import replace

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Answer, Decision, Unsupported
from encoders.exhaustive.arrays.limits import BadRuleset, Clock, OutOfTime, TooLarge
from encoders.exhaustive.cases.grid import IllDefinedDomain
from encoders.exhaustive.cases.search import NAME, Search


def settle(claim: Claim, scope: d.Scope, budget: float | None = None) -> Answer:
    """Decide a claim within a scope. `budget`: seconds, or None. Never raises for a claim that is too large."""
    started = time.monotonic()
    try:
        answer = Search(claim, scope, Clock(budget)).run()
    except TooLarge as error:
        answer = Answer(NAME, Decision.UNKNOWN, detail=f"too large: {error}", too_large=True)
    except OutOfTime:
        answer = Answer(NAME, Decision.UNKNOWN, detail="out of time before the first case")
    except (BadRuleset, IllDefinedDomain, Unsupported) as error:
        answer = Answer(NAME, Decision.UNSUPPORTED, detail=str(error))
    except MemoryError:
        answer = Answer(NAME, Decision.UNKNOWN, detail=f"out of memory in the route {NAME}")
    return replace(answer, seconds=time.monotonic() - started)
