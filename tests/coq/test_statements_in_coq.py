"""The Coq statement has the meaning of the claim: an independent parser reads it."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from claim_texts import HEAD
from claims_in_coq import small_claim
from coq_compiler import needs_coq, run_coq
from coq_meaning import POSITIONS, boxes, compare, some
from coq_terms import NotRead, last_theorem, read_statement
from proofs import LIBRARY

from checks.command.theorem_text import write_statements
from checks.judgement.mutants import make_mutants
from checks.presentation.theorems import read_theorems
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, list_library
from encoders.coq.statement import write_stated
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

# Statements about periodic values mention large heaps; see test_values_in_coq.
THEOREMS = tuple(id for id in read_theorems().by_claim if not id.startswith("heaps/"))
POWERS = ("classics/half-nim", "classics/half-nim-of-the-heap", "classics/half-nim-lost-heaps")
STATED = tuple(e.id for e in list_library() if e.path.parent.name != "heaps")


@cache
def entries() -> dict[str, Entry]:
    return {e.id: e for e in list_library()}


@pytest.mark.parametrize("id", STATED)
def test_a_statement_of_the_library_is_the_claim(id: str) -> None:
    claim = load_claim(entries()[id].path, id)
    found = compare(claim, write_stated(claim).text, some(claim, 16, 2 if id in POWERS else 4))
    assert found["holds"] + found["fails"]
    assert not found["said to be undefined"]


@pytest.mark.parametrize("id", THEOREMS)
def test_a_theorem_says_that_its_statement_is_defined_and_whether_it_holds(id: str) -> None:
    theorem = generate(load_claim(entries()[id].path, id))
    says = "~ Statement.claimed" if theorem.refutes else "Statement.claimed"
    assert last_theorem(theorem.text) == f"Statement.defined /\\ {says}"


# id, old text and new text: a statement with another meaning, for each way to write games and claims
CHANGED = {
    "two heaps": ("classics/wythoff", "y_ + m = h", "y_ + m + 1 = h"),
    "how many heaps": ("classics/moore-equal-heaps", "(from_to 1 w)", "(from_to 1 1)"),
    "a smallest heap": ("classics/small-nim", "h = least s", "h = largest s"),
    "other heaps": ("classics/antonim-two-heaps", "~ h - m ∈ s", "~ h + m ∈ s"),
    "the smallest of all heaps": ("classics/min-nim-two-heaps", "m <= least s", "m <= h"),
    "heaps that are cut": ("classics/cutting", "a <= h / 2", "a < h / 2"),
    "a remainder of integers": ("classics/cutting", "mod Z.of_N 2", "mod Z.of_N 3"),
    "an ending": ("classics/misere-moore-two-heaps", "rules_stuck_wins := true", "rules_stuck_wins := false"),
    "columns": ("classics/moore-two-heaps", "columns s 3 2 = 0", "columns s 3 1 = 0"),
    "a condition as a number": ("classics/misere-greedy-nim", "existsb", "forallb"),
    "heaps in order": ("large-nim/equation-5-cases", "heap_at s 0 <? heap_at s 1", "heap_at s 1 <? heap_at s 0"),
    "a list": ("nim/misere-game", "item [2; 0; 6; 0; 1; 0; 3; 1]", "item [2; 0; 6; 0; 1; 0; 3; 2]"),
    "a listed position": ("nim/table-normal", "s ≡ [1; 2; 3]", "s ≡ [1; 2]"),
    "a player's outcome": ("kl-nim/example-8", "wins (kl_nim 2 2) P2", "~ wins (kl_nim 2 2) P2"),
    "equal sets of values": ("kl-nim/theorem-6-values-below", "x < s * t_", "x <= s * t_"),
    "n players": ("large-nim/analysis-3", "v + 2 = n", "v + 1 = n"),
    "a rational number": ("bash-nim/first-player-favoured", "rational (2)%N < ", "rational (1)%N < "),
    "a power": ("classics/half-nim", "[2 ^ e * (2 * g + 1) - 1]", "[2 ^ e * (2 * g + 1)]"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_statement_with_another_meaning_is_noticed(name: str) -> None:
    id, old, new = CHANGED[name]
    claim = load_claim(entries()[id].path, id)
    text = write_stated(claim).text
    assert old in text
    with pytest.raises(AssertionError):
        compare(claim, text.replace(old, new), some(claim, 60, 2 if id in POWERS else 3))


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


@pytest.mark.parametrize("part", range(3))
def test_a_random_statement_about_any_game_is_the_claim(part: int, tmp_path: Path) -> None:
    found = Counter()
    for seed in range(40 * part, 40 * part + 40):
        claim = small_claim(seed, tmp_path, wide=True)
        try:
            text = write_stated(claim).text if claim else ""
        except Unsupported:
            continue
        if claim:
            cases = list(boxes(["N", "N", "position"], 3, POSITIONS))
            found += compare(claim, text, random.Random(seed).sample(cases, 25))
    assert min(found["holds"], found["fails"]) >= 5


@pytest.mark.slow
def test_many_random_statements_are_the_claims(tmp_path: Path) -> None:
    for seed in range(1000, 1400):
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


# -- statements that are not as they look ------------------------------------------------------------------------------
PARTIZAN = """format = 1
title = "t"
players = ["One", "Two"]
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
where = "m != (2 if mover == One else 3)"
become = ["h - m"]
"""
PARAMETER_O = """format = 1
title = "t"
players = ["One", "Two"]
parameters = { o = "1.." }
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..min(o, h)", y = "0..h - m" }
become = ["y", "h - m - y"]
"""


def stated(folder: Path, rules: str, ruleset: str, then: str, variables: str = "") -> Claim:
    (folder / "own.toml").write_text(rules)
    forall = f"[forall]\n{variables}\n" if variables else ""
    scope = '[scope]\ns = { heaps = "0..2", size = "1..3" }\n' if variables else ""
    head = f'{HEAD}ruleset = "{ruleset}"\n{forall}'
    (folder / "claim.toml").write_text(f"{head}[claim]\nthen = '{then}'\n{scope}")
    return load_claim(folder / "claim.toml", "claim")


def test_grundy_values_are_defined_only_if_both_players_have_the_same_moves(tmp_path: Path) -> None:
    claim = stated(tmp_path, PARTIZAN, "own", "grundy(s) >= 0", 's = "position"')
    text = write_stated(claim).text
    assert "forall (h y : N), becomes own First h y <-> becomes own Second h y" in text
    found = compare(claim, text, [((3,),), ((2, 3),)])
    assert found["ill-defined"] == found["said to be undefined"] == 2


def test_no_name_of_a_ruleset_is_that_of_the_heaps_that_a_move_makes(tmp_path: Path) -> None:
    claim = stated(tmp_path, PARAMETER_O, "own(o = 2)", "wins(s)", 's = "position"')
    text = write_stated(claim).text
    assert "Definition own (o_ : N) : splitting" in text and "o = [y_; y__]" in text
    assert compare(claim, text, [(s,) for s in POSITIONS])["holds"]


# -- all statements in one file ---------------------------------------------------------------------------------------
def test_each_statement_is_next_to_its_source_and_its_claim() -> None:
    wanted = [entries()["kl-nim/theorem-14"]]
    _, first = write_statements(wanted)
    about, stated = first.split("Module kl_nim_theorem_14.\n")
    assert "theorem, kl-nim, Theorem 14" in about and "(* forall l: k+1.. *)" in about
    assert "(* then: iff(not wins(s, P2), nim_sum(s) == 0 and all(h < k for h in s)) *)" in about
    assert stated in write_stated(load_claim(wanted[0].path, wanted[0].id)).text.replace(
        "End Statement.\nImport Statement.\n", "End kl_nim_theorem_14.\n"
    )


@needs_coq
def test_coq_accepts_every_statement(theory: Path) -> None:
    (theory / "Statements.v").write_text("".join(write_statements(list_library())), "utf-8")
    assert run_coq(theory, "Statements.v") == ""


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
