"""Values as results show them, the same as JSON data, and the lines of an explanation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""What a file of JSON may hold."""

PlainValue = bool | int | str | tuple["PlainValue", ...]
"""Truth values, integers; fractions as texts, players by name, positions, lists and sets as tuples."""

NamedValues = tuple[tuple[str, PlainValue], ...]
"""(variable, value) in the order declared."""


@dataclass(frozen=True)
class ExplanationLine:
    """One line of an explanation; deeper lines belong to the last shallower one.

    `text`: with formulas in the claim language; `shown`: with the signs of mathematics, "" if it is the same.
    """

    text: str
    depth: int = 0
    shown: str = ""


EXACT = 2**53  # every integer up to here is a double, which is what JavaScript and others read a number as


def encode(value: object) -> Json:
    """A value as JSON data: tuples as lists, integers beyond 2^53 and fractions as texts. Raises TypeError.

    >>> encode((2, 2, 4)), encode(2**53), encode(-(2**53) - 1), encode("P1")
    ([2, 2, 4], 9007199254740992, '-9007199254740993', 'P1')
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT else str(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): encode(x) for key, x in value.items()}
    if isinstance(value, tuple | list):
        return [encode(x) for x in value]
    raise TypeError(f"a value in a report is a bool, an int, a str or a tuple of them; got {type(value).__name__}")
