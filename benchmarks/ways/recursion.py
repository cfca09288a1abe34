"""Plain memoised recursion over the options of a position, the simplest program: `python -m ... PROBLEM`."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Iterable, Iterator

from benchmarks import naive
from benchmarks.ways.problem import (
    Coded,
    Components,
    Corners,
    Described,
    Digest,
    KLNim,
    Knight,
    Problem,
    Sequence,
    Squares,
    Staircase,
    Toads,
    Wythoff,
    run,
)


def solve(problem: Problem) -> tuple[str, int, Digest]:
    """Return the answer, the cases and the digest."""
    match problem:
        case KLNim():
            return _solve_kl_nim(problem)
        case Sequence():
            return _solve_sequence(problem)
        case Wythoff():
            return _solve_wythoff(problem)
        case Coded():
            return _solve_coded(problem)
        case Knight():
            return _solve_knight(problem)
        case Staircase():
            return _solve_staircase(problem)
        case Toads():
            return _solve_toads(problem)
        case Described():
            return _solve_described(problem)
        case Squares():
            return _solve_squares(problem)
        case Components():
            return _solve_components(problem)
        case Corners():
            return _solve_corners(problem)


def _solve_kl_nim(problem: KLNim) -> tuple[str, int, Digest]:
    digest, cases = Digest(), 0
    for k, l in problem.pairs:
        cases += naive.check_theorem_14([(k, l)], problem.size)
        wins = naive.solver(k, l, problem.size)
        for s in problem.positions:
            digest.add((not wins(s, 0), not wins(s, 1)))
    return "holds", cases, digest


def find_mex(values: Iterable[int]) -> int:
    """Return the least natural number that is not among the values."""
    there, least = set(values), 0
    while least in there:
        least += 1
    return least


def list_options(problem: Sequence, n: int) -> Iterator[tuple[int, ...]]:
    """Yield the heaps that each move leaves of a heap of n."""
    match problem.rule:
        case "subtract":
            yield from ((n - m,) for m in problem.numbers if m <= n)
        case "grundy":
            yield from ((a, n - a) for a in range(1, (n - 1) // 2 + 1))
        case "lasker":
            yield from ((n - m,) for m in range(1, n + 1))
            yield from ((a, n - a) for a in range(1, n // 2 + 1))
        case _:
            for i, digit in enumerate(problem.numbers, 1):
                rest = n - i
                if rest == 0 and digit & 1:
                    yield ()
                if rest > 0 and digit & 2:
                    yield (rest,)
                if digit & 4:
                    yield from ((a, rest - a) for a in range(1, rest // 2 + 1))


def _solve_sequence(problem: Sequence) -> tuple[str, int, Digest]:
    @functools.cache
    def grundy(n: int) -> int:
        return find_mex(functools.reduce(int.__xor__, map(grundy, heaps), 0) for heaps in list_options(problem, n))

    values = [grundy(n) for n in range(problem.heaps + 1)]
    digest = Digest()
    digest.add_values(values)
    return *problem.judge(values), digest


def _solve_wythoff(problem: Wythoff) -> tuple[str, int, Digest]:
    @functools.cache
    def grundy(x: int, y: int) -> int:
        options = [(x - m, y) for m in range(1, x + 1)] + [(x, y - m) for m in range(1, y + 1)]
        options += [(x - m, y - m) for m in range(1, min(x, y) + 1)]
        return find_mex(grundy(*sorted(o)) for o in options)

    digest, holds = Digest(), True
    for x, y in problem.positions:
        digest.add_values([grundy(x, y)])
        holds &= problem.is_pair(x, y) == (grundy(x, y) == 0)
    return "holds" if holds else "fails", len(problem.positions), digest


def _solve_coded(problem: Coded) -> tuple[str, int, Digest]:
    base = problem.base

    @functools.cache
    def wins(h: int) -> bool:
        return any(not wins(h - m) for m in range(1, h + 1) if m <= h % base or m % base == 0)

    digest, holds, sizes = Digest(), True, range(problem.size + 1)
    for x in sizes:
        for y in sizes:
            digest.add([wins(base * x + y)])
            holds &= wins(base * x + y) == (x != y)
    return "holds" if holds else "fails", len(sizes) ** 2, digest


def _solve_knight(problem: Knight) -> tuple[str, int, Digest]:
    @functools.cache
    def wins(x: int, y: int) -> bool:
        options = ((x - 2, y + 1), (x - 2, y - 1), (x + 1, y - 2), (x - 1, y - 2))
        return any(a >= 0 and b >= 0 and not wins(a, b) for a, b in options)

    digest, holds, places = Digest(), True, range(problem.size + 1)
    for x in places:
        for y in places:
            digest.add([wins(x, y)])
            holds &= wins(x, y) != (x % 4 <= 1 and y % 4 <= 1)
    return "holds" if holds else "fails", len(places) ** 2, digest


def _step_down(c: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for i, coins in enumerate(c):
        for m in range(1, coins + 1):
            after = [*c]
            after[i] -= m
            if i:
                after[i - 1] += m
            yield tuple(after)


def _solve_staircase(problem: Staircase) -> tuple[str, int, Digest]:
    @functools.cache
    def wins(s: tuple[tuple[int, ...], ...]) -> bool:
        options = ((*s[:i], after, *s[i + 1 :]) for i, c in enumerate(s) for after in _step_down(c))
        return any(not wins(tuple(sorted(o))) for o in options)

    digest, holds = Digest(), True
    for s in problem.positions:
        digest.add([wins(s)])
        holds &= wins(s) == (functools.reduce(int.__xor__, (x for c in s for x in c[::2]), 0) != 0)
    return "holds" if holds else "fails", len(problem.positions), digest


def _hop(c: tuple[int, ...], own: int) -> Iterator[tuple[int, ...]]:
    """Yield the moves of toads (own = 1), to the right, or of frogs (-1), to the left."""
    for i, x in enumerate(c):
        for to in (i + own, i + 2 * own):
            if x == own and 0 <= to < len(c) and c[to] == 0 and (to == i + own or c[i + own] == -own):
                after = [*c]
                after[i], after[to] = 0, own
                yield tuple(after)


def _solve_toads(problem: Toads) -> tuple[str, int, Digest]:
    @functools.cache
    def wins(c: tuple[int, ...], own: int) -> bool:
        return any(not wins(after, -own) for after in _hop(c, own))

    digest, holds, count = Digest(), True, 0
    for c in itertools.product((-1, 0, 1), repeat=problem.length):
        digest.add([wins(c, 1)])
        holds &= wins(c, 1) == wins(tuple(-x for x in reversed(c)), -1)
        count += 1
    return "holds" if holds else "fails", count, digest


def _solve_described(problem: Described) -> tuple[str, int, Digest]:
    @functools.cache
    def grundy(h: int) -> int:
        return find_mex(grundy(h - m) for m in range(1, h + 1))

    @functools.cache
    def wins(x: int, y: int) -> bool:
        options = [(x - m, y) for m in range(1, x + 1)] + [(x, y - m) for m in range(1, y + 1)]
        options += [(x - m, y - m) for m in range(1, min(x, y) + 1)]
        return any(not wins(*sorted(o)) for o in options)

    digest, holds = Digest(), True
    for n in range(problem.first, problem.last + 1):
        if problem.form == "triples":
            won, right = (grundy(n) ^ grundy(2 * n) ^ grundy(3 * n)) != 0, n & 2 * n != 0
        else:
            a = problem.find_golden(n)
            won, right = wins(a, a + n), False
        holds &= won == right
        digest.add([won])
    return "holds" if holds else "fails", problem.last - problem.first + 1, digest


def _solve_squares(problem: Squares) -> tuple[str, int, Digest]:
    squares = [r * r for r in range(1, math.isqrt(problem.last) + 1)]
    won, digest = [False], Digest()
    for n in range(1, problem.last + 1):
        won.append(any(not won[n - x] for x in itertools.takewhile(n.__ge__, squares)))
    digest.add(won[1:])
    return "holds" if all(won[x] for x in squares) else "fails", problem.last, digest


def _solve_components(problem: Components) -> tuple[str, int, Digest]:
    @functools.cache
    def wins(c: tuple[int, int, int, int]) -> bool:
        options = [(kind, after) for kind, after in problem.moves if c[kind]]
        return not options or any(
            not wins(tuple(x + y - (i == kind) for i, (x, y) in enumerate(zip(c, after, strict=True))))
            for kind, after in options
        )

    won, digest = [wins((0, 0, 0, n)) for n in range(1, problem.last + 2)], Digest()
    digest.add(won)
    same = [n for n in range(1, problem.last + 1) if won[n - 1] == won[n]]
    right = [n for n in problem.same if n <= problem.last]
    return "holds" if same == right else "fails", problem.last, digest


def _solve_corners(problem: Corners) -> tuple[str, int, Digest]:
    @functools.cache
    def grundy(x: int, y: int) -> int:
        return find_mex(grundy(x, b) ^ grundy(a, y) ^ grundy(a, b) for a in range(x) for b in range(y))

    digest, holds, places = Digest(), True, range(problem.size + 1)
    for x in places:
        for y in places:
            digest.add_values([grundy(x, y)])
            holds &= grundy(x, y) ^ grundy(y, x) == 0
    return "holds" if holds else "fails", len(places) ** 2, digest


if __name__ == "__main__":
    sys.setrecursionlimit(1_000_000)  # only here: with other work in the process, C could overflow its stack
    run(solve)
