"""The rule of arithmetic: claims about integers alone, for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from claims.language.expressions import terms as t
from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim, Proof
from claims.language.statement.unfolding import unfolded_claim
from encoders.answer import Unsupported
from encoders.coverage import All
from encoders.logic.definedness import Need, needs_of_claim
from encoders.logic.integers import IntegerReader, bounds_of
from encoders.logic.reader import Env, Posed
from encoders.logic.sequent import Sequent
from encoders.rules.advice import common
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.outline import Line, Outline, Table, say
from encoders.rules.rule import Reach, Surroundings, pose
from encoders.trust import TrustedRule

CLAIM = "claim"
ADVICE = Advice(
    (Fit("integers alone, no game", lambda shape: not shape.games and not shape.positions, "nothing more"),),
    (
        common.defined(),
        Remedy(CLAIM, "The claim does not follow from its hypotheses", "Assume in `if` what is missing"),
    ),
)


@dataclass(frozen=True, eq=False)
class ArithmeticProof(Proof):
    """Nothing: the claim is put to the solvers as it is."""

    rule: ClassVar[str] = "arithmetic"


class Arithmetic:
    """The claim follows from the domains of its integers and its hypotheses, and has a value at each case."""

    name = "arithmetic"
    advice = ADVICE

    def read(self, section: Section) -> ArithmeticProof:
        section.table.only("rule")
        return ArithmeticProof()

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        if plain.games or len(plain.variables) != len(IntegerReader(plain).env):
            raise Unsupported("the rule of arithmetic is about integers alone")
        for need in needs_of_claim(claim):
            name = f"defined: {need.words}"
            yield pose(name, partial(_defined, plain, name, need))
        yield pose(CLAIM, partial(_claim, plain))

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        line = Line((say(claim.conclusion),), (("it follows", CLAIM),))
        return Outline("The claim is about integers alone.", (Table("claim", "What follows", ("Statement",), (line,)),))

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        return Reach(bounds_of(claim, All()), frozenset({TrustedRule("arithmetic")}))


def _defined(claim: Claim, name: str, need: Need) -> Sequent:
    reader = IntegerReader(claim, invent=True)

    def element(source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        raise Unsupported("the rule of arithmetic knows no collections")

    return reader.sequent(name, Posed((), reader.needed([need], reader.env, element)))


def _claim(claim: Claim) -> Sequent:
    reader = IntegerReader(claim)
    reader.assume_hypotheses(claim.hypothesis, reader.env)
    return reader.sequent(CLAIM, Posed((), reader.truth(claim.conclusion, reader.env)))


ARITHMETIC = Arithmetic()
