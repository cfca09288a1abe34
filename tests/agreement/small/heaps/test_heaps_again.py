"""A single heap that is too large to be played: a replay computes its table again, and the referee verifies it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from proofs import HEAD

from checks.command.replay import Disagreement, replay
from checks.execution.settle import settle_entry
from checks.judgement import findings as heaps_again
from checks.judgement.findings import judge_case, tabulate_again
from checks.judgement.scopes import Options
from checks.receipts.receipt import make_receipt
from checks.results.verdicts import Verdict
from claims.language.files.claim import Judgement
from claims.language.files.library import select
from encoders.compute.arrays import beyond_scope as single
from encoders.proving.reading import load_claim

pytestmark = pytest.mark.slow

RULES = """format = 1
title = "R"
players = ["A", "B"]
parameters = { k = "1.." }
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "k..h // 2" }
become = ["h - m"]
"""
QUESTIONS = {"grundy": "grundy(position([n])) < 0", "wins": "not wins(position([n]))"}
LARGE = 1000  # it has more options than a replay evaluates


@pytest.fixture(scope="module", params=QUESTIONS)
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("half")
    (folder / "half.toml").write_text(RULES)
    claim = (
        f'ruleset = "half(k = 1)"\n[forall]\nn = "0.."\n[claim]\nthen = "n < {LARGE} or {QUESTIONS[request.param]}"\n'
    )
    (folder / "claim.toml").write_text(f'{HEAD}{claim}[scope]\nn = "0..{LARGE}"\n')
    return folder / "claim.toml"


@pytest.fixture(scope="module")
def receipt(path: Path) -> Path:
    (entry,) = select((str(path),))
    found = settle_entry(entry, Options())
    assert found.verdict is Verdict.REFUTED
    written = path.with_name("receipt.json")
    written.write_text(json.dumps(make_receipt(found, entry, Options(), "0")))
    return written


def test_a_replay_confirms_it(receipt: Path) -> None:
    found = replay(receipt)
    assert found.confirmed, found.lines
    assert f"the claim fails at n = {LARGE}" in " ".join(found.lines)


def test_without_a_table_it_is_too_large(path: Path) -> None:
    claim, case = load_claim(path, "claim"), {"n": LARGE}
    assert judge_case(claim, case, False, 200_000)[0] is Judgement.TOO_LARGE
    assert judge_case(claim, case, False, 200_000, tables=tabulate_again(claim, case))[0] is Judgement.FAILS


def test_a_wrong_table_is_not_believed(receipt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve = single.HeapsAlone.solve

    def wrong(self: single.HeapsAlone, question: str, size: int) -> Sequence:
        rows = solve(self, question, size).copy()
        rows[0, LARGE + 1] ^= 1
        return rows

    monkeypatch.setattr(single.HeapsAlone, "solve", wrong)
    with pytest.raises(Disagreement, match="a table of single heaps is wrong"):
        replay(receipt)


def test_of_heaps_beyond_the_table_nothing_is_said(receipt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heaps_again, "MOST", LARGE - 1)
    found = replay(receipt)
    assert not found.confirmed
    assert any("too large to judge without a run" in line for line in found.lines)
