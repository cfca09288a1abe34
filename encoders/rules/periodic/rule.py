"""The rule "periodic": values that repeat, of single heaps and of sums, by one finite check.

The rule of values that repeat: of single heaps, and of sums of heaps written down, by one finite check.

    [proof]
    rule = "periodic"
    preperiod = 71      # these are found and shown where they are left out; a table with others is not believed
    period = 12
    saltus = 0

Its obligations: the table of the values of all heaps; where the claim has a value; and the claim in each class of
remainders of its integers, in which every heap is a number, or a number and some periods.  Why it is sound:
docs/proof-rules.md.
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
# Classes of remainders in which a claim says the same, so that one of them speaks for all.
#
# Where the integer of a claim occurs in heaps alone, the claim says nothing in a class but what the values of its heaps
# are: in all classes with the same values it is the same statement.  0.16 has 149 459 classes, of fourteen kinds.
class Repeating(Protocol):
    """What gives every heap a number, which repeats."""

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
        """Those of the first heaps, by mover."""

    def value(self, heap: int, mover: int = 0) -> int:
        """Of a heap of at least 0."""


def list_alike(claim: Claim, table: Repeating) -> list[tuple[int, int, int]] | None:
    """One class for all in which the heaps have the same values: its first number, its step, and how many others.

    None for a claim of another form: its one integer, without end, has to occur in heaps n + c alone.
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
    """The numbers c of the heaps n + c of positions that are asked about, ascending; None where n occurs elsewhere."""
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
    """c, where a term is n + c."""
    form = polynomial(term)
    grows = {m: c for m, c in form.coefficients.items() if m}
    named = [isinstance(x, t.Variable) and x.name == name for x in form.atoms.values()]
    return form.coefficients.get((), 0) if named == [True] and list(grows.values()) == [1] else None


def _count(terms: object, name: str) -> int:
    """How often a variable occurs."""
    return sum(isinstance(x, t.Variable) and x.name == name for x in walk(terms))


# == classes ==========================================================================================================
# The claim where its integers leave given remainders: there every heap is a number, or a number and some periods.
MOST_CLASSES = 4_000
MOST_EACH = 150  # remainders of which each has a class of its own; of more, those that are alike share one
MOST_TERMS = 2_000  # that a quantifier over a range is written out for
_ROUNDS = 40  # in which it is found from where on all heaps of a claim are past the preperiod
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
    """An integer of the claim: `first`, or `first` + `step` * j for natural j where `step` is not 0.

    `others`: the number of further classes in which the claim says the same, letter for letter.
    """

    name: str
    first: int
    step: int = 0
    others: int = 0


Class = tuple[ResidueClass, ...]


class Late(NimChecksError):
    """A heap of a class may lie below the preperiod: the class has to begin later, by so much for each integer."""

    def __init__(self, more: dict[str, int]) -> None:
        super().__init__()
        self.more = more


