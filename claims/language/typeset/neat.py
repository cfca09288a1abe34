"""Terms as one would write them by hand: what is typeset is equal to what the file or an obligation has, and shorter.

`x <= t - 1` is `x < t`, `x * x` a square, `n - 1 - (n - k)` is `k - 1`; a choice whose condition is known is what it
chooses; what is always so is not said, and nothing is said twice.
"""

from __future__ import annotations

from dataclasses import replace
from operator import eq, ge, gt, le, lt, ne

from claims.language.expressions.walk import identity, rebuild
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from claims.language.typeset.sums import collect

_BEFORE = {("le", "sub"): "lt", ("gt", "sub"): "ge", ("ge", "add"): "gt", ("lt", "add"): "le"}
"""The comparison with y that a comparison with y - 1 or y + 1 on its right is."""
_COMPARE = {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}


def neaten(term: t.Term) -> t.Term:
    """The term, written shortly. It has the same value wherever the other has one."""
    return _shorten(rebuild(term, neaten))


def _shorten(term: t.Term) -> t.Term:
    """A term whose parts are short already."""
    match term:
        case t.Operation(op=op, args=(x, t.Operation(op=by, args=(y, one)))) if (op, by) in _BEFORE and _is(one, 1):
            return replace(term, op=_BEFORE[op, by], args=(x, y))
        case t.Operation(op="mul", args=(x, y)) if x.type == INT and (power := _power(x, y)):
            return _raise(term, *power)
        case t.Operation(op="mul", args=(t.Operation(op="mul", args=(a, x)), y)) if power := _power(x, y):
            return replace(term, args=(a, _raise(term, *power)))
        case t.Operation(op="add" | "sub" | "neg" | "mul"):
            return collect(term)
        case t.Operation(op=op, args=(t.Literal(value=int(x)), t.Literal(value=int(y)))) if op in _COMPARE:
            return t.Literal(BOOL, term.start, term.end, value=_COMPARE[op](x, y))
        case t.IfElse(condition=t.Literal(value=known), then=x, other=y):
            return x if known else y
        case t.Operation(op="eq", args=(x, y)) if x.type != BOOL and _is_simple(x) and _same(x, y):
            return t.Literal(BOOL, term.start, term.end, value=True)
        case t.AllOf(args=args):
            return _join(term, args, neutral=True)
        case t.AnyOf(args=args):
            return _join(term, args, neutral=False)
    return term


def _join(term: t.AllOf | t.AnyOf, args: tuple[t.Term, ...], neutral: bool) -> t.Term:
    """Without what changes nothing and what stands twice."""
    kept: list[t.Term] = []
    for x in args:
        if not (_is(x, neutral) or any(_same(x, y) for y in kept)):
            kept.append(x)
    if len(kept) == len(args):
        return term
    if not kept:
        return t.Literal(BOOL, term.start, term.end, value=neutral)
    return kept[0] if len(kept) == 1 else replace(term, args=tuple(kept))


def _power(x: t.Term, y: t.Term) -> tuple[t.Term, int] | None:
    """Base and exponent of a product of equal factors."""
    if isinstance(y, t.Literal):
        return None
    if _same(x, y):
        return y, 2
    match x:
        case t.Operation(op="pow", args=(base, t.Literal(value=int(exponent)))) if exponent > 0 and _same(base, y):
            return y, exponent + 1
    return None


def _raise(term: t.Operation, base: t.Term, exponent: int) -> t.Term:
    return replace(term, op="pow", args=(base, t.Literal(INT, term.start, term.end, exponent)))


def _is(term: t.Term, value: int | bool) -> bool:
    return isinstance(term, t.Literal) and (term.type == BOOL) is isinstance(value, bool) and term.value == value


def _is_simple(term: t.Term) -> bool:
    """Whether it has a value whatever its names are."""
    return isinstance(term, t.Variable | t.Literal)


def _same(x: t.Term, y: t.Term) -> bool:
    try:
        return identity(x) == identity(y)
    except ValueError:  # calls of definitions
        return x == y
