"""The rule of Grundy values: single heaps in closed form, and sums of such heaps, proved for every parameter.

The rule and why it is sound: docs/proof-rules.md.  A reader is shown heaps and their values in digits, how values are
reached, and the claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Positions
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from encoders.ground.coverage import All
from encoders.ground.trust import Reason, Trusted, TrustedPick, TrustedRule
from encoders.logic.definedness import needs_of_claim
from encoders.logic.integers import REMAINDERS, UnboundedReader, bounds_of, pose_remainders
from encoders.logic.reader import SequentReader
from encoders.logic.sequent import Sequent
from encoders.logic.terms import integer
from encoders.rules.grundy import kinds
from encoders.rules.grundy.kinds import FITS, KINDS
from encoders.rules.grundy.obligations import obligations
from encoders.rules.grundy.powers import about_powers
from encoders.rules.grundy.reader import HeapReader
from encoders.rules.grundy.section import Arising, At, GrundyProof, Option, PowerDigit, PowerPick, read_grundy
from encoders.rules.grundy.statement import stands_for_any_heap
from encoders.rules.kit.lemmas import VariableRange
from encoders.rules.kit.outline import (
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    Parts,
    assigned,
    changed,
    listed,
    name_of,
    ranging,
    say,
    when,
)
from encoders.rules.kit.rule import ProofCoverage, ProofServices, build_sequent, build_sequents

RULE = TrustedRule("Grundy values of one heap")
SUMS = TrustedRule("sums of heaps")


class GrundyRule:
    """See docs/proof-rules.md, "grundy"."""

    name = "grundy"
    fits = FITS
    kinds = KINDS

    def read(self, section: ProofSection) -> GrundyProof:
        return read_grundy(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = plain.proof
        assert isinstance(proof, GrundyProof)
        bases: dict[int, bool] = {}
        used: set[Reason] = set()
        for sequent in build_sequents(
            obligations(plain, proof, needs_of_claim(claim)), partial(HeapReader, plain, proof, bases)
        ):
            used |= sequent.by
            yield sequent
        if Reason.REMAINDERS in used:
            yield build_sequent(REMAINDERS.of(), pose_remainders, partial(UnboundedReader))
        for base, by_exponents in sorted(bases.items()):  # which are known by now
            yield from build_sequents(about_powers(base, by_exponents), SequentReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        assert isinstance(claim.proof, GrundyProof)
        return _outline(claim, claim.proof)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers; any number of heaps of all sizes."""
        sums = any(isinstance(v.domain, Positions) for v in claim.variables)
        trusted: set[Trusted] = {RULE, SUMS, TrustedPick("top bit")} if sums else {RULE}
        return ProofCoverage(bounds_of(claim, All()), frozenset(trusted))


GRUNDY = GrundyRule()


# -- the outline ------------------------------------------------------------------------------------------------------
SUMMARY = (
    "Heaps are written with digits. By induction on the heap, no option has the value claimed, and every smaller value "
    "is reached by a move that it names: so the value is the least that is not reached."
)
Shown = tuple[tuple[str, str], ...]


def _outline(claim: Claim, proof: GrundyProof) -> Outline:
    """Its tables, empty ones left out."""
    number = "this move" if len(proof.options) == 1 else f"one of these {len(proof.options)} moves"
    tables = (
        OutlineTable("digits", "Heaps and their values", ("What", "Is written", "With"), tuple(_numbers(proof))),
        OutlineTable(
            "arising",
            "How a heap h gets its digits",
            ("When", "From those of", "Digits"),
            tuple(_arising(i, case) for i, case in enumerate(proof.arising, 1)),
        ),
        OutlineTable("facts", "What holds of a value below", ("Fact", "In full"), tuple(_lemmas(proof))),
        OutlineTable(
            "moves",
            f"Every value below is reached by {number}",
            ("When", "To the heap y, where", "By picking"),
            tuple(_outline_option(i, option) for i, option in enumerate(proof.options, 1)),
        ),
        OutlineTable("claim", "What follows", ("Statement", "With"), tuple(_claim(claim, proof))),
    )
    return Outline(SUMMARY, tuple(table for table in tables if table.lines))


