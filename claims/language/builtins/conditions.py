"""When an operation has a value: the few conditions that its arguments, counted from 0, may have to meet.

The referee asks each for its `fault` at the values it meets; a proof shows it for all cases at once, as a need
(`encoders/logic/definedness.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from claims.language.builtins.meanings import Value
from claims.language.grammar.numerals import digits


@dataclass(frozen=True)
class NotZero:
    """Argument `at`, a number, is not 0."""

    at: int
    words: str

    def fault(self, args: Sequence[Value]) -> str:
        """Why the operation has no value at these arguments, or ""."""
        return self.words if args[self.at] == 0 else ""


@dataclass(frozen=True)
class AtLeast:
    """Argument `at`, an integer or each of a collection, is at least `least`. "{}" in the words: the smallest."""

    at: int
    words: str
    least: int = 0

    def fault(self, args: Sequence[Value]) -> str:
        """Why the operation has no value at these arguments, or ""."""
        value = args[self.at]
        group = value if isinstance(value, tuple) else (value,)
        least = min((x for x in group if not isinstance(x, tuple)), default=self.least)
        return self.words.format(digits(least)) if least < self.least else ""


@dataclass(frozen=True)
class NotEmpty:
    """Argument `at`, a collection, has an element."""

    at: int
    words: str

    def fault(self, args: Sequence[Value]) -> str:
        """Why the operation has no value at these arguments, or ""."""
        return "" if args[self.at] else self.words


@dataclass(frozen=True)
class Inside:
    """Argument `at` counts an element of argument `of`, a list or a position, from 0."""

    of: int
    at: int

    def fault(self, args: Sequence[Value]) -> str:
        """Why the operation has no value at these arguments, or ""."""
        group, at = args[self.of], args[self.at]
        assert isinstance(group, tuple) and isinstance(at, int)
        return "" if 0 <= at < len(group) else f"index {digits(at)} of {len(group)} elements"


@dataclass(frozen=True)
class HeapOf:
    """Argument `at` is the size of a heap of argument `of`, a position."""

    of: int
    at: int

    def fault(self, args: Sequence[Value]) -> str:
        """Why the operation has no value at these arguments, or ""."""
        s, heap = args[self.of], args[self.at]
        assert isinstance(s, tuple) and isinstance(heap, int)
        return "" if heap in s else f"no heap of {digits(heap)} in {s}"


def two_naturals(name: str) -> tuple[AtLeast, AtLeast]:
    """That neither of two operands is negative."""
    return AtLeast(0, f"a negative operand of {name}"), AtLeast(1, f"a negative operand of {name}")


Condition: TypeAlias = NotZero | AtLeast | NotEmpty | Inside | HeapOf
