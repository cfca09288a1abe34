"""All positions of a box are solved by tables of moves: the graph of moves and the referee give the same answers.

The tests also cover which rulesets are solved by tables: heaps that depend on each other must not be treated as
independent.
"""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from checks.referee.meaning import RefereeSteps, ask
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import Ruleset, load_ruleset
from encoders.compute.arrays import boxes
from encoders.compute.arrays.boxes import BoxGraph, choose
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.graphs import EdgeGraph, Graph
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.move_tables import Kinds, MoveTable, NotRecognised, Tie, recognise
from encoders.compute.arrays.moves import Moves
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import Array

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
LIBRARY = Path(__file__).resolve().parents[3] / "claims" / "rulesets"
BOXES = [(1, 7), (2, 6), (3, 4), (4, 3)]


def move(choose: str, become: str, where: str = "", **pick: str) -> str:
    picks = ", ".join(f'{name} = "{text}"' for name, text in pick.items())
    condition = f'where = "{where}"\n' if where else ""
    sizes = ", ".join(f'"{x.strip()}"' for x in become.split(";"))
    return f'[[moves]]\nchoose = "{choose}"\npick = {{ {picks} }}\n{condition}become = [{sizes}]\n'


def one(where: str = "") -> str:
    return move("any heap h", "h - m", where, m="1..h")


def both(where: str = "", top: str = "min(g, h)", become: str = "g - m; h - m") -> str:
    return move("any two heaps g, h", become, where, m=f"1..{top}")


def apart(where: str = "") -> str:
    return move("any two heaps g, h", "g - m; h - n", where, m="1..g", n="1..h")


def each(counts: str, where: str = "") -> str:
    return move(f"each of {counts} heaps h", "h - m", where, m="1..h")


def three(where: str = "") -> str:
    return move("any three heaps f, g, h", "f - m; g - m; h - m", where, m="1..min(f, g, h)")


# Moves that are tables of heaps.
TABLES = {
    "the same from two": both(),
    "the same from two, three at most": both("m <= 3"),
    "the same from two, not two": both("m != 2"),
    "the same from two, odd": both("m % 2 == 1"),
    "the same from two, each his own number": both("m != (1 if mover == A else 3)"),
    "from an even heap the same as from any": both("g % 2 == 0"),
    "twice as much from one": both("", "min(g, h // 2)", "g - m; h - 2 * m"),
    "two or more of both": move("any two heaps g, h", "g - m; h - m", m="max(2, 2)..min(g, h)"),
    "at least half of one from both": move("any two heaps g, h", "g - m; h - m", m="max(1, g // 2)..min(g, h)"),
    "from a list of both": move("any two heaps g, h", "g - m; h - m", "m <= g and m <= h", m="[1, 4]"),
    "the same from two, only for one player": both("mover == A"),
    "some of two": apart(),
    "some of two, only for one player": apart("mover == A"),
    "not two of one, one or two of the other": apart("m != 2 and n <= 2"),
    "some of one, all of the other": move("any two heaps g, h", "g - m", m="1..g"),
    "either of two, in the other order": move("any two heaps g, h", "h - n; g - m", m="1..g", n="1..min(2, h)"),
    "a doubt that is settled before": apart("g != 3 and 6 // (g - 3) != m"),
    "one or two heaps": each("1..2"),
    "two or three heaps, not two": each("2..3", "m != 2"),
    "three heaps": each("3..3"),
    "the same from three": three(),
    "the same from three, not two": three("m != 2 and f != 3"),
}
ONES = {
    "": one(),
    "at most two of one": one("m <= 2"),
    "not two of one": one("m != 2"),
    "none of one alone": "",
    "each his own of one": one("m != (1 if mover == A else 2)"),
}
# Similar moves that are not.
OTHERS = {
    "the same from unequal heaps": both("g != h"),
    "the same where the sum is even": both("(g + h) % 2 == 0"),
    "the same up to half of the smaller heap": both("", "min(g, h) // 2"),
    "the same up to the difference": both("", "abs(g - h)"),
    "unlike numbers of two": apart("m != n"),
    "one more of the other at most": move("any two heaps g, h", "g - m; h - n", m="1..g", n="1..min(h, m + 1)"),
    "some of two, of one an odd number or of both": apart("m % 2 == 1 or n > 1"),
    "a share that depends on the heap": both("", "min(g, h)", "g - m; h // (m + 1)"),
    "one heap stays as it is": move("any two heaps g, h", "g - m; h", m="1..g"),
    "one heap grows": move("any two heaps g, h", "g - m; h + 1", m="2..g"),
    "one heap may stay": both("", "min(g, h)", "g - m + 1; h - m"),
    "more than there is": both("", "g"),
    "a heap for two": move("any two heaps g, h", "g + h - m", m="1..g"),
    "split and take": move("any two heaps g, h", "a; g - a; 0", a="1..g"),
    "two of a largest heap": each("1..2") + move("a largest heap h", "h - m", m="1..h"),
    "two while there are three heaps": both("len(s) == 3"),
    "no heap at all": each("0..2"),
    "a number of no heap": move("any two heaps g, h", "g - 1; h - 1", m="1..0"),
    "a doubt on the way": both("g != 3 and 6 // (g - 3) != m"),
}


