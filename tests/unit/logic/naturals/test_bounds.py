"""The variables known to be natural: those with a lower bound in the premises, in all alternatives."""

import pytest

from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.logic.natural_formulas import read_problem
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Hypothesis,
    Sequent,
    Symbol,
    at_least,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    less_than,
    nim,
)
from encoders.refusals import Unsupported

A, X, Y = (t.Variable(INT, 0, 0, name) for name in "axy")
FAR = integer(-3)
SHOW = at_least(nim(A, A), ZERO)  # requires a natural number


def reads(assume: t.Term, show: t.Term = SHOW, told: t.Term | None = None) -> bool:
    symbols = Symbol("a", INT), Symbol("x", INT, 0), Symbol("y", INT)
    hypotheses = () if told is None else (Hypothesis("told", told),)
    try:
        read_problem(Sequent("o", symbols, (assume,), show, hypotheses))
    except Unsupported:
        return False
    return True


@pytest.mark.parametrize(
    ("assume", "natural"),
    [
        (at_least(A, ONE), True),
        (equal(A, X), True),
        (less_than(X, A), True),
        (disjunction(equal(A, X), equal(A, ONE)), True),
        (disjunction(conjunction(equal(A, X), less_than(Y, X)), at_least(A, X)), True),
        (conjunction(at_least(Y, X), equal(A, Y)), True),
        (YES, False),
        (at_least(X, A), False),
        (equal(A, Y), False),
        (at_least(A, FAR), False),
        (disjunction(equal(A, X), equal(A, Y)), False),
        (disjunction(equal(A, X), equal(A, FAR)), False),
        (disjunction(equal(A, X), less_than(Y, X)), False),
        (implies(less_than(Y, X), equal(A, X)), False),
    ],
)
def test_a_number_is_natural_where_every_alternative_bounds_it(assume: t.Term, natural: bool) -> None:
    assert reads(assume) is natural


def test_a_hypothesis_that_stands_apart_bounds_nothing() -> None:
    assert reads(YES, told=at_least(A, ONE)) is False
