"""Impossible requests are rejected quickly, with the reason and a smaller request, and never count as a success."""

import re
from pathlib import Path

import pytest

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import verdict_phrase
from claims.language.files.domains import Range
from claims.language.files.library import select
from encoders.compute import exhaustive as cover
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.limits import Deadline

CLAIM = """format = 1
title = "T"
statement = "S."
work = "mine"
locator = "L"
role = "conjecture"
ruleset = "mine"
[forall]
s = "position"
[claim]
then = "{then}"
[scope]
s = {{ heaps = "0..3", size = "1..5" }}
"""
RULESET = 'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n{measure}[[moves]]\n{move}\n'


@pytest.fixture
def result(tmp_path: Path):
    """Return the result of a claim about a ruleset with one kind of move."""

    def run(move: str, measure: str = "", then: str = "wins(s)", options: Options | None = None):
        (tmp_path / "mine.toml").write_text(RULESET.format(move=move, measure=measure and f'measure = "{measure}"\n'))
        path = tmp_path / "claim.toml"
        path.write_text(CLAIM.format(then=then))
        return settle_entry(select((str(path),))[0], options or Options())

    return run


@pytest.mark.parametrize(
    ("move", "measure", "message"),
    [
        (
            'choose = "any heap h"\nbecome = ["h + 1"]',
            "",
            "of mine does not decrease the total",
        ),
        (
            'choose = "any heap h"\nbecome = ["h"]',
            "",
            "of mine does not decrease the total",
        ),
        (
            'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m + (2 * m if h == 4 else 0)"]',
            "",
            "of mine does not decrease the total",
        ),
        (
            'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m", "m", "1"]',
            "2 * sum(s) + len(s)",
            "it does not decrease the measure",
        ),
        (
            'choose = "any heap h"\nbecome = ["h + 1"]',
            "0 - sum(s)",
            "of mine does not decrease the measure",  # it does decrease, without end; a measure must be natural
        ),
        (
            'choose = "any two heaps g, h"\nbecome = ["g + 1", "h - 1"]',
            "",
            "of mine does not decrease the total",
        ),
        ('choose = "each of 0..2 heaps h"\npick = { m = "1..h" }\nbecome = ["h - m"]', "", "may choose zero heaps"),
        ('choose = "any heap h"\nbecome = ["h - 2"]', "", "a move of mine makes a heap of -1"),
    ],
)
def test_rules_under_which_play_need_not_end_are_refused(result, move: str, measure: str, message: str) -> None:
    found = result(move, measure)
    assert found.verdict is Verdict.ERROR
    assert message in found.finding.error


@pytest.mark.slow
def test_of_a_trillion_cases_what_fits_is_covered_and_named(result) -> None:
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..9"), ("s.size", "1..100"))  # 4 * 10^12 positions
    found = result(take, then="wins(s) or True", options=Options(overrides=overrides))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finding.cases > 10_000
    assert re.match(
        r"anything beyond s: at most \d heaps of 1\.\.\d+, in which .*: too large: ", found.finding.not_established
    )
    fitting = [x.split("=", 1) for x in found.finding.not_established.partition("this fits: ")[2].split("--set ") if x]
    fits = Options(overrides=tuple((name, bound.strip()) for name, bound in fitting))
    assert result(take, then="len(s) >= 0", options=fits).verdict is Verdict.VERIFIED


@pytest.mark.slow
def test_the_bounded_route_keeps_to_its_time(result) -> None:
    """It has to write thousands of equations before it asks a solver."""
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..1"), ("s.size", "1..90"))
    found = result(take, then="grundy(s) >= 0", options=Options(budget=0.5, overrides=overrides, routes=("bounded",)))
    assert found.verdict is Verdict.VERIFIED
    assert found.finding.routes[1].answer == "unknown"
    assert "out of time" in found.finding.routes[1].detail


def test_out_of_time_says_how_far_it_got(result, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading of the clock advances the time by a second; the search ends at the last reading but one."""
    looks = iter(range(10**6))
    monkeypatch.setattr(cover, "Deadline", lambda budget: Deadline(budget, looks.__next__))
    monkeypatch.setattr(cover, "AS_BITS", 1)  # several boxes
    monkeypatch.setattr(slabs, "FIRST", 60_000)
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..4"), ("s.size", "1..30"))

    def settled(budget: float) -> ClaimResult:
        return result(take, then="sum(s) >= 0 or wins(s)", options=Options(budget=budget, overrides=overrides))

    assert settled(10**9).verdict is Verdict.VERIFIED
    needed = next(looks)
    looks = iter(range(10**6))
    found = settled(needed - 3)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finding.not_established.startswith("anything beyond s: at most 4 heaps of 1..")
    assert "in which there is no counterexample: out of time after" in found.finding.not_established
    assert dict(found.finding.routes[0].covered)["s.heaps"] == Range(0, 4)


@pytest.mark.slow
def test_a_box_that_holds_for_no_reason_is_not_told_as_free_of_counterexamples(result) -> None:
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..9"), ("s.size", "1..100"))
    found = result(take, then='wins(s)"\nif = "sum(s) < 0', options=Options(overrides=overrides))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finding.not_established.startswith("anything: too large: ")
    assert "no counterexample" not in verdict_phrase(found)
