"""The proof rule "arithmetic": claims about integers, and sums over ranges, without a game.

The proof is direct, or by induction on one of the integers.
"""

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
# Sums and counts over a range, and powers: the relations between their values for consecutive ends.
#
# Two facts define `sum(f(i) for i in range(a, b))`: it is 0 if b <= a; and extending the range to b + 1 adds f(b) if
# a <= b.  The rule assumes these facts for the sums in the claim, if their ends differ by a small constant.  It treats
# `count`, `any` and `all`, and powers (products of equal factors) in the same way.
MOST_APART = 8  # the largest difference of two ends that is bridged step by step
MOST_BITS = 4096  # the largest power that is evaluated


@dataclass(eq=False)
class _Series:
    """A sum over a range, such as `sum(f(i) for i in range(low, e))`, as a function of its end e.

    A count, `any` and `all` over a range have the same form, and so has a power: a product of e equal factors.

    `low`: the first number of the range.
    `at(x)`: the summand f(x) for the number x of the range.
    `join(v, y)`: v + y for a sum. Generally, the value after the summand y is added to a range with the value v.
    `neutral`: the value for an empty range, such as 0 for a sum.
    `fresh()`: a function that creates a new variable, to represent the value for some end.
    `known`: pairs (end, term for the value of the sum up to this end).
    """

    low: t.Term
    at: Callable[[t.Term], t.Term]
    join: Callable[[t.Term, t.Term], t.Term]
    neutral: t.Term
    fresh: Callable[[], t.Term]
    known: list[tuple[t.Term, t.Term]] = field(default_factory=list)  # (end of the range, value for this range)


class Growing:
    """The sums, counts and powers that occur in one obligation. Equal terms are represented by the same variable."""

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._series: dict[Hashable, _Series] = {}

    def reduce_range(self, term: t.Comprehension, env: Env) -> t.Term | None:
        """Return a term for the value of a sum, count, `any` or `all` over a range; None if `term` is not one of these.

        Raises Unsupported if a part of the term cannot be translated.
        """
        match term:
            case t.Comprehension(reducer="sum" | "count" | "any" | "all" as reducer, body=body, clauses=(clause,)):
                if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                    low, after = (self.reader.number(x, env) for x in clause.source.args)
                    return self._value(self._find_series(reducer, body, clause, low, env), after)
        return None

    def power(self, base: t.Term, exponent: t.Term) -> t.Term:
        """Return a term for base ** exponent: the number if both are constants, else a variable.

        The exponent is assumed to be at least 0.
        """
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
        """Return a term for the value of the sum (or similar) over the range from `series.low` to `after` - 1.

        Raises Unsupported if a summand cannot be translated.
        """
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
        if not before and found.type == BOOL:  # for `any` and `all`, add the step at the last number, which may decide
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
        """Assume `following` = `value` + the summand at `end`, provided that `end` is at least the start of the range.

        Here `value` is the sum over the range that stops before `end`, and `following` is the sum that includes `end`.
        """
        joined = series.join(value, series.at(end))
        self.reader.assume(Reason.RANGE, implies(at_least(end, series.low), equal(following, joined)))


# == rule =============================================================================================================
# The rule itself: claims about integers only, proved for all integers, directly or by induction on one of them.
#
# docs/rules/arithmetic.md describes the rule and why it is sound.
FIT = RuleSuggestion(
    "integers only, without a game",
    lambda shape: not shape.games and not shape.positions,
    'nothing more; but for sums over ranges, write the induction variable, as in `induct = "n"`',
    lambda claim, _: iter(({}, *({"induct": v.name} for v in claim.variables))),
)
CLAIM = claim_follows(
    "The claim does not follow from its hypotheses",
    "Add missing assumptions under `if`, or state intermediate results as steps. If the claim has sums over ranges "
    "with a variable end, or powers with a variable exponent, prove it by induction (`induct`)",
)
BASE = ObligationKind(
    "claim, base",
    "The claim is false for the least number of the domain",
    "Correct the claim for this number, or start the domain at a larger number",
    "true for the least number",
)
NEXT = ObligationKind(
    "claim, step",
    "The claim for a number does not follow from the claim for the number before",
    "State the missing fact as a step, or prove it as a lemma; a stronger claim is often easier to prove by induction",
    "then also for the next",
)
SQUARES = make_number_kind("squares: each is natural")
OF_INTEGERS = "The claim is about integers only."
MOST_SQUARED = 4  # the most variables whose squares, and squares of differences, are assumed to be natural


