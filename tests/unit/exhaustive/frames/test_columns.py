"""Terms evaluated on columns: the same values as the referee row by row, exactly, and nothing computed twice."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, TermEvaluator, refuse_game
from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.compute.arrays.evaluate import ColumnTable, FrameEvaluator
from encoders.refusals import Unsupported

VARIABLES = {"x": INT, "y": INT, "b": BOOL, "s": POSITION}
NONE = "no value"
ROWS = list(product(range(-3, 5), [-2, -1, 0, 1, 3, 70], [False, True]))
COLUMNS = {name: np.array(column) for name, column in zip("xyb", zip(*ROWS, strict=True), strict=True)}


def term(text: str) -> t.Term:
    return Elaborator(VARIABLES).term(text)


def found(column: Any) -> list[Any]:
    return [NONE if bad else x for x, bad in zip(column.values.tolist(), column.undefined.tolist(), strict=True)]


def expected(whole: t.Term, columns: dict[str, Any]) -> list[Any]:
    """Return the referee's value at each row."""
    out = []
    for row in zip(*(c.tolist() for c in columns.values()), strict=True):
        try:
            out.append(
                TermEvaluator(refuse_game, RefereeSteps(1_000_000)).evaluate(
                    whole, dict(zip(columns, row, strict=True))
                )
            )
        except (IllDefined, LimitReached):
            out.append(NONE)
    return out


@pytest.mark.parametrize(
    "text",
    [
        "x + y * (x - y)",
        "-x",
        "x // y",
        "x % y",
        "x ^ y",
        "bit(x, y)",
        "bit_and(x, y)",
        "bit_or(x, y)",
        "bit_or(x ** 30, y ** 30)",
        "gcd(x, y)",
        "gcd(x ** 30, y ** 20)",
        "valuation(x, y)",
        "valuation(x ** 30, y)",
        "popcount(x)",
        "popcount(x ** 30)",
        "digit_sum(x, y)",
        "digit_sum(x ** 30, 7)",
        "is_prime(x)",
        "is_prime(x * x + 4194301)",
        "is_prime(x ** 50 + 1)",
        "bit_and(x ** 30, y ** 30)",
        "columns([x, y, 3], 3, 1)",
        "columns([x, y, 3], y, 2)",
        "columns([3, 5, y], 2, x)",
        "columns([i for i in range(x)], 4, 3)",
        "top_bit(x) + top_bit(y)",
        "isqrt(x)",
        "abs(x - y)",
        "max(x, y, 2) - min(x, y)",
        "x ** y",
        "2 ** y * 3",
        "x / y < 1 / 3",
        "x == y",
        "x != y",
        "x < y <= 3",
        "x > y or x >= y",
        "b == (x > 0)",
        "not b",
        "iff(b, x > 0)",
        "7",
        "True",
        "b",
        "x",
        # an undefined part counts only if it is evaluated
        "y != 0 and x // y == 1",
        "y == 0 or x // y == 1",
        "implies(y != 0, x % y >= 0)",
        "x // y == 1 and y != 0",
        "x // y if y != 0 else 0",
        "x // y if b else x ^ y",
        "(1 // x if x < 0 else 2 // y) > 0",
        "x > 0 and (y > 0 and x // (y - 1) > 0 or b)",
        "(x // y == 1 or b) and (b or y == 0)",
        # past 64 bits
        "(x + 4) ** 70 - y",
        "(2 ** 70 + x) ^ (2 ** 69)",
        "4611686018427387903 + x",
        "(4611686018427387903 + x) * y // 4",
        "y ** 100000",
        # intermediate lists
        "x in [1, y] or sum([x, y]) == 2",
        "any(i * i == y - x for i in range(x, y))",
    ],
)
def test_the_values_are_those_of_the_referee(text: str) -> None:
    whole = term(text)
    values = found(ColumnTable(COLUMNS).evaluate(whole))
    wanted = expected(whole, COLUMNS)
    assert [(x, type(x)) for x in values] == [(x, type(x)) for x in wanted]


@pytest.mark.parametrize(
    ("column", "text", "value"),
    [
        (np.array([127], dtype=np.int8), "x + x", 254),
        (np.array([200], dtype=np.uint8), "x * x - 65536", -25536),
        (np.array([(1 << 64) - 1], dtype=np.uint64), "x + 1", 1 << 64),
        (np.array([(1 << 63) - 1]), "x + x", (1 << 64) - 2),
        (np.array([-1 << 63]), "-x", 1 << 63),
        (np.array([1 << 40]), "x * x", 1 << 80),
        (np.array([1 << 200], dtype=object), "top_bit(x ^ 1)", 200),
        (np.array([3], dtype=object), "x ** 3", 27),
        (np.array([3037000500]), "x * x", 3037000500**2),
        (np.array([(1 << 62) - 1]), "isqrt(x)", (1 << 31) - 1),
    ],
)
def test_no_column_overflows(column: np.ndarray, text: str, value: int) -> None:
    assert found(ColumnTable({"x": column}).evaluate(term(text))) == [value]


