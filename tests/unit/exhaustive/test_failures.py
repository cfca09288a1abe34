"""The failures of a refuted claim: the counts agree with brute force in the test, and the sentences are exact."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import combinations_with_replacement
from operator import xor
from pathlib import Path

import pytest
from library import ENTRIES, Library
from settling import answering, settled, written

from checks.boards import illustrate
from checks.results.model import ClaimResult
from checks.results.shown import Failures, Undrawn
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim, Judgement
from encoders.compute.arrays import limits

REFUTED = """kl-nim/lemma-11 kl-nim/lemma-11-move kl-nim/lemma-13 kl-nim/lemma-13-move kl-nim/n-position-test
    kl-nim/theorem-12-reply bash-nim/final-position bash-nim/heap-choice nim/table-n-n-m-m-misere
    large-nim/theorem-2-case-b large-nim/theorem-3-case-b12 kl-nim/theorem-6-induction-hypothesis""".split()


def failures_of(result: ClaimResult) -> Failures:
    (found,) = (p for p in result.presentation.pictures if isinstance(p, Failures))
    return found


def drawn(claim: Claim) -> ClaimResult:
    return illustrate.illustrate(settled(claim), claim, claim.scope("quick"))


def group(found: Failures, *names: str) -> dict[tuple[int, ...], tuple[int, int]]:
    (groups,) = (groups for by, groups in found.by if by == names)
    return {key: (failing, met) for key, failing, met in groups}


# -- Lemma 11, by hand ------------------------------------------------------------------------------------------------
def options(s: tuple[int, ...], forbidden: int) -> set[tuple[int, ...]]:
    """Return the options of K-L-Nim: any number from one heap, except `forbidden`."""
    found = set()
    for i, h in enumerate(s):
        for left in range(h):
            if h - left != forbidden:
                found.add(tuple(sorted(x for x in (*s[:i], left, *s[i + 1 :]) if x)))
    return found


def is_defective(s: tuple[int, ...], forbidden: int) -> bool:
    return reduce(xor, s, 0) != 0 and all(reduce(xor, t, 0) != 0 for t in options(s, forbidden))


@pytest.mark.slow
def test_the_figures_of_lemma_11_are_those_of_a_brute_force(library: Library) -> None:
    found = failures_of(library("kl-nim/lemma-11"))
    met: Counter[tuple[int, int]] = Counter()
    failing: list[tuple[tuple[int, ...], int, int]] = []
    positions = [s for n in range(5) for s in combinations_with_replacement(range(1, 11), n)]
    for k in range(1, 10):
        for l in range(k + 1, 11):
            for s in positions:
                if is_defective(s, l):
                    met[k, l] += 1
                    if not any(is_defective(t, k) for t in options(s, l)):
                        failing.append((s, k, l))
    assert (found.failing, found.met, found.undefined) == (len(failing), sum(met.values()), 0)
    by_pair, by_heaps = Counter((k, l) for _, k, l in failing), Counter(len(s) for s, _, _ in failing)
    assert group(found, "k", "l") == {pair: (by_pair[pair], met[pair]) for pair in met}
    assert {n: f for (n,), (f, _) in group(found, "number of heaps of s").items()} == {
        n: by_heaps[n] for n in range(1, 5)
    }
    failing.sort(key=lambda x: (len(x[0]), sum(x[0]), x[0], x[1], x[2]))
    assert found.next == tuple((("k", str(k)), ("l", str(l)), ("s", str(s))) for s, k, l in failing[1:5])


def test_what_matters_of_lemma_11(library: Library) -> None:
    assert failures_of(library("kl-nim/lemma-11")).matters == (
        "k: with l = 4, s = (2, 2, 4), of 1..3, only 3 fails; the others hold.",
        "l: with k = 3, s = (2, 2, 4), of 4..10, only 4 fails; the others do not satisfy the hypotheses.",
        "s: with k = 3, l = 4 it fails for 7 of the 119 positions that satisfy the hypotheses.",
    )


def test_a_single_position_is_not_called_each_of_one(library: Library) -> None:
    told = failures_of(library("bash-nim/final-position")).matters
    assert told[-1] == "s: with k = 1 it fails for the only position that satisfies the hypotheses."


@pytest.mark.parametrize("id", REFUTED)
def test_the_counts_agree_with_the_verdict(id: str, library: Library) -> None:
    result = library(id)
    found = failures_of(result)
    assert 1 <= found.failing <= found.met and len(found.next) == min(4, found.failing - 1)
    assert found.met >= result.finding.cases_with_hypotheses
    if id not in ("large-nim/theorem-3-case-b12", "bash-nim/heap-choice"):  # their cases were not all examined
        assert found.met == result.finding.cases_with_hypotheses
    for _, groups in found.by:
        assert (sum(g[1] for g in groups), sum(g[2] for g in groups)) == (found.failing, found.met)


# -- other kinds of claims --------------------------------------------------------------------------------------------
def test_sets_players_and_cases_without_a_value(tmp_path: Path) -> None:
    claim = written(
        tmp_path,
        """
        ruleset = "nim"
        [forall]
        A = "subsets of 1..3"
        p = "player"
        n = "0..4"
        [claim]
        then = "len(A) != 2 or p == P1 or 6 // (n - 1) > 0"
        """,
    )
    found = failures_of(drawn(claim))  # n = 0: -6 fails; n = 1: divided by zero
    assert (found.failing, found.met, found.undefined) == (3, 2 * 8 * 5 - 3, 3)
    assert found.next[0] == (("A", "{1, 3}"), ("p", "P2"), ("n", "0"))
    assert found.matters == (
        "A: with p = P2, n = 0 it fails for 3 of the 8 values in the scope.",
        "p: with A = {1, 2}, n = 0 it fails for 1 of the 2 values in the scope.",
        "n: with A = {1, 2}, p = P2, of 0, 2..4, only 0 fails; the others hold.",
    )


@pytest.mark.slow
def test_a_scope_in_many_frames_is_counted_alike(monkeypatch: pytest.MonkeyPatch, library: Library) -> None:
    from encoders.proving.reading import load_claim

    claim = load_claim(ENTRIES["kl-nim/lemma-13"].path, "kl-nim/lemma-13")
    monkeypatch.setattr(limits, "MAX_CELLS", 4000)
    assert failures_of(drawn(claim)) == failures_of(library("kl-nim/lemma-13"))


SIMPLE = """
    [forall]
    x = "0.."
    [claim]
    then = "x < 3"
    [scope]
    x = "0..8"
    """


def test_a_failure_that_the_referee_denies_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrate, "judge_case", lambda *_: (Judgement.HOLDS, ""))
    result = drawn(written(tmp_path, SIMPLE))
    (left_out,) = result.presentation.pictures
    assert isinstance(left_out, Undrawn) and "the referee finds: holds" in left_out.reason
    assert result.verdict is Verdict.REFUTED


def test_what_the_referee_cannot_judge_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrate, "judge_case", lambda *_: (Judgement.TOO_LARGE, ""))
    found = failures_of(drawn(written(tmp_path, SIMPLE)))
    assert (found.failing, found.next) == (6, ())


def test_another_smallest_counterexample_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrate, "read_case", lambda *_: {"x": 5})
    (left_out,) = drawn(written(tmp_path, SIMPLE)).presentation.pictures
    assert isinstance(left_out, Undrawn) and "[{'x': 3}]" in left_out.reason


def test_a_counterexample_that_is_not_called_the_smallest_has_no_survey(tmp_path: Path) -> None:
    claim = written(tmp_path, SIMPLE)
    fields = {"counterexample": {"x": 5}, "cases": 9, "cases_with_hypotheses": 9}
    for smallest in (True, False):
        result = settled(claim, answering(answer="fails", smallest=smallest, **fields))
        assert result.verdict is Verdict.REFUTED and result.finding.counterexample.smallest is smallest
        pictures = illustrate.illustrate(result, claim, claim.scope("quick")).presentation.pictures
        assert bool(pictures) is smallest  # a survey with another smallest failure reports an internal error


def test_what_takes_too_long_is_left_out_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrate, "SECONDS", -1.0)
    result = drawn(written(tmp_path, SIMPLE))
    assert result.presentation.pictures == (Undrawn("where it fails", "the pictures take more than -1 seconds"),)
    assert result.verdict is Verdict.REFUTED
