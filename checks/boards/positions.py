"""The positions at which play on a board can begin: all small positions, or positions similar to a given one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from math import comb, prod
from typing import cast

from checks.boards.words import name_player
from checks.referee.judge import Referee
from checks.referee.meaning import (
    IllDefined,
    LimitReached,
    RefereeSteps,
    as_elements,
    as_heaps,
    as_integer,
    position_key,
)
from checks.referee.play import RefereeGame
from checks.results.shown import DrawnAs, DrawnPositions, HeapDrawing, ShownPosition, SolvedBox, SolvedGame
from claims.language.files.claim import Claim
from claims.language.files.rulesets import Parameter, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Value, gather
from claims.language.syntax.printing import find_free_names
from encoders.logic.answer import Case

# == reach ============================================================================================================
# Starting positions of heaps with parts: positions similar to a given position, and their followers.
SEEDS = 200  # positions similar to the start
REACHED_SIZE = 4  # the largest number in them, unless the start has a larger one
REACH_STEPS = 100_000  # of the referee for one search


def list_alike(ruleset: Ruleset, values: tuple[tuple[str, Value], ...], start: Position) -> Iterator[list[Position]]:
    """Yield several lists of positions at which play can begin. Each contains `start`; later lists are shorter.

    All other positions have a single heap. It has the form of the heap of `start`: for instance, if a part of `start`
    is a list of length 3, so is this part of the other heaps. The last list contains only `start`. It is the only list
    if `start` does not have exactly one heap.
    `values`: the parameters of the ruleset.
    """
    heap = as_elements(cast(Value, start))[0] if len(start) == 1 else ()
    if isinstance(heap, tuple) and heap:
        game, numbers = RefereeGame(ruleset, dict(values), RefereeSteps(REACH_STEPS)), _list_numbers(heap)
        largest = max(map(abs, numbers), default=0)
        for size in dict.fromkeys((max(largest, REACHED_SIZE), largest, *range(REACHED_SIZE - 1, 0, -1))):
            heaps = _list_heaps(heap, range(-size if min(numbers, default=0) < 0 else 0, size + 1))
            if heaps:
                found = (cast(Position, (h,)) for h in heaps if _is_heap(game, h))
                yield list(dict.fromkeys((start, *islice(found, SEEDS))))
    yield [start]


def _list_numbers(heap: tuple[Value, ...]) -> list[int]:
    return [as_integer(y) for x in heap for y in (x if isinstance(x, tuple) else (x,))]


def _list_heaps(heap: tuple[Value, ...], numbers: range) -> list[tuple[Value, ...]]:
    """Return all heaps of the same form as `heap`, with numbers from the range `numbers`. The smallest are first.

    For the heap ([2, 0], 1), each heap consists of a list of two numbers and a single number. Some heaps may not
    satisfy the ruleset. Return [] if there are too many heaps.
    """
    lengths = [len(x) if isinstance(x, tuple) else None for x in heap]
    if prod(len(numbers) ** (1 if n is None else n) for n in lengths) > 20 * SEEDS:
        return []
    parts: list[list[Value]] = [[*numbers] if n is None else [*product(numbers, repeat=n)] for n in lengths]
    found: list[tuple[Value, ...]] = [*product(*parts)]
    return sorted(found, key=lambda h: sum(map(abs, _list_numbers(h))))


def _is_heap(game: RefereeGame, heap: Value) -> bool:
    try:
        s = cast(Position, (heap,))
        return game.parts is not None and game.parts.has(heap) and game.parts.keep(s) == s
    except (IllDefined, LimitReached):
        return False


def reach(game: RefereeGame, seeds: Iterable[Position], most: int) -> tuple[Position, ...] | None:
    """Return the positions `seeds` and all their followers, sorted.

    Return None if there are more than `most`, if the referee reaches a limit, or if a move is undefined.
    """
    found, todo = dict[Position, None](), [cast(Position, gather(s)) for s in seeds]
    try:
        while todo:
            s = todo.pop()
            if s not in found:
                found[s] = None
                if len(found) > most:
                    return None
                movers = range(1 if game.ruleset.impartial else game.players)
                todo += (o for mover in movers for o in game.options(s, mover))
    except (IllDefined, LimitReached):
        return None
    return tuple(sorted(found, key=position_key))


# == box ==============================================================================================================
# Small positions of a game, solved for several values of its parameters. Play can begin at each of these positions.
HEAPS, SIZE = 3, 5  # of the positions in a box, unless the start is larger
SMALL = (10, 10, 10)  # a bound for the total, used if moves make more heaps
MOST_POSITIONS = 300
MOST_TURNS = 4_000  # positions times movers times values of the parameters
MOST_PARAMETER = 6  # the largest value of a parameter, except in the given values
STEPS = 200_000  # of the referee for one choice of the parameters
STEPS_OF_PARTS = 600_000  # for rulesets whose terms run over lists

Values = tuple[tuple[str, Value], ...]
_Played = tuple[RefereeGame, dict[tuple[Position, int], tuple[Position, ...]], dict[tuple[Position, int], bool]]


def solve_box(game: RefereeGame, start: Position) -> SolvedBox | None:
    """Return a *box*: a set of small positions that no move leaves, with the winner of each one.

    The box contains `start`, unless `start` is large. It is solved for several choices of the ruleset's parameters,
    first for the parameters of `game`. If heaps have parts, the parameters of `game` are the only choice, and the box
    consists of positions similar to `start` and their followers.
    Return None if the box is too large, or the game is unusual, for example loopy.
    """
    values = tuple(game.parameters.items())
    if game.ruleset.unusual:  # the page supports only usual endings
        return None
    if game.parts is not None:
        return _solve_reached(game.ruleset, values, start)
    heaps, size = max(HEAPS, len(start)), max(SIZE, *start, 0)
    return next(
        filter(None, (_solve(game.ruleset, values, *box) for box in ((heaps, size, heaps * size), SMALL))), None
    )


@lru_cache(maxsize=64)  # claims about one game mostly need the same box
def _solve(ruleset: Ruleset, values: Values, heaps: int, size: int, total: int) -> SolvedBox | None:
    if comb(heaps + size, heaps) > MOST_POSITIONS and total > SMALL[2]:
        return None
    found = tuple(s for number in range(heaps + 1) for s in _list_positions(number, size, total))
    most = MOST_TURNS // (len(found) * (1 if ruleset.impartial else 2))
    within = f"at most {total} objects in all" if total < heaps * size else f"at most {heaps} heaps of 1 to {size}"
    return _play_all(ruleset, found, _list_choices(ruleset.parameters, dict(values), most), within)


@lru_cache(maxsize=64)
def _solve_reached(ruleset: Ruleset, values: Values, start: Position) -> SolvedBox | None:
    for seeds in list_alike(ruleset, values, start):
        found = reach(RefereeGame(ruleset, dict(values), RefereeSteps(STEPS_OF_PARTS)), seeds, MOST_POSITIONS)
        if found is not None:
            return _play_all(ruleset, found, [dict(values)], "the positions in the list", STEPS_OF_PARTS)
    return None


def _play_all(
    ruleset: Ruleset, found: tuple[Position, ...], choices: Iterable[dict[str, Value]], within: str, steps: int = STEPS
) -> SolvedBox | None:
    """Return the box that consists of the positions `found`, solved for each choice of the parameters.

    `within`: a description of these positions in words. `steps`: the step limit of the referee for one choice.
    A choice that reaches the limit is omitted. Return None if this happens at the first choice, or if a move leads to
    a position that is not in `found`.
    """
    movers = (0,) if ruleset.impartial else (0, 1)
    turns = [(s, mover) for mover in movers for s in found]
    played: list[_Played] = []
    for choice in choices:
        try:
            game = RefereeGame(ruleset, choice, RefereeSteps(steps))
            options = {turn: game.options(*turn) for turn in turns}
            played.append((game, options, {turn: game.wins(*turn) for turn in turns}))
        except (IllDefined, LimitReached):
            if not played:
                return None
    numbers = {s: i for i, s in enumerate(found)}
    if any(o not in numbers for _, options, _ in played for after in options.values() for o in after):
        return None
    leads = {s: {o for _, options, _ in played for mover in movers for o in options[s, mover]} for s in found}
    moves = [(s, found[i]) for s in found for i in sorted(numbers[o] for o in leads[s])]
    return SolvedBox(
        title=ruleset.title,
        players=(name_player(played[0][0], 0), name_player(played[0][0], 1)),
        stuck_wins=ruleset.stuck_wins,
        within=within,
        positions=found,
        moves=tuple(tuple(numbers[o] for s, o in moves if s == here) for here in found),
        games=tuple(
            SolvedGame(
                values=", ".join(
                    f"{p.name} = {game.parameters[p.name]}" for p in ruleset.parameters if p.kind == "int"
                ),
                legal=tuple(_write_bits(o in options[s, mover] for s, o in moves) for mover in movers),
                wins=tuple(_write_bits(wins[s, mover] for s in found) for mover in movers),
            )
            for game, options, wins in played
        ),
    )


def _list_positions(number: int, size: int, total: int, least: int = 1) -> Iterator[Position]:
    """Yield the positions of `number` heaps of `least` to `size` objects with at most `total` objects.

    >>> list(_list_positions(2, 3, 4))
    [(1, 1), (1, 2), (1, 3), (2, 2)]
    """
    if number == 0:
        yield ()
        return
    for heap in range(least, min(size, total // number) + 1):
        yield from ((heap, *rest) for rest in _list_positions(number - 1, size, total - heap, heap))


def _list_choices(parameters: tuple[Parameter, ...], given: dict[str, Value], most: int) -> Iterator[dict[str, Value]]:
    """Yield at most `most` choices of values for the parameters, first the choice `given`.

    The other choices change only integer parameters, to values of at most MOST_PARAMETER. They are the nearest ones
    to `given`, measured by the sum of the absolute differences.
    """
    names = [p.name for p in parameters if p.kind == "int"]
    ranges = [[x for x in range(MOST_PARAMETER + 1) if p.admits(x)] for p in parameters if p.kind == "int"]
    others = [{**given, **dict(zip(names, values, strict=True))} for values in product(*ranges)]
    others = [x for x in others if x != given]

    def measure(choice: dict[str, Value]) -> int:
        return sum(abs(as_integer(choice[name]) - as_integer(given[name])) for name in names)

    nearest = sorted(range(len(others)), key=lambda i: (measure(others[i]), i))[: max(most - 1, 0)]
    yield given
    yield from (others[i] for i in sorted(nearest))


def _write_bits(bits: Iterable[bool]) -> str:
    """Return bits as hexadecimal digits, four bits per digit. The first bit is the highest of the first digit.

    If the last digit has fewer than four bits, zeros are added at its end.

    >>> _write_bits([True, False, False, True, True])
    '98'
    """
    text = "".join("01"[bit] for bit in bits)
    text += "0" * (-len(text) % 4)
    return "".join(f"{int(text[i : i + 4], 2):x}" for i in range(0, len(text), 4))


# == heaps ============================================================================================================
# Pictures of heaps with parts: the way in which a game draws its heaps, and the positions in a case of a claim.
COMPOUND_STEPS = 200_000  # of the referee for the positions of one case

AskedPosition = tuple[str, RefereeGame, Position]
"""A position in a claim at a case, as a triple: the name of its variable (or ""), the game, and the position."""


def draw_heaps(game: RefereeGame) -> HeapDrawing | None:
    """Return the instructions for drawing the heaps of a game. Return None if heaps are numbers."""
    shape = game.ruleset.heap
    if shape is None:
        return None
    names, drawn = tuple(part.name for part in shape.parts), shape.drawn
    if drawn is None:
        return HeapDrawing(DrawnAs.PARTS, names)
    width = as_integer(game.parameters[drawn.width]) if drawn.width else None
    if drawn.kind.is_graph and not drawn.edges:
        return HeapDrawing(drawn.kind, names, drawn.parts, None)
    edges = as_elements(game.parameters[drawn.edges]) if drawn.edges else ()
    return HeapDrawing(drawn.kind, names, drawn.parts, tuple(map(as_integer, edges)), width)


def find_positions(referee: Referee, case: Case) -> list[AskedPosition]:
    """Return the positions that a claim mentions at a case, each once.

    First come the values of the variables that are positions. Then come the positions about which the conclusion asks,
    such as the value of `s + t` in `wins(s + t)`. Positions that depend on a bound variable are omitted.
    `referee`: the referee of the claim. It caches the games, so one referee should be used for all cases.
    Raises IllDefined and LimitReached.
    """
    claim, found = referee.claim, dict[Position, AskedPosition]()
    asked = [(t.Variable(v.type, 0, 0, v.name), claim.games[0].name) for v in claim.variables if v.type.is_position]
    calls = [(call.args[0], call.game) for call in _list_calls(claim.conclusion)]
    for term, game in (*asked, *calls):
        if term.type.is_position and set(find_free_names(term)) <= set(case):
            s = as_heaps(referee.evaluate(term, case))
            found.setdefault(s, (term.name if isinstance(term, t.Variable) else "", referee.game(game, case), s))
    return list(found.values())


def _list_calls(term: t.Term) -> Iterator[t.GameCall]:
    if isinstance(term, t.GameCall) and term.args:
        yield term
    for x in t.subterms(term):
        yield from _list_calls(x)


def draw_case(claim: Claim, case: Case) -> DrawnPositions | None:
    """Return the positions of a counterexample with instructions for drawing them.

    If the claim is about several games, return only positions of games whose heaps are drawn as those of the first game
    with parts. Return None if the heaps are numbers, if a position is undefined, or if the referee reaches a limit.
    """
    try:
        found = find_positions(Referee(claim, COMPOUND_STEPS), case)
    except (IllDefined, LimitReached):
        return None
    drawn = [(name, draw_heaps(game), cast(ShownPosition, s)) for name, game, s in found]
    drawing = next((x for _, x, _ in drawn if x is not None), None)
    if drawing is None:
        return None
    return DrawnPositions(drawing, tuple((name, s) for name, x, s in drawn if x == drawing))
