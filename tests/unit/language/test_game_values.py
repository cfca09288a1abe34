"""Games in quotes: what the notation means, and which texts are refused."""

from fractions import Fraction
from typing import Any

import pytest

from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereePartizanValues
from claims.language.errors import LanguageError
from claims.language.syntax.game_values import GameTree, parse_game
from encoders.compute.compound.partizan import Games

games = Games(RefereeSteps(10**7))


class NoRules:
    """The rules of a game without positions, so that only games in quotes can be compared."""

    steps = RefereeSteps(10**8)

    def options(self, s: Any, mover: int) -> Any:
        raise AssertionError


def equal(s: str, other: str) -> bool:
    """Whether the referee and the canonical forms find two games in quotes equal; they must agree."""
    referee, x, y = RefereePartizanValues(NoRules()), parse_game(s), parse_game(other)
    found = referee.is_at_most(x, y) and referee.is_at_most(y, x)
    assert (games.read(x) == games.read(y)) is found, (s, other)
    return found


def options(text: str) -> tuple[Any, Any]:
    """Return the options as nested tuples, with numbers as texts."""

    def show(g: Any) -> Any:
        return str(g) if isinstance(g, Fraction) else (tuple(map(show, g.left)), tuple(map(show, g.right)))

    found = show(parse_game(text))
    assert isinstance(found, tuple)
    return found


STAR = (("0",), ("0",))
TREES = {
    "*": STAR,
    "*2": (("0", STAR), ("0", STAR)),
    "^": (("0",), (STAR,)),
    "v": ((STAR,), ("0",)),
    "{|}": ((), ()),
    "{0|}": (("0",), ()),
    "{|-3}": ((), ("-3",)),
    "{1|-1}": (("1",), ("-1",)),
    "{-1, 2/4 | 3/4, *}": (("-1", "1/2"), ("3/4", STAR)),
    "{2|0||-1}": (((("2",), ("0",)),), ("-1",)),
    "{2||0|-1}": (("2",), ((("0",), ("-1",)),)),
    "{1|2||3|4}": (((("1",), ("2",)),), ((("3",), ("4",)),)),
    "{0||1|2|||3}": ((((("0",), ((("1",), ("2",)),))),), ("3",)),
    "{1,2|3||}": (((("1", "2"), ("3",)),), ()),
    "{|3||4}": ((((), ("3",)),), ("4",)),
    "+-1": (("1",), ("-1",)),
    "+-{1,*}": (("1", STAR), ("-1", STAR)),
    "+-{2|1}": (((("2",), ("1",)),), ((("-1",), ("-2",)),)),
    "+-{{2|1}}": (((("2",), ("1",)),), ((("-1",), ("-2",)),)),
    "tiny(2)": (("0",), ((("0",), ("-2",)),)),
    "miny(2)": (((("2",), ("0",)),), ("0",)),
    "tiny({1|0})": (("0",), ((("0",), ((("0",), ("-1",)),)),)),
    # a move in the number or a move in the star
    "1*": ((STAR, "1"), ("1",)),
    "2 - *": (((((STAR, "1"), ("1",))), "2"), ("2",)),
}


