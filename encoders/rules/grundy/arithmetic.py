"""Integer expressions as Z3 integers: unbounded, with divisions written out as the proof says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import BOOL, INT, PLAYER, set_of
from encoders.answer import Unsupported
from encoders.logic.paths import Env

Ask = Callable[[t.GameCall, Env], Any]


def refuse(call: t.GameCall, env: Env) -> Any:
    """For expressions that ask about no game."""
    raise Unsupported(f"{text(call)} inside a proof")


class Arithmetic:
    """Translates terms. `divided` gives (quotient, remainder) for divisions by something other than a literal."""

    def __init__(self, context: z3.Context, ask: Ask = refuse) -> None:
        self.context, self.ask = context, ask
        self.divided: list[tuple[Any, Any, Any, Any]] = []  # dividend, divisor, quotient, remainder
        self.invent = False  # whether other divisions get a quotient and remainder of their own
        self.known: list[Any] = []  # what is known of those
        self.other: Callable[[t.Term, Env], Any] | None = None  # numbers about positions
        self.same: Callable[[t.Term, t.Term, Env], Any] | None = None  # whether two sets of numbers are equal

    def integer(self, value: int) -> Any:
        return z3.IntVal(value, self.context)

    def number(self, term: t.Term, env: Env) -> Any:
        """An Int as a Z3 integer. Raises Unsupported."""
        match term:
            case t.Literal(value=value) if term.type == INT:
                return self.integer(value)
            case t.Variable(name=name) if z3.is_int(env.get(name)):
                return env[name]
            case t.IfElse(condition=c, then=x, other=y):
                return z3.If(self.truth(c, env), self.number(x, env), self.number(y, env))
            case t.Operation(op="add" | "sub" | "mul" as op, args=(a, b)):
                x, y = self.number(a, env), self.number(b, env)
                return x + y if op == "add" else x - y if op == "sub" else x * y
            case t.Operation(op="neg", args=(a,)):
                return -self.number(a, env)
            case t.Operation(op="floordiv" | "mod" as op, args=(a, b)):
                return self._divided(op, self.number(a, env), self.number(b, env), term)
            case t.Operation(op="largest" | "smallest" as op, args=(first, *others)):
                best = self.number(first, env)
                for x in others:
                    other = self.number(x, env)
                    best = z3.If(best >= other if op == "largest" else best <= other, best, other)
                return best
            case t.GameCall():
                return self.ask(term, env)
        if self.other is not None:
            return self.other(term, env)
        raise Unsupported(f"{text(term)} has no translation into unbounded arithmetic")

    def truth(self, term: t.Term, env: Env) -> Any:
        """A Bool as a Z3 formula. Raises Unsupported."""
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return z3.BoolVal(bool(value), self.context)
            case t.AllOf(args=args):
                return z3.And(*(self.truth(x, env) for x in args), z3.BoolVal(True, self.context))
            case t.AnyOf(args=args):
                return z3.Or(*(self.truth(x, env) for x in args))
            case t.IfElse(condition=c, then=x, other=y):
                return z3.If(self.truth(c, env), self.truth(x, env), self.truth(y, env))
            case t.Operation(op="not", args=(x,)):
                return z3.Not(self.truth(x, env))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == BOOL:
                same = self.truth(a, env) == self.truth(b, env)
                return same if op == "eq" else z3.Not(same)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == PLAYER:
                return z3.BoolVal((self._player(a, env) == self._player(b, env)) is (op == "eq"), self.context)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == set_of(INT) and self.same is not None:
                same = self.same(a, b, env)
                return same if op == "eq" else z3.Not(same)
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" as op, args=(a, b)) if a.type == INT:
                x, y = self.number(a, env), self.number(b, env)
                return {
                    "eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
                }[op]  # fmt: skip
            case t.GameCall(function="wins"):
                return self.ask(term, env)
        raise Unsupported(f"{text(term)} has no translation into unbounded arithmetic")

    def _player(self, term: t.Term, env: Env) -> int:
        if isinstance(term, t.Literal):
            return term.value
        if isinstance(term, t.Variable) and isinstance(env.get(term.name), int):
            return int(env[term.name])
        raise Unsupported(f"the player {text(term)} is not named outright")

    def _divided(self, op: str, a: Any, b: Any, term: t.Term) -> Any:
        for dividend, divisor, quotient, remainder in self.divided:
            if z3.eq(z3.simplify(dividend - a), self.integer(0)) and z3.eq(z3.simplify(divisor - b), self.integer(0)):
                return quotient if op == "floordiv" else remainder
        if z3.is_int_value(b) and b.as_long() > 0:
            return a / b if op == "floordiv" else a % b  # Z3 floors for a positive divisor, as the language does
        if self.invent:
            number = len(self.divided) + 1
            quotient, remainder = (z3.Int(f"{word} {number}", self.context) for word in ("quotient", "remainder"))
            self.known.append(z3.Implies(b > 0, z3.And(a == b * quotient + remainder, remainder >= 0, remainder < b)))
            for c, d, _, other in self.divided:
                if z3.eq(d, b):  # consequences that spare the solver a search; obligation "remainders" proves them
                    self.known += [successive(b, a, remainder, c, other), successive(b, c, other, a, remainder)]
            self.divided.append((a, b, quotient, remainder))
            return quotient if op == "floordiv" else remainder
        raise Unsupported(f"{text(term)}: a division that the proof does not write out")


def successive(divisor: Any, a: Any, of_a: Any, c: Any, of_c: Any) -> Any:
    """The remainders of equal and of successive numbers a = c, a = c + 1 on division by the same number above 0."""
    after = z3.If(of_c + 1 == divisor, 0, of_c + 1)
    return z3.Implies(divisor > 0, z3.And(z3.Implies(a == c, of_a == of_c), z3.Implies(a == c + 1, of_a == after)))


def natural_product(x: Any, y: Any) -> Any:
    """The product of naturals is natural. An obligation of its own proves it; instances of it guide a search."""
    return z3.Implies(z3.And(x >= 0, y >= 0), x * y >= 0)
