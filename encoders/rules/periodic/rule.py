"""The proof rule "periodic": claims about heaps that are given by integers, if the values of heaps are periodic.

    [proof]
    rule = "periodic"
    preperiod = 71      # these three lines are optional; the rule finds the numbers
    period = 12
    saltus = 0

The obligations: the table of the values of all heaps is correct (a finite check), the claim is defined, and the claim
holds in each residue class of its integers. In such a class, each heap in the claim is a constant, or a constant plus a
multiple of the period. The claim may also contain sums of such heaps.

docs/rules/periodic.md describes why the rule is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from math import lcm, prod
from typing import Protocol

from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim, unfold_claim
from claims.language.files.domains import ClaimVariable, IntervalDomain, ListedDomain
from claims.language.files.proofs import ProofSection
from claims.language.files.toml import format_value
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, walk
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.definedness import DefinednessCondition, needs_of_claim
from encoders.logic.integers import IntegerReader, UnboundedReader, bounds_of
from encoders.logic.reader import Entailment, Env, name_players
from encoders.logic.sequents import (
    NO,
    YES,
    ZERO,
    Polynomial,
    Sequent,
    add,
    at_most,
    build_table_sequent,
    conjunction,
    disjunction,
    equal,
    holds,
    iff,
    implies,
    integer,
    is_plain,
    mul,
    negation,
    polynomial,
)
from encoders.logic.translator import COMPARISONS
from encoders.periods.tables import GRUNDY, PeriodicTable
from encoders.refusals import Unsupported
from encoders.rules.base.rule import Outline, OutlineRow, OutlineTable, ProofCoverage, ProofServices, build_sequent, say
from encoders.rules.base.shape import (
    DEFINED,
    VALUES,
    WHO_WINS,
    ClaimShape,
    QueryTarget,
    RuleSuggestion,
    claim_follows,
    has_outcome,
    refuse_variable,
)
from encoders.rules.periodic.finding import MOST_HEAPS, PeriodicProof, find_table, has_sums
from encoders.trust import All, ObligationKind, ObligationLabel, Reason, Trust, Trusted, TrustedRule


# == alike ============================================================================================================
# Residue classes with equal statements, of which one represents all.
#
# If the integer of a claim occurs only in heaps, the claim in a class depends only on the values of its heaps.  So it
# is the same statement in all classes with equal values.  Example: 0.16 has 149 459 classes, with 14 statements.
class Repeating(Protocol):
    """A table that gives each heap a value, or an element of a monoid. From the preperiod on, the values repeat."""

    @property
    def preperiod(self) -> int: ...
    @property
    def period(self) -> int: ...
    @property
    def saltus(self) -> int: ...
    @property
    def question(self) -> str: ...
    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Entry [mover][h] is the value of the heap h, for h < preperiod + period."""

    def value(self, heap: int, mover: int = 0) -> int:
        """Return the value of a heap of any size from 0 on, if the player with the index `mover` moves."""


def list_alike(claim: Claim, table: Repeating) -> list[tuple[int, int, int]] | None:
    """Return (first number, step, number of other classes) for each group of residue classes with the same statement.

    The claim must be about one integer n without upper bound, which occurs only in heaps n + c; otherwise return None.
    Then two classes have the same statement if these heaps have the same values in both.
    The first number and the step describe one class of the group. The step is 0 for a single number that is too small
    for the periodic part of the table.
    """
    v = claim.variables[0]
    shifts = _list_shifts(claim, v.name)
    if len(claim.variables) > 1 or not isinstance(v.domain, IntervalDomain) or v.domain.hi is not None or not shifts:
        return None
    if not isinstance(v.domain.lo, t.Literal) or (least := v.domain.lo.value) + shifts[0] < 0:
        return None
    start = max(least, table.preperiod - shifts[0])
    found: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for n in range(least, start + table.period):
        step = 0 if n < start else table.period
        values = tuple(table.value(n + c, mover) for mover in range(len(table.rows)) for c in shifts)
        first, _, others = found.get((step, *values), (n, step, -1))
        found[step, *values] = first, step, others + 1
    return list(found.values())


