"""Values of partizan games: known values, and properties that hold by definition."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from checks.boards.question import PartizanValue, read_parameters, read_position, read_ruleset
from checks.boards.solver import PositionSolver
from checks.referee.meaning import LimitReached, RefereeSteps
from checks.referee.play import moves_in_one_heap
from encoders.compute.compound.partizan import CanonicalFormId, Games, Thermographs
from encoders.compute.compound.play import EnginePartizanValues

BOARDS = Path(__file__).parents[3] / "examples/boards/rulesets"
games = Games(RefereeSteps(10**7))
thermographs = Thermographs(games)
STAR = games.make((games.zero,), (games.zero,))
UP = games.make((games.zero,), (STAR,))


def times(count: int, g: CanonicalFormId) -> CanonicalFormId:
    found = games.zero
    for _ in range(abs(count)):
        found = games.add(found, g if count > 0 else games.negate(g))
    return found


def nimber(size: int) -> CanonicalFormId:
    found = [games.zero]
    for _ in range(size):
        found.append(games.make(found, found))
    return found[size]


# -- known values ------------------------------------------------------------------------------------------------------
@cache
def stalk(colours: str) -> CanonicalFormId:
    """A string of edges on the ground: Left cuts a blue edge, Right a red edge, and everything above it falls."""
    left, right = ([stalk(colours[:i]) for i, x in enumerate(colours) if x == colour] for colour in "br")
    return games.make(left, right)


def read_signs(colours: str) -> Fraction:
    """Berlekamp's rule: edges count 1 up to the first change of colour, then each counts half of the previous one."""
    value, worth, changed = Fraction(0), Fraction(1), False
    for x in colours:
        changed = changed or x != colours[0]
        worth = worth / 2 if changed else worth
        value += worth if x == "b" else -worth
    return value


def test_stalks_of_hackenbush_are_the_numbers_of_berlekamps_rule() -> None:
    stalks = ["".join(colours) for length in range(8) for colours in product("br", repeat=length)]
    assert len(stalks) == 255
    for colours in stalks:
        value = read_signs(colours)
        assert games.value_of(stalk(colours)) == value
        assert games.name(stalk(colours)) == str(value)
        assert games.number(value) == stalk(colours)


def test_ups_and_nimbers() -> None:
    for ups, size, number in product(range(-4, 5), range(4), (Fraction(0), Fraction(-3, 4))):
        found = games.add(games.number(number), games.add(times(ups, UP), nimber(size)))
        shown = {0: "", 1: "^", 2: "^^", -1: "v", -2: "vv"}.get(ups, f"{'^' if ups > 0 else 'v'}{abs(ups)}")
        shown += {0: "", 1: "*"}.get(size, f"*{size}")
        assert games.name(found) == (str(number) if number or not shown else "") + shown
        assert thermographs.get(found).mean == number
        assert thermographs.get(found).temperature == (0 if shown else Fraction(-1, number.denominator))


def test_nimbers_add_by_nim_addition() -> None:
    assert all(games.add(nimber(a), nimber(b)) == nimber(a ^ b) for a in range(6) for b in range(6))


def test_switches() -> None:
    for high, low in product(range(-3, 4), repeat=2):
        if high > low:
            found = games.make((games.number(high),), (games.number(low),))
            assert games.name(found) == (f"+-{high}" if high == -low else f"{{{high}|{low}}}")
            assert thermographs.get(found).mean == Fraction(high + low, 2)
            assert thermographs.get(found).temperature == Fraction(high - low, 2)


def test_of_two_options_the_better_one_depends_on_what_a_move_costs() -> None:
    """0 up to 4, then the switch, whose right wall is -4 + t up to its temperature 5."""
    six, four, zero = games.number(6), games.number(-4), games.zero
    found = thermographs.get(games.make((zero, games.make((six,), (four,))), (games.number(Fraction(-17, 2)),)))
    assert (found.mean, found.temperature) == (-4, Fraction(9, 2))


