"""If a move may leave any heap of an interval, then engine, tables and play agree, and no other table is verified."""

from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from one_heap import ANY, ILL, by_engine, by_referee, heaps_of, loaded, play, taking, written

from checks.referee.breaking import Unknown
from checks.referee.meaning import IllDefined, LimitReached
from checks.referee.tables import WrongTable, verify, verify_winners
from encoders.compute.arrays.heap_tables import BY_CODE
from encoders.compute.arrays.limits import BadRuleset

STEPS = 200_000
SIZE, LARGE = 33, 300
HALF = taking("1..h // 2")
UPWARD = {
    "half of it": written(HALF),
    "from half of it": written(taking("(h + 1) // 2..h")),
    "what is left": written(taking("h // 3..h - 1", become='["m"]')),
    "the root": written(taking("1..isqrt(h)")),
    "two kinds": written(taking("1..h // 3") + taking("h // 2 + 1..h - 1")),
    "a parameter": written(taking("1..h // k"), "{ k = { 3 } }").replace("{ 3 }", '"1.."'),
    "nothing beside it": written(f'{ANY}pick = {{ m = "h // 2..h - 1" }}\nbecome = ["m", "0"]\n'),
    "a tenth, of small heaps none": written(taking("1..h // 10")),
}
"""Games with a table of values."""
OTHERS = {
    "back again": written(taking("1..(min(h, 3) if h % 4 == 0 else 1)")),
    "back at the other end": written(taking("(3 if h % 4 == 0 else 1)..min(h, 4)")),
    "misere": written(HALF, stuck="wins"),
    "less for one player": written(taking("1..(h // 2 if mover == A else h // 3)")),
    "three players": written(HALF, players='["A", "B", "C"]'),
    "three players, misere": written(taking("1..h // 2 + h % 2"), players='["A", "B", "C"]', stuck="wins"),
    "an empty interval between": written(taking("1..(h // 2 if h % 7 != 0 else 0)")),
}
"""Games with only a table of winners."""
ALL = UPWARD | OTHERS


def choice_of(name: str) -> tuple:
    return (3,) if name == "a parameter" else ()


@pytest.mark.parametrize("name", ALL)
def test_engine_and_play_agree(name: str, tmp_path: Path) -> None:
    ruleset = loaded(ALL[name], tmp_path)
    heaps = heaps_of(ruleset)
    for question in ("grundy", "value", "movable"):
        if not heaps.serves(question):
            continue
        by_engine(heaps, question, [choice_of(name)], 5)
        (rows,) = by_engine(heaps, question, [choice_of(name)], SIZE)
        for mover, row in enumerate(rows):
            assert row == by_referee(ruleset, choice_of(name), question, SIZE, mover), question
    assert BY_CODE in heaps.engines


@pytest.mark.parametrize("name", UPWARD)
@pytest.mark.slow
def test_the_right_values_are_verified_and_no_others(name: str, tmp_path: Path) -> None:
    game = play(UPWARD[name], choice_of(name), tmp_path)
    values = by_referee(game.ruleset, choice_of(name), "grundy", SIZE, 0)
    verify(game, values, STEPS)
    for h, value in product(range(SIZE + 1), range(-1, max(values) + 2)):
        for rest in ([], values[h + 1 :]):
            if value != values[h]:
                with pytest.raises(WrongTable):
                    verify(game, [*values[:h], value, *rest], STEPS)
    heaps = heaps_of(game.ruleset)
    by_engine(heaps, "grundy", [choice_of(name)], LARGE)
    ((_, made),) = heaps.list_values()
    verify(game, made, STEPS)
    with pytest.raises(WrongTable):
        verify(game, [*made[:-1], made[-1] + 1], STEPS)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.slow
