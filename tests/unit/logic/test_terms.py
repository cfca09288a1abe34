"""The terms that a proof constructs have the meaning of their names, at all small values."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import COMPARISONS, numbers, truths, values_of

from claims.language.syntax import terms as t
from encoders.logic import sequents as made
from encoders.logic.sequents import NO, YES, holds, is_plain

RANDOM = settings(max_examples=60, derandomize=True, deadline=None)
CONDITIONS = truths(1, words=True)
INTEGERS = numbers(1, words=True)
LISTS = st.lists(CONDITIONS | st.sampled_from([YES, NO]), max_size=3)


@RANDOM
@given(LISTS, st.booleans())
@pytest.mark.slow
def test_all_and_one_of_some_conditions(conditions: list[t.Term], every: bool) -> None:
    whole = made.conjunction(*conditions) if every else made.disjunction(*conditions)
    for found, *parts in values_of(whole, *conditions):
        assert bool(found) is (all(parts) if every else any(parts))


def test_all_and_one_of_no_condition() -> None:
    assert is_plain(made.conjunction(), True)
    assert is_plain(made.disjunction(), False)
    assert holds(True) is YES
    assert holds(False) is NO
    assert not is_plain(made.ZERO, False)


@RANDOM
@given(CONDITIONS | st.sampled_from([YES, NO]), CONDITIONS | st.sampled_from([YES, NO]))
def test_negation_implication_and_equivalence(a: t.Term, b: t.Term) -> None:
    terms = (made.negation(a), made.opposite(a), made.implies(a, b), made.iff(a, b))
    for x, y, negation, opposite, implies, iff in values_of(a, b, *terms):
        assert bool(negation) is bool(opposite) is (not x)
        assert bool(implies) is (not x or bool(y))
        assert bool(iff) is (bool(x) is bool(y))


@RANDOM
@given(CONDITIONS | st.sampled_from([YES, NO]))
def test_negating_twice_changes_nothing(a: t.Term) -> None:
    for x, again, back in values_of(a, made.negation(made.negation(a)), made.opposite(made.opposite(a))):
        assert bool(x) is bool(again) is bool(back)


@pytest.mark.parametrize("op", COMPARISONS)
def test_each_comparison_has_its_opposite(op: str) -> None:
    x, y = (t.Variable(made.ZERO.type, 0, 0, name) for name in "hx")
    for here, opposite in values_of(made.compare(op, x, y), made.opposite(made.compare(op, x, y))):
        assert here is not opposite


ARITHMETIC: dict[Callable[..., t.Term], Callable[[int, int], int]] = {
    made.add: lambda x, y: x + y,
    made.sub: lambda x, y: x - y,
    made.mul: lambda x, y: x * y,
    made.at_least: lambda x, y: x >= y,
    made.at_most: lambda x, y: x <= y,
    made.less_than: lambda x, y: x < y,
    made.equal: lambda x, y: x == y,
}


@pytest.mark.parametrize(("make", "means"), ARITHMETIC.items())
def test_numbers_and_comparisons(make: Callable[..., t.Term], means: Callable[[int, int], int]) -> None:
    a, b = (t.Variable(made.ZERO.type, 0, 0, name) for name in "hx")
    for x, y, found in values_of(a, b, make(a, b)):
        assert x is not None
        assert y is not None
        assert found == means(x, y)


@RANDOM
@given(CONDITIONS | st.sampled_from([YES, NO]), INTEGERS, INTEGERS)
@pytest.mark.slow
def test_a_choice(condition: t.Term, a: t.Term, b: t.Term) -> None:
    for where, x, y, minus, found in values_of(condition, a, b, made.neg(a), made.choose(condition, a, b)):
        assert found == (x if where else y)
        assert x is not None
        assert minus == -x


def test_nim_addition() -> None:
    h, rest = (t.Variable(made.ZERO.type, 0, 0, name) for name in ("h", "rest of s"))
    for x, y, found in values_of(h, rest, made.nim(h, rest)):
        assert x is not None
        assert y is not None
        assert found == x ^ y
