"""The search through all cases of one claim within a scope, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from encoders.answer import Answer, Case, Decision
from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Clock, OutOfTime, TooLarge, TooWide, group_digits
from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.cases.grid import Grid, list_core
from encoders.exhaustive.cases.order import Order
from encoders.exhaustive.cases.sample import Sample
from encoders.exhaustive.play.board import Board
from encoders.exhaustive.terms.evaluate import FrameEvaluator
from encoders.trust import Trusted

NAME = "exhaustive"


@dataclass(frozen=True)
class _Found:
    """A case worth remembering. `key` orders cases; `ill`: the claim has no truth value there."""

    key: tuple[object, ...]
    case: Case
    ill: bool = False


class Search:
    """One claim, one scope. Raises TooLarge, BadRuleset, IllDefinedDomain, and OutOfTime before the first case."""

    def __init__(self, claim: Claim, scope: d.Scope, clock: Clock) -> None:
        self.claim, self.clock = claim, clock
        self.exists = claim.quantifier == "exists"
        pool = Pool(list_core(scope))
        boards: dict[str, Board] = {}
        self.evaluator = FrameEvaluator(pool, clock, boards)
        self.boards = [Board(g, pool, self.evaluator, clock) for g in claim.games]
        boards.update({b.game.name: b for b in self.boards})
        self.grid = Grid(claim, scope, self.evaluator)
        self.order = Order(claim.variables, pool)
        self.sample = Sample(self.order)
        self.cases = self.met = 0
        self.best: _Found | None = None  # the smallest case that decides: it fails, is ill-defined, or witnesses
        self.witness: _Found | None = None  # the smallest case with the hypotheses met

    def run(self) -> Answer:
        """Look at every case that may matter."""
        rows, width = self.grid.bind_rows(), self.grid.width
        if rows.rows * width > limits.MAX_CASES:
            most = group_digits(limits.MAX_CASES)
            raise TooLarge(f"{group_digits(rows.rows * width)} cases or more; a scope of at most {most} would fit")
        step, done = max(1, limits.MAX_CELLS // max(width, 1)), 0
        try:
            for done in range(0, rows.rows, step):
                for board in self.boards:
                    if board.volume > limits.MAX_CELLS:
                        board.forget()  # what was solved under the parameters of earlier rows
                chunk = rows.spread(0, np.arange(done, min(done + step, rows.rows)))
                for frame in self.grid.iterate_frames(chunk, self._find_last):
                    self._look(frame)
        except OutOfTime:
            return self._report_unfinished(rows.rows, done, width)
        return self._report()

    def _find_last(self) -> int | None:
        """The rank of the first position of the best case so far: beyond it nothing matters any more."""
        if self.best is None or not self.grid.column_variables:
            return None
        heaps = self.best.case[self.grid.column_variables[0].name]
        pool = self.evaluator.pool
        return int(pool.rank[pool.intern(np.array([heaps or (0,)], dtype=np.int64))[0]])

    # -- one frame ----------------------------------------------------------------------------------------------------
    def _look(self, frame: Frame) -> None:
        """Evaluate the claim at every case of a frame; in halves where that is too wide."""
        if not frame.cells:
            return
        try:
            met, ill, true, false = self.evaluate(frame)
        except TooWide:
            if frame.cells == 1:
                raise
            for part in frame.halve()[1]:
                self._look(part)
            return
        self.cases += met.size
        self.met += int(met.sum())
        self.best = self._keep_smaller(self.best, frame, ill, True)
        self.best = self._keep_smaller(self.best, frame, true if self.exists else false)
        self.witness = self._keep_smaller(self.witness, frame, met)
        self.sample.add(frame, true, Judgement.HOLDS)
        if self.exists:
            self.sample.add(frame, false, Judgement.FAILS)
        self.sample.add(frame, ~met & ~ill, Judgement.HYPOTHESES_FAIL)

    def evaluate(self, frame: Frame) -> tuple[Array, Array, Array, Array]:
        """Where the hypotheses hold, where the claim is ill-defined, where it is true and where it is false."""
        shape = (frame.rows, frame.cols)
        met, ill = np.ones(shape, dtype=bool), np.zeros(shape, dtype=bool)
        true = np.zeros(shape, dtype=bool)
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

    def _keep_smaller(self, known: _Found | None, frame: Frame, mask: Array, ill: bool = False) -> _Found | None:
        """The smallest case of those where `mask` holds and the known one."""
        case = self.order.find_smallest(frame, mask)
        if case is None:
            return known
        found = _Found(self.order.make_key(case), case, ill)
        return found if known is None or found.key < known.key else known

    # -- what came of it ----------------------------------------------------------------------------------------------
    def _report(self) -> Answer:
        best, witness = self.best, self.witness
        decided = Decision.HOLDS if self.exists == (best is not None) else Decision.FAILS
        if best is not None and best.ill:
            decided = Decision.UNKNOWN
        case = best.case if best is not None else None
        if self.exists:
            shown = case if decided is Decision.HOLDS else None
        else:
            shown = witness.case if witness else None
        return Answer(
            NAME,
            decided,
            self.cases,
            self.met,
            counterexample=case if decided is Decision.FAILS else None,
            ill_defined=case if decided is Decision.UNKNOWN else None,
            witness=shown,
            sample=self.sample.take(),
            trusted=self._list_trusted(),
        )

    def _report_unfinished(self, rows: int, done: int, width: int) -> Answer:
        total = f"about {group_digits(rows * width)}" if self.grid.column_variables else group_digits(rows)
        detail = f"out of time after {group_digits(self.cases)} of {total} cases"
        if done:
            names = ", ".join(v.name for v in self.grid.row_variables)
            detail += f"; complete for {group_digits(done)} of {group_digits(rows)} choices of {names}"
        if self.best is not None:
            kind = "an ill-defined case" if self.best.ill else "a witness" if self.exists else "a counterexample"
            detail += f"; {kind} was found, but smaller ones may exist: {self.best.case}"
        else:
            detail += ", without a witness" if self.exists else ", without a counterexample"
        return Answer(NAME, Decision.UNKNOWN, self.cases, self.met, detail=detail, trusted=self._list_trusted())

    def _list_trusted(self) -> frozenset[Trusted]:
        return frozenset[Trusted]().union(*(b.trusted for b in self.boards))
