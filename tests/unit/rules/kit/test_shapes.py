"""The shape of a position, heap by heap: number of heaps, least heap, its multiplicity, largest heap, in this order."""

from itertools import combinations_with_replacement, permutations

import pytest
from random_terms import values_of

from claims.language.syntax import terms as t
from encoders.logic.sequents import YES, integer
from encoders.rules.value import PositionShape, add_heap, build_shape, choose_shape, empty, names, possible

POSITIONS = [heaps for n in range(5) for heaps in combinations_with_replacement((1, 2, 3), n)]
ROW: list[dict[str, int]] = [{"unused": 0}]


def values(*terms: t.Term) -> tuple[int | None, ...]:
    ((found),) = values_of(*terms, rows=ROW)
    return found


def shape_of(heaps: tuple[int, ...], ordered: int) -> tuple[int, ...]:
    least, largest = min(heaps, default=0), max(heaps, default=0)
    sizes = sorted(heaps) + [0] * ordered if len(heaps) <= ordered else [0] * ordered
    return (len(heaps), least, heaps.count(least), largest, *sizes[:ordered])


@pytest.mark.parametrize("ordered", range(4))
@pytest.mark.parametrize("heaps", POSITIONS)
def test_a_shape_made_heap_by_heap_is_that_of_the_position(heaps: tuple[int, ...], ordered: int) -> None:
    for order in set(permutations(heaps)):
        made = empty(ordered)
        for heap in order:
            made = add_heap(made, integer(heap))
        *parts, is_possible = values(*made.parts, possible(made))
        assert tuple(parts) == shape_of(heaps, ordered)
        assert is_possible


@pytest.mark.parametrize("parts",
[
        (-1, 0, 0, 0), (0, 1, 0, 1), (0, 0, 0, 1), (1, 0, 1, 1), (1, 2, 1, 1), (1, 1, 0, 1), (1, 1, 2, 1),
        (1, 1, 1, 2), (2, 1, 2, 3), (2, 1, 3, 2), (2, 2, 1, 2), (2, 1, 1, 1),
        (0, 0, 0, 0, 1), (1, 2, 1, 2, 3), (1, 2, 1, 2, 0), (1, 2, 1, 2, 2, 1), (2, 1, 1, 2, 2, 1), (2, 1, 1, 2, 1, 3),
        (3, 1, 1, 2, 1, 1, 2), (3, 1, 1, 2, 1, 2), (3, 1, 2, 4, 1, 2, 4),
    ],
)  # fmt: skip
def test_what_no_position_has_is_not_possible(parts: tuple[int, ...]) -> None:
    assert values(possible(build_shape(map(integer, parts)))) == (0,)


def test_a_choice_between_shapes() -> None:
    a, b = (build_shape(map(integer, parts)) for parts in ((1, 2, 1, 2, 2), (2, 1, 1, 3, 0)))
    assert values(*choose_shape(YES, a, b).parts) == (1, 2, 1, 2, 2)
    assert values(*choose_shape(t.Operation(YES.type, 0, 0, "not", (YES,)), a, b).parts) == (2, 1, 1, 3, 0)


def test_the_parts_by_the_names_that_a_formula_calls_them() -> None:
    made = build_shape(map(integer, (4, 1, 2, 3, 5, 6)))
    assert isinstance(made, PositionShape)
    found = {name: x.value for name, x in made.env().items() if isinstance(x, t.Literal)}
    assert found == dict(zip(names(2), (4, 1, 2, 3, 5, 6), strict=True))
