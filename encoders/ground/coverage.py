"""How far an answer reaches, per variable: all of a domain, an interval of it, or what lies below a power of 2."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from claims.language.statement.domains import PositionRange, Range, Scope

MANY_BITS = 1000
MANY = 1 << MANY_BITS  # cases that nobody looks at
MOST_TOTAL = 400  # positions with a bounded total are counted up to this total


@dataclass(frozen=True)
class All:
    """Every value of the variable's domain."""

    def __str__(self) -> str:
        return "all"


@dataclass(frozen=True)
class Below:
    """The values below 2**bits."""

    bits: int

    def __str__(self) -> str:
        return f"< 2^{self.bits}"


Coverage = All | Range | Below
Limits = tuple[tuple[str, Coverage], ...]
"""(variable, coverage) in the order declared; of a position its aspects: "s.heaps", "s.size" and perhaps "s.total"."""


def read_coverage(text: str) -> Coverage | None:
    """The coverage that has this text; None if none has. For the reader of receipts: nobody else parses one.

    >>> read_coverage("1..9"), read_coverage("< 2^62"), read_coverage("all"), read_coverage("01..9")
    (Range(lo=1, hi=9), Below(bits=62), All(), None)
    """
    if text == "all":
        return All()
    found: Coverage | None = None
    if match := re.fullmatch(r"< 2\^([1-9][0-9]{0,3})", text):
        found = Below(int(match[1]))
    elif match := re.fullmatch(r"(-?[0-9]{1,40})\.\.(-?[0-9]{1,40})", text):
        found = Range(int(match[1]), int(match[2]))
    return found if str(found) == text else None


def is_everything(limits: Limits) -> bool:
    """Whether all of each domain is covered."""
    return all(isinstance(coverage, All) for _, coverage in limits)


def narrower(one: Coverage, other: Coverage) -> Coverage:
    """Of two coverages by proofs, All or Below, the one that reaches less far.

    >>> narrower(Below(62), All()), narrower(Below(61), Below(62))
    (Below(bits=62), Below(bits=61))
    """
    return min((one, other), key=lambda x: x.bits if isinstance(x, Below) else float("inf"))


def count_cases(scope: Scope) -> int:
    """About how many cases a scope has: the product of the numbers of values of its bounded variables."""
    return math.prod(count_values(bound) for bound in scope.values())


def count_values(bound: Range | PositionRange) -> int:
    """How many values a bound leaves, at least 1; beyond MOST_TOTAL the bound of a position's total does not count."""
    if isinstance(bound, Range):
        return max(1, bound.hi - bound.lo + 1)
    if bound.parts:
        return _count_positions(bound)
    if bound.total is not None and bound.total.hi <= MOST_TOTAL:
        return max(1, _count_partitions(bound.heaps, bound.size, bound.total))
    return _count_multisets(bound.size.hi - bound.size.lo + 1, bound.heaps)


def _count_positions(bound: PositionRange) -> int:
    """How many positions there are of heaps with these parts, whichever of them are heaps of a game."""
    return _count_multisets(count_heaps(bound), bound.heaps)


def _count_multisets(kinds: int, counts: Range) -> int:
    """How many multisets there are of so many kinds and so many elements; at least 1, and MANY of too many to count."""
    if min(kinds, counts.hi) > MANY_BITS:  # 2**MANY_BITS or more
        return MANY
    below = math.comb(counts.lo - 1 + kinds, kinds) if counts.lo else 0
    return max(1, math.comb(counts.hi + kinds, kinds) - below)


def count_heaps(bound: PositionRange) -> int:
    """How many heaps there are of these sizes, or with these parts, whichever of them are heaps of a game."""
    if not bound.parts:
        return max(0, bound.size.hi - max(1, bound.size.lo) + 1)
    heaps = 1
    for _, part in bound.parts:
        if isinstance(part, Range):
            heaps *= part.hi - part.lo + 1
        else:
            each = part.each.hi - part.each.lo + 1
            heaps *= sum(each**length for length in range(part.length.lo, part.length.hi + 1))
    return heaps


def _count_partitions(heaps: Range, size: Range, total: Range) -> int:
    """How many positions have so many heaps of these sizes and such a total."""
    most = min(heaps.hi, total.hi)
    ways = [[0] * (total.hi + 1) for _ in range(most + 1)]  # by number of heaps and total, of the sizes so far
    ways[0][0] = 1
    for h in range(size.lo, min(size.hi, total.hi) + 1):
        for count in range(1, most + 1):
            row, fewer = ways[count], ways[count - 1]
            for x in range(h, total.hi + 1):
                row[x] += fewer[x - h]
    return sum(sum(row[total.lo :]) for row in ways[heaps.lo :])
