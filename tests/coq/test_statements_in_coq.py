"""The Coq statement has the meaning of the claim: an independent parser reads it."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from claims_in_coq import small_claim
from coq_meaning import POSITIONS, boxes, compare, some
from coq_terms import NotRead, last_theorem, read_statement
from proofs import LIBRARY

from checks.judgement.mutants import make_mutants
from checks.presentation.theorems import read_theorems
from claims.language.files.library import Entry, list_library
from encoders.coq.statement import write_stated
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

# Statements about periodic values mention large heaps; see test_values_in_coq.
THEOREMS = tuple(id for id in read_theorems().by_claim if not id.startswith("heaps/"))


@cache
def entries() -> dict[str, Entry]:
    return {e.id: e for e in list_library()}


@pytest.mark.parametrize("id", THEOREMS)
def test_a_statement_of_the_library_is_the_claim(id: str) -> None:
    claim = load_claim(entries()[id].path, id)
    text = generate(claim).text
    assert last_theorem(text) == "Statement.defined /\\ Statement.claimed"
    assert compare(claim, text, some(claim, 64))["holds"]


@pytest.mark.slow
def test_statements_of_mutants_fail_where_the_mutants_do() -> None:
    found = Counter()
    for entry in map(entries().__getitem__, THEOREMS):
        claim = load_claim(entry.path, entry.id)
        mutants = [m.claim for m in make_mutants(claim)]
        for mutant in random.Random(1).sample(mutants, min(3, len(mutants))):
            try:
                found += compare(mutant, write_stated(mutant).text, some(mutant, 6, 2))
            except Unsupported:
                continue
    assert found["fails"] > 40


@pytest.mark.parametrize("part", range(4))
def test_a_random_statement_is_the_claim(part: int, tmp_path: Path) -> None:
    found = Counter()
    for seed in range(15 * part, 15 * part + 15):
        claim = small_claim(seed, tmp_path)
        try:
            text = write_stated(claim).text if claim else ""
        except Unsupported:
            continue
        if claim:
            found += compare(
                claim, text, random.Random(seed).sample(list(boxes(["N", "N", "position"], 3, POSITIONS)), 40)
            )
    assert min(found["holds"], found["fails"]) >= 5


@pytest.mark.slow
@pytest.mark.xfail(reason="A comprehension within another may bind the same name again", raises=NotRead)
def test_many_random_statements_are_the_claims(tmp_path: Path) -> None:
    for seed in range(1000, 2500):
        claim = small_claim(seed, tmp_path)
        try:
            text = write_stated(claim).text if claim else ""
        except Unsupported:
            continue
        if claim:
            compare(claim, text, boxes(["N", "N", "position"], 3, POSITIONS[:7]))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("forall (s : position), nim_sum s = z", "nothing that is known"),
        ("forall (least : N), least = 0", "means something already"),
        ("forall (x : N), exists x : N, x = 0", "bound twice"),
        ("forall (x : N), x = 0 <-> x = 1 <-> x = 2", "behind a term"),
    ],
)
def test_a_statement_that_could_be_misread_is_not_read(text: str, wrong: str) -> None:
    parts = (
        "Module Statement",
        "Definition defined : Prop := True",
        f"Definition claimed : Prop := {text}",
        "End Statement",
    )
    with pytest.raises(NotRead, match=wrong):
        read_statement("".join(f"{x}.\n" for x in parts))


# -- docs/coq.md, which shows one --------------------------------------------------------------------------------------
PAGE = Path(__file__).parents[2] / "docs" / "coq.md"
SHOWN = re.compile(r"<!-- generated: (\S+) -->\n```coq\n(.*?)```\n<!-- end -->", re.DOTALL)


def test_a_theorem_is_shown() -> None:
    assert [id for id, _ in SHOWN.findall(PAGE.read_text("utf-8"))] == ["kl-nim/theorem-14"]


@pytest.mark.parametrize(("id", "text"), SHOWN.findall(PAGE.read_text("utf-8")))
def test_the_theorem_shown_is_the_one_that_is_generated(id: str, text: str) -> None:
    made = generate(load_claim(LIBRARY / f"{id}.toml", id)).text
    for part in text.strip().split("\n\n"):
        assert part in made
