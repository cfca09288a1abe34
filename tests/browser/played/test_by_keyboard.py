"""The page by keyboard alone: search a claim, open it, play it to the end, leave it. The focus is always visible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from library import Library
from opened import open_page
from playwright.sync_api import Browser, Locator, Page, expect

from checks.results.model import RunResult
from reports.html import make_pages, to_html

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

CLAIMS = ("nim/bouton", "kl-nim/lemma-11", "kl-nim/lemma-13", "kl-nim/theorem-14")
STILL = {"reduced_motion": "reduce"}  # no animation: a focused element is at its final place at once
PHONE = STILL | {"viewport": {"width": 390, "height": 844}}
HIDDEN = """() => {
  const e = document.activeElement, box = e.getClientRects()[0], style = getComputedStyle(e);
  if (e === document.body) return "nothing has the focus";
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return "no outline";
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, y = Math.max(box.top, 0) + 2;
  const there = document.elementFromPoint(x, Math.min(y, innerHeight - 1));
  const seen = there && (e.contains(there) || there.contains(e));
  return box.top >= 0 && box.top < innerHeight && seen ? "" : "out of sight";
}"""
"""The fault of the focused element; "" if it is outlined and visible."""
FOCUSED = "document.activeElement.matches"


def press(page: Page, key: str) -> None:
    page.keyboard.press(key)
    see_focus(page, key)


def see_focus(page: Page, key: str) -> None:
    hidden = page.evaluate(HIDDEN)
    assert hidden == "", (key, hidden, page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press a key until the focus matches the selector: within 80 stops, each of them visible."""
    for _ in range(80):
        press(page, key)
        if page.evaluate(f"{FOCUSED}({selector!r})"):
            return
    raise AssertionError(f"there is no way to {selector}")


def seek(page: Page, words: str, id: str) -> Locator:
    """Type words into the search box, move down to the claim and open it."""
    page.keyboard.type(words)
    for _ in range(3):
        press(page, "ArrowDown")
        if page.evaluate("document.activeElement.getAttribute('href')") == f"#{id}":
            break
    page.keyboard.press("Enter")
    claim = page.locator(f"details[id='{id}']")
    expect(claim).to_have_attribute("open", "")
    expect(claim.locator("> summary")).to_be_focused()
    see_focus(page, "Enter")
    return claim


def play_every_move(page: Page, play: Locator) -> None:
    """Play every possible first move, until the board says that the claim fails."""
    for _ in range(play.locator(".tried button").count()):
        tab_to(page, ".tried li:not(.done) button")
        press(page, "Enter")
    expect(play.get_by_role("status")).to_contain_text("Every move is answered: the claim fails at k = 3, l = 4")


def play_to_the_end(page: Page, play: Locator) -> None:
    """Continue after each answer until a player cannot move; then begin again."""
    for _ in range(9):
        tab_to(page, ".tried button")
        press(page, "Enter")
        if "cannot move and loses" in play.get_by_role("status").inner_text():
            break
        tab_to(page, ".ends .on", "Shift+Tab")
        press(page, "Enter")
    expect(play.get_by_role("status")).to_contain_text("P1 cannot move and loses")
    tab_to(page, ".ends button", "Shift+Tab")
    press(page, "Enter")
    expect(play.locator(".now .head")).to_be_focused()


@pytest.fixture(scope="module")
def walked(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report of four claims, including the claims that the test opens."""
    run = RunResult("0.0", "quick", tuple(map(library, CLAIMS)))
    folder = tmp_path_factory.mktemp("walked")
    for name, text in (("index.html", to_html(run)), *make_pages(run)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("kind", [STILL, PHONE], ids=["wide", "phone"])
def test_from_the_search_to_the_end_of_the_game_and_back(browser: Browser, walked: Path, kind: dict[str, Any]) -> None:
    for opened in open_page(browser, walked / "index.html", kind):
        page, box = opened.page, opened.page.get_by_role("searchbox")
        tab_to(page, "[id='page:words']")
        claim = seek(page, "what is wrong with lemma 11", "kl-nim/lemma-11")
        tab_to(page, ".play button")
        play_every_move(page, claim.locator(".play"))
        page.go_back()
        expect(page.locator("#page\\:results a[href='#kl-nim/lemma-11']")).to_be_focused()
        press(page, "Escape")
        expect(box).to_be_focused()
        assert box.input_value() == "what is wrong with lemma 11"
        press(page, "Escape")
        assert box.input_value() == "" and page.locator("#page\\:report").is_visible()
        claim = seek(page, "bouton", "nim/bouton")
        tab_to(page, ".play button")
        play_to_the_end(page, claim.locator(".play"))
        page.go_back()
        expect(page.locator("#page\\:results a[href='#nim/bouton']")).to_be_focused()
        press(page, "ArrowUp")
        expect(box).to_be_focused()
        page.go_forward()
        expect(claim.locator("> summary")).to_be_focused()
        press(page, "/")
        expect(box).to_be_focused()


def test_from_the_page_of_a_claim_to_the_search(browser: Browser, walked: Path) -> None:
    for opened in open_page(browser, walked / "claims" / "kl-nim" / "lemma-11.html", STILL):
        page = opened.page
        tab_to(page, ".play button")
        play_every_move(page, page.locator(".play"))
        tab_to(page, ".kick a", "Shift+Tab")
        page.keyboard.press("Enter")
        page.wait_for_url("**/index.html#kl-nim/lemma-11")
        opened.wait()
        expect(page.locator("details[id='kl-nim/lemma-11']")).to_have_attribute("open", "")
        press(page, "Tab")  # from the target of the address
        expect(page.locator("details[id='kl-nim/lemma-11'] > summary")).to_be_focused()
        press(page, "/")
        expect(page.get_by_role("searchbox")).to_be_focused()
        assert opened.requests[1:] == [(walked / "index.html").as_uri()]
        opened.requests[1:] = []
