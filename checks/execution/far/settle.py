"""A run whose claims and shards are settled by the workers of a Dask scheduler."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, wait

from checks.execution.dispatcher import Dispatcher
from checks.execution.families.run import Job, OnRecord, Work, hand_out
from checks.execution.far.cluster import Cluster, open_cluster
from checks.execution.processes import WAIT
from checks.execution.queue import Queue
from claims.language.ground.interrupts import Interrupted, Phase, during

Working = Callable[[tuple[int, ...]], None]
Warn = Callable[[str], None]


def settle_far(address: str, warn: Warn, queue: Queue, working: Working) -> None:
    """Settle every claim of the plan. Raises Unfit and SchedulerGone."""
    with during(Phase.WATCHING), open_cluster(address, queue.cache.sources.anew) as cluster:
        workers = Workers(cluster, warn)
        workers.wait()
        dispatcher = Dispatcher(queue, cluster, 1)
        while True:
            count = workers.count() or 1
            dispatcher.workers = count + count // 8 + 1  # a few to spare: nobody waits for a message
            if not dispatcher.hand_out():
                return
            working(dispatcher.list_numbers()[:count])
            done, _ = wait(dispatcher.running, timeout=WAIT, return_when=FIRST_COMPLETED)
            Interrupted.check()
            for future in done:
                dispatcher.bring_in(future)


def run_far(address: str, warn: Warn, pieces: Iterable[Job], work: Work, take: OnRecord) -> None:
    """Do work that needs no files, see `family`. Raises Unfit and SchedulerGone."""
    with during(Phase.WATCHING), open_cluster(address) as cluster:
        workers = Workers(cluster, warn)
        workers.wait()
        hand_out(cluster, {piece.id: piece for piece in pieces}, work, workers.count, take)


class Workers:
    """How many there are, which may change; where there are none, it is said once."""

    def __init__(self, cluster: Cluster, warn: Warn) -> None:
        self._cluster, self._warn, self._told = cluster, warn, False

    def count(self) -> int:
        """The number now. Raises SchedulerGone."""
        count = self._cluster.count_workers()
        if not count and not self._told:
            self._warn(f"the scheduler at {self._cluster.address} has no workers now; waiting for some")
        self._told = not count
        return count

    def wait(self) -> None:
        """Until there is one. Raises SchedulerGone."""
        while not self.count():
            Interrupted.check()
            time.sleep(0.2)
