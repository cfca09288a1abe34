"""Boards in a browser: the page answers every move to the end, by pointer and keyboard, and explains illegal moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from boards_page import Open, write_boards
from commands import run_within
from library import ENTRIES
from opened import find_violations
from playwright.sync_api import Browser, Locator, Page, expect
from settling import settled

from checks.boards.illustrate import illustrate
from checks.results.model import ClaimResult
from encoders.proving.reading import load_claim

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

IDS = ("kl-nim/lemma-11", "nim/bouton", "nim/table-n-n-misere", "kl-nim/n-position-test", "kl-nim/theorem-6")


def drawn(id: str) -> ClaimResult:
    claim = load_claim(ENTRIES[id].path, id)
    return illustrate(settled(claim), claim, claim.scope("quick"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of these boards and pictures."""
    return write_boards(tmp_path_factory.mktemp("boards") / "boards.html", map(drawn, IDS))


def board(page: Page, id: str) -> Locator:
    return page.get_by_role("region", name=id, exact=True).locator(".play")


def said(play: Locator) -> str:
    return " ".join(play.get_by_role("status").inner_text().split())


def test_each_of_the_five_moves_from_lemma_11_is_answered(opening: Open) -> None:
    play = board(opening(), "kl-nim/lemma-11")
    moves = play.get_by_role("list", name="Your legal moves").get_by_role("button")
    answers = {"(2, 4)": "(2, 2)", "(1, 2, 2)": "(2, 2)", "(2, 2, 2)": "(2, 2)", "(1, 2, 4)": "(1, 2, 3)"}
    answers["(2, 2, 3)"] = "(1, 2, 3)"
    assert moves.count() == 5
    for number in range(5):
        left = moves.nth(number).inner_text().split("→ ")[1].removesuffix(", answered")
        moves.nth(number).click()
        assert f"and leave {left}. P1 takes" in said(play) and f"leaves {answers.pop(left)}: " in said(play)
        assert f"= 0; so {left} is not defective for P1." in said(play)
        assert play.locator(".tried .done").count() == number + 1
        if number < 4:
            assert said(play).endswith(f"{number + 1} of 5 first moves answered.")
    assert said(play).endswith("Every move is answered: the claim fails at k = 3, l = 4, s = (2, 2, 4).")


def test_a_token_is_taken_with_those_above_it(opening: Open) -> None:
    play = board(opening(), "kl-nim/lemma-11")
    play.get_by_role("button", name="Take 2 from heap 3, of 4").click()
    assert said(play).startswith(
        "You take 2 from 4 and leave (2, 2, 2). P1 takes 2 from 2 and leaves (2, 2): 2 ⊕ 2 = 0"
    )
    assert play.locator(".then").count() == 2 and play.locator(".then .gone").count() == 4


def test_a_token_shows_what_it_takes_before_it_is_chosen(opening: Open) -> None:
    play = board(opening(), "kl-nim/lemma-11")
    token = play.get_by_role("button", name="Take 2 from heap 3, of 4")
    label = "e => getComputedStyle(e, '::after').content"
    assert token.evaluate(label) == "none"
    token.hover()
    assert token.evaluate(label) == '"take 2"'


def test_moves_are_taken_back_one_by_one(opening: Open) -> None:
    play = board(opening(), "kl-nim/n-position-test")
    undo, moves = play.get_by_role("button", name="Undo"), play.get_by_role("list", name="Your legal moves")
    expect(undo).to_have_count(0)
    title, first = play.locator(".now .head").inner_text(), moves.inner_text()
    moves.get_by_role("button").first.click()
    assert play.locator(".then").count() > 0
    undo.click()
    assert play.locator(".then").count() == 0
    assert play.locator(".now .head").inner_text() == title
    expect(undo).to_have_count(0)
    assert moves.get_by_role("button").count() == len(first.splitlines())


def test_play_returns_to_the_place_before(opening: Open) -> None:
    play = board(opening(), "nim/bouton")
    moves, undo = play.get_by_role("list", name="Your legal moves"), play.get_by_role("button", name="Undo")
    title = play.locator(".now .head").inner_text()
    moves.get_by_role("button").first.click()
    play.get_by_role("button", name="Go on from").click()
    assert play.locator(".now .head").inner_text() != title
    undo.click()
    assert play.locator(".now .head").inner_text() == title
    expect(undo).to_have_count(0)


def test_a_move_that_is_not_legal_is_told_why(opening: Open) -> None:
    play = board(opening(), "kl-nim/lemma-11")
    play.get_by_role("button", name="Take 4 from heap 3, of 4").click()
    assert said(play) == "P2 may not take 4 from 4: m ≠ l is required, but m = 4, l = 4."
    assert play.locator(".tried .done").count() == 0 and play.locator(".then").count() == 0


def test_it_is_played_by_keyboard(opening: Open) -> None:
    page = opening()
    play = board(page, "kl-nim/lemma-11")
    token = play.get_by_role("button", name="Take 1 from heap 1, of 2")
    token.focus()
    page.keyboard.press("Enter")
    assert said(play).startswith("You take 1 from 2 and leave (1, 2, 4).")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert said(play).startswith("You take 2 from 2 and leave (2, 4).") or said(play).startswith("You take 1 from 2")


