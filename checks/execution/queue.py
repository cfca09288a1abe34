"""Which claims are to be settled, in which order, and where their results come in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from checks.cache.results import CacheSession
from checks.execution.limits import MOST
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, SettledLemmas
from claims.language.files.library import Entry, list_lemmas

if TYPE_CHECKING:
    from checks.execution.shards import ShardStores

Progress = Callable[[int, ClaimResult], None]
Working = Callable[[tuple[int, ...]], None]


@dataclass(frozen=True)
class Plan:
    """Claims by number, with the numbers of the lemmas that each rests on among them, and the order to settle them in.

    In the order each stands after its lemmas, else as the entries do; only a circle, which no reader lets pass, cannot.
    """

    entries: tuple[Entry, ...]
    lemmas: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    def choose(self, todo: Sequence[int], found: Mapping[int, ClaimResult], running: bool) -> int | None:
        """The first of those to do whose lemmas are settled; where nothing runs that could settle one, the first."""
        ready = (n for n in todo if all(lemma in found for lemma in self.lemmas[n]))
        return next(ready, None if running or not todo else todo[0])

    def collect_settled_lemmas(self, number: int, found: Mapping[int, ClaimResult]) -> SettledLemmas:
        """What was found of the lemmas of a claim."""
        return {self.entries[n].file: found[n].as_lemma for n in self.lemmas[number] if n in found}


def make_plan(entries: Sequence[Entry]) -> Plan:
    """The plan for these claims. Their files are read for what they rest on, and no more."""
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


@dataclass(frozen=True)
class Queue:
    """Where results come in, `results` by number: from the cache or from whoever settled the claim.

    `open_stores`: where finished shards of heavy claims lie, if they are to be kept.
    `missed`: the numbers of those that the cache was asked for in vain.
    `memory`: bytes for each process, None for no limit.
    """

    plan: Plan
    options: Options
    cache: CacheSession
    progress: Progress
    results: dict[int, ClaimResult]
    open_stores: Callable[[], ShardStores] | None = None
    missed: set[int] = field(default_factory=set)
    memory: int | None = MOST

    def look_up(self, number: int) -> SettledLemmas:
        """What was found of the lemmas of a claim."""
        return self.plan.collect_settled_lemmas(number, self.results)

    def stores(self) -> ShardStores | None:
        """Where finished shards of heavy claims lie, if they are to be kept."""
        return None if self.open_stores is None else self.open_stores()

    def load_cached(self) -> list[int]:
        """Have in what the cache has; the numbers of the rest, in the order in which they are to be settled."""
        for number in self.plan.order:
            if all(lemma in self.results for lemma in self.plan.lemmas[number]) and not self.find(number):
                self.missed.add(number)
        return [number for number in self.plan.order if number not in self.results]

    def find(self, number: int) -> bool:
        """Whether the cache has the result; then it has come in."""
        if number in self.missed:
            return False
        result = self.cache.find(self.plan.entries[number], self.options, self.look_up(number))
        if result is not None:
            self.results[number] = result
            self.progress(number, result)
        return result is not None

    def add_result(self, number: int, result: ClaimResult) -> None:
        """A claim was settled."""
        told = self.cache.store_or_compare(self.plan.entries[number], self.options, self.look_up(number), result)
        self.results[number] = told
        self.progress(number, told)
