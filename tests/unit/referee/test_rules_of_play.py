"""The rules of a ruleset for the referee: parameters, ends of play, preferences, measures, tables."""

from typing import Any

import pytest

from checks.referee import play
from checks.referee.meaning import IllDefined, LimitReached
from checks.referee.play import FEW, MANY, SMALL, RefereeGame

ONE = '[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]\n'  # one object from a heap
NIM = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
NOT_ONE = NIM.replace("become", 'where = "m != 1 or mover == A"\nbecome')  # B may not take a single object
STONE = '[heap]\nv = "0..4"\n[[moves]]\nchoose = "any heap h"\nwhere = "h.v > 0"\nbecome = [{ v = "h.v - 1" }]\n'
THREE = 'players = ["A", "B", "C"]\n'


# -- parameters and players -------------------------------------------------------------------------------------------
def test_a_parameter_may_be_a_set_and_may_have_no_upper_bound(game: Any) -> None:
    head = 'parameters = { S = "set", k = "2.." }\n'
    moves = NIM.replace("become", 'where = "m in S or m == k"\nbecome')
    assert game(moves, head, S=(1, 3), k=7).options((9,), 0) == ((2,), (6,), (8,))
    with pytest.raises(IllDefined, match=r"k = 1 is outside 2\.\., the domain"):
        game(moves, head, S=(1, 3), k=1)


def test_a_parameter_may_be_the_number_of_players(game: Any) -> None:
    """With five players, the player who takes the last of three objects is the third."""
    played = game(ONE, 'players = "n"\nparameters = { n = "2.." }\n', n=5)
    assert played.players == 5
    assert [played.value((h,), 0) for h in range(1, 8)] == [0, 1, 2, 3, 4, 0, 1]
    with pytest.raises(IllDefined, match="player 5 does not exist: the game has 5 players"):
        played.options((1,), 5)
    with pytest.raises(LimitReached, match="players"):
        game(ONE, 'players = "n"\nparameters = { n = "2.." }\n', n=10**30)


# -- the end of play --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("prefer", "value"),
    [
        ("", 1),
        ('prefer = "[0, 1, 2]"\n', 1),
        ('prefer = "[0, 2, 1]"\n', 2),
        ('prefer = "[2, 1, 0]"\n', 2),
    ],
)
def test_a_player_makes_the_move_after_which_he_likes_the_winner_best(game: Any, prefer: str, value: int) -> None:
    """Three players, Nim, heaps of 1 and 2. After (1, 1) B and C take one each; C is last, with offset 2 from A.

    After (1) and (2) B takes all and is last: 1. With [2, 1, 0], B leaves (1) of (2) to C: then all moves lead to 2 or
    1.
    """
    assert game(NIM, THREE + prefer).value((1, 2), 0) == value


@pytest.mark.parametrize("prefer", ["[0, 0, 1]", "[0, 1]", "[1, 2, 3]", "[0, 1, 2, 2]"])
def test_preferences_have_each_offset_once(game: Any, prefer: str) -> None:
    with pytest.raises(IllDefined, match="but it must contain each of"):
        game(NIM, f'{THREE}prefer = "{prefer}"\n')


ANY_NUMBER = 'players = "n"\nparameters = { n = "2.." }\nstuck = "sum(s) - 1"\n'


@pytest.mark.parametrize(
    ("s", "mover", "value"),
    [((1,), 0, 0), ((1,), 1, 2), ((1,), 2, 1), ((2,), 0, 1), ((2,), 1, 0), ((2,), 2, 2), ((3,), 0, 2), ((3,), 2, 0)],
)
def test_the_last_position_may_tell_who_wins(game: Any, s: tuple[int, ...], mover: int, value: int) -> None:
    """Three players, 0 to 2. With h objects nobody can move, and player h - 1 wins: the offset from the mover."""
    played = game(ONE.replace("become", 'where = "h > 3"\nbecome'), ANY_NUMBER, n=3)
    assert played.value(s, mover) == value
    for wrong, winner in (((), -1), ((1, 3), 3)):
        with pytest.raises(IllDefined, match=f"`stuck` of mine is {winner} at .*, which is not the number of a player"):
            played.value(wrong, mover)


# -- measures ---------------------------------------------------------------------------------------------------------
def test_a_move_may_lower_the_measure_from_0(game: Any) -> None:
    """The measure must be natural if there is a move; after the last move it may be negative."""
    played = game(ONE, 'measure = "sum(s) - 3"\n')
    assert played.options((4,), 0) == ((3,),)
    assert played.options((3,), 0) == ((2,),)
    with pytest.raises(IllDefined, match="does not decrease the measure"):
        played.options((2,), 0)


