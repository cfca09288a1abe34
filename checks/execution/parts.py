"""Parts of a run on machines that are not connected: their shards, their manifests, and the merge of the parts."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from checks.execution.limits import Lost
from checks.execution.settle import find_heavy_safely
from checks.execution.shards import (
    SHARDS,
    BadFile,
    FileForm,
    PrecomputedAnswer,
    ShardedSearch,
    ShardStore,
    ShardStores,
    describe_program,
)
from checks.execution.work import Task, use_local, work
from checks.judgement.routes import Spent
from checks.judgement.scopes import Options, scope_for
from checks.receipts.strangers import NOT_FOLLOWED, Bounds, list_files
from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim
from claims.language.files.domains import Scope
from claims.language.files.library import Entry
from claims.language.interrupts import noticing_interrupts
from encoders.compute.engines import Shard
from encoders.compute.exhaustive import NAME, Rounds, ShardOutcome, list_rounds
from encoders.logic.answer import Decision, RouteResult


# == share ============================================================================================================
# The shards of one part of a run: every nth shard, counted through all claims of the run.
#
# A part does not know the results of the other parts. It continues as if they had found nothing, and ends after the box
# in which it has itself found a case that decides the claim. In a run without parts, the search would end there or
# earlier.
@dataclass(frozen=True)
class RunShare:
    """Part `number` of `count`, counted from 1."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True)
class Heavy:
    """A heavy claim: its scope is so large that it is searched in shards.

    `first`: the number of its first shard among all shards of the run.
    """

    entry: Entry
    claim: Claim
    scope: Scope
    first: int

    def list_own(self, part: RunShare) -> Iterator[tuple[Shard, ...]]:
        """Yield the shards that belong to the part, in one group for each of several nested scopes, the smallest first.

        All shards are included, even if a case in a smaller scope decides the claim.
        """
        number = self.first
        for shards in list_rounds(self.claim, self.scope):
            yield tuple(x for i, x in enumerate(shards, number) if i % part.count == part.number - 1)
            number += len(shards)

    def rounds(self, part: RunShare) -> Rounds:
        """Yield the shards of the part in rounds, and receive the outcomes of each round by `send`.

        The returned answer only states whether the search was complete: UNKNOWN if a shard reached a limit, otherwise
        HOLDS, even if a deciding case was found.
        """
        for shards in self.list_own(part):
            outcomes = yield shards
            stops = [outcome.stop for outcome in outcomes if outcome.stop is not None]
            if stops:
                return RouteResult(NAME, Decision.UNKNOWN, detail=str(stops[0]) or type(stops[0]).__name__)
            if find_deciding(outcomes):
                break
        return RouteResult(NAME, Decision.HOLDS)


def find_deciding(outcomes: Iterable[ShardOutcome]) -> bool:
    """Return whether some shard has a case that decides the claim."""
    return any(outcome.tally.best is not None for outcome in outcomes)


def list_heavy(entries: Iterable[Entry], options: Options) -> list[Heavy]:
    """Return the claims that are searched in shards."""
    found: list[Heavy] = []
    first = 0
    for entry in entries:
        try:
            claim = find_heavy_safely(entry, options)
        except Spent:
            continue  # its result tells the limit
        if claim is not None:
            scope = scope_for(claim, options.profile, options.overrides)
            found.append(Heavy(entry, claim, scope, first))
            first += sum(map(len, list_rounds(claim, scope)))
    return found


# == manifest =========================================================================================================
# The record of a finished part: part.json in the folder of its report.
#
# The receipts also contain the program and the claims, but not `part`, `wanted` and `options`. The manifest repeats the
# program and the claims for two reasons: a part may have no receipt of a claim, and the message of a merge can name the
# difference instead of many missing receipts.
FILE = "part.json"


class BadPart(NimChecksError):
    """The error for a part that cannot be merged: it is not finished, or its receipts or claims are wrong.

    The message names the folder.
    """


@dataclass(frozen=True)
class Manifest:
    """The claims and options for which a part was searched.

    `wanted`: the claims on the command line.
    `options`: the options of the run, except the budget, which may differ from part to part.
    `program`: the SHA-256 of the source of nim-checks, and the versions of Python and the packages.
    `claims`: id and digest of each claim that is searched in shards, in the order of the run.
    """

    part: RunShare
    wanted: tuple[str, ...]
    options: Options
    program: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]


FORM = FileForm(1, "part", Manifest, Bounds(4 << 20, 12, 200_000, 4000))


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Record that the part is finished. Raises OSError."""
    FORM.write(folder / FILE, manifest)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of the finished part in a folder. Raises BadPart if there is no valid manifest."""
    path = folder / FILE
    if path.is_symlink():
        raise BadPart(f"{path}: {NOT_FOLLOWED}")
    if not path.exists():
        raise BadPart(f"{folder} is not a finished part of a run: it does not contain {FILE}")
    try:
        found = FORM.read(path)
    except BadFile as error:
        raise BadPart(str(error)) from None
    if not 1 <= found.part.number <= found.part.count:
        raise BadPart(f"{path}: there is no part {found.part}; expected a part from 1/N to N/N")
    return found