def text(moves: str, misere: bool = False, head: str = "") -> str:
    stuck = "wins" if misere else "loses"
    return f'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "{stuck}"\n{head}{moves}'


def load(content: str) -> Ruleset:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.toml"
        path.write_text(content)
        return load_ruleset(path)


class Box:
    """All positions of a box under one ruleset, and the two ways to solve it."""

    def __init__(self, ruleset: Ruleset, heaps: int, size: int, choices: list[tuple[int, ...]] | None = None) -> None:
        self.pool, self.clock = Pool(PositionSet.box(heaps, size)), Deadline(None)
        self.moves = Moves(ruleset, FrameEvaluator(self.pool, self.clock, {}))
        self.choices = [()] if choices is None else choices
        self.players = np.full(len(self.choices), 2)

    def solved(self) -> BoxGraph | None:
        found = choose(self.moves, self.choices, self.players, self.pool.rows, self.pool, self.clock)
        return None if isinstance(found, str) else found

    def edges(self) -> EdgeGraph:
        every = np.arange(len(self.pool))
        return EdgeGraph(self.moves, self.choices, self.players, every, self.pool, self.clock)


def compare(found: BoxGraph, expected: EdgeGraph, players: Array, seed: int = 0) -> None:
    """Compare the answers of two graphs to every question at every position."""
    assert np.array_equal(found.positions.rows, expected.positions.rows)
    choices, movers = len(players), found.movers
    q = np.arange(choices)
    if (players == 2).all():
        assert np.array_equal(found.solve_wins(q), expected.solve_wins(q))
    assert np.array_equal(found.has_option(q), expected.has_option(q))
    assert np.array_equal(found.solve_value(q, players), expected.solve_value(q, players))
    wanted = np.random.default_rng(seed).random((choices * movers, len(found))) < 0.2
    qs, ms = np.repeat(q, movers), np.tile(np.arange(movers), choices)
    assert np.array_equal(found.find_hits(wanted, qs, ms), expected.find_hits(wanted, qs, ms))
    assert np.array_equal(found.find_hits(wanted[:1], qs, ms), expected.find_hits(wanted[:1], qs, ms))
    if not found.stuck_wins:
        for mine, theirs in zip(found.solve_grundy(q), expected.solve_grundy(q), strict=True):
            assert np.array_equal(mine, theirs)
    for i, mover in zip(qs, ms, strict=True):
        legal = [list_legal(graph, i, mover) for graph in (found, expected)]
        assert legal[0] == legal[1]


