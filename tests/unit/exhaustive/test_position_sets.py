"""Positions are found by their rows; every method of lookup agrees with a dictionary.

The positions of a claim have fixed numbers, and ranks determine their order.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.compute.arrays import positions
from encoders.compute.arrays.positions import (
    Pool,
    PositionSet,
    add_heaps,
    find_order,
    list_box,
    pad_columns,
    sort_heaps,
)

SPARSE = [[0, 0, 7], [0, 3, 300], [1, 1, 1], [2, 40, 900]]
FAR = [[0, 0, 5], [0, 1, 1 << 40], [3, 3, 1 << 30]]  # too large to be packed into one word
WIDE = [[*[0] * (20 - n), *range(1, n + 1)] for n in range(1, 21, 3)]

SETS = {
    "none but the empty one": PositionSet.box(0, 1),
    "one heap": PositionSet.box(1, 6),
    "a box of two heaps": PositionSet.box(2, 9),
    "a box of three": PositionSet.box(3, 4),
    "a box without some": PositionSet.from_rows(PositionSet.box(2, 9).rows[::2]),
    "few, far apart": PositionSet.from_rows(np.array(SPARSE)),
    "too large for one word": PositionSet.from_rows(np.array(FAR)),
    "too wide for one word": PositionSet.from_rows(np.array(WIDE)),
}


@pytest.mark.parametrize("name", SETS)
def test_every_row_is_found_or_not(name: str) -> None:
    found = SETS[name]
    number = {tuple(h for h in row if h): i for i, row in enumerate(found.rows.tolist())}
    assert len(number) == len(found)
    width = max(3, found.width)
    wide = np.concatenate([pad_columns(PositionSet.box(3, 12).rows, width), pad_columns(found.rows, width)])
    for rows in (wide, wide[wide[:, 0] == 0][:, 1:], wide[:0]):
        expected = [number.get(tuple(h for h in row if h), -1) for row in rows.tolist()]
        assert found.find(rows).tolist() == expected
    assert set(found.find(wide).tolist()) >= set(range(len(found)))


@pytest.mark.parametrize("mixed", [lambda rows: np.zeros(len(rows), dtype=np.uint64), None])
def test_rows_are_told_apart_though_their_hashes_are_not(monkeypatch: pytest.MonkeyPatch, mixed) -> None:
    if mixed is not None:
        monkeypatch.setattr(positions, "_mix", mixed)
    found = PositionSet.from_rows(np.array(WIDE))
    others = np.array(WIDE) + np.eye(20, dtype=np.int64)[19]
    assert found.find(np.array(WIDE)[::-1]).tolist() == list(range(7))[::-1]
    assert found.find(others).tolist() == [-1] * 7


def test_a_hash_that_some_other_row_has_is_not_taken_for_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "_mix", lambda rows: rows[:, -1].astype(np.uint64))  # only by the largest heap
    assert PositionSet.from_rows(np.array(FAR)).find(np.array([[0, 2, 1 << 40], [0, 1, 1 << 40]])).tolist() == [-1, 1]


def test_a_heap_too_large_is_not_taken_for_two_smaller_ones() -> None:
    """In a box with heaps to 9, (1, 0) and a heap of 10 would have the same code."""
    box = PositionSet.box(2, 9)
    assert box.find(np.array([[0, 10], [0, 19], [5, 10], [0, 99], [10, 10]])).tolist() == [-1] * 5
    assert box.find(np.array([[1, 0, 1], [0, 0, 1]])).tolist() == [-1, 1]


def test_the_order_is_by_heaps_then_total_then_heaps() -> None:
    rows = np.array([[0, 3, 3], [0, 0, 9], [1, 1, 1], [0, 2, 4], [0, 0, 0], [0, 1, 1]])
    ordered = rows[find_order(rows)].tolist()
    assert ordered == [[0, 0, 0], [0, 0, 9], [0, 1, 1], [0, 2, 4], [0, 3, 3], [1, 1, 1]]
    assert add_heaps(rows).tolist() == [6, 9, 3, 6, 0, 2]


# -- numbers -----------------------------------------------------------------------------------------------------------
POSITIONS = st.lists(st.integers(0, 9) | st.just(1 << 40), max_size=4).map(
    lambda heaps: tuple(sorted(filter(None, heaps)))
)


def as_rows(positions: list[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array([(0,) * (width - len(p)) + p for p in positions], dtype=np.int64).reshape(-1, width)


@given(st.lists(st.lists(POSITIONS, max_size=6), max_size=5), st.integers(0, 2), st.integers(4, 6))
@pytest.mark.slow
def test_each_position_has_one_number_for_good(rounds: list[list[tuple[int, ...]]], heaps: int, width: int) -> None:
    pool = Pool(PositionSet(list_box(heaps, 3)))
    known = {pool.heaps(id): id for id in range(len(pool))}
    assert sorted(known.values()) == list(range(len(list_box(heaps, 3))))
    for some in rounds:
        ids = pool.intern(as_rows(some, width)).tolist()
        for position, id in zip(some, ids, strict=True):
            assert known.setdefault(position, id) == id
        assert len(pool.rank) == len(pool) == len(known)
    assert known == {pool.heaps(id): id for id in range(len(pool))}
    assert set(known.values()) == set(range(len(pool)))
    by_rank = [pool.heaps(id) for id in np.argsort(pool.rank).tolist()]
    assert by_rank == sorted(known, key=lambda p: (len(p), sum(p), p))
    assert sorted(pool.rank.tolist()) == list(range(len(pool)))


@pytest.mark.parametrize("at_once", [3, 1000])
def test_of_few_heaps_each_has_one_number_too(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many positions come at once, some twice, and larger ones later; some rows and heaps have no place in a table."""
    monkeypatch.setattr(positions, "_AT_ONCE", at_once)
    draw, pool = np.random.default_rng(31), Pool(PositionSet(np.zeros((1, 1), dtype=np.int64)))
    known: dict[tuple[int, ...], int] = {(): 0}
    for most in (3, 9, 9, 30, 30, 30, 31, 30):
        near, wide, again = (draw.integers(0, most, (count, 2)) for count in (25, 9, 25))
        far = np.array([[most, 1000 * most]]) * (most > 30)
        for rows in map(sort_heaps, (near, pad_columns(wide, 9), again, far)):
            for row, id in zip(rows.tolist(), pool.intern(rows).tolist(), strict=True):
                assert known.setdefault(tuple(h for h in row if h), id) == id
            assert known == {pool.heaps(id): id for id in range(len(pool))}
            assert len(pool) == len(known)


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[st.integers(-3, 9)] * width), min_size=1)))
@pytest.mark.slow
def test_heaps_are_put_in_ascending_order(rows: list[tuple[int, ...]]) -> None:
    assert sort_heaps(np.array(rows)).tolist() == [sorted(row) for row in rows]
