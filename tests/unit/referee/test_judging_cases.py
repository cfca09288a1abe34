"""The referee's judgement of cases: positions of heaps with parts, games outside their domains, tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps
from checks.referee.play import LoopyOutcome, RefereeGame, RefereeLoopyOutcomes
from claims.language.syntax.meanings import Setting
from encoders.proving.reading import load_claim

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
RULES = 'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n'
STONE = (
    'measure = "sum(h.v for h in s)"\n[heap]\nv = "{0}"\ngone = "h.v == {1}"\n[[moves]]\nchoose = "any heap h"\n'
    'where = "h.v > 0"\nbecome = [{{ v = "h.v - 1" }}]\n'
)
TAKE = (
    'parameters = { k = "2..5" }\n[[moves]]\nchoose = "any heap h"\npick = { m = "1..min(k, h)" }\nbecome = ["h - m"]\n'
)


@pytest.fixture
def referee(tmp_path: Path) -> Any:
    """Return the referee of a claim about stones on the numbers 0 to 4 or 1 to 9, or about a game with a parameter."""
    for name, rules in {"low": STONE.format("0..4", 0), "high": STONE.format("0..9", 9), "take": TAKE}.items():
        (tmp_path / f"{name}.toml").write_text(RULES + rules, "utf-8")

    def make(games: str, forall: str, then: str = "True", tables: Any = None, **given: Any) -> Referee:
        path = tmp_path / "claim.toml"
        path.write_text(f'{HEAD}{games}\n[forall]\n{forall}\n[claim]\nthen = "{then}"\n', "utf-8")
        return Referee(load_claim(path, "claim"), tables=tables, **given)

    return make


# -- cases ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", ["where", "gone"])
def test_a_case_where_a_heap_has_no_value_is_ill_defined_and_not_outside(
    referee: Any, tmp_path: Path, key: str
) -> None:
    rules = STONE.format("0..4", 0).replace('gone = "h.v == 0"', f'{key} = "1 // (h.v - 3) == 9"')
    (tmp_path / "odd.toml").write_text(RULES + rules, "utf-8")
    scope = "\n[scope]\ns = { heaps = '0..1', v = '0..4' }"
    found = referee('ruleset = "odd"' + scope, 's = "position"')
    words = rf"`{key}` of \[heap\] of odd has no value at 3: division by zero"
    with pytest.raises(IllDefined, match=words):
        found.judge({"s": ((3,),)})


@pytest.mark.parametrize(
    ("s", "low", "both"),
    [
        ((), True, True),
        (((1,),), True, True),
        (((1,), (1,)), True, True),
        (((1,), (4,)), True, True),
        (((4,), (1,)), False, False),  # in another order
        (((0,),), False, False),  # it vanishes
        (((0,), (1,)), False, False),
        (((5,),), False, False),  # not a heap of the first game
        (((1,), (5,)), False, False),
        (((-1,),), False, False),
    ],
)
def test_which_positions_of_heaps_with_parts_are_cases(referee: Any, s: Any, low: bool, both: bool) -> None:
    """Heaps are sorted; each is a heap of every game, and in no game it vanishes."""
    forall = 's = "position"'
    scope = "\n[scope]\ns = { heaps = '0..1', v = '0..4' }"
    judged = {True: "holds", False: "outside"}
    assert referee('ruleset = "low"', forall, f'True"{scope}\n#').judge({"s": s}) == judged[low]
    two = '[games]\nlow = "low"\nhigh = "high"'
    assert referee(two, forall, f'True"{scope}\n#').judge({"s": s}) == judged[both]


def test_a_game_outside_its_parameters_is_no_game_though_nothing_is_asked(referee: Any) -> None:
    judged = referee('ruleset = "take(k = x)"', 'x = "1..9"')
    assert judged.judge({"x": 5}) == "holds"
    with pytest.raises(IllDefined, match="k = 6 is outside"):
        judged.judge({"x": 6})
    assert judged.judge({"x": 0}) == "outside"


def test_a_domain_may_have_no_upper_bound(referee: Any) -> None:
    judged = referee('ruleset = "take(k = 2)"', 'x = "3.."', 'x < 7"\n[scope]\nx = "3..5"\n#')
    assert [judged.judge({"x": x}) for x in (2, 3, 6, 7, 99)] == ["outside", "holds", "holds", "fails", "fails"]


def test_a_game_is_made_once_for_each_setting(referee: Any) -> None:
    judged = referee('ruleset = "take(k = x)"', 'x = "1..9"')
    game = judged.game("take", {"x": 2})
    assert judged.game("take", {"x": 2}) is game
    assert judged.game("take", {"x": 3}) is not game
    assert not game.sums
    assert referee('ruleset = "take(k = 2)"', 'x = "1..9"', sums=True).game("take", {"x": 1}).sums


# -- tables -----------------------------------------------------------------------------------------------------------
class Tables:
    """Known values of a game in which k = 2 or 3 may be taken: more for k = 3, and nothing for k = 4."""

    def __init__(self) -> None:
        self.sizes = {2: 150, 3: 160, 4: 0}

    def find_values(self, key: Setting, game: RefereeGame) -> Sequence[int]:
        return [h % (game.parameters["k"] + 1) for h in range(self.sizes[game.parameters["k"]])]

    def find_winners(self, key: Setting, game: RefereeGame) -> Sequence[Sequence[int]]:
        assert key == ("take", (("k", game.parameters["k"]),))
        return [[int(x == 0) for x in self.find_values(key, game)]]

    def tell_winner(self, key: Setting, game: RefereeGame, s: Any, mover: int) -> bool | None:
        return None if game.parameters["k"] == 4 else sum(s) % 2 == 0


VALUES = "For heaps of more than 100 objects in take the referee used a table of {} of the heaps 0 to {}, "
VALUES += "which it had verified."
LISTED = "For more than 200 objects in several heaps of take the referee used a list of losing positions, "
LISTED += "which it had verified by their moves."


@pytest.mark.parametrize(
    ("then", "cases", "told"),
    [
        ("grundy(position([100])) >= 0", [2], []),
        ("grundy(position([110])) == 110 % (x + 1)", [2], [VALUES.format("Grundy values", 149)]),
        ("grundy(position([110])) == 110 % (x + 1)", [3, 2], [VALUES.format("Grundy values", 159)]),
        ("grundy(position([110])) == 110 % (x + 1)", [2, 3], [VALUES.format("Grundy values", 159)]),
        ("wins(position([110])) == (110 % (x + 1) != 0)", [3], [VALUES.format("winners", 159)]),
        (
            "wins(position([110])) == (grundy(position([110])) != 0)",
            [3],
            [VALUES.format("winners", 159), VALUES.format("Grundy values", 159)],
        ),
        ("wins(position([100, 102]))", [2, 3], [LISTED]),
        ("wins(position([150, 52])) and wins(position([110]))", [2], [LISTED, VALUES.format("winners", 149)]),
        ("wins(position([110])) == (110 % (x + 1) != 0)", [4], []),
    ],
)
def test_what_was_looked_up_is_told_once(referee: Any, then: str, cases: list[int], told: list[str]) -> None:
    judged = referee('ruleset = "take(k = x)"', 'x = "1..9"', then, Tables())
    assert [judged.judge({"x": x}) for x in cases] == ["holds"] * len(cases)
    assert judged.tell_tables() == told


# -- infinite play ----------------------------------------------------------------------------------------------------
class Graph:
    """A token on a graph. A stuck player loses, or wins."""

    def __init__(self, edges: dict[int, list[int]], end: int = 1, steps: int = 1000) -> None:
        self.edges, self.ending, self.steps = edges, end, RefereeSteps(steps)

    def options(self, s: Any, mover: int) -> Any:
        return tuple((x,) for x in self.edges.get(s[0], []))

    def end(self, s: Any, mover: int) -> int:
        return self.ending


# 0 is the end. 3 goes to itself, 7 and 8 to each other.
EDGES = {1: [0], 2: [1], 3: [3], 4: [3, 2], 5: [3, 1], 6: [4, 1], 7: [8], 8: [7], 9: [8, 0], 10: [9, 1], 11: [10, 3]}
W, L, D = LoopyOutcome.WIN, LoopyOutcome.LOSS, LoopyOutcome.DRAW
LOSES = {0: L, 1: W, 2: L, 3: D, 4: W, 5: D, 6: L, 7: D, 8: D, 9: W, 10: L, 11: W}
WINS = {0: W, 1: L, 2: W, 3: D, 4: D, 5: W, 6: W, 7: D, 8: D, 9: D, 10: W, 11: D}


@pytest.mark.parametrize(("end", "labels"), [(1, LOSES), (0, WINS)])
@pytest.mark.parametrize("order", [range(12), range(11, -1, -1), [6, 11, 2, 5, 9], [3, 0, 4, 1]])
def test_who_can_force_what(end: int, labels: dict[int, LoopyOutcome], order: Sequence[int]) -> None:
    """The order of the questions does not matter. Play along decreasing ranks reaches the end."""
    found = RefereeLoopyOutcomes(Graph(EDGES, end))
    assert {x: found.outcome((x,), 0) for x in order} == {x: labels[x] for x in order}
    for x in order:
        after = [y for y in EDGES.get(x, []) if labels[y] is not D]
        if labels[x] is W and after:
            assert any(labels[y] is L and found.rank((y,), 1) < found.rank((x,), 0) for y in after)
        if labels[x] is L:
            assert all(labels[y] is W and found.rank((y,), 1) < found.rank((x,), 0) for y in after)


class Alternating(Graph):
    """Only A (0) can move from 1 to 2, and only B (1) from 2 to 3."""

    def options(self, s: Any, mover: int) -> Any:
        return {((1,), 0): ((2,),), ((2,), 1): ((3,),)}.get((s, mover), ())


def test_players_take_turns() -> None:
    labels = RefereeLoopyOutcomes(Alternating({}))
    turns = {(s, mover): labels.outcome((s,), mover) for s in (1, 2, 3) for mover in (0, 1)}
    assert turns == {(1, 0): L, (1, 1): L, (2, 0): L, (2, 1): W, (3, 0): L, (3, 1): L}


def test_what_can_be_forced_costs_steps_once() -> None:
    """Each reachable turn, and each of its options, costs one step for each judgement."""
    graph = Graph(EDGES, steps=4)
    labels = RefereeLoopyOutcomes(graph)
    assert labels.outcome((0,), 0) is L
    assert labels.outcome((0,), 0) is L
    assert graph.steps.left == 3  # a turn with a known outcome is not judged again
    with pytest.raises(LimitReached):
        labels.outcome((2,), 0)