@pytest.mark.parametrize("last", [False, True], ids=["the first move each time", "the last"])
def test_who_loses_is_led_to_the_end(last: bool, opening: Open) -> None:
    page = opening()
    play = board(page, "nim/bouton")
    for _ in range(9):
        moves = play.get_by_role("list", name="Your legal moves").get_by_role("button")
        moves.nth(moves.count() - 1 if last else 0).click()
        onward = play.get_by_role("button", name="Go on from")
        if not onward.count():
            break
        onward.click()
        assert page.evaluate("document.activeElement.textContent").startswith("You are P1, at (")
    assert "P1 cannot move and loses" in said(play)
    play.get_by_role("button", name="Begin again").click()
    expect(play.get_by_text("You are P1, at (1, 2, 3)")).to_be_visible()


def test_the_page_may_move_first(opening: Open) -> None:
    play = board(opening(), "nim/table-n-n-misere")
    assert said(play) == "P1 takes 1 from 1 and leaves (1). You have one legal move."
    play.get_by_role("button", name="Take 1 from heap 1, of 1").click()
    assert "P1 cannot move and wins" in said(play) and "the claim fails at n = 1" in said(play)


def test_without_a_script_all_moves_can_be_read(opening: Open) -> None:
    page = opening(java_script_enabled=False)
    play = board(page, "kl-nim/lemma-11")
    play.get_by_text("All moves and answers").click()
    expect(play.get_by_text("P2 takes 2 from 4 and leaves (2, 2, 2)")).to_be_visible()
    expect(play.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 320)])
def test_anyone_can_use_it(width: int, scheme: str, opening: Open) -> None:
    page = opening(viewport={"width": width, "height": 900}, color_scheme=scheme)
    board(page, "kl-nim/lemma-11").get_by_role("button", name="Take 2 from heap 3, of 4").click()
    page.evaluate("for (const e of document.querySelectorAll('details')) e.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert find_violations(page) == ""
    for button in page.locator(".play button").all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 24


def test_the_numbers_of_a_plot_can_be_read(opening: Open) -> None:
    page = opening()
    figure = page.get_by_role("region", name="kl-nim/theorem-6").get_by_role("figure")
    expect(figure.get_by_role("img")).to_have_accessible_name(
        r"Grundy values, k = l: Period 6, saltus 3: value(x + 6) = value(x) + 3, as far as computed, x from 0 to 35. "
        "The claimed formula agrees for x from 0 to 35. The values: "
        + ", ".join(str(3 * (x // 6) + x % 3) for x in range(36))
        + "."
    )
    figure.get_by_text("The numbers").click()
    expect(figure.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("value")


def test_play_begins_anywhere_in_the_box(opening: Open) -> None:
    """The game of Lemma 11 with the parameters of its second counterexample, and back to the claim."""
    page = opening()
    play = board(page, "kl-nim/lemma-11")
    own = play.locator(".task").inner_text()
    play.get_by_text("Play the game from another position").click()
    form = play.locator("form")
    form.get_by_label("Where").select_option(label="k = 2, l = 3")
    form.get_by_label("Heaps").fill("5 (1), 1")
    form.get_by_label("You are").select_option(label="P1")
    form.get_by_label("Heaps").press("Enter")
    task = "You are P1; P2 moves first, at (1, 1, 5). P2 wins with best play."
    expect(play.locator(".task")).to_have_text(task)
    expect(play.locator(".rules")).to_contain_text("K-L-Nim (k = 2, l = 3).")
    assert said(play).startswith("P2 takes ") and "You have" in said(play)
    for _ in range(6):
        play.get_by_role("list", name="Your legal moves").get_by_role("button").first.click()
        onward = play.get_by_role("button", name="Go on from")
        if not onward.count():
            break
        onward.click()
    assert "P1 cannot move and loses" in said(play)
    form.get_by_label("Heaps").fill("7")
    form.get_by_label("Heaps").press("Enter")
    assert said(play) == "The solved positions are at most 3 heaps of 1 to 5; (7) is not one of them."
    assert find_violations(page, ".play") == ""
    form.get_by_role("button", name="As at first").click()
    expect(play.locator(".task")).to_have_text(own)


def test_a_reader_who_plays_well_wins_from_elsewhere(opening: Open) -> None:
    play = board(opening(), "kl-nim/lemma-11")
    play.get_by_text("Play the game from another position").click()
    play.get_by_label("Heaps").fill("1")
    play.get_by_label("Heaps").press("Enter")
    play.get_by_role("button", name="Take 1 from heap 1, of 1").click()
    assert said(play) == "You take 1 from 1 and leave no heap: P1 cannot move and loses."


def test_a_solved_position_is_played_on_its_page(browser: Browser, tmp_path: Path) -> None:
    done = run_within("solve", "kl-nim", "(2, 2, 4)", "--set", "k=3", "--set", "l=4", "--html", "a.html", cwd=tmp_path)
    assert done.returncode == 0
    page, complaints = browser.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "a.html").as_uri())
    play = page.get_by_role("group", name="P1 moves first: try it yourself")
    for number in range(2):
        play.get_by_role("list", name="Your legal moves").get_by_role("button").nth(number).click()
    assert said(play).endswith("Every move is answered: P2 loses from (2, 2, 4).")
    assert complaints == []
    page.close()
