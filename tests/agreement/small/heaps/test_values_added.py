"""Heaps with parts: when values of several heaps are added, and the requirements on a measure."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest
from two_games import play_twice

from checks.referee.meaning import IllDefined, RefereeSteps
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import load_ruleset
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooLarge
from encoders.compute.compound.play import EngineGame as Played

SPLIT = 'pick = { a = "1..h.n - 1" }\nbecome = [{ n = "a" }, { n = "h.n - a - 1" }]'
TAKE = 'pick = { m = "1..min(h.n, 2)" }\nbecome = [{ n = "h.n - m" }]'


def heaps_of(folder: Path, move: str, stuck: str = "loses", measure: str = "sum(h.n for h in s)") -> Path:
    path, chosen = folder / "game.toml", "a largest heap" if "largest" in move else "any heap"
    path.write_text(
        f'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "{stuck}"\nmeasure = "{measure}"\n'
        f'[heap]\nn = "0.."\ngone = "h.n == 0"\n[[moves]]\nchoose = "{chosen} h"\n{move}\n'
    )
    return path


@pytest.mark.parametrize(
    ("move", "stuck", "measure", "added"),
    [
        (TAKE, "loses", "sum(h.n for h in s)", True),
        (SPLIT, "loses", "sum(h.n for h in s)", True),
        (TAKE, "wins", "sum(h.n for h in s)", False),  # misère play: values do not determine the winner
        (f'{TAKE}\nwhere = "len(s) != 2"', "loses", "sum(h.n for h in s)", False),
        (f'{TAKE}\nwhere = "m == 1 or mover == A"', "loses", "sum(h.n for h in s)", False),
        (f"{TAKE}# of a largest heap", "loses", "sum(h.n for h in s)", False),
        (TAKE, "loses", "sum(h.n * len(s) for h in s)", False),
    ],
)
@pytest.mark.parametrize("sums", [True, False], ids=["at once", "where many positions are below"])
def test_values_are_added_where_heaps_can_be_played_apart_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, move: str, stuck: str, measure: str, added: bool, sums: bool
) -> None:
    monkeypatch.setattr("encoders.compute.compound.play.MOST_PLAYED", 2)
    ruleset = load_ruleset(heaps_of(tmp_path, move, stuck, measure))
    referee, apart = RefereeGame(ruleset, {}, RefereeSteps(10**8)), Played(ruleset, {}, Deadline(None), sums=sums)
    for s in [*combinations(range(1, 7), 2), *combinations(range(1, 5), 3)]:
        heaps = tuple((n,) for n in s)
        assert apart.value(heaps, 0) == referee.value(heaps, 0), s
    assert apart.added == added
    if ruleset.impartial:
        assert apart.grundy(((3,), (4,))) == referee.grundy(((3,), (4,)))


CORNERS = """format = 1
title = "Turning Corners"
players = ["A", "B"]
stuck = "loses"
measure = "sum(4 ** (h.x + h.y) for h in s)"
[heap]
x = "0.."
y = "0.."
[[moves]]
choose = "any heap h"
pick = { a = "0..h.x - 1", b = "0..h.y - 1" }
become = [{ y = "b" }, { x = "a" }, { x = "a", y = "b" }]
"""


def test_coins_of_turning_corners_have_the_products_of_nimbers_as_values(tmp_path: Path) -> None:
    """Winning Ways, chapter 14: the table of nim-multiplication.

    One coin at (3, 3) has millions of reachable positions.
    """
    (tmp_path / "corners.toml").write_text(CORNERS)
    played = Played(load_ruleset(tmp_path / "corners.toml"), {}, Deadline(None))
    assert [[played.grundy(((x, y),)) for y in range(5)] for x in range(5)] == [
        [0, 0, 0, 0, 0],
        [0, 1, 2, 3, 4],
        [0, 2, 3, 1, 8],
        [0, 3, 1, 2, 12],
        [0, 4, 8, 12, 6],
    ]
    assert played.value(((4, 4), (1, 6)), 0) == 1
    assert played.added


def test_few_positions_are_played_and_nothing_is_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not matter how many positions were played for earlier calls."""
    monkeypatch.setattr("encoders.compute.compound.play.MOST_PLAYED", 12)
    played = Played(load_ruleset(heaps_of(tmp_path, TAKE)), {}, Deadline(None))
    assert [played.grundy(((m,), (n,))) for n in range(1, 9) for m in range(1, n + 1)] == [
        m % 3 ^ n % 3 for n in range(1, 9) for m in range(1, n + 1)
    ]
    assert not played.added


