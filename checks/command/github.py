"""Output for a GitHub workflow. GitHub executes some lines as commands, and needs paths relative to the repository."""

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
    """Make GitHub treat the output as plain text, even if a claim file contains lines that look like commands."""
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        yield
    finally:
        say(f"::{token}::")


def find_repository(here: Path | None = None) -> Repository:
    """Return the repository that contains the folder `here`, by default the working folder; NOWHERE if there is none.

    The root is the nearest folder with `.git`: `here` or a parent of `here`. If there is no such folder, the root is
    the folder of the GitHub workflow, if this folder contains `here`.
    """
    folder = Path(os.path.realpath(here or Path.cwd()))
    for root in (folder, *folder.parents):
        if (root / ".git").exists():
            return Repository(str(root), str(folder))
    named = os.environ.get("GITHUB_WORKSPACE", "")
    root = Path(os.path.realpath(named))
    return Repository(str(root), str(folder)) if named and folder.is_relative_to(root) else NOWHERE
