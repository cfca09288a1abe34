"""The proof rule "cases": the proof distinguishes cases of the claim's integers, and another rule proves each case.

    [[proof.cases]]
    when = "k < l"                 # a condition on the claim's integers
    from = "theorem-14"            # the [proof] of this neighbouring claim, applied to this claim

The obligations: the cases cover all integers; and for each case, the obligations of its proof for the narrowed claim.
docs/rules/cases.md describes why the rule is sound.

The rule narrows the claim to each case: it simplifies the claim under the assumption that the case holds. For example,
`x if k == l else y` becomes x in the case k == l, `k > l or z` becomes z in the case k < l, and min(k, l) becomes k.
The rule simplifies only conditions about the claim's integer variables. It asks the solver whether the condition is
always true, or always false, in the case; otherwise the condition is kept. A branch is dropped only if the claim
language would not evaluate it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import ClassVar

from claims.language.files.claim import Claim, Game, Lemma, Proof, expand_definitions, unfold_claim
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from claims.language.syntax.printing import rebuild
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.definedness import needs
from encoders.logic.integers import IntegerReader
from encoders.logic.reader import Entailment
from encoders.logic.sequents import Sequent, at_least, at_most, conjunction, disjunction, integer, negation, polynomial
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    Rule,
    build_sequent,
    say,
    say_condition,
)
from encoders.rules.base.shape import RuleSuggestion
from encoders.trust import All, Coverage, Limits, ObligationKind, Reason, Trusted, TrustedRule, narrower

COVER = ObligationKind(
    "cases cover",
    "For some values of the claim's integers, none of the cases holds",
    "Add the missing case, or exclude it in [forall]",
    "they cover",
)
FIT = RuleSuggestion(
    "statements that depend on conditions on integers (`X if k == l else Y`)",
    lambda shape: shape.cases and bool(shape.games),
    "write a table [[proof.cases]] for each case: its condition `when`, and in `from` the claim of the same folder "
    "whose [proof] is used",
    lambda _, beside: ({"cases": [{"when": "True", "from": name}]} for name in beside),
)
RULE = TrustedRule("cases")
SUMMARY = "The proof distinguishes cases. In each case, the claim is simplified and then proved separately."


# -- the section ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class ProofCase:
    """One case of the proof: `proof` proves the claim if the condition `when` holds.

    `text`: the condition `when`, as it is written in the file.
    `sibling`: the id of the claim in the same folder whose [proof] is `proof`.
    """

    text: str
    when: t.Term
    proof: Proof
    sibling: str

    def qualify(self, name: str) -> str:
        """Return the obligation's name with the condition of the case in front: "k < l: closed"."""
        return f"{self.text}: {name}"


@dataclass(frozen=True, eq=False)
class CasesProof(Proof):
    """A [proof] section of the rule "cases". It has at least one case."""

    rule: ClassVar[str] = "cases"
    cases: tuple[ProofCase, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for case in self.cases for name in case.proof.sources))

    @property
    def citations(self) -> tuple[Lemma, ...]:
        return tuple({lemma.id: lemma for case in self.cases for lemma in case.proof.citations}.values())


def _read_cases(section: ProofSection) -> CasesProof:
    table = section.table
    table.reject_unknown_keys("rule", "cases")
    conditions = section.terms_over(section.integers)
    cases = []
    for i, row in enumerate(table.tables("cases")):
        row.reject_unknown_keys("when", "from")
        at = ("proof", "cases", i)
        text = row.text("when")
        when = conditions.read_expression((*at, "when"), text, BOOL)
        sibling = row.text("from")
        games = tuple(_substitute_arguments(game, _find_fixed_integers(when)) for game in section.games)
        proof = replace(section.borrow((*at, "from"), sibling, games), assume=when)
        cases.append(ProofCase(" ".join(text.split()), when, proof, sibling))
    if not cases:
        raise section.source.key_fault(
            ("proof",), "there is no case", 'a table [[proof.cases]] with the lines when = "..." and from = "..."'
        )
    return CasesProof(tuple(cases))


# -- the claim in a case ----------------------------------------------------------------------------------------------
def narrow(claim: Claim, when: t.Term, surroundings: ProofServices) -> Claim:
    """Return the claim, simplified under the assumption `when`.

    A condition that `when` implies or contradicts is replaced by its truth value. If `when` is `w == 2`, or contains
    this equation in a conjunction, the variable w is replaced by 2.
    """
    narrowing = _Narrowing(claim, when, surroundings)
    hypothesis = None if claim.hypothesis is None else narrowing.term(claim.hypothesis)
    made = replace(claim, hypothesis=hypothesis, conclusion=narrowing.term(claim.conclusion))
    values = _find_fixed_integers(when)
    if not values:
        return made
    return replace(
        made,
        games=tuple(_substitute_arguments(game, values) for game in made.games),
        hypothesis=None if made.hypothesis is None else _substitute_values(made.hypothesis, values),
        conclusion=_substitute_values(made.conclusion, values),
    )


