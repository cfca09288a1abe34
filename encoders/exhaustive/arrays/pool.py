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
        self._set = core
        self._ids = np.arange(len(core))  # number in self._set -> id
        self._rank: Array | None = self._ids

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rank(self) -> Array:
        """For each id its place in the order of positions; larger when positions before it are added."""
        if self._rank is None:
            self._rank = np.empty(len(self.rows), dtype=np.int64)
            self._rank[self._ids] = np.arange(len(self.rows))
        return self._rank

    def intern(self, rows: Array) -> Array:
        """The id (n,) of each row (n, width), ascending heaps after zeros; new positions are added. Raises TooLarge."""
        found = self._set.find(rows)
        new = found < 0
        if new.any():
            wanted = rows[new]
            fresh = drop_empty_columns(wanted[group_places(list(wanted.T))[0]], self.rows.shape[1])
            if int(fresh.max(initial=0)) * fresh.shape[1] >= SAFE:
                raise TooLarge("positions of more than 2^62 objects")
            self.rows = np.concatenate([fit(self.rows, fresh.shape[1]), fresh])
            self._ids, self._rank = find_order(self.rows), None
            self._set = PositionSet(self.rows[self._ids])
            found = self._set.find(rows)
        return self._ids[found]

    def heaps(self, id: int) -> tuple[int, ...]:
        """The position of an id, as the tuple of its heap sizes."""
        return tuple(int(h) for h in self.rows[id] if h)
