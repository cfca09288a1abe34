"""A shortened formula equals the written one at all small values."""

import pytest
from hypothesis import given, settings
from random_terms import numbers, truths, values_of

from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT
from claims.language.typesetting.neat import simplify_term


@settings(max_examples=150, deadline=None)
@given(truths(2, words=True) | numbers(2, words=True))
@pytest.mark.slow
def test_what_is_shown_shortly_is_what_was_written(term: t.Term) -> None:
    for written, shown in values_of(term, simplify_term(term)):
        assert written in (None, shown)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("x <= h - 1", "x < h"),
        ("x > h - 1", "x >= h"),
        ("x >= h + 1", "x > h"),
        ("x < h + 1", "x <= h"),
        ("x <= 1 - h", "x <= 1 - h"),
        ("x <= h - 2", "x <= h - 2"),
        ("x == h - 1", "x == h - 1"),
        ("x * x + h * h * h == x * h", "x ** 2 + h ** 3 == x * h"),
        ("5 * x * x + x * h * h * h == 1", "5 * x ** 2 + x * h ** 3 == 1"),
        ("(h if True else x) < x", "h < x"),
        ("p and True and p", "p"),
        ("p or False", "p"),
        ("True and True", "True"),
        ("x == x", "True"),
        ("h % x == h % x", "h % x == h % x"),
        ("p == p", "p == p"),
        ("x - 1 - (x - 1 - h + 2) == 0 - h", "h - 2 == -h"),
        ("h + (h - 1) > 1 + (1 + (1 + 0)) + x", "2 * h - 1 > 3 + x"),
        ("(1 if 0 > 0 else 0) + x == x - x", "x == 0"),
        ("(x + 1) * (x - 1 + 2) == 3 * h", "(x + 1) ** 2 == 3 * h"),
        ("2 * (h + 1) - x == h % x + 1", "2 * (h + 1) - x == h % x + 1"),  # no shorter
        ("h % x - h % x == 0 * h", "True"),
        ("x + x - 2 * h == 1", "2 * x - 2 * h == 1"),
        ("2 * (3 * h) == x - 3 * (2 * x)", "6 * h == -(5 * x)"),
        ("1 + x <= h + 1 - 1", "1 + x <= h"),
        ("not x < h", "x >= h"),
        ("not not p", "p"),
        ("not (p and x == h)", "not (p and x == h)"),
        ("implies(x < h, p)", "implies(x < h, p)"),
        ("implies(x <= x, p)", "p"),
        ("implies(p, 0 > x - x)", "not p"),
        ("implies(not p, x == x)", "True"),
        ("iff(p, True)", "p"),
        ("iff(0 == 1, x < h)", "x >= h"),
        ("x >= x and p", "p"),
        ("x < x or p", "p"),
        ("x < h and x < x or p", "p"),
        ("x == x or p", "True"),
        ("x != h if p else True", "implies(p, x != h)"),
        ("p if x != h else False", "x != h and p"),
        ("False if x < h else p", "x >= h and p"),
        ("p and x == h if x < h else p", "x < h and p and x == h or x >= h and p"),
        ("p if x < h else x == h", "p if x < h else x == h"),
        ("((1 if x < 2 else x) if x < h else 3) == h", "(1 if x < h and x < 2 else x if x < h and x >= 2 else 3) == h"),
        (
            "(((1 if x == 0 else x) if x < 2 else 5) if p else 3) > 0",
            "(1 if p and x < 2 and x == 0 else x if p and x < 2 and x != 0 else 5 if p and x >= 2 else 3) > 0",
        ),
        ("((1 if p else x) if x < h else 3) == h", "((1 if p else x) if x < h else 3) == h"),
    ],
)
def test_what_it_is_shown_as(written: str, shown: str) -> None:
    terms = Elaborator({"x": INT, "h": INT, "p": BOOL})
    assert print_term(simplify_term(terms.term(written, BOOL))) == print_term(terms.term(shown, BOOL))
