"""Proofs of statements about single moves: found for true claims, and for no false variant of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_stated_proofs import BASH, LIST, NIM, THREE, UNEQUAL, Posed

from encoders.compute.arrays.limits import Deadline
from encoders.search.find import attempt
from encoders.search.proofs import ClaimFile
from encoders.search.stated_options import list_option_proofs

BASHES = ('k = "1.."', *LIST)
PAIR = ('a = "0.."', 'b = "a.."')
BOTH = ('b = "1.."', 'a = "b + 1.."', *LIST)
ZERO = "any(nim_sum(t) == 0 for t in options(s))"
ZERO_BY_K = "any(nim_sum(h % (k + 1) for h in t) == 0 for t in options(s))"
X_BY_K = "nim_sum(h % (k + 1) for h in s)"
TOP = "bit(h, top_bit(nim_sum(s))) == 1"

TRUE = {
    "some option has the nim-sum 0": Posed(NIM, LIST, ZERO, "nim_sum(s) != 0"),
    "no option has the nim-sum 0": Posed(NIM, LIST, f"not {ZERO}", "nim_sum(s) == 0"),
    "no move is left": Posed(NIM, LIST, "len(s) == 0 and nim_sum(s) == 0", "terminal(s)"),
    "by remainders": Posed(BASH, BASHES, ZERO_BY_K, f"{X_BY_K} != 0", call="mine(k = k)"),
    "two heaps": Posed(NIM, PAIR, "any(nim_sum(t) == 0 for t in options(position([a, b])))", "a < b"),
    "a heap with the top bit": Posed(NIM, LIST, f"any({TOP} for h in s)", "nim_sum(s) != 0"),
    "Left takes one": Posed(UNEQUAL, BOTH, "not terminal(s, Left)", "len(s) >= 1", call="mine(a = a, b = b)"),
}
FALSE = {
    "some option of every position": Posed(NIM, LIST, ZERO),
    "some option, at another sum": Posed(NIM, LIST, ZERO, "sum(s) != 0"),
    "some option, false far away": Posed(NIM, LIST, ZERO, "nim_sum(s) != 0 or nim_sum(s) == 0 and sum(s) == 5000"),
    "no option of any position": Posed(NIM, LIST, f"not {ZERO}", "len(s) >= 2"),
    "a move is left": Posed(NIM, LIST, "len(s) == 1", "terminal(s)"),
    "a move on three heaps is left": Posed(THREE, LIST, "not terminal(s)", "len(s) >= 0"),
    "by other remainders": Posed(
        BASH,
        BASHES,
        ZERO_BY_K.replace("k + 1", "k + 2"),
        f"{X_BY_K.replace('k + 1', 'k + 2')} != 0",
        call="mine(k = k)",
    ),
    "two equal heaps": Posed(NIM, PAIR, "any(nim_sum(t) == 0 for t in options(position([a, b])))", "a <= b"),
    "every heap has the top bit": Posed(NIM, LIST, f"all({TOP} for h in s)", "nim_sum(s) != 0"),
    "Right takes more than b": Posed(
        UNEQUAL,
        BOTH,
        "any(sum(t) == sum(s) - b - 1 for t in options(s, Right))",
        "max(s) > b",
        call="mine(a = a, b = b)",
    ),
}


def is_proved(posed: Posed, folder: Path) -> bool:
    claim, path = posed.write(folder)
    drafts = list(list_option_proofs(claim))
    assert drafts
    return any(attempt(ClaimFile(claim, path), draft, Deadline(600), first=True).is_proved for draft in drafts)


@pytest.mark.parametrize("posed", TRUE.values(), ids=TRUE)
def test_a_true_statement_about_moves_is_proved(tmp_path: Path, posed: Posed) -> None:
    assert is_proved(posed, tmp_path)


@pytest.mark.parametrize("posed", FALSE.values(), ids=FALSE)
def test_no_false_statement_about_moves_is_proved(tmp_path: Path, posed: Posed) -> None:
    assert not is_proved(posed, tmp_path)


def test_a_statement_about_who_wins_is_left_to_the_other_searches(tmp_path: Path) -> None:
    claim, _ = Posed(NIM, LIST, f"iff(wins(s), {ZERO})").write(tmp_path)
    assert not list(list_option_proofs(claim))
