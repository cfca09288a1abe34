"""The rule of places: who wins, or the Grundy values, where heaps are lists of any length.

A position is seen through folds over the places of its lists.  A move puts numbers at a few places of one of them, so
it changes what these places, and those that look at them, add to a fold; all else adds one number.  The obligations, in
order: [heap] has a value for every heap; what folds add has a value; the moves (each leaves a heap of the game, and
less by the measure, and leads from no loss to a loss, or keeps no value); that there is a place to pick; the named
moves cover, are legal, and lead to a loss or to the smaller value.  Those of the claim: where it is defined, and that
it follows.  Why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from claims.language.expressions.walk import walk
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationLabel
from encoders.logic.definedness import CONCLUSION, HYPOTHESIS, parts_of_play
from encoders.logic.integers import PRODUCT, REMAINDERS, pose_product, pose_remainders
from encoders.logic.sequent import Sequent
from encoders.rules.folds.numbers.places import pose_aimed, pose_column, pose_lowered
from encoders.rules.folds.statement.kinds import AIMED, COLUMN, LOWERED
from encoders.rules.kit.common import DEFINED
from encoders.rules.kit.outline import Outline
from encoders.rules.kit.rule import ProofCoverage, ProofServices, build_sequent
from encoders.rules.kit.shape import RuleSuggestion
from encoders.rules.parts.one.reader import NimReader, divides, pose_heaps, pose_with
from encoders.rules.parts.places.kinds import FOLLOWS, KINDS, OUTCOME, RULE, TOP_BIT, VALUES
from encoders.rules.parts.places.obligations import list_obligations
from encoders.rules.parts.places.outline import make_outline
from encoders.rules.parts.places.section import PlacesProof, read_places
from encoders.rules.parts.places.theory import PlacesTheory


class PlacesRule:
    """See docs/proof-rules.md, "places"."""

    name = "places"
    fits: tuple[RuleSuggestion, ...] = ()
    kinds = KINDS

    def read(self, section: ProofSection) -> PlacesProof:
        return read_places(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        theory, start = PlacesTheory(plain), partial(NimReader, plain)
        asked = list(list_obligations(theory))
        if theory.proof.pick is not None:
            yield build_sequent(COLUMN.of(), lambda q: pose_column(q.symbols, None), start)
            yield build_sequent(LOWERED.of(), lambda q: pose_lowered(q.symbols, None), start)
        if theory.proof.pick is not None and theory.proof.pick.aim is not None:
            yield build_sequent(AIMED.of(), lambda q: pose_aimed(q.symbols, None), start)
        if any(divides(x) for _, known, show in asked for x in walk((known, show))):
            yield build_sequent(PRODUCT.of(), pose_product, start)
            yield build_sequent(REMAINDERS.of(), pose_remainders, start)
        yield from pose_heaps(plain, theory.board.game)
        for label, known, show in asked:
            sequent = build_sequent(label, partial(pose_with, lows=theory.lows, known=known, show=show), start)
            yield replace(sequent, defines=_defined_by(label, theory))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return make_outline(PlacesTheory(unfolded_claim(claim)), claim)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers; all positions for which the hypotheses hold."""
        assert isinstance(claim.proof, PlacesProof)
        trusted = {RULE, OUTCOME if claim.proof.value is None else VALUES}
        pick = () if claim.proof.pick is None else (TOP_BIT,)
        return ProofCoverage(tuple((v.name, All()) for v in claim.variables), frozenset({*trusted, *pick}))


def _defined_by(label: ObligationLabel, theory: PlacesTheory) -> frozenset[str]:
    """What has been shown to have a value: with the claim itself, which comes last, all of how the game is played."""
    if label.kind is DEFINED:
        return frozenset({HYPOTHESIS, CONCLUSION})
    return parts_of_play(theory.board.game) if label.kind is FOLLOWS else frozenset()


PLACES = PlacesRule()
