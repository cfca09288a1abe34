"""The rule "arithmetic": claims about integers, directly or by induction, with sums that grow."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import ClassVar

from claims.language.files.claim import Claim, Proof, unfold_claim
from claims.language.files.domains import IntervalDomain, ListedDomain
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, walk
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.definedness import DefinednessCondition, needs_of_claim
from encoders.logic.integers import (
    MOST_WRITTEN,
    PRODUCT,
    REMAINDERS,
    RUNNING,
    IntegerReader,
    bounds_of,
    natural_product,
    pose_product,
    pose_remainders,
    spell,
    spell_number,
)
from encoders.logic.integers import UnboundedReader as Integers
from encoders.logic.reader import Entailment, Env, SequentReader
from encoders.logic.sequents import (
    NO,
    ONE,
    YES,
    ZERO,
    Sequent,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    is_same_polynomial,
    mul,
    neg,
    polynomial,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    ObligationBuilder,
    Outline,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    build_sequents,
    say,
)
from encoders.rules.base.shape import DEFINED, RuleSuggestion, claim_follows, refuse_variable
from encoders.rules.folds.kinds import STEP
from encoders.rules.folds.questions import LemmaInstance, instantiate_lemmas
from encoders.trust import All, ObligationKind, Reason, TrustedRule, make_number_kind

# == growing ==========================================================================================================
# Numbers that grow step by step: sums and counts over a range, and powers; what is known from one step to the next.
#
# Of `sum(f(i) for i in range(a, b))` two things are known: it is 0 if b <= a, and over one number more it is f(b) more.
# That is all that there is to know of it, and it is told of those that occur, where their ends are so many apart as can
# be counted.  So with `count`, with `any` and `all` as truth values, and with powers, as products of equal factors.
MOST_APART = 8  # of two ends that are told of, one step after another
MOST_BITS = 4096  # of a power that is written as a number


@dataclass(eq=False)
class _Series:
    """Of no number `neutral`; with one more, `value`, it is `join` of what it was and `at(value)`. `low`: the first."""

    low: t.Term
    at: Callable[[t.Term], t.Term]
    join: Callable[[t.Term, t.Term], t.Term]
    neutral: t.Term
    fresh: Callable[[], t.Term]
    known: list[tuple[t.Term, t.Term]] = field(default_factory=list)  # the end of the range, and what it is there


class Growing:
    """Those of one sequent, each once."""

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._series: dict[Hashable, _Series] = {}

    def reduce_range(self, term: t.Comprehension, env: Env) -> t.Term | None:
        """What is made of the numbers of a range; None for other comprehensions. Raises Unsupported."""
        match term:
            case t.Comprehension(reducer="sum" | "count" | "any" | "all" as reducer, body=body, clauses=(clause,)):
                if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                    low, after = (self.reader.number(x, env) for x in clause.source.args)
                    return self._value(self._find_series(reducer, body, clause, low, env), after)
        return None

    def power(self, base: t.Term, exponent: t.Term) -> t.Term:
        """A power of a natural exponent."""
        number, times = polynomial(base).constant, polynomial(exponent).constant
        if number is not None and times is not None and times >= 0 and number.bit_length() * times <= MOST_BITS:
            return integer(number**times)
        low = 1 if number is not None and number >= 1 else None
        key = "power", spell_number(base)
        if key not in self._series:

            def fresh() -> t.Term:
                return self.reader.symbols.integer("power", low, aside=True)

            self._series[key] = _Series(ZERO, lambda _: base, mul, ONE, fresh)
        return self._value(self._series[key], exponent)

    def _find_series(self, reducer: str, body: t.Term, clause: t.Clause, low: t.Term, env: Env) -> _Series:
        key = reducer, spell((*clause.conditions, body), clause.variable, env), spell_number(low)
        if key not in self._series:
            self._series[key] = self._make(reducer, body, clause, low, env)
        return self._series[key]

    def _make(self, reducer: str, body: t.Term, clause: t.Clause, low: t.Term, env: Env) -> _Series:
        q, symbols = self.reader, self.reader.symbols

        def meets(value: t.Term) -> t.Term:
            return conjunction(*(q.truth(x, {**env, clause.variable: value}) for x in clause.conditions))

        def holds(value: t.Term) -> t.Term:
            return q.truth(body, {**env, clause.variable: value})

        def term(value: t.Term) -> t.Term:
            if reducer == "count":
                return choose(conjunction(meets(value), holds(value)), ONE, ZERO)
            return choose(meets(value), q.number(body, {**env, clause.variable: value}), ZERO)

        match reducer:
            case "any":
                return _Series(
                    low, lambda x: conjunction(meets(x), holds(x)), disjunction, NO, lambda: symbols.truth("some")
                )
            case "all":
                return _Series(
                    low, lambda x: implies(meets(x), holds(x)), conjunction, YES, lambda: symbols.truth("all")
                )
        least = 0 if reducer == "count" else None
        return _Series(low, term, add, ZERO, lambda: symbols.integer(reducer, least, aside=True))

    def _value(self, series: _Series, after: t.Term) -> t.Term:
        """What it is for the numbers from its first to before `after`. Raises Unsupported."""
        for end, value in series.known:
            if is_same_polynomial(end, after):
                return value
        length = polynomial(sub(after, series.low)).constant
        if length is not None and length <= MOST_WRITTEN:
            found = series.neutral
            for i in range(length):
                found = series.join(found, series.at(add(series.low, integer(i))))
            return found
        found = series.fresh()
        before = list(series.known)
        series.known.append((after, found))
        self.reader.assume(Reason.RANGE, implies(at_most(after, series.low), equal(found, series.neutral)))
        if not before and found.type == BOOL:  # the last number may be what decides
            self._value(series, sub(after, ONE))
        for end, value in before:
            apart = polynomial(sub(after, end)).constant
            match apart:
                case 1:
                    self._step(series, end, value, found)
                case -1:
                    self._step(series, after, found, value)
                case int() if abs(apart) <= MOST_APART:
                    self._value(series, add(end if apart > 0 else after, ONE))
        return found

    def _step(self, series: _Series, end: t.Term, value: t.Term, following: t.Term) -> None:
        """Let it be known that over one number more it is `following`."""
        joined = series.join(value, series.at(end))
        self.reader.assume(Reason.RANGE, implies(at_least(end, series.low), equal(following, joined)))


# == rule =============================================================================================================
# The rule of arithmetic: claims about integers alone, for all of them, directly or by induction on one of them.
#
# The rule and why it is sound: docs/proof-rules.md.
FIT = RuleSuggestion(
    "integers alone, no game",
    lambda shape: not shape.games and not shape.positions,
    'nothing more, or `induct` with the name of an integer: sums over ranges need it, as in `induct = "n"`',
    lambda claim, _: iter(({}, *({"induct": v.name} for v in claim.variables))),
)
CLAIM = claim_follows(
    "The claim does not follow from its hypotheses",
    "Assume in `if` what is missing; state as a step what it follows from; where it has sums over a range or powers "
    "whose ends have names, prove it by induction, `induct`",
)
BASE = ObligationKind(
    "claim, base",
    "The claim does not hold of the least number of the domain",
    "Correct it there, or let the domain begin later",
    "it holds of the least number",
)
NEXT = ObligationKind(
    "claim, step",
    "The claim does not follow from what it says of the number before",
    "State as a step, or prove as a lemma, what is missing; a claim that says more is often easier to prove so",
    "and of the next if of one",
)
SQUARES = make_number_kind("squares: each is natural")
OF_INTEGERS = "The claim is about integers alone."
MOST_SQUARED = 4  # variables whose differences are told to have natural squares


@dataclass(frozen=True, eq=False)
class ArithmeticProof(Proof):
    """`induct`: the integer by which the claim is shown, "" for none. `steps`: what follows from the hypotheses."""

    rule: ClassVar[str] = "arithmetic"
    induct: str = ""
    steps: tuple[tuple[str, t.Term], ...] = ()


class ArithmeticReader(IntegerReader):
    """The claim's integers, with what is known of sums over ranges, powers and squares; `instances` of its lemmas."""

    def __init__(self, claim: Claim, instances: tuple[LemmaInstance, ...] = ()) -> None:
        self.growing = Growing(self)
        self.instances = instances
        super().__init__(claim)  # which reads the domains by now

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="pow", args=(base, exponent)):
                return self.growing.power(self.number(base, env), self.number(exponent, env))
            case t.Operation(op="sum", args=(t.Operation(op="range") as source,)):
                i = t.Variable(INT, term.start, term.end, RUNNING)
                clauses = (t.Clause(RUNNING, source, ()),)
                return self.number(t.Comprehension(INT, term.start, term.end, "sum", i, clauses), env)
            case t.Comprehension() if (found := self.growing.reduce_range(term, env)) is not None:
                return found
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.Comprehension) and (found := self.growing.reduce_range(term, env)) is not None:
            return found
        return super().about_truth(term, env)

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """The sequent; squares of what is multiplied in it, and of differences, are known to be natural."""
        found = super().sequent(name, posed)
        names = _collect_factors((*found.premises, found.show)) & self.env.keys()
        factors = [x for n, x in self.env.items() if n in names and isinstance(x, t.Term)][:MOST_SQUARED]
        told = tuple(at_least(mul(x, x), ZERO) for x in (*factors, *(sub(x, y) for x, y in combinations(factors, 2))))
        if not told:
            return found
        made = self.symbols.sequent(name, (*found.assume, *told), found.show, found.hypotheses, found.lemmas)
        return replace(made, by=found.by | {Reason.SQUARES})

    def read_hypothesis(self, env: Env) -> t.Term:
        """The hypotheses at the values."""
        return YES if self.claim.hypothesis is None else self.truth(self.claim.hypothesis, env)

    def read_conclusion(self, env: Env) -> t.Term:
        """The conclusion at the values. What lemmas say of them, and the steps where the hypotheses hold, is learnt."""
        self.take(env, None)
        return self.truth(self.claim.conclusion, env)

    def take(self, env: Env, number: int | None) -> None:
        """Let the lemmas be known at the values, and the first steps, or all."""
        for lemma in self.instances:
            said = [self.truth(x, env) for x in lemma.statements]
            self.lemmas.setdefault(lemma.id, []).extend(said)
        for _, step in _proof(self.claim).steps[:number]:
            self.assume(Reason.STEP, implies(self.read_hypothesis(env), self.truth(step, env)))


