"""What moves are known to do to the terms of nim-sums, once it has been shown apart."""

from __future__ import annotations

from dataclasses import dataclass

from claims.language.expressions import terms as t
from encoders.logic.terms import compare, equal, nim
from encoders.rules.folds.reading.positions import Fold
from encoders.rules.folds.section import NamedMove


@dataclass(frozen=True)
class Cuts:
    """`changing`: nim-sums, by their names in the proof, of which every legal move changes its heap's term.

    `restoring`: named moves at the top bit of a nim-sum X that turn their heap's term into its nim-sum with X.
    """

    changing: tuple[str, ...] = ()
    restoring: tuple[NamedMove, ...] = ()


NO_CUTS = Cuts()


def changes(fold: Fold, heap: t.Term, size: t.Term) -> t.Term:
    """That a heap adds something else to the fold than one of that size."""
    return compare("ne", fold.term(heap), fold.term(size))


def restores(fold: Fold, whole: t.Term, heap: t.Term, size: t.Term) -> t.Term:
    """That a heap of the size adds what this heap does, and `whole`."""
    return equal(fold.term(size), nim(fold.of(heap), whole))
