"""Search the cases of a claim up to the first failure, or count all failures. The cases are evaluated in grids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import numpy as np

from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from claims.language.files.games import state_legal
from claims.language.syntax import terms as t
from claims.language.syntax.printing import structural_key, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.compute.arrays import limits
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.case_sample import CODES, CaseSample
from encoders.compute.arrays.cases import FoundCase, Grid, Order, Tally, list_core, smaller, split
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import Deadline, TooLarge, group_digits
from encoders.compute.arrays.positions import Pool
from encoders.compute.arrays.values import Array, Frame, Scalars
from encoders.logic.answer import Case, CaseValue, Fallback

# == search ===========================================================================================================
# The search through the cases of one claim within a scope, or through its new part, frame by frame.
# -- repeated terms ---------------------------------------------------------------------------------------------------
# Terms that a claim contains several times and that are expensive: positions made of heaps, and game calls.
#
# Within one frame, equal terms have one value wherever they occur, because a bound name of a claim has no other meaning
# in it. A term that occurs once is not stored; that would only take memory.


def find_repeated(terms: Iterable[t.Term | None]) -> dict[int, Hashable]:
    """Find the game calls and the terms position(...) that occur at least twice. Return a map id(term) -> key.

    Equal terms have equal keys, so their value need be computed only once. The map is valid only while the terms exist,
    because it uses their ids.
    """
    places: dict[Hashable, list[int]] = {}
    for term in walk(tuple(terms)):
        if isinstance(term, t.GameCall) or (isinstance(term, t.Operation) and term.op == "position"):
            try:
                places.setdefault(structural_key(term), []).append(id(term))
            except ValueError:  # the term calls a definition, so it has no structural key
                continue
    return {at: key for key, ids in places.items() if len(ids) > 1 for at in ids}


# -- search -----------------------------------------------------------------------------------------------------------
FEW_CELLS = 1 << 16  # cases that are evaluated at once if tables answer all game calls: their arrays fit into the cache


class ArraySearch:
    """The search for the smallest failing case of one claim in one scope; for an [exists] claim, for a witness.

    `tally`: collects the results after each grid of cases, so it is valid even if the search raises an exception.
    `earlier`: the part of the scope that was searched before; its cases are skipped.

    The methods raise TooLarge, BadRuleset, IllDefinedDomain and OutOfTime.
    """

    def __init__(
        self, claim: Claim, scope: d.Scope, clock: Deadline, tally: Tally | None = None, earlier: d.Scope | None = None
    ) -> None:
        self.claim, self.clock = claim, clock
        self.exists = claim.quantifier == "exists"
        self.legal = state_legal(claim)
        self.tally = Tally() if tally is None else tally
        pool = Pool(list_core(scope, clock))
        boards: dict[str, GameSolver] = {}
        self.evaluator = FrameEvaluator(pool, clock, boards)
        self.evaluator.repeated = find_repeated([claim.hypothesis, claim.conclusion])
        heaps = self.tally.heaps
        self.boards = [GameSolver(g, pool, self.evaluator, clock, heaps.get(g.name)) for g in claim.games]
        boards.update({b.game.name: b for b in self.boards})
        heaps.update({b.game.name: b.heaps for b in self.boards})
        self.grids = [Grid(claim, piece, self.evaluator) for piece in split(scope, earlier)]
        self.order = Order(claim.variables, pool)
        in_pairs = any(board.pairs.serves for board in self.boards)
        self._audit = CaseSample(claim.digest, len(claim.variables) + 2) if in_pairs else None
        self._number = 0  # of the next case, for `_audit`

    def run(self) -> None:
        """Search the scope, but skip cases that are certainly larger than the smallest deciding case found so far."""
        try:
            for grid in self.grids:
                self._search(grid)
        finally:
            for board in self.boards:
                self.tally.trusted |= board.trusted
                self.tally.engines |= board.engines
                self.tally.passed_over |= {Fallback(*x) for x in board.passed_over}
                self.tally.tables.update(board.list_tables())
                self.tally.winners.update(board.list_winners())
                self.tally.audited |= board.pairs.audited
            if self._audit is not None:
                judged = [(self.order.convert(row[1:-1]), CODES[row[-1]]) for row in self._audit.list_rows()]
                self.tally.audit += [x for x in judged if x[1] is not Judgement.ILL_DEFINED]

    def iterate_chunks(self, grid: Grid) -> Iterator[Frame]:
        """Yield the rows of a grid in parts, so that the cases of one part fit into memory.

        Raise TooLarge if there are too many cases.
        """
        first, width = self._number, grid.width
        # otherwise, each part would need a graph; or no game is asked about, so that a solver may be faster
        in_parts = (self._reads_tables and bool(self._calls)) or self._audit is not None
        parts = grid.cut(limits.MAX_CELLS, limits.MAX_IN_PARTS) if in_parts else [grid]
        # Usually the last rows have the largest heaps. If they come first, each table is computed only once. The audit
        # numbers the cases, so for it the parts come in order.
        for part in reversed(parts) if self._reads_tables and self._audit is None else parts:
            rows = part.bind_rows()
            count = self._number - first + rows.rows * width
            if count > limits.MAX_CASES:
                most = group_digits(limits.MAX_CASES)
                raise TooLarge(f"at least {group_digits(count)} cases at once, more than {most}")
            step = max(1, (FEW_CELLS if self._reads_tables else limits.MAX_CELLS) // max(width, 1))
            starts, before = range(0, rows.rows, step), self._number
            for done in reversed(starts) if self._reads_tables else starts:
                for board in self.boards:
                    if board.arguments and board.volume > limits.MAX_CELLS:
                        board.forget()  # drop the tables for the parameters of earlier rows
                self._number = before + done * width
                yield rows.cut(0, done, min(done + step, rows.rows))
            self._number = before + rows.rows * width

    @cached_property
    def _reads_tables(self) -> bool:
        """Whether all game calls are about heaps that are written in them, and the moves have no parameters.

        Tables then answer the calls, so that no graph of positions is built again for each part of the cases.
        """
        boards = {board.game.name: board for board in self.boards}
        return self.legal is None and all(boards[x.game].reads_table(x) for x in self._calls)

    @cached_property
    def _calls(self) -> list[t.GameCall]:
        """The questions about games in the claim."""
        terms = walk((self.claim.hypothesis, self.claim.conclusion))
        return [x for x in terms if isinstance(x, t.GameCall)]

    def _search(self, grid: Grid) -> None:
        for chunk in self.iterate_chunks(grid):
            for frame in grid.iterate_frames(chunk, lambda: self._find_last(grid)):
                frame.look_at(self._look)

    def _find_last(self, grid: Grid) -> int | None:
        """Return the rank of the largest position that the first position variable may still have; None for no limit.

        It is the rank of this variable's position in the smallest deciding case so far. Cases in which the position is
        larger need not be searched.
        """
        best = self.tally.best
        if best is None or not grid.column_variables:
            return None
        heaps = best.case[grid.column_variables[0].name]
        pool = self.evaluator.pool
        # intern before reading the ranks: the position may be new
        (at,) = pool.intern(np.array([heaps or (0,)], dtype=np.int64))
        return int(pool.rank[at])

    # -- one frame ----------------------------------------------------------------------------------------------------
    def _look(self, frame: Frame) -> None:
        """Evaluate the claim at every case of a frame, and add the results to the tally. Raise TooWide."""
        met, ill, true, false = self.evaluate(frame)
        tally = self.tally
        tally.cases += met.size
        tally.met += int(np.count_nonzero(met))
        tally.best = smaller(tally.best, self._find_smallest(frame, ill, True))
        tally.best = smaller(tally.best, self._find_smallest(frame, true if self.exists else false))
        tally.witness = smaller(tally.witness, self._find_smallest(frame, met))
        tally.sample.add(self.order, frame, true, Judgement.HOLDS)
        if self.exists:
            tally.sample.add(self.order, frame, false, Judgement.FAILS)
        tally.sample.add(self.order, frame, ~met & ~ill, Judgement.HYPOTHESES_FAIL)
        if self._audit is not None:
            self._read_sample(self._audit, frame, true + np.int8(2) * false + np.int8(3) * ill)
        self._number += met.size

    def evaluate(self, frame: Frame) -> tuple[Array, Array, Array, Array]:
        """Return four arrays of truth values, with an entry for each case of `frame`, a grid of cases.

        1. The hypotheses hold.
        2. The claim is ill-defined.
        3. The hypotheses and the conclusion hold.
        4. The hypotheses hold, and the conclusion is false.
        """
        shape = (frame.rows, frame.cols)
        met, ill = np.ones(shape, dtype=bool), np.zeros(shape, dtype=bool)
        true = np.zeros(shape, dtype=bool)
        if self.legal is not None:
            legal = self.evaluator.evaluate_scalars(self.legal, frame)
            ill |= ~legal.data if legal.bad is None else ~legal.data | legal.bad
        if self.claim.hypothesis is not None:
            hypothesis = self.evaluator.evaluate_scalars(self.claim.hypothesis, frame)
            met = np.array(np.broadcast_to(hypothesis.data, shape))
            if hypothesis.bad is not None:
                ill |= hypothesis.bad
        met &= ~ill
        in_rows, in_cols = met.any(axis=1), met.any(axis=0)
        cells = int(np.count_nonzero(in_rows)) * int(np.count_nonzero(in_cols))
        if not cells:
            return met, ill, true, true
        # Evaluate the conclusion only in rows and columns where the hypotheses hold somewhere.
        inner, at = frame, cast(tuple[slice | Array, ...], (slice(None), slice(None)))
        if cells <= 0.7 * met.size:
            rows, cols = np.flatnonzero(in_rows), np.flatnonzero(in_cols)
            inner, at = frame.spread(0, rows).spread(1, cols), np.ix_(rows, cols)
        conclusion = self.evaluator.evaluate_scalars(self.claim.conclusion, inner)
        true[at] = conclusion.data
        if conclusion.bad is not None:
            wrong = np.zeros(shape, dtype=bool)
            wrong[at] = conclusion.bad
            ill |= wrong & met
        sound = met & ~ill
        return met, ill, true & sound, ~true & sound

    def _read_sample(self, sample: CaseSample, frame: Frame, codes: Array) -> None:
        """Let `sample` read the cases of a frame. `codes`: the index of each judgement in CODES.

        Frames with a variable that is a list, or a number of 2^62 or more, are left out.
        """
        columns = [np.zeros((1, 1), dtype=np.int64)]
        for value in (frame.lookup(v.name) for v in self.claim.variables):
            if not isinstance(value, Scalars) or value.data.dtype == object:
                return
            columns.append(value.data)
        rows = [np.broadcast_to(x, codes.shape).ravel() for x in (*columns, codes)]
        sample.read(np.array(rows, dtype=np.int64).T, self._number)

    def _find_smallest(self, frame: Frame, mask: Array, ill: bool = False) -> FoundCase | None:
        """Return the smallest case that `mask` marks, with its sort key; None if it marks no case."""
        case = self.order.find_smallest(frame, mask)
        return None if case is None else FoundCase(self.order.make_key(case), case, ill)


# == survey ===========================================================================================================
# Count all failures of a claim within a scope: the search without its early stop.
#
# It uses the same frames, evaluation and order as the search.
CountsByGroup = Counter[tuple[int, ...]]  # the number of cases, by the values of a grouping


@dataclass
class SurveyLine:
    """The results for cases that differ from a given case only in the value of one variable.

    `fails`, `holds`: the values of this variable for which the claim fails or holds.
    `unmet`: the values for which the hypotheses do not hold.

    Values for which the claim is ill-defined are in none of the lists.
    """

    fails: list[CaseValue] = field(default_factory=list)
    holds: list[CaseValue] = field(default_factory=list)
    unmet: list[CaseValue] = field(default_factory=list)


@dataclass
class Survey:
    """The counts of the cases at which a claim fails, in total and by the values of some variables.

    `cases`: the number of cases. `fails`: the number of failing cases.
    `met`: the number of cases at which the hypotheses hold and the claim has a truth value.
    `undefined`: the number of cases at which the claim has no truth value.
    `first`: the smallest failing cases, in order.
    `groups`: for some tuples of variables, two counters: for the cases in `met`, and for the failing cases. In a
    counter, a key contains the values of the variables; for a position it contains the number of heaps instead.
    `lines`: for each variable, the results if only its value is changed in the smallest failing case.
    """

    cases: int = 0
    met: int = 0
    fails: int = 0
    undefined: int = 0
    first: list[Case] = field(default_factory=list)
    groups: dict[tuple[str, ...], tuple[CountsByGroup, CountsByGroup]] = field(default_factory=dict)
    lines: dict[str, SurveyLine] = field(default_factory=dict)


class Surveyor:
    """The counting of all failing cases of one claim in one scope.

    The methods raise the errors of `ArraySearch`.
    """

    def __init__(self, claim: Claim, scope: d.Scope, clock: Deadline, smallest: Case, wanted: int) -> None:
        """Prepare the count.

        `smallest`: the smallest failing case. Each entry of `Survey.lines` changes one of its variables.
        `wanted`: the greatest length of `Survey.first`.
        """
        self.search = ArraySearch(claim, scope, clock)
        self.claim, self.smallest, self.wanted = claim, smallest, wanted
        self.found = Survey(groups={g: (Counter(), Counter()) for g in list_groupings(claim)})
        self.found.lines = {v.name: SurveyLine() for v in claim.variables}

    def run(self) -> Survey:
        """Evaluate the claim at every case of the scope, and return the counts."""
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
        """Return the value of an integer variable, or the number of heaps of a position variable, at each case."""
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
        """Return, for each case of `frame`, whether the variable has the same value as in the smallest failing case."""
        value, wanted = frame.lookup(v.name), self.smallest[v.name]
        if not isinstance(value, Scalars):  # sets
            return np.array([tuple(x) == wanted for x in value.to_lists()]).reshape(value.shape)
        if v.type == POSITION:
            heaps = np.array([_as_tuple(wanted) or (0,)], dtype=np.int64)
            wanted = int(self.search.evaluator.pool.intern(heaps)[0])
        return np.asarray(value.data == wanted)


def list_groupings(claim: Claim) -> list[tuple[str, ...]]:
    """Return the tuples of variables for which a `Survey` counts failing cases.

    For two positions s, t and three integers a, b, c they are (s,), (t,), (a, b), (a, c), (b, c). Integers after the
    third are ignored. If there is only one integer a, its tuple is (a,).
    """
    positions: list[tuple[str, ...]] = [(v.name,) for v in claim.variables if v.type == POSITION]
    integers = [v.name for v in claim.variables if v.type == INT]
    pairs: list[tuple[str, ...]] = [(x, y) for i, x in enumerate(integers[:3]) for y in integers[i + 1 : 3]]
    return [*positions, *(pairs or [(x,) for x in integers])]


def _as_tuple(value: object) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def _count(tally: CountsByGroup, keys: list[Array], mask: Array) -> None:
    """Group the cases that `mask` marks by the values of `keys`, and add the size of each group to `tally`.

    `mask`: a truth value for each case; a case is given by a row and a column.
    `keys`: arrays with a value for each case. An array has only one row (or column) if its values do not depend on the
    row (or column).
    """
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
