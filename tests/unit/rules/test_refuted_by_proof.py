"""An obligation that fails at values which form a case of the claim: the referee's judgement of the case decides."""

import json
from pathlib import Path

import pytest
from commands import ROOT, run_within
from settling import answering, settled, written

from checks.judgement import findings
from checks.judgement.conclusion import decide_verdict
from checks.results.model import Evidence
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from encoders.logic.answer import Decision, Obligation, ObligationStatus, RouteResult

FALSE = '[forall]\nn = "0.."\n[claim]\nthen = "n < 50 or n % 7 != 3"\n[scope]\nn = "0..20"\n'
PARITY = (ROOT / "examples/parity.toml").read_text("utf-8")


def failing(n: int, result: ObligationStatus = ObligationStatus.FAILED, name: str = "n") -> RouteResult:
    values = ((name, n),)
    return RouteResult("grundy", Decision.UNKNOWN, obligations=(Obligation("claim", result, "fails", values=values),))


@pytest.mark.parametrize(
    ("proof", "verdict"),
    [
        (failing(59), Verdict.REFUTED),
        (failing(58), Verdict.INCONCLUSIVE),  # it holds there
        (failing(-4), Verdict.INCONCLUSIVE),  # not a case
        (failing(59, name="m"), Verdict.INCONCLUSIVE),  # of another variable
        (failing(59, ObligationStatus.UNKNOWN), Verdict.INCONCLUSIVE),
    ],
)
def test_only_a_case_that_the_referee_finds_false_refutes(proof: RouteResult, verdict: Verdict, tmp_path: Path) -> None:
    found = settled(written(tmp_path, FALSE), prover=lambda *_: proof)
    assert found.verdict is verdict
    assert (found.finding.counterexample is not None) is (verdict is Verdict.REFUTED)


# -- positions ---------------------------------------------------------------------------------------------------------
HEAPS = """format = 1
title = "own"
players = ["A", "B"]
stuck = "loses"
measure = "sum(h.n + sum(h.c) for h in s)"
[heap]
n = "0.."
c = "list of 0.."
where = "h.n != 7 and 1 // (h.n - 30) <= 1"
gone = "h.n + sum(h.c) == 0"
[[moves]]
choose = "any heap h"
pick = { m = "1..h.n" }
become = [{ n = "h.n - m", c = "h.c" }]
"""
OF_POSITION = """ruleset = "own"
[forall]
s = "position"
[claim]
then = "len(s) == 0 or all(h.n < 20 or len(h.c) != 2 or h.c[1] != 5 for h in s)"
[scope]
s = { heaps = "0..1", n = "0..2", c = { length = "0..1", each = "0..1" } }
"""
NIM = (
    HEAPS[: HEAPS.index("measure")]
    + """
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
become = ["h - m"]
"""
)
OF_NUMBERS = """ruleset = "own"
[forall]
s = "position"
[claim]
then = "sum(s) < 50"
[scope]
s = { heaps = "0..2", size = "1..3" }
"""


def of_heaps(folder: Path, body: str, rules: str = HEAPS) -> Claim:
    (folder / "own.toml").write_text(rules, "utf-8")
    return written(folder, body)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({"h.n": 20, "len(h.c)": 2, "h.c[1]": 5}, Verdict.REFUTED),
        ({"h.n": 30, "len(h.c)": 0}, Verdict.ERROR),  # `where` of [heap] is undefined there
        ({"h.n": 20, "len(h.c)": 2, "h.c[0]": 5}, Verdict.INCONCLUSIVE),  # it holds there
        ({"h.n": 7, "len(h.c)": 2, "h.c[1]": 5}, Verdict.INCONCLUSIVE),  # not a heap of the game
        ({"h.n": 0, "len(h.c)": 0}, Verdict.INCONCLUSIVE),  # gone
        ({"h.n": -20, "len(h.c)": 2, "h.c[1]": 5}, Verdict.INCONCLUSIVE),
        ({"h.n": 20, "len(g.c)": 2, "g.c[1]": 5}, Verdict.INCONCLUSIVE),  # of two heaps
        ({"h.n": 20, "len(h.c)": 10**9, "h.c[1]": 5}, Verdict.INCONCLUSIVE),
        ({"m": 20}, Verdict.INCONCLUSIVE),
    ],
)
def test_the_heap_at_which_an_obligation_fails_is_judged_alone(
    values: dict[str, int], verdict: Verdict, tmp_path: Path
) -> None:
    obligation = Obligation("claim", ObligationStatus.FAILED, "fails", values=tuple(values.items()))
    proof = RouteResult("places", Decision.UNKNOWN, obligations=(obligation,), detail="claim: fails")
    found = settled(of_heaps(tmp_path, OF_POSITION), prover=lambda *_: proof)
    assert found.verdict is verdict, found.finding
    assert (found.finding.counterexample is not None) is (verdict is Verdict.REFUTED)
    assert ("ill-defined at s = (heap(30, []))" in found.finding.error) is (verdict is Verdict.ERROR)
    if verdict is Verdict.ERROR:
        assert found.finding.not_established == "anything: claim: fails"


