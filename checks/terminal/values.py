"""What stands on the command line, read: times, overrides, routes, renamings; click says it where that cannot be."""

from __future__ import annotations

import re

import click


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
    from encoders.rules.registry import PROVERS

    known = ("exhaustive", "bounded", *PROVERS)
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


WHERE = (
    click.option(
        "--jobs",
        "-j",
        type=click.IntRange(1),
        default=None,
        help="Worker processes.  [default: the number of cores]",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        default=None,
        help="Instead of processes here, the workers of the Dask scheduler at tcp://HOST:PORT.",
    ),
)
"""Who settles."""
