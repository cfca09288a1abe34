"""Facts about numbers alone, on which it rests what picks grant and what remainders and places are read as."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from encoders.logic.integers import PRODUCT, pose_product
from encoders.logic.reader import Posed, Reader
from encoders.logic.terms import below, iff, negation, nim
from encoders.rules.folds import turns
from encoders.rules.folds.numbers.multiples import pose_apart
from encoders.rules.folds.numbers.places import any_place, has, is_highest, pose_first, pose_next
from encoders.rules.folds.reading.reader import FoldReader


def of_numbers(readers: Iterable[FoldReader]) -> Iterator[tuple[str, Callable[[Reader], Posed]]]:
    """What the remainders and the places rest on that were read, each with its name."""
    found = tuple(readers)
    if any(q.multiples.used for q in found):
        yield PRODUCT, pose_product
        yield turns.APART, lambda q: pose_apart(q.symbols)
    if placed := [q for q in found if q.places.used]:
        bounded = placed[0].bits is not None
        yield turns.FIRST_PLACE, lambda _: pose_first()
        yield turns.NEXT_PLACE, lambda q: pose_next(q.symbols, bounded)


# -- the pick of the top bit ------------------------------------------------------------------------------------------
def pose_column(q: FoldReader) -> Posed:
    """A nim-sum has a 1 exactly where an odd number of its terms has: of no term none has; one term more keeps it."""
    place, single = any_place(q.symbols, q.highest)
    rest, term = q.size("nim-sum of the rest"), q.size("term")
    odd = q.symbols.truth("an odd number of the rest", aside=False)
    after = iff(odd, negation(has(term, place)))
    return Posed((single, iff(has(rest, place), odd)), iff(has(nim(rest, term), place), after))


def pose_lowered(q: FoldReader) -> Posed:
    """A term with a 1 at the highest place of the nim-sum becomes smaller by nim-addition of that."""
    place, single = any_place(q.symbols, q.highest)
    whole, term = q.size("nim-sum"), q.size("term")
    return Posed((single, is_highest(place, whole), has(term, place)), below(nim(term, whole), term))