def _numbers(proof: GrundyProof) -> Iterator[OutlineRow]:
    arise = (kinds.ARISING_COVERS.of().shown,) if proof.arising else _written(kinds.HEAP)
    yield OutlineRow((say("a heap"), say(proof.heap), _ranges(proof.digits)), arise)
    avoided = tuple(kinds.avoid(by).shown for by in proof.distances)
    own = (kinds.NATURAL.of().shown, kinds.EMPTY.of().shown)
    yield OutlineRow((say("its value"), say(proof.value), OutlineCell()), own if proof.apart else own + avoided)
    if proof.apart:
        less = listed(ranging(x.name, integer(x.values[0]), integer(x.values[-1])) for x in proof.apart)
        told = say("its digits less those of the heap that a move leaves")
        yield OutlineRow((told, OutlineCell(), say(*less)), (kinds.apart(proof.apart).shown, *avoided))
    cover = (*_written(kinds.BELOW), kinds.COVER.of().shown)
    yield OutlineRow((say("a value below"), say(proof.below), _ranges(proof.below_digits)), cover)


def _written(what: str) -> Shown:
    return tuple(kind.of(what=what).shown for kind in (kinds.ZERO_DIGITS, kinds.NEXT_DIGITS))


def _ranges(digits: tuple[VariableRange | PowerDigit, ...]) -> OutlineCell:
    return say(*listed(_range(digit) for digit in digits))


def _range(digit: VariableRange | PowerDigit) -> Parts:
    if isinstance(digit, PowerDigit):
        return [name_of(digit.name), f"a power of {digit.base}"]
    return ranging(digit.name, digit.lo, digit.hi)


def _lemmas(proof: GrundyProof) -> Iterator[OutlineRow]:
    for name, term in proof.lemmas:
        yield OutlineRow((say(name), say(term)), (kinds.LEMMA.of(name=name).shown,))


def _arising(number: int, case: Arising) -> OutlineRow:
    smaller: Shown = () if case.smaller is None else (kinds.ARISING_SMALLER.of(number=number).shown,)
    origin = OutlineCell() if case.smaller is None else say(case.smaller)
    shown = (*smaller, kinds.ARISING.of(number=number).shown)
    parts = assigned(case.digits) if case.smaller is None else changed(case.digits)
    return OutlineRow((when(case.when), origin, say(*parts)), shown)


def _outline_option(number: int, option: Option) -> OutlineRow:
    picked: Shown = ()
    for x in option.picks:
        there, bounded = (y.of(number=number, name=x.name).name for y in (kinds.PICK_THERE, kinds.PICK_BOUNDED))
        picked += (f"{x.name} can be 1", there), (f"{x.name} is bounded", bounded)
    own = (kinds.OPTION_DIGITS, kinds.OPTION_LEGAL, kinds.OPTION_VALUE)
    shown = (*picked, *(kind.of(number=number).shown for kind in own))
    powers = (part for x in option.picks for part in _power(x))
    digits = OutlineCell((*changed(option.digits), *powers))
    return OutlineRow((when(option.when), digits, say(*assigned(option.take))), shown)


def _power(pick: PowerPick) -> tuple[str | t.Term, ...]:
    return ", ", name_of(pick.name), f"the largest power of {pick.base} with", pick.condition


def _claim(claim: Claim, proof: GrundyProof) -> Iterator[OutlineRow]:
    for number, at in enumerate(proof.at, 1):
        yield _outline_heap(claim, number, at)
    for number, x in enumerate(proof.divisions, 1):
        parts = (x.dividend, "divided by", x.divisor)
        result = say("quotient", x.quotient, ", remainder", x.remainder)
        yield OutlineRow((say(*parts), result), (kinds.DIVISION.of(number=number).shown,))
    if proof.witness is not None:
        shown = () if proof.witness.lemma is None else (kinds.WITNESS.of().shown,)
        lemma: tuple[str | t.Term, ...] = () if proof.witness.lemma is None else ("where", proof.witness.lemma)
        digits = OutlineCell((*assigned(proof.witness.digits), *lemma))
        yield OutlineRow((say("a heap that has a given value"), digits), shown)
    if any(isinstance(v.domain, Positions) for v in claim.variables):
        sums = tuple(kind.of().shown for kind in kinds.OF_SUMS)
        yield OutlineRow((say("the player to move loses exactly where the nim-sum is 0"), OutlineCell()), sums)
    yield OutlineRow((say(claim.conclusion), OutlineCell()), (kinds.CLAIM.of().shown,))


def _outline_heap(claim: Claim, number: int, at: At) -> OutlineRow:
    what = say("a heap of the claim,", at.heap)
    if at.digits:
        return OutlineRow((what, say(*assigned(at.digits))), (kinds.HEAP_DIGITS.of(number=number).shown,))
    if stands_for_any_heap(claim, at):
        return OutlineRow((what, say("digits of those names")))
    return OutlineRow((what, say("digits of those names")), (kinds.HEAP_NATURAL.of(number=number).shown,))
