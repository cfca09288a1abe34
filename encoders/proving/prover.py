"""What rules of proof may ask of others. Apart from the route of proofs, so that showing a proof loads no solver."""

from __future__ import annotations

from claims.language.statement.claim import Claim
from encoders.logic.sequent import Sequent
from encoders.proving.reading import rule_name
from encoders.proving.registry import RULES
from encoders.rules.kit.rule import Rule


class Prover:
    """See `Surroundings`."""

    def decide(self, sequent: Sequent) -> bool:
        from encoders.logic.discharge import decide

        return decide(sequent)

    def is_certain(self, sequent: Sequent) -> bool:
        from encoders.logic.discharge import is_certain

        return is_certain(sequent)

    def rule_of(self, claim: Claim) -> Rule:
        return RULES[rule_name(claim)]
