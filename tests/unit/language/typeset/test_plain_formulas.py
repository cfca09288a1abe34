"""Formulas in report.md: the typeset content as plain text, in a self-contained report."""

from pathlib import Path

import pytest
from settling import written

from checks.presentation.mathematics import formal_of
from reports.markdown import say_formal

CLAIM = """
ruleset = "nim"
[forall]
n = "2.."
s = "position"
[claim]
if = "{}"
then = "{}"
[define]
{}
[scope]
n = "2..9"
s = {{ heaps = "0..2", size = "1..3" }}
"""


@pytest.mark.parametrize(
    ("known", "then", "define", "said"),
    [
        ("nim_sum(s) == 0", "not wins(s)", "", ["if ⨁s = 0, then the mover loses at s"]),
        ("min(s) <= n - 1", "n * n >= 2 * n", "", ["if min s < n, then n² ≥ 2n"]),
        ("n >= 3", "(n + 1) // (2 * n) < 2 ** n", "", ["if n ≥ 3, then ⌊(n + 1)/(2n)⌋ < 2^n"]),
        (
            "n >= 3",
            "f(n) == n",
            '"f(x)" = "x if x % 2 == 0 else x + 1"',
            ["if n ≥ 3, then f(n) = n", "where f(x) = {x if x mod 2 = 0; x + 1 otherwise}"],
        ),
        (
            "n >= 3",
            "any(nim_sum(t) == n for t in options(s))",
            "",
            ["if n ≥ 3, then there is t ∈ Opt(s) with ⨁t = n"],
        ),
        ("n >= 3", "nim_sum(h for h in s if h > n) == 0", "", ["if n ≥ 3, then ⨁_(h ∈ s, h > n) h = 0"]),
    ],
)
def test_a_formula_reads_as_plain_text(tmp_path: Path, known: str, then: str, define: str, said: list[str]) -> None:
    claim = written(tmp_path, CLAIM.format(known, then, define))
    assert say_formal(formal_of(claim), "forall") == [f"For every n ≥ 2, position s: {said[0]}", *said[1:]]
