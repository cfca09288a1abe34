"""The files of examples/ have the verdicts that they expect, and the documentation shows the same files."""

import re
from pathlib import Path

import pytest

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.proving.reading import load_claim

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
VERDICTS = {
    "kayles-rows": Verdict.PROVED,
    "kl-nim-heap": Verdict.VERIFIED,
    "misere-nim-winners": Verdict.VERIFIED,
    "length-of-play": Verdict.VERIFIED,
    "nim-and-kayles": Verdict.VERIFIED,
    "lists": Verdict.VERIFIED,
    "odd-heaps": Verdict.PROVED,
    "one-heap": Verdict.VERIFIED,
    "parity": Verdict.PROVED,
    "unbalanced": Verdict.REFUTED,
}
VARIANTS = {
    "kayles-rows": [("dawson", Verdict.REFUTED)],
    "kl-nim-heap": [("as-nim", Verdict.REFUTED)],
    "misere-nim-winners": [("two-large-heaps", Verdict.REFUTED)],
    "nim-and-kayles": [("equal-games", Verdict.VERIFIED), ("same-size", Verdict.REFUTED)],
    "lists": [("ordinary-sum", Verdict.REFUTED)],
    "length-of-play": [("same", Verdict.REFUTED), ("misere", Verdict.REFUTED)],
    "parity": [("three", Verdict.REFUTED), ("quarter", Verdict.REFUTED), ("even", Verdict.PROVED)],
}


def test_the_folder_holds_these_claims_and_their_games() -> None:
    assert {e.path.stem for e in select((str(EXAMPLES),)) if e.path.parent == EXAMPLES} == set(VERDICTS)
    files = {path.name for path in EXAMPLES.glob("*.toml")}
    assert files == set(re.findall(r"^\| `(.*?)` \|", (EXAMPLES / "README.md").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("name", VERDICTS)
def test_an_example_comes_out_as_it_says(name: str) -> None:
    entry, *variants = select((str(EXAMPLES / f"{name}.toml"),))
    results = [settle_entry(x, Options()) for x in (entry, *variants)]
    for result in results:
        assert result.finding.as_expected is True, result.finding.error or result.finding.not_established
    assert results[0].verdict is VERDICTS[name]
    assert [(x.id.partition("@")[2], x.verdict) for x in results[1:]] == VARIANTS.get(name, [])


@pytest.mark.parametrize("path", sorted((EXAMPLES / "boards").glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.slow
def test_a_board_comes_out_as_it_says(path: Path) -> None:
    for entry in select((str(path),)):
        found = settle_entry(entry, Options()).finding
        assert found.as_expected is True, (entry.id, found.error or found.not_established)


@pytest.mark.slow
def test_each_board_is_in_a_claim_with_a_false_sibling() -> None:
    games = set[str]()
    for path in (EXAMPLES / "boards").glob("*.toml"):
        claim = load_claim(path, path.stem)
        assert any(entry.variant_of for entry in select((str(path),))), path
        games |= {game.ruleset.id for game in claim.games}
    assert games >= {path.stem for path in (EXAMPLES / "boards" / "rulesets").glob("*.toml")}


def test_the_readme_and_the_first_page_show_the_same_files() -> None:
    text = "".join((ROOT / page).read_text("utf-8") for page in ("README.md", "docs/start.md"))
    shown = re.findall(r"^<!-- file: (\S+) -->\n```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(shown) == 3
    for name, text in shown:
        ours = (EXAMPLES / name).read_text("utf-8")
        assert re.sub(r"^expect = .*\n", "", ours, flags=re.MULTILINE) == text, name
