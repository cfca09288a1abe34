"""The case route: a claim whose proof distinguishes cases of its integers, each proved by the rule of its own proof.

The rule and why it is sound: docs/proof-rules.md.  Its obligations: the cases cover; and those of each case's proof,
for the claim narrowed to the case.
"""

from __future__ import annotations

import time
from dataclasses import replace

import z3

from claims.case_proofs import Case, CaseProof
from claims.domains import Scope
from claims.heap_proofs import HeapProof
from claims.model import Claim
from claims.proofs import Proof
from encoders.answer import Answer, Obligation
from encoders.cases.narrow import Integers, narrowed
from encoders.heaps.arithmetic import Unsupported

NAME = "cases"
RULE = "rule: cases (docs/proof-rules.md)"
RESOURCES = 60_000_000
SEED = 17


def settle(claim: Claim, scope: Scope, budget: float | None = None) -> Answer:
    """Prove each case of the claim. "holds" only if the cases cover and every one is proved; never "fails"."""
    started = time.monotonic()
    assert isinstance(claim.proof, CaseProof)
    try:
        return _settled(claim, claim.proof, scope, budget, started)
    except Unsupported as error:
        return Answer(NAME, "unsupported", detail=str(error), seconds=time.monotonic() - started)


def _settled(claim: Claim, proof: CaseProof, scope: Scope, budget: float | None, started: float) -> Answer:
    done = [_cover(claim, proof)]
    detail = "" if done[0].result == "proved" else f"{done[0].name}: {done[0].detail}"
    answers: list[Answer] = []
    for case in proof.cases:
        if detail:
            break
        left = None if budget is None else budget - (time.monotonic() - started)
        answers.append(_case(claim, case, scope, left))
        done += [replace(o, name=f"{case.text}: {o.name}") for o in answers[-1].obligations]
        if answers[-1].answer != "holds":
            detail = f"{case.text}: {answers[-1].detail}"
    unsupported = any(a.answer == "unsupported" for a in answers)
    return Answer(
        NAME,
        "unsupported" if unsupported else "unknown" if detail else "holds",
        detail=detail,
        trusted=tuple(sorted({RULE, "Z3", *(x for a in answers for x in a.trusted)})),
        seconds=time.monotonic() - started,
        obligations=tuple(done),
        proved=_weakest(answers),
    )


def _cover(claim: Claim, proof: CaseProof) -> Obligation:
    started = time.monotonic()
    integers = Integers(claim)
    solver = z3.Solver(ctx=integers.context)
    solver.set("random_seed", SEED)
    solver.set("rlimit", RESOURCES)
    solver.add(*integers.known, *(z3.Not(integers.truth(case.when)) for case in proof.cases))
    result = solver.check()
    seconds = time.monotonic() - started
    if result == z3.unsat:
        return Obligation("cases cover", "proved", "", seconds)
    if result == z3.sat:
        model = solver.model()
        values = ", ".join(sorted(f"{d.name()} = {model[d]}" for d in model.decls()))
        return Obligation("cases cover", "failed", f"fails at {values}", seconds, solver.to_smt2())
    return Obligation(
        "cases cover", "unknown", f"the solver gave up: {solver.reason_unknown()}", seconds, solver.to_smt2()
    )


def _case(claim: Claim, case: Case, scope: Scope, budget: float | None) -> Answer:
    made = replace(narrowed(claim, case.when), proof=case.proof)
    if isinstance(case.proof, Proof):
        from encoders.folds.encoder import settle as prove
    elif isinstance(case.proof, HeapProof):
        from encoders.heaps.encoder import settle as prove
    else:
        from encoders.least.encoder import settle as prove
    return prove(made, scope, budget)


def _weakest(answers: list[Answer]) -> tuple[tuple[str, str], ...]:
    """For each variable the least of the cases' bounds."""
    found: dict[str, str] = {}
    for answer in answers:
        for name, bound in answer.proved:
            found[name] = min((found.get(name, "all"), bound), key=_reach)
    return tuple(found.items())


def _reach(bound: str) -> tuple[bool, int]:
    """A key that puts "< 2^61" before "< 2^62" before "all"."""
    return (True, 0) if bound == "all" else (False, int(bound.removeprefix("< 2^")))
