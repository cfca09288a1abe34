"""The command `merge`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from checks.command.options.values import DEFAULT_REPORT, EPILOG, FOLDER, JOBS, with_budget, with_memory


@click.command(epilog=EPILOG)
@click.argument("folders", nargs=-1, required=True, type=FOLDER, metavar="FOLDER...")
@click.option(
    "--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="Where the reports go, as in run."
)
@JOBS
@click.option("--no-cache", is_flag=True, help="As in run.")
@with_budget("As in run, for what is left.")
@with_memory
@click.pass_context
def merge(
    context: click.Context,
    folders: tuple[Path, ...],
    report: Path,
    jobs: int | None,
    no_cache: bool,
    budget: float | None,
    memory: int | None,
) -> None:
    """Put the parts of a run together, and write its reports.

    Each part is a --report FOLDER of run --shard.  What is missing, doubled, altered or of another run is named,
    and nothing is written.  Claims that are not searched in shards are settled here.
    """
    from checks.command.parts import merge_parts

    context.exit(merge_parts(folders, report, jobs or os.cpu_count() or 1, not no_cache, budget, memory))