def test_play_that_may_go_on_needs_no_measure(game: Any) -> None:
    """A stone at v goes to v - 1, and from 0 to 4."""
    moves = STONE.replace('where = "h.v > 0"\n', "").replace("h.v - 1", "(h.v + 4) % 5")
    played = game(moves, 'measure = "none"\n')
    assert played.options(((0,),), 0) == (((4,),),)
    assert (played.wins(((0,),), 0), played.loses(((0,),), 0), played.draws(((0,),), 0)) == (False, False, True)


def test_a_heap_of_negative_measure_is_not_played_by_itself(game: Any) -> None:
    """In a sum, other heaps may compensate for its measure."""
    played = game(ONE, 'measure = "sum(h - 2 for h in s)"\n', sums=True)
    assert played.sums
    with pytest.raises(LimitReached, match="a heap has a negative measure"):
        played.grundy((1, 5))
    with pytest.raises(IllDefined, match="does not decrease"):
        game(ONE, 'measure = "sum(h - 2 for h in s)"\n').grundy((1,))
    above_2 = game(ONE.replace("become", 'where = "h > 2"\nbecome'), 'measure = "sum(h - 2 for h in s)"\n', sums=True)
    assert [above_2.grundy((h,)) for h in (2, 3, 4)] == [0, 1, 0]
    assert above_2.value((1,), 0) == 1


def test_who_wins_where_play_may_go_on(game: Any) -> None:
    """This is Nim in which a heap above 2 may stay unchanged."""
    moves = NIM.replace("1..h", "0..h").replace("become", 'where = "m > 0 or h > 2"\nbecome')
    played = game(moves, 'measure = "none"\n')
    assert [played.value(s, 0) for s in ((), (1,), (3,), (2, 2), (1, 3))] == [1, 0, 0, 1, 0]


# -- the cost of moves ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("choose", "become", "s"),
    [
        ("any two heaps g, h", '["g", "h - 1"]', (1,) * 100),  # 9900 pairs
        ("each of 3..3 heaps h", '["h - 1"]', (1,) * 40),  # 9880 triples
    ],
)
def test_choices_of_heaps_cost_steps(game: Any, choose: str, become: str, s: tuple[int, ...]) -> None:
    """This also holds if most of them are equal, so that only one is tried."""
    played = game(f'[[moves]]\nchoose = "{choose}"\nbecome = {become}\n')
    played.steps.left = 9000
    with pytest.raises(LimitReached):
        played.options(s, 0)
    played.steps.left = 11_000
    assert len(played.options(s, 0)) == 1


@pytest.mark.parametrize("choose", ["a largest heap h", "a smallest heap h", "any heap h", "each of 1..2 heaps h"])
def test_where_there_is_no_heap_there_is_no_move(game: Any, choose: str) -> None:
    assert game(f'[[moves]]\nchoose = "{choose}"\nbecome = ["h - 1"]\n').options((), 0) == ()


# -- picks and heaps --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("pick", "become", "options"),
    [
        ('m = "1..2"', '["h - m"]', ((7,), (8,))),
        ('m = "3..3"', '["h - m"]', ((6,),)),
        ('m = "3..2"', '["h - m"]', ()),
        ('m = "S"', '["h - m"]', ((4,), (8,))),
        ('m = "[2, 7, 2]"', '["h - m"]', ((2,), (7,))),
        ('m = "1..2", k = "m..2"', '["h - m - k"]', ((5,), (6,), (7,))),
    ],
)
def test_what_a_move_picks(game: Any, pick: str, become: str, options: tuple[Any, ...]) -> None:
    """The heap is 9, and S is {1, 5}."""
    moves = f'[[moves]]\nchoose = "any heap h"\npick = {{ {pick} }}\nbecome = {become}\n'
    assert game(moves, 'parameters = { S = "set" }\n', S=(1, 5)).options((9,), 0) == options


def test_more_numbers_than_steps_are_not_picked(game: Any) -> None:
    with pytest.raises(LimitReached, match="steps"):
        game('[[moves]]\nchoose = "any heap h"\npick = { m = "1..10 ** 12" }\nbecome = ["h - m"]\n').options((9,), 0)


