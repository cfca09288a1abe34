"""Which claims the rule of values of n players is for, and what its obligations ask for if they fail."""

from __future__ import annotations

from encoders.logic.integers import PRODUCT, REMAINDERS
from encoders.rules.advice import common
from encoders.rules.advice.shape import Shape
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.value import labels


def _asks_of_values(shape: Shape) -> bool:
    moves = [m for g in shape.games for m in g.ruleset.moves]
    return shape.asks(frozenset({"value"})) and all(m.choose == "largest" for m in moves)


ADVICE = Advice(
    (
        Fit(
            "the value of positions of n players, where a largest heap is touched",
            _asks_of_values,
            "say which positions the formula is about (`region`), their `value` by number of heaps, least heap and "
            "largest heap, and in [[proof.options]] which options attain it",
        ),
    ),
    (
        common.parameters("parameters"),
        common.rules_defined("rules are defined"),
        *map(common.about_numbers, (PRODUCT, REMAINDERS)),
        *map(common.about_numbers, ("shape of no heap", "shape of one more heap")),
        Remedy(
            "moves: a largest heap becomes anything smaller, and nothing else",
            "The game has other moves, or not all of these",
            "The rule is for games in which a largest heap may become anything smaller",
        ),
        Remedy(
            "the formula is defined",
            "`region`, `value` or an option has no value at some shape",
            "Guard the operation, by `A if B else C`, or narrow the region",
        ),
        Remedy(
            labels.CLOSED,
            "Some move leads out of the region, where the formula says nothing",
            "Widen the region to what moves leave, which has fewer heaps or a smaller largest one",
        ),
        Remedy(labels.RANGE, "The formula gives a value that is no player's", "It has to lie in 0..n-1"),
        Remedy(
            labels.EMPTY,
            "The formula does not give 0 where there is no heap",
            "Who cannot move wins there: let the formula say so",
        ),
        Remedy(
            labels.LEAST,
            "Some option has less than the formula's value",
            "Look at the shape of the option: the formula is too large at the position, or too small at the option",
        ),
        Remedy(
            labels.COVER,
            "At some position no option is named that attains the value",
            "Add an [[proof.options]] with the missing `when`",
        ),
        Remedy(
            labels.attains(0),
            "The option named has another value",
            "Correct what the largest heap `becomes`, or narrow `when`",
        ),
        common.defined(),
        Remedy(
            labels.CLAIM,
            "The claim does not follow from the formula, or asks about positions outside the region",
            "Assume in `if` what the region says; with `sorted = 4` the single heaps are known too. For a claim about "
            'an option, let rule = "folds" take the theorem as a lemma (`by`)',
        ),
    ),
)
