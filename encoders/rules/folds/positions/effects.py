"""What moves are known to do to the terms of nim-sums, once it has been shown apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from claims.language.terms import terms as t
from encoders.logic.terms import ONE, ZERO, compare, equal, nim, sub
from encoders.rules.folds.positions.positions import Fold
from encoders.rules.folds.statement.section import FoldsMove

Effect = Callable[[Fold, t.Term, t.Term, t.Term], t.Term]
ADDED = "adds that nim-sum to the term of"
EFFECTS: Mapping[str, Effect] = {
    ADDED: lambda fold, whole, heap, size: equal(fold.term(size), nim(fold.of(heap), whole)),
    "takes what it takes from the term of": lambda fold, _, heap, size: equal(
        fold.term(size), sub(fold.of(heap), sub(heap, size))
    ),
    "leaves 0 as the term of": lambda fold, _whole, _heap, size: equal(fold.term(size), ZERO),
    "leaves 1 as the term of": lambda fold, _whole, _heap, size: equal(fold.term(size), ONE),
}
"""In words, what a named move may do to its heap's term of a nim-sum: of the fold, its value, heap and size left."""


@dataclass(frozen=True)
class Cuts:
    """`changing`: nim-sums, by their names in the proof, of which every legal move changes its heap's term.

    `doing`: (a named move, the name of a nim-sum, which of EFFECTS it has on that).
    """

    changing: tuple[str, ...] = ()
    doing: tuple[tuple[FoldsMove, str, str], ...] = ()


NO_CUTS = Cuts()


def changes(fold: Fold, heap: t.Term, size: t.Term) -> t.Term:
    """That a heap adds something else to the fold than one of that size."""
    return compare("ne", fold.term(heap), fold.term(size))
