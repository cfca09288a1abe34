"""Parts of a run on several machines: their shares, their manifests, and how to merge them."""

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
from encoders.compute.exhaustive import NAME, Rounds, Shard, ShardOutcome, list_rounds
from encoders.logic.answer import Decision, RouteResult


# == share ============================================================================================================
# What of a claim belongs to one part of a run: every nth of its shards, counted through all claims of the run.
#
# A part knows nothing of the others.  It goes on as if they had found nothing, and ends with the box in which it has
# itself found a case that decides the claim: the whole run ends there or before.
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


# == manifest =========================================================================================================
# What a part of a run says of itself once it is finished: part.json in the folder of its report.
FILE = "part.json"


class BadPart(NimChecksError):
    """A folder in which no finished part lies, or not what belongs to it; the message names it."""


@dataclass(frozen=True)
class Manifest:
    """`wanted`: as on the command line; `options`: without the budget, which is each part's own.

    `claims`: id and digest of each that is searched in shards, in their order.
    """

    part: RunShare
    wanted: tuple[str, ...]
    options: Options
    program: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]


FORM = FileForm(1, "part", Manifest, Bounds(4 << 20, 12, 200_000, 4000))


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Say that the part is finished. Raises OSError."""
    FORM.write(folder / FILE, manifest)


def read_manifest(folder: Path) -> Manifest:
    """What the finished part in a folder says. Raises BadPart."""
    path = folder / FILE
    if path.is_symlink():
        raise BadPart(f"{path}: {NOT_FOLLOWED}")
    if not path.exists():
        raise BadPart(f"{folder}: no finished part of a run lies there: there is no {FILE}")
    try:
        found = FORM.read(path)
    except BadFile as error:
        raise BadPart(str(error)) from None
    if not 1 <= found.part.number <= found.part.count:
        raise BadPart(f"{path}: part {found.part}")
    return found


# == searching ========================================================================================================
# The shards of one part of a run, searched by this machine.
def search_part(
    claims: Sequence[Heavy], part: RunShare, options: Options, stores: ShardStores, jobs: int, memory: int | None
) -> dict[str, str]:
    """Search the shards of a part, each of which leaves its receipt.

    Return for each claim why its shards were not all searched, or "".  Raises KeyboardInterrupt after Ctrl-C.
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
        return "its process was killed (out of memory?)"
    return f"internal error: {type(answer).__name__}: {answer}"


# == merging ==========================================================================================================
# Whether the parts of a run are one whole run: nothing missing, nothing twice, nothing of something else.
FEW = 20  # problems that are told


def read_parts(folders: Sequence[Path]) -> dict[Path, Manifest]:
    """What the parts say, which is the same question for all, and all its parts. Raises BadPart."""
    found = {folder: read_manifest(folder) for folder in folders}
    if len(found) < len(folders):
        raise BadPart("a folder is named twice")
    first, *others = found.items()
    for folder, manifest in others:
        if replace(manifest, part=first[1].part) != first[1] or manifest.part.count != first[1].part.count:
            raise BadPart(
                f"{folder}: part {manifest.part} of another run than {first[0]}: {_differ(first[1], manifest)}"
            )
    if first[1].program != describe_program():
        raise BadPart(f"{first[0]}: searched by another program: its source, Python or packages are not those here")
    owners: dict[int, Path] = {}
    for folder, manifest in found.items():
        other = owners.setdefault(manifest.part.number, folder)
        if other != folder:
            raise BadPart(f"{other} and {folder}: both are part {manifest.part}")
    missing = [f"{n}/{first[1].part.count}" for n in range(1, first[1].part.count + 1) if n not in owners]
    if missing:
        raise BadPart(f"missing: part {', '.join(missing)}")
    return found


def _differ(one: Manifest, other: Manifest) -> str:
    names = ("wanted", "options", "program", "claims")
    return ", ".join(n for n in names if getattr(one, n) != getattr(other, n)) or "the number of parts"


def check_claims(claims: Sequence[Heavy], parts: dict[Path, Manifest]) -> None:
    """Raises BadPart unless the parts searched these claims, as they read now."""
    now = {x.entry.id: x.claim.digest for x in claims}
    for folder, manifest in parts.items():
        then = dict(manifest.claims)
        other = [id for id in {**now, **then} if now.get(id) != then.get(id)]
        if other:
            raise BadPart(f"{', '.join(other)}: not as {folder} has searched it: it was changed since")


def list_receipts(claims: Sequence[Heavy], parts: dict[Path, Manifest]) -> list[Path]:
    """All receipts of the parts. Raises BadPart, which names those that are missing, altered, or of no shard."""
    found, wrong = list[Path](), list[str]()
    for folder, manifest in parts.items():
        expected = set[Path]()
        for claim in claims:
            for path, problem in _look_through(claim, manifest.part, folder / SHARDS):
                expected.add(path)
                wrong += [problem] if problem else []
        files = dict(list_files(folder, SHARDS))
        wrong += [f"{path}: {NOT_FOLLOWED}" for path, is_link in files.items() if is_link and path not in expected]
        there = {path for path, is_link in files.items() if not is_link}
        wrong += [f"{path}: of no shard of part {manifest.part}" for path in sorted(there - expected)]
        found += sorted(expected & there)
    if wrong:
        raise BadPart("\n".join([*wrong[:FEW], *([f"and {len(wrong) - FEW} more"] if len(wrong) > FEW else [])]))
    return found


def _look_through(claim: Heavy, part: RunShare, folder: Path) -> Iterator[tuple[Path, str]]:
    """The receipts that a part must have of a claim, each with what is wrong with it, or "".

    The part ends with the box in which it has found something.
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


def gather(receipts: Sequence[Path], parts: dict[Path, Manifest], report: Path) -> None:
    """Copy the receipts of all parts into the folder of one report. Raises BadPart, OSError."""
    if (report / SHARDS).exists():
        raise BadPart(f"{report / SHARDS} is there already; expected a folder without the shards of another run")
    for folder in parts:
        base = folder / SHARDS
        for path in receipts:
            if path.is_relative_to(base):
                place = report / SHARDS / path.relative_to(base)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
