"""What an answer takes on trust: theorems, solvers, rules of proof, and how a proof picks its heaps.

Code acts on the members of `Trust` alone; rules and picks are named for the reader of a report.  Whatever an obligation
assumes that it does not show has a reason, and what a proof trusts beside its rule are the reasons of its obligations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

RULE, PICK, PAGE = "rule: ", "pick: ", " (docs/proof-rules.md)"


class Trust(Enum):
    """The theorems. No member equals its text: whoever is relaxed by one asks for the member."""

    SPRAGUE_GRUNDY = "Sprague-Grundy theorem, for Grundy values of single heaps that split"
    """The one theorem that a route may take on trust for what it computes and the referee then does too."""

    CANONICAL_FORMS = "canonical forms of partizan games stand for the games, in sums and comparisons"
    """What a route takes on trust for `le`, `number`, `mean` and `temperature`; the referee does not."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class TrustedRule:
    """A rule of proof, by the words under which docs/proof-rules.md has it."""

    words: str

    def __str__(self) -> str:
        return f"{RULE}{self.words}{PAGE}"


@dataclass(frozen=True)
class TrustedPick:
    """That some position has a heap as the proof picks it, in the words of docs/proof-rules.md."""

    words: str

    def __str__(self) -> str:
        return f"{PICK}{self.words}"


@dataclass(frozen=True)
class ReasonText:
    """Why something is known. `words`: for the table of docs/proof-rules.md; `section`: the one that argues it.

    `pick`: what a report names as taken on trust; "" where an obligation shows it, or it is what words mean.
    """

    words: str
    section: str
    pick: str = ""


_RANGES = "ranges-exponents-and-digit-sums"
_CHECKED, _FOLDS, _EXTREMES = "what-is-checked-of-every-proof", "folds-any-number-of-heaps", "least-and-largest-heaps"
_NUMBERS, _SEVERAL = "remainders-places-and-images", "moves-on-several-heaps"
_GRUNDY, _VALUES, _FEW = "grundy-values-of-one-heap", "values-of-n-players-the-least-option", "few-heaps-written-down"
_ARITHMETIC = "arithmetic-integers-alone"
_DEFINITION, _EQUAL = "definition-one-position-and-its-options", "equal-games-a-region-with-the-same-moves"


