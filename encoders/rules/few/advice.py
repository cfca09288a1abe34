"""Which claims the rule of few heaps is for, and what its obligations ask for if they fail."""

from __future__ import annotations

from encoders.logic.integers import PRODUCT, REMAINDERS
from encoders.rules.advice import common
from encoders.rules.advice.shape import WHO_WINS, Shape
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.few import labels

MOST = 4  # heaps; with more there are too many cases of their order


def _asks_of_few_heaps(shape: Shape) -> bool:
    few = shape.heaps is not None and 1 <= shape.heaps <= MOST
    return few and shape.asks(WHO_WINS) and not shape.asks(frozenset({"options"})) and shape.two_players


ADVICE = Advice(
    (
        Fit(
            "who wins, from positions of so many heaps at most, whatever moves do to them",
            _asks_of_few_heaps,
            "name the heaps in ascending order (`heaps`), say in [proof.loses] where the mover loses, and in "
            "[[proof.moves]] which move wins elsewhere",
        ),
    ),
    (
        common.parameters("parameters of …"),
        common.rules_defined("rules of … are defined"),
        common.measure("measure of …"),
        *map(common.about_numbers, (PRODUCT, REMAINDERS)),
        common.defined(),
        Remedy(
            labels.lemma("…"),
            "The lemma does not hold of all integers in its ranges, or not for the reason that one step sees",
            "If it is false at these values, weaken it; if it is true by induction, give it a measure and the smaller "
            "cases that it rests on",
        ),
        Remedy(
            labels.number("…"),
            "The last number of the range does not meet the condition, or the range is empty",
            "Widen the range until its last number meets it; that it does may need a lemma",
        ),
        Remedy("closed: …", *common.CLOSED),
        *common.who_wins(
            "reply 1: heap", "reply 1: legal", "reply 1: leads to a loss", "stuck 1: heap", "stuck 1: legal"
        ),
        Remedy(
            labels.FEW,
            "By the hypotheses a position of the claim may have more heaps than the proof names",
            "Say in `if` how many it has, as by len(s) == 2, or name more heaps",
        ),
        Remedy(
            labels.CLAIM,
            "The claim does not follow from the invariant and the lemmas",
            "If it is false at these values, so it is; else state as a lemma what is missing about these numbers",
        ),
    ),
)
