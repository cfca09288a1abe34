"""The rule of folds: positions of any number of heaps, and who wins from them, for all sizes below a bound.

The rule and why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeVar

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import walk
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.coverage import All, Below
from encoders.ground.kinds import ObligationKind
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import TrustedRule
from encoders.logic.definedness import needs_of_claim
from encoders.logic.integers import PRODUCT, bounds_of, pose_product
from encoders.logic.reader import SequentReader
from encoders.logic.sequent import Sequent
from encoders.rules.folds.numbers.multiples import pose_apart
from encoders.rules.folds.numbers.places import pose_first, pose_next
from encoders.rules.folds.outline import outline
from encoders.rules.folds.posing.cuts import find_cuts
from encoders.rules.folds.posing.obligations import obligations, of_extremes, pose_claim
from encoders.rules.folds.positions.folding import mapped
from encoders.rules.folds.reading.lemmas import LemmaInstance, all_instances
from encoders.rules.folds.reading.moves import build_cover
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.folds.statement.kinds import (
    APART,
    BY_DEFINITION,
    FIRST_PLACE,
    FITS,
    FOLLOWS,
    FOLLOWS_BY_DEFINITION,
    KINDS,
    NEXT_PLACE,
    OF_POSITIONS,
)
from encoders.rules.folds.statement.section import DefinitionProof, FoldsProof, read_definition, read_folds
from encoders.rules.kit.outline import Outline
from encoders.rules.kit.rule import ObligationBuilder, ProofCoverage, ProofServices, build_sequents
from encoders.rules.kit.shape import RuleSuggestion
from encoders.rules.kit.turns import find_stuck

OUTCOME = TrustedRule("outcome, by induction on the measure")
R = TypeVar("R", bound=FoldReader)


class FoldsRule:
    """See docs/proof-rules.md, "folds" and "outcome"."""

    name = "folds"
    fits: tuple[RuleSuggestion, ...] = FITS
    kinds: tuple[ObligationKind, ...] = KINDS
    follows = FOLLOWS
    trusted = TrustedRule("folds")

    def read(self, section: ProofSection) -> FoldsProof:
        return read_folds(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain, proof = _read(claim)
        refuse_written(proof)
        lemmas = known_lemmas(plain, proof, surroundings)
        ground = BackgroundObligations()
        cuts, shown = find_cuts(plain, proof, ground.watch(partial(FoldReader, plain, proof, lemmas)), surroundings)
        yield from shown
        reader = partial(FoldReader, plain, proof, lemmas, cuts)
        stuck = _stuck(plain, proof, ground.watch(reader), surroundings) if _asks_who_wins(claim) else None
        asked = obligations(plain, proof, needs_of_claim(claim, bound_of(proof)), stuck, self.follows)
        yield from ground.pose(asked, reader)
        yield from ground.show(reader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return outline(claim, _proof(claim), _asks_who_wins(claim))

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """See `reach_of`."""
        _, proof = _read(claim)
        rules = (self.trusted, OUTCOME) if _asks_who_wins(claim) else (self.trusted,)
        return reach_of(claim, proof, rules)


class DefinitionRule(FoldsRule):
    """See docs/proof-rules.md, "definition"."""

    name = "definition"
    fits = (BY_DEFINITION,)
    kinds = (*OF_POSITIONS, FOLLOWS_BY_DEFINITION)
    follows = FOLLOWS_BY_DEFINITION
    trusted = TrustedRule("what winning and values mean, at one position")

    def read(self, section: ProofSection) -> DefinitionProof:
        return read_definition(section)


class BackgroundObligations:
    """Lets readers know what holds of least and largest heaps, and poses it where one of them spoke of those.

    So it poses what remainders and places are read as, where one of them read any.
    """

    def __init__(self) -> None:
        self._readers: list[FoldReader] = []

    def pose(self, asks: Iterable[ObligationBuilder[R]], start: Callable[[], R]) -> Iterator[Sequent]:
        """As `pose_each`. Raises Unsupported."""
        yield from build_sequents(asks, self.watch(start))

    def watch(self, start: Callable[[], R]) -> Callable[[], R]:
        """The same, for readers whose obligations are posed elsewhere."""

        def begin() -> R:
            reader = start()
            reader.extremes_shown = True
            self._readers.append(reader)
            return reader

        return begin

    def show(self, start: Callable[[], FoldReader]) -> Iterator[Sequent]:
        """To be posed when all else has been: nothing is known of least and largest heaps before it is proved."""
        if any(reader.folding.knows_extremes for reader in self._readers):
            yield from self.pose(of_extremes(), start)
        yield from build_sequents(_of_numbers(self._readers), SequentReader)


def _of_numbers(readers: Iterable[FoldReader]) -> Iterator[ObligationBuilder[SequentReader]]:
    """What the remainders and the places rest on that were read."""
    found = tuple(readers)
    if any(q.multiples.used for q in found):
        yield PRODUCT.of(), pose_product
        yield APART.of(), lambda q: pose_apart(q.symbols)
    if placed := [q for q in found if q.places.used]:
        bounded = placed[0].bits is not None
        yield FIRST_PLACE.of(), lambda _: pose_first()
        yield NEXT_PLACE.of(), lambda q: pose_next(q.symbols, bounded)


def known_lemmas(claim: Claim, proof: FoldsProof, surroundings: ProofServices) -> tuple[LemmaInstance, ...]:
    """What the lemmas of the proof say of the claim's games, for all its obligations. Raises Unsupported."""
    bound = bound_of(proof)
    return all_instances(claim, proof.by, surroundings, None if bound is None else bound - 1)


