"""The kinds of obligations about single heaps and their sums, and the claims that the rule is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from claims.language.statement.claim import Claim
from claims.language.terms.types import POSITION
from encoders.ground.kinds import ObligationKind, ObligationLabel, about_numbers
from encoders.logic.integers import PRODUCT, REMAINDERS
from encoders.rules.grundy.section import Apart
from encoders.rules.kit.common import DEFINED, MEASURE, PARAMETERS, RULES, claim_follows
from encoders.rules.kit.drafts import Draft, divisions, unused_names
from encoders.rules.kit.shape import WHO_WINS, ClaimShape, QueryTarget, RuleSuggestion

HEAP, BELOW = "heap", "value below"  # what has digits
AGREE = ObligationKind(
    "the players' moves agree",
    "At some heap the players have different moves, or the same move leaves different heaps",
    "Assume in [forall] or in `if` what makes them agree, such as k = l; else positions have no Grundy values, and a "
    "proof by folds may say who wins",
)
ZERO_DIGITS = ObligationKind(
    "digits of 0 as a {what}",
    "0 has no digits in these ranges",
    "Let the ranges begin so that all digits can be 0",
    "0 has digits",
)
NEXT_DIGITS = ObligationKind(
    "digits of the next {what}",
    "Some number has digits and the next has none: no digit can go up by one and set those after it to 0",
    "Give the digits with the most significant first, and let each end where the next one above goes up; a range that "
    "leaves a gap, or a formula that jumps, fails here",
    "so has the next",
)
ARISING_COVERS = ObligationKind(
    "digits of a heap: the cases cover",
    "Some heap gets its digits in no case",
    "Add the missing case: 0 is often it",
    "every heap has digits",
)
ARISING_SMALLER = ObligationKind(
    "digits of a heap, case {number}: from a smaller heap",
    "The heap from whose digits others arise is not smaller, or below 0",
    "Let the case begin at a larger heap, or go on from a smaller one",
    "which is smaller",
)
ARISING = ObligationKind(
    "digits of a heap, case {number}",
    "The digits given are not those of the heap",
    "Put the values into the formula `heap`, and correct the digits",
    "they are its digits",
)
LEMMA = ObligationKind(
    "lemma {name!r}",
    "The lemma does not hold of all digits, or not for the reason that one step sees",
    "If it is false at these values, weaken it; else state first what it follows from, as a lemma before it",
    "it holds",
)
POWERS = about_numbers("powers of {base}: {what}")
NATURAL = ObligationKind(
    "value is natural",
    "The formula gives a value below 0",
    "Correct the formula, or the ranges of the digits",
    "is not negative",
)
EMPTY = ObligationKind(
    "no heap has the value 0",
    "The formula gives a heap of 0 another value than 0",
    "Where nothing is left nobody moves: correct the formula, or the ranges of the digits",
    "is 0 where nothing is left",
)
AVOID = ObligationKind(
    "avoid",
    "Some legal move leads to a heap with the same value by the formula",
    "Compare the closed form with the values that play gives: it is wrong at one of the two heaps",
    "no move keeps it",
)
APART = ObligationKind(
    "apart: {names}",
    "By a legal move these digits change by more than the proof says, or by less",
    "Widen the range in [proof.apart]; where there is none, leave the digit out",
    "no move changes them otherwise",
)
AVOID_APART = ObligationKind(
    "avoid where {by}",
    AVOID.means,
    AVOID.change,
    "no move keeps it",
)
COVER = ObligationKind(
    "options cover",
    "For some value below the heap's own no option is named",
    "Add an [[proof.options]] with the missing `when`, or a lemma that excludes the case",
    "the moves below reach it",
)
PICK_THERE = ObligationKind(
    "option {number}: {name} can be 1",
    "The condition of the power picked does not hold of 1, so that there need be no largest one",
    "Let `when` say that it does",
)
PICK_BOUNDED = ObligationKind(
    "option {number}: {name} is bounded",
    "Powers of any size meet the condition, so that there is no largest one",
    "Bound the power in its condition",
)
OPTION_DIGITS = ObligationKind(
    "option {number}: digits",
    "The digits of the heap moved to leave their ranges",
    "Correct them, or narrow the option's `when`",
    "is a heap",
)
OPTION_LEGAL = ObligationKind(
    "option {number}: legal",
    "No legal move leads to that heap by the numbers in `take`",
    "Correct `take`, or reach this value by another option where the move is forbidden",
    "legal",
)
OPTION_VALUE = ObligationKind(
    "option {number}: value",
    "The heap moved to has another value than the one below",
    "Put its digits into the formula `value`, and correct them",
    "has the value",
)
HEAP_DIGITS = ObligationKind(
    "heap {number} of the claim: its digits",
    "The digits given in [[proof.at]] are not those of the heap, or leave their ranges",
    "Put them into the formula `heap`; where the claim's heap falls into cases, so must its digits",
    "those are its digits",
)
HEAP_NATURAL = ObligationKind(
    "heap {number} of the claim: not negative",
    "A heap of the claim may be below 0",
    "Exclude that in [forall] or in `if`",
    "is not negative",
)
DIVISION = ObligationKind(
    "division {number}",
    "Quotient and remainder in [[proof.divide]] are not those of the division",
    "The remainder has to be at least 0 and below the divisor",
    "it is so",
)
TERMS = ObligationKind(
    "sum: the terms are Grundy values",
    "What the claim's nim-sum adds is not the value of the heap",
    "Let each term of the nim-sum be the formula's value of its heap",
    "it adds the heaps' values",
)
FROM_ZERO = about_numbers("sum: from nim-sum 0 a move changes it", "from 0 a move changes it")
ODD = about_numbers("sum: a 1 in the nim-sum is an odd number of ones", "some value has a 1 at its highest place")
LOWERED = about_numbers("sum: a value with a 1 at its highest place is lowered", "which it lowers")
TO_ZERO = about_numbers("sum: from another the top bit's heap restores it", "that move restores it")
WITNESS = ObligationKind(
    "the witness's lemma",
    "The lemma of [proof.witness] does not hold of all numbers of the second set",
    "Weaken it, or correct the bounds of the claim's sets",
    "its lemma holds",
)
CLAIM = claim_follows(
    "The claim does not follow from the formula",
    "Give the digits of each heap that it names, by [[proof.at]], and of each division, by [[proof.divide]]; if it is "
    "false at these values, so it is",
)
OF_DIGITS = (ZERO_DIGITS, NEXT_DIGITS, ARISING_COVERS, ARISING_SMALLER, ARISING, LEMMA, PRODUCT, REMAINDERS, POWERS)
OF_VALUES = (
    NATURAL,
    EMPTY,
    APART,
    AVOID,
    AVOID_APART,
    COVER,
    PICK_THERE,
    PICK_BOUNDED,
    OPTION_DIGITS,
    OPTION_LEGAL,
    OPTION_VALUE,
)
OF_SUMS = (TERMS, FROM_ZERO, ODD, LOWERED, TO_ZERO)
OF_CLAIM = (HEAP_DIGITS, HEAP_NATURAL, DIVISION, DEFINED, *OF_SUMS, WITNESS, CLAIM)
KINDS = (PARAMETERS, RULES, MEASURE, AGREE, *OF_DIGITS, *OF_VALUES, *OF_CLAIM)


def apart(digits: Iterable[Apart]) -> ObligationLabel:
    """That those digits lie no further apart."""
    return APART.of(names=", ".join(x.name for x in digits))


def avoid(by: Mapping[str, int]) -> ObligationLabel:
    """That no option has the same value, of those so far away; `by` empty: of all."""
    told = " and ".join(f"{name} falls by {value}" for name, value in by.items())
    return AVOID_APART.of(by=told) if told else AVOID.of()


# -- which claims -----------------------------------------------------------------------------------------------------
def _follows(shape: ClaimShape) -> bool:
    return shape.two_players and shape.any_heap and shape.normal_play


def _asks_of_values(shape: ClaimShape) -> bool:
    return shape.asks(frozenset({"grundy"})) and _follows(shape)


def _asks_of_one_heap(shape: ClaimShape) -> bool:
    return shape.places(WHO_WINS) == {QueryTarget.HEAP} and _follows(shape)


def _asks_of_sums(shape: ClaimShape) -> bool:
    return shape.asks(WHO_WINS) and shape.heaps is None and "nim_sum" in shape.operations and _follows(shape)


def _begin(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """Every heap is its one digit and has the value 0; divisions leave 0. Claims about sets need a witness as well."""
    digit, below = unused_names(claim, ("q", "v"))
    written = [{"dividend": a, "divisor": b, "quotient": "0", "remainder": "0"} for a, b in divisions(claim, "h")]
    summed = any(v.type == POSITION for v in claim.variables)
    draft = {
        "heap": digit,
        "value": "0",
        "below": below,
        "digits": {digit: "0.."},
        "below_digits": {below: "0.."},
        "options": [{"digits": {digit: "0"}, "take": _picks(claim)}],
        **({"divide": written} if written else {}),
        **({"at": [{"heap": "h"}]} if summed else {}),
    }
    yield draft
    yield {**draft, "witness": {"digits": {digit: "0"}}}


def _picks(claim: Claim) -> dict[str, str]:
    """The numbers picked by a move of the first game."""
    return {pick.name: "0" for game in claim.games[:1] for pick in game.ruleset.moves[0].picks}


_DIGITS = "write every heap and its value in digits (`heap`, `value`), and how each smaller value is reached"
FITS = (
    RuleSuggestion("the Grundy value of a heap", _asks_of_values, _DIGITS, _begin),
    RuleSuggestion(
        "who wins from a single heap", _asks_of_one_heap, f"{_DIGITS}; lost are the heaps of value 0", _begin
    ),
    RuleSuggestion(
        "who wins, where a nim-sum adds a number for each heap, such as nim_sum(h % 3 for h in s)",
        _asks_of_sums,
        f"{_DIGITS}; the nim-sum of the values tells who wins",
        _begin,
    ),
)
