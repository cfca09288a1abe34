"""The proofs on the pages of docs/rules/ prove their claims."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from library import certificates
from proofs import FEW, HEAD, QUICK
from settling import settle_whole

import claims
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.solvers.effort import using_store

RULES = Path(__file__).parents[3] / "docs" / "rules"
BOARDS = RULES.parents[1] / "examples" / "boards" / "rulesets"
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = {
    f"{page.stem}, {number}": example
    for page in sorted(RULES.glob("*.md"))
    for number, example in enumerate(TOML.findall(page.read_text("utf-8")), 1)
}
EXACT = """
format = 1
title = "Exact Nim"
players = ["P1", "P2"]
parameters = { k = "1.." }
stuck = "loses"

[[moves]]
choose = "each of k..k heaps h"
pick = { m = "1..h" }
become = ["h - m"]
"""
AT = """
[[proof.at]]
heap = "2*k*s + i"
digits = { q = "s", e = "0", r = "i" }

[[proof.at]]
heap = "2*k*s + k + i"
digits = { q = "s", e = "1", r = "i" }
"""


OF = {
    "arithmetic, 1": ("", ""),  # a complete claim
    "cases, 1": ("kl-nim/theorem-14", ""),  # l is above k: there is one case
    "definition, 1": ("kl-nim/outcome-properties", ""),
    "equal-games, 1": ("kl-nim/small-heaps", ""),
    "few-heaps, 1": ("classics/wythoff", ""),
    "few-heaps, 2": ("", ""),
    "folds, 1": ("nim/bouton", ""),
    "folds, 2": ("classics/greedy-nim", ""),
    "folds, 3": ("bash-nim/remainders", ""),
    "folds, 4": ("bash-nim/lemma-2-legal", ""),
    "grundy, 1": ("kl-nim/theorem-6", AT),
    "grundy, 2": ("classics/half-nim", ""),
    "lemmas, 1": ("nim/last-move-only", ""),
    "one-heap, 1": ("", ""),
    "periodic, 1": ("heaps/kayles-won", ""),
    "places, 1": ("", ""),
    "quotient, 1": ("heaps/misere-kayles", ""),
    "several-heaps, 1": ("classics/moore-two-heaps", ""),
    "value, 1": ("large-nim/theorem-1", ""),
}
"""The claim that an example proves, and the rest of its [proof]."""


def settled(path: Path, options: Options) -> ClaimResult:
    """Settle the claim. Obligations of shipped claims are not searched for again."""
    with using_store(certificates()):
        return settle_whole(select((str(path),))[0], options)


def write(example: str, folder: Path) -> Path:
    """Write its claim, with the proof on the page."""
    id, rest = OF[example]
    if not id:
        for name in ("end-nim", "staircase"):
            shutil.copy(BOARDS / f"{name}.toml", folder)
        (folder / "exact.toml").write_text(EXACT, "utf-8")
        (folder / "whole.toml").write_text(HEAD + EXAMPLES[example], "utf-8")
        return folder / "whole.toml"
    work, name = id.split("/")
    shutil.copytree(Path(claims.__file__).parent / work, folder / work)
    path = folder / work / "example.toml"  # next to the claim whose proof it may use
    statement = path.with_stem(name).read_text("utf-8").partition("\n[proof")[0]
    path.write_text(f"{statement}\n{EXAMPLES[example]}{rest}", "utf-8")
    return path


@pytest.mark.parametrize("example", OF)
@pytest.mark.slow
def test_the_example_proves_its_claim(example: str, tmp_path: Path) -> None:
    path = write(example, tmp_path)
    options = replace(QUICK, overrides=FEW) if OF[example][0] and 's = "position"' in path.read_text("utf-8") else QUICK
    result = settled(path, options)
    assert result.verdict is Verdict.PROVED, result.finding.not_established


def test_every_example_is_among_them() -> None:
    assert list(EXAMPLES) == list(OF)
