"""The exhaustive route: every case of a scope, with an early stop at the smallest counterexample of all of them.

For an [exists] claim the roles are swapped: the search is for the smallest witness.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from claims import domains as d
from claims.model import Claim
from claims.types import POSITION
from encoders.answer import Answer, Case
from encoders.exhaustive.board import Board
from encoders.exhaustive.evaluate import Evaluator
from encoders.exhaustive.frame import Frame
from encoders.exhaustive.grid import Grid, IllDefinedDomain, core_box
from encoders.exhaustive.limits import MAX_CELLS, BadRuleset, Clock, OutOfTime, TooLarge
from encoders.exhaustive.positions import Pool
from encoders.exhaustive.values import Array

NAME = "exhaustive"
SAMPLE = 24  # cases of a success that the referee is asked to evaluate again
MAX_CASES = 4_000_000_000  # beyond, the scope is refused: hours even at full speed


@dataclass
class _Found:
    """What is known so far: the smallest decisive case and the smallest witness, by their keys."""

    cases: int = 0
    met: int = 0
    rows_done: int = 0
    best: tuple[Array, Case, str] | None = None  # key, case, "decisive" or "ill-defined"
    witness: tuple[Array, Case] | None = None
    sample: list[tuple[Case, str]] = field(default_factory=list)


def settle(claim: Claim, scope: d.Scope, budget: float | None = None) -> Answer:
    """Decide a claim within a scope. `budget`: seconds, or None. Never raises for a claim that is too large."""
    started = time.monotonic()
    clock = Clock(budget)
    try:
        answer = _Search(claim, scope, clock).run()
    except TooLarge as error:
        answer = Answer(NAME, "unknown", detail=f"too large: {error}")
    except (BadRuleset, IllDefinedDomain) as error:
        answer = Answer(NAME, "unsupported", detail=str(error))
    except MemoryError:
        answer = Answer(NAME, "unknown", detail="out of memory")
    return _timed(answer, time.monotonic() - started)


def _timed(answer: Answer, seconds: float) -> Answer:
    from dataclasses import replace

    return replace(answer, seconds=seconds)


class _Search:
    def __init__(self, claim: Claim, scope: d.Scope, clock: Clock) -> None:
        self.claim, self.clock = claim, clock
        pool = Pool(core_box(claim, scope))
        self.evaluator = Evaluator(pool, clock)
        self.evaluator.boards = {g.name: Board(g, pool, self.evaluator, clock) for g in claim.games}
        self.grid = Grid(claim, scope, self.evaluator)
        self.found = _Found()
        self.exists = claim.quantifier == "exists"

    def run(self) -> Answer:
        rows = self.grid.rows()
        first = self._first_positions()
        width = self._width(rows, first)
        if rows.rows * width > MAX_CASES:
            raise TooLarge(f"{rows.rows * width:,} cases".replace(",", " "))
        found = self.found
        try:
            for chunk in self.grid.row_chunks(rows, width, MAX_CELLS):
                self.clock.check()
                for frame in self._column_frames(chunk, first):
                    self._look(frame)
                found.rows_done += chunk.rows
        except OutOfTime:
            done = f"{found.rows_done} of {rows.rows} choices of the parameters" if rows.rows > 1 else "nothing"
            detail = f"out of time; complete for {done}, {found.cases} cases without counterexample"
            if self.exists:
                detail = f"out of time after {found.cases} cases without a witness"
            if found.best is None:
                return Answer(NAME, "unknown", found.cases, found.met, detail=detail, trusted=self._trusted())
            detail = f"out of time; a failing case was found, but smaller ones may exist: {found.best[1]}"
            return Answer(NAME, "unknown", found.cases, found.met, detail=detail, trusted=self._trusted())
        return self._answer()

    def _answer(self) -> Answer:
        found = self.found
        answer = "fails" if self.exists else "holds"
        counterexample = ill_defined = witness = None
        if found.witness is not None:
            witness = found.witness[1]
        if found.best is not None:
            if found.best[2] == "ill-defined":
                answer, ill_defined = "unknown", found.best[1]
            elif self.exists:
                answer, witness = "holds", found.best[1]
            else:
                answer, counterexample = "fails", found.best[1]
        if self.exists and answer == "fails":
            witness = None
        return Answer(
            NAME,
            answer,
            found.cases,
            found.met,
            counterexample,
            ill_defined,
            witness,
            _thinned(found.sample),
            self._trusted(),
        )

    def _trusted(self) -> tuple[str, ...]:
        return tuple(sorted(set().union(*(b.trusted for b in self.evaluator.boards.values()))))

    def _first_positions(self) -> Array | None:
        """The positions of the first column variable, if it is a position of a box."""
        for v in self.grid.column_variables[:1]:
            if isinstance(v.domain, d.Positions):
                return self.grid.positions(v.name)
        return None

    def _width(self, rows: Frame, first: Array | None) -> int:
        """About how many columns there will be."""
        width = 1
        for v in self.grid.column_variables:
            if v.type == POSITION and isinstance(v.domain, d.Positions):
                width *= max(1, len(self.grid.positions(v.name)))
        return width

    def _column_frames(self, chunk: Frame, first: Array | None) -> list[Frame]:
        if first is not None and self.found.best is not None:
            # Later rows matter only where their positions are no larger than those of the best case so far.
            first = first[self.evaluator.pool.rank[first] <= self.found.best[0][0]]
        return [self.grid.columns(chunk, first)]

    def _look(self, frame: Frame) -> None:
        if frame.rows * frame.cols == 0:
            return
        shape = (frame.rows, frame.cols)
        met = np.ones((1, 1), dtype=bool)
        ill: Array | None = None
        whole = frame
        if self.claim.hypothesis is not None:
            hypothesis = self.evaluator.scalars(self.claim.hypothesis, frame)
            met, ill = hypothesis.data, hypothesis.bad
            if ill is not None:
                met = met & ~ill
        grid = np.broadcast_to(met, shape)
        self.found.cases += grid.size
        self.found.met += int(grid.sum())
        if ill is not None:
            self._note(frame, np.broadcast_to(ill, shape), "ill-defined")
        if not grid.any():
            self._sample(whole, ~grid, "hypotheses fail")
            return
        frame, kept = _narrowed(frame, grid)
        conclusion = self.evaluator.scalars(self.claim.conclusion, frame)
        if conclusion.bad is not None:
            self._note(frame, kept & conclusion.bad, "ill-defined")
            kept = kept & ~conclusion.bad
        true = np.broadcast_to(kept & conclusion.data, kept.shape)
        false = np.broadcast_to(kept & ~conclusion.data, kept.shape)
        self._note(frame, true if self.exists else false, "decisive")
        self._remember_witness(frame, kept)
        self._sample(frame, true, "holds")
        if self.exists:
            self._sample(frame, false, "fails")
        self._sample(whole, ~grid, "hypotheses fail")

    def _note(self, frame: Frame, mask: Array | None, kind: str) -> None:
        if mask is None or not mask.any():
            return
        case, key = self._smallest(frame, mask)
        if self.found.best is None or _less(key, self.found.best[0]):
            self.found.best = (key, case, kind)

    def _remember_witness(self, frame: Frame, mask: Array) -> None:
        if mask.any():
            case, key = self._smallest(frame, mask)
            if self.found.witness is None or _less(key, self.found.witness[0]):
                self.found.witness = (key, case)

    def _smallest(self, frame: Frame, mask: Array) -> tuple[Case, Array]:
        row, column = self.grid.smallest(frame, mask)
        case = self.grid.case(frame, row, column)
        return case, self._key(frame, row, column)

    def _key(self, frame: Frame, row: int, column: int) -> Array:
        """The place of a case in the order: comparable between frames, as positions are never renumbered."""
        cell = np.array([row * frame.cols + column])
        variables = sorted(self.claim.variables, key=lambda v: v.type != POSITION)
        return np.array([self.grid._keys(v, frame, cell)[0] for v in variables], dtype=object)

    def _sample(self, frame: Frame, mask: Array, judgement: str) -> None:
        cells = np.flatnonzero(mask.ravel()) if mask.any() else np.zeros(0, dtype=np.int64)
        if len(cells):
            chosen = cells[np.unique(np.linspace(0, len(cells) - 1, SAMPLE // 3).astype(np.int64))]
            self.found.sample += [(self.grid.case(frame, int(i) // frame.cols, int(i) % frame.cols), judgement) for i in chosen]
            if len(self.found.sample) > 16 * SAMPLE:
                self.found.sample = list(_thinned(self.found.sample, 8 * SAMPLE))


def _thinned(sample: list[tuple[Case, str]], size: int = SAMPLE) -> tuple[tuple[Case, str], ...]:
    """At most `size` of the sample, evenly spread, two thirds of them with the hypotheses met where there are such."""
    met = [x for x in sample if x[1] != "hypotheses fail"]
    rest = [x for x in sample if x[1] == "hypotheses fail"]

    def spread(items: list[tuple[Case, str]], count: int) -> list[tuple[Case, str]]:
        if len(items) <= count:
            return items
        return [items[i] for i in sorted({int(x) for x in np.linspace(0, len(items) - 1, count)})]

    quota = size - min(len(rest), size // 3)
    return tuple(spread(met, quota) + spread(rest, size - min(len(met), quota)))


def _narrowed(frame: Frame, grid: Array) -> tuple[Frame, Array]:
    """The frame without the rows and columns where the hypotheses hold nowhere, and where they hold in what is left."""
    rows, columns = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    if len(rows) * len(columns) > 0.7 * grid.size:
        return frame, grid
    if len(rows) < frame.rows:
        frame, grid = frame.spread(0, rows), grid[rows]
    if len(columns) < frame.cols:
        frame, grid = frame.spread(1, columns), grid[:, columns]
    return frame, grid


def _less(a: Array, b: Array) -> bool:
    return tuple(a.tolist()) < tuple(b.tolist())


