"""The search through the cases of one claim within a scope, or what is new in it, frame by frame."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import numpy as np

from claims.language.expressions.walk import structural_key, walk
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from claims.language.statement.parameters import state_legal
from claims.language.terms import terms as t
from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Deadline, TooLarge, group_digits
from encoders.exhaustive.arrays.positions import Pool
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.cases.grid import Grid, list_core
from encoders.exhaustive.cases.slabs import split
from encoders.exhaustive.cases.tally import FoundCase, Order, Tally, smaller
from encoders.exhaustive.engines.board import GameSolver
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator

# -- what is written more than once -----------------------------------------------------------------------------------
# What a claim writes more than once and takes long to find: positions made of heaps, and questions about the game.
#
# On one frame each of them has one value, wherever it stands, for a name that runs is no name of anything else in a
# claim.  What is written once is not kept: it would only take memory.


def find_repeated(terms: Iterable[t.Term | None]) -> dict[int, Hashable]:
    """What stands at two places or more of the terms of one claim: the id of each -> what is equal for those alike.

    It is about these terms as long as they are alive.
    """
    places: dict[Hashable, list[int]] = {}
    for term in walk(tuple(terms)):
        if isinstance(term, t.GameCall) or (isinstance(term, t.Operation) and term.op == "position"):
            try:
                places.setdefault(structural_key(term), []).append(id(term))
            except ValueError:  # it calls a definition, which has no identity
                continue
    return {at: key for key, ids in places.items() if len(ids) > 1 for at in ids}


# -- search -----------------------------------------------------------------------------------------------------------
class ArraySearch:
    """One claim, one scope. Raises TooLarge, BadRuleset, IllDefinedDomain and OutOfTime.

    `earlier`: the part of the scope that was searched before; its cases are not looked at again.  What is found is
    added to `tally`, as it is found.
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

    def run(self) -> None:
        """Look at every case that may matter."""
        try:
            for grid in self.grids:
                self._search(grid)
        finally:
            for board in self.boards:
                self.tally.trusted |= board.trusted
                self.tally.engines |= board.engines
                self.tally.tables.update(board.list_tables())
                self.tally.winners.update(board.list_winners())

    def iterate_chunks(self, grid: Grid) -> Iterator[Frame]:
        """The rows of a grid in parts that fit into memory beside its columns. Raises TooLarge."""
        rows, width = grid.bind_rows(), grid.width
        if rows.rows * width > limits.MAX_CASES:
            most = group_digits(limits.MAX_CASES)
            raise TooLarge(f"{group_digits(rows.rows * width)} cases or more; a scope of at most {most} would fit")
        step = max(1, limits.MAX_CELLS // max(width, 1))
        for done in range(0, rows.rows, step):
            for board in self.boards:
                if board.volume > limits.MAX_CELLS:
                    board.forget()  # what was solved under the parameters of earlier rows
            yield rows.spread(0, np.arange(done, min(done + step, rows.rows)))

    def _search(self, grid: Grid) -> None:
        for chunk in self.iterate_chunks(grid):
            for frame in grid.iterate_frames(chunk, lambda: self._find_last(grid)):
                frame.look_at(self._look)

    def _find_last(self, grid: Grid) -> int | None:
        """The rank of the first position of the best case so far: beyond it nothing matters any more."""
        best = self.tally.best
        if best is None or not grid.column_variables:
            return None
        heaps = best.case[grid.column_variables[0].name]
        pool = self.evaluator.pool
        (at,) = pool.intern(np.array([heaps or (0,)], dtype=np.int64))  # before the ranks are read: it may be new
        return int(pool.rank[at])

    # -- one frame ----------------------------------------------------------------------------------------------------
    def _look(self, frame: Frame) -> None:
        """Evaluate the claim at every case of a frame. Raises TooWide."""
        met, ill, true, false = self.evaluate(frame)
        tally = self.tally
        tally.cases += met.size
        tally.met += int(met.sum())
        tally.best = smaller(tally.best, self._find_smallest(frame, ill, True))
        tally.best = smaller(tally.best, self._find_smallest(frame, true if self.exists else false))
        tally.witness = smaller(tally.witness, self._find_smallest(frame, met))
        tally.sample.add(self.order, frame, true, Judgement.HOLDS)
        if self.exists:
            tally.sample.add(self.order, frame, false, Judgement.FAILS)
        tally.sample.add(self.order, frame, ~met & ~ill, Judgement.HYPOTHESES_FAIL)

    def evaluate(self, frame: Frame) -> tuple[Array, Array, Array, Array]:
        """Where the hypotheses hold, where the claim is ill-defined, where it is true and where it is false."""
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
        rows, cols = np.flatnonzero(met.any(axis=1)), np.flatnonzero(met.any(axis=0))
        if not len(rows):
            return met, ill, true, true
        # The conclusion is evaluated without the rows and columns where the hypotheses hold nowhere.
        whole = len(rows) * len(cols) > 0.7 * met.size
        inner = frame if whole else frame.spread(0, rows).spread(1, cols)
        conclusion = self.evaluator.evaluate_scalars(self.claim.conclusion, inner)
        at = (slice(None), slice(None)) if whole else np.ix_(rows, cols)
        true[at] = conclusion.data
        if conclusion.bad is not None:
            wrong = np.zeros(shape, dtype=bool)
            wrong[at] = conclusion.bad
            ill |= wrong & met
        sound = met & ~ill
        return met, ill, true & sound, ~true & sound

    def _find_smallest(self, frame: Frame, mask: Array, ill: bool = False) -> FoundCase | None:
        """The smallest case of those where `mask` holds."""
        case = self.order.find_smallest(frame, mask)
        return None if case is None else FoundCase(self.order.make_key(case), case, ill)
