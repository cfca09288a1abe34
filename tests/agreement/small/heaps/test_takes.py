"""The rules that can be read as numbers that may be taken: they refer to nothing else, or use max(h - m, 0)."""

from pathlib import Path

import pytest
from one_heap import (
    ANY,
    by_engine,
    by_referee,
    heaps_of,
    list_options,
    loaded,
    play,
    splitting,
    table_of,
    taking,
    written,
)

from checks.judgement.findings import TABLE_STEPS
from checks.referee.breaking import MOST, Unknown, read_breaking, read_takes
from checks.referee.meaning import IllDefined
from checks.referee.tables import WrongTable, verify
from encoders.compute.arrays.heap_tables import BY_CODE

SIZE = 40

# -- more may be taken than there is: max(h - m, 0), and heaps that are taken whole -----------------------------------
WHOLE = f'{ANY}where = "h <= max({{2, 5}})"\nbecome = []\n'
FORMS = {
    "max": taking("{2, 5}", become='["max(h - m, 0)"]'),
    "max, the other way round": taking("{2, 5}", become='["max(0, h - m)"]'),
    "whole heaps apart": taking("{2, 5}", "m < h") + WHOLE,
    "whole heaps once more": taking("{2, 5}", "m <= h") + WHOLE,
}
OTHERS = {
    "a range": (taking("1..3", become='["max(h - m, 0)"]'), {1, 2, 3}, {1, 2, 3}),
    "a condition": (taking("{2, 5}", "m != 5 or h > 3", '["max(h - m, 0)"]'), {1, 2, 4, 5}, {2, 5}),
    "whole heaps below the largest": (
        taking("{2, 5}", "m < h") + WHOLE.replace("<=", "<"),
        {1, 2, 3, 4},
        {2, 5},
    ),
    "no whole heaps": (taking("{2, 5}", "m < h"), set(), {2, 5}),
}
ALL = {name: (text, {1, 2, 3, 4, 5}, {2, 5}) for name, text in FORMS.items()} | OTHERS


@pytest.mark.parametrize("name", ALL)
def test_it_is_read_as_it_is_played(name: str, tmp_path: Path) -> None:
    text, end, one = ALL[name]
    ruleset = loaded(written(text), tmp_path)
    heaps = heaps_of(ruleset)
    found = by_engine(heaps, "grundy", [()], SIZE)
    assert heaps.engines == {BY_CODE} and found is not None
    assert found[0][0] == by_referee(ruleset, (), "grundy", SIZE, 0)
    game = play(written(text), (), tmp_path)
    moves = read_breaking(game)
    assert (set(moves.end), set(moves.one)) == (end, one) and not moves.all_end and not moves.all_one
    for h in range(1, SIZE + 1):
        assert set(list_options(moves, h)) == set(game.options((h,), 0)), h


@pytest.mark.parametrize("pick", ["1..h", "{m for m in {2, 5} if m < h}"])
def test_numbers_that_depend_on_the_heap_are_not_filled_in(pick: str, tmp_path: Path) -> None:
    text = written(taking(pick, become='["max(h - m, 0)"]'))
    ruleset = loaded(text, tmp_path)
    heaps = heaps_of(ruleset)
    found = by_engine(heaps, "grundy", [()], SIZE)
    assert BY_CODE not in heaps.engines
    assert found is None or found[0][0] == by_referee(ruleset, (), "grundy", SIZE, 0)
    with pytest.raises(Unknown):
        read_breaking(play(text, (), tmp_path))


@pytest.mark.slow
def test_large_numbers_are_read_where_no_heap_splits(tmp_path: Path) -> None:
    for large in (MOST + 1, 300):
        moves = read_breaking(play(written(taking(f"{{3, {large}}}", "m <= h")), (), tmp_path))
        assert (set(moves.end), set(moves.one)) == ({3, large}, {3, large})
    with pytest.raises(Unknown):
        read_breaking(play(written(taking("{3, 500}", "m <= h")), (), tmp_path))


# -- rules that are evaluated at each number --------------------------------------------------------------------------
TAKES = {
    "squares": taking("1..h", "isqrt(m) * isqrt(m) == m"),
    "odd numbers": taking("1..h", "m % 2 == 1"),
    "all but multiples of four": taking("1..h", "m % 4 != 0"),
    "a large number": taking("1..h", "m != 25"),
    "from a number on": taking("3..h", "m % 3 == 0"),
    "never the whole heap": taking("1..h - 1", "m % 3 != 1"),
    "numbers from 0 that may not be": taking("0..h", "m % 2 == 1"),
    "two kinds": taking("1..h", "m % 5 == 1") + taking("1..h - 1", "m % 5 == 4"),
    "a list that is long enough": taking("1..h", "[1, 0, 1, 1, 0, 1][m % 6] == 1"),
}
LOOKS_AT_MORE = {
    "at the heap": taking("1..h", "m % 2 == 1 or h < 9"),
    "at all but two": taking("1..h - 2", "m % 2 == 1"),
    "at one more than the heap": taking("1..h + 1", "m % 2 == 1 and m < 3"),
    "at nothing at all": taking("1..0", "m % 2 == 1"),
    "at half of the heap": taking("1..h // 2", "m % 2 == 1"),
    "twice the number": taking("1..h // 2", "m % 2 == 1", '["h - m - m"]'),
    "parts": splitting('a = "1..h - 2"', "a % 2 == 1", '["a", "h - 1 - a"]'),
    "a heap beside": taking("1..h", "m % 2 == 1", '["h - m", "1"]'),
    "two numbers": splitting('m = "1..h", a = "0..h - m"', "m % 2 == 1 and a == 0", '["h - m"]'),
    "nothing": taking("0..h", "m % 2 == 0"),
    "less than nothing": taking("0 - 2..h", "m % 2 == 1"),
}


@pytest.mark.parametrize("name", TAKES)
def test_takes_are_read_one_by_one(name: str, tmp_path: Path) -> None:
    game = play(written(TAKES[name]), (), tmp_path)
    moves = read_takes(game, 0, SIZE)
    assert moves.end <= set(range(1, SIZE + 1)) >= moves.one
    for h in range(1, SIZE + 1):
        assert set(list_options(moves, h)) == set(game.options((h,), 0)), h
    values = table_of(game, SIZE)
    verify(game, values, TABLE_STEPS)
    for h in range(0, SIZE + 1, 3):
        for value in {0, 1, values[h] - 1, values[h] + 1} - {values[h]}:
            with pytest.raises(WrongTable):
                verify(game, [*values[:h], value, *values[h + 1 :]], TABLE_STEPS)


@pytest.mark.parametrize("name", LOOKS_AT_MORE)
def test_a_rule_that_looks_at_more_than_what_is_taken_is_not_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unknown):
        read_takes(play(written(LOOKS_AT_MORE[name]), (), tmp_path), 0, SIZE)


def test_a_rule_without_value_at_a_number_that_may_be_picked_is_not_read(tmp_path: Path) -> None:
    game = play(written(taking("1..h", "[1, 0, 1, 1][m] == 1")), (), tmp_path)
    read_takes(game, 0, 3)
    with pytest.raises(IllDefined):
        read_takes(game, 0, 4)
