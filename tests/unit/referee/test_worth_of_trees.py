"""Values of games of two players in normal play: known values, computed by hand.

The games are written as trees, (left options, right options). The sources of the values are Conway, On Numbers and
Games, chapters 7 to 9, and Winning Ways, chapters 2 and 6.
"""

from fractions import Fraction
from typing import Any

import pytest

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps
from checks.referee.play import RefereePartizanValues
from claims.language.syntax.game_values import parse_game


class Trees:
    """The rules of games that are trees."""

    def __init__(self, steps: int = 1_000_000) -> None:
        self.steps = RefereeSteps(steps)

    def options(self, s: Any, mover: int) -> Any:
        return s[mover]


def game(left: tuple[Any, ...] = (), right: tuple[Any, ...] = ()) -> Any:
    return left, right


def integer(n: int) -> Any:
    if n == 0:
        return game()
    return game((integer(n - 1),)) if n > 0 else game((), (integer(n + 1),))


def switch(x: int, y: int) -> Any:
    """Return {x | y}."""
    return game((integer(x),), (integer(y),))


def negative(s: Any) -> Any:
    return tuple(map(negative, s[1])), tuple(map(negative, s[0]))


ZERO, ONE, TWO = integer(0), integer(1), integer(2)
HALF = switch(0, 1)
STAR = switch(0, 0)
UP = game((ZERO,), (STAR,))
UP_STAR = game((ZERO, STAR), (ZERO,))
DOUBLE_UP = game((ZERO,), (UP_STAR,))
STAR_TWO = game((ZERO, STAR), (ZERO, STAR))


# -- numbers ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tree", "number"),
    [
        (ZERO, "0"),
        (ONE, "1"),
        (integer(5), "5"),
        (integer(-3), "-3"),
        (HALF, "1/2"),
        (game((ZERO,), (HALF,)), "1/4"),
        (game((HALF,), (ONE,)), "3/4"),
        (game((ZERO,), (game((ZERO,), (HALF,)),)), "1/8"),
        (game((game((HALF,), (ONE,)),), (ONE,)), "7/8"),
        (switch(1, 2), "3/2"),
        (switch(-2, -1), "-3/2"),
        # the simplest number strictly between the options
        (switch(0, 3), "1"),
        (switch(2, 9), "3"),
        (switch(-9, -2), "-3"),
        (switch(-1, 1), "0"),
        (switch(-5, 1), "0"),
        (game((integer(-1),)), "0"),
        (game((), (ONE,)), "0"),
        (game((HALF,)), "1"),
        (game((game((ZERO,), (HALF,)),), (ONE,)), "1/2"),
        (game((ZERO,), (game((HALF,), (ONE,)),)), "1/2"),
        # more than one option: the largest of Left's, the smallest of Right's
        (game((integer(-7), ONE), (integer(9), TWO)), "3/2"),
        # options that are not numbers
        (game((STAR,), (STAR,)), "0"),
        (game((UP,), (ONE,)), "1/2"),
        (game((switch(2, -2),), (switch(2, -2),)), "0"),  # the first player loses
        (STAR, None),
        (UP, None),
        (switch(1, 1), None),
        (switch(1, 0), None),
        (game((STAR,), (ZERO,)), None),  # down
    ],
)
def test_a_number_is_the_simplest_between_its_options(tree: Any, number: str | None) -> None:
    for s, value in ((tree, number and Fraction(number)), (negative(tree), number and -Fraction(number))):
        assert RefereePartizanValues(Trees()).find_number(s) == value
        if value is None:
            with pytest.raises(IllDefined, match="is not a number"):
                RefereePartizanValues(Trees()).number(s)
        else:
            assert RefereePartizanValues(Trees()).number(s) == value


# -- the order --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("s", "t", "sign"),
    [
        (ZERO, ZERO, "="),
        (ZERO, ONE, "<"),
        (ONE, TWO, "<"),
        (HALF, ONE, "<"),
        (switch(-1, 1), ZERO, "="),
        (switch(0, 3), ONE, "="),
        (STAR, ZERO, "||"),
        (STAR, ONE, "<"),
        (ZERO, UP, "<"),
        (UP, STAR, "||"),
        (STAR, DOUBLE_UP, "<"),
        (UP, DOUBLE_UP, "<"),
        (UP, HALF, "<"),
        (STAR, STAR_TWO, "||"),
        (switch(2, -2), ZERO, "||"),
        (switch(2, -2), TWO, "||"),
        (switch(2, -2), integer(3), "<"),
        (switch(2, 1), ZERO, ">"),
        (game((UP,), (UP,)), STAR, ">"),
        (game((ONE, ZERO), (TWO,)), switch(1, 2), "="),
    ],
)
def test_games_are_ordered_by_who_wins_their_difference(s: Any, t: Any, sign: str) -> None:
    """s <= t if Left wins t - s as second player."""
    at_most, at_least = {"<": (True, False), ">": (False, True), "=": (True, True), "||": (False, False)}[sign]
    worth = RefereePartizanValues(Trees())
    assert (worth.is_at_most(s, t), worth.is_at_most(t, s)) == (at_most, at_least)
    assert worth.is_at_most(negative(t), negative(s)) == at_most


