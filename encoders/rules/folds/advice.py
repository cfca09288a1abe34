"""Which claims the rules of folds and definitions are for, and what their obligations ask for if they fail."""

from __future__ import annotations

from encoders.logic.integers import PRODUCT
from encoders.rules.advice import common
from encoders.rules.advice.shape import VALUES, WHO_WINS, Place, Shape
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.folds import turns
from encoders.rules.folds.several import names

MOVES = frozenset({"options", "legal", "terminal"})


def _asks_who_wins(shape: Shape) -> bool:
    several = shape.heaps != 1 or not shape.normal_play
    return shape.asks(WHO_WINS) and several and shape.two_players and shape.shrinking


def _asks_of_moves(shape: Shape) -> bool:
    return shape.asks(MOVES) and not shape.asks(WHO_WINS | VALUES) and shape.shrinking


def _asks_nothing(shape: Shape) -> bool:
    return shape.positions == 1 and not shape.questions


def _compares_with_options(shape: Shape) -> bool:
    """Whether one question is asked both at options and at a position that is none."""
    asked = {(q.function, q.game): set[Place]() for q in shape.questions if q.function in WHO_WINS | VALUES}
    for q in shape.questions:
        if (q.function, q.game) in asked:
            asked[q.function, q.game].add(q.place)
    return any(Place.OPTION in places and len(places) > 1 for places in asked.values())


OF_POSITIONS = (
    common.parameters("parameters of …"),
    common.rules_defined("rules of … are defined"),
    common.measure("measure of …"),
    common.defined(),
    *map(common.about_numbers, (turns.COLUMN, turns.LOWERED, turns.EXTREMES_NONE, turns.EXTREMES_MORE)),
    *map(common.about_numbers, (PRODUCT, turns.APART, turns.FIRST_PLACE, turns.NEXT_PLACE)),
    common.about_numbers(names.ones_modulo(3)),
    common.found_so(turns.changing("…")),
    common.found_so(turns.doing(1, "…", "…")),
    Remedy(
        names.one_of_a_heap("…"),
        "What the heap is picked by may have a 1 where no heap has one",
        "Pick it by the nim-sum or the columns whose highest place it is to have",
    ),
    Remedy(
        names.sizes_of("…"),
        "Some move makes a heap as large as the bound of the proof, or larger",
        "Bound what the heaps become, in the ruleset's file",
    ),
    Remedy(
        turns.step("…"),
        "It does not follow from the hypotheses and the steps before it",
        "If it is false at these values, weaken it; else put another step before it",
    ),
    Remedy(
        turns.number_of_heaps("…", 0),
        "By the hypotheses the position need not have as many heaps as `heaps` names",
        "Say in `if` how many it has, as by len(s) == 2, or name others",
    ),
    Remedy(
        turns.fact_of_none("…"),
        "The fact does not hold where there is no heap",
        "Except that position in the fact, or weaken the fact until it holds of it",
    ),
    Remedy(
        turns.fact_of_more("…"),
        "The fact does not carry over from some heaps to these and one more",
        "Strengthen it until it does, as with any induction: all facts may be used of the heaps before",
    ),
    Remedy(
        turns.SPLIT,
        "In some case of the claim's integers none of the conditions of `split` holds",
        "Add the missing condition",
    ),
)
_FOLLOWS = (
    "name as a fold whatever the claim counts or adds up, and state as a fact what the values break; for an `any` over "
    'options name the move that it means, with to = "anywhere"; put the theorem that says it into `by`'
)

FOLDS = Advice(
    (
        Fit(
            "who wins, from positions of any number of heaps",
            _asks_who_wins,
            "say in [proof.loses] where the mover loses, in numbers that are put together heap by heap "
            "([proof.folds]), and in [[proof.moves]] which move wins elsewhere",
        ),
        Fit(
            "what moves do to nim-sums and numbers of heaps; who wins is not asked",
            _asks_of_moves,
            "name these in [proof.folds], and for each `any` over options the move that it means, in [[proof.moves]] "
            'with to = "anywhere"',
        ),
        Fit(
            "nim-sums and numbers of heaps alone, no game",
            _asks_nothing,
            "name them in [proof.folds], and what ties them together in [proof.facts]",
        ),
    ),
    (
        *OF_POSITIONS,
        Remedy("closed", *common.CLOSED),
        Remedy("closed, 2 heaps", *common.CLOSED),
        Remedy(
            "reply 1: the cases cover",
            "Whatever heap is picked, some case of the reply has to hold, and none does",
            "Add the missing case to the reply",
        ),
        *common.who_wins(
            "reply 1: heap", "reply 1: legal", "reply 1: leads to a loss", "stuck 1: heap", "stuck 1: legal"
        ),
        Remedy(
            turns.CLAIM,
            "The claim does not follow from the invariant, the facts and the lemmas",
            f"If it is false at these values, so it is; else {_FOLLOWS}",
        ),
        Remedy(
            turns.claim_where("…"),
            "In this case the claim does not follow from the invariant, the facts and the lemmas",
            f"As for *claim*, with the case assumed: {_FOLLOWS}",
        ),
    ),
)

DEFINITION = Advice(
    (
        Fit(
            "who wins, or the value, at a position and at its options",
            _compares_with_options,
            "nothing more: what winning and values mean is known of the claim's position",
        ),
    ),
    (
        *OF_POSITIONS,
        Remedy(
            turns.CLAIM,
            "The claim does not follow from what winning and values mean at its position",
            "What holds two moves on is not known: put the theorem that says it into `by`. For an `any` over options "
            'name the move that it means, with to = "anywhere"',
        ),
        Remedy(
            turns.claim_where("…"),
            "In this case the claim does not follow from what winning and values mean at its position",
            "As for *claim*, with the case assumed",
        ),
    ),
)
