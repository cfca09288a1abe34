"""The starting positions of a board: small ones, solved for several parameters, and compound heaps."""

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
# The positions of heaps with parts among which play can begin: those like one of them, and what they lead to.
SEEDS = 200  # positions like the start
REACHED_SIZE = 4  # the largest number in them, unless the start has a larger one
REACH_STEPS = 100_000  # of the referee


def list_alike(ruleset: Ruleset, values: tuple[tuple[str, Value], ...], start: Position) -> Iterator[list[Position]]:
    """Positions to begin from, the start among them, most first: of one heap, with lists as long as its own are."""
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
    """Heaps like one, of these numbers, the smaller first; [] of too many."""
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
    """All that moves of anybody lead to from positions, and these, in order; None if there are more than `most`."""
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
# Small positions of a game, solved under several choices of its parameters: play can begin anywhere in them.
HEAPS, SIZE = 3, 5  # of a box, unless play begins beyond them
SMALL = (10, 10, 10)  # where moves make more heaps: no more objects in all
MOST_POSITIONS = 300
MOST_TURNS = 4_000  # positions times movers times choices of the parameters
MOST_PARAMETER = 6  # of a choice other than that with which play begins
STEPS = 200_000  # of the referee, for one choice
STEPS_OF_PARTS = 600_000  # where terms of the rules go over lists

Values = tuple[tuple[str, Value], ...]
_Played = tuple[RefereeGame, dict[tuple[Position, int], tuple[Position, ...]], dict[tuple[Position, int], bool]]


def solve_box(game: RefereeGame, start: Position) -> SolvedBox | None:
    """The positions about a start of a game for two players; None where they are too many, or not to be played.

    The first choice of parameters is that of the game.  The start is among the positions unless it is large itself.
    Of heaps with parts it is that alone, and the positions are what play can reach from such as the start.
    """
    values = tuple(game.parameters.items())
    if game.ruleset.unusual:  # the page knows the usual ends alone
        return None
    if game.parts is not None:
        return _solve_reached(game.ruleset, values, start)
    heaps, size = max(HEAPS, len(start)), max(SIZE, *start, 0)
    return next(
        filter(None, (_solve(game.ruleset, values, *box) for box in ((heaps, size, heaps * size), SMALL))), None
    )


@lru_cache(maxsize=64)  # claims about one game mostly ask for the same
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
            return _play_all(ruleset, found, [dict(values)], "those in the list", STEPS_OF_PARTS)
    return None


def _play_all(
    ruleset: Ruleset, found: tuple[Position, ...], choices: Iterable[dict[str, Value]], within: str, steps: int = STEPS
) -> SolvedBox | None:
    """The box of positions from which no move leads elsewhere, under choices of the parameters."""
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
    """So many heaps of `least` to `size` objects, no more than `total` in all.

    >>> list(_list_positions(2, 3, 4))
    [(1, 1), (1, 2), (1, 3), (2, 2)]
    """
    if number == 0:
        yield ()
        return
    for heap in range(least, min(size, total // number) + 1):
        yield from ((heap, *rest) for rest in _list_positions(number - 1, size, total - heap, heap))


def _list_choices(parameters: tuple[Parameter, ...], given: dict[str, Value], most: int) -> Iterator[dict[str, Value]]:
    """The values given, and others of the integers among them: the nearest ones, in order."""
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
    """The bits as hexadecimal digits, the first the highest, filled up with zeros at the end.

    >>> _write_bits([True, False, False, True, True])
    '98'
    """
    text = "".join("01"[bit] for bit in bits)
    text += "0" * (-len(text) % 4)
    return "".join(f"{int(text[i : i + 4], 2):x}" for i in range(0, len(text), 4))


# == heaps ============================================================================================================
# Heaps with parts as pictures show them: how those of a game are drawn, and which positions a case is about.
COMPOUND_STEPS = 200_000  # of the referee, for the positions of one case

AskedPosition = tuple[str, RefereeGame, Position]
"""The variable that is a position, or "", the game that is asked about it, and the position."""


def draw_heaps(game: RefereeGame) -> HeapDrawing | None:
    """How heaps of a game are drawn; None where they are numbers."""
    shape = game.ruleset.heap
    if shape is None:
        return None
    names, drawn = tuple(part.name for part in shape.parts), shape.drawn
    if drawn is None:
        return HeapDrawing(DrawnAs.PARTS, names)
    edges = as_elements(game.parameters[drawn.edges]) if drawn.edges else ()
    return HeapDrawing(drawn.kind, names, drawn.parts, tuple(map(as_integer, edges)))


def find_positions(referee: Referee, case: Case) -> list[AskedPosition]:
    """The positions that a claim speaks of at a case, each once: those of its variables first. Raises IllDefined.

    Raises LimitReached too. `referee`: of the claim; it keeps its games for the next case.
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
    """The positions of a counterexample as pictures; None where heaps are numbers, and where a limit is met."""
    try:
        found = find_positions(Referee(claim, COMPOUND_STEPS), case)
    except (IllDefined, LimitReached):
        return None
    drawings = [x for x in (draw_heaps(game) for _, game, _ in found) if x is not None]
    if not drawings:
        return None
    return DrawnPositions(drawings[0], tuple((name, cast(ShownPosition, s)) for name, _, s in found))
