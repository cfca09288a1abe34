"""Many tasks on several processes. A process that dies or hangs is replaced, and its task is logged as such."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from .judge import Judge
from .tasks import SECONDS, Task, guard, perform

HANGING = 3 * SECONDS
TASKS_EACH = 2000  # then a fresh process takes over, so that leaks in libraries do not accumulate


def _work(pipe: Connection, seed: int) -> None:
    guard()
    judge = Judge()
    while (task := pipe.recv()) is not None:
        pipe.send(perform(judge, seed, task, guarded=True))


class _Worker:
    def __init__(self, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, seed), daemon=True)
        self.process.start()
        other.close()
        self.done, self.task, self.since = 0, None, 0.0

    def give(self, task: Task | None) -> None:
        self.task, self.since = task, time.monotonic()
        self.pipe.send(task)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def performed(tasks: list[Task], seed: int, jobs: int) -> Iterator[dict[str, Any]]:
    """Yield the log lines of the tasks as they are done."""
    waiting = list(reversed(tasks))
    workers = [_Worker(seed) for _ in range(min(jobs, len(tasks)))]
    for worker in workers:
        worker.give(waiting.pop())
    while workers:
        ready = wait([w.pipe for w in workers], timeout=5)
        for worker in list(workers):
            lost = ""
            if worker.pipe in ready:
                try:
                    yield worker.pipe.recv()
                    worker.done += 1
                except (EOFError, ConnectionResetError):
                    lost = "the process died"
            elif time.monotonic() - worker.since > HANGING:
                lost = "the process hung"
            else:
                continue
            if lost:
                kind, number = worker.task
                yield {"seed": seed, "kind": kind, "number": number, "verdict": lost}
            if not waiting or lost or worker.done >= TASKS_EACH:
                worker.end()
                workers.remove(worker)
                if waiting:
                    worker = _Worker(seed)
                    workers.append(worker)
            if waiting:
                worker.give(waiting.pop())
