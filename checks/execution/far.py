"""The workers of a Dask scheduler, which implement the protocol `work.Workers`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from checks.execution.limits import Lost, SchedulerGone, Unfit
from checks.execution.shards import describe_program
from checks.execution.work import AboutClaim, Opener
from checks.execution.worker import pack_parcel, unpacker
from checks.results.model import ClaimResult
from claims.language.errors import ClaimError
from claims.language.files.definitions import ClaimInputs
from claims.language.files.library import Entry
from claims.language.files.toml import look
from claims.language.interrupts import Phase, entering_phase
from encoders.proving.reading import load_claim

if TYPE_CHECKING:
    from distributed import Client

    from checks.execution.worker import WorkerReply


Remote = Callable[[tuple[str, ...], bytes], "WorkerReply"]
ANSWER = 10.0  # seconds within which a scheduler must answer
ASK = 1.0  # seconds between two requests for the number of workers
NO_FILES = ClaimInputs()


class Cluster:
    """The workers of a Dask scheduler. A call is sent to them as a `worker.Parcel`.

    The future of a call contains the result or an exception:
    - Unfit, if a worker runs another program, has other claim files, or cannot work;
    - Lost, if several workers died during the call;
    - SchedulerGone, if the connection to the scheduler was lost;
    - or the exception that the call raised.

    `anew`: whether the workers do not use the certificates of the library.
    """

    def __init__(self, client: Client, address: str, warn: Callable[[str], None], anew: bool = False) -> None:
        self.client, self.address, self._warn, self._anew = client, address, warn, anew
        self._executor = client.get_executor(pure=False)
        self._remote = _make_remote()
        self._program = describe_program()
        self._bases: dict[Entry, ClaimInputs] = {}
        self._states: dict[str, str] = {}
        self._asked, self._count, self._warned = -ASK, 0, False

    def count(self) -> int:
        """Return how many tasks can be in progress: one for each worker, and some more so that no worker is idle.

        If there are no workers now, warn once. Raises SchedulerGone if the connection to the scheduler was lost.
        """
        self.check()
        if time.monotonic() - self._asked >= ASK:
            try:
                self._count = len(self.client.nthreads())
            except (OSError, RuntimeError, TimeoutError) as error:
                raise self._make_gone_error() from error
            self._asked = time.monotonic()
            if not self._count and not self._warned:
                self._warn(
                    f"the scheduler at {self.address} does not have any workers now; waiting until a worker connects"
                )
            self._warned = not self._count
        return self._count + self._count // 8 + 1

    def check(self) -> None:
        """Raise SchedulerGone unless the scheduler answers."""
        if self.client.status != "running":
            raise self._make_gone_error()

    def submit(self, function: Callable[..., object], /, *args: object) -> Future[object]:
        """Send a call to a worker, and return the future of the call.

        If the first argument is an Entry or AboutClaim, the worker needs the files of that claim. If that claim is
        invalid, this process makes the call. Raises SchedulerGone if the connection to the scheduler was lost.
        """
        self.check()
        first, future = args[0], Future[object]()
        about = first if isinstance(first, AboutClaim) else None
        entry = about.entry if about is not None else first if isinstance(first, Entry) else None
        try:
            basis = NO_FILES if entry is None else self._find_basis(entry)
        except ClaimError:
            future.set_result(function(*args))  # the result contains the errors of the file
            return future
        digest = basis.digest if about is None else about.digest
        parcel = pack_parcel(entry, (digest, basis.files), function, args, self._anew)

        def take(sent: Future[WorkerReply]) -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(self._open(entry, digest, sent))
            except BaseException as error:  # noqa: BLE001 - the loop decides what it means
                future.set_exception(error)

        self._executor.submit(self._remote, self._program, parcel).add_done_callback(take)
        return future

    # -- replies ------------------------------------------------------------------------------------------------------
    def _open(self, entry: Entry | None, digest: str, sent: Future[WorkerReply]) -> object:
        """Return the result in a worker's reply, or raise the exception in it.

        Raises Unfit if the worker's program or files differ.

        `entry`, `digest`: the claim whose files the call needed, and its digest on this machine.
        """
        if sent.cancelled():
            raise self._make_gone_error()
        error = sent.exception()
        if error is not None:
            raise _translate(error)
        reply = sent.result()
        if reply.refused:
            raise Unfit(reply.refused)
        found: object = unpacker(reply.content).load()
        if reply.raised:
            assert isinstance(found, Exception)
            raise found
        if isinstance(found, ClaimResult) and entry is not None:
            self._compare(entry, digest, found, reply.host)
        return found

    def _compare(self, entry: Entry, digest: str, result: ClaimResult, host: str) -> None:
        """Raise Unfit if the claim was settled with files that differ from the files on this machine."""
        if result.provenance.digest not in ("", digest):
            raise Unfit(f"{entry.id} differs on {host}: it was changed during the run")
        for name, state in result.provenance.seen:
            if self._look(name) != state.split(" ")[:2]:
                raise Unfit(f"{entry.id} differs on {host}: the worker has another version of the file {name}")

    def _look(self, name: str) -> list[str]:
        """Return the state of a file on this machine without the path in it, because paths differ between machines."""
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
    """Return our exception for an exception of Dask."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return Lost()
    told = str(error).strip().splitlines()
    return Unfit(f"a worker cannot do this run's work: {type(error).__name__}: {told[0] if told else ''}")


def _make_remote() -> Remote:
    """Return the function that workers call.

    Dask sends a nested function as code, so the scheduler does not need nim-checks.
    """

    def serve_remotely(program: tuple[str, ...], data: bytes) -> WorkerReply:
        from distributed import get_worker

        from checks.execution.worker import serve

        return serve(program, data, get_worker().state.nthreads)

    return serve_remotely


def use_scheduler(address: str, warn: Callable[[str], None], anew: bool = False) -> Opener:
    """Return a function that opens the workers of a Dask scheduler.

    `warn`: prints a warning.
    `anew`: whether the workers do not use the certificates of the library.
    """
    return lambda _: _open_cluster(address, warn, anew)


@contextmanager
def _open_cluster(address: str, warn: Callable[[str], None], anew: bool) -> Iterator[Cluster]:
    """Open the workers of a scheduler. Raises Unfit if the scheduler does not answer, or if Dask is not installed."""
    with entering_phase(Phase.WATCHING):
        try:
            from distributed import Client
        except ImportError:
            raise Unfit("--scheduler needs Dask; install it with pip install 'distributed>=2024.8'") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # our own messages say the same
        try:
            client = Client(address, timeout=ANSWER, set_as_default=False, name="nim-checks")
        except (OSError, ValueError, TypeError) as error:
            told = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise Unfit(f"no Dask scheduler at {address}: {told}") from None
        try:
            yield Cluster(client, address, warn, anew)
        finally:
            client.close(timeout=2)
