"""Proof rules for games in normal form: rulesets whose moves are rewritten in one standard way.

A ruleset file may describe the same moves in many ways. The wrapped rules need to support only the normal form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from claims.language.files.claim import Claim, Proof
from claims.language.files.proofs import ProofSection
from encoders.logic.sequents import Sequent
from encoders.refusals import require_numbers
from encoders.rules.base.normal_form import normal_game
from encoders.rules.base.rule import Outline, ProofCoverage, ProofServices, Rule
from encoders.rules.base.shape import RuleSuggestion
from encoders.rules.few_heaps import FewProof
from encoders.trust import ObligationKind


@dataclass(eq=False)
class OnNormalForms:
    """A proof rule that replaces the games of the claim by their normal forms, and then applies the rule `rule`."""

    rule: Rule

    def __post_init__(self) -> None:
        self.name = self.rule.name

    @property
    def suggested_for(self) -> tuple[RuleSuggestion, ...]:
        return self.rule.suggested_for

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        return self.rule.kinds

    def read(self, section: ProofSection) -> Proof:
        return self.rule.read(replace(section, games=tuple(map(normal_game, section.games))))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        return self.rule.obligations(normal_claim(claim), surroundings)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return self.rule.outline(normal_claim(claim), surroundings)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return self.rule.coverage(normal_claim(claim), surroundings)


@lru_cache(maxsize=8)
def normal_claim(claim: Claim) -> Claim:
    """Return the claim with its games in normal form (see `normal_game`); the same object if they already are.

    Raises Unsupported for heaps with parts, and for other games and questions that `require_numbers` refuses.
    """
    require_numbers(claim)
    most = len(claim.proof.heaps) if isinstance(claim.proof, FewProof) else None
    games = tuple(normal_game(game, most) for game in claim.games)
    return claim if all(x is y for x, y in zip(games, claim.games, strict=True)) else replace(claim, games=games)
