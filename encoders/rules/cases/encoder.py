"""The case route: a claim whose proof distinguishes cases of its integers, each proved by the rule of its own proof.

The rule and why it is sound: docs/proof-rules.md.  Its obligations: the cases cover; and those of each case's proof,
for the claim narrowed to the case.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import z3

from claims.language.proofs.cases import Case, CaseProof
from claims.language.proofs.folds import Proof
from claims.language.proofs.grundy import HeapProof
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from claims.language.statement.unfolding import TooLong, unfolded, unfolded_claim
from encoders.answer import Answer, Decision, Result, Unsupported
from encoders.coverage import All, Coverage, Limits, narrower
from encoders.logic.effort import USUAL, Effort
from encoders.logic.obligations import Query, discharged
from encoders.rules.cases.narrow import narrowed
from encoders.rules.grundy.integers import Integers
from encoders.trust import Trust, Trusted, TrustedRule

NAME = "cases"
RULE = TrustedRule("cases")


def settle(claim: Claim, scope: Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove each case of the claim. HOLDS only if the cases cover and every one is proved; never FAILS."""
    started = time.monotonic()
    assert isinstance(claim.proof, CaseProof)
    try:
        return _settled(claim, claim.proof, scope, budget, effort, started)
    except (Unsupported, TooLong) as error:
        return Answer(NAME, Decision.UNSUPPORTED, detail=str(error), seconds=time.monotonic() - started)


def _settled(
    claim: Claim, proof: CaseProof, scope: Scope, budget: float | None, effort: Effort, started: float
) -> Answer:
    done = [discharged("cases cover", partial(_covering, claim, proof), effort, budget)]
    detail = "" if done[0].result is Result.PROVED else f"{done[0].name}: {done[0].detail}"
    answers: list[Answer] = []
    for case in proof.cases:
        if detail:
            break
        left = None if budget is None else budget - (time.monotonic() - started)
        answers.append(_case(claim, case, scope, left, effort))
        done += [replace(o, name=f"{case.text}: {o.name}") for o in answers[-1].obligations]
        if answers[-1].answer is not Decision.HOLDS:
            detail = f"{case.text}: {answers[-1].detail}"
    failed = answers[-1].answer if answers and answers[-1].answer is not Decision.HOLDS else Decision.UNKNOWN
    return Answer(
        NAME,
        failed if detail else Decision.HOLDS,
        detail=detail,
        trusted=frozenset[Trusted]({RULE, Trust.Z3}).union(*(a.trusted for a in answers)),
        seconds=time.monotonic() - started,
        obligations=tuple(done),
        proved=_weakest(answers),
        below=min((a.below for a in answers if a.below is not None), default=None),
    )


def _covering(claim: Claim, proof: CaseProof) -> Query:
    integers = Integers(unfolded_claim(claim))
    goal = z3.Or(*(integers.truth(unfolded(case.when)) for case in proof.cases))
    return Query(integers.context, integers.known, goal)


def _case(claim: Claim, case: Case, scope: Scope, budget: float | None, effort: Effort) -> Answer:
    made = replace(narrowed(claim, case.when), proof=case.proof)
    if isinstance(case.proof, Proof):
        from encoders.rules.folds.encoder import settle as prove
    elif isinstance(case.proof, HeapProof):
        from encoders.rules.grundy.encoder import settle as prove
    else:
        from encoders.rules.value.encoder import settle as prove
    return prove(made, scope, budget, effort)


def _weakest(answers: list[Answer]) -> Limits:
    """For each variable the least of the cases' bounds."""
    found: dict[str, Coverage] = {}
    for answer in answers:
        for name, bound in answer.proved:
            found[name] = narrower(found.get(name, All()), bound)
    return tuple(found.items())
