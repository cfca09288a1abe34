"""Terms over a scope as constraints: values with what they need in order to be defined.

Everything that a term needs (a divisor that is not 0, an index inside) is noted, under the conditions under which the
language would ask for it; `any` and `all` are taken to ask all their elements.  So what is found false is false, and
what may be ill-defined is found, perhaps once too often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claims.language.builtins.meanings import is_prime
from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, OUTCOME, PLAYER, POSITION
from encoders.bounded.unrolled import Env, SymbolicGameTables
from encoders.bounded.values import (
    MAX_ITEMS,
    Elements,
    Items,
    SymbolicOperations,
    Value,
    as_number,
    as_position,
    as_truth,
)
from encoders.ground.refusals import Unsupported
from encoders.logic.smt.formulas import FALSE, TRUE, SmtFormula, conjunction, disjunction, implies, negated
from encoders.logic.smt.words import SmtNumber
from encoders.logic.translator import choose_extreme

# -- reductions -------------------------------------------------------------------------------------------------------
# What is made of all elements of a collection: whether any or all hold, their number, sum, nim-sum, extremes.


MAX_MODULUS = 16  # of columns
MOST_LISTED = 1_000  # of a number that is compared with each prime number


def reduce(values: SymbolicOperations, op: str, x: Items) -> Value:
    """The value of the reduction `op`. Raises Unsupported."""
    match op:
        case "any":
            return disjunction(conjunction((p, as_truth(v))) for p, v in x.items)
        case "all":
            return conjunction(implies(p, as_truth(v)) for p, v in x.items)
        case "len":
            return values.count(values.once(x))
        case "count":
            return values.count(tuple((conjunction((p, as_truth(v))), v) for p, v in values.once(x)))
        case "sum" | "nim_sum":
            return _sum(values, op, values.once(x))
        case "max" | "min":
            return _find_extreme(values, op, x)
    raise Unsupported(f"{op} has no translation into constraints")


def _numbers(op: str, elements: Elements) -> list[tuple[SmtFormula, SmtNumber]]:
    found = []
    for p, v in elements:
        if not isinstance(v, SmtNumber):
            raise Unsupported(f"the {op} of other things than integers")
        found.append((p, v))
    return found


def _sum(values: SymbolicOperations, op: str, elements: Elements) -> SmtNumber:
    n, total = values.numbers, values.zero
    for p, v in _numbers(op, elements):
        total = n.nim(total, values.natural(v, p)) if op == "nim_sum" else n.add(total, n.choose(p, v, values.zero))
    return total


def add_columns(values: SymbolicOperations, elements: Elements, modulus: SmtNumber, remainder: SmtNumber) -> SmtNumber:
    """Where so many elements have a binary digit 1, modulo a literal. Raises Unsupported for other moduli.

    Kept for each remainder but 0: the places that have it.  At the places of an element it goes up by one.
    """
    n, m, r = values.numbers, modulus.value, remainder.value
    if m is None or r is None or not 1 <= m <= MAX_MODULUS or r < 1:
        raise Unsupported(f"columns modulo something else than a literal of 1 to {MAX_MODULUS}, or with a remainder 0")
    places = [values.zero] * m  # by remainder; those with the remainder 0 are the others
    for p, v in _numbers("columns", elements):
        digits = values.natural(v, p)
        before, above = list(places), values.zero
        for one in before[1:]:
            above = n.nim(above, one)
        before[0] = n.nim(digits, n.bit_and(digits, above))  # of the digits: those at no other place
        for i in range(1, m):
            moved = n.bit_and(before[i - 1], digits)
            places[i] = n.nim(n.nim(before[i], n.bit_and(before[i], digits)), moved)
    return places[r] if r < m else values.zero


def _find_extreme(values: SymbolicOperations, op: str, x: Items) -> SmtNumber:
    n = values.numbers
    values.needs.require(disjunction(p for p, _ in x.items))
    found, some = values.zero, FALSE
    for p, v in _numbers(op, x.items):
        better = disjunction((negated(some), n.relation("gt" if op == "max" else "lt", v, found)))
        found = n.choose(conjunction((p, better)), v, found)
        some = disjunction((some, p))
    return found


# -- reading ----------------------------------------------------------------------------------------------------------
class TermReader:
    """Reads the terms of a claim. `tables` answers questions about games."""

    def __init__(self, values: SymbolicOperations, tables: SymbolicGameTables) -> None:
        self.values, self.tables = values, tables

    def truth(self, term: t.Term, env: Env) -> SmtFormula:
        """A Bool. Raises Unsupported and OutOfTime."""
        return as_truth(self.value(term, env))

    def number(self, term: t.Term, env: Env) -> SmtNumber:
        """An Int. Raises Unsupported and OutOfTime."""
        return as_number(self.value(term, env))

    def value(self, term: t.Term, env: Env) -> Value:
        """What a term stands for. Raises Unsupported and OutOfTime."""
        self.values.needs.check_time()
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return TRUE if value else FALSE
            case t.Literal(value=value) if term.type in (INT, PLAYER, OUTCOME):
                return self.values.numbers.literal(value)
            case t.Variable(name=name) if name in env:
                return env[name]
            case t.AllOf(args=args):
                return self._all_of(args, env)
            case t.AnyOf(args=args):
                return self._any_of(args, env)
            case t.IfElse(condition=c, then=x, other=y):
                return self._choose(self.truth(c, env), x, y, env)
            case t.Apply(function=f, args=args):
                called = {n: self.value(x, env) for n, x in zip(f.parameters, args, strict=True)}
                return self.value(f.body, {**env, **called})
            case t.Collection(items=items):
                return Items(term.type.kind, tuple((TRUE, self.value(x, env)) for x in items))
            case t.Comprehension():
                return self._comprehension(term, env)
            case t.GameCall():
                return self.tables.ask(self, term, [self.value(x, env) for x in term.args])
            case t.Operation(op=op, args=args):
                return self._operation(op, term, [self.value(x, env) for x in args])
        raise Unsupported(f"{print_term(term)} has no translation into constraints")

    def _all_of(self, args: Sequence[t.Term], env: Env) -> SmtFormula:
        found = TRUE
        for x in args:
            with self.values.needs.under(found):
                found = conjunction((found, self.truth(x, env)))
        return found

    def _any_of(self, args: Sequence[t.Term], env: Env) -> SmtFormula:
        found = FALSE
        for x in args:
            with self.values.needs.under(negated(found)):
                found = disjunction((found, self.truth(x, env)))
        return found

    def _choose(self, condition: SmtFormula, x: t.Term, y: t.Term, env: Env) -> Value:
        with self.values.needs.under(condition):
            first = self.value(x, env)
        with self.values.needs.under(negated(condition)):
            second = self.value(y, env)
        return self.values.choose(condition, first, second)

    # -- operations ---------------------------------------------------------------------------------------------------
    def _operation(self, op: str, term: t.Operation, args: Sequence[Value]) -> Value:
        x, y = args[0], args[-1]
        match op:
            case "not":
                return negated(as_truth(x))
            case "eq":
                return self.values.same(x, y)
            case "ne":
                return negated(self.values.same(x, y))
            case "range":
                return self.values.range(as_number(x), as_number(y))
            case "position":
                return self.values.position(self.values.elements(x))
            case "join":
                return self.values.position((*self.values.elements(x), *self.values.elements(y)))
            case "replace":
                return self.values.replace(as_position(x), as_number(args[1]), as_number(y))
            case "in":
                return self.values.contains(self.values.elements(y), x)
            case "occurrences":
                return self.values.count(
                    tuple((conjunction((p, self.values.same(v, y))), v) for p, v in self.values.elements(x))
                )
            case "index" if term.args[0].type == POSITION:
                return self.values.index(as_position(x), as_number(y))
            case "columns":
                return add_columns(self.values, self.values.elements(x), as_number(args[1]), as_number(y))
            case "len" | "sum" | "nim_sum" | "max" | "min" | "any" | "all" | "count" | "mex":
                return reduce(
                    self.values, op, x if isinstance(x, Items) else Items("position", self.values.elements(x))
                )
        if isinstance(x, SmtNumber):
            return self._arithmetic(op, list(map(as_number, args)))
        raise Unsupported(f"{op} has no translation into constraints")

    def _arithmetic(self, op: str, args: Sequence[SmtNumber]) -> Value:
        """An operation on integers, or a comparison of two."""
        n = self.values.numbers
        match op:
            case "lt" | "le" | "gt" | "ge":
                return n.relation(op, *args)
            case "largest" | "smallest":
                return choose_extreme(n, op, args)
            case "bit_or":
                x, y = map(self.values.natural, args)
                return n.nim(n.nim(x, y), n.bit_and(x, y))
            case "popcount":
                x, ones = self.values.natural(args[0]), self.values.zero
                for i in range(max(x.hi, 0).bit_length()):
                    ones = n.add(ones, n.mod(n.floordiv(x, n.literal(1 << i)), n.literal(2)))
                return ones
            case "is_prime" if args[0].hi <= MOST_LISTED:
                primes = filter(is_prime, range(max(args[0].hi, 0) + 1))
                return disjunction(n.relation("eq", args[0], n.literal(p)) for p in primes)
            case "nim" | "bit_and":
                return n.operations[op](*map(self.values.natural, args))
            case "floordiv" | "mod":
                self.values.needs.require(n.relation("ne", args[1], self.values.zero))
        if op not in n.operations:
            raise Unsupported(f"{op} has no translation into constraints")
        return n.operations[op](*args)

    # -- comprehensions -----------------------------------------------------------------------------------------------
    def _comprehension(self, term: t.Comprehension, env: Env) -> Value:
        found: list[tuple[SmtFormula, Value]] = []
        for present, inner in self._cases(term.clauses, env):
            with self.values.needs.under(present):
                found.append((present, self.value(term.body, inner)))
            if len(found) > MAX_ITEMS:
                raise Unsupported(f"more than {MAX_ITEMS} cases of {print_term(term)}")
        made = Items("set" if term.reducer == "set" else "list", tuple(found))
        return made if term.reducer in ("list", "set") else reduce(self.values, term.reducer, made)

    def _cases(self, clauses: Sequence[t.Clause], env: Env) -> Iterator[tuple[SmtFormula, Env]]:
        """All values that the variables of the clauses may take together, and the condition that they do."""
        if not clauses:
            yield TRUE, env
            return
        first, needs = clauses[0], self.values.needs
        source = self.value(first.source, env)
        items = self.values.once(source) if isinstance(source, Items) else self.values.elements(source)
        for there, v in items:
            inner = {**env, first.variable: v}
            for c in first.conditions:
                with needs.under(there):
                    there = conjunction((there, self.truth(c, inner)))
            if there is FALSE:
                continue
            with needs.under(there):
                for more, deeper in self._cases(clauses[1:], inner):
                    yield conjunction((there, more)), deeper
