"""What a digit, a pick and a distance are called in the [proof] section with rule = "grundy"."""

from __future__ import annotations

import re

LARGEST_BASE = 1000
_POWER = re.compile(r"power of ([0-9]{1,4})")
_PICK = re.compile(r"largest power of ([0-9]{1,4}) with (.+)", re.DOTALL)
_RANGE = re.compile(r"(-?[0-9]{1,4})\s*\.\.\s*(-?[0-9]{1,4})")


def read_power(text: str) -> int | None:
    """The base of "power of 2"; None for other texts, and for a base out of 2 to LARGEST_BASE.

    >>> read_power("power of 2"), read_power("power of 1"), read_power("0..")
    (2, None, None)
    """
    found = _POWER.fullmatch(text.strip())
    return _base(found[1]) if found else None


def read_range(text: str) -> range | None:
    """The numbers of a text such as "-1..1"; None for other texts, and for none of them.

    >>> read_range("-1..1"), read_range("0.."), read_range("1..0")
    (range(-1, 2), None, None)
    """
    found = _RANGE.fullmatch(text.strip())
    values = range(int(found[1]), int(found[2]) + 1) if found else range(0)
    return values or None


def read_pick(text: str) -> tuple[int, str] | None:
    """Base and condition of "largest power of 2 with ..."; None for other texts.

    >>> read_pick("largest power of 3 with 2*t <= h"), read_pick("largest with t <= h")
    ((3, '2*t <= h'), None)
    """
    found = _PICK.fullmatch(text.strip())
    base = _base(found[1]) if found else None
    return None if found is None or base is None else (base, found[2])


def _base(text: str) -> int | None:
    return int(text) if 2 <= int(text) <= LARGEST_BASE else None