def test_a_term_is_evaluated_once_however_often_it_is_shared() -> None:
    whole = term("x")
    for _ in range(200):  # as a tree, it would have 2**200 leaves
        whole = t.Operation(INT, 0, 0, "mod", (t.Operation(INT, 0, 0, "add", (whole, whole)), term("1000003")))
    assert found(ColumnTable({"x": np.array([1, 5])}).evaluate(whole)) == [pow(2, 200, 1000003), 5 * 2**200 % 1000003]


@pytest.mark.slow
def test_a_term_of_thousands_of_levels_has_a_value() -> None:
    whole = term("x")
    for _ in range(5000):
        whole = t.Operation(INT, 0, 0, "add", (whole, term("1")))
    assert found(ColumnTable({"x": np.array([0, 7])}).evaluate(whole)) == [5000, 5007]


def test_terms_over_the_same_columns_share_what_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[t.Term] = []
    evaluate_part = FrameEvaluator.evaluate

    def spy(self: FrameEvaluator, part: t.Term, frame: Any) -> Any:
        computed.append(part)
        return evaluate_part(self, part, frame)

    monkeypatch.setattr(FrameEvaluator, "evaluate", spy)
    part = term("x * y")
    both = [t.Operation(INT, 0, 0, op, (part, part)) for op in ("add", "nim")]
    table = ColumnTable(COLUMNS)
    for whole in both:
        table.evaluate(whole)
    assert len(computed) == len(set(map(id, computed))) == 5


def test_a_column_may_be_added() -> None:
    columns = {"x": np.array([1, 2])}
    table = ColumnTable(columns)
    assert found(table.evaluate(term("x"))) == [1, 2]
    columns["y"] = np.array([3, 4])
    assert found(table.evaluate(term("x * y"))) == [3, 8]


def test_a_table_may_have_no_rows_or_no_columns() -> None:
    assert found(ColumnTable({"x": np.array([], dtype=np.int64)}).evaluate(term("x // 0 == 1"))) == []
    assert found(ColumnTable({}).evaluate(term("6 * 7"))) == [42]


def test_a_limit_is_told_from_an_ill_defined_row() -> None:
    whole = term("1 // y if b else 2 ** x")
    limits = [
        ColumnTable({"x": np.array([10**6]), "y": np.array([0]), "b": np.array([b])}).evaluate(whole).limit
        for b in (False, True)
    ]
    assert limits == ["a power of more than 100 000 bits", ""]


def test_what_is_given_out_cannot_be_spoilt() -> None:
    column = ColumnTable(COLUMNS).evaluate(term("x"))
    for array in (column.values, column.undefined):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("x + y", {"x": np.array([1])}, "there is no array for y"),
        ("x + y", {"x": np.array([1, 2]), "y": np.array([1])}, "the array of y has the shape .1,.; expected .2,."),
        ("x + 1", {"x": np.array([[1]])}, "the array of x has the shape .1, 1.; expected .1,."),
        ("x + 1", {"x": np.array([True])}, "the variable x has the type Int, but its array has the dtype bool"),
        ("not b", {"b": np.array([1])}, "the variable b has the type Bool, but its array has the dtype int64"),
        ("x + 1", {"x": np.array([1.0])}, "the array of x has the dtype float64"),
        (
            "x + 1",
            {"x": np.array([1.5], dtype=object)},
            "the array of x contains objects other than Python's integers",
        ),
    ],
)
def test_columns_that_do_not_fit_are_refused(text: str, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ColumnTable(columns).evaluate(term(text))


@pytest.mark.parametrize("text", ["[x, x]", "position([x])", "s", "len(s)"])
def test_only_numbers_and_truth_values_make_a_column(text: str) -> None:
    with pytest.raises(Unsupported, match="not values of type"):
        ColumnTable(COLUMNS | {"s": COLUMNS["x"]}).evaluate(term(text))


def test_a_question_about_a_game_is_no_matter_of_columns() -> None:
    call = t.GameCall(BOOL, 0, 0, "terminal", "nim", (term("position([x])"),))
    with pytest.raises(Unsupported, match="the expression contains a question about the game nim"):
        ColumnTable(COLUMNS).evaluate(call)