def _find_fixed_integers(when: t.Term) -> dict[str, t.Term]:
    """Return the integers that equations in the condition of a case fix: `w == 2 and k < l` gives {"w": 2}."""
    found: dict[str, t.Term] = {}
    for part in t.conjuncts(expand_definitions(when)):
        match part:
            case t.Operation(op="eq", args=(t.Variable(name=name), t.Literal(type=kind) as value)) if kind == INT:
                found[name] = value
    return found


def _substitute_arguments(game: Game, values: Mapping[str, t.Term]) -> Game:
    """Return the game with `values`, by name, substituted for variables in the arguments of its ruleset."""
    return replace(
        game, arguments=tuple((n, _substitute_values(expand_definitions(x), values)) for n, x in game.arguments)
    )


def _substitute_values(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """Return the term with `values` substituted for variables, and with constant sums and products evaluated.

    For example, `w + 1` becomes 3 if w is 2. Calls of definitions are not expanded, because expansion could lose an
    argument that the definition does not use. The language evaluates this argument too, so it must be defined.
    """
    match term:
        case t.Variable(name=name):
            return values.get(name, term)
        case t.Apply(function=function, args=args):
            others = {name: x for name, x in values.items() if name not in function.parameters}
            body = replace(function, body=_substitute_values(function.body, others))
            return replace(term, function=body, args=tuple(_substitute_values(x, values) for x in args))
        case t.Comprehension(clauses=clauses):
            values = {name: x for name, x in values.items() if name not in {c.variable for c in clauses}}
    made = rebuild(term, lambda x: _substitute_values(x, values))
    if isinstance(made, t.Operation) and made.op in ("add", "sub", "mul", "neg") and made.type == INT:
        number = polynomial(made).constant
        return made if number is None else replace(integer(number), start=made.start, end=made.end)
    return made


class _Narrowing:
    def __init__(self, claim: Claim, when: t.Term, surroundings: ProofServices) -> None:
        self.claim, self.surroundings = claim, surroundings
        self.integers = IntegerReader(unfold_claim(claim))
        self.integers.assume(Reason.CASE, self.integers.truth(expand_definitions(when), self.integers.env))

    def _always(self, condition: t.Term) -> bool:
        return self.surroundings.is_certain(self.integers.sequent("decision", Entailment((), condition)))

    def _decide(self, condition: t.Term) -> bool | None:
        if self._always(condition):
            return True
        return False if self._always(negation(condition)) else None

    def _total(self, term: t.Term) -> bool:
        """Whether the term is defined for all values of its variables, so that it may be dropped from the claim."""
        return next(needs(term, (), self.claim), None) is None

    def term(self, term: t.Term) -> t.Term:
        if term.type == BOOL and not isinstance(term, t.Literal) and self._total(term):
            try:
                value = self._decide(self.integers.truth(expand_definitions(term), self.integers.env))
            except Unsupported:
                value = None
            if value is not None:
                return t.Literal(BOOL, term.start, term.end, int(value))
        match term:
            case t.IfElse(condition=c, then=x, other=y):
                c = self.term(c)
                if isinstance(c, t.Literal):
                    return self.term(x if c.value else y)
                return replace(term, condition=c, then=self.term(x), other=self.term(y))
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return self._join(term, tuple(self.term(x) for x in args))
            case t.Operation(op="largest" | "smallest" as op, args=args):
                return self._extreme(term, op, tuple(self.term(x) for x in args))
            case t.Apply(function=function, args=args):
                body = self.term(function.body)
                if not function.parameters:
                    return body
                return replace(term, function=replace(function, body=body), args=tuple(self.term(x) for x in args))
        return rebuild(term, self.term)

    @staticmethod
    def _join(term: t.Term, args: tuple[t.Term, ...]) -> t.Term:
        """Return `term`, a conjunction or a disjunction, with the simplified parts `args` instead of its own parts.

        In a conjunction, parts that are literally true are omitted, and so are all parts after a part that is literally
        false. A disjunction is simplified in the dual way.
        """
        neutral = isinstance(term, t.AllOf)
        kept: list[t.Term] = []
        for x in args:
            if isinstance(x, t.Literal) and bool(x.value) is neutral:
                continue
            kept.append(x)
            if isinstance(x, t.Literal):
                break
        if not kept:
            return t.Literal(BOOL, term.start, term.end, int(neutral))
        if len(kept) == 1:
            return kept[0]
        kind = t.AllOf if neutral else t.AnyOf
        return kind(BOOL, term.start, term.end, tuple(kept))

    def _extreme(self, term: t.Operation, op: str, args: tuple[t.Term, ...]) -> t.Term:
        if not all(map(self._total, args)):
            return replace(term, args=args)
        try:
            numbers = [self.integers.number(expand_definitions(x), self.integers.env) for x in args]
        except Unsupported:
            return replace(term, args=args)
        for x, number in zip(args, numbers, strict=True):
            if self._always(
                conjunction(*(at_least(number, y) if op == "largest" else at_most(number, y) for y in numbers))
            ):
                return x
        return replace(term, args=args)


# -- the rule ---------------------------------------------------------------------------------------------------------
class CasesRule:
    """The implementation of the rule "cases", which docs/rules/cases.md describes."""

    name = "cases"
    suggested_for = (FIT,)
    kinds = (COVER,)

    def read(self, section: ProofSection) -> CasesProof:
        return _read_cases(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        yield build_sequent(COVER.make_label(), partial(_cover, claim), partial(IntegerReader, unfold_claim(claim)))
        for case in _proof(claim).cases:
            with _name_case_in_errors(case):
                made, rule = _narrow(claim, case, surroundings)
                for sequent in rule.obligations(made, surroundings):
                    yield replace(sequent, name=case.qualify(sequent.name))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        """Return the summary of the proof for reports: a table of the cases, then the tables for each case."""
        lines, tables = [], []
        for case in _proof(claim).cases:
            with _name_case_in_errors(case):
                made, rule = _narrow(claim, case, surroundings)
                inner = rule.outline(made, surroundings)
            lines.append(OutlineRow((say_condition(case.when), say(f"by the proof of {case.sibling} ({rule.name})"))))
            tables += [_qualify_table(case, table) for table in inner.tables]
        lines.append(OutlineRow((say("there is no other case"), OutlineCell()), (COVER.make_label().shown,)))
        first = OutlineTable("cases", "The cases", ("When", "Proved"), tuple(lines))
        return Outline(SUMMARY, (first, *tables))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the values for which the claim is proved in every case, and all trusted rules of the proofs."""
        reaches = []
        for case in _proof(claim).cases:
            with _name_case_in_errors(case):
                made, rule = _narrow(claim, case, surroundings)
                reaches.append(rule.coverage(made, surroundings))
        return ProofCoverage(
            _intersect_limits(reaches),
            frozenset[Trusted]({RULE}).union(*(r.trusted for r in reaches)),
            min((r.below for r in reaches if r.below is not None), default=None),
        )


def _qualify_table(case: ProofCase, table: OutlineTable) -> OutlineTable:
    lines = tuple(
        replace(line, shown_by=tuple((words, case.qualify(name)) for words, name in line.shown_by))
        for line in table.lines
    )
    return replace(table, where=case.when, lines=lines)


def _proof(claim: Claim) -> CasesProof:
    assert isinstance(claim.proof, CasesProof)
    return claim.proof


@contextmanager
def _name_case_in_errors(case: ProofCase) -> Iterator[None]:
    """Return a context manager that puts the condition of the case in front of the message of an Unsupported error."""
    try:
        yield
    except Unsupported as error:
        raise Unsupported(case.qualify(str(error)), error.cause) from error


@lru_cache(maxsize=8)
def _narrow(claim: Claim, case: ProofCase, surroundings: ProofServices) -> tuple[Claim, Rule]:
    """Return (claim, rule): the claim, simplified for the case and with its proof, and the rule of this proof."""
    made = replace(narrow(claim, case.when, surroundings), proof=case.proof)
    return made, surroundings.rule_of(made)


def _cover(claim: Claim, q: IntegerReader) -> Entailment:
    return Entailment((), disjunction(*(q.truth(expand_definitions(case.when), q.env) for case in _proof(claim).cases)))


def _intersect_limits(reaches: list[ProofCoverage]) -> Limits:
    """Return, for each variable, the range in which the proofs of all cases are valid."""
    found: dict[str, Coverage] = {}
    for reach in reaches:
        for name, bound in reach.proved:
            found[name] = narrower(found.get(name, All()), bound)
    return tuple(found.items())


CASES = CasesRule()
