"""Settling many claims: in worker processes, with nothing lost when the run is interrupted or a worker dies.

A claim is settled once the lemmas of its proof are, and is told what was found of them.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.cache.proofs import Sources, open_shelf
from checks.cache.session import Session
from checks.execution.desk import Desk, Progress, make_plan
from checks.execution.far.faults import SchedulerGone
from checks.execution.memory import cap_memory, capping_memory, keeping_all
from checks.execution.safely import KILLED, find_heavy_safely, lose, safely
from checks.judgement.options import Options
from checks.results.model import ClaimResult
from claims.language.library import Entry

if TYPE_CHECKING:
    from checks.execution.floor import Floor
    from checks.execution.shards.drive import Drive
    from checks.execution.shards.shelf import Shelves

Working = Callable[[tuple[int, ...]], None]
Far = Callable[[Desk, Working], None]
WITHOUT = Session()  # neither finds nor keeps anything


@dataclass(frozen=True)
class Execution:
    """The results, in the order of the entries. `interrupted`: by Ctrl-C, or as `gone` says, the scheduler's end.

    `finished`: the numbers of the finished.
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
    cache: Session = WITHOUT,
    shelves: Callable[[], Shelves] | None = None,
    far: Far | None = None,
) -> Execution:
    """Settle every entry. `progress` is called with the number and result of each as it comes.

    `working` is called with the numbers of those that are being settled, whenever these are others.  `cache`: from
    where results of earlier runs are taken over.  `shelves`: where finished shards of heavy claims lie.  `far`:
    settles what is on a desk, instead of processes of this machine; may raise Unfit, which ends all, and SchedulerGone.
    """
    found: dict[int, ClaimResult] = {}
    plan = make_plan(entries)
    desk = Desk(plan, options, cache, progress, found, shelves)
    try:
        with noticing_interrupts():
            with keeping_all():
                todo = desk.find_all()
            if not todo:
                pass  # nothing is loaded that nobody needs
            elif far is not None:
                far(desk, working)
            elif jobs > 1 and (len(todo) > 1 or find_heavy_safely(plan.entries[todo[0]], options) is not None):
                _in_processes(desk, jobs, working)
            else:
                from checks.execution.floor import search_here
                from encoders.logic.naturals.memory import using

                with using(open_shelf(cache.sources)), capping_memory():
                    for i in todo:
                        working((i,))
                        if not desk.find(i):
                            known = search_here(desk, i)
                            desk.take(i, safely(plan.entries[i], options, desk.look_up(i), known))
    except (KeyboardInterrupt, SchedulerGone) as end:
        return Execution(_completed(entries, found), True, tuple(sorted(found)), str(end))
    return Execution(_completed(entries, found), False, tuple(sorted(found)))


@contextmanager
def noticing_interrupts() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, and is remembered, should whatever runs just then swallow that."""
    if threading.current_thread() is not threading.main_thread():  # there are no signals elsewhere
        yield
        return
    from encoders.exhaustive.arrays.limits import Interrupted

    def handler(number: int, frame: object) -> None:
        Interrupted.now = True
        raise KeyboardInterrupt

    Interrupted.now = False
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
        Interrupted.check()
    finally:
        Interrupted.now = False
        signal.signal(signal.SIGINT, before)


def _completed(entries: Sequence[Entry], found: dict[int, ClaimResult]) -> tuple[ClaimResult, ...]:
    return tuple(found.get(i) or lose(entry, "anything: not run (interrupted)") for i, entry in enumerate(entries))


def _in_processes(desk: Desk, jobs: int, working: Working) -> None:
    floor = _drain(desk, jobs, working)
    if floor is None:
        return
    # Whichever of the claims under way did it: each is tried again alone, in a process of its own.
    floor.salvage()
    for number in (n for n in desk.plan.order if n not in desk.found):
        if _drain(desk, 1, working, [number], floor.driven.get(number)) is not None:
            desk.take(number, lose(desk.plan.entries[number], KILLED))


def _drain(
    desk: Desk, jobs: int, working: Working, todo: Sequence[int] | None = None, begun: Drive | None = None
) -> Floor | None:
    """Have processes settle what there is; where one of them died, the floor as it was left. `begun`: as in `Floor`."""
    import multiprocessing
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

    from checks.execution.floor import Floor, WorkerDied
    from encoders.exhaustive.arrays.limits import Interrupted

    # Workers are started afresh, not forked: no thread of the parent can be caught half-way.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=start_worker, initargs=(desk.cache.sources,))
    floor = Floor(desk, pool, jobs, todo, begun)
    try:
        while floor.hand_out():
            working(floor.list_numbers()[:jobs])  # the workers take them in this order
            done, _ = wait(floor.running, timeout=1.0, return_when=FIRST_COMPLETED)
            Interrupted.check()
            for future in done:
                floor.bring_in(future)
    except WorkerDied:
        pool.shutdown(wait=False, cancel_futures=True)
        return floor
    except KeyboardInterrupt:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return None


def start_worker(sources: Sources) -> None:
    """Leave Ctrl-C to the parent, and cap the memory where the system allows it. `sources`: of certificates."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from encoders.logic.naturals.memory import use

    use(open_shelf(sources))
    cap_memory()
