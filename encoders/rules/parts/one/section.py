"""The [proof] section with rule = "one heap": who wins from a position of one heap with parts, for all numbers in it.

    [proof]
    rule = "one heap"

    [[proof.heaps]]                       # heaps of one form: each list with so many elements
    c = ["a", "b"]                        # what its numbers are called; of a part that is a number its name, "x"
    loses = "a == b"                      # where the mover loses

    [[proof.heaps]]                       # a move may leave heaps of other forms: each has a table
    c = ["a"]
    loses = "False"

    [[proof.moves]]                       # a move to a heap that is lost
    heap = 1                              # from which of these heaps, may be left out where there is one
    when = "a > b"
    move = 1                              # which of the [[moves]] of the ruleset
    take = { m = "a - b" }                # the numbers, or lists, picked

Lemmas about integers, [proof.lemmas.name], as in encoders/rules/kit/lemmas.py: they are used at values in these names,
and in what a move picks.  See docs/proof-rules.md for the rule and why it is sound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claims.language.grammar.tokens import is_name
from claims.language.heaps.shape import HeapShape
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Proof
from claims.language.statement.context import ExpressionContext
from claims.language.statement.rulesets import Move, Ruleset
from claims.language.terms.terms import Term
from claims.language.terms.types import BOOL, INT, Type
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys
from encoders.rules.kit.lemmas import LemmaSection, NamedLemma

Names = str | tuple[str, ...]


@dataclass(frozen=True, eq=False)
class NamedHeap:
    """A form of heaps. `parts`: the name of a number, or those of the elements of a list; `loses`: where it is lost."""

    parts: tuple[Names, ...]
    loses: Term

    @property
    def lengths(self) -> tuple[int | None, ...]:
        """Of the lists; None for a number."""
        return tuple(len(x) if isinstance(x, tuple) else None for x in self.parts)


@dataclass(frozen=True, eq=False)
class OneHeapMove:
    """A move to a loss from heaps of the form `heap` (from 0) where `when` holds; `number`: which of the [[moves]]."""

    heap: int
    when: Term
    number: int
    take: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class OneProof(Proof):
    rule: ClassVar[str] = "one heap"
    heaps: tuple[NamedHeap, ...]
    moves: tuple[OneHeapMove, ...]
    lemmas: tuple[NamedLemma, ...] = ()


def read_one(section: ProofSection) -> OneProof:
    """Read such a section. Raises ClaimError."""
    table, ruleset = section.table, section.ruleset
    if ruleset is None or ruleset.heap is None:
        problem = "a proof about one heap with parts, and no such game or several"
        raise section.source.key_fault(("proof",), problem, "a claim about one game whose ruleset has [heap]")
    table.only("rule", "heaps", "moves", "lemmas")
    reader = _OneHeapSectionParser(section, ruleset.heap)
    heaps = tuple(reader.heap(i, x) for i, x in enumerate(table.tables("heaps")))
    forms = [heap.lengths for heap in heaps]
    for i, form in enumerate(forms):
        if form in forms[:i]:
            raise section.source.fault(("proof", "heaps", i), "the form of a heap that has a table already", "one each")
    rows = table.tables("moves") if "moves" in table.data else []
    moves = tuple(reader.move(i, x, len(heaps)) for i, x in enumerate(rows))
    return OneProof(heaps, moves, LemmaSection(section, reader.list_names(ruleset)).lemmas())


class _OneHeapSectionParser:
    def __init__(self, section: ProofSection, shape: HeapShape) -> None:
        self.section, self.source, self.shape = section, section.source, shape
        self.names: list[dict[str, Type]] = []  # of each heap

    def heap(self, number: int, table: TomlTable) -> NamedHeap:
        at: Keys = ("proof", "heaps", number)
        table.only(*(part.name for part in self.shape.parts), "loses")
        names: dict[str, Type] = dict(self.section.integers)
        parts: list[Names] = []
        for part in self.shape.parts:
            keys = (*at, part.name)
            if part.is_list:
                value = table.take(part.name)
                if not isinstance(value, list):
                    raise self.source.fault(keys, f"{format_value(value)} lists no names", f'{part.name} = ["a", "b"]')
                parts.append(tuple(self._declare((*keys, i), x, names) for i, x in enumerate(value)))
            else:
                parts.append(self._declare(keys, table.text(part.name), names))
        self.names.append(names)
        loses = self.section.terms_over(names).term((*at, "loses"), table.text("loses"), BOOL)
        return NamedHeap(tuple(parts), loses)

    def list_names(self, ruleset: Ruleset) -> dict[str, Type]:
        """What values of lemmas may speak of: the numbers of all heaps, and what is picked under other names."""
        picks = {pick.name: INT for move in ruleset.moves for pick in move.picks if pick.type == INT}
        return {**picks, **{name: kind for names in self.names for name, kind in names.items()}}

    def _declare(self, keys: Keys, name: object, names: dict[str, Type]) -> str:
        if not isinstance(name, str) or not is_name(name):
            raise self.source.fault(keys, f"{format_value(name)} is no name", 'a name for the number, "a"')
        if name in {**names, **self.section.types, **self.section.definitions}:
            problem = f"the name {name!r} is taken"
            raise self.source.fault(keys, problem, "a name that the claim and the heap do not use")
        names[name] = INT
        return name

    def move(self, number: int, table: TomlTable, heaps: int) -> OneHeapMove:
        at: Keys = ("proof", "moves", number)
        ruleset = self.section.ruleset
        assert ruleset is not None
        table.only("heap", "when", "move", "take")
        heap = read_number(table, "heap", heaps)
        which = read_number(table, "move", len(ruleset.moves))
        terms = self.section.terms_over(self.names[heap])
        when = terms.term((*at, "when"), table.text("when"), BOOL)
        return OneHeapMove(heap, when, which, read_picks(table, terms, ruleset.moves[which]))


def read_picks(table: TomlTable, terms: ExpressionContext, move: Move) -> tuple[tuple[str, Term], ...]:
    """What the `take` of a named move says of the numbers, or lists, that are picked. Raises ClaimError."""
    keys, source = (*table.keys, "take"), table.source
    picks = {pick.name: pick.type for pick in move.picks}
    take = []
    for name, text in table.expressions("take") if "take" in table.data else ():
        if name not in picks:
            problem = f"this move of the game picks no {name!r}"
            raise source.key_fault((*keys, name), problem, f"one of {', '.join(picks) or 'none'}")
        take.append((name, terms.term((*keys, name), text, picks[name])))
    if missing := [name for name in picks if name not in dict(take)]:
        raise source.fault(table.keys, f"nothing says what {missing[0]} is", f'take = {{ {missing[0]} = "..." }}')
    return tuple(take)


def read_number(table: TomlTable, key: str, most: int) -> int:
    """The number under a key, from 1 on, as one from 0 on; it may be left out where there is one alone.

    Raises ClaimError.
    """
    if key not in table.data and most == 1:
        return 0
    value = table.take(key)
    if type(value) is not int or not 1 <= value <= most:
        raise table.fault(key, f"{format_value(value)} is none of them", f"a number from 1 to {most}")
    return value - 1
