"""The two ways to lay out the cases of a claim as rows of bits, each with the games solved on it.

Parameter bits: outer places are the positions of a box, bits are rows of the claim's other variables, many at once.
Line bits: outer places are rests of all heaps but one, bits the sizes of that one; the other variables are fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.boxes.bits import formulas as f
from encoders.exhaustive.boxes.bits.formulas import BoxHeaps, Formula, Meant, Stored
from encoders.exhaustive.boxes.bits.meaning import Meaning
from encoders.exhaustive.boxes.bits.numbers import BoxGrid
from encoders.exhaustive.boxes.bits.words import Box, count_words, pack
from encoders.exhaustive.boxes.rows import Rows
from encoders.exhaustive.boxes.solvers.task import BoxSolver, BoxTask, Solution, count_movers, tabulate
from encoders.exhaustive.moves.moves import Parameters

OpenSolver = Callable[[], BoxSolver]
BLOCK = 1 << 16  # words of one formula at once: what a processor keeps close


class Ground:
    """Rows first .. first + count - 1 of a claim on a box; what is asked of its games is solved when it is asked."""

    engine: str
    outer: int
    bits: int
    heaps: tuple[Scalars, ...]

    def __init__(self, claim: Claim, rows: Rows, parameters: dict[str, list[Parameters]], box: Box, clock: Clock):
        self.claim, self.rows, self.parameters, self.box, self.clock = claim, rows, parameters, box, clock

    def _lay(self, outer: int, bits: int, heaps: tuple[Scalars, ...], open_solver: OpenSolver) -> None:
        self.outer, self.bits, self.words = outer, bits, count_words(bits)
        self.grid, self.heaps, self._open_solver = BoxGrid(outer, bits, self.clock), heaps, open_solver
        self._solver: BoxSolver | None = None
        self.full = pack(np.ones(bits, dtype=bool))
        self.meaning = Meaning(self, BoxHeaps(heaps))
        self._solutions: dict[str, Solution] = {}
        self._constants: dict[int, Scalars | None] = {}

    # -- what the meaning of terms asks ------------------------------------------------------------------------------
    def find_row_value(self, term: t.Term) -> Scalars | None:
        """A term that mentions no position and no game, (1, bits) or (1, 1)."""
        if id(term) not in self._constants:
            found = self.rows.evaluate(term)
            self._constants[id(term)] = None if found is None else self._cut(found)
        return self._constants[id(term)]

    def _cut(self, value: Scalars) -> Scalars:
        """The rows of this ground of a value of all rows, as bits."""
        raise NotImplementedError

    def _list_parameters(self, game: str) -> list[Parameters]:
        raise NotImplementedError

    def is_row_value(self, value: Meant) -> bool:
        """Whether it is the same at all positions."""
        raise NotImplementedError

    def is_impartial(self, game: str) -> bool:
        """Whether both players have the same moves."""
        return self.claim.game(game).ruleset.impartial

    def wins(self, game: str, mover: int) -> Formula:
        """Where the mover wins."""
        return f.negate(Stored(lambda: self._find(game).find_lost(mover)))

    def reaches(self, game: str, mover: int, wanted: Formula) -> Formula:
        """Where he has a legal option that is wanted."""
        return Stored(lambda: self._reach(self._find(game), mover, wanted))

    def _reach(self, solution: Solution, mover: int, wanted: Formula) -> Array:
        table = solution.make_blank()
        for part in self.list_parts():
            self.clock.check()
            table[part] = f.evaluate(wanted, part, {}) & self.full
        return solution.reach(table, mover)

    def list_parts(self) -> Iterator[slice]:
        """The outer places, some at a time."""
        step = max(1, BLOCK // self.words)
        for start in range(0, self.outer, step):
            yield slice(start, min(start + step, self.outer))

    def _find(self, name: str) -> Solution:
        if name not in self._solutions:
            game: Game = self.claim.game(name)
            parameters = self._list_parameters(name)
            legal = tabulate(game.ruleset, self.rows.evaluator, parameters, self.box.size)
            task = BoxTask(self.box, count_movers(game.ruleset), game.ruleset.stuck_wins, legal, len(parameters))
            self._solutions[name] = self._lay_out(task)
        return self._solutions[name]

    def _lay_out(self, task: BoxTask) -> Solution:
        raise NotImplementedError

    @property
    def solver(self) -> BoxSolver:
        """Who solves the games of this ground."""
        self._solver = self._solver or self._open_solver()
        return self._solver

    def close(self) -> None:
        """Drop what was solved: it is large, and the formulas and the ground hold each other."""
        self._solutions.clear()
        self._solver = None
        self.meaning.forget()

    # -- cases --------------------------------------------------------------------------------------------------------
    def find_inside(self, bound: d.PositionRange) -> Formula:
        """Where the position lies in a range."""
        position = BoxHeaps(self.heaps)
        tests = [self._bound(self.meaning.numbers.count_heaps(position), bound.heaps)]
        tests += [self._bound_heap(h, bound.size) for h in self.heaps]
        if bound.total is not None:
            tests.append(self._bound(self.meaning.numbers.add_heaps(position), bound.total))
        return f.both(*tests)

    def _bound_heap(self, heap: Scalars, bound: d.Range) -> Formula:
        """Where there is no heap, or its size is inside."""
        if bound.lo <= 1:
            return self._bound(heap, d.Range(0, bound.hi))
        return f.either(f.hold(self.grid.compute("eq", heap, make_constant(0))), self._bound(heap, bound))

    def _bound(self, value: Meant, bound: d.Range) -> Formula:
        number = self.meaning.as_number(value)
        ends = (("ge", bound.lo), ("le", bound.hi))
        return f.both(*(f.hold(self.grid.compute(op, number, make_constant(end))) for op, end in ends))

    def mark_rows(self, inside: Array) -> Formula:
        """Where the row is one of those in `inside`, (rows of the claim,)."""
        return f.hold(self._cut(Scalars(inside[:, None])))

    @property
    def standard(self) -> Formula:
        """Where each position stands once."""
        return f.TRUE

    def list_heaps(self, places: Array, bits: Array) -> Array:
        """The positions at outer places and bits (n,), ascending heaps after zeros; (n, heaps)."""
        raise NotImplementedError

    def count_least(self, places: Array) -> Array:
        """How many heaps the positions at outer places (n,) have at least; (n,)."""
        columns = [h for h in self.heaps if h.data.shape[1] == 1]
        return sum((h.data[places, 0] > 0 for h in columns), start=np.zeros(len(places), dtype=np.int64))

    def find_row(self, bit: int) -> int:
        """The row of the claim at a bit."""
        raise NotImplementedError

    def find_variable(self, name: str) -> Scalars | None:
        """A variable beside the position, (1, bits) or (1, 1); None for a set."""
        value = self.rows.frame.lookup(name)
        return self._cut(value) if isinstance(value, Scalars) else None


class ParameterGround(Ground):
    """Parameter bits."""

    engine = "parameter bits"

    def __init__(
        self,
        claim: Claim,
        rows: Rows,
        parameters: dict[str, list[Parameters]],
        box: Box,
        clock: Clock,
        open_solver: OpenSolver,
        span: range,
        heaps: tuple[Scalars, ...],
    ) -> None:
        """`span`: the rows; `heaps`: the columns of the box, which are shared by all grounds on it."""
        super().__init__(claim, rows, parameters, box, clock)
        self.span = span
        self._lay(box.count, len(span), heaps, open_solver)

    def _cut(self, value: Scalars) -> Scalars:
        data, bad = (
            None if x is None else (x[self.span.start : self.span.stop] if len(x) > 1 else x).T
            for x in (value.data, value.bad)
        )
        assert data is not None
        return Scalars(data, bad)

    def _list_parameters(self, game: str) -> list[Parameters]:
        return self.parameters[game][self.span.start : self.span.stop]

    def _lay_out(self, task: BoxTask) -> Solution:
        return self.solver.lay_lanes(task, self.clock)

    def is_row_value(self, value: Meant) -> bool:
        return isinstance(value, Scalars) and value.shape[0] == 1

    def list_heaps(self, places: Array, bits: Array) -> Array:
        return np.stack([h.data[places, 0] for h in self.heaps], axis=1)

    def find_row(self, bit: int) -> int:
        return self.span[bit]


class LineGround(Ground):
    """Line bits."""

    engine = "line bits"

    def __init__(
        self,
        claim: Claim,
        rows: Rows,
        parameters: dict[str, list[Parameters]],
        box: Box,
        clock: Clock,
        open_solver: OpenSolver,
        row: int,
        rest: tuple[Scalars, ...],
    ) -> None:
        """`rest`: the columns of the box of rests."""
        super().__init__(claim, rows, parameters, box, clock)
        self.row, self.rest = row, rest
        line = Scalars(np.arange(box.size + 1)[None, :], None, 0, box.size)
        self._lay(Box(box.heaps - 1, box.size).count, box.size + 1, (*rest, line), open_solver)

    def _cut(self, value: Scalars) -> Scalars:
        data, bad = (None if x is None else x[self.row :][:1] if len(x) > 1 else x for x in (value.data, value.bad))
        assert data is not None
        return Scalars(data, bad)

    def _list_parameters(self, game: str) -> list[Parameters]:
        return self.parameters[game][self.row : self.row + 1]

    def _lay_out(self, task: BoxTask) -> Solution:
        return self.solver.lay_lines(task, self.clock)

    def is_row_value(self, value: Meant) -> bool:
        return isinstance(value, Scalars) and value.shape == (1, 1)

    @property
    def standard(self) -> Formula:
        if not self.rest:
            return f.TRUE
        return f.hold(self.grid.compute("ge", self.heaps[-1], self.rest[-1]))

    def list_heaps(self, places: Array, bits: Array) -> Array:
        found = np.stack([*(h.data[places, 0] for h in self.rest), bits], axis=1)
        return np.sort(found, axis=1)

    def find_row(self, bit: int) -> int:
        return self.row


def list_columns(box: Box) -> tuple[Scalars, ...]:
    """The heaps of the positions of a box as numbers."""
    return tuple(Scalars(c[:, None], None, 0, box.size) for c in box.columns)
