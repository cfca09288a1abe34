"""Natural numbers of any size, by a certificate: what is proved here rests on no solver."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from claims.language.terms.types import BOOL
from encoders.exhaustive.arrays.limits import OutOfTime, TooLarge
from encoders.exhaustive.evaluate.columns import ColumnTable
from encoders.ground.refusals import Unsupported
from encoders.logic.naturals.engine import settle
from encoders.logic.sequent import Sequent
from encoders.logic.solvers.effort import scale_of
from encoders.logic.solvers.solver import EVALUATION, Capability, Limits, SolverResult, SolverStatus

NAME = "certificate"
NESTED = "what is asked, or its proof, is nested too deeply"


class NaturalsSolver:
    """Its limits are its own, counted in steps; a proof comes with its certificate, and values are looked at."""

    name = NAME
    capabilities = frozenset({Capability.WORDS, Capability.INTEGERS})

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        until = None if limits.seconds is None else time.monotonic() + limits.seconds
        try:
            found = settle(sequent, until, scale_of(limits.steps))
        except Unsupported as error:
            return SolverResult(NAME, SolverStatus.UNKNOWN, limits, reason=str(error), incomplete=True)
        except RecursionError:
            return SolverResult(NAME, SolverStatus.UNKNOWN, limits, reason=NESTED)
        if found.certificate is not None:
            plain = found.certificate.formula is False
            certificate, used = found.certificate, found.used
            return SolverResult(NAME, SolverStatus.PROVED, limits, plain=plain, certificate=certificate, used=used)
        if found.values and fails_at(sequent, found.values):
            return SolverResult(EVALUATION, SolverStatus.FAILS, limits, found.values)
        reason = found.reason or "the numbers that were found do not confirm that it fails"
        return SolverResult(
            NAME, SolverStatus.UNKNOWN, limits, reason=reason, incomplete=found.is_open, by_limit=found.by_limit
        )

    def used(self, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        return self.check(sequent, limits).used


def fails_at(sequent: Sequent, values: Mapping[str, int | bool]) -> bool:
    """Whether all that is assumed holds at the values and what is shown does not, by evaluation."""
    kinds = {s.name: bool if s.type == BOOL else object for s in sequent.variables}
    table = ColumnTable({name: np.array([values[name]], dtype=kind) for name, kind in kinds.items()})
    inside = all(
        s.type == BOOL or ((s.lo is None or s.lo <= values[s.name]) and (s.hi is None or values[s.name] <= s.hi))
        for s in sequent.variables
    )
    try:
        columns = [table.evaluate(x) for x in (*sequent.premises, sequent.show)]
    except (Unsupported, OutOfTime, TooLarge):
        return False
    if not inside or any(bool(c.undefined[0]) for c in columns):
        return False
    *assumed, shown = (bool(c.values[0]) for c in columns)
    return all(assumed) and not shown
