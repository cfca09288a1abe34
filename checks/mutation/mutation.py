"""Trying the mutants of a claim that holds: which of them its scope can tell from the claim.

A claim is only as good as what would refute it.  A mutant that comes out refuted, vacuous or ill-defined is *killed*;
one that holds as well *survived*: either the scope is too small to see the difference, or the part that was changed
does not matter.  A surviving mutant that says less than the claim proves nothing against the scope and is counted
apart.
"""

from __future__ import annotations

import time

from checks.judgement.settle import settle_claim
from checks.mutation.mutants import Mutant, mutants, widened
from checks.results.results import ClaimResult, MutantResult, values_phrase
from checks.results.verdicts import Verdict
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import Decision
from encoders.exhaustive.encoder import settle as exhaustive

_OUTCOMES = {
    Verdict.REFUTED: "killed",
    Verdict.VACUOUS: "killed",
    Verdict.ERROR: "killed",
    Verdict.PROVED: "survived",
    Verdict.VERIFIED: "survived",
    Verdict.INCONCLUSIVE: "undecided",
    Verdict.INCONSISTENT: "undecided",
}


def tried(claim: Claim, scope: Scope, budget: float | None) -> tuple[MutantResult, ...]:
    """Each mutant of a claim, settled by the exhaustive route and the referee. `budget`: seconds for all of them."""
    started = time.monotonic()
    found = []
    for mutant in mutants(claim):
        left = None if budget is None else max(0.0, budget - (time.monotonic() - started))
        if left == 0:
            found.append(MutantResult(mutant.kind, mutant.description, "undecided", "out of time"))
            continue
        result = settle_claim(mutant.claim, widened(scope, claim, mutant.claim), exhaustive, left)
        found.append(MutantResult(mutant.kind, mutant.description, _outcome(mutant, result), _detail(result)))
    return tuple(found)


def _outcome(mutant: Mutant, result: ClaimResult) -> str:
    outcome = "killed" if _without_witness(result) else _OUTCOMES[result.verdict]
    return "weaker" if outcome == "survived" and mutant.weaker else outcome


def _without_witness(result: ClaimResult) -> bool:
    """For "there is": the claim has a witness in the scope, and the mutant has none."""
    return result.quantifier == "exists" and any(r.answer is Decision.FAILS for r in result.routes)


def _detail(result: ClaimResult) -> str:
    if _without_witness(result):
        return "no witness"
    if result.counterexample is not None:
        at = values_phrase(result.counterexample.variables)
        return f"refuted at {at}" if at else "refuted"
    if result.verdict is Verdict.ERROR:
        return "ill-defined"
    if result.verdict is Verdict.VACUOUS:
        return "vacuous"
    return result.error or result.not_established if _OUTCOMES[result.verdict] == "undecided" else ""
