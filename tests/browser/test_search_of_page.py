"""The ranking of the page's search: queries used for tuning, and twice as many new queries."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from library import ENTRIES
from opened import Opened

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

LISTS: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("queries.toml").read_text("utf-8"))
FIRST, AMONG_THREE = 40, 48  # of 50
ASK = """([query, most]) => {
  const box = document.getElementById("page:words");
  box.value = query;
  box.dispatchEvent(new Event("input"));
  const found = document.querySelectorAll("[id='page:results'] ol li > a");
  return [...found].slice(0, most).map((a) => decodeURIComponent(a.getAttribute("href").slice(1)));
}"""


def ask(opened: Opened, query: str, most: int = 3) -> list[str]:
    """Return the ids of the results, the best first."""
    found: list[str] = opened.page.evaluate(ASK, [query, most])
    return found


def test_the_lists_are_of_one_length_share_nothing_and_name_claims_of_the_library() -> None:
    assert [len(queries) for queries in LISTS.values()] == [25, 25, 25]
    assert len({query.lower() for queries in LISTS.values() for query in queries}) == 75
    assert {id for found in LISTS.values() for ids in found.values() for id in ids} <= set(ENTRIES)


def test_the_claim_that_is_meant_comes_first_or_among_the_first_three(shared_page: Opened) -> None:
    wanted = LISTS["tuned"] | LISTS["apart"]
    found = {query: ask(shared_page, query) for query in wanted}
    ask(shared_page, "")
    late = {query: ids for query, ids in found.items() if not ids or ids[0] not in wanted[query]}
    lost = {query: ids for query, ids in late.items() if not set(ids) & set(wanted[query])}
    assert len(wanted) - len(late) >= FIRST, late
    assert len(wanted) - len(lost) >= AMONG_THREE, lost


def test_of_queries_written_for_a_larger_library_hardly_fewer_are_answered(shared_page: Opened) -> None:
    wanted = LISTS["later"]
    found = {query: ask(shared_page, query) for query in wanted}
    ask(shared_page, "")
    first = [query for query, ids in found.items() if ids and ids[0] in wanted[query]]
    assert len(first) >= FIRST // 2, found
    assert sum(bool(set(ids) & set(wanted[query])) for query, ids in found.items()) >= AMONG_THREE // 2 - 1, found


def test_what_is_sought_as_it_is_typed_is_found(shared_page: Opened) -> None:
    for typed in ("le", "lem", "lemm", "lemma", "lemma 1", "lemma 11"):
        assert any("lemma" in id for id in ask(shared_page, typed)), typed
    assert ask(shared_page, "theorem 1", 1) == ["large-nim/theorem-1"]
    assert ask(shared_page, "what is the") != []
    for empty in ("xyzzy", "  ", "7777 1", "…"):
        assert ask(shared_page, empty) == [], empty
    ask(shared_page, "")
