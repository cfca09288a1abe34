"""Symbolic links in the folder of a report: what lies behind one is not of the report, and is not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

NOT_FOLLOWED = "a symbolic link, which is not followed; expected what a run has written"


def find_link(report: Path, path: Path) -> Path | None:
    """The first symbolic link on the way from a folder of reports, which may be one itself, to a path below it.

    None if there is none.
    """
    steps = [path, *path.parents]
    inside = steps[: steps.index(report)] if report in steps else steps
    return next((step for step in reversed(inside) if step.is_symlink()), None)


def list_files(report: Path, folder: str) -> Iterator[tuple[Path, bool]]:
    """All *.json in a folder of a report, in order, and every symbolic link there: with each, whether it is one."""
    root = report / folder
    if root.is_symlink():
        yield root, True
        return
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or path.suffix == ".json":
            yield path, path.is_symlink()
