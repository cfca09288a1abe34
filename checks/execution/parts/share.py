"""What of a claim belongs to one part of a run: every nth of its shards, counted through all claims of the run.

A part knows nothing of the others.  It goes on as if they had found nothing, and ends with the box in which it has
itself found a case that decides the claim: the whole run ends there or before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checks.execution.safely import find_heavy_safely
from checks.judgement.faults import Spent
from checks.judgement.options import Options
from checks.judgement.scopes import scope_for
from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import Decision, RouteResult
from encoders.exhaustive.cover import NAME, Rounds, Shard, ShardOutcome, list_rounds


@dataclass(frozen=True)
class RunShare:
    """The part `number` of `count`, from 1 on."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True)
class Heavy:
    """A claim that is searched in shards. `first`: the number of its first shard among those of the run."""

    entry: Entry
    claim: Claim
    scope: Scope
    first: int

    def list_own(self, part: RunShare) -> Iterator[tuple[Shard, ...]]:
        """The shards of the part, box by box, as far as nothing is found."""
        number = self.first
        for shards in list_rounds(self.claim, self.scope):
            yield tuple(x for i, x in enumerate(shards, number) if i % part.count == part.number - 1)
            number += len(shards)

    def rounds(self, part: RunShare) -> Rounds:
        """The same, for whoever searches them, until something is found; HOLDS once all that is needed was searched."""
        for shards in self.list_own(part):
            outcomes = yield shards
            stops = [outcome.stop for outcome in outcomes if outcome.stop is not None]
            if stops:
                return RouteResult(NAME, Decision.UNKNOWN, detail=str(stops[0]) or type(stops[0]).__name__)
            if find_deciding(outcomes):
                break
        return RouteResult(NAME, Decision.HOLDS)


def find_deciding(outcomes: Iterable[ShardOutcome]) -> bool:
    """Whether a case was found that decides the claim."""
    return any(outcome.tally.best is not None for outcome in outcomes)


def list_heavy(entries: Iterable[Entry], options: Options) -> list[Heavy]:
    """Those of the claims that are searched in shards."""
    found: list[Heavy] = []
    first = 0
    for entry in entries:
        try:
            claim = find_heavy_safely(entry, options)
        except Spent:
            continue  # where it is settled, that is said
        if claim is not None:
            scope = scope_for(claim, options.profile, options.overrides)
            found.append(Heavy(entry, claim, scope, first))
            first += sum(map(len, list_rounds(claim, scope)))
    return found
