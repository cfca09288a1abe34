"""The table: every operator and function of the language but `and`, `or`, `if`, `implies`, `iff` and the questions."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

from claims.language.builtins import meanings as m
from claims.language.builtins import notations as n
from claims.language.builtins import signatures as s
from claims.language.builtins.conditions import AtLeast, HeapOf, Inside, NotEmpty, NotZero, two_naturals
from claims.language.builtins.lists import LISTS
from claims.language.builtins.rows import Builtin, OperatorSyntax, infix
from claims.language.terms.types import BOOL, INT, POSITION, Type, list_of

_INTS, _LIST, _ZERO = (INT, INT), list_of(INT), (NotZero(1, "division by zero"),)
_SUM = (n.B.SUM, n.B.SUM, n.B.BIG)

_ROWS = (
    # Written with the sign of "add", which comes later and has it in SIGNS: the types tell them apart.
    Builtin(
        "join",
        "s + t: the sum of two positions, with the heaps of both; either may be the list of its heaps",
        s.takes("+", POSITION, POSITION, gives=POSITION),
        m.join,
        form=infix("+", 6),
        shown=n.between("+", *_SUM),
    ),
    Builtin("add", "a + b: the sum", s.add_up, operator.add, form=infix("+", 6), shown=n.between("+", *_SUM)),
    Builtin("sub", "a - b: the difference", s.add_up, operator.sub, form=infix("-", 6), shown=n.between("−", *_SUM)),
    Builtin(
        "mul",
        "a * b: the product",
        s.add_up,
        operator.mul,
        limit=m.limit_product,
        form=infix("*", 7),
        shown=n.join_product,
    ),
    Builtin(
        "floordiv",
        "a // b: the floor of the quotient; b = 0 is ill-defined",
        s.takes("//", *_INTS, gives=INT),
        operator.floordiv,
        needs=_ZERO,
        form=infix("//", 7),
        shown=n.show_floor,
    ),
    Builtin(
        "mod",
        "a % b: the remainder a - b * (a // b), with the sign of b; b = 0 is ill-defined",
        s.takes("%", *_INTS, gives=INT),
        operator.mod,
        needs=_ZERO,
        form=infix("%", 7),
        shown=n.show_mod,
    ),
    Builtin(
        "div",
        "a / b: the exact fraction; b = 0 is ill-defined",
        s.divide,
        lambda x, y: Fraction(x) / y,
        needs=_ZERO,
        form=infix("/", 7),
        shown=n.show_fraction,
    ),
    Builtin(
        "pow",
        "a ** b: the power; b negative is ill-defined",
        s.raise_to,
        operator.pow,
        needs=(AtLeast(1, "a negative exponent"),),
        limit=m.limit_power,
        form=infix("**", 9, 10, 9),
        shown=n.show_power,
    ),
    Builtin(
        "nim",
        "a ^ b: the nim-sum of two natural numbers; a negative operand is ill-defined",
        s.takes("^", *_INTS, gives=INT),
        operator.xor,
        needs=two_naturals("nim"),
        form=infix("^", 5),
        natural=True,
        shown=n.between("⊕", n.B.NIM, n.B.BIG, n.B.BIG, chain="nim"),
    ),
    Builtin(
        "neg", "-a: the negative", s.negate, operator.neg, form=OperatorSyntax("-{}", 8, (8,)), shown=n.show_negative
    ),
    # Never written: an Int beside a Rational becomes one.
    Builtin(
        "rational",
        "a: an Int as a Rational",
        s.enlarge,
        Fraction,
        form=OperatorSyntax("{}", 0, (0,)),
        shown=n.show_as_it_is,
    ),
    Builtin("eq", "a == b: equal", s.equate, operator.eq, form=infix("==", 4, 5, 5), shown=n.Equality("=", "⟺", "is")),
    Builtin(
        "ne",
        "a != b: not equal",
        s.equate,
        operator.ne,
        form=infix("!=", 4, 5, 5),
        shown=n.Equality("≠", "⇎", "is not"),
    ),
    Builtin("lt", "a < b: less", s.order, operator.lt, form=infix("<", 4, 5, 5), shown=n.Relation("<")),
    Builtin("le", "a <= b: less or equal", s.order, operator.le, form=infix("<=", 4, 5, 5), shown=n.Relation("≤")),
    Builtin("gt", "a > b: greater", s.order, operator.gt, form=infix(">", 4, 5, 5), shown=n.Relation(">")),
    Builtin("ge", "a >= b: greater or equal", s.order, operator.ge, form=infix(">=", 4, 5, 5), shown=n.Relation("≥")),
    Builtin(
        "in",
        "x in c: x is an element of the list or set c, or the size of a heap of the position c",
        s.contain,
        lambda x, c: x in c,
        form=infix("in", 4, 5, 5),
        shown=n.show_element("∈"),
    ),
    Builtin(
        "not",
        "not a: the opposite",
        s.takes("not", BOOL, gives=BOOL),
        operator.not_,
        form=OperatorSyntax("not {}", 3, (3,)),
        shown=n.show_not,
    ),
    Builtin("abs", "abs(x): the absolute value", s.absolute, abs, shown=n.enclose("|", "|")),
    Builtin(
        "isqrt",
        "isqrt(x): the largest r with r * r <= x; x negative is ill-defined",
        s.takes("isqrt", INT, gives=INT),
        math.isqrt,
        needs=(AtLeast(0, "a negative operand of isqrt"),),
        natural=True,
        shown=n.show_root,
    ),
    Builtin(
        "bit",
        "bit(x, i): binary digit i of x, 0 or 1, counted from 0 at the low end; a negative x or i is ill-defined",
        s.takes("bit", *_INTS, gives=INT),
        lambda x, i: x >> i & 1,
        needs=two_naturals("bit"),
        natural=True,
        shown=n.show_bit,
    ),
    Builtin(
        "top_bit",
        "top_bit(x): the index of the highest binary digit 1 of x; x <= 0 is ill-defined",
        s.takes("top_bit", INT, gives=INT),
        lambda x: x.bit_length() - 1,
        needs=(AtLeast(0, "top_bit of a number below 1", least=1),),
        natural=True,
        shown=n.show_top_bit,
    ),
    Builtin(
        "bit_and",
        "bit_and(a, b): the number with a binary digit 1 where a and b have one; a negative operand is ill-defined",
        s.takes("bit_and", *_INTS, gives=INT),
        operator.and_,
        needs=two_naturals("bit_and"),
        natural=True,
        shown=n.call_by("bitand"),
    ),
    Builtin(
        "bit_or",
        "bit_or(a, b): the number with a binary digit 1 where a or b has one; a negative operand is ill-defined",
        s.takes("bit_or", *_INTS, gives=INT),
        operator.or_,
        needs=two_naturals("bit_or"),
        natural=True,
        shown=n.call_by("bitor"),
    ),
    Builtin(
        "popcount",
        "popcount(x): how many binary digits of x are 1; x negative is ill-defined",
        s.takes("popcount", INT, gives=INT),
        int.bit_count,
        needs=(AtLeast(0, "a negative operand of popcount"),),
        natural=True,
    ),
    Builtin(
        "digit_sum",
        "digit_sum(x, b): the sum of the digits of x to the base b; x negative or b < 2 is ill-defined",
        s.takes("digit_sum", *_INTS, gives=INT),
        m.digit_sum,
        needs=(AtLeast(0, "a negative operand of digit_sum"), AtLeast(1, "digits to a base below 2", least=2)),
        steps=m.count_divisions,
        natural=True,
    ),
    Builtin(
        "gcd",
        "gcd(a, b): the greatest common divisor, at least 0; gcd(0, 0) is 0",
        s.takes("gcd", *_INTS, gives=INT),
        math.gcd,
        natural=True,
    ),
    Builtin(
        "valuation",
        "valuation(x, p): the largest e such that p ** e divides x; x = 0 or p < 2 is ill-defined",
        s.takes("valuation", *_INTS, gives=INT),
        m.valuation,
        needs=(NotZero(0, "valuation of 0"), AtLeast(1, "valuation at a number below 2", least=2)),
        steps=m.count_divisions,
        natural=True,
        shown=n.show_valuation,
    ),
    Builtin(
        "is_prime",
        "is_prime(x): x is a prime number, so at least 2",
        s.takes("is_prime", INT, gives=BOOL),
        m.is_prime,
        limit=m.limit_prime,
        steps=lambda x: x.bit_length(),
        shown=n.show_prime,
    ),
    Builtin("largest", "max(a, b, ...): the largest of two or more numbers", s.extreme("max"), max, alias="max"),
    Builtin("smallest", "min(a, b, ...): the least of two or more numbers", s.extreme("min"), min, alias="min"),
    Builtin(
        "range",
        "range(a, b): the list a, ..., b - 1; range(b) begins at 0",
        s.run,
        lambda a, b: tuple(range(a, b)),
        limit=m.limit_range,
        steps=lambda a, b: max(0, b - a),
        shown=n.show_range,
    ),
    Builtin("len", "len(c): the number of elements, or heaps", s.measure, len, natural=True, shown=n.enclose("|", "|")),
    Builtin(
        "sum",
        "sum(c): the sum of the elements, or of the heaps",
        s.collect("sum", s.reduce_numbers),
        sum,
        reduces=s.reduce_numbers,
        shown=n.apply_sign("∑"),
        runs=n.run_sign("∑"),
    ),
    Builtin(
        "max",
        "max(c): the largest element or heap; of nothing it is ill-defined",
        s.collect("max", s.reduce_numbers),
        max,
        needs=(NotEmpty(0, "max of nothing"),),
        reduces=s.reduce_numbers,
        shown=n.apply_sign("max"),
        runs=n.run_set("max"),
    ),
    Builtin(
        "min",
        "min(c): the least element or heap; of nothing it is ill-defined",
        s.collect("min", s.reduce_numbers),
        min,
        needs=(NotEmpty(0, "min of nothing"),),
        reduces=s.reduce_numbers,
        shown=n.apply_sign("min"),
        runs=n.run_set("min"),
    ),
    Builtin(
        "mex",
        "mex(c): the least natural number that is not an element, or not the size of a heap",
        s.collect("mex", s.reduce_integers),
        m.mex,
        natural=True,
        reduces=s.reduce_integers,
        shown=n.apply_sign("mex"),
        runs=n.run_set("mex"),
    ),
    Builtin(
        "nim_sum",
        "nim_sum(c): the nim-sum of the elements or heaps; a negative element is ill-defined",
        s.collect("nim_sum", s.reduce_integers),
        m.nim_sum,
        needs=(AtLeast(0, "a nim-sum of negative numbers"),),
        natural=True,
        reduces=s.reduce_integers,
        shown=n.apply_sign("⨁"),
        runs=n.run_sign("⨁"),
    ),
    Builtin(
        "columns",
        "columns(c, m, r): the number with a digit 1, in binary, where so many elements, or heaps, have one that the "
        "remainder on division by m is r; a negative element, m < 1 or r < 1 is ill-defined",
        s.add_columns,
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
        "any(c): some element is true",
        s.collect("any", s.reduce_truths),
        any,
        reduces=s.reduce_truths,
        shown=n.apply_sign("any"),
        runs=n.quantify("∃"),
    ),
    Builtin(
        "all",
        "all(c): every element is true",
        s.collect("all", s.reduce_truths),
        all,
        reduces=s.reduce_truths,
        shown=n.apply_sign("all"),
        runs=n.quantify("∀"),
    ),
    Builtin(
        "count",
        "count(c): how many elements are true",
        s.collect("count", s.count_truths),
        sum,
        natural=True,
        reduces=s.count_truths,
        shown=n.apply_sign("count"),
        runs=n.run_count,
    ),
    Builtin(
        "occurrences",
        "c.count(x): how often x is an element of the list or set c, or a heap size of the position c",
        s.occur,
        lambda c, x: c.count(x),
        form=OperatorSyntax("{}.count({})", 10, (10, 0)),
        natural=True,
        shown=n.show_count,
    ),
    Builtin(
        "index",
        "c[i]: element i of a list, or heap i of a position, ascending, counted from 0; outside it is ill-defined",
        s.index,
        lambda c, i: c[i],
        needs=(Inside(of=0, at=1),),
        form=OperatorSyntax("{}[{}]", 10, (10, 0)),
        shown=n.show_index,
    ),
    Builtin(
        "position",
        "position(c): the position with the heaps of the list c, without zeros; a negative size is ill-defined",
        s.gather,
        m.gather,
        needs=(AtLeast(0, "a heap of size {}"),),
        shown=n.show_position,
    ),
    Builtin(
        "replace",
        "replace(s, h, y): s with a heap h become y, gone if y is 0; no heap h, or y < 0, is ill-defined",
        s.takes("replace", POSITION, INT, INT, gives=POSITION),
        lambda c, h, y: m.replace_heaps(c, (h,), (y,)),
        needs=(HeapOf(of=0, at=1), AtLeast(2, "a heap of size {}")),
        shown=n.show_replacement,
    ),
)

BUILTINS = {row.name: row for row in (*_ROWS, *LISTS)}
_SIGNED = [row for row in (*LISTS, *_ROWS) if row.form and len(row.form.parts) == 2 and row.form.power < 10]
SIGNS = {row.form.sign: row.name for row in _SIGNED if row.form}
"""Binary operators: how each is written -> its name; of several with one sign, that of numbers."""
REDUCERS = ("any", "all", "sum", "max", "min", "mex", "nim_sum", "count")
_LAZY = {"implies": "implies(Bool, Bool)", "iff": "iff(Bool, Bool)"}  # written like functions


def list_functions() -> list[str]:
    """The names that are called like functions, in alphabetical order."""
    return sorted({row.called for row in BUILTINS.values() if row.called} | set(_LAZY))


def is_reserved(name: str) -> bool:
    """Whether no definition may be called so: a function that is written in a way that no definition is."""
    return name in REDUCERS or name in _LAZY


def overload(name: str, args: s.Types) -> tuple[str, Type] | str:
    """The operation that `name(args)` means and its result type, or a sentence saying what was expected."""
    expected = _LAZY.get(name, "")
    for row in BUILTINS.values():
        if row.called == name:
            found = row.typed(args)
            if isinstance(found, Type):
                return row.name, found
            expected = expected or found
    return expected


def reduce_type(reducer: str, element: Type) -> Type | None:
    """The type of `reducer(x for ...)` over elements of type `element`, or None where it has no meaning.

    >>> str(reduce_type("any", BOOL)), reduce_type("mex", BOOL)
    ('Bool', None)
    """
    reduces = BUILTINS[reducer].reduces
    return reduces(element) if reduces else None
