"""The operators and functions of the language: one table with a row for each, and their types.

A row contains the types of an operation, the conditions under which it has a value, the value, its size limits, and its
notation. Adding an operation needs only a new row: see `docs/extending.md`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from claims.language.syntax import game_values as g
from claims.language.syntax import meanings as m
from claims.language.syntax import notation as n
from claims.language.syntax.meanings import (
    AtLeast,
    Condition,
    HeapOf,
    Inside,
    NotEmpty,
    NotZero,
    Pairs,
    Value,
    two_naturals,
)
from claims.language.syntax.notation import Notation, Running
from claims.language.syntax.terms import (
    BOOL,
    GAME,
    INT,
    NOTHING,
    POSITION,
    RATIONAL,
    Type,
    first_number,
    items_of,
    list_of,
    position_of,
    set_of,
    unify,
)

# == signatures =======================================================================================================
# The types that operations take and return.
#
# A signature maps the types of the arguments to the type of the result. For invalid types it returns the text of what
# was expected, or "" if this row is not meant for that number of arguments.
Types = tuple[Type, ...]
Signature = Callable[[Types], Type | str]
Reduction = Callable[[Type], Type | None]
"""A function from the type of the elements of a collection to the type of, say, their sum; None if it is undefined."""

_NUMBER = (INT, RATIONAL)


def takes(name: str, *wanted: Type, gives: Type) -> Signature:
    """Return the signature of an operation `name` whose arguments must have the types `wanted`.

    The signature returns the type `gives`; for other types of arguments, it returns the expected call as text.

    >>> str(takes("bit", INT, INT, gives=INT)((INT, INT))), takes("bit", INT, INT, gives=INT)((BOOL,))
    ('Int', 'bit(Int, Int)')
    """

    def signature(args: Types) -> Type | str:
        fits = len(args) == len(wanted) and all(unify(a, w) == w for a, w in zip(args, wanted, strict=True))
        return gives if fits else f"{name}({', '.join(map(str, wanted))})"

    return signature


def add_up(args: Types) -> Type | str:
    """Return the type of `a + b`, `a - b` or `a * b`: Int for two Ints, and Rational if a number is a Rational.

    For other types, return a description of the expected arguments.
    """
    if not _are_numbers(args, 2):
        return "two numbers"
    return RATIONAL if RATIONAL in args else INT


def divide(args: Types) -> Type | str:
    """Return the type of `a / b`: Rational for two numbers.

    For other types, return a description of the expected arguments.
    """
    return RATIONAL if _are_numbers(args, 2) else "two numbers"


def raise_to(args: Types) -> Type | str:
    """Return the type of `a ** b`, which is the type of the number a if the exponent b is an Int.

    For other types, return a description of the expected arguments.
    """
    return args[0] if _are_numbers(args, 2) and args[1] == INT else "a number, and an Int as exponent"


def negate(args: Types) -> Type | str:
    """Return the type of `-a`, which is the type of the number a.

    For another type, return a description of the expected argument.
    """
    return args[0] if _are_numbers(args, 1) else "a number"


def enlarge(args: Types) -> Type | str:
    """Return Rational, the type of the conversion of an Int to a Rational.

    For other arguments, return a description of the expected arguments.
    """
    return RATIONAL if args == (INT,) else "an Int"


def equate(args: Types) -> Type | str:
    """Return the type of `a == b`: Bool if both types are equal, or if one can be converted to the other.

    For other types, return a description of the expected arguments.
    """
    return BOOL if len(args) == 2 and unify(*args) else "two values of one type"


def order(args: Types) -> Type | str:
    """Return the type of `a < b`: Bool for two numbers.

    For other types, return a description of the expected arguments.
    """
    return BOOL if _are_numbers(args, 2) else "two numbers"


def contain(args: Types) -> Type | str:
    """Return the type of `x in c`: Bool if c is a list, set or position. The type of x is checked elsewhere.

    For other types of c, return a description of the expected arguments.
    """
    return BOOL if len(args) == 2 and items_of(args[1]) else "an element, and a list, set or position"


def index(args: Types) -> Type | str:
    """Return the type of `c[i]`: the type of the elements of a list, or of the heaps of a position, if i is an Int.

    For other types, return a description of the expected arguments.
    """
    element = items_of(args[0]) if len(args) == 2 and args[0].kind != "set" and args[1] == INT else None
    return element or "a list or a position, and an Int"


def occur(args: Types) -> Type | str:
    """Return the type of `c.count(x)`: Int if c is a list, set or position. The type of x is checked elsewhere.

    For other types of c, return a description of the expected arguments.
    """
    return INT if len(args) == 2 and items_of(args[0]) else "a list, set or position, and an element"


def absolute(args: Types) -> Type | str:
    """Return the type of `abs(x)`, which is the type of the number x.

    For other types, return a description of the expected arguments.
    """
    return args[0] if _are_numbers(args, 1) else "abs(Int)"


def measure(args: Types) -> Type | str:
    """Return the type of `len(c)`: Int for a list, set or position.

    For other types, return a description of the expected arguments.
    """
    one = len(args) == 1 and items_of(args[0]) is not None
    return INT if one else "len of one list, set or position"


def run(args: Types) -> Type | str:
    """Return the type of `range(b)` or `range(a, b)`: list of Int.

    For other types, return a description of the expected arguments.
    """
    return Type("list", INT) if len(args) in (1, 2) and all(a == INT for a in args) else "range(Int) or range(Int, Int)"


def extreme(name: str) -> Signature:
    """Return the signature of `max(a, b, ...)` or `min(a, b, ...)`.

    The type of the result is Rational if one of the numbers is a Rational, otherwise Int. For fewer than two arguments,
    the signature returns "", because another operation of this name, such as `max(c)`, then applies.
    """

    def signature(args: Types) -> Type | str:
        if len(args) < 2:
            return ""
        if not _are_numbers(args, len(args)):
            return f"{name} of two or more numbers, or of one list, set or position of numbers"
        return RATIONAL if RATIONAL in args else INT

    return signature


def collect(name: str, reduction: Reduction) -> Signature:
    """Return the signature of a function `name` of one list, set or position, such as `sum(c)`.

    `reduction`: a function that maps the type of the elements to the type of the result, or to None if the function is
    not defined. The signature then returns the expected calls as text.
    """
    several = f"{name}(a, b, ...), " if name in ("max", "min") else ""
    what = "list or set of Bool" if reduction in (reduce_truths, count_truths) else "list, set or position of numbers"

    def signature(args: Types) -> Type | str:
        element = items_of(args[0]) if len(args) == 1 else None
        if element == NOTHING:
            element = BOOL if reduction in (reduce_truths, count_truths) else INT
        if element is not None and element.parts:
            return f"a part of each heap, as in {name}({first_number(element)} for h in s)"
        found = reduction(element) if element else None
        return found or f"{several}{name}(... for x in ...), or {name} of one {what}"

    return signature


def gather(args: Types) -> Type | str:
    """Return the type of `position(c)` for a list c of Ints or of heaps with parts: positions with such heaps.

    For other types, return a description of the expected arguments.
    """
    element = items_of(args[0]) if len(args) == 1 and args[0].kind == "list" else None
    if element is not None and element.parts:
        return position_of(element)
    whole = ": use // to divide and take the floor" if element == RATIONAL else ""
    return POSITION if element in (INT, NOTHING) else f"position(list of Int){whole}"


def put_in(args: Types) -> Type | str:
    """Return the type of `put(c, i, x)`, which is the type of the list c.

    For other types, return a description of the expected arguments.
    """
    fits = len(args) == 3 and args[0].kind == "list" and args[1] == INT and unify(args[0], list_of(args[2]))
    return args[0] if fits else "put(list, Int, element)"


def sort_up(args: Types) -> Type | str:
    """Return the type of `sorted(c)`: a list, for a list or set of numbers.

    For other types, return a description of the expected arguments.
    """
    element = args[0].element if len(args) == 1 and args[0].is_collection else None
    return (
        list_of(element)
        if element in (*_NUMBER, NOTHING) and element is not None
        else "sorted of one list or set of numbers"
    )


def cut_out(args: Types) -> Type | str:
    """Return the type of `c[a:b]`, which is the type of the list c.

    For other types, return a description of the expected arguments.
    """
    fits = len(args) == 3 and args[0].kind == "list" and args[1:] == (INT, INT)
    return args[0] if fits else "a list, and an Int on each side of ':'"


def join(args: Types) -> Type | str:
    """Return the type of `c + d` for two lists: their common type.

    If there is none, return a description of the expected arguments.
    """
    kind = unify(*args) if len(args) == 2 else None
    return kind if kind is not None and kind.kind == "list" else "two lists of one type"


def search_edges(name: str) -> Signature:
    """Return the signature of a function `name(edges, v)` of a list or set of pairs of Ints, and an Int.

    The signature returns set of Int; for other types of arguments, it returns the expected call as text.
    """

    def signature(args: Types) -> Type | str:
        pair = args[0].element if len(args) == 2 and args[0].is_collection else None
        if pair is not None and unify(pair, _LIST) == _LIST and args[1] == INT:
            return set_of(INT)
        flat = pair == INT and args[0].kind == "list"
        more = "; the pairs of a list c of numbers are [(c[2 * i], c[2 * i + 1]) for i in range(len(c) // 2)]"
        return f"{name}([(a, b), ...], v), with a list of pairs and an Int{more if flat else ''}"

    return signature


def take_part(args: Types) -> Type | str:
    """Return "": no call has this meaning, because a part of a heap is written `h.c`, which is not a call."""
    return ""


def build_heap(args: Types) -> Type | str:
    """Return the error text for `heap(...)` in a claim whose heaps have no parts.

    If heaps have parts, `elaborate.make_heap` determines the type.
    """
    return "a game whose ruleset has [heap], because heap(...) is a heap with parts"


def add_columns(args: Types) -> Type | str:
    """Return the type of `columns(c, m, r)`: Int for a list, set or position c of Int, and two Ints m and r.

    For other types, return a description of the expected arguments.
    """
    fits = len(args) == 3 and items_of(args[0]) in (INT, NOTHING) and args[1:] == (INT, INT)
    return INT if fits else "columns of a list, set or position of Int, a modulus and a remainder"


# -- reductions: of any number of elements of one type -----------------------------------------------------------------
def reduce_truths(element: Type) -> Type | None:
    return BOOL if element == BOOL else None


def count_truths(element: Type) -> Type | None:
    return INT if element == BOOL else None


def reduce_numbers(element: Type) -> Type | None:
    return element if element in _NUMBER else None


def reduce_sums(element: Type) -> Type | None:
    return element if element in (*_NUMBER, GAME) else None


def reduce_integers(element: Type) -> Type | None:
    return INT if element == INT else None  # mex, nim_sum


def _are_numbers(args: Types, count: int) -> bool:
    return len(args) == count and all(a in _NUMBER for a in args)


# == rows =============================================================================================================
# One row of the table of operations.
@dataclass(frozen=True)
class OperatorSyntax:
    """The notation of an operation that is not written as a call, such as `a + b`, `-a` or `c[i]`.

    `pattern`: a text with a "{}" for each argument, such as "{} + {}".
    `power`: the binding strength of the complete term.
    `parts`: for each argument, the least binding strength with which it needs no parentheses.
    The strengths are 3 for `not`, 4 for comparisons, 5 to 9 for arithmetic, 10 for names, numbers and calls, and 0
    inside brackets.
    """

    pattern: str
    power: int
    parts: tuple[int, ...]

    @property
    def sign(self) -> str:
        """The notation without the arguments, such as "+" for "{} + {}"."""
        return self.pattern.replace("{}", "").strip()


def infix(sign: str, power: int, left: int | None = None, right: int | None = None) -> OperatorSyntax:
    """Return the notation `a sign b` with the binding strength `power`. By default, `a - b - c` means `(a - b) - c`.

    `left`, `right`: the least binding strengths with which a and b need no parentheses.
    """
    parts = (power if left is None else left, power + 1 if right is None else right)
    return OperatorSyntax(f"{{}} {sign} {{}}", power, parts)


@dataclass(frozen=True)
class Builtin:
    """An operator or function of the claim language. All its arguments are evaluated first, from left to right.

    `name`: the name of the operation in terms (`Operation.op`).
    `says`: the documentation as a text "notation: meaning".
    `typed`: a function from the types of the arguments to the type of the result, or to a text if they are invalid.
    `evaluate`: a function from the values of the arguments to the value of the operation.
    `needs`: the conditions on the arguments under which the operation has a value.
    `limit`: a function that returns a description of an argument that is too large, or "" if all are small enough.
    `steps`: a function that returns the number of elementary steps of `evaluate`; None if the operation is cheap.
    `form`: the notation of an operator; None for an operation that is called by its name, or by `alias` if given.
    `natural`: whether the value is always an integer that is not negative.
    `reduces`: for an operation with the form `name(... for x in ...)`, a function from the type of the elements to the
    type of the result; otherwise None.
    `shown`: the typeset notation; None for a call.
    `runs`: the typeset notation of `name(... for x in ...)`; if None, the name is shown before a set.
    """

    name: str
    says: str
    typed: Signature
    evaluate: Callable[..., Value]
    needs: tuple[Condition, ...] = ()
    limit: Callable[..., str] | None = None
    steps: Callable[..., int] | None = None
    form: OperatorSyntax | None = None
    alias: str = ""
    natural: bool = False
    reduces: Reduction | None = None
    shown: Notation | None = None
    runs: Running | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the operation has a value for all arguments of its types, without a limit on size or extra steps."""
        return not (self.needs or self.limit or self.steps)

    @property
    def called(self) -> str:
        """The name by which expressions call the function; "" for an operator, such as `+`."""
        return "" if self.form else self.alias or self.name


