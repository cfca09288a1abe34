"""What a search keeps from slab to slab: counts, the smallest case in the order of cases, a sample for the referee."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from claims.language.builtins.meanings import Setting
from claims.language.statement.domains import ClaimVariable
from claims.language.statement.judgement import Judgement
from claims.language.terms.types import BOOL, POSITION
from encoders.answer import Case, CaseValue, Fallback
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.positions import Pool
from encoders.exhaustive.arrays.values import Array, Ragged, Value
from encoders.exhaustive.engines.heaps.tables import SingleHeaps
from encoders.ground.trust import Trusted

# -- order ------------------------------------------------------------------------------------------------------------
# The order of cases, of which the smallest is reported: positions first, then the other variables, as declared.
#
# Positions are compared by number of heaps, total, heaps; sets of integers as the binary numbers that they spell.


class Order:
    """The order of the cases of a claim with these variables."""

    def __init__(self, variables: tuple[ClaimVariable, ...], pool: Pool) -> None:
        self.variables, self.pool = variables, pool
        self.by_weight = sorted(variables, key=lambda v: v.type != POSITION)

    def find_smallest(self, frame: Frame, mask: Array) -> Case | None:
        """The smallest case of a frame where `mask` holds, if any."""
        place = self.locate_smallest(frame, mask)
        return None if place is None else self.read_case(frame, *place)

    def locate_smallest(self, frame: Frame, mask: Array) -> tuple[int, int] | None:
        """The row and column of the smallest case of a frame where `mask` holds, if any."""
        mask = np.broadcast_to(mask, (frame.rows, frame.cols))
        rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        if not len(rows):
            return None
        mask = mask[np.ix_(rows, cols)] if mask.size > len(rows) * len(cols) else mask
        for v in self.by_weight:
            value = frame.lookup(v.name)
            axis = 0 if value.shape[0] > 1 else 1
            if value.shape[axis] > 1:
                # A variable runs along one axis: keep the rows or columns where it is least.
                at = rows if axis == 0 else cols
                keys = self._make_keys(v, value)[at]
                least = np.flatnonzero(keys == keys.min())
                rows, cols = (rows[least], cols) if axis == 0 else (rows, cols[least])
                mask = mask.take(least, axis=axis)
                there = np.flatnonzero(mask.any(axis=axis))
                rows, cols = (rows, cols[there]) if axis == 0 else (rows[there], cols)
                mask = mask.take(there, axis=1 - axis)
        return int(rows[0]), int(cols[0])

    def _make_keys(self, v: ClaimVariable, value: Value) -> Array:
        """Numbers that order the values of a variable as they are to be ordered."""
        if isinstance(value, Ragged):
            least = int(value.items.min()) if len(value.items) else 0
            codes = np.empty(len(value.lengths), dtype=object)
            codes[:] = [sum(1 << (x - least) for x in items) for items in value.to_lists()]
            return codes
        data = value.data.ravel()
        return self.pool.rank[data] if v.type == POSITION else data

    def make_key(self, case: Case) -> tuple[object, ...]:
        """What orders cases of different frames."""
        return tuple(_weigh(case[v.name], v) for v in self.by_weight)

    def read_case(self, frame: Frame, row: int, column: int) -> Case:
        """The values of all variables at one case, in the order declared."""
        return {v.name: self._read(v, frame.lookup(v.name), row, column) for v in self.variables}

    def _read(self, v: ClaimVariable, value: Value, row: int, column: int) -> CaseValue:
        r, c = value.shape
        if isinstance(value, Ragged):
            cell = (row if r > 1 else 0) * c + (column if c > 1 else 0)
            end = int(value.lengths[: cell + 1].sum())
            return tuple(value.items[end - int(value.lengths[cell]) : end].tolist())
        item = value.data[row if r > 1 else 0, column if c > 1 else 0]
        if v.type == POSITION:
            return self.pool.heaps(int(item))
        return bool(item) if v.type == BOOL else item.item() if isinstance(item, np.generic) else item


def _weigh(value: object, v: ClaimVariable) -> object:
    if v.type == POSITION and isinstance(value, tuple):
        return len(value), sum(value), value
    return tuple(sorted(value, reverse=True)) if isinstance(value, tuple) else value


# -- sample -----------------------------------------------------------------------------------------------------------
# The cases of a success that the referee is asked to evaluate again.


SIZE = 24
Judged = tuple[Case, Judgement]  # a case and the judgement expected of the referee


class Sample:
    """Some cases from all over the scope, evenly spread, most of them with the hypotheses met."""

    def __init__(self, cases: Iterable[Judged] = ()) -> None:
        self._cases: list[Judged] = list(cases)

    @property
    def cases(self) -> tuple[Judged, ...]:
        """All that are kept, from which `take` picks."""
        return tuple(self._cases)

    def add_all(self, other: Sample) -> None:
        """Take over what another keeps."""
        for judged in other.cases:
            self.keep(judged)

    def add(self, order: Order, frame: Frame, mask: Array, judgement: Judgement) -> None:
        """Take a few of the cases where `mask` (rows, cols) holds."""
        rows = np.flatnonzero(mask.any(axis=1))
        for row in rows[_pick_evenly(len(rows), SIZE // 3)]:
            columns = np.flatnonzero(mask[row])
            for column in columns[_pick_evenly(len(columns), max(1, SIZE // 3 // len(rows)))]:
                self.keep((order.read_case(frame, int(row), int(column)), judgement))

    def keep(self, judged: Judged) -> None:
        """Take one case; of too many, some from all over are kept."""
        self._cases.append(judged)
        if len(self._cases) > 32 * SIZE:
            self._cases = list(self.take(8 * SIZE))

    def take(self, size: int = SIZE) -> tuple[Judged, ...]:
        """At most `size` of them, two thirds with the hypotheses met where there are such."""
        met = [x for x in self._cases if x[1] is not Judgement.HYPOTHESES_FAIL]
        rest = [x for x in self._cases if x[1] is Judgement.HYPOTHESES_FAIL]
        quota = size - min(len(rest), size // 3)
        first = [met[i] for i in _pick_evenly(len(met), quota)]
        return tuple(first + [rest[i] for i in _pick_evenly(len(rest), size - min(len(met), quota))])


def _pick_evenly(count: int, wanted: int) -> list[int]:
    """At most `wanted` of the numbers below `count`, evenly spread, both ends among them.

    >>> _pick_evenly(3, 8), _pick_evenly(9, 3), _pick_evenly(0, 2)
    ([0, 1, 2], [0, 4, 8], [])
    """
    if count <= wanted:
        return list(range(count))
    return sorted({int(x) for x in np.linspace(0, count - 1, wanted)})


# -- tally ------------------------------------------------------------------------------------------------------------
# What a search has found so far: it is kept from slab to slab.


@dataclass(frozen=True)
class FoundCase:
    """A case worth remembering. `key` orders cases; `ill`: the claim has no truth value there."""

    key: tuple[object, ...]
    case: Case
    ill: bool = False


@dataclass
class Tally:
    """Counts of cases, at `met` of which the hypotheses hold, and what is worth telling of them.

    `best`: the smallest case that decides: it fails, is ill-defined, or is a witness of an [exists] claim.
    `witness`: the smallest at which the hypotheses hold.  `engines`: the names of those that solved games.
    `tables`: Grundy values of the heaps 0, 1, ... that were computed, `winners`: by mover, who wins from them;
    `heaps`: by game, what solved single heaps.  `audit`: the cases that the referee has to evaluate again before an
    answer of machine code counts.  `fallbacks`: the engines that were asked and did not answer.
    """

    cases: int = 0
    met: int = 0
    best: FoundCase | None = None
    witness: FoundCase | None = None
    sample: Sample = field(default_factory=Sample)
    trusted: set[Trusted] = field(default_factory=set)
    engines: set[str] = field(default_factory=set)
    tables: dict[Setting, list[int]] = field(default_factory=dict)
    winners: dict[Setting, list[list[int]]] = field(default_factory=dict)
    heaps: dict[str, SingleHeaps] = field(default_factory=dict)
    audit: list[Judged] = field(default_factory=list)
    fallbacks: set[Fallback] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Take over what was found in other cases."""
        self.cases += other.cases
        self.met += other.met
        self.best = smaller(self.best, other.best)
        self.witness = smaller(self.witness, other.witness)
        self.sample.add_all(other.sample)
        self.trusted |= other.trusted
        self.engines |= other.engines
        self.audit += other.audit
        self.fallbacks |= other.fallbacks
        for setting, values in other.tables.items():
            if len(values) > len(self.tables.get(setting, ())):
                self.tables[setting] = values
        for setting, rows in other.winners.items():
            if setting not in self.winners or len(rows[0]) > len(self.winners[setting][0]):
                self.winners[setting] = rows


def smaller(known: FoundCase | None, found: FoundCase | None) -> FoundCase | None:
    """The one that comes first in the order of cases; the known one of two at one case."""
    if known is None or found is None:
        return known or found
    return found if found.key < known.key else known
