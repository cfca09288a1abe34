"""The proof rule "residues": it proves a claim about integers separately for each remainder of one of the integers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from claims.language.files.claim import Claim, Proof, unfold_claim
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.logic.definedness import DefinednessCondition, needs_of_claim
from encoders.logic.integers import IntegerReader, bounds_of
from encoders.logic.reader import Entailment
from encoders.logic.sequents import Sequent, equal, integer
from encoders.refusals import Unsupported
from encoders.rules.base.rule import Outline, OutlineRow, OutlineTable, ProofCoverage, ProofServices, build_sequent, say
from encoders.rules.base.shape import DEFINED, RuleSuggestion
from encoders.trust import All, ObligationKind, TrustedRule

FIT = RuleSuggestion(
    "integers alone, no game",
    lambda shape: not shape.games and not shape.positions,
    "`of` and `modulus`",
    lambda claim, _: ({"of": v.name, "modulus": "2"} for v in claim.variables),
)
CLAIM = ObligationKind(
    "remainder {number}: claim",
    "The claim does not follow if the integer has this remainder",
    "Choose another modulus, or add the missing assumption to `if`",
    "it follows",
)
MOST = 100  # remainders


@dataclass(frozen=True, eq=False)
class ResiduesProof(Proof):
    """A proof by cases: one case for each remainder of the integer `of` modulo `modulus`."""

    rule: ClassVar[str] = "residues"
    of: str
    modulus: int


class Residues:
    """The rule "residues". For each remainder, it proves that the claim is defined and follows from its hypotheses."""

    name = "residues"
    suggested_for = (FIT,)
    kinds = (DEFINED, CLAIM)

    def read(self, section: ProofSection) -> ResiduesProof:
        section.table.reject_unknown_keys("rule", "of", "modulus")
        of, modulus = section.table.text("of"), section.table.text("modulus")
        if of not in section.integers:
            raise section.source.fault(("proof", "of"), f"{of!r} is not an integer of the claim", 'of = "n"')
        if not modulus.isdecimal() or not 1 <= int(modulus) <= MOST:
            raise section.source.fault(("proof", "modulus"), f"{modulus!r} is not a modulus", f'"1" to "{MOST}"')
        return ResiduesProof(of, int(modulus))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        if plain.games or len(plain.variables) != len(IntegerReader(plain).env):
            raise Unsupported("the rule residues supports only claims about integers")
        for need in needs_of_claim(claim):
            start = partial(IntegerReader, plain)
            yield build_sequent(DEFINED.make_label(words=need.words), partial(_defined, need=need), start)
        for number in range(_proof(claim).modulus):
            yield build_sequent(
                CLAIM.make_label(number=number), partial(_claim, number=number), partial(IntegerReader, plain)
            )

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        numbers = range(_proof(claim).modulus)
        lines = tuple(
            OutlineRow((say(f"{i}"), say(claim.conclusion)), (CLAIM.make_label(number=i).shown,)) for i in numbers
        )
        table = OutlineTable("claim", "The cases", ("Remainder", "Statement"), lines)
        return Outline("The claim is proved separately for each remainder of one of its integers.", (table,))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return ProofCoverage(bounds_of(claim, All()), frozenset({TrustedRule("residues")}))


def _proof(claim: Claim) -> ResiduesProof:
    assert isinstance(claim.proof, ResiduesProof)
    return claim.proof


def _defined(reader: IntegerReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), reader.require_defined([need], reader.env, reader.element))


def _claim(reader: IntegerReader, number: int) -> Entailment:
    proof = _proof(reader.claim)
    left = t.Operation(INT, 0, 0, "mod", (t.Variable(INT, 0, 0, proof.of), integer(proof.modulus)))
    known = [equal(reader.number(left, reader.env), integer(number))]
    if reader.claim.hypothesis is not None:
        known.append(reader.truth(reader.claim.hypothesis, reader.env))
    return Entailment(tuple(known), reader.truth(reader.claim.conclusion, reader.env))


RESIDUES = Residues()
