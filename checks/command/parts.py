"""`run --shard I/N` and `run --merge`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from checks.command.output import say, warn
from checks.command.run import BAD_CHOICE, Settings, open_stores, refuse_folder, run_claims, select_claims
from checks.execution.limits import MOST
from checks.execution.parts import (
    FILE,
    BadPart,
    Manifest,
    RunShare,
    check_claims,
    gather,
    list_heavy,
    list_receipts,
    read_parts,
    search_part,
    write_manifest,
)
from checks.execution.shards import SHARDS, describe_program
from claims.language.interrupts import EXIT_CODE, Phase, end, entering_phase


def run_part(settings: Settings, part: RunShare) -> int:
    """Search the shards of one part of a run, and record in its folder that the part is finished.

    Return the exit code.
    """
    try:
        with entering_phase(Phase.WORKING):
            return _run_part(settings, part)
    except KeyboardInterrupt:
        warn(f"interrupted: part {part} is unfinished; to continue, repeat the command with --resume")
        return EXIT_CODE


def _run_part(settings: Settings, part: RunShare) -> int:
    """Do the work of `run_part`, and return the exit code. Raises KeyboardInterrupt after a signal."""
    try:
        entries, options = select_claims(settings).entries, settings.options
        refuse_folder(settings.report)
    except BAD_CHOICE as error:
        return _fail(str(error))
    claims = list_heavy(entries, options)
    if not claims:
        return _fail("none of the claims has a scope that is large enough for shards; run the claims without --shard")
    folder = settings.report
    try:
        (folder / FILE).unlink(missing_ok=True)
        found = search_part(claims, part, options, open_stores(settings), settings.jobs, settings.memory)
        for id, obstacle in found.items():
            say(f"{id}: {obstacle or f'part {part} searched'}")
        if any(found.values()):
            warn(f"part {part} is unfinished; to continue, repeat the command with --resume")
            return 3
        digests = tuple((x.entry.id, x.claim.digest) for x in claims)
        asked = replace(options, budget=None)
        end()
        write_manifest(Manifest(part, settings.wanted, asked, describe_program(), digests), folder)
    except OSError as error:
        return _fail(f"cannot read or write {error.filename or folder}: {error.strerror or error}")
    others = len(entries) - len(claims)
    say(f"no verdict yet: `checks run --merge` computes it from all {part.count} parts" + _tell_light(others))
    return 0


def _tell_light(count: int) -> str:
    return f", and settles {count} light claim{'s' * (count != 1)}" if count else ""


def merge_parts(
    folders: tuple[Path, ...], report: Path, jobs: int, cache: bool, budget: float | None, memory: int | None = MOST
) -> int:
    """Check that the parts form one complete run, settle its claims, and write the reports. Return the exit code."""
    try:
        refuse_folder(report)
        parts = read_parts(folders)
        settings = _settings_of(next(iter(parts.values())), report, jobs, cache, budget, memory)
        claims = list_heavy(select_claims(settings).entries, settings.options)
        check_claims(claims, parts)
        receipts = list_receipts(claims, parts)
        gather(receipts, report)
    except (BadPart, *BAD_CHOICE) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"cannot read or write {error.filename or report}: {error.strerror or error}")
    say(f"merged: {len(receipts)} shards of {len(parts)} parts")
    code = run_claims(settings)
    searched = sum(1 for _ in (report / SHARDS).rglob("*.json")) - len(receipts)
    if searched:
        reason = "they may contain an earlier counterexample or witness than the shards that were searched before"
        say(f"searched during the merge: {searched} shards, because {reason}")
    return code


def _settings_of(
    manifest: Manifest, report: Path, jobs: int, cache: bool, budget: float | None, memory: int | None
) -> Settings:
    """Return the settings of the merged run, from the manifest of a part and the given options."""
    options = replace(manifest.options, budget=budget)
    return Settings(manifest.wanted, report, jobs, options, cache=cache, resume=True, memory=memory)


def _fail(why: str) -> int:
    warn(f"nothing is reported: {why}")
    return 2
