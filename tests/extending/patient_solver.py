"""A solver that tries all values. It supports sequents over truth values and short ranges."""

from __future__ import annotations

from itertools import product

import numpy as np

from claims.language.syntax.terms import BOOL
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.logic.sequents import Sequent, conjunction, negation
from encoders.solvers.solver import Capability, Limits, SolverResult, SolverStatus

MOST = 100_000  # combinations


class Patient:
    """A solver that ignores the step limit and the seed."""

    name = "patience"
    capabilities = frozenset({Capability.WORDS})

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        ranges = [range(2) if s.type == BOOL else range(s.lo or 0, (s.hi or 0) + 1) for s in sequent.variables]
        count = 1
        for values in ranges:
            count *= len(values)
        if count > MOST:
            return SolverResult(
                self.name, SolverStatus.UNKNOWN, limits, reason=f"{count} combinations are more than {MOST}"
            )
        table = np.array(list(product(*ranges)), dtype=np.int64).reshape(count, len(ranges))
        columns = {
            s.name: column.astype(bool) if s.type == BOOL else column
            for s, column in zip(sequent.variables, table.T, strict=True)
        }
        fails = ColumnTable(columns).evaluate(conjunction(*sequent.premises, negation(sequent.show)))
        rows = np.flatnonzero(fails.values.astype(bool) | fails.undefined)
        if not len(rows):
            return SolverResult(self.name, SolverStatus.PROVED, limits)
        return SolverResult(
            self.name, SolverStatus.FAILS, limits, {n: int(column[rows[0]]) for n, column in columns.items()}
        )

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> None:
        """Return None, because this solver does not report which premises it used."""
