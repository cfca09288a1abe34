"""Terms that a proof makes for itself: they stand in no file, and say nothing that is plain already.

A conjunction without the parts that are true, `x` for `x if True else y`: what is left is what a reader has to see.
"""

from __future__ import annotations

from collections.abc import Iterable

from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT

MOST_EXPONENT = 64  # of powers of numbers written down, which are worked out
YES = t.Literal(BOOL, 0, 0, 1)
NO = t.Literal(BOOL, 0, 0, 0)
_TURNED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


def integer(value: int) -> t.Literal:
    return t.Literal(INT, 0, 0, value)


ZERO, ONE = integer(0), integer(1)


def written_power(term: t.Term) -> int | None:
    """The value of a power of two numbers that are written down, the exponent at most 64; None for other terms."""
    match term:
        case t.Operation(op="pow", args=(t.Literal(value=a), t.Literal(value=b))) if 0 <= b <= MOST_EXPONENT:
            return int(a**b)
    return None


def holds(condition: bool) -> t.Literal:
    """The truth value as a term."""
    return YES if condition else NO


def is_plain(term: t.Term, value: bool) -> bool:
    """Whether a condition is the truth value, written down."""
    return isinstance(term, t.Literal) and term.type == BOOL and bool(term.value) is value


def conjunction(*conditions: t.Term) -> t.Term:
    """All of them; true of none."""
    return _join(t.AllOf, True, conditions)


def disjunction(*conditions: t.Term) -> t.Term:
    """One of them; false of none."""
    return _join(t.AnyOf, False, conditions)


def _join(kind: type[t.AllOf | t.AnyOf], neutral: bool, conditions: Iterable[t.Term]) -> t.Term:
    kept: list[t.Term] = []
    for x in conditions:
        if is_plain(x, not neutral):
            return x
        if not is_plain(x, neutral):
            kept.append(x)
    if len(kept) == 1:
        return kept[0]
    return kind(BOOL, 0, 0, tuple(kept)) if kept else holds(neutral)


def negation(condition: t.Term) -> t.Term:
    """`not condition`."""
    if isinstance(condition, t.Literal):
        return holds(not condition.value)
    if isinstance(condition, t.Operation) and condition.op == "not":
        return condition.args[0]
    return t.Operation(BOOL, 0, 0, "not", (condition,))


def opposite(condition: t.Term) -> t.Term:
    """`not condition`, with the negation pushed into a comparison."""
    if isinstance(condition, t.Operation) and condition.op in _TURNED:
        return t.Operation(BOOL, condition.start, condition.end, _TURNED[condition.op], condition.args)
    return negation(condition)


def implies(condition: t.Term, then: t.Term) -> t.Term:
    return disjunction(negation(condition), then)


def iff(a: t.Term, b: t.Term) -> t.Term:
    return compare("eq", a, b)


def compare(op: str, a: t.Term, b: t.Term) -> t.Operation:
    """A comparison; `op` is eq, ne, lt, le, gt or ge."""
    return t.Operation(BOOL, 0, 0, op, (a, b))


def equal(a: t.Term, b: t.Term) -> t.Operation:
    return compare("eq", a, b)


def at_least(a: t.Term, b: t.Term) -> t.Operation:
    return compare("ge", a, b)


def at_most(a: t.Term, b: t.Term) -> t.Operation:
    return compare("le", a, b)


def less_than(a: t.Term, b: t.Term) -> t.Operation:
    return compare("lt", a, b)


def membership(x: t.Term, source: t.Term) -> t.Term | None:
    """That a number is one of those written down, or lies in a range; None for another source."""
    match source:
        case t.Collection(items=items) if x.type == INT:
            return disjunction(*(equal(x, item) for item in items))
        case t.Operation(op="range", args=(low, after)):
            return conjunction(at_most(low, x), less_than(x, after))
    return None


def _apply(op: str, *args: t.Term) -> t.Operation:
    return t.Operation(INT, 0, 0, op, args)


def add(a: t.Term, b: t.Term) -> t.Term:
    return _apply("add", a, b)


def sub(a: t.Term, b: t.Term) -> t.Term:
    return _apply("sub", a, b)


def mul(a: t.Term, b: t.Term) -> t.Term:
    return _apply("mul", a, b)


def neg(a: t.Term) -> t.Term:
    return _apply("neg", a)


def nim(a: t.Term, b: t.Term) -> t.Term:
    """The nim-sum of two natural numbers."""
    return _apply("nim", a, b)


def bit_and(a: t.Term, b: t.Term) -> t.Term:
    """The places where two natural numbers both have a 1."""
    return _apply("bit_and", a, b)


def largest(*numbers: t.Term) -> t.Operation:
    return _apply("largest", *numbers)


def choose(condition: t.Term, a: t.Term, b: t.Term) -> t.Term:
    """a where the condition holds, else b."""
    if isinstance(condition, t.Literal):
        return a if condition.value else b
    return t.IfElse(a.type, 0, 0, condition, a, b)
