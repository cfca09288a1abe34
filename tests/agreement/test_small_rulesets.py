"""Small rulesets, each with a pitfall for a method of solving games: referee and engine agree."""

from pathlib import Path

import pytest
from boards import ILL, Engine, asked, by_referee, loaded, positions

from checks.referee.meaning import IllDefined, RefereeSteps
from checks.referee.play import RefereeGame
from encoders.compute.arrays.limits import BadRuleset

HEAD = 'format = 1\ntitle = "R"\n'
TWO = 'players = ["A", "B"]\n'
THREE = 'players = ["A", "B", "C"]\n'
NIM = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
SPLIT = '[[moves]]\nchoose = "any heap h"\npick = { a = "0..h - 1" }\nbecome = ["a", "h - 1 - a"]\n'
ONE = '[[moves]]\nchoose = "{}"\nbecome = ["h - 1"]\n'


def such(moves: str, condition: str) -> str:
    return moves.replace("become", f'where = "{condition}"\nbecome')


# name: (players and other keys, the moves, values of the parameters, misère play)
RULESETS = {
    "nim": (TWO, NIM, ((),), False),
    "misere nim": (TWO, NIM, ((),), True),
    "three players": (THREE, NIM, ((),), False),
    "three players, misere": (THREE, NIM, ((),), True),
    "some players": ('players = "n"\nparameters = { n = "2.." }\n', NIM, ((2,), (3,), (5,)), True),
    "not one": (TWO, such(NIM, "m != 1 or mover == A"), ((),), False),
    "not two below": (TWO, such(NIM, "m != 2 or mover == A"), ((),), False),
    "not one, misere": (TWO, such(NIM, "m != 1 or mover == A"), ((),), True),
    "each his own number": (THREE, such(NIM, "m == (1 if mover == A else 2 if mover == B else 3)"), ((),), False),
    "not k": (TWO + 'parameters = { k = "1..9" }\n', such(NIM, "m != k"), ((1,), (2,), (3,)), False),
    "from a set": (
        TWO + 'parameters = { S = "set" }\n',
        '[[moves]]\nchoose = "any heap h"\npick = { m = "S" }\nwhere = "m <= h"\nbecome = ["h - m"]\n',
        (((1, 3),), ((2,),), ((),)),
        False,
    ),
    "a largest heap": (TWO, NIM.replace("any heap", "a largest heap"), ((),), False),
    "at most two of a largest heap": (TWO, such(NIM, "m <= 2").replace("any", "a largest"), ((),), False),
    "one of a largest heap, or all": (TWO, such(NIM, "m in [1, h]").replace("any", "a largest"), ((),), True),
    "a largest heap that is even": (TWO, such(NIM, "h % 2 == 0").replace("any", "a largest"), ((),), False),
    "at most two of a smallest heap": (TWO, such(NIM, "m <= 2").replace("any", "a smallest"), ((),), False),
    "splitting a smallest heap": (TWO, SPLIT.replace("any heap", "a smallest heap"), ((),), False),
    "a smallest heap": (TWO, NIM.replace("any heap", "a smallest heap"), ((),), False),
    "one, or of a largest heap": (TWO, ONE.format("any heap h") + NIM.replace("any", "a largest"), ((),), True),
    "a smallest heap, with three players": (THREE, NIM.replace("any heap", "a smallest heap"), ((),), False),
    "kayles with one": (TWO, SPLIT, ((),), False),
    "kayles with one, misere": (TWO, SPLIT, ((),), True),
    "splitting unlike": (TWO, such(SPLIT, "a != 1 or mover == A"), ((),), False),
    "splitting while there are few": (TWO, such(SPLIT, "len(s) < 3"), ((),), False),
    "splitting a largest heap": (TWO, SPLIT.replace("any heap", "a largest heap"), ((),), False),
    "splitting without end but for the measure": (
        TWO + 'measure = "2 * sum(s) - len(s)"\n',
        '[[moves]]\nchoose = "any heap h"\npick = { a = "1..h - 1" }\nbecome = ["a", "h - a"]\n',
        ((),),
        False,
    ),
    "two heaps in two roles": (
        TWO,
        '[[moves]]\nchoose = "any two heaps g, h"\npick = { m = "1..g" }\nbecome = ["g - m", "h"]\n',
        ((),),
        False,
    ),
    "one or two heaps": (TWO, NIM.replace("any heap", "each of 1..2 heaps"), ((),), False),
    "all heaps but one, or all": (TWO, ONE.format("each of max(1, len(s) - 1)..9 heaps h"), ((),), False),
    "two heaps or more": (TWO, ONE.format("each of 2..9 heaps h"), ((),), False),
    "k heaps": (TWO + 'parameters = { k = "1..9" }\n', ONE.format("each of k - 1..k heaps h"), ((2,), (3,)), False),
    "not the only one of its size": (TWO, such(NIM, "s.count(h) > 1"), ((),), False),
}  # fmt: skip


