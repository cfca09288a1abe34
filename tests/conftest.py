"""What all tests share: golden files, which `pytest --renew-golden` writes anew, and what was settled once."""

import gc
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import selection
from _pytest.doctest import DoctestModule
from hypothesis import settings
from library import Library, digest_tree, list_once, load_once, look_once, open_kept
from remembered import remember
from selection import (  # noqa: F401 - hooks
    SMOKE,
    find_left_out,
    is_large,
    may_hold_large,
    may_hold_smoke,
    pytest_pycollect_makeitem,
    pytest_runtest_call,
    pytest_runtest_protocol,
    pytest_terminal_summary,
    pytest_xdist_make_scheduler,
)
from small_scopes import shrink

os.environ["CHECKS_CACHE"] = "off"  # here and in every process started here: what is tested is settled anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it each process started here compiles all modules anew
GOLDEN = Path(__file__).parent / "golden"
settings.register_profile("usual", deadline=None)  # on a busy machine the time of an example says nothing
settings.load_profile("usual")
settings.register_profile("thorough", max_examples=400, deadline=None)  # 100 without it
collect_ignore_glob = ["conftest.py", "**/conftest.py"]  # they are no modules with examples, and all have one name
gc.set_threshold(20_000_000, 50, 100)  # terms are many and most of them stay: each look takes a second per million


class ExamplesWhereThereAreAny:
    """No module is imported and looked through for examples that its text has not: of nine in ten."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Iterator[None]:
        found = yield
        if file_path.suffix != ".py" or ">>> " in file_path.read_text("utf-8"):
            return found
        return [collector for collector in found if not isinstance(collector, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ExamplesWhereThereAreAny())  # a hook of a conftest sees the files below it alone


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-golden", action="store_true", help="write the golden files anew, then read the diff")
    every = "what otherwise is seen in part: axe looks at every claim of the page, no large test is left out"
    parser.addoption("--every", action="store_true", help=every)
    selection.pytest_addoption(parser)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`pytest -m smoke` and `-m large` read no file without such a test."""
    may_hold = {"smoke": may_hold_smoke, "large": may_hold_large}.get(config.option.markexpr)
    return True if may_hold is not None and not may_hold(collection_path) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and named stays to the end, and need not be gone through again."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """As a process ends all objects are gone through time and again, a second each: what is left now is left."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    large: dict[str, pytest.Item] = {}
    for item in items:
        marks = {mark.name: mark for mark in reversed([*item.iter_markers()])}  # the closest of a name counts
        if "slow" in marks:
            continue
        group = marks.get("xdist_group")  # which pytest-xdist may have appended to the name
        name = item.nodeid.removeprefix("tests/").removesuffix(f"@{group.args[0]}" if group and group.args else "")
        if is_large(name):
            item.add_marker(pytest.mark.large)
            large[name] = item
        elif name.startswith(SMOKE):
            item.add_marker(pytest.mark.smoke)
    if out := {large[name] for name in find_left_out(large, config, digest_tree)}:
        config.hook.pytest_deselected(items=[*out])
        items[:] = [item for item in items if item not in out]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(path, text)`: the text is what the file tests/golden/<path> holds."""

    def check(path: str, text: str) -> None:
        file = GOLDEN / path
        if request.config.getoption("--renew-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        assert file.exists(), f"no golden file {file}: run pytest --renew-golden"
        assert text == file.read_text("utf-8"), f"differs from {file}; if it is meant, run pytest --renew-golden"

    return check


@pytest.fixture(scope="session")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new path for each test."""
    folder = tmp_path_factory.mktemp("tests", numbered=False)
    return (folder / f"{number}" for number in itertools.count())


@pytest.fixture
def tmp_path(numbered: Iterator[Path]) -> Path:
    """As pytest's own, which reads the names of all such folders for a new one: a second per thousand tests."""
    path = next(numbered)
    path.mkdir()
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small scopes count as heavy, and are searched in shards."""
    shrink(monkeypatch.setattr)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder for all processes of this run of pytest; below CHECKS_SHARED, for all runs of one tree."""
    if given := os.environ.get("CHECKS_SHARED"):
        folder = Path(given) / digest_tree()
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def library(shared: Path) -> Library:
    """`library(id)`: the result for a shipped claim, settled once."""
    return Library(shared, open_kept())


@pytest.fixture(scope="session")
def settled_here(shared: Path) -> Library:
    """The same of results that no run before has kept."""
    return Library(shared)


@pytest.fixture(scope="session", autouse=True)
def remembered(shared: Path) -> Iterator[None]:
    """No script is put to Z3 twice, no file of the library is read twice for hints, and none is listed twice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("checks.judgement.account.hints.load_claim", load_once)
        patch.setattr("checks.judgement.account.hints._text_of", look_once)
        patch.setattr("claims.language.library.entries._list_shipped", list_once)
        remember(shared, patch)
        yield
