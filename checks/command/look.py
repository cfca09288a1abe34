"""`show`: one claim, without settling anything."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from checks.command.values import AS_DATA, print_data, read_claims


@click.command()
@click.argument("claim", metavar="ID|FILE")
@click.option("--obligations", is_flag=True, help="What its proof has to show, one by one, instead.")
@click.option(
    "--smt2",
    metavar="NAME",
    help="An obligation, by its name or the first 8 or more digits of its SHA-256, as SMT-LIB instead: "
    "unsatisfiable just if it holds.",
)
@AS_DATA
def show(claim: str, obligations: bool, smt2: str | None, as_data: bool) -> None:
    """Show one claim: its statement, formal text, scopes and proof."""
    from checks.results.phrases import visible
    from checks.terminal.catalogue import list_obligations, list_scripts, page
    from claims.language.ground.errors import ClaimError
    from claims.language.statement.unfolding import TooLong
    from encoders.ground.refusals import Unsupported
    from encoders.proving.reading import load_claim

    if as_data and (obligations or smt2):
        raise click.UsageError(f"--json and {'--obligations' if obligations else '--smt2'}: which?")
    found = []
    entries = read_claims((claim,))
    for entry in entries:
        try:
            loaded = load_claim(entry.path, entry.id)
        except ClaimError as error:
            click.echo(str(error), err=True)
            sys.exit(2)
        if as_data:
            from checks.terminal.data import show_claim

            found.append(show_claim(loaded, entry))
            continue
        if smt2 is None:
            for line in list_obligations(loaded) if obligations else [page(loaded)]:
                click.echo(visible(line))
            continue
        try:
            scripts = list(list_scripts(loaded, smt2))
        except (Unsupported, TooLong) as error:
            click.echo(str(error), err=True)
            sys.exit(2)
        for script in scripts:
            click.echo(visible(script))
        if not scripts:
            click.echo(f"{entry.id}: no obligation {smt2!r}; --obligations lists them", err=True)
            sys.exit(2)
    if as_data:
        from checks.terminal.data import to_data

        print_data(to_data("claims", map(asdict, found)))
