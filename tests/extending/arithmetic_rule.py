"""The rule of arithmetic: claims about integers alone, for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim, Proof
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from encoders.ground.coverage import All
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import TrustedRule
from encoders.logic.definedness import Need, needs_of_claim
from encoders.logic.integers import IntegerReader, bounds_of
from encoders.logic.reader import Env, Posed
from encoders.logic.sequent import Sequent
from encoders.rules.kit.common import DEFINED, claim_follows
from encoders.rules.kit.outline import Line, Outline, Table, say
from encoders.rules.kit.rule import Reach, Surroundings, pose
from encoders.rules.kit.shape import Fit

FIT = Fit("integers alone, no game", lambda shape: not shape.games and not shape.positions, "nothing more")
CLAIM = claim_follows("The claim does not follow from its hypotheses", "Assume in `if` what is missing")


@dataclass(frozen=True, eq=False)
class ArithmeticProof(Proof):
    """Nothing: the claim is put to the solvers as it is."""

    rule: ClassVar[str] = "arithmetic"


class Arithmetic:
    """The claim follows from the domains of its integers and its hypotheses, and has a value at each case."""

    name = "arithmetic"
    fits = (FIT,)
    kinds = (DEFINED, CLAIM)

    def read(self, section: Section) -> ArithmeticProof:
        section.table.only("rule")
        return ArithmeticProof()

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        if plain.games or len(plain.variables) != len(IntegerReader(plain).env):
            raise Unsupported("the rule of arithmetic is about integers alone")
        for need in needs_of_claim(claim):
            start = partial(IntegerReader, plain, invent=True)
            yield pose(DEFINED.of(words=need.words), partial(_defined, need=need), start)
        yield pose(CLAIM.of(), _claim, partial(IntegerReader, plain))

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        line = Line((say(claim.conclusion),), (CLAIM.of().shown,))
        return Outline("The claim is about integers alone.", (Table("claim", "What follows", ("Statement",), (line,)),))

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        return Reach(bounds_of(claim, All()), frozenset({TrustedRule("arithmetic")}))


def _defined(reader: IntegerReader, need: Need) -> Posed:
    def element(source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        raise Unsupported("the rule of arithmetic knows no collections")

    return Posed((), reader.needed([need], reader.env, element))


def _claim(reader: IntegerReader) -> Posed:
    reader.assume_hypotheses(reader.claim.hypothesis, reader.env)
    return Posed((), reader.truth(reader.claim.conclusion, reader.env))


ARITHMETIC = Arithmetic()
