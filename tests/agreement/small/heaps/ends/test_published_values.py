"""Values of games from the literature: the referee and the canonical forms find the published value, and no other.

WW: Berlekamp, Conway, Guy, Winning Ways (1982), by chapter. ONAG: Conway, On Numbers and Games (1976), by chapter. CGT:
Siegel, Combinatorial Game Theory (2013), by chapter. Clobber: Albert, Grossman, Nowakowski, Wolfe, An introduction to
Clobber, Integers 5(2) (2005), A01. Values of single positions were also computed by hand.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from checks.referee.meaning import IllDefined, RefereeSteps, ask
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import load_ruleset
from claims.language.syntax.game_values import parse_game
from encoders.compute.arrays.limits import Deadline, TooLarge
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.partizan import AtomicWeights, CanonicalFormId, Games, Thermographs
from encoders.compute.compound.play import EngineGame

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"


@cache
def both(name: str) -> tuple[RefereeGame, EngineGame]:
    ruleset = load_ruleset(BOARDS / f"{name}.toml")
    return RefereeGame(ruleset, {}, RefereeSteps(10**8)), EngineGame(ruleset, {}, Deadline(None))


def compare(name: str, function: str, s: Any, t: Any) -> bool:
    """Return what the referee and the engine say; they must agree."""
    referee, engine = both(name)
    found = ask(referee, function, [s, t])
    assert engine.answer(function, [s, t]) is found
    return bool(found)


def stalk(colours: str) -> Any:
    return ((tuple(1 if x == "B" else -1 for x in colours),),)


def cake(columns: int, rows: int) -> Any:
    return ((columns, rows),)


def squares(text: str) -> Any:
    """Return a board of Domineering. `text`: its rows, # for a free square."""
    lines = text.split("/")
    return ((tuple(int(x == "#") for line in lines for x in line), len(lines[0])),)


def stones(text: str) -> Any:
    """Return a board of Clobber. `text`: its rows, X for Left and O for Right."""
    lines = text.split("/")
    return ((tuple("O_X".index(x) - 1 for line in lines for x in line), len(lines[0])),)


def toads(text: str) -> Any:
    """Return a row of Toads and Frogs: T for a toad, F for a frog."""
    return ((tuple("F_T".index(x) - 1 for x in text),),)


# Hackenbush strings: Berlekamp's rule, WW chapter 3; edges from the ground up, B for Left
STALKS = {
    "B": "1", "BB": "2", "R": "-1", "BR": "1/2", "BRR": "1/4", "BRB": "3/4", "BRRR": "1/8", "BRRB": "3/8",
    "BRBR": "5/8", "BRBB": "7/8", "BBR": "3/2", "BBRR": "5/4", "BBRB": "7/4",
    "RB": "-1/2", "RBR": "-3/4", "RRB": "-3/2",
}  # fmt: skip
# Cutcake: the table in WW, chapter 2. Row by row, for 1 to 8 columns; Left cuts between columns
CAKES = {
    1: (0, 1, 2, 3, 4, 5, 6, 7),
    2: (-1, 0, 0, 1, 1, 2, 2, 3),
    3: (-2, 0, 0, 1, 1, 2, 2, 3),
    4: (-3, -1, -1, 0, 0, 0, 0, 1),
}
# Domineering: ONAG chapter 10 and WW chapter 5; Left lays upright
SQUARES = {
    "#": "0",
    "#/#": "1",
    "#/#/#": "1",
    "#/#/#/#": "2",
    "#/#/#/#/#/#": "3",
    "##": "-1",
    "#####": "-2",
    "#_/##": "*",
    "_#_/###": "*",
    "_#_/###/_#_": "*",
    "#_/#_/##": "1/2",
    "###/#__": "-1/2",
    "_##/##_": "{0|-1}",
    "##/##": "+-1",
    "###/###": "{2|-1/2}",
    "##/##/##": "{1/2|-2}",
    "###/###/###": "+-1",
}
# Toads and Frogs: WW chapters 1 and 5
TOADS = {
    "T_F": "*",
    "T_TF": "1/2",
    "TTF_": "0",
    "TT_F": "{1/2|0}",
    "T_FF": "{0|-1/2}",
    "T__": "2",
    "T___": "3",
    "TF_": "0",
    "TF_T": "0",
    "__F": "-2",
}
# Clobber: rows of n stones against one, and small boards
STONES = {
    "XO": "*",
    "XXO": "^",
    "XXXO": "^^*",
    "XXXXO": "3·^",
    "XXXXXO": "4·^*",
    "XOO": "v",
    "XOOO": "vv*",
    "XOX": "*",
    "XXOO": "0",
    "XOXO": "+-{*,^}",
    "X_O": "0",
    "XO/OX": "*",
}
POSITIONS = [
    *(("stalks", stalk(x), value) for x, value in STALKS.items()),
    *(("cutcake", cake(i + 1, y), str(value)) for y, line in CAKES.items() for i, value in enumerate(line)),
    *(("domineering", squares(x), value) for x, value in SQUARES.items()),
    *(("toads-and-frogs", toads(x), value) for x, value in TOADS.items()),
    *(("clobber", stones(x), value) for x, value in STONES.items()),
]