def _collect_factors(terms: Iterable[t.Term]) -> set[str]:
    """The names of what is multiplied in some terms."""
    products = (x for x in walk(tuple(terms)) if isinstance(x, t.Operation) and x.op == "mul")
    return {x.name for x in walk(tuple(products)) if isinstance(x, t.Variable)}


def _proof(claim: Claim) -> ArithmeticProof:
    assert isinstance(claim.proof, ArithmeticProof)
    return claim.proof


class ArithmeticRule:
    """See docs/proof-rules.md, "arithmetic"."""

    name = "arithmetic"
    suggested_for = (FIT,)
    kinds = (DEFINED, STEP, CLAIM, BASE, NEXT, PRODUCT, REMAINDERS, SQUARES)

    def read(self, section: ProofSection) -> ArithmeticProof:
        section.table.reject_unknown_keys("rule", "by", "induct", "steps")
        induct = section.table.text("induct") if "induct" in section.table.data else ""
        if induct and induct not in section.integers:
            problem = f"{induct!r} is no integer of the claim"
            names = ", ".join(section.integers) or "an integer in [forall]"
            raise section.source.fault(("proof", "induct"), problem, names)
        inner = section.terms_over(section.integers)
        named = section.table.expressions("steps")
        steps = tuple((name, inner.read_expression(("proof", "steps", name), words, BOOL)) for name, words in named)
        return ArithmeticProof(induct, steps, by=section.lemmas())

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        _refuse_others(plain)
        start = partial(ArithmeticReader, plain, instantiate_lemmas(plain, _proof(plain).by, surroundings, None))
        used: set[Reason] = set()
        for sequent in build_sequents(_list_claim_obligations(plain, needs_of_claim(claim)), start):
            used |= sequent.by
            yield sequent
        yield from build_sequents(_list_number_obligations(used), partial(Integers))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        proof = _proof(claim)
        steps = tuple(OutlineRow((say(step),), (STEP.make_label(name=name).shown,)) for name, step in proof.steps)
        lemmas = tuple(OutlineRow((say(x.id), say(x.claim.conclusion))) for x in proof.by)
        kinds = (BASE, NEXT) if proof.induct else (CLAIM,)
        line = OutlineRow((say(claim.conclusion),), tuple(kind.make_label().shown for kind in kinds))
        tables = (
            OutlineTable("lemmas", "What it assumes", ("Theorem", "What it says"), lemmas),
            OutlineTable("facts", "What follows from the hypotheses", ("Statement",), steps),
            OutlineTable("claim", "What follows", ("Statement",), (line,)),
        )
        summary = f"{OF_INTEGERS} It is shown by induction on {proof.induct}." if proof.induct else OF_INTEGERS
        return Outline(summary, tuple(x for x in tables if x.lines))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        rules = {TrustedRule("arithmetic")} | ({TrustedRule("induction")} if _proof(claim).induct else set())
        return ProofCoverage(bounds_of(claim, All()), frozenset(rules))


