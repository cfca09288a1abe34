"""The outline of a proof of values for n players: the formula by shape, the options that have it, the claim."""

from __future__ import annotations

from claims.language.statement.claim import Claim
from encoders.rules.outline import Line, Outline, Table, say, when
from encoders.rules.value import labels
from encoders.rules.value.section import ValueProof

SUMMARY = (
    "By induction on the total: with v the value of an option, (v + 1) mod n is never less than the value claimed, and "
    "for an option that it names it is just that. A position is seen by how many heaps it has, the least, how often "
    "that occurs, and the largest."
)


def outline(claim: Claim, proof: ValueProof) -> Outline:
    """Its tables."""
    value = (
        ("from 0 to n - 1", labels.RANGE),
        ("0 where nobody can move", labels.EMPTY),
        ("no option has less", labels.LEAST),
        ("one of the moves below has it", labels.COVER),
    )
    moves = tuple(
        Line((when(o.when), say(o.becomes)), (("legal, with the value", labels.attains(number)),))
        for number, o in enumerate(proof.options)
    )
    claimed = Line((say(claim.conclusion),), (("it follows", labels.CLAIM),))
    number = "this move" if len(moves) == 1 else f"one of these {len(moves)} moves"
    tables = (
        Table(
            "value",
            "The value by shape",
            ("What", "Is"),
            (
                Line((say("where it is claimed"), say(proof.region)), (("no move leads out", labels.CLOSED),)),
                Line((say("the value"), say(proof.value)), value),
            ),
        ),
        Table(
            "moves",
            f"The value is reached by {number}",
            ("When", "A largest heap becomes"),
            moves,
        ),
        Table("claim", "What follows", ("Statement",), (claimed,)),
    )
    return Outline(SUMMARY, tables)
