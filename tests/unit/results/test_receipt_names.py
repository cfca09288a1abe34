"""The names of receipts: no two claims share one, no receipt is outside its folder, and none is lost silently."""

from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from proofs import HEAD

import checks.command.run
import reports.write
from checks.command.run import Settings, run_claims
from checks.judgement.scopes import Options
from checks.receipts.receipt import find_twice, place
from claims.language.files.library import Entry, list_library

TRUE = HEAD + '[claim]\nthen = "1 < 3"\n'
IDS = (
    *("a", "b", "a/b", "a/b/c", "../a", "../../a", "/a", "//a", "./a", "a/", "a//b", "a/../b", "a.json", "a.json/b"),
    *("a/01", "a/01.smt2", "a/01.smt2/c", "_outside", "_outside/a", ".", "..", "", "a\\b", "C:\\a", "C:/a", ".a", "a."),
    *("é", "e\u0301", "a\0", "a\n", " a", "a ", "x" * 300, "x" * 300 + "y", "\udcff", *place("../a")),
)


def test_ids_of_any_form_have_places_of_their_own_inside_the_folder() -> None:
    places = {id: place(id) for id in IDS}
    for id, parts in places.items():
        for part in parts:
            assert part.isascii() and 0 < len(part) <= 80 and part[0] != "." and not set(part) & set("/\\:\0\n"), id
    for one, other in combinations(dict.fromkeys(IDS), 2):
        assert places[one] != places[other], (one, other)


def test_no_receipt_is_where_another_needs_a_folder() -> None:
    files = {"/".join(place(id)) + ".json" for id in IDS} | {"/".join(place(id)) + "/01.smt2" for id in IDS}
    folders = {str(parent) for file in files for parent in Path(file).parents}
    assert not files & folders


def test_receipts_of_the_library_are_kept_under_their_ids() -> None:
    assert all("/".join(place(e.id)) == e.id for e in list_library())
    assert find_twice(list_library()) is None


@pytest.mark.parametrize(("one", "other"), [("a", "a"), ("a/B", "a/b")])
def test_two_entries_that_would_share_a_receipt_are_found(one: str, other: str) -> None:
    entries = (Entry(one, Path("1.toml")), Entry("c", Path("2.toml")), Entry(other, Path("3.toml")))
    assert find_twice(entries) == (entries[0], entries[2])


def run(*wanted: str) -> int:
    return run_claims(Settings(wanted, Path("out"), options=Options(budget=10.0)))


def test_two_files_with_one_id_are_refused_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("mine", "Mine"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "x.toml").write_text(TRUE, "utf-8")
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("the file system does not tell capitals")
    assert run("mine/x.toml", "Mine/x.toml") == 2
    error = capsys.readouterr().err
    assert "mine/x.toml and Mine/x.toml" in error
    assert "'mine/x' and 'Mine/x'" in error
    assert not (tmp_path / "out").exists()


def test_a_file_called_as_a_claim_of_the_library_leaves_a_receipt_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "example-3-4-5.toml").write_text(TRUE, "utf-8")
    assert run("library:nim/example-3-4-5", "nim/example-3-4-5.toml") == 0
    receipts = sorted(p.relative_to("out/receipts").as_posix() for p in Path("out/receipts").rglob("*.json"))
    assert receipts == ["nim/example-3-4-5.json", "nim/example-3-4-5.toml.json"]


def test_files_of_one_name_in_different_folders_leave_two_receipts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "a").mkdir(parents=True)
    (tmp_path / "a").mkdir()
    for path in ("here/a/x.toml", "a/x.toml"):
        (tmp_path / path).write_text(TRUE, "utf-8")
    monkeypatch.chdir(tmp_path / "here")
    assert run("a/x.toml", "../a/x.toml") == 0
    receipts = sorted(p.relative_to("out/receipts") for p in Path("out/receipts").rglob("*.json"))
    assert [len(p.parts) for p in receipts] == [2, 2]
    assert {p.parts[0] for p in receipts} == {"a", "_outside"}
    assert not list(tmp_path.glob("a/*.json"))


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.toml").write_text(TRUE, "utf-8")
    return tmp_path


def test_a_receipt_that_cannot_be_written_is_told_and_costs_nothing(
    three: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (three / "out" / "receipts" / "two.json" / "x").mkdir(parents=True)  # a folder at the place of the receipt
    assert run("one.toml", "two.toml", "three.toml") == 2
    error = capsys.readouterr().err
    assert (
        "cannot write the report out/receipts/two.json: Is a directory; the report of this run is in out/unp" in error
    )
    assert not (three / "out" / "report.json").exists(), "a report that is not whole is not put there"
    (kept,) = (three / "out").glob("unplaced-*")
    found = sorted(p.name for p in (kept / "receipts").glob("*") if p.is_file())
    assert (kept / "report.json").is_file() and found == ["one.json", "three.json", "two.json"]


def test_a_report_that_cannot_be_written_is_no_success(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (three / "out").write_text("a file where the folder should be", "utf-8")
    assert run("one.toml") == 2
    told = capsys.readouterr()
    assert "no report can be written to out: out is a file; choose a folder" in told.err
    assert told.out == "", "nothing was settled"


def test_what_is_worse_than_a_missing_report_stays_worse(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> SimpleNamespace:
        raise reports.write.ReportNotWritten("no room")

    monkeypatch.setattr(checks.command.run, "write_reports", fail)
    monkeypatch.setattr(checks.command.run, "exit_code", lambda verdicts: 4)
    assert run("one.toml") == 4


def test_a_report_missing_for_another_reason_is_no_success_either(
    three: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any) -> SimpleNamespace:
        raise reports.write.ReportNotWritten("no room")

    monkeypatch.setattr(checks.command.run, "write_reports", fail)
    assert run("one.toml") == 2
    assert "\nexit 2: the reports could not be written\n" in capsys.readouterr().out
