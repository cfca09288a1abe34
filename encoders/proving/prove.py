"""The route of proofs. The rule in the [proof] of a claim states obligations, and each is proved or refuted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from claims.language.files.claim import Claim
from claims.language.syntax.meanings import Setting
from claims.language.syntax.printing import TooLong
from encoders.logic.answer import Decision, Obligation, ObligationStatus, ProofReach, RouteResult, SolvedTables
from encoders.periods.tables import GRUNDY, PeriodicTable, find_bound
from encoders.proving.reading import Prover
from encoders.proving.registry import OF_PARTS
from encoders.refusals import Unsupported, require_numbers, require_usual_ends
from encoders.rules.base.rule import ProofCoverage
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL, Effort
from encoders.trust import Trusted, TrustedSolver

# The referee verifies a table up to AROUND times the largest value at which an obligation fails.
AROUND, MOST_HEAPS = 4, 300_000
MOST_PLAYED = 10_000  # heaps of a table that the referee verifies if no obligation fails


def prove(claim: Claim, budget: float | None = None, effort: Effort = USUAL) -> RouteResult:
    """Prove a claim by its [proof]. The decision is HOLDS if every obligation is proved.

    Otherwise it is UNKNOWN, UNSUPPORTED or CONTRADICTION, but never FAILS. The proof stops at the first obligation that
    is not proved. A rule that states no obligations proves nothing.

    `budget`: the time for all obligations together, in seconds; None for no limit.
    """
    started = time.monotonic()
    prover = Prover()
    rule = prover.rule_of(claim)
    done: list[Obligation] = []
    reach = ProofCoverage(())
    answer, detail = Decision.UNKNOWN, "the proof rule states no obligations"
    cause = None
    try:
        (require_usual_ends if rule.name in OF_PARTS else require_numbers)(claim)
        reach = rule.coverage(claim, prover)
        for sequent in rule.obligations(claim, prover):
            left = None if budget is None else budget - (time.monotonic() - started)
            done.append(discharge(sequent, effort, left))
            if not done[-1].proved:
                contradicted = done[-1].result is ObligationStatus.CONTRADICTION
                answer = Decision.CONTRADICTION if contradicted else Decision.UNKNOWN
                detail = f"{done[-1].name}: {done[-1].detail}"
                break
        else:
            if done:
                answer, detail = Decision.HOLDS, ""
    except (Unsupported, TooLong) as error:
        answer, detail = Decision.UNSUPPORTED, str(error)
        cause = error.cause if isinstance(error, Unsupported) else None
    return RouteResult(
        rule.name,
        answer,
        detail=detail,
        cause=cause,
        trusted=reach.trusted.union(*(_list_trusted(x) for x in done)),
        seconds=time.monotonic() - started,
        obligations=tuple(done),
        reach=ProofReach(reach.proved, reach.below),
        solved=_tables(reach, done),
    )


def spell(table: PeriodicTable, setting: Setting, largest: int = 0) -> SolvedTables:
    """Return the values of a verified table for the heaps that the referee checks.

    Without `largest`, these are the heaps below the bound of the table: at least one, and at most MOST_PLAYED. If
    `largest` is given, they also include heaps beyond this size.
    """
    around = min(AROUND * largest + len(table.rows[0]), MOST_HEAPS) if largest else 0
    size = max(min(find_bound(table), MOST_PLAYED), around)
    rows = [[table.value(h, mover) for h in range(size)] for mover in range(len(table.rows))]
    return SolvedTables({setting: rows[0]}) if table.question == GRUNDY else SolvedTables(winners={setting: rows})


def _tables(reach: ProofCoverage, done: Sequence[Obligation]) -> SolvedTables:
    """Return the values of the periodic table that an obligation proves; an empty result if there is none.

    The values include the heaps at which an obligation fails.
    """
    shown = next((o.sequent.table for o in done if o.proved and o.sequent is not None and o.sequent.table), None)
    if not isinstance(shown, PeriodicTable) or reach.heaps is None:
        return SolvedTables()
    return spell(shown, reach.heaps, max((abs(x) for o in done for _, x in o.values), default=0))


def _list_trusted(done: Obligation) -> Iterator[Trusted]:
    """Yield the assumptions on which an obligation relies.

    These are the reasons of its premises and, if there is no certificate, its solvers.
    """
    if done.sequent is not None:
        for reason in done.sequent.by:
            yield from reason.trusted
    if done.certificate is None:
        yield from map(TrustedSolver, done.solvers)
