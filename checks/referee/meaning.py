"""The meaning of terms: the definition of the language's semantics.

Values: int, Fraction, bool; a position is the ascending tuple of its heap sizes; a list is a tuple, a set the ascending
tuple of its distinct elements; a player is a 0-based index.  Positions are ordered by `position_key`.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, cast

from claims.language.expressions import terms as t
from claims.language.expressions.builtins import MAX_POWER_BITS, MAX_PRODUCT_BITS, MAX_RANGE
from claims.language.expressions.printing import digits
from claims.language.expressions.types import BOOL, POSITION, Type

Value: TypeAlias = "int | Fraction | tuple[Value, ...]"
Values = Mapping[str, Value]
Position = tuple[int, ...]


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


def integer(value: Value) -> int:
    """A value that is an integer, as the type of its term says; a truth value is 0 or 1."""
    assert isinstance(value, int)
    return value


def elements(value: Value) -> tuple[Value, ...]:
    """A value that is a list, a set or a position, as the type of its term says."""
    assert isinstance(value, tuple)
    return value


def heaps(value: Value) -> Position:
    """A value that is a position, as the type of its term says."""
    return cast(Position, elements(value))


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

    def value(x: t.Term) -> Value:
        return evaluate(x, env, games, steps)

    match term:
        case t.Literal(value=v):
            return bool(v) if term.type == BOOL else v
        case t.Variable(name=name):
            return env[name]
        case t.AllOf(args=args):
            return all(value(x) for x in args)
        case t.AnyOf(args=args):
            return any(value(x) for x in args)
        case t.IfElse(condition=c, then=x, other=y):
            return value(x) if value(c) else value(y)
        case t.Operation(op=op, args=args):
            return operate(op, [value(x) for x in args], steps)
        case t.Collection(items=items):
            return collect(term.type, [value(x) for x in items])
        case t.Apply(function=f, args=args):
            inner = {**env, **dict(zip(f.parameters, [value(x) for x in args], strict=True))}
            return evaluate(f.body, inner, games, steps)
        case t.GameCall(function=function, game=name, args=args):
            asked = [value(x) for x in args]
            return ask(games(name, env), function, asked)
        case t.Comprehension(reducer=reducer, body=body, clauses=clauses):
            found = (evaluate(body, e, games, steps) for e in _cases(clauses, env, games, steps))
            if reducer in ("any", "all"):
                return any(found) if reducer == "any" else all(found)
            if reducer in ("list", "set"):
                return collect(term.type, list(found))
            return operate(reducer, [tuple(found)], steps)
    raise AssertionError(term)


def _cases(clauses: tuple[t.Clause, ...], env: Values, games: Games, steps: Steps) -> Iterator[Values]:
    if not clauses:
        yield env
        return
    first = clauses[0]
    for item in elements(evaluate(first.source, env, games, steps)):
        inner = {**env, first.variable: item}
        if all(evaluate(c, inner, games, steps) for c in first.conditions):
            yield from _cases(clauses[1:], inner, games, steps)


def ask(game: Player, function: str, args: list[Value]) -> Value:
    """A question about a game, as `claims.language.expressions.terms.GameCall` lists them. Raises IllDefined."""
    s = heaps(args[0])
    match function, [integer(x) for x in args[1:] if not isinstance(x, tuple)]:
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


def operate(op: str, args: list[Any], steps: Steps) -> Value:
    """The strict operations, one by one: the table `builtins.OPERATIONS` says in words what each means."""
    x, y = args[0], args[-1]
    if op in ("floordiv", "mod", "div") and y == 0:
        raise IllDefined("division by zero")
    if op in ("nim", "bit", "isqrt") and min(args) < 0:
        raise IllDefined(f"a negative operand of {op}")
    if op in ("max", "min") and not x:
        raise IllDefined(f"{op} of nothing")
    if op == "mul" and _bits(x) + _bits(y) > MAX_PRODUCT_BITS:
        raise LimitReached(f"a product of more than {MAX_PRODUCT_BITS:_} bits")
    if op in _PLAIN:
        return cast(Value, _PLAIN[op](*args))
    match op:
        case "pow":
            if y < 0:
                raise IllDefined("a negative exponent")
            if (_bits(x) - 1) * y >= MAX_POWER_BITS:  # the least it can have
                raise LimitReached(f"a power of more than {MAX_POWER_BITS:_} bits")
            return cast(Value, x**y)
        case "top_bit":
            if x <= 0:
                raise IllDefined("top_bit of a number below 1")
            return int(x.bit_length()) - 1
        case "range":
            if y - x > MAX_RANGE:
                raise LimitReached(f"a range of more than {MAX_RANGE:_} integers")
            steps.take(max(0, y - x))
            return tuple(range(x, y))
        case "nim_sum":
            if any(i < 0 for i in x):
                raise IllDefined("a nim-sum of negative numbers")
            return int(functools.reduce(operator.xor, x, 0))
        case "index":
            if not 0 <= y < len(x):
                raise IllDefined(f"index {digits(y)} of {len(x)} elements")
            return cast(Value, x[y])
        case "replace":
            if args[1] not in x:
                raise IllDefined(f"no heap of {digits(args[1])} in {x}")
            return replace_heaps(x, (args[1],), (y,))
        case "nim_sum_ways":
            return nim_sum_ways(x, y, steps)
    raise AssertionError(op)


def _bits(x: int | Fraction) -> int:
    return max(x.numerator.bit_length(), x.denominator.bit_length())


def position(sizes: Iterable[int]) -> Position:
    """The position with these heaps; zeros vanish. Raises IllDefined on a negative size."""
    heaps = tuple(sorted(h for h in sizes if h))
    if heaps and heaps[0] < 0:
        raise IllDefined(f"a heap of size {digits(heaps[0])}")
    return heaps


def collect(kind: Type, items: list[Value]) -> tuple[Value, ...]:
    """A list as a tuple; a set as the ascending tuple of its distinct elements."""
    if kind.kind == "list":
        return tuple(items)
    distinct = set(items)
    if kind.element == POSITION:
        return tuple(sorted(map(heaps, distinct), key=position_key))
    return tuple(sorted(cast(set[int], distinct)))  # or fractions, or truth values


def mex(values: Iterable[int]) -> int:
    """The least natural number that is not among `values`.

    >>> mex([0, 1, 3]), mex([])
    (2, 0)
    """
    present = set(values)
    return next(i for i in range(len(present) + 1) if i not in present)


def nim_sum_ways(weights: tuple[int, ...], draws: int, steps: Steps) -> tuple[int, ...]:
    """v[x]: in how many ways `draws` independent draws, i in weights[i] ways, have nim-sum x. Plain convolution.

    >>> nim_sum_ways((1, 1), 2, Steps(100))
    (2, 2)
    """
    if draws < 0 or any(w < 0 for w in weights):
        raise IllDefined("nim_sum_ways of a negative number")
    size = 1 << max(0, len(weights) - 1).bit_length()
    ways = [1] + [0] * (size - 1)
    for _ in range(draws):
        steps.take(size * len(weights))
        ways = [sum(w * ways[x ^ i] for i, w in enumerate(weights)) for x in range(size)]
    return tuple(ways)


_PLAIN: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv, "mod": operator.mod,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "neg": operator.neg, "abs": abs, "nim": operator.xor, "not": operator.not_, "rational": Fraction,
    "div": lambda x, y: Fraction(x) / y, "isqrt": math.isqrt, "bit": lambda x, i: x >> i & 1, "mex": mex,
    "largest": max, "smallest": min, "len": len, "sum": sum, "max": max, "min": min, "any": any, "all": all,
    "count": sum, "position": position, "in": lambda x, c: x in c, "occurrences": lambda c, x: c.count(x),
}  # fmt: skip


def replace_heaps(s: Position, chosen: Position, sizes: Position) -> Position:
    """s with other heaps in place of those chosen, each of which it has. Raises IllDefined on a negative size."""
    rest = list(s)
    for h in chosen:
        rest.remove(h)
    return position((*rest, *sizes))
