"""Worker processes of this machine.

They end when the process that started them ends. Only that process handles signals.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from threading import Thread
from types import TracebackType
from typing import ParamSpec, TypeVar

from checks.cache.certificates import CertificateSources, open_certificates
from checks.execution.limits import cap_memory
from claims.language.files.toml import View, keep_view, take_view
from claims.language.interrupts import Phase, entering_phase, holding_signals, leave_to_parent
from encoders.solvers.effort import use

P = ParamSpec("P")
R = TypeVar("R")


class Pool(ProcessPoolExecutor):
    """Worker processes.

    If a block `with pool` ends in an exception, or a worker has died, all workers are killed.

    `jobs`: the number of processes.
    `sources`: the stores in which the workers find certificates.
    `memory`: bytes for each process, None for no limit.
    """

    def __init__(self, jobs: int, sources: CertificateSources, memory: int | None) -> None:
        # Workers are spawned, not forked: forking could copy a lock that another thread of the parent holds.
        context, prepared = multiprocessing.get_context("spawn"), (sources, take_view(), memory)
        with holding_signals():  # multiprocessing starts a process that tracks what the workers share
            super().__init__(jobs, context, _start_worker, prepared)
        self.jobs = jobs

    def count(self) -> int:
        """Return how many tasks can be in progress: one for each worker.

        More tasks would wait in the queue of the pool, and the time limit of a shard begins before it is submitted.
        """
        return self.jobs

    def submit(self, work: Callable[P, R], /, *args: P.args, **named: P.kwargs) -> Future[R]:
        """Send a call to a worker; start a worker if necessary.

        If a worker has died, the future contains the exception.
        """
        with holding_signals():
            try:
                future = super().submit(work, *args, **named)
                # Python watches the workers that it had before this call, which may have started another.
                with suppress(OSError):
                    getattr(self, "_executor_manager_thread_wakeup").wakeup()  # noqa: B009
            except BrokenProcessPool as error:
                future = Future[R]()
                future.set_exception(error)
        return future

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # If one worker is killed, Python sends SIGTERM to the others and waits for them, but they ignore signals.
        if kind is None and not getattr(self, "_broken", False):
            self.shutdown()
            return
        for process in list((getattr(self, "_processes", None) or {}).values()):
            process.kill()
        self.shutdown(wait=False, cancel_futures=True)


@contextmanager
def open_pool(jobs: int, sources: CertificateSources, memory: int | None) -> Iterator[Pool]:
    """Open a pool. Inside the block, a signal raises no exception at once, because that would damage the pool."""
    with entering_phase(Phase.WATCHING), Pool(jobs, sources, memory) as pool:
        yield pool


def _start_worker(sources: CertificateSources, view: View | None, memory: int | None) -> None:
    """Prepare a worker process. `view`: the file names that messages of the parent use."""
    Thread(target=_end_with_parent, daemon=True).start()
    keep_view(view)
    leave_to_parent()
    use(open_certificates(sources))
    cap_memory(memory)


def _end_with_parent() -> None:
    """Wait until the parent process has ended, then end this process.

    Without this function, an idle worker would not notice that its parent was killed, because every worker holds both
    ends of the pipe for tasks.
    """
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)
