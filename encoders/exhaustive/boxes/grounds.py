"""The two ways to lay out the cases of a claim as rows of bits, each with the games solved on it.

Parameter bits: outer places are the positions of a box, bits are rows of the claim's other variables, many at once.
Line bits: outer places are rests of all heaps but one, bits the sizes of that one; the other variables are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.answer import Case
from encoders.exhaustive.arrays.limits import Deadline, TooLarge
from encoders.exhaustive.arrays.positions import Pool, PositionSet
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.boxes.bits import formulas as f
from encoders.exhaustive.boxes.bits.formulas import BoxHeaps, Formula, Meant, Stored
from encoders.exhaustive.boxes.bits.meaning import BitEvaluator
from encoders.exhaustive.boxes.bits.numbers import BoxGrid, NotApplicable
from encoders.exhaustive.boxes.bits.words import HeapBox, count_words, pack
from encoders.exhaustive.boxes.solvers.task import BoxTask, count_movers, tabulate
from encoders.exhaustive.cases.grid import Grid
from encoders.exhaustive.cases.slabs import SlabPiece
from encoders.exhaustive.cases.tally import Order
from encoders.exhaustive.engines.board import GameSolver
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator
from encoders.exhaustive.moves.moves import ParameterList, Parameters

if TYPE_CHECKING:
    from encoders.exhaustive.boxes.solvers.rows import KernelRows
    from encoders.kernel.machine import Machine

# -- the other variables, as rows -------------------------------------------------------------------------------------
# The variables of a claim beside its position, as rows: one for each choice of their values, in order.


class Rows:
    """Raises NotApplicable where a variable depends on the position or the rows come in another order; TooLarge."""

    def __init__(self, claim: Claim, scope: d.Scope, clock: Deadline) -> None:
        self.variables = tuple(v for v in claim.variables if v.type != POSITION)
        boards: dict[str, GameSolver] = {}
        self.evaluator = FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), clock, boards)
        if any(_asks_games(v.domain) for v in self.variables):
            raise NotApplicable("a domain that asks about a game")
        if any(_is_out_of_order(v.domain) for v in self.variables):
            raise NotApplicable("a list whose first value is not its smallest")
        grid = Grid(claim, SlabPiece(scope, {}), self.evaluator)
        if tuple(grid.row_variables) != self.variables:
            raise NotApplicable("a variable that depends on the position")
        self.frame, self.order = grid.bind_rows(), Order(self.variables, self.evaluator.pool)
        self.names = frozenset(v.name for v in self.variables)
        self._known: dict[int, tuple[t.Term, Scalars | None]] = {}

    def __len__(self) -> int:
        return self.frame.rows

    def evaluate(self, term: t.Term) -> Scalars | None:
        """A number or truth value that depends on the rows alone, (rows, 1) or (1, 1); None for another term."""
        if id(term) not in self._known:
            self._known[id(term)] = term, self._evaluate(term)
        return self._known[id(term)][1]

    def _evaluate(self, term: t.Term) -> Scalars | None:
        if term.type.is_collection or term.type == POSITION or t.names_of([term])[1]:
            return None
        if not self.evaluator.free.find(term) <= self.names:
            return None
        return self.evaluator.evaluate_scalars(term, self.frame)

    def read(self, row: int) -> Case:
        """The values of the variables in a row."""
        return self.order.read_case(self.frame, row, 0)

    def find_inside(self, scope: d.Scope) -> Array:
        """Which rows lie in a smaller scope; (rows,)."""
        inside = np.ones(len(self), dtype=bool)
        for v in self.variables:
            bound, value = scope.get(v.name), self.frame.lookup(v.name)
            if isinstance(bound, d.Range) and isinstance(value, Scalars):
                inside &= np.asarray((value.data[:, 0] >= bound.lo) & (value.data[:, 0] <= bound.hi), dtype=bool)
        return inside

    def list_parameters(self, game: Game) -> list[Parameters]:
        """The parameters of a game in each row. Raises NotApplicable where there are none."""
        known = ParameterList(game.ruleset)
        for _, term in game.arguments:
            if t.names_of([term])[1] or not self.evaluator.free.find(term) <= self.names:
                raise NotApplicable("a game whose parameters depend on the position")
        numbers, bad = known.number_choices([self.evaluator.evaluate(term, self.frame) for _, term in game.arguments])
        if bad is not None:
            raise NotApplicable("a game without parameters in some row")
        return [known.values[i] for i in np.broadcast_to(numbers, (len(self), 1))[:, 0].tolist()]


def _asks_games(domain: d.Domain) -> bool:
    match domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            return bool(t.names_of([lo] if hi is None else [lo, hi])[1])
        case d.ElementsOf(source=source):
            return bool(t.names_of([source])[1])
    return False


def _is_out_of_order(domain: d.Domain) -> bool:
    return isinstance(domain, d.ListedDomain) and list(domain.values) != sorted(domain.values)


# -- grounds ----------------------------------------------------------------------------------------------------------
BLOCK = 1 << 16  # words of one formula at once: what a processor keeps close


def open_machine() -> Machine:
    """A kernel with a memory of its own. Raises NotApplicable where it cannot run."""
    try:
        from encoders.kernel.machine import Machine

        return Machine()
    except (ImportError, OSError, RuntimeError, TooLarge) as error:  # no wheel, or too little address space
        raise NotApplicable(f"the kernel cannot run here: {error}") from None


@dataclass(frozen=True, eq=False)
class BoxClaim:
    """A claim on a box. `rows`: its variables beside the position; `parameters`: of each game, by row."""

    claim: Claim
    rows: Rows
    parameters: dict[str, list[Parameters]]
    box: HeapBox
    clock: Deadline


class BoxSlice:
    """Rows first .. first + count - 1 of a claim on a box; what is asked of its games is solved when it is asked."""

    engine: str

    def __init__(self, of: BoxClaim, span: range, outer: int, bits: int, heaps: tuple[Scalars, ...]) -> None:
        """`span`: the rows; `outer`: how many outer places there are, `heaps`: of each place."""
        self.claim, self.rows, self.parameters = of.claim, of.rows, of.parameters
        self.box, self.clock = of.box, of.clock
        self.span, self.outer, self.bits, self.words = span, outer, bits, count_words(bits)
        self.grid, self.heaps = BoxGrid(outer, bits, self.clock), heaps
        self._machine: Machine | None = None
        self.full = pack(np.ones(bits, dtype=bool))
        self.meaning = BitEvaluator(self, BoxHeaps(heaps))
        self._solutions: dict[str, KernelRows] = {}
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

    def _reach(self, solution: KernelRows, mover: int, wanted: Formula) -> Array:
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

    def _find(self, name: str) -> KernelRows:
        if name not in self._solutions:
            game: Game = self.claim.game(name)
            parameters = self.parameters[name][self.span.start : self.span.stop]
            legal = tabulate(game.ruleset, self.rows.evaluator, parameters, self.box.size)
            task = BoxTask(self.box, count_movers(game.ruleset), game.ruleset.stuck_wins, legal, len(parameters))
            self._solutions[name] = self._lay_out(task)
        return self._solutions[name]

    def _lay_out(self, task: BoxTask) -> KernelRows:
        raise NotImplementedError

    @property
    def machine(self) -> Machine:
        """Which solves the games of this ground. Raises NotApplicable."""
        self._machine = self._machine or open_machine()
        return self._machine

    def close(self) -> None:
        """Drop what was solved: it is large, and the formulas and the ground hold each other."""
        self._solutions.clear()
        self._machine = None
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
        return self.span[bit] if len(self.span) > 1 else self.span.start

    def find_variable(self, name: str) -> Scalars | None:
        """A variable beside the position, (1, bits) or (1, 1); None for a set."""
        value = self.rows.frame.lookup(name)
        return self._cut(value) if isinstance(value, Scalars) else None


class ParameterGround(BoxSlice):
    """Parameter bits."""

    engine = "parameter bits"

    def __init__(self, of: BoxClaim, span: range, heaps: tuple[Scalars, ...]) -> None:
        """`heaps`: the columns of the box, which are shared by all grounds on it."""
        super().__init__(of, span, of.box.count, len(span), heaps)

    def _cut(self, value: Scalars) -> Scalars:
        data, bad = (
            None if x is None else (x[self.span.start : self.span.stop] if len(x) > 1 else x).T
            for x in (value.data, value.bad)
        )
        assert data is not None
        return Scalars(data, bad)

    def _lay_out(self, task: BoxTask) -> KernelRows:
        from encoders.exhaustive.boxes.solvers.rows import KernelLanes

        return KernelLanes(task, self.clock, self.machine)

    def is_row_value(self, value: Meant) -> bool:
        return isinstance(value, Scalars) and value.shape[0] == 1

    def list_heaps(self, places: Array, bits: Array) -> Array:
        return np.stack([h.data[places, 0] for h in self.heaps], axis=1)


class LineGround(BoxSlice):
    """Line bits."""

    engine = "line bits"

    def __init__(self, of: BoxClaim, row: int, rest: tuple[Scalars, ...]) -> None:
        """`rest`: the columns of the box of rests."""
        self.row, self.rest, size = row, rest, of.box.size
        line = Scalars(np.arange(size + 1)[None, :], None, 0, size)
        super().__init__(of, range(row, row + 1), HeapBox(of.box.heaps - 1, size).count, size + 1, (*rest, line))

    def _cut(self, value: Scalars) -> Scalars:
        data, bad = (None if x is None else x[self.row :][:1] if len(x) > 1 else x for x in (value.data, value.bad))
        assert data is not None
        return Scalars(data, bad)

    def _lay_out(self, task: BoxTask) -> KernelRows:
        from encoders.exhaustive.boxes.solvers.rows import KernelLines

        return KernelLines(task, self.clock, self.machine)

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


def list_columns(box: HeapBox) -> tuple[Scalars, ...]:
    """The heaps of the positions of a box as numbers."""
    return tuple(Scalars(c[:, None], None, 0, box.size) for c in box.columns)
