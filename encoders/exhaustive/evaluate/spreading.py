"""The clauses of a comprehension on a frame: one new row or column for each element that a clause runs over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays import limits, segments
from encoders.exhaustive.arrays.frame import Frame, take_along
from encoders.exhaustive.arrays.limits import TooWide, group_digits
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, join_spans, merge_bad
from encoders.exhaustive.engines.board import Board
from encoders.exhaustive.moves.evaluator import Evaluator


@dataclass
class Spread:
    """A frame spread over the elements of a clause: `lengths` new rows or columns (`axis`) for each old one.

    `active`: the elements that the conditions (and the rules of play) let through; None: all of them.
    `bad`: elements whose conditions are ill-defined.  `source_bad`: old cases whose source is.
    """

    frame: Frame
    axis: int
    lengths: Array
    active: Array | None
    bad: Array | None
    source_bad: Array | None


class Spreader:
    """Spreads frames over clauses. `boards`: the games of the claim, by name."""

    def __init__(self, evaluator: Evaluator, boards: Mapping[str, Board]) -> None:
        self.evaluator, self.boards = evaluator, boards

    def spread(self, clause: t.Clause, frame: Frame, columns: bool = False) -> Spread | None:
        """`frame` over the elements of the source; None where the frame must be flattened first. Raises TooWide.

        `columns`: spread columns even where rows would be cheaper.
        """
        if isinstance(clause.source, t.GameCall) and clause.source.function == "options":
            return self._spread_options(clause.variable, clause.source, frame, columns)
        value = self.evaluator.evaluate(clause.source, frame)
        source = self.evaluator.collections.list_elements(value, clause.source.type)
        if source.shape[0] > 1 and source.shape[1] > 1:
            return None
        _check_width(frame, source)
        inner, axis, lengths, order = spread_over(frame, source, columns)
        inner.names[clause.variable] = Scalars(_lay_out(source.items[order], axis))
        return Spread(inner, axis, lengths, None, None, source.bad)

    def restrict(self, found: Spread, conditions: tuple[t.Term, ...]) -> None:
        """Add the conditions of a clause, each of which counts only where the earlier ones hold."""
        for condition in conditions:
            value = self.evaluator.evaluate_scalars(condition, found.frame)
            active = value.data
            if value.bad is not None:
                wrong = value.bad if found.active is None else value.bad & found.active
                found.bad, active = merge_bad(found.bad, wrong), active & ~value.bad
            found.active = active if found.active is None else found.active & active

    def _spread_options(self, variable: str, source: t.GameCall, frame: Frame, columns: bool) -> Spread | None:
        board = self.boards[source.game]
        s = self.evaluator.evaluate_scalars(source.args[0], frame)
        question = board.read_question(source, frame)
        r, c = s.data.shape
        if r > 1 and c > 1:
            return None
        axis = 0 if r > 1 or (c == 1 and frame.cols > 1 and frame.rows == 1 and not columns) else 1
        size = frame.rows if axis == 0 else frame.cols
        if question.hopeless:
            none = np.zeros(0, dtype=np.int64)
            inner = frame.spread(axis, none)
            return Spread(inner, axis, np.zeros(size, dtype=np.int64), None, None, merge_bad(s.bad, question.bad))
        graph, numbers = board.locate(s.data)
        offsets, targets = graph.list_edges()
        numbers = np.broadcast_to(numbers.ravel(), (size,))
        lengths = offsets[numbers + 1] - offsets[numbers]
        _check_size(frame, int(lengths.sum()), frame.rows if axis == 1 else frame.cols)
        edges, index = join_spans(offsets[numbers], lengths), segments.list_owners(lengths)
        q, mover = (take_along(v, axis, index) for v in (question.parameters, question.mover))
        assert isinstance(q, Scalars) and isinstance(mover, Scalars)
        legal = graph.is_legal(q.data, mover.data, _lay_out(edges, axis))
        bad = merge_bad(s.bad, question.bad)
        if legal.shape[1 - axis] == 1:
            # Legality is settled along the spread axis alone: drop the illegal moves now.
            keep = legal.ravel()
            lengths = segments.reduce_at(np.add, keep.astype(np.int64), lengths, 0, 0)
            edges, index, legal = edges[keep], index[keep], np.ones((1, 1), dtype=bool)
        inner = frame.spread(axis, index)
        inner.names[variable] = Scalars(_lay_out(board.list_ids(graph)[targets[edges]], axis))
        return Spread(inner, axis, lengths, None if legal.all() else legal, None, bad)


def spread_over(frame: Frame, source: Ragged, columns: bool) -> tuple[Frame, int, Array, Array]:
    """Spread `frame` so that each element of `source` gets its own row or column (always a column if `columns`).

    Returns the new frame, the axis that was spread, the number of elements of each old row or column, and the element
    (its number in source.items) of each new one.  A source that depends on both axes needs a flattened frame.
    """
    r, c = source.shape
    if r == 1 and c == 1:
        axis = 0 if frame.rows <= frame.cols and not columns else 1
        size = frame.rows if axis == 0 else frame.cols
        length = int(source.lengths[0])
        lengths, order = np.full(size, length), np.tile(np.arange(length), size)
    else:
        axis = 0 if c == 1 else 1
        lengths, order = source.lengths, np.arange(len(source.items))
    return frame.spread(axis, segments.list_owners(lengths)), axis, lengths, order


def _lay_out(items: Array, axis: int) -> Array:
    return items.reshape((-1, 1) if axis == 0 else (1, -1))


def _check_width(frame: Frame, source: Ragged) -> None:
    total = int(source.lengths.sum())
    if source.shape == (1, 1):
        _check_size(frame, total, frame.cells)
    else:
        _check_size(frame, total, frame.rows if source.shape[1] > 1 else frame.cols)


def _check_size(frame: Frame, elements: int, times: int) -> None:
    if elements * times > limits.MAX_CELLS and frame.cells > 1:
        raise TooWide(f"comprehensions over {group_digits(elements * times)} elements in all")
