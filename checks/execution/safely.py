"""A claim settled whatever happens: what dies on its way ends as a loud verdict of that claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.execution.ground.memory import capping_cpu, without_garbage_collection
from checks.judgement.faults import Exhausted, InternalFault, Spent, guard, within_budget
from checks.judgement.options import BadOverride, Options
from checks.results.lemmas import NONE, SettledLemmas
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.ground.errors import ClaimError
from claims.language.library.entries import Entry

if TYPE_CHECKING:
    from checks.execution.shards.drive import PrecomputedAnswer
    from claims.language.statement.claim import Claim


KILLED = "anything: its process was killed (out of memory?)"


def settle_entry_safely(
    entry: Entry, options: Options, settled: SettledLemmas = NONE, known: PrecomputedAnswer | None = None
) -> ClaimResult:
    """As `settle_entry`, within the budget; a fault of ours becomes the verdict inconsistent, with the traceback."""
    try:
        with without_garbage_collection():
            from checks.execution.entry import settle_entry

        with capping_cpu(_most_seconds(options)):
            return within_budget(options.budget, lambda: settle_entry(entry, options, settled, known))
    except KeyboardInterrupt:
        raise
    except Spent as limit:
        return lose(entry, f"anything: {limit}")
    except MemoryError:
        return lose(entry, "anything: out of memory")
    except Exception as error:  # noqa: BLE001 - whatever it is, it must end as a loud verdict of this claim
        from checks.judgement.account import without_verdict

        return without_verdict(
            entry, Verdict.INCONSISTENT, error=InternalFault("outside its routes", error).report(entry.id)
        )


def _most_seconds(options: Options) -> float | None:
    """CPU time after which a worker is ended: twice the budget, and once more for mutants; then C code is stuck."""
    return None if options.budget is None else (3 if options.mutants else 2) * options.budget + 2


def find_heavy(entry: Entry, options: Options) -> Claim | None:
    """The claim, if its scope is heavy; None also where it cannot be read, which is told when it is settled."""
    with without_garbage_collection():
        from checks.judgement.scopes import scope_for
        from encoders.exhaustive.cover import is_heavy
        from encoders.proving.reading import load_claim

    try:
        claim = load_claim(entry.path, entry.id)
        return claim if is_heavy(claim, scope_for(claim, options.profile, options.overrides)) else None
    except (ClaimError, BadOverride):
        return None


def find_heavy_safely(entry: Entry, options: Options) -> Claim | None:
    """The claim, if its scope is searched in shards; what dies on the way to know says so when it is settled.

    Raises Spent where the budget does not suffice to know.
    """
    try:
        return within_budget(
            options.budget, lambda: guard("while its scope was weighed", lambda: find_heavy(entry, options))
        )
    except Spent:
        raise
    except (Exhausted, InternalFault):
        return None


def settle_unless_heavy(entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
    """The result; None for a claim whose scope is searched in shards."""
    try:
        with capping_cpu(_most_seconds(options)):
            heavy = find_heavy_safely(entry, options) is not None
    except Spent as limit:
        return lose(entry, f"anything: {limit}")
    return None if heavy else settle_entry_safely(entry, options, settled)


def lose(entry: Entry, not_established: str) -> ClaimResult:
    """The result of a claim that was not settled."""
    from checks.judgement.account import without_verdict

    return without_verdict(entry, Verdict.INCONCLUSIVE, not_established=not_established)
