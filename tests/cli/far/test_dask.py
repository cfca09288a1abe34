"""Claims and shards settled by the workers of a Dask scheduler: if processes die, nothing is lost or counted twice."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from claim_texts import HEAD
from clusters import LIMIT, QUIET, ROOT, Dask, Runs, count_lines, wait_for

FAMILY = (
    HEAD
    + """ruleset = "octal(code = [a, b])"
[forall]
a = "5..7"
b = "a..7"
n = "0.."
[claim]
then = "grundy(position([n])) >= 0"
[scope]
n = "0..4"
[proof]
rule = "periodic"
"""
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("dask"),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal"),
]


def test_a_worker_that_is_killed_takes_nothing_with_it(dask: Dask, runs: Runs, whole) -> None:
    killed = dask.add_worker(DIES="4", SLOW="0.05")
    dask.add_worker(SLOW="0.05")
    done = runs.run("far", "--scheduler", dask.address)
    assert done.returncode == 0, done.stderr
    assert killed.wait(timeout=5) == -signal.SIGKILL
    assert runs.read("far") == whole.report
    assert runs.count_receipts("far") == whole.shards
    searched = (dask.folder / "searched").read_text().splitlines()
    assert len(set(searched)) == 2 and searched.count(str(killed.pid)) == 3
    assert len(searched) >= whole.shards


def test_processes_that_are_killed_take_nothing_with_them(runs: Runs, whole) -> None:
    """Each process of the run is killed at its fifth shard, so several processes die."""
    done = runs.run("here", "-j", "2", DIES="5")
    assert done.returncode == 0, done.stderr
    assert runs.read("here") == whole.report
    assert runs.count_receipts("here") == whole.shards
    searched = (runs.folder / "searched-here").read_text().splitlines()
    assert len(searched) >= whole.shards and max(searched.count(one) for one in searched) == 4


def test_a_part_whose_processes_are_killed_is_searched_as_well(runs: Runs, whole) -> None:
    done = runs.run("part", "--shard", "1/1", "-j", "2", DIES="5")
    assert done.returncode == 0, done.stderr
    assert runs.count_receipts("part") == whole.shards
    assert (runs.folder / "part" / "part.json").exists()


@pytest.mark.parametrize("words", [("-j", "2"), ("-j", "2", "--shard", "1/1")])
def test_a_claim_that_kills_every_process_is_left_open(runs: Runs, words: tuple[str, ...]) -> None:
    done = runs.run("here", *words, DIES="1")
    assert done.returncode == 3, done.stderr
    assert "its process was killed, perhaps because it ran out of memory" in done.stdout
    assert "Traceback" not in done.stderr
    assert not (runs.folder / "here" / "part.json").exists()


def test_a_run_that_is_killed_is_resumed(dask: Dask, runs: Runs, whole) -> None:
    dask.add_worker()
    killed = runs.run("far", "--scheduler", dask.address, KEPT_DIES="7")
    assert killed.returncode == -signal.SIGKILL
    assert runs.count_receipts("far") == 7
    assert not (runs.folder / "far" / "report.json").exists()
    done = runs.run("far", "--scheduler", dask.address, "--resume")
    assert done.returncode == 0, done.stderr
    assert f"receipts {whole.shards - 7}\n" in done.stderr
    assert runs.read("far") == whole.report


def test_what_is_finished_outlives_the_scheduler(tmp_path: Path, runs: Runs, whole) -> None:
    with closing(Dask(tmp_path)) as dask:
        dask.add_worker(SLOW="0.1")
        run = runs.start("far", "--scheduler", dask.address)
        wait_for(lambda: runs.count_receipts("far") >= 5)
        dask.scheduler.kill()
        out, err = run.communicate(timeout=LIMIT)
    assert run.returncode == 3
    assert f"the scheduler at {dask.address} is gone; --resume continues with the finished shards" in err
    assert "interrupted: 0 of 1 claim settled" in out
    kept = runs.count_receipts("far")
    assert 5 <= kept < whole.shards
    done = runs.run("far", "-j", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert count_lines(runs.folder / "searched-far") == whole.shards - kept
    assert runs.read("far") == whole.report


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("workers", ["here", "far"])
def test_what_is_finished_outlives_a_signal(name: str, workers: str, dask: Dask, runs: Runs, whole) -> None:
    """Finished shards are stored, and there is a report; with workers of Dask and of this machine."""
    if workers == "far":
        dask.add_worker(SLOW="0.1")
        run = runs.start("far", "--scheduler", dask.address)
    else:
        run = runs.start("far", "-j", "2", SLOW="0.1")
    wait_for(lambda: runs.count_receipts("far") >= 3)
    run.send_signal(getattr(signal, name))
    out, err = run.communicate(timeout=LIMIT)
    kept = runs.count_receipts("far")
    assert run.returncode == 3 and err.endswith(f"receipts {kept}\n") and "Traceback" not in err, err
    assert "interrupted: 0 of 1 claim settled" in out
    report = json.loads((runs.folder / "far" / "report.json").read_text("utf-8"))
    assert [claim["verdict"] for claim in report["claims"]] == ["inconclusive"]
    assert 3 <= kept < whole.shards
    done = runs.run("far", "-j", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert f"receipts {whole.shards - kept}\n" in done.stderr
    assert runs.read("far") == whole.report


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_part_that_a_signal_ends_is_resumed(name: str, jobs: str, runs: Runs, whole) -> None:
    run = runs.start("part", "--shard", "1/1", "-j", jobs, SLOW="0.1")
    wait_for(lambda: runs.count_receipts("part") >= 3)
    run.send_signal(getattr(signal, name))
    _, err = run.communicate(timeout=LIMIT)
    kept = runs.count_receipts("part")
    assert run.returncode == 3
    told = "interrupted: part 1/1 is unfinished; to continue, repeat the command with --resume"
    assert err == f"{told}\nreceipts {kept}\n"
    done = runs.run("part", "--shard", "1/1", "-j", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert 3 <= kept < runs.count_receipts("part") == whole.shards


def test_a_claim_that_kills_every_worker_is_inconclusive(
    tmp_path: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    with closing(Dask(tmp_path)) as dask:
        dask.add_worker(DIES="3")
        done = runs.run("far", "--scheduler", dask.address)
    assert done.returncode == 3, done.stderr
    assert "inconclusive" in done.stdout and "its process was killed" in done.stdout


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            "claims/nim/table-n-n-misere.toml",
            "nim/table-n-n-misere differs on {host}: the worker has another version of {file}",
        ),
        (
            "encoders/compute/arrays/search.py",
            "the program differs on {host}: the worker has another version of the source of nim-checks",
        ),
    ],
)
def test_a_worker_that_differs_is_refused_by_name(
    dask: Dask, runs: Runs, other_source: Path, file: str, words: str
) -> None:
    with (other_source / file).open("a") as changed:
        changed.write("# another\n")
    dask.add_worker(other_source)
    cache = runs.folder / "cache"
    for folder in (cache, runs.folder / "secret"):
        folder.mkdir(mode=0o700)
    secret = str(runs.folder / "secret" / "it")
    done = runs.run(
        "far",
        "nim/table-n-n-misere",
        "--scheduler",
        dask.address,
        CHECKS_CACHE=str(cache),
        CHECKS_CACHE_SECRET=secret,
    )
    assert done.returncode == 2
    assert "nothing is reported: " + words.format(host=socket.gethostname(), file=ROOT / file) in done.stderr
    assert not (runs.folder / "far").exists()
    assert count_rows(cache) == 0


def test_the_games_of_a_family_are_settled_by_workers(dask: Dask, runs: Runs) -> None:
    (runs.folder / "family.toml").write_text(FAMILY, "utf-8")
    dask.add_worker()
    for report, where in (("here", ("--jobs", "1")), ("far", ("--scheduler", dask.address))):
        words = ["atlas", "family.toml", "--heaps", "300", "--report", report, *where]
        environment = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "checks", *words]
        done = subprocess.run(
            command, cwd=runs.folder, env=environment, check=False, capture_output=True, text=True, timeout=LIMIT
        )
        assert done.returncode == 0, done.stderr
        assert "6 games: 3 proved, 3 without a period up to 300 heaps" in done.stdout
    for name in ("journal.jsonl", "certificates.json", "atlas.json"):
        assert (runs.folder / "here" / name).read_bytes() == (runs.folder / "far" / name).read_bytes()


def count_rows(cache: Path) -> int:
    with closing(sqlite3.connect(cache / "nim-checks.sqlite")) as database:
        (count,) = database.execute("SELECT count(*) FROM rows").fetchone()
    return int(count)


def test_no_scheduler_is_told_at_once(runs: Runs) -> None:
    done = runs.run("far", "--scheduler", "tcp://127.0.0.1:9", ANSWER="0.5")
    assert done.returncode == 2
    assert done.stderr.startswith("nothing is reported: no Dask scheduler at tcp://127.0.0.1:9: ")
    assert not (runs.folder / "far").exists()
