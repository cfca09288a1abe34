"""Write the reports of a run into a folder: all of them, or none and a clear error."""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from checks.results.model import RunResult
from claims.language.errors import NimChecksError
from claims.language.interrupts import Phase, entering_phase
from reports.ci import to_junit, to_sarif
from reports.html import Remember, make_anew, make_pages, to_html
from reports.markdown import to_markdown, to_summary
from reports.model.json_report import to_json


class ReportNotWritten(NimChecksError, OSError):
    """An error: a report could not be written. The message names the folder or file and the reason."""


INTERRUPTED = "interrupted"
"""The folder for the report of a stopped run, inside the folder of the reports."""

STAGING = ".writing-"
"""The prefix of the name of a folder in which a report is being written."""

UNPLACED = "unplaced"
"""The prefix of the folder for a report that could not replace the old one, inside the folder of the reports."""

FOLDERS = ("certificates", "claims", "proofs", "receipts", "smt2", "sources")
"""The folders inside a report. A run checks first that it can write into existing ones."""

RENDERINGS: dict[str, Callable[[RunResult], str]] = {
    "report.json": to_json,
    "summary.md": to_summary,
    "report.md": to_markdown,
    "index.html": to_html,
    "junit.xml": to_junit,
    "report.sarif": to_sarif,
}


def find_folder(run: RunResult, folder: Path) -> Path:
    """Return the folder into which the reports of a run should be written: usually `folder`.

    An interrupted run must not replace the report of a complete run, or a report.json that cannot be read. In this
    case, return `folder / INTERRUPTED`.
    """
    if not run.interrupted:
        return folder
    try:
        there = json.loads((folder / "report.json").read_text("utf-8", "replace"))
    except FileNotFoundError:
        return folder
    except (OSError, ValueError, RecursionError):
        return folder / INTERRUPTED  # an unknown file must not be replaced
    about = there.get("run") if isinstance(there, dict) else None
    return folder if isinstance(about, dict) and about.get("interrupted") is True else folder / INTERRUPTED


def check_folder(folder: Path) -> None:
    """Raise ReportNotWritten if a report cannot be written into a folder. The message states what to do.

    To find this out, create the temporary folder that writing a report would need, and remove it again.
    """
    try:
        with _staging(folder) as staging:
            (staging / "report.json").write_bytes(b"{}\n")
        for name in FOLDERS:
            for at, _, _ in os.walk(folder / name):
                if not os.access(at, os.W_OK | os.X_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), at)
    except OSError as error:
        raise ReportNotWritten(f"no report can be written to {folder}: {_explain(folder, error)}") from error


def _explain(folder: Path, error: OSError) -> str:
    """Return the reason why nothing can be written to a folder, and how to choose another folder.

    `error`: the error of the attempt to write.
    """
    instead = "choose a folder that can be written, with --report FOLDER"
    for path in reversed([folder, *folder.parents]):
        with suppress(OSError):
            if path.is_symlink() and not path.exists():
                return f"{path} is a symbolic link that leads nowhere; {instead}"
            if path.exists() and not path.is_dir():
                return f"{path} is a file; {instead}"
    at = str(error.filename or folder)
    where = "" if at == str(folder) or STAGING in at else f"{at}: "
    return f"{where}{error.strerror or error}; {instead}"


def write_reports(
    run: RunResult, folder: Path, remember: Remember = make_anew, more: Callable[[NewReport], None] = lambda _: None
) -> dict[str, Path]:
    """Write all reports of a run into `folder`, and return the path of each file by its name, such as "report.json".

    The folder is created if necessary. An older report in it is replaced completely or not at all, as in `replacing`.
    `remember`: as in `to_html`.
    `more`: a function that writes further files into the new report, such as certificates.
    Raises ReportNotWritten.
    """
    texts = {name: render(run) for name, render in RENDERINGS.items() if render is not to_html}
    texts |= make_pages(run, remember)
    with replacing(folder) as new:
        for name, text in texts.items():
            at = new.path / name
            at.parent.mkdir(parents=True, exist_ok=True)
            _store(at, text, last=name in RENDERINGS)
        more(new)
    return {name: folder / name for name in texts}


@dataclass(frozen=True)
class NewReport:
    """A report that is being written in a temporary folder.

    `path`: this folder.
    `gone`: the relative paths of files and folders that must be removed from the older report.
    """

    path: Path
    gone: list[Path] = field(default_factory=list)


