"""Type rules that keep what has no meaning out of claims, beside those of test_elaborate.py."""

import pytest

from claims.language.expressions.elaborate import Elaborator
from claims.language.ground.errors import LanguageError
from claims.language.terms.types import BOOL, INT, POSITION, RATIONAL, list_of

VARIABLES = {"n": INT, "r": RATIONAL, "b": BOOL, "s": POSITION, "L": list_of(INT)}


@pytest.mark.parametrize(
    "text",
    [
        "nim_sum(x / 2 for x in L)",
        "mex(x / 2 for x in L)",
        "nim_sum([r])",
        "r // 2",
        "2 // r",
        "r % 2",
        "2 ^ r",
        "bit(r, 0)",
        "range(r)",
        "position([r])",
        "b in s",
        "s in s",
        "r in L",
        "[1, b]",
        "[s, 1]",
        "b + 1",
        "b == 1",
        "L == [1 / 2]",
        "[r] == [1]",
        "s < s",
        "b < b",
        "[b] < [b]",
        "max(s, s)",
        "sum([s])",
        "1 if r else 2",
        "not n",
    ],
)
def test_what_has_no_meaning_is_refused(text: str) -> None:
    with pytest.raises(LanguageError):
        Elaborator(VARIABLES).term(text)


@pytest.mark.parametrize("expected", [INT, BOOL, POSITION])
def test_a_fraction_is_nothing_else(expected: object) -> None:
    with pytest.raises(LanguageError):
        Elaborator(VARIABLES).term("1 / 2", expected)
