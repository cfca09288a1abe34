"""The engines that search the cases of a claim, and the choice between them by estimated cost.

The cheapest engine that can be used searches a shard (a part of the scope). If it fails, the next engine searches.
Costs are estimates for this choice, not predictions of times. Their unit is the time in which arrays evaluate one case,
about 0.2 microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from encoders.compute.arrays.bit_plan import BoxPlan, estimate_arrays, estimate_bits, plan_bits
from encoders.compute.arrays.cases import FoundCase, Tally
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.search import ArraySearch
from encoders.compute.compound import search as compound
from encoders.compute.compound.described import count_kinds, describes_many_heaps
from encoders.compute.compound.play import WIDE, WIDE_EQUAL
from encoders.compute.native import entry
from encoders.compute.native.estimate import READ, NumberCost, estimate_numbers
from encoders.logic.answer import Fallback
from encoders.trust import count_cases

PER_CASE = 1250  # cost of one case, and of one heap below it, if cases are evaluated one by one: about 0.25 ms


@dataclass(frozen=True)
class Shard:
    """A part of the cases of a claim: those in `scope`, but not in `earlier`.

    `earlier`: a box of cases that were searched before, inside `scope` and with the same lower bounds; or None.
    `best`: a case that decides the claim and is already known; only smaller such cases matter.
    `by_bits`: whether the complete scope of the claim is large enough for a search as bits. Then this part is also
    searched as bits, if possible.
    """

    scope: d.Scope
    earlier: d.Scope | None
    best: FoundCase | None = None
    by_bits: bool = False


@dataclass(frozen=True)
class CaseQuery:
    """A request to the engines: find the cases of a shard that decide a claim."""

    claim: Claim
    shard: Shard

    @cached_property
    def one_by_one(self) -> str:
        """The reason why the cases are evaluated one by one; "" if arrays evaluate them together."""
        if self.claim.has_parts:
            return "the heaps have parts"
        if goes_case_by_case(self.claim):
            return "the claim or its game has an operation that arrays do not support"
        if describes_many_heaps(self.claim, self.shard.scope):
            return (
                f"the integers describe a position of more than {WIDE} heaps, or of more than {WIDE_EQUAL} equal heaps"
            )
        return ""

    @cached_property
    def numbers(self) -> NumberCost | str:
        """The costs of machine code for heaps that are numbers, or the reason why machine code is not used."""
        claim, scope = self.claim, self.shard.scope
        cost = estimate_numbers(claim, scope)
        if not isinstance(cost, str) and cost.code < cost.arrays + estimate_arrays(claim, scope):
            return entry.refuse_machine_code(claim, scope, Deadline(None)) or cost
        return cost

    @cached_property
    def plan(self) -> BoxPlan | str:
        """The layout of the cases as bits, or the reason why they cannot be searched as bits."""
        return plan_bits(self.claim, self.shard.scope)

    @property
    def bits(self) -> BoxPlan | None:
        """The layout of the cases as bits; None if they cannot be searched as bits, or if arrays cost less."""
        if isinstance(self.plan, str) or estimate_arrays(self.claim, self.shard.scope) < estimate_bits(
            self.shard.by_bits
        ):
            return None
        return self.plan

    @cached_property
    def choice(self) -> EngineChoice:
        """The engines in the order of their estimated costs."""
        costs = [(engine, engine.estimate(self)) for engine in ENGINES]
        able = sorted(((engine, x) for engine, x in costs if isinstance(x, int)), key=lambda pair: pair[1])
        refusals = (Fallback(engine.name, x) for engine, x in costs if isinstance(x, str))
        return EngineChoice(tuple(engine for engine, _ in able), tuple(refusals), tuple(cost for _, cost in able))

    @property
    def in_order(self) -> bool:
        """Whether the cheapest engine evaluates the cases in order, and solves only the heaps that each case needs.

        Then the scope needs no division into growing parts.
        """
        return self.choice.able[0].name in (entry.NAME, compound.ENGINE) and not goes_case_by_case(self.claim)

    @property
    def solves_few_heaps(self) -> bool:
        """Whether the cheapest engine solves only heaps that the cases need, so that large positions cost little."""
        return self.numbers == READ or self.in_order


@dataclass(frozen=True)
class CaseEngine:
    """An engine that searches the cases of a claim.

    `estimate`: returns the cost of a query, or as text the reason why the engine cannot be used.
    `search`: adds the results to the tally and returns True. If the engine fails, the function adds only a fallback
    (the engine and the reason) and returns False.
    """

    name: str
    estimate: Callable[[CaseQuery], int | str]
    search: Callable[[CaseQuery, Deadline, Tally], bool]


# -- bits -------------------------------------------------------------------------------------------------------------
BITS = "bits"


def _estimate_bits(query: CaseQuery) -> int | str:
    return query.plan if isinstance(query.plan, str) else estimate_bits(query.shard.by_bits)


def _search_bits(query: CaseQuery, clock: Deadline, tally: Tally) -> bool:
    from encoders.compute.arrays.bit_rows import NotApplicable
    from encoders.compute.arrays.bit_search import BoxSearch

    plan, shard = query.plan, query.shard
    assert isinstance(plan, BoxPlan)
    try:
        BoxSearch(query.claim, shard.scope, plan, clock, tally, shard.earlier).run()
    except NotApplicable as reason:
        tally.fallbacks.add(Fallback("line bits" if plan.by_lines else "parameter bits", str(reason)))
        return False
    return True


# -- arrays -----------------------------------------------------------------------------------------------------------
ARRAYS = "arrays"


def _estimate_arrays(query: CaseQuery) -> int | str:
    more = 0 if isinstance(query.numbers, str) else query.numbers.arrays
    return query.one_by_one or estimate_arrays(query.claim, query.shard.scope) + more


def _search_arrays(query: CaseQuery, clock: Deadline, tally: Tally) -> bool:
    ArraySearch(query.claim, query.shard.scope, clock, tally, query.shard.earlier).run()
    return True


# -- one by one -------------------------------------------------------------------------------------------------------
SMALL_NUMBERS = "the heaps are small numbers, or machine code does not support the moves"
TOGETHER = "arrays evaluate all cases of the claim together, which takes less time"


def _estimate_cases(query: CaseQuery) -> int | str:
    if not query.one_by_one:
        return TOGETHER
    return PER_CASE * (count_cases(query.shard.scope) + count_kinds(query.claim, query.shard.scope))


def _search_cases(query: CaseQuery, clock: Deadline, tally: Tally) -> bool:
    compound.search_by_cases(query.claim, query.shard.scope, clock, tally, query.shard.earlier)
    return True


def _estimate_machine_code(query: CaseQuery) -> int | str:
    if query.shard.best is not None:
        return "a case that decides the claim is known, and only smaller cases matter"
    if not query.claim.has_parts:
        if not isinstance(query.numbers, str):
            return query.numbers.code
        return SMALL_NUMBERS if goes_case_by_case(query.claim) and query.claim.games else query.numbers
    return PER_CASE * entry.FEW  # the time in which the code is generated; the search itself takes little


def _search_machine_code(query: CaseQuery, clock: Deadline, tally: Tally) -> bool:
    return entry.search_as_machine_code(query.claim, query.shard.scope, clock, tally, query.shard.earlier)


ENGINES = (
    CaseEngine(compound.ENGINE, _estimate_cases, _search_cases),
    CaseEngine(entry.NAME, _estimate_machine_code, _search_machine_code),
    CaseEngine(BITS, _estimate_bits, _search_bits),
    CaseEngine(ARRAYS, _estimate_arrays, _search_arrays),
)
"""All engines. If two engines have equal costs, the first one searches."""
DEARER = "its estimated cost is not smaller than that of {}"


@dataclass(frozen=True)
class EngineChoice:
    """The engines that can be used for a query, the cheapest first, and the reasons why the others cannot be used.

    `costs`: the estimated costs of the engines in `able`, in the same order.
    """

    able: tuple[CaseEngine, ...]
    refusals: tuple[Fallback, ...]
    costs: tuple[int, ...]

    def list_others(self, chosen: CaseEngine) -> tuple[Fallback, ...]:
        """Return the engines that are not tried if `chosen` succeeds, each with the reason.

        The engines before `chosen` in `able` were tried and failed, so they are not in the result.
        """
        later = self.able[self.able.index(chosen) + 1 :]
        return (*(Fallback(x.name, DEARER.format(chosen.name)) for x in later), *self.refusals)


def choose_engine(claim: Claim, shard: Shard) -> EngineChoice:
    """Estimate the cost of a shard for each engine, and return the engines in the order of cost."""
    return CaseQuery(claim, shard).choice


def search_by_choice(query: CaseQuery, clock: Deadline, tally: Tally) -> None:
    """Search a shard with the cheapest engine, and with the next one if it fails.

    Raises the errors of the engine: OutOfTime, TooLarge, BadRuleset, IllDefinedDomain and Unsupported.
    """
    for engine in query.choice.able:
        before = tally.searched, tally.passed_over
        # recorded first, because the search may stop at a limit
        tally.searched = tally.searched | {engine.name}
        tally.passed_over = tally.passed_over | set(query.choice.list_others(engine))
        if engine.search(query, clock, tally):
            return
        tally.searched, tally.passed_over = before
    raise AssertionError("the last engine always answers")
