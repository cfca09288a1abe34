"""Tables agree with the rules at every cell, by plain recursion over the moves."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from searched_games import BANNED, GREEDY, MISERE, NIM, question_of, with_rule

from encoders.compute.arrays.limits import Deadline
from encoders.search.question import variable
from encoders.search.tables import OutcomeTable, SampleLimits, choose_box, find_way

SMALL = SampleLimits(2, 4, 3)


@pytest.mark.parametrize("rules", [NIM, MISERE, GREEDY, BANNED])
def test_who_loses_and_which_takes_win(tmp_path: Path, rules: str) -> None:
    table = OutcomeTable(question_of(tmp_path, rules), SMALL, Deadline(None))
    cells = table.cells
    sides = table.question.sides

    def legal(side: int, k: int, h: int, s: tuple[int, ...], m: int) -> bool:
        return (rules is not GREEDY or h == max(s)) and (rules is not BANNED or side == 1 or m != k)

    @cache
    def loses(side: int, k: int, s: tuple[int, ...]) -> bool:
        left = [move(s, h, m) for h in set(s) for m in range(1, h + 1) if legal(side, k, h, s, m)]
        return not any(loses((side + 1) % len(sides), k, x) for x in left) and (bool(left) or rules is not MISERE)

    def move(s: tuple[int, ...], h: int, m: int) -> tuple[int, ...]:
        rest = list(s)
        rest.remove(h)
        return tuple(sorted(x for x in (*rest, h - m) if x))

    for side in sides:
        wins = cells.find_winning(side)
        for i in range(len(cells)):
            k = int(table.parameters["k"][cells.q[i]]) if table.parameters else 0
            s = tuple(int(x) for x in cells.heaps[i] if x)
            assert cells.find_lost(side)[i] == loses(side, k, s)
            for column, h in enumerate(cells.heaps[i].tolist()):
                good = [
                    m
                    for m in range(1, h + 1)
                    if legal(side, k, h, s, m) and loses((side + 1) % len(sides), k, move(s, h, m))
                ]
                assert np.flatnonzero(wins[i, column]).tolist() == good


def test_folds_have_their_values_at_the_cells_and_beside_each_heap(tmp_path: Path) -> None:
    table = OutcomeTable(question_of(tmp_path, NIM), SMALL, Deadline(None))
    cells = table.cells
    term = table.question.elaborator().term("nim_sum(s)")
    cells.add("X", table.evaluate(term))
    assert (cells.column(variable("X")) == np.bitwise_xor.reduce(cells.heaps, axis=1)).all()
    there = cells.heaps > 0
    beside = cells.column(variable("X"))[:, None] ^ cells.heaps
    assert (cells.evaluate_at_heaps(variable("rest_X")) == beside)[there].all()


def test_the_box_reaches_beyond_the_numbers_of_the_rules_where_there_is_room(tmp_path: Path) -> None:
    assert choose_box(question_of(tmp_path, with_rule("m != 12"))).size == 15
    assert choose_box(question_of(tmp_path, with_rule("m != 500"))).size == 10


def test_many_parameters_have_fewer_values_each_and_far_ones_are_met(tmp_path: Path) -> None:
    def choices(domains: str) -> tuple[int, int]:
        question = question_of(tmp_path, NIM.replace("[[", f"parameters = {{ {domains} }}\n[[", 1))
        box = choose_box(question)
        return box.most, OutcomeTable(question, SampleLimits(1, 2, box.most), Deadline(None)).choices

    assert choices('a = "1.."') == (9, 9)
    assert choices('a = "1..", b = "1..", c = "1.."') == (7, 343)
    assert choices('a = "20..30"') == (9, 3)
    assert choices(", ".join(f'a{i} = "1..2"' for i in range(6)))[1] == 64


def test_a_move_is_told_by_what_it_takes_whatever_it_is_called(tmp_path: Path) -> None:
    def way(rules: str) -> tuple[str, bool] | None:
        found = find_way(question_of(tmp_path, rules).ruleset.moves)
        return found and (found.pick, found.leaves)

    assert way(NIM) == ("m", False)
    assert way(NIM.replace("1..h", "0..h - 1").replace('"h - m"', '"m"')) == ("m", True)
    assert way(NIM.replace('"h - m"', '"h - m", "0"')) is None
    assert way(NIM.replace("any heap", "a smallest heap")) is None