@pytest.mark.parametrize("text", TREES)
def test_a_name_means_its_options(text: str) -> None:
    assert options(text) == TREES[text]


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("-2", -2), ("3/4", "3/4"), ("1/2 + 1/4", "3/4"), ("3·2", 6), ("-(1 - 5/8)", "-3/8")]
)
def test_numbers_are_fractions(text: str, number: str | int) -> None:
    assert parse_game(text) == Fraction(number)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("^^", "^ + ^"),
        ("^^*", "^ + ^ + *"),
        ("^3*2", "^ + ^ + ^ + *2"),
        ("^^^", "3·^"),
        ("3·^*", "^^^ + *"),
        ("2·^^", "^4"),
        ("↑", "^"),
        ("⇑*", "^^*"),
        ("↓3", "v + v + v"),
        ("⇓", "-^^"),
        ("v", "-^"),
        ("vv*2", "-(^^*2)"),
        ("1^*", "1 + ^ + *"),
        ("3/4v2*3", "3/4 - 2·^ + *3"),
        ("2Tiny(1)", "2 + tiny(1)"),
        ("Miny(1)", "-tiny(1)"),
        ("±1", "+-1"),
        ("1 + +-2", "{3|-1}"),
        ("2·{1|0}", "1"),
        ("3.{1|0}", "1 + {1|0}"),
        ("-{2|1}", "{-1|-2}"),
        ("1−1/2", "1/2"),
        ("{ 1 | 0 }", "{1|0}"),
        ("0·^", "0"),
        ("(" * 29 + "1" + ")" * 29 + " + (1)", "2"),
        # the sign belongs to the number
        ("-3/4^", "-(3/4) + ^"),
        ("-(3/4^)", "-3/4 + v"),
        ("-1tiny(2)", "tiny(2) - 1"),
        ("-3·^*", "v3 + *"),
        ("-2·{1|0}", "-1"),
        ("-^*2", "v*2"),
        ("*2 + -1*", "*2 + (-1) + *"),
        ("1 - -2", "3"),
        ("1 - 3·^", "1 + v3"),
    ],
)
def test_two_notations_of_one_game(text: str, other: str) -> None:
    assert equal(text, other)
    assert not equal(text, f"({other}) + *")
    assert not equal(text, f"({other}) + ^")
    assert not equal(text, f"({other}) + 1/8")
    assert not equal(text, f"({other}) + tiny(1)")


def test_the_same_text_is_the_same_game() -> None:
    assert parse_game("{1|*}") is parse_game("{1|*}")
    assert isinstance(parse_game("{1|*}"), GameTree)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", (0, 1), "the game ends too early"),
        ("{1|0", (4, 5), "the game ends too early, expected: '}'"),
        ("{1,|0}", (3, 4), "'|' is not expected here"),
        ("{1}", (2, 3), "expected: '|' between the options"),
        ("+-{}", (3, 4), "expected: '|' between the options"),
        ("{1|0|2}", (4, 5), "'|' occurs twice between the same braces"),
        ("{1||0||2}", (5, 7), "'||' occurs twice between the same braces"),
        ("1/3", (0, 3), "1/3 is not the value of a game, expected: a power of two as the denominator"),
        ("1/0", (0, 3), "1/0 is not the value of a game"),
        ("1/2048", (2, 6), "2048 is too large here, expected: at most 1024"),
        ("101", (0, 3), "the number 101 is too large here, expected: at most 100"),
        ("9999999", (0, 7), "9999999 is too large here"),
        ("*21", (1, 3), "21 is too large here, expected: at most 20"),
        ("^21", (1, 3), "21 is too large here"),
        ("20·^^", (3, 5), "40 ups are too many here, expected: at most 20"),
        ("1/2·^", (3, 4), "expected: an integer of at most 20 before '·'"),
        ("21·^", (2, 3), "expected: an integer of at most 20"),
        ("^ 3", (2, 3), "expected: + or - before another game, or the end"),
        ("**", (1, 2), "'*' is not expected here"),
        ("^v^", (1, 2), "'v' is not expected here"),
        ("1+-2", (1, 3), "'+-' is not expected here, expected: + or - before"),
        ("{1|0}*", (5, 6), "'*' is not expected here"),
        ("up", (0, 2), "'up' is not in the notation of games"),
        ("tiny 2", (5, 6), "expected: '('"),
        ("1 = 2", (2, 3), "'=' is not in the notation of games"),
        ("(1", (2, 3), "expected: ')'"),
        ("+", (0, 1), "'+' is not expected here"),
        ("1 - 2^", (5, 6), "'^' is not expected here, expected: parentheses around this sum"),
        ("* - 2tiny(1)", (5, 9), "'tiny' is not expected here, expected: parentheses around this sum"),
        ("-21·^", (3, 4), "expected: an integer of at most 20"),
        ("*20 + *20 + *20 + *20", (0, 22), "more than 2000 followers"),
        ("{" * 40, (30, 31), "more than 30 games are inside each other"),
        ("(" * 30 + "1" + ")" * 30, (30, 31), "more than 30 games are inside each other"),
        ("1" * 201, (0, 201), "the game has 201 characters"),
    ],
)
def test_other_texts_are_refused(text: str, place: tuple[int, int], said: str) -> None:
    with pytest.raises(LanguageError) as refused:
        parse_game(text)
    error = refused.value
    assert (error.start, error.end) == place
    assert said in f"{error.message}, expected: {error.expected}"
