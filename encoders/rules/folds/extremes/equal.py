"""Positions of equal heaps: when another position is the same."""

from __future__ import annotations

from claims.language.expressions import terms as t
from encoders.logic.terms import YES, ZERO, both, either, equal
from encoders.rules.folds.extremes.terms import LARGEST, LEAST
from encoders.rules.folds.reading.positions import Position, alike
from encoders.rules.folds.reading.theory import Theory


def same_position(theory: Theory, a: Position, b: Position) -> t.Term:
    """Whether two positions are the same.

    One of n equal heaps is known by its number of heaps and, if there is one, by the least and the largest being of
    their size; others must be written down heap by heap.  Raises Unsupported.
    """
    if a is b:
        return YES
    for one, other in ((a, b), (b, a)):
        if one.copies is not None:
            size, number = one.copies
            ends = (equal(other.fold(theory.extreme(which)), size) for which in (LEAST, LARGEST))
            return both(equal(other.fold(theory.heaps), number), either(equal(number, ZERO), both(*ends)))
    return alike(a, b)
