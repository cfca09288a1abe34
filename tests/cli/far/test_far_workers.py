"""The checks of a remote worker before and after its work, and the handling of its results."""

import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import ROOT
from commands import run_within
from samples import alter
from small_scopes import put_heavy, state

from checks.cache.results import list_differences
from checks.execution import far, worker
from checks.execution.execute import WITHOUT, execute
from checks.execution.far import Cluster, use_scheduler
from checks.execution.limits import Lost, SchedulerGone, Unfit
from checks.execution.queue import Queue
from checks.execution.settle import find_heavy, settle_entry, settle_entry_safely
from checks.execution.shards import ShardedSearch, describe_program, run_task
from checks.execution.work import work
from checks.execution.worker import Parcel, WorkerReply, pack, pack_parcel, serve, unpacker
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import LIBRARY, Entry
from claims.language.files.toml import display_path, viewing_from
from encoders.proving.reading import load_claim
from encoders.solvers import automaton as engine
from encoders.solvers import discharge

HOST = socket.gethostname()
OPTIONS = Options()
pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    return put_heavy(tmp_path)


def send(entry: Entry) -> bytes:
    basis = load_claim(entry.path, entry.id).basis
    return pack_parcel(entry, (basis.digest, basis.files), settle_entry_safely, (entry, OPTIONS))


# -- the worker --------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_worker_of_the_same_program_and_claim_settles_it(entry: Entry) -> None:
    reply = serve(describe_program(), send(entry), 1)
    assert (reply.refused, reply.raised) == ("", False)
    found = unpacker(reply.content).load()
    assert isinstance(found, ClaimResult) and found.verdict is Verdict.VERIFIED


def test_a_worker_with_several_threads_is_refused(entry: Entry) -> None:
    assert serve(describe_program(), send(entry), 2).refused == (
        f"{HOST}: a worker has 2 threads; start workers with --nthreads 1"
    )


def test_a_worker_with_other_packages_is_refused(entry: Entry) -> None:
    source, *versions = describe_program()
    ours = next(x for x in versions if x.startswith("numpy "))
    others = tuple("numpy 0" if x == ours else x for x in versions)
    assert (
        serve((source, *others), send(entry), 1).refused == f"the program differs on {HOST}: {ours} there, numpy 0 here"
    )
    assert (
        serve((source, *versions, "more 1"), send(entry), 1).refused
        == f"the program differs on {HOST}: the installed packages differ there"
    )
    assert serve(("0" * 64, *versions), send(entry), 1).refused == (
        f"the program differs on {HOST}: the worker has another version of the source of nim-checks"
    )


def test_a_claim_that_is_not_there_is_refused(entry: Entry) -> None:
    sent = send(entry)
    entry.path.unlink()
    assert serve(describe_program(), sent, 1).refused.startswith(
        f"claim differs on {HOST}: {entry.path}: cannot be read: No such file"
    )


def test_a_claim_with_another_text_is_refused(entry: Entry) -> None:
    sent = send(entry)
    entry.path.write_text(state().replace("k + 1", "k + 2"))
    assert serve(describe_program(), sent, 1).refused == (
        f"claim differs on {HOST}: the worker has another version of {entry.path}"
    )


@pytest.mark.parametrize("changed_at", [2, 3])
def test_a_source_that_changes_under_a_worker_is_noticed(
    entry: Entry, monkeypatch: pytest.MonkeyPatch, changed_at: int
) -> None:
    """It is checked before and after the work, because the loaded modules could come from either text."""
    worker._remember_source.cache_clear()
    looks = 0

    def stamp() -> worker.Stamps:
        nonlocal looks
        looks += 1
        return ((ROOT, 0, int(looks >= changed_at)),)

    monkeypatch.setattr(worker, "_stamp", stamp)
    reply = serve(describe_program(), send(entry), 1)
    worker._remember_source.cache_clear()
    assert looks == changed_at
    assert reply.refused.endswith(
        "the source of nim-checks has changed since the worker started; start the worker again"
    )
    assert reply.content == b""


def test_the_stamp_is_another_once_a_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "one.py"
    file.write_text("1")
    monkeypatch.setattr(worker, "_list_paths", lambda: (file,))
    before = worker._stamp()
    assert worker._stamp() == before
    file.write_text("11")
    assert worker._stamp() != before
    file.unlink()
    assert worker._stamp() != before


