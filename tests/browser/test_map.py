"""Maps of arguments in a browser: followed by mouse, by keyboard and without a script; they fit screens and paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from arguments import library_run
from opened import Opened, find_violations, open_page
from playwright.sync_api import Browser, Locator, expect

from reports.html import to_html, to_plain

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

DARK = {"color_scheme": "dark"}
NARROW = {"viewport": {"width": 320, "height": 640}}
WITHOUT_SCRIPT = {"java_script_enabled": False}


@pytest.fixture(scope="module")
def expected_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the library with the verdicts that its files expect."""
    path = tmp_path_factory.mktemp("map") / "index.html"
    path.write_text(to_html(library_run()), "utf-8")
    return path


@pytest.fixture(scope="module")
def work_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of one work with the expected verdicts."""
    run = library_run()
    path = tmp_path_factory.mktemp("work") / "index.html"
    claims = tuple(c for c in run.claims if c.id.startswith("kl-nim/"))
    path.write_text(to_html(replace(run, claims=claims)), "utf-8")
    path.with_name("plain.html").write_text(to_plain(replace(run, claims=claims)), "utf-8")
    return path


@pytest.fixture(scope="module")
def all_maps(browser: Browser, expected_page: Path) -> Iterator[Opened]:
    """The page of the library, 1280 wide, with all maps drawn."""
    for page in open_page(browser, expected_page, {}):
        page.draw_maps()
        yield page


@pytest.fixture
def maps(browser: Browser, work_page: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The page of the work with its map drawn, 1280 wide; `indirect` for another kind of context."""
    for page in open_page(browser, work_page, getattr(request, "param", {})):
        page.draw_maps()
        yield page


def argument(maps: Opened, work: str = "kl-nim") -> Locator:
    return maps.page.locator(f"section[id='argument:{work}']")


def test_a_node_is_shown_with_its_neighbours_and_then_followed(maps: Opened) -> None:
    page, part = maps.page, argument(maps)
    theorem = part.locator("a.node[href='#kl-nim/theorem-14']")
    theorem.click()
    assert "#kl-nim/theorem-14" not in page.url
    near = part.locator("a.node.near").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert {"#kl-nim/lemma-11", "#kl-nim/lemma-13", "#kl-nim/theorem-12", "#kl-nim/lemma-11-outcome"} <= set(near)
    assert "#kl-nim/example-8" not in near
    expect(part.get_by_role("status")).to_contain_text("Theorem 14: k < l: P1 wins exactly by leaving nim-sum 0")
    theorem.click()
    expect(page.locator("details[id='kl-nim/theorem-14']")).to_have_attribute("open", "")
    assert page.url.endswith("#kl-nim/theorem-14")


def test_one_button_shows_what_broke_and_what_holds_it_up(maps: Opened) -> None:
    page, part = maps.page, argument(maps)
    button = part.get_by_role("button", name="Show the refuted statements and all that depend on them")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    near = part.locator("a.node.near").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert {"#kl-nim/lemma-11", "#kl-nim/lemma-13", "#kl-nim/theorem-12", "#kl-nim/theorem-14"} <= set(near)
    assert "#kl-nim/example-8" not in near
    expect(part.get_by_role("status")).to_contain_text("claims are shown")
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(part.locator("svg.map.focus")).to_have_count(0)


@pytest.mark.parametrize("maps", [{}, {"viewport": {"width": 390, "height": 844}}], indirect=True, ids=["1280", "390"])
def test_from_a_claim_the_map_opens_with_it_chosen(maps: Opened) -> None:
    page, part = maps.page, argument(maps)
    page.locator("details[id='kl-nim/theorem-14'] > summary").click()
    page.locator("details[id='kl-nim/theorem-14'] > .tools").get_by_role(
        "link", name="Show it on the map of the argument"
    ).click()
    node = part.locator("a.node.chosen")
    expect(node).to_have_attribute("href", "#kl-nim/theorem-14")
    expect(node).to_be_in_viewport(ratio=0.99)
    expect(node).to_be_focused()
    told = part.get_by_role("status")
    expect(told).to_contain_text(
        "The published proof uses Lemma 11 (refuted); Lemma 13 (refuted); Theorem 12 (proved). Used by "
    )
    expect(part.locator("a.node[href='#kl-nim/lemma-11']")).to_have_class("node refuted near")


