"""Proofs by cases in Coq: each case in a module of its own, where its condition is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded
from encoders.coq.statement.asked import state
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import BINDER, OR, Text, chain
from encoders.proving.prover import Prover
from encoders.rules.cases import CasesProof, narrow


def divide(claim: Claim) -> tuple[Claim, ...]:
    """The claim narrowed to each case of its proof; the claim itself if it has none. Raises Unsupported."""
    if not isinstance(claim.proof, CasesProof):
        return (claim,)
    prover = Prover()
    return tuple(
        replace(narrow(claim, unfolded(case.when), prover), proof=replace(case.proof, assume=None))
        for case in claim.proof.cases
    )


def say_cases(claim: Claim, numbers: Statements) -> list[Text]:
    """The conditions of the cases. Raises Unsupported."""
    assert isinstance(claim.proof, CasesProof)
    return [numbers.says(unfolded(case.when)) for case in claim.proof.cases]


def join_cases(
    claim: Claim, conditions: Sequence[Text], binders: Sequence[Binder], numbers: Statements
) -> Iterator[str]:
    """The lemma `claim`, from those of the cases, which the condition of each comes after the integers."""
    given, typed, rest, last = "", "", "", ""
    for b in binders:
        if not b.is_number:
            rest, last = f"{rest} ({b.name} : {b.type})", f"{last} {b.name}"
            continue
        given += "".join(f" {x}" for x in (b.name, *(h.name for h in b.bounds)))
        typed += f" ({b.name} : {b.type})" + "".join(f" ({x.name} : {x.says.at(BINDER)})" for x in b.bounds)
    pattern = "C"
    for _ in conditions[1:]:
        pattern = f"[C|{pattern}]"
    shown = "".join(
        f"  - pose proof (Case_{i}.claim{given} C{last}) as H. by_case H.\n" for i in range(1, len(conditions) + 1)
    )
    either = chain(conditions, "\\/", OR, "False", "right")
    yield f"""\
Lemma claim{typed}{rest} :
  {state(claim, numbers).at(BINDER)}.
Proof.
  assert (C : {either.at(BINDER)}) by lia. destruct C as {pattern}.
{shown}Qed.
"""