def reach_of(claim: Claim, proof: FoldsProof, rules: Iterable[TrustedRule]) -> ProofCoverage:
    """Any number of heaps; sizes and parameters below the bound of the proof, if any. It rests on these rules."""
    numbers = All() if proof.bits is None else Below(proof.bits)
    return ProofCoverage(bounds_of(claim, numbers), frozenset(rules), bound_of(proof))


def refuse_written(proof: FoldsProof) -> None:
    """Raises Unsupported for a proof that writes down a position, unless it is made of another heap by heap.

    A step of the claim may: it is one of the claim's own terms; and so may a lemma, which is another claim.
    """
    for x in walk(replace(proof, steps=(), by=())):
        if isinstance(x, t.Operation) and x.type == POSITION and mapped(x) is None:
            words = f"{print_term(x)} in a proof: only the claim may write down a position"
            raise Unsupported(words, instead="say what it is used for by the folds of s")


def stuck_movers(claim: Claim, surroundings: ProofServices) -> frozenset[int]:
    """Who may be stuck with heaps left, in a claim that asks who wins: see `find_stuck`. Raises Unsupported."""
    plain, proof = _read(claim)
    lemmas = known_lemmas(plain, proof, surroundings)
    return _stuck(plain, proof, partial(FoldReader, plain, proof, lemmas), surroundings)


def _stuck(
    claim: Claim, proof: FoldsProof, start: Callable[[], FoldReader], surroundings: ProofServices
) -> frozenset[int]:
    """As `stuck_movers`, of a claim and its proof with definitions written out."""
    (game,) = claim.games
    if proof.by_cases(game.ruleset):
        return find_stuck(game, proof.several, build_cover, start, surroundings.decide)
    return find_stuck(game, proof.moves, build_cover, start, surroundings.decide)


def bound_of(proof: FoldsProof) -> int | None:
    """What all sizes are below."""
    return None if proof.bits is None else 1 << proof.bits


def _proof(claim: Claim) -> FoldsProof:
    assert isinstance(claim.proof, FoldsProof)
    return claim.proof


def _read(claim: Claim) -> tuple[Claim, FoldsProof]:
    """The claim and its proof, with definitions written out."""
    plain = unfolded_claim(claim)
    assert isinstance(plain.proof, FoldsProof)
    return plain, plain.proof


@lru_cache(maxsize=8)
def _asks_who_wins(claim: Claim) -> bool:
    """Whether the proof is one of who wins, by an invariant."""
    if _proof(claim).tells_who_wins:
        return False
    reader = FoldReader(*_read(claim))
    reader.sequent("claim", pose_claim(reader))
    return reader.asked_who_wins


FOLDS, DEFINITION = FoldsRule(), DefinitionRule()
