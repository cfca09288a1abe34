"""Terms of a claim at many heaps at once, the other variables fixed: what maps and sequences are drawn from."""

from __future__ import annotations

import numpy as np

from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.positions import Pool, PositionSet
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.engines.board import Board
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator
from encoders.ground.refusals import Unsupported


class Sheet:
    """One claim with some variables fixed, and one name that runs over positions or over sizes of heaps.

    `boards`: the games as they were solved for the last question, by name.
    """

    def __init__(self, claim: Claim, fixed: tuple[tuple[str, int], ...], clock: Clock) -> None:
        self.claim, self.fixed, self.clock = claim, fixed, clock
        self.boards: dict[str, Board] = {}

    def evaluate_positions(self, term: t.Term, name: str, rows: Array) -> list[int]:
        """The values of `term` where `name` is each position of (n, width), ascending heaps after zeros.

        Raises Unsupported where one has no value; OutOfTime, TooLarge and BadRuleset as a search does.
        """
        evaluator = self._make_evaluator(PositionSet.of(rows))
        return self._evaluate(evaluator, term, name, evaluator.pool.intern(rows))

    def evaluate_sizes(self, term: t.Term, name: str, sizes: Array) -> list[int]:
        """The values of `term` where `name` is each of the integers (n,). Raises what `evaluate_positions` raises."""
        heaps = PositionSet.of(np.maximum(sizes, 0)[:, None])
        return self._evaluate(self._make_evaluator(heaps), term, name, sizes)

    def _make_evaluator(self, positions: PositionSet) -> FrameEvaluator:
        self.boards = boards = dict[str, Board]()
        evaluator = FrameEvaluator(Pool(positions), self.clock, boards)
        boards.update({g.name: Board(g, evaluator.pool, evaluator, self.clock) for g in self.claim.games})
        return evaluator

    def _evaluate(self, evaluator: FrameEvaluator, term: t.Term, name: str, column: Array) -> list[int]:
        frame = Frame(1, len(column), {n: make_constant(value) for n, value in self.fixed})
        frame.names[name] = Scalars(column[None, :])
        value = evaluator.evaluate_scalars(term, frame)
        if value.bad is not None and bool(np.broadcast_to(value.bad, (1, len(column))).any()):
            at = int(np.flatnonzero(np.broadcast_to(value.bad, (1, len(column)))[0])[0])
            raise Unsupported(f"it has no value at the {at + 1}. of its {len(column)} places")
        found: list[int] = np.broadcast_to(value.data, (1, len(column)))[0].tolist()
        return found