def list_legal(graph: Graph, q: int, mover: int) -> set[tuple[int, int]]:
    """Return the legal moves of a player as pairs of the numbers of two positions."""
    offsets, targets = graph.list_edges()
    edges = np.flatnonzero(graph.is_legal(q, mover, np.arange(len(targets))))
    sources = np.repeat(np.arange(len(graph)), np.diff(offsets))[edges]
    assert np.array_equal(graph.find_edge(sources, targets[edges]), edges)
    return set(zip(sources.tolist(), targets[edges].tolist(), strict=True))


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve by tables whenever the moves are recognised, however small the box is."""
    monkeypatch.setattr(boxes, "estimate_edges", lambda *_: float("inf"))


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.slow
def test_tables_and_moves_agree(name: str, misere: bool) -> None:
    for i, alone in enumerate(ONES.values()):
        for heaps, size in BOXES if i == 0 and not misere else BOXES[2:3]:
            box = Box(load(text(alone + TABLES[name], misere)), heaps, size)
            found = box.solved()
            assert found is not None
            compare(found, box.edges(), box.players)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_and_referee_agree(name: str, misere: bool) -> None:
    ruleset = load(text(one("m != 3") + TABLES[name], misere))
    box = Box(ruleset, 3, 4)
    found, game = box.solved(), RefereeGame(ruleset, {}, RefereeSteps(10_000_000))
    assert found is not None
    wins = found.solve_wins(np.array([0]))[0]
    values = None if misere else found.solve_grundy(np.array([0]))
    for i, row in enumerate(found.positions.rows.tolist()):
        s = tuple(h for h in row if h)
        for mover in range(found.movers):
            assert wins[mover, i] == ask(game, "wins", [s, mover]), (s, mover)
        if values is not None and ruleset.impartial:
            assert values[0][0, i] == ask(game, "grundy", [s]), s


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", OTHERS)
def test_heaps_that_depend_on_each_other_are_not_taken_for_tables(name: str) -> None:
    box = Box(load(text(one() + OTHERS[name])), 3, 5)
    assert box.solved() is None
    with pytest.raises(NotRecognised):  # from the terms alone, before the comparison with the moves
        recognise(box.moves, (), 0, 3, 5)


@pytest.mark.usefixtures("always")
def test_what_else_goes_move_by_move() -> None:
    """A declared measure, moves that split a heap, more than two players, an unsuitable box."""
    measured = load(text(one() + both(), head='measure = "sum(s)"\n'))
    assert Box(measured, 3, 5).solved() is None
    assert Box(load(text(move("any heap h", "a; h - a", a="1..h // 2"))), 3, 5).solved() is None
    three_players = load(text(one() + both()).replace('"B"]', '"B", "C"]'))
    box = Box(three_players, 3, 5)
    box.players = np.array([3])
    assert box.solved() is None
    assert Box(load(text(one() + both())), 0, 1).solved() is None


@pytest.mark.usefixtures("always")
def test_parameters_each_have_their_tables() -> None:
    head = 'parameters = { w = "1..", k = "0.." }\n'
    ruleset = load(text(each("1..w") + both("m != k"), head=head))
    box = Box(ruleset, 3, 4, [(1, 0), (2, 1), (3, 2), (1, 9)])
    found = box.solved()
    assert found is not None
    compare(found, box.edges(), box.players)
    assert Box(load(text(each("w - 1..w") + both(), head=head)), 3, 4, [(2, 0), (1, 0)]).solved() is None


LARGEST, SMALLEST = "a largest heap h", "a smallest heap h"
SINGLE = {
    "one or two, or all of a largest heap": one("m <= 2") + move(LARGEST, "0"),
    "only of a largest heap": move(LARGEST, "h - m", m="1..h"),
    "only of a smallest heap, not the parameter": move(SMALLEST, "h - m", "m != k", m="1..h"),
    "of an extreme heap": move(LARGEST, "h - m", m="1..min(h, k)") + move(SMALLEST, "h - m", "m != 2", m="1..h"),
    "each player his own number": one("m != (k if mover == A else 1)"),
    "one player a largest heap": move(LARGEST, "h - m", "mover == A", m="1..h") + one("mover != A and m % 2 == 1"),
    "the next player cannot move": one("mover == A"),
}


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
@pytest.mark.parametrize("name", SINGLE)
def test_moves_on_one_heap(name: str, misere: bool, players: int) -> None:
    """Every question at every position, also with three players, and with heaps that a move must choose."""
    content = text(SINGLE[name], misere, 'parameters = { k = "1.." }\n')
    ruleset = load(content if players == 2 else content.replace('"B"]', '"B", "C"]'))
    for heaps, size in BOXES:
        box = Box(ruleset, heaps, size, [(1,), (2,), (7,)])
        box.players = np.full(3, players)
        found = box.solved()
        assert found is not None
        compare(found, box.edges(), box.players)


@pytest.mark.usefixtures("always")
def test_without_the_kernel_moves_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise TooLarge("no kernel")

    monkeypatch.setattr(boxes, "open_machine", refuse)
    box = Box(load(text(one())), 3, 5)
    assert choose(box.moves, box.choices, box.players, box.pool.rows, box.pool, box.clock) == "no kernel"
    assert box.clock.fallbacks == {("kernel", "no kernel")}


@pytest.mark.usefixtures("always")
@pytest.mark.slow
def test_random_moves_on_several_heaps() -> None:
    """Both ways agree, whether or not the moves are recognised, and both cases occur often."""
    met = {True: 0, False: 0}
    heap = st.sampled_from(["m != 2", "m % 2 == 1", "g > 1", "h % 3 != 1", "m <= 2", "h - m != 2", "m != k"])
    mixed = st.sampled_from(["g != h", "m != n", "g + h > 3", "m + h != 4", "min(g, h) > 1", "m != k or g > 2"])
    condition = st.one_of(heap, st.tuples(heap, heap).map(" and ".join), mixed)
    top = st.sampled_from(["min(g, h)", "min(g, h, 3)", "min(h, g, k + 1)", "min(g, h) - 1", "g"])
    kinds = st.one_of(
        st.tuples(condition, top).map(lambda x: both(x[0].replace("m != n", "m != 1"), x[1])),
        condition.map(apart),
        st.sampled_from([each("1..2", "m != k"), each("2..2"), each("1..k", "h % 2 == 1"), three("m != k")]),
        st.sampled_from(["", one(), one("m <= k"), one("m % 2 == 1 or h > 3")]),
    )

    @settings(FIXED, max_examples=54)
    @given(st.lists(kinds, min_size=1, max_size=3), st.booleans(), st.integers(0, 3))
    def agree(moves: list[str], misere: bool, k: int) -> None:
        if not any(moves):
            return
        content = text("".join(moves), misere, 'parameters = { k = "0.." }\n')
        box = Box(load(content), 3, 4, [(k,), (k + 1,)])
        try:
            edges = box.edges()
        except BadRuleset as error:  # then it must not be recognised
            event(type(error).__name__)
            assert box.solved() is None
            return
        found = box.solved()
        met[found is not None] += 1
        if found is not None:
            compare(found, edges, box.players, k)

    agree()
    assert met[True] >= 2 and met[False] >= 2, met


# -- checks of recognised moves, and the choice of method -----------------------------------------------------
@pytest.mark.usefixtures("always")
def test_tables_that_are_not_the_moves_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the terms are misread, the moves show it, even if only large heaps differ."""
    box = Box(load(text(one() + both())), 2, 40)
    assert box.solved() is not None
    right = boxes.recognise

    def misread(change):
        return lambda *args: change(right(*args))

    def without_tie(kinds: Kinds) -> Kinds:
        return Kinds(kinds.size, kinds.single, kinds.products, ())

    def without_last_step(kinds: Kinds) -> Kinds:
        return Kinds(kinds.size, kinds.single, kinds.products, (Tie(kinds.ties[0].steps[:-1]),))

    def without_one(kinds: Kinds) -> Kinds:
        become = kinds.single.become
        return Kinds(kinds.size, MoveTable((*become[:-1], become[-1] & ~1)), kinds.products, kinds.ties)

    def without_one_of_three(kinds: Kinds) -> Kinds:
        become = kinds.single.become
        return Kinds(kinds.size, MoveTable((*become[:3], become[3] & ~2, *become[4:])), kinds.products, kinds.ties)

    for change in (without_tie, without_last_step, without_one, without_one_of_three):
        monkeypatch.setattr(boxes, "recognise", misread(change))
        assert box.solved() is None


