"""Heaps picked at the top bit of X ^ k, so that the nim-sum becomes k: valid and invalid proofs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from proofs import FOLDS, NIM, asked, written

from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

FREE = FOLDS.replace('sizes = "< 2^8"', 'rule = "folds"').replace('k = "1..9"', 'k = "0.."')
FREE = FREE.replace("[scope]", '[scope]\nk = "0..3"')
MOVE = """
[proof.folds]
X = "nim_sum(s)"
[[proof.moves]]
when = "X > k"
heap = "top bit of X ^ k"
take = { m = "h - (h ^ X ^ k)" }
to = "anywhere"
"""
LEFT = "any(nim_sum(t) == k for t in options(s))"
ABOVE = "k < nim_sum(s)"
REMAINDERS = MOVE.replace("nim_sum(s)", "nim_sum(h % 4 for h in s)").replace(
    "h - (h ^ X ^ k)", "h % 4 - (h % 4 ^ X ^ k)"
)


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path, rules=NIM)


@pytest.mark.parametrize(
    ("proof", "then", "given"),
    [
        (MOVE, LEFT, ABOVE),
        (MOVE.replace(" k", " 0").replace("k)", "0)"), LEFT.replace("k", "0"), "nim_sum(s) > 0"),
        (
            MOVE.replace("X ^ k", "X ^ (k + j)").replace("> k", "> k + j"),
            LEFT.replace("k", "k + j"),
            "k + j < nim_sum(s)",
        ),
        (REMAINDERS, LEFT.replace("nim_sum(t)", "nim_sum(h % 4 for h in t)"), "k < nim_sum(h % 4 for h in s)"),
    ],
)
def test_a_move_leaves_the_smaller_number(claim: Any, proof: str, then: str, given: str) -> None:
    found = asked(claim(FREE + proof, then, given))
    assert found.decision == "holds", found.detail
    assert "pick top bit: where a nim-sum first differs from a smaller number it has a 1" in {
        o.name for o in found.obligations
    }


@pytest.mark.parametrize(
    ("change", "given"),
    [
        (("", ""), "k != nim_sum(s)"),
        (("", ""), "k <= nim_sum(s)"),
        (("top bit of X ^ k", "top bit of X"), ABOVE),
        (("top bit of X ^ k", "any"), ABOVE),
        (("top bit of X ^ k", "top bit of X ^ j"), ABOVE),
        (("top bit of X ^ k", "top bit of X ^ (k + 1)"), ABOVE),
        (("h - (h ^ X ^ k)", "h - (h ^ X)"), ABOVE),
        (("h - (h ^ X ^ k)", "h - k"), ABOVE),
    ],
)
def test_what_need_not_be_left_is_not_proved(claim: Any, change: tuple[str, str], given: str) -> None:
    found = asked(claim(FREE + MOVE.replace(*change), LEFT, given))
    assert found.decision == "unknown", found.detail
    assert found.detail.startswith("claim: ")


@pytest.mark.slow
def test_a_number_below_0_is_none_that_a_nim_sum_becomes(claim: Any) -> None:
    below = FREE.replace('k = "0.."', 'k = "-3.."')
    found = asked(claim(below + MOVE, LEFT, ABOVE))
    assert found.decision == "unknown"
    assert asked(claim(below + MOVE, LEFT, f"{ABOVE} and k >= 0")).decision == "holds"


def test_what_the_nim_sum_is_to_become_lies_below_the_bound(claim: Any) -> None:
    assert asked(claim(FOLDS + MOVE, LEFT, ABOVE)).decision == "holds"
    found = asked(claim(FOLDS + MOVE.replace("X ^ k", "X ^ (k + j)"), LEFT, ABOVE))
    assert found.decision == "unsupported"
    assert "the top bit of X ^ k + j, because k + j may be outside 0 .. 2^8 - 1" in found.detail


def test_coq_has_no_such_lemma(claim: Any) -> None:
    with pytest.raises(Unsupported, match="chosen at the top bit of X"):
        generate(claim(FREE + MOVE, LEFT, ABOVE))