@pytest.mark.parametrize(("name", "s", "value"), POSITIONS)
def test_positions_have_their_published_values(name: str, s: Any, value: str) -> None:
    assert compare(name, "equals", s, parse_game(value))
    for other in ("*", "^", "-1/16", "miny(1)"):
        assert not compare(name, "equals", s, parse_game(f"({value}) + {other}"))
    assert compare(name, "le", s, parse_game(f"({value}) + tiny(1)"))
    assert not compare(name, "le", s, parse_game(f"({value}) + miny(1)"))


EQUAL = {
    # WW chapter 2 and ONAG chapter 0: the simplest number
    "{0|1}": "1/2",
    "{1|2}": "3/2",
    "{0|1/2}": "1/4",
    "{1/2|3/4}": "5/8",
    "{1/4|1}": "1/2",
    "{2|5}": "3",
    "{-2|-1/2}": "-1",
    "{-1|1}": "0",
    "{|}": "0",
    "{3|}": "4",
    # WW chapters 2 and 3: stars and ups
    "{0|0}": "*",
    "{*|*}": "0",
    "{0,*|0,*}": "*2",
    "* + *2": "*3",
    "{0|*}": "^",
    "{*|0}": "v",
    "{0,*|0}": "^*",
    "{0|^*}": "^^",
    "{0|^}": "^^*",
    "{0|^^*}": "3·^",
    "{^|^}": "^^*",
    "{^|v}": "*",
    "{0|*3}": "^*2",
    "{1|1}": "1*",
    "{1*|1*}": "1",
    # WW chapter 5: tinies, and switches {x | y} = (x + y)/2 +- (x - y)/2
    "{0||0|-1}": "tiny(1)",
    "{2|0||0}": "miny(2)",
    "{3|-1}": "1 + +-2",
    "{5|2}": "7/2 + +-3/2",
    "+-1 + +-1": "0",
    "{1|0} + {1|0}": "1",
}


@pytest.mark.parametrize("text", EQUAL)
def test_games_have_their_published_values(text: str) -> None:
    assert compare("stalks", "equals", parse_game(text), parse_game(EQUAL[text]))
    for other in ("*", "^", "1/16", "tiny(1)"):
        assert not compare("stalks", "equals", parse_game(text), parse_game(f"{EQUAL[text]} + {other}"))


ORDER = [
    # WW chapter 2 and 3, CGT chapter II: ups against stars and numbers
    ("0", "<", "^"), ("^", "|", "*"), ("^*", "|", "0"), ("*", "<", "^^"), ("0", "<", "^^*"), ("^", "<", "1/1024"),
    ("*", "|", "0"), ("*", "|", "*2"), ("*2", "<", "^^"), ("*2", "<", "^"), ("v", "<", "^"), ("9·^", "<", "1/8"),
    # WW chapter 5: tinies are below all ups, and the tiny of a larger game is smaller
    ("0", "<", "tiny(1)"), ("tiny(1)", "<", "^"), ("4·tiny(1)", "<", "^"), ("tiny(2)", "<", "tiny(1)"),
    ("3·tiny(2)", "<", "tiny(1)"), ("miny(1)", "<", "miny(2)"), ("tiny(1)", "|", "*"),
    # WW chapter 5: a switch is confused with the numbers between its ends
    ("+-1", "|", "1"), ("+-1", "|", "-1"), ("+-1", "|", "0"), ("+-1", "<", "9/8"), ("-9/8", "<", "+-1"),
    ("{2|1}", "|", "3/2"), ("0", "<", "{2|1}"), ("{1|0}", "|", "0"),
]  # fmt: skip


