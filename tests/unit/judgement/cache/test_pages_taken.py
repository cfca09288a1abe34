"""The text about the works is reused only if it would be rendered identically."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import get_type_hints

import pytest
from small import open_results, run, write_claim

from checks.cache import results as pages
from checks.cache.keys import TEMPLATING, Program, digest_files, find_package, list_reporter, list_versions
from checks.cache.results import PAGES, CacheSession, PageKey, ResultCache
from checks.cache.store import Store, StoreFault
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, Repository, RunResult, Work
from claims.language.files.library import find_shipped
from reports.html import make_pages, render_works

OPTIONS = Options()
NAMES = ("one-heap", "other-heap")


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """Return a run of two claims."""
    folder = tmp_path_factory.mktemp("settled")
    entries = [write_claim(folder / "claims", name) for name in NAMES]
    return RunResult("0.0", "quick", tuple(settle_entry(entry, OPTIONS) for entry in entries))


def keep(settled: RunResult, folder: Path) -> ResultCache:
    """Return a cache that contains the results of the run."""
    results = open_results(folder)
    for claim in settled.claims:
        entry = write_claim(folder.parent / "claims", claim.id)
        if results.find(entry, OPTIONS, {}) is None:
            results.keep(entry, OPTIONS, {}, claim)
    return results


def remember(results: ResultCache | None, run: RunResult, text: str, recheck: bool = False) -> str:
    """Return the text for a run if a new text would be `text`."""
    return CacheSession(results, recheck).remember(run, lambda: text)


@pytest.mark.slow
def test_it_is_made_once_for_the_same_results(settled: RunResult, tmp_path: Path) -> None:
    first = keep(settled, tmp_path / "cache")
    assert [remember(first, settled, text) for text in ("old <ü>", "new")] == ["old <ü>", "old <ü>"]
    assert remember(keep(settled, tmp_path / "cache"), settled, "new") == "old <ü>"


# -- a change of any input --------------------------------------------------------------------------------------------
Change = Callable[[ResultCache, RunResult, pytest.MonkeyPatch], RunResult]


def program(**changes: object) -> Change:
    def change(results: ResultCache, run: RunResult, patch: pytest.MonkeyPatch) -> RunResult:
        results.program = replace(results.program, **changes)
        return run

    return change


def reporter(**changes: object) -> Change:
    def change(results: ResultCache, run: RunResult, patch: pytest.MonkeyPatch) -> RunResult:
        other = replace(pages.find_reporter(), **changes)
        patch.setattr(pages, "find_reporter", lambda: other)
        return run

    return change


def of_run(**changes: object) -> Change:
    return lambda results, run, patch: replace(run, **changes)


def another_format(results: ResultCache, run: RunResult, patch: pytest.MonkeyPatch) -> RunResult:
    patch.setattr(pages, "FORMAT", 0)
    return run


def another_result(results: ResultCache, run: RunResult, patch: pytest.MonkeyPatch) -> RunResult:
    results.digests[NAMES[0]] = "0" * 64
    return run


CHANGES: dict[str, Change] = {
    "format": another_format,
    "program.source": program(source="edited"),
    "program.versions": program(versions=("Python", "numpy 3")),
    "reporter.source": reporter(source="edited"),
    "reporter.versions": reporter(versions=("jinja2 4",)),
    "run.version": of_run(version="0.1"),
    "run.profile": of_run(profile="deep"),
    "run.works": of_run(works=(Work("my-notes", "My notes", "", "", ""),)),
    "run.seconds": of_run(seconds=1.0),
    "run.interrupted": of_run(interrupted=True),
    "run.command": of_run(command="python -m checks run"),
    "run.overrides": of_run(overrides=(("n", "1..30"),)),
    "run.started": of_run(started="2030-01-01T00:00+00:00"),
    "run.versions": of_run(versions=(("Python", "4"),)),
    "run.library": of_run(library="another"),
    "run.title": of_run(title="another"),
    "run.repository": of_run(repository=Repository("/elsewhere", "/elsewhere/claims")),
    "run.code": of_run(code=4),
    "run.meant": of_run(meant="another"),
    "claims": another_result,
}


def test_each_field_of_the_key_has_its_test() -> None:
    hints = get_type_hints(PageKey)
    inside = {name: [f.name for f in fields(hints[name])] for name in ("program", "reporter", "run")}
    leaves = [[f"{f.name}.{x}" for x in inside[f.name]] if f.name in inside else [f.name] for f in fields(PageKey)]
    assert [name for some in leaves for name in some if name != "run.claims"] == list(CHANGES)


@pytest.mark.parametrize("field", CHANGES)
@pytest.mark.slow
def test_another_value_alone_is_made_anew(
    settled: RunResult, field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(keep(settled, tmp_path / "cache"), settled, "old")
    results = keep(settled, tmp_path / "cache")
    other = CHANGES[field](results, settled, monkeypatch)
    assert remember(results, other, "new") == "new"


@pytest.mark.slow
def test_the_order_of_the_claims_counts_and_so_does_each(settled: RunResult, tmp_path: Path) -> None:
    results = keep(settled, tmp_path / "cache")
    remember(results, settled, "old")
    one, other = settled.claims
    assert remember(results, replace(settled, claims=(other, one)), "turned") == "turned"
    assert remember(results, replace(settled, claims=(one,)), "first") == "first"
    results.digests[NAMES[0]], results.digests[NAMES[1]] = results.digests[NAMES[1]], results.digests[NAMES[0]]
    assert remember(results, settled, "exchanged") == "exchanged"


def test_whoever_makes_pages_is_known_by_all_that_makes_them() -> None:
    root = find_package("reports")
    made = [path.relative_to(root) for path in root.rglob("*") if path.suffix in (".py", ".html", ".css", ".js")]
    assert {name for name, _ in list_reporter()} >= {path.as_posix() for path in made if path.parts[0] != "out"}
    assert pages.find_reporter() == Program(digest_files(list_reporter()), list_versions(TEMPLATING))


@pytest.mark.parametrize("report", ["out", "mine/of-today"])
def test_what_a_run_writes_beside_the_reports_modules_is_not_of_them(tmp_path: Path, report: str) -> None:
    """In a clone, the default folder for reports is inside the folder of the modules."""
    for name in ("__init__.py", "html.py", "page/__init__.py", "page/front.py", "templates/page.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    before = digest_files(list_reporter(tmp_path))
    for name in ("report.json", "index.html", "certificates/check.py"):
        (tmp_path / report / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / report / name).write_text(name)
    assert digest_files(list_reporter(tmp_path)) == before
    for name in ("html.py", "page/front.py", "templates/page.html", "page/new.py"):
        (tmp_path / name).write_text("edited")
        after = digest_files(list_reporter(tmp_path))
        assert after != before, name
        before = after


# -- where nothing may be reused or stored ----------------------------------------------------------------------------
@pytest.mark.slow
def test_a_run_with_a_result_that_is_not_kept_is_made_each_time(settled: RunResult, tmp_path: Path) -> None:
    results = keep(settled, tmp_path / "cache")
    strange = replace(settled.claims[0], id="not/kept")
    more = replace(settled, claims=(*settled.claims, strange))
    assert [remember(results, more, text) for text in ("old", "new")] == ["old", "new"]
    assert results.store.list_keys(PAGES) == []


@pytest.mark.slow
def test_a_recheck_makes_it_of_its_own_results(settled: RunResult, tmp_path: Path) -> None:
    results = keep(settled, tmp_path / "cache")
    remember(results, settled, "old")
    assert remember(results, settled, "new", recheck=True) == "new"
    assert remember(results, settled, "newer") == "old"


@pytest.mark.slow
def test_what_was_forgotten_is_not_taken_for_what_it_was(settled: RunResult, tmp_path: Path) -> None:
    results = keep(settled, tmp_path / "cache")
    remember(results, settled, "old")
    entry = write_claim(tmp_path / "claims")
    results.drop(entry, OPTIONS, {}, settled.claims[0])
    assert remember(results, settled, "new") == "new"


@pytest.mark.slow
def test_where_there_is_no_cache_it_is_made(
    settled: RunResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert remember(None, settled, "new") == "new"

    def full(*_: object) -> None:
        raise StoreFault("database or disk is full")

    said: list[str] = []
    session = CacheSession(keep(settled, tmp_path / "cache"), warn=said.append)
    monkeypatch.setattr(Store, "put", full)
    assert session.remember(settled, lambda: "new") == "new"
    assert said == ["the rest of the run does not use the cache: database or disk is full"]


@pytest.mark.parametrize("text", ["\udcff", ""])
@pytest.mark.slow
def test_names_that_are_no_text_do_no_harm(settled: RunResult, tmp_path: Path, text: str) -> None:
    results = keep(settled, tmp_path / "cache")
    assert [remember(results, settled, text) for _ in range(2)] == [text, text]


@pytest.mark.slow
def test_a_row_that_is_no_text_is_not_there(settled: RunResult, tmp_path: Path) -> None:
    results = keep(settled, tmp_path / "cache")
    remember(results, settled, "old")
    (key,) = results.store.list_keys(PAGES)
    results.store.put(PAGES, key, b"\xff")
    assert remember(results, settled, "new") == "new"


# -- whole runs -------------------------------------------------------------------------------------------------------
def read_page(folder: Path, report: str = "reports/out") -> str:
    return (folder / report / "index.html").read_text("utf-8")


def without_run(page: str) -> str:
    """Return the page without the parts that depend on the run."""
    return re.sub(r"<div><dt>(Run|Time|Again)</dt>.*", "", page)


@pytest.mark.slow
def test_a_page_from_the_cache_reads_as_one_that_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(folder)
    cold = read_page(folder)
    with monkeypatch.context() as patch:
        patch.setattr("reports.html.render_works", None)  # must not be called
        run(folder)
    warm = read_page(folder)
    assert warm != cold and without_run(warm) == without_run(cold)
    assert "all from the cache" not in cold and "1 of 1 claim from the cache" in warm


@pytest.mark.parametrize("id", ["nim/bouton", "kl-nim/lemma-11", "kl-nim/theorem-14", "nim/misere"])
def test_of_a_result_and_of_what_is_read_of_it_the_same_is_made(
    id: str, library: Callable[[str], ClaimResult], tmp_path: Path
) -> None:
    result, results = library(id), open_results(tmp_path / "cache")
    results.keep(find_shipped(id), OPTIONS, {}, result)
    read = results.find(find_shipped(id), OPTIONS, {})
    assert read is not None and read.provenance.cached and not result.provenance.cached
    one, other = (render_works(RunResult("0.0", "quick", (claim,))) for claim in (result, read))
    assert one == other


def test_all_pages_of_a_run_are_the_same_from_a_stored_text_and_made_anew(settled: RunResult) -> None:
    """The stored text has nothing of what its key leaves out, which the front of the page shows."""
    stored: list[str] = []

    def remember_first(_: RunResult, make: Callable[[], str]) -> str:
        if not stored:
            stored.append(make())
        return stored[0]

    for facts in (
        {},
        {"title": "Another title"},
        {"started": "2020-02-02T02:02:02Z"},
        {"seconds": 222.0},
        {"command": "checks run others"},
    ):
        run = replace(settled, **facts)
        assert dict(make_pages(run, remember_first)) == dict(make_pages(run)), facts
    assert len(dict(make_pages(settled))) == 2 + len(NAMES)
    one = replace(settled, claims=settled.claims[:1])
    assert dict(make_pages(one, remember_first)) != dict(make_pages(one))  # a text for other claims would be noticed
