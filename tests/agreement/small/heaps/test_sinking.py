"""Subtraction where more may be taken than there is: max(h - m, 0), and heaps that are taken whole up to max(S)."""

from pathlib import Path

import pytest
from one_heap import ANY, by_engine, by_referee, heaps_of, list_options, loaded, play, taking, written

from checks.tables.breaking import MOST, Unknown, read_breaking
from encoders.exhaustive.engines.heaps.tables import BY_CODE

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
SIZE = 40


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
