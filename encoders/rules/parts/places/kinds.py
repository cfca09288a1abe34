"""The kinds of obligations of a proof over the places of lists, and what such a proof takes on trust."""

from __future__ import annotations

from encoders.ground.kinds import ObligationKind
from encoders.ground.trust import TrustedPick, TrustedRule
from encoders.logic.integers import PRODUCT, REMAINDERS
from encoders.rules.folds.statement.kinds import OF_PICKS
from encoders.rules.kit.common import DEFINED, PARAMETERS, RULES, claim_follows
from encoders.rules.kit.turns import COVERED, LEADS_TO_LOSS, LEGAL, TO_LOSS

TERMS = ObligationKind(
    "{name}: each place adds a number",
    "At some place of some heap the fold has no value, or a nim-sum or the measure adds a number below 0",
    "Guard the term, or leave the place out by `if`; for the measure mend the ruleset's file",
    "each place adds a number",
)
PLAYED = ObligationKind(
    "move {number} leaves a heap",
    "Some legal move has no value, or leaves what is no heap of the game",
    "Mend the move, or `where` of [heap], in the ruleset's file",
    "leaves a heap",
)
SMALLER = ObligationKind(
    "move {number} makes the measure less",
    "Some legal move leaves no less by the measure than it finds, or the measure is below 0",
    "Mend the move, or the measure, in the ruleset's file",
    "makes the measure less",
)
CLOSED = ObligationKind("move {number} is closed", *LEADS_TO_LOSS, "leads from no loss to a loss")
CHANGES = ObligationKind(
    "move {number} changes the value",
    "Some legal move leads to a position of the same value by the formula",
    "Compare the formula with the values that play gives: it is wrong at one of the two positions",
    "changes the value",
)
NATURAL = ObligationKind(
    "the value is natural",
    "The formula gives a value below 0",
    "Correct the formula: where nobody can move the value is 0",
    "is natural",
)
EXISTS = ObligationKind(
    "pick: there is a place",
    "Where a move has to be named, the nim-sum at whose top bit the place is picked need not be above what it becomes",
    "Pick the place at the top bit of a nim-sum that is not 0 there, or larger than the number that it is to become",
    "there is such a place",
)
REACHED = ObligationKind(
    "reply {number}: leaves the value",
    "What the move leaves need not have the smaller value",
    "Work out what the move does to the folds, at its place and at those that look at it",
    "leaves the value",
)
FOLLOWS = claim_follows(
    "The claim does not follow from what the proof says of who loses, or of values",
    "If it is false at these values, so it is; else name as a fold whatever the claim adds up or counts",
)
KINDS = (
    PARAMETERS, RULES, PRODUCT, REMAINDERS, *OF_PICKS, TERMS, PLAYED, SMALLER, CLOSED, CHANGES, NATURAL, EXISTS,
    COVERED, LEGAL, TO_LOSS, REACHED, DEFINED, FOLLOWS,
)  # fmt: skip
RULE = TrustedRule("places")
OUTCOME = TrustedRule("outcome, by induction on the measure")
VALUES = TrustedRule("least excluded value, by induction on the measure")
TOP_BIT = TrustedPick("top bit")