@pytest.mark.parametrize(
    ("number", "s", "sign"),
    [
        ("1/2", HALF, "="),
        ("3/4", HALF, ">"),
        ("1/4", HALF, "<"),
        ("-1", ZERO, "<"),
        ("2", integer(2), "="),
        ("0", STAR, "||"),
        ("1/8", UP, ">"),
        ("2", switch(2, -2), "||"),
        ("5/2", switch(2, -2), ">"),
        ("-9/4", switch(2, -2), "<"),
    ],
)
def test_a_number_stands_for_the_game_of_its_name(number: str, s: Any, sign: str) -> None:
    worth, x = RefereePartizanValues(Trees()), Fraction(number)
    expected = {"<": (True, False), ">": (False, True), "=": (True, True), "||": (False, False)}[sign]
    assert (worth.is_at_most(x, s), worth.is_at_most(s, x)) == expected
    assert (worth.is_at_most(negative(s), -x), worth.is_at_most(-x, negative(s))) == expected


# -- thermographs -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tree", "mean", "temperature"),
    [
        # a number: minus 1 by its denominator
        (ZERO, "0", "-1"),
        (integer(4), "4", "-1"),
        (HALF, "1/2", "-1/2"),
        (game((HALF,), (ONE,)), "3/4", "-1/4"),
        # a number and an infinitesimal
        (STAR, "0", "0"),
        (UP, "0", "0"),
        (STAR_TWO, "0", "0"),
        (switch(3, 3), "3", "0"),
        (game((ZERO,), (switch(0, -1),)), "0", "0"),  # tiny
        # {x | y} has the mean (x + y) / 2 and the temperature (x - y) / 2
        (switch(1, -1), "0", "1"),
        (switch(5, 1), "3", "2"),
        (switch(1, 0), "1/2", "1/2"),
        (switch(-2, -7), "-9/2", "5/2"),
        # the better of several options
        (game((integer(-3), ONE, ZERO), (integer(4), integer(-1))), "0", "1"),
        # {4 || 2 | -2}: to the right stands 2 up to the tax 2; 4 - t = 2 at t = 2
        (game((integer(4),), (switch(2, -2),)), "2", "2"),
        # {9 || 2 | -2}: above the tax 2 the right wall is t; 9 - t = t at t = 9/2
        (game((integer(9),), (switch(2, -2),)), "9/2", "9/2"),
        # {6 | 2 || -1}: the left wall is 2 up to the tax 2, then 4 - t. The right wall is t - 1. They meet at t = 5/2
        (game((switch(6, 2),), (integer(-1),)), "3/2", "5/2"),
        # {8 | 4 || 3 | -3}: 4 up to the tax 2, then 6 - t. On the right, 3 up to the tax 3, then t. 6 - t = 3 at t = 3
        (game((switch(8, 4),), (switch(3, -3),)), "3", "3"),
        # {10 | 4 || 3 | -3}: 4 up to the tax 3, then 7 - t. On the right, 3 up to the tax 3, then t. 7 - t = t at t =
        # 7/2
        (game((switch(10, 4),), (switch(3, -3),)), "7/2", "7/2"),
        # {7 | 5 || 1 | -1}: 5 up to the tax 1, then 6 - t; 1 up to the tax 1, then t
        (game((switch(7, 5),), (switch(1, -1),)), "3", "3"),
        # {{9 | 7 || 1} | -5}: the option has the walls 1 + t and 8 - t, and its mast 9/2 at 7/2 (below the
        # tax 1 the latter is 7); then 9/2 - t = t - 5 at t = 19/4
        (game((game((switch(9, 7),), (ONE,)),), (integer(-5),)), "-1/4", "19/4"),
        # two options of Left, of which the one is better below a tax of 3, the other above: {3, {10 | 0} | -4};
        # max(3, t) - t = t - 4 at t = 4
        (game((integer(3), switch(10, 0)), (integer(-4),)), "0", "4"),
        # {3, {10 | 0} | 0}: before they cross, 3 - t = t at t = 3/2
        (game((integer(3), switch(10, 0)), (ZERO,)), "3/2", "3/2"),
        # {1, {10 | 0}, {26 | -6} | -9}: max(1, t up to 5 and then 5, t - 6 up to 16) - t. Here 1 and t cross at 1, and
        # 5 and t - 6 at 11. Then 5 - t = t - 9 at t = 7
        (game((ONE, switch(10, 0), switch(26, -6)), (integer(-9),)), "-2", "7"),
        # the same with -19: 5 - t = t - 19 would be t = 12, but there t - 6 is more; -6 = t - 19 at t = 13
        (game((ONE, switch(10, 0), switch(26, -6)), (integer(-19),)), "-6", "13"),
    ],
)
def test_mean_values_and_temperatures_are_those_of_thermographs(tree: Any, mean: str, temperature: str) -> None:
    worth = RefereePartizanValues(Trees())
    assert (worth.mean(tree), worth.temperature(tree)) == (Fraction(mean), Fraction(temperature))
    assert (worth.mean(negative(tree)), worth.temperature(negative(tree))) == (-Fraction(mean), Fraction(temperature))


