"""Integer expressions as sympy expressions, and back as texts of the claim language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import INT
from encoders.answer import Unsupported

Names = Mapping[str, Any]
_RELATIONS = {"eq": sp.Eq, "ne": sp.Ne, "lt": sp.Lt, "le": sp.Le, "gt": sp.Gt, "ge": sp.Ge}
_SIGNS = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}


def symbol(name: str, positive: bool) -> sp.Symbol:
    """An integer, above 0 or at least not below it."""
    return sp.Symbol(name, integer=True, positive=True) if positive else sp.Symbol(name, integer=True, nonnegative=True)


def expression(term: t.Term, names: Names) -> Any:
    """An Int, or a condition, in sympy. Raises Unsupported."""
    match term:
        case t.Literal(value=value) if term.type == INT:
            return sp.Integer(value)
        case t.Variable(name=name) if name in names:
            return names[name]
        case t.Apply(function=f, args=args):
            inner = {p: expression(x, names) for p, x in zip(f.parameters, args, strict=True)}
            return expression(f.body, {**names, **inner})
        case t.IfElse(condition=c, then=x, other=y):
            return sp.Piecewise((expression(x, names), expression(c, names)), (expression(y, names), True))
        case t.AllOf(args=args):
            return sp.And(*(expression(x, names) for x in args))
        case t.AnyOf(args=args):
            return sp.Or(*(expression(x, names) for x in args))
        case t.Operation(op=op, args=(a, b)) if op in _RELATIONS and a.type == INT:
            return _RELATIONS[op](expression(a, names), expression(b, names))
        case t.Operation(op="add" | "sub" | "mul" | "floordiv" | "mod" as op, args=(a, b)):
            x, y = expression(a, names), expression(b, names)
            match op:
                case "add":
                    return x + y
                case "sub":
                    return x - y
                case "mul":
                    return x * y
                case "floordiv":
                    return sp.floor(x / y)
                case _:
                    return sp.Mod(x, y)
        case t.Operation(op="neg", args=(a,)):
            return -expression(a, names)
    raise Unsupported(f"{text(term)} is no closed form")


def written(e: Any) -> str:
    """A text of the claim language with the same value. Raises Unsupported.

    >>> x, k = symbol("x", False), symbol("k", True)
    >>> written(k * sp.floor(x / (2 * k)) + sp.Mod(x, k))
    'k * (x // (2 * k)) + x % k'
    """
    if isinstance(e, sp.Integer):
        return str(int(e))
    if isinstance(e, sp.Symbol):
        return str(e.name)
    if isinstance(e, sp.Add):
        first, *rest = sorted(e.as_ordered_terms(), key=lambda a: bool(a.could_extract_minus_sign()))
        parts = [_inside(first)]
        for a in rest:
            minus = a.could_extract_minus_sign()
            parts.append(f"{'-' if minus else '+'} {_inside(-a if minus else a)}")
        return " ".join(parts)
    if isinstance(e, sp.Mul):
        if e.args[0] == -1:
            return f"-{_factor(sp.Mul(*e.args[1:]))}"
        return " * ".join(_factor(a) for a in e.as_ordered_factors())
    if isinstance(e, sp.floor):
        top, bottom = sp.fraction(sp.together(e.args[0]))
        return f"{_factor(top)} // {_factor(bottom)}"
    if isinstance(e, sp.Mod):
        return f"{_factor(e.args[0])} % {_factor(e.args[1])}"
    if isinstance(e, sp.Piecewise):
        *cases, (last, always) = e.args
        if always == sp.true:
            return " else ".join([*(f"{_factor(x)} if {written(c)}" for x, c in cases), _factor(last)])
    if isinstance(e, sp.And | sp.Or):
        word = " and " if isinstance(e, sp.And) else " or "
        return word.join(f"({written(a)})" for a in e.args)
    if type(e) in _SIGNS:
        scale = sp.fraction(sp.together(e.args[0] - e.args[1]))[1]  # sympy divides both sides by numbers
        if isinstance(scale, sp.Integer):
            a, b = (written(sp.expand(scale * x)) for x in e.args)
            return f"{a} {_SIGNS[type(e)]} {b}"
    raise Unsupported(f"{e} has no form in the claim language")


def _inside(e: Any) -> str:
    """A part of a sum."""
    return f"({written(e)})" if isinstance(e, sp.Piecewise | sp.Add) else written(e)


def _factor(e: Any) -> str:
    return written(e) if isinstance(e, sp.Symbol) or (isinstance(e, sp.Integer) and e >= 0) else f"({written(e)})"
