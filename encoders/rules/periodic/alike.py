"""Classes of remainders in which a claim says the same, so that one of them speaks for all.

Where the integer of a claim occurs in heaps alone, the claim says nothing in a class but what the values of its heaps
are: in all classes with the same values it is the same statement.  0.16 has 149 459 classes, of fourteen kinds.
"""

from __future__ import annotations

from typing import Protocol

from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim
from claims.language.statement.domains import IntervalDomain
from claims.language.terms import terms as t
from encoders.logic.polynomials import polynomial


class Repeating(Protocol):
    """What gives every heap a number, which repeats."""

    @property
    def preperiod(self) -> int: ...
    @property
    def period(self) -> int: ...
    @property
    def saltus(self) -> int: ...
    @property
    def question(self) -> str: ...
    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Those of the first heaps, by mover."""

    def value(self, heap: int, mover: int = 0) -> int:
        """Of a heap of at least 0."""


def list_alike(claim: Claim, table: Repeating) -> list[tuple[int, int, int]] | None:
    """One class for all in which the heaps have the same values: its first number, its step, and how many others.

    None for a claim of another form: its one integer, without end, has to occur in heaps n + c alone.
    """
    v = claim.variables[0]
    shifts = _list_shifts(claim, v.name)
    if len(claim.variables) > 1 or not isinstance(v.domain, IntervalDomain) or v.domain.hi is not None or not shifts:
        return None
    if not isinstance(v.domain.lo, t.Literal) or (least := v.domain.lo.value) + shifts[0] < 0:
        return None
    start = max(least, table.preperiod - shifts[0])
    found: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for n in range(least, start + table.period):
        step = 0 if n < start else table.period
        values = tuple(table.value(n + c, mover) for mover in range(len(table.rows)) for c in shifts)
        first, _, others = found.get((step, *values), (n, step, -1))
        found[step, *values] = first, step, others + 1
    return list(found.values())


def _list_shifts(claim: Claim, name: str) -> list[int] | None:
    """The numbers c of the heaps n + c of positions that are asked about, ascending; None where n occurs elsewhere."""
    terms, shifts, found = (claim.conclusion, claim.hypothesis), set[int](), 0
    for call in walk(terms):
        match call:
            case t.GameCall(args=(t.Operation(op="position", args=(t.Collection(items=items),)), *_)):
                for item in items:
                    shift = _read_shift(item, name)
                    if shift is not None:
                        shifts.add(shift)
                        found += _count(item, name)
    return sorted(shifts) if found == _count(terms, name) else None


def _read_shift(term: t.Term, name: str) -> int | None:
    """c, where a term is n + c."""
    form = polynomial(term)
    grows = {m: c for m, c in form.coefficients.items() if m}
    named = [isinstance(x, t.Variable) and x.name == name for x in form.atoms.values()]
    return form.coefficients.get((), 0) if named == [True] and list(grows.values()) == [1] else None


def _count(terms: object, name: str) -> int:
    """How often a variable occurs."""
    return sum(isinstance(x, t.Variable) and x.name == name for x in walk(terms))
