"""The bounded route: one question to a solver instead of a search asks whether a claim holds in its whole scope."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.games import state_legal
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import is_prime
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT, OUTCOME, PLAYER, POSITION
from encoders.bounded.games import Beyond, Env, PositionBox, SymbolicGameTables, TermReading
from encoders.bounded.numbers import (
    MAX_ITEMS,
    Elements,
    Exact,
    Items,
    Needs,
    Position,
    ReadingOutOfTime,
    SymbolicOperations,
    Value,
    Whole,
    as_number,
    as_position,
    as_truth,
)
from encoders.logic import smt
from encoders.logic.answer import Case, CaseValue, Decision, RouteResult
from encoders.logic.smt import (
    FALSE,
    TRUE,
    Declaration,
    Script,
    SmtFormula,
    SmtNumber,
    conjunction,
    disjunction,
    implies,
    negate_formula,
)
from encoders.logic.translator import choose_extreme
from encoders.refusals import Unsupported, require_numbers
from encoders.solvers import default_solver
from encoders.solvers.effort import USUAL, Effort
from encoders.solvers.solver import Limits, SolverResult, SolverStatus
from encoders.trust import TrustedSolver

# == reading ==========================================================================================================
# Terms over a scope as constraints, with the conditions under which they are defined.
#
# Every condition that a term needs (a nonzero divisor, an index inside) is recorded, under the conditions under which
# the language evaluates that term; `any` and `all` are assumed to evaluate all their elements. Therefore a claim that
# is found false is false. Every ill-defined case is found, but some cases may be reported wrongly as ill-defined.
# -- reductions -------------------------------------------------------------------------------------------------------
# Reductions of the elements of a collection: whether any or all hold, their number, sum, nim-sum, extremes.


MAX_MODULUS = 16  # of columns
MOST_LISTED = 1_000  # largest number for which primality is translated


def reduce(values: SymbolicOperations, op: str, x: Items) -> Value:
    """Return the value of an operation on a collection, such as "sum" or "any" (`op`).

    Raise Unsupported if the operation has no translation.
    """
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
            raise Unsupported(f"{op} of values that are not integers has no translation into constraints")
        found.append((p, v))
    return found


def _sum(values: SymbolicOperations, op: str, elements: Elements) -> SmtNumber:
    n, total = values.numbers, values.zero
    for p, v in _numbers(op, elements):
        total = n.nim(total, values.natural(v, p)) if op == "nim_sum" else n.add(total, n.choose(p, v, values.zero))
    return total


def add_columns(values: SymbolicOperations, elements: Elements, modulus: SmtNumber, remainder: SmtNumber) -> SmtNumber:
    """Return a number that shows how often each binary digit is 1 among the elements.

    Digit i of the result is 1 if n % `modulus` == `remainder`, where n is the number of elements whose digit i is 1.
    Raise Unsupported unless `modulus` is a literal from 1 to MAX_MODULUS, and `remainder` a literal from 1 on.
    """
    n, m, r = values.numbers, modulus.value, remainder.value
    if m is None or r is None or not 1 <= m <= MAX_MODULUS or r < 1:
        raise Unsupported(f"columns needs a literal modulus from 1 to {MAX_MODULUS} and a literal remainder from 1 on")
    places = [values.zero] * m  # by remainder; places with the remainder 0 are in none of the others
    for p, v in _numbers("columns", elements):
        digits = values.natural(v, p)
        before, above = list(places), values.zero
        for one in before[1:]:
            above = n.nim(above, one)
        before[0] = n.nim(digits, n.bit_and(digits, above))  # the digits at places with the remainder 0
        for i in range(1, m):
            moved = n.bit_and(before[i - 1], digits)
            places[i] = n.nim(n.nim(before[i], n.bit_and(before[i], digits)), moved)
    return places[r] if r < m else values.zero


def _find_extreme(values: SymbolicOperations, op: str, x: Items) -> SmtNumber:
    n = values.numbers
    values.needs.require(disjunction(p for p, _ in x.items))
    found, some = values.zero, FALSE
    for p, v in _numbers(op, x.items):
        better = disjunction((negate_formula(some), n.relation("gt" if op == "max" else "lt", v, found)))
        found = n.choose(conjunction((p, better)), v, found)
        some = disjunction((some, p))
    return found


# -- reading ----------------------------------------------------------------------------------------------------------
class TermReader:
    """A translator of the terms of a claim into symbolic values, that is, values that depend on free variables.

    `values`: the operations on symbolic values. `tables`: the values of game calls such as `wins(s, P)`.
    """

    def __init__(self, values: SymbolicOperations, tables: SymbolicGameTables) -> None:
        self.values, self.tables = values, tables

    def truth(self, term: t.Term, env: Env) -> SmtFormula:
        """Return the formula for a condition. Raise Unsupported if it has no translation, and ReadingOutOfTime.

        `env`: the symbolic values of the variables in it.
        """
        return as_truth(self.value(term, env))

    def number(self, term: t.Term, env: Env) -> SmtNumber:
        """Return the symbolic value of an integer term. Raise Unsupported and ReadingOutOfTime, as in `truth`."""
        return as_number(self.value(term, env))

    def value(self, term: t.Term, env: Env) -> Value:
        """Return the symbolic value of a term of any type. Raise Unsupported and ReadingOutOfTime, as in `truth`."""
        self.values.needs.check_time()
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return TRUE if value else FALSE
            case t.Literal(value=value) if term.type in (INT, PLAYER, OUTCOME):
                return self.values.numbers.literal(value)
            case t.Variable(name=name) if name in env:
                return env[name]
            case t.AllOf(args=args):
                return self._conjoin(args, env)
            case t.AnyOf(args=args):
                return self._disjoin(args, env)
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

    def _conjoin(self, args: Sequence[t.Term], env: Env) -> SmtFormula:
        found = TRUE
        for x in args:
            with self.values.needs.assuming(found):
                found = conjunction((found, self.truth(x, env)))
        return found

    def _disjoin(self, args: Sequence[t.Term], env: Env) -> SmtFormula:
        found = FALSE
        for x in args:
            with self.values.needs.assuming(negate_formula(found)):
                found = disjunction((found, self.truth(x, env)))
        return found

    def _choose(self, condition: SmtFormula, x: t.Term, y: t.Term, env: Env) -> Value:
        with self.values.needs.assuming(condition):
            first = self.value(x, env)
        with self.values.needs.assuming(negate_formula(condition)):
            second = self.value(y, env)
        return self.values.choose(condition, first, second)

    # -- operations ---------------------------------------------------------------------------------------------------
    def _operation(self, op: str, term: t.Operation, args: Sequence[Value]) -> Value:
        x, y = args[0], args[-1]
        match op:
            case "not":
                return negate_formula(as_truth(x))
            case "eq":
                return self.values.same(x, y)
            case "ne":
                return negate_formula(self.values.same(x, y))
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
        """Return the value of an operation on integers, or the formula for a comparison of two integers.

        Raise Unsupported if the operation has no translation.
        """
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
            with self.values.needs.assuming(present):
                found.append((present, self.value(term.body, inner)))
            if len(found) > MAX_ITEMS:
                raise Unsupported(
                    f"{print_term(term)} may have more than {MAX_ITEMS} elements, the limit for constraints"
                )
        made = Items("set" if term.reducer == "set" else "list", tuple(found))
        return made if term.reducer in ("list", "set") else reduce(self.values, term.reducer, made)

    def _cases(self, clauses: Sequence[t.Clause], env: Env) -> Iterator[tuple[SmtFormula, Env]]:
        """Yield (condition, values of variables) for each possible choice of the variables in the clauses.

        The condition states that the choice satisfies the clauses. `env`: the values of the variables outside.
        """
        if not clauses:
            yield TRUE, env
            return
        first, needs = clauses[0], self.values.needs
        source = self.value(first.source, env)
        items = self.values.once(source) if isinstance(source, Items) else self.values.elements(source)
        for there, v in items:
            inner = {**env, first.variable: v}
            for c in first.conditions:
                with needs.assuming(there):
                    there = conjunction((there, self.truth(c, inner)))
            if there is FALSE:
                continue
            with needs.assuming(there):
                for more, deeper in self._cases(clauses[1:], inner):
                    yield conjunction((there, more)), deeper


# == encoder ==========================================================================================================
# The bounded route: a claim within its scope, given to a solver as one question without quantifiers.
#
# The solver searches for a case at which the claim is false, and for one at which a term is ill-defined. Positions have
# at most as many heaps as the scope allows, and games are unrolled over its box. The route is slower than the
# exhaustive route if that can search every case. It is an independent check: the two share only the parser of claims.
#
# A claim about integers alone is translated to integers, other claims to words. The counterexample is the smallest if
# the solver shows for each of its numbers that a smaller one is impossible; otherwise it is arbitrary.
# -- variables --------------------------------------------------------------------------------------------------------
# The variables of a claim as symbols: free values, the condition that they are in domain and scope, and their values.

SymbolValues = Mapping[str, int | bool]
"""The solver's values of the symbols, by name; a symbol that is left out may have any value."""