def test_a_heap_that_falls_into_two_has_a_value_by_the_theorem(tmp_path: Path) -> None:
    played = Played(load_ruleset(heaps_of(tmp_path, SPLIT)), {}, Deadline(None), sums=True)
    assert [played.grundy(((n,),)) for n in range(1, 8)] == [0, 1, 2, 0, 1, 2, 3]
    assert played.added


def test_values_tell_nothing_to_three_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("encoders.compute.compound.play.MOST_PLAYED", 0)
    path = heaps_of(tmp_path, TAKE)
    path.write_text(path.read_text().replace('["A", "B"]', '["A", "B", "C"]'))
    ruleset = load_ruleset(path)
    referee, played = play_twice(ruleset, {}, 10**8)
    for s in combinations_with_replacement(range(1, 5), 2):
        heaps = tuple((n,) for n in s)
        assert played.value(heaps, 0) == referee.value(heaps, 0), s


def test_one_heap_that_does_not_split_needs_no_theorem(tmp_path: Path) -> None:
    apart = Played(load_ruleset(heaps_of(tmp_path, TAKE)), {}, Deadline(None), sums=True)
    assert [apart.value(((n,),), 0) for n in range(1, 7)] == [0, 0, 1, 0, 0, 1]
    assert not apart.added


@pytest.mark.parametrize("sums", [False, True])
def test_a_measure_that_is_negative_or_does_not_decrease_is_an_error(tmp_path: Path, sums: bool) -> None:
    for measure in ("sum(h.n - 9 for h in s)", "sum(h.n // 3 for h in s)"):
        played = Played(load_ruleset(heaps_of(tmp_path, TAKE, "loses", measure)), {}, Deadline(None), sums=sums)
        with pytest.raises(BadRuleset, match="does not decrease the measure"):
            played.value(((4,), (5,)), 0)


@pytest.mark.parametrize("sums", [False, True])
@pytest.mark.parametrize(
    ("measure", "heaps"), [("sum(h.n - 9 for h in s)", [4]), ("sum(h.n if h.n > 1 else 0 - 9 for h in s)", [1, 5])]
)
def test_a_negative_measure_is_an_error_though_moves_decrease_it(tmp_path: Path, sums, measure, heaps) -> None:
    last = 'pick = { m = "1..h.n - 1" }\nbecome = [{ n = "h.n - m" }]'
    ruleset = load_ruleset(heaps_of(tmp_path, last, "loses", measure))
    with pytest.raises(BadRuleset, match="does not decrease the measure"):
        Played(ruleset, {}, Deadline(None), sums=sums).value(tuple((n,) for n in heaps), 0)


# -- winners by canonical forms -------------------------------------------------------------------------------------
HALVES = f'{SPLIT}\nwhere = "mover == A or h.n % 2 == 1"'  # B cannot move from an even heap
EITHER = f'{SPLIT}\nwhere = "mover == A"\n[[moves]]\nchoose = "any heap h"\n{TAKE}\nwhere = "mover == B"'
COUNTED = "sum(h.n for h in s)"


