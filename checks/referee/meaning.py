"""The meaning of terms: this module defines the semantics of the claim language.

A *term* is a parsed expression. Its value has one of the types in `claims.language.syntax.meanings`. A set of positions
is a tuple that is sorted by `position_key`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NoReturn, Protocol, cast

from claims.language.errors import NimChecksError, SourceLocation
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.game_values import CombinedGame, GameItem, PlacedPosition, add_all_games, parse_game
from claims.language.syntax.grammar import digits
from claims.language.syntax.meanings import Position, Value, is_compound, measure_heap
from claims.language.syntax.terms import BOOL, GAME, Type

Values = Mapping[str, Value]
AnyGame = Position | GameItem | CombinedGame


class CombinationSemantics(Protocol):
    """An object that answers questions about games as values, such as `combined.RefereeCombinations`."""

    def wins(self, s: CombinedGame | GameItem, mover: int) -> bool:
        """Return whether the mover can force a win under normal play."""

    def grundy(self, s: CombinedGame | GameItem) -> int:
        """Return the Grundy value of a game."""

    @property
    def worth(self) -> PartizanValues:
        """The values of games as partizan games. Left is the first player."""


class GameSemantics(Protocol):
    """An object that answers questions about one game with fixed parameters, such as `play.RefereeGame`."""

    def drop_vanished(self, s: Position) -> Position:
        """Return the position without its heaps that vanish. Which heaps with parts vanish is defined in [heap].

        A heap without parts does not vanish.
        Raises IllDefined if a heap does not satisfy the ruleset.
        """

    def options(self, s: Position, mover: int) -> tuple[Position, ...]:
        """Return the options of a position for the mover, each once, sorted by `position_key`."""

    def wins(self, s: Position, mover: int) -> bool:
        """Return whether the mover can force a win, in a game of two players."""

    def draws(self, s: Position, mover: int) -> bool:
        """Return whether neither player can force a win, in a loopy game of two players."""

    def value(self, s: Position, mover: int) -> int:
        """Return the winner under best play, counted in turns from the mover: 0 if the mover wins."""

    def grundy(self, s: Position) -> int:
        """Return the Grundy value of a position."""

    def length(self, function: str, s: Position, mover: int) -> int:
        """Return the remoteness or the suspense of a position, in a game of two players that is not loopy.

        `function`: "remoteness" or "suspense".
        """

    def score(self, s: Position, mover: int) -> int:
        """Return the points of the mover minus those of the opponent under best play, in a game of two players."""

    @property
    def worth(self) -> PartizanValues:
        """The values of positions as partizan games, for two players under normal play. Left is the first player."""


class PartizanValues(Protocol):
    """An object that computes partizan values of games, such as `play.RefereePartizanValues`.

    A game is a position of one game, or a combined game.
    """

    def is_at_most(self, s: AnyGame, t: AnyGame) -> bool: ...
    def number(self, s: AnyGame) -> Fraction: ...
    def mean(self, s: AnyGame) -> Fraction: ...
    def temperature(self, s: AnyGame) -> Fraction: ...
    def stop(self, s: AnyGame, mover: int) -> Fraction: ...
    def birthday(self, s: AnyGame) -> int: ...
    def cool(self, s: AnyGame, tax: Fraction) -> object: ...
    def heat(self, s: AnyGame, t: AnyGame, unit: AnyGame | None = None) -> object: ...
    def atomic_weight(self, s: AnyGame) -> object: ...


Games = Callable[[str, Values], GameSemantics]
"""A function of the name of a game and the values of variables. It returns the game, with its parameters evaluated."""
Combinations = Callable[[], CombinationSemantics]
"""A function that returns the object for questions about combined games."""
Meaning = Callable[[Values], Value]
"""A function that belongs to a term: it maps the values of the variables to the value of the term."""


class IllDefined(NimChecksError):
    """An expression has no value at a case, for example because of a division by zero or an index out of range.

    `place`: the location of this expression in a ruleset; None if it is in the claim, or if the location is unknown.
    """

    place: SourceLocation | None = None


class LimitReached(NimChecksError):
    """The computation of a value would exceed a limit, which the message names. The value may or may not exist."""

    def __str__(self) -> str:
        return super().__str__().replace("_", " ")


def as_integer(value: Value) -> int:
    """Return a value as an integer. It must be a number, a player or a truth value; True counts as 1."""
    assert isinstance(value, int)
    return value


def as_elements(value: Value) -> tuple[Value, ...]:
    """Return a value as a tuple of its elements. It must be a list, a set or a position."""
    assert isinstance(value, tuple)
    return value


def as_heaps(value: Value) -> Position:
    """Return a value as a position. It must be the value of a term of this type."""
    return cast(Position, as_elements(value))


def position_key(s: Position) -> tuple[int, int, tuple[object, ...]]:
    """Return the key by which positions are sorted: by the number of heaps, then by the total, then by the heaps.

    Heaps with parts are compared by size, then by their parts.
    """
    if not (s and is_compound(s[0])):
        return len(s), sum(s), s
    sizes = tuple(map(measure_heap, s))
    return len(s), sum(sizes), tuple(zip(sizes, s, strict=True))


def refuse_game(name: str, _: Values) -> GameSemantics:
    """Raise AssertionError. Evaluators of expressions that cannot contain a question about a game use this function."""
    raise AssertionError(name)


def refuse_combinations() -> CombinationSemantics:
    """Raise AssertionError, as `refuse_game` does."""
    raise AssertionError("combined games")


class RefereeSteps:
    """A counter of evaluation steps with a limit. `left`: the number of steps that are left."""

    def __init__(self, limit: int) -> None:
        self.limit = self.left = limit

    def take(self, count: int = 1) -> None:
        """Count `count` further steps. Raises LimitReached if the total exceeds the limit."""
        self.left -= count
        if self.left < 0:
            self.stop()

    def stop(self) -> NoReturn:
        """Raise LimitReached."""
        raise LimitReached(f"more than {self.limit:_} steps of evaluation")


class TermEvaluator:
    """An evaluator of terms. It compiles each term once to a function, and calls this function for every case.

    `games`: the function that returns the games about which terms contain questions.
    `combinations`: the function that returns the object for questions about combined games.
    `steps`: the counter of steps. Each evaluation of a term or subterm is a step; some operations take more steps.
    An evaluation may raise IllDefined and LimitReached.
    """

    def __init__(self, games: Games, steps: RefereeSteps, combinations: Combinations = refuse_combinations) -> None:
        self.games, self.steps, self.combinations = games, steps, combinations
        self._made: dict[int, tuple[t.Term, Meaning]] = {}  # storing the terms keeps their ids unique

    def evaluate(self, term: t.Term, env: Values) -> Value:
        """Return the value of `term` if its variables have the values `env`."""
        return self.compile(term)(env)

    def compile(self, term: t.Term) -> Meaning:
        """Return the function that maps the values of the variables of `term` to its value."""
        if id(term) not in self._made:
            self._made[id(term)] = term, self._make(term)
        return self._made[id(term)][1]

    def _compile_all(self, terms: tuple[t.Term, ...]) -> list[Meaning]:
        return [self.compile(x) for x in terms]

    def _make(self, term: t.Term) -> Meaning:
        steps = self.steps  # counted in each function below: calls of `take` cost 5 % of the time of a replay
        match term:
            case t.Variable(name=name):

                def value(env: Values) -> Value:
                    steps.left -= 1
                    if steps.left < 0:
                        steps.stop()
                    return env[name]

            case t.Literal(value=v):
                constant = bool(v) if term.type == BOOL else v

                def value(env: Values) -> Value:
                    steps.left -= 1
                    if steps.left < 0:
                        steps.stop()
                    return constant

            case t.Operation(op=op, args=(a, b)) if BUILTINS[op].is_plain:
                # The same as `make_operation`, in a third of the time.
                first, second, means = self.compile(a), self.compile(b), BUILTINS[op].evaluate

                def value(env: Values) -> Value:
                    steps.left -= 1
                    if steps.left < 0:
                        steps.stop()
                    return means(first(env), second(env))

            case _:
                meaning = self._compose(term)

                def value(env: Values) -> Value:
                    steps.left -= 1
                    if steps.left < 0:
                        steps.stop()
                    return meaning(env)

        return value

    def _compose(self, term: t.Term) -> Meaning:
        """Compile a term: compose the functions of its subterms.

        The result does not count a step for the evaluation of the term itself; `_make` adds this.
        """
        match term:
            case t.Operation(op=op, args=args):
                parts, operate = self._compile_all(args), make_operation(op, self.steps)
                return lambda env: operate([x(env) for x in parts])
            case t.AllOf(args=args):
                return _find_first(False, self._compile_all(args))
            case t.AnyOf(args=args):
                return _find_first(True, self._compile_all(args))
            case t.IfElse(condition=c, then=x, other=y):
                condition, then, other = self._compile_all((c, x, y))
                return lambda env: then(env) if condition(env) else other(env)
            case t.Collection(items=items):
                kind, parts = term.type, self._compile_all(items)
                return lambda env: collect(kind, [x(env) for x in parts])
            case t.Apply(function=f, args=args):
                parts, body = self._compile_all(args), self.compile(f.body)
                return lambda env: body({**env, **dict(zip(f.parameters, [x(env) for x in parts], strict=True))})
            case t.Quotation(text=text):
                named = cast(Value, parse_game(text))  # only questions and operations on games receive it
                return lambda _: named
            case t.GameCall(function=function, game="", args=args):
                parts = self._compile_all(args)
                return lambda env: ask_about_games(self.combinations(), function, [x(env) for x in parts])
            case t.GameCall(function=function, game=game, args=args):
                parts = self._compile_all(args)

                def evaluate_call(env: Values) -> Value:
                    values = [x(env) for x in parts]
                    return ask(self.games(game, env), function, values)

                return evaluate_call
            case t.Comprehension():
                return self._reduce(term)
        raise AssertionError(term)

    def _reduce(self, term: t.Comprehension) -> Meaning:
        reducer, kind, body = term.reducer, term.type, self.compile(term.body)
        clauses = [(x.variable, self.compile(x.source), self._compile_all(x.conditions)) for x in term.clauses]
        if reducer == "any":
            return lambda env: any(body(e) for e in self._run(clauses, env))
        if reducer == "all":
            return lambda env: all(body(e) for e in self._run(clauses, env))
        if reducer in ("list", "set"):
            return lambda env: collect(kind, [body(e) for e in self._run(clauses, env)])
        if kind == GAME:
            return lambda env: add_all_games(cast(CombinedGame, body(e)) for e in self._run(clauses, env))
        operate = make_operation(reducer, self.steps)
        return lambda env: operate([tuple([body(e) for e in self._run(clauses, env)])])

    def _run(self, clauses: Sequence[tuple[str, Meaning, list[Meaning]]], env: Values) -> Iterator[Values]:
        """Yield the values of all variables for each evaluation of the body of a comprehension.

        `clauses`: triples (variable, function of the source, functions of the conditions), from the left.
        `env`: the values of the variables outside of the comprehension.
        """
        (name, source, conditions), *rest = clauses
        for item in as_elements(source(env)):
            inner = {**env, name: item}
            if conditions and not all(x(inner) for x in conditions):
                continue
            if rest:
                yield from self._run(rest, inner)
            else:
                yield inner


def ask(game: GameSemantics, function: str, args: list[Value]) -> Value:
    """Return the answer to a question about a game, such as `wins(s, mover)`.

    `function`: the name of the question; `claims.language.syntax.questions` lists all names.
    `args`: the values of the arguments. The first one is a position, or for some questions a game in quotes.
    Raises IllDefined and LimitReached.
    """
    if function in ("le", "equals"):
        return _compare_games(game.worth, function, *(_read_game(game, x) for x in args))
    if function in ("cool", "heat", "overheat", "atomic_weight"):
        return cast(Value, _find_game(game.worth, function, _read_game(game, args[0]), *args[1:]))
    s = game.drop_vanished(as_heaps(args[0]))
    match function, [as_integer(x) for x in args[1:] if not isinstance(x, tuple)]:
        case "options", [mover]:
            return game.options(s, mover)
        case "legal", [mover]:
            return game.drop_vanished(as_heaps(args[1])) in game.options(s, mover)
        case "terminal", [mover]:
            return not game.options(s, mover)
        case "wins", [mover]:
            return game.wins(s, mover)
        case "draws", [mover]:
            return game.draws(s, mover)
        case "value", [mover]:
            return game.value(s, mover)
        case "grundy", []:
            return game.grundy(s)
        case "remoteness" | "suspense", [mover]:
            return game.length(function, s, mover)
        case "score", [mover]:
            return game.score(s, mover)
        case "number" | "mean" | "temperature" | "left_stop" | "right_stop" | "birthday", []:
            return _ask_worth(game.worth, function, s)
        case "outcome", []:
            return _name_outcome(game.wins(s, 0), game.wins(s, 1))
        case "game", []:
            return cast(Value, PlacedPosition(game, s))
    raise AssertionError(function)


def ask_about_games(games: CombinationSemantics, function: str, args: list[Value]) -> Value:
    """Return the answer to a question about combined games, such as `grundy(a.game(s) + b.game(t))`.

    `function`, `args`: as for `ask`, but each position is a game. Raises IllDefined and LimitReached.
    """
    s = cast(CombinedGame, args[0])
    match function:
        case "le" | "equals":
            return _compare_games(games.worth, function, s, cast(CombinedGame, args[1]))
        case "cool" | "heat" | "overheat" | "atomic_weight":
            return cast(Value, _find_game(games.worth, function, s, *args[1:]))
        case "wins":
            return games.wins(s, as_integer(args[1]))
        case "grundy":
            return games.grundy(s)
        case "outcome":
            return _name_outcome(games.wins(s, 0), games.wins(s, 1))
    return _ask_worth(games.worth, function, s)


def _name_outcome(first: bool, second: bool) -> int:
    """Return the outcome, as an index of `t.OUTCOMES`.

    `first`, `second`: whether the first player, and the second player, wins when moving first.
    """
    return t.OUTCOMES.index(("P_position", "second_wins", "first_wins", "N_position")[2 * first + second])


def _ask_worth(values: PartizanValues, function: str, s: AnyGame) -> Value:
    try:
        match function:
            case "number":
                return values.number(s)
            case "mean":
                return values.mean(s)
            case "left_stop" | "right_stop":
                return values.stop(s, int(function == "right_stop"))
            case "birthday":
                return values.birthday(s)
            case "temperature":
                return values.temperature(s)
        raise AssertionError(function)
    except RecursionError:
        raise LimitReached(f"play is too long to find the {function} of the position") from None


def _read_game(game: GameSemantics, written: Value) -> Position | GameItem:
    """Return a position without the heaps that vanish; return a game unchanged. Raises IllDefined."""
    return game.drop_vanished(as_heaps(written)) if isinstance(written, tuple) else cast(GameItem, written)


def _find_game(values: PartizanValues, function: str, s: AnyGame, *by: Value) -> object:
    """Return the result of a question about s that gives a game: "cool", "heat", "overheat" or "atomic_weight".

    `by`: the arguments of the question after s. Raises IllDefined if a number among them has a denominator that is not
    a power of two, or if s is cooled or heated by a negative number.
    """
    least = None if function == "overheat" else 0
    found = [Fraction(x) if isinstance(x, int) else cast(GameItem, x) for x in by]
    for x in found:
        if isinstance(x, Fraction) and (x.denominator & (x.denominator - 1) or (least is not None and x < least)):
            verb = {"cool": "cooled by", "heat": "heated by"}.get(function, "overheated from or to")
            allowed = "at least 0, with a power of two as its denominator"
            allowed = allowed if least is not None else "a fraction with a power of two as its denominator"
            raise IllDefined(f"a game cannot be {verb} {digits(x)}: the number must be {allowed}")
    try:
        match function, found:
            case "cool", [Fraction() as tax]:
                return values.cool(s, tax)
            case "heat", [t]:
                return values.heat(s, t)
            case "overheat", [unit, t]:
                return values.heat(s, t, unit)
        return values.atomic_weight(s)
    except RecursionError:
        raise LimitReached("play is too long to find the game") from None


def _compare_games(values: PartizanValues, function: str, left: AnyGame, right: AnyGame) -> bool:
    """Return whether left <= right (`function` is "le") or left = right."""
    try:
        at_most = values.is_at_most(left, right)
        return at_most and (function == "le" or values.is_at_most(right, left))
    except RecursionError:
        raise LimitReached("play is too long to compare the games") from None


def make_operation(op: str, steps: RefereeSteps) -> Callable[[Sequence[Value]], Value]:
    """Return the function that maps arguments to the result of the operation `op`, as the table `BUILTINS` defines it.

    The function raises IllDefined if the result is undefined, and LimitReached if it is too large or takes too many
    steps.
    """
    row = BUILTINS[op]
    needs, limit, count, evaluate = [need.fault for need in row.needs], row.limit, row.steps, row.evaluate

    def operate(args: Sequence[Value]) -> Value:
        for find_fault in needs:
            fault = find_fault(args)
            if fault:
                raise IllDefined(fault)
        over = limit(*args) if limit else ""
        if over:
            raise LimitReached(over)
        if count:
            steps.take(count(*args))
        return evaluate(*args)

    return operate


def _find_first(wanted: bool, parts: list[Meaning]) -> Meaning:
    """Return the function that returns `wanted` if some part has this value, and the opposite otherwise.

    The parts are evaluated in order, up to the first one with this value.
    """

    def value(env: Values) -> Value:
        for part in parts:
            if bool(part(env)) is wanted:
                return wanted
        return not wanted

    return value


def collect(kind: Type, items: list[Value]) -> tuple[Value, ...]:
    """Return the value of a list or a set with these items, as a tuple.

    `kind`: the type of the list or the set. For a set, the tuple contains the distinct items in ascending order.
    """
    if kind.kind == "list":
        return tuple(items)
    distinct = set(items)
    if kind.element is not None and kind.element.is_position:
        return tuple(sorted(map(as_heaps, distinct), key=position_key))
    return tuple(sorted(cast(set[int], distinct)))  # or fractions, or truth values
