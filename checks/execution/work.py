"""The loop that hands out tasks to workers, takes their results, and handles signals and killed workers.

A task is a claim, a shard of a heavy claim, or a game of a family. The workers are this process, other processes of
this machine (`processes`) or the workers of a Dask scheduler (`far`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from checks.cache.certificates import CertificateSources, open_certificates
from checks.execution.limits import MOST, Lost, SchedulerGone, Unfit, capping_memory
from claims.language.files.library import Entry
from claims.language.interrupts import Interrupted

if TYPE_CHECKING:
    from concurrent.futures import Future

WAIT = 0.5  # seconds within which a signal is noticed


# == tasks ============================================================================================================
@dataclass(frozen=True)
class AboutClaim:
    """The first argument of a function that needs the files of a claim.

    `digest`: the digest of the claim on this machine.
    """

    entry: Entry
    digest: str


@dataclass(frozen=True, eq=False)
class Task:
    """A function call that a worker makes.

    `about`: the number of the claim or game. If a call fails with Lost, the other tasks in progress with this number
    are cancelled. Neither `take` nor `fail` is then called for them.
    `take`: receives the result.
    `fail`: receives the exception of the function, or Lost if the task killed its worker twice.
    """

    about: int
    function: Callable[..., object]
    args: tuple[object, ...]
    take: Callable[[object], None]
    fail: Callable[[Exception], None]


Agenda = Callable[[bool], Task | None]
"""Returns the next task that can begin, or None. The argument: whether other tasks are in progress."""
Working = Callable[[tuple[int, ...]], None]
"""Receives the numbers of the claims or games in progress, whenever they change."""


# == workers ==========================================================================================================
class Workers(Protocol):
    """The methods of `concurrent.futures.Executor` that the loop uses, and `count`."""

    def count(self) -> int:
        """Return how many tasks can be in progress at a time. Raises SchedulerGone."""

    def submit(self, function: Callable[..., object], /, *args: object) -> Future[object]:
        """Begin a call, and return its future. Raises SchedulerGone.

        If workers die during the call, the future contains a BrokenExecutor or Lost.
        """


Opener = Callable[[int], AbstractContextManager[Workers]]
"""Opens workers. The argument: their number, which a scheduler ignores. An exception inside the block ends them."""


class FinishedCall:
    """A call that this process has made.

    The class has the methods of a Future that the loop uses, so that Future is not imported.
    """

    def __init__(self, value: object = None, error: Exception | None = None) -> None:
        self.done, self.exception, self.result = lambda: True, lambda: error, lambda: value


class ThisProcess:
    """The current process as a worker: `submit` makes the call."""

    def count(self) -> int:
        return 1

    def submit(self, function: Callable[..., object], /, *args: object) -> Future[object]:
        try:
            call = FinishedCall(function(*args))
        except Exception as error:  # noqa: BLE001 - the task decides what it means
            call = FinishedCall(error=error)
        return cast("Future[object]", call)


def use_local(jobs: int, sources: CertificateSources | None = None, memory: int | None = MOST) -> Opener:
    """Return a function that opens `jobs` processes on this machine. If `jobs` is 1, this process does the work.

    `sources`: the stores in which the workers find certificates. `memory`: bytes for each process, None for no limit.
    """
    sources = CertificateSources() if sources is None else sources
    if jobs == 1:
        return partial(_open_this_process, sources, memory)
    from checks.execution.processes import open_pool  # here, because one light claim needs no other processes

    return partial(open_pool, sources=sources, memory=memory)


@contextmanager
def _open_this_process(sources: CertificateSources, memory: int | None, jobs: int) -> Iterator[ThisProcess]:
    from encoders.solvers.effort import using_store

    with using_store(open_certificates(sources)), capping_memory(memory):
        yield ThisProcess()


# == loop =============================================================================================================
def work(agenda: Agenda, open_workers: Opener, jobs: int, working: Working = lambda _: None) -> None:
    """Do all tasks that `agenda` returns.

    If a worker is killed, each task in progress is tried again alone. A task that kills its worker again fails with
    Lost; the other tasks in progress for the same claim or game are skipped. Then the loop continues with all workers.
    Raises KeyboardInterrupt after a signal, and Unfit or SchedulerGone if the workers of a scheduler cannot be used.
    """
    while suspects := _work_until_death(agenda, open_workers, jobs, working):
        lost = set[int]()
        for task in suspects:
            if task.about not in lost and _work_until_death(_only(task), open_workers, 1, working):
                lost.add(task.about)
                task.fail(Lost())


def _only(task: Task) -> Agenda:
    """Return an agenda that returns one task and then None."""
    tasks = [task]
    return lambda _: tasks.pop() if tasks else None


def _work_until_death(agenda: Agenda, open_workers: Opener, jobs: int, working: Working) -> list[Task]:
    """Do the tasks that `agenda` returns until all are done or a worker dies.

    Return [] if all are done, and otherwise the tasks that were in progress when the worker died.
    """
    running: dict[Future[object], Task] = {}
    killed: list[Task] = []
    with open_workers(jobs) as workers:
        while True:
            while not killed and len(running) < workers.count() and (task := agenda(bool(running))) is not None:
                working(_list_numbers([*running.values(), task]))
                running[workers.submit(task.function, *task.args)] = task
            if not running:
                return killed
            working(_list_numbers(running.values()))
            done = _wait(running)
            Interrupted.check()
            if killed and not done:  # Python may forget a call that is submitted while a worker dies
                return [*killed, *running.values()]
            for call in done:
                if call in running:  # else it was cancelled after a loss
                    killed += _take_result(call, running)


def _list_numbers(tasks: Iterable[Task]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(task.about for task in tasks))


def _wait(running: Mapping[Future[object], Task]) -> list[Future[object]]:
    """Wait at most WAIT seconds until a call is done. Return the calls that are done, in the order of their start."""
    if not any(call.done() for call in running):
        from concurrent.futures import FIRST_COMPLETED, wait

        wait(running, timeout=WAIT, return_when=FIRST_COMPLETED)
    return [call for call in running if call.done()]


def _take_result(call: Future[object], running: dict[Future[object], Task]) -> list[Task]:
    """Pass the result or the exception of a call to its task. Return [task] if a worker was killed, otherwise []."""
    task, error = running.pop(call), call.exception()
    if error is None:
        task.take(call.result())
        return []
    if isinstance(error, Unfit | SchedulerGone) or not isinstance(error, Exception):
        raise error
    from concurrent.futures import BrokenExecutor

    if isinstance(error, BrokenExecutor):
        return [task]
    if isinstance(error, Lost):
        for other in [x for x, one in running.items() if one.about == task.about]:
            del running[other]
            other.cancel()
    task.fail(error)
    return []
