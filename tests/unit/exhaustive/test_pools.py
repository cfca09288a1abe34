"""The numbers of positions: each position has one, which stays its own, and the order of positions is told by ranks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.positions import PositionSet, list_box, sort_heaps

POSITIONS = st.lists(st.integers(0, 9), max_size=4).map(lambda heaps: tuple(sorted(filter(None, heaps))))


def as_rows(positions: list[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array([(0,) * (width - len(p)) + p for p in positions], dtype=np.int64).reshape(-1, width)


@given(st.lists(st.lists(POSITIONS, max_size=6), max_size=5), st.integers(0, 2), st.integers(4, 6))
def test_each_position_has_one_number_for_good(rounds: list[list[tuple[int, ...]]], heaps: int, width: int) -> None:
    pool = Pool(PositionSet(list_box(heaps, 3)))
    known = {pool.heaps(id): id for id in range(len(pool))}
    assert sorted(known.values()) == list(range(len(list_box(heaps, 3))))
    for positions in rounds:
        ids = pool.intern(as_rows(positions, width)).tolist()
        for position, id in zip(positions, ids, strict=True):
            assert known.setdefault(position, id) == id
        assert len(pool.rank) == len(pool) == len(known)
    assert known == {pool.heaps(id): id for id in range(len(pool))}
    assert set(known.values()) == set(range(len(pool)))
    by_rank = [pool.heaps(id) for id in np.argsort(pool.rank).tolist()]
    assert by_rank == sorted(known, key=lambda p: (len(p), sum(p), p))
    assert sorted(pool.rank.tolist()) == list(range(len(pool)))


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[st.integers(-3, 9)] * width), min_size=1)))
def test_heaps_are_put_in_ascending_order(rows: list[tuple[int, ...]]) -> None:
    assert sort_heaps(np.array(rows)).tolist() == [sorted(row) for row in rows]