def _list_shifts(claim: Claim, name: str) -> list[int] | None:
    """Return the constants c of all heaps n + c in questions about positions, in ascending order.

    Return None if the integer n, with the name `name`, occurs anywhere else in the claim.
    """
    terms, shifts, found = (claim.conclusion, claim.hypothesis), set[int](), 0
    for call in walk(terms):
        match call:
            case t.GameCall(args=(t.Operation(op="position", args=(t.Collection(items=items),)), *_)):
                for item in items:
                    shift = _read_shift(item, name)
                    if shift is not None:
                        shifts.add(shift)
                        found += _count(item, name)
    return sorted(shifts) if found == _count(terms, name) else None


def _read_shift(term: t.Term, name: str) -> int | None:
    """Return c if the term is n + c, where n is the variable `name`; otherwise None."""
    form = polynomial(term)
    grows = {m: c for m, c in form.coefficients.items() if m}
    named = [isinstance(x, t.Variable) and x.name == name for x in form.atoms.values()]
    return form.coefficients.get((), 0) if named == [True] and list(grows.values()) == [1] else None


def _count(terms: object, name: str) -> int:
    """Return how often the variable `name` occurs in the terms."""
    return sum(isinstance(x, t.Variable) and x.name == name for x in walk(terms))


# == classes ==========================================================================================================
# The claim in a residue class of its integers: there every heap is a number, or a number plus a multiple of the period.
MOST_CLASSES = 4_000
MOST_EACH = 150  # if there are more residues, classes with equal statements are merged
MOST_TERMS = 2_000  # the longest range into which a quantifier is expanded
_ROUNDS = 40  # the most attempts to start the classes late enough that all heaps are past the preperiod
_HOLDS = {
    "eq": lambda x: x == 0,
    "ne": lambda x: x != 0,
    "lt": lambda x: x < 0,
    "le": lambda x: x <= 0,
    "gt": lambda x: x > 0,
    "ge": lambda x: x >= 0,
}


@dataclass(frozen=True)
class ResidueClass:
    """The values of an integer n that are equal modulo `step`: `first`, `first` + `step`, `first` + 2 * `step`, ...

    If `step` is 0, the only value is `first`.
    `name`: the name of n in the claim.
    `others`: the number of other classes for which the claim is the same statement, so that it need not be proved.
    """

    name: str
    first: int
    step: int = 0
    others: int = 0


Class = tuple[ResidueClass, ...]


class Late(NimChecksError):
    """An error: some heap in the claim may be smaller than the preperiod in a residue class that should be periodic.

    `more`: for each integer by name, by how much the first number of its class must increase to avoid this.
    """

    def __init__(self, more: dict[str, int]) -> None:
        super().__init__()
        self.more = more


def list_classes(claim: Claim, table: Repeating, reader: type[ClassReader] | None = None) -> list[Class]:
    """Return the residue classes in which the claim must be proved. They cover the domains of the claim's integers.

    In each class, every heap in the claim is constant, or always at least the preperiod. Classes for which the claim is
    the same statement as for another class may be omitted; see `ResidueClass.others`.
    `reader`: the translator of the claim in a class; the default is ClassReader.
    Raises Unsupported if there are too many classes, or if the claim cannot be translated.
    """
    for v in claim.variables:
        if v.type != INT or not isinstance(v.domain, IntervalDomain | ListedDomain):
            raise refuse_variable(v)
    step = _find_step(claim, table.period)
    if step > MOST_EACH and (alike := list_alike(claim, table)) is not None:
        return [(ResidueClass(claim.variables[0].name, *each),) for each in alike]
    starts = {v.name: _least(v) for v in claim.variables if isinstance(v.domain, IntervalDomain)}
    for _ in range(_ROUNDS):
        parts = [list(_parts(v, starts.get(v.name, 0), step)) for v in claim.variables]
        count = prod(map(len, parts))
        if count > MOST_CLASSES:
            words = f"the claim has {count} residue classes, more than {MOST_CLASSES}"
            raise Unsupported(words, instead="state the claim with fewer variables, or with smaller divisors")
        found = list(product(*parts))
        late: dict[str, int] = {}
        for each in found:
            try:
                (reader or ClassReader)(claim, table, each).pose()
            except Late as error:
                for name, more in error.more.items():
                    late[name] = max(late.get(name, 0), more)
        if not late:
            return found
        for name, more in late.items():
            starts[name] += more
    raise Unsupported("found no bound beyond which all heaps of the claim are past the preperiod")


def name_class(each: Class) -> str:
    """Return the class as text, such as `n = 5` or `n = 105351 + 149459 j, and 8400 classes of the same form`."""
    told = ", ".join(f"{x.name} = {x.first}" + (f" + {x.step} j" if x.step else "") for x in each)
    others = sum(x.others for x in each)
    return f"{told}, and {others} class{'es' * (others != 1)} of the same form" if others else told