@dataclass(frozen=True, eq=False)
class SymbolicVariable:
    """A variable of the claim, whose value the solver may choose.

    `value`: its symbolic value. A position or a set depends on several symbols (variables of the solver).
    `inside`: the condition that the value is in the domain and in the scope of the variable.
    `read`: a function that returns the value of the variable, given the values of the symbols that the solver found.
    """

    value: Value
    inside: SmtFormula
    read: Callable[[SymbolValues], CaseValue]


class Variables:
    """A factory of symbolic variables. `declared` collects the declarations of the solver's variables for them."""

    def __init__(self, values: SymbolicOperations) -> None:
        self.values = values
        self.declared: list[Declaration] = []

    def draw(self, v: d.ClaimVariable, bound: d.Bound | None, reader: TermReading, env: Env) -> SymbolicVariable:
        """Return the symbolic variable for a variable of the claim.

        `bound`: the scope of the variable. `env`: the symbolic values of the variables that are declared earlier.
        Raise Unsupported if its domain has no translation.
        """
        n = self.values.numbers
        match v.domain:
            case d.IntervalDomain(lo=lo, hi=hi):
                high = None if hi is None else reader.number(hi, env)
                assert not isinstance(bound, d.ListRange)
                return self._draw_between(v.name, reader.number(lo, env), high, bound)
            case d.Positions():
                assert isinstance(bound, d.PositionRange)
                return self._draw_position(v.name, bound)
            case d.Players(count=count):
                return self._draw_integer(v.name, 0, count - 1)[1]
            case d.Subsets(lo=low, hi=high):
                return self._draw_set(v.name, range(low, high + 1))
            case d.ListedDomain(values=values):
                listed = (n.literal(x) if isinstance(x, int) else tuple(map(n.literal, x)) for x in values)
                return self._draw_one_of(v.name, tuple((TRUE, x) for x in listed))
            case d.ElementsOf(source=source):
                return self._draw_one_of(v.name, self.values.elements(reader.value(source, env)))
        raise Unsupported(f"the domain of {v.name}, {v.text}, has no translation into constraints")

    def _draw_truth(self, name: str) -> tuple[SmtFormula, SymbolicVariable]:
        self.declared.append(Declaration(name, smt.BOOLEAN))
        symbol = self.declared[-1].variable()
        return symbol, SymbolicVariable(symbol, TRUE, lambda found: bool(found.get(name, False)))

    def _draw_integer(self, name: str, low: int, high: int) -> tuple[SmtNumber, SymbolicVariable]:
        """Return a new integer from `low` to `high`: its symbolic value, and the variable.

        Raise Unsupported if it is a word (a bit vector) and may need more than 63 bits.
        """
        declared, number, inside = self.values.numbers.free(name, low, high)
        self.declared.append(declared)
        return number, SymbolicVariable(number, inside, lambda found: int(found.get(name, low)))

    def _draw_between(
        self, name: str, low: SmtNumber, high: SmtNumber | None, bound: d.Range | d.PositionRange | None
    ) -> SymbolicVariable:
        """Return a variable for an integer from `low` to `high`, which may depend on other variables.

        `bound`: its scope. None: no scope; then `high` is required. Raise Unsupported if there is no upper bound.
        """
        n = self.values.numbers
        if isinstance(bound, d.Range):
            least, most = bound.lo, bound.hi
        elif high is not None:
            least, most = low.lo, high.hi
        else:
            raise Unsupported(f"{name} has no upper bound")
        x, free = self._draw_integer(name, least, most)
        above = n.relation("ge", x, low)
        below = TRUE if high is None else n.relation("le", x, high)
        return SymbolicVariable(x, conjunction((free.inside, above, below)), free.read)

    def _draw_set(self, name: str, numbers: Sequence[int]) -> SymbolicVariable:
        drawn = [(i, *self._draw_truth(f"{i} in {name}")) for i in numbers]
        items = Items("set", tuple((chosen, self.values.numbers.literal(i)) for i, chosen, _ in drawn))
        return SymbolicVariable(items, TRUE, lambda found: tuple(i for i, _, free in drawn if free.read(found)))

    def _draw_position(self, name: str, bound: d.PositionRange) -> SymbolicVariable:
        n, zero = self.values.numbers, self.values.zero
        names = [f"{name} {i + 1}" for i in range(bound.heaps.hi)]
        drawn = [self._draw_integer(x, 0, bound.size.hi) for x in names]
        s: Position = tuple(h for h, _ in drawn)
        conditions = [free.inside for _, free in drawn]
        for i, h in enumerate(s):
            least = n.relation("ge", h, n.literal(bound.size.lo))
            needed = i >= bound.heaps.hi - bound.heaps.lo
            conditions.append(least if needed else disjunction((least, n.equal(h, zero))))
        if bound.total is not None:
            total = zero
            for h in s:
                total = n.add(total, h)
            conditions += [
                n.relation("ge", total, n.literal(bound.total.lo)),
                n.relation("le", total, n.literal(bound.total.hi)),
            ]

        def read(found: SymbolValues) -> CaseValue:
            return tuple(sorted(int(found[x]) for x in names if found.get(x)))

        return SymbolicVariable(s, conjunction((n.is_ascending(s), *conditions)), read)

    def _draw_one_of(self, name: str, elements: Elements) -> SymbolicVariable:
        """Return a variable whose value is one of the elements whose condition is true."""
        free = self._draw_like(name, [value for _, value in elements])
        return SymbolicVariable(
            free.value, conjunction((free.inside, self.values.contains(elements, free.value))), free.read
        )

    def _draw_like(self, name: str, elements: Sequence[Value]) -> SymbolicVariable:
        """Return a variable of the same type as the elements, with bounds that include all of them.

        Raise Unsupported if the elements are lists or sets.
        """
        first = elements[0] if elements else self.values.zero
        if isinstance(first, SmtNumber):
            numbers = [as_number(x) for x in elements]
            low, high = min((x.lo for x in numbers), default=0), max((x.hi for x in numbers), default=0)
            return self._draw_integer(name, low, high)[1]
        if isinstance(first, tuple):
            positions = [as_position(x) for x in elements]
            most = max((h.hi for s in positions for h in s), default=1)
            heaps = max(map(len, positions))
            return self._draw_position(name, d.PositionRange(d.Range(0, heaps), d.Range(1, max(1, most))))
        if isinstance(first, SmtFormula):
            return self._draw_truth(name)[1]
        raise Unsupported(f"the domain of {name}, a set of collections, has no translation into constraints")


