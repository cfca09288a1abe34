"""Claims with finitely many cases and no [proof]: Coq computes the true ones and rejects similar false ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from coq_compiler import needs_coq, objection, refused_at

from claims.language.files.claim import Claim
from claims.language.files.library import LIBRARY
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

CLAIM = """format = 1
title = "t"
statement = "x"
work = "my-notes"
locator = "1"
role = "conjecture"
ruleset = "own"
{rest}
[claim]
then = "{says}"
"""
RULES = """format = 1
title = "Own"
players = ["A", "B"]
stuck = "{stuck}"
[[moves]]
choose = "{choose} heap h"
pick = {{ {pick} }}
{where}
become = {become}
{more}"""
NIM = {"stuck": "loses", "choose": "any", "pick": 'm = "1..h"', "where": "", "become": '["h - m"]', "more": ""}
MISERE = NIM | {"stuck": "wins"}
LARGEST = NIM | {"choose": "a largest"}
BASH = NIM | {"pick": 'm = "1..min(2, h)"'}
PARTIZAN = NIM | {"where": 'where = "m != 2 or mover == B"'}
KAYLES = NIM | {"pick": 'm = "1..min(2, h)", a = "0..(h - m) // 2"', "become": '["a", "h - m - a"]'}
PAIRED = NIM | {
    "more": """[[moves]]
choose = "any two heaps g, h"
pick = { m = "1..min(g, h)" }
become = ["g - m", "h - m"]
"""
}
# What the proof computes, the rules, a true condition, and a false one that holds if this is computed wrongly.
PAIRS = {
    "who wins": (NIM, "wins(position([1, 2, 4]))", "wins(position([1, 2, 3]))"),
    "misere play": (MISERE, "wins(position([1, 1]))", "not wins(position([1, 1, 1, 1]))"),
    "moves on a largest heap only": (LARGEST, "not wins(position([1, 2, 2]))", "wins(position([1, 2, 2]))"),
    "which player moves": (PARTIZAN, "wins(position([2]), B)", "wins(position([2]), A)"),
    "every option": (
        NIM,
        "all(wins(t) or t == position([1, 1]) for t in options(position([1, 2])))",
        "all(wins(t) for t in options(position([1, 2])))",
    ),
    "some option": (
        NIM,
        "any(nim_sum(t) == 0 for t in options(position([1, 2, 2])))",
        "any(nim_sum(t) == 0 for t in options(position([2, 2])))",
    ),
    "a set of options": (
        BASH,
        "{t for t in options(position([4])) if not wins(t)} == {position([3])}",
        "{t for t in options(position([4])) if not wins(t)} == {position([3]), position([2])}",
    ),
    "legal moves": (
        BASH,
        "legal(position([4]), position([2])) and not legal(position([4]), position([1]))",
        "legal(position([4]), position([1]))",
    ),
    "Grundy values": (BASH, "grundy(position([5, 4])) == 3", "grundy(position([5, 4])) == 1"),
    "Grundy values of a heap that is split": (KAYLES, "grundy(position([9])) == 4", "grundy(position([9])) == 9"),
    "who wins if heaps are split": (KAYLES, "wins(position([4, 2]))", "wins(position([3, 3]))"),
    "ranges": (
        NIM,
        "all(x ^ (2 * y) == x + 2 * y for x in range(0, 2) for y in range(1, 4))",
        "all(x ^ (2 * y) == x + 2 * y for x in range(0, 3) for y in range(1, 4))",
    ),
    "moves on two heaps at once": (
        PAIRED,
        "not wins(position([1, 2])) and wins(position([1, 3]))",
        "not wins(position([2, 2]))",
    ),
    "heaps": (NIM, "all(h >= 3 for h in position([3, 5]))", "all(h >= 4 for h in position([3, 5]))"),
}


def write_claim(folder: Path, rules: dict[str, str], says: str, rest: str = "") -> Claim:
    (folder / "own.toml").write_text(RULES.format(**rules), "utf-8")
    (folder / "claim.toml").write_text(CLAIM.format(says=says, rest=rest), "utf-8")
    return load_claim(folder / "claim.toml", "claim")


@needs_coq
@pytest.mark.parametrize("what", PAIRS)
def test_coq_computes_the_true_claim_and_rejects_the_false_one(theory: Path, tmp_path: Path, what: str) -> None:
    rules, right, wrong = PAIRS[what]
    assert objection(theory, generate(write_claim(tmp_path, rules, right)).text) == ""
    refused = objection(theory, generate(write_claim(tmp_path, rules, wrong)).text)
    assert "Some true = Some true" in refused  # Coq has computed another value


@needs_coq
def test_a_claim_that_is_in_error_is_not_computed(theory: Path, tmp_path: Path) -> None:
    text = generate(write_claim(tmp_path, NIM, "max(position([])) == 0")).text
    assert refused_at(theory, text, "well_defined") == "well_defined"


def test_a_claim_with_infinitely_many_cases_is_not_computed(tmp_path: Path) -> None:
    claim = write_claim(tmp_path, NIM, "wins(position([n]))", '[forall]\nn = "1.."\n[scope]\nn = "1..3"')
    with pytest.raises(Unsupported, match=r"the claim has no \[proof\]"):
        generate(claim)


def test_only_a_claim_that_is_expected_to_be_refuted_has_its_negation_as_theorem() -> None:
    for id, refutes in {"kl-nim/lemma-11": True, "kl-nim/example-10": False}.items():
        theorem = generate(load_claim(LIBRARY / f"{id}.toml", id))
        assert theorem.refutes is refutes
        assert ("/\\ ~ Statement.claimed." in theorem.text) is refutes


# A false claim about all numbers or positions, and a true one that is refuted if its cases are computed wrongly.
REFUTED = {
    "a counterexample": (NIM, "not wins(position([n, n + 1])) or n >= 3", "not wins(position([n, n]))"),
    "a hypothesis": (NIM, "nim_sum(s) != 0 or len(s) <= 1", "nim_sum(s) != 0 or len(s) != 1"),
    "misere play": (MISERE, "not wins(position([n, n]))", "not wins(position([n + 1, n + 1]))"),
    "Grundy values": (BASH, "grundy(position([n])) == n", "grundy(position([n])) == n % 3"),
    "an option": (
        BASH,
        "any(len(t) == 0 for t in options(s)) or len(s) == 0",
        "len(s) == 0 or any(len(t) <= len(s) for t in options(s))",
    ),
}
VARIABLES = """[forall]
n = "1.."
s = "position"
[scope]
n = "1..4"
s = { heaps = "0..2", size = "1..4" }"""


@needs_coq
@pytest.mark.parametrize("what", REFUTED)
def test_coq_refutes_the_false_claim_and_not_the_true_one(theory: Path, tmp_path: Path, what: str) -> None:
    rules, wrong, right = REFUTED[what]
    refuted = replace_expectation(write_claim(tmp_path, rules, wrong, VARIABLES))
    assert objection(theory, generate(refuted).text) == ""
    refused = objection(theory, generate(replace_expectation(write_claim(tmp_path, rules, right, VARIABLES))).text)
    assert "true = true" in refused  # Coq has found no counterexample


def replace_expectation(claim: Claim) -> Claim:
    return replace(claim, description=replace(claim.description, expect="refuted"))
