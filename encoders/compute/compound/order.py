"""The order of heaps, which may have parts, and of positions.

Positions with fewer heaps come first, then positions of smaller total. Positions with equal numbers of heaps and equal
totals are compared heap by heap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product

from claims.language.files import domains as d
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import find_free_names
from encoders.compute.arrays.limits import MAX_POSITIONS, Deadline, TooLarge, group_digits
from encoders.trust import count_heaps

Heap = Value  # a number, or the tuple of its parts
Position = tuple[Heap, ...]


def as_integer(value: Value) -> int:
    """Return the value unchanged, typed as an integer. It must be an integer."""
    assert isinstance(value, int)
    return value


def as_list(value: Value) -> tuple[Value, ...]:
    """Return the value unchanged, typed as a tuple. It must be a list, set, position or heap with parts."""
    assert isinstance(value, tuple)
    return value


def as_position(value: Value) -> Position:
    """Return the value unchanged, typed as a position. It must be a position."""
    return as_list(value)


def weigh(value: Value) -> int:
    """Return the sum of the absolute values of all numbers in a value.

    >>> weigh((((1, -4), 2), ((3,), 0)))
    10
    """
    return sum(map(weigh, value)) if isinstance(value, tuple) else abs(as_integer(value))


def rank_heap(heap: Heap) -> tuple[int, Heap]:
    """Return the sort key of a heap: its size (the sum of the absolute values of its numbers), then its parts."""
    return weigh(heap), heap


def rank_list(value: Value) -> tuple[int, int, Value]:
    """Return the sort key of a list: its length, the sum of the absolute values of its numbers, then its entries."""
    return len(as_list(value)), weigh(value), value


def rank_position(s: Position) -> tuple[int, int, list[tuple[int, Heap]]]:
    return len(s), weigh(s), [rank_heap(h) for h in s]


def sort_positions(found: Iterable[Position]) -> list[Position]:
    return sorted(found, key=rank_position)


def list_heaps(bound: d.PositionRange, clock: Deadline) -> list[Heap]:
    """Return all heaps within the bounds of a scope, in order. Raise TooLarge or OutOfTime.

    The conditions of a game are not considered, so some of these heaps may not be heaps of the game.
    """
    if (count := count_heaps(bound)) > MAX_POSITIONS:
        raise TooLarge(f"the scope contains {group_digits(count)} heaps, more than {group_digits(MAX_POSITIONS)}")
    if not bound.parts:
        return list(range(max(1, bound.size.lo), bound.size.hi + 1))
    found: list[Heap] = []
    for heap in product(*([*_list_part(part)] for _, part in bound.parts)):
        found.append(heap)
        if len(found) % 10_000 == 0:
            clock.check()
    return sorted(found, key=rank_heap)


def _list_part(bound: d.Range | d.ListRange) -> Iterator[Value]:
    if isinstance(bound, d.Range):
        yield from range(bound.lo, bound.hi + 1)
        return
    for length in range(bound.length.lo, bound.length.hi + 1):
        yield from product(range(bound.each.lo, bound.each.hi + 1), repeat=length)


def list_lists(bound: d.ListRange, clock: Deadline) -> Iterator[Value]:
    """Yield the lists within the bounds of a scope, ordered by length, total size, and entries.

    Raise TooLarge or OutOfTime.
    """
    numbers = range(bound.each.lo, bound.each.hi + 1)
    for length in range(bound.length.lo, bound.length.hi + 1):
        if len(numbers) ** length > MAX_POSITIONS:
            raise TooLarge(f"the scope contains more than {group_digits(MAX_POSITIONS)} lists of {length} numbers")
        clock.check()
        yield from sorted(product(numbers, repeat=length), key=weigh)


def list_positions(heaps: list[Heap], bound: d.PositionRange, clock: Deadline) -> Iterator[Position]:
    """Yield the positions of a scope in order; `heaps` must be sorted. Raise TooLarge or OutOfTime."""
    found = _list_all(heaps, bound.heaps, clock)
    if bound.total is None:
        return found
    low, high = bound.total.lo, bound.total.hi
    return (s for s in found if low <= weigh(s) <= high)


def _list_all(heaps: list[Heap], count: d.Range, clock: Deadline) -> Iterator[Position]:
    weights = list(map(weigh, heaps)) if count.hi > 1 else []
    for number in range(count.lo, count.hi + 1):
        if number < 2:
            yield from ((h,) for h in heaps) if number else [()]
            continue
        found: list[tuple[int, tuple[int, ...]]] = []
        for places in combinations_with_replacement(range(len(heaps)), number):
            found.append((sum(weights[i] for i in places), places))
            if len(found) > MAX_POSITIONS:
                raise TooLarge(
                    f"the scope contains more than {group_digits(MAX_POSITIONS)} positions of {number} heaps"
                )
            if len(found) % 10_000 == 0:
                clock.check()
        yield from (tuple(heaps[i] for i in places) for _, places in sorted(found))


def is_sum_over_heaps(measure: t.Term) -> bool:
    """Whether a measure has the form sum(... for h in s ...), and s occurs only there."""
    match measure:
        case t.Comprehension(reducer="sum", body=body, clauses=(t.Clause(_, t.Variable(name="s"), first), *others)):
            inside = (body, *first, *(x for clause in others for x in (clause.source, *clause.conditions)))
            return all("s" not in find_free_names(x) for x in inside)
    return False


def is_additive(measure: t.Term) -> bool:
    """Return whether a measure is, by its syntax, the sum of its values at the single heaps.

    Examples are `sum(h * h for h in s)` and `2 * sum(s) - len(s)`. Such a measure is 0 for the empty position.
    """
    match measure:
        case t.Operation(op="sum" | "len", args=(t.Variable(name="s"),)):
            return True
        case t.Operation(op="add" | "sub", args=(a, b)):
            return is_additive(a) and is_additive(b)
        case t.Operation(op="mul", args=(t.Literal(), a)):
            return is_additive(a)
    return is_sum_over_heaps(measure)
