"""Settling many claims: in worker processes, with nothing lost when the run is interrupted or a worker dies.

A claim is settled once the lemmas of its proof are, and is told what was found of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.cache.certificates import open_certificates
from checks.cache.results import CacheSession
from checks.execution.limits import MOST, SchedulerGone, capping_memory, pausing_garbage_collection
from checks.execution.queue import Progress, Queue, Working, make_plan
from checks.execution.settle import find_heavy_safely, lose, settle_entry_safely
from checks.judgement.routes import Spent
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from claims.language.files.library import Entry
from claims.language.interrupts import noticing_interrupts

if TYPE_CHECKING:
    from checks.execution.shards import PrecomputedAnswer, ShardStores

Far = Callable[[Queue, Working], None]
WITHOUT = CacheSession()  # neither finds nor keeps anything


@dataclass(frozen=True)
class Execution:
    """The results, in the order of the entries. `interrupted`: some of them were not settled.

    That is so after a signal or a KeyboardInterrupt of `progress`, and where the scheduler is gone, as `gone` says.
    `finished`: the numbers of those that were settled.
    """

    results: tuple[ClaimResult, ...]
    interrupted: bool
    finished: tuple[int, ...]
    gone: str = ""


def execute(
    entries: Sequence[Entry],
    options: Options,
    jobs: int,
    progress: Progress,
    working: Working = lambda _: None,
    cache: CacheSession = WITHOUT,
    stores: Callable[[], ShardStores] | None = None,
    far: Far | None = None,
    memory: int | None = MOST,
) -> Execution:
    """Settle every entry. `progress` is called with the number and result of each as it comes.

    `working` is called with the numbers of those that are being settled, whenever these are others.  `cache`: from
    where results of earlier runs are taken over.  `stores`: where finished shards of heavy claims lie.  `far`:
    settles what is in a queue, instead of processes of this machine; may raise Unfit, which ends all, and
    SchedulerGone.  `memory`: bytes for each process of this machine, None for no limit.
    """
    found: dict[int, ClaimResult] = {}
    plan = make_plan(entries)
    queue = Queue(plan, options, cache, progress, found, stores, memory=memory)
    try:
        with noticing_interrupts():
            with pausing_garbage_collection():
                todo = queue.load_cached()
            if not todo:
                pass  # nothing is loaded that nobody needs
            elif far is not None:
                far(queue, working)
            elif _needs_processes(queue, todo, jobs):
                from checks.execution.processes import settle_in_processes

                settle_in_processes(queue, jobs, working)
            else:
                from encoders.solvers.effort import using_store

                with using_store(open_certificates(cache.sources)), capping_memory(memory):
                    for i in todo:
                        working((i,))
                        if not queue.find(i):
                            queue.add_result(i, _settle_here(queue, i))
    except (KeyboardInterrupt, SchedulerGone) as end:
        return Execution(_complete(entries, found), len(found) < len(entries), tuple(sorted(found)), str(end))
    return Execution(_complete(entries, found), False, tuple(sorted(found)))


def _needs_processes(queue: Queue, todo: list[int], jobs: int) -> bool:
    """Whether several processes help. A claim that takes the whole budget to be read is settled, and taken out."""
    if jobs == 1 or len(todo) > 1:
        return jobs > 1
    entry = queue.plan.entries[todo[0]]
    try:
        return find_heavy_safely(entry, queue.options) is not None
    except Spent as limit:
        queue.add_result(todo.pop(), lose(entry, f"anything: {limit}"))
        return False


def _settle_here(queue: Queue, number: int) -> ClaimResult:
    """The result for a claim, settled in this process."""
    entry, options = queue.plan.entries[number], queue.options
    try:
        known = _search_here(queue, number)
    except Spent as limit:
        return lose(entry, f"anything: {limit}")
    return settle_entry_safely(entry, options, queue.look_up(number), known)


def _search_here(queue: Queue, number: int) -> PrecomputedAnswer | None:
    """What the exhaustive route comes to for a heavy claim, searched in this process; None for another."""
    entry, options = queue.plan.entries[number], queue.options
    claim = find_heavy_safely(entry, options)
    if claim is None:
        return None
    from checks.execution.shards import ShardedSearch, drive_here

    return drive_here(ShardedSearch(number, entry, claim, options, queue.stores()))


def _complete(entries: Sequence[Entry], found: dict[int, ClaimResult]) -> tuple[ClaimResult, ...]:
    return tuple(found.get(i) or lose(entry, "anything: not run (interrupted)") for i, entry in enumerate(entries))
