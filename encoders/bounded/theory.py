"""Terms over a scope as constraints: values with what they need in order to be defined.

Everything that a term needs (a divisor that is not 0, an index inside) is collected, under the conditions under which
the language would ask for it; `any` and `all` are taken to ask all their elements.  So what is found false is false,
and what may be ill-defined is found, perhaps once too often.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import BOOL, INT, OUTCOME, PLAYER, POSITION
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Interval
from claims.language.statement.rulesets import Move
from encoders.answer import Unsupported
from encoders.bounded.numbers import Exact, Items, Position
from encoders.bounded.tables import Tables
from encoders.bounded.words import Number

Env = dict[str, Any]
MAX_ITEMS = 400  # elements of one collection, most of them perhaps not there


class OutOfTime(Exception):
    """The time budget of the route is used up."""


class Theory:
    """The terms of a claim over symbols of one Z3 context. `tables` answers questions about games."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.context = z3.Context()
        self.numbers = Exact(self.context, 62)
        self.true = z3.BoolVal(True, self.context)
        self.needs: list[Any] = []
        self.root: Env = {}
        self.tables = Tables(self)
        self.deadline: float | None = None

    def check(self) -> None:
        """Raises OutOfTime past the deadline: writing the constraints down may take longer than solving them."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime

    @contextmanager
    def under(self, condition: Any) -> Iterator[None]:
        """What is needed inside is needed only under the condition."""
        before, self.needs = self.needs, []
        try:
            yield
        finally:
            self.needs = before + [z3.Implies(condition, x) for x in self.needs]

    # -- terms --------------------------------------------------------------------------------------------------------
    def truth(self, term: t.Term, env: Env) -> Any:
        found = self.value(term, env)
        return self.true if found is True else z3.BoolVal(False, self.context) if found is False else found

    def number(self, term: t.Term, env: Env) -> Number:
        found: Number = self.value(term, env)
        return found

    def value(self, term: t.Term, env: Env) -> Any:
        """A Number (Int, Player, Outcome), a Z3 Bool, a Position or Items. Raises Unsupported and OutOfTime."""
        self.check()
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return z3.BoolVal(bool(value), self.context)
            case t.Literal(value=value) if term.type in (INT, PLAYER, OUTCOME):
                return self.numbers.literal(value)
            case t.Variable(name=name) if name in env:
                return env[name]
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return self._connected(args, isinstance(term, t.AllOf), env)
            case t.IfElse(condition=c, then=x, other=y):
                return self._chosen(self.truth(c, env), x, y, env)
            case t.Apply(function=f, args=args):
                return self.value(
                    f.body, env | {n: self.value(x, env) for n, x in zip(f.parameters, args, strict=True)}
                )
            case t.Collection(items=items):
                return Items(term.type.kind, tuple((self.true, self.value(x, env)) for x in items))
            case t.Comprehension():
                return self._comprehension(term, env)
            case t.GameCall():
                return self.tables.ask(term, [self.value(x, env) for x in term.args])
            case t.Operation(op=op, args=args):
                return self._operation(op, term, [self.value(x, env) for x in args])
        raise Unsupported(f"{text(term)} has no translation into constraints")

    def _connected(self, args: tuple[t.Term, ...], conjunction: bool, env: Env) -> Any:
        first, *rest = args
        found = self.truth(first, env)
        for x in rest:
            with self.under(found if conjunction else z3.Not(found)):
                more = self.truth(x, env)
            found = z3.And(found, more) if conjunction else z3.Or(found, more)
        return found

    def _chosen(self, condition: Any, x: t.Term, y: t.Term, env: Env) -> Any:
        with self.under(condition):
            first = self.value(x, env)
        with self.under(z3.Not(condition)):
            second = self.value(y, env)
        if isinstance(first, Number):
            return self.numbers.choose(condition, first, second)
        if z3.is_bool(first):
            return z3.If(condition, first, second)
        if isinstance(first, Items):
            here = tuple((z3.And(condition, p), v) for p, v in first.items)
            return Items(first.kind, here + tuple((z3.And(z3.Not(condition), p), v) for p, v in second.items))
        width = max(len(first), len(second))
        zero = self.numbers.literal(0)
        a, b = ((zero,) * (width - len(s)) + s for s in (first, second))
        return tuple(self.numbers.choose(condition, g, h) for g, h in zip(a, b, strict=True))

    # -- operations ---------------------------------------------------------------------------------------------------
    def _operation(self, op: str, term: t.Operation, args: list[Any]) -> Any:
        n, x, y = self.numbers, args[0], args[-1]
        match op:
            case "not":
                return z3.Not(x)
            case "eq" | "ne":
                equal = self.same(x, y)
                return equal if op == "eq" else z3.Not(equal)
            case "lt" | "le" | "gt" | "ge" if isinstance(x, Number):
                return n.relation(op, x, y)
            case "add" | "sub" | "mul" if isinstance(x, Number):
                return getattr(n, op)(x, y)
            case "neg" if isinstance(x, Number):
                return n.neg(x)
            case "abs" if isinstance(x, Number):
                return n.choose(n.relation("lt", x, n.literal(0)), n.neg(x), x)
            case "nim":
                return n.nim(self._natural(x), self._natural(y))
            case "floordiv" | "mod" if isinstance(x, Number):
                self.needs.append(n.relation("ne", y, n.literal(0)))
                return n.divided(x, y)[op == "mod"]
            case "largest" | "smallest" if isinstance(x, Number):
                for other in args[1:]:
                    x = n.choose(n.relation("ge" if op == "largest" else "le", x, other), x, other)
                return x
            case "range":
                return self._range(x, y)
            case "position":
                return n.ordered([self._natural(v, p) for p, v in self._items(x)])
            case "replace":
                return self._replaced(x, args[1], y)
            case "in":
                return z3.Or(*(z3.And(p, self.same(v, x)) for p, v in self._items(y)), z3.Not(self.true))
            case "occurrences":
                return self._count([z3.And(p, self.same(v, y)) for p, v in self._items(x)])
            case "index" if term.args[0].type == POSITION:
                return self._index(x, y)
            case "len" | "sum" | "nim_sum" | "max" | "min" | "any" | "all" | "count" | "mex":
                return self._reduced(op, x if isinstance(x, Items) else Items("position", tuple(self._items(x))))
        raise Unsupported(f"{op} has no translation into constraints")

    def _natural(self, x: Number, where: Any = None) -> Number:
        """The number where it is not negative, which is needed; else 0."""
        if x.lo >= 0:
            return x if where is None else self.numbers.choose(where, x, self.numbers.literal(0))
        natural = self.numbers.relation("ge", x, self.numbers.literal(0))
        self.needs.append(natural if where is None else z3.Implies(where, natural))
        made = self.numbers.choose(natural if where is None else z3.And(where, natural), x, self.numbers.literal(0))
        return Number("size", made.as_kind("size"), 0, max(made.hi, 0))

    def same(self, x: Any, y: Any) -> Any:
        if isinstance(x, Number):
            return self.numbers.same(x, y)
        if isinstance(x, tuple):
            return self.numbers.same_positions(x, y)
        if isinstance(x, Items):
            if x.kind != "set" or y.kind != "set":
                raise Unsupported("the equality of two lists")
            pairs = ((x, y), (y, x))
            inside = [
                z3.Implies(p, z3.Or(*(z3.And(q, self.same(v, w)) for q, w in b.items), z3.Not(self.true)))
                for a, b in pairs
                for p, v in a.items
            ]
            return z3.And(*inside, self.true)
        return x == y

    def _items(self, x: Any) -> list[tuple[Any, Any]]:
        """The elements of a collection, or the heaps of a position."""
        return list(x.items) if isinstance(x, Items) else self.heaps(x)

    def heaps(self, s: Position) -> list[tuple[Any, Any]]:
        """The heaps of a position, with whether they are there."""
        return [(self.numbers.relation("gt", h, self.numbers.literal(0)), h) for h in s]

    def _range(self, low: Number, high: Number) -> Items:
        if high.hi - low.lo > MAX_ITEMS:
            raise Unsupported(f"a range of up to {high.hi - low.lo} integers")
        numbers = [self.numbers.literal(i) for i in range(low.lo, high.hi)]
        inside = [
            (z3.And(self.numbers.relation("ge", i, low), self.numbers.relation("lt", i, high)), i) for i in numbers
        ]
        return Items("list", tuple(inside))

    def _replaced(self, s: Position, heap: Number, size: Number) -> Position:
        n = self.numbers
        made: list[Number] = []
        before = z3.Not(self.true)  # whether the heap has been replaced already
        for h in s:
            here = z3.And(n.same(h, heap), z3.Not(before), n.relation("gt", h, n.literal(0)))
            made.append(n.choose(here, self._natural(size, here), h))
            before = z3.Or(before, here)
        self.needs.append(before)
        return n.ordered(made)

    def _index(self, s: Position, i: Number) -> Number:
        n = self.numbers
        count = self._count([p for p, _ in self._items(s)])
        self.needs += [n.relation("ge", i, n.literal(0)), n.relation("lt", i, count)]
        absent = n.sub(n.literal(len(s)), count)  # heaps of 0 come first
        found = n.literal(0)
        for place, h in enumerate(s):
            found = n.choose(n.same(n.literal(place), n.add(absent, i)), h, found)
        return found

    # -- collections --------------------------------------------------------------------------------------------------
    def _count(self, conditions: list[Any]) -> Number:
        n = self.numbers
        total = n.literal(0)
        for c in conditions:
            total = n.add(total, n.choose(c, n.literal(1), n.literal(0)))
        return total

    def _once(self, x: Items) -> list[tuple[Any, Any]]:
        """The elements, those of a set once each."""
        if x.kind != "set":
            return list(x.items)
        if len(x.items) > 60:
            raise Unsupported(f"the number of different ones among {len(x.items)} elements")
        kept: list[tuple[Any, Any]] = []
        for p, v in x.items:
            kept.append((z3.And(p, *(z3.Not(z3.And(q, self.same(v, w))) for q, w in kept)), v))
        return kept

    def _reduced(self, op: str, x: Items) -> Any:
        n = self.numbers
        match op:
            case "any":
                return z3.Or(*(z3.And(p, v) for p, v in x.items), z3.Not(self.true))
            case "all":
                return z3.And(*(z3.Implies(p, v) for p, v in x.items), self.true)
            case "len":
                return self._count([p for p, _ in self._once(x)])
            case "count":
                return self._count([z3.And(p, v) for p, v in self._once(x)])
            case "sum" | "nim_sum":
                total = n.literal(0)
                for p, v in self._once(x):
                    if not isinstance(v, Number):
                        raise Unsupported(f"the {op} of other things than integers")
                    part = self._natural(v, p) if op == "nim_sum" else n.choose(p, v, n.literal(0))
                    total = n.nim(total, part) if op == "nim_sum" else n.add(total, part)
                return total
            case "max" | "min":
                return self._extreme(op, x)
        raise Unsupported(f"{op} has no translation into constraints")

    def _extreme(self, op: str, x: Items) -> Number:
        n = self.numbers
        self.needs.append(z3.Or(*(p for p, _ in x.items), z3.Not(self.true)))
        found, some = n.literal(0), z3.Not(self.true)
        for p, v in x.items:
            if not isinstance(v, Number):
                raise Unsupported(f"the {op} of other things than integers")
            better = z3.Or(z3.Not(some), n.relation("gt" if op == "max" else "lt", v, found))
            found = n.choose(z3.And(p, better), v, found)
            some = z3.Or(some, p)
        return found

    def _comprehension(self, term: t.Comprehension, env: Env) -> Any:
        found: list[tuple[Any, Any]] = []
        for present, inner in self._cases(term.clauses, env):
            with self.under(present):
                found.append((present, self.value(term.body, inner)))
            if len(found) > MAX_ITEMS:
                raise Unsupported(f"more than {MAX_ITEMS} cases of {text(term)}")
        kind = "set" if term.reducer == "set" else "list"
        made = Items(kind, tuple(found))
        return made if term.reducer in ("list", "set") else self._reduced(term.reducer, made)

    def _cases(self, clauses: tuple[t.Clause, ...], env: Env) -> Iterator[tuple[Any, Env]]:
        if not clauses:
            yield self.true, env
            return
        first = clauses[0]
        source = self.value(first.source, env)
        items = self._once(source) if isinstance(source, Items) else self._items(source)
        for p, v in items:
            inner, there = env | {first.variable: v}, p
            for c in first.conditions:
                with self.under(there):
                    there = z3.And(there, self.truth(c, inner))
            with self.under(there):
                for more, deeper in self._cases(clauses[1:], inner):
                    yield z3.And(there, more), deeper

    # -- moves --------------------------------------------------------------------------------------------------------
    def moves(self, move: Move, s: Position, env: Env) -> Iterator[tuple[Any, Position]]:
        """The positions one move of this kind away, each with the condition that the move is legal."""
        n, zero = self.numbers, self.numbers.literal(0)
        for i, h in enumerate(s):
            there = n.relation("gt", h, zero)
            if move.choose == "smallest" and i:
                there = z3.And(there, n.same(s[i - 1], zero))
            if i + 1 < len(s):  # of equal heaps one is enough; a largest one is the last
                there = z3.And(there, n.relation("ne", h, s[i + 1])) if move.choose == "any" else there
                if move.choose == "largest":
                    continue
            with self.under(there):
                for legal, new in self._picked(move, h, env):
                    inside = z3.And(there, legal, n.relation("ge", new, zero), n.relation("lt", new, h))
                    if not z3.is_false(z3.simplify(inside)):
                        yield inside, n.ordered([*s[:i], *s[i + 1 :], Number("size", new.as_kind("size"), 0, h.hi)])

    def _picked(self, move: Move, heap: Number, env: Env) -> Iterator[tuple[Any, Number]]:
        n = self.numbers
        ways: list[tuple[Any, Env]] = [(self.true, env | {move.heaps[0]: heap})]
        for pick in move.picks:
            more: list[tuple[Any, Env]] = []
            for present, inner in ways:
                with self.under(present):
                    domain = pick.domain
                    if isinstance(domain, Interval) and domain.hi is not None:
                        items = self._range(
                            self.number(domain.lo, inner), n.add(self.number(domain.hi, inner), n.literal(1))
                        )
                    else:
                        assert isinstance(domain, t.Term)
                        items = self.value(domain, inner)
                more += [(z3.And(present, p), inner | {pick.name: v}) for p, v in items.items]
            ways = more
        for present, inner in ways:
            with self.under(present):
                legal = present if move.where is None else z3.And(present, self.truth(move.where, inner))
                with self.under(legal):
                    new = self.number(move.become[0], inner)
                    smaller = z3.And(n.relation("ge", new, n.literal(0)), n.relation("lt", new, heap))
                    self.needs.append(z3.Implies(legal, smaller))
            yield legal, new
