"""The rules of proof, by the one name that each has everywhere: `rule` in [proof], module, report, documentation."""

from __future__ import annotations

from claims.language.proofs.cases import CaseProof
from claims.language.proofs.folds import Proof
from claims.language.proofs.grundy import HeapProof
from claims.language.proofs.value import ValueProof
from claims.language.statement.claim import Claim
from encoders.rules.cases import CASES
from encoders.rules.folds import FOLDS
from encoders.rules.grundy import GRUNDY
from encoders.rules.rule import Rule
from encoders.rules.value import VALUE

RULES: dict[str, Rule] = {rule.name: rule for rule in (FOLDS, GRUNDY, VALUE, CASES)}


def rule_name(claim: Claim) -> str:
    """The name of the rule that a claim's [proof] names; "" without one."""
    return "" if claim.proof is None else _NAMES[type(claim.proof)]


_NAMES: dict[type, str] = {Proof: "folds", HeapProof: "grundy", ValueProof: "value", CaseProof: "cases"}
