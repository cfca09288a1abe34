"""Which run it was: when, how long, with what versions, on which claims."""

from __future__ import annotations

from collections.abc import Iterator

from checks.results.model import RunResult
from reports.markdown.text import code, escape
from reports.wording import clip, say_cached, say_certified


def list_identity(run: RunResult, length: int = 10_000) -> Iterator[str]:
    """What tells the run from others, a line of Markdown each; of what is not known nothing is said.

    `length`: characters of a text that are shown.
    """
    if run.started:
        yield ", ".join(
            x for x in (f"started {escape(run.started)}", f"{run.seconds:.0f} s", say_cached(run.claims)) if x
        )
    if run.versions:
        yield ", ".join(f"{escape(name)} {escape(clip(version, length))}" for name, version in run.versions)
    if told := say_certified(run.claims):
        yield told
    if run.library:
        yield f"claims with the digest {code(run.library)} (SHA-256)"
    if run.command:
        yield code(clip(run.command, length))