COINS = """
measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0..2"
[[moves]]
choose = "any heap h"
pick = { d = "[0..h.c[i] for i in range(len(h.c))]" }
where = "sum(d) == 1"
become = [{ c = "[h.c[i] - d[i] for i in range(len(h.c))]" }]
"""


def test_a_move_may_pick_a_list_each_number_from_a_range_of_its_own(game: Any) -> None:
    """One coin is taken from a place that has one."""
    played = game(COINS)
    assert played.options((((1, 0, 2),),), 0) == ((((0, 0, 2),),), (((1, 0, 1),),))
    assert played.options((((0, 0),),), 0) == ()
    many = game(COINS.replace("0..h.c[i]", "0..9999"))
    with pytest.raises(LimitReached, match="steps"):
        many.options((((0, 0, 0),),), 0)  # 10 ** 12 lists


@pytest.mark.parametrize(
    ("heap", "where", "value", "there"),
    [
        ('v = "1..3"', "", (1,), True),
        ('v = "1..3"', "", (3,), True),
        ('v = "1..3"', "", (0,), False),
        ('v = "1..3"', "", (4,), False),
        ('v = "1.."', "", (99,), True),
        ('v = "1.."', "", (0,), False),
        ('v = "1..3"', 'where = "h.v != 2"\n', (2,), False),
        ('v = "1..3"', 'where = "h.v != 2"\n', (3,), True),
        ('v = "1..3"\nw = "0..5"', 'where = "h.v < h.w"\n', (3, 4), True),
        ('v = "1..3"\nw = "0..5"', 'where = "h.v < h.w"\n', (3, 3), False),
        ('v = "1..3"\nw = "0..5"', 'where = "h.v < h.w"\n', (3, 6), False),
        ('v = "1..3"\nw = "0..5"', 'where = "h.v < h.w"\n', (0, 5), False),
        ('v = "list of 0..2"', "", ((0, 2, 1),), True),
        ('v = "list of 0..2"', "", ((),), True),
        ('v = "list of 0..2"', "", ((0, 3),), False),
        ('v = "list of 0..2"', "", ((-1, 0),), False),
    ],
)
def test_which_heaps_there_are(game: Any, heap: str, where: str, value: Any, there: bool) -> None:
    """Each part is in its range, every number of a list is, and `where` holds."""
    moves = f'[heap]\n{heap}\n{where}[[moves]]\nchoose = "any heap h"\nwhere = "False"\nbecome = []\n'
    played = game(moves, 'measure = "len(s)"\n')
    assert played.parts.has(value) is there
    if not there:
        with pytest.raises(IllDefined, match="is not a heap of"):
            played.drop_vanished((value,))


@pytest.mark.parametrize(
    ("measure", "a_sum"),
    [
        ("sum(s)", True),
        ("len(s)", True),
        ("sum(s) + len(s)", True),
        ("2 * sum(s) - len(s)", True),
        ("sum(s) * 3", True),
        ("sum(h * h for h in s)", True),
        ("sum(s) + 1", False),
        ("1 + sum(s)", False),
        ("sum(s) - 1", False),
        ("sum(s) * len(s)", False),
        ("3 * max([0] + [h for h in s])", False),
        ("sum(h + len(s) for h in s)", False),
        ("sum(h for h in s if h > 1)", False),
        ("sum(h + g for h in s for g in s)", False),
        ("max([0] + [h for h in s])", False),
    ],
)
def test_which_measures_are_sums_over_the_heaps(game: Any, measure: str, a_sum: bool) -> None:
    """Grundy values may be added only if the form of the measure shows this."""
    assert game(ONE, f'measure = "{measure}"\n', sums=True).sums is a_sum


def test_values_are_added_only_where_every_move_is_of_one_heap(game: Any) -> None:
    two = '[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["g - 1", "h - 1"]\n'
    assert game(ONE + ONE, sums=True).sums
    assert not game(ONE + two, sums=True).sums
    assert not game(two + ONE, sums=True).sums


def test_of_three_players_each_has_the_same_options_where_there_is_a_grundy_value(game: Any) -> None:
    for other in "BC":
        played = game(NIM.replace("become", f'where = "m == 1 or mover != {other}"\nbecome'), THREE)
        assert played.grundy((1,)) == 1
        with pytest.raises(IllDefined, match="differ"):
            played.grundy((2,))


