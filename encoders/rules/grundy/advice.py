"""Which claims the rule of Grundy values is for, and what its obligations ask for if they fail."""

from __future__ import annotations

from encoders.logic.integers import PRODUCT
from encoders.rules.advice import common
from encoders.rules.advice.shape import WHO_WINS, Place, Shape
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.grundy import labels


def _follows(shape: Shape) -> bool:
    return shape.two_players and shape.any_heap and shape.normal_play


def _asks_of_values(shape: Shape) -> bool:
    return shape.asks(frozenset({"grundy"})) and _follows(shape)


def _asks_of_one_heap(shape: Shape) -> bool:
    return shape.places(WHO_WINS) == {Place.HEAP} and _follows(shape)


def _asks_of_sums(shape: Shape) -> bool:
    divides = bool(shape.operations & {"mod", "floordiv"})
    return shape.asks(WHO_WINS) and shape.heaps is None and divides and _follows(shape)


_DIGITS = "write every heap and its value in digits (`heap`, `value`), and how each smaller value is reached"

ADVICE = Advice(
    (
        Fit("the Grundy value of a heap", _asks_of_values, _DIGITS),
        Fit("who wins from a single heap", _asks_of_one_heap, f"{_DIGITS}; lost are the heaps of value 0"),
        Fit(
            "who wins, where every heap counts by a remainder or a quotient",
            _asks_of_sums,
            f"{_DIGITS}; the nim-sum of the values tells who wins",
        ),
    ),
    (
        common.parameters("parameters"),
        common.rules_defined("rules are defined"),
        common.measure("measure"),
        Remedy(
            "the players' moves agree",
            "At some heap the players have different moves, or the same move leaves different heaps",
            "Assume in [forall] or in `if` what makes them agree, such as k = l; else positions have no Grundy values, "
            "and a proof by folds may say who wins",
        ),
        Remedy(
            labels.zero("…"),
            "0 has no digits in these ranges",
            "Let the ranges begin so that all digits can be 0",
        ),
        Remedy(
            labels.following("…"),
            "Some number has digits and the next has none: no digit can go up by one and set those after it to 0",
            "Give the digits with the most significant first, and let each end where the next one above goes up; a "
            "range that leaves a gap, or a formula that jumps, fails here",
        ),
        Remedy(
            labels.arising_covers(),
            "Some heap gets its digits in no case",
            "Add the missing case: 0 is often it",
        ),
        Remedy(
            labels.arising_smaller(0),
            "The heap from whose digits others arise is not smaller, or below 0",
            "Let the case begin at a larger heap, or go on from a smaller one",
        ),
        Remedy(
            labels.arising(0),
            "The digits given are not those of the heap",
            "Put the values into the formula `heap`, and correct the digits",
        ),
        Remedy(
            labels.lemma("…"),
            "The lemma does not hold of all digits, or not for the reason that one step sees",
            "If it is false at these values, weaken it; else state first what it follows from, as a lemma before it",
        ),
        common.about_numbers(PRODUCT),
        common.about_numbers(labels.powers(2, "…")),
        Remedy(labels.NATURAL, "The formula gives a value below 0", "Correct the formula, or the ranges of the digits"),
        Remedy(
            labels.EMPTY,
            "The formula gives a heap of 0 another value than 0",
            "Where nothing is left nobody moves: correct the formula, or the ranges of the digits",
        ),
        Remedy(
            labels.AVOID,
            "Some legal move leads to a heap with the same value by the formula",
            "Compare the closed form with the values that play gives: it is wrong at one of the two heaps",
        ),
        Remedy(
            labels.COVER,
            "For some value below the heap's own no option is named",
            "Add an [[proof.options]] with the missing `when`, or a lemma that excludes the case",
        ),
        Remedy(
            labels.pick_there(0, "…"),
            "The condition of the power picked does not hold of 1, so that there need be no largest one",
            "Let `when` say that it does",
        ),
        Remedy(
            labels.pick_bounded(0, "…"),
            "Powers of any size meet the condition, so that there is no largest one",
            "Bound the power in its condition",
        ),
        Remedy(
            labels.option_digits(0),
            "The digits of the heap moved to leave their ranges",
            "Correct them, or narrow the option's `when`",
        ),
        Remedy(
            labels.option_legal(0),
            "No legal move leads to that heap by the numbers in `take`",
            "Correct `take`, or reach this value by another option where the move is forbidden",
        ),
        Remedy(
            labels.option_value(0),
            "The heap moved to has another value than the one below",
            "Put its digits into the formula `value`, and correct them",
        ),
        Remedy(
            labels.heap_digits(0),
            "The digits given in [[proof.at]] are not those of the heap, or leave their ranges",
            "Put them into the formula `heap`; where the claim's heap falls into cases, so must its digits",
        ),
        Remedy(
            labels.heap_natural(0),
            "A heap of the claim may be below 0",
            "Exclude that in [forall] or in `if`",
        ),
        Remedy(
            labels.division(0),
            "Quotient and remainder in [[proof.divide]] are not those of the division",
            "The remainder has to be at least 0 and below the divisor",
        ),
        common.defined(),
        Remedy(
            labels.TERMS,
            "What the claim's nim-sum adds is not the value of the heap",
            "Let each term of the nim-sum be the formula's value of its heap",
        ),
        *map(common.about_numbers, (labels.FROM_ZERO, labels.ODD, labels.LOWERED, labels.TO_ZERO)),
        Remedy(
            labels.WITNESS,
            "The lemma of [proof.witness] does not hold of all numbers of the second set",
            "Weaken it, or correct the bounds of the claim's sets",
        ),
        Remedy(
            labels.CLAIM,
            "The claim does not follow from the formula",
            "Give the digits of each heap that it names, by [[proof.at]], and of each division, by [[proof.divide]]; "
            "if it is false at these values, so it is",
        ),
    ),
)
