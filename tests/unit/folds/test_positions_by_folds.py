"""Folds of literal positions, heap by heap, and the equality of two literal positions."""

from collections import Counter
from functools import reduce
from itertools import combinations_with_replacement, product
from operator import xor

import pytest
from random_terms import values_of

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from encoders.logic.sequents import ONE, YES, ZERO, Symbols, add, at_least, compare, integer, sub
from encoders.refusals import Unsupported
from encoders.rules.folds.positions import (
    COUNT,
    MOST_ALIKE,
    NIM_SUM,
    SUM,
    AnyFold,
    Extremes,
    Fold,
    HeapReplacement,
    OptionalHeap,
    Position,
    make_position,
    positions_equal,
)

HEAPS = [heaps for n in range(4) for heaps in product((0, 1, 2, 3), repeat=n)]
HIGHEST = 7
ROW: list[dict[str, int]] = [{"unused": 0}]


def large(h: t.Term) -> t.Term:
    return at_least(h, integer(2))


def always(h: t.Term) -> t.Term:
    return YES


EXTREMES = Extremes()
FOLDS: dict[str, AnyFold] = {
    "nim-sum of the heaps": Fold("a", "", NIM_SUM, always, lambda h: h, plain=True),
    "nim-sum of one more than each": Fold("b", "", NIM_SUM, always, lambda h: add(h, ONE)),
    "nim-sum of those of 2 and more": Fold("c", "", NIM_SUM, large, lambda h: h),
    "how many": Fold("d", "", COUNT, always, lambda h: h),
    "how many of 2 and more": Fold("e", "", COUNT, large, lambda h: h),
    "total": Fold("f", "", SUM, always, lambda h: h),
    "total of 5 less than each of 2 and more": Fold("g", "", SUM, large, lambda h: sub(h, integer(5)), natural=False),
    "the least": EXTREMES.least,
    "the largest": EXTREMES.largest,
    "how often the least": EXTREMES.least_times,
    "how often the largest": EXTREMES.largest_times,
}


def means(name: str, heaps: tuple[int, ...]) -> int:
    there = [h for h in heaps if h]
    few = [h for h in there if h >= 2]
    return {
        "nim-sum of the heaps": reduce(xor, there, 0),
        "nim-sum of one more than each": reduce(xor, (h + 1 for h in there), 0),
        "nim-sum of those of 2 and more": reduce(xor, few, 0),
        "how many": len(there),
        "how many of 2 and more": len(few),
        "total": sum(there),
        "total of 5 less than each of 2 and more": sum(h - 5 for h in few),
        "the least": min(there, default=0),
        "the largest": max(there, default=0),
        "how often the least": there.count(min(there, default=0)),
        "how often the largest": there.count(max(there, default=0)),
    }[name]


def written(heaps: tuple[int, ...]) -> Position:
    listed = (integer(h) for h in heaps)
    return make_position(Symbols(), HIGHEST, "s", tuple(OptionalHeap(h, compare("gt", h, ZERO)) for h in listed))


def value(term: t.Term) -> int | None:
    ((found,),) = values_of(term, rows=ROW)
    return found


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.slow
def test_folds_of_heaps_that_are_written_down(name: str) -> None:
    for heaps in HEAPS:
        assert value(written(heaps).fold(FOLDS[name])) == means(name, heaps), heaps


@pytest.mark.parametrize("name", FOLDS)
def test_folds_of_equal_heaps(name: str) -> None:
    for size, number in product((1, 2, 3), range(4)):
        copies = (integer(size), integer(number))
        s = Position("s", Symbols(), HIGHEST, copies=copies)
        assert value(s.fold(FOLDS[name])) == means(name, (size,) * number), copies


PARTS = ("how many", "the least", "the largest", "how often the least", "how often the largest")


