"""A heavy claim is searched in shards by all workers of a run, and comes out the same whatever their number."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from small_scopes import FALSE, TRUE, put_heavy

from checks.cache.results import list_differences
from checks.execution import processes as executing
from checks.execution.dispatcher import Dispatcher
from checks.execution.execute import WITHOUT, execute
from checks.execution.queue import Queue, make_plan
from checks.execution.settle import find_heavy, settle_entry
from checks.execution.shards import (
    ClaimDiffers,
    PrecomputedAnswer,
    ShardedSearch,
    ShardStores,
    ShardTask,
    drive_here,
    run_task,
)
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry
from encoders.logic.answer import Decision, RouteResult

USUAL = Options()
NEVER = 10**6
pytestmark = pytest.mark.usefixtures("small")


def drive(entry: Entry, options: Options = USUAL) -> ShardedSearch:
    claim = find_heavy(entry, options)
    assert claim is not None
    return ShardedSearch(0, entry, claim, options)


class Workers(Executor):
    """Does nothing until it is told to: then the last thing that came in comes first."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[object], object, tuple[object, ...]]] = []
        self.names: list[str] = []

    def submit(self, work, /, *args, **named):
        future: Future[object] = Future()
        self.waiting.append((future, work, args))
        return future

    def work(self) -> Future[object]:
        future, work, args = self.waiting.pop()
        try:
            future.set_result(work(*args))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        self.names.append(work.__name__)
        return future


def settle_by(workers: Workers, entry: Entry, count: int, options: Options = USUAL) -> ClaimResult:
    found: dict[int, ClaimResult] = {}
    dispatcher = Dispatcher(Queue(make_plan([entry]), options, WITHOUT, lambda *_: None, found), workers, count)
    while dispatcher.hand_out():
        assert len(dispatcher.running) <= max(count, 2)
        dispatcher.take_result(workers.work())
    return found[0]


@pytest.mark.parametrize("then", [TRUE, FALSE])
@pytest.mark.slow
def test_it_comes_out_as_in_one_process(tmp_path: Path, then: str) -> None:
    entry = put_heavy(tmp_path, then)
    alone = settle_entry(entry, Options())
    assert alone.verdict is (Verdict.VERIFIED if then == TRUE else Verdict.REFUTED)
    for count in (1, 2, 7):
        workers = Workers()
        assert list(list_differences(alone, settle_by(workers, entry, count))) == []
        assert workers.names.count("run_task") > 10 and workers.names.count("settle_entry_safely") == 1


def test_no_time_is_no_verdict(tmp_path: Path) -> None:
    workers = Workers()
    result = settle_by(workers, put_heavy(tmp_path), 2, Options(budget=0.0))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "run_task" not in workers.names


class Mortal(Executor):
    """Stands for the processes of a run: works at once, and from the `dies`th thing on no more."""

    dies: list[int]
    names: list[str]

    def __init__(self, *args, **named) -> None:
        self.left = Mortal.dies.pop(0)

    def submit(self, work, /, *args, **named):
        future: Future[object] = Future()
        self.left -= 1
        if self.left == 0:
            future.set_exception(BrokenProcessPool())
        elif self.left < 0:
            raise BrokenProcessPool
        else:
            Mortal.names.append(work.__name__)
            future.set_result(work(*args, **named))
        return future


def settle_with_deaths(
    monkeypatch: pytest.MonkeyPatch, entry: Entry, deaths: list[int], folder: Path | None = None
) -> ClaimResult:
    monkeypatch.setattr(Mortal, "dies", deaths, raising=False)
    monkeypatch.setattr(Mortal, "names", [], raising=False)
    monkeypatch.setattr(executing, "Pool", Mortal)
    stores = None if folder is None else lambda: ShardStores(folder, False, pytest.fail)
    (result,) = execute([entry], Options(), 2, lambda *_: None, stores=stores).results
    return result


@pytest.mark.parametrize("dies", [1, 2, 3, 7, 8])
@pytest.mark.slow
def test_a_worker_that_dies_takes_no_shard_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies: int) -> None:
    """What had come in is not searched again, and all of it has receipts."""
    entry = put_heavy(tmp_path)
    alone = settle_with_deaths(monkeypatch, entry, [NEVER], tmp_path / "whole")
    whole = Mortal.names.count("run_task")
    receipts = {path.name: path.read_bytes() for path in (tmp_path / "whole").rglob("*.json")}
    again = settle_with_deaths(monkeypatch, entry, [dies, NEVER], tmp_path / "shards")
    assert list(list_differences(alone, again)) == []
    assert Mortal.names.count("run_task") == whole == len(receipts) > 10
    assert {path.name: path.read_bytes() for path in (tmp_path / "shards").rglob("*.json")} == receipts


@pytest.mark.slow
def test_what_was_found_is_not_lost_with_the_worker_that_was_to_judge_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = put_heavy(tmp_path)
    settle_with_deaths(monkeypatch, entry, [NEVER])
    whole = len(Mortal.names)
    assert Mortal.names[-1] == "settle_entry_safely"
    settle_with_deaths(monkeypatch, entry, [whole, NEVER])
    assert len(Mortal.names) == whole


@pytest.mark.parametrize("deaths", [[1, 1], [4, 2], [4, 1]])
def test_a_claim_that_kills_twice_is_inconclusive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: list[int]
) -> None:
    result = settle_with_deaths(monkeypatch, put_heavy(tmp_path), deaths)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.finding.not_established == "anything: its process was killed (out of memory?)"


def test_an_error_in_a_shard_is_loud(tmp_path: Path) -> None:
    entry = put_heavy(tmp_path)
    driven = drive(entry)
    task = driven.take()
    assert task is not None
    driven.fail(ZeroDivisionError("ours"))
    assert driven.take() is None
    result = settle_entry(entry, Options(), known=driven.known)
    assert result.verdict is Verdict.INCONSISTENT and "ZeroDivisionError: ours" in result.finding.error


def test_what_was_found_of_another_text_does_not_count(tmp_path: Path) -> None:
    entry = put_heavy(tmp_path, FALSE)
    known = drive_here(drive(put_heavy(tmp_path, TRUE)))
    assert isinstance(known.answer, RouteResult) and known.answer.decision is Decision.HOLDS
    put_heavy(tmp_path, FALSE)
    assert settle_entry(entry, Options(), known=known).verdict is Verdict.REFUTED


def test_a_shard_of_another_text_is_not_searched(tmp_path: Path) -> None:
    task = drive(put_heavy(tmp_path, TRUE)).take()
    assert isinstance(task, ShardTask)
    put_heavy(tmp_path, FALSE)
    with pytest.raises(ClaimDiffers, match=r"^claim differs: "):
        run_task(task)


def test_a_known_answer_is_judged_as_any_other(tmp_path: Path) -> None:
    """The referee does not believe it because it was found elsewhere."""
    entry = put_heavy(tmp_path, TRUE)
    claim = find_heavy(entry, Options())
    assert claim is not None
    lie = RouteResult("exhaustive", Decision.FAILS, 9, 9, counterexample={"k": 1, "s": (1,)})
    assert settle_entry(entry, Options(), known=PrecomputedAnswer(claim.digest, lie)).verdict is Verdict.INCONSISTENT
