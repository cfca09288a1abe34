"""What a claim says, where it may ask for Grundy values."""

from __future__ import annotations

from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.coq.statement.numbers import GRUNDY, GRUNDY_NAME
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import AND, ARROW, BINDER, Text, apply, infix
from encoders.ground.refusals import Unsupported


def asks_for_values(claim: Claim) -> bool:
    """Whether a claim speaks of Grundy values."""
    found = walk((claim.hypothesis or (), claim.conclusion))
    return any(isinstance(x, t.GameCall) and x.function == "grundy" for x in found)


def state(claim: Claim, numbers: Statements) -> Text:
    """What the claim says of its variables; Grundy values are those of a function that has them all."""
    asks = asks_for_values(claim)
    if asks and len(claim.games) != 1:
        raise Unsupported("Grundy values beside several games are not generated")
    inner = numbers.bind({GRUNDY: Text(GRUNDY_NAME)}) if asks else numbers
    says = inner.says(claim.conclusion)
    if claim.hypothesis is not None:
        says = infix(inner.says(claim.hypothesis), "->", says, ARROW, "right")
    if not asks:
        return says
    (game,) = claim.games
    known = apply("values", numbers.games[game.name], Text(GRUNDY_NAME))
    return Text(f"exists {GRUNDY_NAME} : position -> N, {infix(known, chr(47) + chr(92), says, AND).text}", BINDER)
