"""Positions are found again by their rows, however they are looked up: every way says what a dictionary says."""

import numpy as np
import pytest

from encoders.exhaustive.arrays.positions import PositionSet, add_heaps, find_order

SPARSE = [[0, 0, 7], [0, 3, 300], [1, 1, 1], [2, 40, 900]]
FAR = [[0, 0, 5], [0, 1, 1 << 40], [3, 3, 1 << 30]]  # too large to be packed into one word

SETS = {
    "none but the empty one": PositionSet.box(0, 1),
    "one heap": PositionSet.box(1, 6),
    "a box of two heaps": PositionSet.box(2, 9),
    "a box of three": PositionSet.box(3, 4),
    "a box without some": PositionSet.of(PositionSet.box(2, 9).rows[::2]),
    "few, far apart": PositionSet.of(np.array(SPARSE)),
    "too large for one word": PositionSet.of(np.array(FAR)),
}


@pytest.mark.parametrize("name", SETS)
def test_every_row_is_found_or_not(name: str) -> None:
    found = SETS[name]
    number = {tuple(h for h in row if h): i for i, row in enumerate(found.rows.tolist())}
    assert len(number) == len(found)
    box = PositionSet.box(3, 12).rows
    wide = np.concatenate([box, np.pad(found.rows, ((0, 0), (max(0, 3 - found.width), 0)))[:, -3:]])
    for rows in (wide, wide[wide[:, 0] == 0][:, 1:], wide[:0]):
        expected = [number.get(tuple(h for h in row if h), -1) for row in rows.tolist()]
        assert found.find(rows).tolist() == expected
    assert set(found.find(wide).tolist()) >= set(range(len(found)))


def test_a_heap_too_large_is_not_taken_for_two_smaller_ones() -> None:
    """Of a box to 9, in which (1, 0) and a heap of 10 would be spelt alike."""
    box = PositionSet.box(2, 9)
    assert box.find(np.array([[0, 10], [0, 19], [5, 10], [0, 99], [10, 10]])).tolist() == [-1] * 5
    assert box.find(np.array([[1, 0, 1], [0, 0, 1]])).tolist() == [-1, 1]


def test_the_order_is_by_heaps_then_total_then_heaps() -> None:
    rows = np.array([[0, 3, 3], [0, 0, 9], [1, 1, 1], [0, 2, 4], [0, 0, 0], [0, 1, 1]])
    ordered = rows[find_order(rows)].tolist()
    assert ordered == [[0, 0, 0], [0, 0, 9], [0, 1, 1], [0, 2, 4], [0, 3, 3], [1, 1, 1]]
    assert add_heaps(rows).tolist() == [6, 9, 3, 6, 0, 2]