@pytest.mark.parametrize(
    ("heap", "verdict"), [(60, Verdict.REFUTED), (30, Verdict.INCONCLUSIVE), (0, Verdict.INCONCLUSIVE)]
)
def test_where_heaps_are_numbers_the_chosen_one_is_judged(heap: int, verdict: Verdict, tmp_path: Path) -> None:
    obligation = Obligation("claim", ObligationStatus.FAILED, "fails", values=(("heap", heap), ("element", 1)))
    proof = RouteResult("folds", Decision.UNKNOWN, obligations=(obligation,))
    assert settled(of_heaps(tmp_path, OF_NUMBERS, NIM), prover=lambda *_: proof).verdict is verdict


def test_a_heap_without_a_value_that_the_search_passed_over_is_a_fault(tmp_path: Path) -> None:
    scope = OF_POSITION.replace('n = "0..2"', 'n = "0..31"')
    obligation = Obligation("claim", ObligationStatus.FAILED, "fails", values=(("h.n", 30), ("len(h.c)", 0)))
    proof = RouteResult("places", Decision.UNKNOWN, obligations=(obligation,), detail="claim: fails")
    blind = answering(answer="holds", cases=61, cases_with_hypotheses=61)
    found = settled(of_heaps(tmp_path, scope), blind, prover=lambda *_: proof)
    assert found.verdict is Verdict.INCONSISTENT
    assert "passes over" in found.finding.error and "ill-defined" in found.finding.error


def test_a_case_that_is_too_large_for_the_referee_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "PROOF_STEPS", 0)
    obligation = Obligation("claim", ObligationStatus.FAILED, "fails", values=(("heap", 60),))
    proof = RouteResult("folds", Decision.UNKNOWN, obligations=(obligation,))
    found = settled(of_heaps(tmp_path, OF_NUMBERS, NIM), prover=lambda *_: proof)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_a_smaller_case_is_looked_for_and_none_is_called_the_smallest(tmp_path: Path) -> None:
    found = settled(written(tmp_path, FALSE), prover=lambda *_: failing(80))
    assert dict(found.finding.counterexample.variables) == {"n": 52}
    assert not found.finding.counterexample.smallest
    assert found.finding.not_established == ""


def test_a_case_of_the_scope_that_the_search_passed_over_is_a_fault(tmp_path: Path) -> None:
    made = written(tmp_path, FALSE.replace('"0..20"', '"0..60"'))
    blind = answering(answer="holds", cases=61, cases_with_hypotheses=61)
    found = settled(made, blind, prover=lambda *_: failing(52))
    assert found.verdict is Verdict.INCONSISTENT
    assert "passes over n = 52" in found.finding.error


def test_where_the_search_met_a_limit_the_case_counts_as_well(tmp_path: Path) -> None:
    found = settled(written(tmp_path, FALSE), answering(answer="unknown", detail="late"), prover=lambda *_: failing(59))
    assert found.verdict is Verdict.REFUTED


def test_no_answer_of_a_proof_refutes_without_the_referee() -> None:
    answers = (("exhaustive", Decision.HOLDS), ("grundy", Decision.FAILS))
    told = Evidence("forall", False, answers, cases=9, met=9, confirmed=3, obligations=(ObligationStatus.FAILED,))
    assert decide_verdict(told) is Verdict.INCONCLUSIVE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "odd-nim.toml").write_text((ROOT / "examples/odd-nim.toml").read_text("utf-8"), "utf-8")
    head, proof = PARITY[: PARITY.index("# Two false")], PARITY[PARITY.index("[proof]") :]
    text = (head + proof).replace("== n % 2", "== n % 2 and n < 90").replace('expect = "holds"', 'expect = "refuted"')
    (tmp_path / "far.toml").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.slow
def test_its_receipt_is_replayed_and_its_page_has_no_survey_of_the_scope(folder: Path) -> None:
    done = run_within("run", "far.toml", "--no-cache", "--report", "out", cwd=folder)
    assert done.returncode == 0, done.stdout
    assert "refuted at n = 90\n" in done.stdout
    report = json.loads((folder / "out/report.json").read_text("utf-8"))["claims"][0]
    assert [(r["encoder"], r["answer"]) for r in report["routes"]] == [("exhaustive", "holds"), ("grundy", "fails")]
    assert report["counterexample"]["smallest"] is False
    assert "internal error" not in (folder / "out/index.html").read_text("utf-8")
    for words in ((), ("--rerun",)):
        again = run_within("verify", "out/receipts/far.json", *words, cwd=folder)
        assert again.returncode == 0, again.stderr
        assert "refuted" in again.stdout


@pytest.mark.slow
def test_a_receipt_with_another_case_is_contradicted(folder: Path) -> None:
    from checks.receipts.receipt import seal

    run_within("run", "far.toml", "--no-cache", "--report", "out", cwd=folder)
    path = folder / "out/receipts/far.json"
    data = json.loads(path.read_text("utf-8"))
    data["replay"][0]["variables"] = {"n": 89}
    path.write_text(json.dumps({**data, "seal": seal(data)}), "utf-8")
    assert run_within("verify", "out/receipts/far.json", cwd=folder).returncode == 4
    data["replay"][0]["variables"] = {"n": 90}
    data["referee"]["replays"] = []
    path.write_text(json.dumps({**data, "seal": seal(data)}), "utf-8")
    assert run_within("verify", "out/receipts/far.json", cwd=folder).returncode == 4
