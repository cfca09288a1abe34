"""Settling many claims: in worker processes, with nothing lost when the run is interrupted or a worker dies.

A claim is settled once the lemmas of its proof are, and is told what was found of them.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass

from checks.cache.place import Place
from checks.cache.proofs import open_proofs
from checks.cache.session import Session
from checks.judgement.faults import InternalFault
from checks.judgement.options import Options
from checks.results.lemmas import NONE, Settled
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.library import Entry, list_lemmas

Progress = Callable[[int, ClaimResult], None]
Working = Callable[[tuple[int, ...]], None]
WITHOUT = Session()  # neither finds nor keeps anything
MEMORY_PER_WORKER = 4 << 30  # bytes of address space; beyond it a claim ends in `inconclusive`, not the machine


@dataclass(frozen=True)
class Execution:
    """The results, in the order of the entries. `interrupted`: by Ctrl-C; `finished`: the numbers of the finished."""

    results: tuple[ClaimResult, ...]
    interrupted: bool
    finished: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """Claims by number, with the numbers of the lemmas that each rests on among them, and the order to settle them in.

    In the order each stands after its lemmas, else as the entries do; only a circle, which no reader lets pass, cannot.
    """

    entries: tuple[Entry, ...]
    lemmas: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    def choose(self, todo: Sequence[int], found: Mapping[int, ClaimResult], running: bool) -> int | None:
        """The first of those to do whose lemmas are settled; where nothing runs that could settle one, the first."""
        ready = (n for n in todo if all(lemma in found for lemma in self.lemmas[n]))
        return next(ready, None if running or not todo else todo[0])

    def look_up(self, number: int, found: Mapping[int, ClaimResult]) -> Settled:
        """What was found of the lemmas of a claim."""
        return {self.entries[n].file: found[n].as_lemma for n in self.lemmas[number] if n in found}


def make_plan(entries: Sequence[Entry]) -> Plan:
    """The plan for these claims. Their files are read for what they rest on, and no more."""
    numbers = {entry.file: n for n, entry in enumerate(entries)}
    named = [[numbers.get(lemma.file) for lemma in list_lemmas(entry)] for entry in entries]
    lemmas = tuple(tuple(n for n in some if n is not None) for some in named)
    order: dict[int, None] = {}
    entered = set[int]()
    waiting = list(reversed(range(len(entries))))
    while waiting:
        number = waiting[-1]
        inside = [n for n in lemmas[number] if n not in entered]
        entered.add(number)
        if inside:
            waiting += reversed(inside)
        else:
            order.setdefault(waiting.pop())
    return Plan(tuple(entries), lemmas, tuple(order))


def execute(
    entries: Sequence[Entry],
    options: Options,
    jobs: int,
    progress: Progress,
    working: Working = lambda _: None,
    cache: Session = WITHOUT,
) -> Execution:
    """Settle every entry. `progress` is called with the number and result of each as it comes.

    `working` is called with the numbers of those that are being settled, whenever these are others.  `cache`: from
    where results of earlier runs are taken over.
    """
    found: dict[int, ClaimResult] = {}
    plan = make_plan(entries)
    desk = Desk(plan, options, cache, progress, found)
    try:
        with _noticing_interrupts():
            if jobs > 1 and len(entries) > 1:
                _in_processes(desk, jobs, working)
            else:
                from encoders.logic.naturals.memory import using

                with using(open_proofs(cache.proofs)):
                    for i in plan.order:
                        working((i,))
                        if not desk.find(i):
                            desk.take(i, safely(plan.entries[i], options, desk.look_up(i)))
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
    return tuple(found.get(i) or _lose(entry, "anything: not run (interrupted)") for i, entry in enumerate(entries))


def _lose(entry: Entry, not_established: str) -> ClaimResult:
    """The result of a claim that was not settled."""
    from checks.judgement.account import without_verdict

    return without_verdict(entry, Verdict.INCONCLUSIVE, not_established=not_established)


@dataclass(frozen=True)
class Desk:
    """Where results come in, `found` by number: from the cache or from whoever settled the claim."""

    plan: Plan
    options: Options
    cache: Session
    progress: Progress
    found: dict[int, ClaimResult]

    def look_up(self, number: int) -> Settled:
        """What was found of the lemmas of a claim."""
        return self.plan.look_up(number, self.found)

    def find(self, number: int) -> bool:
        """Whether the cache has the result; then it has come in."""
        result = self.cache.find(self.plan.entries[number], self.options, self.look_up(number))
        if result is not None:
            self.found[number] = result
            self.progress(number, result)
        return result is not None

    def take(self, number: int, result: ClaimResult) -> None:
        """A claim was settled."""
        told = self.cache.take(self.plan.entries[number], self.options, self.look_up(number), result)
        self.found[number] = told
        self.progress(number, told)


def safely(entry: Entry, options: Options, settled: Settled = NONE) -> ClaimResult:
    """As `settle_entry`; a fault of ours becomes the verdict inconsistent, with the traceback."""
    try:
        from checks.execution.entry import settle_entry

        return settle_entry(entry, options, settled)
    except KeyboardInterrupt:
        raise
    except MemoryError:
        return _lose(entry, "anything: out of memory")
    except Exception as error:  # noqa: BLE001 - whatever it is, it must end as a loud verdict of this claim
        from checks.judgement.account import without_verdict

        return without_verdict(
            entry, Verdict.INCONSISTENT, error=InternalFault("outside its routes", error).report(entry.id)
        )


def _in_processes(desk: Desk, jobs: int, working: Working) -> None:
    import multiprocessing

    from encoders.exhaustive.arrays.limits import Interrupted

    plan, found = desk.plan, desk.found
    todo = list(plan.order)
    # Workers are started afresh, not forked: no thread of the parent can be caught half-way.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(desk.cache.proofs,))
    running: dict[Future[ClaimResult], int] = {}
    try:
        while todo or running:
            while len(running) < 2 * jobs and (number := plan.choose(todo, found, bool(running))) is not None:
                todo.remove(number)
                if not desk.find(number):
                    job = pool.submit(safely, plan.entries[number], desk.options, desk.look_up(number))
                    running[job] = number
            if not running:
                continue
            working(tuple(running.values())[:jobs])  # the workers take them in this order
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            Interrupted.check()
            for future in done:
                number = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    raise _WorkerDied([number, *running.values()]) from None
                desk.take(number, result)
    except _WorkerDied as death:
        # Whichever of the claims under way did it: each is tried again alone, in a process of its own.
        pool.shutdown(wait=False, cancel_futures=True)
        for number in (n for n in plan.order if n in death.numbers or n in todo):
            working((number,))
            desk.take(number, _alone(plan.entries[number], desk.options, desk.look_up(number), desk.cache.proofs))
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


def _alone(entry: Entry, options: Options, settled: Settled, proofs: Place | None) -> ClaimResult:
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, initializer=_start_worker, initargs=(proofs,)) as pool:
        try:
            return pool.submit(safely, entry, options, settled).result()
        except BrokenProcessPool:
            return _lose(entry, "anything: its process was killed (out of memory?)")


def _start_worker(proofs: Place | None) -> None:
    """Leave Ctrl-C to the parent, and cap the memory where the system allows it. `proofs`: where certificates lie."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from encoders.logic.naturals.memory import use

    use(open_proofs(proofs))
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_PER_WORKER, MEMORY_PER_WORKER))
    except (ImportError, ValueError, OSError):
        pass
