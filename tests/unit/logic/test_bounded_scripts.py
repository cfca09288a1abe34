"""Unbounded numbers with binary digits: solvers use words for them, and their results are bounded."""

from dataclasses import replace

import pytest
from random_terms import apply, variable

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import INT
from encoders.logic.answer import ObligationStatus
from encoders.logic.sequents import (
    NO,
    ONE,
    YES,
    ZERO,
    Hypothesis,
    Sequent,
    Symbol,
    add,
    at_least,
    at_most,
    equal,
    implies,
    integer,
    less_than,
    mul,
    sub,
)
from encoders.logic.smt import script_of
from encoders.refusals import Unsupported
from encoders.solvers import discharge as discharging
from encoders.solvers.automaton import NaturalsSolver
from encoders.solvers.discharge import decide, discharge
from encoders.solvers.effort import Effort
from encoders.solvers.solver import Limits, SolverResult, SolverStatus
from encoders.solvers.z3_solver import Z3

SOLVER = Z3()
LIMITS = Limits(100_000, 17)
X, Y = variable("x"), variable("h")
EFFORT = Effort(steps=100_000)
WORD, OTHER = Symbol("x", INT, 0, (1 << 62) - 1), Symbol("h", INT, 0, (1 << 62) - 1)


class Blind(NaturalsSolver):
    """A solver that finds no certificate."""

    name = "blind"

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        return SolverResult(self.name, SolverStatus.UNKNOWN, limits, reason="beyond it", incomplete=True)


@pytest.fixture
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable certificates."""
    monkeypatch.setattr(discharging, "exact", Blind)
    monkeypatch.setattr(discharging, "_proved", {})


def unbounded(show: t.Term, *assume: t.Term, hi: int | None = None) -> Sequent:
    return Sequent("o", (Symbol("x", INT, 0, hi), Symbol("h", INT, 0, hi)), assume, show)


HELD = (1 << 62) - 1
NIM = apply("nim", X, Y)


@pytest.mark.parametrize(
    ("show", "found"),
    [
        (at_most(NIM, add(X, Y)), SolverStatus.BOUNDED),  # true for all naturals, which words do not show
        (implies(equal(NIM, ZERO), at_most(X, integer(HELD))), SolverStatus.BOUNDED),  # false from 2^62 on
        (at_most(NIM, integer(HELD)), SolverStatus.BOUNDED),
        (at_most(NIM, integer(HELD - 1)), SolverStatus.FAILS),
        (at_most(X, NIM), SolverStatus.FAILS),
        (at_most(X, integer(HELD)), SolverStatus.FAILS),  # without digits it is an integer
    ],
)
@pytest.mark.usefixtures("by_words")
def test_what_is_so_of_words_is_not_called_proved_of_numbers_without_a_bound(show: t.Term, found: SolverStatus) -> None:
    posed = unbounded(show)
    assert SOLVER.check(posed, LIMITS).found is found
    assert discharge(posed, EFFORT, None).proved is False
    assert decide(posed) is False
    assert script_of(posed).bounded_to == (62 if "^" in print_term(show) else None)


@pytest.mark.usefixtures("by_words")
def test_what_is_said_of_a_proof_below_a_bound() -> None:
    posed = unbounded(at_most(NIM, add(X, Y)), less_than(X, Y))
    found = discharge(posed, EFFORT, None)
    assert (found.result, found.detail) == (ObligationStatus.UNKNOWN, "proved below 2^62 only")
    told = replace(posed, hypotheses=(Hypothesis("x is even", equal(apply("bit_and", X, ONE), ZERO)),))
    assert SOLVER.find_used_premises(told, LIMITS) is None, "what is needed beyond the bound is not known"


@pytest.mark.usefixtures("by_words")
def test_a_proof_of_words_is_not_remembered_as_one_of_all_numbers() -> None:
    show = at_most(NIM, add(X, Y))
    words, all_numbers = unbounded(show, hi=HELD), unbounded(show)
    assert script_of(words).digest() != script_of(all_numbers).digest()
    assert discharge(words, EFFORT, None).proved
    assert not discharge(all_numbers, EFFORT, None).proved


def test_what_is_assumed_of_words_alone_contradicts_nothing() -> None:
    """Below 2^62 the premises have no model, above they have one."""
    posed = unbounded(equal(X, Y), equal(NIM, integer(1)), at_least(X, integer(1 << 62)))
    assert SOLVER.check(replace(posed, show=NO), LIMITS).found is SolverStatus.BOUNDED


def test_numbers_without_a_bound_on_either_side_are_held_on_both() -> None:
    z = variable("z")
    posed = Sequent("o", (*unbounded(YES).variables, Symbol("z", INT)), (equal(NIM, ZERO),), at_least(add(X, z), z))
    script = script_of(posed)
    assert script.bounded_to == 62
    assert f"(assert (bvsge z (_ bv{(1 << 64) - HELD} 64)))" in script.text
    assert f"(assert (bvsle z (_ bv{HELD} 64)))" in script.text


def test_a_number_of_heaps_that_meets_no_size_stays_an_integer() -> None:
    count = variable("n")
    posed = Sequent("o", (WORD, OTHER, Symbol("n", INT, 0)), (at_least(count, ONE),), at_most(NIM, integer(HELD)))
    script = script_of(posed)
    assert script.bounded_to is None
    assert "(declare-const n Int)" in script.text


def test_numbers_are_held_lower_where_their_sums_need_it() -> None:
    sums = [X]
    for bits in (62, 59, 59, 59):  # two numbers fit, three do not
        posed = unbounded(at_least(add(NIM, sums[-1]), ZERO))
        assert script_of(posed).bounded_to == bits
        assert SOLVER.check(posed, LIMITS).found is SolverStatus.BOUNDED
        sums.append(add(sums[-1], Y))
    product = unbounded(at_least(mul(NIM, X), ZERO))
    assert script_of(product).bounded_to == 31
    with pytest.raises(Unsupported, match="at most 63 are supported"):
        script_of(unbounded(at_least(mul(mul(NIM, X), X), ZERO)))


@pytest.mark.parametrize(
    "show",
    [
        at_most(NIM, integer(HELD)),
        at_most(apply("bit_and", X, integer(1 << 62)), ZERO),
        implies(equal(NIM, ZERO), at_most(X, integer(HELD))),
        less_than(add(NIM, X), integer((1 << 63) - 1)),
        at_most(apply("bit_and", NIM, integer(1 << 62)), ZERO),
    ],
)
def test_what_is_true_below_the_bound_and_false_above_is_refuted(show: t.Term) -> None:
    """Certificates and numbers beyond words refute it."""
    assert SOLVER.check(unbounded(show), LIMITS).found is SolverStatus.BOUNDED
    assert discharge(unbounded(show), EFFORT, None).result is ObligationStatus.FAILED
    assert discharge(unbounded(show, hi=HELD), EFFORT, None).proved, "with the bound it is so"


def test_what_is_true_of_all_numbers_is_proved_beyond_words() -> None:
    for show in (at_most(NIM, add(X, Y)), at_most(sub(X, Y), NIM), at_most(apply("bit_and", X, Y), X)):
        assert discharge(unbounded(show), EFFORT, None).proved
