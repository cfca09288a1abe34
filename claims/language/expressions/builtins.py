"""The functions of the claim language: one table of names, argument types and results.

`OPERATIONS` lists the strict operations that an interpretation must give a meaning to; the meaning itself is the
referee's (`checks.referee.meaning`).  `overload` is what the elaborator asks: which operation does this call mean?
"""

from __future__ import annotations

from claims.language.expressions.types import BOOL, INT, NOTHING, POSITION, RATIONAL, Type, items_of, list_of, unify

# What every interpretation of an operation may refuse for its size: a limit met, never "ill-defined".
MAX_RANGE = 10_000_000  # integers in one range(a, b)
MAX_POWER_BITS, MAX_PRODUCT_BITS = 100_000, 1_000_000  # of a power; of a product: of both factors together

REDUCERS = ("any", "all", "sum", "max", "min", "mex", "nim_sum", "count")

# Operation: how it is written, and what it means.  "rational" is never written: an Int beside a Rational becomes one.
OPERATIONS: dict[str, str] = {
    "add": "a + b: the sum",
    "sub": "a - b: the difference",
    "mul": "a * b: the product",
    "floordiv": "a // b: the floor of the quotient; b = 0 is ill-defined",
    "mod": "a % b: the remainder a - b * (a // b), with the sign of b; b = 0 is ill-defined",
    "div": "a / b: the exact fraction; b = 0 is ill-defined",
    "pow": "a ** b: the power; b negative is ill-defined",
    "nim": "a ^ b: the nim-sum of two natural numbers; a negative operand is ill-defined",
    "neg": "-a: the negative",
    "rational": "a: an Int as a Rational",
    "eq": "a == b: equal",
    "ne": "a != b: not equal",
    "lt": "a < b: less",
    "le": "a <= b: less or equal",
    "gt": "a > b: greater",
    "ge": "a >= b: greater or equal",
    "in": "x in c: x is an element of the list or set c, or the size of a heap of the position c",
    "not": "not a: the opposite",
    "abs": "abs(x): the absolute value",
    "isqrt": "isqrt(x): the largest r with r * r <= x; x negative is ill-defined",
    "bit": "bit(x, i): binary digit i of x, 0 or 1, counted from 0 at the low end; a negative x or i is ill-defined",
    "top_bit": "top_bit(x): the index of the highest binary digit 1 of x; x <= 0 is ill-defined",
    "largest": "max(a, b, ...): the largest of two or more numbers",
    "smallest": "min(a, b, ...): the least of two or more numbers",
    "range": "range(a, b): the list a, ..., b - 1; range(b) begins at 0",
    "len": "len(c): the number of elements, or of heaps",
    "sum": "sum(c): the sum of the elements, or of the heaps",
    "max": "max(c): the largest element or heap; of nothing it is ill-defined",
    "min": "min(c): the least element or heap; of nothing it is ill-defined",
    "mex": "mex(c): the least natural number that is not an element, or not the size of a heap",
    "nim_sum": "nim_sum(c): the nim-sum of the elements or heaps; a negative element is ill-defined",
    "any": "any(c): some element is true",
    "all": "all(c): every element is true",
    "count": "count(c): how many elements are true",
    "occurrences": "c.count(x): how often x is an element of the list or set c, or a heap size of the position c",
    "index": "c[i]: element i of a list, or heap i of a position, ascending, counted from 0; outside it is ill-defined",
    "position": "position(c): the position with the heaps of the list c, without zeros; a negative size is ill-defined",
    "replace": "replace(s, h, y): s with a heap h become y, gone if y is 0; no heap h, or y < 0, is ill-defined",
    "nim_sum_ways": (
        "nim_sum_ways(w, n): the list v where v[x] is the number of ways in which n draws have nim-sum x, a draw being "
        "i in w[i] ways; its length is the least power of 2 that w fits in; a negative n or weight is ill-defined"
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
