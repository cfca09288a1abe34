"""A real browser, Debian's chromium or what CHECKS_BROWSER names, on the page of the whole library."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from library import ENTRIES, Library
from playwright.sync_api import Browser, Page, sync_playwright

from checks.results.model import RunResult
from checks.run import list_works
from reports.html import to_html

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_browser() -> str:
    """The path of a browser, "" where there is none; where CHECKS_BROWSER is set, that one must be there."""
    wanted = os.environ.get("CHECKS_BROWSER")
    if wanted:
        assert shutil.which(wanted), f"CHECKS_BROWSER={wanted}: there is no such program"
    return next((path for name in ([wanted] if wanted else NAMES) if (path := shutil.which(name))), "")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if not path:
        pytest.skip(f"there is no browser: none of {', '.join(NAMES)} is installed")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def library_run(library: Library) -> RunResult:
    """The run of all shipped claims, at their quick scopes."""
    claims = tuple(library(id) for id in ENTRIES)
    works = list_works(tuple(ENTRIES.values()), claims)
    return RunResult("0.0", "quick", claims, works, 38.0, command="python -m checks run")


@pytest.fixture(scope="session")
def library_page(library_run: RunResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """index.html of that run."""
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(to_html(library_run), "utf-8")
    return path


class Opened:
    """A page that is open, and what it asked for and complained of."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page, self.path = page, path
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path.as_uri())

    def unfold(self) -> None:
        self.page.evaluate(
            "for (const e of document.querySelectorAll('details:not(.steps > li > details)')) e.open = true"
        )


@pytest.fixture
def opened(browser: Browser, library_page: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The page, 1280 wide; `@pytest.mark.parametrize("opened", [{...}], indirect=True)` for another kind of context."""
    asked = {"viewport": {"width": 1280, "height": 800}, **getattr(request, "param", {})}
    context = browser.new_context(**asked)
    page = Opened(context.new_page(), library_page)
    yield page
    assert page.complaints == []
    assert page.requests == [library_page.as_uri()]
    context.close()
