"""The route of proofs: the rule that a claim's [proof] names says what to show, and each obligation is discharged."""

from __future__ import annotations

import time
from collections.abc import Iterator

from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import TooLong
from encoders.answer import Answer, Decision, Obligation, Result
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Trusted, TrustedSolver
from encoders.logic.discharge import discharge
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.proving.prover import Prover
from encoders.rules.kit.rule import Reach


def prove(claim: Claim, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove a claim by its [proof]: HOLDS if every obligation is discharged; never FAILS.

    Else UNKNOWN, UNSUPPORTED or CONTRADICTION.  It stops at the first obligation that is not discharged.
    `budget`: seconds for all together.  A rule that asks for nothing shows nothing.
    """
    started = time.monotonic()
    prover = Prover()
    rule = prover.rule_of(claim)
    done: list[Obligation] = []
    reach = Reach(())
    answer, detail = Decision.UNKNOWN, "the rule of proof asks for nothing"
    cause = None
    try:
        reach = rule.reach(claim, prover)
        for sequent in rule.obligations(claim, prover):
            left = None if budget is None else budget - (time.monotonic() - started)
            done.append(discharge(sequent, effort, left))
            if not done[-1].proved:
                contradicted = done[-1].result is Result.CONTRADICTION
                answer = Decision.CONTRADICTION if contradicted else Decision.UNKNOWN
                detail = f"{done[-1].name}: {done[-1].detail}"
                break
        else:
            if done:
                answer, detail = Decision.HOLDS, ""
    except (Unsupported, TooLong) as error:
        answer, detail = Decision.UNSUPPORTED, str(error)
        cause = error.cause if isinstance(error, Unsupported) else None
    return Answer(
        rule.name,
        answer,
        detail=detail,
        cause=cause,
        trusted=reach.trusted.union(*(_trusted(x) for x in done)),
        seconds=time.monotonic() - started,
        obligations=tuple(done),
        proved=reach.proved,
        below=reach.below,
    )


def _trusted(done: Obligation) -> Iterator[Trusted]:
    """What an obligation takes on trust: by what it assumes, and the solvers where there is no certificate."""
    if done.sequent is not None:
        for reason in done.sequent.by:
            yield from reason.trusted
    if done.certificate is None:
        yield from map(TrustedSolver, done.solvers)
