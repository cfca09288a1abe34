"""Settling claims in worker processes of this machine; one that dies takes nothing with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from threading import Thread

from checks.cache.proofs import Sources, open_certificates
from checks.execution.dispatcher import Dispatcher, WorkerDied
from checks.execution.ground.memory import cap_memory
from checks.execution.queue import Queue, Working
from checks.execution.safely import KILLED, lose
from checks.execution.shards.drive import Drive
from claims.language.toml.trail import View, keep_view, take_view
from encoders.exhaustive.arrays.limits import Interrupted
from encoders.logic.naturals.memory import use


def settle_in_processes(queue: Queue, jobs: int, working: Working) -> None:
    """Settle what is in a queue by `jobs` processes. `working`: as in `execute`."""
    dispatcher = _drain(queue, jobs, working)
    if dispatcher is None:
        return
    # Whichever of the claims under way did it: each is tried again alone, in a process of its own.
    dispatcher.salvage()
    for number in (n for n in queue.plan.order if n not in queue.found):
        if _drain(queue, 1, working, [number], dispatcher.driven.get(number)) is not None:
            queue.take(number, lose(queue.plan.entries[number], KILLED))


def _drain(
    queue: Queue, jobs: int, working: Working, todo: Sequence[int] | None = None, begun: Drive | None = None
) -> Dispatcher | None:
    """Have processes settle what there is; where one of them died, the dispatcher as it was left.

    `begun`: as in `Dispatcher`.
    """
    pool = open_pool(jobs, queue.cache.sources, take_view())
    dispatcher = Dispatcher(queue, pool, jobs, todo, begun)
    try:
        while dispatcher.hand_out():
            working(dispatcher.list_numbers()[:jobs])  # the workers take them in this order
            done, _ = wait(dispatcher.running, timeout=1.0, return_when=FIRST_COMPLETED)
            Interrupted.check()
            for future in done:
                dispatcher.bring_in(future)
    except WorkerDied:
        pool.shutdown(wait=False, cancel_futures=True)
        return dispatcher
    except KeyboardInterrupt:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return None


def open_pool(jobs: int, sources: Sources, view: View | None = None) -> ProcessPoolExecutor:
    """A pool of workers. `sources`, `view`: as in `_start_worker`."""
    # Workers are started afresh, not forked: no thread of the parent can be caught half-way.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(sources, view))


def _start_worker(sources: Sources, view: View | None) -> None:
    """End with the parent, leave Ctrl-C to it, and cap the memory where the system allows it.

    `sources`: of certificates; `view`: from where the parent sees paths.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    keep_view(view)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use(open_certificates(sources))
    cap_memory()


def _end_with_parent() -> None:
    """Wait until the parent is gone, killed perhaps: nobody takes what this worker is at.

    A worker that waits for work does not notice by itself: all workers hold both ends of the pipe that it comes by.
    """
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)
