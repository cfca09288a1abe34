"""The cache of whole runs, as a user sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from commands import ROOT, run_within
from samples import alter
from small import run, write_claim

from checks.cache.results import contradict, list_differences, make_coder
from checks.cache.store import DATABASE, Store, StoreFault


def report(folder: Path) -> dict[str, object]:
    (claim,) = json.loads((folder / "reports/out/report.json").read_text())["claims"]
    assert isinstance(claim, dict)
    return claim


@pytest.mark.slow
def test_a_second_run_takes_the_result_over_and_says_so(folder: Path) -> None:
    first = run(folder)
    cold = {p: p.read_bytes() for p in (folder / "reports/out/receipts").rglob("*.json")}
    assert not report(folder)["cached"] and "cache" not in first.stdout
    second = run(folder)
    assert (second.returncode, second.stderr) == (first.returncode, "")
    assert "20 cases) [cached]\n" in second.stdout
    assert "1 verified in " in second.stdout and " s, all from the cache\n" in second.stdout
    assert report(folder)["cached"]
    assert cold == {p: p.read_bytes() for p in (folder / "reports/out/receipts").rglob("*.json")}
    out = folder / "reports/out"
    assert "1 of 1 claim from the cache" in (out / "index.html").read_text()
    assert "1 of 1 claim from the cache" in (out / "report.md").read_text()


@pytest.mark.slow
def test_two_reports_say_the_same_but_for_times(folder: Path) -> None:
    run(folder, "--report", "cold")
    run(folder, "--report", "warm")
    for name in ("report.json", "summary.md", "report.md", "junit.xml", "report.sarif"):
        texts = []
        for place in ("cold", "warm"):
            lines = (folder / place / name).read_text().splitlines()
            apart = ('"seconds"', '"started"', '"cached"', "- started", "time=", "startTimeUtc", "endTimeUtc")
            texts.append([line for line in lines if not any(word in line for word in apart)])
        assert texts[0] == texts[1], name
    assert run_within("diff", "cold/report.json", "warm/report.json", cwd=folder).returncode == 0


@pytest.mark.slow
def test_without_the_cache_nothing_is_taken_over_nor_kept(folder: Path) -> None:
    assert "[cached]" not in run(folder, "--no-cache").stdout
    assert not (folder / "cache").exists()
    run(folder)
    assert "[cached]" not in run(folder, "--no-cache").stdout
    assert "[cached]" in run(folder).stdout


@pytest.mark.parametrize(
    "words", [("--no-cache", "--recheck"), ("--no-cache", "--cache", "x"), ("--recheck", "--search-anew")]
)
def test_what_contradicts_itself_is_refused(folder: Path, words: tuple[str, ...]) -> None:
    assert run(folder, *words).returncode == 2


# -- recheck ----------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_recheck_settles_anew_and_counts_what_it_compared(folder: Path) -> None:
    assert "compared with the cache: 0 of 1 results" in run(folder, "--recheck").stdout
    done = run(folder, "--recheck")
    assert done.returncode == 0 and "[cached]" not in done.stdout
    assert "compared with the cache: 1 of 1 results" in done.stdout


def falsify(folder: Path, old: bytes, new: bytes) -> None:
    """Change a result in the database and sign it with the secret, which only this program can."""
    secret = (folder / "state" / "secret").read_bytes()
    with closing(Store(folder / "cache" / DATABASE, secret)) as store:
        rows = store._connection.execute("SELECT key FROM rows WHERE space = 'results'").fetchall()
        for (key,) in rows:
            value = store.get("results", key)
            assert value is not None and old in value
            make_coder().read(value.replace(old, new))  # it is well-formed
            store.put("results", key, value.replace(old, new))


@pytest.mark.slow
def test_a_falsified_result_is_told_by_a_recheck_and_then_gone(folder: Path) -> None:
    run(folder)
    falsify(folder, b'"verified"', b'"proved"')
    assert "proved" in run(folder).stdout  # an owner of the secret can do this, as the decision record states
    done = run(folder, "--recheck")
    assert done.returncode == 4
    assert "inconsistent" in done.stdout
    assert "verdict: proved in the cache, verified now" in done.stdout
    receipt = folder / "reports/out/receipts/one-heap.json"
    assert json.loads(receipt.read_text())["verdict"] == "inconsistent"
    after = run(folder)
    assert after.returncode == 0 and "verified" in after.stdout and "cache" not in after.stdout


def test_times_are_no_difference(library: object) -> None:
    result = library("nim/bouton")
    slow = alter(result, seconds=99.0, cached=True, seen=())
    assert list(list_differences(slow, result)) == [] and contradict(slow, result) is result
    other = alter(
        result, obligations=(replace(result.finding.obligations[0], solvers=("me",)), *result.finding.obligations[1:])
    )
    told = contradict(other, result)
    assert (
        told.verdict.value == "inconsistent"
        and "obligations[0].solvers" in told.finding.error
        and not told.provenance.certificate
    )


# -- where no cache is possible ---------------------------------------------------------------------------------------
def test_a_folder_of_another_kind_is_said_once_and_the_run_goes_on(folder: Path) -> None:
    (folder / "cache").write_text("")
    done = run(folder)
    assert done.returncode == 0 and "1 verified" in done.stdout
    assert done.stderr.count("no cache: ") == 1 and "File exists" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="rights of another kind")
def test_a_folder_that_others_may_write_is_not_used(folder: Path) -> None:
    (folder / "cache").mkdir()
    (folder / "cache").chmod(0o777)
    done = run(folder)
    assert done.returncode == 0 and "cache: other users may write it" in done.stderr
    assert not (folder / "cache" / DATABASE).exists()


@pytest.mark.slow
def test_a_disk_that_is_full_is_said_once_and_the_run_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise StoreFault("database or disk is full")

    monkeypatch.setattr(Store, "put", full)
    write_claim(folder, "second")
    done = run_within("run", "one-heap.toml", "second.toml", cwd=folder)
    assert done.returncode == 0 and "2 verified" in done.stdout
    assert done.stderr.count("the rest of the run does not use the cache: database or disk is full") == 1


# -- the command ------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_the_command_says_where_and_how_much_and_forgets(folder: Path) -> None:
    run(folder)
    said = run_within("cache", cwd=folder).stdout
    assert str(folder / "cache" / DATABASE) in said and str(folder / "state" / "secret") in said
    assert "rows: 3, 0.0 MB of at most 537 MB" in said
    assert "deleted: 3 rows" in run_within("cache", "--clear", cwd=folder).stdout
    assert "[cached]" not in run(folder).stdout


def test_the_command_where_there_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKS_CACHE", "off")
    assert run_within("cache", cwd=folder).stdout == "no cache: CHECKS_CACHE is off\n"
    done = run(folder, "--recheck")
    assert "--recheck compares nothing" in done.stderr
    monkeypatch.setenv("CHECKS_CACHE", str(folder / "one-heap.toml"))
    assert run_within("cache", cwd=folder).returncode == 2


@pytest.mark.slow
def test_a_folder_is_wanted_on_the_command_line(folder: Path) -> None:
    run(folder, "--cache", "mine")
    assert (folder / "mine" / DATABASE).exists() and not (folder / "cache").exists()
    assert "[cached]" in run(folder, "--cache", "mine").stdout


@pytest.mark.slow
def test_a_pure_hit_loads_nothing_heavy(folder: Path) -> None:
    run(folder)
    command = [sys.executable, "-X", "importtime", "-m", "checks", "run", "one-heap.toml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert "[cached]" in done.stdout
    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert "checks.cache.results" in imported
    assert not {x.split(".")[0] for x in imported} & {"numpy", "z3", "sympy", "tree_sitter"}
