"""A sequent looked at on a box of small values, by the exhaustive engine, before any solver is asked.

The variables get their values one after the other, in all combinations; what is assumed is evaluated as soon as all
that it speaks of has values, and drops the combinations where it does not hold.  A variable that is said to equal
something known gets that value.  Where there are more combinations than ROWS, a fixed sample of them goes on: a box
finds what is false, it proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL
from encoders.answer import Unsupported
from encoders.exhaustive.arrays.limits import OutOfTime, TooLarge
from encoders.exhaustive.columns import Table
from encoders.logic.sequent import Sequent, Symbol, names_in

ROWS = 600  # combinations that are kept after each variable
VALUES = 4  # that a variable takes, from its least
SEED = 20

Columns = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Look:
    """What was seen. `cases`: values at which all that is assumed holds and what is shown was evaluated.

    `falsified`: the first of them where it does not hold.
    """

    cases: int
    falsified: Mapping[str, int | bool] | None = None


def look_at(sequent: Sequent) -> Look:
    """Evaluate the sequent on a box of its variables."""
    try:
        return _Box(sequent).look()
    except (Unsupported, OutOfTime, TooLarge):
        return Look(0)


@dataclass(eq=False)
class _Part:
    """Something assumed, and the variables it speaks of."""

    term: t.Term
    names: frozenset[str]

    def defines(self, known: Mapping[str, object]) -> tuple[str, t.Term] | None:
        """(a variable, what it equals) if the part is such an equation and all else in it has values."""
        match self.term:
            case t.Operation(op="eq", args=(t.Variable(name=name), value)) if name not in known:
                return (name, value) if names_in(value) <= known.keys() else None
            case t.Operation(op="eq", args=(value, t.Variable(name=name))) if name not in known:
                return (name, value) if names_in(value) <= known.keys() else None
        return None


class _Box:
    def __init__(self, sequent: Sequent) -> None:
        self.sequent = sequent
        self.columns: Columns = {}
        self.rows = 1
        self.random = np.random.default_rng(SEED)
        self.symbols = {s.name: s for s in sequent.variables}
        self.parts = [_Part(x, names_in(x)) for p in sequent.premises for x in t.conjuncts(p)]

    def look(self) -> Look:
        self._drop()
        while self.rows and len(self.columns) < len(self.symbols):
            self._assign()
            self._drop()
        if not self.rows:
            return Look(0)
        shown = Table(self.columns).evaluate(self.sequent.show)
        looked = ~shown.undefined
        false = np.flatnonzero(looked & ~shown.values.astype(bool))
        cases = int(np.count_nonzero(looked))
        return Look(cases, self._row(int(false[0])) if len(false) else None)

    def _row(self, number: int) -> dict[str, int | bool]:
        return {
            name: bool(column[number]) if self.symbols[name].type == BOOL else int(column[number])
            for name, column in self.columns.items()
        }

    def _assign(self) -> None:
        """Give the next variable its values."""
        for part in self.parts:
            found = part.defines(self.columns)
            if found is not None and found[0] in self.symbols:
                self._define(*found)
                return
        symbol = self._next()
        values = np.array(list(_values(symbol)), dtype=bool if symbol.type == BOOL else np.int64)
        kept = {name: np.repeat(column, len(values)) for name, column in self.columns.items()}
        self.columns = {**kept, symbol.name: np.tile(values, self.rows)}
        self._keep(np.ones(self.rows * len(values), dtype=bool))

    def _define(self, name: str, value: t.Term) -> None:
        found = Table(self.columns).evaluate(value)
        symbol = self.symbols[name]
        kept = ~found.undefined
        for bound, inside in ((symbol.lo, np.greater_equal), (symbol.hi, np.less_equal)):
            if bound is not None:
                kept = kept & inside(found.values, bound)
        self.columns = {**self.columns, name: np.where(kept, found.values, np.zeros_like(found.values))}
        self._keep(kept)

    def _next(self) -> Symbol:
        """The variable that brings something assumed closest to being evaluated."""
        waiting = [p.names - self.columns.keys() for p in self.parts]
        fewest = min((len(w) for w in waiting if w), default=0)
        wanted = set[str]().union(*(w for w in waiting if len(w) == fewest))
        open_ = [s for s in self.sequent.variables if s.name not in self.columns]
        return next((s for s in open_ if s.name in wanted), open_[0])

    def _drop(self) -> None:
        """Evaluate what is assumed and has all its values; keep the rows where it holds."""
        ready = [p for p in self.parts if p.names <= self.columns.keys()]
        if not ready:
            return
        self.parts = [p for p in self.parts if not p.names <= self.columns.keys()]
        table = Table(self.columns)
        kept = np.ones(self.rows, dtype=bool)
        for part in ready:
            found = table.evaluate(part.term)
            kept &= found.values.astype(bool) & ~found.undefined
        self._keep(kept)

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        places = np.flatnonzero(kept)
        if len(places) > ROWS:
            places = np.sort(self.random.choice(places, ROWS, replace=False))
        self.columns = {name: column[places] for name, column in self.columns.items()}
        self.rows = len(places)


def _values(symbol: Symbol) -> Iterator[int]:
    """The small values of a variable: both truth values; from its least on; round 0 where it has none."""
    if symbol.type == BOOL:
        yield from (0, 1)
        return
    lo = -1 if symbol.lo is None else symbol.lo
    hi = lo + VALUES if symbol.hi is None else min(symbol.hi, lo + VALUES - 1)
    yield from range(lo, hi + 1)
