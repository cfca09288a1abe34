"""`list` and `show`: what the library and files hold, without settling anything."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from claims.language.library.entries import Entry
    from claims.language.toml.source import Read


@click.command("list")
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
def list_(claims: tuple[str, ...]) -> None:
    """List claims: id, role, locator, title."""
    from checks.terminal.catalogue import rows
    from claims.language.ground.errors import visible
    from claims.language.toml.source import Reading

    for line in rows(select_entries(claims, read := Reading()), read):  # each file is read once
        click.echo(visible(line))


@click.command()
@click.argument("claim", metavar="ID|FILE")
@click.option("--obligations", is_flag=True, help="What its proof has to show, one by one, instead.")
@click.option(
    "--smt2",
    metavar="NAME",
    help="An obligation, by its name or the first 8 or more digits of its SHA-256, as SMT-LIB instead: "
    "unsatisfiable just if it holds.",
)
def show(claim: str, obligations: bool, smt2: str | None) -> None:
    """Show one claim: its statement, formal text, scopes and proof."""
    from checks.results.phrases import visible
    from checks.terminal.catalogue import list_obligations, list_scripts, page
    from claims.language.ground.errors import ClaimError
    from claims.language.statement.unfolding import TooLong
    from encoders.ground.refusals import Unsupported
    from encoders.proving.reading import load_claim

    entries = select_entries((claim,))
    for entry in entries:
        try:
            loaded = load_claim(entry.path, entry.id)
        except ClaimError as error:
            click.echo(str(error), err=True)
            sys.exit(2)
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


def select_entries(words: tuple[str, ...], read: Read | None = None) -> tuple[Entry, ...]:
    """The claims that the words of a command line name; it ends in 2 where one names nothing."""
    from claims.language.ground.errors import ClaimError
    from claims.language.library.entries import select

    try:
        return select(words) if read is None else select(words, read)
    except ClaimError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
