"""Questions of readers, answered from the page alone: from visible text, within two clicks of the front page."""

from __future__ import annotations

import re

import pytest
from opened import Opened
from playwright.sync_api import Locator, expect

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # a single process starts the browser

CLICKS = 2


class Reader:
    """A reader at the front page; their clicks are counted."""

    def __init__(self, opened: Opened) -> None:
        self.page, self.clicks = opened.page, 0

    def click(self, what: Locator) -> None:
        self.clicks += 1
        assert self.clicks <= CLICKS
        target = what.get_attribute("href")
        what.click()
        claim = self.page.locator(f"details.claim[id='{(target or '').removeprefix('#')}']")
        if claim.count():  # the page opens the claim and fills it after the click
            expect(claim).to_have_attribute("open", "")
            expect(claim.locator(":scope > [data-body]")).to_have_count(0)

    def contents(self, name: str, work: str = "K-L-Nim") -> None:
        """Open the group of a work in the list of contents, and follow the entry of that name."""
        group = self.page.get_by_role("navigation", name="Contents").locator(".group")
        group = group.filter(has=self.page.get_by_text(work, exact=True))
        self.click(group.locator("summary"))
        self.click(group.get_by_role("link", name=re.compile(rf"^{name}\b")).first)

    def read(self, id: str) -> str:
        """Return the visible text of a claim, in one line."""
        claim = self.page.locator(f"details[id='{id}']")
        expect(claim.locator(":scope > summary")).to_be_visible()
        return re.sub(r"\s+", " ", claim.inner_text()).replace(" ,", ",")

    def front(self) -> str:
        return re.sub(r"\s+", " ", self.page.locator("#page\\:top").inner_text())


@pytest.fixture
def reader(again: Opened) -> Reader:
    return Reader(again)


def test_is_lemma_11_true(reader: Reader) -> None:
    assert "2 refuted lemmas" in reader.front()
    reader.click(reader.page.locator(".costs").get_by_role("link", name=re.compile("^Lemma 11")))
    assert "refuted at k = 3, l = 4, s = (2, 2, 4) (smallest in the scope k 1…9, l" in reader.read("kl-nim/lemma-11")


def test_the_first_screen_tells_the_story(reader: Reader) -> None:
    seen = reader.page.evaluate(
        """() => {
          const walk = document.createTreeWalker(document.getElementById("page:top"), NodeFilter.SHOW_TEXT);
          const parts = [];
          while (walk.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(walk.currentNode);
            if (range.getBoundingClientRect().bottom <= innerHeight) parts.push(walk.currentNode.data);
          }
          return parts.join("");
        }"""
    )
    text = re.sub(r"\s+", " ", seen)
    assert "Lemma 11 is false. Theorem 14, proved from it, is true." in text
    assert "Of the 91 statements in four works (Nim, K-L-Nim, Large Nim, Bash and Nim), 17 are refuted, each" in text
    assert "k = 3, l = 4, s = (2, 2, 4)" in text
    assert "P2 to move at (2, 2, 4)" in text
    assert "Check it yourself" not in text, "all of the front was taken for its first screen"
    rules = (
        "In K-L-Nim, a move takes objects from one heap: P1 may not take exactly k objects, P2 may not take exactly l."
    )
    assert text.index(rules) < text.index("Lemma 11"), "the game is explained before its lemma is mentioned"
    assert "whenever P2 is to move at a position that is defective for P2" in text, "the lemma is stated"
    assert "P1 wins exactly when the position is a P-position of ordinary Nim" in text, "the theorem is stated"


def test_what_is_its_smallest_counterexample(reader: Reader) -> None:
    assert "The complete refutation of Lemma 11: k = 3, l = 4, s = (2, 2, 4)" in reader.front()
    assert "P2 has 5 moves, and each of them has an answer" in reader.front()
    reader.contents("Lemma 11")
    text = reader.read("kl-nim/lemma-11")
    assert (
        "Counterexample k = 3, l = 4, s = (2, 2, 4) the smallest in the range searched; a second program replayed it"
        in text
    )


def test_for_how_many_heaps_does_it_hold(reader: Reader) -> None:
    reader.contents("Lemma 11")
    instead = reader.page.get_by_role("group", name="Corrections of Lemma 11", exact=True)
    expect(instead).to_be_visible()
    assert "Lemma 11, for at most two heaps" in instead.inner_text()
    assert "proved all values" in reader.read("kl-nim/lemma-11-two-heaps")


def test_does_theorem_14_survive_and_by_what_argument(reader: Reader) -> None:
    assert re.search(
        r"The published proofs of .*Theorem 14.* use refuted statements; all \w+ are proved in another way\.",
        reader.front(),
    )
    reader.contents("Theorem 14")
    text = reader.read("kl-nim/theorem-14")
    assert "True, although its published proof uses Lemma 11 and Lemma 13, which are false" in text
    assert "The claim is proved by an invariant made of sums and counts over the heaps (49 conditions)" in text


def test_up_to_which_bound_was_theorem_3_of_large_nim_settled(reader: Reader) -> None:
    reader.contents("Theorem 3", "Large Nim")
    assert re.search(r"Theorem 3\b.*? proved all values", reader.read("large-nim/theorem-3"))


def test_which_statements_does_the_published_proof_of_theorem_12_use(reader: Reader) -> None:
    reader.contents("Theorem 12")
    uses = re.search(r"The published proof uses (.*?) Our proof uses (.*?) Used by", reader.read("kl-nim/theorem-12"))
    assert uses is not None
    assert uses[1] == "Lemma 11 (refuted), Theorem 12, after P1 (proved), Reply in Theorem 12 (refuted)"
    assert uses[2].startswith("Theorem 14 (proved) Consequence our proof does not use the refuted")


def test_can_i_see_it_fail(reader: Reader) -> None:
    reader.click(reader.page.locator(".whole").get_by_role("link", name="Play it"))
    play = reader.page.locator("details[id='kl-nim/lemma-11'] .play")
    moves = play.get_by_role("list", name="Your legal moves").get_by_role("button")
    for number in range(moves.count()):
        moves.nth(number).click()
    expect(play.get_by_role("status")).to_contain_text("Every move is answered: the claim fails at k = 3, l = 4")