# == lists ============================================================================================================
# Rows of the table about lists, whose elements have an order, and about heaps that have parts.
_LIST = list_of(INT)
_EDGES = (Pairs(0, "an edge with {} ends"),)

LISTS = (
    Builtin(
        "nim_sum_ways",
        "nim_sum_ways(w, n): the list v where v[x] is the number of ways in which n draws have nim-sum x, if each draw "
        "can be i in w[i] ways; len(v) is the least power of 2 that is at least len(w); a negative n or weight is "
        "ill-defined",
        takes("nim_sum_ways", _LIST, INT, gives=_LIST),
        m.nim_sum_ways,
        needs=two_naturals("nim_sum_ways"),
        steps=m.count_ways,
    ),
    Builtin(
        "part",
        "h.c: the part c of a heap h; the ruleset names the parts",
        take_part,
        lambda h, at: h[at],
        form=OperatorSyntax("{}.{}", 10, (10, 0)),
        shown=n.show_part,
    ),
    Builtin(
        "heap",
        "heap(a, b, ...): the heap with these parts, in the order of the ruleset",
        build_heap,
        lambda *parts: parts,
    ),
    Builtin(
        "put",
        "put(c, i, x): the list c with element i replaced by x; ill-defined if i is out of range",
        put_in,
        lambda c, i, x: (*c[:i], x, *c[i + 1 :]),
        needs=(Inside(of=0, at=1),),
    ),
    Builtin(
        "slice",
        "c[a:b]: the elements of the list c with index a to b - 1, fewer if c is shorter; ill-defined if a or b is "
        "negative",
        cut_out,
        lambda c, a, b: c[a:b],
        needs=(AtLeast(1, "a slice from a negative number"), AtLeast(2, "a slice to a negative number")),
        form=OperatorSyntax("{}[{}:{}]", 10, (10, 0, 0)),
        shown=n.show_slice,
    ),
    Builtin(
        "concat",
        "c + d: the list c, then the list d",
        join,
        operator.add,
        form=infix("+", 6),
        shown=n.make_infix("+", n.B.SUM, n.B.SUM, n.B.BIG),
    ),
    Builtin(
        "reachable",
        "reachable(edges, v): the set of the vertices to which a path from v leads, with v itself; edges is a list of "
        "pairs, and a pair (a, b) leads from a to b; an element of edges that is not a pair is ill-defined",
        search_edges("reachable"),
        m.reachable,
        needs=_EDGES,
        steps=m.count_edges,
    ),
    Builtin(
        "component",
        "component(edges, v): the set of the vertices to which a path from v leads, with v itself, if each pair (a, b) "
        "of the list edges leads in both directions; an element of edges that is not a pair is ill-defined",
        search_edges("component"),
        m.component,
        needs=_EDGES,
        steps=m.count_edges,
    ),
    Builtin("sorted", "sorted(c): the elements of c as a list, ascending", sort_up, lambda c: tuple(sorted(c))),
)


