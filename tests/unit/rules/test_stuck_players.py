"""Misère play in which a mover may be stuck although there are heaps, and then wins: valid and invalid proofs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from library import posed
from proofs import FOLDS, LIBRARY, MISERE, RULES, asked, written

from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

FREE = FOLDS.replace('sizes = "< 2^8"', 'rule = "folds"')
WHOLE_FROM_TWO = '[[moves]]\nchoose = "any heap h"\nwhere = "h >= 2"\nbecome = ["0"]\n'
PAIRS = '[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["0", "0"]\n'
TAKE_ONE = """
[proof.folds]
n = "len(s)"
c = "count(h >= 2 for h in s)"
[proof.loses]
mover = "c % 2 == 1"
[[proof.moves]]
when = "c % 2 == 0 and c > 0"
heap = "any with h >= 2"
[[proof.moves]]
when = "c % 2 == 1"
heap = "any with h >= 2"
to = "anywhere"
"""
TAKE_A_PAIR = """
[proof.folds]
n = "len(s)"
[proof.loses]
mover = "n % 4 >= 2"
[[proof.moves]]
when = "n % 4 <= 1 and n >= 4"
heap = "any"
[[proof.moves.then]]
when = "True"
heap = "any"
[[proof.moves]]
when = "n >= 2"
heap = "any"
to = "anywhere"
[[proof.moves.then]]
when = "True"
heap = "any"
"""
ONE_HEAP = """
[forall]
x = "0.."
[scope]
x = "0..3"
[proof]
rule = "few heaps"
heaps = ["a"]
[proof.loses]
mover = "a == 1"
[[proof.moves]]
when = "a >= 2 and a != 41"
heaps = ["a"]
take = { m = "a - 1" }
[[proof.moves]]
when = "a == 1"
heaps = ["a"]
take = { m = "1" }
to = "anywhere"
"""
NOT_41 = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nwhere = "h != 41"\nbecome = ["h - m"]\n'
ODD, BY_PAIRS = "iff(not wins(s), count(h >= 2 for h in s) % 2 == 1)", "iff(wins(s), len(s) % 4 <= 1)"
NOT_ONE = "iff(wins(position([x])), x != 1)"


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path, head=MISERE)


@pytest.mark.parametrize(
    ("body", "then", "rules"),
    [
        (FREE + TAKE_ONE, ODD, WHOLE_FROM_TWO),
        (FREE + TAKE_A_PAIR, BY_PAIRS, PAIRS),
        (ONE_HEAP, NOT_ONE, NOT_41),
    ],
)
def test_who_is_stuck_with_heaps_left_wins(claim: Any, body: str, then: str, rules: str) -> None:
    found = asked(claim(body, then, rules=rules))
    assert found.decision == "holds", found.detail


@pytest.mark.parametrize(
    ("body", "then", "rules", "change", "fails"),
    [
        # a position that is not lost has a reply if there is a move
        (TAKE_ONE, ODD, WHOLE_FROM_TWO, ("c % 2 == 0 and c > 0", "c % 2 == 0 and c > 2"), "cases cover"),
        (TAKE_ONE, ODD, WHOLE_FROM_TWO, ("c % 2 == 0 and c > 0", "c % 2 == 0 and n > 0"), "reply 1: heap"),
        (TAKE_ONE, ODD, WHOLE_FROM_TWO, ("c % 2 == 0 and c > 0", "c == 1"), "cases cover"),
        (TAKE_ONE, ODD, WHOLE_FROM_TWO.replace("h >= 2", "h >= 1"), ("", ""), "closed"),
        (TAKE_ONE, ODD, WHOLE_FROM_TWO + WHOLE_FROM_TWO.replace("h >= 2", "h == 1"), ("", ""), "closed"),
        (TAKE_A_PAIR, BY_PAIRS, PAIRS, ("n % 4 <= 1 and n >= 4", "n % 4 == 1 and n >= 4"), "cases cover"),
        (TAKE_A_PAIR, BY_PAIRS, PAIRS, ("n % 4 <= 1 and n >= 4", "n == 4 or n == 5"), "cases cover"),
    ],
)
def test_who_is_not_is_owed_a_reply(
    claim: Any, body: str, then: str, rules: str, change: tuple[str, str], fails: str
) -> None:
    changed = body.replace(*change)
    assert changed != body or change == ("", "")
    found = asked(claim(FREE + changed, then, rules=rules))
    assert found.decision == "unknown"
    assert fails in {o.name for o in found.obligations if o.result != "proved"}, found.detail


@pytest.mark.parametrize(("body", "then", "rules"), [(TAKE_ONE, ODD, WHOLE_FROM_TWO), (TAKE_A_PAIR, BY_PAIRS, PAIRS)])
def test_under_normal_play_who_is_stuck_loses(tmp_path: Path, body: str, then: str, rules: str) -> None:
    """The same games end differently: the invariant for misère play calls such positions won."""
    found = asked(written(tmp_path, FREE + body, then, rules=rules, head=RULES))
    assert found.decision == "unknown"
    assert found.detail.startswith("cases cover: ")


@pytest.mark.slow
def test_where_replies_cover_all_positions_with_heaps_nothing_is_asked_of_moves() -> None:
    for id in ("nim/misere", "classics/misere-greedy-nim", "classics/misere-moore-two-heaps"):
        (covered,) = (x for x in posed(id) if x.name == "cases cover")
        assert not any("option" in v.name for v in covered.variables)


def test_coq_has_no_theory_of_it(tmp_path: Path) -> None:
    body = FREE.replace("count(h >= 2 for h in s)", "").replace(
        '[define]\n"low(x)" = "nim_sum(position([x - 5]))"\n', ""
    )
    claim = written(tmp_path, body + TAKE_ONE, ODD, rules=WHOLE_FROM_TWO, head=MISERE)
    with pytest.raises(Unsupported, match="no theorem is generated for games in which a player can be stuck"):
        generate(claim)
    assert generate(load_claim(LIBRARY / "nim" / "misere.toml", "nim/misere")).text
