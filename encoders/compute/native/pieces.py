"""The building blocks of generated machine code: expressions with bounds, tables of operations, and constant lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import isqrt
from typing import NamedTuple

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, Type
from encoders.compute.native.runtime import STATIC, STATIC_END

LARGEST = (1 << 62) - 1
UNROLLED = 4  # a constant list of at most this many elements is unrolled


class NotNative(NimChecksError):
    """The error for a claim that machine code cannot search; the message gives the reason."""


class Stopped(NotNative):
    """The error for machine code that trapped (stopped by an error) or could not start.

    The message gives the reason.
    """


class Outside(Stopped):
    """The error for machine code that met a heap without an address; see `small_heaps.py`."""


class Bounds(NamedTuple):
    """An interval of integers that contains all values of an expression. It includes both ends, and is never empty."""

    lo: int
    hi: int

    @property
    def fits(self) -> bool:
        """Whether every integer in the interval has at most 62 bits, as every value of machine code must."""
        return self.lo >= -LARGEST and self.hi <= LARGEST

    def join(self, other: Bounds) -> Bounds:
        """Return the smallest interval that contains both.

        >>> Bounds(5, 7).join(Bounds(0, 0))
        Bounds(lo=0, hi=7)
        """
        return Bounds(min(self.lo, other.lo), max(self.hi, other.hi))

    def add(self, other: Bounds) -> Bounds:
        return Bounds(self.lo + other.lo, self.hi + other.hi)

    def sub(self, other: Bounds) -> Bounds:
        return Bounds(self.lo - other.hi, self.hi - other.lo)

    def mul(self, other: Bounds) -> Bounds:
        """Return the smallest interval that contains the products x * y, for x in this interval and y in the other.

        >>> Bounds(-2, 3).mul(Bounds(-5, 4))
        Bounds(lo=-15, hi=12)
        """
        ends = [x * y for x in self for y in other]
        return Bounds(min(ends), max(ends))

    def clamp(self) -> Bounds:
        """Return bounds for the result of a checked operation: both ends are moved into [-LARGEST, LARGEST]."""
        return Bounds(max(min(self.lo, LARGEST), -LARGEST), min(max(self.hi, -LARGEST), LARGEST))


ANY = Bounds(-LARGEST, LARGEST)  # the values that a checked operation can return
IN_HEAPS = 1 << 30  # the largest number in a heap, a variable, or a parameter
SMALL = Bounds(-IN_HEAPS, IN_HEAPS)
COUNTS = Bounds(0, 1 << 45)  # the numbers that a module can count to; more steps take days
BITS = Bounds(0, 64)
TRUTH = Bounds(0, 1)
NOTHING = Bounds(0, 0)


class WasmExpression(NamedTuple):
    """WebAssembly text that computes a value of 64 bits: a number, or the address of a list or heap.

    `bounds`: bounds of the number, or of the elements of the list. They have no meaning for a heap.
    """

    text: str
    bounds: Bounds


ONE = WasmExpression("(i64.const 1)", Bounds(1, 1))


class Joined:
    """The smallest interval that contains the bounds of all added expressions."""

    def __init__(self) -> None:
        self._found: list[Bounds] = []

    def add(self, piece: WasmExpression) -> None:
        self._found.append(piece.bounds)

    @property
    def bounds(self) -> Bounds:
        """The interval; [0, 0] if no expression was added."""
        return reduce(Bounds.join, self._found) if self._found else NOTHING


def _join_all(bounds: list[Bounds]) -> Bounds:
    return reduce(Bounds.join, bounds)


def spell(*bounds: Bounds) -> Bounds:
    """Return bounds of a nim-sum (or a bitwise or) of natural numbers with the given bounds.

    >>> spell(Bounds(-3, 4), Bounds(0, 9))
    Bounds(lo=0, hi=15)
    """
    return Bounds(0, (1 << max(0, *(x.hi for x in bounds)).bit_length()) - 1)


COMPARED = {"eq": "eq", "ne": "ne", "lt": "lt_s", "le": "le_s", "gt": "gt_s", "ge": "ge_s"}
CALLED: dict[str, tuple[int, Callable[[list[Bounds]], Bounds]]] = {
    "isqrt": (1, lambda x: Bounds(0, isqrt(max(0, x[0].hi)))),
    "top_bit": (1, lambda _: BITS),
    "abs": (1, lambda x: Bounds(0, max(map(abs, x[0])))),
    "bit": (2, lambda _: TRUTH),
    "largest": (2, _join_all),
    "smallest": (2, _join_all),
    "put": (3, lambda x: x[0].join(x[2])),
    "slice": (3, lambda x: x[0]),
    "concat": (2, _join_all),
    "occurrences": (2, lambda _: COUNTS),
    "range": (2, _join_all),
    "valuation": (2, lambda _: BITS),
}
"""Functions of the runtime: the number of arguments, and a function from their bounds to the bounds of the result."""
NATURALS = {"nim": "xor", "bit_and": "and", "bit_or": "or"}
ALLOCATING = ("$new", "$gather", "$slice", "$range", "$put", "$concat", "$sorted", "(call $d")
"""Parts of the texts of calls that make lists."""
FOLDED = ("sum", "max", "min", "mex", "nim_sum", "count", "any", "all")


class Static:
    """The memory for the constant lists of a generated module."""

    def __init__(self) -> None:
        self.data = b""

    def place(self, numbers: Sequence[int]) -> int:
        """Append a list of numbers to this memory, and return its address. Raise NotNative if the memory is full."""
        at = STATIC + len(self.data)
        self.data += b"".join(x.to_bytes(8, "little", signed=True) for x in (len(numbers), *numbers))
        if STATIC + len(self.data) > STATIC_END:
            raise NotNative("the lists of constants are too long")
        return at


def list_constants(term: t.Term) -> list[int] | None:
    """Return the elements of a literal list, or of a literal set in ascending order.

    Return None for other terms, and if an element has more than 62 bits.
    """
    if not isinstance(term, t.Collection):
        return None
    numbers = []
    for x in term.items:
        match x:
            case t.Literal(value=value) | t.Operation(op="neg", args=(t.Literal(value=value),)):
                numbers.append(value if isinstance(x, t.Literal) else -value)
            case _:
                return None
    if any(abs(x) > LARGEST for x in numbers):
        return None
    return sorted(set(numbers)) if term.type.kind == "set" else numbers


def repeat(label: str, step: str, body: str, last: str) -> str:
    """Return Wasm code for a loop that repeats `step`, `body` and `last`, and sometimes checks the time limit.

    The loop ends at a branch to the label `$outN`, where N is `label`.
    """
    watch = "(global.set $left (i64.sub (global.get $left) (i64.const 1)))"
    watch += "(if (i64.lt_s (global.get $left) (i64.const 0)) (then (call $look)))"
    return f"(block $out{label} (loop $next{label} {step} {watch}\n{body} {last} (br $next{label})))"


def is_number(kind: Type) -> bool:
    return kind in (INT, BOOL, PLAYER)


def is_word(kind: Type) -> bool:
    """Whether generated code supports values of a type.

    It supports numbers, truth values, players, heaps and outcomes, and collections and positions of numbers or heaps.
    """
    if kind == POSITION:
        return True
    if kind.is_collection or kind.is_position:
        inner = kind.element
        return inner is not None and (is_number(inner) or inner.kind in ("Heap", "Nothing"))
    return is_number(kind) or kind.kind in ("Heap", "Outcome")