# -- encoder ----------------------------------------------------------------------------------------------------------
NAME = "bounded"


def decide_by_smt(claim: Claim, scope: d.Scope, budget: float | None = None, effort: Effort = USUAL) -> RouteResult:
    """Decide a claim within a scope by a solver, and return the result.

    The result contains a counterexample if a [forall] claim fails, and a witness if an [exists] claim holds. If a
    [forall] claim without games holds, `witness` is a case in which the hypotheses are true, if the solver finds one.
    A claim that cannot be translated gives the decision UNSUPPORTED; no exception is raised.

    `budget`: the time in seconds; None for no limit.
    """
    started = time.monotonic()
    deadline = None if budget is None else time.process_time() + budget
    ranges = [b for b in scope.values() if isinstance(b, d.PositionRange)]
    box = PositionBox(max((b.heaps.hi for b in ranges), default=1), max((b.size.hi for b in ranges), default=1))
    answer = RouteResult(NAME, Decision.UNSUPPORTED)
    plain = not claim.games and all(v.type in (INT, PLAYER) for v in claim.variables)
    for numbers in (Whole, Exact) if plain else (Exact,):
        answer = _settle(claim, scope, box, Needs(deadline), numbers(), effort)
        if answer.decision.settles:
            break
    return replace(answer, seconds=time.monotonic() - started)


