"""Reports on disk: whole, or not at all."""

import json
import os
from dataclasses import replace

import pytest
from samples import BARE, CALM, EMPTY, alter

from reports import write as module
from reports.write import INTERRUPTED, ReportNotWritten, find_folder, write_reports

NAMES = ["index.html", "junit.xml", "plain.html", "report.json", "report.md", "report.sarif", "summary.md"]
PAGES = sorted(f"claims/{claim.id}.html" for claim in CALM.claims)


def files(folder):
    """The reports there, but for the pages of claims, which have a folder."""
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
    assert "0 claims" in (tmp_path / "report.md").read_text("utf-8")


def test_a_symbolic_link_in_the_folder_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "claims").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ReportNotWritten, match="a symbolic link, which is not followed"):
        write_reports(CALM, tmp_path / "out")
    assert files(tmp_path / "elsewhere") == [] and files(tmp_path / "out") == []


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(ReportNotWritten, match=r"^cannot write the report .*out: File exists$"):
        write_reports(CALM, tmp_path / "out")


def test_a_report_that_is_a_folder(tmp_path):
    (tmp_path / "report.md").mkdir()
    with pytest.raises(ReportNotWritten, match=r"^cannot write the report .*report\.md: Is a directory$"):
        write_reports(CALM, tmp_path)
    assert not [name for name in files(tmp_path) if name.endswith(".tmp")]


def test_nothing_is_left_behind_when_the_disk_is_full(tmp_path, monkeypatch):
    write_reports(CALM, tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in NAMES}

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportNotWritten, match="No space left on device"):
        write_reports(EMPTY, tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == before


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
