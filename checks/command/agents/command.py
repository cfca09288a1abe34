"""`mcp`: the command that starts the server for agents, whose packages are an extra."""

from __future__ import annotations

import sys

import click

from checks.command.options.values import read_budget


@click.command()
@click.option(
    "--budget",
    metavar="TIME",
    default="30s",
    show_default=True,
    callback=read_budget,
    help="At most so long for one answer, whatever an agent asks for: 30s, 2m.",
)
@click.option(
    "--characters",
    type=click.IntRange(500, 200_000),
    default=8_000,
    show_default=True,
    help="At most so many in one answer.",
)
def mcp(budget: float | None, characters: int) -> None:
    """Serve agents by the Model Context Protocol.

    On standard input and output.  Tools: check, settle, explain, solve, find.  A claim is given as text, or by its
    id in the library; no other file of this machine is read, nothing is executed, nothing is kept.  It needs
    another package: pip install "mcp>=2".
    """
    if budget is None:
        raise click.UsageError("--budget none: expected a time")
    try:
        from checks.command.agents.answers import Budget
        from checks.command.agents.server import make_server
    except ImportError as error:
        click.echo(f'{error.name or error} is not installed: pip install "mcp>=2"', err=True)
        sys.exit(2)
    make_server(Budget(budget, characters)).run("stdio")
