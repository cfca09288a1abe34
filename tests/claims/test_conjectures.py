"""Conjectures in files outside the library, with rulesets of the library and local rulesets."""

from pathlib import Path

import pytest

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.library import select

FOLDER = Path(__file__).parent / "conjectures"


@pytest.mark.parametrize(
    ("name", "verdict", "trusted"),
    [
        ("kayles", Verdict.VERIFIED, ("Sprague-Grundy theorem, for Grundy values of single heaps that split",)),
        ("wythoff", Verdict.VERIFIED, ()),
        ("three-players", Verdict.VERIFIED, ()),
        ("nim-without-three", Verdict.REFUTED, ()),
    ],
)
@pytest.mark.slow
def test_conjecture(name: str, verdict: Verdict, trusted: tuple[str, ...]) -> None:
    result = settle_entry(select((str(FOLDER / f"{name}.toml"),))[0], Options())
    assert result.verdict is verdict, result.finding.error or result.finding.not_established
    assert result.finding.trusted == trusted


def test_a_folder_is_its_claims_without_the_rulesets() -> None:
    names = [Path(e.id).name for e in select((str(FOLDER),))]
    assert names == ["kayles", "nim-without-three", "three-players", "wythoff"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("kayles", "x + 12", "x + 6"),
        ("kayles", "71..288", "70..288"),
        ("wythoff", "range(20)", "range(19)"),
        ("wythoff", "5 * n * n", "4 * n * n"),
        ("three-players", "min(s) == 1", "max(s) == 1"),
    ],
)
@pytest.mark.slow
def test_a_mutant_is_refuted(tmp_path: Path, name: str, old: str, new: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / f"{name}.toml"
    path.write_text(text.replace(old, new).replace('x = "71.."', 'x = "1.."'), "utf-8")
    assert settle_entry(select((str(path),))[0], Options()).verdict is Verdict.REFUTED
