"""Random rulesets: proved results of the search are right in a larger box than the one it searched."""

import re
import time
from collections import Counter

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from checks.execution.found import settle_outcome, settle_text
from checks.results.verdicts import Verdict
from encoders.compute.arrays.limits import BadRuleset, Deadline
from encoders.refusals import Unsupported
from encoders.search.find import SearchProgress
from encoders.search.grammar import read_rules
from encoders.search.pairs import find_winners
from encoders.search.question import ask

pytestmark = pytest.mark.slow

SECONDS = 1  # of CPU for each search
TERMS, SIGNS = ("m", "h", "h - m", "2*m", "m % 2", "h % 3"), ("==", "!=", "<=", ">=")
ATOMS = [f"{a} {sign} {b}" for a in TERMS for sign in SIGNS for b in ("1", "2", "3", "k", "k + 1")]


@st.composite
def rulesets(draw: st.DrawFn) -> str:
    """Draw one kind of move on one heap, which may be restricted to a player."""
    conditions = []
    for other in draw(st.sampled_from([("",), ("P1",), ("P2",), ("P1", "P2")])):
        parts = [draw(st.sampled_from(ATOMS)) for _ in range(draw(st.integers(1, 2)))]
        joined = f"({draw(st.sampled_from((' or ', ' and '))).join(parts)})"
        conditions.append(f"(mover == {other} or {joined})" if other else joined)
    where = " and ".join(conditions)
    has_number = re.search(r"\bk\b", where) is not None
    return "\n".join(
        [
            'format = 1\ntitle = "T"\nplayers = ["P1", "P2"]',
            f'stuck = "{draw(st.sampled_from(("loses", "wins")))}"',
            *(['parameters = { k = "1.." }'] if has_number else []),
            f'[[moves]]\nchoose = "{draw(st.sampled_from(("any", "a largest")))} heap h"',
            f'pick = {{ m = "1..h" }}\nwhere = "{where}"\nbecome = ["h - m"]\n',
        ]
    )


def judge(rules: str, clock: Deadline) -> str:
    """Return the verdict on the result for a ruleset, or the refutation of a proved result in a larger box."""
    outcome = SearchProgress()
    try:
        question = ask(read_rules("drawn", rules), {}, "")
        find_winners(question, clock, lambda _: None, outcome, shorten=False)
    except (Unsupported, BadRuleset):
        return "refused"
    found = settle_outcome(question, outcome)
    if found.result is None or found.result.verdict is not Verdict.PROVED:
        return "open" if found.result is None else found.result.verdict.value
    larger, count = re.subn(r'heaps = "0\.\.(\d+)", size = "1\.\.(\d+)"', _enlarge, outcome.formula)
    assert count == 1, outcome.formula
    verdict = settle_text(question, larger).verdict
    return "proved" if verdict is Verdict.VERIFIED else f"PROVED, and then {verdict.value}"


def _enlarge(box: re.Match[str]) -> str:
    return f'heaps = "0..{int(box[1]) + 1}", size = "1..{int(box[2]) + 4}"'


def test_what_is_proved_of_random_rulesets_holds_in_a_larger_box() -> None:
    said = Counter[str]()

    @hypothesis.seed(32)
    @settings(
        max_examples=5, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(rulesets())
    def drawn(rules: str) -> None:
        said[word := judge(rules, Deadline(SECONDS, time.process_time))] += 1
        assert not word.startswith("PROVED"), rules

    drawn()
    assert said["proved"] >= 2
