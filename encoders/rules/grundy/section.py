"""The [proof] section with rule = "grundy": the Grundy values of single heaps in closed form, for every parameter.

    [proof]
    rule = "grundy"
    heap = "(k + 1)*q + r"          # every heap, written with digits
    value = "r"                     # its Grundy value
    below = "v"                     # every value below it, written with digits of its own

    [proof.digits]                  # q and r name the digits of a heap, v those of a value below
    q = "0.."
    r = "0..k"

    [proof.below_digits]
    v = "0.."

    [[proof.options]]               # how a value below is reached: the digits of the heap moved to, and the move
    digits = { q = "q", r = "v" }
    take = { m = "h - y" }          # h is the heap, y the one moved to

    [[proof.at]]                    # the digits of a heap that the claim speaks of
    heap = "h"

    [[proof.divide]]                # a division in the claim: dividend = divisor * quotient + remainder
    dividend = "h"
    divisor = "k + 1"
    quotient = "q"
    remainder = "r"

    [proof.witness]                 # where the claim compares sets of values: a heap of the value with given digits
    digits = { q = "0", r = "v" }
    lemma = "v <= k"                # what helps to see it; proved apart

    [proof.apart]                   # digits of a heap less those of the heap that a move leaves
    q = "0..1"

    [[proof.arise]]                 # where `when` holds of a heap h, these are its digits
    when = "h % 2 == 0"
    digits = { p = "1", q = "h // 2" }

    [[proof.arise]]                 # p and q are the digits of `from`, a smaller heap
    when = "h % 2 == 1"
    from = "h // 2"
    digits = { p = "2*p", q = "q" }

A digit may be a "power of 2": 1, 2, 4 and so on.  Without `arise` a heap gets its digits from the heap before: one
digit goes up by one, those below it fall to 0.  See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from claims.language.expressions.walk import free_names
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Proof
from claims.language.statement.domains import split_range
from claims.language.statement.unfolding import expand_definitions
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, Type
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys
from encoders.rules.grundy.texts import LARGEST_BASE, read_pick, read_power, read_range
from encoders.rules.kit.lemmas import Values, VariableRange

KEYS = tuple("rule heap value digits below below_digits lemmas options at divide witness arise apart".split())
MOST_APART = 20  # distances in all: each is a case
PICK = '"largest power of 2 with t*(2*w + 1) <= h"'


@dataclass(frozen=True, eq=False)
class PowerDigit:
    """1, base, base * base and so on."""

    name: str
    base: int


@dataclass(frozen=True, eq=False)
class Apart:
    """The digit `name` of a heap less that of a heap moved to is one of `values`."""

    name: str
    values: range


@dataclass(frozen=True, eq=False)
class Arising:
    """Where `when` holds of a heap h, it has these digits; they may speak of those of a `smaller` heap."""

    when: t.Term | None
    smaller: t.Term | None
    digits: Values


@dataclass(frozen=True, eq=False)
class PowerPick:
    """The largest power of the base with the condition, in which it is called `name`.

    The condition says that something is at most `bound`, or less, and `bound` does not speak of the power.
    """

    name: str
    base: int
    condition: t.Term
    bound: t.Term


@dataclass(frozen=True, eq=False)
class Option:
    """Where `when` holds, the heap with these digits is moved to by picking `take`.

    `picks`: powers that the digits speak of, each of the later ones perhaps of the earlier.
    """

    when: t.Term | None
    picks: tuple[PowerPick, ...]
    digits: Values
    take: Values


@dataclass(frozen=True, eq=False)
class At:
    """A heap of the claim and its digits; without digits, its digits are named as in the proof."""

    heap: t.Term
    digits: Values


@dataclass(frozen=True, eq=False)
class Division:
    """dividend = divisor * quotient + remainder with 0 <= remainder < divisor."""

    dividend: t.Term
    divisor: t.Term
    quotient: t.Term
    remainder: t.Term


@dataclass(frozen=True, eq=False)
class Witness:
    """The digits of a heap with a given value, from the value's digits; `lemma` is about those."""

    digits: Values
    lemma: t.Term | None


