"""Settle the claims of a run and collect the results, also if the run is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.cache.results import CacheSession
from checks.execution.limits import MOST, SchedulerGone, pausing_garbage_collection
from checks.execution.queue import Progress, Queue
from checks.execution.settle import lose
from checks.execution.work import Opener, Working, use_local, work
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from claims.language.files.library import Entry
from claims.language.interrupts import noticing_interrupts

if TYPE_CHECKING:
    from checks.execution.shards import ShardStores

WITHOUT = CacheSession()  # neither finds nor keeps anything


@dataclass(frozen=True)
class Execution:
    """The outcome of a run.

    `results`: the results, in the order of the entries. `finished`: the indices of the claims that were settled.
    `gone`: a message if the connection to the scheduler was lost, otherwise "".
    """

    results: tuple[ClaimResult, ...]
    finished: tuple[int, ...]
    gone: str = ""

    @property
    def interrupted(self) -> bool:
        """Return whether some claims were not settled."""
        return len(self.finished) < len(self.results)


def execute(
    entries: Sequence[Entry],
    options: Options,
    jobs: int,
    progress: Progress,
    working: Working = lambda _: None,
    cache: CacheSession = WITHOUT,
    stores: Callable[[], ShardStores] | None = None,
    workers: Opener | None = None,
    memory: int | None = MOST,
) -> Execution:
    """Settle every entry. Each claim is settled after the lemmas of its proof.

    `jobs`: the number of processes on this machine, unless `workers` opens other workers.
    `progress`: receives the index and the result of each claim when the claim is settled. If `progress` raises
    KeyboardInterrupt, the run ends, as after a signal.
    `working`: receives the indices of the claims in progress.
    `cache`: contains results of earlier runs. `stores`: opens the folders with receipts of shards.
    `memory`: bytes for each process of this machine, None for no limit.
    Raises Unfit if a scheduler or its workers cannot be used.
    """
    queue, gone = Queue(entries, options, cache, progress, stores), ""
    try:
        with noticing_interrupts():
            with pausing_garbage_collection():
                queue.load_cached()
            if queue.todo:
                if workers is None:
                    jobs = queue.count_useful(jobs)
                    workers = use_local(jobs, cache.sources, memory)
                work(queue.next, workers, jobs, working)
    except (KeyboardInterrupt, SchedulerGone) as end:
        gone = str(end)
    found = queue.results
    results = (found.get(i) or lose(entry, "anything: not run (interrupted)") for i, entry in enumerate(entries))
    return Execution(tuple(results), tuple(sorted(found)), gone)
