"""The search of one heavy scope: which shards are to be searched next, and the answer once all of them are.

It searches nothing itself: tasks are taken from it, by as many as there are workers, and outcomes brought back.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial

from checks.execution.shards.store import ShardStore, ShardStores
from checks.execution.shards.task import ShardTask, run_task
from checks.judgement.faults import Exhausted, InternalFault, guard
from checks.judgement.options import Options
from checks.judgement.scopes import scope_for
from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import RouteResult
from encoders.exhaustive.arrays.limits import OutOfTime
from encoders.exhaustive.cases.tally import Tally
from encoders.exhaustive.cover import ExhaustiveSearch, Rounds, Shard, ShardOutcome


@dataclass(frozen=True)
class PrecomputedAnswer:
    """What the exhaustive route came to for the claim of this digest: an answer, or the error that it died of."""

    digest: str
    answer: RouteResult | Exception

    def tell(self, claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        """The answer, as a route gives it. Raises the error."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class ShardedSearch:
    """One claim and its scope. `known`: what came of it, None as long as shards are to be searched.

    Its time runs from the first task on.  `stores`: where finished shards are kept, and perhaps found.  `rounds`: of
    shards, if not all of its scope.
    """

    def __init__(
        self,
        number: int,
        entry: Entry,
        claim: Claim,
        options: Options,
        stores: ShardStores | None = None,
        rounds: Rounds | None = None,
    ) -> None:
        self.number, self.entry, self.digest, self.budget = number, entry, claim.digest, options.budget
        self.known: PrecomputedAnswer | None = None
        scope = scope_for(claim, options.profile, options.overrides)
        self._rounds = ExhaustiveSearch(claim, scope).rounds() if rounds is None else rounds
        self._stores = stores
        self._store = None if stores is None else ShardStore(stores.folder, entry.id, claim, scope)
        self._started: float | None = None
        self._numbered = 0
        self._begin(next(self._rounds))
        self._go_on()

    def take(self) -> ShardTask | None:
        """A shard to be searched now; None if there is none, or not before outcomes have come in."""
        if self._started is None:
            self._started = time.monotonic()
        while self._waiting and self.known is None:
            index = self._waiting.pop(0)
            left = None if self.budget is None else self._started + self.budget - time.monotonic()
            if left is None or left > 0:
                return ShardTask(self.entry, self.digest, self._shards[index], index, left)
            self.put(index, ShardOutcome(Tally(), OutOfTime()))
        return None

    def put(self, index: int, outcome: ShardOutcome) -> None:
        """What was found in a shard that was taken. It counts once, however often and however late it is brought."""
        if index not in self._shards or index in self._found:
            return
        if self._stores is not None and self._store is not None:
            self._stores.keep(self._store, self._shards[index], outcome)
        self._found[index] = outcome
        self._go_on()

    def give_back(self) -> None:
        """What was taken and not brought back is to be taken again."""
        if self.known is None:
            self._waiting = [i for i in self._shards if i not in self._found]

    def _go_on(self) -> None:
        """To the next round in which something is to be searched, or to the answer."""
        while self.known is None and len(self._found) == len(self._shards):
            self._finish_round()

    def _finish_round(self) -> None:
        try:
            self._begin(self._rounds.send([self._found[i] for i in self._shards]))
        except StopIteration as end:
            answer: RouteResult = end.value
            seconds = 0.0 if self._started is None else time.monotonic() - self._started
            self.known = PrecomputedAnswer(self.digest, replace(answer, seconds=seconds))

    def fail(self, error: Exception) -> None:
        """The search of a shard died of an error; so does the whole of it."""
        self._waiting.clear()
        self.known = PrecomputedAnswer(self.digest, error)

    def _begin(self, shards: tuple[Shard, ...]) -> None:
        self._shards = dict(enumerate(shards, self._numbered))
        self._numbered += len(shards)
        self._found: dict[int, ShardOutcome] = {}
        if self._stores is not None and self._store is not None:
            found = [(i, self._stores.find(self._store, shard)) for i, shard in self._shards.items()]
            self._found = {i: outcome for i, outcome in found if outcome is not None}
        self._waiting = [i for i in self._shards if i not in self._found]


def drive_here(drive: ShardedSearch) -> PrecomputedAnswer:
    """Search all shards in turn, in this process."""
    while drive.known is None:
        task = drive.take()
        if task is not None:
            try:
                drive.put(task.index, guard("in a shard", partial(run_task, task)))
            except (Exhausted, InternalFault) as error:
                drive.fail(error)  # it becomes a loud verdict of the claim
    return drive.known
