"""Rules of proof that see the games of a claim in normal form; all else sees them as written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim, Proof
from encoders.ground.kinds import ObligationKind
from encoders.ground.refusals import require_numbers
from encoders.logic.sequent import Sequent
from encoders.rules.few.section import FewProof
from encoders.rules.kit.outline import Outline
from encoders.rules.kit.rule import ProofCoverage, ProofServices, Rule
from encoders.rules.kit.shape import RuleSuggestion
from encoders.rules.normal.game import normal_game


@dataclass(eq=False)
class OnNormalForms:
    """The rule, of claims whose games are in normal form. See `Rule`."""

    rule: Rule

    def __post_init__(self) -> None:
        self.name = self.rule.name

    @property
    def fits(self) -> tuple[RuleSuggestion, ...]:
        return self.rule.fits

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        return self.rule.kinds

    def read(self, section: ProofSection) -> Proof:
        return self.rule.read(replace(section, games=tuple(map(normal_game, section.games))))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        return self.rule.obligations(normal_claim(claim), surroundings)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return self.rule.outline(normal_claim(claim), surroundings)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return self.rule.reach(normal_claim(claim), surroundings)


@lru_cache(maxsize=8)
def normal_claim(claim: Claim) -> Claim:
    """The claim with its games in normal form; itself if they are. Raises Unsupported for heaps with parts."""
    require_numbers(claim)
    most = len(claim.proof.heaps) if isinstance(claim.proof, FewProof) else None
    games = tuple(normal_game(game, most) for game in claim.games)
    return claim if all(x is y for x, y in zip(games, claim.games, strict=True)) else replace(claim, games=games)
