"""Proofs on the page in a browser: tables by role and name, obligations opened, also on the smallest screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from opened import Opened, find_violations, open_page
from playwright.sync_api import Browser, Locator, expect

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

DARK = {"color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 844}}
NARROW = {"viewport": {"width": 320, "height": 640}}
WITHOUT_SCRIPT = {"java_script_enabled": False}


def proof(proofs: Opened, id: str = "kl-nim/theorem-14") -> Locator:
    """Return the proof of a claim, unfolded."""
    claim = proofs.page.locator(f"details[id='{id}']")
    claim.locator("> summary").click()
    return claim.get_by_role("group", name="The proof")


@pytest.mark.parametrize("proofs", [{}, PHONE], indirect=True, ids=["wide", "phone"])
def test_the_moves_of_theorem_14_are_read_out_by_role_and_name(proofs: Opened) -> None:
    section = proof(proofs)
    expect(section.get_by_role("heading", name="The proof")).to_be_visible()
    table = section.get_by_role("table", name="P2 wins at every other position, by one of these 8 moves")
    heads = [head.inner_text().strip() for head in table.get_by_role("columnheader").all()]
    assert heads[1:4] == ["When", "Heap", "Move"]
    assert table.get_by_role("rowheader").all_inner_texts() == [str(n) for n in range(1, 9)]
    row = table.get_by_role("row").nth(8)
    when, heap, move, instance, shown = row.get_by_role("cell").all()
    assert "no heap is above k and no heap is below k" in when.inner_text()
    assert heap.inner_text().startswith("any")
    assert move.inner_text() == "take all of it"
    assert "(3, 3) → (3)" in instance.inner_text()
    assert [x.text_content() for x in shown.locator("summary").all()] == [
        "exists: proved", "legal: proved", "leads to a loss: proved",
    ]  # fmt: skip


def test_an_obligation_opens_to_what_was_asked(proofs: Opened) -> None:
    table = proof(proofs).get_by_role("table", name=re.compile("^P2 wins at every other position"))
    step = table.get_by_role("row").nth(3).locator("details").nth(1)
    step.locator("summary").press("Enter")
    expect(step).to_contain_text("reply 3 (P2 to move): legal: proved by certificate")
    expect(step.get_by_role("group", name="The condition in full").locator("math").first).to_be_visible()
    expect(step).to_contain_text(re.compile("SHA-256 [0-9a-f]{16}"))
    step.locator("summary").press("Enter")
    step.locator("summary").press("Enter")
    assert step.get_by_role("group", name="The condition in full").count() == 1


@pytest.mark.parametrize("proofs", [WITHOUT_SCRIPT], indirect=True)
def test_without_scripts_its_name_state_and_command_remain(proofs: Opened) -> None:
    proofs.page.get_by_role("link", name="the page that contains all claims in full").click()
    proofs.requests[:] = proofs.requests[:1]  # the other file of the run
    section = proof(proofs)
    step = section.locator("tr details").first
    step.locator("summary").click()
    expect(step).to_contain_text("closed (P1 to move): proved by certificate")
    expect(section).to_contain_text("python -m checks show kl-nim/theorem-14 --obligations")


@pytest.mark.parametrize(
    ("proofs", "id"),
    [({}, "nim/bouton"), (DARK | PHONE, "large-nim/theorem-1")],
    indirect=["proofs"],
    ids=["light", "dark phone"],
)
def test_axe_finds_no_violation_in_a_proof_with_obligations_opened(proofs: Opened, id: str) -> None:
    section = proof(proofs, id)
    steps = section.locator(".steps details")
    for number in (0, 1, 5):
        steps.nth(number).evaluate("e => e.open = true")
    expect(section.locator(".asked")).to_have_count(3)
    assert find_violations(proofs.page, context=f"details[id='{id}']") == ""


@pytest.fixture(scope="module")
def narrow(browser: Browser, proofs_page: Path) -> Iterator[Opened]:
    """The proofs page on the smallest screen, opened once."""
    yield from open_page(browser, proofs_page, NARROW)


@pytest.mark.parametrize(
    "id", ["kl-nim/theorem-14", "kl-nim/theorem-6", "large-nim/equation-5", "kl-nim/complete-solution"]
)
def test_a_proof_fits_the_smallest_screen(narrow: Opened, id: str) -> None:
    section = proof(narrow, id)
    section.locator(".steps details").first.evaluate("e => e.open = true")
    expect(section.locator(".asked")).to_have_count(1)
    assert narrow.page.evaluate("document.documentElement.scrollWidth") <= 320
