"""What terms mean at one case: for each a function from the values of its variables to its value.

It shares no code with the referee but the table of builtins; what is ill-defined there is so here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, cast

from claims.language.builtins.meanings import Value
from claims.language.builtins.table import BUILTINS
from claims.language.ground.errors import NimChecksError
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, Type
from encoders.exhaustive.arrays.limits import Clock, TooLarge
from encoders.exhaustive.parts.order import Position, as_list, sort_positions

Env = Mapping[str, Value]
Meaning = Callable[[Env], Value]

_EVERY = 1 << 12  # operations between two looks at the clock


class Undefined(NimChecksError):
    """A term has no value here; the message says why."""


class Asked(Protocol):
    """A game with its parameters bound, which answers what `terms.GameCall` lists."""

    def answer(self, function: str, args: list[Value]) -> Value: ...


class Reader:
    """Makes functions of terms. `games`: the game of a name, by the values of the variables.

    Whatever they are called for may raise Undefined, TooLarge and OutOfTime.
    """

    def __init__(self, games: Callable[[str, Env], Asked], clock: Clock) -> None:
        self.games, self.clock = games, clock
        self._known: dict[int, tuple[t.Term, Meaning]] = {}  # by the id of the term, which is kept
        self._done = 0

    def read(self, term: t.Term) -> Meaning:
        """The value of a term, as a function of those of its variables."""
        found = self._known.get(id(term))
        if found is None:
            found = self._known[id(term)] = term, self._read(term)
        return found[1]

    def _read(self, term: t.Term) -> Meaning:
        match term:
            case t.Literal(value=value):
                constant = bool(value) if term.type == BOOL else value
                return lambda _: constant
            case t.Variable(name=name):
                return lambda env: env[name]
            case t.Operation(op=op, args=args):
                return self._operate(op, [self.read(x) for x in args])
            case t.AllOf(args=args):
                return _decide([self.read(x) for x in args], False)
            case t.AnyOf(args=args):
                return _decide([self.read(x) for x in args], True)
            case t.IfElse(condition=c, then=x, other=y):
                condition, then, other = self.read(c), self.read(x), self.read(y)
                return lambda env: (then if condition(env) else other)(env)
            case t.Collection(items=items):
                made, kind = [self.read(x) for x in items], term.type
                return lambda env: _gather(kind, [x(env) for x in made])
            case t.Apply(function=function, args=args):
                made, body, names = [self.read(x) for x in args], self.read(function.body), function.parameters
                return lambda env: body({**env, **dict(zip(names, [x(env) for x in made], strict=True))})
            case t.GameCall(function=function, game=game, args=args):
                made, games = [self.read(x) for x in args], self.games
                return lambda env: games(game, env).answer(function, [x(env) for x in made])
            case t.Comprehension():
                return self._run(term)
        raise AssertionError(term)

    def _operate(self, op: str, args: list[Meaning]) -> Meaning:
        row = BUILTINS[op]

        def value(env: Env) -> Value:
            self._done += 1
            if self._done % _EVERY == 0:
                self.clock.check()
            values = [x(env) for x in args]
            for need in row.needs:
                if fault := need.fault(values):
                    raise Undefined(fault)
            if row.limit and (over := row.limit(*values)):
                raise TooLarge(over)
            return row.means(*values)

        return value

    def _run(self, term: t.Comprehension) -> Meaning:
        body, kind, reducer = self.read(term.body), term.type, term.reducer
        clauses = [(c.variable, self.read(c.source), [self.read(x) for x in c.conditions]) for c in term.clauses]

        def run(env: Env, at: int = 0) -> Iterator[Value]:
            if at == len(clauses):
                yield body(env)
                return
            name, source, conditions = clauses[at]
            for x in as_list(source(env)):
                inner = {**env, name: x}
                if all(condition(inner) for condition in conditions):
                    yield from run(inner, at + 1)

        if reducer in ("any", "all"):
            return lambda env: (any if reducer == "any" else all)(run(env))
        if reducer in ("list", "set"):
            return lambda env: _gather(kind, list(run(env)))
        reduced = self._operate(reducer, [lambda values: values["*"]])
        return lambda env: reduced({"*": tuple(run(env))})


def _decide(parts: list[Meaning], stop: bool) -> Meaning:
    """`or` where `stop`, else `and`: what comes after the first that decides is not evaluated."""
    if stop:
        return lambda env: any(part(env) for part in parts)
    return lambda env: all(part(env) for part in parts)


def _gather(kind: Type, items: list[Value]) -> tuple[Value, ...]:
    if kind.kind == "list":
        return tuple(items)
    assert kind.element is not None
    if kind.element.is_position:
        return tuple(sort_positions(cast(set[Position], set(items))))
    return tuple(sorted(cast(set[int], set(items))))  # or fractions, or truth values