def stack(args: Types) -> Type | str:
    """Return the type of `ordinal_sum(G, H)`: Game for two games.

    For other types, return a description of the expected arguments.
    """
    return GAME if args == (GAME, GAME) else "ordinal_sum(Game, Game): game(s) is the position s as a game"


# == games ============================================================================================================
# Rows of the table about games as values, such as `game(s)` and games in quotes. The referee and the engine each
# compute the options of these games by their own code.
_GAMES = (GAME, GAME)

GAMES = (
    Builtin(
        "add_games",
        "G + H: the sum of two games, in which a move is a move in G or in H",
        takes("+", *_GAMES, gives=GAME),
        g.add_games,
        form=infix("+", 6),
        shown=n.make_infix("+", n.B.SUM, n.B.SUM, n.B.BIG),
    ),
    Builtin(
        "subtract_games",
        "G - H: the sum of G and -H",
        takes("-", *_GAMES, gives=GAME),
        g.subtract_games,
        form=infix("-", 6),
        shown=n.make_infix("−", n.B.SUM, n.B.SUM, n.B.BIG),
    ),
    Builtin(
        "negate_game",
        "-G: the game G with the roles of Left and Right exchanged",
        takes("-", GAME, gives=GAME),
        g.negate_game,
        form=OperatorSyntax("-{}", 8, (8,)),
        shown=n.show_negative,
    ),
    Builtin(
        "multiply_games",
        "G * H: the product of two games, as defined by Conway",
        takes("*", *_GAMES, gives=GAME),
        g.multiply_games,
        form=infix("*", 7),
        shown=n.make_infix("×", n.B.PRODUCT, n.B.PRODUCT, n.B.POWER),
    ),
    Builtin(
        "ordinal_sum",
        "ordinal_sum(G, H): the game in which a move is a move in G or in H, and a move in G ends H",
        stack,
        g.stack_games,
        shown=n.make_infix(":", n.B.PRODUCT, n.B.POWER, n.B.POWER),
    ),
)


