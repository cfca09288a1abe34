"""The kinds of obligations, the cases that an answer covers, and the trusted assumptions on which an answer relies.

An answer is the result of a proof or of a search. An obligation is one of the statements that together imply a claim.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from claims.language.files.domains import Bound, ListRange, PositionRange, Range, Scope

# == kinds ============================================================================================================
# The kinds of obligations. A kind has a name, a description, the meaning of a failure, and a remedy.
#
# The names of obligations, the texts of outlines and hints, and the tables in docs/rules/ are generated from the kinds.
# A remedy that does not depend on the obligation, for example after a search gave up, belongs to an `OpenReason`. Code
# depends on kinds and reasons, never on their texts.
LEFT_OUT = {"who": "", "of": "", "where": ""}


@dataclass(frozen=True, eq=False)
class ObligationKind:
    """A kind of obligation, with the texts that reports and documentation show for it.

    `called`: the name of an obligation of this kind. It may contain placeholders such as {number}. The placeholders
    {who} (the mover), {of} (the game) and {where} (the case) may remain without a value and are then empty.
    `means`: a sentence, without a period, about what may be wrong if such an obligation is open or false.
    `change`: a sentence, without a period, about what the author should change.
    `shows`: a few words for the summary of a proof in a report, such as "they cover"; "" if other words are used.

    >>> ObligationKind("closed{who}", "", "").make_label(who=to_move("P1")).name
    'closed (P1 to move)'
    """

    called: str
    means: str
    change: str
    shows: str = ""

    def make_label(self, **parts: object) -> ObligationLabel:
        """Return the label of an obligation of this kind, with values for the placeholders in its name."""
        return ObligationLabel(self, self.called.format(**{**LEFT_OUT, **parts}))

    @property
    def row(self) -> str:
        """The name with … for each placeholder, for the tables of the documentation; 1 represents any {number}.

        >>> ObligationKind("lemma {name!r}", "", "").row, ObligationKind("reply {number}{who}: legal", "", "").row
        ("lemma '…'", 'reply 1: legal')
        """
        usual = {**LEFT_OUT, "number": 1}
        parts = {part for _, part, _, _ in string.Formatter().parse(self.called) if part}
        return self.make_label(**{part: usual.get(part, "…") for part in parts}).name

    @property
    def words(self) -> str:
        """The texts `means` and `change` as sentences, which a report shows after the name and a colon."""
        return f"{self.means}. {self.change}."


@dataclass(frozen=True)
class ObligationLabel:
    """The kind of one obligation, and its name, which is unique in the proof."""

    kind: ObligationKind
    name: str

    @property
    def shown(self) -> tuple[str, str]:
        """The pair (`kind.shows`, `name`) for the summary of a proof in a report."""
        return self.kind.shows, self.name


NUMBERS = "It is about numbers only, not about the claim"
FAULT = "If it fails, this is an error of the tool: please report it"


def make_number_kind(called: str, shows: str = "") -> ObligationKind:
    """Return a kind for general facts about numbers, such as x * x >= 0.

    If an obligation of such a kind is not proved, the tool contains an error.
    """
    return ObligationKind(called, NUMBERS, FAULT, shows)


def to_move(who: str) -> str:
    """Return the suffix " (Left to move)" for the player "Left"; "" for the player "".

    The player is "" if all players have the same moves.
    """
    return f" ({who} to move)" if who else ""


class OpenReason(Enum):
    """A general reason, not specific to a kind of obligation, why an obligation is open or a proof fails.

    The value of a member contains the message of the reason (`called`), its meaning and its remedy.
    """

    GAVE_UP = ObligationKind(
        "the solver gave up: {reason}",
        "The obligation may still hold: the solver found neither a proof nor a counterexample",
        "State the missing step as a fact or lemma, or split a case. If the obligation contains products of "
        "variables, write them as digits. Or try a smaller `sizes`, or a larger `--effort`",
    )
    UNREAD = ObligationKind(
        "the rule does not support the condition {condition}, and the proof needs it here",
        "The rule cannot assume a condition that it does not support, so the obligation remains open",
        "Write the condition with sums, differences, products, quotients, remainders and comparisons, or drop [proof]",
    )
    OUT_OF_TIME = ObligationKind("out of time", "The time for the proof ran out", "Raise `--budget`")
    HYPOTHESES = ObligationKind(
        "the hypotheses contradict each other: nothing is claimed",
        "No case satisfies the hypotheses, so the claim states nothing",
        "Look for a mistake in `if` or in a domain of [forall]",
    )
    LEMMAS = ObligationKind(
        "the hypotheses contradict the lemmas: nothing is claimed",
        "The lemmas exclude every case that satisfies the hypotheses",
        "Look at the cases of the scope that satisfy the hypotheses: either a lemma is wrong, or the claim is "
        "superfluous",
    )
    NO_CASE_BELOW = ObligationKind(
        "no searched case is below this bound",
        "The proof has a bound, and the scope has no case below it that satisfies the hypotheses",
        "Raise `sizes`, or let the scope reach such a case",
    )
    LEMMA_BELOW = ObligationKind(
        'the lemma {lemma} is proved below {bound} only: it needs a line sizes = "< {bound}"',
        "A claim that uses a lemma is proved only below the bound of the lemma",
        "Add that line below [proof]",
    )

    def says(self, **parts: object) -> str:
        """Return the message of the reason, with values for its placeholders."""
        return self.value.make_label(**parts).name


# == coverage =========================================================================================================
# The coverage of an answer, for each variable: the complete domain, an interval, or the values below a power of 2.
MANY_BITS = 1000
MANY = 1 << MANY_BITS  # a number of cases too large to search
MOST_TOTAL = 400  # positions with a bounded total are counted up to this total


@dataclass(frozen=True)
class All:
    """The coverage of a variable for which an answer covers every value of the domain."""

    def __str__(self) -> str:
        return "all"


@dataclass(frozen=True)
class Below:
    """The coverage of a variable for which an answer covers the values below 2**bits."""

    bits: int

    def __str__(self) -> str:
        return f"< 2^{self.bits}"


@dataclass(frozen=True)
class Classes:
    """The coverage of a variable for which an answer covers one graph, or one tree, of each isomorphism class."""

    def __str__(self) -> str:
        return "all up to isomorphism"


Coverage = All | Classes | Range | Below
Limits = tuple[tuple[str, Coverage], ...]
"""Pairs (variable, coverage) in declaration order. A position has the entries "s.heaps", "s.size", maybe "s.total"."""


def read_coverage(text: str) -> Coverage | None:
    """Return the coverage whose `str` is `text`, such as a text in a receipt; None if there is no such coverage.

    >>> read_coverage("1..9"), read_coverage("< 2^62"), read_coverage("all"), read_coverage("01..9")
    (Range(lo=1, hi=9), Below(bits=62), All(), None)
    """
    if text == "all":
        return All()
    found: Coverage | None = Classes() if text == str(Classes()) else None
    if match := re.fullmatch(r"< 2\^([1-9][0-9]{0,3})", text):
        found = Below(int(match[1]))
    elif match := re.fullmatch(r"(-?[0-9]{1,40})\.\.(-?[0-9]{1,40})", text):
        found = Range(int(match[1]), int(match[2]))
    return found if str(found) == text else None


def is_everything(limits: Limits) -> bool:
    """Whether an answer with these limits covers every value of each variable."""
    return all(isinstance(coverage, All) for _, coverage in limits)


def narrower(one: Coverage, other: Coverage) -> Coverage:
    """Return the smaller of two coverages. Each must be All or Below, as in the answer of a proof.

    >>> narrower(Below(62), All()), narrower(Below(61), Below(62))
    (Below(bits=62), Below(bits=61))
    """
    return min((one, other), key=lambda x: x.bits if isinstance(x, Below) else float("inf"))


def count_cases(scope: Scope) -> int:
    """Return an estimate of the number of cases in a scope: the product of `count_values` over the variables."""
    return math.prod(count_values(bound) for bound in scope.values())


def count_values(bound: Bound) -> int:
    """Return the number of values that satisfy a bound: integers, lists, or positions. Return at least 1.

    For positions, a bound on the total is ignored if it is larger than MOST_TOTAL, or if heaps have parts.
    """
    if isinstance(bound, Range):
        return max(1, bound.hi - bound.lo + 1)
    if isinstance(bound, ListRange):
        return max(1, _count_lists(bound))
    if bound.parts:
        return _count_positions(bound)
    if bound.total is not None and bound.total.hi <= MOST_TOTAL:
        return max(1, _count_partitions(bound.heaps, bound.size, bound.total))
    return _count_multisets(bound.size.hi - bound.size.lo + 1, bound.heaps)


def _count_positions(bound: PositionRange) -> int:
    """Return the number of positions within a bound, for heaps with parts.

    Positions with heaps that the ruleset excludes (by `where` of [heap]) are counted too.
    """
    return _count_multisets(count_heaps(bound), bound.heaps)


def _count_multisets(kinds: int, counts: Range) -> int:
    """Return the number of multisets over a set of `kinds` elements whose size is in the range `counts`.

    Return at least 1, and MANY instead of some very large numbers.
    """
    if min(kinds, counts.hi) > MANY_BITS:  # 2**MANY_BITS or more
        return MANY
    below = math.comb(counts.lo - 1 + kinds, kinds) if counts.lo else 0
    return max(1, math.comb(counts.hi + kinds, kinds) - below)


def count_heaps(bound: PositionRange) -> int:
    """Return the number of different heaps that a bound on positions allows.

    Heaps that the ruleset excludes (by `where` of [heap]) are counted too.
    """
    if not bound.parts:
        return max(0, bound.size.hi - max(1, bound.size.lo) + 1)
    heaps = 1
    for _, part in bound.parts:
        heaps *= part.hi - part.lo + 1 if isinstance(part, Range) else _count_lists(part)
    return heaps


def _count_lists(bound: ListRange) -> int:
    each = bound.each.hi - bound.each.lo + 1
    return sum(each**length for length in range(bound.length.lo, bound.length.hi + 1))


def _count_partitions(heaps: Range, size: Range, total: Range) -> int:
    """Return the number of positions whose number of heaps, heap sizes and total are in the given ranges."""
    most = min(heaps.hi, total.hi)
    ways = [[0] * (total.hi + 1) for _ in range(most + 1)]  # by number of heaps and total, for the sizes so far
    ways[0][0] = 1
    for h in range(size.lo, min(size.hi, total.hi) + 1):
        for count in range(1, most + 1):
            row, fewer = ways[count], ways[count - 1]
            for x in range(h, total.hi + 1):
                row[x] += fewer[x - h]
    return sum(sum(row[total.lo :]) for row in ways[heaps.lo :])


# == trust ============================================================================================================
# The assumptions on which an answer relies: theorems, solvers, proof rules, and the ways in which a proof picks heaps.
#
# Code depends only on the members of `Trust`. Rules and picks are names that a report shows. Each assumption that
# is not shown by an obligation has a `Reason`. A proof relies on its rule and on the reasons of its obligations.
RULE, PICK, PAGE = "rule: ", "pick: ", " (docs/proof-rules.md)"


class Trust(Enum):
    """The theorems that an answer may assume. The value of a member is the text that reports show.

    Compare members with `is`: a member is not equal to its text.
    """

    SPRAGUE_GRUNDY = "Sprague-Grundy theorem, for Grundy values of single heaps that split"
    """A route may assume this theorem for its results. It is the only theorem that the referee then assumes too."""

    CANONICAL_FORMS = "canonical forms of partizan games stand for the games, in sums and comparisons"
    """A route assumes this theorem for all questions about partizan values. The referee assumes it only for some.

    Birthdays, cooled and heated games, and atomic weights are defined or computed by canonical forms, which the referee
    finds on its own.
    """

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class TrustedRule:
    """The assumption that a proof rule is sound. `words`: the name of the rule in docs/proof-rules.md."""

    words: str

    def __str__(self) -> str:
        return f"{RULE}{self.words}{PAGE}"


@dataclass(frozen=True)
class TrustedPick:
    """The assumption that a position has a heap of the kind that a proof chooses, such as a largest heap.

    `words`: the description of the heap, as in docs/proof-rules.md.
    """

    words: str

    def __str__(self) -> str:
        return f"{PICK}{self.words}"


@dataclass(frozen=True)
class ReasonText:
    """The justification of a fact that obligations may assume.

    `words`: the fact, for the table in docs/rules/common.md.
    `section`: the page and section, below docs/, that explains why the fact holds.
    `pick`: the text of the `TrustedPick` on which the fact relies; "" if the fact follows from definitions, or if
    another obligation shows it.
    """

    words: str
    section: str
    pick: str = ""


_RANGES = "rules/common.md#ranges-exponents-and-digit-sums"
_CHECKED = "rules/common.md#what-is-checked-in-every-proof"
_FOLDS, _PICKS = "rules/folds.md#why-it-is-sound", "rules/folds.md#picks"
_EXTREMES = "rules/folds.md#smallest-and-largest-heaps"
_NUMBERS = "rules/folds.md#remainders-places-and-images"
_SEVERAL = "rules/several-heaps.md#why-it-is-sound"
_GRUNDY, _VALUES = "rules/grundy.md#why-it-is-sound", "rules/value.md#why-it-is-sound"
_FEW = "rules/few-heaps.md#why-it-is-sound"
_ARITHMETIC = "rules/arithmetic.md#why-it-is-sound"
_DEFINITION, _EQUAL = "rules/definition.md#why-it-is-sound", "rules/equal-games.md#why-it-is-sound"
_CASES = "rules/cases.md#why-it-is-sound"


class Reason(Enum):
    """The reasons why an obligation may assume a fact, each with its justification.

    A fact that follows from a lemma of the proof has no such reason; it is recorded with the id of the lemma.
    """

    DOMAIN = ReasonText("a variable of the claim is in its domain", _CHECKED)
    CASE = ReasonText("the case of the claim that is proved", _CASES)
    DIVISION = ReasonText("division by a positive number has a quotient and a remainder", _CHECKED)
    ROOT = ReasonText("a natural number has a square root, rounded down", _CHECKED)
    EXPONENT = ReasonText(
        "the exponent of p in a number is 0 if p does not divide it; multiplying the number by p adds 1", _RANGES
    )
    DIGIT_SUM = ReasonText(
        "the digits of a number are its last digit and the digits of its quotient by the base", _RANGES
    )
    PRIME = ReasonText(
        "a prime is at least 2, and a multiple of a prime p is prime if and only if it is p; small primes are known",
        _RANGES,
    )
    RANGE = ReasonText(
        "one more number in a range adds one term to a sum or another fold; b^(e + 1) is b times b^e", _ARITHMETIC
    )
    BEFORE = ReasonText("*claim, step*: the claim for the preceding number", _ARITHMETIC)
    SQUARES = ReasonText("*squares*: a square is a natural number", _ARITHMETIC)
    REMAINDERS = ReasonText(
        "*remainders*: the remainders of equal numbers are equal, and those of successive numbers are successive or 0",
        _CHECKED,
    )
    PRODUCTS = ReasonText("*product of naturals*: the product of two natural numbers is natural", _CHECKED)
    FOLD = ReasonText(
        "a nonempty position consists of a heap and a rest, and its folds combine those of the two parts", _FOLDS
    )
    EMPTY = ReasonText("every fold of the empty position is 0", _FOLDS)
    FACT = ReasonText("*fact …*: a fact that the proof states about every position", _FOLDS)
    STEP = ReasonText("*step …*: a consequence of the hypotheses that an earlier obligation shows", _FOLDS)
    IN_ORDER = ReasonText("the heaps of a position can be listed in ascending order", _FEW)
    TOP_BIT = ReasonText(
        "at the highest binary place at which a nim-sum has a 1, one of its terms has a 1", _PICKS, "top bit"
    )
    COLUMN = ReasonText(
        "a nonzero number has a highest binary place; if `columns` has a 1 at a place, some heap has a 1 there",
        _SEVERAL,
        "top bit",
    )
    COUNTED = ReasonText(
        "if a count is not 0, some heap has the counted property", _PICKS, "a heap with the counted property"
    )
    LARGEST = ReasonText("a nonempty position has a largest heap", _PICKS, "a largest heap")
    SMALLEST = ReasonText("a nonempty position has a smallest heap", _PICKS, "a smallest heap")
    EXTREMES = ReasonText("*least and largest heap …*: facts about them at every position", _EXTREMES)
    EXTREME_HEAP = ReasonText("a nonempty position has a least and a largest heap", _EXTREMES)
    MULTIPLES = ReasonText("*multiples …*: a remainder is a number minus a multiple", _NUMBERS)
    PLACES = ReasonText("*places …*: binary places as numbers; a number above 0 has a highest place", _NUMBERS)
    MOVED = ReasonText("*a legal move changes …*, *move … …*: the effects of moves on the terms of nim-sums", _NUMBERS)
    WRITTEN = ReasonText(
        "a heap that is given by a number has this size; if the number is 0, there is no such heap", _FOLDS
    )
    OPTION = ReasonText("an option is the result of a legal move, and a legal move leads to an option", _DEFINITION)
    MEANING = ReasonText("the definitions of winning and of values", _DEFINITION)
    SETS = ReasonText("two different sets have an element that is in only one of them", _FOLDS)
    SOME_NUMBER = ReasonText(
        "`any` over a range is true if and only if some number of the range satisfies the condition", _RANGES
    )
    REGION = ReasonText("games with the same moves in a region have the same winners there", _EQUAL)
    LEMMA = ReasonText("*lemma …*: a fact about integers that the proof states", _FEW)
    LEAST_NUMBER = ReasonText(
        "among the numbers of a range that satisfy a condition, one is the least",
        _FEW,
        "the least number with a property",
    )
    SHAPES = ReasonText("*shape of …*: conditions that the shape of every position satisfies", _VALUES)
    DIGITS = ReasonText("*digits of …*: every heap, and every value below it, has digits", _GRUNDY)
    POWERS = ReasonText("*powers of …*: conditions that every power of a number, and any two powers, satisfy", _GRUNDY)
    SOME_HEAP = ReasonText("if `any` over the heaps of a position is true, some heap satisfies the condition", _GRUNDY)
    NIM_SUM = ReasonText("a nim-sum of values is not negative", _GRUNDY)

    @property
    def trusted(self) -> frozenset[TrustedPick]:
        """The assumption about a chosen heap on which the reason relies; empty if there is none."""
        return frozenset({TrustedPick(self.value.pick)} if self.value.pick else ())


@dataclass(frozen=True)
class TrustedSolver:
    """The assumption that the answer of a solver is correct. `words`: the name of the solver, such as "Z3"."""

    words: str

    def __str__(self) -> str:
        return self.words


Trusted = Trust | TrustedRule | TrustedPick | TrustedSolver


def list_trusted(trusted: Iterable[Trusted]) -> tuple[str, ...]:
    """Return the texts of the assumptions, as in a receipt: in alphabetical order, each once.

    >>> list_trusted([TrustedSolver("Z3"), TrustedRule("cases"), TrustedPick("top bit"), TrustedSolver("Z3")])
    ('Z3', 'pick: top bit', 'rule: cases (docs/proof-rules.md)')
    """
    return tuple(sorted({str(x) for x in trusted}))


def read_trusted(text: str) -> Trusted:
    """Return the assumption whose text is `text`, as in the result of `list_trusted`.

    A text that does not have the form of a theorem, a rule or a pick is taken as the name of a solver.

    >>> [read_trusted(x) for x in ("Z3", "pick: top bit", "rule: cases (docs/proof-rules.md)")]
    [TrustedSolver(words='Z3'), TrustedPick(words='top bit'), TrustedRule(words='cases')]
    """
    for member in Trust:
        if text == member.value:
            return member
    if text.startswith(RULE) and text.endswith(PAGE):
        return TrustedRule(text.removeprefix(RULE).removesuffix(PAGE))
    return TrustedPick(text.removeprefix(PICK)) if text.startswith(PICK) else TrustedSolver(text)
