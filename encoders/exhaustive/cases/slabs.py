"""A scope covered in growing slabs: nested boxes, the smallest first, of which each adds the cases that are new in it.

So a counterexample near the origin is found at once whatever the scope, and a limit leaves behind a box that was
covered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms.types import POSITION
from encoders.answer import Case, CaseValue, list_integers
from encoders.exhaustive.evaluate.evaluate import goes_case_by_case
from encoders.ground.coverage import count_cases

AT_ONCE = 1_000_000  # a scope of at most this weight is one slab; measured: a tenth of a second or two
FIRST, GROWTH = 50_000, 8  # the weight of the first slab of a larger one, and how much heavier each next one is
_HALVINGS = 40


@dataclass(frozen=True)
class SlabPiece:
    """The cases of a scope whose position variables lie outside the boxes `without`, by name."""

    scope: d.Scope
    without: dict[str, d.PositionRange]


def grow(claim: Claim, scope: d.Scope) -> list[d.Scope]:
    """Nested scopes from small to large, the last of which has all cases of `scope`."""
    whole = _bound_all(claim, scope)
    weight = weigh(whole)
    if weight <= AT_ONCE or goes_case_by_case(claim):
        return [scope]
    found: list[d.Scope] = []
    wanted = FIRST
    while wanted * GROWTH * 2 // 3 < weight:  # or the last two are so close that they cost nearly twice as much as one
        slab = _shrink_to(whole, wanted)
        if slab != whole and (not found or slab != found[-1]):
            found.append(slab)
        wanted *= GROWTH
    return [*found, whole]


def split(scope: d.Scope, earlier: d.Scope | None) -> Iterator[SlabPiece]:
    """Disjoint pieces that make up the cases of `scope` outside `earlier`, a box inside it with the same lower bounds.

    Where several bounds have grown, a case lies outside by the first of them, or inside by it and outside by the next.
    """
    if earlier is None:
        yield SlabPiece(scope, {})
        return
    inside: d.Scope = {}
    for name, bound in scope.items():
        old = earlier[name]
        if old == bound:
            continue
        if isinstance(bound, d.PositionRange) and isinstance(old, d.PositionRange):
            yield SlabPiece(scope | inside, {name: old})
        elif isinstance(bound, d.Range) and isinstance(old, d.Range) and old.hi < bound.hi:
            yield SlabPiece(scope | inside | {name: d.Range(old.hi + 1, bound.hi)}, {})
        inside[name] = old


def clip(claim: Claim, scope: d.Scope, case: Case) -> list[d.Scope]:
    """Scopes inside `scope` that together have all its cases smaller than `case`, and not many others.

    They are disjoint.  The first variable that counts, a position if there is one, tells.
    """
    scope = _bound_all(claim, scope)
    first = next((v for v in sorted(claim.variables, key=lambda v: v.type != POSITION)), None)
    if first is None or first.name not in scope:
        return [scope]
    bound, value = scope[first.name], case[first.name]
    if isinstance(bound, d.Range):
        assert isinstance(value, int)
        return [scope | {first.name: d.Range(bound.lo, min(bound.hi, value))}]
    heaps, total = _measure(value)
    parts: list[d.Scope] = []
    if heaps > bound.heaps.lo:
        parts.append(scope | {first.name: replace(bound, heaps=d.Range(bound.heaps.lo, heaps - 1))})
    low, high = (0, total) if bound.total is None else (bound.total.lo, min(bound.total.hi, total))
    parts.append(scope | {first.name: replace(bound, heaps=d.Range(heaps, heaps), total=d.Range(low, high))})
    return parts


def intersect(scope: d.Scope, other: d.Scope) -> d.Scope | None:
    """The scope of the cases in both; None where there is none. Both bound the same variables in the same way."""
    found: d.Scope = {}
    for name, bound in scope.items():
        second = other[name]
        if isinstance(bound, d.PositionRange) and isinstance(second, d.PositionRange):
            heaps, size = _meet(bound.heaps, second.heaps), _meet(bound.size, second.size)
            totals = [x.total for x in (bound, second) if x.total is not None]
            total = _meet(totals[0], totals[-1]) if totals else None
            if heaps is None or size is None or (totals and total is None):
                return None
            found[name] = d.PositionRange(heaps, size, total)
        else:
            assert isinstance(bound, d.Range) and isinstance(second, d.Range)
            both = _meet(bound, second)
            if both is None:
                return None
            found[name] = both
    return found


def _meet(one: d.Range, other: d.Range) -> d.Range | None:
    lo, hi = max(one.lo, other.lo), min(one.hi, other.hi)
    return d.Range(lo, hi) if lo <= hi else None


def _measure(value: CaseValue) -> tuple[int, int]:
    """The number of heaps of a position, and their total."""
    heaps = list_integers(value)
    return len(heaps), sum(heaps)


def _bound_all(claim: Claim, scope: d.Scope) -> d.Scope:
    """The scope without what the domains' constant bounds leave out, and with a bound for each of the finite ones."""
    found: d.Scope = dict(scope)
    for v in claim.variables:
        bound = scope.get(v.name)
        if not isinstance(v.domain, d.IntervalDomain) or isinstance(bound, d.PositionRange):
            continue
        lo, hi = d.read_literal(v.domain.lo), d.read_literal(v.domain.hi)
        if bound is None and lo is not None and hi is not None and lo <= hi:
            found[v.name] = d.Range(lo, hi)
        elif bound is not None:
            found[v.name] = d.cut_range(v.domain, bound)
    return found


# -- how much there is to do ------------------------------------------------------------------------------------------
def weigh(scope: d.Scope) -> int:
    """About how much work a scope is: its cases times its largest number."""
    largest = max((b.size.hi if isinstance(b, d.PositionRange) else b.hi - b.lo + 1 for b in scope.values()), default=1)
    return count_cases(scope) * max(1, largest)


def _shrink_to(scope: d.Scope, weight: int) -> d.Scope:
    """The largest of the scope's shrunken forms that weighs no more than `weight`; the smallest if all weigh more."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if weigh(_shrink(scope, middle)) <= weight:
            low = middle
        else:
            high = middle
    return _shrink(scope, low)


def _shrink(scope: d.Scope, factor: float) -> d.Scope:
    """Every bound with its upper end at `factor` of the way up, which for 1 is the end itself."""
    return {name: _shrink_bound(bound, factor) for name, bound in scope.items()}


def _shrink_bound(bound: d.Range | d.PositionRange, factor: float) -> d.Range | d.PositionRange:
    if isinstance(bound, d.Range):
        width = bound.hi - bound.lo
        return d.Range(bound.lo, bound.lo + math.floor(width * (factor if width < 1 << 53 else Fraction(factor))))
    parts = [_shrink_bound(x, factor) for x in (bound.heaps, bound.size, bound.total) if x is not None]
    heaps, size, *total = (x for x in parts if isinstance(x, d.Range))
    few = bound.heaps.hi - bound.heaps.lo <= 4  # positions of few heaps: the sizes alone grow
    return d.PositionRange(bound.heaps if few else heaps, size, total[0] if total else None)
