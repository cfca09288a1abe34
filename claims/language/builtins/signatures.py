"""What types operations take, and what they give.

A signature maps the types of the arguments to the type of the result, or to a sentence that says what was expected;
to "" where it is not meant for so many arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from claims.language.terms.types import (
    BOOL,
    INT,
    NOTHING,
    POSITION,
    RATIONAL,
    Type,
    first_number,
    items_of,
    list_of,
    position_of,
    unify,
)

Types = tuple[Type, ...]
Signature = Callable[[Types], Type | str]
Reduction = Callable[[Type], Type | None]
"""The type that elements of a type reduce to, or None where that has no meaning."""

_NUMBER = (INT, RATIONAL)


def takes(name: str, *wanted: Type, gives: Type) -> Signature:
    """Exactly these types.

    >>> str(takes("bit", INT, INT, gives=INT)((INT, INT))), takes("bit", INT, INT, gives=INT)((BOOL,))
    ('Int', 'bit(Int, Int)')
    """

    def signature(args: Types) -> Type | str:
        fits = len(args) == len(wanted) and all(unify(a, w) == w for a, w in zip(args, wanted, strict=True))
        return gives if fits else f"{name}({', '.join(map(str, wanted))})"

    return signature


def add_up(args: Types) -> Type | str:
    """Two numbers: an Int if both are."""
    if not _are_numbers(args, 2):
        return "two numbers"
    return RATIONAL if RATIONAL in args else INT


def divide(args: Types) -> Type | str:
    """Two numbers: a Rational."""
    return RATIONAL if _are_numbers(args, 2) else "two numbers"


def raise_to(args: Types) -> Type | str:
    """A number and an Int as its exponent: the type of the number."""
    return args[0] if _are_numbers(args, 2) and args[1] == INT else "a number, and an Int as exponent"


def negate(args: Types) -> Type | str:
    """One number: its type."""
    return args[0] if _are_numbers(args, 1) else "a number"


def enlarge(args: Types) -> Type | str:
    """One Int: a Rational."""
    return RATIONAL if args == (INT,) else "an Int"


def equate(args: Types) -> Type | str:
    """Two values of one type."""
    return BOOL if len(args) == 2 and unify(*args) else "two of one type"


def order(args: Types) -> Type | str:
    """Two numbers."""
    return BOOL if _are_numbers(args, 2) else "two numbers"


def contain(args: Types) -> Type | str:
    """An element, and what it may be in."""
    return BOOL if len(args) == 2 and items_of(args[1]) else "an element, and a list, set or position"


def index(args: Types) -> Type | str:
    """A list or a position, and an Int: what the one has at the other."""
    element = items_of(args[0]) if len(args) == 2 and args[0].kind != "set" and args[1] == INT else None
    return element or "a list or a position, and an Int"


def occur(args: Types) -> Type | str:
    """What something may be in, and an element."""
    return INT if len(args) == 2 and items_of(args[0]) else "a list, set or position, and an element"


def absolute(args: Types) -> Type | str:
    """One number: its type."""
    return args[0] if _are_numbers(args, 1) else "abs(Int)"


def measure(args: Types) -> Type | str:
    """A list, a set or a position."""
    one = len(args) == 1 and items_of(args[0]) is not None
    return INT if one else "len of one list, set or position"


def run(args: Types) -> Type | str:
    """One or two Ints: a list of Int."""
    return Type("list", INT) if len(args) in (1, 2) and all(a == INT for a in args) else "range(Int) or range(Int, Int)"


def extreme(name: str) -> Signature:
    """Two or more numbers: a Rational if one of them is."""

    def signature(args: Types) -> Type | str:
        if len(args) < 2:
            return ""
        if not _are_numbers(args, len(args)):
            return f"{name} of two or more numbers, or of one list, set or position of numbers"
        return RATIONAL if RATIONAL in args else INT

    return signature


def collect(name: str, reduction: Reduction) -> Signature:
    """One list, set or position, of elements that have the reduction."""
    several = f"{name}(a, b, ...), " if name in ("max", "min") else ""
    what = "list or set of Bool" if reduction in (reduce_truths, count_truths) else "list, set or position of numbers"

    def signature(args: Types) -> Type | str:
        element = items_of(args[0]) if len(args) == 1 else None
        if element == NOTHING:
            element = BOOL if reduction in (reduce_truths, count_truths) else INT
        if element is not None and element.parts:
            return f"a part of the heaps, say which part: {name}({first_number(element)} for h in s)"
        found = reduction(element) if element else None
        return found or f"{several}{name}(... for x in ...), or {name} of one {what}"

    return signature


def gather(args: Types) -> Type | str:
    """A list of heaps, which are Ints or have parts: their position."""
    element = items_of(args[0]) if len(args) == 1 and args[0].kind == "list" else None
    if element is not None and element.parts:
        return position_of(element)
    whole = ": // divides and takes the floor" if element == RATIONAL else ""
    return POSITION if element in (INT, NOTHING) else f"position(list of Int){whole}"


def put_in(args: Types) -> Type | str:
    """A list, a place and what is to stand there: a list of that type."""
    fits = len(args) == 3 and args[0].kind == "list" and args[1] == INT and unify(args[0], list_of(args[2]))
    return args[0] if fits else "put(list, Int, element)"


def sort_up(args: Types) -> Type | str:
    """A list or set of numbers: a list."""
    element = args[0].element if len(args) == 1 and args[0].is_collection else None
    return (
        list_of(element)
        if element in (*_NUMBER, NOTHING) and element is not None
        else "sorted of one list or set of numbers"
    )


def cut_out(args: Types) -> Type | str:
    """A list and two Ints: a list of that type."""
    fits = len(args) == 3 and args[0].kind == "list" and args[1:] == (INT, INT)
    return args[0] if fits else "a list, and an Int on each side of ':'"


def join(args: Types) -> Type | str:
    """Two lists of one type."""
    kind = unify(*args) if len(args) == 2 else None
    return kind if kind is not None and kind.kind == "list" else "two lists of one type"


def take_part(args: Types) -> Type | str:
    """Never by its name: h.c is a part of a heap."""
    return ""


def build_heap(args: Types) -> Type | str:
    """Where no game has heaps with parts."""
    return "a game whose ruleset has [heap]: heap(...) is a heap with parts"


def add_columns(args: Types) -> Type | str:
    """A list, set or position of Int, and two Ints."""
    fits = len(args) == 3 and items_of(args[0]) in (INT, NOTHING) and args[1:] == (INT, INT)
    return INT if fits else "columns of a list, set or position of Int, a modulus and a remainder"


# -- reductions: of any number of elements of one type -----------------------------------------------------------------
def reduce_truths(element: Type) -> Type | None:
    return BOOL if element == BOOL else None


def count_truths(element: Type) -> Type | None:
    return INT if element == BOOL else None


def reduce_numbers(element: Type) -> Type | None:
    return element if element in _NUMBER else None


def reduce_integers(element: Type) -> Type | None:
    return INT if element == INT else None  # mex, nim_sum


def _are_numbers(args: Types, count: int) -> bool:
    return len(args) == count and all(a in _NUMBER for a in args)
