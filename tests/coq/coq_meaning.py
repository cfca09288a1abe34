"""The meaning of a statement parsed from Coq text, for small numbers, in plain Python with separate play.

Numbers are natural, and a difference is cut off at 0, except among integers. A position is a tuple of heaps, as in Coq:
heaps of 0 and the order of the heaps do not matter.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, gcd, isqrt
from operator import xor
from typing import Any

from coq_terms import Statement, Term, read_statement

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined
from claims.language.files.claim import Claim
from claims.language.files.domains import ClaimVariable, ListedDomain
from claims.language.syntax.meanings import nim_sum_ways
from claims.language.syntax.terms import INT, PLAYER, POSITION

POSITIONS = [(), (1,), (2,), (3,), (1, 1), (1, 2), (2, 2), (2, 3), (1, 1, 2), (1, 2, 3)]
MORE = [
    (4,),
    (2, 4),
    (2, 3, 3),
    (1, 3),
    (3, 3),
    (1, 1, 1),
    (2, 2, 2),
    (1, 2, 2),
    (2, 2, 3),
    (1, 1, 1, 2),
    (1, 2, 2, 2),
    (1, 1, 2, 3),
]
KINDS = {INT: "N", POSITION: "position", PLAYER: "player"}
Env = Mapping[str, Any]
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("=", "=?"), lambda a, b: a == b),
    "≡": lambda a, b: _position(a) == _position(b),
    "<>": lambda a, b: a != b,
    **dict.fromkeys(("<=", "<=?"), lambda a, b: a <= b),
    **dict.fromkeys(("<", "<?"), lambda a, b: a < b),
    "∈": lambda a, b: a > 0 and a in b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: max(0, a - b),
    **dict.fromkeys(("Z -", "Q -"), lambda a, b: a - b),
    "Q /": lambda a, b: Fraction(a) / b if b else Fraction(0),
    "==": lambda a, b: a == b,
    "++": lambda a, b: a + b,
    "^": lambda a, b: a**b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else a,
    "⊕": xor,
    "<->": lambda a, b: a is b,
}
_LAZY = {"/\\": False, "&&": False, "\\/": True, "||": True}


class Endless(Exception):
    """A move does not decrease the measure: twice the number of objects minus the number of heaps."""


def _position(heaps: Any) -> tuple[int, ...]:
    return tuple(sorted(h for h in heaps if h))


def _weigh(heaps: Iterable[int]) -> int:
    return sum(2 * h - 1 for h in heaps if h)


def _replace(s: tuple[int, ...], h: int, y: int) -> tuple[int, ...]:
    if h not in s:
        return s
    at = s.index(h)
    return (*s[:at], y, *s[at + 1 :])


def _columns(s: tuple[int, ...], m: int, r: int) -> int:
    return sum(2**i for i in range(20) if sum(h >> i & 1 for h in s) % m == r)


def _digit_sum(x: int, b: int) -> int:
    return x % b + _digit_sum(x // b, b) if x else 0


def _valuation(x: int, p: int) -> int:
    return 1 + _valuation(x // p, p) if x % p == 0 else 0


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
    "N.lor": lambda a, b: a | b,
    "N.log2": lambda a: a.bit_length() - 1 if a else 0,
    "N.gcd": gcd,
    "N.sqrt": isqrt,
    "Z.of_N": lambda a: a,
    "Z.to_N": lambda a: max(0, a),
    "nim_sum": lambda s: reduce(xor, s, 0),
    "nim_sum_of": lambda f, s: reduce(xor, map(f, _position(s)), 0),
    "only": lambda p, f: lambda h: f(h) if p(h) else 0,
    "count": lambda p, s: sum(map(p, _position(s))),
    "number": lambda s: len(_position(s)),
    "total": sum,
    "heaps": lambda s: tuple(filter(None, s)),
    "largest": lambda s: max(s, default=0),
    "least": lambda s: min(_position(s), default=0),
    "times_of_largest": lambda s: s.count(max(s)) if any(s) else 0,
    "times": lambda s: s.count(min(_position(s))) if any(s) else 0,
    "replace": _replace,
    "In": lambda x, c: x in c,
    "map": lambda f, c: tuple(map(f, c)),
    "filter": lambda f, c: tuple(filter(f, c)),
    "flat_map": lambda f, c: tuple(y for x in c for y in f(x)),
    "existsb": lambda f, c: any(map(f, c)),
    "forallb": lambda f, c: all(map(f, c)),
    "range": lambda a, b: tuple(range(a, b)),
    "item": lambda c, i: c[i] if i < len(c) else 0,
    "sorted": lambda c: tuple(sorted(c)),
    "heap_at": lambda s, i: _position(s)[i] if i < len(_position(s)) else 0,
    "length_of": len,
    "nim_sum_ways": nim_sum_ways,
    "rational": Fraction,
    "rational_sum": lambda c: sum(c, Fraction(0)),
    "how_many": lambda p, c: sum(map(p, c)),
    "sum_over": lambda f, c: sum(map(f, c)),
    "bit": lambda x, i: x >> i & 1,
    "popcount": int.bit_count,
    "digit_sum": _digit_sum,
    "valuation": _valuation,
    "columns": _columns,
}
ON = {"on_one": 1, "on_two": 2, "on_three": 3, "on_four": 4}
MOVES, WINS = ("move", "split_move", "step"), ("wins", "split_wins", "rules_wins")
VALUES, WINNERS = ("values", "split_values", "rules_values"), ("winner", "rules_winner")
MOST_POSITIONS = 600


class Played:
    """A game with its parameters: moves by trying every size, the winner by play."""

    def __init__(self, game: Any, arguments: tuple[int, ...], meaning: Meaning) -> None:
        self.game, self.given, self.meaning = game, dict(zip(game.parameters, arguments, strict=True)), meaning
        self._becomes: dict[tuple[int, int], tuple[int, ...]] = {}
        self._parts: dict[tuple[int, int], frozenset[tuple[int, ...]]] = {}
        self._options: dict[tuple[int, tuple[int, ...]], set[tuple[int, ...]]] = {}
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
            self._parts[mover, h] = frozenset(map(_position, self._made(self.game.becomes, env, "o", (h,))))
        return self._parts[mover, h]

    def _made(self, term: Term, env: Env, made: str, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield the heaps that a move may put in the place of the chosen heaps."""
        if term[0] == "\\/":
            for part in term[1:]:
                yield from self._made(part, env, made, chosen)
            return
        for heaps in self.meaning.solutions(term, env, max(chosen) + 2, made):
            if _weigh(heaps) >= _weigh(chosen):
                raise Endless
            yield heaps

    def _kinds(self, term: Term) -> Iterator[tuple[int, bool, tuple[str, ...], Term]]:
        """Yield for each kind of move: the number of heaps, whether each is moved alone, bound names, the condition."""
        match term:
            case ("++", *parts):
                for part in parts:
                    yield from self._kinds(part)
            case ("list", *kinds):
                for _, (_, word), (_, names, body) in kinds:
                    yield ON[word], False, names, body
            case ("apply", (_, "map"), (_, (_, "on_each"), (_, names, body)), (_, (_, "from_to"), low, high)):
                low, high = (self.meaning.evaluate(x, self.given, 0) for x in (low, high))
                for count in range(low, high + 1):
                    yield count, True, names, body
            case _:
                raise AssertionError(term)

    def _steps(self, mover: int, s: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for count, alone, (own, whole, *heaps, made), body in self._kinds(self.game.becomes):
            if count == 0:
                raise Endless
            env = {**self.given, own: mover, whole: s}
            for chosen in set((combinations if alone else permutations)(s, count)):
                rest = reduce(_without, chosen, s)
                if alone:
                    ways = [list(self._made(body, {**env, heaps[0]: h}, made, (h,))) for h in chosen]
                    yield from (_position((*rest, *sum(parts, ()))) for parts in product(*ways))
                    continue
                inner = {**env, **dict(zip(heaps, chosen, strict=True))}
                yield from (_position((*rest, *o)) for o in self._made(body, inner, made, chosen))

    def options(self, mover: int, s: tuple[int, ...]) -> set[tuple[int, ...]]:
        if (mover, s) not in self._options:
            self._options[mover, s] = set(self._list_options(mover, s))
        return self._options[mover, s]

    def _list_options(self, mover: int, s: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        if self.game.type == "rules":
            return self._steps(mover, s)
        if self.game.type == "splitting":
            return {_position((*_without(s, h), *o)) for h in set(s) for o in self.splits(mover, h)}
        chosen = {s[-1]} if s and self.game.of_largest else set(s)
        return {_position(_replace(s, h, y)) for h in chosen for y in self.becomes(mover, h)}

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
            assert term[0] in ("forall", "exists")
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
                return tuple(self.evaluate(x, env, most) for x in items)
            case ("not", x):
                return not self.evaluate(x, env, most)
            case ("->", a, b):
                return self.evaluate(b, env, most) if self.evaluate(a, env, most) else True
            case ("if", c, a, b):
                return self.evaluate(a if self.evaluate(c, env, most) else b, env, most)
            case ("fun", names, body):
                return lambda *given: self.evaluate(body, {**env, **dict(zip(names, given, strict=True))}, most)
            case ("forall" | "exists" as what, name, kind, body):
                running = self._running(name, kind, body, env, most)
                each = (self.evaluate(body, {**env, name: x}, most) for x in running)
                return any(each) if what == "exists" else all(each)
            case ("apply", head, *args):
                return self._apply(self.evaluate(head, env, most), [self.evaluate(x, env, most) for x in args])
            case (sign, a, b) if sign in _LAZY:
                left = self.evaluate(a, env, most)
                return left if left is _LAZY[sign] else self.evaluate(b, env, most)
            case (sign, a, b):
                return _SIGNS[sign](self.evaluate(a, env, most), self.evaluate(b, env, most))
        raise AssertionError(term)

    def solutions(self, term: Term, env: Env, most: int, made: str) -> Iterator[tuple[int, ...]]:
        """Yield the heaps `made` for which the term holds. Conditions on numbers are evaluated as early as possible."""
        names, parts = list[str](), [term]
        while parts[0][0] == "exists":
            names.append(parts[0][1])
            parts = [parts[0][3]]
        asked = [(part, _names(part)) for part in self.parts(parts[0])]

        def run(at: int, inner: dict[str, Any]) -> Iterator[tuple[int, ...]]:
            unknown = {*names[at:], made}
            last = names[at - 1] if at else ""
            now = [part for part, used in asked if not used & unknown and (last in used or not at)]
            if not all(self.evaluate(part, inner, most) for part in now):
                return
            if at == len(names):
                (left,) = (part for part, used in asked if made in used)
                assert left[:2] == ("=", ("name", made))
                yield self.evaluate(left[2], inner, most)
                return
            for x in range(most + 1):
                yield from run(at + 1, {**inner, names[at]: x})

        yield from run(0, dict(env))

    def _running(self, name: str, kind: str, body: Term, env: Env, most: int) -> Iterable[Any]:
        """Return the values over which a variable runs.

        They include all for which an atom of the body, such as `x ∈ s` or `move g p s t`, may hold.
        """
        if kind == "player":
            return (0, 1)
        if kind == "N":
            found = {y for x in self._atoms(name, body, env) for y in (range(x + 1) if isinstance(x, int) else x)}
            return sorted({*range(most + 1), *found})
        if kind == "position":
            found = {x for x in self._atoms(name, body, env) if isinstance(x, tuple)}
            seen = [x for x in env.values() if isinstance(x, tuple)]
            heaps, size = max(map(len, seen), default=2), max((max(x, default=0) for x in seen), default=2)
            if comb(heaps + size, size) <= MOST_POSITIONS:
                for count in range(heaps + 1):
                    found |= set(combinations_with_replacement(range(1, size + 1), count))
            return sorted(found)
        game = self._find_game(name, body, env, most)  # exists grundy, values g grundy /\\ ...: it is unique
        return (lambda s: game.value(_position(s), None),)

    def _find_game(self, name: str, body: Term, env: Env, most: int) -> Played:
        for part in self.parts(body):
            if part[0] == "exists":
                return self._find_game(name, part[3], env, most)
            if part[0] == "apply" and part[1][1] in VALUES and part[-1] == ("name", name):
                return self.evaluate(part[2], env, most)
        raise AssertionError(body)

    def _atoms(self, name: str, term: Any, env: Env) -> Iterator[Any]:
        """Yield possible values of a variable: those that atoms of a term allow, as far as `env` tells them.

        For a number, also yield upper bounds as integers, and collections of values as tuples.
        """
        if not isinstance(term, tuple):
            return
        known = {*env, *self.statement.players, *self.statement.games, *FUNCTIONS, *MOVES, *WINS}
        this = ("name", name)
        match term:
            case ("∈", x, s) if x == this and _names(s) <= known:
                yield tuple(self.evaluate(s, env, 0))
            case ("apply", (_, "In"), x, c) if x == this and _names(c) <= known:
                yield tuple(self.evaluate(c, env, 0))
            case ("<" | "<=" | "=", x, y) if name in _names(x) and _names(y) <= known and not _binds(y):
                yield min(self.evaluate(y, env, 0), 200)
            case ("≡", x, y) if x == this and _names(y) <= known:
                yield _position(self.evaluate(y, env, 0))
            case ("apply", (_, word), game, mover, s, x) if word in MOVES and x == this and _names((mover, s)) <= known:
                one, at = self.evaluate(mover, env, 0), _position(self.evaluate(s, env, 0))
                yield from self.evaluate(game, env, 0).options(one, at)
        for part in term[1:]:
            yield from self._atoms(name, part, env)

    def _apply(self, head: Any, args: list[Any]) -> Any:
        match head:
            case ("game", name):
                return self._game(name, tuple(args))
            case ("asked", word) if word in WINS:
                game, mover, s = args
                return game.wins(mover, _position(s))
            case ("asked", word) if word in MOVES:
                game, mover, s, left = args
                return _position(left) in game.options(mover, _position(s))
            case ("asked", word) if word in WINNERS:
                game, players, s, v = args
                return game.value(_position(s), players) == v
            case ("asked", word) if word in VALUES:
                return True  # for the bound function; see `_running`
            case ("asked", "becomes"):
                game, mover, h, y = args
                return y in game.becomes(mover, h)
            case ("asked", "parts"):
                game, mover, h, o = args
                return _position(o) in game.splits(mover, h)
        return head(*args)


def _binds(term: Any) -> bool:
    return isinstance(term, tuple) and (term[0] in ("forall", "exists") or any(map(_binds, term[1:])))


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
        if claim.quantifier == "exists" and said not in ("holds", "fails"):
            continue  # a case outside the domains makes an [exists] claim neither true nor false
        assert meaning.at(read.claimed, case, 14) is (said != "fails"), (case, said, text)
    return found


def _values(variable: ClaimVariable, numbers: int) -> Sequence[Any]:
    if isinstance(variable.domain, ListedDomain):
        return [*variable.domain.values, *(POSITIONS if KINDS[variable.type] == "position" else range(numbers + 1))]
    return {"N": range(numbers + 1), "position": [*POSITIONS, *MORE], "player": (0, 1)}[KINDS[variable.type]]


def some(claim: Claim, count: int, numbers: int = 4) -> list[tuple]:
    """Return some cases: as far as possible, as many in which the claim holds or fails as others."""
    rng, referee, found = random.Random(1), Referee(claim), {True: list[tuple](), False: list[tuple]()}
    cases = list(product(*(_values(v, numbers) for v in claim.variables)))
    for case in rng.sample(cases, min(200, len(cases))):
        try:
            said = referee.judge(dict(zip((v.name for v in claim.variables), case, strict=True)))
        except IllDefined:
            said = "ill-defined"
        found[said in ("holds", "fails")].append(case)
    half = count // 2
    return [*found[True][: max(half, count - len(found[False]))], *found[False][:half]]
