"""Whether the parts of a run are one whole run: nothing missing, nothing twice, nothing of something else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from checks.execution.ground.sealed import BadFile
from checks.execution.parts.manifest import BadPart, Manifest, read_manifest
from checks.execution.parts.share import Heavy, RunShare, find_deciding
from checks.execution.shards.store import SHARDS, ShardStore, describe_program
from checks.receipts.links import NOT_FOLLOWED, list_files
from encoders.exhaustive.cover import ShardOutcome

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
