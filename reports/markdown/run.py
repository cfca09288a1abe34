"""Which run it was: when, how long, with what versions, on which claims."""

from __future__ import annotations

from collections.abc import Iterator

from checks.results.model import RunResult
from reports.markdown.text import code, escape


def list_identity(run: RunResult) -> Iterator[str]:
    """What tells the run from others, a line of Markdown each; of what is not known nothing is said."""
    if run.started:
        yield f"started {escape(run.started)}, {run.seconds:.0f} s"
    if run.versions:
        yield ", ".join(f"{escape(name)} {escape(version)}" for name, version in run.versions)
    if run.library:
        yield f"claims with the digest {code(run.library)} (SHA-256)"
    if run.command:
        yield code(run.command)
