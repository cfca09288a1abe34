"""The kinds of obligations of rule "folds", and the kinds of claims for which the rule is suggested."""

from __future__ import annotations

from encoders.logic.integers import PRODUCT
from encoders.rules.base.shape import (
    DEFINED,
    MEASURE,
    PARAMETERS,
    RULES,
    VALUES,
    WHO_WINS,
    ClaimShape,
    QueryTarget,
    RuleSuggestion,
    claim_follows,
    draft_losses,
    vary_bound,
)
from encoders.rules.base.turns import CASES, LEADS_TO_LOSS, OF_WHO_WINS
from encoders.trust import FAULT, ObligationKind, make_number_kind

FOUND = ("The tool proved this earlier in the run, and the rest of the proof uses it", FAULT)
COLUMN = make_number_kind("pick top bit: a 1 in the nim-sum is an odd number of ones, one more heap")
LOWERED = make_number_kind("pick top bit: such a heap is lowered")
AIMED = make_number_kind("pick top bit: where a nim-sum first differs from a smaller number it has a 1")
EXTREMES_NONE = make_number_kind("least and largest heap, no heap")
EXTREMES_MORE = make_number_kind("least and largest heap, one more heap")
FIRST_PLACE = make_number_kind("places: 1 has a highest one")
NEXT_PLACE = make_number_kind("places: the next number has a highest one")
APART = make_number_kind("multiples: two of one number are equal, or differ by it, or by at least twice as much")
ONES_MODULO = make_number_kind("columns modulo {modulus}: what one heap more does to a place")
CHANGING = ObligationKind("a legal move changes the term of {name}", *FOUND)
DOING = ObligationKind("move {number} {effect} {name}", *FOUND)
ONE_OF_A_HEAP = ObligationKind(
    "pick {words}: a 1 there is one of a heap",
    "The number that picks the heap may have a 1 in a binary place where no heap has one",
    "Pick the heap by a nim-sum or by columns, whose ones come from heaps",
)
SIZES = ObligationKind(
    "sizes{of}",
    "Some move makes a heap as large as the bound of the proof, or larger",
    "Bound the new heap sizes in the ruleset's file",
)
STEP = ObligationKind(
    "step {name!r}",
    "The step does not follow from the hypotheses and the earlier steps",
    "If it is false at these values, weaken it; otherwise insert another step before it",
    "it follows",
)
NUMBER_OF_HEAPS = ObligationKind(
    "heaps: the hypotheses say len({position}) == {heaps}",
    "The hypotheses do not imply that the position has exactly as many heaps as `heaps` names",
    "State the number of heaps under `if`, as in len(s) == 2, or change `heaps`",
    "by the hypotheses",
)
FACT_OF_NONE = ObligationKind(
    "fact {name!r}, no heap",
    "The fact is false at the empty position",
    "Exclude the empty position in the fact, or weaken the fact",
    "true with no heap",
)
FACT_OF_MORE = ObligationKind(
    "fact {name!r}, one more heap",
    "The fact does not carry over from a position to the same position with one more heap",
    "Strengthen the fact until the induction succeeds; it may assume all facts about the smaller position",
    "stays true with one more",
)
SPLIT = ObligationKind(
    "cases of the claim cover",
    "For some values of the claim's integers no condition of `split` holds",
    "Add the missing condition",
    "they cover",
)
CLOSED = ObligationKind("closed{who}", *LEADS_TO_LOSS, "no move leads to a loss")
CLOSED_ON = ObligationKind("closed, {heaps} heaps{who}", *LEADS_TO_LOSS)
FOLLOWS = claim_follows(
    "The claim does not follow from the invariant, the facts and the lemmas",
    "If the claim is false at these values, they are a counterexample. Otherwise add a fold for every number that the "
    "claim counts or adds up, and state as a fact the property that these values violate. For an `any` over options "
    'name the intended move, with to = "anywhere". Or put the theorem that implies the claim into `by`',
)
FOLLOWS_BY_DEFINITION = claim_follows(
    "The claim does not follow from the definition of winning, or of values, at its position",
    "The rule applies the definition at one position only: put theorems about later positions into `by`. For an `any` "
    'over options name the intended move, with to = "anywhere"',
)
OF_PICKS = (COLUMN, LOWERED, AIMED)
OF_NUMBERS = (*OF_PICKS, EXTREMES_NONE, EXTREMES_MORE, PRODUCT, APART, FIRST_PLACE, NEXT_PLACE, ONES_MODULO)
OF_GAMES = (PARAMETERS, RULES, MEASURE, DEFINED)
OF_PROOFS = (CHANGING, DOING, ONE_OF_A_HEAP, SIZES, STEP, NUMBER_OF_HEAPS, FACT_OF_NONE, FACT_OF_MORE, SPLIT)
OF_POSITIONS = (*OF_GAMES, *OF_NUMBERS, *OF_PROOFS)
KINDS = (*OF_POSITIONS, CLOSED, CLOSED_ON, CASES, *OF_WHO_WINS, FOLLOWS)


# -- which claims -----------------------------------------------------------------------------------------------------
MOVES = frozenset({"options", "legal", "terminal"})


def _asks_who_wins(shape: ClaimShape) -> bool:
    several = shape.heaps != 1 or not shape.normal_play
    return shape.asks(WHO_WINS) and several and shape.two_players and (shape.shrinking or shape.splitting)


def _asks_of_moves(shape: ClaimShape) -> bool:
    return shape.asks(MOVES) and not shape.asks(WHO_WINS | VALUES) and shape.shrinking


def _asks_nothing(shape: ClaimShape) -> bool:
    return shape.positions == 1 and not shape.questions


def _compares_with_options(shape: ClaimShape) -> bool:
    """Whether the claim asks who wins, or for the value, both at options and at another position of a game."""
    asked = {(q.function, q.game): set[QueryTarget]() for q in shape.questions if q.function in WHO_WINS | VALUES}
    for q in shape.questions:
        if (q.function, q.game) in asked:
            asked[q.function, q.game].add(q.place)
    return any(QueryTarget.OPTION in places and len(places) > 1 for places in asked.values())


FITS = (
    RuleSuggestion(
        "who wins, from positions of any number of heaps",
        _asks_who_wins,
        "state in [proof.loses] where the mover loses, in terms of numbers computed heap by heap ([proof.folds]), "
        "and in [[proof.moves]] a winning move for every other position",
        draft_losses,
    ),
    RuleSuggestion(
        "the effect of moves on nim-sums and numbers of heaps, but not who wins",
        _asks_of_moves,
        "name these numbers in [proof.folds], and for each `any` over options the intended move, in [[proof.moves]] "
        'with to = "anywhere"',
        vary_bound,
    ),
    RuleSuggestion(
        "nim-sums and numbers of heaps only, without a game",
        _asks_nothing,
        "name them in [proof.folds], and state in [proof.facts] how they are related",
        vary_bound,
    ),
)
BY_DEFINITION = RuleSuggestion(
    "who wins, or the value, at a position and at its options",
    _compares_with_options,
    "nothing more: the rule applies the definition of winning, or of values, at the claim's position",
    vary_bound,
)
