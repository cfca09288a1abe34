"""Tests that share what is dear to make, or a port, are one group: one process runs them, one after the other."""

import pytest


@pytest.mark.xdist_group("seen")
def test_groups_are_seen_where_tests_run_in_several_processes(request: pytest.FixtureRequest, worker_id: str) -> None:
    """By the suffix that pytest-xdist gives to their names; with a pytest that it does not know it gives none."""
    assert worker_id == "master" or request.node.nodeid.endswith("@seen")
