"""The table of changes fits the code as it is; the slow test makes every change and sees whether it is noticed."""

import subprocess
import sys
from dataclasses import replace

import pytest

from .table import ROOT, Row, Stale, changed, rows

TABLE = rows()
ROW = Row(
    "area",
    "checks/results/verdicts.py",
    "code = 0",
    "code = 1",
    ("tests/unit/judgement/test_settle.py",),
    "Everything is red.",
)


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_no_row_is_stale(row: Row) -> None:
    changed(row)
    assert row.tests
    for test in row.tests:
        path, _, name = test.partition("::")
        assert (ROOT / path).exists(), test
        function = name.partition("[")[0]
        assert f"def {function}(" in (ROOT / path).read_text("utf-8") if function else True, test
    assert row.lie.endswith(".") and len(row.lie) >= 20, "a sentence: what the change would let through"


def test_no_change_stands_in_the_table_twice() -> None:
    assert len({(row.file, row.old, row.new) for row in TABLE}) == len(TABLE)


def test_few_changes_make_no_difference_and_each_of_those_is_argued() -> None:
    equal = [row for row in TABLE if row.equal]
    assert len(equal) <= len(TABLE) // 20
    assert all(len(row.equal) > 20 for row in equal)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"old": "no such text"}, "occurs 0 times"),
        ({"old": "Verdict"}, "times, not once"),
        ({"old": ""}, "occurs 0 times"),
        ({"new": "code = 0"}, "not exactly one line"),
        ({"new": "code = 0\n"}, "not exactly one line"),
        ({"new": "code = ="}, "no Python"),
        ({"new": "code =  0"}, "means nothing"),
        ({"file": "checks/nothing.py"}, "no such file"),
        ({"file": "tests/conftest.py"}, "no file of"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(fields: dict[str, str], words: str) -> None:
    with pytest.raises(Stale, match=words):
        changed(replace(ROW, **fields))


def test_a_row_changes_one_line() -> None:
    assert "\n    code = 1\n" in changed(ROW)


@pytest.mark.slow
def test_every_change_is_noticed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.harness"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
