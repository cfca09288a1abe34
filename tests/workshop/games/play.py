"""A third player: small games solved in plain Python from the texts of their rules, to guess what may be true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import combinations_with_replacement
from math import gcd, isqrt
from operator import and_, or_, xor
from types import CodeType
from typing import Any

Position = tuple[int, ...]


def nim_sum(numbers: Any) -> int:
    return reduce(xor, numbers, 0)


def count(truths: Any) -> int:
    return sum(map(bool, truths))


def columns(numbers: Any, b: int, r: int) -> int:
    """A 1 in each binary place where the number of 1s leaves r on division by b."""
    held = list(numbers)
    places = range(max((x.bit_length() for x in held), default=0))
    return sum(1 << i for i in places if sum(x >> i & 1 for x in held) % b == r)


def digit_sum(x: int, base: int) -> int:
    return x if x < base else x % base + digit_sum(x // base, base)


def valuation(x: int, p: int) -> int:
    if x == 0:
        raise ValueError(x)
    return 0 if x % p else 1 + valuation(x // p, p)


_LANGUAGE = {
    "nim_sum": nim_sum,
    "count": count,
    "columns": columns,
    "digit_sum": digit_sum,
    "valuation": valuation,
    "popcount": int.bit_count,
    "isqrt": isqrt,
    "gcd": gcd,
    "bit_and": and_,
    "bit_or": or_,
    "range": range,
    **{f.__name__: f for f in (any, all, sum, min, max, len, abs)},
    "implies": lambda a, b: b or not a,
    "iff": lambda a, b: a == b,
    "__builtins__": {},
}


@cache
def _code(text: str) -> CodeType:
    return compile(text, "text", "eval")


def evaluate(text: str, **names: Any) -> Any:
    """An expression of the language whose Python means the same; None where it has no value."""
    try:
        return eval(_code(text), {**_LANGUAGE, **names})  # the texts are our own
    except (ZeroDivisionError, IndexError, ValueError, TypeError):
        return None


@dataclass
class Rules:
    """A ruleset of one kind of move that changes one heap: any, or a largest one."""

    pick: str  # of m; "" for none
    where: str
    become: str
    stuck: str = "loses"
    players: Any = ("P1", "P2")
    choose: str = "any heap h"
    parameters: dict[str, str] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """As the data of a ruleset file."""
        move: dict[str, Any] = {"choose": self.choose}
        if self.pick:
            move["pick"] = {"m": self.pick}
        if self.where:
            move["where"] = self.where
        players = self.players if isinstance(self.players, str) else list(self.players)
        move["become"] = [self.become]
        head = {"format": 1, "title": "A random game", "players": players, "stuck": self.stuck}
        return head | ({"parameters": self.parameters} if self.parameters else {}) | {"moves": [move]}

    @property
    def partizan(self) -> bool:
        return "mover" in self.where + self.become

    def sizes(self, h: int, mover: int, s: Position, given: dict[str, int]) -> Iterator[int]:
        """What a heap may become. Raises Unplayable."""
        names = {**given, "h": h, "s": s, "mover": mover}
        names |= {name: i for i, name in enumerate(self.players)} if not isinstance(self.players, str) else {}
        for m in _picked(self.pick, names):
            legal = evaluate(self.where, **names, m=m) if self.where else True
            new = evaluate(self.become, **names, m=m) if legal else None
            if legal is None or (legal and (new is None or not 0 <= new < h)):
                raise Unplayable
            if legal:
                yield new

    def options(self, s: Position, mover: int, given: dict[str, int]) -> Iterator[Position]:
        for h in {max(s)} if s and "largest" in self.choose else set(s):
            rest = list(s)
            rest.remove(h)
            for new in self.sizes(h, mover, s, given):
                yield tuple(sorted([*rest, new] if new else rest))


class Unplayable(Exception):
    """A move that makes no heap smaller, or an expression without a value."""


def _picked(text: str, names: dict[str, Any]) -> range:
    if not text:
        return range(1)
    low, high = (evaluate(x, **names) for x in text.split(".."))
    return range(low, high + 1)


def positions(heaps: int, size: int) -> list[Position]:
    """All of at most so many heaps, the smaller totals first."""
    found = [s for n in range(heaps + 1) for s in combinations_with_replacement(range(1, size + 1), n)]
    return sorted(found, key=sum)


def wins(rules: Rules, given: dict[str, int], box: list[Position]) -> dict[tuple[Position, int], bool]:
    """(position, mover) -> whether the mover wins, of two players. Raises Unplayable."""
    found: dict[tuple[Position, int], bool] = {}
    for s in box:
        for mover in (0, 1):
            options = list(rules.options(s, mover, given))
            stuck = not options and rules.stuck == "wins"
            found[s, mover] = stuck or any(not found[t, 1 - mover] for t in options)
    return found


def grundy(rules: Rules, given: dict[str, int], size: int) -> list[int]:
    """The Grundy values of single heaps 0..size, by the moves of the first player. Raises Unplayable."""
    found: list[int] = []
    for h in range(size + 1):
        below = {found[y] for y in rules.sizes(h, 0, (h,), given)} if h else set()
        found.append(next(x for x in range(h + 2) if x not in below))
    return found


def values(rules: Rules, n: int, box: list[Position]) -> dict[Position, int]:
    """The value of each position for n players. Raises Unplayable."""
    found: dict[Position, int] = {}
    for s in box:
        options = [(found[t] + 1) % n for t in rules.options(s, 0, {"n": n})]
        found[s] = min(options) if options else 0 if rules.stuck == "wins" else n - 1
    return found


Guess = Callable[[], str]