def possible(numbers: tuple[int, ...], made: tuple[str, ...] = PARTS) -> bool:
    """Whether the known facts about the parts of a literal position are true for the numbers."""
    s = Position("s", Symbols(), HIGHEST)
    s.values = {FOLDS[name].key: integer(x) for name, x in zip(PARTS, numbers, strict=True)}
    known = EXTREMES.possible(s, FOLDS["how many"], {FOLDS[name].key for name in made})
    return all(value(x) for x in known)


@pytest.mark.slow
def test_what_is_known_of_least_and_largest_heaps_is_what_is_true_of_them() -> None:
    real = {tuple(means(name, heaps) for name in PARTS) for n in range(4) for heaps in product(range(5), repeat=n)}
    for numbers in product(range(4), range(5), range(5), range(4), range(4)):
        assert possible(numbers) is (numbers in real), numbers
    for made in product((True, False), repeat=4):
        names = tuple(name for name, there in zip(PARTS[1:], made, strict=True) if there)
        assert all(possible(numbers, names) for numbers in real), names


@pytest.mark.parametrize(("name", "highest"), [("nim-sum of the heaps", HIGHEST), ("how many", None)])
def test_folds_of_a_position_of_which_nothing_is_known(name: str, highest: int | None) -> None:
    symbols, fold = Symbols(), FOLDS[name]
    s = Position("s", symbols, HIGHEST)
    rest = Position("rest of s", symbols, HIGHEST)
    assert s.fold(fold) is s.fold(fold)
    assert rest.fold(fold) is not s.fold(fold)
    assert s.fold(FOLDS["how many of 2 and more"]) is not s.fold(fold)
    first, other, _ = symbols.by_name.values()
    assert (first.lo, first.hi, first.aside) == (0, highest, False)
    assert (other.lo, other.hi, other.aside) == (0, highest, True)
    whole = Position("whole", symbols, HIGHEST, (OptionalHeap(integer(5)), rest))
    assert print_term(whole.fold(fold)) == f"{'1 +' if highest is None else '5 ^'}  of rest of s"


@pytest.mark.slow
def test_positions_are_the_same_with_the_same_heaps_in_any_order() -> None:
    for a, b in combinations_with_replacement(HEAPS, 2):
        same = Counter(filter(None, a)) == Counter(filter(None, b))
        if len(a) + len(b) <= 5:
            assert bool(value(positions_equal(written(a), written(b)))) is same, (a, b)


def test_only_few_heaps_that_are_written_down_are_compared() -> None:
    many, free = written((1,) * (MOST_ALIKE + 1)), Position("s", Symbols(), HIGHEST)
    for a, b in ((many, written(())), (written(()), many), (free, written(())), (written(()), free)):
        with pytest.raises(Unsupported, match="positions can be compared only if"):
            positions_equal(a, b)


def test_positions_with_one_heap_changed_are_alike_if_the_heaps_say_so() -> None:
    s, n = Position("s", Symbols(), HIGHEST), 0
    for heaps in ((1, 1, 3), (1, 2), (2, 2, 2), (1, 2, 3)):
        for (h, x), (g, y) in product(product(set(heaps), range(5)), repeat=2):
            first, second = (
                Position("after", Symbols(), HIGHEST, change=HeapReplacement(s, integer(a), integer(b), s))
                for a, b in ((h, x), (g, y))
            )
            left = Counter(heaps) - Counter([h]) + Counter([x] if x else [])
            right = Counter(heaps) - Counter([g]) + Counter([y] if y else [])
            assert value(positions_equal(first, second)) == (left == right), (heaps, h, x, g, y)
            n += left == right
            assert value(positions_equal(first, s)) == value(positions_equal(s, first)) == (left == Counter(heaps))
    assert n >= 50
    other = Position(
        "after", Symbols(), HIGHEST, change=HeapReplacement(Position("r", Symbols(), HIGHEST), ONE, ZERO, s)
    )
    with pytest.raises(Unsupported):
        positions_equal(first, other)