def _settle(
    claim: Claim, scope: d.Scope, box: PositionBox, needs: Needs, numbers: Exact, effort: Effort
) -> RouteResult:
    try:
        require_numbers(claim)
        while True:  # repeat with a larger box if the claim asks about larger positions
            try:
                return _decide(_Question(claim, scope, box, needs, numbers, effort))
            except Beyond as beyond:
                box, needs = beyond.box, Needs(needs.deadline)
    except Unsupported as error:
        return RouteResult(NAME, Decision.UNSUPPORTED, detail=str(error))
    except ReadingOutOfTime:
        return RouteResult(NAME, Decision.UNKNOWN, detail="out of time while writing the constraints")


def _decide(question: _Question) -> RouteResult:
    """Ask the solver for a decisive case, then for a case in which the claim is undefined. Return the result.

    If neither exists, the claim is decided. Raise Unsupported if the solver cannot treat the formulas.
    """
    claim, trusted = question.claim, frozenset({TrustedSolver(question.solver.name)})
    exists = claim.quantifier == "exists"
    wanted = question.conclusion if exists else negate_formula(question.conclusion)
    outcome = question.ask(question.hypothesis, wanted, question.defined)
    if outcome.found is SolverStatus.FAILS:
        if exists:
            return RouteResult(NAME, Decision.HOLDS, witness=question.read(outcome), trusted=trusted)
        case, smallest = question.shrink(outcome, question.hypothesis, wanted, question.defined)
        return RouteResult(NAME, Decision.FAILS, counterexample=case, smallest=smallest, trusted=trusted)
    if outcome.found is SolverStatus.PROVED:
        outcome = question.ask(negate_formula(question.defined))
        if outcome.found is SolverStatus.PROVED:
            if exists:
                return RouteResult(NAME, Decision.FAILS, trusted=trusted)
            return RouteResult(NAME, Decision.HOLDS, witness=_meet(question), trusted=trusted)
        if outcome.found is SolverStatus.FAILS:
            detail = f"a term may be undefined, perhaps at {question.read(outcome)}"
            return RouteResult(NAME, Decision.UNKNOWN, detail=detail, trusted=trusted)
    return RouteResult(NAME, Decision.UNKNOWN, detail=f"the solver gave up: {outcome.reason}", trusted=trusted)


