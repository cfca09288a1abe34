"""What the obligations about moves on several heaps ask for if they fail."""

from __future__ import annotations

from encoders.rules.advice import common
from encoders.rules.advice.tables import Remedy
from encoders.rules.folds.several import names

EVERYWHERE = (
    Remedy(
        names.sizes_of("…"),
        "Some legal move makes a heap that the bound of the proof leaves out",
        "Bound what heaps become, in the ruleset's file",
    ),
    common.about_numbers(names.ones_modulo(3)),
    Remedy(
        names.one_of_a_heap("…"),
        "Where this number has a 1, perhaps no heap has one",
        "Pick by nim-sums of all heaps and by columns, and by what has a 1 only where one of them has",
    ),
)
_PART = "reply 1.…"

WHO_WINS = (
    Remedy("closed, 2 heaps", *common.CLOSED),
    Remedy(
        "reply …: the cases cover",
        "Some heap may be picked for which no case holds",
        "Add a case to `then`, or narrow the pick",
    ),
    Remedy(
        f"{_PART}: heap",
        "Where the case holds there need be no such heap in what remains",
        "Let its `when` say that there is one, as by rest_n >= 1, or for the top bit of X that X is not 0",
    ),
    Remedy(
        f"{_PART}: legal",
        "The move is not legal on all heaps that the picks may give",
        "Change `take`, or ask more of the heaps by another case",
    ),
    Remedy(
        f"{_PART}: leads to a loss",
        "What the move leaves need not be lost for the next player",
        "Work out what it does to the folds of what remains without its heaps, and to each heap",
    ),
)
