"""`coq`: a claim as a theorem of Coq, printed or written into a file."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.command.options.values import AS_DATA, print_data, read_claims

if TYPE_CHECKING:
    from checks.terminal.data import ListedTheorem


@click.command()
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option("--list", "listed", is_flag=True, help="Which claims are generated, and what is missing for the others.")
@click.option("--all", "everything", is_flag=True, help="All that are generated, each into a file of the folder --out.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write, or with --all the folder.")
@AS_DATA
def coq(claims: tuple[str, ...], listed: bool, everything: bool, out: Path | None, as_data: bool) -> None:
    """Write a claim as a theorem for Coq.

    From its file, [proof] and ruleset, for the theory in coq/.  With --all the paths come in the order for coqc.
    """
    from checks.results.phrases import escape_invisible
    from checks.terminal.data import to_data
    from checks.terminal.theorems import list_theorems, make_theorems, name_theorems, write_all
    from claims.language.ground.errors import ClaimError

    if everything and out is None:
        raise click.UsageError("--all needs --out FOLDER")
    if not claims and not (listed or everything):
        raise click.UsageError("which claim? or --list, or --all")
    entries = read_claims(claims)
    if out is not None and not (listed or everything) and len(entries) > 1:
        raise click.UsageError(f"--out {out} is a file for one claim; --all writes each into a file of a folder")
    try:
        if listed and not as_data:
            for line in list_theorems(entries):
                click.echo(escape_invisible(line))
            return
        if listed:
            found = [*name_theorems(entries)]
        else:
            found = [*(write_all(entries, out or Path()) if everything else make_theorems(entries, out))]
    except (ClaimError, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if as_data:
        print_data(to_data("claims", map(asdict, found)))
    else:
        _tell(found, everything)
    if not (listed or everything or all(theorem.generated for theorem in found)):
        sys.exit(2)


def _tell(found: list[ListedTheorem], everything: bool) -> None:
    from checks.results.phrases import escape_invisible

    for theorem in found:
        if not theorem.generated:
            click.echo(escape_invisible(f"{theorem.id}: no theorem is generated: {theorem.missing}"), err=True)
        elif everything:
            click.echo(escape_invisible(theorem.file))
        elif not theorem.file:
            click.echo(theorem.text, nl=False)
