"""Settling many claims: in worker processes, with nothing lost when the run is interrupted or a worker dies."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass

from checks.entry import settle_entry
from checks.judgement.account import without_verdict
from checks.judgement.faults import InternalFault
from checks.judgement.options import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.library import Entry

Progress = Callable[[int, ClaimResult], None]
Working = Callable[[tuple[int, ...]], None]
MEMORY_PER_WORKER = 4 << 30  # bytes of address space; beyond it a claim ends in `inconclusive`, not the machine


@dataclass(frozen=True)
class Execution:
    """The results, in the order of the entries. `interrupted`: by Ctrl-C; `finished`: the numbers of the finished."""

    results: tuple[ClaimResult, ...]
    interrupted: bool
    finished: tuple[int, ...]


def execute(
    entries: Sequence[Entry], options: Options, jobs: int, progress: Progress, working: Working = lambda _: None
) -> Execution:
    """Settle every entry. `progress` is called with the number and result of each as it comes.

    `working` is called with the numbers of those that are being settled, whenever these are others.
    """
    found: dict[int, ClaimResult] = {}
    try:
        with _noticing_interrupts():
            if jobs > 1 and len(entries) > 1:
                _in_processes(entries, options, jobs, progress, working, found)
            else:
                for i, entry in enumerate(entries):
                    working((i,))
                    found[i] = safely(entry, options)
                    progress(i, found[i])
    except KeyboardInterrupt:
        return Execution(_completed(entries, found), True, tuple(sorted(found)))
    return Execution(_completed(entries, found), False, tuple(sorted(found)))


@contextmanager
def _noticing_interrupts() -> Iterator[None]:
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
    return tuple(
        found.get(i) or without_verdict(entry, Verdict.INCONCLUSIVE, not_established="anything: not run (interrupted)")
        for i, entry in enumerate(entries)
    )


def safely(entry: Entry, options: Options) -> ClaimResult:
    """As `settle`; a fault of ours becomes the verdict inconsistent, with the traceback."""
    try:
        return settle_entry(entry, options)
    except KeyboardInterrupt:
        raise
    except MemoryError:
        return without_verdict(entry, Verdict.INCONCLUSIVE, not_established="anything: out of memory")
    except Exception as error:  # noqa: BLE001 - whatever it is, it must end as a loud verdict of this claim
        return without_verdict(
            entry, Verdict.INCONSISTENT, error=InternalFault("outside its routes", error).report(entry.id)
        )


def _in_processes(
    entries: Sequence[Entry],
    options: Options,
    jobs: int,
    progress: Progress,
    working: Working,
    found: dict[int, ClaimResult],
) -> None:
    import multiprocessing

    from encoders.exhaustive.arrays.limits import Interrupted

    todo = list(range(len(entries)))
    # Workers are started afresh, not forked: no thread of the parent can be caught half-way.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker)
    running: dict[Future[ClaimResult], int] = {}
    try:
        while todo or running:
            while todo and len(running) < 2 * jobs:
                number = todo.pop(0)
                running[pool.submit(safely, entries[number], options)] = number
            working(tuple(running.values())[:jobs])  # the workers take them in this order
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            Interrupted.check()
            for future in done:
                number = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    raise _WorkerDied([number, *running.values()]) from None
                found[number] = result
                progress(number, result)
    except _WorkerDied as death:
        # Whichever of the claims under way did it: each is tried again alone, in a process of its own.
        pool.shutdown(wait=False, cancel_futures=True)
        for number in sorted({*death.numbers, *todo}):
            working((number,))
            found[number] = _alone(entries[number], options)
            progress(number, found[number])
    except KeyboardInterrupt:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    else:
        pool.shutdown()


class _WorkerDied(Exception):
    def __init__(self, numbers: list[int]) -> None:
        super().__init__()
        self.numbers = numbers


def _alone(entry: Entry, options: Options) -> ClaimResult:
    import multiprocessing

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker) as pool:
        try:
            return pool.submit(safely, entry, options).result()
        except BrokenProcessPool:
            reason = "anything: its process was killed (out of memory?)"
            return without_verdict(entry, Verdict.INCONCLUSIVE, not_established=reason)


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and cap the memory where the system allows it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_PER_WORKER, MEMORY_PER_WORKER))
    except (ImportError, ValueError, OSError):
        pass
