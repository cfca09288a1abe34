"""`load`, `settle`, `run` and `check`: functions that do the work of the commands, without any output."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from checks.command.files import check_all, select_files
from checks.command.run import Settings, make_run_result, select_claims
from checks.execution.execute import execute
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, Fault, RunResult
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, add_lemmas, select
from encoders.proving.reading import load_claim

Words = tuple[str | Path, ...]


def load(claim: str | Path) -> Claim:
    """Return the claim that an id or a file names, with its proof. For a file with variants, return the main claim.

    Raises ClaimError with the first error of the file; `check` returns all errors.
    """
    entry = select((str(claim),))[0]
    return load_claim(entry.path, entry.id)


def settle(claim: str | Path, options: Options | None = None) -> ClaimResult:
    """Settle one claim, after the lemmas of its proof, and return its result.

    The verdict on an invalid file is *error*. Raises ClaimError if `claim` does not name a claim.
    """
    return run(claim, options=options).claims[0]


def run(*claims: str | Path, options: Options | None = None, jobs: int = 1) -> RunResult:
    """Settle claims like `checks run`, and return the results of the claims and of their lemmas.

    `claims`: ids, globs, files and folders; if empty, the whole library.
    Nothing is printed or written, and no cache is used.
    Raises ClaimError if an argument does not name a claim, or another NimChecksError if the run is not possible.
    """
    settings = Settings(_words(claims), Path(), jobs=jobs, options=options or Options())
    return settle_entries(select_claims(settings).entries, settings)


def settle_entries(entries: Sequence[Entry], settings: Settings | None = None) -> RunResult:
    """Settle claims and their lemmas, and return the results."""
    started, began = time.monotonic(), datetime.now(UTC).astimezone().isoformat(timespec="minutes")
    settings = settings or Settings(tuple(entry.id for entry in entries), Path())
    every = add_lemmas(entries)
    execution = execute(every, settings.options, settings.jobs, lambda *_: None)
    return make_run_result(settings, every, execution, began, time.monotonic() - started)


def check(*files: str | Path, notes: bool = True) -> tuple[Fault, ...]:
    """Return all faults of claims and other files, without settling claims.

    `notes`: whether to include notes. Raises ClaimError if an argument does not name a file or claim.
    """
    entries, others = select_files(_words(files))
    return tuple(check_all(entries, others, notes))


def _words(words: Words) -> tuple[str, ...]:
    return tuple(map(str, words))