@pytest.mark.parametrize(("s", "sign", "t"), ORDER)
def test_games_have_their_published_order(s: str, sign: str, t: str) -> None:
    assert compare("stalks", "le", parse_game(s), parse_game(t)) is (sign == "<")
    assert not compare("stalks", "le", parse_game(t), parse_game(s))
    assert not compare("stalks", "equals", parse_game(s), parse_game(t))


games = Games(RefereeSteps(10**7))


def draw(random: Random, depth: int) -> CanonicalFormId:
    """Return a random game; some of its options are numbers."""
    if depth == 0 or random.random() < 0.2:
        return games.number(Fraction(random.randrange(-6, 7), random.choice((1, 1, 2, 4))))
    sides = [[draw(random, depth - 1) for _ in range(random.choice((1, 1, 2)))] for _ in "LR"]
    return games.make(*sides)


# -- cooled games and atomic weights ----------------------------------------------------------------------------------
FOUND = [(name, s) for name, s, _ in POSITIONS if name not in ("stalks", "cutcake")]


def same(name: str, function: str, args: list[Any]) -> bool:
    """Return whether both have an answer, after a check that they agree on it."""
    referee, engine = both(name)
    try:
        game = ask(referee, function, args)
    except IllDefined:
        with pytest.raises(Undefined):
            engine.answer(function, args)
        return False
    other = engine.answer(function, args)
    assert ask(referee, "equals", [game, other]), (name, args)
    assert not ask(referee, "equals", [game, parse_game("*3 + 1/32")])
    return True


def test_cooled_games_agree() -> None:
    taxes = (0, Fraction(1, 4), Fraction(1, 2), 1, Fraction(5, 4), 2)
    assert all(same(name, "cool", [s, tax]) for name, s in FOUND for tax in taxes)
    assert not any(same(name, "cool", [s, tax]) for name, s in FOUND for tax in (-1, Fraction(1, 3)))


def test_heated_and_overheated_games_agree() -> None:
    heats = (0, Fraction(1, 4), 1, Fraction(5, 4), parse_game("1*"), parse_game("^"))
    assert all(same(name, "heat", [s, heat]) for name, s in FOUND for heat in heats)
    assert all(same(name, "overheat", [s, parse_game("1*"), 1]) for name, s in FOUND)
    assert all(same("stalks", "overheat", [stalk(x), parse_game(low), 1]) for x in STALKS for low in ("1*", "-1/2"))
    refused = (-1, Fraction(1, 3), parse_game("-1"))
    assert not any(same(name, "heat", [s, heat]) for name, s in FOUND[:3] for heat in refused)
    for by in ([Fraction(1, 3), 1], [1, Fraction(1, 3)]):
        assert not same("stalks", "overheat", [stalk("BR"), *by])


# WW, chapter 6: the integral of g by t
HEATED = [
    ("0", 1, "0"),
    ("3/4", 2, "3/4"),
    ("*", 1, "+-1"),
    ("*", Fraction(1, 2), "+-1/2"),
    ("1*", 1, "{2|0}"),
    ("3/4*", Fraction(5, 4), "{2|-1/2}"),
    ("^", 1, "{1||0|-2}"),
    ("^*", 1, "{1,{2|0}|-1}"),
    ("tiny(1)", 1, "{1||0|-3}"),
    ("+-1", 1, "+-2"),
    ("{3|1}", Fraction(1, 2), "{7/2|1/2}"),
]


@pytest.mark.parametrize(("text", "heat", "value"), HEATED)
def test_heated_games_have_their_published_values(text: str, heat: int | Fraction, value: str) -> None:
    referee, engine = both("stalks")
    for found in (ask(referee, "heat", [parse_game(text), heat]), engine.answer("heat", [parse_game(text), heat])):
        assert ask(referee, "equals", [found, parse_game(value)])
        for other in ("*", "^", "1/16", "+-1/2"):
            assert not ask(referee, "equals", [found, parse_game(f"{value} + {other}")])


