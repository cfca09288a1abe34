"""Instances of the Coq theorem about the rule folds, and false claims that a forgotten premise would admit."""

from __future__ import annotations

from pathlib import Path

import pytest
from coq_compiler import needs_coq, refused_after, write
from proofs import LIBRARY

from encoders.refusals import Unsupported

# id, text of the statement or of the instance, the text in its place, the lemma that Coq refuses
FALSE = {
    "a move on any heap": ("classics/greedy-nim", "of_largest := true", "of_largest := false", "closed"),
    "misere play": ("classics/greedy-nim", "stuck_wins := false", "stuck_wins := true", "settled"),
    "fewer moves": ("classics/greedy-nim", "1 <= m /\\ m <= h /\\", "1 <= m /\\ m <= 1 /\\", "reply"),
    "moves that take nothing": ("classics/greedy-nim", "exists m, 1 <= m /\\", "exists m, 0 <= m /\\", "closed"),
    "two larger heaps": ("large-nim/theorem-3-case-b11-shape-repaired", "(fun h => 1 <? h) s = 1.\nEnd",
        "(fun h => 1 <? h) s = 2.\nEnd", "theorem_3_case_b11_shape_repaired"),
    "the other positions": ("classics/greedy-nim", "mod 2 = 0.\nEnd", "mod 2 = 1.\nEnd", "greedy_nim"),
    "normal play": ("classics/misere-greedy-nim", "stuck_wins := true", "stuck_wins := false", "settled"),
    "a fact about some positions": (
        "classics/misere-greedy-nim", "Definition special (x : F) : Prop := ",
        "Definition special (x : F) : Prop := let '(M, _, _, _, _, _) := x in M <= 9 /\\ ", "fact_of_more",
    ),
    "other divisors": ("bash-nim/multiples", "h mod (k + 1) = 0) -> ~ wins (bash_nim k) A s.\nEnd",
        "h mod (k + 2) = 0) -> ~ wins (bash_nim k) A s.\nEnd", "multiples_"),
    "written heaps": ("classics/greedy-nim-two-heaps", "<-> x = y_.\nEnd", "<-> x <= y_.\nEnd", "greedy_nim_two_heaps"),
    "an option after more moves": ("bash-nim/lemma-3", "m <= N.min k h", "m <= N.min (k + 1) h", "claim"),
    "an option after fewer moves": ("bash-nim/lemma-2", "m <= N.min k h", "m <= N.min 1 h", "claim"),
    "a terminal position": ("bash-nim/lemma-1", "exists m, 1 <= m", "exists m, 2 <= m", "claim"),
    "another condition on options": (
        "bash-nim/lemma-2", "t /\\ nim_sum_of (fun h => h mod (k + 1)) t = 0).\nEnd",
        "t /\\ nim_sum_of (fun h => h mod (k + 1)) t = 1).\nEnd", "lemma_2"),
    "the definition of winning": ("bash-nim/dp-agrees", "B s t -> wins (bash_nim k) A t)).\nProof",
        "B s t -> ~ wins (bash_nim k) A t)).\nProof", "claim"),
    "the remainder of a written heap": ("classics/misere-bash-nim-one-heap", "x mod (k + 1) = 1.\nProof",
        "x mod (k + 1) = 2.\nProof", "claim"),
    "a larger nim-sum with the heap": (
        "bash-nim/lemma-2-top-bit", "s < h mod (k + 1)).\nProof", "s = h mod (k + 1)).\nProof", "claim"),
    "a heap without the top bit": (
        "bash-nim/heap-choice-repaired", "h' mod (k + 1)) s)) = 1).\nProof", "h' mod (k + 1)) s)) = 0).\nProof",
        "claim"),
    "a move to another nim-sum": ("bash-nim/lemma-2-legal", "- h_ mod (k + 1))) = 0.\nProof",
        "- h_ mod (k + 1))) = 1.\nProof", "claim"),
    "a legal move that takes more": ("bash-nim/lemma-2-legal", "m <= N.min k h", "m <= N.min 1 h", "claim"),
    "a heap that is chosen from none": (
        "bash-nim/lemma-2-top-bit", "s : position) : nim_sum_of (fun h => h mod (k + 1)) s <> 0",
        "s : position) : nim_sum_of (fun h => h mod (k + 1)) s <> 9", "claim"),
    "the image of a position": ("bash-nim/remainders", "A (map (fun h => h mod (k + 1)) (heaps s)).\nProof",
        "A (map (fun h => h mod (k + 2)) (heaps s)).\nProof", "claim"),
    "more to take": ("bash-nim/multiples", "m <= N.min k h", "m <= N.min (k + 1) h", "closed"),
    "a heap that is not smallest": ("classics/small-nim", "h = least s /\\ 1 <= m", "1 <= m", "closed"),
    "a smallest heap above 1": ("classics/small-nim", "h = least s /\\", "h = least s /\\ 2 <= h /\\", "reply"),
    "an object that is lost": ("classics/cutting", "y_ + a = h /\\", "y_ + a + 1 = h /\\", "closed"),
    "other totals": ("classics/cutting", "mod Z.of_N 2)%Z = 0.\nEnd", "mod Z.of_N 2)%Z = 1.\nEnd", "cutting"),
    "three heaps at once": ("classics/moore-two-heaps", "(from_to 1 w)", "(from_to 1 (w + 1))", "closed"),
    "other columns": (
        "classics/moore-two-heaps", "columns s 3 2 = 0.\nEnd", "columns s 3 2 = 1.\nEnd", "moore_two_heaps",
    ),
    "one heap of two is kept": ("classics/cyclic-nimhoff", "y__ + 1 = h /\\", "y__ = h /\\", "closed"),
    "two heaps of different sizes": (
        "classics/cyclic-nimhoff", "y_ + 1 = g /\\ y__", "g <> h /\\ y_ + 1 = g /\\ y__", "reply",
    ),
    "normal play on several heaps": (
        "classics/misere-moore-two-heaps", "rules_stuck_wins := true", "rules_stuck_wins := false", "settled",
    ),
    "a losing set with a winning position": ("nim/bouton", "x in\n  x1 = 0.\n", "x in\n  x1 <= 1.\n", "closed"),
    "a losing set without a lost position": ("nim/bouton", "x in\n  x1 = 0.\n", "x in\n  x1 < 0.\n", "reply"),
    "a game with fewer moves": ("nim/bouton", "1 <= m /\\ m <= h /\\", "1 <= m /\\ m <= 2 /\\", "reply"),
    "a claim of other positions": ("nim/bouton", "nim_sum s = 0.\nEnd", "nim_sum s <= 1.\nEnd", "bouton"),
    "an option from every position": (
        "nim/reachability", "Lemma claim (s : position) : nim_sum s <> 0 ->",
        "Lemma claim (s : position) : nim_sum s = nim_sum s ->", "claim"),
    "an option of another nim-sum": (
        "nim/reachability", "nim_sum t = 0).\nProof", "nim_sum t = 1).\nProof", "claim"),
    "no option of the same nim-sum": (
        "nim/zero-sum-moves", "nim_sum t <> 0).\nProof", "nim_sum t <> 1).\nProof", "claim"),
    "heaps of two": (
        "nim/misere-differs-only-at-ones", "h ∈ t -> h = 1)).\nProof", "h ∈ t -> h = 2)).\nProof", "claim"),
    "different sets at every position": (
        "nim/misere-differs-only-at-ones", "(s : position) : wins nim P1 s /\\ ~",
        "(s : position) : nim_sum s = nim_sum s /\\ ~", "claim"),
    "two that are left": (
        "nim/one-large-heap", "t ≡ replace s (largest s) 1).\nProof", "t ≡ replace s (largest s) 2).\nProof", "claim"),
    "two large heaps": (
        "nim/one-large-heap", "(s : position) : count (fun h => 2 <=? h) s = 1 ->",
        "(s : position) : count (fun h => 2 <=? h) s = 2 ->", "claim"),
    "an option of an option": (
        "kl-nim/theorem-14-small", "P1 t t' /\\ nim_sum t' = 0))).\nProof",
        "P2 t t' /\\ nim_sum t' = 0))).\nProof", "claim"),
}  # fmt: skip

