"""The static types of the claim language.

>>> str(list_of(INT)), str(set_of(POSITION))
('list of Int', 'set of Position')
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is Int, Rational, Bool, Player, Position, Heap, Outcome, Nothing, list or set.

    `element`: of a list or set; of a Position whose heaps have parts, the type of its heaps.  `parts`: of a Heap, the
    name and the type of each part.
    """

    kind: str
    element: Type | None = None
    parts: tuple[tuple[str, Type], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Asked of almost every term: the same object is equal at once."""
        return self is other or (
            isinstance(other, Type)
            and (self.kind, self.element, self.parts) == (other.kind, other.element, other.parts)
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.element))

    def __str__(self) -> str:
        return f"{self.kind} of {self.element}" if self.is_collection else self.kind

    @property
    def is_collection(self) -> bool:
        return self.kind in ("list", "set")

    @property
    def is_position(self) -> bool:
        """Whether its heaps are numbers or have parts."""
        return self.kind == "Position"


INT = Type("Int")
RATIONAL = Type("Rational")
BOOL = Type("Bool")
PLAYER = Type("Player")
POSITION = Type("Position")
OUTCOME = Type("Outcome")
NOTHING = Type("Nothing")  # the element type of an empty display: fits every other


def list_of(element: Type) -> Type:
    return Type("list", element)


def set_of(element: Type) -> Type:
    return Type("set", element)


def heap_of(*parts: tuple[str, Type]) -> Type:
    """A heap with these parts."""
    return Type("Heap", None, parts)


def position_of(heap: Type | None) -> Type:
    """Positions of such heaps; None: of heaps that are numbers.

    >>> str(position_of(heap_of(("c", list_of(INT))))), position_of(None) == POSITION
    ('Position', True)
    """
    return POSITION if heap is None else Type("Position", heap)


def first_number(heap: Type) -> str:
    """A number of a heap `h` with parts, as an expression: of its first part.

    >>> first_number(heap_of(("c", list_of(INT)), ("q", INT)))
    'h.c[0]'
    """
    name, kind = heap.parts[0]
    return f"h.{name}[0]" if kind.is_collection else f"h.{name}"


def unify(a: Type, b: Type) -> Type | None:
    """The common type of `a` and `b`, or None: equal types, an Int beside a Rational, an empty collection."""
    if a == b:
        return a
    if {a, b} == {INT, RATIONAL}:
        return RATIONAL
    if a == NOTHING:
        return b
    if b == NOTHING:
        return a
    if a.element and b.element and a.kind == b.kind:
        inner = unify(a.element, b.element)
        return Type(a.kind, inner) if inner and RATIONAL not in (a.element, b.element) else None
    return None


def items_of(t: Type) -> Type | None:
    """What `for x in t` runs over: the elements of a list or set, the heaps of a position; else None."""
    return INT if t == POSITION else t.element


def describe_type(t: Type) -> str:
    """The type with its article.

    >>> describe_type(INT), describe_type(set_of(POSITION))
    ('an Int', 'a set of Position')
    """
    name = str(t) if t != NOTHING else "element of an empty list"
    return f"{'an' if name[0] in 'IOe' else 'a'} {name}"


def hint(got: Type, wanted: Type) -> str:
    """How to get from one type to the other where the two are easily mixed up, or an empty string."""
    if wanted.is_position and got.kind in ("list", "set"):
        return ": position([...]) makes one of a list"
    if wanted == POSITION and got == INT:
        return ": position([5]) is one heap of 5, position([3, 4]) are two heaps"
    if wanted == POSITION and got == PLAYER:
        return ": the position comes first, then who moves, as in wins(s, P1)"
    if wanted == BOOL:
        return ", such as wins(s)" if got.is_position else ", such as a comparison"
    if wanted == INT and got == RATIONAL:
        return ": // divides and takes the floor"
    if wanted == INT and got == POSITION:
        return ", such as sum(s) or len(s)"
    if wanted == INT and got == BOOL:
        return ": 1 if A else 0 makes one of a condition A"
    return ""
