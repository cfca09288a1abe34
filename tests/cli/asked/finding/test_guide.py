"""The two examples of docs/find-a-proof.md: what `find` proves alone, and what it proves with a reply by a person."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from claim_texts import HEAD

from checks.execution.found import settle_with
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from encoders.compute.arrays.limits import Deadline
from encoders.proving.reading import load_claim
from encoders.search.find import SearchProgress, SearchStage
from encoders.search.proofs import Nearby, find_proof

PAGE = (Path(__file__).parents[4] / "docs" / "find-a-proof.md").read_text("utf-8")
RULES = 'format = 1\ntitle = "Mine"\nplayers = ["P1", "P2"]\nstuck = "loses"\n\n'


def read_blocks(heading: str, language: str = "toml") -> list[str]:
    section = PAGE.split(f"### {heading}\n")[1].split("\n#")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def write(folder: Path, name: str, rules: str, claim: str, scope: str) -> tuple[Claim, Path]:
    (folder / f"{name}.toml").write_text(RULES + rules, "utf-8")
    path = folder / "mine.toml"
    path.write_text(f"{HEAD}{claim}\n[scope]\n{scope}\n", "utf-8")
    return replace(load_claim(path, "mine"), proof=None), path


def find(claim: Claim, path: Path) -> SearchProgress:
    outcome = SearchProgress()
    find_proof(claim, path, Nearby(), Deadline(600), lambda _: None, outcome)
    return outcome


@pytest.mark.slow
def test_what_the_page_says_that_find_proves_alone(tmp_path: Path) -> None:
    rules, statement, proof = read_blocks("A theorem that `find` proves alone")
    claim, path = write(tmp_path, "divisors", rules, statement, 'n = "1..100"')
    outcome = find(claim, path)
    assert outcome.text == proof
    assert settle_with(claim, path, proof).verdict is Verdict.PROVED


@pytest.mark.slow
def test_what_the_page_says_of_a_reply_by_a_person(tmp_path: Path) -> None:
    heading = "A theorem for which you add the reply"
    rules, proof, more = read_blocks(heading)
    (then,) = re.findall(r"`(iff\(.*?\))`", PAGE.split(f"### {heading}\n")[1].split("\n### ")[0])
    statement = f'ruleset = "cutting"\n[forall]\ns = "position"\n[claim]\nthen = "{then}"\n'
    claim, path = write(tmp_path, "cutting", rules, statement, 's = { heaps = "0..4", size = "1..7" }')
    outcome = find(claim, path)
    assert outcome.stage is not SearchStage.PROOF
    assert f"no proof found: {outcome.obstacle}\n" == read_blocks(heading, "text")[0]
    first = settle_with(claim, path, proof)
    assert first.verdict is Verdict.INCONCLUSIVE
    assert [x.name for x in first.finding.obligations if not x.proved] == ["reply 1: heap"]
    whole = re.sub(r"\[proof.folds\].*?(?=\[proof.loses\])", f"{more}\n", proof, flags=re.DOTALL)
    assert settle_with(claim, path, whole).verdict is Verdict.PROVED
