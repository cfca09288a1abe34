"""What is printed inside a workflow of GitHub, which takes some lines for commands and names files from the root."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checks.command.output import say
from checks.results.model import NOWHERE, Repository


@contextmanager
def disabling_commands() -> Iterator[None]:
    """Whatever is printed inside is text to GitHub, even where a claim file has lines that look like commands."""
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        yield
    finally:
        say(f"::{token}::")


def find_repository(here: Path | None = None) -> Repository:
    """The repository in which a folder lies, the working folder for None. Nothing is asked of git.

    Its root is the nearest folder upwards with a `.git`; without one, that of a workflow of GitHub.
    """
    folder = Path(os.path.realpath(here or Path.cwd()))
    for root in (folder, *folder.parents):
        if (root / ".git").exists():
            return Repository(str(root), str(folder))
    named = os.environ.get("GITHUB_WORKSPACE", "")
    root = Path(os.path.realpath(named))
    return Repository(str(root), str(folder)) if named and folder.is_relative_to(root) else NOWHERE
