"""Options that several commands share, and the parsers of option values, such as times, sizes and bounds.

A parser raises click.BadParameter for a value that it does not accept.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from claims.language.errors import ClaimError, escape_invisible

if TYPE_CHECKING:
    from checks.execution.parts import RunShare
    from checks.results.shown import Json
    from claims.language.files.library import Entry
    from claims.language.files.toml import Read

DEFAULT_REPORT = Path("reports/out")
FILES_OF_REPORTS = (".html", ".htm", ".json", ".md", ".xml", ".sarif", ".toml")
_TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)?")


class Folder(click.Path):
    """A path of a folder, which need not exist yet.

    A path with the suffix of a report file is refused, unless this folder exists.
    """

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)
        self.name = "folder"  # for `--help`

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        path = Path(value)
        if path.suffix.lower() in FILES_OF_REPORTS and not path.is_dir():
            self.fail(f"{str(path)!r} looks like a file; expected a folder, such as {DEFAULT_REPORT}", param, ctx)
        return super().convert(value, param, ctx)


FOLDER = Folder()
LEAST_MEMORY = 64 << 20
_Command = TypeVar("_Command", bound=Callable[..., object])


def is_budget(value: str) -> bool:
    """Return whether a text is a time, such as 60s, or `none`."""
    return value == "none" or _TIME.fullmatch(value) is not None


def read_budget(_: click.Context, __: click.Parameter, value: str) -> float | None:
    """Return a time in seconds; None for `none`."""
    if value == "none":
        return None
    match = _TIME.fullmatch(value)
    if not match:
        raise click.BadParameter(f"{value!r} is not a time; expected none, or a time such as 60s, 500ms, 2m or 1h")
    return float(match[1]) * {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}[match[2]]


def read_overrides(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs (name, range) of the option --set."""
    if not values:
        return ()
    from checks.judgement.scopes import BadOverride, read_override

    try:
        return tuple(read_override(value) for value in values)
    except BadOverride as error:
        raise click.BadParameter(str(error)) from None


def read_routes(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of routes unchanged. Raises click.BadParameter if there is no route of one of these names."""
    if not values:
        return values
    from checks.results.model import SEARCHES
    from encoders.proving.registry import PROVERS

    known = (*SEARCHES, *PROVERS)
    for value in values:
        if value not in known:
            raise click.BadParameter(f"{value!r} is not a route; expected {', '.join(known[:-1])} or {known[-1]}")
    return values


def read_renamings(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return {old name: new name} from texts OLD=NEW."""
    found = {}
    for value in values:
        old, sign, new = value.partition("=")
        if not (old and sign and new):
            raise click.BadParameter(f"{value!r} does not name two routes; expected OLD=NEW")
        found[old] = new
    return found


def read_part(_: click.Context, __: click.Parameter, value: str | None) -> RunShare | None:
    """Return the part I of N that `I/N` names."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", value)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{value!r} is not a part; expected I/N, such as 1/8 for the first of eight parts")
    from checks.execution.parts import RunShare

    return RunShare(int(match[1]), int(match[2]))


def add_budget_option(help: str, default: str = "60s") -> Callable[[_Command], _Command]:
    """Return the option --budget: seconds, or None for no limit."""
    return click.option("--budget", metavar="TIME", default=default, show_default=True, callback=read_budget, help=help)


def read_memory(_: click.Context, __: click.Parameter, value: str) -> int | None:
    """Return a size in bytes; None for `none`."""
    if value == "none":
        return None
    match = re.fullmatch(r"(\d{1,9})(M|G)", value)
    most = int(match[1]) << {"M": 20, "G": 30}[match[2]] if match else 0
    if most < LEAST_MEMORY:
        raise click.BadParameter(
            f"{value!r} is not a size of at least 64M; expected none, or a size such as 512M or 2G"
        )
    return most


def add_memory_option(command: _Command) -> _Command:
    """Add the option --memory: bytes, or None for no limit."""
    help = "Limit the memory of each process that settles or checks claims: 512M, 2G, or none. Linux only."
    return click.option("--memory", metavar="SIZE", default="2G", show_default=True, callback=read_memory, help=help)(
        command
    )


WORSE = "worse"
FAIL_ON = click.option(
    "--fail-on",
    type=click.Choice(["any", WORSE]),
    default="any",
    show_default=True,
    help="Choose which differences lead to a nonzero exit code: all, or only claims that became worse.",
)
AS_DATA = click.option("--json", "as_data", is_flag=True, help="Print JSON.")
JOBS = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    metavar="N",
    default=None,
    help="Number of worker processes.  [default: the number of cores]",
)
TITLE = click.option("--title", default="", metavar="TEXT", help="Title of the reports, printed before the counts.")

SHOWING = (
    TITLE,
    click.option(
        "--verbose",
        "-v",
        is_flag=True,
        help="Print for each claim how it was settled: the engines, and why other engines were not used.",
    ),
    click.option("--quiet", "-q", is_flag=True, help="Print lines only for claims that fail."),
    click.option("--exit-first", "-x", is_flag=True, help="Stop at the first claim that fails."),
    click.option("--last-failed", is_flag=True, help="Settle only the claims that failed in the latest run."),
    click.option("--slowest", type=click.IntRange(0), default=0, metavar="N", help="List the N slowest claims."),
    click.option("--open", "opened", is_flag=True, help="Open the report in a browser."),
)
"""Options for the output of a run, and for the claims that it settles. No verdict depends on them."""

IN_REPOSITORY = (
    click.option(
        "--changed",
        is_flag=True,
        help="Treat the arguments as changed or deleted files, and settle only the claims in the current folder and "
        "its "
        "subfolders that depend on these files. Without arguments, settle no claim.",
    ),
    click.option(
        "--against",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="OLD.json",
        default=None,
        help="Compare with the report.json of an earlier run, and print the differences.",
    ),
    FAIL_ON,
    click.option("--no-report", "written", is_flag=True, flag_value=False, default=True, help="Write no reports."),
)
"""Options for claims in a repository: which claims are settled, and which differences lead to a nonzero exit code."""

WHERE = (
    JOBS,
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        default="",
        help="Settle the claims on the workers of the Dask scheduler at tcp://HOST:PORT, instead of in local "
        "processes.",
    ),
    click.option(
        "--shard",
        "part",
        metavar="I/N",
        default=None,
        callback=read_part,
        help="For claims with a very large scope, search only part I of N of the scope. Merge the parts with "
        "`checks run --merge`.",
    ),
    click.option(
        "--report",
        type=FOLDER,
        default=DEFAULT_REPORT,
        show_default=True,
        help="Folder for the reports (index.html, summary.md, report.md, report.json, junit.xml, report.sarif) and "
        "the receipts.",
    ),
)
"""Options for where claims are settled, and where the reports are written."""


def read_claims(words: tuple[str, ...], read: Read | None = None) -> tuple[Entry, ...]:
    """Return the claims that the arguments of a command name.

    If an argument does not name a claim, print the error and end the program with exit code 2.
    """
    from claims.language.files.library import select

    try:
        return select(words) if read is None else select(words, read)
    except ClaimError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def print_line(line: str, err: bool = True) -> None:
    """Print one line: on stderr by default, or on stdout. The line is not wrapped."""
    click.echo(escape_invisible(line), err=err)


def print_data(data: Json) -> None:
    """Print JSON, for programs."""
    import json

    from checks.command.output import say

    say(escape_invisible(json.dumps(data, indent=2, ensure_ascii=False)))
