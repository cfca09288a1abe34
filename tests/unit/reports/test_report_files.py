"""Reports are written completely or not at all."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from samples import BARE, CALM, EMPTY, alter

from reports import write as module
from reports.write import INTERRUPTED, ReportNotWritten, check_folder, find_folder, write_reports

NAMES = ["index.html", "junit.xml", "plain.html", "report.json", "report.md", "report.sarif", "summary.md"]
PAGES = sorted(f"claims/{claim.id}.html" for claim in CALM.claims)


def files(folder):
    """Return the reports there, except the pages of claims, which have a separate folder."""
    return sorted(p.name for p in folder.iterdir() if p.name != "claims")


def test_it_makes_the_folder_and_says_what_it_wrote(tmp_path):
    written = write_reports(CALM, tmp_path / "a" / "b")
    assert sorted(written) == sorted([*NAMES, *PAGES])
    assert files(tmp_path / "a" / "b") == NAMES
    assert sorted(p.relative_to(tmp_path / "a" / "b").as_posix() for p in tmp_path.rglob("claims/**/*.*")) == PAGES
    assert all(path == tmp_path / "a" / "b" / name for name, path in written.items())
    assert json.loads(written["report.json"].read_text("utf-8"))["format"] == 1


def test_it_replaces_what_is_there(tmp_path):
    write_reports(CALM, tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    write_reports(EMPTY, tmp_path)
    assert files(tmp_path) == sorted([*NAMES, "notes.txt"])
    assert "0 statements" in (tmp_path / "report.md").read_text("utf-8")


def find_unplaced(folder):
    """Return the folder of a report that could not be moved to its place. The run has left nothing else."""
    (found,) = (p for p in folder.iterdir() if p.name.startswith("unplaced-"))
    assert not list(folder.rglob(".*"))
    return found


def test_a_symbolic_link_in_the_folder_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "claims").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ReportNotWritten, match="a symbolic link, which is not followed"):
        write_reports(CALM, tmp_path / "out")
    assert files(tmp_path / "elsewhere") == [] and files(find_unplaced(tmp_path / "out")) == NAMES


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(ReportNotWritten, match=r"^cannot write the report .*out: File exists$"):
        write_reports(CALM, tmp_path / "out")


def test_a_report_that_is_a_folder(tmp_path):
    write_reports(CALM, tmp_path)
    (tmp_path / "report.md").unlink()
    (tmp_path / "report.md").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    told = r"^cannot write the report .*report\.md: Is a directory; the report of this run is in .*unplaced-[0-9a-f]+$"
    with pytest.raises(ReportNotWritten, match=told):
        write_reports(EMPTY, tmp_path)
    kept = find_unplaced(tmp_path)
    assert "0 statements" in (kept / "report.md").read_text("utf-8")
    assert {x: x.read_bytes() for x in tmp_path.rglob("*") if x.is_file() and kept not in x.parents} == before


def test_nothing_is_left_behind_when_the_disk_is_full(tmp_path, monkeypatch):
    write_reports(CALM, tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in NAMES}

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportNotWritten, match="No space left on device"):
        write_reports(EMPTY, tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == before


@pytest.mark.parametrize("there", [True, False])
def test_the_old_report_stays_until_the_last_file_of_the_new_one_is_written(tmp_path, there):
    folder = tmp_path / "a" / "out"
    if there:
        write_reports(CALM, folder)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def look(new):
        assert files(new.path) == NAMES and json.loads((new.path / "report.json").read_bytes())["claims"] == []
        assert {x: x.read_bytes() for x in tmp_path.rglob("*") if x.is_file() and new.path not in x.parents} == before
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_reports(EMPTY, folder, more=look)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert folder.exists() is there and (tmp_path / "a").exists() is there, "folders that were made are gone again"


def test_what_an_older_report_has_of_a_claim_and_the_new_one_not_goes(tmp_path):
    for name in ("smt2/x/01.smt2", "receipts/x.json", "receipts/y.json", "notes.txt", "shards/x/1.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("old")

    def more(new):
        (new.path / "receipts").mkdir()
        (new.path / "receipts" / "x.json").write_text("new")
        new.gone.extend([Path("smt2/x"), Path("receipts/x.json"), Path("certificates/x.json")])

    write_reports(EMPTY, tmp_path, more=more)
    assert not (tmp_path / "smt2" / "x").exists()
    found = {name: (tmp_path / name).read_text() for name in ("receipts/x.json", "receipts/y.json", "notes.txt")}
    assert found == {"receipts/x.json": "new", "receipts/y.json": "old", "notes.txt": "old"}
    assert (tmp_path / "shards/x/1.json").exists()


def test_a_link_to_a_folder_stays_one(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    check_folder(tmp_path / "out")
    write_reports(CALM, tmp_path / "out")
    assert (tmp_path / "out").is_symlink() and files(tmp_path / "elsewhere") == NAMES


@pytest.mark.parametrize(
    ("prepare", "folder", "why"),
    [
        (lambda at: (at / "file").write_text(""), "file/x", "{at}/file is a file"),
        (lambda at: (at / "file").write_text(""), "file", "{at}/file is a file"),
        (lambda at: (at / "link").symlink_to(at / "gone"), "link", "{at}/link is a symbolic link that leads nowhere"),
        (lambda at: None, "n" * 300, "File name too long"),
        (lambda at: None, "a/" + "n" * 300, "File name too long"),
    ],
)
def test_a_folder_that_cannot_be_written_is_refused_with_what_to_write(tmp_path, prepare, folder, why):
    prepare(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ReportNotWritten) as refused:
        check_folder(tmp_path / folder)
    instead = "choose a folder that can be written, with --report FOLDER"
    told = f"no report can be written to {tmp_path / folder}: {why.format(at=tmp_path)}; {instead}"
    assert str(refused.value) == told
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_folder_without_permission_or_on_a_file_system_that_is_read_only_is_refused(tmp_path, monkeypatch, number):
    def refuse(self, *_, **__):
        raise OSError(number, os.strerror(number), str(self))

    (tmp_path / "out").mkdir()
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(ReportNotWritten, match=f"out: {os.strerror(number)}; choose a folder"):
        check_folder(tmp_path / "out")


def test_a_folder_of_an_older_report_that_cannot_be_written_is_refused(tmp_path, monkeypatch):
    (tmp_path / "out" / "receipts" / "nim").mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda path, _: not str(path).endswith("nim"))
    with pytest.raises(ReportNotWritten, match=r"out: .*receipts/nim: Permission denied; choose a folder"):
        check_folder(tmp_path / "out")


def test_a_check_leaves_nothing(tmp_path):
    check_folder(tmp_path / "a" / "out")
    (tmp_path / "there").mkdir()
    check_folder(tmp_path / "there")
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]


def test_a_report_that_cannot_be_rendered_leaves_the_old_ones(tmp_path, monkeypatch):
    write_reports(CALM, tmp_path)
    before = (tmp_path / "report.json").read_bytes()
    monkeypatch.setitem(module.RENDERINGS, "index.html", lambda run: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_reports(EMPTY, tmp_path)
    assert (tmp_path / "report.json").read_bytes() == before
    assert files(tmp_path) == NAMES


def test_a_file_name_that_is_not_utf_8(tmp_path):
    name = b"caf\xe9.toml".decode("utf-8", "surrogateescape")
    written = write_reports(replace(EMPTY, claims=(alter(BARE, id=name, file=name),)), tmp_path)
    assert json.loads(written["report.json"].read_bytes())["claims"][0]["id"] == name
    assert "caf\\udce9.toml" in written["index.html"].read_text("utf-8")


PART = replace(CALM, interrupted=True)


def test_a_part_does_not_replace_a_whole(tmp_path):
    assert find_folder(PART, tmp_path) == tmp_path
    write_reports(PART, tmp_path)
    assert find_folder(PART, tmp_path) == tmp_path
    write_reports(CALM, tmp_path)
    assert find_folder(PART, tmp_path) == tmp_path / INTERRUPTED
    assert find_folder(CALM, tmp_path) == tmp_path


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "[" * 100_000, '{"format": 1, "claims": []}', '{"run": {"interrupted": 1}}'],
)
def test_what_cannot_be_told_to_be_a_part_is_left_alone(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    assert find_folder(PART, tmp_path) == tmp_path / INTERRUPTED
