"""A run in parts on machines that do not know each other, and incomplete runs."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Done, read_untimed, run_within
from small_scopes import put_heavy, state

from checks.execution import shards as store
from checks.receipts.receipt import seal
from encoders.compute import exhaustive as cover
from encoders.compute.exhaustive import ShardOutcome

FALSE = "sum(s) < 9 or k % 2 == 0"
"""False at (4, 5) and k = 1, in the last slab but one; smaller cases are outside that slab."""
LIGHT = state().replace('"1..6"', '"1..1"').replace('"1..5"', '"1..1"')
pytestmark = pytest.mark.usefixtures("small")
RESULTS = ("receipts", "certificates", "proofs", "report.json")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    put_heavy(tmp_path)
    (tmp_path / "light.toml").write_text(LIGHT)
    return tmp_path


def run(here: Path, *words: str) -> Done:
    return run_within(*words, "--jobs", "1", cwd=here)


def search(here: Path, count: int, *words: str) -> list[str]:
    """Run all parts and return their folders."""
    folders = [f"part-{number}" for number in range(1, count + 1)]
    for number, folder in enumerate(folders, 1):
        done = run(here, "run", *(words or ("claim.toml",)), "--shard", f"{number}/{count}", "--report", folder)
        assert done.returncode == 0, done.stderr
    return folders


def merge(here: Path, *folders: str) -> Done:
    return run(here, "run", "--merge", *folders, "--report", "merged", "--no-cache")


def read(report: Path) -> dict[str, object]:
    """Return the complete output of a run, except times."""
    files = (path for name in RESULTS for path in [report / name, *(report / name).rglob("*")] if path.is_file())
    return {str(x.relative_to(report)): read_untimed(x) for x in files if x.suffix == ".json"}


def list_shards(report: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (report / "shards").rglob("*.json")}


@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.slow
def test_the_parts_come_to_what_one_run_comes_to(here: Path, count: int) -> None:
    assert run(here, "run", "claim.toml", "light.toml", "--report", "whole", "--no-cache").returncode == 0
    folders = search(here, count, "claim.toml", "light.toml")
    found = [list_shards(here / folder) for folder in folders]
    whole = list_shards(here / "whole")
    assert {name for one in found for name in one} == set(whole) and len(whole) > 12
    assert sum(map(len, found)) == len(whole)
    assert all(abs(len(one) - len(whole) / count) < 1 for one in found)
    done = merge(here, *reversed(folders))
    assert done.returncode == 0, done.stderr
    assert f"merged: {len(whole)} shards of {count} parts" in done.stdout
    assert "searched during the merge" not in done.stdout
    assert read(here / "merged") == read(here / "whole")
    assert list_shards(here / "merged") == whole


@pytest.mark.parametrize("count", [1, 3, 7])
@pytest.mark.slow
def test_a_refutation_in_one_part_is_that_of_the_whole(here: Path, count: int) -> None:
    """Smaller counterexamples could be in no part; they are searched for when the parts are merged."""
    put_heavy(here, FALSE)
    assert run(here, "run", "claim.toml", "--report", "whole", "--no-cache").returncode == 1
    done = merge(here, *search(here, count))
    assert done.returncode == 1, done.stderr
    assert read(here / "merged") == read(here / "whole")
    assert "searched during the merge: " in done.stdout
    assert set(list_shards(here / "whole")) <= set(list_shards(here / "merged"))


def test_merge_is_the_old_name(here: Path) -> None:
    folders = search(here, 1)
    done = run(here, "merge", *folders, "--report", "merged", "--no-cache")
    assert done.returncode == 0
    assert done.stderr == "deprecated: `checks merge` will be removed in version 1.0; use `checks run --merge`\n"
    assert (here / "merged" / "report.json").exists()


@pytest.mark.parametrize("word", ["--set=k=1..2", "--scope=deep", "--resume", "--shard=1/2", "--mutants", "--json"])
def test_other_options_are_refused_with_merge(here: Path, word: str) -> None:
    done = run(here, "run", "--merge", "part-1", word)
    assert done.returncode == 2
    option = word.partition("=")[0]
    assert f"--merge cannot be combined with {option}; expected only --report, --jobs" in done.stderr


def test_a_merge_needs_folders(here: Path) -> None:
    assert "--merge needs the --report folders" in run(here, "run", "--merge").stderr


# -- incomplete runs ---------------------------------------------------------------------------------------------------
@pytest.fixture
def parts(here: Path) -> list[str]:
    return search(here, 3)


def refuse(here: Path, words: str, *folders: str) -> None:
    done = merge(here, *folders)
    assert done.returncode == 2
    assert words in done.stderr and done.stderr.startswith("nothing is reported: ")
    assert not (here / "merged").exists() and done.stdout == ""


@pytest.mark.slow
def test_a_missing_part_is_named(here: Path, parts: list[str]) -> None:
    refuse(here, "these parts are missing: 2/3", "part-1", "part-3")
    refuse(here, "these parts are missing: 2/3, 3/3", "part-1")


def test_a_part_that_comes_twice_is_named(here: Path, parts: list[str]) -> None:
    shutil.copytree(here / "part-1", here / "again")
    refuse(here, "part-1 and again are both part 1/3", *parts, "again")
    refuse(here, "a folder is named twice", *parts, "part-1")


@pytest.mark.slow
def test_a_missing_receipt_is_named(here: Path, parts: list[str]) -> None:
    path = min((here / "part-2" / "shards").rglob("*.json"))
    path.unlink()
    refuse(here, f"{path.relative_to(here)}: missing, the receipt of a shard of claim in part 2/3", *parts)


@pytest.mark.slow
def test_a_receipt_of_another_part_is_named(here: Path, parts: list[str]) -> None:
    path = min((here / "part-2" / "shards").rglob("*.json"))
    shutil.copyfile(path, here / "part-1" / "shards" / "claim" / path.name)
    refuse(here, f"part-1/shards/claim/{path.name}: not a receipt of part 1/3", *parts)


@pytest.mark.slow
def test_an_altered_receipt_is_named(here: Path, parts: list[str]) -> None:
    path = min((here / "part-3" / "shards").rglob("*.json"))
    data = json.loads(path.read_text())
    data["found"][1] += 1
    path.write_text(json.dumps(data))
    refuse(here, f"{path.relative_to(here)}: the seal does not match, because the file was edited", *parts)


@pytest.mark.parametrize("more", [1, -1, 10**6])
@pytest.mark.slow
def test_a_part_that_counts_other_cases_than_its_shards_have_is_named(here: Path, parts: list[str], more: int) -> None:
    path = min((here / "part-3" / "shards").rglob("*.json"))
    data = json.loads(path.read_text())
    cases = data["found"][1]
    data["found"][1:3] = [cases + more] * 2
    path.write_text(json.dumps({**data, "seal": seal(data)}))
    told = f"the receipt counts {cases + more} cases, {cases + more} with hypotheses; expected {cases} cases"
    refuse(here, f"{path.relative_to(here)}: {told}", *parts)


@pytest.mark.slow
def test_a_part_that_leaves_out_cases_of_a_claim_without_hypotheses_is_named(here: Path, parts: list[str]) -> None:
    path = min((here / "part-3" / "shards").rglob("*.json"))
    data = json.loads(path.read_text())
    data["found"][2] -= 1
    path.write_text(json.dumps({**data, "seal": seal(data)}))
    refuse(here, "expected the number of cases, because the claim has no hypotheses", *parts)


@pytest.mark.parametrize("what", ["part.json", "shards", "shards/claim", "receipt", "more"])
@pytest.mark.slow
def test_a_symbolic_link_in_a_part_is_named_and_not_followed(here: Path, parts: list[str], what: str) -> None:
    folder = here / "part-2"
    names = {"receipt": min((folder / "shards").rglob("*.json")), "more": folder / "shards" / "more"}
    path = names.get(what, folder / what)
    if path.exists():
        path.rename(here / "elsewhere")
    else:
        (here / "elsewhere").mkdir()
    path.symlink_to(here / "elsewhere")
    refuse(here, f"{path.relative_to(here)}: a symbolic link, which is not followed", *parts)


@pytest.mark.slow
def test_many_problems_are_told_in_part(here: Path, parts: list[str]) -> None:
    for number in range(25):
        (here / "part-1" / "shards" / f"{number}.json").touch()
    refuse(here, "\nand 5 more", *parts)


def change_manifest(here: Path, change: Callable[[dict[str, Any]], object], fit: bool = True) -> None:
    path = here / "part-2" / "part.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps({**data, "seal": seal(data)} if fit else data))


def list_changes() -> Iterator[tuple[Callable[[dict[str, Any]], object], bool, str]]:
    def put(place: int, value: object) -> Callable[[dict[str, Any]], object]:
        return lambda data: data["part"].__setitem__(place, value)

    yield put(2, ["other.toml"]), True, "part-2 and part-1 are parts of different runs; they differ in wanted"
    yield (
        put(1, ["RunShare", 2, 4]),
        True,
        "part-2 and part-1 are parts of different runs; they differ in the number of parts",
    )
    yield put(4, ["0" * 64]), True, "part-2 and part-1 are parts of different runs; they differ in program"
    yield put(1, ["RunShare", 4, 3]), True, "part-2/part.json: there is no part 4/3"
    yield put(1, ["RunShare", 1, 3]), False, "part-2/part.json: the seal does not match, because the file was edited"
    yield put(1, 2), True, "part-2/part.json: part: expected a list of 3"
    yield (
        (lambda data: data.pop("format")),
        True,
        "part-2/part.json: the file contains 'part', 'seal'; expected",
    )
    yield (lambda data: data.update(format=2)), True, "part-2/part.json: format is 2; expected 1"
    yield (lambda data: data.update(format=True)), True, "part-2/part.json: format is True; expected 1"


@pytest.mark.parametrize(("change", "fit", "words"), list(list_changes()))
def test_a_part_of_another_run_is_named(
    here: Path, parts: list[str], change: Callable[[dict[str, Any]], object], fit: bool, words: str
) -> None:
    change_manifest(here, change, fit)
    refuse(here, words, *parts)


def test_parts_of_another_program_are_refused(here: Path, parts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    other = ("0" * 64, *store.describe_program()[1:])
    monkeypatch.setattr("checks.execution.parts.describe_program", lambda: other)
    refuse(here, "part-1 was searched by a different version", *parts)


@pytest.mark.slow
def test_a_claim_that_was_changed_since_is_named(here: Path, parts: list[str]) -> None:
    (here / "claim.toml").write_text(state() + "# another\n")
    refuse(here, "after part-1 was searched: claim", *parts)


@pytest.mark.slow
def test_shards_of_another_run_are_not_taken_over(here: Path, parts: list[str]) -> None:
    (here / "merged" / "shards").mkdir(parents=True)
    done = merge(here, *parts)
    assert done.returncode == 2 and "merged/shards already exists" in done.stderr
    assert [x.name for x in (here / "merged").iterdir()] == ["shards"]


# -- an unfinished part ------------------------------------------------------------------------------------------------
def test_an_unfinished_part_says_so_and_is_resumed(here: Path) -> None:
    words = ("run", "claim.toml", "--shard", "1/2", "--report", "part-1")
    done = run(here, *words, "--budget", "0s")
    assert done.returncode == 3 and "part 1/2 is unfinished; to continue, repeat" in done.stderr
    refuse(here, "part-1 is not a finished part of a run: it does not contain part.json", "part-1")
    assert run(here, *words).returncode == 0
    before = list_shards(here / "part-1")
    removed = min((here / "part-1" / "shards").rglob("*.json"))
    removed.unlink()
    searched: list[str] = []

    def keep(self: store.ShardStore, shard: cover.Shard, outcome: ShardOutcome, keep=store.ShardStore.keep) -> None:
        searched.append(self.locate(shard).name)
        keep(self, shard, outcome)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.ShardStore, "keep", keep)
        assert run(here, *words, "--resume").returncode == 0
    assert searched == [removed.name]
    assert list_shards(here / "part-1") == before
    assert run(here, *words, "--budget", "0s").returncode == 3
    assert not (here / "part-1" / "part.json").exists()


def test_an_error_in_a_shard_leaves_the_part_unfinished(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.execution.shards.search_shard", lambda *_: 1 // 0)
    done = run(here, "run", "claim.toml", "--shard", "1/2", "--report", "part-1")
    assert done.returncode == 3 and "ZeroDivisionError" in done.stdout
    assert not (here / "part-1" / "part.json").exists()


def test_what_has_no_shards_is_in_no_part(here: Path) -> None:
    done = run(here, "run", "light.toml", "--shard", "1/2", "--report", "part-1")
    assert done.returncode == 2 and "large enough for shards" in done.stderr
    assert not (here / "part-1").exists()


@pytest.mark.parametrize("part", ["0/2", "3/2", "1", "1/0", "-1/2", "a/b"])
def test_what_is_no_part_is_refused(here: Path, part: str) -> None:
    done = run(here, "run", "claim.toml", f"--shard={part}")
    assert done.returncode == 2 and "is not a part; expected I/N" in done.stderr


@pytest.mark.slow
def test_processes_search_a_part_as_well(here: Path) -> None:
    """The processes do not know which scopes are small here, and need not."""
    search(here, 2)
    one = list_shards(here / "part-1")
    shutil.rmtree(here / "part-1")
    done = run_within("run", "claim.toml", "--shard", "1/2", "--report", "part-1", "--jobs", "2", cwd=here)
    assert done.returncode == 0, done.stderr
    assert list_shards(here / "part-1") == one