@pytest.mark.parametrize(
    ("move", "stuck", "measure", "compared"),
    [
        (HALVES, "loses", COUNTED, True),
        (EITHER, "loses", COUNTED, True),
        (EITHER, "wins", COUNTED, False),  # misère play: forms do not determine the winner
        (SPLIT, "loses", COUNTED, False),  # in an impartial game, values are added
        (EITHER.replace("mover == A", "mover == A and len(s) != 2"), "loses", COUNTED, False),
        (EITHER.replace('"any heap h"', '"a largest heap h"'), "loses", COUNTED, False),
        (EITHER, "loses", "sum(h.n * len(s) for h in s)", False),
        (f'{TAKE}\nwhere = "m == 1 or mover == A"', "loses", COUNTED, False),  # no heap splits
    ],
)
@pytest.mark.slow
def test_who_wins_is_read_off_canonical_forms_where_a_partizan_game_splits_heaps(
    tmp_path: Path, move: str, stuck: str, measure: str, compared: bool
) -> None:
    ruleset = load_ruleset(heaps_of(tmp_path, move, stuck, measure))
    referee, played = play_twice(ruleset, {}, 10**8)
    heaps = [(n,) for n in range(1, 8)]
    for s in [(h,) for h in heaps] + [*combinations_with_replacement(heaps, 2), *combinations(heaps[:5], 3)]:
        for mover in (0, 1):
            assert outcome(played, s, mover) == outcome(referee, s, mover), (s, mover)
    assert played.compared == compared


def outcome(game: RefereeGame | Played, s: tuple, mover: int) -> int | str:
    try:
        return game.value(s, mover)
    except (BadRuleset, IllDefined):
        return "ill-defined"


@pytest.mark.slow
def test_a_sum_of_cakes_is_told_by_its_cakes() -> None:
    """Two cakes of 9 x 9, each of value 0, plus another: too many positions to play. Winning Ways, chapter 2."""
    ruleset = load_ruleset(Path(__file__).parents[4] / "examples/boards/rulesets/cutcake.toml")
    played = Played(ruleset, {}, Deadline(None))
    cakes = [(x, y) for x in range(1, 4) for y in range(1, 4)]
    referee = RefereeGame(ruleset, {}, RefereeSteps(10**8))
    for s in combinations_with_replacement(cakes, 2):
        assert [played.value(s, mover) for mover in (0, 1)] == [referee.value(s, mover) for mover in (0, 1)], s
    for cake, winners in (((3, 5), [1, 0]), ((5, 3), [0, 1]), ((2, 3), [1, 1])):  # worth -1, 1 and 0
        assert [played.value((cake, (9, 9), (9, 9)), mover) for mover in (0, 1)] == winners


def test_a_heap_of_negative_measure_is_not_played_by_itself(tmp_path: Path) -> None:
    measure = "sum(h.n if h.n > 1 else 0 - 9 for h in s)"
    played = Played(load_ruleset(heaps_of(tmp_path, EITHER, measure=measure)), {}, Deadline(None))
    with pytest.raises(TooLarge, match="cannot be played alone"):
        played.value(((1,), (5,)), 0)


def test_a_heap_that_leaves_one_of_negative_measure_has_no_value_by_itself(tmp_path: Path) -> None:
    """Together their total decreases, but alone the remaining heap might grow again."""
    measure = "sum(h.n if h.n > 1 else 0 - 9 for h in s)"
    played = Played(load_ruleset(heaps_of(tmp_path, SPLIT, measure=measure)), {}, Deadline(None), sums=True)
    with pytest.raises(TooLarge, match="cannot be played alone"):
        played.grundy(((5,),))


