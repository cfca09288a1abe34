"""All workers of a run search the shards of a heavy claim, and the result does not depend on their number."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from pathlib import Path

import pytest
from small_scopes import FALSE, TRUE, put_heavy

from checks.cache.results import list_differences
from checks.execution import processes as executing
from checks.execution.execute import WITHOUT, execute
from checks.execution.queue import Queue
from checks.execution.settle import find_heavy, settle_entry
from checks.execution.shards import (
    ClaimDiffers,
    PrecomputedAnswer,
    ShardedSearch,
    ShardStores,
    ShardTask,
    run_task,
)
from checks.execution.work import Task, use_local, work
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


class Workers:
    """Workers that wait until their queue is full or no further call comes, and then run the latest call."""

    def __init__(self, count: int) -> None:
        self.most, self.names = count, list[str]()
        self.waiting: list[tuple[Future[object], object, tuple[object, ...]]] = []

    def count(self) -> int:
        if len(self.waiting) == self.most:
            self.make_last_call()
        return self.most

    def submit(self, function, /, *args):
        future: Future[object] = Future()
        self.waiting.append((future, function, args))
        assert len(self.waiting) <= self.most
        return future

    def make_last_call(self) -> None:
        future, function, args = self.waiting.pop()
        try:
            future.set_result(function(*args))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        self.names.append(function.__name__)


def settle_by(workers: Workers, entry: Entry, options: Options = USUAL) -> ClaimResult:
    queue = Queue([entry], options, WITHOUT, lambda *_: None)

    def find_next(running: bool) -> Task | None:
        task = queue.next(running)
        if task is None and workers.waiting:
            workers.make_last_call()
        return task

    work(find_next, lambda _: nullcontext(workers), 1)
    return queue.results[0]


@pytest.mark.parametrize("then", [TRUE, FALSE])
@pytest.mark.slow
def test_it_comes_out_as_in_one_process(tmp_path: Path, then: str) -> None:
    entry = put_heavy(tmp_path, then)
    alone = settle_entry(entry, Options())
    assert alone.verdict is (Verdict.VERIFIED if then == TRUE else Verdict.REFUTED)
    for count in (1, 2, 7):
        workers = Workers(count)
        assert list(list_differences(alone, settle_by(workers, entry))) == []
        assert workers.names.count("run_task") > 10 and workers.names.count("settle_entry_safely") == 1


def test_no_time_is_no_verdict(tmp_path: Path) -> None:
    workers = Workers(2)
    result = settle_by(workers, put_heavy(tmp_path), Options(budget=0.0))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "run_task" not in workers.names


class Mortal(Executor):
    """Substitutes for the processes of a run: each pool runs calls at once, but none from the `dies`th on."""

    dies: list[int]
    names: list[str]

    def __init__(self, jobs: int, *_: object) -> None:
        self.jobs, self.left = jobs, Mortal.dies.pop(0) if Mortal.dies else NEVER

    def count(self) -> int:
        return self.jobs

    def submit(self, work, /, *args, **named):
        future: Future[object] = Future()
        self.left -= 1
        if self.left <= 0:
            future.set_exception(BrokenProcessPool())
        else:
            Mortal.names.append(work.__name__)
            future.set_result(work(*args, **named))
        return future


def settle_with_deaths(
    monkeypatch: pytest.MonkeyPatch, entry: Entry, deaths: list[int], folder: Path | None = None
) -> ClaimResult:
    monkeypatch.setattr(Mortal, "dies", list(deaths), raising=False)
    monkeypatch.setattr(Mortal, "names", [], raising=False)
    monkeypatch.setattr(executing, "Pool", Mortal)
    stores = None if folder is None else lambda: ShardStores(folder, False, pytest.fail)
    (result,) = execute([entry], Options(), 2, lambda *_: None, stores=stores).results
    return result


@pytest.mark.parametrize("deaths", [[1], [2], [3], [7], [8], [4, NEVER, NEVER, 4], [2, NEVER, 3, NEVER, NEVER, 2]])
@pytest.mark.slow
def test_workers_that_die_take_no_shard_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: list[int]
) -> None:
    """Completed shards are not searched again, and all of them have receipts."""
    entry = put_heavy(tmp_path)
    alone = settle_with_deaths(monkeypatch, entry, [], tmp_path / "whole")
    whole = Mortal.names.count("run_task")
    receipts = {path.name: path.read_bytes() for path in (tmp_path / "whole").rglob("*.json")}
    again = settle_with_deaths(monkeypatch, entry, deaths, tmp_path / "shards")
    assert list(list_differences(alone, again)) == []
    assert Mortal.names.count("run_task") == whole == len(receipts) > 10
    assert {path.name: path.read_bytes() for path in (tmp_path / "shards").rglob("*.json")} == receipts


@pytest.mark.slow
def test_what_was_found_is_not_lost_with_the_worker_that_was_to_judge_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = put_heavy(tmp_path)
    settle_with_deaths(monkeypatch, entry, [])
    whole = len(Mortal.names)
    assert Mortal.names[-1] == "settle_entry_safely"
    settle_with_deaths(monkeypatch, entry, [whole])
    assert len(Mortal.names) == whole


@pytest.mark.parametrize("deaths", [[1, 1], [4, 1], [4, NEVER, 1, 1]])
def test_a_claim_that_kills_twice_is_inconclusive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: list[int]
) -> None:
    result = settle_with_deaths(monkeypatch, put_heavy(tmp_path), deaths)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.finding.not_established == "anything: its process was killed, perhaps because it ran out of memory"


def test_an_error_outside_a_claim_ends_the_run(tmp_path: Path) -> None:
    queue = Queue([put_heavy(tmp_path)], USUAL, WITHOUT, lambda *_: None)
    task = queue.next(False)
    assert task is not None
    with pytest.raises(ZeroDivisionError):
        task.fail(ZeroDivisionError())
    assert queue.results == {}


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
    search = drive(put_heavy(tmp_path, TRUE))
    work(lambda _: search.next(), use_local(1), 1)
    known = search.known
    assert known is not None and isinstance(known.answer, RouteResult) and known.answer.decision is Decision.HOLDS
    put_heavy(tmp_path, FALSE)
    assert settle_entry(entry, Options(), known=known).verdict is Verdict.REFUTED


def test_a_shard_of_another_text_is_not_searched(tmp_path: Path) -> None:
    task = drive(put_heavy(tmp_path, TRUE)).take()
    assert isinstance(task, ShardTask)
    put_heavy(tmp_path, FALSE)
    with pytest.raises(ClaimDiffers, match=r"^claim was changed during the run"):
        run_task(task)


def test_a_known_answer_is_judged_as_any_other(tmp_path: Path) -> None:
    """The referee does not trust a result because it was found elsewhere."""
    entry = put_heavy(tmp_path, TRUE)
    claim = find_heavy(entry, Options())
    assert claim is not None
    lie = RouteResult("exhaustive", Decision.FAILS, 9, 9, counterexample={"k": 1, "s": (1,)})
    assert settle_entry(entry, Options(), known=PrecomputedAnswer(claim.digest, lie)).verdict is Verdict.INCONSISTENT
