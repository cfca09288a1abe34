"""What commands share; and what stands on the command line, read: times, overrides, routes, parts, renamings.

Click says it where that cannot be.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from checks.results.verdicts import EXIT_CODES
from claims.language.errors import ClaimError, escape_invisible

if TYPE_CHECKING:
    from checks.execution.parts import RunShare
    from checks.results.shown import Json
    from claims.language.files.library import Entry
    from claims.language.files.toml import Read

DEFAULT_REPORT = Path("reports/out")
FILES_OF_REPORTS = (".html", ".htm", ".json", ".md", ".xml", ".sarif", ".toml")


class Folder(click.Path):
    """A folder, whether it is there or not; nothing that is called as a file of a report is."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        path = Path(value)
        if path.suffix.lower() in FILES_OF_REPORTS and not path.is_dir():
            self.fail(f"{str(path)!r} is called as a file; expected a folder, such as {DEFAULT_REPORT}", param, ctx)
        return super().convert(value, param, ctx)


FOLDER = Folder(file_okay=False, path_type=Path)
LEAST_MEMORY = 64 << 20
_CODES = "\n".join(f"  {code}  {meaning}" for code, meaning in EXIT_CODES.items())
_Command = TypeVar("_Command", bound=Callable[..., object])
EPILOG = f"\b\nExit codes:\n{_CODES}"


def read_budget(_: click.Context, __: click.Parameter, value: str) -> float | None:
    if value == "none":
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)?", value)
    if not match:
        raise click.BadParameter(f"{value!r} is no time; expected 60s, 500ms, 2m, 1h or none")
    return float(match[1]) * {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}[match[2]]


def read_overrides(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    if not values:
        return ()
    from checks.judgement.scopes import BadOverride, read_override

    try:
        return tuple(read_override(value) for value in values)
    except BadOverride as error:
        raise click.BadParameter(str(error)) from None


def read_routes(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        return values
    from checks.results.model import SEARCHES
    from encoders.proving.registry import PROVERS

    known = (*SEARCHES, *PROVERS)
    for value in values:
        if value not in known:
            raise click.BadParameter(f"{value!r} is no route; expected {', '.join(known[:-1])} or {known[-1]}")
    return values


def read_renamings(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for value in values:
        old, sign, new = value.partition("=")
        if not (old and sign and new):
            raise click.BadParameter(f"{value!r} renames nothing; expected OLD=NEW")
        found[old] = new
    return found


def read_part(_: click.Context, __: click.Parameter, value: str | None) -> RunShare | None:
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", value)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{value!r} is no part; expected 1/8 for the first of eight, and so on to 8/8")
    from checks.execution.parts import RunShare

    return RunShare(int(match[1]), int(match[2]))


def add_budget_option(help: str, default: str = "60s") -> Callable[[_Command], _Command]:
    """The option --budget, in seconds; None is no limit."""
    return click.option("--budget", metavar="TIME", default=default, show_default=True, callback=read_budget, help=help)


def read_memory(_: click.Context, __: click.Parameter, value: str) -> int | None:
    if value == "none":
        return None
    match = re.fullmatch(r"(\d{1,9})(M|G)", value)
    most = int(match[1]) << {"M": 20, "G": 30}[match[2]] if match else 0
    if most < LEAST_MEMORY:
        raise click.BadParameter(f"{value!r} is no amount of memory from 64M on; expected 512M, 2G or none")
    return most


def add_memory_option(command: _Command) -> _Command:
    """The option --memory, in bytes; None is no limit."""
    help = "Memory for each process that settles or checks claims: 512M, 2G, or none. Linux only."
    return click.option("--memory", metavar="SIZE", default="2G", show_default=True, callback=read_memory, help=help)(
        command
    )


WORSE = "worse"
FAIL_ON = click.option(
    "--fail-on",
    type=click.Choice(["any", WORSE]),
    default="any",
    show_default=True,
    help="What ends in an exit code other than 0: anything, or only what is worse than in the older report.",
)
AS_DATA = click.option("--json", "as_data", is_flag=True, help="Print JSON.")
JOBS = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    default=None,
    help="Worker processes.  [default: the number of cores]",
)
TITLE = click.option(
    "--title", default="", metavar="TEXT", help="What the reports call the run, in front of its counts."
)

SHOWING = (
    TITLE,
    click.option(
        "--verbose",
        "-v",
        is_flag=True,
        help="A line for each claim, and how it was settled.",
    ),
    click.option("--quiet", "-q", is_flag=True, help="Lines only for claims that are not in order."),
    click.option("--exit-first", "-x", is_flag=True, help="Stop at the first claim that is not in order."),
    click.option(
        "--last-failed", is_flag=True, help="Only those of the claims that were not in order in the report's last run."
    ),
    click.option("--slowest", type=click.IntRange(0), default=0, metavar="N", help="Name the N slowest claims."),
    click.option("--open", "opened", is_flag=True, help="Open the page of the report in a browser."),
)
"""What a run shows and where it stops; no verdict depends on it."""

IN_REPOSITORY = (
    click.option(
        "--changed",
        is_flag=True,
        help="The words are files that have changed, or are gone: settle the claims in this folder that depend on one "
        "of them; without words, none.",
    ),
    click.option(
        "--against",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="OLD.json",
        default=None,
        help="Say what differs from an older report.json.",
    ),
    FAIL_ON,
    click.option("--no-report", "written", is_flag=True, flag_value=False, default=True, help="Write no reports."),
)
"""For claims in a repository: which of them, and what is red there."""

WHERE = (
    JOBS,
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        default="",
        help="Instead of processes here, the workers of the Dask scheduler at tcp://HOST:PORT.",
    ),
    click.option(
        "--shard",
        "part",
        metavar="I/N",
        default=None,
        callback=read_part,
        help="Search the Ith of N parts of what is very large, and no more; then: checks merge.",
    ),
    click.option(
        "--report",
        type=FOLDER,
        default=DEFAULT_REPORT,
        show_default=True,
        help="Where the reports (index.html, summary.md, report.md, report.json, junit.xml, report.sarif) and the "
        "receipts go.",
    ),
)
"""Who settles, and where what comes of it goes."""


def read_claims(words: tuple[str, ...], read: Read | None = None) -> tuple[Entry, ...]:
    """The claims that words of the command line name, as `select` has it; a word that names none ends the program."""
    from claims.language.files.library import select

    try:
        return select(words) if read is None else select(words, read)
    except ClaimError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def print_line(line: str, err: bool = True) -> None:
    """Print one line whole, however long it is: on stderr, where it tells how work goes on."""
    click.echo(escape_invisible(line), err=err)


def print_data(data: Json) -> None:
    """Print JSON, for programs."""
    import json

    from checks.command.output import say

    say(escape_invisible(json.dumps(data, indent=2, ensure_ascii=False)))
