"""Words of 64 bits in queries, and literal positions."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from proofs import LIBRARY, QUICK, rests

from checks.execution.settle import settle_entry
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.trust import All


@pytest.mark.parametrize(
    ("bits", "lost", "words"),
    [
        # 2 * X may need 63 bits and does not wrap around; 4 * X and sums of three may, and are rejected.
        (62, "2 * X == 0", "proved"),
        (62, "4 * X == 0", "at most 63 are supported"),
        (62, "X * X == 0", "at most 63 are supported"),
        (16, "X * X == 0", "proved"),
        (None, "4 * X == 0", "proved"),
        *(
            (bits, lost, words)
            for bits in (62, None)
            for lost, words in (
                # a difference may be negative and is compared as an integer, not as a word of 64 bits
                ("X - 5 <= 0 - 5", "proved"),
                ("0 - X >= 0", "proved"),
                ("X - 5 < 0", "closed: fails at"),
                ("(X - 5) ^ 3 == 0", "the invariant is undefined"),  # 0 replaces a negative difference
            )
        ),
    ],
)
def test_numbers_mean_integers_or_are_refused(settled: Any, bits: int | None, lost: str, words: str) -> None:
    bound = () if bits is None else (('rule = "folds"', f'sizes = "< 2^{bits}"'),)
    result = settled("nim/bouton", ('mover = "X == 0"', f'mover = "{lost}"'), *bound)
    if words == "proved":
        assert result.verdict is Verdict.PROVED
        assert dict(result.finding.scope)["s.heaps"] == All()
    else:
        assert words in rests(result)


@pytest.mark.slow
def test_a_heap_near_the_top_is_no_counterexample_by_overflow(settled: Any) -> None:
    """h + 1 > h for every heap: in words of 62 bits it would fail at the top."""
    grown = '[proof.folds]\nwrapped = "count(h + 1 <= h for h in s)"\n'
    result = settled(
        "nim/bouton",
        ("[proof.folds]\n", grown),
        ("[proof.loses]", '[proof.facts]\n"no heap wraps around" = "wrapped == 0"\n\n[proof.loses]'),
    )
    assert result.verdict is Verdict.PROVED


def written_down(tmp_path: Path, then: str) -> ClaimResult:
    """Return the result for a claim about Nim with heaps a, b, ..., by Bouton's proof."""
    shutil.copytree(LIBRARY / "nim", tmp_path / "nim")
    path = tmp_path / "nim" / "written.toml"
    path.write_text(
        f"""format = 1
title = "T"
statement = "S."
work = "mine"
locator = "L"
role = "conjecture"
ruleset = "nim"
[forall]
a = "0.."
b = "0.."
[claim]
if = "a >= 0"
then = "{then}"
[scope]
a = "0..6"
b = "0..6"
[proof]
from = "bouton"
"""
    )
    return settle_entry(select((str(path),))[0], QUICK)


@pytest.mark.parametrize(
    ("then", "verdict"),
    [
        ("iff(wins(position([a, b])), a != b)", Verdict.PROVED),
        ("wins(position([1, 2])) and not wins(position([1, 1])) and wins(position([2])) and a >= 0", Verdict.PROVED),
        ("any(nim_sum(t) == 0 for t in options(position([a, b]))) or a == b", Verdict.PROVED),
        ("all(nim_sum(t) != nim_sum(position([a, b])) for t in options(position([a, b])))", Verdict.PROVED),
        ("iff(wins(position([a, b])), a != b or a > 10**12)", Verdict.INCONCLUSIVE),  # too far out to be played
        ("wins(position([a, b, 3])) or a != 3 or b == 0", Verdict.PROVED),
        ("all(nim_sum(t) != 1000 for t in options(position([a, b])))", Verdict.REFUTED),
        ("any(nim_sum(t) == 0 for t in options(position([a, b]))) or a == b or a > 1000", Verdict.PROVED),
        ("wins(position([a + b])) or a + b == 0", Verdict.PROVED),
        ("implies(a > b, wins(position([a - b])))", Verdict.PROVED),  # a - b must be a heap only if a > b
        ("implies(a >= b, wins(position([a - b])) or a == b)", Verdict.PROVED),
        ("implies(a > 7, wins(position([a - b])) or a == b)", Verdict.ERROR),  # a - b may be negative
        ("wins(position([max(a - b, 0)])) or a <= b", Verdict.PROVED),
        ("legal(position([a, b]), position([b])) or a == 0", Verdict.INCONCLUSIVE),  # no named move takes a whole heap
        ("legal(position([a, b]), position([a, b + 1]))", Verdict.REFUTED),
        ("not legal(position([a, b]), position([a, b]))", Verdict.PROVED),
        ("legal(position([a, b]), position([b])) or a > 6", Verdict.REFUTED),
        ("not legal(position([a, b]), position([a, b, 1])) or a > 1000", Verdict.PROVED),
    ],
)
def test_positions_written_down(tmp_path: Path, then: str, verdict: Verdict) -> None:
    assert written_down(tmp_path, then).verdict is verdict
