"""`load`, `settle`, `run` and `check`: what the commands do, as functions that print and write nothing."""

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
    """The claim that an id or a file names, read, typed and with its proof; of a file with variants its own.

    Raises ClaimError, with the first fault; `check` has them all.
    """
    entry = select((str(claim),))[0]
    return load_claim(entry.path, entry.id)


def settle(claim: str | Path, options: Options | None = None) -> ClaimResult:
    """The result of one claim, as a run has it, its lemmas settled before it.

    A file that cannot be read has the verdict *error*. Raises ClaimError for a word that names nothing.
    """
    return run(claim, options=options).claims[0]


def run(*claims: str | Path, options: Options | None = None, jobs: int = 1) -> RunResult:
    """The results of claims, as `checks run` has them: ids, globs, files, folders; none for the whole library.

    With them come the claims that they rest on.  Nothing is printed, written, or taken from a cache.  Raises
    ClaimError for a word that names nothing, and another NimChecksError where no run can be made.
    """
    settings = Settings(_words(claims), Path(), jobs=jobs, options=options or Options())
    return settle_entries(select_claims(settings).entries, settings)


def settle_entries(entries: Sequence[Entry], settings: Settings | None = None) -> RunResult:
    """The results of claims, and of those that they rest on."""
    started, began = time.monotonic(), datetime.now(UTC).astimezone().isoformat(timespec="minutes")
    settings = settings or Settings(tuple(entry.id for entry in entries), Path())
    every = add_lemmas(entries)
    execution = execute(every, settings.options, settings.jobs, lambda *_: None)
    return make_run_result(settings, every, execution, began, time.monotonic() - started)


def check(*files: str | Path, notes: bool = True) -> tuple[Fault, ...]:
    """All faults of claims and other files, nothing settled; `notes`: and what is only worth a look.

    Raises ClaimError for a word that names nothing.
    """
    entries, others = select_files(_words(files))
    return tuple(check_all(entries, others, notes))


def _words(words: Words) -> tuple[str, ...]:
    return tuple(map(str, words))
