"""Tasks are done once each, whatever happens to the processes that do them."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from pathlib import Path
from threading import Timer

import pytest

from checks.cache.certificates import CertificateSources
from checks.execution import work as working
from checks.execution.limits import Lost, SchedulerGone, Unfit
from checks.execution.processes import open_pool
from checks.execution.work import Task, use_local, work
from claims.language.interrupts import Interrupted, noticing_interrupts

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")


def answer(number: int) -> int:
    return -number


def begin(folder: str, number: int) -> int:
    """Note that the call began, and in which process."""
    with (Path(folder) / str(number)).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return -number


def count_calls(folder: str | Path, number: int) -> int:
    path = Path(folder) / str(number)
    return len(path.read_text().split()) if path.exists() else 0


def kill(folder: str, number: int, other: int = 1) -> int:
    """Kill the worker, while the next task is in progress."""
    begin(folder, number)
    until = time.monotonic() + 60
    while not count_calls(folder, number + other) and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def kill_after(folder: str, number: int) -> int:
    """Kill the worker, while the task before is in progress."""
    return kill(folder, number, -1)


def kill_once(folder: str, number: int) -> int:
    """Kill the worker, but not if the call is made again."""
    return begin(folder, number) if count_calls(folder, number) else kill(folder, number)


def hang_once(folder: str, number: int) -> int:
    """Do not return for half a minute, except if the call is made again."""
    begin(folder, number)
    if count_calls(folder, number) == 1:
        time.sleep(30)
    return -number


class Run:
    """Tasks, each a function and what it is about, done by a number of workers."""

    def __init__(self, folder: Path, jobs: int, *calls: object, abouts: tuple[int, ...] = ()) -> None:
        self.found: dict[int, object] = {}
        self.failed: dict[int, Exception] = {}
        tasks = iter(
            Task(
                abouts[number] if abouts else number,
                call,
                (str(folder), number),
                lambda found, n=number: self.found.__setitem__(n, found),
                lambda error, n=number: self.failed.__setitem__(n, error),
            )
            for number, call in enumerate(calls)
        )
        work(lambda _: next(tasks, None), use_local(jobs), jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_is_done(tmp_path: Path, jobs: int) -> None:
    assert Run(tmp_path, jobs, begin, begin, begin).found == {0: 0, 1: -1, 2: -2}


def test_a_task_that_raises_fails_and_the_others_are_done(tmp_path: Path) -> None:
    run = Run(tmp_path, 1, begin, answer, begin)  # it gets one argument too many
    assert run.found == {0: 0, 2: -2}
    assert isinstance(run.failed[1], TypeError)


class Scripted:
    """Workers whose first calls have these futures; they make the others at once."""

    def __init__(self, *futures: Future[object]) -> None:
        self.futures = list(futures)

    def count(self) -> int:
        return 2

    def submit(self, function: Callable[..., object], /, *args: object) -> Future[object]:
        if self.futures:
            return self.futures.pop(0)
        future = Future[object]()
        future.set_result(function(*args))
        return future


def test_a_call_that_is_forgotten_while_a_worker_dies_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's pool may never finish the future of a call that is submitted in that moment."""
    monkeypatch.setattr(working, "WAIT", 0.01)
    broken, forgotten = Future[object](), Future[object]()
    broken.set_exception(BrokenProcessPool())
    workers, found = Scripted(broken, forgotten), list[object]()
    tasks = iter([Task(number, answer, (number,), found.append, pytest.fail) for number in (1, 2, 3)])
    work(lambda _: next(tasks, None), lambda _: nullcontext(workers), 2)
    assert found == [-1, -2, -3]


def test_after_a_loss_the_other_calls_about_the_same_are_cancelled() -> None:
    lost, other, found = Future[object](), Future[object](), list[object]()
    lost.set_exception(Lost())
    abouts, failed = {1: 7, 2: 7, 3: 8}, list[Exception]()
    tasks = iter([Task(about, answer, (number,), found.append, failed.append) for number, about in abouts.items()])
    work(lambda _: next(tasks, None), lambda _: nullcontext(Scripted(lost, other)), 2)
    assert other.cancelled() and found == [-3] and len(failed) == 1


