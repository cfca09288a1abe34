"""Positions of any number of heaps, seen through folds.

A fold is put together heap by heap: a heap that meets the fold's condition contributes its value, and contributions
combine by nim-addition (nim_sum), addition (sum) or counting (count).  So of a position {h} + R only the heap h and the
folds of R are needed, and those are free variables: whatever holds for all their values holds for every R.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import z3

from encoders.answer import Unsupported
from encoders.logic.words import Number, Symbols

Key = Hashable  # everything that a fold is made of: equal for two folds only if they are the same


@dataclass(eq=False)
class Fold:
    """`reducer` is nim_sum or count. `contributes(h)`: whether a heap does; `of(h)`: what (for nim_sum).

    `label` names it to people.  `plain`: the nim-sum of all heaps, to which one that is absent, being 0, adds nothing.
    """

    key: Key
    label: str
    reducer: str
    contributes: Callable[[Number], Any]
    of: Callable[[Number], Number]
    plain: bool = False

    def empty(self, symbols: Symbols) -> Number:
        """The fold of no heap."""
        return symbols.literal(0)

    def combined(self, symbols: Symbols, heap: Number, present: Any, rest: Number) -> Number:
        """The fold of a position made of `heap`, if it is `present` (above 0), and a rest with the fold `rest`."""
        if self.plain:
            return symbols.nim(heap, rest)
        here = z3.And(present, self.contributes(heap))
        if self.reducer == "count":
            return symbols.add(symbols.choose(here, symbols.literal(1), symbols.literal(0)), rest)
        value = symbols.choose(here, self.of(heap), symbols.literal(0))
        return symbols.nim(value, rest)

    def fresh(self, symbols: Symbols, owner: str) -> tuple[Number, Any]:
        """A free value for it, with the bounds that every value has."""
        if self.reducer == "count":
            return symbols.count(f"{self.label} of {owner}")
        return symbols.size(f"{self.label} of {owner}")


@dataclass(eq=False)
class Position:
    """A position by its folds. `parts` None: a free one; else a heap, whether it is present, and the rest.

    `listed`: all of its heaps with whether they are present, where they are known one by one; else None.
    """

    name: str
    symbols: Symbols
    parts: tuple[Number, Any, Position] | None = None
    empty: bool = False
    listed: tuple[tuple[Number, Any], ...] | None = None
    values: dict[Key, Number] = field(default_factory=dict)
    bounds: list[Any] = field(default_factory=list)

    def fold(self, fold: Fold) -> Number:
        """The value of a fold; a free position gets a fresh one the first time."""
        if fold.key not in self.values:
            if self.empty:
                self.values[fold.key] = fold.empty(self.symbols)
            elif self.parts is not None:
                heap, present, rest = self.parts
                self.values[fold.key] = fold.combined(self.symbols, heap, present, rest.fold(fold))
            else:
                self.values[fold.key], bound = fold.fresh(self.symbols, self.name)
                self.bounds.append(bound)
        return self.values[fold.key]


def of_heaps(symbols: Symbols, name: str, heaps: tuple[tuple[Number, Any], ...]) -> Position:
    """The position of these heaps, each with the condition that it is present."""
    made = Position(name, symbols, empty=True, listed=())
    for i, (heap, present) in enumerate(heaps, 1):
        made = Position(name, symbols, (heap, present, made), listed=heaps[:i])
    return made


MOST_ALIKE = 5  # heaps of positions that are compared one by one


def alike(a: Position, b: Position) -> Any:
    """Whether two positions that are written down are the same. Raises Unsupported for others."""
    if a.listed is None or b.listed is None or max(len(a.listed), len(b.listed)) > MOST_ALIKE:
        raise Unsupported("whether two positions are the same that are not written down heap by heap")
    symbols, zero = a.symbols, a.symbols.literal(0)
    width = max(len(a.listed), len(b.listed))
    first, second = ([h for h, _ in x.listed or ()] + [zero] * (width - len(x.listed or ())) for x in (a, b))
    orders = (zip(first, order, strict=True) for order in permutations(second))
    equal = [
        z3.And(*(symbols.relation("eq", x, y) for x, y in pairs), z3.BoolVal(True, symbols.context)) for pairs in orders
    ]
    return z3.Or(*equal)


def same(symbols: Symbols, a: Number, b: Number) -> Any:
    """a == b, for two values of one fold."""
    if a.kind == "literal" and b.kind == "literal":
        if a.lo == b.lo == a.hi == b.hi:
            return z3.BoolVal(True, symbols.context)
        raise Unsupported("two different literals for one fold")
    return symbols.relation("eq", a, b)
