"""Heaps that are written in a game call are looked up in a table. The answers are those of numbered positions."""

from pathlib import Path

import pytest
from settling import written

from encoders.compute.arrays import board, search
from encoders.compute.arrays.board import GameSolver
from encoders.compute.exhaustive import decide_by_search
from encoders.logic.answer import Decision, RouteResult

CLAIMS = [  # a ruleset, a claim about n and k, the decision
    ("kayles", "grundy(position([n])) < 9", Decision.HOLDS),
    ("kayles", "grundy(position([n])) != 4 or n < 20", Decision.FAILS),
    ("kayles", "wins(position([n])) or n == 0", Decision.HOLDS),
    ("kayles", "terminal(position([n])) == (n == 0)", Decision.HOLDS),
    ("kayles", "outcome(position([n])) == N_position or n * k == 0", Decision.HOLDS),
    ("kayles", "wins(position([n - 3])) or n == 3", Decision.UNKNOWN),  # ill-defined below 3
    ("kayles", "n < 3 or wins(position([n - 3])) or n == 3", Decision.HOLDS),
    ("kayles", "n < 9 or n % k == 0 or wins(position([n // (n % k)]))", Decision.UNKNOWN),
    ("nim", "grundy(position([n])) == n and grundy(position([n + k])) == n + k", Decision.HOLDS),
    ("nim", "grundy(position([n * 4611686018427387904])) == 0 or n > 0", Decision.UNKNOWN),
]


def decide(folder: Path, ruleset: str, then: str) -> RouteResult:
    text = f'[forall]\nn = "0.."\nk = "0.."\n[claim]\nthen = "{then}"\n[scope]\nn = "0..150"\nk = "0..3"\n'
    claim = written(folder, f'ruleset = "{ruleset}"\n{text}')
    return decide_by_search(claim, claim.scope("quick"))


@pytest.mark.parametrize(("ruleset", "then", "decision"), CLAIMS)
def test_a_table_answers_as_numbered_positions_do(
    ruleset: str, then: str, decision: Decision, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "SMALL", 0)
    monkeypatch.setattr(search, "FEW_CELLS", 50)
    found = decide(tmp_path, ruleset, then)
    monkeypatch.setattr(GameSolver, "_ask_written", lambda *_: None)
    monkeypatch.setattr(GameSolver, "reads_table", lambda *_: False)
    numbered = decide(tmp_path, ruleset, then)
    assert found.decision is numbered.decision
    assert (found.cases, found.cases_with_hypotheses) == (numbered.cases, numbered.cases_with_hypotheses)
    assert (found.counterexample, found.ill_defined) == (numbered.counterexample, numbered.ill_defined)
    if numbered.decision is not decision:
        pytest.fail(f"{numbered.decision}: {numbered.detail}")
