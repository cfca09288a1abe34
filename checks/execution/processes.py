"""Settling claims in worker processes of this machine; one that dies takes nothing with it."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

from checks.cache.proofs import Sources, open_shelf
from checks.execution.desk import Desk, Working
from checks.execution.floor import Floor, WorkerDied
from checks.execution.memory import cap_memory
from checks.execution.safely import KILLED, lose
from checks.execution.shards.drive import Drive
from encoders.exhaustive.arrays.limits import Interrupted
from encoders.logic.naturals.memory import use


def settle_in_processes(desk: Desk, jobs: int, working: Working) -> None:
    """Settle what is on a desk by `jobs` processes. `working`: as in `execute`."""
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
    use(open_shelf(sources))
    cap_memory()