# == table ============================================================================================================
# The table: every operator and function of the language except `and`, `or`, `if`, `implies`, `iff` and the questions.
_INTS, _ZERO = (INT, INT), (NotZero(1, "division by zero"),)
_SUM = (n.B.SUM, n.B.SUM, n.B.BIG)

_ROWS = (
    # "join" shares the sign "+" with "add". "add" comes later, so SIGNS contains "add"; the types tell the two apart.
    Builtin(
        "join",
        "s + t: the sum of two positions, with the heaps of both; either may be the list of its heaps",
        takes("+", POSITION, POSITION, gives=POSITION),
        m.join,
        form=infix("+", 6),
        shown=n.make_infix("+", *_SUM),
    ),
    Builtin("add", "a + b: the sum", add_up, operator.add, form=infix("+", 6), shown=n.make_infix("+", *_SUM)),
    Builtin("sub", "a - b: the difference", add_up, operator.sub, form=infix("-", 6), shown=n.make_infix("−", *_SUM)),
    Builtin(
        "mul",
        "a * b: the product",
        add_up,
        operator.mul,
        limit=m.limit_product,
        form=infix("*", 7),
        shown=n.join_product,
    ),
    Builtin(
        "floordiv",
        "a // b: the floor of the quotient; b = 0 is ill-defined",
        takes("//", *_INTS, gives=INT),
        operator.floordiv,
        needs=_ZERO,
        form=infix("//", 7),
        shown=n.show_floor,
    ),
    Builtin(
        "mod",
        "a % b: the remainder a - b * (a // b), with the sign of b; b = 0 is ill-defined",
        takes("%", *_INTS, gives=INT),
        operator.mod,
        needs=_ZERO,
        form=infix("%", 7),
        shown=n.show_mod,
    ),
    Builtin(
        "div",
        "a / b: the exact fraction; b = 0 is ill-defined",
        divide,
        lambda x, y: Fraction(x) / y,
        needs=_ZERO,
        form=infix("/", 7),
        shown=n.show_fraction,
    ),
    Builtin(
        "pow",
        "a ** b: the power; b negative is ill-defined",
        raise_to,
        operator.pow,
        needs=(AtLeast(1, "a negative exponent"),),
        limit=m.limit_power,
        form=infix("**", 9, 10, 9),
        shown=n.show_power,
    ),
    Builtin(
        "nim",
        "a ^ b: the nim-sum of two natural numbers; a negative operand is ill-defined",
        takes("^", *_INTS, gives=INT),
        operator.xor,
        needs=two_naturals("nim"),
        form=infix("^", 5),
        natural=True,
        shown=n.make_infix("⊕", n.B.NIM, n.B.BIG, n.B.BIG, chain="nim"),
    ),
    Builtin(
        "nim_product",
        "nim_product(a, b): the product of two natural numbers as nimbers; a negative operand is ill-defined",
        takes("nim_product", *_INTS, gives=INT),
        m.nim_product,
        needs=two_naturals("nim_product"),
        limit=m.limit_nim_product,
        steps=m.count_nim_products,
        natural=True,
        shown=n.make_infix("⊗", n.B.PRODUCT, n.B.BIG, n.B.BIG),
    ),
    Builtin(
        "neg", "-a: the negative", negate, operator.neg, form=OperatorSyntax("-{}", 8, (8,)), shown=n.show_negative
    ),
    # Never written: an Int next to a Rational is converted implicitly.
    Builtin(
        "rational",
        "a: an Int as a Rational",
        enlarge,
        Fraction,
        form=OperatorSyntax("{}", 0, (0,)),
        shown=n.show_as_it_is,
    ),
    Builtin("eq", "a == b: equal", equate, operator.eq, form=infix("==", 4, 5, 5), shown=n.Equality("=", "⟺", "is")),
    Builtin(
        "ne",
        "a != b: not equal",
        equate,
        operator.ne,
        form=infix("!=", 4, 5, 5),
        shown=n.Equality("≠", "⇎", "is not"),
    ),
    Builtin("lt", "a < b: less", order, operator.lt, form=infix("<", 4, 5, 5), shown=n.Relation("<")),
    Builtin("le", "a <= b: less or equal", order, operator.le, form=infix("<=", 4, 5, 5), shown=n.Relation("≤")),
    Builtin("gt", "a > b: greater", order, operator.gt, form=infix(">", 4, 5, 5), shown=n.Relation(">")),
    Builtin("ge", "a >= b: greater or equal", order, operator.ge, form=infix(">=", 4, 5, 5), shown=n.Relation("≥")),
    Builtin(
        "in",
        "x in c: x is an element of the list or set c, or the size of a heap of the position c",
        contain,
        lambda x, c: x in c,
        form=infix("in", 4, 5, 5),
        shown=n.show_element("∈"),
    ),
    Builtin(
        "not",
        "not a: the opposite",
        takes("not", BOOL, gives=BOOL),
        operator.not_,
        form=OperatorSyntax("not {}", 3, (3,)),
        shown=n.show_not,
    ),
    Builtin("abs", "abs(x): the absolute value", absolute, abs, shown=n.enclose("|", "|")),
    Builtin(
        "isqrt",
        "isqrt(x): the largest r with r * r <= x; x negative is ill-defined",
        takes("isqrt", INT, gives=INT),
        math.isqrt,
        needs=(AtLeast(0, "a negative operand of isqrt"),),
        natural=True,
        shown=n.show_root,
    ),
    Builtin(
        "bit",
        "bit(x, i): binary digit i of x, 0 or 1, counted from 0 at the low end; a negative x or i is ill-defined",
        takes("bit", *_INTS, gives=INT),
        lambda x, i: x >> i & 1,
        needs=two_naturals("bit"),
        natural=True,
        shown=n.show_bit,
    ),
    Builtin(
        "top_bit",
        "top_bit(x): the index of the highest binary digit 1 of x; x <= 0 is ill-defined",
        takes("top_bit", INT, gives=INT),
        lambda x: x.bit_length() - 1,
        needs=(AtLeast(0, "top_bit of a number below 1", least=1),),
        natural=True,
        shown=n.show_top_bit,
    ),
    Builtin(
        "bit_and",
        "bit_and(a, b): the bitwise and of a and b; a negative operand is ill-defined",
        takes("bit_and", *_INTS, gives=INT),
        operator.and_,
        needs=two_naturals("bit_and"),
        natural=True,
        shown=n.call_by("bitand"),
    ),
    Builtin(
        "bit_or",
        "bit_or(a, b): the bitwise or of a and b; a negative operand is ill-defined",
        takes("bit_or", *_INTS, gives=INT),
        operator.or_,
        needs=two_naturals("bit_or"),
        natural=True,
        shown=n.call_by("bitor"),
    ),
    Builtin(
        "popcount",
        "popcount(x): the number of binary digits 1 of x; x negative is ill-defined",
        takes("popcount", INT, gives=INT),
        int.bit_count,
        needs=(AtLeast(0, "a negative operand of popcount"),),
        natural=True,
    ),
    Builtin(
        "digit_sum",
        "digit_sum(x, b): the sum of the digits of x to the base b; x negative or b < 2 is ill-defined",
        takes("digit_sum", *_INTS, gives=INT),
        m.digit_sum,
        needs=(AtLeast(0, "a negative operand of digit_sum"), AtLeast(1, "digits to a base below 2", least=2)),
        steps=m.count_divisions,
        natural=True,
    ),
    Builtin(
        "gcd",
        "gcd(a, b): the greatest common divisor, at least 0; gcd(0, 0) is 0",
        takes("gcd", *_INTS, gives=INT),
        math.gcd,
        natural=True,
    ),
    Builtin(
        "valuation",
        "valuation(x, p): the largest e such that p ** e divides x; x = 0 or p < 2 is ill-defined",
        takes("valuation", *_INTS, gives=INT),
        m.valuation,
        needs=(NotZero(0, "valuation of 0"), AtLeast(1, "valuation at a number below 2", least=2)),
        steps=m.count_divisions,
        natural=True,
        shown=n.show_valuation,
    ),
    Builtin(
        "is_prime",
        "is_prime(x): x is a prime number, so at least 2",
        takes("is_prime", INT, gives=BOOL),
        m.is_prime,
        limit=m.limit_prime,
        steps=lambda x: x.bit_length(),
        shown=n.show_prime,
    ),
    Builtin("largest", "max(a, b, ...): the largest of two or more numbers", extreme("max"), max, alias="max"),
    Builtin("smallest", "min(a, b, ...): the least of two or more numbers", extreme("min"), min, alias="min"),
    Builtin(
        "range",
        "range(a, b): the list a, ..., b - 1; range(b) begins at 0",
        run,
        lambda a, b: tuple(range(a, b)),
        limit=m.limit_range,
        steps=lambda a, b: max(0, b - a),
        shown=n.show_range,
    ),
    Builtin("len", "len(c): the number of elements, or heaps", measure, len, natural=True, shown=n.enclose("|", "|")),
    Builtin(
        "sum",
        "sum(c): the sum of the elements, or of the heaps",
        collect("sum", reduce_numbers),
        sum,  # for games, the evaluators use `game_values.add_all_games`
        reduces=reduce_sums,
        shown=n.apply_sign("∑"),
        runs=n.run_sign("∑"),
    ),
    Builtin(
        "max",
        "max(c): the largest element or heap; ill-defined if c is empty",
        collect("max", reduce_numbers),
        max,
        needs=(NotEmpty(0, "max of nothing"),),
        reduces=reduce_numbers,
        shown=n.apply_sign("max"),
        runs=n.run_set("max"),
    ),
    Builtin(
        "min",
        "min(c): the least element or heap; ill-defined if c is empty",
        collect("min", reduce_numbers),
        min,
        needs=(NotEmpty(0, "min of nothing"),),
        reduces=reduce_numbers,
        shown=n.apply_sign("min"),
        runs=n.run_set("min"),
    ),
    Builtin(
        "mex",
        "mex(c): the least natural number that is not an element of c (or the size of a heap of c)",
        collect("mex", reduce_integers),
        m.mex,
        natural=True,
        reduces=reduce_integers,
        shown=n.apply_sign("mex"),
        runs=n.run_set("mex"),
    ),
    Builtin(
        "nim_sum",
        "nim_sum(c): the nim-sum of the elements or heaps; a negative element is ill-defined",
        collect("nim_sum", reduce_integers),
        m.nim_sum,
        needs=(AtLeast(0, "a nim-sum of negative numbers"),),
        natural=True,
        reduces=reduce_integers,
        shown=n.apply_sign("⨁"),
        runs=n.run_sign("⨁"),
    ),
    Builtin(
        "columns",
        "columns(c, m, r): the number whose binary digit i is 1 if the number of elements, or heaps, with digit i "
        "equal to 1 leaves the remainder r on division by m; a negative element, m < 1 or r < 1 is ill-defined",
        add_columns,
        m.columns,
        needs=(
            AtLeast(0, "columns of a negative number"),
            AtLeast(1, "columns modulo a number below 1", least=1),
            AtLeast(2, "columns with a remainder below 1", least=1),
        ),
        steps=m.count_digits,
        natural=True,
        shown=n.show_columns,
    ),
    Builtin(
        "any",
        "any(c): at least one element is true",
        collect("any", reduce_truths),
        any,
        reduces=reduce_truths,
        shown=n.apply_sign("any"),
        runs=n.quantify("∃"),
    ),
    Builtin(
        "all",
        "all(c): every element is true",
        collect("all", reduce_truths),
        all,
        reduces=reduce_truths,
        shown=n.apply_sign("all"),
        runs=n.quantify("∀"),
    ),
    Builtin(
        "count",
        "count(c): the number of elements that are true",
        collect("count", count_truths),
        sum,
        natural=True,
        reduces=count_truths,
        shown=n.apply_sign("count"),
        runs=n.run_count,
    ),
    Builtin(
        "occurrences",
        "c.count(x): how often x occurs in the list or set c, or as a heap size in the position c",
        occur,
        lambda c, x: c.count(x),
        form=OperatorSyntax("{}.count({})", 10, (10, 0)),
        natural=True,
        shown=n.show_count,
    ),
    Builtin(
        "index",
        "c[i]: element i of a list, or heap i of a position in ascending order, counted from 0; ill-defined if i is "
        "out of range",
        index,
        lambda c, i: c[i],
        needs=(Inside(of=0, at=1),),
        form=OperatorSyntax("{}[{}]", 10, (10, 0)),
        shown=n.show_index,
    ),
    Builtin(
        "position",
        "position(c): the position with the heaps of the list c, without zeros; a negative size is ill-defined",
        gather,
        m.gather,
        needs=(AtLeast(0, "a heap of size {}"),),
        shown=n.show_position,
    ),
    Builtin(
        "replace",
        "replace(s, h, y): s with one heap h replaced by y, or removed if y is 0; ill-defined if s has no heap h, or "
        "if y < 0",
        takes("replace", POSITION, INT, INT, gives=POSITION),
        lambda c, h, y: m.replace_heaps(c, (h,), (y,)),
        needs=(HeapOf(of=0, at=1), AtLeast(2, "a heap of size {}")),
        shown=n.show_replacement,
    ),
)

