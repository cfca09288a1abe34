"""A sequent looked at on a box of small values, by the exhaustive engine, before any solver is asked.

The variables get their values one after the other, in all combinations; what is assumed is evaluated as soon as all
that it speaks of has values, and drops the combinations where it does not hold.  A variable that is said to equal
something known gets that value.  Where there are more combinations than ROWS, a fixed sample of them goes on: a box
finds what is false, it proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claims.language.expressions.walk import structural_key
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from encoders.exhaustive.arrays.limits import OutOfTime, TooLarge
from encoders.exhaustive.arrays.values import Array, to_array
from encoders.exhaustive.evaluate.columns import ColumnTable
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Sequent, Symbol, names_in

ROWS = (300, 1000, 4000)  # combinations that are kept after each variable; more where none was left
VALUES = 4  # that a variable takes, from its least
SEED = 20
CELLS = 200_000  # values at once: what has more variables is not looked at with so many rows
LARGE = 1 << 20  # beyond which no number is smaller than another

Columns = dict[str, Array]


@dataclass(frozen=True)
class BoxCheck:
    """What was seen. `cases`: values at which all that is assumed holds and what is shown was evaluated.

    `falsified`: the first of them where it does not hold.
    """

    cases: int
    falsified: Mapping[str, int | bool] | None = None


def check_on_box(sequent: Sequent) -> BoxCheck:
    """Evaluate the sequent on a box of its variables."""
    try:
        for rows in ROWS:
            if rows * len(sequent.variables) > CELLS:
                break
            found = _Box(sequent, rows).look()
            if found.cases:
                return found
        return BoxCheck(0)
    except (Unsupported, OutOfTime, TooLarge):
        return BoxCheck(0)


@dataclass(eq=False)
class _PendingAssumption:
    """Something assumed. `missing`: the variables it speaks of that have no values yet."""

    term: t.Term
    missing: set[str]


@dataclass(eq=False)
class _Equation:
    """What a variable is said to equal, perhaps under conditions: a value worth trying once nothing is `missing`.

    `sure`: it stands under no condition.
    """

    name: str
    value: t.Term
    missing: set[str]
    sure: bool


class _Box:
    def __init__(self, sequent: Sequent, rows: int) -> None:
        self.sequent, self.most = sequent, rows
        self.columns: Columns = {}
        self._table: ColumnTable | None = None
        self.rows = 1
        self.total = np.zeros(1, dtype=np.int64)  # of each row, how large its values are together
        self.random = np.random.default_rng(SEED)
        self.symbols = {s.name: s for s in sequent.variables}
        place = {name: i for i, name in enumerate(self.symbols)}
        assumed = _follow(sequent.premises)
        self.parts = [_PendingAssumption(x, set(names_in(x))) for x in assumed]
        self.equations = [e for x in assumed for e in _equations(x) if not _looks_ahead(e, place)]

    def look(self) -> BoxCheck:
        self._drop()
        while self.rows and len(self.columns) < len(self.symbols):
            symbol = self._next()
            self._assign(symbol)
            for missing in (*(p.missing for p in self.parts), *(e.missing for e in self.equations)):
                missing.discard(symbol.name)
            self._drop()
        if not self.rows:
            return BoxCheck(0)
        shown = self.table.evaluate(self.sequent.show)
        looked = ~shown.undefined
        false = np.flatnonzero(looked & ~shown.values.astype(bool))
        cases = int(np.count_nonzero(looked))
        return BoxCheck(cases, self._row(int(false[0])) if len(false) else None)

    @property
    def table(self) -> ColumnTable:
        """What is known of terms at these rows."""
        if self._table is None:
            self._table = ColumnTable(self.columns)
        return self._table

    def _row(self, number: int) -> dict[str, int | bool]:
        return {
            name: bool(column[number]) if self.symbols[name].type == BOOL else int(column[number])
            for name, column in self.columns.items()
        }

    # -- assigning ----------------------------------------------------------------------------------------------------
    def _next(self) -> Symbol:
        """The next variable: one said to equal nothing but what is known, and by which most comes to be evaluated."""
        unready = Counter(e.name for e in self.equations if e.sure and e.missing)
        nearest: dict[str, int] = {}
        for part in self.parts:
            for name in part.missing:
                nearest[name] = min(nearest.get(name, len(part.missing)), len(part.missing))
        left = (s for s in self.sequent.variables if s.name not in self.columns)
        return min(left, key=lambda s: (unready[s.name], nearest.get(s.name, len(self.symbols))))

    def _assign(self, symbol: Symbol) -> None:
        """Give a variable its small values, and those that it is said to equal."""
        small, every = list(_values(symbol)), np.arange(self.rows)
        values: Array = np.array(small, dtype=bool) if symbol.type == BOOL else to_array(small)
        found: list[Array] = [np.repeat(values, self.rows)]
        rows = [every] * len(small)
        for equation in self.equations:
            if equation.name == symbol.name and not equation.missing:
                said = self.table.evaluate(equation.value)
                new = ~said.undefined & _inside(said.values, symbol)
                for value in small:
                    new &= said.values != value
                rows.append(every[new])
                found.append(said.values[new])
        column = np.concatenate(found)
        self._take(np.concatenate(rows), {symbol.name: column})
        self.total += np.minimum(np.abs(column), LARGE).astype(np.int64)

    def _drop(self) -> None:
        """Evaluate what is assumed and has all its values; keep the rows where it holds, and not too many."""
        ready = [p for p in self.parts if not p.missing]
        kept = np.arange(self.rows)
        if ready:
            self.parts = [p for p in self.parts if p.missing]
            holds = np.ones(self.rows, dtype=bool)
            for part in ready:
                found = self.table.evaluate(part.term)
                holds &= found.values.astype(bool) & ~found.undefined
            kept = kept[holds]
        if len(kept) > self.most:
            kept = self._thin(kept)
        if len(kept) < self.rows:
            self._take(kept, {})

    def _thin(self, kept: Array) -> Array:
        """Of these rows the smallest combinations, and as many of the others, drawn at random."""
        order = self.total.take(kept).argsort(kind="stable")
        half = self.most // 2
        drawn = self.random.choice(order[half:], self.most - half, replace=False)
        thinned: Array = kept[np.sort(np.concatenate((order[:half], drawn)))]
        return thinned

    def _take(self, rows: Array, new: Columns) -> None:
        """Go on with these rows alone, and with new columns of as many."""
        self.columns = {name: column.take(rows) for name, column in self.columns.items()} | new
        self._table = None
        self.rows, self.total = len(rows), self.total.take(rows)


def _follow(premises: tuple[t.Term, ...]) -> list[t.Term]:
    """What is assumed, part by part; of an implication whose condition is assumed, what follows."""
    known: dict[Hashable, t.Term] = {}
    waiting = [x for p in premises for x in t.conjuncts(p)]
    while waiting:
        found = {structural_key(x): x for x in waiting}
        known |= found
        waiting = []
        for key, x in list(known.items()):
            if isinstance(x, t.AnyOf):
                left = [y for y in x.args if not _is_refuted(y, known)]
                if len(left) == 1:
                    del known[key]
                    waiting += t.conjuncts(left[0])
    return list(known.values())


def _is_refuted(term: t.Term, known: Mapping[Hashable, t.Term]) -> bool:
    """Whether all parts of what a term denies are assumed."""
    denied = term.args[0] if isinstance(term, t.Operation) and term.op == "not" else None
    return denied is not None and all(structural_key(x) in known for x in t.conjuncts(denied))


def _equations(term: t.Term, sure: bool = True) -> Iterator[_Equation]:
    """The equations that a condition has as parts, whatever they stand under."""
    match term:
        case t.AllOf(args=args) | t.AnyOf(args=args):
            for x in args:
                yield from _equations(x, sure and isinstance(term, t.AllOf))
        case t.Operation(op="eq", args=(a, b)):
            for name, value in ((a, b), (b, a)):
                if isinstance(name, t.Variable):
                    yield _Equation(name.name, value, set(names_in(value)), sure)


def _looks_ahead(equation: _Equation, place: Mapping[str, int]) -> bool:
    """Whether it is between two variables, the other one declared later: it is told the other way round as well."""
    return isinstance(equation.value, t.Variable) and place[equation.value.name] > place[equation.name]


def _inside(values: Array, symbol: Symbol) -> NDArray[np.bool_]:
    inside = np.ones(len(values), dtype=bool)
    if symbol.lo is not None:
        inside &= np.asarray(values >= symbol.lo)
    if symbol.hi is not None:
        inside &= np.asarray(values <= symbol.hi)
    return inside


def _values(symbol: Symbol) -> Iterator[int]:
    """The small values of a variable: both truth values; from its least on; round 0 where it has none."""
    if symbol.type == BOOL:
        yield from (0, 1)
        return
    lo = -1 if symbol.lo is None else symbol.lo
    hi = lo + VALUES if symbol.hi is None else min(symbol.hi, lo + VALUES - 1)
    yield from range(lo, hi + 1)
