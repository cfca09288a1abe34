"""Run claims and shards on the workers of a Dask scheduler."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from checks.execution.dispatcher import Dispatcher
from checks.execution.families import ClaimPiece, Job, OnRecord, Work, hand_out
from checks.execution.limits import Lost, SchedulerGone, Unfit
from checks.execution.processes import WAIT
from checks.execution.queue import Queue
from checks.execution.shards import ShardTask, describe_program
from checks.execution.worker import ParcelWork, make_parcel, pack, unpacker
from checks.results.model import ClaimResult
from claims.language.errors import ClaimError
from claims.language.files.definitions import ClaimInputs
from claims.language.files.library import Entry
from claims.language.files.toml import look
from claims.language.interrupts import Interrupted, Phase, entering_phase
from encoders.proving.reading import load_claim

if TYPE_CHECKING:
    from distributed import Client

    from checks.execution.worker import WorkerReply


# == cluster ==========================================================================================================
# The workers of a Dask scheduler, with the interface of `concurrent.futures`.
P = ParamSpec("P")
R = TypeVar("R")
Remote = Callable[[tuple[str, ...], bytes], "WorkerReply"]
ANSWER = 10.0  # seconds within which a scheduler must answer
ASK = 1.0  # seconds between two questions how many workers there are
NO_FILES = ClaimInputs()


class Cluster(Executor):
    """Sends work to the workers, and refuses what comes from one that differs; see `worker`.

    A future ends with the result; with what the work raised; with Unfit where a worker differs, Lost where several
    died of it, SchedulerGone where the scheduler did.  `anew`: as in `ParcelWork`.
    """

    def __init__(self, client: Client, address: str, anew: bool = False) -> None:
        self.client, self.address, self._anew = client, address, anew
        self._executor = client.get_executor(pure=False)
        self._remote = _make_remote()
        self._program = describe_program()
        self._bases: dict[Entry, ClaimInputs] = {}
        self._states: dict[str, str] = {}
        self._asked, self._count = -ASK, 0

    def count_workers(self) -> int:
        """How many there are now; each has one thread, or refuses. Raises SchedulerGone."""
        self.check()
        if time.monotonic() - self._asked >= ASK:
            try:
                self._count = len(self.client.nthreads())
            except (OSError, RuntimeError, TimeoutError) as error:
                raise self._make_gone_error() from error
            self._asked = time.monotonic()
        return self._count

    def check(self) -> None:
        """Raises SchedulerGone unless the scheduler is there."""
        if self.client.status != "running":
            raise self._make_gone_error()

    def submit(self, work: Callable[P, R], /, *args: P.args, **named: P.kwargs) -> Future[R]:
        """Have a worker do it. The first argument is a Task, a piece, or the Entry of the claim; or needs no file.

        Raises SchedulerGone.
        """
        self.check()
        first, future = args[0], Future[R]()
        about = first if isinstance(first, ShardTask | ClaimPiece) else None
        entry = about.entry if about is not None else first if isinstance(first, Entry) else None
        try:
            basis = NO_FILES if entry is None else self._find_basis(entry)
        except ClaimError:
            future.set_result(work(*args, **named))  # what is wrong with the file is told here
            return future
        digest = basis.digest if about is None else about.digest
        parcel = make_parcel(digest, basis.files, ParcelWork(entry, work, args, named, self._anew))

        def take(sent: Future[WorkerReply]) -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(self._open(work, entry, digest, sent))
            except BaseException as error:  # noqa: BLE001 - whatever it is, the future ends with it
                future.set_exception(error)

        self._executor.submit(self._remote, self._program, pack(parcel)).add_done_callback(take)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the scheduler. What workers are at they do to the end, for nobody."""
        self._executor.shutdown(wait=False)

    # -- what comes back ----------------------------------------------------------------------------------------------
    def _open(self, work: Callable[P, R], entry: Entry | None, digest: str, sent: Future[WorkerReply]) -> R:
        """What the worker found, or raised; Unfit if it did that by anything else than is here."""
        if sent.cancelled():
            raise self._make_gone_error()
        error = sent.exception()
        if error is not None:
            raise _translate(error)
        reply = sent.result()
        if reply.refused:
            raise Unfit(reply.refused)
        found: R = unpacker(reply.content).load()
        if reply.raised:
            assert isinstance(found, Exception)
            raise found
        if isinstance(found, ClaimResult) and entry is not None:
            self._compare(entry, digest, found, reply.host)
        return found

    def _compare(self, entry: Entry, digest: str, result: ClaimResult, host: str) -> None:
        """Raises Unfit if the claim was settled by other files than are here."""
        if result.provenance.digest not in ("", digest):
            raise Unfit(f"{entry.id} differs on {host}: it was changed while it was settled")
        for name, state in result.provenance.seen:
            if self._look(name) != state.split(" ")[:2]:
                raise Unfit(f"{entry.id} differs on {host}: {name} is not the same there")

    def _look(self, name: str) -> list[str]:
        """What is there, but not where that really lies."""
        if name not in self._states:
            with suppress(OSError):
                self._states[name] = look(Path(name))
        return self._states.get(name, "unreadable").split(" ")[:2]

    def _find_basis(self, entry: Entry) -> ClaimInputs:
        if entry not in self._bases:
            self._bases[entry] = load_claim(entry.path, entry.id).basis
        return self._bases[entry]

    def _make_gone_error(self) -> SchedulerGone:
        return SchedulerGone(f"the scheduler at {self.address} is gone")


def _translate(error: BaseException) -> Exception:
    """What Dask says of work that came to no reply."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return Lost()
    told = str(error).strip().splitlines()
    return Unfit(f"a worker cannot do this run's work: {type(error).__name__}: {told[0] if told else ''}")


def _make_remote() -> Remote:
    """What workers are sent: made in a function, it is sent as code, and the scheduler need not have nim-checks."""

    def serve_remotely(program: tuple[str, ...], data: bytes) -> WorkerReply:
        from distributed import get_worker

        from checks.execution.worker import serve

        return serve(program, data, get_worker().state.nthreads)

    return serve_remotely


@contextmanager
def open_cluster(address: str, anew: bool = False) -> Iterator[Cluster]:
    """The workers of the scheduler at an address. `anew`: as in `ParcelWork`.

    Raises Unfit if there is none, or no Dask.
    """
    try:
        from distributed import Client
    except ImportError:
        raise Unfit("--scheduler needs Dask: pip install 'distributed>=2024.8'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it has to say we say ourselves
    try:
        client = Client(address, timeout=ANSWER, set_as_default=False, name="nim-checks")
    except (OSError, ValueError, TypeError) as error:
        told = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise Unfit(f"no Dask scheduler at {address}: {told}") from None
    try:
        yield Cluster(client, address, anew)
    finally:
        client.close(timeout=2)


# == settle ===========================================================================================================
# A run whose claims and shards are settled by the workers of a Dask scheduler.
Working = Callable[[tuple[int, ...]], None]
Warn = Callable[[str], None]


def settle_far(address: str, warn: Warn, queue: Queue, working: Working) -> None:
    """Settle every claim of the plan. Raises Unfit and SchedulerGone."""
    with entering_phase(Phase.WATCHING), open_cluster(address, queue.cache.sources.anew) as cluster:
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
                dispatcher.take_result(future)


def run_far(address: str, warn: Warn, pieces: Iterable[Job], work: Work, take: OnRecord) -> None:
    """Do work that needs no files, see `family`. Raises Unfit and SchedulerGone."""
    with entering_phase(Phase.WATCHING), open_cluster(address) as cluster:
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
