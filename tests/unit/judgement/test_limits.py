"""What cannot be done is refused soon, with the reason and what would fit, and is never green."""

from pathlib import Path

import pytest

from checks.execution.entry import settle_entry
from checks.judgement.options import Options
from checks.results.verdicts import Verdict
from claims.language.library import select

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
        return settle_entry(select((str(path),))[0], options or Options())

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


def test_the_bounded_route_keeps_to_its_time(result) -> None:
    """It has thousands of equations to write down before a solver is asked."""
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..1"), ("s.size", "1..90"))
    found = result(take, then="grundy(s) >= 0", options=Options(budget=0.5, overrides=overrides, routes=("bounded",)))
    assert found.verdict is Verdict.VERIFIED
    assert found.routes[1].answer == "unknown"
    assert "out of time" in found.routes[1].detail


def test_out_of_time_says_how_far_it_got(result) -> None:
    slow = "all(all(all(wins(a) or not wins(b) for b in options(a)) for a in options(t)) for t in options(s))"
    take = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
    overrides = (("s.heaps", "0..4"), ("s.size", "1..30"))
    found = result(take, then=slow, options=Options(budget=0.3, overrides=overrides))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "out of time" in found.not_established


PLAIN = """format = 1
title = "T"
statement = "S."
work = "mine"
locator = "L"
role = "conjecture"
[{quantifier}]
n = "0..9"
{more}[claim]
{hypothesis}then = "{then}"
"""


@pytest.fixture
def plain(tmp_path: Path):
    """The result of a claim about the integers n from 0 to 9."""

    def run(then: str, hypothesis: str = "", more: str = "", quantifier: str = "forall"):
        path = tmp_path / "plain.toml"
        first = hypothesis and f'if = "{hypothesis}"\n'
        path.write_text(PLAIN.format(then=then, hypothesis=first, more=more and more + "\n", quantifier=quantifier))
        return settle_entry(select((str(path),))[0], Options())

    return run


RANGE, POWER, PRODUCT = (
    "a range of more than 10 000 000 integers",
    "a power of more than 100 000 bits",
    "a product of more than 1 000 000 bits",
)


@pytest.mark.parametrize(
    ("then", "limit"),
    [
        ("len(range(0, 10 ** 8)) == 10 ** 8", RANGE),
        ("n < 3 or len(range(0, 10 ** 8)) == 10 ** 8", RANGE),
        ("2 ** (10 ** 6) > n", POWER),
        (" * ".join(["2 ** 49000"] * 21) + " > n", PRODUCT),
        ("all(i >= 0 for i in range(0, 10 ** (n + 7)))", RANGE),
    ],
)
def test_what_is_too_much_to_compute_is_inconclusive_and_says_why(plain, then: str, limit: str) -> None:
    found = plain(then)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.not_established.endswith(limit)
    assert "a limit is met at n = " in found.not_established


def test_the_smallest_case_past_a_limit_is_named(plain) -> None:
    found = plain("n < 3 or len(range(0, 10 ** 8)) > n")
    assert found.not_established == f"anything: a limit is met at n = 3: {RANGE}"


@pytest.mark.parametrize("then", ["n >= 0 or 2 ** 10 ** 6 > n", "implies(n > 9, len(range(0, 10 ** 8)) > 0)"])
def test_a_guard_to_the_left_keeps_clear_of_a_limit(plain, then: str) -> None:
    assert plain(then).verdict is Verdict.PROVED
    assert plain("n >= 0 and " + then).verdict is Verdict.PROVED


def test_a_hypothesis_keeps_clear_of_a_limit(plain) -> None:
    assert plain("2 ** (10 ** n) > n", hypothesis="n < 4").verdict is Verdict.PROVED
    assert plain("2 ** (10 ** n) > n", hypothesis="n < 6").verdict is Verdict.INCONCLUSIVE


def test_a_counterexample_below_the_limit_is_found(plain) -> None:
    found = plain("n < 2 and len(range(0, 10 ** (n + 4))) > 0")
    assert found.verdict is Verdict.REFUTED
    assert dict(found.counterexample.variables) == {"n": 2}


@pytest.mark.parametrize(
    ("then", "verdict"),
    [
        ("len(range(0, 10 ** 8)) + 1 // 0 == n", Verdict.INCONCLUSIVE),  # what comes first decides
        ("1 // 0 + len(range(0, 10 ** 8)) == n", Verdict.ERROR),
    ],
)
def test_a_limit_and_a_fault_are_told_apart(plain, then: str, verdict: Verdict) -> None:
    assert plain(then).verdict is verdict


@pytest.mark.parametrize("bounds", ['m = "0..2 ** (10 ** (n + 3)) % 2"', 'm = { in = "[i for i in range(10 ** n)]" }'])
def test_a_limit_in_a_domain_is_no_fault_of_the_domain(plain, bounds: str) -> None:
    found = plain("m >= 0", more=bounds)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.not_established.startswith("anything: too large: ")


def test_a_domain_without_a_value_is_still_an_error(plain) -> None:
    assert plain("m >= 0", more='m = "0..1 // n + 0 * len(range(10 ** 6))"').verdict is Verdict.ERROR


@pytest.mark.parametrize(
    ("move", "measure"),
    [
        ('choose = "any heap h"\nwhere = "2 ** (10 ** (h + 3)) > 1"\nbecome = ["0"]', ""),
        ('choose = "any heap h"\npick = { m = "range(10 ** (h + 5))" }\nbecome = ["0"]', ""),
        ('choose = "any two heaps g, h"\nbecome = ["g - 1"]', "sum(s) * (2 ** (10 ** (len(s) + 3)) % 2 + 1)"),
    ],
)
def test_a_limit_in_the_rules_is_no_fault_of_the_rules(result, move: str, measure: str) -> None:
    found = result(move, measure)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.not_established.startswith("anything: too large: ")