@pytest.mark.parametrize("error", [Unfit("other program"), SchedulerGone("gone"), KeyboardInterrupt()])
def test_an_error_that_concerns_the_whole_run_is_not_the_failure_of_a_task(error: BaseException) -> None:
    future, failed = Future[object](), list[Exception]()
    future.set_exception(error)
    tasks = iter([Task(0, answer, (0,), pytest.fail, failed.append)])
    with pytest.raises(type(error)):
        work(lambda _: next(tasks, None), lambda _: nullcontext(Scripted(future)), 1)
    assert failed == []


def test_the_numbers_in_progress_are_reported_before_a_call_and_whenever_they_change() -> None:
    told, found = list[tuple[int, ...]](), list[object]()
    tasks = iter([Task(number, lambda: told[-1], (), found.append, pytest.fail) for number in (1, 2)])
    work(lambda _: next(tasks, None), use_local(1), 1, told.append)
    assert found == [(1,), (2,)]

    first, second = Future[object](), Future[object]()
    first.set_result(1)

    def report(numbers: tuple[int, ...]) -> None:
        told.append(numbers)
        if numbers == (2,):
            second.set_result(2)

    late = Timer(20, lambda: second.done() or second.set_result(None))
    late.start()
    tasks = iter([Task(number, answer, (number,), found.append, pytest.fail) for number in (1, 2)])
    work(lambda _: next(tasks, None), lambda _: nullcontext(Scripted(first, second)), 2, report)
    late.cancel()
    assert found[2:] == [1, 2]


@pytest.mark.slow
def test_tasks_in_progress_when_a_worker_is_killed_are_done_again_alone(tmp_path: Path) -> None:
    run = Run(tmp_path, 2, begin, kill_once, hang_once, begin, kill_once, hang_once)
    assert run.found == {number: -number for number in range(6)}
    assert run.failed == {}
    assert [count_calls(tmp_path, number) for number in range(6)] == [1, 2, 2, 1, 2, 2]  # nothing finished is repeated
    alone = [(tmp_path / str(number)).read_text().split()[1] for number in (1, 2, 4, 5)]
    assert len(set(alone)) == 4  # each in a separate process


@pytest.mark.slow
def test_a_task_that_kills_its_worker_twice_is_lost_and_the_others_are_done(tmp_path: Path) -> None:
    run = Run(tmp_path, 2, begin, kill, hang_once, begin, kill, hang_once)
    assert run.found == {0: 0, 2: -2, 3: -3, 5: -5}
    assert [(number, type(error)) for number, error in run.failed.items()] == [(1, Lost), (4, Lost)]
    assert [count_calls(tmp_path, number) for number in range(6)] == [1, 2, 2, 1, 2, 2]


@pytest.mark.slow
def test_a_call_after_the_death_of_a_worker_ends_as_the_others_do() -> None:
    with open_pool(1, CertificateSources(), None) as pool:
        calls = [pool.submit(os._exit, 1)]
        assert isinstance(calls[0].exception(), BrokenProcessPool)
        assert isinstance(pool.submit(answer, 1).exception(), BrokenProcessPool)


@pytest.mark.slow
def test_the_death_of_the_worker_that_was_started_last_is_noticed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker is started late, when Python has already looked which workers it must watch."""
    spawn = ProcessPoolExecutor._spawn_process

    def spawn_late(pool: ProcessPoolExecutor) -> None:
        time.sleep(2)
        spawn(pool)

    monkeypatch.setattr(ProcessPoolExecutor, "_spawn_process", spawn_late)
    run = Run(tmp_path, 2, hang_once, kill_after)
    assert run.found == {0: 0} and isinstance(run.failed[1], Lost)
    assert count_calls(tmp_path, 0) == 2  # it was ended by the death of the other, not by itself


@pytest.mark.slow
def test_after_a_loss_the_other_tasks_about_the_same_are_not_done_again(tmp_path: Path) -> None:
    run = Run(tmp_path, 2, kill, hang_once, begin, abouts=(7, 7, 8))
    assert run.found == {2: -2}
    assert [type(error) for error in run.failed.values()] == [Lost]
    assert [count_calls(tmp_path, number) for number in range(3)] == [2, 1, 1]


@pytest.mark.slow
def test_a_signal_ends_the_workers_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a worker that is in the middle of a call."""

    def wait(running: object) -> list[object]:
        while not count_calls(tmp_path, 0):
            time.sleep(0.05)
        Interrupted.now = True
        return []

    monkeypatch.setattr(working, "_wait", wait)
    with pytest.raises(KeyboardInterrupt), noticing_interrupts():
        Run(tmp_path, 2, hang_once)
    (worker,) = (tmp_path / "0").read_text().split()
    until = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