def test_the_way_is_chosen_by_what_it_costs() -> None:
    """A complete box is solved by tables; a few positions with few followers, and a small box, move by move."""
    ruleset = load_ruleset(LIBRARY / "wythoff.toml")
    assert Box(ruleset, 2, 150).solved() is not None
    assert Box(ruleset, 2, 3).solved() is None
    pool = Pool(PositionSet.from_rows(np.array([[0, 0], [1, 900]])))
    moves = Moves(load(text(one("m <= 2") + both("m <= 2"))), FrameEvaluator(pool, Deadline(None), {}))
    reason = "it is faster to list the moves one by one"
    assert choose(moves, [()], np.array([2]), pool.rows, pool, Deadline(None)) == reason


def test_the_clock_is_looked_at() -> None:
    box = Box(load_ruleset(LIBRARY / "wythoff.toml"), 2, 150)
    found = box.solved()
    assert found is not None
    found.clock.deadline = 0.0
    for question in (found.solve_wins, found.solve_grundy, found.has_option):
        with pytest.raises(OutOfTime):
            question(np.array([0]))


@pytest.mark.slow
def test_wythoffs_pairs_and_moores_columns() -> None:
    """These boxes are too large for a list of all moves."""
    found = Box(load_ruleset(LIBRARY / "wythoff.toml"), 2, 600).solved()
    assert found is not None
    lost = ~found.solve_wins(np.array([0]))[0, 0]
    zero = found.solve_grundy(np.array([0]))[0][0] == 0
    pairs, used = {(0, 0)}, {0}
    for n in range(1, 600):  # x is the least number in no pair yet, y = x + n
        x = next(i for i in range(1, 2000) if i not in used)
        used |= {x, x + n}
        pairs.add((x, x + n))
    expected = [tuple(row) in pairs for row in found.positions.rows.tolist()]
    assert lost.tolist() == expected == zero.tolist()
    moore = Box(load_ruleset(LIBRARY / "moore.toml"), 3, 63, [(2,)]).solved()
    assert moore is not None
    rows = moore.positions.rows
    columns = (rows[:, :, None] >> np.arange(6) & 1).sum(axis=1)
    assert np.array_equal(~moore.solve_wins(np.array([0]))[0, 0], (columns % 3 == 0).all(axis=1))