BUILTINS = {row.name: row for row in (*_ROWS, *LISTS, *GAMES)}
_SIGNED = [row for row in (*LISTS, *GAMES, *_ROWS) if row.form and len(row.form.parts) == 2 and row.form.power < 10]
SIGNS = {row.form.sign: row.name for row in _SIGNED if row.form}
"""Maps the sign of each binary operator to the name of its operation. If several operations share a sign, such as +,
this is the operation on numbers.
"""
REDUCERS = ("any", "all", "sum", "max", "min", "mex", "nim_sum", "count")
_LAZY = {"implies": "implies(Bool, Bool)", "iff": "iff(Bool, Bool)"}  # written like functions


def list_functions() -> list[str]:
    """Return the names of the functions of the claim language, sorted. `implies` and `iff` are included."""
    return sorted({row.called for row in BUILTINS.values() if row.called} | set(_LAZY))


def is_reserved(name: str) -> bool:
    """Return whether a definition must not have this name.

    This holds for `implies`, `iff`, and functions such as `any`, which can be written `any(... for x in c)`.
    """
    return name in REDUCERS or name in _LAZY


def overload(name: str, args: Types) -> tuple[str, Type] | str:
    """Return the name of the operation that `name(args)` means, and the type of its result.

    The types of the arguments decide between operations with the same name, such as `max(c)` and `max(a, b)`. If they
    fit no operation, return the expected arguments as text.
    """
    expected = _LAZY.get(name, "")
    for row in BUILTINS.values():
        if row.called == name:
            found = row.typed(args)
            if isinstance(found, Type):
                return row.name, found
            expected = expected or found
    return expected


def reduce_type(reducer: str, element: Type) -> Type | None:
    """Return the type of `reducer(x for ...)`, such as `sum(x for x in c)`, if x has the type `element`.

    Return None if the operation is not defined for this type.

    >>> str(reduce_type("any", BOOL)), reduce_type("mex", BOOL)
    ('Bool', None)
    """
    reduces = BUILTINS[reducer].reduces
    return reduces(element) if reduces else None