def _least(v: ClaimVariable) -> int:
    assert isinstance(v.domain, IntervalDomain)
    if not isinstance(v.domain.lo, t.Literal):
        words = f"the domain of {v.name} begins at {print_term(v.domain.lo)}, which is not a number"
        raise Unsupported(words, instead=f"let {v.name} begin at a number, and put the bound under `if`")
    return v.domain.lo.value


def _parts(v: ClaimVariable, start: int, step: int) -> Iterator[ResidueClass]:
    """Yield the residue classes of one variable: each value below `start` alone, then `step` classes from `start` on.

    If the domain is a list, yield each value alone. Raises Unsupported if there are too many values below `start`.
    """
    if isinstance(v.domain, ListedDomain):
        yield from (ResidueClass(v.name, x) for x in v.domain.values if isinstance(x, int))
        return
    assert isinstance(v.domain, IntervalDomain)
    least = _least(v)
    most = v.domain.hi.value if isinstance(v.domain.hi, t.Literal) else None
    end = start if most is None else min(start, most + 1)
    if end - least > MOST_CLASSES:
        words = f"the claim has {end - least} cases before the values of its heaps repeat, more than {MOST_CLASSES}"
        raise Unsupported(words, instead="state a smaller preperiod, or a claim about heaps beyond it")
    yield from (ResidueClass(v.name, x) for x in range(least, end))
    yield from (ResidueClass(v.name, x, step) for x in range(start, start + step) if most is None or x <= most)


def _find_step(claim: Claim, period: int) -> int:
    """Return a suitable step for the residue classes of the claim's integers.

    If an integer increases by this step, each heap changes by a multiple of the period, and no remainder changes.
    """
    quotients = remainders = 1
    for x in walk((claim.conclusion, claim.hypothesis)):
        match x:
            case t.Operation(op="floordiv", args=(_, t.Literal(value=d))) if d > 0:
                quotients = lcm(quotients, d)
            case t.Operation(op="mod", args=(_, t.Literal(value=d))) if d > 0:
                remainders = lcm(remainders, d)
    return lcm(period * quotients, remainders)


