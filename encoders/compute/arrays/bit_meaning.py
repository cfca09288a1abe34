"""The values of terms about one position, at many cases at once. They must agree with the referee at every case.

A position has the same number of heaps at all cases; absent heaps are zeros. A term about all heaps, such as a sum, is
computed heap by heap. Terms that contain neither the position nor game calls are evaluated by the general engine.

Both sides of `and` are evaluated at all cases, but an ill-defined right side counts only where the left side is true.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, OUTCOME, POSITION
from encoders.compute.arrays import bit_rows as f
from encoders.compute.arrays.bit_rows import (
    BoxGrid,
    BoxHeaps,
    BoxTable,
    Formula,
    Meant,
    Names,
    NotApplicable,
    Number,
    Truth,
    Winners,
)
from encoders.compute.arrays.values import Scalars, list_distinct, make_constant, merge_bad

# -- numbers, heap by heap --------------------------------------------------------------------------------------------
# Numbers that are computed heap by heap.


class RowArithmetic:
    """Arithmetic with numbers at all cases of a grid at once. Truth values are stored like numbers.

    Every method may raise NotApplicable.
    """

    def __init__(self, grid: BoxGrid) -> None:
        self.grid = grid

    def select(self, test: Number, then: Number, other: Number) -> Number:
        """Return the value of `then if test else other` at each case. The other value may be ill-defined there."""

        def work(v: list[Scalars]) -> Scalars:
            no = np.zeros((1, 1), dtype=bool)
            bad = np.where(v[0].data, *(no if x.bad is None else x.bad for x in v[1:]))
            return Scalars(np.where(v[0].data, v[1].data, v[2].data), merge_bad(v[0].bad, bad))

        return self.grid.apply(work, (test, then, other))

    def count_heaps(self, heaps: BoxHeaps) -> Number:
        """Return the number of heaps of the position at each case."""
        return self.add_up([self.is_there(h) for h in heaps.sizes])

    def add_heaps(self, heaps: BoxHeaps) -> Number:
        """Return the number of objects in the position at each case."""
        return self.fold("add", list(heaps.sizes), make_constant(0))

    def is_there(self, heap: Number) -> Number:
        """Return whether a heap is present (not 0), at each case."""
        return self.grid.compute("gt", heap, make_constant(0))

    def conjoin(self, *tests: Number) -> Number:
        """Return whether all tests hold, at each case.

        An ill-defined test does not count where a test before it is false.
        """

        def work(v: list[Scalars]) -> Scalars:
            holds = v[0].data
            bad = v[0].bad
            for x in v[1:]:
                if x.bad is not None:
                    bad = merge_bad(bad, (holds if bad is None else holds & ~bad) & x.bad)
                holds = holds & x.data
            return Scalars(holds, bad)

        return tests[0] if len(tests) == 1 else self.grid.apply(work, tests)

    def add_up(self, tests: list[Number]) -> Number:
        """Return the number of tests that hold, at each case."""
        counted = [self.grid.apply(lambda v: Scalars(v[0].data.astype(np.int64), v[0].bad), (x,)) for x in tests]
        return self.fold("add", counted, make_constant(0))

    def fold(self, op: str, values: list[Number], start: Number) -> Number:
        """Return the sum of `start` and the values at each case; or their combination by another operation `op`.

        The operation must be commutative and associative, because the values are combined in a faster order.
        """
        found = start
        for value in sorted(values, key=_weigh):
            found = self.grid.compute(op, found, value)
        return found

    def find_extreme(self, op: str, items: list[tuple[Number, Number]]) -> Number:
        """Return the largest (`op` "max") or the least (`op` "min") of some values, at each case.

        `items`: pairs (active, value). A value counts at the cases at which `active` is true. The result is ill-defined
        where no value counts.
        """
        found, some = make_constant(0), make_constant(False)
        result: Number = found
        there: Number = some
        better = "largest" if op == "max" else "smallest"
        for active, value in sorted(items, key=lambda x: max(_weigh(x[0]), _weigh(x[1]))):
            met = self.select(there, self.grid.compute(better, result, value), value)
            result = self.select(active, met, result)
            there = self.grid.apply(lambda v: Scalars(v[0].data | v[1].data), (there, active))
        return self.grid.apply(
            lambda v: Scalars(v[0].data, merge_bad(v[0].bad, np.asarray(~v[1].data))), (result, there)
        )


def _weigh(value: Number) -> int:
    return 3 if isinstance(value, BoxTable) else 2 if value.shape[1] > 1 else 1 if value.shape[0] > 1 else 0


# -- meaning ----------------------------------------------------------------------------------------------------------
class BoxSurroundings(Protocol):
    """The surroundings in which a term is evaluated: the grid of cases, and the games.

    A case of the grid is given by an outer place and a bit (see `BoxGrid`).
    """

    grid: BoxGrid

    def find_row_value(self, term: t.Term) -> Scalars | None:
        """Return the value of a term that does not depend on the position, for each bit of the grid.

        A single value is returned if it is the same for all bits. Return None if the term mentions the position or a
        game, or is a list or set.
        """

    def wins(self, game: str, mover: int) -> Formula:
        """Return the formula that holds at the positions from which `mover` wins when moving first."""

    def reaches(self, game: str, mover: int, wanted: Formula) -> Formula:
        """Return the formula that holds at the positions from which `mover` can move to a position in `wanted`."""

    def is_row_value(self, value: Meant) -> bool:
        """Whether a value is the same at all positions."""

    def is_impartial(self, game: str) -> bool:
        """Whether both players have the same moves."""


class BitEvaluator:
    """The evaluator of terms at many cases at once.

    Every method may raise OutOfTime, TooLarge, and NotApplicable for an unsupported term.
    """

    def __init__(self, around: BoxSurroundings, position: BoxHeaps) -> None:
        self.around, self.grid, self.position = around, around.grid, position
        self.numbers = RowArithmetic(around.grid)
        self._applied: dict[tuple[int, ...], tuple[Meant, list[Meant]]] = {}

    def forget(self) -> None:
        """Forget the stored values of calls of definitions."""
        self._applied.clear()

    def truth(self, term: t.Term, names: Names) -> Truth:
        """Return the value of a condition at each case."""
        return f.require_truth(self.evaluate(term, names))

    def number(self, term: t.Term, names: Names) -> Number:
        """Return the value of a number, a player, or a condition that does not depend on a game, at each case."""
        return self.as_number(self.evaluate(term, names))

    def as_number(self, found: Meant) -> Number:
        """Return a number unchanged, and a condition as truth values that are stored like numbers.

        Raise NotApplicable for a position, an outcome, and a condition that depends on who wins a game.
        """
        if isinstance(found, BoxHeaps | Winners):
            raise NotApplicable(f.HIDDEN)
        if not isinstance(found, Truth):
            return found
        value = f.condense(found.holds, self.grid)
        if found.bad is f.FALSE:
            return value
        bad = f.condense(found.bad, self.grid)
        return self.grid.apply(lambda v: Scalars(v[0].data, merge_bad(v[1].data)), (value, bad))

    def evaluate(self, term: t.Term, names: Names) -> Meant:
        """Return the value of a term at each case. `names`: the values of the variables that may occur in the term."""
        constant = self.around.find_row_value(term)
        if constant is not None:
            return constant
        match term:
            case t.Literal(value=v):
                return make_constant(bool(v) if term.type == BOOL else v)
            case t.Variable(name=name):
                if name not in names:
                    raise NotApplicable(f.HIDDEN)
                return names[name]
            case t.AllOf(args=args):
                return self._decide(args, names, True)
            case t.AnyOf(args=args):
                return self._decide(args, names, False)
            case t.IfElse():
                return self._choose(term, names)
            case t.Operation():
                return self._operate(term, names)
            case t.Apply(function=function, args=args):
                values = [self.evaluate(x, names) for x in args]
                key = (id(function), *map(id, values))
                if key not in self._applied:
                    inner = dict(zip(function.parameters, values, strict=True))
                    bad = f.disjoin(*(f.find_bad(v) for v in values))
                    self._applied[key] = self._worsen(self.evaluate(function.body, inner), bad), values
                return self._applied[key][0]
            case t.GameCall():
                return self._ask(term, names)
            case t.Comprehension():
                return self._reduce(term, names)
        raise NotApplicable(f.HIDDEN)

    def _worsen(self, value: Meant, bad: Formula) -> Meant:
        if bad is f.FALSE:
            return value
        if isinstance(value, Truth):
            return Truth(value.holds, f.disjoin(value.bad, bad))
        found = self.as_number(value)
        there = f.condense(bad, self.grid)
        return self.grid.apply(lambda v: Scalars(v[0].data, merge_bad(v[0].bad, v[1].data)), (found, there))

    # -- lazy forms -------------------------------------------------------------------------------------------------
    def _decide(self, args: tuple[t.Term, ...], names: Names, conjunction: bool) -> Truth:
        result = self.truth(args[0], names)
        holds, bad = result.holds, result.bad
        for x in args[1:]:
            value = self.truth(x, names)
            if value.bad is not f.FALSE:
                open_ = f.conjoin(holds if conjunction else f.negate(holds), f.negate(bad))
                bad = f.disjoin(bad, f.conjoin(open_, value.bad))
            holds = f.conjoin(holds, value.holds) if conjunction else f.disjoin(holds, value.holds)
        return Truth(holds, bad)

    def _choose(self, term: t.IfElse, names: Names) -> Meant:
        test = self.truth(term.condition, names)
        if term.type == BOOL:
            then, other = self.truth(term.then, names), self.truth(term.other, names)
            bad = f.disjoin(test.bad, f.choose(test.holds, then.bad, other.bad))
            return Truth(f.choose(test.holds, then.holds, other.holds), bad)
        if term.type in (OUTCOME, POSITION) or term.type.is_collection:
            raise NotApplicable(f.HIDDEN)
        return self.numbers.select(self.as_number(test), self.number(term.then, names), self.number(term.other, names))

    # -- strict operations --------------------------------------------------------------------------------------------
    def _operate(self, term: t.Operation, names: Names) -> Meant:
        op, args = term.op, [self.evaluate(x, names) for x in term.args]
        if op == "not":
            part = f.require_truth(args[0])
            return Truth(f.negate(part.holds), part.bad)
        heaps = [x for x in args if isinstance(x, BoxHeaps)]
        if heaps:
            return self._ask_heaps(op, args)
        if op in ("eq", "ne"):
            outcomes = [x for x in args if isinstance(x, Winners)]
            if outcomes:
                found = f.compare_outcomes(args)
                return Truth(found if op == "eq" else f.negate(found))
            if all(x.type == BOOL for x in term.args):
                a, b = (f.require_truth(x) for x in args)
                unequal = f.differ(a.holds, b.holds)
                return Truth(unequal if op == "ne" else f.negate(unequal), f.disjoin(a.bad, b.bad))
        if any(x.type.is_collection or x.type == POSITION for x in term.args) or term.type.is_collection:
            raise NotApplicable(f.HIDDEN)
        return self.grid.compute(op, *(self.as_number(x) for x in args))

    def _ask_heaps(self, op: str, args: list[Meant]) -> Meant:
        """Return the value of an operation on a position at each case, such as `len(s)` or `x in s`.

        Raise NotApplicable for an unsupported operation.
        """
        if len(args) == 1 and isinstance(args[0], BoxHeaps):
            sizes = args[0].sizes
            match op:
                case "len":
                    return self.numbers.count_heaps(args[0])
                case "sum":
                    return self.numbers.add_heaps(args[0])
                case "nim_sum":
                    return self.numbers.fold("nim", list(sizes), make_constant(0))
                case "max" | "min":
                    return self.numbers.find_extreme(op, [(self.numbers.is_there(h), h) for h in sizes])
        if op in ("in", "occurrences"):
            item, source = (args[0], args[1]) if op == "in" else (args[1], args[0])
            if isinstance(source, BoxHeaps) and not isinstance(item, BoxHeaps):
                wanted = self.as_number(item)
                same = [
                    self.numbers.conjoin(self.numbers.is_there(h), self.grid.compute("eq", h, wanted))
                    for h in source.sizes
                ]
                count = self.numbers.add_up(same)
                return count if op == "occurrences" else self.grid.compute("gt", count, make_constant(0))
        raise NotApplicable(f.HIDDEN)

    # -- comprehensions ------------------------------------------------------------------------------------------------
    def _reduce(self, term: t.Comprehension, names: Names) -> Meant:
        first = term.clauses[0].source
        if isinstance(first, t.GameCall) and first.function == "options":
            return self._look_ahead(term, first, names)
        if term.reducer in ("any", "all"):
            return self._quantify(term, 0, names)
        if term.reducer not in ("sum", "nim_sum", "count", "max", "min"):
            raise NotApplicable(f.HIDDEN)
        items: list[tuple[Number, Number]] = []
        self._list_items(term, 0, names, [], items)
        if term.reducer in ("max", "min"):
            return self.numbers.find_extreme(term.reducer, items)
        zero = make_constant(0)
        if term.reducer == "count":
            return self.numbers.add_up([self.numbers.conjoin(active, value) for active, value in items])
        values = [self.numbers.select(active, value, zero) for active, value in items]
        return self.numbers.fold("nim" if term.reducer == "nim_sum" else "add", values, zero)

    def _find_elements(self, source: t.Term, names: Names) -> tuple[Scalars, ...]:
        if source.type != POSITION:
            raise NotApplicable(f.HIDDEN)
        found = self.evaluate(source, names)
        assert isinstance(found, BoxHeaps)
        return found.sizes

    def _quantify(self, term: t.Comprehension, at: int, names: Names) -> Truth:
        """Return the value of an `any` or `all` over heaps, for its clauses from number `at` on."""
        if at == len(term.clauses):
            return self.truth(term.body, names)
        clause, anything = term.clauses[at], term.reducer == "any"
        parts, bads = [], []
        for heap in self._find_elements(clause.source, names):
            inner = {**names, clause.variable: heap}
            there: Formula = f.Leaf(self.numbers.is_there(heap))
            for condition in clause.conditions:
                value = self.truth(condition, inner)
                bads.append(f.conjoin(there, value.bad))
                there = f.conjoin(there, value.holds)
            body = self._quantify(term, at + 1, inner)
            bads.append(f.conjoin(there, body.bad))
            parts.append(f.conjoin(there, body.holds if anything else f.negate(body.holds)))
        if any(b is not f.FALSE for b in bads):
            raise NotApplicable(
                "the body of an any or all over heaps may be ill-defined, so the order of the heaps matters"
            )
        some = f.disjoin(*parts)
        return Truth(some if anything else f.negate(some))

    def _list_items(
        self, term: t.Comprehension, at: int, names: Names, tests: list[Number], items: list[tuple[Number, Number]]
    ) -> None:
        if at == len(term.clauses):
            active = self.numbers.conjoin(*tests)
            value = self.number(term.body, names)
            # An ill-defined condition makes the whole term ill-defined, as an ill-defined value does.
            spoilt = self.grid.apply(
                lambda v: Scalars(v[1].data, merge_bad(v[0].bad, None if v[1].bad is None else v[0].data & v[1].bad)),
                (active, value),
            )
            known = self.grid.apply(lambda v: Scalars(v[0].data | (False if v[0].bad is None else v[0].bad)), (active,))
            items.append((known, spoilt))
            return
        clause = term.clauses[at]
        for heap in self._find_elements(clause.source, names):
            inner = {**names, clause.variable: heap}
            conditions = [self.number(x, inner) for x in clause.conditions]
            self._list_items(term, at + 1, inner, [*tests, self.numbers.is_there(heap), *conditions], items)

    # -- questions about games ---------------------------------------------------------------------------------------
    def _ask(self, call: t.GameCall, names: Names) -> Meant:
        if call.function not in ("wins", "outcome", "terminal"):
            raise NotApplicable(f"{call.function}(...) of a game is not supported")
        self._require_position(call.args[0], names)
        if call.function == "outcome":
            impartial = self.around.is_impartial(call.game)
            first = self.around.wins(call.game, 0)
            return Winners(first, first if impartial else self.around.wins(call.game, 1))
        if call.function == "wins":
            return Truth(self._ask_by_mover(call, names, self.around.wins))
        return Truth(f.negate(self._ask_by_mover(call, names, lambda g, m: self.around.reaches(g, m, f.TRUE))))

    def _ask_by_mover(self, call: t.GameCall, names: Names, ask: Callable[[str, int], Formula]) -> Formula:
        if self.around.is_impartial(call.game):
            self.number(call.args[1], names)
            return ask(call.game, 0)
        mover = self.number(call.args[1], names)
        known = mover.rows if isinstance(mover, BoxTable) else mover
        if known.bad is not None:
            raise NotApplicable("the player to move in a question about a game may be ill-defined")
        players = list_distinct(known.data).tolist()
        if len(players) == 1:
            return ask(call.game, players[0])
        tests = [(self.grid.compute("eq", mover, make_constant(p)), ask(call.game, p)) for p in players]
        return f.disjoin(*(f.conjoin(f.Leaf(test), found) for test, found in tests))

    def _require_position(self, term: t.Term, names: Names) -> None:
        """Raise NotApplicable unless the value of the term is the claim's position variable."""
        if self.evaluate(term, names) is not self.position:
            raise NotApplicable("a question about a game is not about the position variable of the claim")

    def _look_ahead(self, term: t.Comprehension, source: t.GameCall, names: Names) -> Truth:
        """Return the value of an `any` or `all` over the options of the position, at each case.

        The conditions and the body may depend on the option, and on variables that do not depend on the position.
        `source`: the call options(s, ...). Raise NotApplicable for other terms.
        """
        if term.reducer not in ("any", "all") or len(term.clauses) > 1:
            raise NotApplicable("a comprehension over options is not an any or all with a single `for`")
        self._require_position(source.args[0], names)
        inner = {name: value for name, value in names.items() if self.around.is_row_value(value)}
        inner[term.clauses[0].variable] = self.position
        anything = term.reducer == "any"
        wanted: Formula = f.TRUE
        for part in (*term.clauses[0].conditions, term.body):
            found = self.truth(part, inner)
            if found.bad is not f.FALSE:
                raise NotApplicable("the body of an any or all over options may be ill-defined")
            last = part is term.body and not anything
            wanted = f.conjoin(wanted, f.negate(found.holds) if last else found.holds)
        hit = self._ask_by_mover(source, names, lambda g, m: self.around.reaches(g, m, wanted))
        return Truth(hit if anything else f.negate(hit))
