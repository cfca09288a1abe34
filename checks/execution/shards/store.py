"""Finished shards, kept as receipts: written at once and whole, and taken over by a run that goes on with another.

A receipt lies at <folder>/<claim>/<digest of what was asked>.json.  It counts only for the same text of the claim, the
same program, the same scope and the same shard, and only if it says so in exactly the form in which it was written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from checks.cache.coding import dump, pack
from checks.cache.identity import digest_source, list_versions
from checks.execution.ground.sealed import BadFile, FileForm
from checks.receipts.bounded_json import Bounds, quote
from checks.receipts.enumeration import count_all, count_most
from checks.receipts.links import NOT_FOLLOWED, find_link
from checks.receipts.writing import find_place
from checks.results.values import Json
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from encoders.answer import Case, CaseValue, Fallback
from encoders.exhaustive.cases.tally import FoundCase, Sample, Tally
from encoders.exhaustive.cover import Shard, ShardOutcome
from encoders.ground.trust import Trust, read_trusted

SHARDS = "shards"  # in the folder of a report
Key = int | tuple["Key", ...]
Bound = tuple[tuple[str, d.Range | d.PositionRange], ...]
StoredCase = tuple[tuple[str, CaseValue], ...]


@dataclass(frozen=True)
class Best:
    """As `tally.Found`."""

    key: tuple[Key, ...]
    case: StoredCase
    ill: bool


@dataclass(frozen=True)
class ShardKey:
    """What a shard depends on. `program`: SHA-256 of our source, then versions; `scope`: the one the claim is put to.

    `digest`: of the claim; `inside`, `without`, `best`: of the shard.
    """

    digest: str
    program: tuple[str, ...]
    scope: Bound
    inside: Bound
    without: Bound | None
    best: Best | None


@dataclass(frozen=True)
class StoredTally:
    """As `tally.Tally`."""

    cases: int
    met: int
    best: Best | None
    witness: Best | None
    sample: tuple[tuple[StoredCase, Judgement], ...]
    trusted: tuple[str, ...]
    engines: tuple[str, ...]
    audit: tuple[tuple[StoredCase, Judgement], ...]
    fallbacks: tuple[Fallback, ...]


FORM = FileForm(
    1,
    "found",
    StoredTally,
    Bounds(4 << 20, 16, 400_000, 400),
    "claim, program, scope or shard",
    {"Key": Key, "CaseValue": CaseValue},
)


@cache
def describe_program() -> tuple[str, ...]:
    """Which program searches here."""
    return (digest_source(), *list_versions())


@dataclass(frozen=True)
class ShardStore:
    """The receipts of the shards of one claim in one scope."""

    folder: Path
    id: str
    claim: Claim
    scope: d.Scope
    program: tuple[str, ...] = field(default_factory=describe_program)

    def find(self, shard: Shard) -> ShardOutcome | None:
        """What an earlier run found in the shard; None if there is no receipt. Raises BadFile."""
        asked = self._ask(shard)
        path = self._locate(asked)
        if link := find_link(self.folder.parent, path):
            raise BadFile(f"{link}: {NOT_FOLLOWED}")
        if not path.exists():
            return None
        found = _check(FORM.read(path, self._about(asked)), path)
        if expected := _recount(self.claim, shard, found):
            raise BadFile(f"{path}: found: {found.cases} cases, {found.met} with hypotheses; expected {expected}")
        return ShardOutcome(found)

    def keep(self, shard: Shard, outcome: ShardOutcome) -> None:
        """Write the receipt of a shard, if all of it was searched. Raises OSError."""
        if outcome.stop is not None:
            return
        asked = self._ask(shard)
        FORM.write(self._locate(asked), _fold(outcome.tally), self._about(asked))

    def locate(self, shard: Shard) -> Path:
        """Where the receipt of the shard lies, if there is one."""
        return self._locate(self._ask(shard))

    # -- how it is asked for ------------------------------------------------------------------------------------------
    def _ask(self, shard: Shard) -> ShardKey:
        best = None if shard.best is None else _fold_best(shard.best)
        without = None if shard.earlier is None else _fold_scope(shard.earlier)
        return ShardKey(
            self.claim.digest, self.program, _fold_scope(self.scope), _fold_scope(shard.scope), without, best
        )

    def _about(self, asked: ShardKey) -> dict[str, Json]:
        return {"claim": self.id, "asked": pack(asked)}

    def _locate(self, asked: ShardKey) -> Path:
        name = hashlib.sha256(dump(pack(asked))).hexdigest()
        return find_place(self.folder, self.id, "") / f"{name}.json"


def _check(kept: StoredTally, path: Path) -> Tally:
    if not 0 <= kept.met <= kept.cases:
        raise BadFile(f"{path}: found: {kept.met} of {kept.cases} cases with hypotheses")
    if not all(isinstance(read_trusted(x), Trust) for x in kept.trusted):
        raise BadFile(f"{path}: found: trusted {quote(list(kept.trusted))}; expected what a search takes on trust")
    return _unfold(kept)


def _recount(claim: Claim, shard: Shard, found: Tally) -> str:
    """How many cases were to be counted in a shard, in words, where so many were not; else ""."""
    new, most = count_all(claim, shard.scope), count_most(claim, shard.scope)
    if new is not None and shard.earlier is not None:
        old = count_all(claim, shard.earlier)
        new = None if old is None else new - old
    if new is not None and found.cases != new and (found.best is None or found.cases > new):  # a find ends the search
        return f"{new} cases"
    if most is not None and found.cases > most:
        return f"at most {most} cases"
    if claim.hypothesis is None and found.best is None and found.met != found.cases:
        return "as many as there are cases, for the claim has no hypotheses"
    return ""


# -- as it is written -------------------------------------------------------------------------------------------------
def _fold_scope(scope: d.Scope) -> Bound:
    return tuple(scope.items())


def _fold_case(case: Case) -> StoredCase:
    return tuple(case.items())


def _fold_best(found: FoundCase) -> Best:
    return Best(_read_key(found.key), _fold_case(found.case), found.ill)


def _read_key(key: Iterable[object]) -> tuple[Key, ...]:
    return tuple(_read_part(x) for x in key)


def _read_part(part: object) -> Key:
    if isinstance(part, tuple):
        return _read_key(part)
    assert isinstance(part, int)
    return part


def _fold(tally: Tally) -> StoredTally:
    best, witness = tally.best, tally.witness
    return StoredTally(
        tally.cases,
        tally.met,
        None if best is None else _fold_best(best),
        None if witness is None else _fold_best(witness),
        tuple((_fold_case(case), judgement) for case, judgement in tally.sample.cases),
        tuple(sorted(map(str, tally.trusted))),
        tuple(sorted(tally.engines)),
        tuple((_fold_case(case), judgement) for case, judgement in tally.audit),
        tuple(sorted(tally.fallbacks)),
    )


def _unfold(kept: StoredTally) -> Tally:
    def found(best: Best | None) -> FoundCase | None:
        return None if best is None else FoundCase(best.key, dict(best.case), best.ill)

    return Tally(
        kept.cases,
        kept.met,
        found(kept.best),
        found(kept.witness),
        Sample((dict(case), judgement) for case, judgement in kept.sample),
        {x for x in map(read_trusted, kept.trusted) if isinstance(x, Trust)},
        set(kept.engines),
        audit=[(dict(case), judgement) for case, judgement in kept.audit],
        fallbacks=set(kept.fallbacks),
    )


@dataclass(frozen=True)
class ShardStores:
    """Where the receipts of a run lie. `resume`: whether those of earlier runs count; `warn`: says what does not."""

    folder: Path
    resume: bool
    warn: Callable[[str], None]

    def find(self, store: ShardStore, shard: Shard) -> ShardOutcome | None:
        """What an earlier run found in the shard, if it counts; a receipt that is none is told."""
        try:
            return store.find(shard) if self.resume else None
        except BadFile as error:
            self.warn(f"a shard is searched again: {error}")
            return None

    def keep(self, store: ShardStore, shard: Shard, outcome: ShardOutcome) -> None:
        """Write a receipt; where that cannot be done, it is told."""
        try:
            store.keep(shard, outcome)
        except OSError as error:
            self.warn(f"cannot write the receipt of a shard of {store.id}: {error.strerror or error}")
