"""What commands share; and what stands on the command line, read: times, overrides, routes, parts, renamings.

Click says it where that cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from checks.results.verdicts import EXIT_CODES

if TYPE_CHECKING:
    from checks.execution.parts.share import Part

DEFAULT_REPORT = Path("reports/out")
FOLDER = click.Path(file_okay=False, path_type=Path)
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
    from checks.judgement.options import BadOverride
    from checks.judgement.scopes import read_override

    try:
        return tuple(read_override(value) for value in values)
    except BadOverride as error:
        raise click.BadParameter(str(error)) from None


def read_routes(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        return values
    from checks.results.evidence import SEARCHES
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


def read_part(_: click.Context, __: click.Parameter, value: str | None) -> Part | None:
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", value)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{value!r} is no part; expected 1/8 for the first of eight, and so on to 8/8")
    from checks.execution.parts.share import Part

    return Part(int(match[1]), int(match[2]))


def with_budget(help: str) -> Callable[[_Command], _Command]:
    """The option --budget, in seconds; None is no limit."""
    return click.option("--budget", metavar="TIME", default="60s", show_default=True, callback=read_budget, help=help)


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
