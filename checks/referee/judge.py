"""The referee: the rules of play and the meaning of expressions, by plain recursion. The trusted core.

What it trusts: Python's integers, fractions and containers, and the typed terms that `claims` read from the file.
What trusts it: every counterexample is replayed here and a sample of every success is evaluated again here; an encoder
that disagrees is wrong.  It knows no numpy, no solver and no shortcut: a game is settled by looking at its options.

Values: int, Fraction, bool; a position is the ascending tuple of its heap sizes; a list is a tuple, a set the ascending
tuple of its distinct elements; a player is a 0-based index.  Positions are ordered by `position_key`.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from claims.language.expressions import terms as t
from claims.language.expressions.builtins import MAX_POWER_BITS, MAX_PRODUCT_BITS, MAX_RANGE
from claims.language.expressions.printing import digits
from claims.language.expressions.types import BOOL, POSITION, Type
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Interval
from claims.language.statement.rulesets import Move, Ruleset

Position = tuple[int, ...]
Values = Mapping[str, Any]
Games = Callable[[str, Values], "Game"]  # the game of a name, its parameters evaluated in an environment


class IllDefined(Exception):
    """An expression has no value at this case: division by zero, a negative nim-sum, an index outside its list, ..."""


class LimitReached(Exception):
    """A value that may well be there is too much to compute; the message says of what there is too much."""

    def __str__(self) -> str:
        return super().__str__().replace("_", " ")


def position_key(s: Position) -> tuple[int, int, Position]:
    """The order of positions: fewest heaps, then least total, then ascending heaps lexicographically."""
    return (len(s), sum(s), s)


def no_games(name: str, _: Values) -> Game:
    """For the expressions of a ruleset, which ask about no game."""
    raise AssertionError(name)


class Game:
    """A ruleset with its parameters bound to values. `sums`: trust that Grundy values of heaps add by nim-addition."""

    def __init__(self, ruleset: Ruleset, parameters: Values, steps: Steps, sums: bool = False) -> None:
        self.sums = sums and ruleset.impartial and not ruleset.sees_position and ruleset.measure is None
        self.sums = self.sums and all(m.choose == "any" and len(m.heaps) == 1 for m in ruleset.moves)
        self.ruleset, self.parameters, self.steps = ruleset, dict(parameters), steps
        for p in ruleset.parameters:
            value = parameters[p.name]
            if p.kind == "int" and not (p.lo <= value and (p.hi is None or value <= p.hi)):
                bounds = f"{p.lo}..{'' if p.hi is None else p.hi}"
                raise IllDefined(f"{p.name} = {digits(value)} is outside {bounds} of {ruleset.id}")
        self.players = len(ruleset.players) or parameters[ruleset.player_count]
        self._options: dict[tuple[Position, int], tuple[Position, ...]] = {}
        self._solved: dict[tuple[str, Position, int], Any] = {}

    def options(self, s: Position, mover: int) -> tuple[Position, ...]:
        """The positions one legal move away, each once, in order."""
        if not 0 <= mover < self.players:
            raise IllDefined(f"there is no player {digits(mover)} among {digits(self.players)}")
        key = (s, 0 if self.ruleset.impartial else mover)
        if key not in self._options:
            env = {**self.parameters, "mover": mover, "s": s}
            found = {o for move in self.ruleset.moves for o in self._move(move, s, env)}
            measure = self._measure(s)
            for option in found:
                if self._measure(option) >= measure or measure < 0:
                    raise IllDefined(f"in {self.ruleset.id} the move {s} -> {option} does not decrease the measure")
            self._options[key] = tuple(sorted(found, key=position_key))
        return self._options[key]

    def _measure(self, s: Position) -> int:
        measure = self.ruleset.measure
        return sum(s) if measure is None else evaluate(measure, {**self.parameters, "s": s}, no_games, self.steps)

    def _move(self, move: Move, s: Position, env: Values) -> Iterator[Position]:
        if move.choose == "each":
            low, high = (evaluate(x, env, no_games, self.steps) for x in (move.at_least, move.at_most) if x)
            for count in range(max(low, 0), min(high, len(s)) + 1):
                self.steps.take(math.comb(len(s), count))
                for heaps in sorted(set(combinations(s, count))):
                    for parts in product(*(list(self._become(move, env, (h,))) for h in heaps)):
                        yield _replaced(s, heaps, sum(parts, ()))
            return
        if move.choose == "any":
            self.steps.take(math.perm(len(s), len(move.heaps)))
            choices: Iterable[Position] = set(permutations(s, len(move.heaps)))
        else:
            choices = ((s[-1] if move.choose == "largest" else s[0],),) if s else ()
        for chosen in choices:
            for sizes in self._become(move, env, chosen):
                yield _replaced(s, chosen, sizes)

    def _become(self, move: Move, env: Values, chosen: Position) -> Iterator[Position]:
        picked: list[Values] = [{**env, **dict(zip(move.heaps, chosen, strict=True))}]
        for pick in move.picks:
            picked = [{**e, pick.name: x} for e in picked for x in _picks(pick.domain, e, self.steps)]
        for e in picked:
            if move.where is None or evaluate(move.where, e, no_games, self.steps):
                yield tuple(evaluate(b, e, no_games, self.steps) for b in move.become)

    def wins(self, s: Position, mover: int) -> bool:
        """Two players: whether the mover can force a win."""
        return bool(self._solve("value", s, mover) == 0)

    def value(self, s: Position, mover: int) -> int:
        """The offset, from the mover, of the player who wins; everyone prefers the winner soonest after himself."""
        return int(self._solve("value", s, mover))

    def grundy(self, s: Position) -> int:
        """The Grundy value; ill-defined where, at s or below, the players' options differ."""
        parts = ((h,) for h in s) if self.sums else (s,)
        return functools.reduce(operator.xor, (int(self._solve("grundy", part, 0)) for part in parts), 0)

    def _solve(self, question: str, s: Position, mover: int) -> Any:
        todo, wanted = [(s, mover)], (question, s, mover)
        while todo:
            s, mover = todo[-1]
            if (question, s, mover) in self._solved:
                todo.pop()
                continue
            follower = 0 if question == "grundy" or self.ruleset.impartial else (mover + 1) % self.players
            options = self.options(s, mover)
            parts = {(h,) for o in options for h in o} if question == "grundy" and self.sums else options
            missing = [(o, follower) for o in parts if (question, o, follower) not in self._solved]
            if missing:
                todo += missing
                continue
            todo.pop()
            self.steps.take(1 + len(options))
            values = [self.grundy(o) if parts is not options else self._solved[question, o, follower] for o in options]
            if question == "grundy":
                if any(self.options(s, other) != options for other in range(1, self.players)):
                    raise IllDefined(f"the players' options at {s} differ: it has no Grundy value")
                answer = mex(values)
            elif not options:
                answer = 0 if self.ruleset.stuck_wins else self.players - 1
            else:
                answer = min((v + 1) % self.players for v in values)
            self._solved[question, s, mover] = answer
        return self._solved[wanted]