# -- stops and birthdays ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tree", "left", "right"),
    [
        (ZERO, "0", "0"),
        (HALF, "1/2", "1/2"),
        (STAR, "0", "0"),
        (UP, "0", "0"),
        (switch(3, -1), "3", "-1"),
        (switch(3, 3), "3", "3"),
        # a number stops at once, although each player would end elsewhere: {-3 | 7} is 0
        (switch(-3, 7), "0", "0"),
        (game((switch(2, -2),), (switch(2, -2),)), "0", "0"),
        # Winning Ways, chapter 6: in {4 || 2 | -2}, Left stops at 4. After Right's move Left stops at 2
        (game((integer(4),), (switch(2, -2),)), "4", "2"),
        # {6 | 2 || -1}: after Left's move, Right stops at 2
        (game((switch(6, 2),), (integer(-1),)), "2", "-1"),
        # the best of several options: 1 of 1 and {9 | -9}, which Right would end at -9
        (game((ONE, switch(9, -9)), (integer(-4), integer(-2))), "1", "-4"),
    ],
)
def test_stops_are_the_first_numbers_of_best_play(tree: Any, left: str, right: str) -> None:
    worth = RefereePartizanValues(Trees())
    assert (worth.stop(tree, 0), worth.stop(tree, 1)) == (Fraction(left), Fraction(right))
    assert (worth.stop(negative(tree), 0), worth.stop(negative(tree), 1)) == (-Fraction(right), -Fraction(left))


@pytest.mark.parametrize(
    ("tree", "birthday"),
    [
        (ZERO, 0),
        (ONE, 1),
        (STAR, 1),
        (TWO, 2),
        (HALF, 2),
        (UP, 2),
        (STAR_TWO, 2),
        (switch(1, -1), 2),
        (DOUBLE_UP, 3),
        (game((HALF,), (ONE,)), 3),
        (integer(-5), 5),
        # less than play: {-3 | 7} is 0, {1 | 3} is 2, and {up | up} is double up star {0 | up}
        (switch(-3, 7), 0),
        (switch(1, 3), 2),
        (game((UP,), (UP,)), 3),
        (game((STAR,), (STAR,)), 0),
        # the dominated option -5 does not count
        (game((ZERO, integer(-5)), (ZERO,)), 1),
        # {0 | double up star} is the sum of three ups
        (game((ZERO,), (game((UP,), (UP,)),)), 4),
    ],
)
def test_birthdays_are_of_the_simplest_equal_game(tree: Any, birthday: int) -> None:
    assert RefereePartizanValues(Trees()).birthday(tree) == birthday
    assert RefereePartizanValues(Trees()).birthday(negative(tree)) == birthday


def test_22_games_are_born_by_day_2() -> None:
    """Source: Siegel, Combinatorial Game Theory, chapter III, section 1. The two days before have 1 and 4 games."""
    worth, born = RefereePartizanValues(Trees()), [ZERO]
    for count in (4, 22):
        sides = [tuple(x for i, x in enumerate(born) if chosen >> i & 1) for chosen in range(2 ** len(born))]
        games = {worth._simplify(game(left, right)): game(left, right) for left in sides for right in sides}
        born = list(games.values())
        assert len(born) == count
    assert sorted(worth.birthday(x) for x in born) == [0] + 3 * [1] + 18 * [2]


