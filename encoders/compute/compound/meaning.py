"""The values of terms at one case. Each term is compiled to a Python function of the values of its variables.

The source of such a function is composed only from the typed term: fixed phrases, numbers, and generated names. No text
of a claim file gets into it. This module and the referee share only the table of builtins. A term is undefined here if
and only if it is undefined for the referee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Protocol, cast

from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS, Builtin
from claims.language.syntax.game_values import add_all_games, parse_game
from claims.language.syntax.grammar import digits
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import BOOL, GAME, Type
from encoders.compute.arrays.limits import Deadline, TooLarge
from encoders.compute.compound.order import Heap, Position, as_integer, sort_positions

Env = Mapping[str, Value]
Meaning = Callable[[Env], Value]

_EVERY = 1 << 12  # loop elements between two checks of the clock
_DEEP = 20  # deeper terms get a separate function: Python allows only 200 nested brackets and 20 nested loops
_SMALL = 1 << 200  # products of smaller numbers are never too large

_PHRASES = {
    "add": "({} + {})",
    "sub": "({} - {})",
    "neg": "(-{})",
    "eq": "({} == {})",
    "ne": "({} != {})",
    "lt": "({} < {})",
    "le": "({} <= {})",
    "gt": "({} > {})",
    "ge": "({} >= {})",
    "not": "(not {})",
    "in": "({} in {})",
    "len": "len({})",
    "part": "{}[{}]",
    "concat": "({} + {})",
}


class Undefined(NimChecksError):
    """The error for a term that has no value at a case; the message gives the reason."""


class GameCallTarget(Protocol):
    """A game with given parameters, or the combinations of games.

    It evaluates the functions of a game, such as `wins`; `terms.GameCall` lists them.
    """

    def answer(self, function: str, args: list[Value]) -> Value: ...


class TermCompiler:
    """The compiler of terms to Python functions.

    `games`: returns the game with a given name, for given values of the variables. For the name "", it returns the
    object that answers questions about combined games.

    The compiled functions may raise Undefined, TooLarge and OutOfTime.
    """

    def __init__(self, games: Callable[[str, Env], GameCallTarget], clock: Deadline) -> None:
        self.games, self.clock = games, clock
        self._left = _EVERY
        self._known: dict[int, tuple[object, str]] = {}  # by the id of a term or definition, which is kept alive
        self._read: dict[int, tuple[t.Term, Meaning]] = {}
        self._names: dict[str, str] = {}  # names of variables in the source
        self._things: dict[str, object] = {"ask": self._ask, "run": self._run, "lists": product}
        self._things |= {"mul": _multiply, "at": _get, "put": _replace_element}

    def read(self, term: t.Term) -> Meaning:
        """Return a function from the values of a term's variables to its value."""
        found = self._read.get(id(term))
        if found is None:
            names = list_names(term)
            given = ", ".join(["env", *(f"env[{self._keep(name)}]" for name in names)])
            made = self._make(f"lambda env: {self._function(term, names, term)}({given})")
            found = self._read[id(term)] = term, cast(Meaning, made)
        return found[1]

    def read_move(self, names: Sequence[str], move: Move) -> Callable[..., Iterator[tuple[Heap, ...]]]:
        """Compile a move to a function whose arguments are a case and the values of the variables `names`.

        For each legal choice of the numbers in the move, the function yields the tuple of heaps that replace the chosen
        heaps. If the move is `alike`, it yields pairs instead: the tuple of the numbers, and the tuple of heaps.
        """
        made = self._read_picks(names, move, self._write_result(move))
        return cast(Callable[..., Iterator[tuple[Heap, ...]]], made)

    def read_scored_move(self, names: Sequence[str], move: Move) -> Callable[..., Iterator[tuple[Position, int]]]:
        """Compile a move as `read_move` does. The function yields pairs: the new heaps, and the points of the mover.

        If the move is `alike`, each of these pairs is the second part of a pair. The first part is the tuple of the
        numbers chosen in the move.
        """
        assert move.score is not None
        made = self._read_picks(names, move, f"({self._write_result(move)}, {self._write(move.score, 0)})")
        return cast(Callable[..., Iterator[tuple[Position, int]]], made)

    def _write_result(self, move: Move) -> str:
        """Return Python source text for the tuple of heaps that replace the chosen heaps of a move."""
        if isinstance(move.result, t.Term):
            return f"tuple({self._write(move.result, 0)})"
        return f"({''.join(f'{self._write(term, 0)}, ' for term in move.result)})"

    def _read_picks(self, names: Sequence[str], move: Move, result: str) -> Callable[..., Value]:
        """Compile a move to a function that yields the value of `result` for each legal choice of the move's numbers.

        If the move is `alike`, the function yields pairs of the tuple of these numbers and this value.

        `result`: Python source text.
        """
        if move.alike:
            result = f"(({''.join(f'{self._name(pick.name)}, ' for pick in move.picks)}), {result})"
        loops = [f"for {self._name(pick.name)} in {self._range(pick.domain)}" for pick in move.picks]
        where = "" if move.where is None else f" if {self._write(move.where, 0)}"
        text = f"({result} {' '.join(loops) or 'for _ in (0,)'}{where})"
        return self._make(f"lambda env{''.join(f', {self._name(name)}' for name in names)}: {text}")

    def _range(self, domain: IntervalDomain | t.Term) -> str:
        """Return Python source text of an iterable: the numbers, or lists, that a player may choose from a domain.

        They are the numbers of an interval, or the elements of a collection. If the ends of the interval are lists, the
        choices are the lists whose i-th element is between the i-th elements of the ends.
        """
        if not isinstance(domain, IntervalDomain):
            return f"run({self._write(domain, 0)})"
        assert domain.hi is not None
        low, high = self._write(domain.lo, 0), self._write(domain.hi, 0)
        if domain.lo.type.kind == "list":
            return f"run(lists(*{self._keep(_list_ranges)}({low}, {high})))"
        return f"run(range({low}, {high} + 1))"

    # -- text ---------------------------------------------------------------------------------------------------------
    def _make(self, text: str) -> Callable[..., Value]:
        try:
            return cast(Callable[..., Value], eval(compile(text, "<term>", "eval"), self._things))  # noqa: S307
        except (SyntaxError, RecursionError, MemoryError):
            raise TooLarge("an expression is nested too deeply") from None

    def _keep(self, thing: object) -> str:
        """Make a Python object available to the source, and return its name there."""
        name = f"k{len(self._things)}"
        self._things[name] = thing
        return name

    def _name(self, variable: str) -> str:
        return self._names.setdefault(variable, f"v{len(self._names)}")

    def _function(self, key: object, names: Sequence[str], body: t.Term) -> str:
        """Compile `body` to a function of the case and of the values of `names`.

        Return the name of the function in the source.

        `key`: the object that identifies the function in the cache.
        """
        if id(key) not in self._known:
            text = self._write(body, 0)
            made = self._make(f"lambda env{''.join(f', {self._name(name)}' for name in names)}: {text}")
            self._known[id(key)] = key, self._keep(made)
        return self._known[id(key)][1]

    def _write(self, term: t.Term, depth: int) -> str:
        if depth > _DEEP:
            names = list_names(term)
            return f"{self._function(term, names, term)}(env{''.join(f', {self._name(name)}' for name in names)})"
        match term:
            case t.Literal(value=value):
                return str(bool(value)) if term.type == BOOL else f"({value})"
            case t.Quotation(text=text):
                return self._keep(parse_game(text))
            case t.Variable(name=name):
                return self._name(name)
            case t.Operation(op=op, args=args):
                return self._operate(op, args, depth + 1)
            case t.AllOf(args=args):
                return f"({' and '.join(self._write(x, depth + 1) for x in args) or 'True'})"
            case t.AnyOf(args=args):
                return f"({' or '.join(self._write(x, depth + 1) for x in args) or 'False'})"
            case t.IfElse(condition=c, then=x, other=y):
                then, condition, other = (self._write(part, depth + 1) for part in (x, c, y))
                return f"({then} if {condition} else {other})"
            case t.Collection(items=items):
                return self._collect(term.type, f"({''.join(f'{self._write(x, depth + 1)}, ' for x in items)})")
            case t.Apply(function=function, args=args):
                others = [name for name in list_names(function.body) if name not in function.parameters]
                made = self._function(function, [*function.parameters, *others], function.body)
                passed = [*(self._write(x, depth + 1) for x in args), *map(self._name, others)]
                return f"{made}(env{''.join(f', {x}' for x in passed)})"
            case t.GameCall(function=asked, game=game, args=args):
                given = ", ".join(self._write(x, depth + 1) for x in args)
                return f"ask([{given}], env, {self._keep(game)}, {self._keep(asked)})"
            case t.Comprehension():
                return self._comprehend(term, depth + 1)
        raise AssertionError(term)

    def _operate(self, op: str, args: tuple[t.Term, ...], depth: int) -> str:
        made = [self._write(x, depth) for x in args]
        match op, args:
            case "heap", _:
                return f"({''.join(f'{x}, ' for x in made)})"
            case "index", _:
                return f"at({', '.join(made)})"
            case (("mul" | "put"), _):
                return f"{op}({', '.join(made)})"
            case (("mod" | "floordiv"), (_, t.Literal(value=value))) if value:
                return f"({made[0]} {'%' if op == 'mod' else '//'} {made[1]})"
        if op in _PHRASES:
            return _PHRASES[op].format(*made)
        return f"{self._call(op)}({', '.join(made)})"

    def _call(self, op: str) -> str:
        """Return the name, in the source, of the Python function for the builtin `op`."""
        row = BUILTINS[op]
        if id(row) not in self._known:
            self._known[id(row)] = row, self._keep(_guard(row))
        return self._known[id(row)][1]

    def _comprehend(self, term: t.Comprehension, depth: int) -> str:
        if len(term.clauses) > _DEEP // 2:
            raise TooLarge(f"a comprehension has {len(term.clauses)} clauses `for`; at most {_DEEP // 2} are supported")
        loops = ""
        for clause in term.clauses:
            loops += f" for {self._name(clause.variable)} in run({self._write(clause.source, depth)})"
            loops += "".join(f" if {self._write(x, depth)}" for x in clause.conditions)
        body = f"{self._write(term.body, depth)}{loops}"
        if term.reducer in ("list", "set"):
            return self._collect(term.type, f"tuple({body})")
        if term.type == GAME:
            return f"{self._keep(add_all_games)}({body})"
        if term.reducer in ("any", "all", "sum"):
            return f"{term.reducer}({body})"
        return f"{self._call(term.reducer)}(tuple({body}))"

    def _collect(self, kind: Type, items: str) -> str:
        if kind.kind == "list":
            return items
        assert kind.element is not None
        return f"{self._keep(_gather_positions if kind.element.is_position else _gather)}({items})"

    def _ask(self, args: list[Value], env: Env, game: str, function: str) -> Value:
        return self.games(game, env).answer(function, args)

    # -- time ---------------------------------------------------------------------------------------------------------
    def _run(self, source: Iterable[Value]) -> Iterable[Value]:
        """Return an iterable with the same elements, which checks the time limit after every `_EVERY` elements."""
        size = len(source) if isinstance(source, (tuple, range)) else _EVERY + 1
        if size > _EVERY:
            return self._watch(source)
        self._left -= size + 1
        if self._left < 0:
            self._left = _EVERY
            self.clock.check()
        return source

    def _watch(self, source: Iterable[Value]) -> Iterator[Value]:
        for number, x in enumerate(source):
            if number % _EVERY == 0:
                self.clock.check()
            yield x