def list_classes(claim: Claim, table: Repeating, reader: type[ClassReader] | None = None) -> list[Class]:
    """Classes that cover the domains of the claim's integers; in each, all heaps are past the preperiod, or numbers.

    `reader`: what reads the claim there, if not ClassReader itself.  Raises Unsupported.
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
            words = f"the claim has {count} classes of remainders, more than {MOST_CLASSES}"
            raise Unsupported(words, instead="state it with fewer variables, or with smaller divisors")
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
    raise Unsupported("it is not seen from where on all heaps of the claim are past the preperiod")


def name_class(each: Class) -> str:
    """`n = 5`; `n = 71 + 12 j`; `n = 105351 + 149459 j, and 8 400 classes alike`."""
    told = ", ".join(f"{x.name} = {x.first}" + (f" + {x.step} j" if x.step else "") for x in each)
    others = sum(x.others for x in each)
    return f"{told}, and {others} class{'es' * (others != 1)} alike" if others else told


def _least(v: ClaimVariable) -> int:
    assert isinstance(v.domain, IntervalDomain)
    if not isinstance(v.domain.lo, t.Literal):
        words = f"the domain of {v.name} begins at {print_term(v.domain.lo)}, which is no number"
        raise Unsupported(words, instead="let it begin at a number, and put the bound into `if`")
    return v.domain.lo.value


def _parts(v: ClaimVariable, start: int, step: int) -> Iterator[ResidueClass]:
    """The values of a variable below the start, then its remainders from there on."""
    if isinstance(v.domain, ListedDomain):
        yield from (ResidueClass(v.name, x) for x in v.domain.values if isinstance(x, int))
        return
    assert isinstance(v.domain, IntervalDomain)
    least = _least(v)
    most = v.domain.hi.value if isinstance(v.domain.hi, t.Literal) else None
    end = start if most is None else min(start, most + 1)
    if end - least > MOST_CLASSES:
        words = f"the claim has {end - least} cases before its heaps repeat, more than {MOST_CLASSES}"
        raise Unsupported(words, instead="state a smaller preperiod, or a claim about heaps beyond it")
    yield from (ResidueClass(v.name, x) for x in range(least, end))
    yield from (ResidueClass(v.name, x, step) for x in range(start, start + step) if most is None or x <= most)


def _find_step(claim: Claim, period: int) -> int:
    """A multiple of the period, by which heaps grow by periods, and remainders in the claim do not change."""
    quotients = remainders = 1
    for x in walk((claim.conclusion, claim.hypothesis)):
        match x:
            case t.Operation(op="floordiv", args=(_, t.Literal(value=d))) if d > 0:
                quotients = lcm(quotients, d)
            case t.Operation(op="mod", args=(_, t.Literal(value=d))) if d > 0:
                remainders = lcm(remainders, d)
    return lcm(period * quotients, remainders)


class ClassReader(UnboundedReader):
    """Reads the claim in one class, with the values of its heaps by the table. Raises Late beside Unsupported."""

    words = "residues of single heaps"
    reads = "say it by who wins, values and outcomes of positions that are written down heap by heap"

    def __init__(self, claim: Claim, table: Repeating, each: Class) -> None:
        super().__init__()
        self.claim, self.table, self.each = claim, table, each
        self.player_names = name_players(claim)
        self.steps: dict[str, ResidueClass] = {}  # of the symbols j
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
        """That the claim holds in the class: the hypotheses imply the conclusion."""
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
                        f"{print_term(term)}: the divisor is not one number in each class", instead=instead
                    )
        found = polynomial(super().number(term, env))
        return found.term()

    def _constant(self, term: t.Term, env: Env, among: range) -> int:
        """A number that is known, one of these. Raises Unsupported."""
        found = polynomial(self.number(term, env)).constant
        if found is None or found not in among:
            instead = f"take the remainder on division by {len(among)}"
            raise Unsupported(f"the place {print_term(term)} of a list is not one in each class", instead=instead)
        return found

    def operation(self, term: t.Operation) -> t.Term:
        """Quotients and remainders of a number of steps, and what is done to known numbers, are worked out."""
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
        """The heaps of a position that is written down, without those that are none."""
        match s:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                found = [polynomial(self.number(x, env)) for x in items]
                return [x for x in found if x.coefficients]
        instead = "write each heap, as in position([n, 2*n + 1])"
        raise Unsupported(f"{print_term(s)} is no position that is written down heap by heap", instead=instead)

    def value_of(self, heap: Polynomial, mover: int) -> t.Term:
        """The value of a heap; of one below 0, where the claim has no value, any number."""
        grows = {m: c for m, c in heap.coefficients.items() if m}
        least = heap.coefficients.get((), 0)
        if not grows:
            if least < 0:
                return self.symbols.integer("value of a negative heap", aside=True)
            return integer(self.table.value(least, mover))
        if any(len(m) > 1 or m[0] not in self.steps for m in grows):
            raise self._refuse_heap(heap, "does not grow by the same number at each step")
        if any(c < 0 for c in grows.values()):
            raise self._refuse_heap(heap, "gets smaller")
        if any(c % self.table.period for c in grows.values()):
            raise self._refuse_heap(heap, "grows by no multiple of the period")
        if least < self.table.preperiod:
            short = self.table.preperiod - least
            parts = ((self.steps[m[0]], c) for m, c in grows.items())
            raise Late({part.name: -(-short * part.step // c) for part, c in parts})
        made: t.Term = integer(self.table.value(least, mover))
        for (name,), c in grows.items() if self.table.saltus else ():
            made = add(made, mul(integer(c // self.table.period * self.table.saltus), heap.atoms[name]))
        return made

    def _refuse_heap(self, heap: Polynomial, problem: str) -> Unsupported:
        words = f"where {name_class(self.each)}, a heap of {print_term(heap.term())} {problem}"
        return Unsupported(words, instead="state it of heaps that are sums of numbers and multiples of variables")

    def _nim_sum(self, heaps: list[Polynomial]) -> t.Term:
        """Of the values of the heaps."""
        values = [self.value_of(heap, 0) for heap in heaps]
        if len(values) == 1:
            return values[0]
        total = 0
        for value in values:
            constant = polynomial(value).constant
            if constant is None:
                words = "a nim-sum of values that grow with the heaps"
                raise Unsupported(words, instead='take rule = "grundy", with a formula for the values')
            total ^= constant
        return integer(total)

    def _find_single_value(self, s: t.Term, env: Env, mover: int) -> t.Term:
        """The offset of the winner from a position of one heap, or none."""
        heaps = self.heaps(s, env)
        assert len(heaps) <= 1  # of sums there is a table of Grundy values, or none
        return self.value_of(heaps[0], mover) if heaps else integer(self.table.value(0, mover))

    def _mover(self, term: t.Term, env: Env) -> int:
        """The row for a mover."""
        if len(self.table.rows) == 1:
            return 0
        return self.player(term, env)

    def loses(self, s: t.Term, env: Env, mover: int) -> t.Term:
        """Whether of two players the mover loses."""
        if self.table.question == GRUNDY:
            return self.truth_of("eq", self._nim_sum(self.heaps(s, env)), ZERO)
        row = min(mover, len(self.table.rows) - 1)
        return self.truth_of("ne", self._find_single_value(s, env, row), ZERO)

    # -- conditions ---------------------------------------------------------------------------------------------------
    def truth_of(self, op: str, a: t.Term, b: t.Term) -> t.Term:
        """A comparison, known if the difference is."""
        difference = polynomial(t.Operation(INT, 0, 0, "sub", (a, b))).constant
        return t.Operation(BOOL, 0, 0, op, (a, b)) if difference is None else holds(_HOLDS[op](difference))

    def truth(self, term: t.Term, env: Env) -> t.Term:
        """As in `Reader`; what is known is worked out, and nothing that evaluation does not come to is read."""
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
        """A condition on each number of a range, or on some, written out."""
        match clause.source:
            case t.Operation(op="range", args=(low, after)):
                first, end = (polynomial(self.number(x, env)).constant for x in (low, after))
            case _:
                first = end = None
        if first is None or end is None or end - first > MOST_TERMS:
            words = f"{print_term(clause.source)} is no range of at most {MOST_TERMS} numbers that is one in each class"
            raise Unsupported(words, instead="make what runs a variable of the claim")
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
MOST_SHOWN = 200  # values in a line of the outline
KEYS = {"preperiod": 0, "period": 1, "saltus": 0}  # each with the least number that it may be

TABLE = ObligationKind(
    "table",
    "Some heap has another value than the table says, or no theorem lets such a table speak of all heaps",
    "Leave out `preperiod`, `period` and `saltus`: they are found and shown",
    "right for every heap",
)
CLASS = claim_follows(
    "The claim is false for some integer of this class",
    "Correct the claim at the number that is shown, or exclude it in [forall]",
)


def _is_periodic(shape: ClaimShape) -> bool:
    """Single heaps or heaps written down, of a game whose parameters, if it has any, are numbers of the file."""
    places = shape.places(WHO_WINS | VALUES)
    fixed = all(not any(find_free_names(x)) for game in shape.games for _, x in game.arguments)
    single = all(len(m.heaps) == 1 and m.choose != "each" for game in shape.games for m in game.ruleset.moves)
    return (
        bool(places) and places <= {QueryTarget.HEAP, QueryTarget.HEAPS} and fixed and single and len(shape.games) == 1
    )


FIT = RuleSuggestion(
    "heaps written down, in integers without bound, in a game of fixed numbers, whose values repeat",
    _is_periodic,
    "nothing more: preperiod, period and saltus are found",
)
RULE, SUMS = TrustedRule("values that repeat"), TrustedRule("sums of heaps")


class PeriodicRule:
    """See docs/proof-rules.md, "periodic"."""

    name = "periodic"
    suggested_for = (FIT,)
    kinds = (TABLE, DEFINED, CLASS)

    def read(self, section: ProofSection) -> PeriodicProof:
        section.table.reject_unknown_keys("rule", *KEYS)
        return PeriodicProof(*(read_number(section, key) for key in KEYS))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        table, _ = find_table(expand_claim(claim))
        yield build_table_sequent(TABLE.make_label().name, table, TABLE)
        yield from pose_classes(claim, table, ClassReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        table, _ = find_table(expand_claim(claim))
        lines = tuple(_lines(table, claim.games[0].ruleset.players))
        tables = (
            OutlineTable("values", f"{_asks(table)}, by heap", ("Heaps", "Values"), lines),
            tell_classes(claim, table, ClassReader),
        )
        return Outline(_summarise(table), tables)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers."""
        plain = expand_claim(claim)
        table, heaps = find_table(plain)
        trusted: set[Trusted] = {RULE}
        trusted |= {SUMS} if has_sums(plain) else set()
        trusted |= {Trust.SPRAGUE_GRUNDY} if table.splits else set()
        return ProofCoverage(bounds_of(claim, All()), frozenset(trusted), heaps=heaps)


