"""Conditions at every place of a grid as formulas over rows of bits, evaluated for some outer places at a time.

A row of a formula is words, as in `words`: of the shape (outer places or 1, words or 1), so that what does not depend
on an axis is not written out along it.  Bits beyond the last may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays.values import Array, Scalars
from encoders.exhaustive.boxes.bits.numbers import BoxGrid, BoxTable, NotApplicable, Number
from encoders.exhaustive.boxes.bits.words import ALL, pack


@dataclass(frozen=True, eq=False)
class Leaf:
    """Truth values known as a number is."""

    value: Number

    @cached_property
    def _rows(self) -> Array:
        scalars = self.value.rows if isinstance(self.value, BoxTable) else self.value
        if scalars.data.shape[1] == 1:
            return np.where(scalars.data, ALL, np.uint64(0))
        return pack(scalars.data)

    def find(self, part: slice, known: dict[int, Array]) -> Array:
        if isinstance(self.value, BoxTable):
            return self._rows if len(self._rows) == 1 else self._rows.take(self.value.index[part], axis=0)
        return self._rows if len(self._rows) == 1 else self._rows[part]


@dataclass(frozen=True, eq=False)
class Stored:
    """What `load` gives, once and for all: an array (outer, words)."""

    load: Callable[[], Array]

    @cached_property
    def _rows(self) -> Array:
        return self.load()

    def find(self, part: slice, known: dict[int, Array]) -> Array:
        return self._rows[part]


@dataclass(frozen=True, eq=False)
class Combined:
    """`op` of formulas: "and", "or", "xor" of two or more, "not" of one."""

    op: str
    parts: tuple[Formula, ...]

    def find(self, part: slice, known: dict[int, Array]) -> Array:
        found = evaluate(self.parts[0], part, known)
        if self.op == "not":
            return ~found
        for other in self.parts[1:]:
            found = _JOIN[self.op](found, evaluate(other, part, known))
        return np.asarray(found)


_JOIN: dict[str, np.ufunc] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
Formula = Leaf | Stored | Combined


def evaluate(formula: Formula, part: slice, known: dict[int, Array]) -> Array:
    """The rows of a formula at some outer places. `known`: what was found there already, by the ids of formulas."""
    found = known.get(id(formula))
    if found is None:
        found = known[id(formula)] = formula.find(part, known)
    return found


TRUE = Leaf(Scalars(np.ones((1, 1), dtype=bool)))
FALSE = Leaf(Scalars(np.zeros((1, 1), dtype=bool)))


def hold(value: Number) -> Formula:
    """Truth values as a formula: TRUE or FALSE where they are the same everywhere."""
    data = value.rows.data if isinstance(value, BoxTable) else value.data
    return TRUE if data.all() else Leaf(value) if data.any() else FALSE


def both(*parts: Formula) -> Formula:
    """The conjunction."""
    left = tuple(p for p in parts if p is not TRUE)
    return FALSE if FALSE in left else TRUE if not left else left[0] if len(left) == 1 else Combined("and", left)


def either(*parts: Formula) -> Formula:
    """The disjunction."""
    left = tuple(p for p in parts if p is not FALSE)
    return TRUE if TRUE in left else FALSE if not left else left[0] if len(left) == 1 else Combined("or", left)


def negate(part: Formula) -> Formula:
    """The negation."""
    if part is TRUE or part is FALSE:
        return FALSE if part is TRUE else TRUE
    return part.parts[0] if isinstance(part, Combined) and part.op == "not" else Combined("not", (part,))


def differ(a: Formula, b: Formula) -> Formula:
    """Where exactly one of two holds."""
    return Combined("xor", (a, b))


def choose(test: Formula, then: Formula, other: Formula) -> Formula:
    """`then` where the test holds, else `other`."""
    return either(both(test, then), both(negate(test), other))


def condense(formula: Formula, grid: BoxGrid) -> Number:
    """A formula as truth values known as a number is. Raises NotApplicable where it asks who wins."""
    if isinstance(formula, Leaf):
        return formula.value
    if isinstance(formula, Stored):
        raise NotApplicable("who wins, counted")
    found = condense(formula.parts[0], grid)
    if formula.op == "not":
        return grid.apply(lambda v: Scalars(~v[0].data), (found,))
    for part in formula.parts[1:]:
        found = grid.apply(lambda v: Scalars(_JOIN[formula.op](v[0].data, v[1].data)), (found, condense(part, grid)))
    return found


# -- what terms mean --------------------------------------------------------------------------------------------------
# What a term may mean: a number, a condition, the position of each place, an outcome.


HIDDEN = "a term that the bits do not know"


@dataclass(frozen=True, eq=False)
class Truth:
    """Where a condition holds, and where it is ill-defined; what `holds` says there means nothing."""

    holds: Formula
    bad: Formula = FALSE


@dataclass(frozen=True, eq=False)
class BoxHeaps:
    """The position of each place: its heaps, in any order, zeros for heaps that are not there."""

    sizes: tuple[Scalars, ...]


@dataclass(frozen=True, eq=False)
class Winners:
    """An outcome: where the first and where the second player wins, moving first."""

    first: Formula
    second: Formula


Meant = Number | Truth | BoxHeaps | Winners
Names = Mapping[str, Meant]


def require_truth(found: Meant) -> Truth:
    """It as a condition. Raises NotApplicable for what is none."""
    if isinstance(found, Truth):
        return found
    if isinstance(found, BoxHeaps | Winners):
        raise NotApplicable(HIDDEN)
    return as_truth(found)


def as_truth(value: Number) -> Truth:
    """Truth values known as a number is, as a condition."""
    scalars = value.rows if isinstance(value, BoxTable) else value
    if scalars.bad is None:
        return Truth(Leaf(value))
    bad = Scalars(scalars.bad)
    return Truth(Leaf(value), Leaf(BoxTable(value.index, bad) if isinstance(value, BoxTable) else bad))


def find_bad(value: Meant) -> Formula:
    """Where it is ill-defined."""
    if isinstance(value, Truth):
        return value.bad
    return FALSE if isinstance(value, BoxHeaps | Winners) else as_truth(value).bad


def compare_outcomes(args: list[Meant]) -> Formula:
    """Where an outcome is a given one, or two are equal. Raises NotApplicable."""
    a, b = args
    if isinstance(a, Winners) and isinstance(b, Winners):
        return both(negate(differ(a.first, b.first)), negate(differ(a.second, b.second)))
    winners, other = (a, b) if isinstance(a, Winners) else (b, a)
    if not isinstance(winners, Winners) or not isinstance(other, Scalars) or other.data.size != 1:
        raise NotApplicable(HIDDEN)
    name = t.OUTCOMES[int(other.data[0, 0])]
    first = winners.first if name in ("N_position", "first_wins") else negate(winners.first)
    second = winners.second if name in ("N_position", "second_wins") else negate(winners.second)
    return both(first, second)
