"""The results of `solve`, by each of its methods, agree with plain recursion over the texts of the rules.

The liar's workshop draws the rules, and its third player, who shares no code with this project, plays them.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.boards import solver as solving
from checks.boards.engines import Engines
from checks.boards.question import read_parameters, read_ruleset
from checks.boards.solver import PositionSolver
from claims.language.files.rulesets import Ruleset
from tests.workshop.bundle import toml
from tests.workshop.games.drawn import random_rules
from tests.workshop.games.play import Position, Rules, Unplayable, grundy, positions, values, wins

HEAPS, SIZE = 2, 5
BOX = positions(HEAPS, SIZE)
GAMES = 40
WAYS = ("referee", "engines")


def draw(seed: int) -> tuple[Rules, dict[str, int]]:
    """Return rules that can be played everywhere in the box, and their parameters."""
    rng = random.Random(seed)
    for _ in range(100):
        rules, _ = random_rules(rng)
        rules.choose = rng.choice(("any heap h", "any heap h", "a largest heap h"))
        given = {"k": rng.randint(1, 3)} if rules.parameters else {}
        try:
            wins(rules, given, BOX)
        except Unplayable:
            continue
        return rules, given
    raise AssertionError("no rules that can be played")


def load(rules: Rules, folder: Path) -> Ruleset:
    file = folder / "game.toml"
    file.write_text(toml(rules.data()), "utf-8")
    return read_ruleset(str(file))


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The source of the values: the referee alone, or the engines, with only the moves left to the referee."""
    if request.param == "engines":
        monkeypatch.setattr(solving, "STEPS", 0)
        monkeypatch.setattr(PositionSolver, "_look_up", lambda *_: None)
    return str(request.param)


def sample(rng: random.Random) -> Iterator[Position]:
    yield ()
    yield from rng.sample(BOX, 4)


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.slow
def test_two_players(seed: int, way: str, tmp_path: Path) -> None:
    rules, given = draw(seed)
    right = wins(rules, given, BOX)
    solver = PositionSolver(load(rules, tmp_path), read_parameters(load(rules, tmp_path), given), None)
    for s in sample(random.Random(seed)):
        found = solver.solve(s)
        assert found.by.startswith("the engines") is (way == "engines") and not found.limit
        for mover in (0, 1):
            turn = found.turns[mover % len(found.turns)]
            assert turn.value == int(not right[s, mover])
            assert {m.position for m in turn.moves or ()} == set(rules.options(s, mover, given))
            assert {m.position for m in turn.winning_moves} == {
                t for t in rules.options(s, mover, given) if not right[t, 1 - mover]
            }
        if len(s) < 2 and not rules.partizan and rules.stuck == "loses":
            assert found.grundy == grundy(rules, given, SIZE)[sum(s)]
        if rules.stuck == "wins":
            assert found.grundy is None
    table = solver.tabulate(2, 0, SIZE)
    for at, outcome in enumerate(table.outcomes):
        s = tuple(sorted(h for h in divmod(at, SIZE + 1) if h))
        assert outcome == ("P_position", "second_wins", "first_wins", "N_position")[2 * right[s, 0] + right[s, 1]]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_several_players(n: int, way: str, tmp_path: Path) -> None:
    for seed, stuck in enumerate(("loses", "wins")):
        rules = Rules("1..h", "m != 2", "h - m", stuck, "n", "a largest heap h", {"n": "2.."})
        right = values(rules, n, BOX)
        solver = PositionSolver(load(rules, tmp_path), {"n": n}, None)
        for s in sample(random.Random(seed)):
            found = solver.solve(s)
            assert [turn.value for turn in found.turns] == [right[s]]
            assert {m.position: m.value for m in found.turns[0].moves or ()} == {
                t: (right[t] + 1) % n for t in rules.options(s, 0, {"n": n})
            }


def test_the_games_are_of_many_kinds() -> None:
    drawn = [draw(seed)[0] for seed in range(GAMES)]
    assert sum(rules.partizan for rules in drawn) > 3
    assert sum(rules.stuck == "wins" for rules in drawn) > 3
    assert sum("largest" in rules.choose for rules in drawn) > 3


LARGE = {  # more than the referee plays: ruleset, position, winners by mover, Grundy value.
    "nim": ((377, 610), [0], 377 ^ 610),
    "kayles": ((120, 119), [0], 4 ^ 7),
    "half-nim": ((1023, 511), [1], 0),
    "misere-nim": ((300, 300), [1], None),
    "wythoff": ((76, 123), [1], 0),
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.slow
def test_large_heaps(name: str) -> None:
    s, right, value = LARGE[name]
    found = PositionSolver(read_ruleset(name), {}, None).solve(s)
    assert ([turn.value for turn in found.turns], found.grundy, found.limit) == (right, value, "")
    assert found.by != "the referee"


def test_a_wrong_value_does_not_fit_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "STEPS", 0)
    monkeypatch.setattr(Engines, "find_values", lambda _, places, __: [0] * len(places))
    with pytest.raises(solving.InternalFault, match="give 1"):
        PositionSolver(read_ruleset("misere-nim"), {}, None).solve((1, 2))


def test_a_wrong_grundy_value_does_not_fit_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "STEPS", 0)
    monkeypatch.setattr(Engines, "find_grundy", lambda _, places: [7] * len(places))
    with pytest.raises(solving.InternalFault, match=r"is 7, but the options of .* give"):
        PositionSolver(read_ruleset("wythoff"), {}, None).solve((1, 2))


@pytest.mark.parametrize(
    ("s", "steps", "wins"),
    [((3, 5), 100, None), ((3, 5), 300, None), ((6, 9), 300, None), ((6, 9), 3000, 0), ((6, 10), 1000, None)],
)
def test_what_is_told_is_true_where_a_limit_leaves_the_rest_open(
    s: Position, steps: int, wins: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = PositionSolver(read_ruleset("wythoff"), {}, None).solve(s).turns[0]

    def refuse(*_: object) -> None:
        raise solving.LimitReached("none")

    monkeypatch.setattr(Engines, "find_values", refuse)
    monkeypatch.setattr(solving, "STEPS", steps)
    found = PositionSolver(read_ruleset("wythoff"), {}, None).solve(s)
    (turn,) = found.turns
    assert turn.value == wins
    assert turn.value in (None, whole.value)
    assert found.limit
    right = {move.position: move.value for move in whole.moves or ()}
    told = {move.position: move.value for move in turn.moves or () if move.value is not None}
    assert told.items() <= right.items()
    assert (turn.value is None) is not (0 in told.values())
    assert len(told) < len(right)
