"""The page of the whole library in a browser: no requests, every screen size, search, print and screen readers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from covering import UNLIKE, cover, find_shapes, keep_claims
from library import ENTRIES
from opened import Opened, find_violations, open_page
from playwright.sync_api import Browser, expect
from samples import CALM, HOSTILE, NASTY, RUN

from checks.results.model import RunResult
from reports.html import to_html, to_plain
from reports.model.json_report import to_json

pytestmark = pytest.mark.xdist_group("browser")  # a single process starts the browser

TOGETHER = 15  # claims that axe examines in one page
MORE = ('<p class="new">x</p>', "<ul><p>x</p></ul>", "<a href='#x'></a>", "<i role='new'></i>")
PALE = """<p style='color: #999'>grey</p><div style='background: #555'><p>night</p></div>
  <div style='opacity: 0.4'><p>faint</p></div><p style='color: #988'>*</p><p style='color: #988'>word</p>
  <p style='color: #988'>*</p><p style='color: #888; font-size: 2em'>large</p><p style='color: #888'>small</p>
  <p style='color: #888; font-size: 2em'>large</p>"""
"""Texts that are too pale or on too dark a background, the last two among others of their colour that axe ignores."""
LIMIT = 6_500  # bytes for a claim, its proof included: 0.85 MB for 130 of them
PAGES = 65 / 130  # of A4 at 10 pt for a claim that is not a variant, its proof included
DARK = {"color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 844}}
NARROW = {"viewport": {"width": 320, "height": 640}}
WITHOUT_SCRIPT = {"java_script_enabled": False}


@pytest.mark.slow
def test_it_is_one_file_and_not_a_large_one(shared_page: Opened) -> None:
    claims = shared_page.page.locator(".claim").count()
    assert claims > 100
    assert shared_page.path.stat().st_size < LIMIT * claims


@pytest.mark.slow
def test_axe_finds_no_violation(small: Opened) -> None:
    small.unfold()
    assert find_violations(small.page) == ""


@pytest.mark.slow  # a few claims at a time: axe takes more than twice as long for twice as many elements
@pytest.mark.parametrize("opened", [PHONE | DARK], indirect=True, ids=["phone dark"])
def test_axe_finds_no_violation_in_claims_unfolded(opened: Opened, browser: Browser, library_page: Path) -> None:
    opened.unfold()
    shapes = find_shapes(opened.page)
    assert {*shapes} == {*ENTRIES}
    assert opened.page.evaluate(UNLIKE) == []  # axe could only find these in all claims together
    ids = cover(shapes)
    for first in range(0, len(ids), TOGETHER):
        for part in open_page(browser, library_page, PHONE | DARK):
            keep_claims(part.page, ids[first : first + TOGETHER])
            part.unfold()
            assert part.page.locator(".claim[open]").count() == len(ids[first : first + TOGETHER])
            assert find_violations(part.page, ".claim") == ""


@pytest.mark.slow
def test_claims_that_alone_have_something_are_those_that_axe_looks_at(small: Opened) -> None:
    small.unfold()
    shapes = find_shapes(small.page)
    others = [id for id in shapes if id not in cover(shapes)][-len(MORE) :]
    small.page.evaluate(
        "more => more.forEach(([id, x]) => document.getElementById(id).insertAdjacentHTML('beforeend', x))",
        [*zip(others, MORE, strict=True)],
    )
    assert {*others} <= {*cover(find_shapes(small.page))}
    keep_claims(small.page, others[-1:])
    assert small.page.locator(".claim").count() == 1


@pytest.mark.slow
def test_each_text_that_alone_is_pale_is_found(browser: Browser) -> None:
    """Axe examines two texts of each look. Texts outside the examined part do not count."""
    page = browser.new_page()
    page.set_content(
        f"""<html lang='en'><title>x</title><body style='color: #000; background: #fff'>{PALE}<main><h1>dark</h1>
        <ul><li>dark</ul><a href='#'>dark</a><button>dark</button><b role='img' aria-label='x'></b>
        {PALE}<p>dark</p></main>{PALE}</body></html>"""
    )
    found = find_violations(page, "main")
    assert re.findall(r"<p.*>(.*)</p>", found) == ["grey", "night", "faint", "word", "small"]
    page.close()


@pytest.mark.parametrize("opened", [NARROW], indirect=True)
@pytest.mark.slow
def test_it_does_not_scroll_sideways_on_the_smallest_screen(opened: Opened) -> None:
    for _ in range(2):
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320
        opened.unfold()


@pytest.mark.slow
def test_it_prints_on_few_pages_with_every_claim_unfolded(opened: Opened) -> None:
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.locator(".claim:not([open])").count() == 0
    printed = opened.page.pdf(format="A4")
    claims = opened.page.locator(".claim").count() - opened.page.locator(".variants .claim").count()
    assert claims > 100
    assert 10 < len(re.findall(rb"/Type */Page\b", printed)) <= PAGES * claims


@pytest.mark.slow
def test_it_is_complete_if_it_is_printed_before_the_browser_unpacks_it(browser: Browser, small_page: Path) -> None:
    """The page inflates its contents itself; here the browser never does."""
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(small_page.as_uri(), wait_until="commit")
    page.wait_for_selector("#page\\:packed + script", state="attached")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("[data-body]").count() == 0
    expect(page.locator("details[id='kl-nim/lemma-11'] .counterexample")).to_have_count(1)
    own, browsers = page.evaluate("packed.data"), None
    for opened in open_page(browser, small_page, {}):
        browsers = opened.page.evaluate("packed.data")
    assert own == browsers
    page.close()


# -- contents ---------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_the_contents_are_filtered_by_name_and_title(small: Opened) -> None:
    contents = small.page.get_by_role("navigation", name="Contents")
    lemma = contents.get_by_role("link", name=re.compile("^Lemma 11 From a position defective")).first
    expect(lemma).to_be_hidden()
    contents.get_by_label("Filter the contents").fill("defective")
    expect(lemma).to_be_visible()
    expect(contents.get_by_role("link", name=re.compile("^The argument"))).to_have_count(0)
    contents.get_by_label("Filter the contents").fill("")
    expect(lemma).to_be_hidden()


def test_a_group_of_the_contents_that_the_reader_opens_stays_open(again: Opened) -> None:
    def scroll(place: str) -> None:
        again.page.evaluate("(id) => document.getElementById(id).scrollIntoView({ behavior: 'instant' })", place)

    contents = again.page.get_by_role("navigation", name="Contents")
    by_hand, reached = (
        contents.locator(".group").filter(has=again.page.get_by_text(name, exact=True))
        for name in ("Large Nim", "Bash and Nim")
    )
    by_hand.locator("summary").click()
    scroll("large-nim/theorem-3")
    expect(contents.locator("[aria-current]")).to_have_text(re.compile("Theorem 3"))
    scroll("bash-nim/theorem")
    expect(reached).to_have_attribute("open", "")
    expect(by_hand).to_have_attribute("open", "")
    scroll("large-nim/theorem-3")
    expect(reached).not_to_have_attribute("open", "")


@pytest.mark.parametrize("small", [{}, PHONE], indirect=True, ids=["wide", "phone"])
@pytest.mark.slow
def test_a_link_to_the_top_is_there_at_every_width(small: Opened) -> None:
    small.page.mouse.wheel(0, 3000)
    small.page.get_by_role("link", name="nim-checks").first.click()
    assert small.page.url.endswith("#page:top")
    # The front begins below the bar, which has three rows on a phone. A function, because the page forbids `eval`.
    top = "document.getElementById('page:top').getBoundingClientRect().top"
    small.page.wait_for_function(f"() => 0 <= {top} && {top} < 200")


# -- search -----------------------------------------------------------------------------------------------------------
def search(opened: Opened, words: str) -> list[str]:
    opened.page.get_by_role("searchbox", name="Search claims").fill(words)
    return opened.page.locator("#page\\:results ol li h4, #page\\:results ol li > a").all_inner_texts()


@pytest.mark.slow
def test_a_search_for_lemma_11_gives_lemma_11_first(again: Opened) -> None:
    found = search(again, "lemma 11")
    assert found[0].startswith("Lemma 11 For k < l: whenever P2 is to move")
    assert all("Lemma 11" in x for x in found)
    assert not any("Lemma 13" in x for x in found)
    expect(again.page.get_by_role("button", name=re.compile("Show .* more claims that mention it"))).to_be_visible()
    again.page.keyboard.press("Enter")
    expect(again.page.locator("details[id='kl-nim/lemma-11']")).to_have_attribute("open", "")
    expect(again.page.locator("details[id='kl-nim/lemma-11'] > summary")).to_be_focused()


@pytest.mark.slow
def test_names_and_ids_come_before_what_is_said(again: Opened) -> None:
    firsts = {"theorem 3": "Theorem 3", "kl-nim/lemma-13": "Lemma 13", "misere": "", "bouton": ""}
    for words, first in firsts.items():
        found = search(again, words)
        assert found and found[0].startswith(first), words


@pytest.mark.slow
def test_what_is_sought_stands_in_the_address(opened: Opened) -> None:
    page = opened.page
    search(opened, "lemma")
    page.get_by_role("group", name="Verdict").get_by_role("button", name=re.compile("^refuted")).click()
    page.get_by_label("Role").select_option("lemma")
    address = page.url
    assert address.endswith("#?q=lemma&verdict=refuted&role=lemma")
    before = page.locator("#page\\:results ol li").count()
    assert before == 2
    page.goto("about:blank")
    page.goto(address)
    assert page.get_by_role("searchbox").input_value() == "lemma"
    assert page.locator("#page\\:results ol li").count() == before
    opened.requests[:] = opened.requests[:1]  # the page was loaded a second time


@pytest.mark.slow
def test_a_search_in_vain_says_so(again: Opened) -> None:
    assert search(again, "xyzzy") == []
    expect(again.page.get_by_role("heading", name="No claim matches")).to_be_visible()
    again.page.keyboard.press("Escape")
    expect(again.page.locator("#page\\:report")).to_be_visible()


# -- links and folds ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_link_unfolds_the_claim(again: Opened) -> None:
    again.page.locator("#page\\:top").get_by_role("link", name=re.compile("^Lemma 11")).first.click()
    expect(again.page.locator("details[id='kl-nim/lemma-11'] .statement")).to_be_visible()


@pytest.mark.slow
def test_folded_claims_take_four_lines_at_most(shared_page: Opened) -> None:
    heights = shared_page.page.locator(".claim:not([open])").evaluate_all("all => all.map((e) => e.offsetHeight)")
    assert len(heights) > 100
    assert max(heights) < 120


@pytest.mark.parametrize("opened", [WITHOUT_SCRIPT], indirect=True)
@pytest.mark.slow
def test_without_scripts_the_front_can_be_read_and_leads_to_all_the_rest(opened: Opened) -> None:
    page = opened.page
    expect(page.get_by_role("search")).to_be_hidden()
    expect(page.get_by_role("link", name="the page that contains all claims in full")).to_be_visible()
    expect(page.get_by_role("heading", name="Lemma 11 is false.")).to_be_visible()


@pytest.mark.slow
def test_the_plain_page_can_be_read_without_scripts(browser: Browser, small_run: RunResult, tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    path.write_text(to_plain(small_run), "utf-8")
    for opened in open_page(browser, path, WITHOUT_SCRIPT):
        claim = opened.page.locator("details.refuted[id='kl-nim/lemma-11']")
        claim.locator("summary").first.click()
        expect(claim.get_by_text("Counterexample", exact=True)).to_be_visible()
        assert opened.page.get_by_text("This page needs scripts to open claims").count() == 0


# -- a claim on a separate page ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [{}, PHONE | DARK], ids=["light", "phone dark"])
@pytest.mark.slow
def test_a_claim_has_a_page_of_its_own(
    browser: Browser, small_run: RunResult, small_pages: dict[str, str], tmp_path: Path, kind: dict[str, Any]
) -> None:
    verdicts = {claim["id"]: claim["verdict"] for claim in json.loads(to_json(small_run))["claims"]}
    for id in ("kl-nim/lemma-11", "kl-nim/theorem-12"):
        path = tmp_path / "alone.html"
        path.write_text(small_pages[f"claims/{id}.html"], "utf-8")
        for opened in open_page(browser, path, kind):
            page, name = opened.page, id.partition("/")[2].replace("-", " ").capitalize()
            expect(page.get_by_role("heading", level=1)).to_contain_text(name)
            expect(page.locator("main > .line .chip")).to_have_text(verdicts[id])
            assert verdicts[id] in page.title()
            assert page.locator("meta[name=description]").get_attribute("content")
            expect(page.locator("pre", has_text="@misc{nim-checks")).to_contain_text(f"claim {id}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert find_violations(page) == ""
            if id.endswith("theorem-12"):
                continue
            play = page.locator(".play")
            play.get_by_role("button", name="Take 2 from heap 3, of 4").click()
            expect(play.get_by_role("status")).to_contain_text("so (2, 2, 2) is not defective for P1")


@pytest.mark.slow
def test_an_obligation_opens_on_the_page_of_a_claim(
    browser: Browser, small_pages: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "alone.html"
    path.write_text(small_pages["claims/kl-nim/theorem-12.html"], "utf-8")
    for opened in open_page(browser, path, {}):
        step = opened.page.locator(".steps details").nth(3)
        step.locator("summary").click()
        expect(step.get_by_role("group", name="The condition in full").locator("math").first).to_be_visible()


@pytest.mark.slow
def test_a_claim_opened_by_hand_is_in_the_address(again: Opened) -> None:
    claim = again.page.locator("details[id='kl-nim/theorem-6']")
    claim.locator("> summary").click()
    expect(claim.locator(".statement")).to_be_visible()
    assert again.page.url.endswith("#kl-nim/theorem-6")


# -- hostile text ------------------------------------------------------------------------------------------------------
def test_text_from_a_hostile_claim_does_nothing(browser: Browser, tmp_path: Path) -> None:
    run = replace(RUN, claims=(*RUN.claims, NASTY), command=HOSTILE, started=HOSTILE, library=HOSTILE)
    path = tmp_path / "index.html"
    path.write_text(to_html(run), "utf-8")
    page = browser.new_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    opened = Opened(page, path)
    opened.unfold()
    search(opened, "script")
    assert page.locator("script").count() == len(re.findall(r"<script\b", to_html(CALM)))
    assert page.locator("[onload], [onclick], [onerror], b:has-text('x') >> text='x'").count() == 0
    assert (dialogs, opened.complaints, opened.requests) == ([], [], [path.as_uri()])
    assert page.locator(".claim").get_by_text("<script>alert").count() > 0
    page.close()