def _replaced(s: Position, chosen: Position, sizes: Position) -> Position:
    rest = list(s)
    for h in chosen:
        rest.remove(h)
    return position((*rest, *sizes))


def _picks(domain: Interval | t.Term, env: Values, steps: Steps) -> Iterable[int]:
    if isinstance(domain, Interval) and domain.hi is not None:
        first, last = (evaluate(x, env, no_games, steps) for x in (domain.lo, domain.hi))
        steps.take(max(0, last - first))
        return range(first, last + 1)
    assert isinstance(domain, t.Term)
    return tuple(evaluate(domain, env, no_games, steps))


class Steps:
    """A count of evaluation steps with an upper bound."""

    def __init__(self, limit: int) -> None:
        self.limit = self.left = limit

    def take(self, count: int = 1) -> None:
        self.left -= count
        if self.left < 0:
            raise LimitReached(f"more than {self.limit:_} steps of evaluation")


class Referee:
    """Judges the cases of one claim. `steps` bounds the whole work; past it, LimitReached. `sums`: as for `Game`."""

    def __init__(self, claim: Claim, steps: int = 50_000_000, sums: bool = False) -> None:
        self.claim, self.steps, self.sums = claim, Steps(steps), sums
        self._games: dict[Any, Game] = {}

    def judge(self, case: Values) -> str:
        """One of "holds", "fails", "hypotheses fail", "outside" (no case of the domains). Raises IllDefined."""
        if not self._inside(case):
            return "outside"
        if self.claim.hypothesis is not None and not self.evaluate(self.claim.hypothesis, case):
            return "hypotheses fail"
        return "holds" if self.evaluate(self.claim.conclusion, case) else "fails"

    def evaluate(self, term: t.Term, case: Values) -> Any:
        """The value of a term of the claim at a case (variable -> value)."""
        return evaluate(term, case, self.game, self.steps)

    def game(self, name: str, case: Values) -> Game:
        """The game of that name with its parameters evaluated at a case. Raises IllDefined outside their domains."""
        game = self.claim.game(name)
        values = tuple((parameter, evaluate(x, case, self.game, self.steps)) for parameter, x in game.arguments)
        if (name, values) not in self._games:
            self._games[name, values] = Game(game.ruleset, dict(values), self.steps, self.sums)
        return self._games[name, values]

    def _inside(self, case: Values) -> bool:
        for v in self.claim.variables:
            x = case[v.name]
            match v.domain:
                case d.Interval(lo=lo, hi=hi):
                    inside = self.evaluate(lo, case) <= x and (hi is None or x <= self.evaluate(hi, case))
                case d.Positions():
                    inside = x == tuple(sorted(x)) and all(h >= 1 for h in x)
                case d.Players(count=count):
                    inside = 0 <= x < count
                case d.Listed(values=values):
                    inside = x in values
                case d.ElementsOf(source=source):
                    inside = x in self.evaluate(source, case)
                case d.Subsets(lo=low, hi=high):
                    inside = x == tuple(sorted(set(x))) and all(low <= i <= high for i in x)
            if not inside:
                return False
        return True


