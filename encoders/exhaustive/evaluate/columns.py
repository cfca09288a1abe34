"""The value of a term at every row of a table that has a column of numbers or truth values for each variable.

It is the engine of the exhaustive route that evaluates: the rows are the cases of one `Frame`.  A table remembers the
value of every term and subterm by identity, so that what several terms share is computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, POSITION, Type
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import SAFE, Deadline
from encoders.exhaustive.arrays.positions import Pool, PositionSet
from encoders.exhaustive.arrays.values import Array, Scalars, Value, make_constant, to_array
from encoders.exhaustive.engines.board import GameSolver
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator
from encoders.ground.refusals import Unsupported


@dataclass(frozen=True, eq=False)
class TermColumn:
    """The values of a term, one for each row; both arrays are read-only and of the table's length.

    `values` has dtype bool, int64, or object for integers of 62 bits or more and fractions; what stands where
    `undefined` is true means nothing.  `undefined`: the rows at which the referee would find the term ill-defined or
    past a limit.  `limit`: in words, a limit that was met on the way; of a table of one row, why it has no value, or ""
    where it is ill-defined there.
    """

    values: Array
    undefined: NDArray[np.bool_]
    limit: str


class ColumnTable:
    """Columns of one length, and what is known of terms on them.

    `columns`: for each variable an array of one dimension: bool for a Bool, for an Int any integer dtype or object with
    Python integers.  They must not change afterwards, but columns may be added.  A table without columns has one row.
    `seconds`: after so many, `evaluate` raises OutOfTime.
    """

    def __init__(self, columns: Mapping[str, Array], seconds: float | None = None) -> None:
        self._rows = _Rows(columns)
        self._evaluator = _Columnwise(self._rows, seconds)

    def evaluate(self, term: t.Term) -> TermColumn:
        """The value of a term at every row. Exact: where int64 may not do, Python's integers compute.

        Raises Unsupported for questions about games, and where the term or a variable with a column is a position, a
        list or a set; ValueError for a variable without a column, or with one of another type or length; OutOfTime;
        TooLarge for lists past all memory.
        """
        _check_scalar(term.type)
        try:
            value = self._evaluator.evaluate_scalars(term, self._rows)
        except RecursionError:  # a term of hundreds of levels: its parts first, each of which is then known
            for part in _list_parts(term):
                self._evaluator.evaluate(part, self._rows)
            value = self._evaluator.evaluate_scalars(term, self._rows)
        limit = self._evaluator.clock.limit
        undefined = self._spread(np.array([[False]]) if value.bad is None else value.bad)
        values = self._spread(value.data)
        return TermColumn(values, undefined, limit if value.bad is not None else "")

    def _spread(self, data: Array) -> Array:
        """What an array of one row has at every row of the table, read-only."""
        if data.shape[1] != self._rows.cols:
            return np.asarray(np.broadcast_to(data, (1, self._rows.cols))[0])
        column: Array = data[0]
        column.flags.writeable = False
        return column


class _Rows(Frame):
    """The rows of a table as the cases of a frame; its columns are read as they are asked for."""

    def __init__(self, columns: Mapping[str, Array]) -> None:
        super().__init__(1, len(next(iter(columns.values()), (0,))))
        self.columns = columns

    def lookup(self, name: str) -> Value:
        if name not in self.names:
            if name not in self.columns:
                raise ValueError(f"there is no column for {name}")
            column = self.columns[name]
            if column.shape != (self.cols,):
                raise ValueError(f"the column of {name} has the shape {column.shape}, another one ({self.cols},)")
            self.names[name] = _read(name, column)
        return self.names[name]


class _Columnwise(FrameEvaluator):
    """Evaluates terms at the rows of one table, each once; knows no games."""

    def __init__(self, rows: _Rows, seconds: float | None) -> None:
        super().__init__(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), Deadline(seconds), _NoGames())
        self.rows = rows
        self._known: dict[int, tuple[t.Term, Value]] = {}  # by the id of the term, which is kept alive here

    def evaluate(self, term: t.Term, frame: Frame) -> Value:
        if frame is not self.rows:  # the body of a definition or of a comprehension
            return self._check(term, super().evaluate(term, frame))
        found = self._known.get(id(term))
        if found is None:
            found = self._known[id(term)] = term, self._check(term, super().evaluate(term, frame))
        return found[1]

    def _check(self, term: t.Term, value: Value) -> Value:
        """The value; a column is taken for no position, and no number for a truth value."""
        if isinstance(term, t.Variable) and term.name in self.rows.columns and isinstance(value, Scalars):
            _check_scalar(term.type)
            if (value.data.dtype == bool) != (term.type == BOOL):
                raise ValueError(f"{term.name} is of type {term.type}, its column of {value.data.dtype}")
        return value


class _NoGames(dict[str, GameSolver]):
    def __missing__(self, game: str) -> GameSolver:
        raise Unsupported(f"a question about the game {game}, asked of columns")


def _check_scalar(kind: Type) -> None:
    if kind.is_collection or kind == POSITION:
        raise Unsupported(f"a column of values of type {kind}")


def _read(name: str, column: Array) -> Scalars:
    """A column as a value of the engine: int64 where all numbers are below 2**62, else Python's integers."""
    kind = column.dtype.kind
    if kind not in "biuO":
        raise ValueError(f"the column of {name} has the dtype {column.dtype}: neither integers nor truth values")
    if kind == "b":
        return Scalars(column[None, :])
    if kind == "O":
        items = column.tolist()
        if any(type(x) is not int for x in items):
            raise ValueError(f"the column of {name} has objects other than Python's integers")
        return Scalars(to_array(items)[None, :])
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    if low <= -SAFE or high >= SAFE:
        return Scalars(to_array(column.tolist())[None, :])
    return Scalars(column.astype(np.int64, copy=False)[None, :], None, low, high)


def _list_parts(term: t.Term) -> list[t.Term]:
    """`term` and its subterms outside comprehensions, each after its own parts."""
    order: list[t.Term] = []
    seen, todo = set[int](), [(term, False)]
    while todo:
        part, done = todo.pop()
        if done:
            order.append(part)
        elif id(part) not in seen:
            seen.add(id(part))
            todo.append((part, True))
            if not isinstance(part, t.Comprehension):
                todo += [(x, False) for x in t.subterms(part)]
    return order


# -- one name of a claim ----------------------------------------------------------------------------------------------
# Terms of a claim at many heaps at once, the other variables fixed: what maps and sequences are drawn from.


class Sheet:
    """One claim with some variables fixed, and one name that runs over positions or over sizes of heaps.

    `boards`: the games as they were solved for the last question, by name.
    """

    def __init__(self, claim: Claim, fixed: tuple[tuple[str, int], ...], clock: Deadline) -> None:
        self.claim, self.fixed, self.clock = claim, fixed, clock
        self.boards: dict[str, GameSolver] = {}

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
        self.boards = boards = dict[str, GameSolver]()
        evaluator = FrameEvaluator(Pool(positions), self.clock, boards)
        boards.update({g.name: GameSolver(g, evaluator.pool, evaluator, self.clock) for g in self.claim.games})
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
