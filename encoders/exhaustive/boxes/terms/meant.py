"""What a term may mean: a number, a condition, the position of each place, an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claims.language.expressions import terms as t
from encoders.exhaustive.arrays.values import Scalars
from encoders.exhaustive.boxes.terms import formulas as f
from encoders.exhaustive.boxes.terms.formulas import FALSE, Formula, Leaf
from encoders.exhaustive.boxes.terms.numbers import NotApplicable, Number, Table

HIDDEN = "a term that the bits do not know"


@dataclass(frozen=True, eq=False)
class Truth:
    """Where a condition holds, and where it is ill-defined; what `holds` says there means nothing."""

    holds: Formula
    bad: Formula = FALSE


@dataclass(frozen=True, eq=False)
class Heaps:
    """The position of each place: its heaps, in any order, zeros for heaps that are not there."""

    sizes: tuple[Scalars, ...]


@dataclass(frozen=True, eq=False)
class Winners:
    """An outcome: where the first and where the second player wins, moving first."""

    first: Formula
    second: Formula


Meant = Number | Truth | Heaps | Winners
Names = Mapping[str, Meant]


def require_truth(found: Meant) -> Truth:
    """It as a condition. Raises NotApplicable for what is none."""
    if isinstance(found, Truth):
        return found
    if isinstance(found, Heaps | Winners):
        raise NotApplicable(HIDDEN)
    return as_truth(found)


def as_truth(value: Number) -> Truth:
    """Truth values known as a number is, as a condition."""
    scalars = value.rows if isinstance(value, Table) else value
    if scalars.bad is None:
        return Truth(Leaf(value))
    bad = Scalars(scalars.bad)
    return Truth(Leaf(value), Leaf(Table(value.index, bad) if isinstance(value, Table) else bad))


def find_bad(value: Meant) -> Formula:
    """Where it is ill-defined."""
    if isinstance(value, Truth):
        return value.bad
    return FALSE if isinstance(value, Heaps | Winners) else as_truth(value).bad


def compare_outcomes(args: list[Meant]) -> Formula:
    """Where an outcome is a given one, or two are equal. Raises NotApplicable."""
    a, b = args
    if isinstance(a, Winners) and isinstance(b, Winners):
        return f.both(f.negate(f.differ(a.first, b.first)), f.negate(f.differ(a.second, b.second)))
    winners, other = (a, b) if isinstance(a, Winners) else (b, a)
    if not isinstance(winners, Winners) or not isinstance(other, Scalars) or other.data.size != 1:
        raise NotApplicable(HIDDEN)
    name = t.OUTCOMES[int(other.data[0, 0])]
    first = winners.first if name in ("N_position", "first_wins") else f.negate(winners.first)
    second = winners.second if name in ("N_position", "second_wins") else f.negate(winners.second)
    return f.both(first, second)
