"""Shards of one large scope: their search, a sealed receipt for each, and the continuation of a run from receipts."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar, cast

from checks.cache.coding import StrictCodec, Unreadable, dump, pack
from checks.cache.keys import digest_source, list_versions
from checks.execution.limits import capping_cpu, reuse_freed
from checks.execution.work import AboutClaim, Task
from checks.judgement.routes import Spent, run_within_budget
from checks.judgement.scopes import Options, scope_for
from checks.receipts.enumeration import count_all, count_most
from checks.receipts.receipt import find_place, seal, store
from checks.receipts.strangers import NOT_FOLLOWED, BadJson, Bounds, find_link, read_json
from checks.results.shown import Json
from claims.language.errors import NimChecksError, quote
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from claims.language.files.domains import Scope
from claims.language.files.library import Entry
from encoders.compute.arrays.cases import FoundCase, Sample, Tally
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.compute.engines import Shard
from encoders.compute.exhaustive import ExhaustiveSearch, Rounds, ShardOutcome, search_shard
from encoders.logic.answer import CaseValue, Fallback, RouteResult
from encoders.proving.reading import load_claim
from encoders.trust import Trust, read_trusted

# == sealed ===========================================================================================================
# Sealed files: records of finished work. A file is written completely or not at all, and is refused if it was edited.
#
# A file is one JSON object with the number of the format, keys that identify the value, the value, and a seal (a
# checksum of all of these).
_T = TypeVar("_T")
NOTHING: Mapping[str, Json] = MappingProxyType({})


class BadFile(NimChecksError):
    """The error for a sealed file that is invalid, was edited, or belongs to something else.

    The message names the file.
    """


@dataclass(frozen=True)
class FileForm(Generic[_T]):
    """The format of sealed files of one kind. Such a file contains a value, keys that identify it, and a checksum.

    `format`: the number of the format. `key`: the key of the value.
    `kind`: the type of the value. `names`: the types that `kind` refers to by name, as for a StrictCodec.
    `bounds`: the limits on the size of the JSON.
    `subject`: the word for what the other keys identify, in the message "the file belongs to another SUBJECT".
    """

    format: int
    key: str
    kind: type[_T]
    bounds: Bounds
    subject: str = ""
    names: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def _coder(self) -> StrictCodec:
        return StrictCodec(self.kind, self.names)

    def write(self, path: Path, value: _T, about: Mapping[str, Json] = NOTHING) -> None:
        """Write the value, after the keys `about` that identify it. Raises OSError."""
        data: dict[str, Json] = {"format": self.format, **about, self.key: json.loads(self._coder.write(value))}
        store(path, json.dumps({**data, "seal": seal(data)}, separators=(",", ":")) + "\n")

    def read(self, path: Path, about: Mapping[str, Json] = NOTHING) -> _T:
        """Return the value that was written with the keys `about`.

        Raises BadFile if the file is invalid or was edited, or if `about` differs.
        """
        try:
            data = read_json(path, self.bounds)
        except BadJson as error:
            raise BadFile(str(error)) from None
        keys = ("format", *about, self.key, "seal")
        if not isinstance(data, dict) or tuple(data) != keys:
            found = ", ".join(map(quote, data)) if isinstance(data, dict) else quote(data)
            raise BadFile(f"{path}: the file contains {found}; expected the keys {', '.join(keys)}")
        if type(data["format"]) is not int or data["format"] != self.format:
            raise BadFile(f"{path}: format is {quote(data['format'])}; expected {self.format}")
        if data["seal"] != seal(data):
            raise BadFile(f"{path}: the seal does not match, because the file was edited")
        if any(data[key] != value for key, value in about.items()):
            raise BadFile(f"{path}: the file belongs to another {self.subject}")
        try:
            value = self._coder.read(dump(data[self.key]))
        except Unreadable as error:
            raise BadFile(f"{path}: {self.key}: {error}") from None
        assert isinstance(value, self.kind)
        return value


# == task =============================================================================================================
# One shard of one claim, as a worker gets it, and its search.
class ClaimDiffers(NimChecksError):
    """The error for a claim file that was changed after the scope of the claim was cut into shards."""


@dataclass(frozen=True)
class ShardTask(AboutClaim):
    """A shard to be searched. `index`: its number among the shards of the claim. `seconds`: None for no limit."""

    shard: Shard
    index: int
    seconds: float | None


def run_task(task: ShardTask) -> ShardOutcome:
    """Search a shard. If its time is used up, return an empty tally, with OutOfTime as the reason.

    Raises ClaimDiffers if the claim file was changed, and ClaimError if it is invalid.
    """
    reuse_freed()
    seconds = None if task.seconds is None else 1.25 * task.seconds + 1  # the clock of the search comes first
    try:
        with capping_cpu(None if seconds is None else 2 * seconds):
            return run_within_budget(seconds, lambda: _run(task))
    except Spent:
        return ShardOutcome(Tally(), OutOfTime())


def _run(task: ShardTask) -> ShardOutcome:
    clock = Deadline(task.seconds)
    claim = _load(task.entry, task.digest)
    if claim.digest != task.digest:
        _load.cache_clear()
        raise ClaimDiffers(f"{task.entry.id} was changed during the run; settle this claim again")
    return search_shard(claim, task.shard, clock)


@lru_cache(maxsize=8)
def _load(entry: Entry, digest: str) -> Claim:
    return load_claim(entry.path, entry.id)


# == store ============================================================================================================
# Receipts of finished shards, which `run --resume` uses.
#
# A receipt is the file <folder>/<claim>/<digest>.json; the digest identifies the text of the claim, the program, the
# scope and the shard. A receipt is used only if all of these are the same, and if it was not edited.
SHARDS = "shards"  # in the folder of a report
Key = int | tuple["Key", ...]
StoredCase = tuple[tuple[str, CaseValue], ...]


@dataclass(frozen=True)
class Best:
    """A case with its sort key, as a receipt stores it. `ill`: whether the claim is undefined there."""

    key: tuple[Key, ...]
    case: StoredCase
    ill: bool


@dataclass(frozen=True)
class StoredTally:
    """The results of the search of a shard (a Tally), as a receipt stores them."""

    cases: int
    met: int
    best: Best | None
    witness: Best | None
    sample: tuple[tuple[StoredCase, Judgement], ...]
    trusted: tuple[str, ...]
    engines: tuple[str, ...]
    audit: tuple[tuple[StoredCase, Judgement], ...]
    audited: bool
    fallbacks: tuple[Fallback, ...]
    searched: tuple[str, ...]
    passed_over: tuple[Fallback, ...]


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
    """Return the SHA-256 of the source of nim-checks, and the versions of Python and the packages."""
    return (digest_source(), *list_versions())


@dataclass(frozen=True)
class ShardStore:
    """The folder with the receipts of the shards of one claim in one scope."""

    folder: Path
    id: str
    claim: Claim
    scope: d.Scope
    program: tuple[str, ...] = field(default_factory=describe_program)

    def find(self, shard: Shard) -> ShardOutcome | None:
        """Return the outcome that an earlier run stored, or None without a receipt. Raises BadFile if it is invalid."""
        asked = self._ask(shard)
        path = self._locate(asked)
        if link := find_link(self.folder.parent, path):
            raise BadFile(f"{link}: {NOT_FOLLOWED}")
        if not path.exists():
            return None
        found = _check(FORM.read(path, {"claim": self.id, "asked": asked}), path)
        if expected := _recount(self.claim, shard, found):
            raise BadFile(
                f"{path}: the receipt counts {found.cases} cases, {found.met} with hypotheses; expected {expected}"
            )
        return ShardOutcome(found)

    def keep(self, shard: Shard, outcome: ShardOutcome) -> None:
        """Write the receipt of a shard if the shard was searched completely. Raises OSError."""
        if outcome.stop is not None:
            return
        asked = self._ask(shard)
        FORM.write(self._locate(asked), _fold(outcome.tally), {"claim": self.id, "asked": asked})

    def locate(self, shard: Shard) -> Path:
        """Return the path of the receipt of a shard."""
        return self._locate(self._ask(shard))

    # -- names --------------------------------------------------------------------------------------------------------
    def _ask(self, shard: Shard) -> Json:
        """Return everything that the outcome of a shard depends on."""
        best = None if shard.best is None else _fold_best(shard.best)
        without = None if shard.earlier is None else tuple(shard.earlier.items())
        scopes = tuple(self.scope.items()), tuple(shard.scope.items())
        return pack(("ShardKey", self.claim.digest, self.program, *scopes, without, best))

    def _locate(self, asked: Json) -> Path:
        return find_place(self.folder, self.id, "") / f"{hashlib.sha256(dump(asked)).hexdigest()}.json"


def _check(kept: StoredTally, path: Path) -> Tally:
    if not 0 <= kept.met <= kept.cases:
        raise BadFile(f"{path}: the hypotheses hold in {kept.met} cases, but there are only {kept.cases} cases")
    if not all(isinstance(read_trusted(x), Trust) for x in kept.trusted):
        raise BadFile(
            f"{path}: found.trusted is {quote(list(kept.trusted))}; expected only assumptions that a search uses"
        )
    return _unfold(kept)


def _recount(claim: Claim, shard: Shard, found: Tally) -> str:
    """Return "" if the number of cases in the receipt is possible, otherwise the expected number as text."""
    new, most = count_all(claim, shard.scope), count_most(claim, shard.scope)
    if new is not None and shard.earlier is not None:
        old = count_all(claim, shard.earlier)
        new = None if old is None else new - old
    if new is not None and found.cases != new and (found.best is None or found.cases > new):  # `best` ends the search
        return f"{new} cases"
    if most is not None and found.cases > most:
        return f"at most {most} cases"
    if claim.hypothesis is None and found.best is None and found.met != found.cases:
        return "the number of cases, because the claim has no hypotheses"
    return ""


# -- format -----------------------------------------------------------------------------------------------------------
def _fold_best(found: FoundCase) -> Best:
    return Best(cast("tuple[Key, ...]", found.key), tuple(found.case.items()), found.ill)


def _fold(tally: Tally) -> StoredTally:
    best, witness = (None if found is None else _fold_best(found) for found in (tally.best, tally.witness))
    return StoredTally(
        tally.cases,
        tally.met,
        best,
        witness,
        tuple((tuple(case.items()), judgement) for case, judgement in tally.sample.cases),
        tuple(sorted(map(str, tally.trusted))),
        tuple(sorted(tally.engines)),
        tuple((tuple(case.items()), judgement) for case, judgement in tally.audit),
        tally.audited,
        tuple(sorted(tally.fallbacks)),
        tuple(sorted(tally.searched)),
        tuple(sorted(tally.passed_over)),
    )


def _unfold(kept: StoredTally) -> Tally:
    def convert(best: Best | None) -> FoundCase | None:
        return None if best is None else FoundCase(best.key, dict(best.case), best.ill)

    return Tally(
        kept.cases,
        kept.met,
        convert(kept.best),
        convert(kept.witness),
        Sample((dict(case), judgement) for case, judgement in kept.sample),
        {x for x in map(read_trusted, kept.trusted) if isinstance(x, Trust)},
        set(kept.engines),
        audit=[(dict(case), judgement) for case, judgement in kept.audit],
        audited=kept.audited,
        fallbacks=set(kept.fallbacks),
        searched=set(kept.searched),
        passed_over=set(kept.passed_over),
    )


@dataclass(frozen=True)
class ShardStores:
    """The shard receipts in the folder of a run's report.

    `resume`: whether to use the receipts of earlier runs.
    `warn`: prints a warning.
    """

    folder: Path
    resume: bool
    warn: Callable[[str], None]

    def find(self, store: ShardStore, shard: Shard) -> ShardOutcome | None:
        """Return the outcome that an earlier run stored; None without a valid receipt, or if `resume` is false.

        Warn about an invalid receipt.
        """
        try:
            return store.find(shard) if self.resume else None
        except BadFile as error:
            self.warn(f"a shard is searched again, because its receipt is invalid: {error}")
            return None

    def keep(self, store: ShardStore, shard: Shard, outcome: ShardOutcome) -> None:
        """Write a receipt. Warn if that is not possible."""
        try:
            store.keep(shard, outcome)
        except OSError as error:
            self.warn(f"cannot write the receipt of a shard of {store.id}: {error.strerror or error}")


# == search ===========================================================================================================
# The search of one very large scope: the next shards to search, and the answer when all are searched.
@dataclass(frozen=True)
class PrecomputedAnswer:
    """The answer of the exhaustive route for the claim with this digest, or the error that ended the search."""

    digest: str
    answer: RouteResult | Exception

    def tell(self, claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        """Return the answer, or raise the error that ended the search. The function has the parameters of a route."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class ShardedSearch:
    """The search of one claim in shards. The time of the budget begins with the first shard.

    `known`: the answer; None until all shards are searched.
    `stores`: the folders for receipts of finished shards, which a resumed run reads.
    `rounds`: the shards to search; by default, all shards of the scope.
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

    def next(self) -> Task | None:
        """Return a task that searches the next shard, or None if no shard can be searched now."""
        task = self.take()
        if task is None:
            return None
        return Task(self.number, run_task, (task,), partial(self._receive, task.index), self.fail)

    def take(self) -> ShardTask | None:
        """Return the next shard to search, or None if no shard can be searched now."""
        if self._started is None:
            self._started = time.monotonic()
        while self._waiting and self.known is None:
            index = self._waiting.pop(0)
            left = None if self.budget is None else self._started + self.budget - time.monotonic()
            if left is None or left > 0:
                return ShardTask(self.entry, self.digest, self._shards[index], index, left)
            self.put(index, ShardOutcome(Tally(), OutOfTime()))
        return None

    def _receive(self, index: int, outcome: object) -> None:
        assert isinstance(outcome, ShardOutcome)
        self.put(index, outcome)

    def put(self, index: int, outcome: ShardOutcome) -> None:
        """Record the outcome of a shard that `take` returned. A second outcome of the same shard is ignored."""
        if index not in self._shards or index in self._found:
            return
        if self._stores is not None and self._store is not None:
            self._stores.keep(self._store, self._shards[index], outcome)
        self._found[index] = outcome
        self._go_on()

    def fail(self, error: Exception) -> None:
        """End the search, because the search of a shard raised an error or killed its worker."""
        self._waiting.clear()
        self.known = PrecomputedAnswer(self.digest, error)

    def _go_on(self) -> None:
        """Begin further rounds while all shards of the round have outcomes. After the last round, set the answer."""
        while self.known is None and len(self._found) == len(self._shards):
            self._finish_round()

    def _finish_round(self) -> None:
        try:
            self._begin(self._rounds.send([self._found[i] for i in self._shards]))
        except StopIteration as end:
            answer: RouteResult = end.value
            seconds = 0.0 if self._started is None else time.monotonic() - self._started
            self.known = PrecomputedAnswer(self.digest, replace(answer, seconds=seconds))

    def _begin(self, shards: tuple[Shard, ...]) -> None:
        self._shards = dict(enumerate(shards, self._numbered))
        self._numbered += len(shards)
        self._found: dict[int, ShardOutcome] = {}
        if self._stores is not None and self._store is not None:
            found = [(i, self._stores.find(self._store, shard)) for i, shard in self._shards.items()]
            self._found = {i: outcome for i, outcome in found if outcome is not None}
        self._waiting = [i for i in self._shards if i not in self._found]