# -- cooled games and atomic weights ----------------------------------------------------------------------------------
def check(worth: RefereePartizanValues, found: Any, text: str) -> None:
    """Check that the referee finds the game `found` equal to a game in quotes, and not to that game plus a star."""
    for wanted, equal in ((parse_game(text), True), (parse_game(f"({text}) + *"), False)):
        assert (worth.is_at_most(found, wanted) and worth.is_at_most(wanted, found)) is equal


@pytest.mark.parametrize(
    ("tree", "tax", "value"),
    [
        # a number does not change
        (ONE, "1", "1"),
        (HALF, "3", "1/2"),
        # Winning Ways, chapter 6: {x | y} becomes {x - t | y + t}, and the mean value above the temperature
        (switch(1, -1), "0", "+-1"),
        (switch(1, -1), "1/2", "+-1/2"),
        (switch(1, -1), "1", "*"),
        (switch(1, -1), "5/4", "0"),
        (switch(5, 2), "1", "{4|3}"),
        (switch(5, 2), "3/2", "7/2*"),
        # {5 - 2 | 2 + 2} would be 7/2, but {5 - 3 | 2 + 3} would be 3
        (switch(5, 2), "3", "7/2"),
        (UP, "0", "^"),
        (UP, "1/8", "0"),
        (STAR, "1", "0"),
        # {6 | 2 || -1}: the option {6 | 2} becomes 4*, then 2*, and -1 becomes 1
        (game((switch(6, 2),), (integer(-1),)), "2", "{2*|1}"),
        # its temperature is 5/2: {6 | 2} is 4 for a tax above 2, so both sides are 3/2
        (game((switch(6, 2),), (integer(-1),)), "5/2", "3/2*"),
        (game((switch(6, 2),), (integer(-1),)), "3", "3/2"),
    ],
)
def test_each_move_of_a_cooled_game_costs_the_tax(tree: Any, tax: str, value: str) -> None:
    worth = RefereePartizanValues(Trees())
    check(worth, worth.cool(tree, Fraction(tax)), value)
    check(worth, worth.cool(negative(tree), Fraction(tax)), f"-({value})")


@pytest.mark.parametrize(
    ("tree", "by", "value"),
    [
        # Winning Ways, chapter 6: a number does not change, and {x | y} becomes {x + t | y - t}
        (ZERO, "1", "0"),
        (HALF, "3", "1/2"),
        (STAR, "1", "+-1"),
        (STAR, "3/4", "+-3/4"),
        (STAR, "0", "*"),
        (switch(1, -1), "1", "+-2"),
        (switch(5, 2), "1", "{6|1}"),
        # the gain is not for the numbers below a move, but for each move: {0 | *} becomes {1 | +-1 - 1}
        (UP, "1", "{1||0|-2}"),
        (UP, "2", "{2||0|-4}"),
        (game((ZERO,), (game((ZERO,), (integer(-2),)),)), "1", "{1||0|-4}"),
        (STAR_TWO, "1", "{1,{2|0}|-1,{0|-2}}"),
        # {1 | 1} is 1*, and its options are numbers
        (switch(1, 1), "2", "{3|-1}"),
        # {* | *} is 0, and {0, -5 | 0} is star
        (game((STAR,), (STAR,)), "1", "0"),
        (game((ZERO, integer(-5)), (ZERO,)), "1", "+-1"),
        # by a game that is no number
        (STAR, "1*", "{1*|-1*}"),
        (STAR, "^", "{^|v}"),
    ],
)
def test_each_move_of_a_heated_game_gains_the_heat(tree: Any, by: str, value: str) -> None:
    worth = RefereePartizanValues(Trees())
    check(worth, worth.heat(tree, parse_game(by)), value)
    check(worth, worth.heat(negative(tree), parse_game(by)), f"-({value})")


@pytest.mark.parametrize(
    ("tree", "low", "high", "value"),
    [
        # an integer n becomes n copies of the lower game
        (ZERO, "1*", "1", "0"),
        (TWO, "1/2", "3", "1"),
        (integer(3), "1*", "1", "3*"),
        (ONE, "^", "1", "^"),
        # {0 | 1} becomes {0 + 1 | 1* - 1}
        (HALF, "1*", "1", "{1|*}"),
        (HALF, "1", "1", "{1|0}"),
        (HALF, "2", "1/2", "1"),
        # {0 | 1/2} becomes {1 | {1 | *} - 1}
        (game((ZERO,), (HALF,)), "1*", "1", "{1||0|-1*}"),
        (STAR, "5", "2", "+-2"),
        (switch(2, 1), "1*", "1", "{3|*}"),
        (UP, "1*", "1", "{1||0|-2}"),
        # the integer 1, in a form with other options
        (game((HALF,)), "1*", "1", "1*"),
    ],
)
def test_overheated_integers_are_copies_of_a_game(tree: Any, low: str, high: str, value: str) -> None:
    worth = RefereePartizanValues(Trees())
    check(worth, worth.heat(tree, parse_game(high), parse_game(low)), value)
    check(worth, worth.heat(negative(tree), parse_game(high), parse_game(low)), f"-({value})")


