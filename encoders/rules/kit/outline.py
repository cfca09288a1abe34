"""The outline of a proof: what its rule reads in [proof], line by line, and which obligations show each line.

It is for readers: nothing is proved by it.  Obligations are named by the functions that name the sequents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from claims.language.terms.terms import Operation, Term, Variable
from claims.language.terms.types import INT


class WordingKind(Enum):
    """How the one term of a cell can be put into words."""

    CONDITION = "condition"
    FOLD = "fold"


@dataclass(frozen=True, eq=False)
class OutlineCell:
    """Words and terms in the order in which they are read. `also`: what a reader is told in words as well."""

    parts: tuple[str | Term, ...] = ()
    also: WordingKind | None = None


@dataclass(frozen=True, eq=False)
class NamedPlay:
    """A move that a line names, so that an instance of it can be looked for.

    Where `when` holds of the position `position`, and `fits` of its heap `heap`, `mover` may leave `leaves` of that
    heap, the lowest that fits or with `largest` the largest; after that the next player loses, if `wins`.
    All terms are over the claim's integers, the position and the heap.
    """

    game: str
    mover: int
    position: str
    heap: str
    when: Term
    fits: Term
    leaves: Term
    wins: bool


@dataclass(frozen=True, eq=False)
class OutlineRow:
    """One line. `shown_by`: (what is shown, in a word or two; the name of the obligation)."""

    cells: tuple[OutlineCell, ...]
    shown_by: tuple[tuple[str, str], ...] = ()
    play: NamedPlay | None = None


@dataclass(frozen=True, eq=False)
class OutlineTable:
    """Lines of one kind. `title` and `columns`: its headings; `kind`: "loses", "folds", "facts", "moves" and so on.

    `names`: what the terms call numbers that are read off a position, with what these are.  `where`: the case of the
    claim that it is about, None for all of it.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    lines: tuple[OutlineRow, ...]
    names: Mapping[str, Term] = field(default_factory=dict)
    where: Term | None = None


@dataclass(frozen=True, eq=False)
class Outline:
    """`summary`: the argument in a sentence or two."""

    summary: str
    tables: tuple[OutlineTable, ...]


def say(*parts: str | Term) -> OutlineCell:
    """A cell of words and terms, empty words left out."""
    return OutlineCell(tuple(x for x in parts if x != ""))


def when(term: Term | None) -> OutlineCell:
    """A cell that says when something is so; None: always."""
    return OutlineCell(("always",)) if term is None else OutlineCell((term,), WordingKind.CONDITION)


Parts = list[str | Term]


def listed(each: Iterable[Iterable[str | Term]]) -> Parts:
    """The parts of a cell, with commas between what belongs to each."""
    parts: Parts = []
    for own in each:
        parts += [*((", ",) if parts else ()), *own]
    return parts


def name_of(name: str) -> Term:
    """The number of that name."""
    return Variable(INT, 0, 0, name)


def assigned(pairs: Iterable[tuple[str, Term]]) -> Parts:
    """What numbers are, by their names."""
    return listed(_equal(name, term) for name, term in pairs)


def _equal(name: str, term: Term) -> Parts:
    if _is_kept(name, term):
        return [name_of(name), "=", term]  # a relation that is always so would be shown as such
    return [Operation(term.type, 0, 0, "eq", (name_of(name), term))]


def changed(pairs: Iterable[tuple[str, Term]]) -> Parts:
    """What becomes of numbers, by their names; of those that stay nothing is said unless all do."""
    pairs = tuple(pairs)
    new = [(name, term) for name, term in pairs if not _is_kept(name, term)]
    if not new:
        return ["the same ", *listed([name_of(name)] for name, _ in pairs)]
    return listed([name_of(name), "becomes", term] for name, term in new)


def _is_kept(name: str, term: Term) -> bool:
    return isinstance(term, Variable) and term.name == name


def ranging(name: str, lo: Term, hi: Term | None) -> Parts:
    """In which range a number lies; `hi` None: without bound."""
    return [name_of(name), "from", lo, *(("up",) if hi is None else ("to", hi))]
