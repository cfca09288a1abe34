"""Which numbers of an interval a move may pick at all, read off its condition: the others need not be tried.

What is found is never too little, and often too much: the condition is evaluated at it all the same.  So a condition is
read as far as it is understood: comparisons with one number on one side, remainders, `and` and `or` of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from claims.language.expressions.walk import free_names
from claims.language.ground.errors import NimChecksError
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import SAFE, TooWide
from encoders.exhaustive.arrays.segments import list_distinct, list_owners, list_places
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars
from encoders.exhaustive.moves.evaluator import Evaluator

_GAIN = 4  # what is tried at least so many times as quickly is looked up
_STRETCHES = 8
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}
_DEFINED = {"add", "sub", "mul", "neg", "abs", "not", "eq", "ne", "lt", "le", "gt", "ge"}


class _Opaque(NimChecksError):
    """A term of which nothing is known before the number is picked."""


@dataclass(frozen=True)
class _Stretch:
    """For each case the numbers first, first + step, ... up to last, perhaps none; three arrays (cases,)."""

    first: Array
    last: Array
    step: Array

    @property
    def lengths(self) -> Array:
        return np.asarray(np.maximum((self.last - self.first) // self.step + 1, 0))

    def begin_at(self, least: Array) -> _Stretch:
        """What is not below `least`."""
        missing = np.maximum(least - self.first, 0)
        return replace(self, first=self.first + -(-missing // self.step) * self.step)

    def end_at(self, most: Array) -> _Stretch:
        """What is not above `most`."""
        return replace(self, last=np.minimum(self.last, most))

    def keep_residue(self, number: Array, modulus: Array) -> _Stretch:
        """What leaves the same remainder as `number`, where all numbers were there."""
        return replace(self, first=self.first + (number - self.first) % modulus, step=modulus)


class Candidates:
    """What a condition says of the number `name`, at the cases of a frame of one row.

    `later`: names of numbers that are picked after it, of which nothing is known yet.
    """

    def __init__(self, name: str, later: frozenset[str], frame: Frame, evaluator: Evaluator) -> None:
        self.name, self.unknown, self.frame, self.evaluator = name, later | {name}, frame, evaluator

    def find(self, condition: t.Term, lo: Array, hi: Array) -> Ragged | None:
        """The numbers of lo..hi, (cases,) each, at which the condition may be true, ascending; a list for each case.

        None where that would save little, or where some number may leave the condition without a value. Raises TooWide.
        """
        if not self.frame.cols:
            return None
        limit = self.evaluator.clock.limit
        try:
            if int(lo.min()) <= -SAFE // 4 or int(hi.max()) >= SAFE // 4 or not self._is_defined(condition):
                return None
            whole = _Stretch(lo, hi, np.ones_like(lo))
            found = self._narrow(condition, [whole])
        except _Opaque:
            return None
        finally:
            self.evaluator.clock.limit = limit
        count = sum(int(x.lengths.sum()) for x in found)
        if count * _GAIN >= int(whole.lengths.sum()):
            return None
        if count > limits.MAX_CELLS:
            raise TooWide("picks")
        return self._list(found, int(lo.min()), int(hi.max()))

    def _list(self, stretches: list[_Stretch], low: int, high: int) -> Ragged | None:
        span = max(high - low + 1, 1)
        if span * self.frame.cols >= SAFE:
            return None
        parts = []
        for x in stretches:
            owner = list_owners(x.lengths)
            parts.append(owner * span + (x.first - low)[owner] + list_places(x.lengths) * x.step[owner])
        places = list_distinct(np.concatenate(parts)) if len(parts) > 1 else parts[0]
        lengths = np.bincount(places // span, minlength=self.frame.cols).astype(np.int64)
        return Ragged((1, self.frame.cols), lengths, places % span + low)

    def _narrow(self, condition: t.Term, stretches: list[_Stretch]) -> list[_Stretch]:
        match condition:
            case t.AllOf(args=args):
                for x in args:
                    stretches = self._narrow(x, stretches)
            case t.AnyOf(args=args):
                either = [found for x in args for found in self._narrow(x, stretches)]
                return either if len(either) <= _STRETCHES else stretches
            case t.Operation(op="lt" | "le" | "gt" | "ge" | "eq" as op, args=(a, b)):
                for name, x, y in ((op, a, b), (_MIRRORED[op], b, a)):
                    try:
                        return self._compare(name, x, y, stretches)
                    except _Opaque:
                        continue
        return stretches

    def _compare(self, op: str, a: t.Term, b: t.Term, stretches: list[_Stretch]) -> list[_Stretch]:
        """What is left where a, in which the number stands, is in that relation to b. Raises _Opaque."""
        match op, a:
            case "eq", t.Operation(op="mod", args=(x, m)):
                modulus, (number, _) = self._count(m), self._isolate(x, b, op)
                residue = self._count(number)
                return [s.keep_residue(residue, modulus) if (s.step == 1).all() else s for s in stretches]
        term, op = self._isolate(a, b, op)
        end = self._count(term)
        if op in ("gt", "ge", "eq"):
            stretches = [s.begin_at(end + (op == "gt")) for s in stretches]
        if op in ("lt", "le", "eq"):
            stretches = [s.end_at(end - (op == "lt")) for s in stretches]
        return stretches

    def _isolate(self, a: t.Term, b: t.Term, op: str) -> tuple[t.Term, str]:
        """The number is in this relation to this term where a is in relation `op` to b. Raises _Opaque."""
        while not (isinstance(a, t.Variable) and a.name == self.name):
            match a:
                case t.Operation(op="add", args=(x, y)) if self._is_known(y):
                    a, b = x, _join("sub", b, y)
                case t.Operation(op="add", args=(x, y)) if self._is_known(x):
                    a, b = y, _join("sub", b, x)
                case t.Operation(op="sub", args=(x, y)) if self._is_known(y):
                    a, b = x, _join("add", b, y)
                case t.Operation(op="sub", args=(x, y)) if self._is_known(x):
                    a, b, op = y, _join("sub", x, b), _MIRRORED[op]
                case _:
                    raise _Opaque
        return b, op

    def _is_known(self, term: t.Term) -> bool:
        return not self.unknown & set(free_names(term))

    def _count(self, term: t.Term) -> Array:
        """The value of a term at each case, (cases,). Raises _Opaque where it has none, or one of 2^60 or more."""
        if not self._is_known(term) or term.type != INT:
            raise _Opaque
        value = self.evaluator.evaluate(term, self.frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype != np.int64:
            raise _Opaque
        if max(map(abs, value.find_bounds())) >= SAFE // 4:  # then ends and steps together stay below 2^62
            raise _Opaque
        return np.asarray(np.broadcast_to(value.data, (1, self.frame.cols))[0])

    def _is_defined(self, term: t.Term) -> bool:
        """Whether a term has a value whatever is picked: a number that is not tried must not hide a fault."""
        match term:
            case t.Variable() | t.Literal():
                return True
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return all(map(self._is_defined, args))
            case t.Operation(op="mod" | "floordiv", args=(a, b)):
                return self._is_defined(a) and self._is_defined(b) and bool((self._count(b) > 0).all())
            case t.Operation(op=op, args=args):
                return op in _DEFINED and all(map(self._is_defined, args))
        return False


def _join(op: str, a: t.Term, b: t.Term) -> t.Term:
    return t.Operation(INT, a.start, a.end, op, (a, b))
