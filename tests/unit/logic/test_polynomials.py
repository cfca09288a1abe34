"""A polynomial equals the term from which it was made, and two terms with equal polynomials are equal."""

import pytest
from hypothesis import given, settings
from random_terms import numbers, values_of

from claims.language.syntax import terms as t
from encoders.logic.sequents import ONE, add, integer, is_same_polynomial, mul, neg, nim, polynomial, sub

RANDOM = settings(max_examples=80, derandomize=True, deadline=None)
TERMS = numbers(2, words=True)
X, Y = (t.Variable(ONE.type, 0, 0, name) for name in "xh")


@RANDOM
@given(TERMS, TERMS)
@pytest.mark.slow
def test_a_polynomial_is_the_term_it_was_made_from(a: t.Term, b: t.Term) -> None:
    product = mul(sub(a, b), a)
    for before, after in values_of(product, polynomial(product).term()):
        assert before == after
    if (value := polynomial(a).constant) is not None:
        assert all(found == value for (found,) in values_of(a))


@RANDOM
@given(TERMS, TERMS)
@pytest.mark.slow
def test_terms_that_are_the_same_have_the_same_values(a: t.Term, b: t.Term) -> None:
    if is_same_polynomial(a, b):
        assert all(x == y for x, y in values_of(a, b))
    assert is_same_polynomial(add(a, b), add(b, a))
    assert is_same_polynomial(mul(a, b), mul(b, a))
    assert is_same_polynomial(sub(a, b), neg(sub(b, a)))
    assert is_same_polynomial(mul(a, sub(b, ONE)), sub(mul(b, a), a))
    assert not is_same_polynomial(a, add(a, ONE))


def test_what_is_no_polynomial_is_the_same_only_if_it_is_built_alike() -> None:
    assert is_same_polynomial(add(nim(X, Y), X), add(X, nim(X, Y)))
    assert not is_same_polynomial(nim(X, Y), nim(X, X))
    assert not is_same_polynomial(nim(X, Y), add(X, Y))
    assert not is_same_polynomial(X, Y)
    assert not is_same_polynomial(mul(X, X), X)
    assert not is_same_polynomial(mul(X, mul(X, Y)), mul(X, mul(Y, Y)))


def test_constants() -> None:
    assert polynomial(sub(mul(X, Y), mul(Y, X))).constant == 0
    assert polynomial(sub(add(X, integer(3)), X)).constant == 3
    assert polynomial(X).constant is None
    assert polynomial(add(X, ONE)).constant is None
    assert polynomial(mul(X, ONE)).constant is None
    assert polynomial(integer(-7)).constant == -7
