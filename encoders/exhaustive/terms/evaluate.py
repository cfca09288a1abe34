"""The meaning of terms for a whole frame of cases at once. It must agree, case by case, with the referee's.

Laziness becomes badness: both sides of `and` are computed everywhere, but a bad right side counts only where the left
side is true.  A comprehension spreads its frame over the elements of its source, evaluates its body there and reduces
the stretches (`comprehensions`); where the source is `options(...)` and the body looks at the option alone, the body is
evaluated once for every position of the game instead, and the moves are followed bit-parallel (`tabulated`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL
from encoders.exhaustive.arrays.collections import OPERATIONS, Collections, choose
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Clock, TooLarge
from encoders.exhaustive.arrays.operations import arithmetic
from encoders.exhaustive.arrays.pool import Pool
from encoders.exhaustive.arrays.values import Ragged, Scalars, Value, constant, either, nothing, worsened
from encoders.exhaustive.terms.comprehensions import Comprehensions

if TYPE_CHECKING:
    from encoders.exhaustive.play.board import Board


class Evaluator:
    """Evaluates terms on frames. `boards` are the games of the claim; a ruleset's own expressions need none.

    Whatever it evaluates may raise OutOfTime, TooLarge (TooWide where a smaller frame may do) or BadRuleset.
    """

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self.pool, self.clock = pool, clock
        self.boards: dict[str, Board] = {}
        self.collections = Collections(pool, clock)
        self.comprehensions = Comprehensions(self)
        self._free: dict[int, frozenset[str]] = {}
        self._kept: list[t.Term] = []  # keeps the terms alive whose ids are keys of _free

    def value(self, term: t.Term, frame: Frame) -> Value:
        """The value of a term on a frame; the one that is known already where the frame remembers values."""
        if frame.known is None:
            return self.compute(term, frame)
        found = frame.known.get(id(term))
        if found is None:
            found = frame.known[id(term)] = term, self.compute(term, frame)
        return found[1]

    def compute(self, term: t.Term, frame: Frame) -> Value:
        """The value of a term on a frame, from the values of its parts."""
        self.clock.check()
        if not frame.cells:
            return nothing(term.type)
        match term:
            case t.Literal(value=v):
                return constant(bool(v) if term.type == BOOL else v)
            case t.Variable(name=name):
                return frame.lookup(name)
            case t.AllOf(args=args):
                return self._logic(args, frame, True)
            case t.AnyOf(args=args):
                return self._logic(args, frame, False)
            case t.IfElse():
                return self._choice(term, frame)
            case t.Operation(op=op, args=args):
                values = [self.value(x, frame) for x in args]
                if op in OPERATIONS or any(isinstance(v, Ragged) for v in values):
                    return self.collections.operate(op, values, [x.type for x in args])
                return arithmetic(op, [v for v in values if isinstance(v, Scalars)], self.clock)
            case t.Collection(items=items):
                return self.collections.collect(term.type, [self.scalars(x, frame) for x in items])
            case t.Apply():
                return self._apply(term, frame)
            case t.GameCall(game=name):
                return self.board(name).ask(term, frame)
            case t.Comprehension():
                return self.comprehensions.value(term, frame)
        raise AssertionError(term)

    def board(self, game: str) -> Board:
        """The board of a game of the claim, by name."""
        return self.boards[game]

    def scalars(self, term: t.Term, frame: Frame) -> Scalars:
        """The value of a term that is no list or set."""
        value = self.value(term, frame)
        assert isinstance(value, Scalars)
        return value

    def settled(self, term: t.Term, frame: Frame, fault: Exception) -> Value:
        """The value of a term that must have one at every case. Raises `fault` where it is ill-defined.

        Raises TooLarge where it is past a limit: at the first case without a value, looked at alone.
        """
        value = self.value(term, frame)
        if value.bad is None:
            return value
        row, column = np.argwhere(np.broadcast_to(value.bad, (frame.rows, frame.cols)))[0]
        self.clock.limit = ""
        self.value(term, frame.spread(0, np.array([row])).spread(1, np.array([column])))
        raise TooLarge(self.clock.limit) if self.clock.limit else fault

    def free(self, term: t.Term) -> frozenset[str]:
        """The variables that the value of `term` may depend on, those of game parameters among them."""
        if id(term) not in self._free:
            self._kept.append(term)
            names: set[str] = set()
            match term:
                case t.Variable(name=name):
                    names.add(name)
                case t.Comprehension(body=body, clauses=clauses):
                    names |= self.free(body)
                    for clause in reversed(clauses):
                        for condition in clause.conditions:
                            names |= self.free(condition)
                        names.discard(clause.variable)
                        names |= self.free(clause.source)
                case t.Apply(function=function, args=args):
                    names |= self.free(function.body) - set(function.parameters)
                    for x in args:
                        names |= self.free(x)
                case _:
                    for x in t.subterms(term):
                        names |= self.free(x)
                    if isinstance(term, t.GameCall):
                        for _, x in self.board(term.game).arguments:
                            names |= self.free(x)
            self._free[id(term)] = frozenset(names)
        return self._free[id(term)]

    # -- lazy forms -------------------------------------------------------------------------------------------------
    def _logic(self, args: tuple[t.Term, ...], frame: Frame, conjunction: bool) -> Scalars:
        """`and` (conjunction) or `or`: a later operand counts only where no earlier one has decided."""
        result = self.scalars(args[0], frame)
        for x in args[1:]:
            open_ = result.data if conjunction else ~result.data
            if result.bad is not None:
                open_ = open_ & ~result.bad
            if not open_.any():
                break
            value = self.scalars(x, frame)
            bad = None if value.bad is None else open_ & value.bad
            data = result.data & value.data if conjunction else result.data | value.data
            result = Scalars(data, either(result.bad, bad))
        return result

    def _choice(self, term: t.IfElse, frame: Frame) -> Value:
        condition = self.scalars(term.condition, frame)
        if condition.bad is None and condition.data.all():
            return self.value(term.then, frame)
        if condition.bad is None and not condition.data.any():
            return self.value(term.other, frame)
        then, other = self.value(term.then, frame), self.value(term.other, frame)
        return choose(condition, then, other, frame.rows, frame.cols)

    def _apply(self, term: t.Apply, frame: Frame) -> Value:
        args = [self.value(x, frame) for x in term.args]
        key = (id(term.function), *map(id, args))
        if key not in frame.applied:
            inner = frame.only(True, True)
            inner.names = dict(zip(term.function.parameters, args, strict=True))
            value = self.value(term.function.body, inner)
            frame.applied[key] = worsened(value, either(*(a.bad for a in args)))
            frame.keep.append(args)
        return frame.applied[key]
