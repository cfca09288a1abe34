"""What the workers of a run are at: claims, and shards of heavy claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec

from checks.execution.limits import Lost, SchedulerGone, Unfit
from checks.execution.queue import Queue
from checks.execution.settle import KILLED, find_heavy, lose, settle_entry_safely, settle_unless_heavy
from checks.execution.shards import ShardedSearch, run_task
from checks.judgement.routes import Spent, run_within_budget
from checks.results.model import ClaimResult
from claims.language.errors import NimChecksError
from encoders.compute.exhaustive import ShardOutcome

P = ParamSpec("P")
WorkerResult = ClaimResult | ShardOutcome | None
"""What a worker comes to: of a claim its result, None of a heavy one; of a shard its outcome."""


class Dispatcher:
    """What the workers of a pool are at. `running`: by future, a claim by its number, or a shard of one.

    Heavy claims are driven from here: their shards go to the workers, and then what came of them.  `driven`: all that
    were, by number.  `todo`: the numbers of the claims to be settled, if not all without a result.
    `begun`: the drive of the only one.
    """

    def __init__(
        self,
        queue: Queue,
        pool: Executor,
        workers: int,
        todo: Sequence[int] | None = None,
        begun: ShardedSearch | None = None,
    ) -> None:
        self.queue, self.pool, self.workers = queue, pool, workers
        rest = [n for n in queue.plan.order if n not in queue.results] if todo is None else list(todo)
        self.todo = rest if begun is None else []
        self.running: dict[Future[WorkerResult], int | tuple[ShardedSearch, int]] = {}
        self.drives: list[ShardedSearch] = [] if begun is None else [begun]
        self.driven: dict[int, ShardedSearch] = {}

    def list_numbers(self) -> tuple[int, ...]:
        """Of the claims that are being settled."""
        return tuple(dict.fromkeys(x if isinstance(x, int) else x[0].number for x in self.running.values()))

    def hand_out(self) -> bool:
        """Give the workers enough to do, shards first; False once there is nothing left and nothing runs."""
        while True:
            most = self.workers if self.drives else 2 * self.workers  # a shard has no time to wait in a queue
            if len(self.running) >= most or not (self._hand_out_shard() or self._hand_out_claim()):
                break
        return bool(self.running)

    def _start(
        self, what: int | tuple[ShardedSearch, int], work: Callable[P, WorkerResult], *args: P.args, **named: P.kwargs
    ) -> None:
        try:
            self.running[self.pool.submit(work, *args, **named)] = what
        except BrokenProcessPool:
            raise WorkerDied from None

    def _hand_out_shard(self) -> bool:
        for drive in self.drives:
            task = drive.take()
            if task is not None:
                self._start((drive, task.index), run_task, task)
            if task is not None or self._finish(drive):
                return True
        return False

    def _hand_out_claim(self) -> bool:
        """A claim that can be settled now; or one that the cache knows."""
        queue = self.queue
        number = queue.plan.choose(self.todo, queue.results, bool(self.running))
        if number is None:
            return False
        self.todo.remove(number)
        if not queue.find(number):
            self._start(number, settle_unless_heavy, queue.plan.entries[number], queue.options, queue.look_up(number))
        return True

    def _finish(self, drive: ShardedSearch) -> bool:
        """Have a claim settled of which all shards were searched."""
        if drive.known is None:
            return False
        self.drives.remove(drive)
        queue, number = self.queue, drive.number
        settled = queue.look_up(number)
        self._start(number, settle_entry_safely, queue.plan.entries[number], queue.options, settled, drive.known)
        return True

    def take_result(self, future: Future[WorkerResult]) -> None:
        """Take what a worker found; nothing of a claim that was given up in the same moment."""
        what = self.running.pop(future, None)
        if what is None:
            return
        number = what if isinstance(what, int) else what[0].number
        error = future.exception()
        if isinstance(error, Unfit | SchedulerGone):
            raise error
        if isinstance(error, Lost):
            self._give_up(number)
            return
        if isinstance(error, BrokenProcessPool):
            raise WorkerDied
        if isinstance(error, Exception) and isinstance(what, tuple):
            what[0].fail(error)  # it becomes a loud verdict of the claim
            return
        found = future.result()
        if isinstance(what, tuple):
            assert isinstance(found, ShardOutcome)
            what[0].put(what[1], found)
        elif found is None:
            self._begin_drive(number)
        else:
            assert isinstance(found, ClaimResult)
            self.queue.add_result(number, found)

    def _give_up(self, number: int) -> None:
        """A claim of which several workers have died: nobody waits for its other shards."""
        for future in [x for x, what in self.running.items() if not isinstance(what, int) and what[0].number == number]:
            del self.running[future]
            future.cancel()
        self.drives = [drive for drive in self.drives if drive.number != number]
        if number not in self.queue.results:
            self.queue.add_result(number, lose(self.queue.plan.entries[number], KILLED))

    def salvage(self) -> None:
        """After the death of a worker: take the shards that had come in before, and give back those that had not."""
        for future, what in self.running.items():
            if isinstance(what, tuple) and future.done() and future.exception() is None:
                found = future.result()
                assert isinstance(found, ShardOutcome)
                what[0].put(what[1], found)
        for drive in self.driven.values():
            drive.give_back()

    def _begin_drive(self, number: int) -> None:
        """Have a heavy claim searched; one that reads otherwise by now is settled as any other."""
        entry, options = self.queue.plan.entries[number], self.queue.options
        try:
            claim = run_within_budget(options.budget, lambda: find_heavy(entry, options))
        except Spent as limit:
            self.queue.add_result(number, lose(entry, f"anything: {limit}"))
            return
        if claim is not None:
            self.driven[number] = ShardedSearch(number, entry, claim, options, self.queue.stores())
            self.drives.append(self.driven[number])
        else:
            self._start(number, settle_entry_safely, entry, options, self.queue.look_up(number))


class WorkerDied(NimChecksError):
    """A process of the pool is gone, and with it whatever was under way."""
