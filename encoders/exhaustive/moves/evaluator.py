"""What the rules of a game ask of whoever evaluates their terms; `encoders.exhaustive.evaluate` does."""

from __future__ import annotations

from typing import Protocol

from claims.language.terms import terms as t
from encoders.exhaustive.arrays.collections import Collections
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.arrays.values import Scalars, Value


class Evaluator(Protocol):
    """Evaluates terms on frames. `collections`: its operations on lists, sets and positions; `clock`: its deadline.

    Every method may raise OutOfTime, TooLarge (TooWide where a smaller frame may do) or BadRuleset.
    """

    clock: Deadline
    collections: Collections

    def evaluate(self, term: t.Term, frame: Frame) -> Value:
        """The value of a term on a frame: (r, c) with r 1 or the frame's rows, c 1 or its columns."""

    def evaluate_scalars(self, term: t.Term, frame: Frame) -> Scalars:
        """The value of a term that is no list or set."""

    def evaluate_everywhere(self, term: t.Term, frame: Frame, fault: Exception) -> Value:
        """The value of a term that must have one at every case. Raises `fault` where it is ill-defined.

        Raises TooLarge where it is past a limit.
        """