def test_the_engine_refuses_to_heat_by_a_huge_number() -> None:
    _, engine = both("stalks")
    for heat in (Fraction(10**9), Fraction(1, 2**40)):
        with pytest.raises(TooLarge, match=r"^the number in heat or overheat is not within 100"):
            engine.answer("heat", [stalk("BR"), heat])


def test_sums_of_heated_all_small_games_and_numbers_are_heated_sums() -> None:
    """Cooling reverses the heating of such a game. Neither holds for all games."""
    warm = Thermographs(games)
    small = [*list_all_small(), *map(games.number, (0, Fraction(1, 2), -1))]
    for g, h, heat in product(small, small, (Fraction(1, 2), Fraction(1), Fraction(7, 4))):
        t = games.number(heat)
        assert warm.heat(games.add(g, h), t) == games.add(warm.heat(g, t), warm.heat(h, t))
        assert warm.cool(warm.heat(g, t), heat) == g
    up, tiny, one = (games.read(parse_game(x)) for x in ("^", "tiny(1)", "1"))
    assert warm.heat(games.add(up, tiny), one) != games.add(warm.heat(up, one), warm.heat(tiny, one))


def test_atomic_weights_agree() -> None:
    found = [same(name, "atomic_weight", [s]) for name, s in FOUND]
    assert all(x for (name, _), x in zip(FOUND, found, strict=True) if name == "clobber")
    assert sum(found) < len(found)


@pytest.mark.parametrize("row", ["XXOXO", "XOXXO", "XOOXOX", "XXO/OXX", "XOX/OXO"])
def test_atomic_weights_of_clobber_agree(row: str) -> None:
    assert same("clobber", "atomic_weight", [stones(row)])


def list_all_small() -> list[CanonicalFormId]:
    """Return sums and options of ups and nimbers, and some games between them."""
    texts = [
        "*",
        "^",
        "^*",
        "vv",
        "*2",
        "{^|*}",
        "{0|v*}",
        "{^^|vv}",
        "{3·^|*}",
        "{^3|v3}",
        "{0||0|v}",
        "{^,*|v2}",
        "{^^*|^}",
    ]
    return [games.read(parse_game(x)) for x in texts]


def test_atomic_weights_and_cooled_games_can_be_added() -> None:
    """Atomic weights of sums are sums (CGT, chapter II), and so are cooled sums (WW, chapter 6).

    The games include ones whose atomic weight is no integer.
    """
    weights, cooled = AtomicWeights(games), Thermographs(games)
    small = list_all_small()
    for g, h in product(small, repeat=2):
        first, second, total = (weights.get(x) for x in (g, h, games.add(g, h)))
        assert first is not None
        assert second is not None
        assert total == games.add(first, second)
    random = Random(12)
    drawn = [draw(random, 2) for _ in range(25)]
    for g, h, tax in product(drawn, drawn, (Fraction(1, 2), Fraction(1), Fraction(7, 4))):
        assert cooled.cool(games.add(g, h), tax) == games.add(cooled.cool(g, tax), cooled.cool(h, tax))


def test_the_remote_star_may_be_any_large_nimber() -> None:
    for g in list_all_small():
        far = [games.read(parse_game(f"*{games.birthday(g) + k}")) for k in (1, 2, 5)]
        assert len({(games.is_at_most(x, g), games.is_at_most(g, x)) for x in far}) == 1


# -- names ------------------------------------------------------------------------------------------------------------
def test_the_name_of_a_canonical_form_denotes_it() -> None:
    random = Random(11)
    forms = {draw(random, depth) for depth in (1, 2, 3) for _ in range(150)}
    forms |= {games.add(g, h) for g in sorted(forms)[:12] for h in sorted(forms)[-12:]}
    names = {games.name(g): g for g in sorted(forms)}
    assert len(names) == len(forms) > 300
    for name, g in names.items():
        if len(name) <= 200:
            assert games.read(parse_game(name)) == g, name


@pytest.mark.parametrize("text", [*EQUAL.values(), *SQUARES.values(), *TOADS.values(), "vv*2", "-3/4^", "2Tiny(1)"])
def test_published_names_denote_the_same_game_as_printed_ones(text: str) -> None:
    g = games.read(parse_game(text))
    assert games.read(parse_game(games.name(g))) == g