def _refuse_others(claim: Claim) -> None:
    """Raises Unsupported for a claim that is not about integers alone."""
    for v in claim.variables:
        if v.type != INT or not isinstance(v.domain, IntervalDomain | ListedDomain):
            raise refuse_variable(v)
    if claim.games:
        instead = "leave out `ruleset`, or take a rule about games"
        raise Unsupported("the rule of arithmetic is about integers alone, and the claim has a game", instead=instead)


# -- the obligations --------------------------------------------------------------------------------------------------
def _list_claim_obligations(
    claim: Claim, defined: Iterable[DefinednessCondition]
) -> Iterator[ObligationBuilder[ArithmeticReader]]:
    proof = _proof(claim)
    for need in defined:
        yield DEFINED.make_label(words=need.words), partial(_pose_defined, need=need)
    for number, (name, _) in enumerate(proof.steps):
        yield STEP.make_label(name=name), partial(_step, number=number)
    if not proof.induct:
        yield CLAIM.make_label(), _claim
        return
    domain = _find_domain(claim, proof.induct)
    yield BASE.make_label(), partial(_base, name=proof.induct, domain=domain)
    yield NEXT.make_label(), partial(_pose_next, name=proof.induct, domain=domain)


def _list_number_obligations(used: set[Reason]) -> Iterator[ObligationBuilder[Integers]]:
    """What was used of numbers alone."""
    if used & {Reason.SQUARES, Reason.REMAINDERS}:
        yield PRODUCT.make_label(), pose_product
    if Reason.SQUARES in used:
        yield SQUARES.make_label(), _squares
    if Reason.REMAINDERS in used:
        yield REMAINDERS.make_label(), pose_remainders