@contextmanager
def replacing(folder: Path) -> Iterator[NewReport]:
    """Yield a new report to fill. At the end of the `with` block, the new report replaces the report in `folder`.

    The new report is written into a temporary folder. If `folder` does not exist, the temporary folder is renamed to
    `folder`. Otherwise each new file replaces the old file of the same name, and other files are kept. Signals are
    handled only after all files are replaced.

    If the block raises an exception, nothing is replaced. If a file cannot be replaced, all old files are put back, and
    the new report is kept in another folder inside `folder`. In both cases, an OSError becomes ReportNotWritten.
    """
    staging = folder
    try:
        with _staging(folder) as staging:
            new = NewReport(staging / "new")
            new.path.mkdir()
            yield new
            with entering_phase(Phase.HOLDING):
                _move_in(new, folder, staging / "old")
    except OSError as error:
        if isinstance(error, ReportNotWritten):
            raise
        at = Path(error.filename or folder)
        with suppress(ValueError):
            at = folder / at.relative_to(staging / "new")
        raise ReportNotWritten(f"cannot write the report {at}: {error.strerror or error}") from error


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """Yield an empty temporary folder on the same file system as `folder`, and remove it at the end of the block.

    Missing parent folders of `folder` are created. At the end, those that are still empty are removed.
    """
    made, at = list[Path](), None
    try:
        _make_folders(folder.parent, made)
        at = (folder if folder.is_dir() else folder.parent) / f"{STAGING}{secrets.token_hex(4)}"
        at.mkdir()
        if not folder.is_dir():
            folder.mkdir()  # it may be a file, or its name too long
            folder.rmdir()
        yield at
    finally:
        with entering_phase(Phase.HOLDING):
            if at is not None:
                shutil.rmtree(at, ignore_errors=True)
            _remove_empty(made)


def _make_folders(folder: Path, made: list[Path]) -> None:
    """Create a folder and its missing parents, and append each new folder to `made`."""
    for path in [path for path in (folder, *folder.parents) if not path.exists()][::-1]:
        path.mkdir()
        made.append(path)


def _remove_empty(made: Sequence[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):
            path.rmdir()


def _move_in(new: NewReport, folder: Path, old: Path) -> None:
    """Move the files of a new report into `folder`, and the files that they replace into the folder `old`.

    If this fails, put the old files back and raise the error. After an OSError, keep the new report in a folder inside
    `folder`, and raise ReportNotWritten.
    """
    if not folder.is_dir():
        new.path.replace(folder)
        return
    files = [path.relative_to(new.path) for path in sorted(new.path.rglob("*")) if not path.is_dir()]
    gone = dict.fromkeys(name for name in new.gone if not (new.path / name).exists())
    made, moved = list[Path](), list[tuple[Path, Path]]()

    def move(source: Path, target: Path) -> None:
        source.replace(target)
        moved.append((source, target))

    try:
        for name in (*files, *gone):
            target, kept = folder / name, old / name
            _refuse_place(folder, target, name not in gone)
            if os.path.lexists(target):
                kept.parent.mkdir(parents=True, exist_ok=True)
                if name in gone or not _link(target, kept):
                    move(target, kept)
                else:
                    moved.append((target, kept))  # readers find the old file until the new one replaces it
            if name not in gone:
                _make_folders(target.parent, made)
                move(new.path / name, target)
    except BaseException as error:
        for source, target in reversed(moved):
            target.replace(source)
        _remove_empty(made)
        if not isinstance(error, OSError):
            raise
        kept = folder / f"{UNPLACED}-{secrets.token_hex(4)}"
        new.path.replace(kept)
        at, why = error.filename2 or error.filename, error.strerror or error
        raise ReportNotWritten(f"cannot write the report {at}: {why}; the report of this run is in {kept}") from error


def _refuse_place(folder: Path, target: Path, file: bool) -> None:
    """Raise OSError if `target` must not be replaced.

    This is so if a folder between `folder` and `target` is a symbolic link, or if a file would replace a folder.
    `file`: whether a new file is to replace `target`.
    """
    for path in reversed(target.parents):
        if folder in path.parents and path.is_symlink():
            raise OSError(errno.ELOOP, "a symbolic link, which is not followed", str(path))
    if file and target.is_dir() and not target.is_symlink():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))


def _link(target: Path, kept: Path) -> bool:
    """Create the hard link `kept` to the file `target`. Return False if this is not possible."""
    try:
        os.link(target, kept, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return False
    return True


def _store(path: Path, text: str, last: bool) -> None:
    """Write a text into a new file.

    `last`: whether to wait until the file is on the disk, so that it survives a crash of the computer.
    """
    # A file name that is not UTF-8 reaches us with lone surrogates: \udcxx is valid in JSON and harmless elsewhere.
    with path.open("xb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))
        if last:
            file.flush()
            os.fsync(file.fileno())
