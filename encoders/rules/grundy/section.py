"""The [proof] section with rule = "grundy", and the kinds of its obligations.

The section gives a formula for the Grundy values of single heaps. Heaps and values are written with digits, that is,
natural numbers in given ranges that determine the heap. In the example, the heap (k + 1)*q + r has the digits q and r.

    [proof]
    rule = "grundy"
    heap = "(k + 1)*q + r"          # an arbitrary heap, written with its digits
    value = "r"                     # the Grundy value of this heap
    below = "v"                     # an arbitrary smaller value, written with its own digits

    [proof.digits]                  # the digits of a heap and their ranges
    q = "0.."
    r = "0..k"

    [proof.below_digits]            # the digits of a smaller value and their ranges
    v = "0.."

    [[proof.options]]               # a move to a heap with the smaller value: the digits of the new heap, and the picks
    digits = { q = "q", r = "v" }
    take = { m = "h - y" }          # h is the old heap, y the new heap

    [[proof.at]]                    # a heap that the claim mentions; without `digits`, it has the digits q and r
    heap = "h"

    [[proof.divide]]                # a division in the claim, with its result: h = (k + 1) * q + r
    dividend = "h"
    divisor = "k + 1"
    quotient = "q"
    remainder = "r"

    [proof.witness]                 # only if the claim compares sets of values: a heap that has the value v
    digits = { q = "0", r = "v" }
    lemma = "v <= k"                # a fact about v, which is proved separately

    [proof.apart]                   # by how much a move can decrease a digit
    q = "0..1"

The tables [[proof.arise]] prove that every heap h has digits, here in an example with the digits p and q:

    [[proof.arise]]
    when = "h % 2 == 0"             # the condition on h for this case
    digits = { p = "1", q = "h // 2" }  # the digits of h

    [[proof.arise]]
    when = "h % 2 == 1"
    from = "h // 2"                 # a smaller heap, whose digits are called p and q
    digits = { p = "2*p", q = "q" }  # the digits of h, by the digits of the smaller heap

Without [[proof.arise]], every heap has digits because the heap before has: one digit increases by one, and the digits
after it become 0. A digit may also be a "power of 2": 1, 2, 4 and so on. See docs/rules/grundy.md for the rule and why
it is sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from claims.language.files.claim import Claim, Proof, expand_definitions
from claims.language.files.domains import split_range
from claims.language.files.proofs import ProofSection
from claims.language.files.toml import Keys, TomlTable, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import BOOL, INT, POSITION, Type
from encoders.logic.integers import PRODUCT, REMAINDERS
from encoders.rules.base.lemmas import Values, VariableRange
from encoders.rules.base.shape import (
    DEFINED,
    MEASURE,
    PARAMETERS,
    RULES,
    WHO_WINS,
    ClaimShape,
    Draft,
    QueryTarget,
    RuleSuggestion,
    claim_follows,
    divisions,
    make_unused_names,
)
from encoders.trust import ObligationKind, ObligationLabel, make_number_kind

# == texts ============================================================================================================
# Texts in the section: digits, picks and distances.
LARGEST_BASE = 1000
_POWER = re.compile(r"power of ([0-9]{1,4})")
_PICK = re.compile(r"largest power of ([0-9]{1,4}) with (.+)", re.DOTALL)
_RANGE = re.compile(r"(-?[0-9]{1,4})\s*\.\.\s*(-?[0-9]{1,4})")


def read_power(text: str) -> int | None:
    """Return the base of "power of 2"; None for other texts, and for a base that is not in 2..LARGEST_BASE.

    >>> read_power("power of 2"), read_power("power of 1"), read_power("0..")
    (2, None, None)
    """
    found = _POWER.fullmatch(text.strip())
    return _base(found[1]) if found else None


def read_range(text: str) -> range | None:
    """Return the range of the integers in a text such as "-1..1"; None for other texts, and for an empty range.

    >>> read_range("-1..1"), read_range("0.."), read_range("1..0")
    (range(-1, 2), None, None)
    """
    found = _RANGE.fullmatch(text.strip())
    values = range(int(found[1]), int(found[2]) + 1) if found else range(0)
    return values or None


def read_pick(text: str) -> tuple[int, str] | None:
    """Return (base, condition) for a text such as "largest power of 2 with t <= h"; None for other texts.

    >>> read_pick("largest power of 3 with 2*t <= h"), read_pick("largest with t <= h")
    ((3, '2*t <= h'), None)
    """
    found = _PICK.fullmatch(text.strip())
    base = _base(found[1]) if found else None
    return None if found is None or base is None else (base, found[2])


def _base(text: str) -> int | None:
    return int(text) if 2 <= int(text) <= LARGEST_BASE else None


# == section ==========================================================================================================
KEYS = tuple("rule heap value digits below below_digits lemmas options at divide witness arise apart".split())
MOST_APART = 20  # combinations of distances; each is an obligation
PICK = 'a pick such as "largest power of 2 with t*(2*w + 1) <= h"'


@dataclass(frozen=True, eq=False)
class PowerDigit:
    """A row of [proof.digits] for a digit that has no range but is a power of `base`: 1, base, base * base, ..."""

    name: str
    base: int


@dataclass(frozen=True, eq=False)
class Apart:
    """A row of [proof.apart]: a move on a heap decreases the digit `name` by one of the numbers `values`.

    A negative number means that the digit increases.
    """

    name: str
    values: range


@dataclass(frozen=True, eq=False)
class Arising:
    """A [[proof.arise]] table: it gives the digits of a heap h for which `when` holds (for every heap, if it is None).

    `smaller`: a smaller heap (the key `from`), or None.
    `digits`: the digits of h. They may be terms over the digits of the heap `smaller`.
    """

    when: t.Term | None
    smaller: t.Term | None
    digits: Values


@dataclass(frozen=True, eq=False)
class PowerPick:
    """A choice in [[proof.options]]: `name` is the largest power of `base` that satisfies `condition`.

    The condition has the form E <= `bound` or E < `bound`, where E may contain the power and `bound` does not.
    """

    name: str
    base: int
    condition: t.Term
    bound: t.Term


@dataclass(frozen=True, eq=False)
class Option:
    """A [[proof.options]] table: a move from a heap to a heap that has the smaller value `GrundyProof.below`.

    `when`: the condition under which the move is made; None for no condition.
    `digits`: the digits of the new heap. They may contain the powers in `picks`.
    `picks`: the chosen powers. The condition of a power may contain earlier powers.
    `take`: pairs (name of a pick of the move, picked number).
    """

    when: t.Term | None
    picks: tuple[PowerPick, ...]
    digits: Values
    take: Values


@dataclass(frozen=True, eq=False)
class At:
    """A [[proof.at]] table: a heap that the claim mentions, and its digits.

    If `digits` is empty, the digits are unknown, and the names in [proof.digits] denote them.
    """

    heap: t.Term
    digits: Values


@dataclass(frozen=True, eq=False)
class Division:
    """A [[proof.divide]] table: dividend = divisor * quotient + remainder, with 0 <= remainder < divisor."""

    dividend: t.Term
    divisor: t.Term
    quotient: t.Term
    remainder: t.Term


@dataclass(frozen=True, eq=False)
class Witness:
    """The table [proof.witness]: the digits of a heap that has a given value.

    `digits`: the digits of the heap, as terms over the digits of the value.
    `lemma`: a fact about the digits of the value; None if it is not needed.
    """

    digits: Values
    lemma: t.Term | None


@dataclass(frozen=True, eq=False)
class GrundyProof(Proof):
    """A [proof] section of the rule "grundy": a formula for the Grundy values of single heaps, and moves that prove it.

    `heap`, `value`: an arbitrary heap and its Grundy value, as terms over the digits in `digits`.
    `below`: an arbitrary smaller value, as a term over the digits in `below_digits`.
    `lemmas`: facts about a heap and a smaller value, by name.
    The other attributes are the tables of the section; see the start of this module. All terms may also contain the
    claim's integers.
    """

    rule: ClassVar[str] = "grundy"
    heap: t.Term
    value: t.Term
    digits: tuple[VariableRange | PowerDigit, ...]  # most significant first, unless [[proof.arise]] defines them
    arising: tuple[Arising, ...]
    below: t.Term
    below_digits: tuple[VariableRange, ...]
    lemmas: Values
    options: tuple[Option, ...]
    at: tuple[At, ...]
    divisions: tuple[Division, ...]
    witness: Witness | None = None
    apart: tuple[Apart, ...] = ()

    @property
    def distances(self) -> Iterator[dict[str, int]]:
        """Yield each combination of decreases that `apart` allows: the number by which each digit decreases, by name.

        Without `apart`, yield only {}.
        """
        for values in product(*(x.values for x in self.apart)):
            yield {x.name: value for x, value in zip(self.apart, values, strict=True)}


def read_grundy(section: ProofSection) -> GrundyProof:
    """Return the proof in a [proof] section with rule = "grundy". Raises ClaimError for an invalid section."""
    return _GrundySectionParser(section).read()


class _GrundySectionParser:
    def __init__(self, section: ProofSection) -> None:
        self.section, self.source, self.table = section, section.source, section.table
        self.table.reject_unknown_keys(*KEYS)
        self.integers = section.integers
        self.others = section.types.keys() - self.integers.keys()

    def read(self) -> GrundyProof:
        digits = self._digits("digits")
        own = {d.name: INT for d in digits}
        arise = self._rows("arise")
        if not arise:
            self._check_counting("digits", digits)
        below_digits = self._check_counting("below_digits", self._digits("below_digits"))
        both = own | {d.name: INT for d in below_digits}
        for name in both:
            if name in self.integers or name in self.others or name in ("h", "y"):
                raise self.source.key_fault(("proof", "digits", name), f"the name {name!r} is taken", "another name")
        for name in ("h", "y"):
            if name in self.others:
                problem = f"the claim has a variable {name!r}, the name of a heap in this proof"
                raise self.source.key_fault(("proof",), problem, "another name for the variable")
        heap = self._term(("proof", "heap"), self.table.text("heap"), own)
        value = self._term(("proof", "value"), self.table.text("value"), own)
        below = self._term(("proof", "below"), self.table.text("below"), {d.name: INT for d in below_digits})
        lemmas = tuple(
            (n, self._term(("proof", "lemmas", n), text, both, BOOL)) for n, text in self.table.expressions("lemmas")
        )
        self.digits = tuple(d.name for d in digits)
        options = tuple(self._option(i, t, both) for i, t in enumerate(self.table.tables("options")))
        at = self._rows("at")
        divide = self._rows("divide")
        heaps = own | {"h": INT}
        return GrundyProof(
            heap,
            value,
            digits,
            tuple(self._parse_arising(i, t, own) for i, t in enumerate(arise)),
            below,
            below_digits,
            lemmas,
            options,
            tuple(self._parse_at(i, t) for i, t in enumerate(at)),
            tuple(self._division(i, t, heaps) for i, t in enumerate(divide)),
            self._witness({d.name: INT for d in below_digits}),
            self._apart(digits),
        )

    def _rows(self, key: str) -> list[TomlTable]:
        return self.table.tables(key) if key in self.table.data else []

    def _term(self, keys: Keys, text: str, names: Mapping[str, Type], kind: Type = INT) -> t.Term:
        return self.section.terms_over({**self.integers, **names}).read_expression(keys, text, kind)

    def _digits(self, key: str) -> tuple[VariableRange | PowerDigit, ...]:
        found: list[VariableRange | PowerDigit] = []
        for name, text in self.table.expressions(key):
            at = ("proof", key, name)
            base, sides = read_power(text), split_range(text)
            if base is not None:
                found.append(PowerDigit(name, base))
            elif sides is not None:
                hi = self._term(at, sides[1], {}) if sides[1] else None
                found.append(VariableRange(name, self._term(at, sides[0], {}), hi))
            else:
                expected = f'"0..", "0..k-1", or "power of b" for a number b from 2 to {LARGEST_BASE}'
                raise self.source.fault(at, f"{text!r} is neither a range nor a power", expected)
        return tuple(found)

    def _check_counting(self, key: str, digits: tuple[VariableRange | PowerDigit, ...]) -> tuple[VariableRange, ...]:
        """Return `digits`, if one can count with them: the first is unbounded, and all others have bounded ranges.

        Raises ClaimError for other digits. `key`: the table that contains them, for the message.
        """
        found = []
        for digit in digits:
            if isinstance(digit, PowerDigit):
                problem = f"the power {digit.name} cannot increase by one"
                expected = "[[proof.arise]], which defines the digits" if key == "digits" else 'a range, such as "0.."'
                raise self.source.fault(("proof", key, digit.name), problem, expected)
            found.append(digit)
        if not found or any(d.hi is None for d in found[1:]) or found[0].hi is not None:
            problem = "the first digit must have no upper bound, and all other digits must have one"
            raise self.source.fault(
                ("proof", key), problem, 'a first digit such as q = "0..", and ranges with both bounds'
            )
        return tuple(found)

    def _parse_arising(self, number: int, table: TomlTable, names: Mapping[str, Type]) -> Arising:
        at = ("proof", "arise", number)
        table.reject_unknown_keys("when", "from", "digits")
        heap = {"h": INT}
        when = self._term((*at, "when"), table.text("when"), heap, BOOL) if "when" in table.data else None
        smaller = self._term((*at, "from"), table.text("from"), heap) if "from" in table.data else None
        return Arising(when, smaller, self._parse_all_digits(at, table, heap if smaller is None else {**names, **heap}))

    def _assignments(self, at: Keys, table: TomlTable, key: str, names: Mapping[str, Type]) -> Values:
        return tuple((name, self._term((*at, key, name), text, names)) for name, text in table.expressions(key))

    def _option(self, number: int, table: TomlTable, names: Mapping[str, Type]) -> Option:
        at = ("proof", "options", number)
        table.reject_unknown_keys("when", "pick", "digits", "take")
        when = (
            self._term((*at, "when"), table.text("when"), {**names, "h": INT}, BOOL) if "when" in table.data else None
        )
        picks = self._picks(at, table, names)
        names = {**names, **{pick.name: INT for pick in picks}}
        taken = self._assignments(at, table, "take", {**names, "h": INT, "y": INT})
        return Option(when, picks, self._parse_all_digits(at, table, names), taken)

    def _picks(self, at: Keys, table: TomlTable, names: Mapping[str, Type]) -> tuple[PowerPick, ...]:
        found: list[PowerPick] = []
        for name, text in table.optional_table("pick").items():
            where = (*at, "pick", name)
            if name in names or name in self.section.types or name in ("h", "y"):
                raise self.source.key_fault(where, f"the name {name!r} is taken", "another name")
            if not isinstance(text, str):
                raise self.source.fault(where, f"{format_value(text)} is not a pick", PICK)
            read = read_pick(text)
            if read is None:
                raise self.source.fault(where, f"{text!r} is not a pick", PICK)
            base, written = read
            names = {**names, name: INT}
            condition = self._term(where, written, {**names, "h": INT}, BOOL)
            match condition:
                case t.Operation(op="le" | "lt", args=(_, bound)) if name not in find_free_names(
                    expand_definitions(bound)
                ):
                    found.append(PowerPick(name, base, condition, bound))
                case _:
                    problem = f"the condition {written!r} does not give an upper bound for {name}"
                    raise self.source.fault(
                        where, problem, f"a comparison with <= or <, and with {name} only on its left side"
                    )
        return tuple(found)

    def _parse_all_digits(self, at: Keys, table: TomlTable, names: Mapping[str, Type]) -> Values:
        found = self._assignments(at, table, "digits", names)
        if {name for name, _ in found} != set(self.digits):
            raise self.source.fault(
                (*at, "digits"),
                "these names are not exactly the digits of a heap",
                f"a value for each of {', '.join(self.digits)}",
            )
        return found

    def _parse_at(self, number: int, table: TomlTable) -> At:
        at = ("proof", "at", number)
        table.reject_unknown_keys("heap", "digits")
        heap = self._term((*at, "heap"), table.text("heap"), {"h": INT})
        return At(heap, self._parse_all_digits(at, table, {}) if "digits" in table.data else ())

    def _witness(self, names: Mapping[str, Type]) -> Witness | None:
        if "witness" not in self.table.data:
            return None
        at = ("proof", "witness")
        table = TomlTable(self.source, at, self.table.optional_table("witness"))
        table.reject_unknown_keys("digits", "lemma")
        found = self._parse_all_digits(at, table, names)
        lemma = self._term((*at, "lemma"), table.text("lemma"), names, BOOL) if "lemma" in table.data else None
        return Witness(found, lemma)

    def _apart(self, digits: tuple[VariableRange | PowerDigit, ...]) -> tuple[Apart, ...]:
        counted = [d.name for d in digits if isinstance(d, VariableRange)]
        found, cases = [], 1
        for name, text in self.table.expressions("apart") if "apart" in self.table.data else ():
            at = ("proof", "apart", name)
            if name not in counted:
                raise self.source.key_fault(at, f"{name!r} is not a digit with a range", f"one of {', '.join(counted)}")
            values = read_range(text)
            cases *= len(values or ())
            if values is None or cases > MOST_APART:
                problem = f"{text!r} is not a range of numbers, or the ranges have more than {MOST_APART} combinations"
                raise self.source.fault(at, problem, '"0..1"')
            found.append(Apart(name, values))
        return tuple(found)

    def _division(self, number: int, table: TomlTable, names: Mapping[str, Type]) -> Division:
        at = ("proof", "divide", number)
        table.reject_unknown_keys("dividend", "divisor", "quotient", "remainder")
        parts = [self._term((*at, k), table.text(k), names) for k in ("dividend", "divisor", "quotient", "remainder")]
        return Division(*parts)


# == kinds ============================================================================================================
# The kinds of obligations about single heaps and their sums, and the claims for which the rule is suggested.
HEAP, BELOW = "heap", "value below"  # the two kinds of numbers with digits
AGREE = ObligationKind(
    "the players' moves agree",
    "For some heap, the players have different moves, or the same move leaves different heaps",
    "Assume, in [forall] or under `if`, a condition under which the moves agree, such as k = l. Otherwise positions "
    "have no Grundy values, but a proof by folds may show who wins",
)
ZERO_DIGITS = ObligationKind(
    "digits of 0 as a {what}",
    "The number 0 cannot be written with digits in these ranges",
    "Let every range contain 0",
    "0 has digits",
)
NEXT_DIGITS = ObligationKind(
    "digits of the next {what}",
    "For some number, the next number does not result when one digit increases by one and the digits after it become 0",
    "List the most significant digit first. Each range must end exactly where the digit before it increases. Use "
    "[[proof.arise]] for digits that do not count in this way",
    "so has the next",
)
ARISING_COVERS = ObligationKind(
    "digits of a heap: the cases cover",
    "For some heap, none of the cases in [[proof.arise]] applies",
    "Add a [[proof.arise]] for the missing case, which is often the heap 0",
    "every heap has digits",
)
ARISING_SMALLER = ObligationKind(
    "digits of a heap, case {number}: from a smaller heap",
    "The heap in `from` is not smaller than h, or it is negative",
    "Restrict the case to larger heaps, or use a smaller heap in `from`",
    "which is smaller",
)
ARISING = ObligationKind(
    "digits of a heap, case {number}",
    "The given digits are not the digits of the heap",
    "Substitute the values into the formula `heap`, and correct the digits",
    "they are its digits",
)
LEMMA = ObligationKind(
    "lemma {name!r}",
    "The lemma is false for some digits, or the solver cannot prove it in one step",
    "If the lemma is false at these values, weaken it. Otherwise insert lemmas before it, from which it follows",
    "it holds",
)
POWERS = make_number_kind("powers of {base}: {what}")
NATURAL = ObligationKind(
    "value is natural",
    "The formula gives a negative value",
    "Correct the formula, or the ranges of the digits",
    "is not negative",
)
EMPTY = ObligationKind(
    "no heap has the value 0",
    "The formula gives the empty heap a value other than 0",
    "The empty heap has no option, so its value is 0: correct the formula, or the ranges of the digits",
    "is 0 where nothing is left",
)
AVOID = ObligationKind(
    "avoid",
    "Some legal move leads to a heap for which the formula gives the same value",
    "The formula is wrong for one of the two heaps: compare it with computed Grundy values",
    "no move keeps it",
)
APART = ObligationKind(
    "apart: {names}",
    "A legal move decreases some of these digits by a number that is not in its range in [proof.apart]",
    "Widen the range in [proof.apart]; if the decreases are not bounded, remove the digit from this table",
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
    "For some heap and some smaller value, the `when` of every [[proof.options]] is false",
    "Add a table [[proof.options]] for the missing case, or a lemma that excludes it",
    "the moves below reach it",
)
PICK_THERE = ObligationKind(
    "option {number}: {name} can be 1",
    "The power 1 does not satisfy the condition, so perhaps no power does",
    "Let `when` imply that the power 1 satisfies the condition",
)
PICK_BOUNDED = ObligationKind(
    "option {number}: {name} is bounded",
    "Arbitrarily large powers satisfy the condition, so there is no largest power",
    "Write a condition that only bounded powers satisfy",
)
OPTION_DIGITS = ObligationKind(
    "option {number}: digits",
    "The digits of the new heap are outside their ranges",
    "Correct the digits, or restrict `when`",
    "is a heap",
)
OPTION_LEGAL = ObligationKind(
    "option {number}: legal",
    "No legal move with the numbers in `take` leads to the new heap",
    "Correct `take`, or restrict `when` and add another [[proof.options]] where the move is illegal",
    "legal",
)
OPTION_VALUE = ObligationKind(
    "option {number}: value",
    "The value of the new heap is not the required smaller value",
    "Substitute the new digits into the formula `value`, and correct the digits",
    "has the value",
)
HEAP_DIGITS = ObligationKind(
    "heap {number} of the claim: its digits",
    "The digits in [[proof.at]] are not the digits of the heap, or are outside their ranges",
    "Substitute the digits into the formula `heap`, and correct them. If the heap depends on cases, so must its digits",
    "those are its digits",
)
HEAP_NATURAL = ObligationKind(
    "heap {number} of the claim: not negative",
    "A heap of the claim may be negative",
    "Exclude negative heaps in [forall] or in `if`",
    "is not negative",
)
DIVISION = ObligationKind(
    "division {number}",
    "The quotient or the remainder in [[proof.divide]] is wrong",
    "Correct them. The remainder must be at least 0 and less than the divisor",
    "it is so",
)
TERMS = ObligationKind(
    "sum: the terms are Grundy values",
    "In the claim's nim-sum, the term of some heap is not the Grundy value of this heap",
    "Write a nim-sum whose term for each heap is the value of this heap by the formula",
    "it adds the heaps' values",
)
FROM_ZERO = make_number_kind("sum: from nim-sum 0 a move changes it", "from 0 a move changes it")
ODD = make_number_kind("sum: a 1 in the nim-sum is an odd number of ones", "some value has a 1 at its highest place")
LOWERED = make_number_kind("sum: a value with a 1 at its highest place is lowered", "which it lowers")
TO_ZERO = make_number_kind("sum: from another the top bit's heap restores it", "that move restores it")
WITNESS = ObligationKind(
    "the witness's lemma",
    "The lemma of [proof.witness] is false for some number in the second set",
    "Weaken the lemma, or correct the bounds of the sets in the claim",
    "its lemma holds",
)
CLAIM = claim_follows(
    "The claim does not follow from the formula",
    "If the claim is false at these values, they are a counterexample. Otherwise add [[proof.at]] for each heap that "
    "the claim mentions, and [[proof.divide]] for each division",
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


def make_apart_label(digits: Iterable[Apart]) -> ObligationLabel:
    """Return the label of the obligation that a move decreases `digits` only by the numbers in [proof.apart]."""
    return APART.make_label(names=", ".join(x.name for x in digits))


def avoid(by: Mapping[str, int]) -> ObligationLabel:
    """Return the label of the obligation that a move which decreases the digits by the numbers `by` changes the value.

    `by`: numbers by the names of digits. If it is empty, the obligation is about all moves.
    """
    told = " and ".join(f"{name} falls by {value}" for name, value in by.items())
    return AVOID_APART.make_label(by=told) if told else AVOID.make_label()


# -- suggestions ------------------------------------------------------------------------------------------------------
def _follows(shape: ClaimShape) -> bool:
    return shape.two_players and shape.any_heap and shape.normal_play


def _asks_of_values(shape: ClaimShape) -> bool:
    return shape.asks(frozenset({"grundy"})) and _follows(shape)


def _asks_of_one_heap(shape: ClaimShape) -> bool:
    return shape.places(WHO_WINS) == {QueryTarget.HEAP} and _follows(shape)


def _asks_of_sums(shape: ClaimShape) -> bool:
    return shape.asks(WHO_WINS) and shape.heaps is None and "nim_sum" in shape.operations and _follows(shape)


def _begin(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """Yield two valid [proof] sections for the author to complete.

    In both, a heap is a single digit, its value is 0, and every division has the result 0. The second also has a
    [proof.witness], which claims about sets of values need. `beside` is not used.
    """
    digit, below = make_unused_names(claim, ("q", "v"))
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
    """Return the key `take` of a draft: the number 0 for each pick of the first move of the first game."""
    return {pick.name: "0" for game in claim.games[:1] for pick in game.ruleset.moves[0].picks}


_DIGITS = "write a heap and its value as formulas in digits (`heap`, `value`), and give a move to each smaller value"
FITS = (
    RuleSuggestion("the Grundy value of a heap", _asks_of_values, _DIGITS, _begin),
    RuleSuggestion("who wins from a single heap", _asks_of_one_heap, f"{_DIGITS}; heaps of value 0 are lost", _begin),
    RuleSuggestion(
        "who wins, by a nim-sum with a term for each heap, such as nim_sum(h % 3 for h in s)",
        _asks_of_sums,
        f"{_DIGITS}; the nim-sum of the values determines who wins",
        _begin,
    ),
)
