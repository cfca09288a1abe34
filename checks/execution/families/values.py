"""One game of a family of values: its table is looked for, and checked for all heaps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from checks.execution.families.run import ClaimPiece, Record
from checks.execution.ground.faults import Unfit
from checks.results.verdicts import Verdict
from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from encoders.periods.table import to_json
from encoders.proving.reading import load_claim
from encoders.rules.periodic.family import Member, settle_member


@dataclass(frozen=True)
class AskedValues(ClaimPiece):
    """A game of a family, as it is sent to a worker. `heaps`: among which a period is looked for."""

    member: Member
    heaps: int


def settle_values(asked: AskedValues) -> Record:
    """What is found of a game: `verdict`, `table` as `to_json` has it, or None, and `words`: what was checked, or why.

    Raises Unfit if the claim is not that of the run.
    """
    found = settle_member(_load(asked.entry, asked.digest), asked.member, asked.heaps)
    proved = found.table is not None
    return {
        "verdict": (Verdict.PROVED if proved else Verdict.INCONCLUSIVE).value,
        "table": None if found.table is None else to_json(found.table),
        "words": found.words,
    }


@lru_cache(maxsize=1)
def _load(entry: Entry, digest: str) -> Claim:
    """The claim, read once by each process."""
    claim = load_claim(entry.path, entry.id)
    if claim.digest != digest:
        raise Unfit(f"{entry.id} was changed while its games were looked at")
    return claim
