"""The page of an atlas: search, filters and maps, also with five thousand rulesets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from covering import UNLIKE, cover, find_shapes, keep_claims
from opened import Opened, find_violations, open_page
from playwright.sync_api import Browser, expect

from checks.results.verdicts import Verdict
from reports.atlas import Atlas, ValuesEntry, WinsEntry, to_atlas_page

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

VERDICTS = (Verdict.PROVED, Verdict.VERIFIED, Verdict.INCONCLUSIVE)
RULES = 'format = 1\nparameters = { k = "1.." }\n'


def make_entry(number: int, words: tuple[str, ...]) -> WinsEntry:
    a, b = divmod(number, len(words))
    verdict = VERDICTS[number % 3]
    open_ = verdict is Verdict.INCONCLUSIVE
    return WinsEntry(
        id=f"a{number + 1}",
        title=f"P1 {words[a]}, P2 {words[b]}",
        restrictions=(words[a], words[b]),
        play="normal play",
        choose="any heap h",
        where="",
        mirror="a2" if number == 8 else "",
        like="a1" if number == 3 else "",
        verdict=verdict,
        statement="" if open_ else "P1, to move, loses exactly where nim_sum(s) == 0.",
        rule="folds" if verdict is Verdict.PROVED else "",
        obligations=12,
        obstacle="no formula" if open_ else "",
        nearest="",
        rules=RULES if number % 2 else "format = 1\n",
        claim="" if open_ else f'title = "claim of a{number + 1}"\n',
    )


def make_page(count: int) -> str:
    words = tuple(f"takes number {i}" for i in range(int(count**0.5)))
    entries = tuple(make_entry(n, words) for n in range(len(words) ** 2))
    return to_atlas_page(Atlas("Small rulesets", entries, ("P1", "P2"), words))


@pytest.fixture
def atlas(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    path = tmp_path / "index.html"
    path.write_text(make_page(9), "utf-8")
    yield from open_page(browser, path, getattr(request, "param", {}))


def test_the_list_is_filtered_and_unfolds_to_files(atlas: Opened) -> None:
    page = atlas.page
    expect(page.get_by_role("status")).to_have_text("9 of 9 rulesets")
    page.get_by_role("checkbox", name="theorem").check()
    expect(page.locator("#list > li:visible")).to_have_count(3)
    page.get_by_role("searchbox").fill("P2 takes number 0")
    expect(page.get_by_role("status")).to_have_text("3 of 9 rulesets")
    page.locator("#a4 summary").click()
    expect(page.locator("#a4 pre").nth(1)).to_contain_text("claim of a4")
    with page.expect_download() as saved:
        page.get_by_text("Save a4-claim.toml").click()
    assert saved.value.suggested_filename == "a4-claim.toml"
    assert Path(saved.value.path()).read_text("utf-8") == 'title = "claim of a4"\n'


def test_a_cell_of_the_map_leads_to_its_ruleset(atlas: Opened) -> None:
    page = atlas.page
    page.get_by_role("button", name="Map").click()
    expect(page.locator("#maps a.cell")).to_have_count(9)
    page.get_by_role("checkbox", name="open").check()
    expect(page.locator("#maps a.cell:not(.off)")).to_have_count(3)
    page.locator("#maps a[href='#a9']").click()
    expect(page.locator("#a9 .body")).to_contain_text(
        "with the players exchanged: P1 takes number 0, P2 takes number 1."
    )
    assert page.evaluate("location.hash") == "#a9"


@pytest.mark.parametrize("atlas", [{}, {"color_scheme": "dark"}], indirect=True)
def test_axe_finds_no_violation(atlas: Opened) -> None:
    page = atlas.page
    page.locator("#a1 summary").click()
    assert find_violations(page) == ""
    page.get_by_role("button", name="Map").click()
    assert find_violations(page) == ""


@pytest.mark.parametrize("atlas", [{"viewport": {"width": 320, "height": 640}}], indirect=True)
def test_a_narrow_screen_is_wide_enough(atlas: Opened) -> None:
    assert atlas.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("atlas", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_the_list_is_there(atlas: Opened) -> None:
    expect(atlas.page.locator("#list > li:visible")).to_have_count(9)
    assert atlas.page.locator("#facets").is_hidden()


def test_games_of_values_are_put_in_order(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    path.write_text(to_atlas_page(Atlas("Some games", tuple(map(make_game, range(1, 8))))), "utf-8")
    for opened in open_page(browser, path, {}):
        page, rows = opened.page, opened.page.locator("#list > li")
        expect(page.get_by_role("button", name="Map")).to_have_count(0)
        page.get_by_label("Order").select_option("longest period first")
        expect(rows.locator(".no")).to_have_text(["a3", "a2", "a1", "a6", "a5", "a4", "a7"])  # a7 is open
        page.get_by_label("Order").select_option("as in the family")
        expect(rows.first).to_have_id("a1")
        page.get_by_role("checkbox", name="after a preperiod").check()
        expect(page.get_by_role("status")).to_have_text("4 of 7 games")
        page.locator("#a5 summary").click()
        expect(page.locator("#a5 .body")).to_contain_text("Checked: 5 heaps")
        assert find_violations(page) == ""


def make_game(n: int) -> ValuesEntry:
    if n == 7:
        return ValuesEntry("a7", "game(7)", Verdict.INCONCLUSIVE, "no period was seen")
    words, period = f"{n} heaps", n + 10 if n < 4 else n
    return ValuesEntry(f"a{n}", f"game({n})", Verdict.PROVED, words, n // 3, period, n % 2, 9, (0, 1))


def test_the_shipped_atlas_is_without_violation(browser: Browser) -> None:
    for opened in open_page(browser, Path(__file__).parents[2] / "docs" / "families" / "restricted-nim.html", {}):
        page = opened.page
        expect(page.get_by_role("status")).to_have_text("468 of 468 rulesets")
        page.locator("#list summary").first.click()
        assert page.evaluate(UNLIKE) == []  # axe could only find these in the whole list
        keep_claims(page, cover(find_shapes(page, "#list > li")), "#list > li")
        assert 1 < page.locator("#list > li").count() < 20
        assert find_violations(page) == ""
        page.get_by_role("button", name="Map").click()
        assert find_violations(page, "#maps table") == ""


def test_five_thousand_rulesets_are_searched(browser: Browser, tmp_path: Path) -> None:
    """As list items, all earlier items would be renumbered whenever some are hidden, which takes half a minute."""
    path = tmp_path / "index.html"
    path.write_text(make_page(5041), "utf-8")
    for opened in open_page(browser, path, {}):
        page = opened.page
        assert page.evaluate("getComputedStyle(document.querySelector('#list > li')).display") == "block"
        page.get_by_role("checkbox", name="open").check()
        page.get_by_role("searchbox").fill("a77")
        expect(page.get_by_role("status")).to_have_text(f"{shown(5041)} of 5041 rulesets")


def shown(count: int) -> int:
    """Return the number of open rulesets with a77 in their number."""
    return sum(n % 3 == 2 and str(n + 1).startswith("77") for n in range(count))
