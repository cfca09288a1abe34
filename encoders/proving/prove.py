"""The proof of a claim by its [proof].

The proof rule states obligations, which together imply the claim. Solvers prove each obligation, or leave it open.
"""

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
from encoders.refusals import Unsupported, refuse_combined_games, require_numbers, require_usual_ends
from encoders.rules.base.rule import ProofCoverage
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL, Effort
from encoders.trust import Trusted, TrustedSolver

# The referee verifies a table up to AROUND times the largest value at which an obligation fails.
AROUND, MOST_HEAPS = 4, 300_000
MOST_PLAYED = 10_000  # heaps of a table that the referee verifies if no obligation fails


def prove(claim: Claim, budget: float | None = None, effort: Effort = USUAL) -> RouteResult:
    """Try to prove a claim by its [proof]. The decision of the result is HOLDS if every obligation is proved.

    The proof stops at the first obligation that is not proved. The decision is then CONTRADICTION if the solvers
    disagree about this obligation, and UNKNOWN otherwise. The decision is UNSUPPORTED if the rule does not support the
    claim, and UNKNOWN if the rule states no obligations. It is never FAILS, because an obligation that is not proved
    does not refute the claim.

    `budget`: the CPU time for all obligations together, in seconds; None for no limit.
    `effort`: the limits for each obligation.
    """
    started, spent = time.monotonic(), time.process_time()
    prover = Prover()
    rule = prover.rule_of(claim)
    done: list[Obligation] = []
    reach = ProofCoverage(())
    answer, detail = Decision.UNKNOWN, "the proof rule states no obligations"
    cause = None
    try:
        (require_usual_ends if rule.name in OF_PARTS else require_numbers)(claim)
        refuse_combined_games(claim)
        reach = rule.coverage(claim, prover)
        for sequent in rule.obligations(claim, prover):
            left = None if budget is None else budget - (time.process_time() - spent)
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
    """Return the values of a verified table, heap by heap, for the heaps that the referee should check again.

    These are the heaps below the bound of the table (see `find_bound`), but at most MOST_PLAYED heaps.
    `largest`: a heap size, or 0. Unless it is 0, the heaps below AROUND * `largest` + preperiod + period are included,
    too, but at most MOST_HEAPS heaps.
    """
    around = min(AROUND * largest + len(table.rows[0]), MOST_HEAPS) if largest else 0
    size = max(min(find_bound(table), MOST_PLAYED), around)
    rows = [[table.value(h, mover) for h in range(size)] for mover in range(len(table.rows))]
    return SolvedTables({setting: rows[0]}) if table.question == GRUNDY else SolvedTables(winners={setting: rows})


def _tables(reach: ProofCoverage, done: Sequence[Obligation]) -> SolvedTables:
    """Return the values of the periodic table that a proved obligation shows to be correct, heap by heap.

    They include the heaps at which an obligation fails. The result is empty if no obligation is about such a table.
    """
    shown = next((o.sequent.table for o in done if o.proved and o.sequent is not None and o.sequent.table), None)
    if not isinstance(shown, PeriodicTable) or reach.heaps is None:
        return SolvedTables()
    return spell(shown, reach.heaps, max((abs(x) for o in done for _, x in o.values), default=0))


def _list_trusted(done: Obligation) -> Iterator[Trusted]:
    """Yield the unchecked assumptions on which a proved obligation relies.

    These are the assumptions about picked heaps, such as "a nonempty position has a largest heap". If there is no
    certificate, the solvers are trusted too.
    """
    if done.sequent is not None:
        for reason in done.sequent.by:
            yield from reason.trusted
    if done.certificate is None:
        yield from map(TrustedSolver, done.solvers)