def test_solving_costs_steps(game: Any) -> None:
    """Each position and each of its options costs one step, also if the options are known."""
    played = game(ONE)
    for s in ((), (1,), (2,), (3,), (4,)):
        played.options(s, 0)
    left = played.steps.left
    assert (played.value((4,), 0), left - played.steps.left) == (1, 5 + 4)


# -- winners and Grundy values ----------------------------------------------------------------------------------------
def test_winners_and_values_of_heaps_with_parts(game: Any) -> None:
    """A stone at v has v moves left."""
    played = game(STONE, 'measure = "sum(h.v for h in s)"\n')
    assert [played.value(((v,),), 0) for v in (0, 1, 2, 3)] == [1, 0, 1, 0]
    assert [played.grundy(((v,),)) for v in (0, 1, 2, 3)] == [0, 1, 0, 1]
    assert (played.value(((1,), (1,)), 0), played.value(((1,), (2,)), 0)) == (1, 0)
    assert (played.grundy(((1,), (1,))), played.grundy(((1,), (2,)))) == (0, 1)
    assert (played.wins(((1,),), 1), played.loses(((1,),), 1)) == (True, False)


def test_grundy_values_are_those_of_all_players(game: Any) -> None:
    """Only B may not take 1: the options of (1) differ, and (1) is an option of (2). At () they agree."""
    played = game(NOT_ONE)
    assert played.grundy(()) == 0
    for s in ((1,), (2,), (1, 1)):
        with pytest.raises(IllDefined, match="because the players have different options there"):
            played.grundy(s)


def test_grundy_values_with_the_theorem_on_sums(game: Any) -> None:
    """Two heaps of Nim and one of 6: 3 ^ 5 ^ 6 = 0."""
    played = game(NIM, sums=True)
    assert (played.grundy((3, 5, 6)), played.grundy((3, 5)), played.grundy(())) == (0, 6, 0)


# -- tables -----------------------------------------------------------------------------------------------------------
# The tables here are wrong, so a value shows whether it comes from a table or from play.
def test_values_of_large_heaps_are_looked_up(game: Any) -> None:
    played = game(NIM)
    played.table = lambda: [9] * (SMALL + 2)
    assert (played.grundy((SMALL,)), played.looked_up) == (SMALL, {})
    left = played.steps.left
    assert (played.grundy((SMALL + 1,)), played.looked_up) == (9, {"grundy": SMALL + 1})
    assert played.steps.left == left - 1
    assert played.grundy((SMALL + 2,)) == SMALL + 2


def test_winners_of_large_heaps_are_looked_up(game: Any) -> None:
    played = game(ONE)
    played.winners = lambda: [[7] * (SMALL + 2)]
    assert (played.value((SMALL,), 0), played.looked_up) == (1, {})
    assert (played.value((SMALL + 1,), 0), played.looked_up) == (7, {"value": SMALL + 1})
    assert played.value((SMALL + 1,), 1) == 7
    assert played.value((SMALL + 2,), 0) == 1
    with pytest.raises(IllDefined, match="does not exist"):
        played.value((SMALL + 1,), 2)
    each = game(ONE.replace("become", 'where = "mover == A or h > 1"\nbecome'))
    each.winners = lambda: [[7] * (SMALL + 2), [8] * (SMALL + 2)]
    assert (each.value((SMALL + 1,), 0), each.value((SMALL + 1,), 1)) == (7, 8)


@pytest.mark.parametrize(
    ("s", "said", "value", "listed"),
    [
        ((MANY - 49, 50), False, 1, True),  # 201 objects, so an odd number of moves: play gives 0
        ((MANY - 49, 50), True, 0, True),
        ((MANY - 49, 50), None, 0, False),
        ((MANY - 50, 50), True, 1, False),  # played
        ((MANY + 1,), False, 0, False),  # a single heap is played
    ],
)
def test_winners_of_many_objects_are_looked_up(
    game: Any, s: tuple[int, ...], said: bool | None, value: int, listed: bool
) -> None:
    played = game(ONE)
    played.steps.left = 1_000_000
    played.verdict = lambda *_: said
    assert not played.listed
    assert (played.value(s, 0), played.listed) == (value, listed)
    if said is not None and listed:
        with pytest.raises(IllDefined, match="does not exist"):
            played.value(s, 2)


def test_no_list_is_asked_about_three_players(game: Any) -> None:
    played = game(ONE, THREE)
    played.steps.left = 1_000_000
    played.verdict = lambda *_: False
    assert (played.value((MANY - 49, 50), 0), played.listed) == ((MANY + 1 - 1) % 3, False)


