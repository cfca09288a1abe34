"""The [proof] section with rule = "places": who wins, or the values, where heaps are lists of any length.

    [proof]
    rule = "places"
    loses = "X == 0"                      # where the mover loses, over the folds and the claim's integers
    place = "top bit of X"                # where the moves below are made: heap h, place i

    [proof.folds]                         # name = a nim-sum, a sum or a count over the places of the lists
    X = "nim_sum(h.c[i] for h in s for i in range(len(h.c)) if i % 2 == 0)"

    [[proof.moves]]                       # a move to a loss
    when = "i > 0"
    move = 2                              # which of the [[moves]] of the ruleset
    take = { i = "i", m = "h.c[i] - (h.c[i] ^ X)" }

In place of `loses`:

    value = "X"                           # the Grundy value of a position
    below = "v"                           # what a smaller one is called, to which the moves lead
    place = "top bit of X ^ v"

See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from claims.language.expressions.walk import free_names
from claims.language.grammar.tokens import is_name
from claims.language.heaps.shape import HeapShape
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Proof
from claims.language.statement.context import ExpressionContext
from claims.language.statement.unfolding import expand_definitions
from claims.language.terms.terms import Operation, Term, Variable
from claims.language.terms.types import BOOL, INT, position_of
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys
from encoders.rules.parts.one.section import read_number, read_picks
from encoders.rules.parts.places.folds import NIM_SUM, PlaceFold, find_fold

PICKED_HEAP, PICKED_PLACE, POSITION_NAME = "h", "i", "s"
_TOP_BIT = re.compile(r"\s*top bit of (?P<sum>.+)", re.DOTALL)


@dataclass(frozen=True, eq=False)
class NamedFold:
    name: str
    term: Term


@dataclass(frozen=True, eq=False)
class PlaceChoice:
    """The place of a heap at the top bit of the fold `name`, or of that and the smaller number `aim` (None: 0)."""

    name: str
    aim: Term | None


@dataclass(frozen=True, eq=False)
class PlacesMove:
    """A move on the heap and the place that are picked, where `when` holds; `number`: which of the [[moves]]."""

    when: Term
    number: int
    take: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class PlacesProof(Proof):
    """`position`: what the folds call the position. `loses`: where the mover loses; None where `value` is given.

    `value`: the Grundy value of a position; `below`: what a smaller number is called.  `pick` None: no move is named.
    """

    rule: ClassVar[str] = "places"
    position: str
    folds: tuple[NamedFold, ...]
    loses: Term | None
    value: Term | None
    below: str
    pick: PlaceChoice | None
    moves: tuple[PlacesMove, ...]


def read_places(section: ProofSection) -> PlacesProof:
    """Read such a section. Raises ClaimError."""
    table, ruleset = section.table, section.ruleset
    if ruleset is None or ruleset.heap is None:
        problem = "a proof about heaps with lists, and no such game or several"
        raise section.source.key_fault(("proof",), problem, "a claim about one game whose ruleset has [heap]")
    table.only("rule", "folds", "loses", "value", "below", "place", "moves")
    return _PlacesSectionParser(section, ruleset.heap).read()


class _PlacesSectionParser:
    def __init__(self, section: ProofSection, shape: HeapShape) -> None:
        self.section, self.source, self.shape, self.table = section, section.source, shape, section.table
        positions = [name for name, kind in section.types.items() if kind.is_position]
        if len(positions) > 1:
            expected = "a claim with one variable of that kind, or with none"
            raise self.source.key_fault(("proof",), "a proof is about one position", expected)
        self.position = positions[0] if positions else POSITION_NAME
        self.inner = section.terms_over(section.integers)

    def read(self) -> PlacesProof:
        folds = tuple(self._fold(name, text) for name, text in self.table.expressions("folds"))
        self.inner.types.update({fold.name: INT for fold in folds})
        loses, value, below = self._read_losing()
        pick = self._read_pick(folds, below) if "place" in self.table.data else None
        rows = self.table.tables("moves") if "moves" in self.table.data else []
        if rows and pick is None:
            expected = 'a line place = "top bit of X", with X the name of a nim-sum'
            raise self.source.key_fault(("proof", "moves"), "nothing says at which place they are made", expected)
        moves = tuple(self._move(i, x, below) for i, x in enumerate(rows))
        return PlacesProof(self.position, folds, loses, value, below, pick, moves)

    def _fold(self, name: str, text: str) -> NamedFold:
        keys = ("proof", "folds", name)
        claim = ExpressionContext(self.source, self.section.facts, self.section.definitions, self.section.files)
        claim.types.update({self.position: position_of(self.shape.type), **self.section.types})
        term = claim.term(keys, text, INT)
        if self._find(term) is None:
            expected = "nim_sum, sum or count over h in s, or over h in s for i in range(len(h.c)), with conditions"
            raise self.source.fault(keys, "this is no fold over the places of lists", expected)
        self._refuse_taken(keys, name)
        return NamedFold(name, term)

    def _refuse_taken(self, keys: Keys, name: str) -> None:
        taken = (*self.section.types, *self.section.definitions, *self.inner.types, PICKED_HEAP, PICKED_PLACE)
        if not is_name(name) or name in taken:
            problem = f"the name {name!r} is taken" if is_name(name) else f"{format_value(name)} is no name"
            raise self.source.key_fault(keys, problem, "a name that the claim and the proof do not use")

    def _read_losing(self) -> tuple[Term | None, Term | None, str]:
        """(`loses`, `value`, `below`)."""
        if ("loses" in self.table.data) == ("value" in self.table.data):
            expected = 'loses = "X == 0", or value = "X" and below = "v"'
            problem = "it says either where the mover loses or the value of a position"
            raise self.source.key_fault(("proof",), problem, expected)
        if "loses" in self.table.data:
            if "below" in self.table.data:
                raise self.source.fault(("proof", "below"), "a smaller value, and no value", 'a line value = "X"')
            return self.inner.term(("proof", "loses"), self.table.text("loses"), BOOL), None, ""
        value, below = self.inner.term(("proof", "value"), self.table.text("value"), INT), self.table.text("below")
        self._refuse_taken(("proof", "below"), below)
        return None, value, below

    def _read_pick(self, folds: tuple[NamedFold, ...], below: str) -> PlaceChoice:
        keys, text = ("proof", "place"), self.table.text("place")
        expected = '"top bit of X", with X the name of a nim-sum, or "top bit of X ^ v", with v a number of the proof'
        sums = {fold.name for fold in folds if self._is_nim_sum(fold)}
        if not (found := _TOP_BIT.fullmatch(text)):
            raise self.source.fault(keys, "this picks no place", expected)
        match self._names_of_claim(below).term(keys, found["sum"], INT, found.start("sum")):
            case Variable(name=name) if name in sums:
                return PlaceChoice(name, None)
            case Operation(op="nim", args=(Variable(name=name), aim)) if name in sums:
                if {fold.name for fold in folds}.isdisjoint(free_names(expand_definitions(aim))):
                    return PlaceChoice(name, aim)
        raise self.source.fault(keys, f"the top bit of {found['sum'].strip()} is that of no nim-sum", expected)

    def _is_nim_sum(self, fold: NamedFold) -> bool:
        """Whether it is a nim-sum over places."""
        found = self._find(fold.term)
        return found is not None and found.reducer == NIM_SUM and found.low is not None

    def _find(self, term: Term) -> PlaceFold | None:
        found = find_fold(expand_definitions(term), lambda position: position == self.position)
        return None if found is None else found[1]

    def _names_of_claim(self, below: str) -> ExpressionContext:
        """Reads terms over the claim's integers, the folds and the smaller value."""
        return self.section.terms_over({**self.inner.types, **({below: INT} if below else {})})

    def _move(self, number: int, table: TomlTable, below: str) -> PlacesMove:
        at: Keys = ("proof", "moves", number)
        table.only("when", "move", "take")
        ruleset = self.section.ruleset
        assert ruleset is not None
        names = self._names_of_claim(below)
        if taken := {PICKED_HEAP, PICKED_PLACE} & set(self.section.types):
            problem = f"the claim has a variable {min(taken)!r}, which is what named moves call the heap or the place"
            raise self.source.key_fault(at, problem, "another name for the variable")
        names.types.update({PICKED_HEAP: self.shape.type, PICKED_PLACE: INT})
        when = names.term((*at, "when"), table.text("when"), BOOL)
        which = read_number(table, "move", len(ruleset.moves))
        return PlacesMove(when, which, read_picks(table, names, ruleset.moves[which]))