@pytest.mark.parametrize(("heaps", "size"), [(3, 4), (1, 7)], ids=["heaps", "one heap"])
@pytest.mark.parametrize("name", RULESETS)
def test_every_question_at_every_position(name: str, heaps: int, size: int, tmp_path: Path) -> None:
    head, moves, choices, misere = RULESETS[name]
    ruleset = loaded(f'{HEAD}stuck = "{"wins" if misere else "loses"}"\n{head}{moves}', tmp_path)
    engine, games = Engine(ruleset, choices, heaps, size), {}
    for question in asked(ruleset):
        for mover in [None] if question in ("outcome", "grundy") else range(-1, (len(ruleset.players) or 5) + 1):
            table = engine.table(question, mover)
            for i, choice in enumerate(choices):
                for j, s in enumerate(positions(heaps, size)):
                    expected = by_referee(ruleset, choice, question, s, mover, games)
                    assert table[i][j] == expected, (question, mover, choice, s)


UNPLAYABLE = {
    "a heap that stays": ("", '[[moves]]\nchoose = "any heap h"\nbecome = ["h"]\n'),
    "a heap that stays, now and then": ("", '[[moves]]\nchoose = "any heap h"\nbecome = ["h - h % 2"]\n'),
    "a heap that grows": ("", '[[moves]]\nchoose = "any heap h"\nbecome = ["h + 1"]\n'),
    "halves and one more": ("", '[[moves]]\nchoose = "any heap h"\nbecome = ["h // 2", "h - h // 2"]\n'),
    "a heap below 0": ("", '[[moves]]\nchoose = "any heap h"\nbecome = ["h - 2"]\n'),
    "a heap below 0 beside another": ("", '[[moves]]\nchoose = "any heap h"\nbecome = ["h - 2", "0"]\n'),
    "division by zero": ("", '[[moves]]\nchoose = "any heap h"\nwhere = "6 // (h - 2) > 9"\nbecome = ["0"]\n'),
    "a measure that stays": ('measure = "len(s)"\n', ONE.format("any heap h")),
    "a measure below 0": ('measure = "sum(s) - 2"\n', ONE.format("any heap h")),
    "an ill-defined measure": ('measure = "6 // (len(s) - 2) + 6"\n', ONE.format("any heap h")),
    "no heap": ("", ONE.format("each of 0..1 heaps h")),
}


@pytest.mark.parametrize("name", UNPLAYABLE)
def test_what_cannot_be_played_is_refused_by_both(name: str, tmp_path: Path) -> None:
    head, moves = UNPLAYABLE[name]
    ruleset = loaded(f'{HEAD}stuck = "loses"\n{TWO}{head}{moves}', tmp_path)
    with pytest.raises(BadRuleset):
        Engine(ruleset, ((),), 2, 4).table("wins", 0)
    with pytest.raises(BadRuleset):
        Engine(ruleset, ((),), 1, 4).table("grundy", None)
    games = {(): RefereeGame(ruleset, {}, RefereeSteps(100_000))}
    assert ILL in {by_referee(ruleset, (), "options", s, 0, games) for s in positions(2, 4)}


def test_parameters_outside_their_domains_have_no_game(tmp_path: Path) -> None:
    ruleset = loaded(f'{HEAD}stuck = "loses"\n{TWO}parameters = {{ k = "2..3" }}\n{such(NIM, "m != k")}', tmp_path)
    table = Engine(ruleset, ((1,), (2,), (3,), (4,)), 2, 3).table("wins", 0)
    assert [ILL in row for row in table] == [True, False, False, True]
    for k in (1, 4):
        with pytest.raises(IllDefined):
            RefereeGame(ruleset, {"k": k}, RefereeSteps(100))