def test_names_of_other_games() -> None:
    """The names agree with CGSuite."""
    zero, one, two = games.zero, games.number(1), games.number(2)
    tiny = games.make((zero,), (games.make((zero,), (games.negate(two),)),))
    assert [games.name(x) for x in (tiny, games.add(two, tiny), games.negate(tiny))] == [
        "Tiny(2)",
        "2Tiny(2)",
        "Miny(2)",
    ]
    hot = games.make((games.make((two,), (zero,)),), (games.negate(one),))
    assert games.name(hot) == "{2|0||-1}"
    assert (
        games.name(games.make((games.make((hot,), (games.negate(two),)),), (games.number(-4),)))
        == "{2|0||-1|||-2||||-4}"
    )
    assert games.name(games.make((two, STAR), (games.negate(two), STAR))) == "+-2"  # a move to star is no better
    deep = games.make((hot,), (games.negate(two),))
    for at in (-4, -8, -16):
        deep = games.make((deep,), (games.number(at),))
    assert games.name(deep) == "{{2|0||-1|||-2||||-4}|-8||-16}"


POSITIONS = {
    ("domineering", "[heap([1 for i in range(4)], 2)]"): ("+-1", "0", "1"),
    ("domineering", "[heap([1 for i in range(6)], 3)]"): ("{2|-1/2}", "3/4", "5/4"),
    ("domineering", "[heap([1 for i in range(9)], 3)]"): ("+-1", "0", "1"),
    ("domineering", "[heap([1, 1, 0, 1], 2)]"): ("*", "0", "0"),
    ("domineering", "[heap([1, 1, 1], 1)]"): ("1", "1", "-1"),
    ("domineering", "[heap([1 for i in range(5)], 5)]"): ("-2", "-2", "-1"),
    ("toads-and-frogs", "([1, 0, -1])"): ("*", "0", "0"),
    ("toads-and-frogs", "([1, 1, 0, -1])"): ("{1/2|0}", "1/4", "1/4"),
    ("toads-and-frogs", "([1, 0, 0, 0])"): ("3", "3", "-1"),
}
"""Winning Ways, chapters 1 and 5. By hand: Left moves from TT-F to T-TF, which is 1/2; Right moves to TTF-, which is 0.
"""


def solved(ruleset: str, position: str, **given: str) -> PartizanValue | None:
    rules = read_ruleset(ruleset)
    solver = PositionSolver(rules, read_parameters(rules, given))
    return solver.solve(read_position(position, kind=solver.position)).partizan


@pytest.mark.parametrize(("ruleset", "position"), POSITIONS)
def test_values_of_positions(ruleset: str, position: str) -> None:
    found = solved(str(BOARDS / f"{ruleset}.toml"), position)
    assert found == PartizanValue(*POSITIONS[ruleset, position])


SQUARE_OF_FOUR = PartizanValue("+-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}", "0", "0")  # the same as in CGSuite


@cache
def lay(free: int) -> CanonicalFormId:
    """Domineering on a square of four, by plain recursion. `free`: a bit for each square, row by row."""
    upright, across = [17 << i for i in range(12)], [3 << i for i in range(15) if i % 4 < 3]
    return games.make(*([lay(free & ~two) for two in way if free & two == two] for way in (upright, across)))


@pytest.mark.slow
def test_the_square_of_four() -> None:
    found = lay(0xFFFF)
    mast = thermographs.get(found)
    assert PartizanValue(games.name(found), str(mast.mean), str(mast.temperature)) == SQUARE_OF_FOUR


@pytest.mark.slow
def test_the_square_of_four_is_within_the_limits() -> None:
    assert solved(str(BOARDS / "domineering.toml"), "[heap([1 for i in range(16)], 4)]") == SQUARE_OF_FOUR


def test_a_sum_of_heaps_is_what_play_makes_of_it() -> None:
    given = {"S": "{1, 2}", "T": "{1, 3}"}
    apart = read_ruleset("partizan-subtraction")
    for s in ((1, 2), (2, 3), (3, 5), (1, 2, 4)):
        solver = PositionSolver(apart, read_parameters(apart, given))
        game = solver._make_game(10**7)
        added, played = (
            EnginePartizanValues(game.options, moves_in_one_heap(game.ruleset), games),
            EnginePartizanValues(game.options, False, games),
        )
        assert added.apart
        assert added.form(s) == played.form(s)