def list_names(term: t.Term) -> list[str]:
    """Return the free variables of a term and of the definitions that it calls."""
    return list(dict.fromkeys(find_free_names(term)))


def _guard(row: Builtin) -> Callable[..., Value]:
    """Return a function that evaluates a builtin.

    It raises Undefined or TooLarge for arguments that the builtin excludes.
    """
    if row.is_plain:
        return row.evaluate

    def value(*args: Value) -> Value:
        for need in row.needs:
            if fault := need.fault(args):
                raise Undefined(fault)
        if row.limit and (over := row.limit(*args)):
            raise TooLarge(over)
        return row.evaluate(*args)

    return value


def _multiply(x: int | Fraction, y: int | Fraction) -> Value:
    if -_SMALL < x < _SMALL and -_SMALL < y < _SMALL:
        return x * y
    return _GUARDED_PRODUCT(x, y)


_GUARDED_PRODUCT = _guard(BUILTINS["mul"])


def _get(group: tuple[Value, ...], at: int) -> Value:
    if 0 <= at < len(group):
        return group[at]
    raise Undefined(f"index {digits(at)} of {len(group)} elements")


def _replace_element(group: tuple[Value, ...], at: int, x: Value) -> tuple[Value, ...]:
    if 0 <= at < len(group):
        return (*group[:at], x, *group[at + 1 :])
    raise Undefined(f"index {digits(at)} of {len(group)} elements")


def _list_ranges(low: tuple[Value, ...], high: tuple[Value, ...]) -> list[range]:
    return [range(as_integer(a), as_integer(b) + 1) for a, b in zip(low, high, strict=True)]


def _gather(items: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(sorted(cast(set[int], set(items))))  # elements may also be fractions or truth values


def _gather_positions(items: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(sort_positions(cast(set[Position], set(items))))
