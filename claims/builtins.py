"""The functions of the claim language: one table of names, argument types and results.

`OPERATIONS` lists the strict operations that an interpretation must give a meaning to; the meaning itself is the
referee's (`checks.referee`).  `overload` is what the elaborator asks: which operation does this call mean?
"""

from __future__ import annotations

from claims.types import BOOL, INT, NOTHING, POSITION, RATIONAL, Type, items_of, list_of, unify

REDUCERS = ("any", "all", "sum", "max", "min", "mex", "nim_sum", "count")

OPERATIONS: dict[str, str] = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "floordiv": "a // b: the floor of the quotient; b = 0 is ill-defined",
    "mod": "a % b: with the sign of b; b = 0 is ill-defined",
    "div": "a / b: the exact fraction; b = 0 is ill-defined",
    "pow": "a ** b: b negative, or a result of more than 100 000 bits, is ill-defined",
    "nim": "a ^ b: nim-addition; a negative operand is ill-defined",
    "neg": "-a",
    "rational": "an Int as a Rational",
    "eq": "a == b",
    "ne": "a != b",
    "lt": "a < b",
    "le": "a <= b",
    "gt": "a > b",
    "ge": "a >= b",
    "in": "x in c: an element of a list or set, or the size of a heap of a position",
    "not": "not a",
    "abs": "the absolute value",
    "isqrt": "the largest r with r * r <= x; x negative is ill-defined",
    "bit": "bit(x, i): binary digit i of x, 0 or 1, counted from 0 at the low end; a negative x or i is ill-defined",
    "top_bit": "top_bit(x): the index of the highest binary digit 1 of x; x <= 0 is ill-defined",
    "largest": "max(a, b, ...)",
    "smallest": "min(a, b, ...)",
    "range": "range(a, b): the integers a <= i < b; more than 10 000 000 are ill-defined",
    "len": "the number of elements, or of heaps",
    "sum": "the sum of a list or set, or of all heaps",
    "max": "the largest element or heap; of nothing it is ill-defined",
    "min": "the least element or heap; of nothing it is ill-defined",
    "mex": "the least natural number that is not an element",
    "nim_sum": "the nim-sum of the elements or heaps; a negative element is ill-defined",
    "any": "some element is true",
    "all": "every element is true",
    "count": "how many elements are true",
    "occurrences": "c.count(x): how often x is an element, or a heap size",
    "index": "c[i]: element i, counted from 0; heaps in ascending order; outside it is ill-defined",
    "position": "position(list): the position with these heaps, zeros left out; a negative size is ill-defined",
    "replace": "replace(s, h, y): s with one heap h become y (gone if y is 0); no heap h, or y < 0, is ill-defined",
    "nim_sum_ways": (
        "nim_sum_ways(w, n): a list v; v[x] is the number of ways that n independent draws have nim-sum x, where a "
        "draw is i in w[i] ways; a negative n or weight is ill-defined"
    ),
}

_NUMBER = (INT, RATIONAL)
_FIXED: dict[str, tuple[tuple[Type, ...], Type]] = {
    "isqrt": ((INT,), INT),
    "bit": ((INT, INT), INT),
    "top_bit": ((INT,), INT),
    "position": ((list_of(INT),), POSITION),
    "replace": ((POSITION, INT, INT), POSITION),
    "nim_sum_ways": ((list_of(INT), INT), list_of(INT)),
}
FUNCTIONS = sorted({*_FIXED, *REDUCERS, "abs", "len", "range", "implies", "iff"})


def reduced(reducer: str, element: Type) -> Type | None:
    """The type of `reducer(x for ...)` over elements of type `element`, or None where it has no meaning.

    >>> str(reduced("any", BOOL)), reduced("mex", BOOL)
    ('Bool', None)
    """
    if reducer in ("any", "all"):
        return BOOL if element == BOOL else None
    if reducer == "count":
        return INT if element == BOOL else None
    if reducer in ("sum", "max", "min"):
        return element if element in _NUMBER else None
    return INT if element == INT else None  # mex, nim_sum


def overload(name: str, args: tuple[Type, ...]) -> tuple[str, Type] | str:
    """The operation that `name(args)` means and its result type, or a sentence saying what was expected."""
    if name in _FIXED:
        wanted, result = _FIXED[name]
        if len(args) == len(wanted) and all(unify(a, w) == w for a, w in zip(args, wanted, strict=True)):
            return name, result
        return f"{name}({', '.join(map(str, wanted))})"
    if name == "abs":
        return ("abs", args[0]) if len(args) == 1 and args[0] in _NUMBER else "abs(Int)"
    if name == "len":
        one = len(args) == 1 and items_of(args[0]) is not None
        return ("len", INT) if one else "len of one list, set or position"
    if name in ("implies", "iff"):
        return f"{name}(Bool, Bool)"
    if name == "range":
        good = len(args) in (1, 2) and all(a == INT for a in args)
        return ("range", list_of(INT)) if good else "range(Int) or range(Int, Int)"
    if name in ("max", "min") and len(args) >= 2:
        if all(a in _NUMBER for a in args):
            kind = RATIONAL if RATIONAL in args else INT
            return ("largest" if name == "max" else "smallest"), kind
        return f"{name} of two or more numbers, or of one list, set or position of numbers"
    if name in REDUCERS:
        if len(args) == 1:
            element = items_of(args[0])
            if element == NOTHING:
                element = BOOL if name in ("any", "all", "count") else INT
            result_type = reduced(name, element) if element else None
            if result_type is not None:
                return name, result_type
        several = f"{name}(a, b, ...), " if name in ("max", "min") else ""
        what = "list or set of Bool" if name in ("any", "all", "count") else "list, set or position of numbers"
        return f"{several}{name}(... for x in ...), or {name} of one {what}"
    raise KeyError(name)
