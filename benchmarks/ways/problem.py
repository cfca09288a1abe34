"""The problems for all ways: the mathematics of a row, independent of claims and rulesets.

Each way prints one line of JSON: `answer` (holds, or fails at the least n), `cases`, and the `digest` of all that it
solved. The order of the digest is the same for all ways: see `Digest`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations_with_replacement, product
from math import isqrt


@dataclass(frozen=True)
class KLNim:
    """Theorem 14 at all multisets of three heaps of 0..size, for all pairs k < l within the bounds, inclusive.

    If k exceeds the size, it is Bouton's theorem about Nim.
    """

    size: int
    k: tuple[int, int]
    l: tuple[int, int]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return [(k, l) for k in range(self.k[0], self.k[1] + 1) for l in range(max(k + 1, self.l[0]), self.l[1] + 1)]

    @property
    def positions(self) -> list[tuple[int, int, int]]:
        """Ascending heaps, in the order of the digest."""
        return list(combinations_with_replacement(range(self.size + 1), 3))


@dataclass(frozen=True)
class Sequence:
    """A claim about Grundy values of single heaps for n = first..last: g(n) <= number, or g(n) = g(n + number).

    `rule`: octal (numbers: the digits), subtract (numbers: the amounts that may be taken), grundy or lasker.
    `claim`: bound or period. The digest is of g(0), g(1), ..., up to the largest heap in the claim.
    """

    rule: str
    numbers: tuple[int, ...]
    claim: str
    number: int
    first: int
    last: int

    @property
    def heaps(self) -> int:
        """The largest heap in the claim."""
        return self.last + (self.number if self.claim == "period" else 0)

    def judge(self, values: list[int]) -> tuple[str, int]:
        """Return the answer and the number of cases."""
        for n in range(self.first, self.last + 1):
            good = values[n] == values[n + self.number] if self.claim == "period" else values[n] <= self.number
            if not good:
                return tell_failure({"n": n}), self.last - self.first + 1
        return "holds", self.last - self.first + 1


@dataclass(frozen=True)
class Wythoff:
    """Wythoff's game with heaps x <= y of at most `size`: value 0 exactly at the pairs of the golden ratio."""

    size: int

    @property
    def positions(self) -> list[tuple[int, int]]:
        return list(combinations_with_replacement(range(self.size + 1), 2))

    @staticmethod
    def is_pair(x: int, y: int) -> bool:
        """Whether x is the smaller number of the pair with difference y - x, computed from the golden ratio."""
        d = y - x
        return (x == y == 0) or (x < y and x * x - x * d - d * d <= 0 and (x + 1) * (x + 1) - (x + 1) * d - d * d > 0)


@dataclass(frozen=True)
class Coded:
    """Nim with heaps x, y of at most `size` < base, coded as one heap base * x + y: won if and only if they differ."""

    base: int
    size: int


@dataclass(frozen=True)
class Knight:
    """The white knight at x, y of at most `size`: lost if and only if both are 0 or 1 modulo 4."""

    size: int


@dataclass(frozen=True)
class Staircase:
    """Staircases of `steps` steps with 0..each coins on each; `heaps` of them, 1 or 2, in any order.

    A position is lost if and only if the nim-sum of every other step, starting with the lowest, is 0.
    """

    steps: int
    each: int
    heaps: int

    @property
    def positions(self) -> list[tuple[tuple[int, ...], ...]]:
        """The positions in the order of the digest."""
        lists = product(range(self.each + 1), repeat=self.steps)
        return list(combinations_with_replacement(lists, self.heaps))


@dataclass(frozen=True)
class Toads:
    """Toads and Frogs on `length` squares: Left wins if and only if Right wins in the mirror image."""

    length: int


@dataclass(frozen=True)
class Described:
    """Positions that an integer n = first..last describes, and who wins there.

    `form`: triples, Nim on n, 2n and 3n, lost if and only if no two neighbouring binary digits of n are 1; or pairs,
    Wythoff's game on a and a + n, where a is the integer part of n times the golden ratio, always lost.
    """

    form: str
    first: int
    last: int

    @staticmethod
    def find_golden(n: int) -> int:
        """Return the integer part of n times the golden ratio."""
        return (n + isqrt(5 * n * n)) // 2


@dataclass(frozen=True)
class Squares:
    """Subtract a square from single heaps of 1..last: every square number of objects is won."""

    last: int


@dataclass(frozen=True)
class Components:
    """Misère play of n equal components: n and n + 1 of them have the same outcome exactly for some n of 1..last."""

    last: int
    same = (1, 2, 3, 12, 14, 17)  # of 1..17

    # A move replaces a component of a kind, 0 to 3, by numbers of components of each kind.
    moves = (
        (0, (0, 0, 0, 0)),
        (1, (0, 0, 0, 0)),
        (1, (1, 0, 0, 0)),
        (2, (0, 0, 0, 0)),
        (2, (1, 2, 0, 0)),
        (2, (0, 3, 0, 0)),
        (3, (1, 1, 0, 0)),
        (3, (1, 0, 1, 0)),
        (3, (0, 0, 2, 0)),
    )


@dataclass(frozen=True)
class Corners:
    """Turning Corners with a coin at x, y of at most `size`, and a coin at y, x: lost."""

    size: int


Problem = KLNim | Sequence | Wythoff | Coded | Knight | Staircase | Toads | Described | Squares | Components | Corners


def tell_failure(case: Mapping[str, object]) -> str:
    """Return the answer for a claim that fails, with its smallest case."""
    return f"fails at {', '.join(f'{name} = {value}' for name, value in case.items())}"


def write(problem: Problem) -> str:
    """Return a problem as one argument of a command."""
    return json.dumps({"kind": type(problem).__name__} | asdict(problem))


def read(text: str) -> Problem:
    """Read a problem from such an argument."""
    data = json.loads(text)
    match data["kind"]:
        case "KLNim":
            (k, more_k), (l, more_l) = data["k"], data["l"]
            return KLNim(data["size"], (k, more_k), (l, more_l))
        case "Sequence":
            range_ = data["first"], data["last"]
            return Sequence(data["rule"], tuple(data["numbers"]), data["claim"], data["number"], *range_)
        case "Wythoff":
            return Wythoff(data["size"])
        case "Knight":
            return Knight(data["size"])
        case "Staircase":
            return Staircase(data["steps"], data["each"], data["heaps"])
        case "Toads":
            return Toads(data["length"])
        case "Described":
            return Described(data["form"], data["first"], data["last"])
        case "Squares":
            return Squares(data["last"])
        case "Components":
            return Components(data["last"])
        case "Corners":
            return Corners(data["size"])
        case _:
            return Coded(data["base"], data["size"])


class Digest:
    """The FNV-1a hash of 64 bits over bytes, as in benchmarks/c/fnv.h."""

    def __init__(self) -> None:
        self.state = 0xCBF29CE484222325

    def add(self, data: Iterable[int]) -> None:
        """Add bytes."""
        state = self.state
        for byte in data:
            state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        self.state = state

    def add_values(self, values: Iterable[int]) -> None:
        """Add numbers below 2**16, two bytes each."""
        for value in values:
            self.add(value.to_bytes(2, "little"))

    def __str__(self) -> str:
        return f"{self.state:016x}"


def run(solve: Callable[[Problem], tuple[str, int, Digest] | None]) -> None:
    """Solve the problem of the command line and print the result, for a way in Python; print nothing if unsupported."""
    found = solve(read(sys.argv[1]))
    if found is not None:
        answer, cases, digest = found
        print(json.dumps({"answer": answer, "cases": cases, "digest": str(digest)}))
