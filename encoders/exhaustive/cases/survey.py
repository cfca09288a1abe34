"""All failures of a claim within a scope, counted: the search without its early stop.

What it counts is what the search sees: the same frames, the same evaluation, the same order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms.types import INT, POSITION
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.arrays.values import Array, Scalars
from encoders.exhaustive.cases.search import ArraySearch

CountsByGroup = Counter[tuple[int, ...]]  # how many cases, by the values of a grouping


@dataclass
class SurveyLine:
    """The values of one variable where the others are those of a given case, by what the claim is there.

    `unmet`: where its hypotheses do not hold.  What is ill-defined stands nowhere.
    """

    fails: list[CaseValue] = field(default_factory=list)
    holds: list[CaseValue] = field(default_factory=list)
    unmet: list[CaseValue] = field(default_factory=list)


@dataclass
class Survey:
    """What was counted: `met` and `fails` cases in all, and by the values of each grouping.

    A grouping is a tuple of variables: an integer stands for itself, a position for its number of heaps.  `undefined`:
    cases without a truth value, none of which counts as met.  `first`: the smallest that fail, in order.  `lines`: for
    each variable, its values where the others are as in the smallest.
    """

    cases: int = 0
    met: int = 0
    fails: int = 0
    undefined: int = 0
    first: list[Case] = field(default_factory=list)
    groups: dict[tuple[str, ...], tuple[CountsByGroup, CountsByGroup]] = field(default_factory=dict)
    lines: dict[str, SurveyLine] = field(default_factory=dict)


class Surveyor:
    """Counts one claim over one scope. Raises OutOfTime, TooLarge and what else `Search` raises."""

    def __init__(self, claim: Claim, scope: d.Scope, clock: Deadline, smallest: Case, wanted: int) -> None:
        """`smallest`: the case whose `lines` are drawn; `wanted`: how many of the smallest are listed."""
        self.search = ArraySearch(claim, scope, clock)
        self.claim, self.smallest, self.wanted = claim, smallest, wanted
        self.found = Survey(groups={g: (Counter(), Counter()) for g in list_groupings(claim)})
        self.found.lines = {v.name: SurveyLine() for v in claim.variables}

    def run(self) -> Survey:
        """Look at every case of the scope."""
        for grid in self.search.grids:
            for chunk in self.search.iterate_chunks(grid):
                for frame in grid.iterate_frames(chunk, lambda: None):
                    frame.look_at(self._look)
        return self.found

    def _look(self, frame: Frame) -> None:
        met, ill, true, false = self.search.evaluate(frame)
        met = true | false
        self.found.cases += met.size
        self.found.undefined += int(ill.sum())
        self.found.met += int(met.sum())
        self.found.fails += int(false.sum())
        for grouping, (among, failing) in self.found.groups.items():
            keys = [self._read_key(name, frame) for name in grouping]
            _count(among, keys, met)
            _count(failing, keys, false)
        self._list_first(frame, false)
        for name in self.found.lines:
            self._draw_line(name, frame, ill, true, false)

    def _read_key(self, name: str, frame: Frame) -> Array:
        """An integer for each case, (r, c) with r or c perhaps 1."""
        value = frame.lookup(name)
        assert isinstance(value, Scalars)
        if next(v for v in self.claim.variables if v.name == name).type != POSITION:
            return value.data
        heaps = np.count_nonzero(self.search.evaluator.pool.rows, axis=1)
        return np.asarray(heaps[value.data])

    def _list_first(self, frame: Frame, false: Array) -> None:
        order, rest = self.search.order, false.copy()
        for _ in range(self.wanted):
            place = order.locate_smallest(frame, rest)
            if place is None:
                break
            rest[place] = False
            self.found.first.append(order.read_case(frame, *place))
        self.found.first = sorted(self.found.first, key=order.make_key)[: self.wanted]

    def _draw_line(self, name: str, frame: Frame, ill: Array, true: Array, false: Array) -> None:
        on = ~ill
        for v in self.claim.variables:
            if v.name != name:
                on &= self._equals(v, frame)
        line = self.found.lines[name]
        for row, column in np.argwhere(on):
            fate = line.fails if false[row, column] else line.holds if true[row, column] else line.unmet
            fate.append(self.search.order.read_case(frame, int(row), int(column))[name])

    def _equals(self, v: d.ClaimVariable, frame: Frame) -> Array:
        """Where a variable has the value that it has in the smallest case."""
        value, wanted = frame.lookup(v.name), self.smallest[v.name]
        if not isinstance(value, Scalars):  # sets
            return np.array([tuple(x) == wanted for x in value.to_lists()]).reshape(value.shape)
        if v.type == POSITION:
            heaps = np.array([_as_tuple(wanted) or (0,)], dtype=np.int64)
            wanted = int(self.search.evaluator.pool.intern(heaps)[0])
        return np.asarray(value.data == wanted)


def list_groupings(claim: Claim) -> list[tuple[str, ...]]:
    """By what failures are counted: each position's number of heaps, the pairs of integer variables or the only one."""
    positions: list[tuple[str, ...]] = [(v.name,) for v in claim.variables if v.type == POSITION]
    integers = [v.name for v in claim.variables if v.type == INT]
    pairs: list[tuple[str, ...]] = [(x, y) for i, x in enumerate(integers[:3]) for y in integers[i + 1 : 3]]
    return [*positions, *(pairs or [(x,) for x in integers])]


def _as_tuple(value: object) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def _count(tally: CountsByGroup, keys: list[Array], mask: Array) -> None:
    """Count the cases of `mask` by their keys; keys that run along one axis are grouped before they are spread."""
    if all(k.shape[1] == 1 for k in keys):
        keys, counts = [k[:, 0] for k in keys], mask.sum(axis=1)
    elif all(k.shape[0] == 1 for k in keys):
        keys, counts = [k[0] for k in keys], mask.sum(axis=0)
    else:
        at = np.nonzero(mask)
        keys = [np.broadcast_to(k, mask.shape)[at] for k in keys]
        counts = np.ones(len(at[0]), dtype=np.int64)
    size = len(counts)
    columns = [np.broadcast_to(k, (size,)) for k in keys]
    for *values, count in zip(*(c.tolist() for c in columns), counts.tolist(), strict=True):
        if count:
            tally[tuple(values)] += count
