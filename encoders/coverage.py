"""How far an answer reaches, per variable: all of a domain, an interval of it, or what lies below a power of 2."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims.language.statement.domains import Range


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
