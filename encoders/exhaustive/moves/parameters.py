"""The parameters of a game as numbers: each distinct choice of their values that was met gets the next one."""

from __future__ import annotations

import numpy as np

from claims.language.statement.rulesets import Ruleset
from encoders.exhaustive.arrays.segments import group_places
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, Value, merge_bad, unite_shapes
from encoders.exhaustive.moves.moves import Parameters


class ParameterList:
    """The choices of a ruleset's parameters that were asked about, in the order in which they were met."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.values: list[Parameters] = []
        self._index: dict[Parameters, int] = {}

    def __len__(self) -> int:
        return len(self.values)

    @property
    def players(self) -> Array:
        """The number of players under each choice."""
        if self.ruleset.players:
            return np.full(len(self), len(self.ruleset.players))
        at = [p.name for p in self.ruleset.parameters].index(self.ruleset.player_count)
        return np.array([values[at] for values in self.values], dtype=np.int64)

    def number_choices(self, values: list[Value]) -> tuple[Array, Array | None]:
        """The number of the choice at each case, and where there is none: ill-defined, or outside the domains."""
        bad = merge_bad(*(v.bad for v in values))
        shape = unite_shapes((1, 1), *(v.data.shape if isinstance(v, Scalars) else v.shape for v in values))
        if bad is not None:
            shape = unite_shapes(shape, bad.shape)
        good = np.arange(shape[0] * shape[1])
        if bad is not None:
            good = np.flatnonzero(~np.broadcast_to(bad, shape))
        tuples, inverse = _find_distinct([_read_column(v, shape, good) for v in values], len(good))
        found = np.array([self._number(x) for x in tuples], dtype=np.int64)
        numbers = np.full(shape[0] * shape[1], -1)
        numbers[good] = found[inverse]
        outside = (numbers < 0).reshape(shape)
        return np.maximum(numbers, 0).reshape(shape), outside if outside.any() else None

    def _number(self, choice: Parameters) -> int:
        """The number of a choice; -1 for one outside the domains."""
        for p, x in zip(self.ruleset.parameters, choice, strict=True):
            if isinstance(x, int) and not (p.lo <= x and (p.hi is None or x <= p.hi)):
                return -1
        if choice not in self._index:
            self._index[choice] = len(self.values)
            self.values.append(choice)
        return self._index[choice]


def _read_column(value: Value, shape: tuple[int, int], cells: Array) -> Array | list[object]:
    """A parameter at some cells of a frame: an int64 array, or a list of Python values."""
    if isinstance(value, Ragged):
        lists = value.to_lists()
        return [lists[i] for i in value.number_cells(shape)[cells].tolist()]
    data = np.broadcast_to(value.data, shape).ravel()[cells]
    return data if data.dtype != object else data.tolist()


def _find_distinct(columns: list[Array | list[object]], count: int) -> tuple[list[Parameters], Array]:
    """The distinct tuples at `count` cells, and the number of each cell's tuple among them."""
    if not columns:
        return [()], np.zeros(count, dtype=np.int64)
    arrays = [c for c in columns if isinstance(c, np.ndarray)]
    if len(arrays) == len(columns):
        first, inverse = group_places(arrays)
        return list(zip(*(c[first].tolist() for c in arrays), strict=True)), inverse
    cells = list(zip(*(c.tolist() if isinstance(c, np.ndarray) else c for c in columns), strict=True))
    place = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    return list(place), np.array([place[c] for c in cells], dtype=np.int64)