def _meet(question: _Question) -> Case | None:
    """Return a case in which the hypotheses hold; None if the solver finds none.

    Also return None for a claim with games, for which the exhaustive search finds such a case.
    """
    if question.claim.games:
        return None
    outcome = question.ask(question.hypothesis, question.defined)
    return question.read(outcome) if outcome.found is SolverStatus.FAILS else None


class _Question:
    """A claim within a scope, translated into formulas for a solver.

    `free`: the variables of the claim. `hypothesis`, `conclusion`: the claim, as formulas.
    `defined`: the condition that all terms are defined. `known`: formulas that every question to the solver contains.
    The constructor raises Unsupported if the claim has no translation.
    """

    def __init__(
        self, claim: Claim, scope: d.Scope, box: PositionBox, needs: Needs, numbers: Exact, effort: Effort
    ) -> None:
        values = SymbolicOperations(needs, numbers)
        root: dict[str, Value] = {}
        tables = SymbolicGameTables(claim, values, root, box)
        reader = TermReader(values, tables)
        drawn = Variables(values)
        self.claim, self.numbers, self.needs = claim, numbers, needs
        self.solver, self.effort = default_solver(), effort
        self.free: dict[str, SymbolicVariable] = {}
        for v in claim.variables:
            self.free[v.name] = drawn.draw(v, scope.get(v.name), reader, root)
            root[v.name] = self.free[v.name].value
        legal = state_legal(claim)
        needs.require(TRUE if legal is None else reader.truth(legal, root))
        self.hypothesis = TRUE if claim.hypothesis is None else reader.truth(claim.hypothesis, root)
        with needs.assuming(self.hypothesis):
            self.conclusion = reader.truth(claim.conclusion, root)
        self.defined = conjunction(needs.conditions)
        self.declared = (*drawn.declared, *tables.functions)
        self.known = (*(x.inside for x in self.free.values()), *tables.equations)

    def ask(self, *wanted: SmtFormula) -> SolverResult:
        """Ask the solver for a case in which all these formulas hold. Raise Unsupported.

        If there is such a case, the status of the result is FAILS; if there is none, it is PROVED.
        """
        script = Script(self.declared, (*self.known, conjunction(wanted)))
        return self.solver.check_script(script, Limits(self.effort.steps, self.effort.seeds[0], self.needs.left))

    def read(self, outcome: SolverResult) -> Case:
        """Return the case that the solver found: a value for each variable of the claim."""
        return {name: free.read(outcome.values) for name, free in self.free.items()}

    def shrink(self, outcome: SolverResult, *wanted: SmtFormula) -> tuple[Case, bool]:
        """Return a case in which all these formulas hold, and whether it is known to be the smallest such case.

        `outcome`: the result that contains a first such case. The variables are minimized one after another, by
        bisection. If the claim has games, or variables that are not integers, the first case is returned with False.
        """
        case = self.read(outcome)
        numbers = [(name, x.value) for name, x in self.free.items() if isinstance(x.value, SmtNumber)]
        if len(numbers) < len(self.free) or self.claim.games:
            return case, False
        fixed: list[SmtFormula] = []
        for name, x in numbers:
            least, most = x.lo, case[name]
            assert isinstance(most, int)
            while least < most:
                middle = (least + most) // 2
                found = self.ask(*wanted, *fixed, self.numbers.relation("le", x, self.numbers.literal(middle)))
                if found.found is SolverStatus.FAILS:
                    case = self.read(found)
                    most = case[name]
                    assert isinstance(most, int)
                elif found.found is SolverStatus.PROVED:
                    least = middle + 1
                else:
                    return case, False
            fixed.append(self.numbers.equal(x, self.numbers.literal(most)))
        return case, True
