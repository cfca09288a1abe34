"""Heaps with parts in a browser: for each kind of picture a false claim, played from its picture and by keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from boards_page import Open, write_boards
from opened import find_violations
from playwright.sync_api import Locator, Page, expect

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from claims.language.files.library import select

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

BOARDS = Path(__file__).parents[3] / "examples" / "boards"
TOUCHED = {
    # The element that is touched, and the position after it, by the rules of each game from the start of its board; "":
    # any element; None: no element of the picture, because the only move is along a loop or cuts an edge.
    "staircase-three@second": ("1:0", "stairs of 1, 0, 0, the lowest step first"),
    "coins-three@all-gaps": ("1", "coins at 0, 1, 4"),
    "circular-four-two@neighbours-equal": ("1", "heaps of 0, 0, 0, 3 in a ring"),
    "chomp-rectangles@two-rows-equal": ("0:1", "rows of 1, 1 squares"),
    "white-knight-mod-4@one-coordinate": ("2:3", "x = 2, y = 3"),
    "fibonacci-nim-lost@one-kind-of-square": ("0:1", "a heap of 1, q = 2"),
    "node-kayles-path@every-fourth-and-two": ("", "free vertices: "),
    "end-nim-two@three": ("", "heaps of "),
    "toads-and-frogs-one@two-of-them": ("", "a row of "),
    "domineering-squares@upright": ("", "a board with 4 squares in each row; "),
    "clobber-ups@without-stars": ("2", "squares row by row: 1, 1, −1, 0"),
    "snort-complete@cold": ("", "filled vertices: "),
    "hackenbush-half@one-edge-each": (None, "edges: 0 to 1 blue"),
    "cutcake-numbers@by-the-height": ("", "1 by 3 squares; 1 by 3 squares"),
    "token-on-a-triangle@not-won-is-lost": (None, ""),
}
DRAWN = ("token-on-a-triangle@not-won-is-lost",)  # play can continue forever


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = []
    for id in TOUCHED:
        name, _, variant = id.partition("@")
        entries = [e for e in select((str(BOARDS / f"{name}.toml"),)) if e.id.endswith(f"@{variant}")]
        found += [settle_entry(entry, Options()) for entry in entries]
    assert [claim.verdict.value for claim in found] == ["refuted"] * len(TOUCHED)
    return write_boards(tmp_path_factory.mktemp("heaps") / "boards.html", found)


def claim_of(page: Page, id: str) -> Locator:
    return page.get_by_role("region", name=re.compile(rf"{re.escape(id)}$"))


def said(play: Locator) -> str:
    return " ".join(play.get_by_role("status").inner_text().split())


def test_each_kind_is_played_by_touching_its_picture(opening: Open) -> None:
    page = opening()
    for id, (touched, left) in TOUCHED.items():
        claim = claim_of(page, id)
        play = claim.locator(".play")
        assert claim.locator(".drawn svg[role=img]").first.get_attribute("aria-label"), id
        heading = play.locator(".now .head")
        expect(heading).to_contain_text("It is your move from ")
        if touched is None:
            assert not play.locator(".now .may").count(), id
            play.locator(".tried button").first.click()
        else:
            play.locator(f'.now [data-e="{touched}"]' if touched else ".now .may").last.click(timeout=5000)
        if not play.locator(".then").count():  # several moves begin there
            assert "moves begin in this way" in said(play), id
            play.locator(".tried li:not([hidden]) button").first.click()
        assert said(play).startswith(f"You leave {left}"), (id, said(play))
        assert play.locator(".then").count() >= 1 and play.locator(".tried .done").count() == 1, id


def test_each_kind_is_played_to_the_end_by_keyboard(opening: Open) -> None:
    page = opening()
    for id in TOUCHED:
        play = claim_of(page, id).locator(".play")
        for _ in range(12):
            play.locator(".tried button").first.focus()
            page.keyboard.press("Enter")
            onward = play.get_by_role("button", name="Go on from")
            if not onward.count():
                break
            onward.focus()
            page.keyboard.press("Enter")
        assert ("cannot move and loses" in said(play)) is (id not in DRAWN), (id, said(play))


def test_play_begins_at_any_position_of_the_list(opening: Open) -> None:
    play = claim_of(opening(), "staircase-three@second").locator(".play")
    own = play.locator(".task").inner_text()
    play.get_by_text("Play the game from another position").click()
    play.get_by_label("Position").select_option(label="([1, 0, 2])")
    play.get_by_label("You are").select_option(label="P1")
    play.get_by_role("button", name="Set up").click()
    # 1 and 2 are unequal: the player to move takes one coin from the third step, and leaves equal numbers.
    task = "You are P1; P1 moves first, at ([1, 0, 2]). P1 wins with best play."
    expect(play.locator(".task")).to_have_text(task)
    play.locator('.now [data-e="2:1"]').click()
    assert said(play).startswith("You leave stairs of 1, 1, 1, the lowest step first. P2 leaves ")
    play.get_by_role("button", name="As at first").click()
    expect(play.locator(".task")).to_have_text(own)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_anyone_can_use_the_pictures(width: int, scheme: str, opening: Open) -> None:
    page = opening(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.evaluate("for (const e of document.querySelectorAll('details')) e.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert find_violations(page) == ""
    for svg in page.locator("svg.parts").all():
        box = svg.bounding_box()
        assert box is None or box["x"] + box["width"] <= width