@dataclass(frozen=True, eq=False)
class GrundyProof(Proof):
    """A proof of the Grundy values of single heaps. Terms are over the claim's integers and the digits in scope."""

    rule: ClassVar[str] = "grundy"
    heap: t.Term
    value: t.Term
    digits: tuple[VariableRange | PowerDigit, ...]  # of those that count up the first are the most significant
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
        """The cases of `apart`, each by the names of the digits; of no digit, one case."""
        for values in product(*(x.values for x in self.apart)):
            yield {x.name: value for x, value in zip(self.apart, values, strict=True)}


def read_grundy(section: ProofSection) -> GrundyProof:
    """Read such a section. Raises ClaimError."""
    return _GrundySectionParser(section).read()


class _GrundySectionParser:
    def __init__(self, section: ProofSection) -> None:
        self.section, self.source, self.table = section, section.source, section.table
        self.table.only(*KEYS)
        self.integers = section.integers
        self.others = section.types.keys() - self.integers.keys()

    def read(self) -> GrundyProof:
        digits = self._digits("digits")
        own = {d.name: INT for d in digits}
        arise = self._rows("arise")
        if not arise:
            self._counted("digits", digits)
        below_digits = self._counted("below_digits", self._digits("below_digits"))
        both = own | {d.name: INT for d in below_digits}
        for name in both:
            if name in self.integers or name in self.others or name in ("h", "y"):
                raise self.source.key_fault(("proof", "digits", name), f"the name {name!r} is taken", "another name")
        for name in ("h", "y"):
            if name in self.others:
                problem = f"the claim has a variable {name!r}, which is what the proof calls a heap"
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
            tuple(self._arising(i, t, own) for i, t in enumerate(arise)),
            below,
            below_digits,
            lemmas,
            options,
            tuple(self._at(i, t) for i, t in enumerate(at)),
            tuple(self._division(i, t, heaps) for i, t in enumerate(divide)),
            self._witness({d.name: INT for d in below_digits}),
            self._apart(digits),
        )

    def _rows(self, key: str) -> list[TomlTable]:
        return self.table.tables(key) if key in self.table.data else []

    def _term(self, keys: Keys, text: str, names: Mapping[str, Type], kind: Type = INT) -> t.Term:
        return self.section.terms_over({**self.integers, **names}).term(keys, text, kind)

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
                expected = f'"0..", "0..k-1" or "power of 2", of a number from 2 to {LARGEST_BASE}'
                raise self.source.fault(at, f"{text!r} is no range and no power", expected)
        return tuple(found)

    def _counted(self, key: str, digits: tuple[VariableRange | PowerDigit, ...]) -> tuple[VariableRange, ...]:
        """The digits, if they can count up: one goes up by one, those below it fall to 0."""
        found = []
        for digit in digits:
            if isinstance(digit, PowerDigit):
                problem = f"{digit.name} does not go up by one"
                expected = (
                    "[[proof.arise]], by which every heap gets its digits"
                    if key == "digits"
                    else 'a range, such as "0.."'
                )
                raise self.source.fault(("proof", key, digit.name), problem, expected)
            found.append(digit)
        if not found or any(d.hi is None for d in found[1:]) or found[0].hi is not None:
            raise self.source.fault(
                ("proof", key), "the first digit is without bound, the others are bounded", 'q = "0.."'
            )
        return tuple(found)

    def _arising(self, number: int, table: TomlTable, names: Mapping[str, Type]) -> Arising:
        at = ("proof", "arise", number)
        table.only("when", "from", "digits")
        heap = {"h": INT}
        when = self._term((*at, "when"), table.text("when"), heap, BOOL) if "when" in table.data else None
        smaller = self._term((*at, "from"), table.text("from"), heap) if "from" in table.data else None
        return Arising(when, smaller, self._all_digits(at, table, heap if smaller is None else {**names, **heap}))

    def _assignments(self, at: Keys, table: TomlTable, key: str, names: Mapping[str, Type]) -> Values:
        return tuple((name, self._term((*at, key, name), text, names)) for name, text in table.expressions(key))

    def _option(self, number: int, table: TomlTable, names: Mapping[str, Type]) -> Option:
        at = ("proof", "options", number)
        table.only("when", "pick", "digits", "take")
        when = (
            self._term((*at, "when"), table.text("when"), {**names, "h": INT}, BOOL) if "when" in table.data else None
        )
        picks = self._picks(at, table, names)
        names = {**names, **{pick.name: INT for pick in picks}}
        taken = self._assignments(at, table, "take", {**names, "h": INT, "y": INT})
        return Option(when, picks, self._all_digits(at, table, names), taken)

    def _picks(self, at: Keys, table: TomlTable, names: Mapping[str, Type]) -> tuple[PowerPick, ...]:
        found: list[PowerPick] = []
        for name, text in table.optional_table("pick").items():
            where = (*at, "pick", name)
            if name in names or name in self.section.types or name in ("h", "y"):
                raise self.source.key_fault(where, f"the name {name!r} is taken", "another name")
            if not isinstance(text, str):
                raise self.source.fault(where, f"{format_value(text)} is no pick", PICK)
            read = read_pick(text)
            if read is None:
                raise self.source.fault(where, f"{text!r} is no pick", PICK)
            base, written = read
            names = {**names, name: INT}
            condition = self._term(where, written, {**names, "h": INT}, BOOL)
            match condition:
                case t.Operation(op="le" | "lt", args=(_, bound)) if name not in free_names(expand_definitions(bound)):
                    found.append(PowerPick(name, base, condition, bound))
                case _:
                    problem = f"{written!r} does not bound {name}"
                    raise self.source.fault(where, problem, f"a comparison <= or < with {name} on the left alone")
        return tuple(found)

    def _all_digits(self, at: Keys, table: TomlTable, names: Mapping[str, Type]) -> Values:
        found = self._assignments(at, table, "digits", names)
        if {name for name, _ in found} != set(self.digits):
            raise self.source.fault((*at, "digits"), "these are not the digits of a heap", ", ".join(self.digits))
        return found

    def _at(self, number: int, table: TomlTable) -> At:
        at = ("proof", "at", number)
        table.only("heap", "digits")
        heap = self._term((*at, "heap"), table.text("heap"), {"h": INT})
        return At(heap, self._all_digits(at, table, {}) if "digits" in table.data else ())

    def _witness(self, names: Mapping[str, Type]) -> Witness | None:
        if "witness" not in self.table.data:
            return None
        at = ("proof", "witness")
        table = TomlTable(self.source, at, self.table.optional_table("witness"))
        table.only("digits", "lemma")
        found = self._all_digits(at, table, names)
        lemma = self._term((*at, "lemma"), table.text("lemma"), names, BOOL) if "lemma" in table.data else None
        return Witness(found, lemma)

    def _apart(self, digits: tuple[VariableRange | PowerDigit, ...]) -> tuple[Apart, ...]:
        counted = [d.name for d in digits if isinstance(d, VariableRange)]
        found, cases = [], 1
        for name, text in self.table.expressions("apart") if "apart" in self.table.data else ():
            at = ("proof", "apart", name)
            if name not in counted:
                raise self.source.key_fault(at, f"{name!r} is no digit with a range", ", ".join(counted))
            values = read_range(text)
            cases *= len(values or ())
            if values is None or cases > MOST_APART:
                problem = f"{text!r} is no range of numbers, or there are more than {MOST_APART} cases in all"
                raise self.source.fault(at, problem, '"0..1"')
            found.append(Apart(name, values))
        return tuple(found)

    def _division(self, number: int, table: TomlTable, names: Mapping[str, Type]) -> Division:
        at = ("proof", "divide", number)
        table.only("dividend", "divisor", "quotient", "remainder")
        parts = [self._term((*at, k), table.text(k), names) for k in ("dividend", "divisor", "quotient", "remainder")]
        return Division(*parts)
