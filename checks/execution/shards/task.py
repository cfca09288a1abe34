"""One shard of one claim, as it is handed to whoever searches it, and searched there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from checks.execution.ground.memory import capping_cpu, reuse_freed
from checks.judgement.faults import Spent, within_budget
from claims.language.ground.errors import NimChecksError
from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from encoders.exhaustive.arrays.limits import Deadline, OutOfTime
from encoders.exhaustive.cases.tally import Tally
from encoders.exhaustive.cover import Shard, ShardOutcome, search_shard
from encoders.proving.reading import load_claim


class ClaimDiffers(NimChecksError):
    """The claim is not the one whose shard is asked for; the message names it."""


@dataclass(frozen=True)
class ShardTask:
    """A shard to be searched. `digest`: of the claim that it is of; `seconds`: that are left for it, None for no limit.

    `index`: its number among all shards of the claim.
    """

    entry: Entry
    digest: str
    shard: Shard
    index: int
    seconds: float | None


def run_task(task: ShardTask) -> ShardOutcome:
    """Search the shard. Raises Differs, and ClaimError where the claim can no longer be read."""
    reuse_freed()
    seconds = None if task.seconds is None else 1.25 * task.seconds + 1  # the clock of the search comes first
    try:
        with capping_cpu(None if seconds is None else 2 * seconds):
            return within_budget(seconds, lambda: _run(task))
    except Spent:
        return ShardOutcome(Tally(), OutOfTime())


def _run(task: ShardTask) -> ShardOutcome:
    clock = Deadline(task.seconds)
    claim = _load(task.entry, task.digest)
    if claim.digest != task.digest:
        _load.cache_clear()
        raise ClaimDiffers(f"{task.entry.id} differs: it was changed while it was settled; run it again")
    return search_shard(claim, task.shard, clock)


@lru_cache(maxsize=8)
def _load(entry: Entry, digest: str) -> Claim:
    return load_claim(entry.path, entry.id)
