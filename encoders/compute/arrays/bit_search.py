"""Search the cases of a claim about one position as bits: one operation on a 64-bit word handles 64 cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from claims.language.files import domains as d
from claims.language.files.claim import Claim, Game, Judgement
from claims.language.syntax import terms as t
from claims.language.syntax.terms import POSITION
from encoders.compute.arrays import bit_rows as f
from encoders.compute.arrays.bit_meaning import BitEvaluator
from encoders.compute.arrays.bit_plan import BoxPlan
from encoders.compute.arrays.bit_rows import (
    FALSE,
    TRUE,
    BoxGrid,
    BoxHeaps,
    Every,
    Formula,
    HeapBox,
    Meant,
    NotApplicable,
    Stored,
    Truth,
    count_words,
    find_lowest,
    unpack,
)
from encoders.compute.arrays.bit_task import BoxTask, count_movers, tabulate
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.cases import SIZE, FoundCase, Grid, Order, SlabPiece, Tally, smaller
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.moves import ParameterList, Parameters
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import Array, Scalars, list_distinct, make_constant
from encoders.kernel import MAX_HEAPS
from encoders.kernel.instances import load_kernel, open_machine
from encoders.logic.answer import Case

if TYPE_CHECKING:
    from encoders.compute.arrays.bit_lanes import KernelRows
    from encoders.kernel.machine import Machine


# == layouts ==========================================================================================================
# Two layouts of the cases as rows of bits. The games are solved in the same layout.
#
# With parameter bits, a row of bits belongs to a position of a box. Each bit is a combination of values of the claim's
# other variables. With line bits, the other variables are fixed, and a row of bits belongs to all heaps of a position
# except the last. Each bit is a size of the last heap. The heaps to which a row of bits belongs are an "outer place".
# -- the other variables, as rows -------------------------------------------------------------------------------------
# The variables of a claim except its position. Each combination of their values is called a row.


class Rows:
    """The combinations of values of a claim's variables other than the position. Each combination is called a *row*.

    Raises TooLarge. Raises NotApplicable if a domain refers to the position or to a game, or lists values out of order.
    """

    def __init__(self, claim: Claim, scope: d.Scope, clock: Deadline) -> None:
        self.variables = tuple(v for v in claim.variables if v.type != POSITION)
        boards: dict[str, GameSolver] = {}
        self.evaluator = FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), clock, boards)
        if any(_asks_games(v.domain) for v in self.variables):
            raise NotApplicable("the domain of a variable refers to a game")
        if any(_is_out_of_order(v.domain) for v in self.variables):
            raise NotApplicable("the values in the domain of a variable are not in ascending order")
        grid = Grid(claim, SlabPiece(scope, {}), self.evaluator)
        if tuple(grid.row_variables) != self.variables:
            raise NotApplicable("the domain of a variable depends on the position")
        self.frame, self.order = grid.bind_rows(), Order(self.variables, self.evaluator.pool)
        self.names = frozenset(v.name for v in self.variables)
        self._known: dict[int, tuple[t.Term, Scalars | None]] = {}

    def __len__(self) -> int:
        return self.frame.rows

    def evaluate(self, term: t.Term) -> Scalars | None:
        """Return the value of a term in each row; a single value if it is the same in all rows.

        Return None for a list, a set or a position, and for a term that depends on the position or on a game.
        """
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
        """Return the values of the variables in a row."""
        return self.order.read_case(self.frame, row, 0)

    def find_inside(self, scope: d.Scope) -> Array:
        """Return, for each row, whether its values are inside a smaller scope."""
        inside = np.ones(len(self), dtype=bool)
        for v in self.variables:
            bound, value = scope.get(v.name), self.frame.lookup(v.name)
            if isinstance(bound, d.Range) and isinstance(value, Scalars):
                inside &= np.asarray((value.data[:, 0] >= bound.lo) & (value.data[:, 0] <= bound.hi), dtype=bool)
        return inside

    def list_parameters(self, game: Game) -> list[Parameters]:
        """Return the parameters of a game in each row.

        Raise NotApplicable if they depend on the position or on a game, or are undefined in some row.
        """
        known = ParameterList(game.ruleset)
        for _, term in game.arguments:
            if t.names_of([term])[1] or not self.evaluator.free.find(term) <= self.names:
                raise NotApplicable("the parameters of a game depend on the position or refer to a game")
        numbers, bad = known.number_choices([self.evaluator.evaluate(term, self.frame) for _, term in game.arguments])
        if bad is not None:
            raise NotApplicable("the parameters of a game are undefined for some values of the variables")
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


# -- slices -----------------------------------------------------------------------------------------------------------
BLOCK = 1 << 16  # words of a formula that numpy evaluates at once, so that they fit into the processor's cache


@dataclass(frozen=True, eq=False)
class FormulaCases:
    """The cases at which a formula holds. `count`: their number. `places`: their outer places, ascending."""

    formula: Formula
    count: int
    places: Array


@dataclass(frozen=True, eq=False)
class BoxClaim:
    """A claim with one position variable, together with the cases that are searched.

    `box`: a box that contains the positions. `rows`: the combinations of values of the other variables.
    `parameters`: for each game, its parameters in each row.
    """

    claim: Claim
    rows: Rows
    parameters: dict[str, list[Parameters]]
    box: HeapBox
    clock: Deadline


class BoxSlice:
    """A part of the cases of a claim: all positions of a box, with some combinations of values of the other variables.

    A case is given by an *outer place* and a *bit*; the two subclasses differ in their meaning. Each game is solved
    when it is first needed. `engine`: the name of the layout in reports.
    """

    engine: str

    def __init__(self, of: BoxClaim, span: range, outer: int, bits: int, heaps: tuple[Scalars, ...]) -> None:
        """Prepare the slice.

        `span`: the numbers of the rows, that is, of the combinations of values of the other variables.
        `outer`, `bits`: the number of outer places, and the number of bits at each of them.
        `heaps`: the first heap of each position, the second heap of each position, and so on. Each is a number that
        depends on the outer place or on the bit.
        """
        self.claim, self.rows, self.parameters = of.claim, of.rows, of.parameters
        self.box, self.clock = of.box, of.clock
        self.span, self.outer, self.bits, self.words = span, outer, bits, count_words(bits)
        self.grid, self.heaps, self.full = BoxGrid(outer, bits, self.clock), heaps, Every(bits)
        self._machine: Machine | None = None
        self.meaning = BitEvaluator(self, BoxHeaps(heaps))
        self._solutions: dict[str, KernelRows] = {}
        self._constants: dict[int, Scalars | None] = {}

    # -- the interface for the evaluator -----------------------------------------------------------------------------
    def find_row_value(self, term: t.Term) -> Scalars | None:
        """Return the value of a term that does not depend on the position, for each bit of the grid.

        A single value is returned if it is the same for all bits. Return None for a list, a set or a position,
        and for a term that depends on the position or on a game.
        """
        if id(term) not in self._constants:
            found = self.rows.evaluate(term)
            self._constants[id(term)] = None if found is None else self._select_rows(found)
        return self._constants[id(term)]

    def _select_rows(self, value: Scalars) -> Scalars:
        """Return the value of a term for each bit of this slice. `value`: its value in each row of the claim."""
        raise NotImplementedError

    def is_row_value(self, value: Meant) -> bool:
        """Whether a value is the same at all positions."""
        raise NotImplementedError

    def is_impartial(self, game: str) -> bool:
        """Whether all players have the same moves."""
        return self.claim.game(game).ruleset.impartial

    def wins(self, game: str, mover: int) -> Formula:
        """Return the formula that holds at the positions from which `mover` wins when moving first."""
        return f.negate(Stored(lambda: self._find(game).find_lost(mover)))

    def reaches(self, game: str, mover: int, wanted: Formula) -> Formula:
        """Return the formula that holds at the positions from which `mover` can move to a position in `wanted`."""
        return Stored(lambda: self._reach(self._find(game), mover, wanted))

    def _reach(self, solution: KernelRows, mover: int, wanted: Formula) -> Array:
        table = solution.make_blank()
        for part in self.list_parts():
            self.clock.check()
            table[part] = f.evaluate(wanted, part, {}) & self.full.rows
        return solution.reach(table, mover)

    def count(self, formulas: Sequence[Formula]) -> list[FormulaCases]:
        """Return the number of the cases at which each formula holds, and the outer places with such a case."""
        from encoders.compute.arrays.bit_lanes import KernelFormulas

        known: dict[Formula, FormulaCases] = {FALSE: FormulaCases(FALSE, 0, np.zeros(0, dtype=np.int64))}
        asked = list(dict.fromkeys(x for x in formulas if x is not FALSE))
        ones, filled = KernelFormulas(asked, self.outer, self.words, self.machine).run(self.clock)
        for i, (formula, number) in enumerate(zip(asked, ones, strict=True)):
            known[formula] = FormulaCases(formula, number, np.flatnonzero(filled & (1 << i)))
        return [known[x] for x in formulas]

    def read_rows(self, formula: Formula, places: Array) -> Array:
        """Return the bits of a formula at some outer places: a row of words for each of them."""
        found = f.evaluate(formula, places, {})
        return np.broadcast_to(found, (len(places), self.words))

    def list_parts(self) -> Iterator[slice]:
        """Yield ranges of outer places that together contain all of them. A range has about BLOCK words of bits."""
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
        """The kernel that solves the games of this slice. Raises NotApplicable."""
        try:
            self._machine = self._machine or open_machine()
        except TooLarge as error:
            raise NotApplicable(str(error)) from None
        return self._machine

    def close(self) -> None:
        """Forget the solved games, which are large.

        Formulas and the slice refer to each other, so the games would otherwise stay in memory.
        """
        self._solutions.clear()
        self._machine = None
        self.meaning.forget()

    # -- cases --------------------------------------------------------------------------------------------------------
    def find_inside(self, bound: d.PositionRange) -> Formula:
        """Return the formula that holds at the cases whose position is inside `bound`."""
        position = BoxHeaps(self.heaps)
        tests = [self._bound_heap(h, bound.size) for h in self.heaps]
        if bound.heaps.lo > 0 or bound.heaps.hi < len(self.heaps):
            tests.append(self._restrict(self.meaning.numbers.count_heaps(position), bound.heaps))
        if bound.total is not None:
            tests.append(self._restrict(self.meaning.numbers.add_heaps(position), bound.total))
        return f.conjoin(*tests)

    def _bound_heap(self, heap: Scalars, bound: d.Range) -> Formula:
        """Return the formula that holds at the cases at which `heap` is 0 (absent) or within `bound`."""
        if bound.lo <= 1:
            return self._restrict(heap, d.Range(0, bound.hi))
        return f.disjoin(f.hold(self.grid.compute("eq", heap, make_constant(0))), self._restrict(heap, bound))

    def _restrict(self, value: Meant, bound: d.Range) -> Formula:
        number = self.meaning.as_number(value)
        low, high = number.find_bounds() if isinstance(number, Scalars) else (bound.lo - 1, bound.hi + 1)
        ends = [*([("ge", bound.lo)] if low < bound.lo else []), *([("le", bound.hi)] if high > bound.hi else [])]
        return f.conjoin(*(f.hold(self.grid.compute(op, number, make_constant(end))) for op, end in ends))

    def mark_rows(self, inside: Array) -> Formula:
        """Return the formula that holds at the cases of some rows (values of the other variables).

        `inside[i]`: whether it holds in row i.
        """
        return f.hold(self._select_rows(Scalars(inside[:, None])))

    @property
    def standard(self) -> Formula:
        """The formula that holds at exactly one of the cases with the same position and the same other values.

        In the layout of `LineGround`, a position may occur several times, because any of its heaps may be the last.
        """
        return f.TRUE

    def list_heaps(self, places: Array, bits: Array) -> Array:
        """Return the positions of some cases: row i belongs to the case at outer place `places[i]` and bit `bits[i]`.

        A row contains zeros, then the heaps of the position in ascending order.
        """
        raise NotImplementedError

    def count_least(self, places: Array) -> Array:
        """Return, for each outer place in `places`, the smallest number of heaps among the positions of this place."""
        columns = [h.data[:, 0] > 0 for h in self.heaps if h.data.shape[1] == 1]
        return sum((x.take(places) for x in columns), start=np.zeros(len(places), dtype=np.uint8))

    def find_row(self, bit: int) -> int:
        """Return the number of the row (values of the other variables) to which a bit belongs."""
        return self.span[bit] if len(self.span) > 1 else self.span.start

    def find_variable(self, name: str) -> Scalars | None:
        """Return the value of a variable other than the position for each bit; None if it is a set.

        A single value is returned if it is the same for all bits.
        """
        value = self.rows.frame.lookup(name)
        return self._select_rows(value) if isinstance(value, Scalars) else None


class ParameterGround(BoxSlice):
    """A slice in which an outer place is a position, and each bit is a combination of values of the other variables."""

    engine = "parameter bits"

    def __init__(self, of: BoxClaim, span: range, heaps: tuple[Scalars, ...]) -> None:
        """Prepare the slice.

        `span`: the numbers of the combinations of values of the other variables.
        `heaps`: the result of `list_columns`.
        """
        super().__init__(of, span, of.box.count, len(span), heaps)

    def _select_rows(self, value: Scalars) -> Scalars:
        data, bad = (
            None if x is None else (x[self.span.start : self.span.stop] if len(x) > 1 else x).T
            for x in (value.data, value.bad)
        )
        assert data is not None
        return Scalars(data, bad)

    def _lay_out(self, task: BoxTask) -> KernelRows:
        from encoders.compute.arrays.bit_lanes import KernelLanes

        return KernelLanes(task, self.clock, self.machine)

    def is_row_value(self, value: Meant) -> bool:
        return isinstance(value, Scalars) and value.shape[0] == 1

    def list_heaps(self, places: Array, bits: Array) -> Array:
        return np.stack([h.data[places, 0] for h in self.heaps], axis=1)


class LineGround(BoxSlice):
    """A slice in which an outer place is all heaps of a position except the last, and a bit is a size of the last heap.

    The other variables have fixed values.
    """

    engine = "line bits"

    def __init__(self, of: BoxClaim, row: int, rest: tuple[Scalars, ...]) -> None:
        """Prepare the slice of the claim `of` in which the variables other than the position have the values of `row`.

        `rest`: all heaps except the last, as `list_columns` returns them for a box with one heap less.
        """
        self.row, self.rest, size = row, rest, of.box.size
        line = Scalars(np.arange(size + 1)[None, :], None, 0, size)
        super().__init__(of, range(row, row + 1), HeapBox(of.box.heaps - 1, size).count, size + 1, (*rest, line))

    def _select_rows(self, value: Scalars) -> Scalars:
        data, bad = (None if x is None else x[self.row :][:1] if len(x) > 1 else x for x in (value.data, value.bad))
        assert data is not None
        return Scalars(data, bad)

    def _lay_out(self, task: BoxTask) -> KernelRows:
        from encoders.compute.arrays.bit_lanes import KernelLines

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
    """Return the heaps of all positions of a box: the smallest heap of each position, then the next larger one, ..."""
    return tuple(Scalars(c[:, None], None, 0, box.size) for c in box.columns)


# == search ===========================================================================================================
# The search of the cases of a claim about one position as bits, which is faster than `ArraySearch` for large boxes.
#
# The results are the same: the number of cases, the number of cases that satisfy the hypotheses, the smallest case of
# each kind, and a sample for the referee. If a term is not supported, the search stops before it solves a game, and the
# general search is used instead.
# -- single cases -----------------------------------------------------------------------------------------------------
# Select single cases from rows of bits: the smallest in the order of cases, and a sample.

GOLDEN = 0.618  # the golden ratio spreads the sampled bits evenly


class BoxCases:
    """The selection of single cases of a claim in a slice: the smallest case, and a sample."""

    def __init__(self, claim: Claim, rows: Rows, ground: BoxSlice) -> None:
        self.variables, self.rows, self.ground = claim.variables, rows, ground
        self.order = Order(claim.variables, rows.evaluator.pool)

    def find_smallest(self, among: FormulaCases, known: FoundCase | None, ill: bool = False) -> FoundCase | None:
        """Return the smallest of some cases.

        Return None if there are no such cases, or if each of them has more heaps than the case `known`.

        `known`: the smallest such case found before, if any. `ill`: whether the claim is ill-defined at the cases.
        """
        # The lowest bit at an outer place is its smallest case: the smallest last heap, or the earliest row. It has at
        # most one heap more than `count_least` states.
        least = self.ground.count_least(among.places)
        most = int(least.min(initial=MAX_HEAPS)) + 1
        if known is not None:
            most = min(most, len(self._read_position(known.case)))
        places = among.places[least <= most]
        if not len(places):
            return None
        parts = np.split(places, range(BLOCK // self.ground.words, len(places), BLOCK // self.ground.words))
        bits = np.concatenate([find_lowest(self.ground.read_rows(among.formula, x)) for x in parts])
        positions = self.ground.list_heaps(places, bits)
        counts, totals = np.count_nonzero(positions, axis=1), positions.sum(axis=1)
        at = np.flatnonzero(counts == counts.min())
        at = at[totals[at] == totals[at].min()]
        columns = [positions[at, i] for i in range(positions.shape[1] - 1, -1, -1)]
        first = at[np.lexsort(columns)[0]]
        case = self._read(positions[first], int(bits[first]))
        return FoundCase(self.order.make_key(case), case, ill)

    def _read(self, position: Array, bit: int) -> Case:
        others = self.rows.read(self.ground.find_row(bit))
        heaps = tuple(int(h) for h in position if h)
        return {v.name: heaps if v.type == POSITION else others[v.name] for v in self.variables}

    def _read_position(self, case: Case) -> tuple[object, ...]:
        found = next(case[v.name] for v in self.variables if v.type == POSITION)
        assert isinstance(found, tuple)
        return found

    def pick(self, among: FormulaCases) -> Iterator[Case]:
        """Yield some of the cases: small ones, and others that are evenly spread over the outer places."""
        if not among.count:
            return
        step, last = BLOCK // self.ground.words, len(among.places) - 1
        small = int(np.searchsorted(among.places, among.places[0] + step))
        wanted = min(FEW * (self.ground.outer // step), MOST)
        at = [np.geomspace(1, small, MANY).astype(np.int64) - 1, np.linspace(0, last, wanted, dtype=np.int64)]
        places = among.places[list_distinct(np.concatenate(at))]
        heaps, chosen = self.ground.list_heaps, np.zeros(len(places), dtype=np.int64)
        there = unpack(self.ground.read_rows(among.formula, places), self.ground.bits)
        for i, (place, row) in enumerate(zip(places.tolist(), there, strict=True)):
            bits = np.flatnonzero(row)
            chosen[i] = bits[int(place * GOLDEN % 1 * len(bits))]
        for position, bit in zip(heaps(places, chosen), chosen.tolist(), strict=True):
            yield self._read(position, bit)


# -- search -----------------------------------------------------------------------------------------------------------
# sampled cases of a slice: from its first BLOCK words, from each later BLOCK words, and at most from all of these
MANY, FEW, MOST = 12, 2, 128


class BoxSearch:
    """The search for one claim in one scope, in the layout of `plan`.

    `tally`: the results are added to it at the end, or when a limit is reached.
    `earlier`: the part of the scope that was searched before; its cases are skipped.

    The methods raise TooLarge, IllDefinedDomain and OutOfTime. If one raises NotApplicable, the tally has not changed.
    """

    def __init__(
        self,
        claim: Claim,
        scope: d.Scope,
        plan: BoxPlan,
        clock: Deadline,
        tally: Tally | None = None,
        earlier: d.Scope | None = None,
    ) -> None:
        self.claim, self.scope, self.plan, self.clock, self.earlier = claim, scope, plan, clock, earlier
        self.tally = Tally() if tally is None else tally
        self.found = Tally()
        self.exists = claim.quantifier == "exists"
        self.rows = Rows(claim, scope, clock)
        parameters = {g.name: self.rows.list_parameters(g) for g in claim.games}
        self.boxed = BoxClaim(claim, self.rows, parameters, plan.box, clock)

    def run(self) -> None:
        """Search every case of the scope that is not in `earlier`."""
        try:
            load_kernel()
        except TooLarge as error:
            raise NotApplicable(str(error)) from None
        try:
            for ground in self._list_grounds():
                try:
                    self._look(ground, BoxCases(self.claim, self.rows, ground), *self._read_claim(ground))
                finally:
                    ground.close()
        except BadRuleset as error:  # the general search reports this error in its own words, if it meets it
            raise NotApplicable(str(error)) from None
        except (OutOfTime, TooLarge, MemoryError):
            self._hand_over()
            raise
        self._hand_over()

    def _hand_over(self) -> None:
        """Add the results to the tally. NotApplicable must not be raised afterwards."""
        tally, found = self.tally, self.found
        tally.cases, tally.met = tally.cases + found.cases, tally.met + found.met
        tally.best, tally.witness = smaller(tally.best, found.best), smaller(tally.witness, found.witness)
        tally.engines |= found.engines
        for judged in found.sample.take(8 * SIZE):
            tally.sample.keep(judged)

    def _list_grounds(self) -> Iterator[BoxSlice]:
        rows, box = self.rows, self.plan.box
        if self.plan.by_lines:
            rest = list_columns(HeapBox(box.heaps - 1, box.size))
            for row in range(len(rows)):
                yield LineGround(self.boxed, row, rest)
            return
        heaps, step = list_columns(box), 64 * self.plan.words
        for start in range(0, len(rows), step):
            yield ParameterGround(self.boxed, range(start, min(start + step, len(rows))), heaps)

    # -- one slice ----------------------------------------------------------------------------------------------------
    def _read_claim(self, ground: BoxSlice) -> tuple[Formula, Truth, Truth]:
        """Return a formula for the cases that must be searched, and the values of the hypotheses and the conclusion."""
        meant: dict[str, Meant] = {self.plan.position: ground.meaning.position}
        for v in self.rows.variables:
            value = ground.find_variable(v.name)
            if value is not None:
                meant[v.name] = value
        hypothesis = Truth(TRUE)
        if self.claim.hypothesis is not None:
            hypothesis = ground.meaning.truth(self.claim.hypothesis, meant)
        conclusion = ground.meaning.truth(self.claim.conclusion, meant)
        return self._find_cases(ground), hypothesis, conclusion

    def _find_cases(self, ground: BoxSlice) -> Formula:
        bound = self.scope[self.plan.position]
        assert isinstance(bound, d.PositionRange)
        inside = f.conjoin(ground.standard, ground.find_inside(bound))
        if self.earlier is None:
            return inside
        old = self.earlier[self.plan.position]
        assert isinstance(old, d.PositionRange)
        known = f.conjoin(ground.find_inside(old), ground.mark_rows(self.rows.find_inside(self.earlier)))
        return f.conjoin(inside, f.negate(known))

    def _look(self, ground: BoxSlice, cases: BoxCases, where: Formula, hypothesis: Truth, conclusion: Truth) -> None:
        self.found.engines.add(ground.engine)
        inside = f.conjoin(where, ground.full)
        sound = f.conjoin(inside, f.negate(hypothesis.bad))
        met = f.conjoin(sound, hypothesis.holds)
        if hypothesis.holds is not TRUE and not ground.count([met])[0].count:
            conclusion = Truth(FALSE)  # no game is solved for the conclusion if the hypotheses hold nowhere
        ill = f.disjoin(f.conjoin(inside, hypothesis.bad), f.conjoin(met, conclusion.bad))
        decided = f.conjoin(met, f.negate(conclusion.bad))
        true, false = f.conjoin(decided, conclusion.holds), f.conjoin(decided, f.negate(conclusion.holds))
        unmet = f.conjoin(sound, f.negate(hypothesis.holds))
        all_, at_met, at_ill, at_true, at_false, at_unmet = ground.count((inside, met, ill, true, false, unmet))
        found = self.found
        found.cases += all_.count
        found.met += at_met.count
        found.best = smaller(found.best, cases.find_smallest(at_ill, found.best, True))
        found.best = smaller(found.best, cases.find_smallest(at_true if self.exists else at_false, found.best))
        found.witness = smaller(found.witness, cases.find_smallest(at_met, found.witness))
        judged = [(at_true, Judgement.HOLDS), (at_unmet, Judgement.HYPOTHESES_FAIL)]
        if self.exists:
            judged.append((at_false, Judgement.FAILS))
        for among, judgement in judged:
            for case in cases.pick(among):
                found.sample.keep((case, judgement))
