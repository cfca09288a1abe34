"""The table of changes fits the code as it is; the slow test makes every change and sees whether it is noticed."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from selection import in_tables

from .__main__ import main
from .table import ROOT, Row, Stale, changed, rows, rows_of

TABLE = rows()
TEST = "tests/unit/judgement/test_settle.py"
LIE = "Everything that is green is red."
ROW = Row("area", "checks.results.verdicts:exit_code", (TEST,), "code = 0", "code = 1", LIE)
GENERATED = Row("area", "checks.results.verdicts:exit_code", (TEST,), operator="+1", number=1)
WRONG = ["occurs 0 times", "there is no tests/nowhere.py", "::test_nothing", "expected a sentence"]


def faults(row: Row) -> Iterator[str]:
    """What is wrong with a row, each with its name."""
    try:
        changed(row)
    except Stale as error:
        yield str(error)
    if not row.tests:
        yield f"{row}: no tests"
    for test in row.tests:
        path, _, name = test.partition("::")
        function = name.partition("[")[0]
        if not (ROOT / path).exists() or (function and f"def {function}(" not in (ROOT / path).read_text("utf-8")):
            yield f"{row}: there is no {test}"
    if not row.operator and (not row.lie.endswith(".") or len(row.lie) < 20):
        yield f"{row}: expected a sentence about what the change would let through"


@pytest.mark.parametrize("area", sorted({row.area for row in TABLE}))
def test_no_row_is_stale(area: str) -> None:
    assert [fault for row in TABLE if row.area == area for fault in faults(row)] == []


def test_a_row_without_its_test_is_at_fault() -> None:
    wrong = replace(ROW, old="no such text", tests=("tests/nowhere.py", f"{ROW.tests[0]}::test_nothing"), lie="A lie")
    assert [words for fault in faults(wrong) for words in WRONG if words in fault] == WRONG
    assert list(faults(ROW)) == []


def test_rows_that_are_asked_for_and_not_there_are_an_error() -> None:
    said = CliRunner().invoke(main, ["--only", "of no row"])
    assert (said.exit_code, "no row has 'of no row'" in said.output) == (2, True)


def test_no_change_stands_in_the_table_twice() -> None:
    assert len({(row.at, row.change) for row in TABLE}) == len(TABLE)


def test_few_changes_make_no_difference_and_each_of_those_is_argued() -> None:
    equal = [row for row in TABLE if row.equal]
    assert len(equal) <= len(TABLE) // 20
    assert all(len(row.equal) > 20 for row in equal)


@in_tables(
    "fields, words",
    [
        ({"old": "no such text"}, "occurs 0 times"),
        ({"old": "code"}, "times, not once"),
        ({"old": ""}, "occurs 0 times"),
        ({"new": "code = 0"}, "not exactly one line"),
        ({"new": "code = 0\n"}, "not exactly one line"),
        ({"new": "code = ="}, "no Python"),
        ({"new": "code =  0"}, "means nothing"),
        ({"at": "checks.nothing:exit_code"}, "no file"),
        ({"at": "checks.results.verdicts:Verdict.exit"}, "has no Verdict.exit"),
        ({"at": "tests.conftest:golden"}, "no module of"),
        ({"operator": "+1", "number": 0}, "there are 8 such changes"),
        ({"operator": "+1", "number": 9}, "there are 8 such changes"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(Stale, match=words):
        changed(replace(ROW, **fields))


@pytest.mark.parametrize("row", [ROW, GENERATED])
def test_a_row_changes_one_line(row: Row) -> None:
    assert "\n    code = 1\n" in changed(row)


@in_tables(
    "text, words",
    [
        ('[[noticed]]\n"checks.__main__:main" = "drop 1"', "'by' is missing"),
        ('[[noticed]]\nby = ["a"]\n"checks.__main__:main" = "lose 1"', "'lose 1' is no operator and number"),
        ('[[noticed]]\nby = ["a"]\n"checks.__main__:main" = "drop"', "'drop' is no operator and number"),
        ('[[noticed]]\nby = ["a"]\n"checks.__main__:main" = "drop 1, "', "'' is no operator and number"),
        ('[[row]]\nat = "checks.__main__:main"', "a row has the keys at"),
        ("[[rows]]", "expected noticed and row"),
    ],
)
def test_what_is_no_row_is_refused(text: str, words: str) -> None:
    with pytest.raises(Stale, match=words):
        rows_of("area", text)


def test_what_is_generated_is_told_by_operator_and_number() -> None:
    text = '[[noticed]]\nby = ["a", "b"]\n"checks.x:f" = "not in 2, drop 1"\n"checks.y" = "[:1] 12"'
    assert [(r.at, r.operator, r.number, r.tests) for r in rows_of("area", text)] == [
        ("checks.x:f", "not in", 2, ("a", "b")),
        ("checks.x:f", "drop", 1, ("a", "b")),
        ("checks.y", "[:1]", 12, ("a", "b")),
    ]


@pytest.mark.slow
def test_every_change_is_noticed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.harness"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
