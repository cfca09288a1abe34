"""Games whose heaps have parts: the referee, the exhaustive route, and a separate recursion or closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import combinations, product
from operator import xor
from pathlib import Path

import pytest
from settling import settled, written
from two_games import play_twice

from checks.referee.meaning import IllDefined, RefereeSteps, ask, position_key
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import load_ruleset
from claims.language.syntax.meanings import mex
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.order import rank_position
from encoders.compute.compound.play import EngineGame as Played

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"


# -- the games again, in Python ---------------------------------------------------------------------------------------
def step_down(c):
    for i, coins in enumerate(c):
        for m in range(1, coins + 1):
            after = [*c]
            after[i] -= m
            if i:
                after[i - 1] += m
            yield tuple(after)


def slide(c):
    for i, square in enumerate(c):
        yield from ((*c[:i], y, *c[i + 1 :]) for y in range(c[i - 1] + 1 if i else 0, square))


def jump(c):
    return (tuple(sorted({*c} - {x} | {y})) for x in c for y in range(x) if y not in c)


def turn(c, least, most, together):
    """Turn coins, the rightmost from heads. `together`: only adjacent coins."""
    for count in range(least, most + 1):
        for places in combinations(range(len(c)), count):
            if c[places[-1]] and (not together or places[-1] - places[0] == count - 1):
                yield tuple(1 - x if i in places else x for i, x in enumerate(c))


def take_from_ends(c):
    return take_front(c) | {x[::-1] for x in take_front(c[::-1])}


def take_front(c):
    return {(c[0] - m, *c[1:]) if m < c[0] else c[1:] for m in range(1, c[0] + 1)} if c else set()


def subtract(x, y):
    return {tuple(sorted((x, y - m * x))) for m in range(1, y // x + 1)} if x else set()


def empty(c):
    """Take objects from two neighbours in a ring."""
    for j in range(len(c)):
        for d in product(range(c[j] + 1), range(c[(j + 1) % len(c)] + 1)):
            after = [*c]
            after[j], after[(j + 1) % len(c)] = c[j] - d[0], c[(j + 1) % len(c)] - d[1]
            if any(d):
                yield tuple(after)


def leap(x, y):
    moves = [(-2, 1), (-2, -1), (1, -2), (-1, -2)]
    return {(x + a, y + b) for a, b in moves if x + a >= 0 and y + b >= 0}


def eat(rows):
    for i, row in enumerate(rows):
        for j in range(row):
            if i or j:
                yield tuple(x if n < i else min(x, j) for n, x in enumerate(rows))


EDGES = [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4)]


def occupy(free):
    for v, is_free in enumerate(free):
        if is_free:
            near = {v, *(b for a, b in EDGES if a == v), *(a for a, b in EDGES if b == v)}
            yield tuple(0 if w in near else x for w, x in enumerate(free))


def hop(c, mover):
    """Toads move right and are 1, frogs move left and are -1."""
    own = 1 if mover == 0 else -1
    for i, x in enumerate(c):
        for far in (1, 2):
            to = i + own * far
            if x == own and 0 <= to < len(c) and c[to] == 0 and (far == 1 or c[i + own] == -own):
                after = [*c]
                after[i], after[to] = 0, own
                yield tuple(after)


def lay(c, w, mover):
    for i, j in combinations(range(len(c)), 2):
        beside = j == i + w if mover == 0 else j == i + 1 and i // w == j // w
        if beside and c[i] and c[j]:
            yield tuple(0 if n in (i, j) else x for n, x in enumerate(c)), w


def walk_on(free, at):
    for a, b in [*EDGES, *((b, a) for a, b in EDGES)]:
        if a == at and free[b]:
            yield tuple(0 if v == b else x for v, x in enumerate(free)), b


def cut(c, mover):
    return [(c[:i],) for i, x in enumerate(c) if x == (1, -1)[mover]]


def lists(length: Iterable[int], each: Iterable[int], where: Callable = lambda c: True) -> Iterator[tuple]:
    return ((c,) for n in length for c in product(each, repeat=n) if where(c))


def ascending(c):
    return all(a < b for a, b in zip(c, c[1:], strict=False))


def one(step):
    """Lift the moves of a heap with one part to heaps, for either player."""
    return lambda heap, mover: [(x,) for x in step(heap[0])]


@dataclass
class Known:
    """A game with known results.

    `heaps`: some heaps of the game.
    `moves`: the options of a heap.
    `value`: its Grundy value, if it is known.
    """

    heaps: Callable[[], Iterable[tuple]]
    moves: Callable
    value: Callable | None = None
    parameters: dict = field(default_factory=dict)


def places(c, worth):
    return reduce(xor, (worth(i) for i, x in enumerate(c) if x), 0)


GAMES = {
    "staircase": Known(lambda: lists(range(4), range(3)), one(step_down), lambda h: reduce(xor, h[0][::2], 0)),
    "coins-on-a-strip": Known(
        lambda: lists(range(4), range(6), ascending),
        one(slide),
        lambda h: reduce(xor, [b - a - 1 for a, b in zip((-1, *h[0]), h[0], strict=False)][::-1][::2], 0),
    ),
    "welter": Known(lambda: lists(range(4), range(6), ascending), one(jump)),
    "mock-turtles": Known(
        lambda: lists(range(6), range(2)),
        one(lambda c: turn(c, 1, 3, False)),
        lambda h: places(h[0], lambda i: 2 * i + (i.bit_count() + 1) % 2),
    ),
    "ruler": Known(
        lambda: lists(range(6), range(2)),
        one(lambda c: turn(c, 1, len(c), True)),
        lambda h: places(h[0], lambda i: (i + 1) & -(i + 1)),
    ),
    "end-nim": Known(lambda: lists(range(4), range(1, 4)), one(take_from_ends)),
    "circular-nim": Known(lambda: lists([3, 4], range(3)), one(empty), parameters={"k": 2}),
    "fibonacci-nim": Known(
        lambda: product(range(12), range(12)),
        lambda h, mover: [(h[0] - m, 2 * m) for m in range(1, min(h) + 1)],
    ),
    "euclid": Known(lambda: ((x, y) for x, y in product(range(7), range(10)) if x <= y), lambda h, mover: subtract(*h)),
    "white-knight": Known(lambda: product(range(7), range(7)), lambda h, mover: leap(*h)),
    "chomp": Known(
        lambda: lists(range(4), range(4), lambda c: all(a >= b for a, b in zip(c, c[1:], strict=False))), one(eat)
    ),
    "node-kayles": Known(
        lambda: lists([5], range(2)), one(occupy), parameters={"E": tuple(x for edge in EDGES for x in edge)}
    ),
    "toads-and-frogs": Known(lambda: lists(range(5), (-1, 0, 1)), lambda h, mover: [(x,) for x in hop(h[0], mover)]),
    "domineering": Known(
        lambda: ((c, w) for w in (1, 2, 3) for rows in (1, 2) for c in product((0, 1), repeat=w * rows)),
        lambda h, mover: lay(*h, mover),
    ),
    "no-repeat": Known(
        lambda: product(range(12), range(4)),
        lambda h, mover: [(h[0] - m, m) for m in (1, 2, 3) if m <= h[0] and m != h[1]],
        parameters={"k": 3},
    ),
    "partizan-end-nim": Known(
        lambda: lists(range(4), range(1, 4)),
        lambda h, mover: [(x[::-1] if mover else x,) for x in take_front(h[0][::-1] if mover else h[0])],
    ),
    "geography": Known(
        lambda: ((c, v) for v in range(5) for c in product((0, 1), repeat=5) if not c[v]),
        lambda h, mover: walk_on(*h),
        parameters={"E": tuple(x for edge in EDGES for x in edge)},
    ),
    "stalks": Known(lambda: lists(range(6), (-1, 1)), lambda h, mover: cut(h[0], mover)),
}


@pytest.mark.parametrize("name", GAMES)
def test_options_winners_and_values_are_those_of_another_program(name: str) -> None:
    known, ruleset = GAMES[name], load_ruleset(BOARDS / f"{name}.toml")
    referee = RefereeGame(ruleset, known.parameters, RefereeSteps(10**8))
    played = Played(ruleset, known.parameters, Deadline(None))
    movers = (0,) if ruleset.impartial else (0, 1)

    @cache
    def wins(heap, mover):
        return any(not wins(x, 1 - mover) for x in known.moves(heap, mover))

    @cache
    def grundy(heap):
        return mex([grundy(x) for x in known.moves(heap, 0)])

    heaps = list(known.heaps())
    assert len(heaps) > 20
    for heap in heaps:
        for mover in movers:
            options = {(x,) for x in known.moves(heap, mover)}
            assert referee.options((heap,), mover) == tuple(sorted(options, key=position_key)), heap
            assert played.options((heap,), mover) == tuple(sorted(options, key=rank_position)), heap
            assert referee.wins((heap,), mover) == (played.value((heap,), mover) == 0) == wins(heap, mover), heap
        if ruleset.impartial:
            assert referee.grundy((heap,)) == played.grundy((heap,)) == grundy(heap), heap
            assert known.value is None or known.value(heap) == grundy(heap), heap


@pytest.mark.parametrize("name", ["staircase", "coins-on-a-strip", "euclid"])
def test_two_heaps_have_the_nim_sum_of_their_values(name: str) -> None:
    """By play, without trust in the theorem."""
    known, ruleset = GAMES[name], load_ruleset(BOARDS / f"{name}.toml")
    referee, played = play_twice(ruleset, {}, 10**8)
    few = list(known.heaps())[:14]
    for pair in combinations(few, 2):
        s = tuple(sorted(pair, key=lambda h: rank_position((h,))))
        value = referee.grundy((pair[0],)) ^ referee.grundy((pair[1],))
        assert referee.grundy(s) == played.grundy(s) == value


def test_a_cake_is_cut_into_two() -> None:
    """By the numbers of Winning Ways: Left, who cuts columns, is ahead if the columns have more powers of 2."""
    ruleset = load_ruleset(BOARDS / "cutcake.toml")
    referee, played = play_twice(ruleset, {})
    for x, y in ((x, y) for x, y in product(range(1, 6), repeat=2) if x * y <= 9):
        for mover, own, other in ((0, x, y), (1, y, x)):
            cuts = [tuple(sorted((m, own - m))) for m in range(1, own)]
            cakes = [(((m, y), (n, y)) if mover == 0 else ((x, m), (x, n))) for m, n in cuts]
            options = {tuple(sorted(s, key=lambda h: rank_position((h,)))) for s in cakes}
            assert set(referee.options(((x, y),), mover)) == set(played.options(((x, y),), mover)) == options
            wins = own.bit_length() > other.bit_length()
            assert referee.wins(((x, y),), mover) == (played.value(((x, y),), mover) == 0) == wins, (x, y, mover)


def test_a_pass_is_a_heap_that_a_move_chooses() -> None:
    ruleset = load_ruleset(BOARDS / "nim-with-a-pass.toml")
    referee, played = play_twice(ruleset, {})

    @cache
    def wins(heaps: tuple[int, ...], may_pass: bool) -> bool:
        after = [
            (tuple(sorted(x for x in (*heaps[:i], h - m, *heaps[i + 1 :]) if x)), may_pass)
            for i, h in enumerate(heaps)
            for m in range(1, h + 1)
        ]
        return any(not wins(*x) for x in [*after, *([(heaps, False)] if may_pass and heaps else [])])

    for heaps in product(range(5), repeat=2):
        for may_pass in (False, True):
            left = tuple(sorted(h for h in heaps if h))
            s = tuple(sorted([(h, 0) for h in left] + [(0, 1)] * may_pass, key=lambda h: rank_position((h,))))
            assert referee.wins(s, 0) == (played.value(s, 0) == 0) == wins(left, may_pass)


# -- parts that are not a heap, and heaps that vanish -----------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "heap"),
    [
        ("coins-on-a-strip", ((2, 2),)),
        ("coins-on-a-strip", ((-1,),)),
        ("end-nim", ((0, 1),)),
        ("domineering", ((1, 1, 1), 2)),
        ("nim-with-a-pass", (1, 1)),
        ("nim-with-a-pass", (0, 2)),
    ],
)
def test_no_question_is_answered_about_what_is_no_heap(name: str, heap: tuple) -> None:
    ruleset = load_ruleset(BOARDS / f"{name}.toml")
    with pytest.raises(IllDefined):
        RefereeGame(ruleset, {}, RefereeSteps(1000)).drop_vanished((heap,))
    assert not is_position(Played(ruleset, {}, Deadline(None)), heap)


@pytest.mark.parametrize("function", ["options", "legal", "wins", "value", "grundy"])
def test_a_heap_that_vanishes_is_dropped_from_a_position_that_is_written(function: str) -> None:
    ruleset = load_ruleset(BOARDS / "nim-with-a-pass.toml")
    referee, played = play_twice(ruleset, {}, 1000)
    vanished, heap, less = (0, 0), (2, 0), (1, 0)
    more: list = {"legal": [(vanished, less), 0], "grundy": []}.get(function, [0])
    found = ask(referee, function, [(vanished, heap), *more])
    assert found == ask(referee, function, [(heap,), *([(less,), 0] if function == "legal" else more)])
    assert found == played.answer(function, [(vanished, heap), *more])
    assert not ask(referee, "wins", [(vanished,), 0]), "nothing is left"
    assert not played.answer("wins", [(vanished,), 0])


WRITTEN = "position([heap(a, 0), heap(b, 1)])"
ALONE = "position([heap(a, 0)])"


@pytest.mark.parametrize(
    ("then", "refuted_at"),
    [
        (f"iff(gone.wins({WRITTEN}, Left), a <= b)", None),
        (f"iff(gone.wins({WRITTEN}, Left), a < b)", {"a": 0, "b": 0}),
        (f"gone.wins({WRITTEN}, Left) == kept.wins({WRITTEN}, Left)", None),
        (f"len(gone.options({WRITTEN}, Left)) == min(a, 1)", None),
        (f"len(gone.options({ALONE}, Left)) == len(kept.options({ALONE}, Left))", None),
        (f"gone.options({ALONE}, Left) == kept.options({ALONE}, Left)", {"a": 1, "b": 0}),
    ],
)
def test_who_wins_if_a_heap_that_vanishes_is_written(tmp_path: Path, then: str, refuted_at: object) -> None:
    for name, gone in (("gone", 'gone = "h.n == 0"\n'), ("kept", "")):
        (tmp_path / f"{name}.toml").write_text(
            'format = 1\ntitle = "G"\nplayers = ["Left", "Right"]\nstuck = "wins"\nmeasure = "sum(h.n for h in s)"\n'
            f'[heap]\nn = "0.."\nk = "0..1"\n{gone}[[moves]]\nchoose = "any heap h"\n'
            'where = "(mover == Left) == (h.k == 0) and h.n > 0"\nbecome = [{ n = "h.n - 1" }]\n'
        )
    games, numbers = '[games]\ngone = "gone"\nkept = "kept"\n', 'a = "0..3"\nb = "0..3"\n'
    found = settled(written(tmp_path, f'{games}[forall]\n{numbers}[claim]\nthen = "{then}"\n')).finding
    assert not found.error
    assert (found.counterexample and dict(found.counterexample.variables)) == refuted_at


def is_position(played: Played, heap: tuple) -> bool:
    try:
        played.answer("options", [(heap,), 0])
    except Undefined:
        return False
    return True


def rules(folder: Path, heap: str, move: str) -> Path:
    path = folder / "game.toml"
    path.write_text(
        'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "loses"\nmeasure = "sum(sum(h.c) for h in s)"\n'
        f'[heap]\nc = "list of 0.."\n{heap}\n[[moves]]\nchoose = "any heap h"\n{move}\n'
    )
    return path


def test_a_move_must_lead_to_heaps_and_make_the_measure_less(tmp_path: Path) -> None:
    for move in (
        'become = [{ c = "put(h.c, 0, -1)" }]',
        'become = [{ c = "h.c" }]',
        'become = [{ c = "put(h.c, 9, 0)" }]',
        'become = [{ c = "put(h.c[:1], 0 - 1, 0)" }]',
    ):
        ruleset = load_ruleset(rules(tmp_path, "", move))
        with pytest.raises(IllDefined):
            RefereeGame(ruleset, {}, RefereeSteps(1000)).options((((2, 1),),), 0)
        with pytest.raises(Exception, match="game"):
            Played(ruleset, {}, Deadline(None)).options((((2, 1),),), 0)


def test_what_is_gone_is_no_heap_of_a_position(tmp_path: Path) -> None:
    move = 'pick = { m = "1..h.c[0]" }\nbecome = [{ c = "put(h.c, 0, h.c[0] - m)" }]'
    ruleset = load_ruleset(rules(tmp_path, 'gone = "sum(h.c) == 0"', move))
    for game in (RefereeGame(ruleset, {}, RefereeSteps(1000)), Played(ruleset, {}, Deadline(None))):
        assert game.options((((2,),),), 0) == ((), (((1,),),))


def test_heaps_with_parts_are_played_apart_where_that_is_trusted() -> None:
    ruleset, s = load_ruleset(BOARDS / "coins-on-a-strip.toml"), (((5,),), ((0, 4),), ((2, 5),))
    apart = RefereeGame(ruleset, {}, RefereeSteps(10**5), sums=True)
    assert apart.grundy(s) == 5 ^ 3 ^ 2
    assert apart.wins(s, 0)
    assert not apart.wins((((1,),), *s[1:]), 0)
