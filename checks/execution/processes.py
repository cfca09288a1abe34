"""Settling claims in worker processes of this machine; one that dies takes nothing with it."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from threading import Thread
from types import TracebackType
from typing import ParamSpec, TypeVar

from checks.cache.certificates import CertificateSources, open_certificates
from checks.execution.dispatcher import Dispatcher, WorkerDied
from checks.execution.limits import MOST, cap_memory
from checks.execution.queue import Queue, Working
from checks.execution.settle import KILLED, lose
from checks.execution.shards import ShardedSearch
from claims.language.files.toml import View, keep_view, take_view
from claims.language.interrupts import Interrupted, Phase, entering_phase, holding_signals, leave_to_parent
from encoders.solvers.effort import use

WAIT = 0.5  # seconds within which a signal is noticed
P = ParamSpec("P")
R = TypeVar("R")


def settle_in_processes(queue: Queue, jobs: int, working: Working) -> None:
    """Settle what is in a queue by `jobs` processes. `working`: as in `execute`."""
    dispatcher = _drain(queue, jobs, working)
    if dispatcher is None:
        return
    # Whichever of the claims under way did it: each is tried again alone, in a process of its own.
    dispatcher.salvage()
    for number in (n for n in queue.plan.order if n not in queue.results):
        if _drain(queue, 1, working, [number], dispatcher.driven.get(number)) is not None:
            queue.add_result(number, lose(queue.plan.entries[number], KILLED))


def _drain(
    queue: Queue, jobs: int, working: Working, todo: Sequence[int] | None = None, begun: ShardedSearch | None = None
) -> Dispatcher | None:
    """Have processes settle what there is; where one of them died, the dispatcher as it was left.

    `begun`: as in `Dispatcher`.
    """
    pool = open_pool(jobs, queue.cache.sources, take_view(), queue.memory)
    dispatcher = Dispatcher(queue, pool, jobs, todo, begun)
    try:
        with entering_phase(Phase.WATCHING):
            while dispatcher.hand_out():
                working(dispatcher.list_numbers()[:jobs])  # the workers take them in this order
                done, _ = wait(dispatcher.running, timeout=WAIT, return_when=FIRST_COMPLETED)
                Interrupted.check()
                for future in done:
                    dispatcher.take_result(future)
    except WorkerDied:
        pool.shutdown(wait=False, cancel_futures=True)
        return dispatcher
    except KeyboardInterrupt:
        pool.kill()
        raise
    pool.shutdown()
    return None


class Pool(ProcessPoolExecutor):
    """Workers of this machine. No signal reaches them: this process gets it as well, and ends them.

    A block `with pool` that ends in an exception kills them.
    """

    def submit(self, work: Callable[P, R], /, *args: P.args, **named: P.kwargs) -> Future[R]:
        """Have a worker do it. A worker may be started for it."""
        with holding_signals():
            return super().submit(work, *args, **named)

    def kill(self) -> None:
        """End the workers, whatever they are at."""
        for process in list((getattr(self, "_processes", None) or {}).values()):
            process.kill()
        self.shutdown(wait=False, cancel_futures=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.kill()


def open_pool(jobs: int, sources: CertificateSources, view: View | None = None, memory: int | None = MOST) -> Pool:
    """A pool of workers. `sources`, `view`, `memory`: as in `_start_worker`."""
    # Workers are started afresh, not forked: no thread of the parent can be caught half-way.
    context = multiprocessing.get_context("spawn")
    with holding_signals():  # with the pool begins the process that tracks what it shares
        return Pool(jobs, mp_context=context, initializer=_start_worker, initargs=(sources, view, memory))


def _start_worker(sources: CertificateSources, view: View | None, memory: int | None) -> None:
    """End with the parent, leave signals to it, and cap the memory where the system allows it.

    `sources`: of certificates; `view`: from where the parent sees paths; `memory`: bytes, None for no limit.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    keep_view(view)
    leave_to_parent()
    use(open_certificates(sources))
    cap_memory(memory)


def _end_with_parent() -> None:
    """Wait until the parent is gone, killed perhaps: nobody takes what this worker is at.

    A worker that waits for work does not notice by itself: all workers hold both ends of the pipe that it comes by.
    """
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)