# == searching ========================================================================================================
# The shards of one part of a run, searched by this machine.
def search_part(
    claims: Sequence[Heavy], part: RunShare, options: Options, stores: ShardStores, jobs: int, memory: int | None
) -> dict[str, str]:
    """Search the shards of a part, and write a receipt for each shard.

    Return for each claim the reason why some of its shards were not searched, or "". Raises KeyboardInterrupt after a
    signal.
    """
    searches = [
        ShardedSearch(number, x.entry, x.claim, options, stores, x.rounds(part)) for number, x in enumerate(claims)
    ]

    def find_next(running: bool) -> Task | None:
        return next((task for search in searches if (task := search.next()) is not None), None)

    with noticing_interrupts():
        work(find_next, use_local(jobs, memory=memory), jobs)
    return {search.entry.id: _find_obstacle(search.known) for search in searches}


def _find_obstacle(known: PrecomputedAnswer | None) -> str:
    assert known is not None
    answer = known.answer
    if isinstance(answer, RouteResult):
        return "" if answer.decision.settles else answer.detail
    if isinstance(answer, Lost):
        return "its process was killed, perhaps because it ran out of memory"
    return f"internal error: {type(answer).__name__}: {answer}"


# == merging ==========================================================================================================
# The parts must be one complete run: no receipt is missing, duplicate, or from another run.
FEW = 20  # problems that a message lists


def read_parts(folders: Sequence[Path]) -> dict[Path, Manifest]:
    """Return the manifests of all parts of one run, by folder.

    Raises BadPart if a part is missing, given twice or from another run, or the program has changed.
    """
    found = {folder: read_manifest(folder) for folder in folders}
    if len(found) < len(folders):
        raise BadPart("a folder is named twice")
    first, *others = found.items()
    for folder, manifest in others:
        if replace(manifest, part=first[1].part) != first[1] or manifest.part.count != first[1].part.count:
            raise BadPart(
                f"{folder} and {first[0]} are parts of different runs; they differ in {_differ(first[1], manifest)}"
            )
    if first[1].program != describe_program():
        raise BadPart(f"{first[0]} was searched by a different version of nim-checks, Python or a package")
    owners: dict[int, Path] = {}
    for folder, manifest in found.items():
        other = owners.setdefault(manifest.part.number, folder)
        if other != folder:
            raise BadPart(f"{other} and {folder} are both part {manifest.part}")
    missing = [f"{n}/{first[1].part.count}" for n in range(1, first[1].part.count + 1) if n not in owners]
    if missing:
        raise BadPart(f"these parts are missing: {', '.join(missing)}")
    return found


def _differ(one: Manifest, other: Manifest) -> str:
    names = ("wanted", "options", "program", "claims")
    return ", ".join(n for n in names if getattr(one, n) != getattr(other, n)) or "the number of parts"


def check_claims(claims: Sequence[Heavy], parts: dict[Path, Manifest]) -> None:
    """Raise BadPart if a claim was changed, added or removed since the parts were searched."""
    folder, manifest = next(iter(parts.items()))
    now, then = {x.entry.id: x.claim.digest for x in claims}, dict(manifest.claims)
    other = [id for id in {**now, **then} if now.get(id) != then.get(id)]
    if other:
        raise BadPart(f"claims that were changed, added or removed after {folder} was searched: {', '.join(other)}")


def list_receipts(claims: Sequence[Heavy], parts: dict[Path, Manifest]) -> dict[Path, Path]:
    """Return the receipts of all parts, by their path relative to the folder of shards.

    Raises BadPart if receipts are missing or edited, or are of other shards; the message names them.
    """
    found, wrong = dict[Path, Path](), list[str]()
    for folder, manifest in parts.items():
        base, expected = folder / SHARDS, set[Path]()
        for claim in claims:
            for path, problem in _look_through(claim, manifest.part, base):
                expected.add(path)
                wrong += [problem] if problem else []
        files = dict(list_files(folder, SHARDS))
        wrong += [f"{path}: {NOT_FOLLOWED}" for path, is_link in files.items() if is_link and path not in expected]
        there = {path for path, is_link in files.items() if not is_link}
        wrong += [f"{path}: not a receipt of part {manifest.part}" for path in sorted(there - expected)]
        found |= {path.relative_to(base): path for path in expected & there}
    if wrong:
        raise BadPart("\n".join([*wrong[:FEW], *([f"and {len(wrong) - FEW} more"] if len(wrong) > FEW else [])]))
    return found


def _look_through(claim: Heavy, part: RunShare, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield pairs (path, problem), one for each receipt of the claim that the part must contain.

    The problem is a description of the fault of the receipt, and "" for a valid one.
    """
    store = ShardStore(folder, claim.entry.id, claim.claim, claim.scope)
    for shards in claim.list_own(part):
        outcomes = list[ShardOutcome]()
        for shard in shards:
            path, problem = store.locate(shard), ""
            try:
                outcome = store.find(shard)
                if outcome is None:
                    problem = f"{path}: missing, the receipt of a shard of {claim.entry.id} in part {part}"
                else:
                    outcomes.append(outcome)
            except BadFile as error:
                problem = str(error)
            yield path, problem
        if find_deciding(outcomes):
            return


def gather(receipts: dict[Path, Path], report: Path) -> None:
    """Copy the receipts into the folder of one report.

    Raises BadPart if this folder already contains shards, and OSError if a file cannot be copied.
    """
    if (report / SHARDS).exists():
        raise BadPart(f"{report / SHARDS} already exists; expected a --report folder without shards")
    for name, path in receipts.items():
        place = report / SHARDS / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
