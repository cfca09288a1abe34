"""A real browser (Chromium, or the one in CHECKS_BROWSER) with the page of the whole library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from boards_page import Open
from library import ENTRIES, Library
from opened import Opened, open_page
from playwright.sync_api import Browser, Page, sync_playwright
from samples import RUN

from benchmarks.page import BROWSERS, find_browser, open_browser
from checks.command.run import list_works
from checks.results.model import RunResult
from reports.html import make_pages, to_html, to_plain

SOME = ("kl-nim/lemma-11", "nim/bouton", "bash-nim/single-heap", "kl-nim/theorem-12", "large-nim/theorem-1-single-heap")
PROVED = (
    "nim/bouton",
    "kl-nim/theorem-14",
    "kl-nim/theorem-6",
    "large-nim/theorem-1",
    "large-nim/equation-5",
    "kl-nim/complete-solution",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not find_browser():
        pytest.skip(f"there is no browser: none of {', '.join(BROWSERS)} is installed")
    with sync_playwright() as playwright:
        found = open_browser(playwright)
        yield found
        found.close()


@pytest.fixture
def opening(browser: Browser, written: Path) -> Iterator[Open]:
    """Open the page that the module has `written`, in a context of the given kind; the page must not report errors."""
    with ExitStack() as stack:

        def make(**kind: Any) -> Page:
            kind = {"viewport": {"width": 1280, "height": 900}, **kind}
            return stack.enter_context(contextmanager(open_page)(browser, written, kind)).page

        yield make


@pytest.fixture(scope="session")
def library_run(library: Library) -> RunResult:
    """The run of all shipped claims, in their quick scopes."""
    found = {id: library(id) for id in reversed(ENTRIES)}  # reversed: fewer waits for another process
    claims = tuple(found[id] for id in ENTRIES)
    works = list_works(tuple(ENTRIES.values()), claims)
    return RunResult("0.0", "quick", claims, works, 38.0, command="python -m checks run")


@pytest.fixture(scope="session")
def library_page(library_run: RunResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """index.html of that run."""
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(to_html(library_run), "utf-8")
    return path


@pytest.fixture(scope="session")
def small_run(library: Library) -> RunResult:
    """A run with every feature of a page: each verdict, each rule of proof, boards and pictures."""
    return replace(RUN, claims=(*RUN.claims, *map(library, SOME)))


@pytest.fixture(scope="session")
def small_pages(small_run: RunResult) -> dict[str, str]:
    """The pages of its claims, by name."""
    return dict(make_pages(small_run))


@pytest.fixture(scope="session")
def small_page(small_run: RunResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of that run."""
    path = tmp_path_factory.mktemp("small") / "index.html"
    path.write_text(to_html(small_run), "utf-8")
    return path


@pytest.fixture(scope="session")
def proofs_page(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of claims with proofs only; next to it the page for readers without scripts."""
    run = RunResult("0.0", "quick", tuple(map(library, PROVED)))
    path = tmp_path_factory.mktemp("proofs") / "index.html"
    path.write_text(to_html(run), "utf-8")
    path.with_name("plain.html").write_text(to_plain(run), "utf-8")
    return path


@pytest.fixture(scope="session")
def shared_page(browser: Browser, library_page: Path) -> Iterator[Opened]:
    """The page of the library, opened once for tests that only read it, or call `begin_again`."""
    yield from open_page(browser, library_page, {})


@pytest.fixture
def again(shared_page: Opened) -> Opened:
    """The shared page in its initial state."""
    shared_page.begin_again()
    return shared_page


@pytest.fixture
def opened(browser: Browser, library_page: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The page, 1280 wide; `@pytest.mark.parametrize("opened", [{...}], indirect=True)` for another kind of context."""
    yield from open_page(browser, library_page, getattr(request, "param", {}))


@pytest.fixture
def small(browser: Browser, small_page: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The small page, opened in the same way."""
    yield from open_page(browser, small_page, getattr(request, "param", {}))


@pytest.fixture
def proofs(browser: Browser, proofs_page: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The page of proofs, opened in the same way."""
    yield from open_page(browser, proofs_page, getattr(request, "param", {}))