@lru_cache(maxsize=8)
def expand_claim(claim: Claim) -> Claim:
    """The claim with its definitions written out, once, so that its table is found once."""
    return unfold_claim(claim)


def pose_classes(claim: Claim, table: Repeating, reader: type[ClassReader]) -> Iterator[Sequent]:
    """That the claim has what it needs, and that it holds in each class of its integers, as `reader` reads it there."""
    plain = expand_claim(claim)
    for need in needs_of_claim(claim):
        yield build_sequent(
            DEFINED.make_label(words=need.words), partial(_pose_defined, need=need), partial(_Domains, plain)
        )
    for each in list_classes(plain, table, reader):
        yield build_sequent(_label(each), reader.pose, partial(reader, plain, table, each))


def tell_classes(claim: Claim, table: Repeating, reader: type[ClassReader]) -> OutlineTable:
    """The claim, with the classes in which it is shown."""
    classes = list_classes(expand_claim(claim), table, reader)
    shown = tuple((name_class(x).replace(" + 1 j", " + j") or CLASS.shows, _label(x).name) for x in classes)
    return OutlineTable("claim", "What follows", ("Statement",), (OutlineRow((say(claim.conclusion),), shown),))


def _label(each: Class) -> ObligationLabel:
    """What is to be shown in a class."""
    return CLASS.make_label(where=f" where {name_class(each)}" if each else "")


