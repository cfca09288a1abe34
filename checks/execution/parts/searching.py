"""The shards of one part of a run, searched by processes of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from checks.cache.proofs import CertificateSources
from checks.execution.parts.share import Heavy, RunShare
from checks.execution.processes import WAIT, open_pool
from checks.execution.shards.drive import ShardedSearch, drive_here
from checks.execution.shards.store import ShardStores
from checks.execution.shards.task import run_task
from checks.judgement.options import Options
from claims.language.ground.interrupts import Interrupted, Phase, during, noticing_interrupts
from encoders.answer import RouteResult
from encoders.exhaustive.cover import ShardOutcome


@dataclass(frozen=True)
class Searched:
    """What came of a claim. `unfinished`: why not all its shards of the part were searched, or ""."""

    id: str
    unfinished: str


def search_part(
    claims: Sequence[Heavy], part: RunShare, options: Options, jobs: int, stores: ShardStores
) -> tuple[Searched, ...]:
    """Search the shards of a part, each of which leaves its receipt. Raises KeyboardInterrupt after Ctrl-C."""
    drives = [
        ShardedSearch(number, x.entry, x.claim, options, stores, x.rounds(part)) for number, x in enumerate(claims)
    ]
    died = False
    with noticing_interrupts():
        if jobs == 1:
            for drive in drives:
                drive_here(drive)
        else:
            with during(Phase.WATCHING), open_pool(jobs, CertificateSources()) as pool:
                try:
                    _drain(drives, pool, jobs)
                except BrokenProcessPool:
                    died = True
    return tuple(Searched(drive.entry.id, _tell(drive, died)) for drive in drives)


def _drain(drives: Sequence[ShardedSearch], pool: Executor, jobs: int) -> None:
    running: dict[Future[ShardOutcome], tuple[ShardedSearch, int]] = {}
    while True:
        for drive in drives:
            while len(running) < jobs and (task := drive.take()) is not None:
                running[pool.submit(run_task, task)] = drive, task.index
        if not running:
            return
        done, _ = wait(running, timeout=WAIT, return_when=FIRST_COMPLETED)
        Interrupted.check()
        for future in done:
            drive, index = running.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                raise error
            if isinstance(error, Exception):
                drive.fail(error)
            else:
                drive.put(index, future.result())


def _tell(drive: ShardedSearch, died: bool) -> str:
    if drive.known is None:
        return "a worker process was killed (out of memory?)" if died else "not searched"
    answer = drive.known.answer
    if isinstance(answer, RouteResult):
        return "" if answer.answer.settles else answer.detail
    return f"internal error: {type(answer).__name__}: {answer}"
