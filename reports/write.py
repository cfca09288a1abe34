"""The reports of a run, put into a folder: all of them or, if one cannot be written, a clear error."""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from checks.results.model import RunResult
from claims.language.ground.errors import NimChecksError
from reports.ci.junit import to_junit
from reports.ci.sarif import to_sarif
from reports.ground.json_report import to_json
from reports.html import Remember, make_anew, make_pages, to_html
from reports.markdown.summary import to_summary
from reports.markdown.whole import to_markdown


class ReportNotWritten(NimChecksError, OSError):
    """A report could not be written; the message names the folder or file and the reason."""


INTERRUPTED = "interrupted"
"""The folder, inside that of the reports, for those of a run that was stopped."""

RENDERINGS: dict[str, Callable[[RunResult], str]] = {
    "report.json": to_json,
    "summary.md": to_summary,
    "report.md": to_markdown,
    "index.html": to_html,
    "junit.xml": to_junit,
    "report.sarif": to_sarif,
}


def find_folder(run: RunResult, folder: Path) -> Path:
    """Where the reports of a run go: into `folder`; into one inside it, if they would replace whole ones by a part."""
    if not run.interrupted:
        return folder
    try:
        there = json.loads((folder / "report.json").read_text("utf-8", "replace"))
    except FileNotFoundError:
        return folder
    except (OSError, ValueError, RecursionError):
        return folder / INTERRUPTED  # whatever it is, it is not ours to replace
    about = there.get("run") if isinstance(there, dict) else None
    return folder if isinstance(about, dict) and about.get("interrupted") is True else folder / INTERRUPTED


def write_reports(run: RunResult, folder: Path, remember: Remember = make_anew) -> dict[str, Path]:
    """Write each of RENDERINGS and all pages into `folder`, which is created, and return name -> path.

    Everything is rendered before anything is written, and a file is replaced only by a complete one: whoever reads
    the folder while it is being written finds the old report or the new one. `remember`: as in `to_html`.
    Raises `ReportNotWritten`.
    """
    texts = {name: render(run) for name, render in RENDERINGS.items() if render is not to_html}
    texts |= make_pages(run, remember)
    waiting: dict[Path, Path] = {}
    at = folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            at = folder / name
            if at.parent != folder:
                _make_folder(at.parent, folder)
            waiting[at.with_name(f".{at.name}.{secrets.token_hex(4)}.tmp")] = at
            _store(list(waiting)[-1], text, last=name in RENDERINGS)
        for temporary, at in waiting.items():
            temporary.replace(at)
    except OSError as error:
        raise ReportNotWritten(f"cannot write the report {at}: {error.strerror or error}") from error
    finally:
        _discard(waiting)
    return {name: folder / name for name in texts}


def _make_folder(wanted: Path, folder: Path) -> None:
    """Make a folder inside that of the reports; nothing is written through a symbolic link there."""
    for step in reversed([wanted, *wanted.parents][: len(wanted.relative_to(folder).parts)]):
        if step.is_symlink():
            raise OSError(errno.ELOOP, "a symbolic link, which is not followed", str(step))
        step.mkdir(exist_ok=True)


def _store(path: Path, text: str, last: bool) -> None:
    """Write a file that is not there yet. `last`: it is on the disk before this returns; pages can be made again."""
    # A file name that is not UTF-8 reaches us with lone surrogates: \udcxx is valid in JSON and harmless elsewhere.
    with path.open("xb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))
        if last:
            file.flush()
            os.fsync(file.fileno())


def _discard(waiting: dict[Path, Path]) -> None:
    for temporary in waiting:
        try:
            temporary.unlink(missing_ok=True)
        except OSError:
            return  # the folder itself is out of reach, and that error is on its way already