@dataclass(frozen=True, eq=False)
class ArithmeticProof(Proof):
    """A [proof] section of the rule "arithmetic".

    `induct`: the integer on which the proof uses induction; "" for a proof without induction.
    `steps`: pairs (name, statement). Each statement follows from the hypotheses and the earlier steps.
    """

    rule: ClassVar[str] = "arithmetic"
    induct: str = ""
    steps: tuple[tuple[str, t.Term], ...] = ()


class ArithmeticReader(IntegerReader):
    """A translator of terms over the claim's integers into obligations for solvers.

    It adds assumptions about the sums, powers and squares that occur in the terms.
    `instances`: the lemmas of the proof, restated for the integers of the claim.
    """

    def __init__(self, claim: Claim, instances: tuple[LemmaInstance, ...] = ()) -> None:
        self.growing = Growing(self)
        self.instances = instances
        super().__init__(claim)  # reads the domains, so it needs the attributes above

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
        """Return the obligation `posed` with the name `name`, and with the assumption that some squares are at least 0.

        These are the squares of the first MOST_SQUARED variables that occur in products, and the squares of the
        differences of two of these variables.
        """
        found = super().sequent(name, posed)
        names = _collect_factors((*found.premises, found.show)) & self.env.keys()
        factors = [x for n, x in self.env.items() if n in names and isinstance(x, t.Term)][:MOST_SQUARED]
        told = tuple(at_least(mul(x, x), ZERO) for x in (*factors, *(sub(x, y) for x, y in combinations(factors, 2))))
        if not told:
            return found
        made = self.symbols.sequent(name, (*found.assume, *told), found.show, found.hypotheses, found.lemmas)
        return replace(made, by=found.by | {Reason.SQUARES})

    def read_hypothesis(self, env: Env) -> t.Term:
        """Return the claim's hypothesis for the values `env` of its variables; true if there is no hypothesis."""
        return YES if self.claim.hypothesis is None else self.truth(self.claim.hypothesis, env)

    def read_conclusion(self, env: Env) -> t.Term:
        """Return the claim's conclusion for the values `env`. Also assume the lemmas and all steps for these values."""
        self.take(env, None)
        return self.truth(self.claim.conclusion, env)

    def take(self, env: Env, number: int | None) -> None:
        """Assume the lemmas for the values `env`, and that the hypothesis implies each of the first `number` steps.

        `number`: None for all steps.
        """
        for lemma in self.instances:
            said = [self.truth(x, env) for x in lemma.statements]
            self.lemmas.setdefault(lemma.id, []).extend(said)
        for _, step in _proof(self.claim).steps[:number]:
            self.assume(Reason.STEP, implies(self.read_hypothesis(env), self.truth(step, env)))


def _collect_factors(terms: Iterable[t.Term]) -> set[str]:
    """Return the names of the variables that occur in a product in some of the terms."""
    products = (x for x in walk(tuple(terms)) if isinstance(x, t.Operation) and x.op == "mul")
    return {x.name for x in walk(tuple(products)) if isinstance(x, t.Variable)}


def _proof(claim: Claim) -> ArithmeticProof:
    assert isinstance(claim.proof, ArithmeticProof)
    return claim.proof


class ArithmeticRule:
    """The implementation of the rule "arithmetic", which docs/rules/arithmetic.md describes."""

    name = "arithmetic"
    suggested_for = (FIT,)
    kinds = (DEFINED, STEP, CLAIM, BASE, NEXT, PRODUCT, REMAINDERS, SQUARES)

    def read(self, section: ProofSection) -> ArithmeticProof:
        section.table.reject_unknown_keys("rule", "by", "induct", "steps")
        induct = section.table.text("induct") if "induct" in section.table.data else ""
        if induct and induct not in section.integers:
            problem = f"{induct!r} is not an integer of the claim"
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
            OutlineTable("lemmas", "Theorems that it assumes", ("Theorem", "Statement"), lemmas),
            OutlineTable("facts", "Consequences of the hypotheses", ("Statement",), steps),
            OutlineTable("claim", "Conclusion", ("Statement",), (line,)),
        )
        summary = f"{OF_INTEGERS} The proof is by induction on {proof.induct}." if proof.induct else OF_INTEGERS
        return Outline(summary, tuple(x for x in tables if x.lines))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        rules = {TrustedRule("arithmetic")} | ({TrustedRule("induction")} if _proof(claim).induct else set())
        return ProofCoverage(bounds_of(claim, All()), frozenset(rules))


