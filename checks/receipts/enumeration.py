"""The cases of a small scope, listed in plain Python without the engines. The referee can evaluate all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, permutations, product
from typing import cast

from checks.referee.graphs import is_first_graph, is_first_tree, is_graph, is_tree
from checks.referee.judge import Referee
from checks.referee.meaning import as_elements, as_heaps, as_integer, position_key
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import measure_heap
from encoders.logic.answer import Case, CaseValue

MAX_LONG = 10**6  # a scope with more heap sizes than this is not counted


def count_all(claim: Claim, scope: d.Scope) -> int | None:
    """Return the number of cases in the scope, as a product of the numbers of values of the variables.

    Return None if such a number is unknown: a domain depends on another variable, for example, or is too large.
    """
    return _product(_count(v, scope.get(v.name)) for v in claim.variables)


def count_most(claim: Claim, scope: d.Scope) -> int | None:
    """Return an upper bound for the number of cases in the scope; None if no bound is known.

    If the domain of a variable depends on other variables, all values in the scope of this variable are counted. The
    scope's bounds on the totals of positions are ignored.
    """
    return _product(
        _count(v, scope.get(v.name)) if _count(v, scope.get(v.name)) is not None else _width(scope.get(v.name))
        for v in claim.variables
    )


def list_cases(claim: Claim, scope: d.Scope, referee: Referee) -> Iterator[Case]:
    """Yield the cases of the scope in an unspecified order. Each case costs steps of the referee.

    Raises IllDefined if a domain is undefined, and LimitReached.
    """
    yield from _extend_case(claim.variables, scope, referee, {})


def make_case_key(claim: Claim, case: Case) -> tuple[list[tuple[int, int, tuple[object, ...]]], list[CaseValue]]:
    """Return the key by which cases are sorted, so that the smallest counterexample is first.

    The positions of two cases are compared first, then the values of the other variables.
    """
    positions = [as_heaps(case[v.name]) for v in claim.variables if v.type.is_position]
    others = [_make_key(v, case[v.name]) for v in claim.variables if not v.type.is_position]
    return [position_key(x) for x in positions], others


def _make_key(variable: d.ClaimVariable, value: CaseValue) -> CaseValue:
    """Return the key by which two values of a variable are compared, if they are not positions.

    Lists are compared by length, then by total size, then by their entries. Numbers and sets are their own keys.
    """
    if variable.type.kind != "list":
        return value
    assert isinstance(value, tuple)
    return len(value), measure_heap(value), value


def _product(counts: Iterable[int | None]) -> int | None:
    found = list(counts)
    return None if any(x is None for x in found) else math.prod(x for x in found if x is not None)


def _count(variable: d.ClaimVariable, bound: d.Bound | None) -> int | None:
    """Return the number of values that a variable has in the scope. `bound`: the bound of the variable in the scope.

    Return None if the number is unknown or depends on other variables.
    """
    match variable.domain, bound:
        case d.IntervalDomain(), d.Range():
            cut = _intersect(variable, bound)
            return None if cut is None else max(0, cut.hi - cut.lo + 1)
        case d.IntervalDomain(), None:
            cut = _intersect(variable, None)
            return None if cut is None else max(0, cut.hi - cut.lo + 1)
        case d.Positions(), d.PositionRange(total=None) as positions:
            return _count_positions(positions)
        case d.Players(count=count), _:
            return count
        case d.ListedDomain(values=values), _:
            return len(values)
        case d.Subsets(lo=lo, hi=hi), _ if hi - lo < 64:
            return 1 << (hi - lo + 1)
    return None


def _intersect(variable: d.ClaimVariable, bound: d.Range | None) -> d.Range | None:
    """Return the values of a variable that are in its domain, an interval, and in its scope `bound`.

    Return None if an end of the domain is not a constant, or there is no upper end.
    """
    assert isinstance(variable.domain, d.IntervalDomain)
    lo, hi = variable.domain.lo, variable.domain.hi
    low = lo.value if isinstance(lo, t.Literal) else None
    high = hi.value if isinstance(hi, t.Literal) else bound.hi if hi is None and bound else None
    if low is None or high is None:
        return None
    return d.Range(max(low, bound.lo), min(high, bound.hi)) if bound else d.Range(low, high)


def _width(bound: d.Bound | None) -> int | None:
    if isinstance(bound, d.PositionRange):
        return _count_positions(bound)
    if isinstance(bound, d.ListRange):
        return None
    return None if bound is None else bound.hi - bound.lo + 1


def _count_positions(bound: d.PositionRange) -> int | None:
    """Return the number of positions within the bounds on the number and the sizes of heaps.

    A bound on the total is ignored. Return None if heaps have parts, or if there are too many positions.
    """
    heaps, sizes = bound.heaps, bound.size.hi - bound.size.lo + 1
    if bound.parts:
        return None  # only the rules determine which heaps are valid
    if heaps.hi > 64 or sizes > MAX_LONG:
        return None
    below = math.comb(heaps.lo - 1 + sizes, sizes) if heaps.lo else 0
    return math.comb(heaps.hi + sizes, heaps.hi) - below


def _extend_case(
    variables: tuple[d.ClaimVariable, ...], scope: d.Scope, referee: Referee, case: Case
) -> Iterator[Case]:
    if not variables:
        yield case
        return
    first = variables[0]
    for value in _values(first, scope.get(first.name), referee, case):
        referee.steps.take()
        yield from _extend_case(variables[1:], scope, referee, {**case, first.name: value})


def _values(variable: d.ClaimVariable, bound: d.Bound | None, referee: Referee, case: Case) -> Iterable[CaseValue]:
    match variable.domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            low = as_integer(referee.evaluate(lo, case))
            high = None if hi is None else as_integer(referee.evaluate(hi, case))
            if isinstance(bound, d.Range):
                low, high = max(low, bound.lo), bound.hi if high is None else min(high, bound.hi)
            assert high is not None, "the scope must bound a domain without an upper end"
            return range(low, high + 1)
        case d.Positions():
            assert isinstance(bound, d.PositionRange)
            return _positions(bound)
        case d.Players(count=count):
            return range(count)
        case d.ListedDomain(values=values):
            return values
        case d.ElementsOf(source=source):
            elements = cast(tuple[CaseValue, ...], as_elements(referee.evaluate(source, case)))
            return tuple(dict.fromkeys(elements))
        case d.Lists(lo=lo, hi=hi):
            assert isinstance(bound, d.ListRange)
            low, high = as_integer(referee.evaluate(lo, case)), bound.each.hi
            high = high if hi is None else min(high, as_integer(referee.evaluate(hi, case)))
            return _list_part(d.ListRange(bound.length, d.Range(max(low, bound.each.lo), high)))
        case d.Permutations(lo=lo, hi=hi):
            low, high = (as_integer(referee.evaluate(x, case)) for x in (lo, hi))
            return permutations(range(low, high + 1))
        case d.Graphs(lo=lo, hi=hi, connected=connected, classes=classes):
            vertices = range(as_integer(referee.evaluate(lo, case)), as_integer(referee.evaluate(hi, case)) + 1)
            return _graphs(vertices, connected, classes, referee)
        case d.Trees(lo=lo, hi=hi, classes=classes):
            vertices = range(as_integer(referee.evaluate(lo, case)), as_integer(referee.evaluate(hi, case)) + 1)
            return _trees(vertices, classes, referee)
        case d.Subsets(lo=low, hi=high):
            members = range(low, high + 1)
            return (tuple(x for i, x in enumerate(members) if bits >> i & 1) for bits in range(1 << len(members)))


def _positions(bound: d.PositionRange) -> Iterator[tuple[CaseValue, ...]]:
    if bound.parts:
        found = product(*(list(_list_part(limits)) for _, limits in bound.parts))
        heaps_there = sorted(found, key=lambda heap: (measure_heap(heap), heap))
        for count in range(bound.heaps.lo, bound.heaps.hi + 1):
            yield from combinations_with_replacement(heaps_there, count)
        return
    for count in range(bound.heaps.lo, bound.heaps.hi + 1):
        for heaps in combinations_with_replacement(range(bound.size.lo, bound.size.hi + 1), count):
            if bound.total is None or bound.total.lo <= sum(heaps) <= bound.total.hi:
                yield heaps


def _list_part(bound: d.Range | d.ListRange) -> Iterator[CaseValue]:
    """Yield the values within a bound: the numbers of a range, or the lists whose length and entries are in ranges."""
    if isinstance(bound, d.Range):
        yield from range(bound.lo, bound.hi + 1)
        return
    for length in range(bound.length.lo, bound.length.hi + 1):
        yield from product(range(bound.each.lo, bound.each.hi + 1), repeat=length)


def _graphs(vertices: range, connected: bool, classes: bool, referee: Referee) -> Iterator[CaseValue]:
    referee.steps.take(len(vertices) ** 2)
    edges = [(a, b) for b in vertices for a in vertices if a < b]
    for chosen in product((False, True), repeat=len(edges)):
        referee.steps.take()
        graph = tuple(sorted(edge for edge, there in zip(edges, chosen, strict=True) if there))
        if is_graph(graph, vertices, connected) and (not classes or is_first_graph(graph, vertices, referee.steps)):
            yield graph


def _trees(vertices: range, classes: bool, referee: Referee) -> Iterator[CaseValue]:
    referee.steps.take(len(vertices))
    for parents in product(*(range(vertices[0], v) for v in vertices[1:])) if vertices else ():
        referee.steps.take()
        if is_tree(parents, vertices) and (not classes or is_first_tree(parents, vertices, referee.steps)):
            yield parents
