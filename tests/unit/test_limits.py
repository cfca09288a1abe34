"""What cannot be done is refused soon, with the reason and what would fit, and is never green."""

from pathlib import Path

import pytest

from checks.settle import Options, settle
from checks.verdicts import Verdict
from claims.library import select

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
    """The result of a claim of a ruleset with one kind of move."""

    def run(move: str, measure: str = "", then: str = "wins(s)", options: Options | None = None):
        (tmp_path / "mine.toml").write_text(RULESET.format(move=move, measure=measure and f'measure = "{measure}"\n'))
        path = tmp_path / "claim.toml"
        path.write_text(CLAIM.format(then=then))
        return settle(select((str(path),))[0], options or Options())

    return run


@pytest.mark.parametrize(
    ("move", "measure", "message"),
    [
        (
            'choose = "any heap h"\nbecome = ["h + 1"]',
            "",
            "a move of mine makes of a heap of 1 one of 2: it does not decrease the total",
        ),
        ('choose = "any heap h"\nbecome = ["h"]', "", "makes of a heap of 1 one of 1: it does not decrease the total"),
        (
            'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m + (2 * m if h == 4 else 0)"]',
            "",
            "makes of a heap of 4 one of 5: it does not decrease the total",
        ),
        (
            'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m", "m", "1"]',
            "2 * sum(s) + len(s)",
            "-> (1, 1, 1, 1) of mine does not decrease the measure",
        ),
        (
            'choose = "any heap h"\nbecome = ["h + 1"]',
            "0 - sum(s)",
            "of mine does not decrease the measure",  # it does, without end: a measure is natural
        ),
        (
            'choose = "any two heaps g, h"\nbecome = ["g + 1", "h - 1"]',
            "",
            "of mine does not decrease the measure",
        ),
        ('choose = "each of 0..2 heaps h"\npick = { m = "1..h" }\nbecome = ["h - m"]', "", "may choose no heap"),
        ('choose = "any heap h"\nbecome = ["h - 2"]', "", "a move of mine makes a heap of -1"),
    ],
)
def test_rules_under_which_play_need_not_end_are_refused(result, move: str, measure: str, message: str) -> None:
    found = result(move, measure)
    assert found.verdict is Verdict.ERROR
    assert message in found.error


def test_a_claim_of_a_trillion_cases_is_refused_with_a_scope_that_fits(result) -> None:
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..9"), ("s.size", "1..100"))  # 4 * 10^12 positions
    found = result(take, then="wins(s) or True", options=Options(overrides=overrides))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.cases == 0
    assert found.not_established.startswith("anything: too large: ")
    fitting = [x.split("=", 1) for x in found.not_established.partition("this would fit: ")[2].split("--set ") if x]
    fits = Options(overrides=tuple((name, bound.strip()) for name, bound in fitting))
    assert result(take, then="len(s) >= 0", options=fits).verdict is Verdict.VERIFIED


def test_out_of_time_says_how_far_it_got(result) -> None:
    slow = "all(all(all(wins(a) or not wins(b) for b in options(a)) for a in options(t)) for t in options(s))"
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..4"), ("s.size", "1..30"))
    found = result(take, then=slow, options=Options(budget=0.3, overrides=overrides))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "out of time" in found.not_established
