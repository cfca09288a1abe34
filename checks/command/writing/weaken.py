"""`find CLAIM --weaken`: what says more than a claim, or under which condition a refuted one holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from claims.language.ground.writing import write_file

if TYPE_CHECKING:
    from checks.execution.families.weakened import Weakened
    from checks.results.values import Json
    from claims.language.library.entries import Entry
    from encoders.exhaustive.arrays.limits import Deadline

MARK = "-weaker"  # what is made is read as if it stood beside the claim, in a file that is called so


def find_weaker(entry: Entry, out: Path | None, as_data: bool, clock: Deadline) -> int:
    """Search, and write or print the claim file that was found; the exit code. Raises ClaimError, Unsupported."""
    from checks.execution.families.weakened import Weakened, weaken
    from checks.results.phrases import escape_invisible
    from claims.language.ground.errors import ClaimError, SourceLocation
    from encoders.proving.reading import load_claim

    if out is not None and not out.parent.is_dir():
        raise ClaimError(SourceLocation(str(out)), "there is no such folder", "a file in a folder that is there")
    found = Weakened()
    at = out if out is not None else entry.path.with_name(f"{entry.path.stem}{MARK}.toml")

    def tell(line: str) -> None:
        click.echo(escape_invisible(line), err=True)

    try:
        weaken(load_claim(entry.path, entry.id), entry.path, at, clock, tell, found)
    except KeyboardInterrupt:
        found.stopped = "interrupted"
    if found.text and out is not None:
        write_file(out, found.text)
    if as_data:
        _print(entry, found)
    else:
        if found.text and out is None:
            click.echo(found.text, nl=False)
        click.echo(escape_invisible(_say(found)), err=out is None)
    return 0 if found.proved else 1 if found.text else 3


def _say(found: Weakened) -> str:
    from checks.results.phrases import verdict_phrase

    stopped = f"; {found.stopped}" if found.stopped else ""
    if found.result is None:
        return f"nothing found; changes that were tried: {len(found.tried)}{stopped}"
    rest = "" if found.proved else "; no proof was found of what holds"
    return f"{verdict_phrase(found.result)}: {', '.join(found.changes)}{rest}{stopped}"


def _print(entry: Entry, found: Weakened) -> None:
    from checks.command.options.values import print_data
    from checks.terminal.data import to_data

    tried = ({"change": x.words, "verdict": x.verdict.value, "detail": x.detail, "cases": x.met} for x in found.tried)
    verdict = found.result.verdict.value if found.result is not None else ""
    more: dict[str, Json] = {"claim": entry.id, "verdict": verdict, "changes": list(found.changes), "file": found.text}
    print_data(to_data("tried", tried, **more, stopped=found.stopped))
