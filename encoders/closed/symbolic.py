"""Integer expressions as sympy expressions, and back as texts of the claim language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import sympy as sp

from claims.language.expressions.walk import TooLong, substitute
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.logic.translator import Translator, choose_extreme

Expression: TypeAlias = Any
"""What sympy works on: it has no types. A number or a condition."""

Names = Mapping[str, Expression]
_RELATIONS = {"eq": sp.Eq, "ne": sp.Ne, "lt": sp.Lt, "le": sp.Le, "gt": sp.Gt, "ge": sp.Ge}
_SIGNS = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}


def make_symbol(name: str, positive: bool) -> sp.Symbol:
    """An integer, above 0 or at least not below it."""
    return sp.Symbol(name, integer=True, positive=True) if positive else sp.Symbol(name, integer=True, nonnegative=True)


class Sympy:
    """The algebra of sympy's expressions: divisions are floors, distinctions of cases are piecewise."""

    words = "closed forms"

    @property
    def operations(self) -> Mapping[str, Callable[..., Expression]]:
        return {
            "add": lambda x, y: x + y,
            "sub": lambda x, y: x - y,
            "mul": lambda x, y: x * y,
            "neg": lambda x: -x,
            "floordiv": lambda x, y: sp.floor(x / y),
            "mod": sp.Mod,
        }

    def literal(self, value: int) -> Expression:
        return sp.Integer(value)

    def choose(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        return sp.Piecewise((a, condition), (b, True))

    def extreme(self, op: str, numbers: Sequence[Expression]) -> Expression:
        return choose_extreme(self, op, numbers)

    def relation(self, op: str, a: Expression, b: Expression) -> Expression:
        return _RELATIONS[op](a, b)

    def constant(self, value: bool) -> Expression:
        return sp.true if value else sp.false

    def conjunction(self, parts: Sequence[Expression]) -> Expression:
        return sp.And(*parts)

    def disjunction(self, parts: Sequence[Expression]) -> Expression:
        return sp.Or(*parts)

    def negated(self, x: Expression) -> Expression:
        return sp.Not(x)

    def same(self, a: Expression, b: Expression) -> Expression:
        return sp.Equivalent(a, b)

    def decide(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        return sp.ITE(condition, a, b)


def translate(term: t.Term, names: Names) -> Expression:
    """An Int in sympy, its variables being called `names`. Raises Unsupported."""
    try:
        unfolded = substitute(term, {})
    except TooLong as error:
        raise Unsupported(str(error)) from None
    return Translator[Expression, Expression](Sympy(), names, {}).number(unfolded)


def write(e: Expression) -> str:
    """A text of the claim language with the same value. Raises Unsupported.

    >>> x, k = make_symbol("x", False), make_symbol("k", True)
    >>> write(k * sp.floor(x / (2 * k)) + sp.Mod(x, k))
    'k * (x // (2 * k)) + x % k'
    """
    if isinstance(e, sp.Integer):
        return str(int(e))
    if isinstance(e, sp.Symbol):
        return str(e.name)
    if isinstance(e, sp.Add):
        first, *rest = sorted(e.as_ordered_terms(), key=lambda a: bool(a.could_extract_minus_sign()))
        parts = [_write_part(first)]
        for a in rest:
            minus = a.could_extract_minus_sign()
            parts.append(f"{'-' if minus else '+'} {_write_part(-a if minus else a)}")
        return " ".join(parts)
    if isinstance(e, sp.Mul):
        if e.args[0] == -1:
            return f"-{_write_factor(sp.Mul(*e.args[1:]))}"
        return " * ".join(_write_factor(a) for a in e.as_ordered_factors())
    if isinstance(e, sp.floor):
        top, bottom = sp.fraction(sp.together(e.args[0]))
        return f"{_write_factor(top)} // {_write_factor(bottom)}"
    if isinstance(e, sp.Mod):
        return f"{_write_factor(e.args[0])} % {_write_factor(e.args[1])}"
    if isinstance(e, sp.Piecewise):
        *cases, (last, always) = e.args
        if always == sp.true:
            return " else ".join([*(f"{_write_factor(x)} if {write(c)}" for x, c in cases), _write_factor(last)])
    if isinstance(e, sp.And | sp.Or):
        word = " and " if isinstance(e, sp.And) else " or "
        return word.join(f"({write(a)})" for a in e.args)
    if type(e) in _SIGNS:
        scale = sp.fraction(sp.together(e.args[0] - e.args[1]))[1]  # sympy divides both sides by numbers
        if isinstance(scale, sp.Integer):
            a, b = (write(sp.expand(scale * x)) for x in e.args)
            return f"{a} {_SIGNS[type(e)]} {b}"
    raise Unsupported(f"{e} has no form in the claim language")


def _write_part(e: Expression) -> str:
    """A part of a sum."""
    return f"({write(e)})" if isinstance(e, sp.Piecewise | sp.Add) else write(e)


def _write_factor(e: Expression) -> str:
    return write(e) if isinstance(e, sp.Symbol) or (isinstance(e, sp.Integer) and e >= 0) else f"({write(e)})"