def test_the_right_winners_are_verified_and_no_others(name: str, tmp_path: Path) -> None:
    game = play(ALL[name], choice_of(name), tmp_path)
    heaps = heaps_of(game.ruleset)
    by_engine(heaps, "value", [choice_of(name)], LARGE)
    ((_, rows),) = heaps.list_winners()
    verify_winners(game, rows, STEPS)
    small = [row[: SIZE + 1] for row in rows]
    for mover, h, offset in product(range(len(rows)), range(SIZE + 1), range(-1, game.players + 1)):
        if offset != small[mover][h]:
            wrong = [*small[mover][:h], offset, *small[mover][h + 1 :]]
            with pytest.raises(WrongTable):
                verify_winners(game, [*small[:mover], wrong, *small[mover + 1 :]], STEPS)
    with pytest.raises(WrongTable):
        verify_winners(game, [*rows, rows[0]], STEPS)


NOT_READ = {
    "a condition": taking("1..h // 2", "m != 3"),
    "a set": taking("{m for m in 1..h // 2}").replace("in 1..h // 2", "in range(1, h // 2 + 1)"),
    "more than is picked": taking("1..h // 2", become='["h - m - 1 if h > m + 1 else 0"]'),
    "twice what is picked": taking("1..h // 2", become='["h - 2 * m"]'),
    "all heaps": taking("1..h // 2").replace("any heap h", "each of 1..1 heaps h"),
    "two heaps at once": HALF.replace("any heap h", "each of 2..2 heaps h"),
    "a look at the position": taking("1..h // 2 + 0 * len(s)"),
}
BROKEN = {
    "less than nothing": (taking("1..h // 2 + (9 if h == 30 else 1) * 4"), IllDefined),
    "no less": (taking("(0 if h == 30 else 1)..h // 2"), IllDefined),
    "no value": (taking("1..h // 2 + 0 * (1 // (h - 30))"), IllDefined),
}


@pytest.mark.parametrize("name", NOT_READ)
def test_rules_of_another_form_are_not_read(name: str, tmp_path: Path) -> None:
    game = play(written(NOT_READ[name]), (), tmp_path)
    with pytest.raises(Unknown):
        verify(game, [0] * 9, STEPS)
    with pytest.raises(Unknown):
        verify_winners(game, [[1] * 9], STEPS)
    heaps = heaps_of(game.ruleset)
    if heaps.serves("grundy") and by_engine(heaps, "grundy", [()], 20):
        assert heaps.list_values() == []


@pytest.mark.parametrize(
    "text",
    [
        written(HALF, measure="sum(s)"),
        written(taking("1..h // 2", become='["k - m"]'), '{ k = "1.." }'),
    ],
)
def test_a_measure_is_not_read_nor_what_is_left_of_a_parameter(text: str, tmp_path: Path) -> None:
    game = play(text, (3,) if "{ k" in text else (), tmp_path)
    with pytest.raises(Unknown):
        verify(game, [0, 0, 1], STEPS)


def test_a_value_beyond_all_bounds_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(WrongTable):
        verify(play(written(HALF), (), tmp_path), [0, 0, 1, 10**9], STEPS)


@pytest.mark.parametrize("name", ["back again", "back at the other end"])
def test_values_of_intervals_that_go_back_have_no_table(name: str, tmp_path: Path) -> None:
    game = play(OTHERS[name], (), tmp_path)
    with pytest.raises(Unknown):
        verify(game, by_referee(game.ruleset, (), "grundy", SIZE, 0), STEPS)


def test_a_table_costs_steps(tmp_path: Path) -> None:
    game = play(written(HALF), (), tmp_path)
    with pytest.raises(LimitReached):
        verify(game, [0] * 500, 400)
    with pytest.raises(LimitReached):
        verify_winners(game, [[1] * 500], 400)


@pytest.mark.parametrize("name", BROKEN)
def test_rules_that_cannot_be_played_at_one_heap_have_no_table(name: str, tmp_path: Path) -> None:
    text, error = BROKEN[name]
    game = play(written(text), (), tmp_path)
    with pytest.raises(error):
        verify(game, [0] * (SIZE + 1), STEPS)
    with pytest.raises(error):
        verify_winners(game, [[1] * (SIZE + 1)], STEPS)
    heaps = heaps_of(game.ruleset)
    with suppress(BadRuleset):
        assert by_engine(heaps, "grundy", [()], SIZE) is None
    assert heaps.list_values() == []
    assert ILL in by_referee(game.ruleset, (), "grundy", SIZE, 0)
