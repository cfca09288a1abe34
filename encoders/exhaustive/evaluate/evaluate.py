"""The meaning of terms for a whole frame of cases at once. It must agree, case by case, with the referee's.

Laziness becomes badness: both sides of `and` are computed everywhere, but a bad right side counts only where the left
side is true.  A comprehension spreads its frame over the elements of its source, evaluates its body there and reduces
the stretches (`comprehensions`); where the source is `options(...)` and the body looks at the option alone, the body is
evaluated once for every position of the game instead, and the moves are followed bit-parallel (`tabulated`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from encoders.exhaustive.arrays.collections import OPERATIONS, Collections, choose
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Deadline, TooLarge
from encoders.exhaustive.arrays.operations import calculate, check_translated, is_scalar
from encoders.exhaustive.arrays.positions import Pool
from encoders.exhaustive.arrays.values import Ragged, Scalars, Value, make_constant, make_nothing, merge_bad, worsen
from encoders.exhaustive.engines.board import GameSolver
from encoders.exhaustive.evaluate.comprehensions import Comprehensions
from encoders.exhaustive.evaluate.tabulated import FreeVariables


def goes_case_by_case(claim: Claim) -> bool:
    """Whether one case is looked at after another: the claim, or a ruleset, has a term that arrays do not compute."""
    return claim.goes_case_by_case or not all(
        op in OPERATIONS or is_scalar(op, types, result) for op, types, result in claim.operations
    )


class FrameEvaluator:
    """Evaluates terms on frames: the `Evaluator` of `encoders.exhaustive.moves`.

    `boards`: the games of the claim, by name; a ruleset's own expressions need none.  A board needs the evaluator, so
    they are put there afterwards.  Whatever it evaluates may raise OutOfTime, TooLarge (TooWide where a smaller frame
    may do), BadRuleset, or Unsupported for an operation that has no translation into arrays.
    """

    def __init__(self, pool: Pool, clock: Deadline, boards: Mapping[str, GameSolver]) -> None:
        self.pool, self.clock, self.boards = pool, clock, boards
        self.collections = Collections(pool, clock)
        self.free = FreeVariables(boards)
        self.comprehensions = Comprehensions(self, boards, self.free)
        self.repeated: dict[int, Hashable] = {}
        """By the id of a term what it shares with others of one value: `find_repeated`."""

    def evaluate(self, term: t.Term, frame: Frame) -> Value:
        """The value of a term on a frame: (r, c) with r 1 or the frame's rows, c 1 or its columns."""
        key = self.repeated.get(id(term))
        if key is None:
            return self._evaluate(term, frame)
        if key not in frame.found:
            frame.found[key] = self._evaluate(term, frame)
        return frame.found[key]

    def _evaluate(self, term: t.Term, frame: Frame) -> Value:
        self.clock.check()
        if not frame.cells:
            return make_nothing(term.type)
        match term:
            case t.Literal(value=v):
                return make_constant(bool(v) if term.type == BOOL else v)
            case t.Variable(name=name):
                return frame.lookup(name)
            case t.AllOf(args=args):
                return self._decide(args, frame, True)
            case t.AnyOf(args=args):
                return self._decide(args, frame, False)
            case t.IfElse():
                return self._choose(term, frame)
            case t.Operation(op=op, args=args):
                values = [self.evaluate(x, frame) for x in args]
                types = [x.type for x in args]
                if op in OPERATIONS or (op in ("eq", "ne") and any(isinstance(v, Ragged) for v in values)):
                    return self.collections.operate(op, values, types)
                check_translated(op, types, term.type)
                return calculate(op, [v for v in values if isinstance(v, Scalars)], self.clock)
            case t.Collection(items=items):
                return self.collections.collect(term.type, [self.evaluate_scalars(x, frame) for x in items])
            case t.Apply():
                return self._apply(term, frame)
            case t.GameCall(game=name):
                return self.boards[name].ask(term, frame)
            case t.Comprehension():
                return self.comprehensions.evaluate(term, frame)
        raise AssertionError(term)

    def evaluate_scalars(self, term: t.Term, frame: Frame) -> Scalars:
        """The value of a term that is no list or set."""
        value = self.evaluate(term, frame)
        assert isinstance(value, Scalars)
        return value

    def evaluate_everywhere(self, term: t.Term, frame: Frame, fault: Exception) -> Value:
        """The value of a term that must have one at every case. Raises `fault` where it is ill-defined.

        Raises TooLarge where it is past a limit: at the first case without a value, looked at alone.
        """
        value = self.evaluate(term, frame)
        if value.bad is None:
            return value
        row, column = np.argwhere(np.broadcast_to(value.bad, (frame.rows, frame.cols)))[0]
        self.clock.limit = ""
        self.evaluate(term, frame.spread(0, np.array([row])).spread(1, np.array([column])))
        raise TooLarge(self.clock.limit) if self.clock.limit else fault

    # -- lazy forms -------------------------------------------------------------------------------------------------
    def _decide(self, args: tuple[t.Term, ...], frame: Frame, conjunction: bool) -> Scalars:
        """`and` (conjunction) or `or`: a later operand counts only where no earlier one has decided."""
        result = self.evaluate_scalars(args[0], frame)
        for x in args[1:]:
            open_ = result.data if conjunction else ~result.data
            if result.bad is not None:
                open_ = open_ & ~result.bad
            if not open_.any():
                break
            value = self.evaluate_scalars(x, frame)
            bad = None if value.bad is None else open_ & value.bad
            data = result.data & value.data if conjunction else result.data | value.data
            result = Scalars(data, merge_bad(result.bad, bad))
        return result

    def _choose(self, term: t.IfElse, frame: Frame) -> Value:
        condition = self.evaluate_scalars(term.condition, frame)
        if condition.bad is None and condition.data.all():
            return self.evaluate(term.then, frame)
        if condition.bad is None and not condition.data.any():
            return self.evaluate(term.other, frame)
        then, other = self.evaluate(term.then, frame), self.evaluate(term.other, frame)
        return choose(condition, then, other, frame.rows, frame.cols)

    def _apply(self, term: t.Apply, frame: Frame) -> Value:
        args = [self.evaluate(x, frame) for x in term.args]
        key = (id(term.function), *map(id, args))
        if key not in frame.applied:
            inner = frame.narrow(True, True)
            inner.names = dict(zip(term.function.parameters, args, strict=True))
            value = self.evaluate(term.function.body, inner)
            frame.applied[key] = worsen(value, merge_bad(*(a.bad for a in args)))
            frame.keep.append(args)
        return frame.applied[key]
