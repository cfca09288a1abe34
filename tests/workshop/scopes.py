"""Scopes far beyond a shrunk one, within the declared coverage of a proof."""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain, PositionRange, Positions, Range, Scope
from claims.language.syntax.terms import Literal
from encoders.trust import All, Below, Limits

MOST = 150_000  # approximate number of cases of one scope

# (heaps, sizes, integers): many heaps, large heaps, and compromises
BOXES = (
    ((0, 3), (1, 6), (-4, 7)),
    ((0, 1), (1, 300), (-1, 5)),
    ((0, 2), (1, 48), (-1, 5)),
    ((0, 4), (1, 9), (-2, 6)),
    ((0, 7), (1, 3), (-1, 5)),
    ((0, 3), (1, 17), (0, 4)),
)
LONG, FAR = (-20, 60), (30, 60)  # one integer, while the others stay small; all integers
SHORT = (-8, 32)  # instead of LONG, if positions have literal heaps, which all grow with it


def bounds(limits: Limits, name: str) -> tuple[float, float]:
    """Return the least and greatest value of a variable (or of its heaps, `s.size`) that a proof covers.

    >>> bounds((("k", Below(8)), ("l", Range(3, 9)), ("s.heaps", All())), "k")
    (-inf, 255)
    >>> bounds((("k", Range(3, 9)),), "k")
    (3, 9)
    """
    low, high = float("-inf"), float("inf")
    for found, coverage in limits:
        if found == name:
            match coverage:
                case Below(bits=bits):
                    high = min(high, (1 << bits) - 1)
                case Range(lo=least, hi=most):
                    low, high = max(low, least), min(high, most)
                case All():
                    pass
    return low, high


def wide_scopes(claim: Claim, limits: Limits) -> Iterator[Scope]:
    """Yield the scopes on which a claim proved within these limits must survive, the cheap ones first."""
    integers = [v.name for v in claim.variables if isinstance(v.domain, IntervalDomain)]
    positions = [v.name for v in claim.variables if isinstance(v.domain, Positions)]
    for heaps, sizes, numbers in BOXES[: None if positions else 1]:
        yield from _cut(claim, limits, dict.fromkeys(integers, numbers), dict.fromkeys(positions, (heaps, sizes)))
    if not positions:
        yield from _cut(claim, limits, dict.fromkeys(integers, (-6, 12)), {})
    for far in integers:
        ranges = dict.fromkeys(integers, (-2, 4)) | {far: LONG if positions else SHORT}
        yield from _cut(claim, limits, ranges, dict.fromkeys(positions, ((0, 2), (1, 5))))
    if 1 <= len(integers) <= 2 and positions:
        yield from _cut(claim, limits, dict.fromkeys(integers, FAR), dict.fromkeys(positions, ((0, 2), (1, 2))))


def _cut(
    claim: Claim,
    limits: Limits,
    numbers: dict[str, tuple[int, int]],
    boxes: dict[str, tuple[tuple[int, int], tuple[int, int]]],
) -> Iterator[Scope]:
    """Yield the scope inside the limits, unless it is empty; a narrower one if it has too many cases."""
    scope: Scope = {}
    cells = 1.0
    for name, (heaps, sizes) in boxes.items():
        low, high = (
            f(x) for f, x in zip((max, min), zip(sizes, bounds(limits, f"{name}.size"), strict=True), strict=True)
        )
        least, most = (
            f(x) for f, x in zip((max, min), zip(heaps, bounds(limits, f"{name}.heaps"), strict=True), strict=True)
        )
        if low > high or least > most:
            return
        scope[name] = PositionRange(Range(int(least), int(most)), Range(int(low), int(high)))
        cells *= (high - low + 2) ** most / max(1, _factorial(int(most)))
    for name, (lo, hi) in _shifted(claim, numbers).items():
        below, above = bounds(limits, name)
        low, high = max(lo, below), min(hi, above)
        if low > high:
            return
        while cells * (high - low + 1) > MOST and high > low:
            high -= 1
        scope[name] = Range(int(low), int(high))
        cells *= high - low + 1
    if scope:
        yield scope


def _shifted(claim: Claim, numbers: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the ranges. A range that ends below its variable's domain, such as "53..", is moved to its beginning."""
    found = dict(numbers)
    for v in claim.variables:
        if v.name in found and isinstance(v.domain, IntervalDomain) and isinstance(v.domain.lo, Literal):
            (lo, hi), least = found[v.name], v.domain.lo.value
            if least > hi:
                found[v.name] = least, least + hi - lo
    return found


def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)
