"""Random expressions of the whole language have the same meaning for the referee (case by case) and the engine."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from both import COLUMNS, ILL, LIMIT, NONE, ROWS, Both, base_claim
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from random_expressions import EVERY_SORT, expressions

from checks.referee.meaning import LimitReached
from claims.language.errors import LanguageError
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from encoders.compute.arrays import evaluate as comprehensions
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.search import find_repeated
from encoders.compute.compound.meaning import TermCompiler

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(comprehensions, "MANY", 1)  # so that equal cases are merged even among few
        yield Both(base_claim(Path(tmp_path_factory.mktemp("base"))))


def agree(both: Both, text: str) -> list[list[object]]:
    """Return the value of the expression at each case, after a comparison of all interpretations."""
    term = both.term(text)
    expected = both.by_referee(term)
    assert told(both.by_text(term)) == told(expected), text
    found = both.by_engine(term)
    cases = [(ROWS[i], COLUMNS[j]) for i in range(len(ROWS)) for j in range(len(COLUMNS))]
    wrong = [
        (case, e, f)
        for case, e, f in zip(cases, chain(*expected), chain(*found), strict=True)
        if (NONE if e in (ILL, LIMIT) else e, type(e)) != (f, type(f))
    ]
    assert not wrong, f"{text}: at (k, b, p, q, A), (s, l) = {wrong[0][0]}: {wrong[0][1]!r} is {wrong[0][2]!r} there"
    return expected


def told(values: list[list[object]]) -> list[object]:
    """Return the values with their types: 1 is not True."""
    return [(x, type(x)) for x in chain(*values)]


@pytest.mark.parametrize("depth", [2, 3, 4])
@FIXED
@given(data=st.data())
@pytest.mark.slow
def test_random_expressions(both: Both, depth: int, data: st.DataObject) -> None:
    text = data.draw(expressions(EVERY_SORT, depth))
    try:
        values = agree(both, text)
    except (
        LanguageError
    ):  # the elaborator refuses expressions that the writer wrongly considers valid, such as a `for` over a number
        event("refused")
        assume(False)
    except (LimitReached, TooLarge):
        event("too large for one of them")
        assume(False)
    else:
        ill = sum(x is ILL for row in values for x in row)
        event(
            "everywhere ill-defined" if ill == len(ROWS) * len(COLUMNS) else "ill-defined somewhere" if ill else "fine"
        )


@pytest.mark.slow
def test_the_random_expressions_are_no_empty_test(both: Both) -> None:
    """Most are accepted, and most of those are defined at some case and differ between cases."""
    accepted, valued, varied = [], [], []

    @settings(FIXED, max_examples=150)
    @given(expressions(EVERY_SORT, 3))
    def sample(text: str) -> None:
        try:
            values = {str(x) for row in both.by_referee(both.term(text)) for x in row}
        except (LanguageError, LimitReached):
            return
        accepted.append(text)
        valued.append(values != {ILL})
        varied.append(len(values) > 1)

    sample()
    assert len(accepted) >= 100
    assert sum(valued) >= 60
    assert sum(varied) >= 40


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # Python's rules for // and % of negative numbers.
        ("(0 - 7) // 2", -4),
        ("(0 - 7) % 2", 1),
        ("7 // (0 - 2)", -4),
        ("7 % (0 - 2)", -1),
        ("1 // 0", ILL),
        # `and`, `or`, implies and `if` evaluate only as far as required.
        ("False and 1 // 0 == 1", False),
        ("True or 1 // 0 == 1", True),
        ("implies(False, 1 // 0 == 1)", True),
        ("1 if True else 1 // 0", 1),
        ("1 // 0 == 1 and False", ILL),
        # any and all stop in the order of their source.
        ("any(1 // (x - 1) == 1 for x in [2, 1])", True),
        ("any(1 // (x - 1) == 1 for x in [1, 2])", ILL),
        ("all(x > 1 for x in [1, 0] if 1 // x == 1)", False),
        # beyond 64 bits
        ("4611686018427387904 * 4", 1 << 64),
        ("9223372036854775807 + 1", 1 << 63),
        ("(0 - 9223372036854775807 - 2) // 2", -(1 << 62) - 1),
        ("2 ** 100 % 1000", 2**100 % 1000),
        ("(2 ** 70) ^ (2 ** 69)", 3 << 69),
        ("top_bit(2 ** 70)", 70),
        ("max([])", ILL),
        ("[4, 5][2]", ILL),
        ("[4, 5][0 - 1]", ILL),
        ("{2, 1, 2}", (1, 2)),
        ("min({x for x in [3, 1, 2] if x > 1})", 2),
        ("mex([0, 1, 3])", 2),
        ("nim_sum([3, 5, 2 ** 65])", 6 + 2**65),
        ("len({1, 1, 2})", 2),
        ("len([1, 1, 2])", 3),
        ("sum([])", 0),
        ("len(position([0, 3, 0, 1]))", 2),
        ("position([3, 0, 1]) == position([1, 3])", True),
        ("position([0 - 1])", ILL),
        ("1 / 3 + 1 / 6 == 1 / 2", True),
        ("wyt.wins(position([1, 2]))", False),
        ("nim.wins(position([1, 2]))", True),
        ("mis.wins(position([1, 1]))", True),
        ("mis.wins(position([1]))", False),
        # A term past a limit is neither false nor undefined; a guard to its left avoids it.
        ("len(range(0, 10 ** 3)) == 10 ** 3", True),
        ("len(range(0, 10 ** 7 + 1))", LIMIT),
        ("10 in range(0, 10 ** 40)", LIMIT),
        ("2 ** 100000 > 0", LIMIT),
        ("2 ** 99999 > 0", True),
        (" * ".join(["2 ** 49000"] * 20) + " > 0", True),
        (" * ".join(["2 ** 49000"] * 21) + " > 0", LIMIT),
        ("1 // 0 + len(range(0, 10 ** 8))", ILL),
        ("len(range(0, 10 ** 8)) + 1 // 0", LIMIT),
        ("False and len(range(0, 10 ** 8)) > 0", False),
        ("any(i > 0 or 2 ** 10 ** 6 > i for i in [1, 0])", True),
        ("any(i > 0 or 2 ** 10 ** 6 > i for i in [0, 1])", LIMIT),
        ("0 if True else max(range(0, 10 ** 8))", 0),
        ("sum(i for i in range(0, 10 ** 8) if i < 0)", LIMIT),
    ],
)
def test_expressions_whose_value_is_known(both: Both, text: str, value: object) -> None:
    assert agree(both, text) == [[value] * len(COLUMNS)] * len(ROWS)


def test_deep_terms_are_cut_where_python_would_nest_no_deeper(both: Both) -> None:
    agree(both, " + ".join(["k"] * 90) + " + " + "abs(" * 35 + "l" + ")" * 35)
    agree(both, "sum(" + "x + sum(" * 7 + "x" + " for x in [k, l])" * 8)


@pytest.mark.parametrize(
    "text", ["sum(x for x in range(0, 99999))", "sum(x for x in range(0, 99) for y in range(0, 99))"]
)
def test_long_runs_look_at_the_clock(both: Both, text: str) -> None:
    read = TermCompiler(both.referee.game, Deadline(-1)).read(both.term(text))
    with pytest.raises(OutOfTime):
        read(both.case(0, 0))


# -- repeated game calls ------------------------------------------------------------------------------------------
# Text -> the number of its game calls and positions that occur several times.
REPEATED = {
    "nim.wins(s) and k > 0 or not nim.wins(s) and b": 2,
    "wyt.wins(position([k, l])) or wyt.grundy(position([k, l])) == 2": 2,
    "wyt.wins(position([k, l])) == wyt.wins(position([l, k]))": 0,
    "wyt.wins(position([k, l])) == nim.wins(position([k, l]))": 2,
    "wyt.wins(position([2, l])) == wyt.wins(position([3, l]))": 0,
    "kl.wins(s, p) and kl.wins(s, p)": 2,
    "kl.wins(s, P1) == kl.wins(s, P2)": 0,
    "nim.wins(s) == mis.wins(s)": 0,
    "nim.grundy(s) + nim.value(s) == 1": 0,
    "any(not nim.wins(o) for o in nim.options(s)) == all(nim.wins(o) for o in wyt.options(s))": 0,
    "any(not nim.wins(o) for o in nim.options(s)) and len(nim.options(s)) > 1": 2,
    "all(not nim.wins(o) or any(wyt.wins(u) for u in nim.options(o)) for o in nim.options(s))": 0,
    "any(nim.wins(o) and nim.grundy(o) == 1 or not nim.wins(o) for o in nim.options(s))": 2,
    "any(nim.wins(position([h])) for h in s) == any(nim.wins(position([h])) for h in A if h > 0)": 0,
    "k > 0 and moo.wins(s) or k < 1 and not moo.wins(s)": 2,
    "b or wyt.wins(position([k, l])) or nim.wins(position([k, l]))": 2,
}


@pytest.mark.parametrize("text", REPEATED)
def test_answers_are_those_of_the_referee(both: Both, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    term = both.term(text)
    begin = FrameEvaluator.__init__

    def begin_with(self, *args) -> None:
        begin(self, *args)
        self.repeated = find_repeated([term])

    monkeypatch.setattr(FrameEvaluator, "__init__", begin_with)
    expected = [[NONE if x in (ILL, LIMIT) else x for x in row] for row in both.by_referee(term)]
    assert both.by_engine(term) == expected
    assert len({str(x) for row in expected for x in row}) > 1, "the same everywhere: no test"


@pytest.mark.parametrize("text", REPEATED)
def test_what_stands_at_several_places_is_found(both: Both, text: str) -> None:
    found = find_repeated([None, both.term(text)])
    assert len(found) >= REPEATED[text] and bool(found) == bool(REPEATED[text])


def test_a_question_is_asked_once(both: Both) -> None:
    """A term that occurs once is not stored."""
    term = both.term("wyt.wins(position([k, l])) and nim.wins(position([k, l])) and wyt.wins(position([k, l])) and b")
    found = find_repeated([term])
    kinds = {type(x).__name__: found.get(id(x)) for x in walk(term)}
    assert set(found.values()) == {kinds["GameCall"], kinds["Operation"]}
    assert not any(id(x) in found for x in walk(term) if isinstance(x, (t.Variable, t.Collection, t.AllOf)))
    assert id(next(x for x in walk(term) if isinstance(x, t.GameCall) and x.game == "nim")) not in found
