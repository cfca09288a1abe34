"""Solvers that err, disagree or give up: none makes a claim green."""

from dataclasses import replace
from typing import Any

import pytest
import z3
from proofs import rests

from checks.judgement.settle import Options
from checks.results.verdicts import Verdict
from encoders.logic import obligations
from encoders.logic.obligations import Query, discharged
from encoders.logic.solvers.effort import USUAL, Effort


def test_a_limit_of_almost_nothing_is_inconclusive(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", options=Options(effort=Effort(steps=10))))
    assert "the solver gave up" in words
    assert "limit: 10 steps" in words


def test_no_time_is_inconclusive(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", options=Options(budget=0.6)))
    assert "out of time" in words or "the solver gave up: " in words


def test_an_obligation_for_which_no_time_is_left_is_unknown() -> None:
    for left in (0.0, -1.0):
        found = discharged("o", simple, USUAL, left)
        assert (found.result, found.detail) == ("unknown", "out of time")


def simple(seed_that_lies: int | None = None, seed_that_tires: int | None = None) -> Query:
    """x >= 1 entails x > 0; under one seed the solver may not know it, or give up."""

    class Odd(Query):
        def solver(self, effort: Effort, seed: int, left: float | None) -> z3.Solver:
            if seed == seed_that_lies:
                return z3.Solver(ctx=self.context)
            if seed == seed_that_tires:
                tired = z3.Solver(ctx=self.context)
                tired.set("rlimit", 1)
                x = z3.Ints("a b c", self.context)
                tired.add(*(y > 2 for y in x), x[0] ** 3 + x[1] ** 3 == x[2] ** 3)
                return tired
            return super().solver(effort, seed, left)

    context = z3.Context()
    x = z3.Int("x", context)
    return Odd(context, [x >= 1], x > 0)


def test_three_seeds_must_agree() -> None:
    assert discharged("o", simple, USUAL, None).note == ""
    found = discharged("o", lambda: simple(seed_that_lies=4711), USUAL, None)
    assert found.result == "contradiction"
    assert "two solvers disagree: Z3 with the seed 4711" in found.detail
    assert found.smt2


def test_a_seed_that_gives_up_is_flagged() -> None:
    found = discharged("o", lambda: simple(seed_that_tires=1), USUAL, None)
    assert (found.result, found.note) == ("proved", "unstable: Z3 gives up with seed 1")


def test_a_second_solver_that_disagrees_is_inconsistent(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligations, "_by_cvc5", lambda text, left: "sat")
    result = settled("nim/bouton", options=Options(effort=replace(USUAL, second=True)))
    assert result.verdict is Verdict.INCONSISTENT
    assert "two solvers disagree: cvc5" in result.error


def test_a_second_solver_that_gives_up_is_noted(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligations, "_by_cvc5", lambda text, left: "unknown")
    result = settled("nim/bouton", options=Options(effort=replace(USUAL, second=True)))
    assert result.verdict is Verdict.PROVED
    assert {o.note for o in result.obligations} == {"not confirmed by cvc5: unknown"}


def test_the_second_solver_itself(settled: Any) -> None:
    result = settled("nim/misere", options=Options(effort=Effort(seeds=(17,), second=True)))
    assert result.verdict is Verdict.PROVED
    assert {o.note for o in result.obligations} == {"confirmed by cvc5"}
    assert "cvc5" in result.trusted


def test_without_the_second_solver_it_says_how_to_get_it(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cvc5", None)
    words = rests(settled("nim/bouton", options=Options(effort=replace(USUAL, second=True))))
    assert "pip install 'nim-checks[cvc5]'" in words