def evaluate(term: t.Term, env: Values, games: Games, steps: Steps) -> Any:
    """The value of `term`: the definition of the language's semantics. Raises IllDefined and LimitReached."""
    steps.take()

    def value(x: t.Term) -> Any:
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
            return collected(term.type, [value(x) for x in items])
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
                return collected(term.type, list(found))
            return operate(reducer, [tuple(found)], steps)
    raise AssertionError(term)


def _cases(clauses: tuple[t.Clause, ...], env: Values, games: Games, steps: Steps) -> Iterator[Values]:
    if not clauses:
        yield env
        return
    first = clauses[0]
    for item in evaluate(first.source, env, games, steps):
        inner = {**env, first.variable: item}
        if all(evaluate(c, inner, games, steps) for c in first.conditions):
            yield from _cases(clauses[1:], inner, games, steps)


def ask(game: Game, function: str, args: list[Any]) -> Any:
    """A question about a game, as `claims.language.expressions.terms.GameCall` lists them."""
    match function, args:
        case "options", [s, mover]:
            return game.options(s, mover)
        case "legal", [s, option, mover]:
            return option in game.options(s, mover)
        case "terminal", [s, mover]:
            return not game.options(s, mover)
        case "outcome", [s]:
            first, second = game.wins(s, 0), game.wins(s, 1)
            return t.OUTCOMES.index(("P_position", "second_wins", "first_wins", "N_position")[2 * first + second])
        case (("wins" | "value" | "grundy"), _):
            return getattr(game, function)(*args)
    raise AssertionError(function)


def operate(op: str, args: list[Any], steps: Steps) -> Any:
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
        return _PLAIN[op](*args)
    match op:
        case "pow":
            if y < 0:
                raise IllDefined("a negative exponent")
            if (_bits(x) - 1) * y >= MAX_POWER_BITS:  # the least it can have
                raise LimitReached(f"a power of more than {MAX_POWER_BITS:_} bits")
            return x**y
        case "top_bit":
            if x <= 0:
                raise IllDefined("top_bit of a number below 1")
            return x.bit_length() - 1
        case "range":
            if y - x > MAX_RANGE:
                raise LimitReached(f"a range of more than {MAX_RANGE:_} integers")
            steps.take(max(0, y - x))
            return tuple(range(x, y))
        case "nim_sum":
            if any(i < 0 for i in x):
                raise IllDefined("a nim-sum of negative numbers")
            return functools.reduce(operator.xor, x, 0)
        case "index":
            if not 0 <= y < len(x):
                raise IllDefined(f"index {digits(y)} of {len(x)} elements")
            return x[y]
        case "replace":
            if args[1] not in x:
                raise IllDefined(f"no heap of {digits(args[1])} in {x}")
            return _replaced(x, (args[1],), (y,))
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


def collected(kind: Type, items: list[Any]) -> tuple[Any, ...]:
    """A list as a tuple; a set as the ascending tuple of its distinct elements."""
    if kind.kind == "list":
        return tuple(items)
    return tuple(sorted(set(items), key=position_key if kind.element == POSITION else None))


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
