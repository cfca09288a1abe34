"""Tests that share what is dear to make, or a port, are one group: one process runs them, one after the other."""

import pytest
from selection import ByFile, in_tables


@pytest.mark.xdist_group("seen")
def test_groups_are_seen_where_tests_run_in_several_processes(request: pytest.FixtureRequest, worker_id: str) -> None:
    """By the suffix that pytest-xdist gives to their names; with a pytest that it does not know it gives none."""
    assert worker_id == "master" or request.node.nodeid.endswith("@seen")


@in_tables(
    "name, group",
    [
        ("tests/a.py::test_b", "tests/a.py"),
        ("tests/a.py::test_b[x@y]", "tests/a.py"),
        ("checks/a.py::checks.a.f", "checks/a.py"),
        ("tests/a.py::test_b@posed", "posed"),
        ("tests/a.py::test_b[x@y]@posed", "posed"),
    ],
)
def test_the_tests_of_a_file_go_to_one_process_but_those_of_a_group(name: str, group: str) -> None:
    assert ByFile._split_scope(ByFile.__new__(ByFile), name) == group
