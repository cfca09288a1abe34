"""Statements that hold below 2^62 but not above: proved within that bound, rejected without a bound."""

from pathlib import Path

import pytest
from proofs import QUICK, asked, written

from checks.execution.settle import settle_entry
from checks.results.verdicts import Verdict
from checks.results.wording import limit_texts
from claims.language.files.library import select
from encoders.logic.answer import Decision, RouteResult

TOP = 1 << 62  # the least number that exceeds the words of a bounded proof
BODY = """
[forall]
n = "0.."
m = "0.."
s = "position"
[scope]
n = "0..3"
m = "0..3"
s = { heaps = "0..2", size = "1..3" }
[proof]
"""
BOUNDED = 'sizes = "< 2^62"\n'
UNBOUNDED = 'rule = "folds"\n'
CLAIMS = [
    f"n < {TOP}",
    f"nim_sum(s) < {TOP}",
    f"n ^ m <= {TOP - 1}",
    f"bit_and(n, {TOP}) == 0",
    f"(n ^ {TOP}) == n + {TOP}",
    f"(n ^ {TOP}) > n",
    f"(n ^ m) + n <= {2 * TOP - 2}",
    f"columns(s, 3, 1) < {TOP}",
    "bit(n, 62) == 0",
    "n < 1 or top_bit(n) <= 61",
    f"len(s) < 1 or max(s) < {TOP}",
]


def prove(tmp_path: Path, bound: str, then: str) -> RouteResult:
    return asked(written(tmp_path, BODY + bound, then))


@pytest.mark.parametrize("then", CLAIMS)
def test_what_is_so_below_the_bound_alone_is_proved_with_the_bound_alone(tmp_path: Path, then: str) -> None:
    found = prove(tmp_path, UNBOUNDED, then)
    assert found.decision is not Decision.HOLDS
    assert found.detail.startswith("claim: "), "every other obligation is discharged"
    found = prove(tmp_path, BOUNDED, then)
    assert found.decision is Decision.HOLDS
    assert limit_texts(found.reach.limits) == {"n": "< 2^62", "m": "< 2^62", "s.heaps": "all", "s.size": "< 2^62"}
    assert found.reach.below == TOP


@pytest.mark.parametrize(
    "then",
    [
        "n + 1 > n",  # would be false in words of 62 bits
        f"n + {TOP} >= {TOP}",
        "n ^ m <= n + m",
        "n <= m + (n ^ m)",
        f"bit_and(n, {TOP}) <= n",
        "nim_sum(s) >= 0",
        f"(n ^ m ^ n) + {TOP * TOP} == m + {TOP * TOP}",
        "bit(n, 62) <= 1 and bit(n, 500) >= 0",
        "len(s) < 1 or max(s) >= min(s)",
    ],
)
def test_what_is_so_of_all_numbers_is_proved_of_them(tmp_path: Path, then: str) -> None:
    found = prove(tmp_path, UNBOUNDED, then)
    assert (found.decision, found.detail) == (Decision.HOLDS, "")
    assert set(limit_texts(found.reach.limits).values()) == {"all"}
    assert found.reach.below is None


def test_a_number_of_heaps_may_meet_a_size_where_there_is_no_bound(tmp_path: Path) -> None:
    """Only words cannot be mixed with numbers of heaps."""
    assert prove(tmp_path, UNBOUNDED, "(len(s) ^ n) <= len(s) + n").decision is Decision.HOLDS
    assert prove(tmp_path, UNBOUNDED, "(len(s) ^ n) < len(s) + n").decision is Decision.UNKNOWN
    assert prove(tmp_path, BOUNDED, "(len(s) ^ n) <= len(s) + n").decision is Decision.UNSUPPORTED


def test_a_claim_that_names_the_bound_comes_out_as_its_proof_says(tmp_path: Path) -> None:
    for bound, verdict in ((UNBOUNDED, Verdict.INCONCLUSIVE), (BOUNDED, Verdict.PROVED)):
        written(tmp_path, BODY + bound, f"(n ^ m) < {TOP}")
        found = settle_entry(select((str(tmp_path / "claim.toml"),))[0], QUICK)
        assert found.verdict is verdict
    assert found.finding.not_established == "n or m or heaps of s of 2^62 and more"
