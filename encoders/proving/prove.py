"""The route of proofs: the rule in a claim's [proof] states the obligations, and each of them is decided."""

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
    """Prove a claim by its [proof]. The decision is HOLDS if every obligation is proved; never FAILS.

    Otherwise it is UNKNOWN, UNSUPPORTED or CONTRADICTION. The proof stops at the first obligation that is not proved. A
    rule without obligations proves nothing.

    `budget`: seconds for all obligations together.
    """
    started = time.monotonic()
    prover = Prover()
    rule = prover.rule_of(claim)
    done: list[Obligation] = []
    reach = ProofCoverage(())
    answer, detail = Decision.UNKNOWN, "the rule of proof states no obligations"
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
    """Return a verified table, up to its bound (but at least one heap, at most MOST_PLAYED) or around `largest`."""
    around = min(AROUND * largest + len(table.rows[0]), MOST_HEAPS) if largest else 0
    size = max(min(find_bound(table), MOST_PLAYED), around)
    rows = [[table.value(h, mover) for h in range(size)] for mover in range(len(table.rows))]
    return SolvedTables({setting: rows[0]}) if table.question == GRUNDY else SolvedTables(winners={setting: rows})


def _tables(reach: ProofCoverage, done: Sequence[Obligation]) -> SolvedTables:
    """Return the table that the obligations prove, extended to the heaps in a failed obligation."""
    shown = next((o.sequent.table for o in done if o.proved and o.sequent is not None and o.sequent.table), None)
    if not isinstance(shown, PeriodicTable) or reach.heaps is None:
        return SolvedTables()
    return spell(shown, reach.heaps, max((abs(x) for o in done for _, x in o.values), default=0))


def _list_trusted(done: Obligation) -> Iterator[Trusted]:
    """Yield what the obligation trusts: the reasons of its premises, and its solvers if there is no certificate."""
    if done.sequent is not None:
        for reason in done.sequent.by:
            yield from reason.trusted
    if done.certificate is None:
        yield from map(TrustedSolver, done.solvers)
