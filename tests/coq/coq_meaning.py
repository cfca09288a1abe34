"""The meaning of a statement parsed from Coq text, for small numbers, in plain Python with separate play.

Numbers are natural, a difference is cut off at 0, a position is the sorted tuple of its heaps above 0.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import combinations_with_replacement, product
from operator import xor
from typing import Any

from coq_terms import Statement, Term, read_statement

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined
from claims.language.files.claim import Claim
from claims.language.syntax.terms import INT, PLAYER, POSITION

POSITIONS = [(), (1,), (2,), (3,), (1, 1), (1, 2), (2, 2), (2, 3), (1, 1, 2), (1, 2, 3)]
KINDS = {INT: "N", POSITION: "position", PLAYER: "player"}
Env = Mapping[str, Any]
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("=", "=?", "≡"), lambda a, b: a == b),
    "<>": lambda a, b: a != b,
    **dict.fromkeys(("<=", "<=?"), lambda a, b: a <= b),
    **dict.fromkeys(("<", "<?"), lambda a, b: a < b),
    "∈": lambda a, b: a > 0 and a in b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: max(0, a - b),
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else a,
    "⊕": xor,
    "<->": lambda a, b: a is b,
}
_LAZY = {"/\\": False, "&&": False, "\\/": True, "||": True}


class Endless(Exception):
    """A move makes no heap smaller."""


def _position(heaps: Any) -> tuple[int, ...]:
    return tuple(sorted(h for h in heaps if h))


def _replace(s: tuple[int, ...], h: int, y: int) -> tuple[int, ...]:
    if h not in s:
        return s
    at = s.index(h)
    return _position((*s[:at], y, *s[at + 1 :]))


FUNCTIONS: dict[str, Any] = {
    "First": 0,
    "Second": 1,
    "true": True,
    "false": False,
    "True": True,
    "False": False,
    "negb": lambda a: not a,
    "same_player": lambda a, b: a == b,
    "Bool.eqb": lambda a, b: a is b,
    "N.min": min,
    "N.max": max,
    "N.land": lambda a, b: a & b,
    "nim_sum": lambda s: reduce(xor, s, 0),
    "nim_sum_of": lambda f, s: reduce(xor, map(f, s), 0),
    "only": lambda p, f: lambda h: f(h) if p(h) else 0,
    "count": lambda p, s: sum(map(p, s)),
    "number": len,
    "largest": lambda s: max(s, default=0),
    "least": lambda s: min(s, default=0),
    "times_of_largest": lambda s: s.count(max(s)) if s else 0,
    "times": lambda s: s.count(min(s)) if s else 0,
    "replace": _replace,
}


class Played:
    """A game with its parameters: moves by trying every size, the winner by play."""

    def __init__(self, game: Any, arguments: tuple[int, ...], meaning: Meaning) -> None:
        self.game, self.given, self.meaning = game, dict(zip(game.parameters, arguments, strict=True)), meaning
        self._becomes: dict[tuple[int, int], tuple[int, ...]] = {}
        self._parts: dict[tuple[int, int], frozenset[tuple[int, ...]]] = {}
        self._wins: dict[tuple[int, tuple[int, ...]], bool] = {}
        self._values: dict[tuple[Any, tuple[int, ...]], int] = {}

    def becomes(self, mover: int, h: int) -> tuple[int, ...]:
        if (mover, h) not in self._becomes:
            env, most = {**self.given, "mover": mover, "h": h}, 2 * max((h, *self.given.values())) + 2
            found = tuple(
                y for y in range(most) if self.meaning.evaluate(self.game.becomes, {**env, "y": y}, most + 1) is True
            )
            if any(y >= h for y in found) and h:
                raise Endless
            self._becomes[mover, h] = found
        return self._becomes[mover, h]

    def splits(self, mover: int, h: int) -> frozenset[tuple[int, ...]]:
        """Return the new heaps after each move on a heap, for a game in which heaps are split."""
        if (mover, h) not in self._parts:
            env = {**self.given, "mover": mover, "h": h}
            found = frozenset(self.meaning.solutions(self.game.becomes, env, h + 2))
            if any(sum(o) >= h for o in found) and h:
                raise Endless
            self._parts[mover, h] = found
        return self._parts[mover, h]

    def options(self, mover: int, s: tuple[int, ...]) -> set[tuple[int, ...]]:
        if self.game.splits:
            return {_position((*_without(s, h), *o)) for h in set(s) for o in self.splits(mover, h)}
        chosen = {s[-1]} if s and self.game.of_largest else set(s)
        return {_replace(s, h, y) if y else _without(s, h) for h in chosen for y in self.becomes(mover, h)}

    def wins(self, mover: int, s: tuple[int, ...]) -> bool:
        if (mover, s) not in self._wins:
            options = self.options(mover, s)
            won = any(not self.wins(1 - mover, x) for x in options) if options else self.game.stuck_wins
            self._wins[mover, s] = won
        return self._wins[mover, s]

    def value(self, s: tuple[int, ...], players: int | None) -> int:
        """Return the mex of the options' values; with n players, the least of one more than those values."""
        if (players, s) not in self._values:
            found = {self.value(x, players) for x in self.options(0, s)}
            if players is None:
                made = next(v for v in range(len(found) + 1) if v not in found)
            else:
                stuck = 0 if self.game.stuck_wins else players - 1
                made = min(((v + 1) % players for v in found), default=stuck) if players else 0
            self._values[players, s] = made
        return self._values[players, s]


