"""Games that need only a file, and games that need code: the recipe of docs/extending.md, followed."""

import re
from pathlib import Path

import pytest
from pages import FILES, PAGE, ROOT

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry


@pytest.fixture
def settled(tmp_path: Path):
    def run(claim: str, *changes: tuple[str, str]) -> ClaimResult:
        for name, text in FILES.items():
            if name.endswith(".toml"):
                (tmp_path / name).write_text(text, "utf-8")
        path = tmp_path / claim
        for old, new in changes:
            text = path.read_text("utf-8")
            assert text.count(old) == 1
            path.write_text(text.replace(old, new), "utf-8")
        return settle_entry(Entry("game", path), Options())

    return run


@pytest.mark.slow
def test_a_game_of_heaps_is_a_file(settled) -> None:
    assert settled("lost-splits.toml").verdict is Verdict.VERIFIED
    assert settled("lost-splits.toml", ("20, ", "")).finding.counterexample.variables == (("n", 20),)


@pytest.mark.slow
def test_coins_that_pass_each_other_are_heaps(settled) -> None:
    assert settled("lost-strip.toml").verdict is Verdict.VERIFIED
    assert settled("lost-strip.toml", ("a % 4", "a % 3")).verdict is Verdict.REFUTED


def test_the_places_that_the_page_names_are_there() -> None:
    places = re.findall(r"^\| `([\w/.]+)` \|", PAGE.partition("## A kind of game")[2], re.MULTILINE)
    assert len(places) >= 5
    assert [place for place in places if not (ROOT / place).exists()] == []
