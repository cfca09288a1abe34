"""A report format is one module and one entry of a table: the recipe of docs/extending.md, followed."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from csv_report import COLUMNS, to_csv
from pages import FILES
from samples import BARE, EVERY, RUN, alter

from reports.html import CLAIMS, PLAIN
from reports.write import RENDERINGS, write_reports


def test_the_page_shows_this_module() -> None:
    assert FILES["reports/csv_report.py"] == (Path(__file__).parent / "csv_report.py").read_text("utf-8")


def test_one_entry_makes_it_a_report_of_every_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(RENDERINGS)
    monkeypatch.setitem(RENDERINGS, "report.csv", to_csv)
    run = replace(RUN, claims=EVERY)
    written = write_reports(run, tmp_path)
    assert all(path == tmp_path / name for name, path in written.items())
    reports = {name for name in written if not name.startswith(f"{CLAIMS}/")}
    assert reports == {path.name for path in tmp_path.iterdir() if path.is_file()} == before | {PLAIN, "report.csv"}
    head, *lines = csv.reader((tmp_path / "report.csv").read_text("utf-8").splitlines(keepends=True))
    assert tuple(head) == COLUMNS
    assert [line[0] for line in lines] == [claim.id for claim in EVERY]
    assert [line[2] for line in lines] == [claim.verdict.value for claim in EVERY]


def test_no_cell_is_a_formula() -> None:
    run = replace(RUN, claims=(alter(BARE, locator='=HYPERLINK("x")'),))
    ((_, locator, *_),) = list(csv.reader(to_csv(run).splitlines()))[1:]
    assert locator == '\'=HYPERLINK("x")'