# -- equal heaps counted ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("move", "stuck", "players", "counted"),
    [
        (TAKE, "wins", '["A", "B"]', True),
        (SPLIT, "wins", '["A", "B"]', True),
        (TAKE, "loses", '["A", "B", "C"]', True),
        (SPLIT, "wins", '["A", "B", "C"]', True),
        (f'{TAKE}\nwhere = "m == 1 or mover == A"', "loses", '["A", "B"]', True),
        (f'{TAKE}\nwhere = "m == 1 or mover == A"', "wins", '["A", "B"]', True),
        (TAKE, "loses", '["A", "B"]', False),  # their values are added
        (TAKE, "A if len(s) % 2 == 0 else B", '["A", "B"]', False),
        (f'{TAKE}\nwhere = "len(s) != 2"', "wins", '["A", "B"]', False),
        (f"{TAKE}# of a largest heap", "wins", '["A", "B"]', False),
    ],
)
def test_winners_of_counted_heaps_are_those_of_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, move: str, stuck: str, players: str, counted: bool
) -> None:
    monkeypatch.setattr("encoders.compute.compound.play.WIDE", 1)
    path = heaps_of(tmp_path, move, stuck)
    path.write_text(path.read_text().replace('["A", "B"]', players))
    ruleset = load_ruleset(path)
    referee, played = play_twice(ruleset, {}, 10**8)
    heaps = [(n,) for n in range(1, 5)]
    for s in [x for count in range(1, 5) for x in combinations_with_replacement(heaps, count)]:
        for mover in range(len(ruleset.players)):
            assert played.value(s, mover) == referee.value(s, mover), (s, mover)
    assert ("_counted" in vars(played)) is counted


def test_sixty_equal_heaps_under_misere_play(tmp_path: Path) -> None:
    """From heaps of 1 and 2, of which 1 or 2 may be taken, who wins is told by their number alone."""
    played = Played(load_ruleset(heaps_of(tmp_path, TAKE, "wins")), {}, Deadline(None))
    for n in (9, 10, 59, 60):
        assert played.value(((1,),) * n, 0) == (0 if n % 2 == 0 else 1)
        assert played.value(((2,),) * n, 0) == (0 if n % 2 else 1)


def test_counts_never_run_into_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A position of more heaps than a digit of the code has room for is refused; so are many kinds of heaps."""
    played = Played(load_ruleset(heaps_of(tmp_path, TAKE, "wins")), {}, Deadline(None))
    with pytest.raises(TooLarge, match="a position of 40 000 heaps"):
        played.value(((1,),) * 40_000, 0)
    with pytest.raises(TooLarge, match="more than 48 different heaps"):
        played.value(tuple((n,) for n in range(1, 60)), 0)
    monkeypatch.setattr("encoders.kernel.counts.MOST_HEAPS", 10)
    crumble = 'pick = { m = "1..1" }\nbecome = [{ n = "1" }, { n = "1" }, { n = "1" }]\nwhere = "h.n == 4"'
    with pytest.raises(TooLarge, match="a position of 11 heaps"):
        Played(load_ruleset(heaps_of(tmp_path, crumble, "wins")), {}, Deadline(None)).value(((4,),) * 9, 0)


def test_heaps_are_not_counted_where_each_adds_to_the_measure_of_the_others(tmp_path: Path) -> None:
    """A heap becomes two: alone that decreases the measure, next to many others it does not."""
    crumble = 'become = [{ n = "1" }, { n = "1" }]\nwhere = "h.n == 9"'
    path = heaps_of(tmp_path, crumble, "wins", measure="sum(h.n + len(s) for h in s)")
    played = Played(load_ruleset(path), {}, Deadline(None))
    assert played.value(((9,),), 0) == 1
    with pytest.raises(BadRuleset, match="does not decrease the measure"):
        played.value((*((1,),) * 80, (9,)), 0)


def test_counted_heaps_of_negative_measure_are_refused(tmp_path: Path) -> None:
    measure = "sum(h.n if h.n > 1 else 0 - 9 for h in s)"
    played = Played(load_ruleset(heaps_of(tmp_path, TAKE, "wins", measure=measure)), {}, Deadline(None))
    with pytest.raises(TooLarge, match="cannot be played alone"):
        played.value(((5,),) * 9, 0)
