"""Single cases out of rows of bits: the smallest in the order of cases, and some from all over."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from claims.language.statement.claim import Claim
from claims.language.terms.types import POSITION
from encoders.answer import Case
from encoders.exhaustive.arrays.segments import list_distinct
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.bits.words import find_lowest, list_filled, unpack
from encoders.exhaustive.boxes.grounds import Ground
from encoders.exhaustive.boxes.rows import Rows
from encoders.exhaustive.cases.tally import FoundCase, Order

GOLDEN = 0.618  # spreads the bits that are picked


class BoxCases:
    """The cases of one claim on a ground."""

    def __init__(self, claim: Claim, rows: Rows, ground: Ground) -> None:
        self.variables, self.rows, self.ground = claim.variables, rows, ground
        self.order = Order(claim.variables, rows.evaluator.pool)

    def find_smallest(self, start: int, mask: Array, known: FoundCase | None, ill: bool = False) -> FoundCase | None:
        """The smallest case of the bits `mask` of the outer places from `start` on, if it may be before `known`.

        A row's lowest bit is its smallest case: a smaller heap beside the same rest, or an earlier row.
        """
        places = list_filled(mask)
        if known is not None:
            most = len(self._read_position(known.case))
            places = places[self.ground.count_least(places + start) <= most]
        if not len(places):
            return None
        bits = find_lowest(mask[places])
        positions = self.ground.list_heaps(places + start, bits)
        counts, totals = np.count_nonzero(positions, axis=1), positions.sum(axis=1)
        at = np.flatnonzero(counts == counts.min())
        at = at[totals[at] == totals[at].min()]
        columns = [positions[at, i] for i in range(positions.shape[1] - 1, -1, -1)]
        first = at[np.lexsort(columns)[0]]
        case = self._read(positions[first], int(bits[first]))
        return FoundCase(self.order.make_key(case), case, ill)

    def _read(self, position: Array, bit: int) -> Case:
        others = self.rows.read(self.ground.find_row(bit))
        heaps = tuple(int(h) for h in position if h)
        return {v.name: heaps if v.type == POSITION else others[v.name] for v in self.variables}

    def _read_position(self, case: Case) -> tuple[object, ...]:
        found = next(case[v.name] for v in self.variables if v.type == POSITION)
        assert isinstance(found, tuple)
        return found

    def pick(self, start: int, mask: Array, wanted: int) -> Iterator[Case]:
        """At most `wanted` of the cases of `mask`: from the first places many, from later ones few."""
        places = list_filled(mask)
        if not len(places):
            return
        ends = list_distinct(np.geomspace(1, len(places), wanted).astype(np.int64) - 1)
        for place in places[ends].tolist():
            bits = np.flatnonzero(unpack(mask[place], self.ground.bits))
            bit = bits[int((start + place) * GOLDEN % 1 * len(bits))]
            yield self._read(self.ground.list_heaps(np.array([start + place]), np.array([bit]))[0], int(bit))
