"""A game of heaps with parts: its options, who wins, Grundy values, each position looked at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations, product
from typing import TypeVar

from claims.language.builtins.meanings import Value, write_heap
from claims.language.statement.domains import Interval
from claims.language.statement.rulesets import Move, Ruleset
from claims.language.terms import terms as t
from encoders.exhaustive.arrays.limits import MAX_POSITIONS, BadRuleset, Clock, TooLarge, group_digits
from encoders.exhaustive.parts.meaning import Env, Reader, Undefined
from encoders.exhaustive.parts.order import Heap, Position, as_list, as_position, as_whole, rank_heap, sort_positions


def _no_game(name: str, _: Env) -> Game:
    raise AssertionError(name)  # the expressions of a ruleset ask about none


class Game:
    """A ruleset whose heaps have parts, its parameters bound.

    What is asked may raise Undefined, BadRuleset, TooLarge and OutOfTime.
    """

    def __init__(self, ruleset: Ruleset, parameters: Env, clock: Clock) -> None:
        """Raises Undefined for parameters outside their domains."""
        self.ruleset, self.parameters = ruleset, dict(parameters)
        for p in ruleset.parameters:
            if p.kind == "int" and not p.admits(as_whole(self.parameters[p.name])):
                raise Undefined(p.name)
        self.players = len(ruleset.players) or as_whole(self.parameters[ruleset.player_count])
        self._read = Reader(_no_game, clock).read
        self._stays: dict[Heap, bool] = {}
        self._options: dict[tuple[Position, int], tuple[Position, ...]] = {}
        self._values: dict[tuple[Position, int], int] = {}
        self._grundy: dict[Position, int] = {}

    # -- heaps --------------------------------------------------------------------------------------------------------
    def is_heap(self, heap: Heap) -> bool:
        """Whether the parts are those of a heap, which may vanish."""
        shape = self.ruleset.heap
        assert shape is not None
        for part, value in zip(shape.parts, heap, strict=True):
            low = self._count(part.lo, {})
            high = None if part.hi is None else self._count(part.hi, {})
            numbers = map(as_whole, as_list(value) if part.is_list else (value,))
            if any(x < low or (high is not None and x > high) for x in numbers):
                return False
        return shape.where is None or bool(self._evaluate(shape.where, {"h": heap}))

    def stays(self, heap: Heap) -> bool:
        """Whether a heap does not vanish. Raises Undefined where it is none."""
        if heap not in self._stays:
            if not self.is_heap(heap):
                raise Undefined(f"{write_heap(heap)} is no heap of {self.ruleset.id}")
            shape = self.ruleset.heap
            assert shape is not None
            self._stays[heap] = shape.gone is None or not self._evaluate(shape.gone, {"h": heap})
        return self._stays[heap]

    def has(self, s: Position) -> bool:
        """Whether a position has only heaps of the game that do not vanish."""
        return all(self.is_heap(h) and self.stays(h) for h in s)

    def _evaluate(self, term: t.Term, env: Env) -> Value:
        return self._read(term)({**self.parameters, **env})

    def _count(self, term: t.Term, env: Env) -> int:
        return as_whole(self._evaluate(term, env))

    # -- moves --------------------------------------------------------------------------------------------------------
    def options(self, s: Position, mover: int) -> tuple[Position, ...]:
        """The positions one legal move away, in order."""
        key = s, 0 if self.ruleset.impartial else mover
        if key not in self._options:
            if len(self._options) > MAX_POSITIONS:
                raise TooLarge(f"more than {group_digits(MAX_POSITIONS)} positions")
            try:
                found = {x for move in self.ruleset.moves for x in self._play(move, s, mover)}
                weight = self._weigh(s)
                if (found and weight < 0) or any(self._weigh(x) >= weight for x in found):
                    raise BadRuleset(f"a move of {self.ruleset.id} does not decrease the measure, from {_write(s)}")
            except Undefined as fault:
                raise BadRuleset(f"a move of {self.ruleset.id} is ill-defined, from {_write(s)}: {fault}") from None
            self._options[key] = tuple(sort_positions(found))
        return self._options[key]

    def _weigh(self, s: Position) -> int:
        assert self.ruleset.measure is not None
        return self._count(self.ruleset.measure, {"s": s})

    def _play(self, move: Move, s: Position, mover: int) -> Iterator[Position]:
        env: Env = {"mover": mover, "s": s}
        for chosen in self._choose(move, s, env):
            rest = list(s)
            for h in chosen:
                rest.remove(h)
            for heaps in self._change(move, chosen, env):
                yield tuple(sorted([*rest, *filter(self.stays, heaps)], key=rank_heap))

    def _choose(self, move: Move, s: Position, env: Env) -> Iterable[tuple[Heap, ...]]:
        if move.choose == "any":
            return set(permutations(s, len(move.heaps)))
        if move.choose == "each":
            assert move.at_least is not None and move.at_most is not None
            low, high = self._count(move.at_least, env), self._count(move.at_most, env)
            counts = range(max(low, 0), min(high, len(s)) + 1)
            return {chosen for count in counts for chosen in combinations(s, count)}
        return ((s[-1] if move.choose == "largest" else s[0],),) if s else ()

    def _change(self, move: Move, chosen: tuple[Heap, ...], env: Env) -> Iterator[tuple[Heap, ...]]:
        """What the chosen heaps become, in each way."""
        if move.choose != "each":
            yield from self._pick(move, {**env, **dict(zip(move.heaps, chosen, strict=True))})
            return
        for ways in product(*(list(self._pick(move, {**env, move.heaps[0]: h})) for h in chosen)):
            yield tuple(heap for way in ways for heap in way)

    def _pick(self, move: Move, env: Env, at: int = 0) -> Iterator[tuple[Heap, ...]]:
        if at < len(move.picks):
            for x in self._list_numbers(move.picks[at].domain, env):
                yield from self._pick(move, {**env, move.picks[at].name: x}, at + 1)
        elif move.where is None or self._evaluate(move.where, env):
            yield tuple(as_list(self._evaluate(term, env)) for term in move.become)

    def _list_numbers(self, domain: Interval | t.Term, env: Env) -> Iterable[Value]:
        if not isinstance(domain, Interval):
            return as_list(self._evaluate(domain, env))
        assert domain.hi is not None
        low, high = self._evaluate(domain.lo, env), self._evaluate(domain.hi, env)
        if isinstance(low, tuple):
            return product(*(range(as_whole(a), as_whole(b) + 1) for a, b in zip(low, as_list(high), strict=True)))
        return range(as_whole(low), as_whole(high) + 1)

    # -- questions ----------------------------------------------------------------------------------------------------
    def answer(self, function: str, args: list[Value]) -> Value:
        """A question about the game, as `terms.GameCall` lists them."""
        s = as_position(args[0])
        if not self.has(s):
            raise Undefined("no position of the game")
        mover = as_whole(args[-1]) if function in _OF_MOVER else 0
        if not 0 <= mover < self.players:
            raise Undefined("no player")
        match function:
            case "options":
                return self.options(s, mover)
            case "legal":
                return args[1] in self.options(s, mover)
            case "terminal":
                return not self.options(s, mover)
            case "value":
                return self.value(s, mover)
            case "wins":
                return self.value(s, mover) == 0
            case "outcome":
                return (0, 3, 2, 1)[2 * (self.value(s, 0) == 0) + (self.value(s, 1) == 0)]
        return self.grundy(s)

    def value(self, s: Position, mover: int) -> int:
        """The offset of the winner from the mover."""

        def follow(s: Position, mover: int) -> Iterator[tuple[Position, int]]:
            after = 0 if self.ruleset.impartial else (mover + 1) % self.players
            return ((x, after) for x in self.options(s, mover))

        def find(place: tuple[Position, int]) -> int:
            after = [(self._values[x] + 1) % self.players for x in follow(*place)]
            return min(after, default=0 if self.ruleset.stuck_wins else self.players - 1)

        start = s, 0 if self.ruleset.impartial else mover
        return _solve(start, self._values, lambda place: follow(*place), find)

    def grundy(self, s: Position) -> int:
        """The Grundy value. Raises Undefined where, at s or below, the players' options differ."""

        def find(s: Position) -> int:
            options = self.options(s, 0)
            if any(self.options(s, mover) != options for mover in range(1, self.players)):
                raise Undefined("the players' options differ")
            taken = {self._grundy[x] for x in options}
            return next(v for v in range(len(taken) + 1) if v not in taken)

        return _solve(s, self._grundy, lambda s: self.options(s, 0), find)


def _write(s: Position) -> str:
    return f"({', '.join(map(write_heap, s))})"


_OF_MOVER = ("options", "legal", "terminal", "wins", "value")


P = TypeVar("P")


def _solve(start: P, known: dict[P, int], follow: Callable[[P], Iterable[P]], find: Callable[[P], int]) -> int:
    """The value of a place, found where those of all that follow it are known."""
    todo = [start]
    while todo:
        place = todo[-1]
        missing = [x for x in follow(place) if x not in known] if place not in known else []
        if missing:
            todo += missing
            continue
        todo.pop()
        if place not in known:
            known[place] = find(place)
    return known[start]
