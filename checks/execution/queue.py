"""The claims of a run: which can be settled next, and the results so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from checks.cache.results import CacheSession
from checks.execution.limits import Lost
from checks.execution.settle import KILLED, find_heavy_safely, lose, settle_entry_safely, settle_unless_heavy
from checks.execution.work import Task
from checks.judgement.routes import Spent
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, SettledLemmas
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, list_lemmas

if TYPE_CHECKING:
    from checks.execution.shards import ShardedSearch, ShardStores

Progress = Callable[[int, ClaimResult], None]


@dataclass(frozen=True)
class Plan:
    """The order in which to settle the claims of a run, and the lemmas of each claim. Claims are indices in `entries`.

    `lemmas`: for each claim, its lemmas among the entries.
    `order`: each claim after its lemmas; otherwise the order of `entries`. Circles of lemmas are not expected,
    because such claims are rejected when they are read.
    """

    entries: tuple[Entry, ...]
    lemmas: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    def choose(self, todo: Sequence[int], found: Mapping[int, ClaimResult], running: bool) -> int | None:
        """Return the first claim of `todo` whose lemmas are all settled.

        If there is no such claim, return None while other tasks are running. If no task is running, return the first
        claim of `todo`, or None if `todo` is empty.
        """
        ready = (n for n in todo if all(lemma in found for lemma in self.lemmas[n]))
        return next(ready, None if running or not todo else todo[0])

    def collect_settled_lemmas(self, number: int, found: Mapping[int, ClaimResult]) -> SettledLemmas:
        """Return the results of the lemmas of a claim."""
        return {self.entries[n].file: found[n].as_lemma for n in self.lemmas[number] if n in found}


def make_plan(entries: Sequence[Entry]) -> Plan:
    """Return the plan for these claims. Lemmas that are not among the entries are ignored."""
    numbers = {entry.file: n for n, entry in enumerate(entries)}
    named = [[numbers.get(lemma.file) for lemma in list_lemmas(entry)] for entry in entries]
    lemmas = tuple(tuple(n for n in some if n is not None) for some in named)
    order: dict[int, None] = {}
    entered = set[int]()
    waiting = list(reversed(range(len(entries))))
    while waiting:
        number = waiting[-1]
        inside = [n for n in lemmas[number] if n not in entered]
        entered.add(number)
        if inside:
            waiting += reversed(inside)
        else:
            order.setdefault(waiting.pop())
    return Plan(tuple(entries), lemmas, tuple(order))


class Queue:
    """The claims of a run as tasks for workers, and the results so far, from workers or from the cache.

    A claim with a very large scope becomes several tasks: one for each shard (part of the scope), and finally the claim
    with the outcome of its search.

    `results`: the results by the index of the claim.
    `todo`: the indices of the claims that have not been handed out, in the order to settle them.
    `progress`: receives each result.
    `open_stores`: opens the folders for receipts of shards, if receipts are wanted.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        options: Options,
        cache: CacheSession,
        progress: Progress,
        open_stores: Callable[[], ShardStores] | None = None,
    ) -> None:
        self.plan, self.options, self.cache, self.progress = make_plan(entries), options, cache, progress
        self.results: dict[int, ClaimResult] = {}
        self.todo = list(self.plan.order)
        self._open_stores = open_stores
        self._missed = set[int]()  # the numbers of the claims that the cache does not have
        self._searches: list[ShardedSearch] = []
        self._ready: list[Task] = []

    # -- results ------------------------------------------------------------------------------------------------------
    def look_up(self, number: int) -> SettledLemmas:
        """Return the results of the lemmas of a claim."""
        return self.plan.collect_settled_lemmas(number, self.results)

    def load_cached(self) -> None:
        """Take all results that the cache contains."""
        for number in self.plan.order:
            if all(lemma in self.results for lemma in self.plan.lemmas[number]) and not self._find(number):
                self._missed.add(number)
        self.todo = [number for number in self.plan.order if number not in self.results]

    def _find(self, number: int) -> bool:
        """Record the result of a claim that is in the cache. Return False if the cache does not contain it."""
        if number in self._missed:
            return False
        result = self.cache.find(self.plan.entries[number], self.options, self.look_up(number))
        if result is not None:
            self.results[number] = result
            self.progress(number, result)
        return result is not None

    def add_result(self, number: int, result: ClaimResult) -> None:
        """Record the result of a claim that was settled."""
        told = self.cache.store_or_compare(self.plan.entries[number], self.options, self.look_up(number), result)
        self.results[number] = told
        self.progress(number, told)

    def _lose(self, number: int, reason: str) -> None:
        self.add_result(number, lose(self.plan.entries[number], reason))

    # -- tasks --------------------------------------------------------------------------------------------------------
    def count_useful(self, jobs: int) -> int:
        """Return `jobs`, or 1 if only one claim is left and this claim needs no shards.

        If the budget is used up during this test, the claim is settled as inconclusive.
        """
        if jobs == 1 or len(self.todo) != 1:
            return jobs
        number = self.todo[0]
        if self._find_heavy(number) is None:
            self.todo = [n for n in self.todo if n not in self.results]
            return 1
        return jobs

    def next(self, running: bool) -> Task | None:
        """Return the next task that can begin, or None. Shards have priority.

        `running`: whether other tasks are in progress.
        """
        for search in list(self._searches):
            if (task := search.next()) is not None:
                return task
            if search.known is not None:
                self._searches.remove(search)
                if not isinstance(search.known.answer, Lost):
                    return self._make_task(search.number, settle_entry_safely, search.known)
                self._lose(search.number, KILLED)
        if self._ready:
            return self._ready.pop()
        while (number := self.plan.choose(self.todo, self.results, running)) is not None:
            self.todo.remove(number)
            if not self._find(number):
                return self._make_task(number, settle_unless_heavy)
        return None

    def _make_task(self, number: int, function: Callable[..., ClaimResult | None], *more: object) -> Task:
        args = (self.plan.entries[number], self.options, self.look_up(number), *more)
        return Task(number, function, args, partial(self._take, number), partial(self._fail, number))

    def _take(self, number: int, result: object) -> None:
        """Record the result that a worker has returned. If it is None, begin to search the claim in shards."""
        if result is None:
            self._begin_search(number)
        else:
            assert isinstance(result, ClaimResult)
            self.add_result(number, result)

    def _fail(self, number: int, error: Exception) -> None:
        if not isinstance(error, Lost):
            raise error
        self._lose(number, KILLED)

    def _find_heavy(self, number: int) -> Claim | None:
        """Return the claim if it must be searched in shards, otherwise None.

        If the budget is used up during this test, record this as the result.
        """
        try:
            return find_heavy_safely(self.plan.entries[number], self.options)
        except Spent as limit:
            self._lose(number, f"anything: {limit}")
            return None

    def _begin_search(self, number: int) -> None:
        from checks.execution.shards import ShardedSearch

        claim = self._find_heavy(number)
        if claim is not None:
            stores = None if self._open_stores is None else self._open_stores()
            self._searches.append(ShardedSearch(number, self.plan.entries[number], claim, self.options, stores))
        elif number not in self.results:  # its file was changed meanwhile
            self._ready.append(self._make_task(number, settle_entry_safely))