class Reason(Enum):
    """By what an obligation may assume something. What lemmas say is told apart from it, by their ids."""

    DOMAIN = ReasonText("a variable of the claim lies in its domain", _CHECKED)
    CASE = ReasonText("the case of the claim that is proved", "cases")
    DIVISION = ReasonText("a number has a quotient and a remainder by each number from 1 on", _CHECKED)
    ROOT = ReasonText("a natural number has a square root, rounded down", _CHECKED)
    EXPONENT = ReasonText("how often a number divides another, and its multiples by that number", _RANGES)
    DIGIT_SUM = ReasonText("the digits of a number are its last digit and those of the number without it", _RANGES)
    RANGE = ReasonText("what is made of a range, and of one number more; powers, and the next", _ARITHMETIC)
    BEFORE = ReasonText("*claim, step*: the claim for the number before", _ARITHMETIC)
    SQUARES = ReasonText("*squares*: that they are natural", _ARITHMETIC)
    REMAINDERS = ReasonText("*remainders*: those of equal and of successive numbers", _CHECKED)
    PRODUCTS = ReasonText("*product of naturals*: that it is natural", _CHECKED)
    FOLD = ReasonText("a position that has a heap is that heap and a rest, and so are its folds", _FOLDS)
    EMPTY = ReasonText("of no heap every fold is 0", _FOLDS)
    FACT = ReasonText("*fact …*: what the proof states of every position", _FOLDS)
    STEP = ReasonText("*step …*: what has been shown to follow from the hypotheses", _FOLDS)
    IN_ORDER = ReasonText("the heaps of a position can be told in ascending order", _FEW)
    TOP_BIT = ReasonText("the highest place of a nim-sum is a place of one of its terms", _FOLDS, "top bit")
    COLUMN = ReasonText(
        "what is not 0 has a highest place, and a place of columns is one of some heap", _SEVERAL, "top bit"
    )
    COUNTED = ReasonText("what is counted and not 0 is there", _FOLDS, "a heap with the counted property")
    LARGEST = ReasonText("of heaps that there are one is a largest", _FOLDS, "a largest heap")
    SMALLEST = ReasonText("of heaps that there are one is a smallest", _FOLDS, "a smallest heap")
    EXTREMES = ReasonText("*least and largest heap …*: what holds of them at every position", _EXTREMES)
    EXTREME_HEAP = ReasonText("where there is a heap, the least and the largest are heaps", _EXTREMES)
    MULTIPLES = ReasonText("*multiples …*: a remainder is what a number has above a multiple", _NUMBERS)
    PLACES = ReasonText("*places …*: binary places as numbers, and that a number above 0 has a highest one", _NUMBERS)
    MOVED = ReasonText("*a legal move changes …*, *move … …*: what moves do to the terms of nim-sums", _NUMBERS)
    WRITTEN = ReasonText("a heap that is written down is its size, or none", _FOLDS)
    OPTION = ReasonText("an option is what a legal move leaves, and a legal move leaves an option", _DEFINITION)
    MEANING = ReasonText("what winning and values mean", _DEFINITION)
    SETS = ReasonText("sets that differ have an element that is in one of them alone", _FOLDS)
    SOME_NUMBER = ReasonText(
        "where some number of a range fits there is one that does, and the other way round", _RANGES
    )
    REGION = ReasonText("games with the same moves in a region have the same winners there", _EQUAL)
    LEMMA = ReasonText("*lemma …*: what the proof states of integers", _FEW)
    LEAST_NUMBER = ReasonText(
        "of the numbers of a range that meet a condition one is the least", _FEW, "the least number with a property"
    )
    SHAPES = ReasonText("*shape of …*: what holds of the shape of every position", _VALUES)
    DIGITS = ReasonText("*digits of …*: every heap, and every value below it, has digits", _GRUNDY)
    POWERS = ReasonText("*powers of …*: what holds of every power of a number, and of any two", _GRUNDY)
    SOME_HEAP = ReasonText("where some heap of a position fits there is one that does", _GRUNDY)
    NIM_SUM = ReasonText("a nim-sum of values is no negative number", _GRUNDY)

    @property
    def trusted(self) -> frozenset[TrustedPick]:
        """What is taken on trust by it."""
        return frozenset({TrustedPick(self.value.pick)} if self.value.pick else ())


@dataclass(frozen=True)
class TrustedSolver:
    """A solver, by its name."""

    words: str

    def __str__(self) -> str:
        return self.words


Trusted = Trust | TrustedRule | TrustedPick | TrustedSolver


def list_trusted(trusted: Iterable[Trusted]) -> tuple[str, ...]:
    """What is trusted in words, each once, in alphabetical order.

    >>> list_trusted([TrustedSolver("Z3"), TrustedRule("cases"), TrustedPick("top bit"), TrustedSolver("Z3")])
    ('Z3', 'pick: top bit', 'rule: cases (docs/proof-rules.md)')
    """
    return tuple(sorted({str(x) for x in trusted}))


def read_trusted(text: str) -> Trusted:
    """What a line of `list_trusted` names: a solver, where it is none of the others. For the reader of receipts.

    >>> [read_trusted(x) for x in ("Z3", "pick: top bit", "rule: cases (docs/proof-rules.md)")]
    [TrustedSolver(words='Z3'), TrustedPick(words='top bit'), TrustedRule(words='cases')]
    """
    for member in Trust:
        if text == member.value:
            return member
    if text.startswith(RULE) and text.endswith(PAGE):
        return TrustedRule(text.removeprefix(RULE).removesuffix(PAGE))
    return TrustedPick(text.removeprefix(PICK)) if text.startswith(PICK) else TrustedSolver(text)
