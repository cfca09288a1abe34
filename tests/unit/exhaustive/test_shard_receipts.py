"""A resumed run does not search a finished shard again, and nothing else counts as a finished shard."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import small_scopes
from commands import ROOT, read_untimed
from small_scopes import FALSE, TRUE, put_heavy

from checks.cache.results import list_differences
from checks.execution import shards as shelving
from checks.execution.settle import find_heavy, settle_entry
from checks.execution.shards import PrecomputedAnswer, ShardedSearch, ShardStore, ShardStores, run_task
from checks.judgement.scopes import Options
from checks.receipts.receipt import seal
from claims.language.files.library import Entry
from encoders.compute import exhaustive as cover
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.limits import OutOfTime
from encoders.compute.engines import CaseQuery, Shard
from encoders.compute.exhaustive import ShardOutcome
from encoders.logic.answer import RouteResult

pytestmark = pytest.mark.usefixtures("small")


class Run:
    """One run of a claim, which ends after `most` shards. `searched`: the number of shards searched."""

    def __init__(self, entry: Entry, folder: Path, resume: bool = True, most: int = 10**9) -> None:
        self.searched, self.warnings = 0, list[str]()
        claim = find_heavy(entry, Options())
        assert claim is not None
        drive = ShardedSearch(0, entry, claim, Options(), ShardStores(folder, resume, self.warnings.append))
        while drive.known is None and self.searched < most:
            task = drive.take()
            assert task is not None
            drive.put(task.index, run_task(task))
            self.searched += 1
        self.known = drive.known

    @property
    def answer(self) -> RouteResult:
        assert isinstance(self.known, PrecomputedAnswer) and isinstance(self.known.answer, RouteResult)
        return self.known.answer


@pytest.mark.parametrize("then", [TRUE, FALSE])
@pytest.mark.slow
def test_finished_shards_are_not_searched_again(tmp_path: Path, then: str) -> None:
    entry, folder = put_heavy(tmp_path, then), tmp_path / "shards"
    whole = Run(entry, tmp_path / "whole")
    assert whole.searched > 12
    assert len(list((tmp_path / "whole").rglob("*.json"))) == whole.searched
    for most in (1, 3, 5):
        Run(entry, folder, most=most)
    rest = Run(entry, folder)
    assert rest.searched == whole.searched - 9
    assert rest.answer == whole.answer
    again = Run(entry, folder)
    assert (again.searched, again.answer) == (0, whole.answer)
    assert Run(entry, folder, resume=False).searched == whole.searched
    found = settle_entry(entry, Options(), known=again.known)
    assert list(list_differences(settle_entry(entry, Options()), found)) == []


def test_what_was_stopped_is_not_kept(tmp_path: Path) -> None:
    entry = put_heavy(tmp_path)
    claim = find_heavy(entry, Options())
    assert claim is not None
    drive = ShardedSearch(0, entry, claim, Options(), ShardStores(tmp_path / "shards", True, pytest.fail))
    task = drive.take()
    assert task is not None
    drive.put(task.index, ShardOutcome(run_task(task).tally, OutOfTime()))
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.slow
def test_only_the_same_text_program_and_scope_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, entry = tmp_path / "shards", put_heavy(tmp_path, TRUE)
    most = Run(entry, folder).searched
    put_heavy(tmp_path, f"({TRUE}) and k > 0")
    assert Run(entry, folder).searched == most
    put_heavy(tmp_path, TRUE)
    assert Run(entry, folder).searched == 0
    entry.path.write_text(entry.path.read_text().replace("1..6", "1..7"))
    assert Run(entry, folder).searched > 12
    put_heavy(tmp_path, TRUE)
    ours = shelving.describe_program()
    monkeypatch.setattr(ShardStore.__dataclass_fields__["program"], "default_factory", lambda: ours)
    for other in ((ours[0][::-1], *ours[1:]), (*ours[:-1], "wasmtime 0")):
        claim = find_heavy(entry, Options())
        assert claim is not None
        store = ShardStore(folder, "claim", claim, claim.scope("quick"), other)
        same = ShardStore(folder, "claim", claim, claim.scope("quick"))
        first = slabs.grow(claim, claim.scope("quick"))[0]
        (shard, *_) = cover.split_into_shards(CaseQuery(claim, Shard(first, None)))
        assert same.find(shard) is not None
        assert store.find(shard) is None


def edit(key: str, value: object, fit: bool = True) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(data: dict[str, Any]) -> dict[str, Any]:
        changed = {**data, key: value}
        return {**changed, "seal": seal(changed)} if fit else changed

    return change


def change_found(place: int, value: object) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda data: edit("found", [*data["found"][:place], value, *data["found"][place + 1 :]])(data)


ALTERED = [
    (edit("format", 2), "format is 2; expected 1"),
    (edit("format", True), "format is True; expected 1"),
    (edit("claim", "other"), "the file belongs to another claim, program, scope or shard"),
    (edit("asked", []), "the file belongs to another claim, program, scope or shard"),
    (edit("more", 1), "the file contains 'format', 'claim', 'asked', 'found', 'seal', 'more'; expected"),
    (edit("found", [], fit=False), "the seal does not match, because the file was edited"),
    (change_found(1, "9"), "found: expected <class 'int'>, got str"),
    (change_found(1, 0), "the hypotheses hold in"),
    (change_found(1, 10**6), "the receipt counts 1000000 cases, "),
    (change_found(6, ["a theorem"]), "found.trusted is ['a theorem']; expected only assumptions that a search uses"),
    (change_found(0, "Tally"), "found: expected a StoredTally, got 'Tally'"),
    (list, "the file contains ["),
]


@pytest.mark.slow
def test_an_altered_receipt_is_refused_by_name(tmp_path: Path) -> None:
    entry, folder = put_heavy(tmp_path), tmp_path / "shards"
    whole = Run(entry, folder)
    path = sorted(folder.rglob("*.json"))[3]
    sound = path.read_text()
    for change, words in ALTERED:
        path.write_text(json.dumps(change(json.loads(sound))))
        again = Run(entry, folder)
        assert (again.searched, again.answer) == (1, whole.answer), words
        (warning,) = again.warnings
        assert warning.startswith("a shard is searched again, because its receipt is invalid: ")
        assert f": {path}: " in warning and words in warning
        assert path.read_text() == sound


def test_half_a_receipt_is_none(tmp_path: Path) -> None:
    entry, folder = put_heavy(tmp_path), tmp_path / "shards"
    Run(entry, folder)
    path = min(folder.rglob("*.json"))
    path.write_text(path.read_text()[:99])
    assert Run(entry, folder).searched == 1


def test_a_receipt_of_another_shard_is_refused(tmp_path: Path) -> None:
    entry, folder = put_heavy(tmp_path), tmp_path / "shards"
    Run(entry, folder)
    one, other, *_ = sorted(folder.rglob("*.json"))
    one.write_text(other.read_text())
    again = Run(entry, folder)
    assert again.searched == 1 and "another claim, program, scope or shard" in again.warnings[0]


def test_a_receipt_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    entry = put_heavy(tmp_path)
    (tmp_path / "shards").write_text("no folder")
    run = Run(entry, tmp_path / "shards", resume=False, most=2)
    assert len(run.warnings) == 2 and run.warnings[0].startswith("cannot write the receipt of a shard of claim: ")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
@pytest.mark.slow
def test_a_run_that_was_killed_is_resumed(tmp_path: Path) -> None:
    entry = put_heavy(tmp_path)

    def run(report: str, *words: str, **variables: str) -> tuple[int, int]:
        """Return the exit code of a run, and the number of shards that it searched."""
        searched = tmp_path / "searched"
        searched.write_text("")
        command = [sys.executable, small_scopes.__file__, "checks", "run", entry.path.name, "-j", "1", "--no-cache"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "SEARCHED": str(searched), **variables}
        done = subprocess.run([*command, "--report", report, *words], cwd=tmp_path, env=environment, check=False)
        return done.returncode, len(searched.read_text().splitlines())

    def read(report: str) -> object:
        return read_untimed(tmp_path / report / "report.json", "command")

    code, most = run("whole")
    assert code == 0
    assert run("part", KEPT_DIES="7") == (-signal.SIGKILL, 7)
    assert not (tmp_path / "part" / "report.json").exists()
    assert run("part", "--resume") == (0, most - 7)
    assert read("part") == read("whole")
