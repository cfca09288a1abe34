"""Which claims were not in order in the last run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from checks.terminal.output import warn
from claims.language.library.entries import Entry, select
from claims.language.toml.source import display_path
from reports.comparison.reading import Claim as ReportedClaim
from reports.comparison.reading import is_ordered, load_report


def keep_failed(selected: tuple[Entry, ...], folders: tuple[Path, ...], *, whole: bool) -> tuple[Entry, ...]:
    """Those that were not in order in the last run whose report lies in one of the folders.

    `whole`: also those that it had of files outside the library, since no claims were named.  All of `selected` where
    there is no such run, or all that it had of them were in order.  Raises NotAReport, ClaimError.
    """
    kept = [path for folder in folders if (path := folder / "report.json").is_file()]
    if not kept:
        warn(f"--last-failed: there is no report in {folders[0]}; all are run")
        return selected
    last = max(kept, key=lambda path: path.stat().st_mtime)
    known = load_report(last).claims
    found = (*selected, *_find_own(known, selected)) if whole else selected
    failed = tuple(entry for entry in found if entry.id in known and not is_ordered(known[entry.id]))
    if not failed:
        warn(f"--last-failed: by {display_path(last)} all are in order; all are run")
    return failed or selected


def _find_own(known: Mapping[str, ReportedClaim], selected: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """What the files hold whose claims a report has as not in order, those among `selected` left out."""
    ids = {entry.id for entry in selected}
    files = dict.fromkeys(str(c.get("file")) for id, c in known.items() if id not in ids and not is_ordered(c))
    there = tuple(file for file in files if Path(file).is_file())
    return tuple(entry for entry in select(there) if entry.id not in ids) if there else ()
