"""What the texts of machine code are made of: pieces, tables of operations, lists that never change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from claims.language.ground.errors import NimChecksError
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, PLAYER, Type
from encoders.exhaustive.parts.native.runtime import STATIC, STATIC_END

LARGEST = (1 << 62) - 1
IN_HEAPS = 1 << 30  # of a number in a heap, a variable, a parameter, a Grundy value
UNROLLED = 4  # elements of a list that is written down, for each of which there is a text of its own
COUNTED = 1 << 45  # of steps: more take days


class NotNative(NimChecksError):
    """Something that is not made machine code; the message says what."""


class Piece(NamedTuple):
    """A text of 64 bits. `most`: of a number, or of the numbers of a list, its size without sign."""

    text: str
    most: int


COMPARED = {"eq": "eq", "ne": "ne", "lt": "lt_s", "le": "le_s", "gt": "gt_s", "ge": "ge_s"}
CALLED: dict[str, tuple[int, Callable[[list[int]], int]]] = {
    "isqrt": (1, max),
    "top_bit": (1, lambda _: 64),
    "abs": (1, max),
    "bit": (2, lambda _: 1),
    "largest": (2, max),
    "smallest": (2, max),
    "put": (3, lambda most: max(most[0], most[2])),
    "slice": (3, lambda most: most[0]),
    "concat": (2, max),
    "occurrences": (2, lambda _: COUNTED),
    "range": (2, max),
    "valuation": (2, lambda _: 64),
}
"""Functions of the runtime: how many arguments they take, and how large a value is, by how large these are."""
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