def _refuse_others(claim: Claim) -> None:
    """Raise Unsupported if a variable of the claim is not an integer, or if the claim mentions a game."""
    for v in claim.variables:
        if v.type != INT or not isinstance(v.domain, IntervalDomain | ListedDomain):
            raise refuse_variable(v)
    if claim.games:
        instead = "remove `ruleset`, or use a rule about games"
        raise Unsupported(
            "the rule arithmetic supports only claims about integers, and this claim mentions a game", instead=instead
        )


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
    """Yield the obligations that prove the general facts about numbers, such as z * z >= 0, that were assumed.

    `used`: the reasons of the assumptions in all other obligations.
    """
    if used & {Reason.SQUARES, Reason.REMAINDERS}:
        yield PRODUCT.make_label(), pose_product
    if Reason.SQUARES in used:
        yield SQUARES.make_label(), _squares
    if Reason.REMAINDERS in used:
        yield REMAINDERS.make_label(), pose_remainders


def _squares(q: Integers) -> Entailment:
    """Return the obligation that z * z >= 0 for every integer z."""
    z = q.fresh("z")
    return Entailment((natural_product(z, z), natural_product(neg(z), neg(z))), at_least(mul(z, z), ZERO))


def _find_domain(claim: Claim, name: str) -> IntervalDomain:
    """Return the domain of the induction variable `name`.

    Raises Unsupported if this domain is not a range, or if `name` occurs in the domain of another variable. In a proof
    by cases, it must not occur in the condition of the case either.
    """
    own = next(v.domain for v in claim.variables if v.name == name)
    if not isinstance(own, IntervalDomain):
        instead = f'write {name} = "0.." in [forall]'
        raise Unsupported(
            f"induction on {name} is not supported, because the domain of {name} is not a range", instead=instead
        )
    for v in claim.variables:
        bounds = (v.domain.lo, v.domain.hi) if isinstance(v.domain, IntervalDomain) else ()
        if any(x is not None and name in find_free_names(x) for x in bounds):
            instead = f"let {v.name} range over numbers, and put the bound under `if`"
            raise Unsupported(
                f"induction on {name} is not supported, because the domain of {v.name} depends on {name}",
                instead=instead,
            )
    if claim.proof is not None and claim.proof.assume is not None and name in find_free_names(claim.proof.assume):
        instead = "put the condition of the case under `if` of a separate claim"
        raise Unsupported(
            f"induction on {name} is not supported, because the condition of the case mentions {name}", instead=instead
        )
    return own


def _pose_defined(q: ArithmeticReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], q.env, q.element))


def _step(q: ArithmeticReader, number: int) -> Entailment:
    """Return the obligation that the step with the index `number` follows from the hypothesis and the earlier steps."""
    given = q.read_hypothesis(q.env)
    q.take(q.env, number)
    return Entailment((given,), q.truth(_proof(q.claim).steps[number][1], q.env))


def _claim(q: ArithmeticReader) -> Entailment:
    q.assume_hypotheses(q.claim.hypothesis, q.env)
    return Entailment((), q.read_conclusion(q.env))


# The hypotheses may contradict each other at one number of an induction. The scope shows that they can be satisfied.
def _base(q: ArithmeticReader, name: str, domain: IntervalDomain) -> Entailment:
    """Return the base case: the claim for the least value of the induction variable.

    All variables are assumed to be in their domains, so the domain of the induction variable is not empty.
    """
    env = {**q.env, name: q.number(domain.lo, q.env)}
    return Entailment((q.read_hypothesis(env),), q.read_conclusion(env))


def _pose_next(q: ArithmeticReader, name: str, domain: IntervalDomain) -> Entailment:
    """Return the induction step: if the claim holds for a number, it holds for the next number of the domain."""
    number = q.number(t.Variable(INT, 0, 0, name), q.env)
    env = {**q.env, name: add(number, ONE)}
    q.assume(Reason.BEFORE, implies(q.read_hypothesis(q.env), q.read_conclusion(q.env)))
    inside = () if domain.hi is None else (at_most(add(number, ONE), q.number(domain.hi, q.env)),)
    return Entailment((*inside, q.read_hypothesis(env)), q.read_conclusion(env))


ARITHMETIC = ArithmeticRule()
