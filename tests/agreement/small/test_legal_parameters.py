"""If a parameter is outside its domain, there is no game: every route reports that the claim is ill-defined there.

This also holds if no function of the game is called. The search, by the engine and case by case, and the constraints
have rows among the small claims as well.
"""

from pathlib import Path

import pytest
from proofs import HEAP_BY_HEAP, asked, written

from checks.judgement.findings import judge_case
from claims.language.files.claim import Judgement
from encoders.bounded.encoder import decide_by_smt as bounded
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.logic.answer import Decision, ObligationStatus

MOVES = 'parameters = {{ k = "{}" }}\n[[moves]]\nchoose = "any heap h"\npick = {{ m = "1..h" }}\nbecome = ["h - m"]\n'
INSIDE, OUTSIDE = MOVES.format("0.."), MOVES.format("1..")
"""Nim: k does not affect play, so that only its domain matters."""

NUMBERS = '[forall]\nk = "0.."\nn = "0.."\n[scope]\nk = "0..3"\nn = "0..3"\n'
POSITIONS = '[forall]\nk = "0.."\ns = "position"\n[scope]\nk = "0..3"\ns = { heaps = "0..2", size = "1..3" }\n'
OF_HEAPS = HEAP_BY_HEAP + 'heap = "n"\n'
PROOFS = {
    "grundy": (NUMBERS + OF_HEAPS, "grundy(position([n])) == n"),
    "folds": (
        POSITIONS
        + """
[proof]
[proof.folds]
X = "nim_sum(s)"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
""",
        "iff(wins(s), nim_sum(s) != 0)",
    ),
}


@pytest.mark.parametrize("given", ["", "k >= 1"])
@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_asks_for_them_and_so_do_the_searches(name: str, given: str, tmp_path: Path) -> None:
    body, then = PROOFS[name]
    claim = written(tmp_path, body, then, given, OUTSIDE)
    scope = claim.scope("quick")
    found = exhaustive(claim, scope)
    assert found.decision is Decision.UNKNOWN
    assert found.ill_defined is not None
    assert found.ill_defined["k"] == 0
    judged, why = judge_case(claim, found.ill_defined, sums=False)
    assert (judged, why) == (Judgement.ILL_DEFINED, "k = 0 is outside 1.., the domain of this parameter in mine")
    assert bounded(claim, scope).decision is Decision.UNKNOWN
    failed = [o.name for o in asked(claim).obligations if o.result is not ObligationStatus.PROVED]
    assert len(failed) == 1
    assert failed[0].startswith("parameters")


@pytest.mark.parametrize("name", PROOFS)
def test_inside_all_of_them_agree_that_it_holds(name: str, tmp_path: Path) -> None:
    body, then = PROOFS[name]
    claim = written(tmp_path, body, then, "", INSIDE)
    scope = claim.scope("quick")
    assert exhaustive(claim, scope).decision is Decision.HOLDS
    assert bounded(claim, scope).decision is Decision.HOLDS
    assert asked(claim).decision is Decision.HOLDS


def test_a_game_that_nobody_asks_is_asked_for_by_a_proof_too(tmp_path: Path) -> None:
    claim = written(tmp_path, NUMBERS + OF_HEAPS, "n + k >= 0", "", OUTSIDE)
    assert [o.name for o in asked(claim).obligations if o.result is not ObligationStatus.PROVED] == ["parameters"]
