"""A budget ends any search at the first reading of the clock past it, and the result states the covered part.

Time is the number of readings of the clock, so nothing depends on the machine.
"""

from pathlib import Path

import pytest
from proofs import HEAD

from checks.receipts.enumeration import list_cases
from checks.referee.judge import Referee
from claims.language.files.claim import Claim
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.limits import Deadline
from encoders.compute.exhaustive import decide_by_search
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim

TAKE = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
PAIR = '[[moves]]\nchoose = "any two heaps g, h"\npick = { m = "1..min(g, h)" }\nbecome = ["g - m", "h - m"]\n'
SPLIT = '[[moves]]\nchoose = "any heap h"\npick = { m = "0..h - 1" }\nbecome = ["m", "h - 1 - m"]\n'
NUMBERS, POSITIONS = 'n = "0.."', 's = "position"'
SCOPES = {NUMBERS: 'n = "0..60"', POSITIONS: 's = { heaps = "0..3", size = "1..7" }'}
CLAIMS = {
    "winners": (TAKE, POSITIONS, "wins(s) == (nim_sum(s) > 0)"),
    "values": (TAKE, POSITIONS, "grundy(s) == nim_sum(s)"),
    "moves": (TAKE + PAIR, POSITIONS, "iff(wins(s), grundy(s) > 0)"),
    "options": (
        TAKE,
        POSITIONS,
        "all(any(nim_sum(u) == 0 for u in options(t)) or nim_sum(t) == 0 for t in options(s))",
    ),
    "heaps": (SPLIT, NUMBERS, "grundy(position([n])) >= 0"),
    "one heap": (TAKE, NUMBERS, "grundy(position([n])) == n"),
    "numbers": (TAKE, NUMBERS, "sum(i for i in range(n + 1)) * 2 == n * (n + 1)"),
}


class Ticks:
    """A clock that advances by 1 with each reading."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks


@pytest.fixture
def claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Claim:
    for name, value in (("AT_ONCE", 50), ("FIRST", 50), ("GROWTH", 4)):
        monkeypatch.setattr(slabs, name, value)
    moves, variables, then = CLAIMS[request.param]
    (tmp_path / "mine.toml").write_text(f'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n{moves}')
    path = tmp_path / "claim.toml"
    path.write_text(
        f'{HEAD}ruleset = "mine"\n[forall]\n{variables}\n[claim]\nthen = "{then}"\n[scope]\n{SCOPES[variables]}\n'
    )
    return load_claim(path, "claim")


@pytest.mark.parametrize("claim", CLAIMS, indirect=True)
@pytest.mark.slow
def test_no_engine_goes_on_past_its_budget(claim: Claim) -> None:
    scope = claim.scope("quick")
    ticks = Ticks()
    assert decide_by_search(claim, scope, clock=Deadline(10**9, ticks)).decision is Decision.HOLDS
    looks, covered = ticks.looks, 0
    assert looks > 20
    for budget in {*range(12), *range(12, looks - 1, max(1, looks // 20)), looks - 2}:
        ticks = Ticks()
        answer = decide_by_search(claim, scope, clock=Deadline(budget, ticks))
        assert ticks.looks == budget + 2  # the first reading sets the deadline; the last one is past it
        assert answer.decision is Decision.UNKNOWN
        assert "out of time after" in answer.detail
        if answer.searched_scope is not None:
            covered += 1
            cases = list(list_cases(claim, answer.searched_scope, Referee(claim, 10**8)))
            assert 0 < len(cases) <= answer.cases
            assert all(case in list(list_cases(claim, scope, Referee(claim, 10**8))) for case in cases)
    assert covered >= 10


@pytest.mark.parametrize("claim", ["winners"], indirect=True)
@pytest.mark.slow
def test_of_what_was_found_when_time_ran_out_nothing_is_lost(claim: Claim, tmp_path: Path) -> None:
    text = (tmp_path / "claim.toml").read_text()
    (tmp_path / "claim.toml").write_text(
        text.replace("(nim_sum(s) > 0)", "(nim_sum(s) > 0 or s == position([1, 2, 3]))")
    )
    claim = load_claim(tmp_path / "claim.toml", "claim")
    ticks, scope = Ticks(), claim.scope("quick")
    assert decide_by_search(claim, scope, clock=Deadline(10**9, ticks)).counterexample == {"s": (1, 2, 3)}
    told = [decide_by_search(claim, scope, clock=Deadline(budget, Ticks())) for budget in range(ticks.looks - 1)]
    assert all(x.decision is Decision.UNKNOWN and x.counterexample is None for x in told)
    found = [x for x in told if "a counterexample was found at s = (1, 2, 3), but smaller ones may exist" in x.detail]
    assert found
    assert all(x.searched_scope is None for x in found)  # a box with a counterexample is never reported as free of them
