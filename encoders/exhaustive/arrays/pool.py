"""All positions met in a claim, numbered: a position is one integer everywhere in the engine."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.limits import SAFE, TooLarge
from encoders.exhaustive.arrays.positions import PositionSet, drop_empty_columns, find_order, fit
from encoders.exhaustive.arrays.segments import group_places
from encoders.exhaustive.arrays.values import Array


class Pool:
    """Positions with their numbers, ids, which never change. Ids below `core` are the initial set's, in order."""

    def __init__(self, core: PositionSet) -> None:
        self.rows = core.rows  # by id
        self.core = len(core)
        self._ordered: tuple[PositionSet, Array] | None = (core, np.arange(len(core)))
        self._rank: Array | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def _order(self) -> tuple[PositionSet, Array]:
        """The positions as a set, and of each place in that the id; found when somebody asks for it."""
        if self._ordered is None:
            ids = find_order(self.rows)
            self._ordered = PositionSet(self.rows[ids]), ids
        return self._ordered

    @property
    def rank(self) -> Array:
        """For each id its place in the order of positions; larger when positions before it are added."""
        if self._rank is None:
            self._rank = np.empty(len(self.rows), dtype=np.int64)
            self._rank[self._order()[1]] = np.arange(len(self.rows))
        return self._rank

    def intern(self, rows: Array) -> Array:
        """The id (n,) of each row (n, width), ascending heaps after zeros; new positions are added. Raises TooLarge."""
        known, ids = self._order()
        places = known.find(rows)
        found = ids[places]
        new = places < 0
        if new.any():
            wanted = rows[new]
            first, group = group_places(list(wanted.T))
            fresh = drop_empty_columns(wanted[first], self.rows.shape[1])
            if int(fresh.max(initial=0)) * fresh.shape[1] >= SAFE:
                raise TooLarge("positions of more than 2^62 objects")
            found[new] = len(self.rows) + group
            self.rows = np.concatenate([fit(self.rows, fresh.shape[1]), fresh])
            self._ordered = self._rank = None
        return found

    def heaps(self, id: int) -> tuple[int, ...]:
        """The position of an id, as the tuple of its heap sizes."""
        return tuple(int(h) for h in self.rows[id] if h)
