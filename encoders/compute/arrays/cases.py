"""The cases of a scope, in grids (frames) and in growing boxes (slabs), and the results of a search (the tally)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from claims.language.files.domains import ClaimVariable
from claims.language.syntax import terms as t
from claims.language.syntax.grammar import MAX_SHOWN_BITS
from claims.language.syntax.meanings import Setting
from claims.language.syntax.terms import BOOL, POSITION
from encoders.compute.arrays import limits
from encoders.compute.arrays import values as segments
from encoders.compute.arrays.evaluate import FrameEvaluator, goes_case_by_case, spread_over
from encoders.compute.arrays.heap_tables import SingleHeaps
from encoders.compute.arrays.limits import SAFE, Deadline, TooLarge, group_digits
from encoders.compute.arrays.operations import count_bits
from encoders.compute.arrays.positions import Pool, PositionSet, list_box, pad_columns
from encoders.compute.arrays.values import (
    Array,
    Frame,
    Ragged,
    Scalars,
    Value,
    join_spans,
    shrink,
    to_array,
    unite_shapes,
)
from encoders.logic.answer import Case, CaseValue, Fallback, list_integers
from encoders.trust import Trusted, count_cases

# == tally ============================================================================================================
# The results that a search carries from slab to slab: counts, the smallest cases, a sample for the referee.
# -- order ------------------------------------------------------------------------------------------------------------
# The order of cases, which defines "smallest". Positions are compared first, then the other variables, in the order of
# declaration.
#
# Positions are compared by number of heaps, then total, then heaps. Sets of integers are compared as binary numbers.


class Order:
    """The order of the cases of a claim.

    Two cases are compared by their first position, then by their second position, and so on; then by the values of the
    other variables. The variables of each kind are in the order of declaration.
    """

    def __init__(self, variables: tuple[ClaimVariable, ...], pool: Pool) -> None:
        self.variables, self.pool = variables, pool
        self.by_weight = sorted(variables, key=lambda v: v.type != POSITION)

    def find_smallest(self, frame: Frame, mask: Array) -> Case | None:
        """Return the smallest case that `mask` marks in a frame (a grid of cases); None if it marks no case."""
        place = self.locate_smallest(frame, mask)
        return None if place is None else self.read_case(frame, *place)

    def locate_smallest(self, frame: Frame, mask: Array) -> tuple[int, int] | None:
        """Return the row and the column of the smallest case that `mask` marks in a frame; None if it marks no case."""
        mask = np.broadcast_to(mask, (frame.rows, frame.cols))
        rows, cols = _list_marked(mask, 1), _list_marked(mask, 0)
        if not len(rows):
            return None
        mask = mask[np.ix_(rows, cols)] if mask.size > len(rows) * len(cols) else mask
        for v in self.by_weight:
            value = frame.lookup(v.name)
            axis = 0 if value.shape[0] > 1 else 1
            if value.shape[axis] > 1:
                # A variable varies along one axis: keep the rows or columns where its value is least.
                at = rows if axis == 0 else cols
                keys = self._make_keys(v, value)
                keys = keys if len(at) == len(keys) else keys[at]
                least = np.flatnonzero(keys == keys.min())
                rows, cols = (rows[least], cols) if axis == 0 else (rows, cols[least])
                mask = mask.take(least, axis=axis)
                there = np.flatnonzero(mask.any(axis=axis))
                rows, cols = (rows, cols[there]) if axis == 0 else (rows[there], cols)
                mask = mask.take(there, axis=1 - axis)
        return int(rows[0]), int(cols[0])

    def _make_keys(self, v: ClaimVariable, value: Value) -> Array:
        """Return an integer for each value of a variable: a smaller integer for a smaller value."""
        if isinstance(value, Ragged):
            least = int(value.items.min()) if len(value.items) else 0
            codes = np.empty(len(value.lengths), dtype=object)
            codes[:] = [sum(1 << (x - least) for x in items) for items in value.to_lists()]
            return codes
        data = value.data.ravel()
        return self.pool.rank[data] if v.type == POSITION else data

    def make_key(self, case: Case) -> tuple[object, ...]:
        """Return the sort key of a case: a smaller case has a smaller key, also if it is from another frame."""
        return tuple(_weigh(case[v.name], v) for v in self.by_weight)

    def read_case(self, frame: Frame, row: int, column: int) -> Case:
        """Return the values of all variables at one case of a frame, in the order of declaration."""
        return {v.name: self._read(v, frame.lookup(v.name), row, column) for v in self.variables}

    def convert(self, numbers: Iterable[int]) -> Case:
        """Return a case. `numbers`: for each variable, its value; for a position, its id (number in the pool)."""
        return {v.name: self._convert(v, x) for v, x in zip(self.variables, numbers, strict=True)}

    def _read(self, v: ClaimVariable, value: Value, row: int, column: int) -> CaseValue:
        r, c = value.shape
        if isinstance(value, Ragged):
            cell = (row if r > 1 else 0) * c + (column if c > 1 else 0)
            end = int(value.lengths[: cell + 1].sum())
            return tuple(value.items[end - int(value.lengths[cell]) : end].tolist())
        return self._convert(v, value.data[row if r > 1 else 0, column if c > 1 else 0])

    def _convert(self, v: ClaimVariable, item: int | np.generic) -> CaseValue:
        if v.type == POSITION:
            return self.pool.heaps(int(item))
        return bool(item) if v.type == BOOL else item.item() if isinstance(item, np.generic) else item


def _list_marked(mask: Array, axis: int) -> Array:
    """Return the numbers of the rows (axis 1) or columns (axis 0) in which `mask` marks a case, ascending.

    If it marks a case in each of them, this is faster than `np.flatnonzero`.
    """
    marks = np.asarray(mask.any(axis=axis))
    return np.arange(len(marks)) if marks.all() else np.flatnonzero(marks)


def _weigh(value: object, v: ClaimVariable) -> object:
    if v.type == POSITION and isinstance(value, tuple):
        return len(value), sum(value), value
    return tuple(sorted(value, reverse=True)) if isinstance(value, tuple) else value


# -- sample -----------------------------------------------------------------------------------------------------------
# A sample of the cases of a scope, which the referee evaluates again.


SIZE = 24
Judged = tuple[Case, Judgement]  # a case, and the judgement that the referee should give


class Sample:
    """A sample of cases for the referee, evenly spread over the scope. Most of them satisfy the hypotheses."""

    def __init__(self, cases: Iterable[Judged] = ()) -> None:
        self._cases: list[Judged] = list(cases)

    @property
    def cases(self) -> tuple[Judged, ...]:
        """All stored cases, from which `take` selects."""
        return tuple(self._cases)

    def add_all(self, other: Sample) -> None:
        """Add all cases of another sample to this sample."""
        for judged in other.cases:
            self.keep(judged)

    def add(self, order: Order, frame: Frame, mask: Array, judgement: Judgement) -> None:
        """Add a few of the cases that `mask` marks in a frame. The referee should give `judgement` for each of them."""
        rows = _list_marked(mask, 1)
        for row in rows[_pick_evenly(len(rows), SIZE // 3)]:
            columns = _list_marked(mask[row : row + 1], 0)
            for column in columns[_pick_evenly(len(columns), max(1, SIZE // 3 // len(rows)))]:
                self.keep((order.read_case(frame, int(row), int(column)), judgement))

    def keep(self, judged: Judged) -> None:
        """Add one case. If there are more than 32 * SIZE cases then, keep 8 * SIZE of them, evenly spread."""
        self._cases.append(judged)
        if len(self._cases) > 32 * SIZE:
            self._cases = list(self.take(8 * SIZE))

    def take(self, size: int = SIZE) -> tuple[Judged, ...]:
        """Return at most `size` of the cases, evenly spread.

        The hypotheses hold at about two thirds of them, if the sample contains enough cases of both kinds.
        """
        met = [x for x in self._cases if x[1] is not Judgement.HYPOTHESES_FAIL]
        rest = [x for x in self._cases if x[1] is Judgement.HYPOTHESES_FAIL]
        quota = size - min(len(rest), size // 3)
        first = [met[i] for i in _pick_evenly(len(met), quota)]
        return tuple(first + [rest[i] for i in _pick_evenly(len(rest), size - min(len(met), quota))])


def _pick_evenly(count: int, wanted: int) -> list[int]:
    """Return at most `wanted` of the numbers 0, ..., `count` - 1, evenly spread, with the first and the last.

    >>> _pick_evenly(3, 8), _pick_evenly(9, 3), _pick_evenly(0, 2)
    ([0, 1, 2], [0, 4, 8], [])
    """
    if count <= wanted:
        return list(range(count))
    return sorted({int(x) for x in np.linspace(0, count - 1, wanted)})


# -- tally ------------------------------------------------------------------------------------------------------------
# The results of a search so far.


@dataclass(frozen=True)
class FoundCase:
    """A case with its sort key (see `Order.make_key`). `ill`: the claim has no truth value at this case."""

    key: tuple[object, ...]
    case: Case
    ill: bool = False


@dataclass
class Tally:
    """The results of a search so far.

    `cases`: the number of cases searched.
    `met`: the number of cases at which the hypotheses hold.
    `best`: the smallest deciding case found. A case decides if the claim is ill-defined there. Otherwise it decides a
    [forall] claim if the claim fails there, and an [exists] claim if it is a witness.
    `witness`: the smallest case at which the hypotheses hold.
    `sample`: cases that the referee evaluates again.
    `trusted`: the theorems that the results assume.
    `engines`: the names of the engines that solved games.
    `tables`: for each game with its parameters, the Grundy values of the heaps 0, 1, ... that were computed.
    `winners`: the same for winners: `winners[setting][mover][h]` is 0 if the mover wins from a single heap h, 1 if the
    next player wins, and so on.
    `heaps`: for each name of a game, its solver of single heaps.
    `audit`: more cases for the referee, in the order of cases.
    `audited`: whether the referee must evaluate the cases in `audit` before the result is used.
    `fallbacks`: the engines that were tried and failed, with the reasons.
    `searched`: the names of the engines that searched the cases.
    `passed_over`: the engines that were not tried, with the reasons.
    """

    cases: int = 0
    met: int = 0
    best: FoundCase | None = None
    witness: FoundCase | None = None
    sample: Sample = field(default_factory=Sample)
    trusted: set[Trusted] = field(default_factory=set)
    engines: set[str] = field(default_factory=set)
    tables: dict[Setting, Sequence[int]] = field(default_factory=dict)
    winners: dict[Setting, list[list[int]]] = field(default_factory=dict)
    heaps: dict[str, SingleHeaps] = field(default_factory=dict)
    audit: list[Judged] = field(default_factory=list)
    audited: bool = False
    fallbacks: set[Fallback] = field(default_factory=set)
    searched: set[str] = field(default_factory=set)
    passed_over: set[Fallback] = field(default_factory=set)

    def copy(self) -> Tally:
        """Return a copy that does not change when this tally changes, except that both share `heaps`."""
        return replace(
            self,
            sample=Sample(self.sample.cases),
            trusted=set(self.trusted),
            engines=set(self.engines),
            tables=dict(self.tables),
            winners=dict(self.winners),
            audit=list(self.audit),
            fallbacks=set(self.fallbacks),
            searched=set(self.searched),
            passed_over=set(self.passed_over),
        )

    def add(self, other: Tally) -> None:
        """Add the results in `other`, which are about other cases of the same claim, to this tally."""
        self.cases += other.cases
        self.met += other.met
        self.best = smaller(self.best, other.best)
        self.witness = smaller(self.witness, other.witness)
        self.sample.add_all(other.sample)
        self.trusted |= other.trusted
        self.engines |= other.engines
        self.audit += other.audit
        self.audited |= other.audited
        self.fallbacks |= other.fallbacks
        self.searched |= other.searched
        self.passed_over |= other.passed_over
        for setting, values in other.tables.items():
            if len(values) > len(self.tables.get(setting, ())):
                self.tables[setting] = values
        for setting, rows in other.winners.items():
            if setting not in self.winners or len(rows[0]) > len(self.winners[setting][0]):
                self.winners[setting] = rows


def smaller(known: FoundCase | None, found: FoundCase | None) -> FoundCase | None:
    """Return the smaller of two cases; `known` if they are equal. If one is None, return the other one."""
    if known is None or found is None:
        return known or found
    return found if found.key < known.key else known


# == slabs ============================================================================================================
# A scope is covered by growing slabs: nested boxes, the smallest first. Each slab adds the cases that are new in it.
#
# A counterexample near the origin is therefore found quickly in any scope, and a search that reaches a limit has still
# covered a box.
AT_ONCE = 1_000_000  # a scope of at most this weight is one slab; measured: 0.01 to 0.2 s
FIRST, GROWTH = AT_ONCE, 64  # the weight of the first slab of a larger scope, and the factor to the next
LAST = 16  # the whole scope is searched directly after a slab if it weighs at most this many times as much
_HALVINGS = 40


@dataclass(frozen=True)
class SlabPiece:
    """A part of a scope: the cases of `scope` in which some positions are outside given boxes.

    `without[name]`: the variable `name` must have a position that is not in this box.
    """

    scope: d.Scope
    without: dict[str, d.PositionRange]


def grow(claim: Claim, scope: d.Scope, faster: int = 1) -> list[d.Scope]:
    """Return nested scopes, the smallest first, which a search covers one after the other.

    The last scope contains all cases of `scope`. A small scope gives a list with one element. Each of these scopes also
    bounds the variables that only their domains bound; see `bound_all`.

    `faster`: how many times as fast the search is as a usual one. The slabs of a faster search are larger.
    """
    whole = bound_all(claim, scope)
    weight = weigh(whole) // faster
    if weight <= AT_ONCE or goes_case_by_case(claim):
        return [whole]
    found: list[d.Scope] = []
    wanted = FIRST
    # otherwise the last two slabs would be so close that they cost much more than one
    while wanted * min(LAST, GROWTH * 2 // 3) < weight:
        slab = _shrink_to(whole, wanted * faster)
        if slab != whole and (not found or slab != found[-1]):
            found.append(slab)
        wanted *= GROWTH
    return [*found, whole]


def list_boxes(claim: Claim, scope: d.Scope, earlier: d.Scope | None, every_bound: bool = False) -> list[d.Scope]:
    """Return growing boxes, each of them smaller than `scope` and larger than `earlier` (if it is not None).

    A box bounds the values of the integer variables and the lengths of the lists. From box to box, the number of these
    values doubles, until it reaches the number in `scope`. Other bounds are as in `scope`. A box that has less than
    twice as many cases as `earlier` is left out.
    `every_bound`: whether a box also bounds the elements of the lists, and the positions.
    """
    wide = _list_wide(claim, scope, every_bound)
    longest = max((bound.hi - bound.lo + 1 for bound in wide.values()), default=0)
    found: list[d.Scope] = []
    number = 1
    while number < longest:
        box = _limit(scope, {key: min(x.hi, x.lo + number - 1) for key, x in wide.items()})
        if earlier is None or (
            intersect(earlier, box) == earlier != box and count_cases(box) >= 2 * count_cases(earlier)
        ):
            found.append(box)
        number *= 2
    return found


def find_middle(claim: Claim, fits: d.Scope | None, fails: d.Scope, every_bound: bool = False) -> list[d.Scope]:
    """Return a list with the box halfway between `fits` and the larger box `fails`; [] if there is no such box.

    `fits`: a box that was searched; None if there is none. `fails`: a box that was too large to search.
    `every_bound`: as in `list_boxes`.
    """
    if fits is None:
        return []
    inner, wide = _list_ranges(claim, fits, every_bound), _list_wide(claim, fails, every_bound)
    middle = _limit(fails, {key: (inner[key].hi + x.hi) // 2 for key, x in wide.items()})
    return [] if middle in (fits, fails) else [middle]


def find_smallest_box(claim: Claim, scope: d.Scope) -> d.Scope:
    """Return the box in which each bound of `scope` is replaced by its lower end."""
    return _limit(scope, {key: x.lo for key, x in _list_ranges(claim, scope, every_bound=True).items()})


_Key = tuple[str, str]  # a variable, and the bound of its values: a key as in `aspects`, or "" for an integer


def _list_wide(claim: Claim, scope: d.Scope, every_bound: bool) -> dict[_Key, d.Range]:
    """Return those ranges of `_list_ranges` that contain at least two values."""
    return {key: bound for key, bound in _list_ranges(claim, scope, every_bound).items() if bound.lo < bound.hi}


def _list_ranges(claim: Claim, scope: d.Scope, every_bound: bool) -> dict[_Key, d.Range]:
    """Return the range of each integer variable, and the range of the lengths of each list variable.

    `every_bound`: whether to return all other ranges of lists and positions too.
    """
    found: dict[_Key, d.Range] = {}
    for v in claim.variables:
        bound = scope.get(v.name)
        if isinstance(bound, d.Range):
            found[v.name, ""] = bound
        elif bound is not None and every_bound:
            found |= {(v.name, key): x for key, x in bound.aspects}
        elif isinstance(bound, d.ListRange):
            found[v.name, "length"] = bound.length
    return found


def _limit(scope: d.Scope, most: Mapping[_Key, int]) -> d.Scope:
    """Return a copy of `scope` with other upper bounds. `most`: these bounds, with keys as in `_list_ranges`."""
    found = dict(scope)
    for name, bound in scope.items():
        own = {key: hi for (variable, key), hi in most.items() if variable == name}
        if own:
            found[name] = d.Range(bound.lo, own[""]) if isinstance(bound, d.Range) else bound.limit_aspects(own)
    return found


def split(scope: d.Scope, earlier: d.Scope | None) -> Iterator[SlabPiece]:
    """Cut the cases of `scope` that are not in `earlier` into disjoint pieces, and yield the pieces.

    `earlier`: a scope inside `scope` with the same lower bounds; None for an empty one.

    For example, `earlier` bounds x and y by 5, and `scope` bounds them by 9. The pieces are x > 5, and x <= 5 < y.
    """
    if earlier is None:
        yield SlabPiece(scope, {})
        return
    inside: d.Scope = {}
    for name, bound in scope.items():
        old = earlier[name]
        if old == bound:
            continue
        if isinstance(bound, d.PositionRange) and isinstance(old, d.PositionRange):
            yield SlabPiece(scope | inside, {name: old})
        elif isinstance(bound, d.Range) and isinstance(old, d.Range) and old.hi < bound.hi:
            yield SlabPiece(scope | inside | {name: d.Range(old.hi + 1, bound.hi)}, {})
        inside[name] = old


def clip(claim: Claim, scope: d.Scope, case: Case) -> list[d.Scope]:
    """Return disjoint parts of `scope` that together contain all cases smaller than `case`, and few other cases.

    Only the bound of one variable changes: of the first position, or of the first variable if there is no position.
    """
    scope = bound_all(claim, scope)
    first = next((v for v in sorted(claim.variables, key=lambda v: v.type != POSITION)), None)
    if first is None or first.name not in scope:
        return [scope]
    bound, value = scope[first.name], case[first.name]
    if isinstance(bound, d.Range):
        assert isinstance(value, int)
        return [scope | {first.name: d.Range(bound.lo, min(bound.hi, value))}]
    if isinstance(bound, d.ListRange):
        return [scope]
    heaps, total = _measure(value)
    parts: list[d.Scope] = []
    if heaps > bound.heaps.lo:
        parts.append(scope | {first.name: replace(bound, heaps=d.Range(bound.heaps.lo, heaps - 1))})
    low, high = (0, total) if bound.total is None else (bound.total.lo, min(bound.total.hi, total))
    parts.append(scope | {first.name: replace(bound, heaps=d.Range(heaps, heaps), total=d.Range(low, high))})
    return parts


def find_box_before(claim: Claim, scope: d.Scope, case: Case) -> d.Scope | None:
    """Return a part of `scope` all of whose cases are smaller than `case`; None if there is no such box.

    In this part, one variable has smaller values than in `case`. The variables that are compared before it have the
    same values as in `case`, which are their smallest values in `scope`.
    """
    box = bound_all(claim, scope)
    for v in sorted(claim.variables, key=lambda v: v.type != POSITION):
        bound, value = box.get(v.name), case[v.name]
        if isinstance(bound, d.Range) and isinstance(value, int):
            if value > bound.lo:
                return box | {v.name: d.Range(bound.lo, value - 1)}
            box = box | {v.name: d.Range(value, value)}
        elif isinstance(bound, d.ListRange) and isinstance(value, tuple) and len(value) > bound.length.lo:
            return box | {v.name: replace(bound, length=d.Range(bound.length.lo, len(value) - 1))}
        elif isinstance(bound, d.PositionRange) and isinstance(value, tuple) and len(value) > bound.heaps.lo:
            return box | {v.name: replace(bound, heaps=d.Range(bound.heaps.lo, len(value) - 1))}
        else:
            return None
    return None


def intersect(scope: d.Scope, other: d.Scope) -> d.Scope | None:
    """Return the scope of the cases that are in both scopes; None if there are none.

    Both scopes must bound the same variables.
    """
    found: d.Scope = {}
    for name, bound in scope.items():
        second = other[name]
        if isinstance(bound, d.PositionRange) and isinstance(second, d.PositionRange):
            heaps, size = _meet(bound.heaps, second.heaps), _meet(bound.size, second.size)
            totals = [x.total for x in (bound, second) if x.total is not None]
            total = _meet(totals[0], totals[-1]) if totals else None
            if heaps is None or size is None or (totals and total is None):
                return None
            parts: list[tuple[str, d.Range | d.ListRange]] = []
            for (part, x), (_, y) in zip(bound.parts, second.parts, strict=True):
                both_parts = _meet_parts(x, y)
                if both_parts is None:
                    return None
                parts.append((part, both_parts))
            found[name] = d.PositionRange(heaps, size, total, tuple(parts))
        else:
            assert not isinstance(bound, d.PositionRange) and not isinstance(second, d.PositionRange)
            both = _meet_parts(bound, second)
            if both is None:
                return None
            found[name] = both
    return found


def _meet_parts(one: d.Range | d.ListRange, other: d.Range | d.ListRange) -> d.Range | d.ListRange | None:
    """Return the values that both bounds contain; None if there are none."""
    if isinstance(one, d.ListRange) and isinstance(other, d.ListRange):
        length, each = _meet(one.length, other.length), _meet(one.each, other.each)
        return None if length is None or each is None else d.ListRange(length, each)
    assert isinstance(one, d.Range) and isinstance(other, d.Range)
    return _meet(one, other)


def _meet(one: d.Range, other: d.Range) -> d.Range | None:
    lo, hi = max(one.lo, other.lo), min(one.hi, other.hi)
    return d.Range(lo, hi) if lo <= hi else None


def _measure(value: CaseValue) -> tuple[int, int]:
    """Return the number of heaps of a position, and the sum of the heaps."""
    heaps = list_integers(value)
    return len(heaps), sum(heaps)


def bound_all(claim: Claim, scope: d.Scope) -> d.Scope:
    """Return the scope with smaller bounds, if domains such as "1..9" have constant ends.

    Values outside such a domain are removed. A variable without a bound gets its domain as the bound.
    """
    found: d.Scope = dict(scope)
    for v in claim.variables:
        bound = scope.get(v.name)
        if not isinstance(v.domain, d.IntervalDomain) or isinstance(bound, d.PositionRange | d.ListRange):
            continue
        lo, hi = d.read_literal(v.domain.lo), d.read_literal(v.domain.hi)
        if bound is None and lo is not None and hi is not None and lo <= hi:
            found[v.name] = d.Range(lo, hi)
        elif bound is not None:
            found[v.name] = d.cut_range(v.domain, bound)
    return found


# -- weights of scopes ------------------------------------------------------------------------------------------------
def weigh(scope: d.Scope) -> int:
    """Estimate the work for a scope: the number of cases times the largest heap or the longest range of an integer."""
    bounds = [bound.each if isinstance(bound, d.ListRange) else bound for bound in scope.values()]
    largest = max((b.size.hi if isinstance(b, d.PositionRange) else b.hi - b.lo + 1 for b in bounds), default=1)
    return count_cases(scope) * max(1, largest)


def _shrink_to(scope: d.Scope, weight: int) -> d.Scope:
    """Return the largest scope `_shrink(scope, factor)` whose weight (see `weigh`) is at most `weight`.

    If every factor gives a larger weight, return the scope for the factor 0.
    """
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if weigh(_shrink(scope, middle)) <= weight:
            low = middle
        else:
            high = middle
    return _shrink(scope, low)


def _shrink(scope: d.Scope, factor: float) -> d.Scope:
    """Return the scope with shorter ranges. `factor`: the fraction of each range that is kept, from 0 to 1.

    The bounds of lists do not change, and the number of heaps does not change if it has a short range.
    """
    return {
        name: bound if isinstance(bound, d.ListRange) else _shrink_bound(bound, factor) for name, bound in scope.items()
    }


def _shrink_bound(bound: d.Range | d.PositionRange, factor: float) -> d.Range | d.PositionRange:
    if isinstance(bound, d.Range):
        width = bound.hi - bound.lo
        return d.Range(bound.lo, bound.lo + math.floor(width * (factor if width < 1 << 53 else Fraction(factor))))
    parts = [_shrink_bound(x, factor) for x in (bound.heaps, bound.size, bound.total) if x is not None]
    heaps, size, *total = (x for x in parts if isinstance(x, d.Range))
    few = bound.heaps.hi - bound.heaps.lo <= 4  # with few heaps, only the sizes shrink
    return d.PositionRange(bound.heaps if few else heaps, size, total[0] if total else None)


# == grid =============================================================================================================
# Frames (grids) of the cases of a scope. A column belongs to values of the positions and of the variables whose domains
# depend on them. A row belongs to values of the other variables.
class IllDefinedDomain(NimChecksError):
    """The domain of a variable is ill-defined for some values of the earlier variables."""


def list_core(scope: d.Scope, clock: Deadline) -> PositionSet:
    """Return a set of positions that contains the scope of each position variable. Raise TooLarge or OutOfTime."""
    clock.check()
    ranges = [r for r in scope.values() if isinstance(r, d.PositionRange)]
    bounds = {(r.heaps.hi, r.size.hi, r.total.hi if r.total else None) for r in ranges} or {(0, 1, None)}
    boxes = [list_box(*bound) for bound in bounds]
    if len(boxes) == 1:
        return PositionSet(boxes[0])
    width = max(b.shape[1] for b in boxes)
    return PositionSet.from_rows(np.concatenate([pad_columns(b, width) for b in boxes]))


class Grid:
    """The cases of one claim in a piece of a scope, as rows and columns.

    `column_variables`: the positions, and the variables whose domains depend on column variables before them. A column
    gives values to these variables. `row_variables`: the other variables. A row gives values to these variables.
    """

    def __init__(self, claim: Claim, piece: SlabPiece, evaluator: FrameEvaluator) -> None:
        self.claim, self.evaluator, self.pool = claim, evaluator, evaluator.pool
        self.scope, self.without = piece.scope, piece.without
        self.row_variables, self.column_variables = self._split()

    def _split(self) -> tuple[list[d.ClaimVariable], list[d.ClaimVariable]]:
        rows: list[d.ClaimVariable] = []
        columns: list[d.ClaimVariable] = []
        taken: set[str] = set()
        for v in self.claim.variables:
            match v.domain:
                case d.IntervalDomain(lo=lo, hi=hi):
                    needs = self.evaluator.free.find_all([lo] if hi is None else [lo, hi])
                case d.ElementsOf(source=source):
                    needs = self.evaluator.free.find(source)
                case _:
                    needs = frozenset()
            if v.type == POSITION or needs & taken:
                columns.append(v)
                taken.add(v.name)
            else:
                rows.append(v)
        return rows, columns

    def cut(self, most: int, longest: int) -> list[Grid]:
        """Return grids of at most about `most` rows that together have the rows of this grid.

        Return only this grid if it may have more than `longest` rows.
        """
        bounds = ((v.name, self.scope.get(v.name)) for v in self.row_variables)
        ranges = {name: bound for name, bound in bounds if isinstance(bound, d.Range)}
        count = math.prod(x.hi - x.lo + 1 for x in ranges.values())
        if not most < count <= longest:
            return [self]
        name, wide = max(ranges.items(), key=lambda x: x[1].hi - x[1].lo)
        middle = (wide.lo + wide.hi) // 2
        halves = (self.scope | {name: x} for x in (d.Range(wide.lo, middle), d.Range(middle + 1, wide.hi)))
        parts = (Grid(self.claim, SlabPiece(scope, self.without), self.evaluator) for scope in halves)
        return [x for part in parts for x in part.cut(most, longest)]

    @property
    def width(self) -> int:
        """The number of combinations of values of the positions. It estimates the number of columns."""
        count = 1
        for v in self.column_variables:
            count *= len(self.list_positions(v.name)) if isinstance(v.domain, d.Positions) else 1
        return count

    def bind_rows(self) -> Frame:
        """Return a frame with one row for each combination of values of the row variables, in order. Raise TooLarge."""
        frame = Frame(1, 1)
        for v in self.row_variables:
            source = self.values(v, frame)
            total = int(source.lengths.sum()) * (frame.rows if source.shape[0] == 1 else 1)
            if total > limits.MAX_ROWS:
                names = ", ".join(x.name for x in self.row_variables)
                most = group_digits(limits.MAX_ROWS)
                raise TooLarge(
                    f"at least {group_digits(total)} choices of values for {names} at once, more than {most}"
                )
            if source.shape[0] != frame.rows:
                source = source.spread((frame.rows, 1))
            frame = self._bind(v, frame.spread(0, segments.list_owners(source.lengths)), source.items, (-1, 1))
        return frame

    def iterate_frames(self, frame: Frame, last: Callable[[], int | None], at: int = 0) -> Iterator[Frame]:
        """Yield frames (grids of cases) that together contain all cases of the rows of `frame`.

        A frame has at most about MAX_CELLS cases. The positions of the first column variable increase from each frame
        to the next.

        `frame`: a frame in which the row variables and the first `at` column variables have values.
        `last`: returns a limit: later positions, in the order of all positions, are left out. None means no limit.
        """
        frame = self._select_columns(frame, last()) if at else frame
        if at == len(self.column_variables) or not frame.cells:
            yield frame
            return
        v = self.column_variables[at]
        source = self.values(v, frame)
        if source.shape[0] > 1:
            frame = frame.flatten()
            source = self.values(v, frame)
        total = int(source.lengths.sum()) * (frame.cols if source.shape[1] == 1 else 1) * frame.rows
        if total <= limits.MAX_CELLS:
            inner, _, _, order = spread_over(frame, source, columns=True)
            yield from self.iterate_frames(self._bind(v, inner, source.items[order], (1, -1)), last, at + 1)
        elif frame.cols > 1 or (frame.rows > 1 and len(source.items) <= limits.MAX_CELLS):
            for part in frame.halve()[1]:
                yield from self.iterate_frames(part, last, at)
        else:
            step = max(1, limits.MAX_CELLS // frame.rows)
            for start in range(0, len(source.items), step):
                items = source.items[start : start + step]
                inner = frame.spread(1, np.zeros(len(items), dtype=np.int64))
                yield from self.iterate_frames(self._bind(v, inner, items, (1, -1)), last, at + 1)

    def _select_columns(self, frame: Frame, last: int | None) -> Frame:
        """Return the columns of `frame` in which the first column variable has a rank of at most `last`."""
        if last is None:
            return frame
        keep = self.pool.rank[self.read_first_positions(frame)] <= last
        return frame if keep.all() else frame.spread(1, np.flatnonzero(keep))

    def read_first_positions(self, frame: Frame) -> Array:
        """Return the position of the first column variable in each column, as its id (number in the pool)."""
        first = frame.lookup(self.column_variables[0].name)
        assert isinstance(first, Scalars)
        return np.broadcast_to(first.data[0], (frame.cols,))

    @staticmethod
    def _bind(v: d.ClaimVariable, frame: Frame, items: Array, shape: tuple[int, int]) -> Frame:
        """Set the values of a variable at the cases of `frame`, and return `frame`.

        `items`: the values. A subset of {lo, ..., hi} is a number; bit i tells whether the subset contains lo + i.
        `shape`: (-1, 1) for a value in each row, (1, -1) for a value in each column.
        """
        if items.dtype == object and any(count_bits(x) > MAX_SHOWN_BITS for x in items.tolist()):
            raise TooLarge(f"a value of {v.name} has more than {group_digits(MAX_SHOWN_BITS)} bits")
        value: Value = Scalars(items.reshape(shape))
        if isinstance(v.domain, d.Subsets):
            places = np.arange(v.domain.hi - v.domain.lo + 1)
            chosen = (items[:, None] >> places & 1).astype(bool)
            members = to_array(range(v.domain.lo, v.domain.hi + 1))
            elements = np.broadcast_to(members, chosen.shape)[chosen]
            value = Ragged((len(items), 1), chosen.sum(axis=1), elements)
        frame.names[v.name] = value
        return frame

    def values(self, v: d.ClaimVariable, frame: Frame) -> Ragged:
        """Return the list of the values that a variable may have at each case of `frame`, in order.

        A subset of {lo, ..., hi} is a number; bit i tells whether the subset contains lo + i.
        """
        match v.domain:
            case d.Positions():
                return _share(self.list_positions(v.name))
            case d.Players(count=count):
                return _share(np.arange(count))
            case d.Subsets(lo=lo, hi=hi):
                return _share(np.arange(1 << (hi - lo + 1)))
            case d.ListedDomain(values=values):
                if v.type != POSITION:
                    return _share(to_array(values))
                width = max(max((len(p) for p in values if isinstance(p, tuple)), default=1), 1)
                if any(h >= SAFE for p in values for h in list_integers(p)):
                    raise TooLarge(f"a listed value of {v.name} contains a heap of 2^62 or more")
                rows = [[0] * (width - len(p)) + list(p) for p in values if isinstance(p, tuple)]
                return _share(self.pool.intern(np.array(rows, dtype=np.int64)))
            case d.ElementsOf(source=source):
                value = self.evaluator.collections.list_elements(self._evaluate(v, source, frame), source.type)
                return segments.deduplicate(value, self.pool.rank if v.type == POSITION else None)
            case d.IntervalDomain():
                return self._list_interval(v, v.domain, frame)
        raise AssertionError(v)

    def _list_interval(self, v: d.ClaimVariable, domain: d.IntervalDomain, frame: Frame) -> Ragged:
        bound = self.scope.get(v.name)
        low = self._evaluate_scalars(v, domain.lo, frame).data
        high = None if domain.hi is None else self._evaluate_scalars(v, domain.hi, frame).data
        if isinstance(bound, d.Range):
            ends = to_array([bound.lo, bound.hi]).reshape(2, 1, 1)
            low = np.maximum(low, ends[0])
            high = ends[1] if high is None else np.minimum(high, ends[1])
        assert high is not None, "a variable without upper bound has a scope"
        shape = unite_shapes(low.shape, high.shape)
        starts, stops = (np.broadcast_to(x, shape).ravel() for x in (low, high))
        lengths = shrink(np.maximum(stops - starts + 1, 0))
        total = sum(lengths.tolist())
        if total > limits.MAX_ROWS:
            raise TooLarge(
                f"{v.name} has {_describe_total(total)} values at once, more than {group_digits(limits.MAX_ROWS)}"
            )
        if starts.dtype == object:
            items = segments.list_places(lengths).astype(object) + np.repeat(starts, lengths)
            return Ragged(shape, lengths, shrink(items))
        return Ragged(shape, lengths, join_spans(starts, lengths))

    def _evaluate_scalars(self, v: d.ClaimVariable, term: t.Term, frame: Frame) -> Scalars:
        value = self._evaluate(v, term, frame)
        assert isinstance(value, Scalars)
        return value

    def _evaluate(self, v: d.ClaimVariable, term: t.Term, frame: Frame) -> Value:
        fault = IllDefinedDomain(
            f"the domain {v.text} of {v.name} is ill-defined for some choice of the variables before it"
        )
        return self.evaluator.evaluate_everywhere(term, frame, fault)

    def list_positions(self, name: str) -> Array:
        """Return the ids (numbers in the pool) of the positions that a variable may have, in order."""
        bound = self.scope[name]
        assert isinstance(bound, d.PositionRange)
        rows = self.pool.rows[: self.pool.core]
        inside = _find_inside(rows, bound)
        if name in self.without:
            inside &= ~_find_inside(rows, self.without[name])
        return np.flatnonzero(inside)


def _find_inside(rows: Array, bound: d.PositionRange) -> Array:
    """Return, for each row of heaps, whether this position is inside `bound`."""
    count, total = np.count_nonzero(rows, axis=1), rows.sum(axis=1)
    inside = (count >= bound.heaps.lo) & (count <= bound.heaps.hi)
    inside &= ((rows == 0) | ((rows >= bound.size.lo) & (rows <= bound.size.hi))).all(axis=1)
    if bound.total is not None:
        inside &= (total >= bound.total.lo) & (total <= bound.total.hi)
    return np.asarray(inside)


def _describe_total(total: int) -> str:
    return group_digits(total) if total.bit_length() <= MAX_SHOWN_BITS else f"2^{total.bit_length() - 1} or more"


def _share(items: Array) -> Ragged:
    return Ragged((1, 1), np.array([len(items)]), items)
