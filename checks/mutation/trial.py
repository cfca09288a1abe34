"""Trying the mutants of a claim that holds: which of them its scope can tell from the claim.

A claim is only as good as what would refute it.  A mutant that comes out refuted, vacuous or ill-defined is *killed*;
one that holds as well *survived*: either the scope is too small to see the difference, or the part that was changed
does not matter.  A surviving mutant that says less than the claim proves nothing against the scope and is counted
apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from checks.mutation.mutants import Mutant, make_mutants, widen
from checks.results.model import ClaimResult, MutantFate, MutantResult
from checks.results.phrases import values_phrase
from checks.results.verdicts import Verdict
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import Decision

Settle = Callable[[Claim, Scope, float | None], ClaimResult]
"""Settles a claim within a scope and so many seconds."""

_FATES = {
    Verdict.REFUTED: MutantFate.KILLED,
    Verdict.VACUOUS: MutantFate.KILLED,
    Verdict.ERROR: MutantFate.KILLED,
    Verdict.PROVED: MutantFate.SURVIVED,
    Verdict.VERIFIED: MutantFate.SURVIVED,
    Verdict.INCONCLUSIVE: MutantFate.UNDECIDED,
    Verdict.INCONSISTENT: MutantFate.UNDECIDED,
}


def try_mutants(claim: Claim, scope: Scope, budget: float | None, settle: Settle) -> tuple[MutantResult, ...]:
    """What becomes of each mutant of a claim, by `settle`. `budget`: seconds for all of them, None for no limit."""
    started = time.monotonic()
    found = []
    for mutant in make_mutants(claim):
        left = None if budget is None else max(0.0, budget - (time.monotonic() - started))
        if left == 0:
            found.append(MutantResult(mutant.kind, mutant.description, MutantFate.UNDECIDED, "out of time"))
            continue
        result = settle(mutant.claim, widen(scope, claim, mutant.claim), left)
        found.append(MutantResult(mutant.kind, mutant.description, _outcome(mutant, result), _detail(result)))
    return tuple(found)


def _outcome(mutant: Mutant, result: ClaimResult) -> MutantFate:
    outcome = MutantFate.KILLED if _without_witness(result) else _FATES[result.verdict]
    return MutantFate.WEAKER if outcome is MutantFate.SURVIVED and mutant.weaker else outcome


def _without_witness(result: ClaimResult) -> bool:
    """For "there is": the claim has a witness in the scope, and the mutant has none."""
    return result.statement.quantifier == "exists" and any(r.answer is Decision.FAILS for r in result.finding.routes)


def _detail(result: ClaimResult) -> str:
    found = result.finding
    if _without_witness(result):
        return "no witness"
    if found.counterexample is not None:
        at = values_phrase(found.counterexample.variables)
        return f"refuted at {at}" if at else "refuted"
    if result.verdict is Verdict.ERROR:
        return "ill-defined"
    if result.verdict is Verdict.VACUOUS:
        return "vacuous"
    return found.error or found.not_established if _FATES[result.verdict] is MutantFate.UNDECIDED else ""
