"""The rule of arithmetic: claims about integers alone, for all of them, directly or by induction on one of them.

The rule and why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import ClassVar

from claims.language.expressions.walk import free_names, walk
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim, Proof
from claims.language.statement.domains import IntervalDomain, ListedDomain
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationKind, about_numbers
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason, TrustedRule
from encoders.logic.definedness import DefinednessCondition, needs_of_claim
from encoders.logic.integers import (
    PRODUCT,
    REMAINDERS,
    IntegerReader,
    bounds_of,
    natural_product,
    pose_product,
    pose_remainders,
)
from encoders.logic.integers import (
    UnboundedReader as Integers,
)
from encoders.logic.integers.ranges import RUNNING
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequent import Sequent
from encoders.logic.terms import ONE, YES, ZERO, add, at_least, at_most, implies, mul, neg, sub
from encoders.rules.arithmetic.growing import Growing
from encoders.rules.folds.reading.lemmas import LemmaInstance, all_instances
from encoders.rules.folds.statement.kinds import STEP
from encoders.rules.kit.common import DEFINED, claim_follows, refuse_variable
from encoders.rules.kit.outline import Outline, OutlineRow, OutlineTable, say
from encoders.rules.kit.rule import ObligationBuilder, ProofCoverage, ProofServices, build_sequents
from encoders.rules.kit.shape import RuleSuggestion

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
SQUARES = about_numbers("squares: each is natural")
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
            case t.Comprehension() if (found := self.growing.over_range(term, env)) is not None:
                return found
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.Comprehension) and (found := self.growing.over_range(term, env)) is not None:
            return found
        return super().about_truth(term, env)

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """The sequent; squares of what is multiplied in it, and of differences, are known to be natural."""
        found = super().sequent(name, posed)
        names = _multiplied((*found.premises, found.show)) & self.env.keys()
        factors = [x for n, x in self.env.items() if n in names and isinstance(x, t.Term)][:MOST_SQUARED]
        told = tuple(at_least(mul(x, x), ZERO) for x in (*factors, *(sub(x, y) for x, y in combinations(factors, 2))))
        if not told:
            return found
        made = self.symbols.sequent(name, (*found.assume, *told), found.show, found.hypotheses, found.lemmas)
        return replace(made, by=found.by | {Reason.SQUARES})

    def given(self, env: Env) -> t.Term:
        """The hypotheses at the values."""
        return YES if self.claim.hypothesis is None else self.truth(self.claim.hypothesis, env)

    def meant(self, env: Env) -> t.Term:
        """The conclusion at the values. What lemmas say of them, and the steps where the hypotheses hold, is learnt."""
        self.take(env, None)
        return self.truth(self.claim.conclusion, env)

    def take(self, env: Env, number: int | None) -> None:
        """Let the lemmas be known at the values, and the first steps, or all."""
        for lemma in self.instances:
            said = [self.truth(x, env) for x in lemma.statements]
            self.lemmas.setdefault(lemma.id, []).extend(said)
        for _, step in _proof(self.claim).steps[:number]:
            self.learn(Reason.STEP, implies(self.given(env), self.truth(step, env)))


def _multiplied(terms: Iterable[t.Term]) -> set[str]:
    """The names of what is multiplied in some terms."""
    products = (x for x in walk(tuple(terms)) if isinstance(x, t.Operation) and x.op == "mul")
    return {x.name for x in walk(tuple(products)) if isinstance(x, t.Variable)}


def _proof(claim: Claim) -> ArithmeticProof:
    assert isinstance(claim.proof, ArithmeticProof)
    return claim.proof


class ArithmeticRule:
    """See docs/proof-rules.md, "arithmetic"."""

    name = "arithmetic"
    fits = (FIT,)
    kinds = (DEFINED, STEP, CLAIM, BASE, NEXT, PRODUCT, REMAINDERS, SQUARES)

    def read(self, section: ProofSection) -> ArithmeticProof:
        section.table.only("rule", "by", "induct", "steps")
        induct = section.table.text("induct") if "induct" in section.table.data else ""
        if induct and induct not in section.integers:
            problem = f"{induct!r} is no integer of the claim"
            names = ", ".join(section.integers) or "an integer in [forall]"
            raise section.source.fault(("proof", "induct"), problem, names)
        inner = section.terms_over(section.integers)
        named = section.table.expressions("steps")
        steps = tuple((name, inner.term(("proof", "steps", name), words, BOOL)) for name, words in named)
        return ArithmeticProof(induct, steps, by=section.lemmas())

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        _refuse_others(plain)
        start = partial(ArithmeticReader, plain, all_instances(plain, _proof(plain).by, surroundings, None))
        used: set[Reason] = set()
        for sequent in build_sequents(_asked(plain, needs_of_claim(claim)), start):
            used |= sequent.by
            yield sequent
        yield from build_sequents(_of_numbers(used), partial(Integers))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        proof = _proof(claim)
        steps = tuple(OutlineRow((say(step),), (STEP.of(name=name).shown,)) for name, step in proof.steps)
        lemmas = tuple(OutlineRow((say(x.id), say(x.claim.conclusion))) for x in proof.by)
        kinds = (BASE, NEXT) if proof.induct else (CLAIM,)
        line = OutlineRow((say(claim.conclusion),), tuple(kind.of().shown for kind in kinds))
        tables = (
            OutlineTable("lemmas", "What it assumes", ("Theorem", "What it says"), lemmas),
            OutlineTable("facts", "What follows from the hypotheses", ("Statement",), steps),
            OutlineTable("claim", "What follows", ("Statement",), (line,)),
        )
        summary = f"{OF_INTEGERS} It is shown by induction on {proof.induct}." if proof.induct else OF_INTEGERS
        return Outline(summary, tuple(x for x in tables if x.lines))

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
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
def _asked(claim: Claim, defined: Iterable[DefinednessCondition]) -> Iterator[ObligationBuilder[ArithmeticReader]]:
    proof = _proof(claim)
    for need in defined:
        yield DEFINED.of(words=need.words), partial(_defined, need=need)
    for number, (name, _) in enumerate(proof.steps):
        yield STEP.of(name=name), partial(_step, number=number)
    if not proof.induct:
        yield CLAIM.of(), _claim
        return
    domain = _domain(claim, proof.induct)
    yield BASE.of(), partial(_base, name=proof.induct, domain=domain)
    yield NEXT.of(), partial(_next, name=proof.induct, domain=domain)


def _of_numbers(used: set[Reason]) -> Iterator[ObligationBuilder[Integers]]:
    """What was used of numbers alone."""
    if used & {Reason.SQUARES, Reason.REMAINDERS}:
        yield PRODUCT.of(), pose_product
    if Reason.SQUARES in used:
        yield SQUARES.of(), _squares
    if Reason.REMAINDERS in used:
        yield REMAINDERS.of(), pose_remainders


def _squares(q: Integers) -> Entailment:
    """By the sign of the number."""
    z = q.fresh("z")
    return Entailment((natural_product(z, z), natural_product(neg(z), neg(z))), at_least(mul(z, z), ZERO))


def _domain(claim: Claim, name: str) -> IntervalDomain:
    """The domain of the integer by which the claim is shown. Raises Unsupported where it is no range of its own."""
    own = next(v.domain for v in claim.variables if v.name == name)
    if not isinstance(own, IntervalDomain):
        instead = f'{name} = "0.." in [forall]'
        raise Unsupported(f"induction on {name}, which does not run over a range", instead=instead)
    for v in claim.variables:
        bounds = (v.domain.lo, v.domain.hi) if isinstance(v.domain, IntervalDomain) else ()
        if any(x is not None and name in free_names(x) for x in bounds):
            instead = f"let {v.name} range over numbers, and put the bound into `if`"
            raise Unsupported(f"induction on {name}, on which the domain of {v.name} depends", instead=instead)
    if claim.proof is not None and claim.proof.assume is not None and name in free_names(claim.proof.assume):
        instead = "put the condition of the case into `if` of a claim of its own"
        raise Unsupported(f"induction on {name} in a case that depends on it", instead=instead)
    return own


def _defined(q: ArithmeticReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.needed([need], q.env, q.element))


def _step(q: ArithmeticReader, number: int) -> Entailment:
    """Those before it may be used."""
    given = q.given(q.env)
    q.take(q.env, number)
    return Entailment((given,), q.truth(_proof(q.claim).steps[number][1], q.env))


def _claim(q: ArithmeticReader) -> Entailment:
    q.assume_hypotheses(q.claim.hypothesis, q.env)
    return Entailment((), q.meant(q.env))


# In an induction the hypotheses may contradict each other at one number; that they are met at another the scope shows.
def _base(q: ArithmeticReader, name: str, domain: IntervalDomain) -> Entailment:
    """Of the least number; the others lie in their domains, and there is some number in the domain."""
    env = {**q.env, name: q.number(domain.lo, q.env)}
    return Entailment((q.given(env),), q.meant(env))


def _next(q: ArithmeticReader, name: str, domain: IntervalDomain) -> Entailment:
    """Of the number after one of which it holds."""
    number = q.number(t.Variable(INT, 0, 0, name), q.env)
    env = {**q.env, name: add(number, ONE)}
    q.learn(Reason.BEFORE, implies(q.given(q.env), q.meant(q.env)))
    inside = () if domain.hi is None else (at_most(add(number, ONE), q.number(domain.hi, q.env)),)
    return Entailment((*inside, q.given(env)), q.meant(env))


ARITHMETIC = ArithmeticRule()
