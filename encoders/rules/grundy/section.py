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

See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from claims.language.expressions.terms import Term
from claims.language.expressions.types import BOOL, INT, Type
from claims.language.proofs.sections import Section
from claims.language.statement.claim import Proof
from claims.language.statement.domains import split_range
from claims.language.toml.reader import Table, said
from claims.language.toml.source import Keys


@dataclass(frozen=True, eq=False)
class Digit:
    """lo <= name <= hi; `hi` None: without bound. The first digits are the most significant."""

    name: str
    lo: Term
    hi: Term | None


@dataclass(frozen=True, eq=False)
class Option:
    """Where `when` holds, the heap with these digits is moved to by picking `take`."""

    when: Term | None
    digits: tuple[tuple[str, Term], ...]
    take: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class At:
    """A heap of the claim and its digits; without digits, its digits are named as in the proof."""

    heap: Term
    digits: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class Division:
    """dividend = divisor * quotient + remainder with 0 <= remainder < divisor."""

    dividend: Term
    divisor: Term
    quotient: Term
    remainder: Term


@dataclass(frozen=True, eq=False)
class Witness:
    """The digits of a heap with a given value, from the value's digits; `lemma` is about those."""

    digits: tuple[tuple[str, Term], ...]
    lemma: Term | None


@dataclass(frozen=True, eq=False)
class GrundyProof(Proof):
    """A proof of the Grundy values of single heaps. Terms are over the claim's integers and the digits in scope."""

    rule: ClassVar[str] = "grundy"
    heap: Term
    value: Term
    digits: tuple[Digit, ...]
    below: Term
    below_digits: tuple[Digit, ...]
    lemmas: tuple[tuple[str, Term], ...]
    options: tuple[Option, ...]
    at: tuple[At, ...]
    divisions: tuple[Division, ...]
    witness: Witness | None = None


def read_grundy(section: Section) -> GrundyProof:
    """Read such a section. Raises ClaimError."""
    return _SectionReader(section).read()


class _SectionReader:
    def __init__(self, section: Section) -> None:
        self.section, self.source, self.table = section, section.source, section.table
        self.table.only(
            "rule", "heap", "value", "digits", "below", "below_digits", "lemmas", "options", "at", "divide", "witness"
        )
        self.integers = section.integers
        self.others = section.types.keys() - self.integers.keys()

    def read(self) -> GrundyProof:
        digits = self._digits("digits", {})
        own = {d.name: INT for d in digits}
        below_digits = self._digits("below_digits", own)
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
            (n, self._term(("proof", "lemmas", n), text, both, BOOL)) for n, text in self._texts(("proof", "lemmas"))
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
            below,
            below_digits,
            lemmas,
            options,
            tuple(self._at(i, t) for i, t in enumerate(at)),
            tuple(self._division(i, t, heaps) for i, t in enumerate(divide)),
            self._witness({d.name: INT for d in below_digits}),
        )

    def _rows(self, key: str) -> list[Table]:
        return self.table.tables(key) if key in self.table.data else []

    def _term(self, keys: Keys, text: str, names: Mapping[str, Type], kind: Type = INT) -> Term:
        return self.section.terms_over({**self.integers, **names}).term(keys, text, kind)

    def _texts(self, keys: Keys) -> list[tuple[str, str]]:
        table = self.source.data["proof"].get(keys[-1], {}) if len(keys) == 2 else {}
        if not isinstance(table, dict):
            raise self.source.fault(keys, f"{said(table)} is no table", 'lines such as name = "expression"')
        for name, text in table.items():
            if not isinstance(text, str):
                raise self.source.fault((*keys, name), f"{said(text)} is no expression", "an expression in quotes")
        return list(table.items())

    def _digits(self, key: str, names: Mapping[str, Type]) -> tuple[Digit, ...]:
        found = []
        for name, text in self._texts(("proof", key)):
            sides = split_range(text)
            if sides is None:
                raise self.source.fault(("proof", key, name), f"{text!r} is no range", '"0.." or "0..k-1"')
            at = ("proof", key, name)
            hi = self._term(at, sides[1], {}) if sides[1] else None
            found.append(Digit(name, self._term(at, sides[0], {}), hi))
        if not found or any(d.hi is None for d in found[1:]) or found[0].hi is not None:
            raise self.source.fault(
                ("proof", key), "the first digit is without bound, the others are bounded", 'q = "0.."'
            )
        return tuple(found)

    def _assignments(self, at: Keys, table: Table, key: str, names: Mapping[str, Type]) -> tuple[tuple[str, Term], ...]:
        found = []
        for name, text in table.optional_table(key).items():
            if not isinstance(text, str):
                raise self.source.fault((*at, key, name), f"{said(text)} is no expression", "an expression in quotes")
            found.append((name, self._term((*at, key, name), text, names)))
        return tuple(found)

    def _option(self, number: int, table: Table, names: Mapping[str, Type]) -> Option:
        at = ("proof", "options", number)
        table.only("when", "digits", "take")
        inner = {**names, "h": INT, "y": INT}
        when = (
            self._term((*at, "when"), table.text("when"), {**names, "h": INT}, BOOL) if "when" in table.data else None
        )
        return Option(when, self._all_digits(at, table, names), self._assignments(at, table, "take", inner))

    def _all_digits(self, at: Keys, table: Table, names: Mapping[str, Type]) -> tuple[tuple[str, Term], ...]:
        found = self._assignments(at, table, "digits", names)
        if {name for name, _ in found} != set(self.digits):
            raise self.source.fault((*at, "digits"), "these are not the digits of a heap", ", ".join(self.digits))
        return found

    def _at(self, number: int, table: Table) -> At:
        at = ("proof", "at", number)
        table.only("heap", "digits")
        heap = self._term((*at, "heap"), table.text("heap"), {"h": INT})
        return At(heap, self._all_digits(at, table, {}) if "digits" in table.data else ())

    def _witness(self, names: Mapping[str, Type]) -> Witness | None:
        if "witness" not in self.table.data:
            return None
        at = ("proof", "witness")
        table = Table(self.source, at, self.table.optional_table("witness"))
        table.only("digits", "lemma")
        found = self._all_digits(at, table, names)
        lemma = self._term((*at, "lemma"), table.text("lemma"), names, BOOL) if "lemma" in table.data else None
        return Witness(found, lemma)

    def _division(self, number: int, table: Table, names: Mapping[str, Type]) -> Division:
        at = ("proof", "divide", number)
        table.only("dividend", "divisor", "quotient", "remainder")
        parts = [self._term((*at, k), table.text(k), names) for k in ("dividend", "divisor", "quotient", "remainder")]
        return Division(*parts)
