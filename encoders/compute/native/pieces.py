"""What the texts of machine code are made of: pieces, tables of operations, lists that never change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT, PLAYER, Type
from encoders.compute.native.runtime import STATIC, STATIC_END

LARGEST = (1 << 62) - 1
UNROLLED = 4  # elements of a list that is written down, for each of which there is a text of its own


class NotNative(NimChecksError):
    """Something that is not made machine code; the message says what."""


class Stopped(NotNative):
    """Machine code that trapped, or could not start, and so has no answer; the message says why."""


class Bounds(NamedTuple):
    """The interval of integers in which a value lies, both ends included. It is never empty."""

    lo: int
    hi: int

    @property
    def fits(self) -> bool:
        """Whether every integer in it has at most 62 bits, as every value of machine code must."""
        return self.lo >= -LARGEST and self.hi <= LARGEST

    def join(self, other: Bounds) -> Bounds:
        """The smallest interval around both.

        >>> Bounds(5, 7).join(Bounds(0, 0))
        Bounds(lo=0, hi=7)
        """
        return Bounds(min(self.lo, other.lo), max(self.hi, other.hi))

    def add(self, other: Bounds) -> Bounds:
        return Bounds(self.lo + other.lo, self.hi + other.hi)

    def sub(self, other: Bounds) -> Bounds:
        return Bounds(self.lo - other.hi, self.hi - other.lo)

    def mul(self, other: Bounds) -> Bounds:
        """The products of two values.

        >>> Bounds(-2, 3).mul(Bounds(-5, 4))
        Bounds(lo=-15, hi=12)
        """
        ends = [x * y for x in self for y in other]
        return Bounds(min(ends), max(ends))

    def clamp(self) -> Bounds:
        """The part of it that a checked operation lets through."""
        return Bounds(max(min(self.lo, LARGEST), -LARGEST), min(max(self.hi, -LARGEST), LARGEST))


ANY = Bounds(-LARGEST, LARGEST)  # what a checked operation lets through
IN_HEAPS = 1 << 30  # the largest number in a heap, a variable, or a parameter
SMALL = Bounds(-IN_HEAPS, IN_HEAPS)
COUNTS = Bounds(0, 1 << 45)  # what a module can count: more steps take days
BITS = Bounds(0, 64)
TRUTH = Bounds(0, 1)
NOTHING = Bounds(0, 0)


class WasmExpression(NamedTuple):
    """A text of 64 bits. `bounds`: of the number, or of the elements of the list; of an address they mean nothing."""

    text: str
    bounds: Bounds


ONE = WasmExpression("(i64.const 1)", Bounds(1, 1))


class Joined:
    """The interval around all pieces that were added, and around those alone."""

    def __init__(self) -> None:
        self._found: list[Bounds] = []

    def add(self, piece: WasmExpression) -> None:
        self._found.append(piece.bounds)

    @property
    def bounds(self) -> Bounds:
        """[0, 0] of no piece, as where a text was made for no element."""
        return reduce(Bounds.join, self._found) if self._found else NOTHING


def _join_all(bounds: list[Bounds]) -> Bounds:
    return reduce(Bounds.join, bounds)


def spell(*bounds: Bounds) -> Bounds:
    """What has no more binary digits than the largest of natural numbers: their nim-sum, for one.

    >>> spell(Bounds(-3, 4), Bounds(0, 9))
    Bounds(lo=0, hi=15)
    """
    return Bounds(0, (1 << max(0, *(x.hi for x in bounds)).bit_length()) - 1)


COMPARED = {"eq": "eq", "ne": "ne", "lt": "lt_s", "le": "le_s", "gt": "gt_s", "ge": "ge_s"}
CALLED: dict[str, tuple[int, Callable[[list[Bounds]], Bounds]]] = {
    "isqrt": (1, lambda x: Bounds(0, max(0, x[0].hi))),
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
"""Functions of the runtime: how many arguments they take, and where their value lies, by where these lie."""
CHECKED = ("add", "sub", "mul")
"""Functions of the runtime that trap where the result has more than 62 bits, whatever their arguments are."""
NATURALS = {"nim": "xor", "bit_and": "and", "bit_or": "or"}
FOLDED = ("sum", "max", "min", "mex", "nim_sum", "count", "any", "all")


class Static:
    """Lists that never change, at addresses of their own."""

    def __init__(self) -> None:
        self.data = b""

    def place(self, numbers: Sequence[int]) -> int:
        """The address of a list of numbers."""
        at = STATIC + len(self.data)
        self.data += b"".join(x.to_bytes(8, "little", signed=True) for x in (len(numbers), *numbers))
        if STATIC + len(self.data) > STATIC_END:
            raise NotNative("a long list")
        return at


def list_constants(term: t.Term) -> list[int] | None:
    """The elements of a list or set that is written down, of a set ascending; else None."""
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
    """A loop; each time round it looks whether it is time for a look at the clock."""
    watch = "(global.set $left (i64.sub (global.get $left) (i64.const 1)))"
    watch += "(if (i64.lt_s (global.get $left) (i64.const 0)) (then (call $look)))"
    return f"(block $out{label} (loop $next{label} {step} {watch}\n{body} {last} (br $next{label})))"


def is_number(kind: Type) -> bool:
    return kind in (INT, BOOL, PLAYER)


def is_word(kind: Type) -> bool:
    """Whether a value of it is a number, a list or set of numbers, a heap, or a list or position of heaps."""
    if kind.is_collection or kind.is_position:
        inner = kind.element
        return inner is not None and (is_number(inner) or inner.kind in ("Heap", "Nothing"))
    return is_number(kind) or kind.kind in ("Heap", "Outcome")