def test_heaps_that_are_not_alone_are_played_together(tmp_path: Path) -> None:
    """Left may clear the last heap, and Right one of two: two heaps have the value {|1} = 0, not twice 1."""
    rules = tmp_path / "alone.toml"
    rules.write_text(
        'format = 1\ntitle = "t"\nplayers = ["Left", "Right"]\nstuck = "loses"\n[[moves]]\nchoose = "any heap h"\n'
        'where = "len(s) == (1 if mover == Left else 2)"\nbecome = []\n'
    )
    assert solved(str(rules), "(1)") == PartizanValue("1", "1", "-1")
    assert solved(str(rules), "(1, 1)") == PartizanValue("0", "0", "-1")


def test_an_impartial_game_has_a_grundy_value_and_no_other() -> None:
    assert solved("nim", "(3, 5)") is None


def test_a_table_of_single_heaps() -> None:
    rules = read_ruleset("partizan-subtraction")
    table = PositionSolver(rules, read_parameters(rules, {"S": "{1, 4}", "T": "{2, 3}"})).tabulate(1, 0, 7)
    assert table.partizan is not None
    assert [x and x.form for x in table.partizan] == [
        "0",
        "1",
        "{1|0}",
        "Miny(1)",
        "1/2",
        "{1|0,{1|0}}",
        "{1|0||Miny(1)}",
        "0",
    ]
    assert PositionSolver(read_ruleset("nim"), {}).tabulate(1, 0, 3).partizan is None


@pytest.mark.slow
def test_what_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"S": "{1, 2}", "T": "{1, 3}"}
    assert solved("partizan-subtraction", "(30)", **given) is not None
    monkeypatch.setattr("checks.boards.solver.TO_THE_END", 500)
    assert solved("partizan-subtraction", "(30)", **given) is None
    few = Games(RefereeSteps(0))
    star = few.make((few.zero,), (few.zero,))
    with pytest.raises(LimitReached):
        few.make((star,), (few.zero,))


# -- properties of all games -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tree:
    """A game as written, not in canonical form."""

    left: tuple["Tree", ...]
    right: tuple["Tree", ...]

    def form(self) -> CanonicalFormId:
        return games.make([x.form() for x in self.left], [x.form() for x in self.right])


def draw(random: Random, depth: int) -> Tree:
    sides: list[Sequence[Tree]] = [
        [draw(random, depth - 1) for _ in range(random.choice((0, 1, 2, 3)))] if depth else () for _ in "LR"
    ]
    return Tree(tuple(sides[0]), tuple(sides[1]))


def wins_first(g: Tree, h: Tree, player: int) -> bool:
    """Whether the player, who moves first in g - h, wins; by plain play."""
    mine, other = ((g.left, h.right), (g.right, h.left))[player]
    return any(not wins_first(x, h, 1 - player) for x in mine) or any(not wins_first(g, y, 1 - player) for y in other)


@pytest.mark.slow
def test_the_order_is_that_of_play() -> None:
    random = Random(7)
    drawn = [draw(random, 3) for _ in range(28)]
    assert len({tree.form() for tree in drawn}) > 10
    for g, h in product(drawn, repeat=2):
        assert games.is_at_most(g.form(), h.form()) == (not wins_first(g, h, 0))
        assert (g.form() == h.form()) == (not wins_first(g, h, 0) and not wins_first(g, h, 1))


def test_sums_and_negatives() -> None:
    random = Random(8)
    forms = sorted({draw(random, 3).form() for _ in range(40)})
    for g in forms:
        assert games.add(g, games.negate(g)) == games.zero
        assert games.negate(games.negate(g)) == g
    for g, h in product(forms[:12], repeat=2):
        total = games.add(g, h)
        assert games.add(total, games.negate(h)) == g
        assert games.is_at_most(total, g) == games.is_at_most(h, games.zero)


def test_many_copies_are_worth_their_mean_up_to_the_temperature() -> None:
    """The mean value theorem: the first player gets at least n times the mean, and at most the temperature more."""
    random = Random(9)
    hot = 0
    for g in sorted({draw(random, 3).form() for _ in range(60)}):
        found = thermographs.get(g)
        many = games.zero
        for count in range(1, 5):
            many = games.add(many, g)
            first, second = games.stops(many)
            assert second <= count * found.mean <= first
            assert first - count * found.mean <= max(found.temperature, 0)
            assert count * found.mean - second <= max(found.temperature, 0)
        hot += found.temperature > 0
    assert hot > 5
