"""Hooks and fixtures that all tests share: golden files, and the results of the claim library."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import read_cases, read_text, renew_text, write_files
from hypothesis import settings
from library import Library
from small_scopes import shrink

os.environ["CHECKS_CACHE"] = "off"  # no test may take a result from an earlier run
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # it would make each subprocess compile every module
GOLDEN = Path(__file__).parent / "golden"
settings.register_profile("default", deadline=None)  # the time of one example depends on the machine's load
settings.register_profile("thorough", max_examples=400, deadline=None)
settings.load_profile("default")
collect_ignore_glob = ["conftest.py", "**/conftest.py"]  # --doctest-modules would import them twice, under one name


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-golden", action="store_true", help="write the golden files again, then read the diff")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`golden(path, text)` asserts that the file tests/golden/<path> contains the text.

    `golden(path, text, case)` compares the text with one case of that file: what follows the line '===== <case>'.
    """
    renew = request.config.getoption("--renew-golden")

    def check(path: str, text: str, case: str = "") -> None:
        file = GOLDEN / path
        if renew:
            renew_text(file, text, case)
        assert file.exists(), f"no golden file {file}: run pytest --renew-golden"
        expected = read_text(file, case)
        assert text == expected, f"differs from {file} {case}; if it is meant, run pytest --renew-golden"

    return check


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat small scopes as heavy ones, which are searched in shards."""
    shrink(monkeypatch.setattr)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of this run of pytest share."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def library(shared: Path) -> Library:
    """`library(id)`: the result for a shipped claim, settled once in this run of pytest."""
    return Library(shared)


@pytest.fixture(scope="session")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the claims of tests/workshop/attacks and the files that they use."""
    folder = tmp_path_factory.mktemp("attacks")
    for path in sorted((Path(__file__).parent / "workshop/attacks").glob("*.txt")):
        shared, cases = read_cases(path)
        write_files(folder, shared)
        for case in cases:
            write_files(folder, case.files)
    return folder
