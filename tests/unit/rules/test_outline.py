"""The words of an outline: the numbers, their changes, and their ranges."""

from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import INT, Literal, Term, Variable
from encoders.rules.base.rule import say, say_assignments, say_changes, say_range

X, Y, ONE = Variable(INT, 0, 0, "x"), Variable(INT, 0, 0, "y"), Literal(INT, 0, 0, 1)


def shown(parts: list[str | Term]) -> list[str]:
    """Return the words, and the terms as text."""
    return [x if isinstance(x, str) else f"<{print_term(x)}>" for x in parts]


def test_empty_words_are_left_out_of_a_cell() -> None:
    assert say("a", "", X).parts == ("a", X)


def test_a_number_that_is_itself_is_shown_as_an_equation_of_words() -> None:
    assert shown(say_assignments([("x", X), ("y", ONE), ("y", X)])) == [
        "<x>",
        "=",
        "<x>",
        ", ",
        "<y == 1>",
        ", ",
        "<y == x>",
    ]


def test_of_numbers_that_stay_nothing_is_said_unless_all_do() -> None:
    assert shown(say_changes([("x", X), ("y", ONE)])) == ["<y>", "becomes", "<1>"]
    assert shown(say_changes([("x", X), ("y", Y)])) == ["the same ", "<x>", ", ", "<y>"]


def test_a_range_may_have_no_end() -> None:
    assert shown(say_range("x", ONE, None)) == ["<x>", "from", "<1>", "up"]
    assert shown(say_range("x", ONE, X)) == ["<x>", "from", "<1>", "to", "<x>"]
