"""The list of large tests is of tests that there are; and a test that is not on it may not take much CPU."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from house import ROOT
from selection import DRAWN, LARGE, SHOWN, find_left_out, may_hold_large

TESTS = ROOT / "tests"
BUSY = """
import time
import selection
import pytest

def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

def test_light(): pass
def test_dear(): work(0.1)
def test_far_too_dear(): work(0.5)
@pytest.mark.large
def test_large(): work(0.5)
def test_what_is_shared():
    with selection.shared():
        with selection.shared():
            work(0.4)
        work(0.1)
"""


def test_each_entry_is_a_test() -> None:
    for file, entries in LARGE.items():
        text = (TESTS / file).read_text("utf-8")
        for entry in entries:
            assert f"def {entry.partition('[')[0]}(" in text or entry == "", (file, entry)


def test_files_without_a_large_test_need_not_be_read() -> None:
    assert all(map(may_hold_large, (TESTS, TESTS.parent, TESTS / "cli", TESTS / "cli/far/test_dask.py")))
    assert not any(map(may_hold_large, (TESTS / "cli/far/conftest.py", TESTS.parent / "claims", TESTS / "cl")))


def test_what_is_drawn_is_a_part_of_the_large_tests() -> None:
    for name in DRAWN:
        file, _, function = name.partition("::")
        assert any(entry.partition("[")[0] in ("", function) for entry in LARGE[file]), name
        assert f"def {function}(" in (TESTS / file).read_text("utf-8"), name
    for beginning in SHOWN:
        assert any(file.startswith(beginning) for file in LARGE), beginning


def test_each_of_many_is_drawn_in_turn_and_all_where_they_are_asked_for() -> None:
    many = {f"claims/test_mutants.py::test_the_scope_refutes[{number}]" for number in range(60)}
    few = {f"workshop/test_suspects.py::test_no_suspect_is_a_false_green[{number}]" for number in range(3)}
    shown = {f"cli/test_readme.py::test_number_{number}" for number in range(40)}
    both = {f"cli/asked/finding/test_found_claims.py::test_values_of_one_heap[{number}]" for number in range(60)}
    always = {"claims/test_mutants.py::test_another[1]", "cli/far/test_dask.py::test_another"}
    names = {*many, *few, *shown, *both, *always}

    def run(draw: str, *asked: str, expression: str = "large", every: bool = False) -> set[str]:
        option = SimpleNamespace(markexpr=expression)
        return names - find_left_out(
            names, SimpleNamespace(args=asked, option=option, getoption=lambda _: every), lambda: draw
        )

    for draw in map(str, range(20)):
        assert always < run(draw, "tests")
        assert run(draw) == run(draw)
        assert len(run(draw) & many) == 10
        assert len(run(draw) & few) == 1, "of no function none is left"
        assert 0 < len(run(draw) & shown) < 16
        assert len(run(draw) & both) < 8
    assert set().union(*(run(str(draw)) for draw in range(300))) == names
    assert run("0", every=True) == run("0", f"tests/{min(many)}") == run("0", expression="large or slow") == names


def test_a_test_that_is_far_too_dear_fails(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = large: it may\n")
    (tmp_path / "conftest.py").write_text(
        "from selection import pytest_addoption, pytest_runtest_call, pytest_terminal_summary\n"
    )
    (tmp_path / "test_busy.py").write_text(BUSY)
    environment = {**os.environ, "PYTHONPATH": str(TESTS / "shared"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    runs = "import sys, pytest; sys.exit(pytest.main([*sys.argv[1:], '0']) * 9 or pytest.main([*sys.argv[1:], '0.02']))"
    command = [sys.executable, "-c", runs, "-q", "-rf", "-p", "no:cacheprovider", "--budget"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    failed = [x.split("::test_")[1].split()[0] for x in lines if x.startswith("FAILED")]
    assert (failed, done.returncode) == (["far_too_dear"], 1), done.stdout  # with a budget of 0 all passed before
    told = [x.split("::test_")[1] for x in lines if x.strip()[:1].isdigit() and "::" in x]
    assert told == ["far_too_dear", "dear"]
