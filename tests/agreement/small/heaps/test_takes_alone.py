"""Rules that look at nothing but the number that is taken are read at each number; no other rules are."""

from pathlib import Path

import pytest
from one_heap import list_options, play, splitting, table_of, taking, written

from checks.judgement.findings import TABLE_STEPS
from checks.referee.meaning import IllDefined
from checks.tables.breaking import Unknown, read_takes
from checks.tables.verification import WrongTable, verify

SIZE = 30
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
