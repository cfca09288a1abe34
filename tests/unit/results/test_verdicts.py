"""The list of verdicts: those that pass and fail, and the exit code of a run with several of them."""

import pytest

from checks.results.verdicts import EXPECTED, Verdict, exit_code, matches_expectation
from claims.language.files.claim import EXPECTATIONS

# verdict: (holds, the exit code if the file expects: nothing, that it holds, a refutation, a proof)
TABLE = {
    Verdict.PROVED: (True, 0, 0, 1, 0),
    Verdict.VERIFIED: (True, 0, 0, 1, 1),
    Verdict.REFUTED: (False, 1, 1, 0, 1),
    Verdict.VACUOUS: (None, 1, 1, 1, 1),
    Verdict.INCONCLUSIVE: (None, 3, 3, 3, 3),
    Verdict.ERROR: (None, 2, 2, 2, 2),
    Verdict.INCONSISTENT: (None, 4, 4, 4, 4),
}


def test_the_table_is_complete_and_from_best_to_worst() -> None:
    assert list(TABLE) == list(Verdict)
    assert [v.rank for v in TABLE] == list(range(len(TABLE)))


@pytest.mark.parametrize("verdict", TABLE)
def test_what_a_verdict_means_for_the_run(verdict: Verdict) -> None:
    holds, *codes = TABLE[verdict]
    assert verdict.holds is holds
    for expected, code in zip((None, "holds", "refuted", "proved"), codes, strict=True):
        assert exit_code([(verdict, matches_expectation(verdict, expected))]) == code, expected


@pytest.mark.parametrize("verdict", TABLE)
def test_only_a_settled_claim_can_come_out_as_expected(verdict: Verdict) -> None:
    assert matches_expectation(verdict, None) is None
    assert matches_expectation(verdict, "holds") is (verdict.holds is True)
    assert matches_expectation(verdict, "refuted") is (verdict.holds is False)
    assert matches_expectation(verdict, "proved") is (verdict is Verdict.PROVED)
    assert set(EXPECTED) == set(EXPECTATIONS)


def test_the_worst_claim_decides_wherever_it_stands() -> None:
    run = [(verdict, None) for verdict in Verdict]
    assert exit_code(run) == exit_code(run[::-1]) == 4
    assert exit_code([(Verdict.VACUOUS, None), (Verdict.PROVED, None)]) == 1
    assert exit_code([]) == 0
