"""Values by the free numbers on each line agree with the mex of the options, in boxes of several words too."""

from functools import cache

import numpy as np
import pytest

from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.compute.arrays.move_tables import HeapStep, Kinds, MoveTable, Tie, serves, solve_values
from encoders.compute.arrays.positions import PositionSet


def take_any(size: int, two_alike: bool) -> Kinds:
    """Return moves that take any number from one heap or, if `two_alike`, the same number from two heaps."""
    every = (2 << size) - 1
    steps = tuple(HeapStep((m, m), (every >> m << m,) * 2) for m in range(1, size + 1))
    table = MoveTable(tuple((1 << h) - 1 for h in range(size + 1)))
    return Kinds(size, table, (), (Tie(steps),) if two_alike else ())


def options(position: tuple[int, ...], two_alike: bool):
    for i, h in enumerate(position):
        for m in range(1, h + 1):
            yield tuple(sorted((*position[:i], h - m, *position[i + 1 :])))
            for j in range(i + 1, len(position) if two_alike else 0):
                if m <= position[j]:
                    both = list(position)
                    both[i], both[j] = h - m, position[j] - m
                    yield tuple(sorted(both))


@cache
def find_least(heaps: int, size: int, two_alike: bool) -> list[int]:
    """Return the values of the positions of a box, in the order of the box."""
    known: dict[tuple[int, ...], int] = {}
    rows = [tuple(row) for row in PositionSet.box(heaps, size).rows.tolist()]
    for position in sorted(rows, key=sum):
        seen = {known[o] for o in options(position, two_alike)}
        known[position] = next(v for v in range(len(seen) + 1) if v not in seen)
    return [known[row] for row in rows]


@pytest.mark.parametrize("most", [0, 10**9], ids=["kernel", "together"])
@pytest.mark.parametrize("two_alike", [True, False])
@pytest.mark.parametrize(("heaps", "size"), [(2, 1), (2, 7), (2, 75), (3, 5), (3, 24), (4, 9)])
def test_values_are_the_least_that_no_option_has(
    heaps: int, size: int, two_alike: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("encoders.compute.arrays.move_tables._SMALL", most)
    monkeypatch.setattr("encoders.compute.arrays.move_tables._LOADED", most)
    kinds, box = take_any(size, two_alike), PositionSet.box(heaps, size)
    assert serves(kinds)
    found = solve_values(kinds, box, Deadline(None))
    assert found.tolist() == find_least(heaps, size, two_alike)
    assert size < 70 or found.max() >= 64  # a second word occurs


@pytest.mark.slow
def test_nim_has_the_nim_sum() -> None:
    box = PositionSet.box(3, 127)
    rows = box.rows
    assert np.array_equal(solve_values(take_any(127, False), box, Deadline(None)), rows[:, 0] ^ rows[:, 1] ^ rows[:, 2])


def test_other_moves_are_not_solved_so() -> None:
    size = 9
    kinds = take_any(size, True)
    (tie,), become = kinds.ties, kinds.single.become
    for single, products, ties in [
        (MoveTable((*become[:-1], become[-1] & ~1)), (), kinds.ties),
        (kinds.single, ((kinds.single, kinds.single),), ()),
        (kinds.single, (), (Tie(tie.steps[:-1]),)),
        (kinds.single, (), (tie, Tie(tie.steps[:1]))),
        (kinds.single, (), (Tie(tuple(HeapStep((*s.take, s.take[0]), (*s.legal, s.legal[0])) for s in tie.steps)),)),
    ]:
        assert not serves(Kinds(size, single, products, ties))


def test_the_clock_is_looked_at() -> None:
    with pytest.raises(OutOfTime):
        solve_values(take_any(9, True), PositionSet.box(2, 9), Deadline(-1.0))
