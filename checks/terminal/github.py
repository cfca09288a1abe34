"""What is printed inside a workflow of GitHub, which takes some lines for commands."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from checks.terminal.output import say


@contextmanager
def without_commands() -> Iterator[None]:
    """Whatever is printed inside is text to GitHub, even where a claim file has lines that look like commands."""
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        yield
    finally:
        say(f"::{token}::")
