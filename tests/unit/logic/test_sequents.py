"""The text of a sequent contains all its premises and its conclusion, and the ranges of its variables."""

import pytest

from claims.language.syntax.terms import BOOL, INT
from encoders.logic.sequents import ONE, Hypothesis, Symbol, Symbols, add, at_least, conjunction, names_in


def test_no_two_variables_have_the_same_name() -> None:
    symbols = Symbols()
    names = [symbols.integer("x").name for _ in range(4)] + [symbols.truth("x").name, symbols.integer("y").name]
    assert len(set(names)) == len(names)
    assert list(symbols.by_name) == names
    assert names[0] == "x"


def test_a_variable_keeps_its_range() -> None:
    symbols = Symbols()
    symbols.integer("x", 2, 5)
    symbols.integer("x", low := -3)
    symbols.integer("y", aside=True)
    symbols.truth("p")
    assert list(symbols.by_name.values()) == [
        Symbol("x", INT, 2, 5),
        Symbol("x (2)", INT, low, None),
        Symbol("y", INT, None, None, True),
        Symbol("p", BOOL, None, None, True),
    ]


def test_the_variables_of_a_sequent_are_those_that_occur() -> None:
    symbols = Symbols()
    a, b, c, _, e = (symbols.integer(name) for name in "abcde")
    told = Hypothesis("c >= 1", at_least(c, ONE))
    found = symbols.sequent("o", (at_least(a, ONE),), at_least(add(b, ONE), e), (told,))
    assert [s.name for s in found.variables] == ["a", "b", "c", "e"]
    assert found.premises == (*found.assume, told.term)
    assert names_in(conjunction(at_least(a, b), at_least(b, c))) == {"a", "b", "c"}
    assert names_in(ONE) == frozenset()


def test_a_sequent_for_people() -> None:
    symbols = Symbols()
    x, p = symbols.integer("x", 0, (1 << 62) - 1), symbols.truth("p")
    told = Hypothesis("p", p)
    found = symbols.sequent("o", (at_least(x, ONE),), at_least(add(x, ONE), ONE), (told,))
    assert list(found.lines()) == [
        "for 0 <= x <= 2^62 - 1",
        "for p: true or false",
        "assume x >= 1",
        "assume p",
        "show x + 1 >= 1",
    ]


def test_what_lemmas_say_is_assumed_and_told_by_whom() -> None:
    symbols = Symbols()
    a, b, c, _ = (symbols.integer(name) for name in "abcd")
    told = Hypothesis("a >= 1", at_least(a, ONE))
    lemmas = (("nim/one", (at_least(b, ONE), at_least(c, ONE))), ("nim/other", (at_least(c, a),)))
    found = symbols.sequent("o", (at_least(a, b),), at_least(a, ONE), (told,), lemmas)
    assert [s.name for s in found.variables] == ["a", "b", "c"]
    assert found.premises == (*found.assume, told.term, *lemmas[0][1], *lemmas[1][1])
    assert found.tracked_premises == ((told.term,), lemmas[0][1], lemmas[1][1])
    assert list(found.lines())[4:] == [
        "assume a >= 1",
        "by nim/one, assume b >= 1",
        "by nim/one, assume c >= 1",
        "by nim/other, assume c >= a",
        "show a >= 1",
    ]


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        (Symbol("x", INT), "x: an integer"),
        (Symbol("x", INT, 0), "0 <= x"),
        (Symbol("x", INT, None, 9), "x <= 9"),
        (Symbol("x", INT, 1, 1023), "1 <= x <= 1023"),
        (Symbol("x", INT, 1, (1 << 11) - 1), "1 <= x <= 2^11 - 1"),
        (Symbol("x", INT, 1, 1 << 11), "1 <= x <= 2048"),
    ],
)
def test_a_variable_for_people(symbol: Symbol, words: str) -> None:
    assert symbol.words == words