def read_number(section: ProofSection, key: str) -> int | None:
    """A number of [proof], one of KEYS; None where there is none. Raises ClaimError."""
    value = section.table.data.get(key)
    if value is None or (type(value) is int and KEYS[key] <= value <= MOST_HEAPS):
        return value
    expected = f"a number from {KEYS[key]} to {MOST_HEAPS}, or no such line: then it is found"
    raise section.source.fault(("proof", key), f"{format_value(value)} is no {key}", expected)


class _Domains(IntegerReader):
    """The claim's integers in their domains, and how long lists are that are written down."""

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="len", args=(t.Collection(items=items),)):
                return integer(len(items))
        return super().number(term, env)


def _pose_defined(q: IntegerReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], q.env, q.element))


# -- the outline ------------------------------------------------------------------------------------------------------
def _summarise(table: PeriodicTable) -> str:
    """How values repeat, and why one finite check is enough."""
    told = "A heap beyond and the heap a period smaller have options of the same values, by induction on the heap"
    if table.saltus:
        told = "A heap beyond has the options of the heap a period smaller with the saltus added, and all small values"
    return f"Values repeat with {table.repeats}: it is enough to look at finitely many heaps. {told}."


def _asks(table: PeriodicTable) -> str:
    """What the values are."""
    if table.question == GRUNDY:
        return "Grundy value"
    if table.players > 2:
        return "Who wins, counted from the player to move"
    return "Who wins" if len(table.rows) > 1 else "P- and N-positions"


def _call(table: PeriodicTable, mover: int, heap: int, players: tuple[str, ...]) -> str:
    """The value of a heap: of two players the winner by name where their moves differ, else the outcome."""
    value = table.rows[mover][heap]
    if table.question == GRUNDY or table.players > 2:
        return str(value)
    return players[(mover + value) % 2] if len(table.rows) > 1 else "NP"[value]


def _lines(table: PeriodicTable, players: tuple[str, ...]) -> Iterator[OutlineRow]:
    """The values before they repeat, and then once, for each mover; the first line names what shows them all."""
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
    """Values of heaps, the middle ones left out where there are many, before `call` makes texts of millions."""
    if len(heaps) <= MOST_SHOWN:
        return " ".join(map(call, heaps))
    half = MOST_SHOWN // 2
    return " ".join((*map(call, heaps[:half]), "…", *map(call, heaps[-half:])))


PERIODIC = PeriodicRule()