def _names(term: Any) -> set[str]:
    if not isinstance(term, tuple):
        return set()
    return {term[1]} if term[0] == "name" else set().union(*map(_names, term))


def _without(s: tuple[int, ...], h: int) -> tuple[int, ...]:
    at = s.index(h)
    return (*s[:at], *s[at + 1 :])


class Meaning:
    """An evaluator for the terms of one statement. Variables without bound run over small values."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self._games: dict[tuple[str, tuple[int, ...]], Played] = {}

    def at(self, term: Term, case: tuple[Any, ...], most: int) -> bool:
        """Return the value of a proposition for these values of its first variables."""
        env: dict[str, Any] = {}
        for value in case:
            assert term[0] == "forall"
            env[term[1]] = value
            term = term[3]
        return self.evaluate(term, env, most)

    def parts(self, term: Term) -> Iterator[Term]:
        """Yield the conjuncts of a proposition."""
        if term[0] == "/\\":
            for part in term[1:]:
                yield from self.parts(part)
        else:
            yield term

    def _game(self, name: str, arguments: tuple[int, ...]) -> Played:
        if (name, arguments) not in self._games:
            self._games[name, arguments] = Played(self.statement.games[name], arguments, self)
        return self._games[name, arguments]

    def _name(self, name: str, env: Env) -> Any:
        if name in env:
            return env[name]
        if name in self.statement.players:
            return self.statement.players.index(name)
        if name in self.statement.games:
            return self._game(name, ()) if not self.statement.games[name].parameters else ("game", name)
        return FUNCTIONS.get(name, ("asked", name))

    def evaluate(self, term: Term, env: Env, most: int) -> Any:
        """Return the value of a term; numbers run up to `most`."""
        match term:
            case ("number", value):
                return value
            case ("name", name):
                return self._name(name, env)
            case ("list", *items):
                return _position(self.evaluate(x, env, most) for x in items)
            case ("not", x):
                return not self.evaluate(x, env, most)
            case ("->", a, b):
                return self.evaluate(b, env, most) if self.evaluate(a, env, most) else True
            case ("if", c, a, b):
                return self.evaluate(a if self.evaluate(c, env, most) else b, env, most)
            case ("fun", name, body):
                return lambda x: self.evaluate(body, {**env, name: x}, most)
            case ("forall" | "exists" as what, name, kind, body):
                each = (self.evaluate(body, {**env, name: x}, most) for x in self._running(kind, body, env, most))
                return any(each) if what == "exists" else all(each)
            case ("apply", head, *args):
                return self._apply(self.evaluate(head, env, most), [self.evaluate(x, env, most) for x in args])
            case (sign, a, b) if sign in _LAZY:
                left = self.evaluate(a, env, most)
                return left if left is _LAZY[sign] else self.evaluate(b, env, most)
            case (sign, a, b):
                return _SIGNS[sign](self.evaluate(a, env, most), self.evaluate(b, env, most))
        raise AssertionError(term)

    def solutions(self, term: Term, env: Env, most: int) -> Iterator[tuple[int, ...]]:
        """Yield the heaps `o` for which the term holds. Conditions on numbers are evaluated as early as possible."""
        names, parts = list[str](), [term]
        while parts[0][0] == "exists":
            names.append(parts[0][1])
            parts = [parts[0][3]]
        asked = [(part, _names(part)) for part in self.parts(parts[0])]

        def run(at: int, inner: dict[str, Any]) -> Iterator[tuple[int, ...]]:
            unknown = {*names[at:], "o"}
            last = names[at - 1] if at else ""
            now = [part for part, used in asked if not used & unknown and (last in used or not at)]
            if not all(self.evaluate(part, inner, most) for part in now):
                return
            if at == len(names):
                (left,) = (part for part, used in asked if "o" in used)
                assert left[:2] == ("=", ("name", "o"))
                yield self.evaluate(left[2], inner, most)
                return
            for x in range(most + 1):
                yield from run(at + 1, {**inner, names[at]: x})

        yield from run(0, dict(env))

    def _running(self, kind: str, body: Term, env: Env, most: int) -> Iterator[Any]:
        if kind == "N":
            yield from range(most + 1)
        elif kind == "player":
            yield from (0, 1)
        elif kind == "position":
            seen = [x for x in env.values() if isinstance(x, tuple)]
            heaps, size = max(map(len, seen), default=2), max((max(x, default=0) for x in seen), default=2)
            for count in range(heaps + 1):
                yield from combinations_with_replacement(range(1, size + 1), count)
        else:  # exists grundy, values g grundy /\ ...: it is unique
            assert body[0] == "/\\" and body[1][1] in (("name", "values"), ("name", "split_values"))
            game = self.evaluate(body[1][2], env, most)
            yield lambda s: game.value(s, None)

    def _apply(self, head: Any, args: list[Any]) -> Any:
        match head:
            case ("game", name):
                return self._game(name, tuple(args))
            case ("asked", "wins" | "split_wins"):
                game, mover, s = args
                return game.wins(mover, s)
            case ("asked", "move" | "split_move"):
                game, mover, s, left = args
                return left in game.options(mover, s)
            case ("asked", "winner"):
                game, players, s, v = args
                return game.value(s, players) == v
            case ("asked", "values" | "split_values"):
                return True  # for the bound function; see `_running`
        return head(*args)


def boxes(kinds: list[str], numbers: int, positions: list[tuple[int, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield all cases of variables of these types."""
    ranges = {"N": range(numbers + 1), "position": positions, "player": (0, 1)}
    return product(*(ranges[k] for k in kinds))


# -- comparison with the referee --------------------------------------------------------------------------------------
def compare(claim: Claim, text: str, cases: Iterable[tuple]) -> Counter:
    """Return the number of agreements of the statement with the referee, by the referee's answer; fail otherwise."""
    read = read_statement(text)
    meaning, referee, found = Meaning(read), Referee(claim), Counter()
    for case in cases:
        try:
            said = referee.judge(dict(zip((v.name for v in claim.variables), case, strict=True)))
        except IllDefined:
            said = "ill-defined"
        found[said] += 1
        try:
            if not all(meaning.at(part, case, 6) for part in meaning.parts(read.defined)):
                found["said to be undefined"] += 1
                continue
        except Endless:
            continue
        assert said != "ill-defined", (case, text)
        assert meaning.at(read.claimed, case, 14) is (said != "fails"), (case, said, text)
    return found


def some(claim: Claim, count: int, numbers: int = 3) -> list[tuple]:
    cases = list(boxes([KINDS[v.type] for v in claim.variables], numbers, POSITIONS))
    return random.Random(1).sample(cases, min(count, len(cases)))