def test_the_link_that_is_offered_goes_there_too(maps: Opened) -> None:
    argument(maps).locator("a.node[href='#kl-nim/lemma-11']").click()
    argument(maps).get_by_role("link", name="Go to Lemma 11").click()
    expect(maps.page.locator("details[id='kl-nim/lemma-11'] > summary")).to_be_focused()


def test_by_keyboard(maps: Opened) -> None:
    page, part = maps.page, argument(maps)
    lemma = part.locator("a.node[href='#kl-nim/lemma-11']")
    lemma.focus()
    page.keyboard.press("Enter")
    expect(part.locator("svg.map.focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(part.locator("svg.map.focus")).to_have_count(0)
    expect(part.get_by_role("status")).to_be_empty()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("details[id='kl-nim/lemma-11']")).to_have_attribute("open", "")


def test_each_node_has_a_name_with_its_verdict(maps: Opened) -> None:
    part = argument(maps)
    expect(part.get_by_role("link", name="Lemma 11: From a position defective for P2").first).to_be_visible()
    names = part.locator("a.node title").all_text_contents()
    assert len(names) > 20
    assert all(name.endswith((" (proved)", " (verified in scope)", " (refuted)")) for name in names)


def test_without_a_script_a_node_is_a_link(browser: Browser, work_page: Path) -> None:
    for plain in open_page(browser, work_page.with_name("plain.html"), WITHOUT_SCRIPT):
        argument(plain).locator("a.node[href='#kl-nim/lemma-11']").click()
        assert plain.page.url.endswith("#kl-nim/lemma-11")


def test_a_map_is_drawn_when_it_comes_near(browser: Browser, expected_page: Path) -> None:
    for opened in open_page(browser, expected_page, {}):
        last = opened.page.locator(".argument .pan").last
        expect(last.locator("svg")).to_have_count(0)
        height = last.bounding_box()
        last.scroll_into_view_if_needed()
        expect(last.locator("svg.map")).to_be_visible()
        drawn = last.bounding_box()
        assert height and drawn and abs(height["height"] - drawn["height"]) <= 2


@pytest.mark.parametrize("maps", [{}, DARK], indirect=True, ids=["light", "dark"])
def test_axe_finds_no_violation_in_a_map(maps: Opened) -> None:
    argument(maps).locator("summary").first.click()
    assert find_violations(maps.page, context=".argument") == ""


def test_the_maps_of_the_library_do_not_scroll_on_a_usual_screen(all_maps: Opened) -> None:
    for pan in all_maps.page.locator(".argument .pan").all():
        assert pan.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


@pytest.mark.parametrize("maps", [NARROW], indirect=True)
def test_on_a_small_screen_the_map_scrolls_and_the_page_does_not(maps: Opened) -> None:
    pan = argument(maps).locator(".pan")
    assert pan.evaluate("e => e.scrollWidth > e.clientWidth")
    assert maps.page.evaluate("document.documentElement.scrollWidth") <= 320
    pan.focus()
    maps.page.keyboard.press("ArrowRight")
    for _ in range(100):  # scrolling is smooth, and the page's policy forbids a script that waits for it
        if pan.evaluate("e => e.scrollLeft > 0"):
            return
        maps.page.wait_for_timeout(20)
    pytest.fail("the map did not scroll")


def test_text_fits_its_box(all_maps: Opened) -> None:
    wide = all_maps.page.evaluate(
        """() => [...document.querySelectorAll('.argument a.node')].filter(a => {
          const box = a.querySelector('rect').getBBox(), text = a.querySelector('text').getBBox();
          return text.x + text.width > box.x + box.width - 1;
        }).map(a => a.textContent)"""
    )
    assert wide == []


def test_printed_maps_fit_the_page(all_maps: Opened) -> None:
    all_maps.page.set_viewport_size({"width": 690, "height": 1000})  # about A4 within its margins
    all_maps.page.emulate_media(media="print")
    for found in all_maps.page.locator(".argument svg.map").all():
        box = found.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 690
    all_maps.page.set_viewport_size({"width": 1280, "height": 800})
    all_maps.page.emulate_media(media="screen")
