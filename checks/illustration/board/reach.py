"""The positions of heaps with parts among which play can begin: those like one of them, and what they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from math import prod
from typing import cast

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, as_elements, as_integer, position_key
from checks.referee.play import RefereeGame
from claims.language.builtins.meanings import Position, Value, gather
from claims.language.statement.rulesets import Ruleset

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
