"""Fixtures: a scheduler, a folder in which runs are started, and the result of an undisturbed run."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from clusters import ROOT, Dask, Runs


class Whole(NamedTuple):
    report: object
    shards: int


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    with closing(Dask(tmp_path_factory.mktemp("dask"))) as started:
        yield started


@pytest.fixture
def dask(scheduler: Dask) -> Iterator[Dask]:
    """A scheduler without workers."""
    (scheduler.folder / "searched").unlink(missing_ok=True)
    yield scheduler
    scheduler.end_workers()


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    (tmp_path / "runs").mkdir()
    return Runs(tmp_path / "runs")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The same claim, settled at once by one process."""
    runs = Runs(tmp_path_factory.mktemp("whole"))
    done = runs.run("whole", "-j", "1")
    assert done.returncode == 0, done.stderr
    return Whole(runs.read("whole"), runs.count_receipts("whole"))


@pytest.fixture
def other_source(tmp_path: Path) -> Path:
    """A copy of the packages that the test may change."""
    for name in ("claims", "encoders", "checks", "reports"):
        shutil.copytree(ROOT / name, tmp_path / "other" / name, ignore=shutil.ignore_patterns("out"))  # compiled
    return tmp_path / "other"