def _squares(q: Integers) -> Entailment:
    """By the sign of the number."""
    z = q.fresh("z")
    return Entailment((natural_product(z, z), natural_product(neg(z), neg(z))), at_least(mul(z, z), ZERO))


def _find_domain(claim: Claim, name: str) -> IntervalDomain:
    """The domain of the integer by which the claim is shown. Raises Unsupported where it is no range of its own."""
    own = next(v.domain for v in claim.variables if v.name == name)
    if not isinstance(own, IntervalDomain):
        instead = f'{name} = "0.." in [forall]'
        raise Unsupported(f"induction on {name}, which does not run over a range", instead=instead)
    for v in claim.variables:
        bounds = (v.domain.lo, v.domain.hi) if isinstance(v.domain, IntervalDomain) else ()
        if any(x is not None and name in find_free_names(x) for x in bounds):
            instead = f"let {v.name} range over numbers, and put the bound into `if`"
            raise Unsupported(f"induction on {name}, on which the domain of {v.name} depends", instead=instead)
    if claim.proof is not None and claim.proof.assume is not None and name in find_free_names(claim.proof.assume):
        instead = "put the condition of the case into `if` of a claim of its own"
        raise Unsupported(f"induction on {name} in a case that depends on it", instead=instead)
    return own


def _pose_defined(q: ArithmeticReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], q.env, q.element))


def _step(q: ArithmeticReader, number: int) -> Entailment:
    """Those before it may be used."""
    given = q.read_hypothesis(q.env)
    q.take(q.env, number)
    return Entailment((given,), q.truth(_proof(q.claim).steps[number][1], q.env))


def _claim(q: ArithmeticReader) -> Entailment:
    q.assume_hypotheses(q.claim.hypothesis, q.env)
    return Entailment((), q.read_conclusion(q.env))


# In an induction the hypotheses may contradict each other at one number; that they are met at another the scope shows.
def _base(q: ArithmeticReader, name: str, domain: IntervalDomain) -> Entailment:
    """Of the least number; the others lie in their domains, and there is some number in the domain."""
    env = {**q.env, name: q.number(domain.lo, q.env)}
    return Entailment((q.read_hypothesis(env),), q.read_conclusion(env))


def _pose_next(q: ArithmeticReader, name: str, domain: IntervalDomain) -> Entailment:
    """Of the number after one of which it holds."""
    number = q.number(t.Variable(INT, 0, 0, name), q.env)
    env = {**q.env, name: add(number, ONE)}
    q.assume(Reason.BEFORE, implies(q.read_hypothesis(q.env), q.read_conclusion(q.env)))
    inside = () if domain.hi is None else (at_most(add(number, ONE), q.number(domain.hi, q.env)),)
    return Entailment((*inside, q.read_hypothesis(env)), q.read_conclusion(env))


ARITHMETIC = ArithmeticRule()
