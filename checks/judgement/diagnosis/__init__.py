"""Why a proof failed, where the scope can tell: the first place at which what the proof says is wrong.

An obligation fails at values of folds or digits, which may be those of no position at all.  So the proof's formulas
are made claims of their own, whether they speak of positions or of numbers alone, and the exhaustive route looks for
cases of the scope that contradict them.  What was looked at and found right is named: nothing else is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from checks.judgement.diagnosis.by_few import say_few
from checks.judgement.diagnosis.by_folds import say_folds
from checks.judgement.diagnosis.by_values import say_grundy, say_values
from checks.judgement.diagnosis.stated import Stating, TestableFormula
from checks.judgement.scopes import limits_of
from checks.results.phrases import scope_phrase, values_phrase
from claims.language.ground.errors import join_words
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Case, Decision
from encoders.exhaustive.cover import decide_by_search as exhaustive
from encoders.logic.terms import disjunction
from encoders.rules.cases import CasesProof
from encoders.rules.few.section import FewProof
from encoders.rules.folds.statement.section import FoldsProof
from encoders.rules.grundy.section import GrundyProof
from encoders.rules.value.section import ValueProof


def diagnose(claim: Claim, scope: d.Scope, budget: float) -> str:
    """One sentence: what the proof says that is wrong, and where; or what of it is right in the scope.

    `budget`: seconds for all together.
    """
    right: dict[str, list[str]] = {}  # by the scope in which it is
    deadline = time.monotonic() + budget
    for stated in _say(claim, scope):
        answer = exhaustive(stated.claim, stated.within, deadline - time.monotonic())
        if answer.answer is Decision.FAILS and answer.counterexample is not None:
            first = _at(answer.counterexample)
            return f"the exhaustive route confirms that {stated.what} {stated.wrong}, first at {first}"
        if answer.ill_defined is not None:
            return f"the exhaustive route finds that {stated.what} has no value, first at {_at(answer.ill_defined)}"
        if answer.answer is not Decision.HOLDS:
            return f"whether {stated.what} is right is open: {answer.detail}"
        right.setdefault(scope_phrase(limits_of(stated.claim, stated.within)), []).append(stated.what)
    if not right:
        return ""
    found = ", and for ".join(f"{where} ({join_words(dict.fromkeys(said))})" for where, said in right.items())
    return f"what the proof says is right for {found}: the argument fails, not these formulas"


def _at(case: Case) -> str:
    return values_phrase(tuple(case.items()))


def _say(claim: Claim, scope: d.Scope) -> Iterator[TestableFormula]:
    """What the claim's proof says of positions and numbers."""
    match claim.proof:
        case FoldsProof() as proof:
            yield from say_folds(claim, proof, scope)
        case FewProof() as proof:
            yield from say_few(claim, proof, scope)
        case GrundyProof() as proof:
            yield from say_grundy(claim, proof, scope)
        case ValueProof() as proof:
            yield from say_values(claim, proof, scope)
        case CasesProof(cases=cases):
            stating = Stating(claim, scope)
            covered = disjunction(*(case.when for case in cases))
            yield stating.say("[[proof.cases]]", stating.integers, [], covered, None, "leaves a case out")
            for case in cases:
                for stated in _say(replace(claim, proof=case.proof), scope):
                    yield replace(stated, what=f"{stated.what} for {case.text}")