def test_games_in_quotes_are_cooled_heated_and_weighed() -> None:
    worth = RefereePartizanValues(Trees())
    check(worth, worth.cool(parse_game("{6|2||-1}"), Fraction(2)), "{2*|1}")
    check(worth, worth.cool(parse_game("3/4"), Fraction(1)), "3/4")
    check(worth, worth.cool(worth.heat(parse_game("^*2"), Fraction(1)), Fraction(1)), "^*2")
    check(worth, worth.atomic_weight(parse_game("3·^*2")), "3")
    with pytest.raises(IllDefined, match=r"^the game is not equal to an all-small game$"):
        worth.atomic_weight(parse_game("1"))


UP_SECOND = game((ZERO,), (negative(UP_STAR),))


@pytest.mark.parametrize(
    ("tree", "weight"),
    [
        # Winning Ways, chapter 8: nimbers have the atomic weight 0, and n ups with a nimber have n
        (ZERO, "0"),
        (STAR, "0"),
        (STAR_TWO, "0"),
        (UP, "1"),
        (UP_STAR, "1"),
        (DOUBLE_UP, "2"),
        (game((UP,), (UP,)), "2"),
        (game((ZERO,), (game((UP,), (UP,)),)), "3"),
        # {0 | down star} has -2 and -1 + 2 around the weight, but it is confused with the remote star
        (UP_SECOND, "0"),
        # both options of {up | down} are reversible through star
        (game((UP,), (negative(UP),)), "0"),
        # {double up star | up}: {2 - 2 | 1 + 2} is 1, but 2 fits too, and the game is above the remote star
        (game((game((UP,), (UP,)),), (UP,)), "2"),
        # {up star | 0}: {1 - 2 | 0 + 2} is 0. Left loses when she moves first, so it is not above the remote star
        (game((UP_STAR,), (ZERO,)), "0"),
        # {double up | double down} has the weight {2 - 2 | -2 + 2} = star, which is no integer
        (game((DOUBLE_UP,), (negative(DOUBLE_UP),)), "*"),
        # with three ups, it is {3 - 2 | -3 + 2}
        (game((game((ZERO,), (game((UP,), (UP,)),)),), (negative(game((ZERO,), (game((UP,), (UP,)),))),)), "+-1"),
        # {three ups | star}: {3 - 2 | 2} is the number 3/2
        (game((game((ZERO,), (game((UP,), (UP,)),)),), (STAR,)), "3/2"),
    ],
)
def test_atomic_weights_count_ups(tree: Any, weight: str) -> None:
    worth = RefereePartizanValues(Trees())
    check(worth, worth.atomic_weight(tree), weight)
    check(worth, worth.atomic_weight(negative(tree)), f"-({weight})")


@pytest.mark.parametrize("tree", [ONE, HALF, switch(1, -1), game((ZERO,), (switch(0, -1),)), game((ONE,), (STAR,))])
def test_other_games_have_no_atomic_weight(tree: Any) -> None:
    with pytest.raises(IllDefined, match="is not equal to an all-small game"):
        RefereePartizanValues(Trees()).atomic_weight(tree)


def test_a_game_that_equals_an_all_small_game_has_an_atomic_weight() -> None:
    """{-1 | 1} is 0, although each player has a number as an option."""
    worth = RefereePartizanValues(Trees())
    check(worth, worth.atomic_weight(game((switch(-1, 1),), (STAR,))), "1")


# -- steps ------------------------------------------------------------------------------------------------------------
def test_what_a_game_is_worth_costs_steps() -> None:
    """Each distinct comparison costs a step, and so does each tax at which walls are evaluated."""
    rules = Trees(steps=1)
    worth = RefereePartizanValues(rules)
    assert worth.is_at_most(ZERO, ZERO)
    assert worth.is_at_most(ZERO, ZERO)
    with pytest.raises(LimitReached):
        worth.is_at_most(ONE, ZERO)
    rules = Trees()
    worth, tree = RefereePartizanValues(rules), switch(2, -2)
    for s in (tree, TWO, integer(-2)):
        worth.find_number(s)
    rules.steps.left = 0
    with pytest.raises(LimitReached):
        worth.mean(tree)
