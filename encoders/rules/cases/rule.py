"""The rule of cases: a claim whose proof distinguishes cases of its integers, each proved by the rule of its own proof.

The rule and why it is sound: docs/proof-rules.md.  Its obligations: the cases cover; and those of each case's proof,
for the claim narrowed to the case.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded, unfolded_claim
from encoders.answer import Unsupported
from encoders.coverage import All, Coverage, Limits, narrower
from encoders.logic.integers import IntegerReader
from encoders.logic.reader import Posed
from encoders.logic.sequent import Sequent
from encoders.logic.terms import either
from encoders.rules.cases.advice import ADVICE
from encoders.rules.cases.labels import COVER, within
from encoders.rules.cases.narrowing import narrow
from encoders.rules.cases.section import Case, CasesProof, read_cases
from encoders.rules.outline import Cell, Line, Outline, Table, say, when
from encoders.rules.rule import Reach, Rule, Surroundings, pose
from encoders.trust import Trusted, TrustedRule

RULE = TrustedRule("cases")
SUMMARY = "It distinguishes cases; in each the claim is narrowed to what the case leaves of it, and proved apart."


class Cases:
    """See docs/proof-rules.md, "cases"."""

    name = "cases"
    advice = ADVICE

    def read(self, section: Section) -> CasesProof:
        return read_cases(section)

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        yield pose(COVER, lambda: _covering(claim))
        for case in _proof(claim).cases:
            with _naming(case):
                made, rule = _narrow(claim, case, surroundings)
                for sequent in rule.obligations(made, surroundings):
                    yield replace(sequent, name=within(case, sequent.name))

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        """A table of the cases, and for each the tables of its proof."""
        lines, tables = [], []
        for case in _proof(claim).cases:
            with _naming(case):
                made, rule = _narrow(claim, case, surroundings)
                inner = rule.outline(made, surroundings)
            lines.append(Line((when(case.when), say(f"by the proof of {case.sibling} ({rule.name})"))))
            tables += [_within_case(case, table) for table in inner.tables]
        lines.append(Line((say("there is no other case"), Cell()), (("they cover", COVER),)))
        first = Table("cases", "The cases", ("When", "Proved"), tuple(lines))
        return Outline(SUMMARY, (first, *tables))

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        """For each variable the least of what the cases reach."""
        reaches = []
        for case in _proof(claim).cases:
            with _naming(case):
                made, rule = _narrow(claim, case, surroundings)
                reaches.append(rule.reach(made, surroundings))
        return Reach(
            _weakest(reaches),
            frozenset[Trusted]({RULE}).union(*(r.trusted for r in reaches)),
            min((r.below for r in reaches if r.below is not None), default=None),
        )


def _within_case(case: Case, table: Table) -> Table:
    lines = tuple(
        replace(line, shown_by=tuple((words, within(case, name)) for words, name in line.shown_by))
        for line in table.lines
    )
    return replace(table, where=case.when, lines=lines)


def _proof(claim: Claim) -> CasesProof:
    assert isinstance(claim.proof, CasesProof)
    return claim.proof


@contextmanager
def _naming(case: Case) -> Iterator[None]:
    """What is not supported in a case is told with it."""
    try:
        yield
    except Unsupported as error:
        raise Unsupported(f"{case.text}: {error}") from error


@lru_cache(maxsize=8)
def _narrow(claim: Claim, case: Case, surroundings: Surroundings) -> tuple[Claim, Rule]:
    """The claim narrowed to a case, with the case's proof, and that proof's rule."""
    made = replace(narrow(claim, case.when, surroundings), proof=case.proof)
    return made, surroundings.rule_of(made)


def _covering(claim: Claim) -> Sequent:
    reader = IntegerReader(unfolded_claim(claim))
    show = either(*(reader.truth(unfolded(case.when), reader.env) for case in _proof(claim).cases))
    return reader.sequent(COVER, Posed((), show))


def _weakest(reaches: list[Reach]) -> Limits:
    """For each variable the least of the cases' bounds."""
    found: dict[str, Coverage] = {}
    for reach in reaches:
        for name, bound in reach.proved:
            found[name] = narrower(found.get(name, All()), bound)
    return tuple(found.items())