@pytest.mark.parametrize(
    ("s", "sums", "head", "grundy", "value"),
    [
        ((10, FEW - 10), True, "", 1, 1),  # played: an even number of moves
        ((10, FEW - 9), True, "", 0, 1),  # by the Grundy value, which is wrong here
        ((10, FEW - 9), False, "", 0, 0),
        ((10, FEW - 9), True, 'stuck = "wins"\n', 1, 1),  # played: the last mover loses
        ((10, FEW - 8), True, 'stuck = "wins"\n', 0, 0),
        ((10, FEW - 9), True, THREE, 0, 0),  # played: the first player makes the 31st move
        ((10, FEW - 8), True, THREE, 1, 1),
    ],
)
def test_winners_are_told_by_grundy_values_where_the_theorem_applies(
    game: Any, monkeypatch: pytest.MonkeyPatch, s: tuple[int, ...], sums: bool, head: str, grundy: int, value: int
) -> None:
    """Two players, normal play, independent heaps, more than 30 objects."""
    monkeypatch.setattr(RefereeGame, "grundy", lambda *_: grundy)
    played = game(ONE, head, sums=sums)
    assert played.value(s, 0) == value
    with pytest.raises(IllDefined, match="does not exist"):
        played.value(s, 7)


GROWING = """[[moves]]
choose = "any heap h"
pick = { k = "0..6" }
become = "[h - 1 for i in range(k)]"
"""
POWERS = 'measure = "sum(8 ** h for h in s)"\n'


def test_a_position_of_few_objects_but_many_followers_is_solved_by_grundy_values(game: Any) -> None:
    """A heap has the Grundy value 1 if it is odd, and 2 if it is even and not 0."""
    played = game(GROWING, POWERS, sums=True)
    assert [played.value(s, 0) for s in ((3, 4), (3, 5), (2, 4), (3, 4, 5))] == [0, 1, 1, 0]
    assert played.steps.left > 100_000
    with pytest.raises(IllDefined, match="does not exist"):
        played.value((3, 4), 7)
    for head, sums in ((POWERS, False), (POWERS + 'stuck = "wins"\n', True), (POWERS + THREE, True)):
        with pytest.raises(LimitReached):
            game(GROWING, head, sums).value((3, 4), 0)


def test_an_examination_of_all_followers_takes_a_quarter_of_the_steps_that_are_left(
    game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RefereeGame, "grundy", lambda *_: 0)  # wrong: the value of (3) is 1
    for most in (play.EXAMINED, 100):
        monkeypatch.setattr(play, "EXAMINED", most)
        with_, without = game(NIM, sums=True), game(NIM)
        without.value((3,), 0)
        needed = 200_000 - without.steps.left
        with_.steps.left = 4 * needed
        assert (with_.value((3,), 0), with_.steps.left) == (0, 3 * needed)
        few = game(NIM, sums=True)
        few.steps.left = 4 * needed - 1
        assert (few.value((3,), 0), few.value((1,), 0)) == (1, 1), "by the Grundy value, here and later"
        assert few.steps.left <= 3 * needed + 1
    monkeypatch.setattr(play, "EXAMINED", needed - 1)
    assert game(NIM, sums=True).value((3,), 0) == 1


def test_the_theorem_is_trusted_only_if_the_caller_says_so(game: Any) -> None:
    made = game(ONE)
    assert not RefereeGame(made.ruleset, {}, made.steps).sums
    assert RefereeGame(made.ruleset, {}, made.steps, sums=True).sums


def test_heaps_that_are_not_alone_have_a_value_together(game: Any) -> None:
    """A single heap loses one object; one of two heaps is taken as a whole. (2) has the value 0, so (2, 2) has 1."""
    played = game(ONE.replace("h - 1", "h - 1 if len(s) == 1 else 0"))
    assert (played.grundy((2,)), played.grundy((2, 2))) == (0, 1)


def test_nothing_is_looked_up_where_the_last_position_tells_who_wins(game: Any) -> None:
    """A wins at the end, independent of the last mover."""
    played = game(ONE, 'stuck = "A"\n')
    played.winners = lambda: [[7] * (SMALL + 2)]
    assert (played.value((SMALL + 1,), 0), played.value((SMALL + 1,), 1)) == (0, 1)


def test_a_lost_position_is_one_of_the_value_0(game: Any) -> None:
    played = game(NIM, sums=True)
    assert (played.value((20, 20), 0), played.value((20, 21), 0)) == (1, 0)
