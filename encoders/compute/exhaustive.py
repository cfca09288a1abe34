"""The exhaustive route: search every case of a scope, and stop early at the smallest counterexample.

For an [exists] claim the roles are swapped: the search is for the smallest witness.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax.meanings import write_heap
from claims.language.syntax.printing import find_free_names
from encoders.compute.arrays.cases import (
    IllDefinedDomain,
    Tally,
    bound_all,
    clip,
    find_middle,
    grow,
    intersect,
    list_boxes,
    weigh,
)
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.compute.arrays.heap_tables import SingleHeaps
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge, group_digits, return_memory
from encoders.compute.compound.described import describes_large_positions
from encoders.compute.engines import CaseQuery, Shard, search_by_choice
from encoders.compute.native.estimate import READ
from encoders.logic.answer import Case, Decision, EnginesAsked, Fallback, RouteResult, SolvedTables
from encoders.refusals import Unsupported
from encoders.trust import count_cases

# -- shards -----------------------------------------------------------------------------------------------------------
# A scope is searched slab by slab: nested boxes, the smallest first. A slab with much work is cut into shards: disjoint
# parts that other processes or machines can search separately.
#
# The cut depends only on the claim and the slab. Every run therefore makes the same shards.

BY_PARAMETERS = 200_000_000  # a shard of at most this weight is not cut; it takes 1 to 60 s
# the limit for a cut by positions; it is larger, because each such shard solves the smaller positions again
BY_POSITIONS = 2_000_000_000
AS_BITS = 1000  # a slab that is searched as bits, or from a table of heaps, may be heavier by this factor
MOST = 4096  # approximate largest number of shards per slab; the shards of a heavier slab are heavier
Stop = OutOfTime | TooLarge | MemoryError | BadRuleset | IllDefinedDomain | Unsupported
STOPS = (OutOfTime, TooLarge, MemoryError, BadRuleset, IllDefinedDomain, Unsupported)


@dataclass(frozen=True)
class ShardOutcome:
    """The result of searching one shard. `stop`: the error that ended the search early, or None if it was complete."""

    tally: Tally
    stop: Stop | None = None


def is_heavy(claim: Claim, scope: d.Scope) -> bool:
    """Whether some slab (one of the nested boxes that cover the scope) is cut into several shards."""
    return any(len(shards) > 1 for shards in list_rounds(claim, scope))


def list_rounds(claim: Claim, scope: d.Scope) -> Iterator[tuple[Shard, ...]]:
    """Yield one group of shards for each of several nested scopes, from small to large.

    The shards of a scope contain its cases that are not in the scope before it.
    """
    earlier: d.Scope | None = None
    whole = _ask_about(claim, scope)
    for slab in _list_slabs(whole):
        yield split_into_shards(CaseQuery(claim, replace(whole.shard, scope=slab, earlier=earlier)))
        earlier = slab


def _ask_about(claim: Claim, scope: d.Scope) -> CaseQuery:
    """Return a query about all cases of a scope."""
    query = CaseQuery(claim, Shard(bound_all(claim, scope), None))
    return query if query.bits is None else replace(query, shard=replace(query.shard, by_bits=True))


def _list_slabs(whole: CaseQuery) -> list[d.Scope]:
    """Return nested scopes from small to large, which are searched one after the other.

    `whole`: the query about all cases. The last of the scopes is the scope of this query.
    """
    if whole.in_order:
        return [whole.shard.scope]
    # If arrays solve single heaps from their moves, the work grows with the number of cases only.
    faster = AS_BITS if whole.shard.by_bits or whole.numbers == READ else 1
    return grow(whole.claim, whole.shard.scope, faster)


def split_into_shards(query: CaseQuery) -> tuple[Shard, ...]:
    """Return shards that together contain each case of the shard of the query exactly once.

    First, cut the ranges of the integer variables that game parameters depend on. If a shard still needs very much
    work, cut its positions by size, total or number of heaps. Other integers are not cut, because each shard would
    solve the same games again.
    """
    claim, whole = query.claim, query.shard
    weight, found = _weigh_new(whole), list[Shard]()
    if weight <= BY_PARAMETERS:
        return (whole,)
    bits = query.bits is not None
    times = max(AS_BITS if bits else 1, weight // (MOST * BY_PARAMETERS))
    parameters = _find_parameters(claim)
    heavy = weight > times * BY_POSITIONS
    positions = heavy and not bits and not goes_case_by_case(claim) and not query.solves_few_heaps
    waiting = [whole]
    while waiting:
        shard = waiting.pop()
        parts = _halve(parameters, shard, times, positions)
        waiting += reversed(parts)
        if not parts:
            found.append(shard)
    return tuple(found)


def search_shard(
    claim: Claim, shard: Shard, clock: Deadline, heaps: dict[str, SingleHeaps] | None = None
) -> ShardOutcome:
    """Search the cases of a shard. The outcome records the error if a limit stopped the search.

    `heaps`: by game, the solved single heaps, which the shards of a claim share. This search adds to them.
    """
    return _search_query(CaseQuery(claim, shard), clock, {} if heaps is None else heaps)


def _search_query(query: CaseQuery, clock: Deadline, heaps: dict[str, SingleHeaps]) -> ShardOutcome:
    tally = Tally(best=query.shard.best, heaps=heaps)
    stop: Stop | None = None
    try:
        search_by_choice(query, clock, tally)
    except STOPS as error:
        stop = error.with_traceback(None)  # its frames, and those of earlier errors, would keep the arrays in memory
        stop.__context__ = stop.__cause__ = None
    except OverflowError:  # Python raises it if a number does not fit into 64 bits
        stop = TooLarge("a number is 2^62 or more")
    if isinstance(stop, MemoryError | TooLarge):
        return_memory()
    tally.fallbacks |= {Fallback(*x) for x in clock.fallbacks}
    # the outcome may be sent to another process, so leave out the solved heaps
    return ShardOutcome(replace(tally, heaps={}), stop)


def _find_parameters(claim: Claim) -> frozenset[str]:
    used = {name for game in claim.games for _, term in game.arguments for name in find_free_names(term)}
    return frozenset(v.name for v in claim.variables if v.name in used and isinstance(v.domain, d.IntervalDomain))


def _halve(parameters: frozenset[str], shard: Shard, times: int, positions: bool) -> list[Shard]:
    """Cut a shard into parts if its weight (estimated work) exceeds `times` the usual limit.

    Return [] if it does not, or if the shard cannot be cut.

    `positions`: whether positions may be cut too.
    """
    weight = _weigh_new(shard)
    if weight <= times * BY_PARAMETERS:
        return []
    parts = list(_halve_parameter(parameters, shard))
    return parts or (list(_halve_positions(shard)) if positions and weight > times * BY_POSITIONS else [])


def _weigh_new(shard: Shard) -> int:
    """Estimate the work for a shard: its number of cases, times the average work for a case of its scope."""
    cases = count_cases(shard.scope)
    new = cases if shard.earlier is None else cases - count_cases(shard.earlier)
    return weigh(shard.scope) // max(1, cases) * max(new, 0)


def _halve_parameter(parameters: frozenset[str], shard: Shard) -> Iterator[Shard]:
    """Halve the range of the parameter with the most values; yield nothing if each has one value.

    If several parameters have equally many values, the first is halved.
    """
    wide = [(x.hi - x.lo, name, x) for name, x in shard.scope.items() if name in parameters and isinstance(x, d.Range)]
    width, name, bound = max(wide, key=lambda x: x[0], default=(0, "", d.Range(0, 0)))
    if width < 1:
        return
    middle = bound.lo + width // 2
    for half in (d.Range(bound.lo, middle), d.Range(middle + 1, bound.hi)):
        yield from _restrict(shard, name, half)


def _halve_positions(shard: Shard) -> Iterator[Shard]:
    """Cut the positions of the first position variable into two parts of about equal work.

    They are cut by the size of the largest heap. If that is impossible, they are cut by total or number of heaps.
    """
    for name, bound in shard.scope.items():
        if isinstance(bound, d.PositionRange):
            yield from _halve_sizes(shard, name, bound) or _halve_counts(shard, name, bound)
            return


def _halve_sizes(shard: Shard, name: str, bound: d.PositionRange) -> list[Shard]:
    """Return two shards: the positions without a heap above some size, and the positions with such a heap.

    Return [] if that is impossible.
    """

    def inside(size: int) -> d.Scope:
        return shard.scope | {name: replace(bound, size=d.Range(bound.size.lo, size))}

    least = bound.size.lo
    if shard.earlier is not None:
        old = shard.earlier[name]
        assert isinstance(old, d.PositionRange)
        least = old.size.hi + (shard.earlier == inside(old.size.hi))  # both parts must contain new cases
    middle = _find_middle(lambda size: _weigh_new(replace(shard, scope=inside(size))), least, bound.size.hi - 1)
    if middle is None:
        return []
    return [replace(shard, scope=inside(middle)), replace(shard, earlier=inside(middle))]


def _halve_counts(shard: Shard, name: str, bound: d.PositionRange) -> list[Shard]:
    if bound.total is not None and bound.total.lo < bound.total.hi:
        which, old = "total", bound.total
    else:
        which, old = "heaps", bound.heaps

    def part(lo: int, hi: int) -> d.PositionRange:
        cut = d.Range(lo, hi)
        return replace(bound, total=cut) if which == "total" else replace(bound, heaps=cut)

    middle = _find_middle(
        lambda hi: sum(_weigh_new(x) for x in _restrict(shard, name, part(old.lo, hi))), old.lo, old.hi - 1
    )
    if middle is None:
        return []
    return [x for half in (part(old.lo, middle), part(middle + 1, old.hi)) for x in _restrict(shard, name, half)]


def _find_middle(weight: Callable[[int], int], low: int, high: int) -> int | None:
    """Return the least n in low..high whose weight is at least half of weight(high + 1).

    `weight` is non-decreasing. Return `high` if no number in low..high reaches half, and None if the interval is empty.
    """
    if low > high:
        return None
    half = weight(high + 1) // 2
    while low < high:
        middle = (low + high) // 2
        if weight(middle) < half:
            low = middle + 1
        else:
            high = middle
    return low


def _restrict(shard: Shard, name: str, bound: d.Bound) -> Iterator[Shard]:
    """Yield the part of a shard in which the variable `name` is within `bound`; nothing if this part is empty.

    `bound` must be inside the bound of the variable in the shard.
    """
    scope = shard.scope | {name: bound}
    earlier = None if shard.earlier is None else intersect(shard.earlier, scope)
    if earlier != scope:
        yield replace(shard, scope=scope, earlier=earlier)


# -- cover ------------------------------------------------------------------------------------------------------------
# Search a scope slab by slab, and combine the outcomes of the shards into one result.


NAME = "exhaustive"
Rounds = Generator[tuple[Shard, ...], Sequence[ShardOutcome], RouteResult]
"""A generator of groups of shards. The caller searches a group in any order and sends back the outcomes."""


BISECTIONS = 4  # boxes tried between the largest that was searched and the smallest that was too large


class ExhaustiveSearch:
    """The search for one claim in one scope.

    `covered`: the largest box that was searched completely, if any.
    `holds_somewhere`: whether the hypotheses hold at some case of this box.
    `smallest`: whether every case of the scope that precedes the deciding case was searched.
    """

    def __init__(self, claim: Claim, scope: d.Scope) -> None:
        self.claim, self.scope = claim, scope
        self.tally = Tally()
        self.covered: d.Scope | None = None
        self.holds_somewhere = False
        self.smallest = True
        self._whole = self._asked = _ask_about(claim, scope)

    def run(self, clock: Deadline) -> RouteResult:
        """Search all shards in this process and return the result."""
        heaps: dict[str, SingleHeaps] = {}
        return answer_rounds(self.rounds(), lambda shards: _search_in_turn(map(self._ask, shards), clock, heaps))

    def _ask(self, shard: Shard) -> CaseQuery:
        """Return a query about a shard. The costs of the last shard are not estimated again."""
        if shard != self._asked.shard:
            self._asked = CaseQuery(self.claim, shard)
        return self._asked

    def rounds(self) -> Rounds:
        """Yield groups of shards, receive their outcomes by `send`, and return the result for the scope.

        The result is UNKNOWN if a limit was reached, and UNSUPPORTED if the claim cannot be searched. If no limit is
        reached, the result does not depend on the processes that search the shards or on their order.
        """
        try:
            yield from self._look_everywhere()
        except OutOfTime:
            return self._report_unfinished("out of time")
        except TooLarge as error:
            return self._report_unfinished(f"too large: {error}", too_large=True)
        except MemoryError:
            return self._report_unfinished(f"out of memory in the route {NAME}")
        except (BadRuleset, IllDefinedDomain, Unsupported) as error:
            return RouteResult(NAME, Decision.UNSUPPORTED, detail=str(error))
        return self._report()

    def _look_everywhere(self) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], None]:
        slabs = _list_slabs(self._whole)
        for slab in slabs:
            yield from self._cover(slab)
            if self.tally.best is not None:
                break
        if self.tally.best is None or self.covered is None or self.covered is slabs[-1]:
            return
        # The deciding case is the smallest of its slab. In the rest of the scope only smaller cases matter.
        for rest in clip(self.claim, self.scope, self.tally.best.case):
            known = intersect(rest, self.covered)
            if known == rest:
                continue
            kept = self.tally.copy()
            try:
                yield from self._search(rest, known)
            except TooLarge:
                self.tally = kept
                if self.claim.quantifier == "exists" or kept.best is None or kept.best.ill:
                    raise
                self.smallest = False  # it remains a counterexample, whatever the rest contains

    def _cover(self, slab: d.Scope) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], None]:
        """Search one of the nested boxes that cover the scope. If it is too large, search as much of it as possible.

        The parts that are searched then are growing boxes inside it. Integers may describe large positions, as in
        position([n, 2 * n, 3 * n]). Then a box of few cases can be too large although its first cases are small, so the
        boxes inside it are searched first.
        """
        large = describes_large_positions(self.claim, slab) and not self._ask(Shard(slab, None)).solves_few_heaps
        for box in (*(list_boxes(self.claim, slab, self.covered) if large else ()), slab):
            limit = yield from self._try(box)
            if limit is not None:
                yield from self._approach(box, limit)
            if self.tally.best is not None:
                return
            if self.covered != box:
                assert limit is not None
                raise limit

    def _approach(
        self, failed: d.Scope, limit: TooLarge | MemoryError
    ) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], None]:
        """Search growing boxes inside a box that is too large, the last of which are nearly as large as possible.

        First, only integers and lengths of lists are bounded, and each box adds cases to the one before. If this gives
        no box, all bounds are reduced, and each box is searched as a whole.
        `failed`: the box. `limit`: the reason why it is too large; it is raised again if the time is over.
        """
        start = self.covered
        for whole in (False, True):
            boxes = list_boxes(self.claim, failed, start, every_bound=whole)
            outer, tries, fits = failed, BISECTIONS, True
            while True:
                if not boxes and tries:
                    boxes, tries = find_middle(self.claim, self.covered, outer, every_bound=whole), tries - 1
                if not boxes:
                    break
                box = boxes.pop(0)
                if (yield from self._try(box, whole, limit)) is not None:
                    outer, boxes, fits = box, [], False
                if self.tally.best is not None:
                    return
            if self.covered != start:
                if fits and not whole:  # the rest may be small enough to be searched alone
                    yield from self._try(failed, whole, limit)
                return

    def _try(
        self, box: d.Scope, whole: bool = False, limit: TooLarge | MemoryError | None = None
    ) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], TooLarge | MemoryError | None]:
        """Search a box that contains the covered cases, and return None. If it is too large, return the reason.

        `whole`: whether to search the covered cases again.
        `limit`: the error to raise if the time is over; by default this is OutOfTime.
        """
        kept = self.tally.copy()
        if whole:
            self.tally = Tally(heaps=kept.heaps)
        try:
            yield from self._search(box, None if whole else self.covered)
        except (TooLarge, MemoryError) as error:
            self.tally = kept
            return error
        except OutOfTime:
            if limit is None:
                raise
            self.tally = kept
            raise limit from None
        self.covered, self.holds_somewhere = box, self.tally.met > 0
        return None

    def _search(
        self, scope: d.Scope, earlier: d.Scope | None
    ) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], None]:
        whole = replace(self._whole.shard, scope=scope, earlier=earlier, best=self.tally.best)
        shards = split_into_shards(self._ask(whole))
        outcomes = yield shards
        for outcome in outcomes:
            self.tally.add(outcome.tally)
        stops = [outcome.stop for outcome in outcomes if outcome.stop is not None]
        if stops:
            raise stops[0]
        assert len(outcomes) == len(shards)

    # -- answers ------------------------------------------------------------------------------------------------------
    def _report(self) -> RouteResult:
        tally, exists = self.tally, self.claim.quantifier == "exists"
        best, witness = tally.best, tally.witness
        decided = Decision.HOLDS if exists == (best is not None) else Decision.FAILS
        if best is not None and best.ill:
            decided = Decision.UNKNOWN
        case = best.case if best is not None else None
        if exists:
            shown = case if decided is Decision.HOLDS else None
        else:
            shown = witness.case if witness else None
        audited = tally.audited and bool(tally.audit)
        return RouteResult(
            NAME,
            decided,
            tally.cases,
            tally.met,
            counterexample=case if decided is Decision.FAILS else None,
            smallest=self.smallest,
            ill_defined=case if decided is Decision.UNKNOWN else None,
            witness=shown,
            sample=tuple(tally.audit) if audited else tally.sample.take(),
            audited=audited,
            trusted=frozenset(tally.trusted),
            engines=_list_engines(tally),
            solved=SolvedTables(tally.tables, tally.winners),
        )

    def _report_unfinished(self, limit: str, too_large: bool = False) -> RouteResult:
        """Return the result after a limit: UNKNOWN, with a message.

        Its `searched_scope` is the largest box that was searched completely. It is None if the hypotheses hold nowhere
        in this box, or if it contains a deciding case other than a witness.
        """
        tally, exists = self.tally, self.claim.quantifier == "exists"
        witness = tally.best.case if exists and tally.best is not None and not tally.best.ill else None
        detail = limit
        if not too_large:
            whole = group_digits(max(count_cases(self.scope), tally.cases))
            detail += f" after {group_digits(tally.cases)} of about {whole} cases"
        if tally.best is not None:
            kind = "an ill-defined case" if tally.best.ill else "a witness" if exists else "a counterexample"
            found = f"{kind} was found" + (f" at {at}" if (at := _write_case(self.claim, tally.best.case)) else "")
            detail += f"; {found}, but smaller ones may exist"
        elif tally.cases and self.covered is None:
            detail += ", without a witness" if exists else ", without a counterexample"
        return RouteResult(
            NAME,
            Decision.UNKNOWN,
            tally.cases,
            tally.met,
            detail=detail,
            too_large=too_large,
            trusted=frozenset(tally.trusted),
            witness=witness,
            searched_scope=self.covered if witness or (tally.best is None and self.holds_somewhere) else None,
            engines=_list_engines(tally),
        )


def _write_case(claim: Claim, case: Case) -> str:
    """Return the values of a case as text, such as `k = 3, s = (2, 2, 4)`. Players are written as numbers."""
    found = []
    for v in claim.variables:
        value = case[v.name]
        text = ", ".join(map(write_heap, value)) if isinstance(value, tuple) else write_heap(value)
        opening, closing = ("(", ")") if v.type.is_position else ("{", "}") if v.type.kind == "set" else ("[", "]")
        found.append(f"{v.name} = {opening}{text}{closing}" if isinstance(value, tuple) else f"{v.name} = {text}")
    return ", ".join(found)


def answer_rounds(rounds: Rounds, work: Callable[[tuple[Shard, ...]], Sequence[ShardOutcome]]) -> RouteResult:
    """Search all groups of shards and return the result.

    `rounds`: yields the groups, receives their outcomes, and returns the result.
    `work`: searches the shards of one group.
    """
    shards = next(rounds)
    while True:
        try:
            shards = rounds.send(work(shards))
        except StopIteration as end:
            answer: RouteResult = end.value
            return answer


def _search_in_turn(queries: Iterable[CaseQuery], clock: Deadline, heaps: dict[str, SingleHeaps]) -> list[ShardOutcome]:
    """Search the shards in order, up to the first that a limit stops. Return their outcomes."""
    found: list[ShardOutcome] = []
    for query in queries:
        found.append(_search_query(query, clock, heaps))
        if found[-1].stop is not None:
            break
    return found


# -- the route --------------------------------------------------------------------------------------------------------
def decide_by_search(
    claim: Claim, scope: d.Scope, budget: float | None = None, clock: Deadline | None = None
) -> RouteResult:
    """Decide a claim within a scope. If a limit is reached, the result states the limit; no exception is raised.

    `budget`: seconds, or None for no limit.
    `clock`: replaces the deadline that `budget` defines.
    """
    started = time.monotonic()
    answer = ExhaustiveSearch(claim, scope).run(clock or Deadline(budget))
    return replace(answer, seconds=time.monotonic() - started)


def _list_engines(tally: Tally) -> EnginesAsked:
    others = (x for x in tally.passed_over if x.engine not in tally.searched | tally.engines)
    return EnginesAsked(
        tuple(sorted(tally.engines)),
        tuple(sorted(tally.fallbacks)),
        tuple(sorted(tally.searched)),
        tuple(sorted(others)),
    )
