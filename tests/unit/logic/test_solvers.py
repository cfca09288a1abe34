"""Solvers that err, disagree or give up never make a claim pass."""

from dataclasses import replace
from typing import Any

import pytest
from proofs import rests
from settling import Beyond

from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from encoders.logic.sequents import ONE, ZERO, Sequent, Symbols, at_least, compare
from encoders.solvers import cvc5_solver as cvc5
from encoders.solvers import discharge as discharging
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL, Effort


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharging, "_proved", {})


@pytest.fixture
def beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable certificates, so that Z3 is asked first."""
    monkeypatch.setattr(discharging, "exact", Beyond)


@pytest.mark.usefixtures("beyond")
@pytest.mark.slow
def test_a_limit_of_almost_nothing_is_inconclusive(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", options=Options(effort=Effort(steps=10))))
    assert "the solver gave up" in words
    assert "limit: 10 steps" in words


@pytest.mark.slow
def test_no_time_is_inconclusive(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", options=Options(budget=0.1)))
    assert "out of time" in words or "the solver gave up: " in words


def test_an_obligation_for_which_no_time_is_left_is_unknown() -> None:
    for left in (0.0, -1.0):
        found = discharge(simple(), USUAL, left)
        assert (found.result, found.detail) == ("unknown", "out of time")


def simple() -> Sequent:
    """Return the sequent: x >= 1 implies x > 0."""
    symbols = Symbols()
    x = symbols.integer("x")
    return symbols.sequent("o", (at_least(x, ONE),), compare("gt", x, ZERO))


@pytest.mark.slow
def test_a_second_solver_that_disagrees_is_inconsistent(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cvc5, "ask", lambda text, limits: "sat")
    result = settled("nim/bouton", options=Options(effort=replace(USUAL, second=True)))
    assert result.verdict is Verdict.INCONSISTENT
    assert "two solvers disagree: cvc5" in result.finding.error


@pytest.mark.slow
def test_the_second_solver_itself(settled: Any) -> None:
    result = settled("nim/bouton", options=Options(effort=Effort(seeds=(17,), second=True)))
    assert result.verdict is Verdict.PROVED
    assert {o.note.removesuffix("; trivial") for o in result.finding.obligations} == {
        "confirmed by Z3; confirmed by cvc5",
        "confirmed below 2^62 by Z3; confirmed below 2^62 by cvc5",
    }
    assert "cvc5" not in result.finding.trusted, "each obligation has a certificate"


@pytest.mark.slow
def test_without_the_second_solver_it_says_how_to_get_it(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cvc5", None)
    words = rests(settled("nim/bouton", options=Options(effort=replace(USUAL, second=True))))
    assert "pip install 'cvc5>=1.2'" in words