# Coq takes a quarter or half of a minute to refuse these.
LONGEST = ("a fact about some positions", "the remainder of a written heap", "heaps of two")


@needs_coq
@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.long] * (x in LONGEST)) for x in FALSE])
def test_a_false_claim_is_no_instance(theory: Path, name: str) -> None:
    assert refused_after(theory, *FALSE[name]) == FALSE[name][-1]


@pytest.mark.parametrize(
    "id",
    ["classics/greedy-nim", "classics/misere-greedy-nim", "bash-nim/multiples", "classics/misere-bash-nim",
     "bash-nim/lemma-2", "classics/small-nim", "classics/cutting", "classics/moore-two-heaps",
     "classics/cyclic-nimhoff"],
)  # fmt: skip
def test_every_obligation_is_proved_by_its_certificate(id: str) -> None:
    text = write(LIBRARY, id)
    assert text.count("vm_cast_no_check") == text.count("Lemma obligation_") >= 9
    assert not any(word in text for word in ("Admitted", "admit.", "Axiom", "Parameter"))


ODD = """
format = 1
title = "An odd number from one of two heaps, or one object"
players = ["A", "B"]
stuck = "loses"
[[moves]]
choose = "any two heaps g, h"
pick = { m = "1..(1 if g < h else 3)" }
where = "m <= g and m % 2 == 1"
become = ["g - m", "h"]
[[moves]]
choose = "any heap h"
become = ["h - 1"]
"""
BY_TOTAL = """
format = 1
ruleset = "odd"
[forall]
s = "position"
[claim]
then = "iff(not wins(s), sum(s) % 2 == 0)"
[scope]
s = { heaps = "0..2", size = "1..2" }
[proof]
rule = "folds"
[proof.folds]
T = "sum(s)"
[proof.loses]
mover = "T % 2 == 0"
[[proof.moves]]
when = "T % 2 == 1"
heap = "any"
take = {}
"""
REFUSED = {
    "moves that are given by cases": BY_TOTAL,
    "named moves with cases": BY_TOTAL.replace('"odd"', '"subtraction(S = {1})"').replace(
        "take = {}", '[[proof.moves.then]]\nwhen = "True"\ntake = { m = "1" }'
    ),
}


@pytest.mark.parametrize("says", REFUSED)
def test_other_moves_are_refused_in_words(tmp_path: Path, says: str) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "odd.toml").write_text(ODD, "utf-8")
    (tmp_path / "odd" / "total.toml").write_text(REFUSED[says], "utf-8")
    with pytest.raises(Unsupported, match=says):
        write(tmp_path, "odd/total")
