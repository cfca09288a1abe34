"""The static types of the claim language.

>>> str(list_of(INT)), str(set_of(POSITION))
('list of Int', 'set of Position')
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is Int, Rational, Bool, Player, Position, Outcome, Nothing, list or set; the last two have `element`."""

    kind: str
    element: Type | None = None

    def __eq__(self, other: object) -> bool:
        """Asked of almost every term: the same object is equal at once."""
        return self is other or (isinstance(other, Type) and self.kind == other.kind and self.element == other.element)

    def __hash__(self) -> int:
        return hash((self.kind, self.element))

    def __str__(self) -> str:
        return f"{self.kind} of {self.element}" if self.element else self.kind

    @property
    def is_collection(self) -> bool:
        return self.element is not None


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
    """What `for x in t` runs over: the elements of a list or set, the heap sizes of a position; else None."""
    return INT if t == POSITION else t.element


def described(t: Type) -> str:
    """The type with its article.

    >>> described(INT), described(set_of(POSITION))
    ('an Int', 'a set of Position')
    """
    name = str(t) if t != NOTHING else "element of an empty list"
    return f"{'an' if name[0] in 'IOe' else 'a'} {name}"


def hint(got: Type, wanted: Type) -> str:
    """How to get from one type to the other where the two are easily mixed up, or an empty string."""
    if wanted == POSITION and got.kind in ("list", "set"):
        return ": position([...]) makes one of a list"
    if wanted == POSITION and got == INT:
        return ": position([5]) is one heap of 5, position([3, 4]) are two heaps"
    if wanted == POSITION and got == PLAYER:
        return ": the position comes first, then who moves, as in wins(s, P1)"
    if wanted == BOOL:
        return ", such as wins(s)" if got == POSITION else ", such as a comparison"
    if wanted == INT and got == RATIONAL:
        return ": // divides and takes the floor"
    if wanted == INT and got == POSITION:
        return ", such as sum(s) or len(s)"
    if wanted == INT and got == BOOL:
        return ": 1 if A else 0 makes one of a condition A"
    return ""
