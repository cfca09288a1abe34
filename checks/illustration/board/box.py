"""Small positions of a game, solved under several choices of its parameters: play can begin anywhere in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from math import comb

from checks.illustration.board.reach import list_alike, reach
from checks.illustration.board.words import name_player
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, as_integer
from checks.referee.play import RefereeGame
from checks.results.pictures import SolvedBox, SolvedGame
from claims.language.builtins.meanings import Position, Value
from claims.language.heaps.heading import Parameter
from claims.language.statement.rulesets import Ruleset

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
