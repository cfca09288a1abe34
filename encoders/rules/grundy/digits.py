"""What heaps and the values below are written with, and how a heap gets what it is written with.

    [proof.digits]
    p = "power of 2"                # 1, 2, 4 and so on
    q = "0.."                       # an integer from a range

    [[proof.arise]]                 # where `when` holds of a heap h, these are its digits
    when = "h % 2 == 0"
    digits = { p = "1", q = "h // 2" }

    [[proof.arise]]                 # p and q are the digits of `from`, a smaller heap
    when = "h % 2 == 1"
    from = "h // 2"
    digits = { p = "2*p", q = "q" }

Without `arise` a heap gets its digits from the heap before: one digit goes up by one, those below it fall to 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims.language.expressions.terms import Term

LARGEST_BASE = 1000
_POWER = re.compile(r"power of ([0-9]{1,4})")
_PICK = re.compile(r"largest power of ([0-9]{1,4}) with (.+)", re.DOTALL)

Values = tuple[tuple[str, Term], ...]  # of digits, by their names


@dataclass(frozen=True, eq=False)
class Digit:
    """lo <= name <= hi; `hi` None: without bound. Of those that count up the first are the most significant."""

    name: str
    lo: Term
    hi: Term | None


@dataclass(frozen=True, eq=False)
class PowerDigit:
    """1, base, base * base and so on."""

    name: str
    base: int


@dataclass(frozen=True, eq=False)
class Arising:
    """Where `when` holds of a heap h, it has these digits; they may speak of those of a `smaller` heap."""

    when: Term | None
    smaller: Term | None
    digits: Values


@dataclass(frozen=True, eq=False)
class PowerPick:
    """The largest power of the base with the condition, in which it is called `name`.

    The condition says that something is at most `bound`, or less, and `bound` does not speak of the power.
    """

    name: str
    base: int
    condition: Term
    bound: Term


def power_base(text: str) -> int | None:
    """The base of "power of 2"; None for other texts, and for a base out of 2 to LARGEST_BASE.

    >>> power_base("power of 2"), power_base("power of 1"), power_base("0..")
    (2, None, None)
    """
    found = _POWER.fullmatch(text.strip())
    return _base(found[1]) if found else None


def largest_power(text: str) -> tuple[int, str] | None:
    """Base and condition of "largest power of 2 with ..."; None for other texts.

    >>> largest_power("largest power of 3 with 2*t <= h"), largest_power("largest with t <= h")
    ((3, '2*t <= h'), None)
    """
    found = _PICK.fullmatch(text.strip())
    base = _base(found[1]) if found else None
    return None if found is None or base is None else (base, found[2])


def _base(text: str) -> int | None:
    return int(text) if 2 <= int(text) <= LARGEST_BASE else None
