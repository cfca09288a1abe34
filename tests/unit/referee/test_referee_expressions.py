"""The meaning of expressions for the referee: the order of evaluation, where it stops, and undefined values."""

from typing import Any

import pytest

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, TermEvaluator, refuse_game
from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import INT, POSITION, set_of

VARIABLES = {"n": INT, "s": POSITION, "A": set_of(INT)}
CASE = {"n": 0, "s": (1, 2, 2), "A": (1, 4)}
ILL = "ill-defined"


def value(text: str) -> Any:
    try:
        return TermEvaluator(refuse_game, RefereeSteps(1_000_000)).evaluate(Elaborator(VARIABLES).term(text), CASE)
    except IllDefined:
        return ILL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # no further than necessary
        ("n > 0 and 1 // n == 1", False),
        ("1 // n == 1 and n > 0", ILL),
        ("n == 0 or 1 // n == 1", True),
        ("1 // n == 1 or n == 0", ILL),
        ("implies(n > 0, 1 // n == 1)", True),
        ("0 if n == 0 else 1 // n", 0),
        ("1 // n if n != 0 else 0", 0),
        ("any(1 // x == 1 for x in [1, 0])", True),
        ("any(1 // x == 1 for x in [0, 1])", ILL),
        ("all(1 // x == 0 for x in [1, 0])", False),
        ("all(1 // x == 1 for x in [1, 0])", ILL),
        ("count(1 // x == 1 for x in [1, 0])", ILL),
        ("[x for x in [1, 0] if x > 0 if 1 // x == 1]", (1,)),
        ("[x for x in [1, 0] if 1 // x == 1 if x > 0]", ILL),
        # undefined values
        ("1 // n", ILL),
        ("1 % n", ILL),
        ("1 / n == 1 / 2", ILL),
        ("3 ^ (n - 1)", ILL),
        ("(n - 1) ^ 3", ILL),
        ("(n - 1) ^ (n - 1)", ILL),
        ("isqrt(n - 1)", ILL),
        ("bit(n - 1, 0)", ILL),
        ("bit(5, n - 1)", ILL),
        ("top_bit(n)", ILL),
        ("top_bit(n - 1)", ILL),
        ("max([])", ILL),
        ("min([])", ILL),
        ("max(x for x in A if x > 4)", ILL),
        ("2 ** (n - 1)", ILL),
        ("nim_sum([3, n - 1])", ILL),
        ("s[3]", ILL),
        ("s[n - 1]", ILL),
        ("replace(s, 3, 1)", ILL),
        ("s + [n - 1]", ILL),
        ("replace(s, 0, 1)", ILL),
        ("replace(s, 1, n - 1)", ILL),
        ("position([1, n - 1])", ILL),
        ("nim_sum_ways([1, n - 1], 2)", ILL),
        ("nim_sum_ways([1, 1], n - 1)", ILL),
        ("bit_and(n - 1, 3)", ILL),
        ("bit_or(n - 1, 3)", ILL),
        ("bit_or(3, n - 1)", ILL),
        ("popcount(n - 1)", ILL),
        ("digit_sum(n - 1, 10)", ILL),
        ("digit_sum(3, n + 1)", ILL),
        ("valuation(n, 2)", ILL),
        ("valuation(3, n + 1)", ILL),
        ("bit_and(3, n - 1)", ILL),
        ("columns([3, n - 1], 3, 1)", ILL),
        ("columns(s, n, 1)", ILL),
        ("columns(s, 3, n)", ILL),
        # values
        ("True", True),
        ("False", False),
        ("[10 * x + y for x in [1, 2] for y in [x, 3]]", (11, 13, 22, 23)),
        ("[x + y + z for x in [1, 2] for y in [10] if x > 1 for z in [100, 200]]", (112, 212)),
        ("any(x + y == z for x in [1, 2] for y in [3] for z in [5, 6])", True),
        ("(n - 7) // 2", -4),
        ("(n - 7) % 2", 1),
        ("bit(5, 2) + bit(5, 1)", 1),
        ("top_bit(1)", 0),
        ("isqrt(15) + isqrt(16)", 7),
        ("s[0]", 1),
        ("s[2]", 2),
        ("replace(s, 1, 3)", (2, 2, 3)),
        ("s + [3, 0]", (1, 2, 2, 3)),
        ("[1] + s + s", (1, 1, 1, 2, 2, 2, 2)),
        ("replace(s, 2, 0)", (1, 2)),
        ("position([2, 0, 1])", (1, 2)),
        ("range(2)", (0, 1)),
        ("range(3, 1)", ()),
        ("{x % 2 for x in [4, 3, 1]}", (0, 1)),
        ("{2, 1, 2}", (1, 2)),
        ("[2, 1, 2]", (2, 1, 2)),
        ("{position([3]), position([1, 1]), position([4]), position([3])}", ((3,), (4,), (1, 1))),
        ("[1, 2] == [2, 1]", False),
        ("{1, 2} == {2, 1}", True),
        ("mex([0, 1, 1, 3])", 2),
        ("mex([])", 0),
        ("mex([0 - 1, 0])", 1),
        ("s.count(2)", 2),
        ("len(s) + sum(s) + max(s) - min(s)", 9),
        ("nim_sum(s)", 1),
        ("4 in A and 2 not in A", True),
        ("nim_sum_ways([1, 0, 1], 2)", (2, 0, 2, 0)),
        ("bit_and(12, 10)", 8),
        ("bit_or(12, 10)", 14),
        ("popcount(11)", 3),
        ("popcount(0)", 0),
        ("digit_sum(1984, 10)", 22),
        ("digit_sum(0, 2)", 0),
        ("gcd(12, 0 - 18)", 6),
        ("gcd(0, 0)", 0),
        ("valuation(48, 2)", 4),
        ("valuation(0 - 48, 4)", 2),
        ("is_prime(2)", True),
        ("is_prime(1) or is_prime(0 - 7) or is_prime(41 * 43)", False),
        ("is_prime(318665857834031151167461)", False),  # among the first primes, only 41 is a witness
        ("is_prime(2 ** 61 - 1)", True),
        ("columns([1, 1, 3, 7], 3, 1)", 5),
        ("columns([1, 1, 3, 7], 3, 2)", 2),
        ("columns([1, 3], 3, 3)", 0),
        ("columns([1, 3, 5], 2, 1)", 7),
        ("columns([], 3, 1)", 0),
        ("columns(s, 2, 1) == nim_sum(s)", True),
        ("1 / 3 + 1 / 6 == 1 / 2", True),
    ],
)
def test_the_value_of_an_expression(text: str, expected: object) -> None:
    found = value(text)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("n", 1),
        ("n + 1", 3),
        ("n // 2", 3),
        ("not n > 0", 4),
        ("n > 0 and n > 1", 1 + 3),
        ("n == 0 or n > 1", 1 + 3),
        ("n if n == 0 else n + 1", 1 + 3 + 1),
        ("sum(x + 1 for x in [7, 8])", 1 + 3 + 2 * 3),
        ("[x for x in [7, 8] if x > 7]", 1 + 3 + 2 * 3 + 1),
        ("sum(range(10, 30))", 1 + 3 + 20),
    ],
)
def test_each_term_that_is_looked_at_is_a_step(text: str, steps: int) -> None:
    term = Elaborator(VARIABLES).term(text)
    TermEvaluator(refuse_game, RefereeSteps(steps)).evaluate(term, CASE)
    with pytest.raises(LimitReached):
        TermEvaluator(refuse_game, RefereeSteps(steps - 1)).evaluate(term, CASE)


def test_a_product_of_millions_of_digits_is_not_computed() -> None:
    product = Elaborator(VARIABLES).term("n * n")
    with pytest.raises(LimitReached):
        TermEvaluator(refuse_game, RefereeSteps(1_000_000)).evaluate(product, {"n": 1 << 600_000})


def test_terms_that_come_and_go_keep_their_meanings_apart() -> None:
    """Each term is deleted before the next one is made at the same place in memory."""
    meanings = TermEvaluator(refuse_game, RefereeSteps(1_000_000))
    for number in range(1000):
        assert meanings.evaluate(t.Literal(INT, 0, 0, number), {}) == number