class ClassReader(UnboundedReader):
    """A translator of the claim in one residue class of its integers into an obligation for solvers.

    Values of heaps are replaced by entries of the table. In the class, an integer is `first` + `step` * j, with a
    variable j >= 0. The methods raise Late and Unsupported.
    `each`: the class.
    """

    words = "residues of single heaps"
    reads = "use who wins, values and outcomes of positions written heap by heap"

    def __init__(self, claim: Claim, table: Repeating, each: Class) -> None:
        super().__init__()
        self.claim, self.table, self.each = claim, table, each
        self.player_names = name_players(claim)
        self.steps: dict[str, ResidueClass] = {}  # the classes of the variables j
        self.env: dict[str, object] = {}
        for v, part in zip(claim.variables, each, strict=True):
            made: t.Term = integer(part.first)
            if part.step:
                times = self.symbols.integer("j", 0, aside=True)
                self.steps[times.name] = part
                made = add(made, mul(integer(part.step), times))
            self.assume(Reason.DOMAIN, equal(self.symbols.integer(v.name), made))
            if isinstance(v.domain, IntervalDomain) and v.domain.hi is not None:
                self.assume(Reason.DOMAIN, at_most(made, self.number(v.domain.hi, self.env)))
            self.env[v.name] = made

    def pose(self) -> Entailment:
        """Return the obligation that the claim holds in the class: its hypothesis implies its conclusion."""
        claim = self.claim
        given = YES if claim.hypothesis is None else self.truth(claim.hypothesis, self.env)
        return Entailment((), YES if is_plain(given, False) else implies(given, self.truth(claim.conclusion, self.env)))

    # -- numbers ------------------------------------------------------------------------------------------------------
    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.IfElse(condition=c, then=x, other=y):
                given = self.truth(c, env)
                if isinstance(given, t.Literal):
                    return self.number(x if given.value else y, env)
            case t.Operation(op="index", args=(t.Collection(items=items), place)):
                return self.number(items[self._constant(place, env, range(len(items)))], env)
            case t.Operation(op="floordiv" | "mod", args=(_, by)):
                divisor = polynomial(self.number(by, env)).constant
                if divisor is None or divisor <= 0:
                    instead = "write it as a number, or list its values, as in k = { in = [1, 2] }"
                    raise Unsupported(
                        f"{print_term(term)}: the divisor is not constant in each residue class", instead=instead
                    )
        found = polynomial(super().number(term, env))
        return found.term()

    def _constant(self, term: t.Term, env: Env, among: range) -> int:
        """Return the value of a term that is constant in the class, such as `n % 3` for the step 6.

        Raises Unsupported if the value is not constant, or is not in the range `among`.
        """
        found = polynomial(self.number(term, env)).constant
        if found is None or found not in among:
            instead = f"use an index such as n % {len(among)}"
            raise Unsupported(
                f"the index {print_term(term)} of a list is not constant in each residue class", instead=instead
            )
        return found

    def operation(self, term: t.Operation) -> t.Term:
        """Return the translation of an operation on numbers.

        A remainder is replaced by a number if the divisor is constant and divides the coefficients of all variables:
        (6*j + 5) % 3 is 2. A quotient is then replaced by a sum without division.
        """
        if term.op in ("floordiv", "mod"):
            a, by = polynomial(term.args[0]), polynomial(term.args[1]).constant
            rest = {m: c for m, c in a.coefficients.items() if m}
            if by is not None and by > 0 and not any(c % by for c in rest.values()):
                quotient, remainder = divmod(a.coefficients.get((), 0), by)
                if term.op == "mod":
                    return integer(remainder)
                made = {m: c // by for m, c in rest.items()} | ({(): quotient} if quotient else {})
                return Polynomial(made, a.atoms).term()
        return super().operation(term)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="grundy", args=(s,)):
                return self._nim_sum(self.heaps(s, env))
            case t.GameCall(function="value", args=(s, mover)):
                if self.table.question == GRUNDY:  # of two players with the same moves
                    return integer(int(is_plain(self.loses(s, env, 0), True)))
                return self._find_single_value(s, env, self._mover(mover, env))
        return super().about_number(term, env)

    # -- positions ----------------------------------------------------------------------------------------------------
    def heaps(self, s: t.Term, env: Env) -> list[Polynomial]:
        """Return the heaps of a position that lists its heaps, without those that are always 0.

        Raises Unsupported for other positions.
        """
        match s:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                found = [polynomial(self.number(x, env)) for x in items]
                return [x for x in found if x.coefficients]
        instead = "list each heap, as in position([n, 2*n + 1])"
        raise Unsupported(f"{print_term(s)} does not list its heaps", instead=instead)

    def value_of(self, heap: Polynomial, mover: int) -> t.Term:
        """Return a term for the value of a heap by the table, if the player with the index `mover` moves.

        For a negative constant, the claim is undefined, and the result is a new variable. Raises Late if a heap that is
        not constant may be smaller than the preperiod. Raises Unsupported if such a heap does not grow by multiples of
        the period.
        """
        grows = {m: c for m, c in heap.coefficients.items() if m}
        least = heap.coefficients.get((), 0)
        if not grows:
            if least < 0:
                return self.symbols.integer("value of a negative heap", aside=True)
            return integer(self.table.value(least, mover))
        if any(len(m) > 1 or m[0] not in self.steps for m in grows):
            raise self._refuse_heap(heap, "does not grow by a constant at each step")
        if any(c < 0 for c in grows.values()):
            raise self._refuse_heap(heap, "gets smaller")
        if any(c % self.table.period for c in grows.values()):
            raise self._refuse_heap(heap, "does not grow by a multiple of the period")
        if least < self.table.preperiod:
            short = self.table.preperiod - least
            parts = ((self.steps[m[0]], c) for m, c in grows.items())
            raise Late({part.name: -(-short * part.step // c) for part, c in parts})
        made: t.Term = integer(self.table.value(least, mover))
        for (name,), c in grows.items() if self.table.saltus else ():
            made = add(made, mul(integer(c // self.table.period * self.table.saltus), heap.atoms[name]))
        return made

    def _refuse_heap(self, heap: Polynomial, problem: str) -> Unsupported:
        words = f"for {name_class(self.each)}, a heap of {print_term(heap.term())} {problem}"
        return Unsupported(words, instead="use heaps that are sums of numbers and multiples of variables")

    def _nim_sum(self, heaps: list[Polynomial]) -> t.Term:
        """Return the nim-sum of the values of the heaps.

        Raises Unsupported if there are several heaps, and some value is not constant (because of a saltus).
        """
        values = [self.value_of(heap, 0) for heap in heaps]
        if len(values) == 1:
            return values[0]
        total = 0
        for value in values:
            constant = polynomial(value).constant
            if constant is None:
                words = "nim-sums of values that grow with the heaps are not supported"
                raise Unsupported(words, instead='use rule = "grundy", with a formula for the values')
            total ^= constant
        return integer(total)

    def _find_single_value(self, s: t.Term, env: Env, mover: int) -> t.Term:
        """Return the winner of a position with at most one heap, by the table, in turns from the player to move."""
        heaps = self.heaps(s, env)
        assert len(heaps) <= 1  # for sums the table has Grundy values
        return self.value_of(heaps[0], mover) if heaps else integer(self.table.value(0, mover))

    def _mover(self, term: t.Term, env: Env) -> int:
        """Return the index of the row in the table for the player `term`; 0 if all players have the same moves."""
        if len(self.table.rows) == 1:
            return 0
        return self.player(term, env)

    def loses(self, s: t.Term, env: Env, mover: int) -> t.Term:
        """Return the condition that the player to move loses the position s, in a game of two players.

        `mover`: the index of this player.
        """
        if self.table.question == GRUNDY:
            return self.truth_of("eq", self._nim_sum(self.heaps(s, env)), ZERO)
        row = min(mover, len(self.table.rows) - 1)
        return self.truth_of("ne", self._find_single_value(s, env, row), ZERO)

    # -- conditions ---------------------------------------------------------------------------------------------------
    def truth_of(self, op: str, a: t.Term, b: t.Term) -> t.Term:
        """Return the comparison `a op b`; true or false as a literal if a - b is constant."""
        difference = polynomial(t.Operation(INT, 0, 0, "sub", (a, b))).constant
        return t.Operation(BOOL, 0, 0, op, (a, b)) if difference is None else holds(_HOLDS[op](difference))

    def truth(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a condition.

        A part that is constant in the class becomes true or false. As in an evaluation, the parts of a conjunction
        after a false part are not translated, and likewise for a disjunction and for conditionals.
        """
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args):
                stop, parts = isinstance(term, t.AnyOf), list[t.Term]()
                for x in args:
                    parts.append(self.truth(x, env))
                    if is_plain(parts[-1], stop):
                        return parts[-1]
                return disjunction(*parts) if stop else conjunction(*parts)
            case t.IfElse(condition=c, then=x, other=y):
                given = self.truth(c, env)
                if isinstance(given, t.Literal):
                    return self.truth(x if given.value else y, env)
            case t.Operation(op="not", args=(x,)):
                return negation(self.truth(x, env))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == BOOL:
                x, y = self.truth(a, env), self.truth(b, env)
                if isinstance(x, t.Literal):
                    x, y = y, x
                same = iff(x, y) if not isinstance(y, t.Literal) else x if y.value else negation(x)
                return same if op == "eq" else negation(same)
            case t.Operation(op=op, args=(a, b)) if op in COMPARISONS and a.type == INT:
                return self.truth_of(op, self.number(a, env), self.number(b, env))
        return super().truth(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="wins", args=(s, mover)):
                return negation(self.loses(s, env, self.player(mover, env)))
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", args=(s,)), t.Literal(value=v))
            ):
                found = has_outcome(t.OUTCOMES[v], self.loses(s, env, 0), self.loses(s, env, 1))
                return found if op == "eq" else negation(found)
            case t.Comprehension(reducer="all" | "any" as reducer, clauses=(clause,)):
                return self._expand_quantifier(term, reducer == "any", clause, env)
        return super().about_truth(term, env)

    def _expand_quantifier(self, term: t.Comprehension, some: bool, clause: t.Clause, env: Env) -> t.Term:
        """Return `all` or (if `some`) `any` over a range as a conjunction or disjunction over all numbers of the range.

        `clause`: the clause of the quantifier `term`. Raises Unsupported if the range is too long, or is not constant
        in the class.
        """
        match clause.source:
            case t.Operation(op="range", args=(low, after)):
                first, end = (polynomial(self.number(x, env)).constant for x in (low, after))
            case _:
                first = end = None
        if first is None or end is None or end - first > MOST_TERMS:
            words = (
                f"{print_term(clause.source)} is not a range of at most {MOST_TERMS} numbers "
                "that is constant in each residue class"
            )
            raise Unsupported(words, instead="use a variable of the claim instead of the quantified variable")
        parts = list[t.Term]()
        for x in range(first, end):
            inner = {**env, clause.variable: integer(x)}
            given = conjunction(*(self.truth(c, inner) for c in clause.conditions))
            if is_plain(given, False):
                continue
            body = self.truth(term.body, inner)
            parts.append(conjunction(given, body) if some else implies(given, body))
        return (disjunction if some else conjunction)(*parts) if parts else (NO if some else YES)


# == rule =============================================================================================================
MOST_SHOWN = 200  # the most values in a line of the outline
KEYS = {"preperiod": 0, "period": 1, "saltus": 0}  # with their least possible values

TABLE = ObligationKind(
    "table",
    "The value of some heap differs from the table, or no theorem extends such a table to all heaps",
    "Remove `preperiod`, `period` and `saltus`; the rule then finds the numbers",
    "right for every heap",
)
CLASS = claim_follows(
    "The claim is false for some integer of this class",
    "Correct the claim for the number shown, or exclude this number in [forall]",
)


def _is_periodic(shape: ClaimShape) -> bool:
    """Whether the claim has the form for which the rule is suggested.

    It asks who wins or for values, in one game, and only about positions that list their heaps. The parameters of the
    game are constant, and each move is on a single heap.
    """
    places = shape.places(WHO_WINS | VALUES)
    fixed = all(not any(find_free_names(x)) for game in shape.games for _, x in game.arguments)
    single = all(len(m.heaps) == 1 and m.choose != "each" for game in shape.games for m in game.ruleset.moves)
    return (
        bool(places) and places <= {QueryTarget.HEAP, QueryTarget.HEAPS} and fixed and single and len(shape.games) == 1
    )


FIT = RuleSuggestion(
    "explicit heaps, as terms over integers without bound, in a game with fixed parameters and periodic values",
    _is_periodic,
    "nothing more: the rule finds preperiod, period and saltus",
)
RULE, SUMS = TrustedRule("values that repeat"), TrustedRule("sums of heaps")


class PeriodicRule:
    """The implementation of the rule "periodic", which docs/rules/periodic.md describes."""

    name = "periodic"
    suggested_for = (FIT,)
    kinds = (TABLE, DEFINED, CLASS)

    def read(self, section: ProofSection) -> PeriodicProof:
        section.table.reject_unknown_keys("rule", *KEYS)
        return PeriodicProof(*(read_number(section, key) for key in KEYS))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        table, _ = find_table(expand_claim(claim), surroundings.most_heaps)
        yield build_table_sequent(TABLE.make_label().name, table, TABLE)
        yield from pose_classes(claim, table, ClassReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        table, _ = find_table(expand_claim(claim), surroundings.most_heaps)
        lines = tuple(_lines(table, claim.games[0].ruleset.players))
        tables = (
            OutlineTable("values", f"{_asks(table)}, by heap", ("Heaps", "Values"), lines),
            tell_classes(claim, table, ClassReader),
        )
        return Outline(_summarise(table), tables)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the coverage of the proof: all integers. It also lists the trusted theorems and the table's game."""
        plain = expand_claim(claim)
        table, heaps = find_table(plain, surroundings.most_heaps)
        trusted: set[Trusted] = {RULE}
        trusted |= {SUMS} if has_sums(plain) else set()
        trusted |= {Trust.SPRAGUE_GRUNDY} if table.splits else set()
        return ProofCoverage(bounds_of(claim, All()), frozenset(trusted), heaps=heaps)


@lru_cache(maxsize=8)
def expand_claim(claim: Claim) -> Claim:
    """Return the claim with its definitions expanded.

    The same object is returned for the same claim. Therefore `find_table` finds its result for the claim in the cache.
    """
    return unfold_claim(claim)


def pose_classes(claim: Claim, table: Repeating, reader: type[ClassReader]) -> Iterator[Sequent]:
    """Yield the obligations that the claim is defined, and then one for each residue class: the claim holds there.

    `reader`: the class that translates the claim in a residue class.
    """
    plain = expand_claim(claim)
    for need in needs_of_claim(claim):
        yield build_sequent(
            DEFINED.make_label(words=need.words), partial(_pose_defined, need=need), partial(_Domains, plain)
        )
    for each in list_classes(plain, table, reader):
        yield build_sequent(_label(each), reader.pose, partial(reader, plain, table, each))


def tell_classes(claim: Claim, table: Repeating, reader: type[ClassReader]) -> OutlineTable:
    """Return the table of the report that shows the claim, with an obligation for each residue class."""
    classes = list_classes(expand_claim(claim), table, reader)
    shown = tuple((name_class(x).replace(" + 1 j", " + j") or CLASS.shows, _label(x).name) for x in classes)
    return OutlineTable("claim", "Conclusion", ("Statement",), (OutlineRow((say(claim.conclusion),), shown),))


def _label(each: Class) -> ObligationLabel:
    """Return the label of the obligation that the claim holds in a class."""
    return CLASS.make_label(where=f" where {name_class(each)}" if each else "")


def read_number(section: ProofSection, key: str) -> int | None:
    """Return the number that [proof] states for `key`; None if it states none. Raises ClaimError for invalid values.

    `key`: one of KEYS.
    """
    value = section.table.data.get(key)
    if value is None or (type(value) is int and KEYS[key] <= value <= MOST_HEAPS):
        return value
    expected = f"a number from {KEYS[key]} to {MOST_HEAPS}, or no such line; the rule then searches for the number"
    raise section.source.fault(("proof", key), f"{format_value(value)} is not a valid {key}", expected)


class _Domains(IntegerReader):
    """A translator for the obligations that the claim is defined. It also supports the length of a literal list."""

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="len", args=(t.Collection(items=items),)):
                return integer(len(items))
        return super().number(term, env)


def _pose_defined(q: IntegerReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], q.env, q.element))


# -- the outline ------------------------------------------------------------------------------------------------------
def _summarise(table: PeriodicTable) -> str:
    """Return two sentences for the report: the period, and the reason why a finite check is sufficient."""
    told = "A heap in the periodic part and the heap one period smaller have options with the same values, by induction"
    if table.saltus:
        told = (
            "The options of a heap in the periodic part have the values of the options of the heap one period smaller, "
            "plus the saltus, and all small values"
        )
    return f"Values repeat with {table.repeats}: a check of finitely many heaps is enough. {told}."


def _asks(table: PeriodicTable) -> str:
    """Return what the values of the table are, as the title of the table in the report: such as "Grundy value"."""
    if table.question == GRUNDY:
        return "Grundy value"
    if table.players > 2:
        return "Winner, counted from the player to move"
    return "Winner" if len(table.rows) > 1 else "P- and N-positions"


def _call(table: PeriodicTable, mover: int, heap: int, players: tuple[str, ...]) -> str:
    """Return the value of a heap as text, if the player with the index `mover` moves.

    The text is the number for Grundy values, and for more than two players. For two players it is N or P or, if the
    players have different moves, the name of the winner.
    """
    value = table.rows[mover][heap]
    if table.question == GRUNDY or table.players > 2:
        return str(value)
    return players[(mover + value) % 2] if len(table.rows) > 1 else "NP"[value]


def _lines(table: PeriodicTable, players: tuple[str, ...]) -> Iterator[OutlineRow]:
    """Yield the rows of the report: for each player to move, the values in the preperiod, and those in one period.

    The first row also shows the obligation that proves all values.
    """
    shown: tuple[tuple[str, str], ...] = (TABLE.make_label().shown,)
    for mover, values in enumerate(table.rows):
        who = f", {players[mover]} to move" if len(table.rows) > 1 else ""
        call = partial(_call, table, mover, players=players)
        if table.preperiod:
            yield OutlineRow(
                (say(f"0 to {table.preperiod - 1}{who}"), say(_format_heap_values(range(table.preperiod), call))), shown
            )
            shown = ()
        more = f" and saltus {table.saltus}" if table.saltus else ""
        every = f", with period {table.period}{more}" if table.period > 1 or more else ""
        again = _format_heap_values(range(table.preperiod, len(values)), call)
        yield OutlineRow((say(f"from {table.preperiod} on{every}{who}"), say(again)), shown)
        shown = ()


def _format_heap_values(heaps: range, call: Callable[[int], str]) -> str:
    """Return the values of `heaps`, each given by `call`, with spaces between. The middle of a long list is omitted."""
    if len(heaps) <= MOST_SHOWN:
        return " ".join(map(call, heaps))
    half = MOST_SHOWN // 2
    return " ".join((*map(call, heaps[:half]), "…", *map(call, heaps[-half:])))


PERIODIC = PeriodicRule()
