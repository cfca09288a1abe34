"""Conjunctive Nim: a move is in w heaps at once. Who finds w heaps takes them whole, for each w by itself."""

from pathlib import Path

import pytest
from proofs import HEAD, asked

from encoders.answer import Answer
from encoders.proving.reading import load_claim

RULES = """format = 1
title = "Conjunctive Nim"
players = ["A", "B"]
parameters = { w = "1.." }
stuck = "loses"
[[moves]]
choose = "each of w..w heaps h"
pick = { m = "1..h" }
become = ["h - m"]
"""
CLAIM = """ruleset = "conjunctive(w = {w})"
[forall]
{number}s = "position"
[claim]
if = "len(s) <= {w}"
then = "iff(wins(s), len(s) {sign} {w})"
[scope]
s = {{ heaps = "0..2", size = "1..2" }}
"""


def proof(w: int) -> str:
    heaps = "abcd"[:w]
    take = ", ".join(f'm{i if i > 1 else ""} = "{h}"' for i, h in enumerate(heaps, 1))
    return f"""[proof]
rule = "few heaps"
heaps = {list(heaps)}
[proof.loses]
mover = "a == 0"
[[proof.moves]]
when = "a >= 1"
heaps = {list(heaps)}
take = {{ {take} }}
"""


def settled(folder: Path, most: int, last: int, sign: str = "==") -> Answer:
    """The claim for w from 1 on, by cases of each up to `last`."""
    (folder / "conjunctive.toml").write_text(RULES)
    for w in range(1, last + 1):
        own = CLAIM.format(w=w, number="", sign=sign) + proof(w)
        (folder / f"of-{w}.toml").write_text(HEAD + own.replace("'", '"'))
    cases = "".join(f'[[proof.cases]]\nwhen = "w == {w}"\nfrom = "of-{w}"\n' for w in range(1, last + 1))
    number = f'w = "1..{most}"\n'
    (folder / "claim.toml").write_text(HEAD + CLAIM.format(w="w", number=number, sign=sign) + cases)
    return asked(load_claim(folder / "claim.toml", "claim"))


@pytest.mark.parametrize("most", [2, 3])
@pytest.mark.slow
def test_for_each_number_of_heaps_up_to_a_bound_it_is_proved(most: int, tmp_path: Path) -> None:
    found = settled(tmp_path, most, most)
    assert found.answer == "holds", found.detail
    assert all(x.certificate is not None for x in found.obligations)


def test_for_a_number_without_its_case_nothing_is_shown(tmp_path: Path) -> None:
    found = settled(tmp_path, 2, 1)
    assert found.answer == "unknown"
    assert "cases cover: fails at w = 2" in found.detail


@pytest.mark.slow
def test_a_false_claim_is_not_proved(tmp_path: Path) -> None:
    assert settled(tmp_path, 1, 1, "<").answer == "unknown"
