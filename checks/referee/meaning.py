"""The meaning of terms: the definition of the language's semantics.

Values are those of `claims.language.expressions.builtins.meanings`; positions are ordered by `position_key`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, cast

from claims.language.expressions import terms as t
from claims.language.expressions.builtins.meanings import Position, Value
from claims.language.expressions.builtins.table import BUILTINS
from claims.language.expressions.types import BOOL, POSITION, Type

Values = Mapping[str, Value]


class Player(Protocol):
    """Answers questions about one game, its parameters bound to values; `play.Game` is one."""

    def options(self, s: Position, mover: int) -> tuple[Position, ...]:
        """The positions one legal move away, each once, in order."""

    def wins(self, s: Position, mover: int) -> bool:
        """Two players: whether the mover can force a win."""

    def value(self, s: Position, mover: int) -> int:
        """The offset, from the mover, of the player who wins."""

    def grundy(self, s: Position) -> int:
        """The Grundy value."""


Games = Callable[[str, Values], Player]
"""The game of a name, its parameters evaluated in an environment."""


class IllDefined(Exception):
    """An expression has no value at this case: division by zero, a negative nim-sum, an index outside its list, ..."""


class LimitReached(Exception):
    """A value that may well be there is too much to compute; the message says of what there is too much."""

    def __str__(self) -> str:
        return super().__str__().replace("_", " ")


def as_integer(value: Value) -> int:
    """A value that is an integer, as the type of its term says; a truth value is 0 or 1."""
    assert isinstance(value, int)
    return value


def as_elements(value: Value) -> tuple[Value, ...]:
    """A value that is a list, a set or a position, as the type of its term says."""
    assert isinstance(value, tuple)
    return value


def as_heaps(value: Value) -> Position:
    """A value that is a position, as the type of its term says."""
    return cast(Position, as_elements(value))


def position_key(s: Position) -> tuple[int, int, Position]:
    """The order of positions: fewest heaps, then least total, then ascending heaps lexicographically."""
    return (len(s), sum(s), s)


def no_games(name: str, _: Values) -> Player:
    """For the expressions of a ruleset, which ask about no game."""
    raise AssertionError(name)


class Steps:
    """A count of evaluation steps with an upper bound."""

    def __init__(self, limit: int) -> None:
        self.limit = self.left = limit

    def take(self, count: int = 1) -> None:
        """Count so many steps. Raises LimitReached."""
        self.left -= count
        if self.left < 0:
            raise LimitReached(f"more than {self.limit:_} steps of evaluation")


def evaluate(term: t.Term, env: Values, games: Games, steps: Steps) -> Value:
    """The value of `term` where its variables have the values `env`. Raises IllDefined and LimitReached."""
    steps.take()
    match term:  # the usual ones, before anything is made
        case t.Variable(name=name):
            return env[name]
        case t.Literal(value=v):
            return bool(v) if term.type == BOOL else v
        case t.Operation(op=op, args=args):
            return operate(op, [evaluate(x, env, games, steps) for x in args], steps)

    def value(x: t.Term) -> Value:
        return evaluate(x, env, games, steps)

    match term:
        case t.AllOf(args=args):
            return all(value(x) for x in args)
        case t.AnyOf(args=args):
            return any(value(x) for x in args)
        case t.IfElse(condition=c, then=x, other=y):
            return value(x) if value(c) else value(y)
        case t.Collection(items=items):
            return collect(term.type, [value(x) for x in items])
        case t.Apply(function=f, args=args):
            inner = {**env, **dict(zip(f.parameters, [value(x) for x in args], strict=True))}
            return evaluate(f.body, inner, games, steps)
        case t.GameCall(function=function, game=name, args=args):
            asked = [value(x) for x in args]
            return ask(games(name, env), function, asked)
        case t.Comprehension(reducer=reducer, body=body, clauses=clauses):
            found = (evaluate(body, e, games, steps) for e in _run(clauses, env, games, steps))
            if reducer in ("any", "all"):
                return any(found) if reducer == "any" else all(found)
            if reducer in ("list", "set"):
                return collect(term.type, list(found))
            return operate(reducer, [tuple(found)], steps)
    raise AssertionError(term)


def _run(clauses: tuple[t.Clause, ...], env: Values, games: Games, steps: Steps) -> Iterator[Values]:
    if not clauses:
        yield env
        return
    first = clauses[0]
    for item in as_elements(evaluate(first.source, env, games, steps)):
        inner = {**env, first.variable: item}
        if all(evaluate(c, inner, games, steps) for c in first.conditions):
            yield from _run(clauses[1:], inner, games, steps)


def ask(game: Player, function: str, args: list[Value]) -> Value:
    """A question about a game, as `claims.language.expressions.terms.GameCall` lists them. Raises IllDefined."""
    s = as_heaps(args[0])
    match function, [as_integer(x) for x in args[1:] if not isinstance(x, tuple)]:
        case "options", [mover]:
            return game.options(s, mover)
        case "legal", [mover]:
            return args[1] in game.options(s, mover)
        case "terminal", [mover]:
            return not game.options(s, mover)
        case "wins", [mover]:
            return game.wins(s, mover)
        case "value", [mover]:
            return game.value(s, mover)
        case "grundy", []:
            return game.grundy(s)
        case "outcome", []:
            first, second = game.wins(s, 0), game.wins(s, 1)
            return t.OUTCOMES.index(("P_position", "second_wins", "first_wins", "N_position")[2 * first + second])
    raise AssertionError(function)


def operate(op: str, args: Sequence[Value], steps: Steps) -> Value:
    """A strict operation, by its row of the table. Raises IllDefined and LimitReached."""
    row = BUILTINS[op]
    for need in row.needs:
        fault = need.fault(args)
        if fault:
            raise IllDefined(fault)
    over = row.limit(*args) if row.limit else ""
    if over:
        raise LimitReached(over)
    if row.steps:
        steps.take(row.steps(*args))
    return row.means(*args)


def collect(kind: Type, items: list[Value]) -> tuple[Value, ...]:
    """A list as a tuple; a set as the ascending tuple of its distinct elements."""
    if kind.kind == "list":
        return tuple(items)
    distinct = set(items)
    if kind.element == POSITION:
        return tuple(sorted(map(as_heaps, distinct), key=position_key))
    return tuple(sorted(cast(set[int], distinct)))  # or fractions, or truth values