def test_paths_are_those_of_whoever_unpacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is where the receiver has installed it. Other files keep their paths. Both are displayed as here."""
    here, there = tmp_path / "here" / "claims", tmp_path / "there" / "claims"
    paths = (here / "nim" / "bouton.toml", tmp_path / "claim.toml", Path("relative.toml"))
    monkeypatch.chdir(tmp_path)
    for name in ("LIBRARY", "REAL_LIBRARY"):
        monkeypatch.setattr(worker, name, here)
    sent = pack(paths)
    packed = pack_parcel(Entry("", paths[0]), ("", ()), print, ())
    told = [display_path(path) for path in paths]
    for name in ("LIBRARY", "REAL_LIBRARY"):
        monkeypatch.setattr(worker, name, there)
    monkeypatch.chdir("/")
    found, parcel = unpacker(sent).load(), unpacker(packed).load()
    assert isinstance(parcel, Parcel)
    assert found == (there / "nim" / "bouton.toml", tmp_path / "claim.toml", tmp_path / "relative.toml")
    with viewing_from(parcel.view):
        assert (
            [display_path(path) for path in found]
            == told
            == ["here/claims/nim/bouton.toml", "claim.toml", "relative.toml"]
        )


@pytest.mark.slow
def test_certificates_are_taken_unless_all_is_to_be_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Entry("nim/zero-sum-moves", LIBRARY / "nim" / "zero-sum-moves.toml")
    basis = load_claim(entry.path, entry.id).basis
    searched: list[object] = []
    monkeypatch.setattr(engine, "build_tree", lambda *_: searched.append(_))
    for anew in (False, True):
        monkeypatch.setattr(discharge, "_proved", {})
        packed = pack_parcel(entry, (basis.digest, basis.files), settle_entry_safely, (entry, OPTIONS), anew)
        serve(describe_program(), packed, 1)
        assert bool(searched) == anew


# -- the sender --------------------------------------------------------------------------------------------------------
class Client:
    """A Dask client whose only worker is this process. `change`: changes a reply, or raises."""

    def __init__(self, change: Callable[[WorkerReply], WorkerReply] = lambda reply: reply) -> None:
        self.status, self.sent, self.change = "running", 0, change

    def nthreads(self) -> dict[str, int]:
        return {"tcp://here:1": 1}

    def get_executor(self, pure: bool) -> Executor:
        assert not pure
        return Here(self)


class Here(Executor):
    def __init__(self, client: Client) -> None:
        self.client = client

    def submit(self, work, /, *args, **named):
        future: Future[object] = Future()
        self.client.sent += 1
        try:
            future.set_result(self.client.change(work(*args, **named)))
        except KeyboardInterrupt:
            future.cancel()
            future.set_running_or_notify_cancel()
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        return future


@pytest.fixture(autouse=True)
def remote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far, "_make_remote", lambda: lambda program, data: serve(program, data, 1))


def settle_by(client: Client, entry: Entry) -> ClaimResult:
    """Settle an entry; all calls that are sent together return together."""
    queue = Queue([entry], OPTIONS, WITHOUT, lambda *_: None)
    work(queue.next, lambda _: nullcontext(Cluster(client, "there", pytest.fail)), 1)
    return queue.results[0]


@pytest.mark.slow
def test_what_comes_back_is_what_is_found_here(entry: Entry) -> None:
    client = Client()
    assert list(list_differences(settle_entry(entry, OPTIONS), settle_by(client, entry))) == []
    assert client.sent > 10


@pytest.mark.slow
def test_that_all_is_to_be_searched_for_is_told_to_the_workers(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    make = far.pack_parcel
    monkeypatch.setattr(far, "pack_parcel", lambda *words: told.append(words[-1]) or make(*words))
    monkeypatch.setattr(far, "_open_cluster", lambda *words: nullcontext(Cluster(Client(), *words)))
    for anew in (False, True):
        execute([entry], OPTIONS, 1, lambda *_: None, workers=use_scheduler("there", pytest.fail, anew))
        assert told and set(told) == {anew}
        told.clear()


def test_a_claim_that_cannot_be_read_goes_nowhere(entry: Entry) -> None:
    entry.path.write_text("format = 2")
    client = Client()
    assert settle_by(client, entry).verdict is Verdict.ERROR
    assert client.sent == 0


def change_result(**fields: object) -> Callable[[WorkerReply], WorkerReply]:
    def change(reply: WorkerReply) -> WorkerReply:
        found = unpacker(reply.content).load()
        return replace(reply, content=pack(alter(found, **fields))) if isinstance(found, ClaimResult) else reply

    return change


@pytest.mark.slow
def test_what_was_settled_by_other_files_does_not_count(entry: Entry) -> None:
    """All files that were read count, not only the inputs of the claim."""
    name = str(entry.path.parent / "works.toml")
    with pytest.raises(Unfit, match=f"^claim differs on {HOST}: the worker has another version of the file {name}$"):
        settle_by(Client(change_result(seen=((name, "file 0123 x"),))), entry)
    with pytest.raises(Unfit, match=f"^claim differs on {HOST}: it was changed during the run$"):
        settle_by(Client(change_result(digest="0" * 64)), entry)


def raise_it(error: BaseException) -> Callable[[WorkerReply], WorkerReply]:
    def change(reply: WorkerReply) -> WorkerReply:
        raise error

    return change


def test_workers_that_die_of_a_claim_leave_it_open(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far, "_translate", lambda error: Lost())
    result = settle_by(Client(raise_it(OSError())), entry)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.finding.not_established == "anything: its process was killed, perhaps because it ran out of memory"


@pytest.mark.parametrize("lost", [(3, 4), (3,)])
def test_what_comes_in_with_a_lost_shard_is_left_aside(
    entry: Entry, monkeypatch: pytest.MonkeyPatch, lost: tuple[int, ...]
) -> None:
    """The claim was given up with the lost shard. The third and fourth calls are shards and return together."""

    def change(reply: WorkerReply) -> WorkerReply:
        if client.sent in lost:
            raise OSError
        return reply

    monkeypatch.setattr(far, "_translate", lambda error: Lost())
    client = Client(change)
    result = settle_by(client, entry)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.finding.not_established == "anything: its process was killed, perhaps because it ran out of memory"
    assert client.sent == 4


@pytest.mark.slow
def test_a_worker_without_the_packages_is_refused(entry: Entry) -> None:
    with pytest.raises(Unfit, match=r"^a worker cannot do this run's work: ModuleNotFoundError: No module"):
        settle_by(Client(raise_it(ModuleNotFoundError("No module named 'checks'"))), entry)


def test_a_scheduler_that_goes_away_is_told(entry: Entry) -> None:
    with pytest.raises(SchedulerGone, match=r"^the scheduler at there is gone$"):
        settle_by(Client(raise_it(KeyboardInterrupt())), entry)
    client = Client(lambda reply: reply if client.sent < 4 else raise_it(KeyboardInterrupt())(reply))
    with pytest.raises(SchedulerGone):  # while shards are searched
        settle_by(client, entry)
    client = Client()
    client.status = "connecting"
    with pytest.raises(SchedulerGone):
        settle_by(client, entry)


def test_an_error_in_a_shard_elsewhere_is_loud(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.execution.shards.search_shard", lambda *_: 1 // 0)
    result = settle_by(Client(), entry)
    assert result.verdict is Verdict.INCONSISTENT
    assert "ZeroDivisionError" in result.finding.error and f"on {HOST}" in result.finding.error


def test_what_is_brought_twice_counts_once(entry: Entry) -> None:
    claim = find_heavy(entry, OPTIONS)
    assert claim is not None
    answers = []
    for times in (1, 2):
        drive = ShardedSearch(0, entry, claim, OPTIONS)
        while (task := drive.take()) is not None:
            outcome = run_task(task)
            for _ in range(times):
                drive.put(task.index, outcome)
        assert drive.known is not None
        answers.append(replace(drive.known.answer, seconds=0.0))
    assert answers[0] == answers[1]


# -- without Dask ------------------------------------------------------------------------------------------------------
def test_without_dask_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run_within("run", "--scheduler=tcp://127.0.0.1:9", cwd=tmp_path)
    assert done.returncode == 2
    assert "--scheduler needs Dask; install it with pip install 'distributed>=2024.8'" in done.stderr


@pytest.mark.slow
def test_without_a_scheduler_nothing_of_dask_is_loaded(tmp_path: Path) -> None:
    words = ["run", "nim/table-n-n-misere", "-j", "1", "--report", str(tmp_path)]
    command = [sys.executable, "-X", "importtime", "-m", "checks", *words]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60)
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in run.stderr.splitlines()}
    assert "encoders" in imported and not imported & {"dask", "distributed", "tornado"}


def test_a_scheduler_and_processes_here_are_two_things() -> None:
    done = run_within("run", "--scheduler", "tcp://127.0.0.1:9", "--jobs", "2")
    assert done.returncode == 2 and "--scheduler cannot be combined with --jobs" in done.stderr
